"""Real SPARQL servers for tests: started on a free port of 127.0.0.1, loaded with a graph, and ended.

::

    from pylf.testing import servers

    with servers.start("virtuoso") as server:
        server.load("graph.ttl", "urn:g")
        endpoint = server.endpoint("urn:g")

From a shell, ``python -m pylf.testing.servers virtuoso graph.ttl`` starts one to play with. A server ends when it is
stopped, when this process ends, and when this process is killed. Needs a POSIX system.
"""

from __future__ import annotations

import os

from pylf.errors import InputError
from pylf.testing.servers.jena import JENA
from pylf.testing.servers.oxigraph import OXIGRAPH
from pylf.testing.servers.program import Options, Program
from pylf.testing.servers.server import Server, launch
from pylf.testing.servers.virtuoso import VIRTUOSO

__all__ = ["NAMES", "Server", "missing", "start"]

_PROGRAMS = {program.name: program for program in (VIRTUOSO, OXIGRAPH, JENA)}

NAMES = tuple(_PROGRAMS)


def missing(name: str) -> str | None:
    """None where the server can be started on this machine; else a sentence that says which package brings it.

    Raises:
        InputError: there is no such server.
    """
    program = _program(name)
    if os.name != "posix":
        return f"the {name} server is started on POSIX systems only"
    return program.missing()


def start(name: str, *, time_limit: float | None = None, row_cap: int | None = None) -> Server:
    """Starts one of :data:`NAMES` and waits until it serves.

    ``time_limit`` is the longest that a query may take, in seconds (Oxigraph and Virtuoso round to whole ones);
    ``row_cap`` the most rows that it answers with, which only Virtuoso can.

    Raises:
        InputError: there is no such server, it is not installed (as :func:`missing` says), or it cannot cap rows.
        EngineError: it does not start; quotes its log.
    """
    program = _program(name)
    absent = missing(name)
    if absent is not None:
        raise InputError(absent)
    if row_cap is not None and not program.caps:
        raise InputError(f"the {name} server cannot cap the rows of an answer")
    return launch(program, Options(time_limit, row_cap))


def _program(name: str) -> Program:
    if name not in _PROGRAMS:
        raise InputError(f"there is no server {name!r} here; there are {', '.join(NAMES)}")
    return _PROGRAMS[name]
