"""Oxigraph's server, a program of the package ``oxigraph`` from PyPI; it keeps its graphs in memory.

It stores numbers, booleans and dateTimes by value: ``"01"^^xsd:integer`` comes back as 1, and is the same as 1; integer
types below xsd:integer come back as that. A triple that is in two of the graphs asked is found twice.
"""

from __future__ import annotations

import math
import shutil
import sys
from pathlib import Path
from urllib.parse import quote

from pylf.testing.servers import web
from pylf.testing.servers.program import Options, Program


def _program() -> str | None:
    beside = Path(sys.executable).with_name("oxigraph")
    return str(beside) if beside.is_file() else shutil.which("oxigraph")


def _missing() -> str | None:
    if _program() is None:
        return "there is no program 'oxigraph'; it comes with the package oxigraph from PyPI (pip install oxigraph)"
    return None


def _command(_: Path, port: int, options: Options) -> list[str]:
    program = _program()
    assert program is not None
    limit = [] if options.time_limit is None else ["--timeout-s", str(math.ceil(options.time_limit))]
    return [program, "serve", "--bind", f"127.0.0.1:{port}", *limit]


def _ready(_: Path, port: int) -> bool:
    return web.answers(port, "/query")


def _put(_: Path, port: int, graph: str, n_triples: bytes) -> None:
    web.put(port, f"/store?graph={quote(graph, safe='')}", n_triples, "application/n-triples")


OXIGRAPH = Program(
    name="oxigraph",
    dialect="oxigraph",
    query="/query",
    missing=_missing,
    command=_command,
    ready=_ready,
    put=_put,
)
