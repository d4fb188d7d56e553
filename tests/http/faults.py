"""An HTTP server on loopback that plays what it is told to, faults included: delays, trickles, cuts, resets.

Each request is answered by the next reply of the script, the last one again and again; a reply may also be a function
of the request. What came is kept in ``requests``.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

RESULTS = "application/sparql-results+json"


class Got(NamedTuple):
    """A request as it came."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def parameters(self) -> dict[str, list[str]]:
        """What was asked, in the address and in a form."""
        found = parse_qs(urlsplit(self.target).query)
        if self.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
            found |= parse_qs(self.body.decode())
        return found

    @property
    def query(self) -> str:
        """The SPARQL, however it came."""
        if self.headers.get("content-type") == "application/sparql-query":
            return self.body.decode()
        return self.parameters["query"][0]


class Reply(NamedTuple):
    """What is answered, and how badly.

    ``wait`` seconds before anything; ``trickle`` seconds after each single byte of the body; ``cut`` after so many
    bytes of the body the connection is closed, though more was announced; ``reset`` before any byte. ``chunked``: in
    pieces, without a length. ``raw``: these bytes and no more (``trickle`` after each); the connection
    stays open where it ``keeps``.
    """

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = {}  # noqa: RUF012
    wait: float = 0.0
    trickle: float = 0.0
    cut: int | None = None
    reset: bool = False
    chunked: bool = False
    raw: bytes | None = None
    keeps: bool = False


def term(value: str, kind: str = "uri", **further: str) -> dict[str, str]:
    """A term as the format writes it; ``lang`` stands for ``xml:lang``."""
    named = {"xml:lang" if key == "lang" else key: text for key, text in further.items()}
    return {"type": kind, "value": value, **named}


def results(variables: Iterable[str], rows: Iterable[dict[str, dict[str, str]]], **how: object) -> Reply:
    """A reply that is the results of a SELECT."""
    body = json.dumps({"head": {"vars": list(variables)}, "results": {"bindings": list(rows)}}).encode()
    return answer(body, **how)


def numbered(count: int, **how: object) -> Reply:
    """The results of a SELECT of one variable ``x`` with so many rows."""
    return results(["x"], [{"x": term(f"http://e/{number}")} for number in range(count)], **how)


def truth(value: bool, **how: object) -> Reply:
    """The result of an ASK."""
    return answer(json.dumps({"head": {}, "boolean": value}).encode(), **how)


def answer(body: bytes, headers: dict[str, str] | None = None, **how: object) -> Reply:
    """A reply of results in JSON, written by hand."""
    return Reply(body=body, headers={"Content-Type": RESULTS, **(headers or {})}, **how)  # type: ignore[arg-type]


def page(status: int, title: str, words: str, **headers: str) -> Reply:
    """A page for browsers."""
    body = f"<!DOCTYPE html><html><head><title>{title}</title></head><body><h1>{words}</h1></body></html>"
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, body.encode(), {"Content-Type": "text/html; charset=utf-8", **named})


class FaultServer:
    """The server. Its replies can be changed while it runs."""

    def __init__(self, *script: Reply | Callable[[Got], Reply]) -> None:
        self.script = list(script)
        self.requests: list[Got] = []
        self.connections = 0
        self.open = 0
        self.most_open = 0
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self._ended = threading.Event()
        self._sockets: set[socket.socket] = set()
        self.port: int = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/sparql"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Ends the server and whatever it still plays."""
        self._ended.set()
        self._listener.close()
        with self._lock:
            for one in self._sockets:
                one.close()

    def _accept(self) -> None:
        while not self._ended.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            # otherwise the body waits 40 ms for the client's word that the headers came
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._lock:
                self._sockets.add(connection)
                self.connections += 1
                self.open += 1
                self.most_open = max(self.most_open, self.open)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            with connection, connection.makefile("rb") as incoming:
                while (got := _read(incoming)) is not None:
                    with self._lock:
                        self.requests.append(got)
                        step = self.script.pop(0) if len(self.script) > 1 else self.script[0]
                    reply = step if isinstance(step, Reply) else step(got)
                    if not self._play(reply, connection):
                        return
        except OSError:
            pass  # the client has gone, or the server is closed
        finally:
            with self._lock:
                self._sockets.discard(connection)
                self.open -= 1

    def _play(self, reply: Reply, connection: socket.socket) -> bool:
        """Whether the connection goes on."""
        if self._ended.wait(reply.wait) or reply.reset:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
            return False
        if reply.raw is not None:
            for piece in [reply.raw[i : i + 1] for i in range(len(reply.raw))] if reply.trickle else [reply.raw]:
                connection.sendall(piece)
                self._ended.wait(reply.trickle)
            return reply.keeps
        headers = dict(reply.headers)
        headers |= {"Transfer-Encoding": "chunked"} if reply.chunked else {"Content-Length": str(len(reply.body))}
        head = f"HTTP/1.1 {reply.status} Status\r\n" + "".join(f"{key}: {value}\r\n" for key, value in headers.items())
        connection.sendall(head.encode() + b"\r\n")
        body = reply.body if reply.cut is None else reply.body[: reply.cut]
        pieces = [body[i : i + 1] for i in range(len(body))] if reply.trickle else [body] if body else []
        for piece in pieces:
            connection.sendall(b"%x\r\n%b\r\n" % (len(piece), piece) if reply.chunked else piece)
            if reply.trickle and self._ended.wait(reply.trickle):
                return False
        if reply.cut is not None:
            return False
        if reply.chunked:
            connection.sendall(b"0\r\n\r\n")
        return True


def _read(incoming: object) -> Got | None:
    first = incoming.readline().decode("latin-1").split()  # type: ignore[attr-defined]
    if len(first) != 3:
        return None
    headers: dict[str, str] = {}
    while line := incoming.readline().decode("latin-1").strip():  # type: ignore[attr-defined]
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    body = incoming.read(int(headers.get("content-length", "0")))  # type: ignore[attr-defined]
    return Got(first[0], first[1], headers, body)


@contextmanager
def serving(*script: Reply | Callable[[Got], Reply]) -> Iterator[FaultServer]:
    """A server that plays a script."""
    server = FaultServer(*script)
    try:
        yield server
    finally:
        server.close()


class Clock:
    """A clock that pauses wind on, in place of waiting; ``pauses`` are how long each was to be."""

    def __init__(self) -> None:
        self.pauses: list[float] = []
        self._wound = 0.0
        self._lock = threading.Lock()

    def now(self) -> float:
        """Seconds, monotonic."""
        return time.monotonic() + self._wound

    def pause(self, seconds: float) -> None:
        """Winds the clock."""
        with self._lock:
            self.pauses.append(seconds)
            self._wound += seconds
