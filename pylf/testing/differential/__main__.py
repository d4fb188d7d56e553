"""``python -m pylf.testing.differential``: a run, or the replay of one example. Exit 0: all agree; 1: something does
not; 2: bad input; 4: an engine cannot be started."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pylf.errors import EngineError, InputError
from pylf.ir.passes import listed
from pylf.progress import Progress
from pylf.testing.differential.engines import MAKERS, Engines
from pylf.testing.differential.forms import FORMS
from pylf.testing.differential.journal import Journal
from pylf.testing.differential.plan import Plan, Runner, Share
from pylf.testing.differential.replay import expected_of, read
from pylf.testing.differential.report import Totals, report
from pylf.testing.differential.verdict import fails
from pylf.testing.differential.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pylf.testing.differential.engines import Contestant

    Makers = Mapping[str, Callable[[], Contestant]]

_COMMAND = ("python", "-m", "pylf.testing.differential")


def main(arguments: Sequence[str] | None = None, makers: Makers = MAKERS) -> int:
    """Runs the command. ``makers`` make the engines by name; others than the usual ones run in this process alone."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if given[:1] == ["replay"]:
            return _replay(_replay_parser().parse_args(given[1:]), makers)
        return _run(_parser().parse_args(given), shlex.join([*_COMMAND, *given]), makers)
    except InputError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    except EngineError as error:
        sys.stderr.write(f"error: {error}\n")
        return 4


def _run(options: argparse.Namespace, command: str, makers: Makers) -> int:
    shares = tuple(
        Share(name, pairs, name in options.alternate)
        for name in MAKERS
        if (pairs := options.pairs if name == "oxigraph" else getattr(options, name.replace("-", "_"))) > 0
    )
    passes: tuple[str, ...] = options.passes
    levels = options.optimize or (() if passes else (0, 1))
    alone = 0 if not passes else options.pairs if options.alone is None else options.alone
    made = options.form, options.planned, passes, alone, options.wide
    plan = Plan(options.seed, shares, levels, options.per_graph, *made)
    with Journal(options.failures, plan, options.resume) as journal:
        todo = [number for number in range(plan.blocks) if number not in journal.blocks]
        try:
            with Progress("comparing") as progress:
                for _ in _blocks(plan, options, journal, todo, makers):
                    progress.advance(len(journal.blocks), plan.blocks)
        except KeyboardInterrupt:
            sys.stderr.write(f"stopped after {len(journal.blocks):,} of {plan.blocks:,} graphs; --resume goes on\n")
            return 130
        text = report(plan, journal, command)
        totals = Totals(journal)
    if options.report is not None:
        try:
            options.report.write_text(text, encoding="utf-8")
        except OSError as error:
            raise InputError(f"{options.report}: {error.strerror or error}") from error
    sys.stdout.write(text)
    if totals.smallest is not None:
        path = options.failures / totals.smallest
        sys.stdout.write(f"\nThe smallest, {path}:\n\n{path.read_text(encoding='utf-8')}")
    return 1 if totals.failures else 0


def _blocks(
    plan: Plan, options: argparse.Namespace, journal: Journal, todo: list[int], makers: Makers
) -> Iterable[int]:
    """Does the blocks in other processes, or here with engines of one's own; gives the number of each that is done."""
    if makers is MAKERS:
        yield from Workers(plan, options.failures, options.jobs, journal).run(todo)
        return
    with Engines(makers) as engines:
        runner = Runner(plan, engines, options.failures)
        if todo:
            journal.add_about(runner.about())
        for number in todo:
            journal.add_block(runner.block(number))
            yield number


