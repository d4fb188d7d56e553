"""How compiling grows with the program: microseconds for each node, which should stay the same."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from benchmarks import programs, stages
from benchmarks.tables import table
from pylf.ir.schema.cache import open_schema
from pylf.ir.schema.vocabularies import load
from pylf.language.context import Context

if TYPE_CHECKING:
    from pathlib import Path

_SIZES = (10, 30, 100, 200, 500, 1_000, 2_000)


def report(schema_file: Path) -> str:
    """The tables, as Markdown."""
    context = Context(open_schema(schema_file), load("freebase"))
    rows, parts = [], []
    for name, (program, most) in programs.FAMILIES.items():
        row = [name]
        best = None
        for size in _SIZES:
            if size > most:
                row.append("")
                continue
            text = program(size)
            stages.run(text, context)
            gc.collect()
            best = [min(values) for values in stages.measured(text, context, max(5, 3_000 // size)).values()]
            row.append(f"{best[-1] / size:.1f}")
        assert best is not None
        rows.append(row)
        parts.append([name, f"{min(most, _SIZES[-1]):,}", *[f"{value / 1e3:.1f}" for value in best[:6]]])
    headings = ["µs a node, by nodes", *[f"{size:,}" for size in _SIZES]]
    words = (
        "Nodes are calls in the program's text. The best of several runs, processor time, all stages. Sizes left out "
        "are beyond a limit: brackets 200 deep, negations and superlatives 100 deep."
    )
    return "\n\n".join(
        (
            words,
            table(headings, rows),
            "The largest of each, in milliseconds, by stage:",
            table(["ms", "nodes", "parse", "lower", "verify", "hash", "emit", "all"], parts),
        )
    )
