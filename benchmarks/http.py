"""The HTTP client beside a bare POST of the same query, on a local Oxigraph server: overhead, many at once, memory."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from benchmarks.tables import median, percentile, table
from pylf.backends.http.client import Client
from pylf.ir.terms import XSD_INTEGER, Iri, Literal
from pylf.testing import servers

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.testing.servers import Server

_ROOT = Path(__file__).resolve().parents[1]
_ROUNDS = 300
_VALUE = Iri("http://e/value")
_MEMBERS = 1_000
_QUERIES = {
    "no row": "SELECT ?x { ?x <http://e/value> -1 }",
    "1 row": "SELECT ?x { ?x <http://e/value> 7 }",
    "100 rows": "SELECT ?x ?y { ?x <http://e/value> ?y } LIMIT 100",
    "1,000 rows": "SELECT ?x ?y { ?x <http://e/value> ?y }",
}
_MILLION = "SELECT ?a ?b { ?a <http://e/value> ?x . ?b <http://e/value> ?y }"
_STREAM = """
import json, sys, time, tracemalloc
from pylf.backends.http.client import Client
from pylf.backends.http.endpoint import Endpoint
endpoint, query, traced = Endpoint(sys.argv[1]), sys.argv[2], sys.argv[3] == "traced"
def peak():  # of this process alone: what getrusage tells begins with its parent's
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM"))
with Client(endpoint) as client:
    client.select("SELECT ?x { } LIMIT 1")
    before = peak()
    if traced:
        tracemalloc.start()
    start = time.perf_counter()
    with client.stream(query) as rows:
        count = sum(1 for _ in rows)
    seconds = time.perf_counter() - start
    python = tracemalloc.get_traced_memory()[1] / 2**20 if traced else 0
print(json.dumps([count, seconds, before, peak(), python]))
"""
_BARE = """
import http.client, json, sys, time
from urllib.parse import urlencode, urlsplit
where = urlsplit(sys.argv[1])
connection = http.client.HTTPConnection(where.hostname, where.port)
start = time.perf_counter()
headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/sparql-results+json"}
connection.request("POST", where.path, urlencode({"query": sys.argv[2]}), headers)
response = connection.getresponse()
size = 0
while piece := response.read(1 << 16):
    size += len(piece)
print(json.dumps([size, time.perf_counter() - start]))
"""


def report() -> str:
    """The tables, as Markdown."""
    absent = servers.missing("oxigraph")
    if absent is not None:
        return f"Not measured: {absent}"
    with servers.start("oxigraph") as server:
        members = range(_MEMBERS)
        server.load(((Iri(f"http://e/{n}"), _VALUE, Literal(str(n), XSD_INTEGER)) for n in members), "urn:g")
        return "\n\n".join((_overhead(server), _many(server), _memory(server)))


def _overhead(server: Server) -> str:
    rows = []
    with Client(server.endpoint("urn:g")) as client:
        bare = _bare(server)
        for name, query in _QUERIES.items():
            alone: list[float] = []
            ours: list[float] = []
            least: list[float] = []
            body = bare(query)
            assert _decoded(body) == client.select(query).rows
            for _ in range(_ROUNDS):
                alone.append(_seconds(partial(bare, query)) * 1e3)
                ours.append(_seconds(partial(client.select, query)) * 1e3)
                least.append(_seconds(partial(_decoded, body)) * 1e3)
            more = [mine - its for its, mine in zip(alone, ours, strict=True)]
            figures = (median(alone), median(ours), percentile(ours, 0.99), median(more), median(least))
            rows.append([name, *[f"{figure:.2f}" for figure in figures]])
    words = (
        "The same query, posted by http.client on one connection that is kept, its bytes read and left alone; and "
        f"asked by `Client.select`: looked through, sent, read, its rows as terms. In turn, {_ROUNDS} times. Goal: "
        "≤ 2 ms more at the median. Beside it, what any client has to do: the same bytes through `json.loads`, and one "
        "term made of each binding, nothing checked."
    )
    headings = ["ms", "bare POST, median", "select, median", "p99", "more, median", "json.loads and terms, median"]
    return f"{words}\n\n" + table(headings, rows)


def _decoded(body: bytes) -> list[tuple[Iri | Literal, ...]]:
    """The rows of an answer that holds IRIs and typed literals alone."""
    answer = json.loads(body)
    names = answer["head"]["vars"]
    return [
        tuple(
            [
                Iri(cell["value"]) if cell["type"] == "uri" else Literal(cell["value"], cell["datatype"])
                for cell in map(row.__getitem__, names)
            ]
        )
        for row in answer["results"]["bindings"]
    ]


def _bare(server: Server) -> Callable[[str], bytes]:
    where = urlsplit(server.url)
    connection = http.client.HTTPConnection(where.hostname or "", where.port)
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/sparql-results+json"}

    def post(query: str) -> bytes:
        body = urlencode({"default-graph-uri": "urn:g", "query": query})
        connection.request("POST", where.path, body, headers)
        return connection.getresponse().read()

    return post


def _many(server: Server) -> str:
    query = _QUERIES["100 rows"]
    rows = []
    with Client(server.endpoint("urn:g")) as client, ThreadPoolExecutor(100) as threads:
        for count in (100, 1_000, 4_000):
            start = time.perf_counter()
            assert set(threads.map(lambda asked: len(client.select(asked).rows), [query] * count)) == {100}
            rows.append([f"{count:,}", f"{time.perf_counter() - start:.2f}", f"{_resident():.0f}"])
    words = "100 threads ask for 100 rows each through one client of 8 connections; resident memory after each lot."
    return f"{words}\n\n" + table(["queries", "seconds", "MiB"], rows)


def _memory(server: Server) -> str:
    address = f"{server.url}?default-graph-uri=urn:g"
    found = {}
    for how in ("plain", "traced"):
        found[how] = _child(_STREAM, address, _MILLION, how)
    count, seconds, before, peak, _ = found["plain"]
    size, alone = _child(_BARE, server.url, _MILLION.replace("SELECT ?a ?b", "SELECT ?a ?b FROM <urn:g>"))
    rows = [
        ["rows", f"{count:,}", ""],
        ["bytes", f"{size:,}", ""],
        ["reading the bytes alone (s)", f"{alone:.1f}", ""],
        ["rows as terms, one by one (s)", f"{seconds:.1f}", ""],
        ["peak resident memory (MiB)", f"{peak:.0f}", "≤ 200"],
        ["… before the query (MiB)", f"{before:.0f}", ""],
        ["peak of Python's own allocations during it (MiB)", f"{found['traced'][4]:.1f}", ""],
    ]
    return "A million rows of two IRIs through `Client.stream`, in a process of its own.\n\n" + table(
        ["", "", "goal"], rows
    )


def _child(script: str, *arguments: str) -> list[float]:
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True, check=True)
    found: list[float] = json.loads(done.stdout)
    return found


def _resident() -> float:
    with Path("/proc/self/statm").open(encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096 / 2**20


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
