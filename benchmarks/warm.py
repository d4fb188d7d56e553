"""Compiling again and again in one process: median and 99th percentile of each stage."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from benchmarks import freebase, programs, stages
from benchmarks.tables import median, percentile, table
from pylf.api import bundled_schema
from pylf.ir.schema.cache import open_schema
from pylf.ir.schema.vocabularies import load
from pylf.language.context import Context

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.stages import Times

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


def report(schema_file: Path, examples: Path) -> str:
    """The tables, as Markdown."""
    large = Context(open_schema(schema_file), load("freebase"))
    small = Context(*bundled_schema())
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(examples.glob("*.pylf"))}
    typical = {name: _times(text, large) for name, text in programs.TYPICAL.items()}
    shown = {name: _times(text, small) for name, text in texts.items()}
    groups = [[t for times in typical.values() for t in times], [t for times in shown.values() for t in times]]
    rows = []
    for field, name in _NAMES.items():
        row = [name]
        for group in groups:
            values = [getattr(times, field) for times in group]
            row += [f"{median(values):.0f}", f"{percentile(values, 0.99):.0f}"]
        rows.append(row)
    headings = ["µs", "typical, median", "p99", "examples, median", "p99"]
    single = [
        [name, f"{median(t.all for t in times):.0f}", f"{percentile([t.all for t in times], 0.99):.0f}"]
        for name, times in (
            *typical.items(),
            *sorted(shown.items(), key=lambda item: -median(t.all for t in item[1]))[:5],
        )
    ]
    return "\n\n".join(
        (
            f"{len(typical)} typical programs with the schema of {_count(large):,} relations ({freebase.schema()[1]}), "
            f"{len(shown)} examples with the bundled one; {_RUNS:,} compilations of each, garbage collection "
            f"{'on' if gc.isenabled() else 'off'}. Goal: all ≤ 250 at the median, ≤ 1,000 at p99.",
            table(headings, rows),
            "The typical programs, and of the examples the five slowest:",
            table(["µs", "median", "p99"], single),
        )
    )


def _times(text: str, context: Context) -> list[Times]:
    for _ in stages.measured(text, context, 100):
        pass
    return list(stages.measured(text, context, _RUNS))


def _count(context: Context) -> int:
    return sum(1 for _ in context.schema.source.all_relations())