def _replay(options: argparse.Namespace, makers: Makers) -> int:
    """Says what each side says; 1 where the example still fails."""
    replay = read(options.file)
    names = options.engine or [replay.engine]
    levels = options.optimize or (replay.optimize,)
    sys.stdout.write(f"the reference: {expected_of(replay.case)}\n")
    failed = False
    with Engines(makers) as engines:
        for name in names:
            for level in levels:
                alone = "" if options.optimize else replay.alone
                found = fails(replay.case, name, level, engines, alone)
                failed = failed or found is not None
                said = "agrees" if found is None else f"{found.kind}: {found.said}, not {found.expected}"
                sys.stdout.write(f"{name} at -O{level}{f' after {alone} alone' if alone else ''}: {said}\n")
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=" ".join(_COMMAND),
        description="Compares the reference evaluator with engines on random schemas, graphs and programs.",
        epilog="'replay FILE' runs one failing example again.",
    )
    parser.add_argument("--pairs", type=_count, default=2_000, help="pairs on embedded Oxigraph (%(default)s)")
    for name in MAKERS:
        if name != "oxigraph":
            parser.add_argument(f"--{name}", type=_count, default=0, metavar="PAIRS", help=f"of these, pairs on {name}")
    parser.add_argument("--seed", type=int, default=1, help="which pairs are drawn (%(default)s)")
    parser.add_argument("--jobs", type=_positive, default=1, help="so many processes (%(default)s)")
    parser.add_argument("--optimize", type=_levels, help="levels of optimization (0,1; none where passes are named)")
    parser.add_argument(
        "--planned", action="store_true", help="half of the graphs and programs are made such that passes apply"
    )
    parser.add_argument(
        "--wide", type=_share, default=0.0, metavar="SHARE", help="such a share are queries of the wide tier (0)"
    )
    parser.add_argument(
        "--pass",
        dest="passes",
        type=_passes,
        default=(),
        metavar="NAMES",
        help="also after each of these passes alone, at -O1; 'all' for every pass",
    )
    parser.add_argument("--alone", type=_count, metavar="PAIRS", help="of these, pairs for each pass alone (all)")
    parser.add_argument(
        "--alternate",
        type=_names,
        default=("rdflib",),
        metavar="ENGINES",
        help="engines that are asked in one way a pair, in turn (rdflib: its parser takes 40 µs a character)",
    )
    parser.add_argument("--per-graph", type=_positive, default=20, help="programs a graph (%(default)s)")
    parser.add_argument(
        "--form",
        type=_forms,
        default=(),
        metavar="FORMS",
        help="only programs that use one of these: CLOSURE, 'JOIN neg', … (as a report lists them)",
    )
    parser.add_argument("--report", type=Path, metavar="FILE", help="writes the report, Markdown, there too")
    parser.add_argument(
        "--failures",
        type=Path,
        default=Path("differential"),
        metavar="FOLDER",
        help="where failing examples and the journal are kept (%(default)s)",
    )
    parser.add_argument("--resume", action="store_true", help="goes on with the run that the folder holds")
    return parser


def _replay_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=" ".join((*_COMMAND, "replay")), description="Runs a failing example again.")
    parser.add_argument("file", type=Path, metavar="FILE", help="what a run has written")
    parser.add_argument("--engine", action="append", metavar="NAME", help="ask this engine (again for more)")
    parser.add_argument("--optimize", type=_levels, help="at these levels (as in the file)")
    return parser


def _count(text: str) -> int:
    number = int(text.replace("_", "").replace(",", ""))
    if number < 0:
        raise ValueError
    return number


def _positive(text: str) -> int:
    number = _count(text)
    if number < 1:
        raise ValueError
    return number


def _share(text: str) -> float:
    share = float(text)
    if not 0 <= share <= 1:
        raise ValueError
    return share


def _levels(text: str) -> tuple[int, ...]:
    levels = tuple(dict.fromkeys(int(part) for part in text.split(",")))
    if not set(levels) <= {0, 1, 2}:
        raise ValueError
    return levels


def _forms(text: str) -> tuple[str, ...]:
    forms = _names(text)
    if not FORMS.issuperset(forms):
        raise ValueError
    return forms


def _passes(text: str) -> tuple[str, ...]:
    known = [step.name for step in listed()]
    names = tuple(known) if text == "all" else _names(text)
    if not set(names) <= set(known):
        raise ValueError
    return names


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


if __name__ == "__main__":
    sys.exit(main())
