"""``python -m benchmarks``: see README.md."""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import (
    batch,
    candidates,
    cold,
    encoding,
    freebase,
    harness,
    http,
    limits,
    linking,
    loading,
    opening,
    passes,
    programs,
    size,
    warm,
)
from pylf.ir.schema.cache import write_schema

if TYPE_CHECKING:
    from collections.abc import Callable

_ROOT = Path(__file__).resolve().parents[1]
_RESULTS = Path(__file__).with_name("RESULTS.md")
_TITLES = {
    "cold": "Cold start",
    "warm": "Compiling, warm",
    "size": "Growth with the program",
    "batch": "Whole sets of s-expressions",
    "schema": "Opening a large schema",
    "load": "Loading a graph to disk",
    "limits": "Queries with a time limit",
    "http": "Asking an endpoint",
    "linking": "Linking mentions",
    "encoding": "Vectors of names",
    "harness": "Asking whole sets of questions",
    "passes": "What the passes are worth",
    "candidates": "Many candidates at once",
}


def main() -> None:
    """Measure what was asked for, print it, and when that was everything write it down."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Print what pylf costs, as Markdown.")
    parser.add_argument(
        "tables", metavar="TABLE", nargs="*", help=f"{', '.join(_TITLES)} (all, and RESULTS.md is written)"
    )
    parser.add_argument("--rounds", type=int, default=30, help="processes started for each line of a cold start (30)")
    options = parser.parse_args()
    if unknown := set(options.tables) - _TITLES.keys():
        parser.error(f"no such table: {', '.join(sorted(unknown))}")
    parts = [f"# What pylf costs\n\n{_machine()}"]
    print(parts[0], flush=True)
    with tempfile.TemporaryDirectory(prefix="pylf-benchmark-") as folder:
        for name, measure in _tables(Path(folder), options.rounds).items():
            if not options.tables or name in options.tables:
                part = f"## {_TITLES[name]}\n\n{measure()}"
                print(f"\n{part}", flush=True)
                parts.append(part)
    if not options.tables:
        _RESULTS.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _tables(scratch: Path, rounds: int) -> dict[str, Callable[[], str]]:
    schema, origin = freebase.schema()
    file = scratch / "freebase.sqlite"
    write_schema(schema, file)
    found = [relation.iri for relation in schema.source.all_relations()]
    shared = freebase.shared()
    data = None if shared is None else shared / "data/fb15k237/fb15k237_plain.nt.gz"

    def load() -> str:
        if data is None or not data.is_file():
            return "Not measured: the data of fb15k237 is not here."
        return loading.report(data, scratch)

    typical = next(iter(programs.TYPICAL.values()))
    return {
        "cold": lambda: cold.report(file, typical, scratch, rounds),
        "warm": lambda: warm.report(file, origin, _ROOT / "examples"),
        "size": lambda: size.report(file),
        "batch": lambda: batch.report(file, scratch),
        "schema": lambda: opening.report(file, found[:: len(found) // 100][:100]),
        "load": load,
        "limits": lambda: limits.report(scratch),
        "http": http.report,
        "linking": lambda: linking.report(scratch),
        "encoding": lambda: encoding.report(found),
        "harness": lambda: harness.report(scratch),
        "passes": lambda: passes.report(scratch),
        # last: it freezes the garbage collector
        "candidates": lambda: candidates.report(data if data is not None and data.is_file() else None),
    }


def _machine() -> str:
    load = f", load average {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{platform.python_implementation()} {platform.python_version()}, {platform.system()} "
        f"{platform.machine()}, {os.cpu_count()} cores{load}. Ratios hold better than times."
    )


if __name__ == "__main__":
    main()
