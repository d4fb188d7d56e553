"""A started server: where it is, loading it, ending it."""

from __future__ import annotations

import contextlib
import threading
from functools import cached_property
from typing import TYPE_CHECKING, Self

from pylf.backends.http.endpoint import Endpoint, Limits
from pylf.errors import EngineError
from pylf.testing.servers import web
from pylf.testing.servers.graphs import n_triples
from pylf.testing.servers.process import Process, free_port, new_folder

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from pylf.testing.servers.graphs import Source
    from pylf.testing.servers.program import Options, Program

#: how often another port is tried, when someone else took the one that was free
_TRIES = 3


class Server:
    """A server on a port of 127.0.0.1 of its own. Ends with the ``with`` block, or with this process."""

    def __init__(self, program: Program, process: Process, port: int) -> None:
        self.name = program.name
        self.port = port
        #: where SPARQL queries are sent
        self.url = f"http://127.0.0.1:{port}{program.query}"
        #: where the same queries are answered by an engine that follows the specification to the letter; often None
        self.reference_url = None if program.reference is None else f"http://127.0.0.1:{port}{program.reference}"
        self._program = program
        self._process = process
        self._loading = threading.Lock()

    @property
    def pid(self) -> int:
        """The id of the server's process."""
        return self._process.pid

    @property
    def folder(self) -> Path:
        """The temporary folder that the server runs in."""
        return self._process.folder

    @property
    def alive(self) -> bool:
        """Whether the server's process runs."""
        return self._process.alive

    @cached_property
    def version(self) -> str:
        """What the server says of itself in the header ``Server``."""
        return (web.ask(self.port, "GET", self._program.query).headers.get("Server") or "").strip()

    def load(self, source: Source, graph: str = "urn:g") -> None:
        """Puts the triples of a file, or triples, in the place of what the named graph held.

        Raises:
            InputError: a file that cannot be read or does not parse.
            EngineError: the server does not take them, would cut an IRI, or has ended.
            ValueError: a term that RDF does not know (a relative IRI, a language tag that is none).
        """
        text = n_triples(source, self._program.longest_iri)
        with self._loading:  # two loads at once deadlock in Virtuoso
            self._program.put(self._process.folder, self.port, graph, text)

    def load_text(self, n_triples: str, graph: str = "urn:g") -> None:
        """The same of N-Triples as they are written: :meth:`load` writes language tags in lower case.

        Raises:
            EngineError: the server does not take them, or has ended.
        """
        with self._loading:
            self._program.put(self._process.folder, self.port, graph, n_triples.encode("utf-8"))

    def endpoint(self, *graphs: str, limits: Limits | None = None) -> Endpoint:
        """The endpoint, asked about the merge of ``graphs``."""
        return Endpoint(self.url, self._program.dialect, graphs, limits=limits or Limits())

    def stop(self) -> None:
        """Ends the server; nothing where it has ended."""
        self._process.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def launch(program: Program, options: Options) -> Server:
    """Starts a server and waits until it serves.

    Raises:
        EngineError: it does not start; quotes its log.
    """
    for _ in range(_TRIES - 1):
        with contextlib.suppress(EngineError):
            return _started(program, options)
    return _started(program, options)


def _started(program: Program, options: Options) -> Server:
    port = free_port()
    folder = new_folder(program.name)
    process = Process(program.name, folder, program.command(folder, port, options))
    try:
        process.wait(lambda: program.ready(folder, port), program.seconds)
        if program.prepare is not None:
            program.prepare(folder, port)
    except BaseException:
        process.stop()
        raise
    return Server(program, process, port)
