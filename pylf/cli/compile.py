"""``pylf compile``: a program in another form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.cli import options as shared
from pylf.errors import InputError
from pylf.forms import FORMS

if TYPE_CHECKING:
    import argparse

    from pylf.api import CompiledQuery


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    shared.add_source(parser)
    parser.add_argument("--to", choices=FORMS, help="the form to write (sparql)")
    parser.add_argument("-o", "--output", metavar="FILE", help="write there, not to standard output")
    parser.add_argument(
        "--explain", action="store_true",
        help="English, IR, what each pass changes, rows of each conjunct as estimated and counted, and SPARQL",
    )  # fmt: skip
    parser.add_argument(
        "--print-after", metavar="PASS", action="append", default=[],
        help="print the IR after a pass of the optimizer, to standard error (again for more)",
    )  # fmt: skip
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
    group.add_argument("--summary", metavar="FILE", help="write the summary there too, as JSON")


def run(options: argparse.Namespace) -> int:
    """Compile and print."""
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
    for name in ("field", "id", "jobs", "fresh", "summary"):
        if getattr(options, name):
            raise InputError(f"--{name} is for whole sets: --batch")
    from pylf.backends.patience import within

    with within(options.patience):
        query = shared.compiled_or_told(options, options.file, options.json)
        if query is None:
            return 2
        if query.graph is not None and query.diagnostics and (empty := shared.emptiness(query.graph)) is not None:
            shared.say(empty)
        if options.print_after:
            _print_after(query, options.print_after)
        text = _text(query, options)
    if options.output is None:
        print(text)
        return 0
    shared.write_text(options.output, text + "\n")
    return 0


def _text(query: CompiledQuery, options: argparse.Namespace) -> str:
    if options.json:
        return _everything(query, options.explain)
    return query.explain() if options.explain else query.to(options.to or "sparql")


def _print_after(query: CompiledQuery, names: list[str]) -> None:
    """The IR after some passes, to standard error.

    Raises:
        InputError: there is no such pass.
    """
    from pylf.ir.passes import PIPELINE
    from pylf.ir.passes.manager import named
    from pylf.ir.passes.watch import Watch
    from pylf.ir.text import print_query

    passes = [named(name, PIPELINE) for name in names]
    watch = Watch()
    query.optimized(watch)
    for one in passes:
        found = watch.after(one.name)
        if found is None:
            shared.say(f"# after {one.name}: it does not run at -O{query.settings.optimize}")
        else:
            idle = "" if watch.changed(one.name) else ", which changed nothing"
            shared.say(f"# after {one.name}{idle}:\n{print_query(found).rstrip()}")


def _everything(query: CompiledQuery, explain: bool) -> str:
    """A query's forms, fingerprint, choices and warnings, and how it is explained, as JSON."""
    import json

    from pylf.batch.compiler import form_of
    from pylf.forms import EVERYTHING

    data = {name: form_of(query, name) for name in EVERYTHING}
    data["diagnostics"] = [d.to_json() for d in query.diagnostics]
    if explain:
        from pylf.explained import explained

        data |= explained(query).to_json()
    return json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False)
