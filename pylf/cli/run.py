"""``pylf run``: ask a graph, and see why."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from pylf.cli import options as shared
from pylf.errors import EngineError, InputError, Source
from pylf.ir.nodes import Form, Not
from pylf.ir.terms import Literal
from pylf.ir.traverse import walk
from pylf.render.words import legible

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from pylf.api import CompiledQuery, KnowledgeGraph, Result
    from pylf.backends.outcome import Outcome
    from pylf.ir.terms import Node

#: seconds that an engine which failed is given to say what it is
_LAST_WORD = 2.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    shared.add_source(parser)
    parser.add_argument("--why", action="store_true", help="what supports each answer, or what emptied it")
    parser.add_argument("--format", choices=("table", "json", "csv"), default="table", help="how to print (table)")
    parser.add_argument("--json", dest="format", action="store_const", const="json", help="the same as --format json")
    parser.add_argument(
        "--timeout", type=shared.seconds, metavar="SECONDS", help="end the query after so long (then status 4)"
    )
    parser.add_argument(
        "--limit", type=shared.count, metavar="N", default=100, help="rows of the table, answers explained (100)"
    )
    parser.add_argument("--allow-partial", action="store_true", help="take answers of which some are missing for done")
    shared.add_surroundings(parser)
    # no --dialect: a graph is asked in that of its engine, which for an endpoint can stand in its file
    shared.add_level(parser.add_argument_group("how SPARQL is written: in the dialect of the graph's engine"))


def run(options: argparse.Namespace) -> int:
    """Compile against the graph, ask, print; 4 where the answers are not all there."""
    from pylf.backends.patience import within

    began = time.monotonic()
    shared.settle(options)
    with within(options.timeout):
        try:
            graph = _graph(options)
            query = shared.compiled_on(options, options.file, graph)
        except EngineError:
            shared.known(options, graph={"name": options.kg}, seconds=round(time.monotonic() - began, 3))
            raise
        return _asked(options, query, graph)


def _graph(options: argparse.Namespace) -> KnowledgeGraph:
    from pylf.api import bundled

    if options.kg is None:
        if options.schema is not None or options.vocabulary is not None:
            raise InputError("--schema and --vocab tell how to read a graph: give --kg PATH besides")
        shared.say("no --kg or pylf.toml: asking the bundled graph of rockets")
        return bundled()
    return shared.opened(options)


def _asked(options: argparse.Namespace, query: CompiledQuery, graph: KnowledgeGraph) -> int:
    # a limit, even an endless one, lets Ctrl-C through while the engine works
    result = query.attempt(graph, timeout=float("inf") if options.timeout is None else options.timeout)
    outcome = result.outcome
    unexplained = ""
    if options.format == "json":
        data = as_json(result, options.why and outcome.complete, options.limit)
        unexplained = data.get("why_failed", "")
        shared.print_json(data)
    elif outcome.answers is not None:
        unexplained = _print(result, options)
    for remark in _remarks(result):
        shared.say(legible(remark))
    if outcome.complete:
        if unexplained:
            shared.say(f"pylf: not all of it is explained: {legible(unexplained)}")
        return 4 if unexplained else 0
    cut = "" if outcome.answers is None else f"{outcome.status}: "
    shared.say(f"pylf: {cut}{outcome.reason}")
    return 0 if options.allow_partial and outcome.answers is not None else 4


def _remarks(result: Result) -> list[str]:
    """Where the answers come from, what the graph or its labels lack, and what went wrong with the answers that are
    kept."""
    from pylf.backends.missing import Named

    told: list[str] = []
    if result.outcome.cached:
        told.append(f"kept from an earlier run (snapshot {result.graph.engine.snapshot}); --no-cache asks again")
    if result.outcome.answers is not None and result.unlabelled:
        told.append(f"labels are left out: {result.unlabelled}")
    if result.no_triples is not None:
        told.append(result.no_triples)
    else:
        told += [Named("relation", iri).told for iri in result.not_held]
    return told if result.graph.cache is None else [*told, *result.graph.cache.remarks]


def _print(result: Result, options: argparse.Namespace) -> str:
    """Prints the answers, and where that is wanted why; gives what the engine failed with meanwhile."""
    match options.format:
        case "csv":
            _print_csv(result)
            if options.why:
                shared.say("--why is told in the formats table and json")
        case _:
            _print_table(result, options.limit)
            if options.why and result.outcome.complete:
                print()
                source = Source(result.query.text, result.query.name)
                try:
                    explanation = result.why(options.limit)
                except EngineError as problem:
                    return str(problem)
                print(explanation.render(source))
                return "" if explanation.failure is None else str(explanation.failure)
    return ""


def _rows(result: Result) -> list[tuple[Node | None, ...]]:
    answers = result.answers
    return [(v,) for v in answers.values] if answers.form is Form.SET else list(answers.rows)


def _print_table(result: Result, limit: int) -> None:
    answers = result.answers
    if answers.form in (Form.NUMBER, Form.BOOLEAN):
        print(answers.number if answers.form is Form.NUMBER else "yes" if answers.boolean else "no")
        if reading := _reading(result):
            shared.say(reading)
        return
    rows, labels = _rows(result), result.labels
    shown = [[_cell(n, labels) for n in row] for row in rows[:limit]]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    for row in shown:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    count = f"{len(rows)} answer{'' if len(rows) == 1 else 's'}"
    told = [count, f"the first {limit} shown" if len(rows) > limit else "", _reading(result)]
    shared.say(", ".join(filter(None, told)))


def _reading(result: Result) -> str:
    """How negation was read, where there is any."""
    if result.query.source in ("path", "subgraph"):  # they have no negation: what is left out is none of the text's
        return ""
    if not any(isinstance(conjunct, Not) for conjunct in walk(result.query.ir)):
        return ""
    return {
        "cwa": "negation read by the closed world: what is not recorded is false",
        "pca": "negation read by partial completeness: only what has some value can fail to have this one",
    }[result.query.settings.negation]


def _cell(node: Node | None, labels: dict[Node, str]) -> str:
    if node is None:
        return ""
    if isinstance(node, Literal):
        return legible(node.lexical if node.language is None else f"{node.lexical}@{node.language}")
    label = labels.get(node)
    return legible(f"{label}  {node}" if label else str(node))


def _print_csv(result: Result) -> None:
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    answers, labels = result.answers, result.labels
    if answers.form is Form.NUMBER:
        writer.writerows([["count"], [answers.number]])
        return
    if answers.form is Form.BOOLEAN:
        writer.writerows([["answer"], ["true" if answers.boolean else "false"]])
        return
    names = [v.name for v in result.query.ir.outputs]
    writer.writerow([column for name in names for column in (name, f"{name}_label")])
    for row in _rows(result):
        writer.writerow([cell for n in row for cell in (_plain(n), "" if n is None else labels.get(n, ""))])


def _plain(node: Node | None) -> str:
    if node is None:
        return ""
    return node.lexical if isinstance(node, Literal) else str(node).strip("<>")


def as_json(result: Result, why: bool = False, limit: int = 100) -> dict[str, Any]:
    """A result as plain data: the answers, the query, the graph's snapshot and the choices that were made.

    What the engine does not tell any more is None: ``engine``, ``sparql``; ``unlabelled`` and ``why_failed`` say why
    there are no labels, and no explanation or not all of it.
    """
    outcome, engine = result.outcome, result.graph.engine
    data: dict[str, Any] = {
        "status": outcome.status.value,
        "form": result.query.ir.form.value,
        "negation": result.query.settings.negation,
        "exclude_topic": result.query.settings.exclude_topic,
        "all_different": result.query.settings.all_different,
        "ties": result.query.settings.ties,
        "graph": {"name": result.graph.name, "snapshot": engine.snapshot},
        "engine": _told(lambda: engine.version, outcome),
        "fingerprint": result.query.fingerprint,
        "sparql": _told(lambda: result.query.sparql_for(engine.spoken), outcome),
        "diagnostics": [d.to_json() for d in result.query.diagnostics],
    }
    if outcome.reason:
        data["reason"] = outcome.reason
    if outcome.cached:
        data["cached"] = True
    if result.not_held:
        data["not_held"] = list(result.not_held)
    if result.no_triples is not None:
        data["no_triples"] = result.no_triples
    if not outcome.complete:
        data["seconds"] = round(outcome.seconds, 3)  # what it cost; complete answers are told alike every time
    if outcome.answers is None:
        return data
    answers, labels = outcome.answers, result.labels
    if result.unlabelled:
        data["unlabelled"] = result.unlabelled
    match answers.form:
        case Form.NUMBER:
            data["number"] = answers.number
        case Form.BOOLEAN:
            data["boolean"] = answers.boolean
        case Form.SET:
            data["answers"] = [_node_json(v, labels) for v in answers.values]
        case _:
            data["columns"] = [v.name for v in result.query.ir.outputs]
            data["rows"] = [[None if n is None else _node_json(n, labels) for n in row] for row in answers.rows]
    if why:
        try:
            explanation = result.why(limit)
            data["why"] = explanation.to_json()
            if explanation.failure is not None:
                data["why_failed"] = str(explanation.failure)
        except EngineError as problem:
            data["why"], data["why_failed"] = None, str(problem)
    return data


def _told(ask: Callable[[], str], outcome: Outcome) -> str | None:
    """What an engine says of itself; one that has just failed, or was not asked, is not waited for long."""
    from pylf.backends.patience import within

    try:
        with within(None if outcome.complete and not outcome.cached else _LAST_WORD):
            return ask()
    except EngineError:
        return None


def _node_json(node: Node, labels: dict[Node, str]) -> dict[str, Any]:
    if isinstance(node, Literal):
        return {"kind": "literal", "value": node.lexical, "datatype": node.datatype, "language": node.language}
    kind = "iri" if str(node).startswith("<") else "blank"
    return {"kind": kind, "value": str(node).strip("<>"), "label": labels.get(node)}
