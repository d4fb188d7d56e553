"""Opening a large schema: time and memory, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.tables import median, table

_ROOT = Path(__file__).resolve().parents[1]
_SCRIPT = """
import json, sys, time
from pylf.ir.schema.cache import open_schema
names = sys.argv[2].split()
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 2**20
clock = time.perf_counter
before, start = resident(), clock()
schema = open_schema(sys.argv[1])
opened = clock()
for name in names:
    assert schema.relation(name)
looked = clock()
after = resident()
again = clock()
for name in names:
    schema.relation(name)
each = (clock() - again) / len(names)
print(json.dumps([1e3 * (opened - start), 1e3 * (looked - opened), after - before, 1e6 * each]))
"""


def report(schema_file: Path, relations: list[str]) -> str:
    """The table, as Markdown."""
    found = []
    for _ in range(11):
        command = [sys.executable, "-c", _SCRIPT, str(schema_file), " ".join(relations)]
        done = subprocess.run(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True, check=True)
        found.append(json.loads(done.stdout))
    opened, looked, memory, again = zip(*found, strict=True)
    rows = [
        ["open, the import of sqlite3 included (ms)", f"{median(opened):.2f}", f"{min(opened):.2f}", "≤ 5"],
        [f"look up {len(relations)} relations, first time (ms)", f"{median(looked):.2f}", f"{min(looked):.2f}", ""],
        ["resident memory after both (MiB)", f"{median(memory):.1f}", f"{min(memory):.1f}", "≤ 5"],
        ["look up a relation again (µs)", f"{median(again):.2f}", f"{min(again):.2f}", ""],
    ]
    size = schema_file.stat().st_size / 2**20
    return f"The file has {size:.1f} MiB. New processes, {len(found)} of them.\n\n" + table(
        ["", "median", "best", "goal"], rows
    )
