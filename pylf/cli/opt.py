"""``pylf opt``: what the passes of the optimizer make of a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.cli import options as shared
from pylf.errors import InputError

if TYPE_CHECKING:
    import argparse

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
    parser.add_argument("--json", action="store_true", help="the query before and after, and the changes, as JSON")
    shared.add_patience(parser)
    shared.add_surroundings(parser)
    shared.add_emission(parser, 2)


def run(options: argparse.Namespace) -> int:
    """Run passes and print the IR."""
    from pylf.backends.dialects import dialect_named
    from pylf.backends.patience import within
    from pylf.ir.passes import PIPELINE, listed
    from pylf.ir.passes.context import Context
    from pylf.ir.passes.estimates import uncounted
    from pylf.ir.passes.manager import named, optimized
    from pylf.ir.passes.watch import Watch
    from pylf.ir.text import print_query

    _check(options)
    if options.list:
        print("\n".join([f"{one.name:18} {one.basis.value:11} {one.why}" for one in listed()]))
        return 0
    shared.settle(options)
    alone = None if options.passes is None else tuple([named(name, PIPELINE) for name in options.passes])
    with within(options.patience):
        query = shared.compiled_or_told(options, options.file, options.json)
    if query is None:
        return 2
    watch = Watch()
    context = Context(query.schema, query.vocabulary, dialect_named(query.settings.dialect).target)
    if alone is None:
        found = optimized(query.ir, context, PIPELINE, query.settings.optimize, observer=watch)
    else:
        found = optimized(query.ir, context, alone, observer=watch)
    if not watch.seen:
        shared.say(f"no pass runs at -O{query.settings.optimize}")
    unknown = uncounted(query.ir, query.schema)
    _tell(unknown, watch, options.kg is None)
    if options.json:
        changes = [{"pass": name, "diff": diff} for name, diff in watch.changes()]
        shared.print_json(
            {"before": print_query(query.ir), "after": print_query(found), "changes": changes, "uncounted": unknown}
        )
    elif options.diff:
        print("\n\n".join([f"# {name}\n{diff}" for name, diff in watch.changes()]) or "nothing changed")
    else:
        print(print_query(found), end="")
    return 0


def _check(options: argparse.Namespace) -> None:
    """Options that do not go together.

    Raises:
        InputError: there are some.
    """
    if options.list and (options.file is not None or options.passes or options.diff or options.json):
        raise InputError("--list lists the passes, for no FILE: leave the rest out")
    if not options.list and options.file is None:
        raise InputError("no FILE to optimize; --list needs none")
    if options.diff and options.json:
        raise InputError("--json has the changes too: leave --diff out")


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
