"""``pylf compile``: a program in another form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.cli import options as shared
from pylf.errors import InputError
from pylf.forms import FORMS

if TYPE_CHECKING:
    import argparse

    from pylf.api import CompiledQuery
    from pylf.ir.passes.manager import Pass

#: the forms that a reader may take for what the optimizer leaves
_UNOPTIMIZED = ("ir", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    shared.add_source(parser)
    parser.add_argument("--to", choices=FORMS, help="the form to write (sparql)")
    parser.add_argument("-o", "--output", metavar="FILE", help="write there, not to standard output")
    parser.add_argument(
        "--explain", action="store_true",
        help="English, IR, what each pass changes, rows of each conjunct as estimated and counted, and SPARQL",
    )  # fmt: skip
    shared.add_print_after(parser)
    parser.add_argument(
        "--json", action="store_true", help="all of it as JSON: forms, fingerprint, warnings; with --explain, that too"
    )
    shared.add_patience(parser)
    shared.add_surroundings(parser)
    shared.add_emission(parser)
    group = parser.add_argument_group("whole sets")
    group.add_argument("--batch", action="store_true", help="FILE holds records: JSON Lines, or one JSON array")
    group.add_argument("--field", metavar="NAME", help="the field that holds the question; nested: NAME.NAME")
    group.add_argument("--id", metavar="NAME", help="the field that names the record (qid, id, question_id …)")
    group.add_argument("--jobs", metavar="N", type=shared.count, help="processes (as many as there are processors)")
    group.add_argument("--fresh", action="store_true", help="start over, whatever --output holds")
    group.add_argument(
        "--answers", action="store_true",
        help="write each record's SPARQL, choices, answers on --kg and the graph's snapshot, for 'pylf doctor --gold'",
    )  # fmt: skip
    group.add_argument("--summary", metavar="FILE", help="write the summary there too, as JSON")


def run(options: argparse.Namespace) -> int:
    """Compile and print."""
    passes = _passes(options.print_after)
    shared.settle(options)
    if options.batch:
        from pylf.cli import batch

        if options.print_after:
            raise InputError("--print-after is for one question, not for --batch")
        options.to = options.to or "sparql"
        return batch.run(options)
    if options.to and (options.explain or options.json):
        told = "--explain" if options.explain else "--json"
        raise InputError(f"--to writes one form and {told} several: leave one of them out")
    for name in ("field", "id", "jobs", "fresh", "answers", "summary"):
        if getattr(options, name):
            raise InputError(f"--{name} is for whole sets: --batch")
    if options.optimize == 2 and options.to in _UNOPTIMIZED:
        shared.say(
            f"-O2 is for SPARQL: --to {options.to} writes the IR before the passes, 'pylf opt' prints it after them"
        )
    from pylf.backends.patience import within

    with within(options.patience):
        query = shared.compiled_on(options, options.file)
        if query.graph is not None and query.diagnostics and (empty := shared.emptiness(query.graph)) is not None:
            shared.say(empty)
        text = _text(query, options, passes)
    if options.output is None:
        print(text)
        return 0
    shared.write_text(options.output, text + "\n")
    return 0


def _passes(names: list[str]) -> tuple[Pass, ...]:
    """The passes of these names; most compilations name none, and do not import any."""
    if not names:
        return ()
    from pylf.cli.after import passes_named

    return passes_named(names)


def _text(query: CompiledQuery, options: argparse.Namespace, passes: tuple[Pass, ...]) -> str:
    printed = _printed_after(query, passes) if passes else []
    remark = _other_plan(query) if options.explain and options.dialect is None else None
    if options.json:
        return _everything(query, options.explain, printed, remark)
    if printed:
        from pylf.cli.after import say_after

        say_after(printed)
    if remark is not None:
        shared.say(remark)
    return query.explain() if options.explain else query.to(options.to or "sparql")


def _printed_after(query: CompiledQuery, passes: tuple[Pass, ...]) -> list[dict[str, Any]]:
    from pylf.cli.after import after
    from pylf.ir.passes.watch import Watch

    watch = Watch()
    query.optimized(watch)
    return after(watch, passes, f"it does not run at -O{query.settings.optimize}")


def _other_plan(query: CompiledQuery) -> str | None:
    """That ``pylf run`` plans otherwise, for the engine of a graph at hand; None where it does not."""
    from pylf.backends.engines.oxigraph import OxigraphEngine

    planned_for = query.settings.dialect
    if query.graph is None or not isinstance(query.graph.engine, OxigraphEngine):
        return None
    asked = query.graph.engine.spoken.name
    if asked == planned_for:
        return None
    return f"planned for {planned_for}; 'run' asks {asked}: --dialect {asked} shows that plan"


def _everything(query: CompiledQuery, explain: bool, printed: list[dict[str, Any]], remark: str | None) -> str:
    """A query's forms, fingerprint, choices and warnings, how it is explained and what is printed after passes, as
    JSON."""
    import json

    from pylf.batch.compiler import form_of
    from pylf.forms import EVERYTHING

    data = {name: form_of(query, name) for name in EVERYTHING}
    data["diagnostics"] = [d.to_json() for d in query.diagnostics]
    if explain:
        from pylf.explained import explained

        data |= explained(query).to_json()
        data["remarks"] += [] if remark is None else [remark]
    if printed:
        data["printed_after"] = printed
    return json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False)
