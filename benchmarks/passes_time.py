"""What the optimizer itself takes, over the published logical forms and those of :mod:`benchmarks.passes`."""

from __future__ import annotations

import gzip
import json
import time
from typing import TYPE_CHECKING

from benchmarks import freebase
from benchmarks.tables import median, percentile, table
from pylf.api import CompiledQuery, Settings
from pylf.backends.dialects import dialect_named
from pylf.errors import PylfError
from pylf.ir.passes import manager
from pylf.ir.passes.context import Context
from pylf.surroundings import Surroundings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary

    Optimize = Callable[[Query, Context], object]
    Group = tuple[list[Query], Schema, Vocabulary]

_SETS = {
    "GrailQA": ("grailqa_1000",),
    "CWQ": ("cwq_sexpr_1700",),
    "AgentBench (GrailQA, WebQSP, CWQ)": ("agentbench_std", "agentbench_dev"),
}
_ROUNDS = 5
_ENGINES = ("oxigraph", "virtuoso")
_LEVEL = 2


def report(own: Mapping[str, Group]) -> str:
    """The table, as Markdown. ``own`` are more queries, by a name for the row, with what they were read by."""
    optimize = _optimizer()
    if optimize is None:
        return "Not measured: there are no passes."
    groups = {**_published(), **own}
    rows = []
    for name, (queries, schema, vocabulary) in groups.items():
        for engine in _ENGINES:
            context = Context(schema, vocabulary, dialect_named(engine).target)
            times = _times(queries, context, optimize)
            numbers = (median(times), percentile(times, 0.99), max(times))
            rows.append([f"{name}, {engine}", f"{len(queries):,}", *[f"{number:,.0f}" for number in numbers]])
    words = (
        f"`pylf.ir.passes`, all of them at -O{_LEVEL}, verifying included. Each form is compiled once, optimized once "
        f"without a clock (which imports sympy where it is needed), then {_ROUNDS} times; its time is the least of "
        "these, of the processor: what else the machine does is not the optimizer's. "
        "Goal: ≤ 400 at the median, ≤ 2,000 at p99."
    )
    return f"{words}\n\n" + table(["µs", "queries", "median", "p99", "most"], rows)


def _optimizer() -> Optimize | None:
    from pylf.ir import passes

    pipeline = getattr(passes, "PIPELINE", None)
    if pipeline is None:
        return None
    return lambda query, context: manager.optimized(query, context, pipeline, _LEVEL)


def _published() -> dict[str, Group]:
    """The published sets that are here, as queries under Freebase's schema."""
    shared = freebase.shared()
    schema, _ = freebase.schema()
    found: dict[str, Group] = {}
    for name, files in _SETS.items() if shared is not None else ():
        assert shared is not None
        paths = [shared / f"data/logical_forms/{file}.jsonl.gz" for file in files]
        if all(path.is_file() for path in paths):
            texts: list[str] = []
            for path in paths:
                with gzip.open(path, "rt", encoding="utf-8") as stream:
                    texts += [json.loads(line)["s_expression"] for line in stream]
            found[name] = list(compiled(texts, schema, "sexpr")), schema, _vocabulary()
    return found


def _vocabulary() -> Vocabulary:
    from pylf.ir.schema.vocabularies import load

    return load("freebase")


def compiled(texts: Iterable[str], schema: Schema, source: str) -> Iterable[Query]:
    """The queries of those texts that compile."""
    settings = Settings(today="2026-11-30", lenient=True)
    against = Surroundings(schema, _vocabulary(), None)
    for text in texts:
        try:
            yield CompiledQuery(text, "form", source, settings, against).ir
        except PylfError:
            continue


def _times(queries: list[Query], context: Context, optimize: Optimize) -> list[float]:
    """The microseconds of each, of the processor."""
    clock = time.process_time_ns
    found = []
    for query in queries:
        optimize(query, context)
        rounds = []
        for _ in range(_ROUNDS):
            began = clock()
            optimize(query, context)
            rounds.append((clock() - began) / 1e3)
        found.append(min(rounds))
    return found
