"""``pylf opt``: what the passes of the optimizer make of a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.cli import options as shared
from pylf.errors import EngineError, InputError

if TYPE_CHECKING:
    import argparse

    from pylf.api import KnowledgeGraph
    from pylf.backends.sparql.dialect import Dialect
    from pylf.ir.passes.watch import Watch


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("file", metavar="FILE", nargs="?", help="a program, or - for standard input")
    parser.add_argument(
        "-p", "--pass", dest="passes", action="append", metavar="PASS",
        help="run this pass alone, whatever -O says (again for more, in that order)",
    )  # fmt: skip
    parser.add_argument(
        "--list",
        action="store_true",
        help="list the passes in their order, what each rests on, and why it stands there",
    )
    parser.add_argument("--diff", action="store_true", help="print what each pass changed, not the query")
    shared.add_print_after(parser)
    parser.add_argument(
        "--json",
        action="store_true",
        help="the query before and after, and the changes, as JSON; with --list, the list",
    )
    shared.add_patience(parser)
    shared.add_surroundings(parser)
    shared.add_emission(parser, "that of the graph's engine, as 'pylf run' asks it; without --kg sparql11", 2)


def run(options: argparse.Namespace) -> int:
    """Run passes and print the IR."""
    from pylf.backends.patience import within
    from pylf.cli.after import after, passes_named, say_after
    from pylf.ir.passes import PIPELINE
    from pylf.ir.passes.context import Context
    from pylf.ir.passes.estimates import uncounted
    from pylf.ir.passes.manager import optimized
    from pylf.ir.passes.watch import Watch
    from pylf.ir.text import print_query

    _check(options)
    if options.list:
        _list(options.json)
        return 0
    alone = None if options.passes is None else passes_named(options.passes)
    printed_after = passes_named(options.print_after)
    said = "--dialect" if options.dialect is not None else "pylf.toml"
    shared.settle(options)
    with within(options.patience):
        query = shared.compiled_on(options, options.file)
        dialect, why = _planned_for(options.dialect, said, query.graph)
    shared.say(f"planned for {dialect.name}: {why}")
    watch = Watch()
    context = Context(query.schema, query.vocabulary, dialect.target)
    if alone is None:
        found = optimized(query.ir, context, PIPELINE, query.settings.optimize, observer=watch)
    else:
        found = optimized(query.ir, context, alone, observer=watch)
    if not watch.seen:
        shared.say(f"no pass runs at -O{query.settings.optimize}")
    unknown = uncounted(query.ir, query.schema)
    _tell(unknown, watch, options.kg is None)
    idle = "-p does not name it" if alone is not None else f"it does not run at -O{query.settings.optimize}"
    printed = after(watch, printed_after, idle)
    changes = watch.changes()
    if options.json:
        shared.print_json(
            {
                "dialect": dialect.name,
                "before": print_query(query.ir),
                "after": print_query(found),
                "changes": [{"pass": name, "diff": diff} for name, diff in changes],
                "uncounted": unknown,
            }
            | ({"printed_after": printed} if printed else {})
        )
        return 0
    say_after(printed)
    if options.diff:
        print("\n\n".join([f"# {name}\n{diff}" for name, diff in changes]) or "nothing changed")
    else:
        print(print_query(found), end="")
    return 0


def _list(as_json: bool) -> None:
    """Prints all passes."""
    from pylf.ir.passes import listed

    if as_json:
        passes = [{"name": one.name, "basis": one.basis.value, "why": one.why} for one in listed()]
        shared.print_json({"passes": passes})
    else:
        print("\n".join([f"{one.name:18} {one.basis.value:11} {one.why}" for one in listed()]))


def _check(options: argparse.Namespace) -> None:
    """Options that do not go together.

    Raises:
        InputError: there are some.
    """
    if options.list and (options.file is not None or options.passes or options.diff or options.print_after):
        raise InputError("--list lists the passes, for no FILE: leave the rest out")
    if not options.list and options.file is None:
        raise InputError("no FILE to optimize; --list needs none")


def _planned_for(chosen: str | None, said: str, graph: KnowledgeGraph | None) -> tuple[Dialect, str]:
    """The dialect that the query is planned for, and why that one: what is chosen; else what the engine of the graph
    speaks, for which ``pylf run`` plans."""
    from pylf.backends.dialects import dialect_named

    if chosen is not None:
        return dialect_named(chosen), f"{said} says so"
    if graph is None:
        return dialect_named("sparql11"), "neither --kg nor --dialect names an engine"
    try:
        return graph.engine.spoken, f"{graph.name} is asked in it"
    except EngineError as problem:  # the passes need no answer of an endpoint whose schema is given
        return dialect_named("sparql11"), f"{graph.name} does not tell what it speaks: {problem}"


def _tell(unknown: list[str], watch: Watch, no_graph: bool) -> None:
    """Says which passes that ran had no statistics to rest on, and of what."""
    from pylf.ir.passes.estimates import named_first
    from pylf.ir.passes.manager import Basis

    resting = dict.fromkeys([step.name for step, _, _ in watch.seen if step.basis is not Basis.DEFINITION])
    if not unknown or not resting:
        return
    remedy = (
        "; --kg GRAPH ('bundled' is one), or a --schema that 'pylf schema infer' wrote, has them" if no_graph else ""
    )
    shared.say(f"no statistics of {named_first(unknown)}: there, {', '.join(resting)} have nothing to go by{remedy}")
