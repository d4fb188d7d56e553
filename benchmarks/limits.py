"""Queries on a graph on disk without a time limit, given up on a thread, and ended with a worker process; in turn."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from benchmarks.tables import median, percentile, table
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.store import load
from pylf.backends.engines.waiting import waited_for

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_E = "http://e.example/"
_PEOPLE = 20_000
#: far above what any of these queries takes
_LIMIT = 60.0


def report(scratch: Path) -> str:
    """The tables, as Markdown."""
    folder = scratch / "people"
    _make(folder)
    own, theirs = OxigraphEngine.open(folder), OxigraphEngine.open(folder, limited=True)
    texts = {
        "one entity's three values": (f"SELECT ?o WHERE {{ <{_E}person/7> <{_E}knows> ?o }}", 2_000),
        "a class of a hundred, filtered": (
            f"SELECT ?s WHERE {{ ?s <{_E}town> <{_E}town/3> . ?s <{_E}age> ?a FILTER(?a > 40) }}",
            400,
        ),
        "10,000 rows of two IRIs": (f"SELECT ?s ?o WHERE {{ ?s <{_E}knows> ?o }} LIMIT 10000", 20),
        "10,000 rows with a label": (f"SELECT ?s ?l WHERE {{ ?s <{_E}name> ?l }} LIMIT 10000", 20),
    }
    rows = []
    for title, (text, rounds) in texts.items():
        ways: list[Callable[[], object]] = [
            partial(own.select, text),
            partial(waited_for, partial(own.select, text), _LIMIT),
            partial(theirs.select, text, _LIMIT),
        ]
        plain, thread, worker = _in_turn(ways, rounds)
        cells = [f"{1e3 * median(times):.3f} / {1e3 * percentile(times, 0.9):.3f}" for times in (plain, thread, worker)]
        rows.append([title, *cells, f"{median(worker) / median(thread):.2f}"])
    starts = []
    for _ in range(11):
        fresh = OxigraphEngine.open(folder)
        began = time.perf_counter()
        fresh.ask("ASK {}", _LIMIT)
        starts.append(1e3 * (time.perf_counter() - began))
        fresh.close()
    own.close()
    theirs.close()
    return (
        f"{_PEOPLE:,} people, {_PEOPLE * 6:,} triples; the same query in turn in this process without a limit, on a "
        "thread that is given up when the time is up, and in a worker process that is ended. Goal: a worker costs no "
        "query more than the thread.\n\n"
        + table(["ms, median / 90 %", "no limit", "thread", "worker", "worker : thread"], rows)
        + f"\n\nThe first such query waits {median(starts):.0f} ms (best {min(starts):.0f}) for its worker, unless it "
        "was started with the graph (`limited=True`)."
    )


def _make(folder: Path) -> None:
    file = folder.with_suffix(".nt")
    with file.open("w", encoding="utf-8") as out:
        for i in range(_PEOPLE):
            person = f"<{_E}person/{i}>"
            out.write(f'{person} <{_E}name> "Person {i} of the town {i % 200}"@en .\n')
            out.write(f"{person} <{_E}town> <{_E}town/{i % 200}> .\n")
            out.write(f'{person} <{_E}age> "{i * 7919 % 97}"^^<http://www.w3.org/2001/XMLSchema#integer> .\n')
            for k in (1, 2, 3):
                out.write(f"{person} <{_E}knows> <{_E}person/{(i * 31 + k * 977) % _PEOPLE}> .\n")
    load(file, folder, infer=False)


def _in_turn(ways: list[Callable[[], object]], rounds: int) -> list[list[float]]:
    """The seconds of each way, in each of the rounds but the first."""
    found: list[list[float]] = [[] for _ in ways]
    for turn in range(rounds + 1):
        for place, way in enumerate(ways):
            began = time.perf_counter()
            way()
            if turn:
                found[place].append(time.perf_counter() - began)
    return found
