"""Sending a request and reading the response as it comes, under three time limits.

:mod:`http.client` speaks HTTP; what it lacks is a limit on the whole: a socket's time limit starts anew with every
byte, so that a server that trickles holds its caller for ever. Here each single ``recv`` and ``send`` is given what is
left of both limits, the longest silence and the whole.
"""

from __future__ import annotations

import http.client
import io
import socket
import threading
import time
import zlib
from typing import TYPE_CHECKING, Any

from pylf.backends.patience import lasting
from pylf.errors import EngineError, EngineTimeout, printable

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterator

    from pylf.backends.http.endpoint import Limits
    from pylf.backends.patience import Limit

_BUFFER = 1 << 16
#: responses before the response
_MOST_INTERIM = 20
#: seconds
_LONGEST = 1e6
#: what a response may hold unless the client is told otherwise, in bytes after decompression
MOST_BYTES = 1 << 28


class Dropped(Exception):
    """The connection ended before a single byte of the response came: the request may be sent again."""


class Deadline:
    """The moment at which a query has to be over, and the longest silence until then."""

    __slots__ = ("_limit", "_now", "at", "silence")

    def __init__(self, limit: Limit, silence: float, now: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._now = now
        self.silence = silence
        self.at = now() + limit.left()

    @property
    def seconds(self) -> float:
        """How long there was at first, as whoever set the limit said."""
        return self._limit.seconds

    def left(self) -> float:
        """Seconds until then, above 0, and no more than every clock can count to.

        Raises:
            EngineTimeout: it is past.
        """
        left = self.at - self._now()
        if left <= 0:
            raise self.passed()
        return min(left, _LONGEST)

    def passed(self) -> EngineTimeout:
        """The error that says that the whole limit is used up."""
        return self._limit.passed()

    def silent(self) -> EngineTimeout:
        """The error for a wait that ended: by the whole limit, or by the longest silence."""
        if self.at - self._now() <= 0.001:
            return self.passed()
        return EngineTimeout(f"the endpoint was silent for {lasting(self.silence)} (the read limit)")


#: The option to acknowledge what comes at once, where the system has it: Linux waits up to 40 ms for more to say, and
#: Virtuoso keeps the last part of an answer until the part before it is acknowledged. It holds for a while only.
_PROMPT = getattr(socket, "TCP_QUICKACK", None)


class Wire:
    """A connected socket that keeps to a deadline; stands where http.client expects a socket."""

    def __init__(self, raw: socket.socket | ssl.SSLSocket, deadline: Deadline) -> None:
        self.raw = raw
        self.deadline = deadline
        self.received = 0
        self.ended = False
        self._files = 0
        self._closed = False

    def sendall(self, data: bytes) -> None:
        """All of the bytes, each part of them within the limits."""
        view = memoryview(data)
        while view:
            self._limit()
            try:
                view = view[self.raw.send(view) :]
            except TimeoutError:
                raise self.deadline.silent() from None

    def makefile(self, mode: str, *_: object) -> io.BufferedReader:
        """What http.client reads responses from."""
        assert mode == "rb"
        self._files += 1
        return io.BufferedReader(_Incoming(self), _BUFFER)

    def receive(self, buffer: Any) -> int:
        """The next bytes, as many as there are; 0 at the end."""
        self._limit()
        try:
            if _PROMPT is not None:
                self.raw.setsockopt(socket.IPPROTO_TCP, _PROMPT, 1)
            count = self.raw.recv_into(buffer)
        except TimeoutError:
            raise self.deadline.silent() from None
        self.received += count
        self.ended = self.ended or not count
        return count

    def _limit(self) -> None:
        self.raw.settimeout(min(self.deadline.left(), self.deadline.silence))

    def close(self) -> None:
        """No more is sent; the socket goes when what is read from it is closed, too."""
        self._closed = True
        if not self._files:
            self.raw.close()

    def let_go(self) -> None:
        """One reader less."""
        self._files -= 1
        if self._closed and not self._files:
            self.raw.close()


class _Incoming(io.RawIOBase):
    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._wire.receive(buffer)

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._wire.let_go()


def connected(host: str, port: int, limits: Limits, deadline: Deadline) -> socket.socket:
    """A socket connected to the first of the host's addresses that takes the connection.

    Raises:
        EngineTimeout: none did within the connect limit, or the whole one.
        EngineError: there is no such host, or it takes no connections.
    """
    whole = deadline.left()
    until = time.monotonic() + min(limits.connect, whole)

    def late() -> EngineTimeout:
        if limits.connect < whole:
            return EngineTimeout(f"no connection to {host}:{port} within {lasting(limits.connect)} (the connect limit)")
        return deadline.passed()

    addresses = _resolved(host, port, until - time.monotonic(), late)
    problem: OSError | None = None
    for place, (family, kind, protocol, _, address) in enumerate(addresses):
        left = until - time.monotonic()
        if left <= 0:
            raise late()
        one = socket.socket(family, kind, protocol)
        try:
            # an address that swallows packets leaves time for the next
            one.settimeout(left / (len(addresses) - place))
            one.connect(address)
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            one.close()
            problem = error
        else:
            return one
    if isinstance(problem, TimeoutError):
        raise late()
    stated = (problem.strerror or str(problem)).lower() if problem is not None else "it has no address"
    raise EngineError(f"no connection to {host}:{port}: {stated}")


def _resolved(host: str, port: int, seconds: float, late: Callable[[], EngineTimeout]) -> list[Any]:
    """The addresses of a host. Looking them up knows no time limit, so it is done on a thread of its own."""
    found: list[Any] = []
    problems: list[OSError | UnicodeError] = []

    def look() -> None:
        try:
            found.extend(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            problems.append(error)

    if ":" in host or host.replace(".", "").isdigit():
        look()
    else:
        thread = threading.Thread(target=look, name="pylf-address", daemon=True)
        thread.start()
        thread.join(max(0.0, seconds))
        if thread.is_alive():
            raise late()
    if problems:
        stated = problems[0].strerror if isinstance(problems[0], OSError) else None
        raise EngineError(f"the host {printable(host[:100])} is not known: {(stated or 'no such name').lower()}")
    return found


class Incoming(http.client.HTTPResponse):
    """A response; what a server says before it (RFC 9110 §15.2: 102, 103, …) is passed over."""

    interim = 0

    def begin(self) -> None:
        """Reads the status and the headers."""
        super().begin()
        while 100 <= self.status < 200 and self.status != http.HTTPStatus.SWITCHING_PROTOCOLS:
            self.interim += 1
            if self.interim > _MOST_INTERIM:
                raise http.client.HTTPException
            self.headers = None  # type: ignore[assignment]
            super().begin()


class Response:
    """The status, the headers, and the body as it comes. Closing it before the end closes the connection, too."""

    def __init__(self, incoming: Incoming, done: Callable[[bool], None], most: float, deadline: Deadline) -> None:
        self.status = incoming.status
        self.reason = incoming.reason
        self.headers = incoming.headers
        self._incoming = incoming
        self._done: Callable[[bool], None] | None = done
        #: what is read of the body at most, in bytes after decompression
        self.most = most
        self._deadline = deadline
        # after these a body may follow that nobody announced, and stand for the next answer
        odd = incoming.interim or incoming.status in {204, 304}
        self._keeps = not (incoming.will_close or odd)
        self._sized = incoming.chunked or incoming.length is not None

    def header(self, name: str) -> str | None:
        """A header's value without the blanks around it."""
        value = self.headers.get(name)
        return None if value is None else str(value).strip()

    def in_time(self) -> None:
        """Raises:
        EngineTimeout: the time for the answer is up.
        """
        self._deadline.left()

    @property
    def framed(self) -> bool:
        """Whether a body that is cut off is told from a whole one: by its length, its chunks or its compression."""
        return self._sized or (self.header("Content-Encoding") or "").lower() in {"gzip", "x-gzip"}

    def chunks(self) -> Iterator[bytes]:
        """The body, decompressed, in pieces of at most 64 KiB; empty pieces are left out.

        Raises:
            EngineTimeout: a limit was reached.
            EngineError: it is cut off, larger than it may be, or compressed in a way that was not asked for.
        """
        coding = (self.header("Content-Encoding") or "identity").lower()
        match coding:
            case "identity" | "":
                pieces = self._raw()
            case "gzip" | "x-gzip":
                pieces = _unzipped(self._raw())
            case _:
                raise EngineError(f"the endpoint compresses by {printable(coding[:40])}, which was not asked for")
        total = 0
        for piece in pieces:
            total += len(piece)
            if total > self.most:
                raise EngineError(f"the answer is larger than {self.most:,} bytes, which is all that is read of one")
            self.in_time()  # what is made of the pieces takes its time, too
            if piece:
                yield piece

    def _raw(self) -> Iterator[bytes]:
        try:
            while piece := self._incoming.read1(_BUFFER):
                yield piece
        except http.client.HTTPException as error:
            raise EngineError(f"the answer is cut off, or is no HTTP: {type(error).__name__}") from None
        except OSError as error:
            raise EngineError(f"the connection broke while the answer was read: {_stated(error)}") from None
        if self._incoming.length:
            raise EngineError(f"the answer is cut off: {self._incoming.length:,} bytes of it did not come")
        self._end(self._keeps)

    def _end(self, reusable: bool) -> None:
        done, self._done = self._done, None
        if done is not None:
            self._incoming.close()
            done(reusable)

    def close(self) -> None:
        """Whatever has not been read is not wanted."""
        self._end(False)


def _unzipped(pieces: Iterator[bytes]) -> Iterator[bytes]:
    unzip = zlib.decompressobj(31)
    began = False
    try:
        for piece in pieces:
            rest = piece
            while rest:
                if unzip.eof:  # another member follows
                    unzip = zlib.decompressobj(31)
                began = True
                yield unzip.decompress(rest, _BUFFER)
                rest = unzip.unused_data if unzip.eof else unzip.unconsumed_tail
        while not unzip.eof and (more := unzip.decompress(b"", _BUFFER)):
            yield more
    except zlib.error:
        raise EngineError("the answer's compression is damaged") from None
    if began and not unzip.eof:
        raise EngineError("the answer is cut off within its compression")


def _stated(error: OSError) -> str:
    return printable((error.strerror or str(error) or type(error).__name__).lower())
