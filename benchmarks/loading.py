"""`pylf kg load` beside pyoxigraph's own bulk load of the same file, in turn."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.tables import median, table

_ROOT = Path(__file__).resolve().parents[1]
_OWN = """
import gzip, resource, sys, time
import pyoxigraph
start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
store = pyoxigraph.Store(sys.argv[2])
store.bulk_load(gzip.open(sys.argv[1]), pyoxigraph.RdfFormat.N_TRIPLES)
store.flush()
after = resource.getrusage(resource.RUSAGE_SELF)
print(time.perf_counter() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
"""
_OURS = """
import resource, sys, time
from pylf.backends.engines import store
start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
store.load(sys.argv[1], sys.argv[2], infer=sys.argv[3] == "infer")
after = resource.getrusage(resource.RUSAGE_SELF)
print(time.perf_counter() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
"""


def report(data: Path, scratch: Path, rounds: int = 5) -> str:
    """The table, as Markdown."""
    ways = {
        "pyoxigraph, bulk_load": [_OWN],
        "pylf kg load --no-schema": [_OURS, "plain"],
        "pylf kg load, schema inferred": [_OURS, "infer"],
    }
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, (script, *more) in ways.items():
            target = scratch / "graph"
            command = [sys.executable, "-c", script, str(data), str(target), *more]
            done = subprocess.run(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True, check=True)
            wall_time, processor_time = map(float, done.stdout.split())
            found[name].append((wall_time, processor_time))
            shutil.rmtree(target)
    rows = []
    own = found["pyoxigraph, bulk_load"]
    for name, times in found.items():
        wall, processor = [w for w, _ in times], [p for _, p in times]
        ratios = [ours / theirs for ours, (theirs, _) in zip(wall, own, strict=True)]
        work = [ours / theirs for ours, (_, theirs) in zip(processor, own, strict=True)]
        numbers = [f"{median(wall):.2f}", f"{min(wall):.2f}", f"{median(processor):.2f}", f"{min(processor):.2f}"]
        rows.append([name, *numbers, f"{median(ratios):.2f}", f"{median(work):.2f}"])
    return (
        f"`{data.name}`, to disk, {rounds} rounds in turn; ratios are the median of each round's. Goal: a ratio of "
        "wall times ≤ 1.5.\n\n"
        + table(["s", "wall, median", "best", "processor, median", "best", "wall ratio", "processor ratio"], rows)
    )
