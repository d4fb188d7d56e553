"""What the passes are worth: -O2 beside the plain printer (-O0) and beside GrailQA's scheme, on three graphs and two
engines, over the programs of ``passes_programs.toml``; and what the optimizer itself takes.

All ways of a program are asked in turn. Each query has a limit and is ended there: by the death of the worker process
that embedded Oxigraph runs it in, by Virtuoso's own. ``python -m benchmarks.passes --help`` shows how to run a part.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pylf
from benchmarks import passes_time
from benchmarks.grailqa_scheme import grailqa
from benchmarks.passes_graphs import GRAPHS, data, loaded, served, words
from benchmarks.passes_measure import again, measured
from benchmarks.passes_programs import names, programs
from benchmarks.passes_table import BARS, BEST, GOALS, PLAIN, SCHEME, Row, by_family, by_graph, each
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.outcome import IncompleteAnswer
from pylf.backends.sparql import emit
from pylf.errors import EngineTimeout, UnsupportedOperation
from pylf.records import record
from pylf.testing import servers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.passes_graphs import GraphSource
    from benchmarks.passes_programs import Program
    from pylf.graphs import KnowledgeGraph
    from pylf.ir.answers import Answers
    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary

    Ask = Callable[[Query, str, float], Answers]
    Asked = list[tuple[Program, Query]]

_EVERYTHING = "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }"
#: the seconds that a query has which is not measured
_LOADING = 60
#: how often what is below the bar is asked once more
_AGAIN = 9
#: The seconds that the plain printer's query has where a family has a goal.
_LONGEST = 40
#: The seconds that GrailQA's scheme has at most: the time that a run takes goes to the plain printer's queries.
_SCHEME_LIMIT = 3


@record
class Options:
    """What is measured: families, graphs and engines whose names contain these; ``level`` against ``base``; ``limit``
    the seconds that a query has; ``listed`` whether every program gets a line."""

    only: str = ""
    graph: str = ""
    engine: str = ""
    level: int = 2
    base: int = 0
    limit: int = 6
    listed: bool = False


def report(scratch: Path, options: Options | None = None) -> str:
    """The tables, as Markdown. ``scratch`` keeps the loaded graphs; those that it holds already are not loaded."""
    options = options or Options()
    began = time.perf_counter()
    asked = programs(options.only)
    rows: list[Row] = []
    notes: list[str] = []
    own: dict[str, tuple[list[Query], Schema, Vocabulary]] = {}
    for graph in GRAPHS:
        if options.graph not in graph.name:
            continue
        file = data(graph, scratch)
        if file is None:
            notes.append(f"{graph.name}: not measured, its data is not here.")
            continue
        kg = pylf.open_kg(loaded(graph, file, scratch), limited=True)
        assert isinstance(kg.engine, OxigraphEngine)
        known = words(graph, kg.engine, names(asked))
        compiled = [(program, pylf.compile(program.text(known), kg=kg).ir) for program in asked]
        own[f"these programs, {graph.name}"] = [query for _, query in compiled], kg.schema, kg.vocabulary
        for name in BARS:
            if options.engine in name:
                start = time.perf_counter()
                found = list(_measured(graph, name, kg, file, compiled, options, notes))
                print(f"{graph.name}, {name}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
                rows += found
        kg.engine.close()
    levels = options.base, options.level
    parts = [_words(options, time.perf_counter() - began), *notes, *_findings(rows)]
    for name in BARS:
        some = [row for row in rows if row.engine == name]
        if some:
            title = {"oxigraph": "Embedded Oxigraph", "virtuoso": "Virtuoso"}[name]
            parts += [
                f"### {title}",
                by_family(some, levels),
                by_graph(some, levels),
                _slower(some, name),
            ]
            parts += [each(some, levels)] if options.listed else []
    return "\n\n".join([*parts, "### The optimizer itself", passes_time.report(own)])


def _measured(
    graph: GraphSource,
    engine: str,
    kg: KnowledgeGraph,
    file: Path,
    compiled: Asked,
    options: Options,
    notes: list[str],
) -> Iterator[Row]:
    absent = servers.missing("virtuoso") if engine == "virtuoso" else None
    if absent is not None:
        if absent not in notes:
            notes.append(f"Virtuoso: not measured, {absent}")
        return
    with _embedded(kg) if engine == "oxigraph" else _virtuoso(file) as ask:
        for program, query in compiled:
            texts = {
                BEST: emit(query, kg.schema, kg.vocabulary, engine, options.level),
                PLAIN: emit(query, kg.schema, kg.vocabulary, engine, options.base),
            }
            with contextlib.suppress(UnsupportedOperation):
                texts[SCHEME] = grailqa(query, kg.schema)

            # where a family has a goal, the plain printer's query may take as long as tells whether it is met
            longest = _LONGEST if engine == "oxigraph" and program.family in GOALS else options.limit
            limits = {BEST: options.limit, PLAIN: longest, SCHEME: min(options.limit, _SCHEME_LIMIT)}
            row = Row(graph.name, engine, program, measured(texts, partial(ask, query), limits))
            if row.below():
                again(row.ways, partial(ask, query), _AGAIN)
            for line in (
                *_findings([row]),
                *([each([row], (options.base, options.level)).splitlines()[-1]] if options.listed else []),
            ):
                print(line, file=sys.stderr, flush=True)
            yield row


@contextlib.contextmanager
def _embedded(kg: KnowledgeGraph) -> Iterator[Ask]:
    engine = kg.engine
    assert isinstance(engine, OxigraphEngine)

    def ask(query: Query, text: str, limit: float) -> Answers:
        try:
            return engine.answers(query, text, limit)
        except EngineTimeout:
            engine.ask("ASK { ?s ?p ?o }", _LOADING)  # in a new process, which no other query has to wait for
            raise

    engine.select(_EVERYTHING, _LOADING)
    yield ask


@contextlib.contextmanager
def _virtuoso(file: Path) -> Iterator[Ask]:
    with served(file) as (server, engine):

        def ask(query: Query, text: str, limit: float) -> Answers:
            try:
                return engine.answers(query, text, limit)
            except (EngineTimeout, IncompleteAnswer):
                _wait_until_idle(server.pid)  # it ends a query some time after it was told to
                raise

        yield ask


def _wait_until_idle(process: int) -> None:
    """Waits until a process works no more, or for some seconds."""
    stat = Path(f"/proc/{process}/stat")
    before = None
    for _ in range(100):
        # ticks of work, its own and the kernel's
        now = stat.read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
        if now == before:
            return
        before = now
        time.sleep(0.1)


def _words(options: Options, seconds: float) -> str:
    instead = f" (here, in its place: -O{options.base})" if options.base else ""
    return (
        f"Programs of several families, each on every graph: -O{options.level} beside the plain printer{instead} (-O0: "
        "one flat NOT EXISTS a negation, a MAX sub-select that repeats its body, filters where they were written) and "
        "beside the SPARQL of GrailQA's published scheme (a variable and a class for each node, all of them different, "
        "ORDER BY LIMIT 1 joined again), which has no words for negation and union. All are asked in turn, until the "
        f"answers are in Python. A query has {options.limit} s (of the scheme: {min(options.limit, _SCHEME_LIMIT)} s; "
        f"of the plain printer on embedded Oxigraph {_LONGEST} s where its family has a goal), but no more than three "
        f"hundred times what -O{options.level} took, or 1 s. ≥ and ≤: one of both met its limit, "
        f"which counts as its time. Means are geometric. Loading and measuring took {seconds / 60:.1f} minutes."
    )


def _findings(rows: list[Row]) -> Iterator[str]:
    """What is wrong: answers that differ, and queries that an engine does not take."""
    for row in rows:
        if row.same(PLAIN) is False:
            yield f"**DIFFERENT ANSWERS** of -O0 and the other: {row.place}"
        for name, way in row.ways.items():
            if way.error is not None:
                yield f"**FAILS** ({name}): {row.place}: {way.error[:300]}"


def _slower(rows: list[Row], engine: str) -> str:
    rated = [(ratio, row.place) for row in rows if row.below() and (ratio := row.ratio(PLAIN)) is not None]
    if not rated:
        return f"No program is slower than {BARS[engine]} times the plain one."
    lines = [f"- {ratio} {place}" for ratio, place in sorted(rated, key=lambda pair: (pair[0].value, pair[1]))]
    return f"Slower than {BARS[engine]} times the plain one:\n\n" + "\n".join(lines)


def main() -> None:
    """Measure a part, and print it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.passes", description="Print what the passes are worth.")
    parser.add_argument("--only", default="", metavar="TEXT", help="families whose names contain this")
    parser.add_argument("--graph", default="", metavar="TEXT", help="graphs whose names contain this")
    parser.add_argument("--engine", default="", metavar="TEXT", help="engines whose names contain this")
    parser.add_argument("--level", type=int, default=2, help="the level that is measured (2)")
    parser.add_argument("--base", type=int, default=0, help="what it is compared with (0, the plain printer)")
    parser.add_argument("--limit", type=int, default=6, metavar="SECONDS", help="what a query has (6)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where loaded graphs are, and stay")
    parser.add_argument("--list", action="store_true", dest="listed", help="a line for every program")
    given = parser.parse_args()
    options = Options(given.only, given.graph, given.engine, given.level, given.base, given.limit, given.listed)
    with tempfile.TemporaryDirectory(prefix="pylf-benchmark-") as folder:
        scratch = given.keep or Path(folder)
        scratch.mkdir(parents=True, exist_ok=True)
        print(report(scratch, options))


if __name__ == "__main__":
    main()
