"""Compiling again and again in one process: median and 99th percentile of each stage."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from benchmarks import programs, stages
from benchmarks.tables import median, percentile, table
from pylf.api import bundled_schema
from pylf.ir.schema.cache import open_schema
from pylf.ir.schema.vocabularies import load
from pylf.language.context import Context

if TYPE_CHECKING:
    from array import array
    from pathlib import Path

    Times = dict[str, array[float]]

_RUNS = 2_000
_NAMES = {
    "parse": "parse",
    "lower": "lower and check types",
    "verify": "verify",
    "fingerprint": "canonical hash",
    "emit": "emit SPARQL",
    "all": "**all**",
    "cpu": "all, processor time",
}


def report(schema_file: Path, origin: str, examples: Path) -> str:
    """The tables, as Markdown."""
    large = Context(open_schema(schema_file), load("freebase"))
    small = Context(*bundled_schema())
    typical = {name: _times(text, large) for name, text in programs.TYPICAL.items()}
    shown = {path.stem: _times(path.read_text(encoding="utf-8"), small) for path in sorted(examples.glob("*.pylf"))}
    rows = []
    for field, name in _NAMES.items():
        row = [name]
        for group in (typical, shown):
            values = [value for times in group.values() for value in times[field]]
            row += [f"{median(values):.0f}", f"{percentile(values, 0.99):.0f}", f"{min(values):.0f}"]
        rows.append(row)
    slowest = sorted(shown, key=lambda name: -median(shown[name]["all"]))[:5]
    single = [_row(name, times) for name, times in (*typical.items(), *((name, shown[name]) for name in slowest))]
    collecting = "on" if gc.isenabled() else "off"
    relations = sum(1 for _ in large.schema.source.all_relations())
    words = (
        f"{len(typical)} typical programs with a schema of {relations:,} relations ({origin}), {len(shown)} examples "
        f"with the bundled one; {_RUNS:,} compilations of each, garbage collection {collecting}. "
        "Goal: all of it in ≤ 250 at the median, ≤ 1,000 at p99."
    )
    headings = ["µs", "typical, median", "p99", "least", "examples, median", "p99", "least"]
    return "\n\n".join(
        (
            words,
            table(headings, rows),
            "The typical programs, and of the examples the five slowest:",
            table(["µs", "median", "p99", "processor time, median", "p99"], single),
        )
    )


def _row(name: str, times: Times) -> list[str]:
    wall, processor = times["all"], times["cpu"]
    numbers = (median(wall), percentile(wall, 0.99), median(processor), percentile(processor, 0.99))
    return [name, *[f"{number:.0f}" for number in numbers]]


def _times(text: str, context: Context) -> Times:
    stages.measured(text, context, 100)
    return stages.measured(text, context, _RUNS)
