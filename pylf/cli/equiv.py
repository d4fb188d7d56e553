"""``pylf equiv``: do two questions mean the same?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.cli import options as shared
from pylf.errors import InputError
from pylf.forms import SOURCES

if TYPE_CHECKING:
    import argparse

    from pylf.api import CompiledQuery, KnowledgeGraph
    from pylf.equivalence.verdict import Verdict
    from pylf.ir.answers import Answers

#: Exit status by what was found.
STATUS = {"equivalent": 0, "different": 1, "undecided": 3}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("left", metavar="FILE", help="a program, or - for standard input")
    parser.add_argument("right", metavar="FILE", help="another")
    parser.add_argument("--json", action="store_true", help="the verdict as JSON")
    shared.add_patience(parser)
    shared.add_surroundings(parser)
    group = parser.add_argument_group("the two")
    group.add_argument("--from-a", choices=SOURCES, help="the form of the first program, where they differ")
    group.add_argument("--from-b", choices=SOURCES, help="the form of the second one")
    group = parser.add_argument_group("how far to look")
    group.add_argument(
        "--bound", metavar="N", type=shared.count, default=3, help="try every graph of up to N triples (3)"
    )
    group.add_argument("--seconds", metavar="S", type=shared.seconds, default=2.0, help="give up after so long (2)")
    group.add_argument(
        "--sound", action="store_true", help="look at graphs alone that keep to the schema's domains and ranges"
    )


def run(options: argparse.Namespace) -> int:
    """Compare and print; 1 where they differ, 3 where that is not decided."""
    from pylf.backends.patience import within

    shared.settle(options)
    if options.left == options.right == "-":
        raise InputError("standard input can be one of the two programs, not both")
    with within(options.patience):
        left, right = _compiled(options)
    from pylf.equivalence import equivalent

    verdict = equivalent(left.ir, right.ir, left.schema, left.vocabulary, options.bound, options.seconds, options.sound)
    if options.json:
        shared.print_json(_as_json(verdict, options.bound))
    else:
        _print(verdict, left, right)
    return STATUS[verdict.status]


def _compiled(options: argparse.Namespace) -> tuple[CompiledQuery, CompiledQuery]:
    """Both programs."""
    if options.kg is None and options.schema is None and options.vocabulary is None:
        shared.say(shared.BUNDLED)
    graph = None if options.kg is None else shared.opened(options)
    left = _one(options, options.left, options.from_a, graph)
    right = _one(options, options.right, options.from_b, graph)
    shared.remark(left.schema)
    shared.warn((*left.diagnostics, *right.diagnostics))
    return left, right


def _one(options: argparse.Namespace, path: str, source: str | None, graph: KnowledgeGraph | None) -> CompiledQuery:
    from pylf.api import compile

    form = source or options.source or "pylf"
    choices = shared.choices(options)
    if form != "sparql" and "sparql" in (options.from_a, options.from_b):
        choices["ties"] = "kept"  # it is for the other one
    return compile(
        shared.read_text(path),
        kg=graph,
        schema=options.schema if graph is None else None,
        vocabulary=options.vocabulary if graph is None else None,
        source=form,
        name=shared.source_name(path),
        **choices,
    )


def _print(verdict: Verdict, left: CompiledQuery, right: CompiledQuery) -> None:
    print(f"{verdict.status}: {verdict.why}")
    if verdict.turtle is None:
        return
    from pylf.equivalence.turtle import Names

    names = Names.of(left.vocabulary)
    print(f"\n{verdict.turtle}\n" if verdict.turtle else "\n# the graph without triples\n")
    width = max(len(left.name), len(right.name)) + 1
    for query, answers in ((left, verdict.left), (right, verdict.right)):
        print(f"{query.name + ':':{width}} {names.answers(answers)}")


def _as_json(verdict: Verdict, bound: int) -> dict[str, Any]:
    data: dict[str, Any] = {"verdict": verdict.status, "why": verdict.why}
    if verdict.turtle is not None:
        data["graph"] = verdict.turtle
        data["answers"] = [_answers(verdict.left), _answers(verdict.right)]
    data["searched"] = {
        "graphs": verdict.tried,
        "bound": bound,
        "complete": verdict.complete,
        "seconds": round(verdict.seconds, 3),
    }
    return data


def _answers(answers: Answers | None) -> object:
    """An answer as plain data, terms as N-Triples writes them; None where a number query has no number."""
    from pylf.ir.nodes import Form

    if answers is None:
        return None
    match answers.form:
        case Form.NUMBER:
            return answers.number
        case Form.BOOLEAN:
            return answers.boolean
        case Form.SET:
            return [str(node) for node in answers.values]
        case _:
            return [[None if node is None else str(node) for node in row] for row in answers.rows]
