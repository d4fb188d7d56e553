"""Connections to one endpoint: kept alive, and never more than so many."""

from __future__ import annotations

import http.client
import select
import threading
import urllib.parse
import urllib.request
from typing import TYPE_CHECKING, Any, NamedTuple

from pylf.backends.http.transport import MOST_BYTES, Deadline, Dropped, Incoming, Response, Wire, connected
from pylf.backends.http.turns import Turns, renewed_in_forks
from pylf.backends.patience import lasting
from pylf.errors import EngineError, EngineTimeout, InputError, printable

if TYPE_CHECKING:
    import ssl
    from collections.abc import Mapping

    from pylf.backends.http.endpoint import Limits

_PERHAPS_PLAIN = "; a server without encryption is asked by http://"
_NO_TLS = ("WRONG_VERSION", "UNKNOWN_PROTOCOL", "RECORD LAYER", "PACKET LENGTH", "EOF OCCURRED")
#: connections that a client has at most; further threads wait their turn
MOST_CONNECTIONS = 8


class Origin(NamedTuple):
    """Where connections go: requests of one origin may share them."""

    secure: bool
    host: str
    port: int


def origin_of(url: str) -> Origin:
    """The origin of an address that has been checked."""
    parts = urllib.parse.urlsplit(url)
    secure = parts.scheme == "https"
    return Origin(secure, parts.hostname or "", parts.port or (443 if secure else 80))


class _Connection(http.client.HTTPConnection):
    """A connection, through a proxy where the environment names one (as urllib reads it)."""

    response_class = Incoming
    wire: Wire | None = None
    #: how often the pool had been closed when it was made
    age = 0

    def __init__(self, origin: Origin, limits: Limits, deadline: Deadline) -> None:
        self.origin = origin
        self.limits = limits
        self.deadline = deadline
        self.proxy = _proxy(origin)
        self.fresh = True
        where = self.proxy or origin
        super().__init__(where.host, where.port)
        if self.proxy is not None and origin.secure:
            self.set_tunnel(origin.host, origin.port, headers=dict(self.proxy.headers))

    def connect(self) -> None:
        where = self.proxy or self.origin
        raw = connected(where.host, where.port, self.limits, self.deadline)
        try:
            self.wire = self.sock = Wire(raw, self.deadline)
            if self.origin.secure:
                if self.proxy is not None:
                    self._open_tunnel()
                self.wire = self.sock = Wire(self._secured(), self.deadline)
        except BaseException:
            raw.close()
            raise

    def _open_tunnel(self) -> None:
        """The proxy passes on what is sent from here on; http.client does this on its own only for sockets it made."""
        opening: Any = self
        opening._tunnel()

    def _secured(self) -> ssl.SSLSocket:
        import ssl

        assert self.wire is not None
        raw = self.wire.raw
        left = self.deadline.left()
        raw.settimeout(min(self.limits.connect, left))
        try:
            return _context().wrap_socket(raw, server_hostname=self.origin.host)
        except ssl.SSLCertVerificationError as error:
            why = error.verify_message
            raise EngineError(f"the certificate of {self.origin.host} is not accepted: {why}") from None
        except TimeoutError:
            whole = self.limits.connect >= left
            seconds = lasting(self.deadline.seconds if whole else self.limits.connect)
            limit = "" if whole else " (the connect limit)"
            raise EngineTimeout(
                f"no secure connection to {self.origin.host} within {seconds}{limit}{_PERHAPS_PLAIN}"
            ) from None
        except OSError as error:
            why = printable(str(error.strerror or error))[:200]
            # these are what a server without TLS makes of a client's hello
            plain = isinstance(error, ConnectionError) or any(word in why.upper() for word in _NO_TLS)
            raise EngineError(
                f"no secure connection to {self.origin.host}: {why}{_PERHAPS_PLAIN if plain else ''}"
            ) from None

    def stale(self) -> bool:
        """Whether the other side has closed it, or sent what nobody asked for."""
        if self.wire is None:
            return True
        raw = self.wire.raw
        try:
            ready, _, _ = select.select([raw], [], [], 0)
        except (OSError, ValueError):
            return True
        return bool(ready)


class _Proxy(NamedTuple):
    host: str
    port: int
    headers: tuple[tuple[str, str], ...]


def _proxy(origin: Origin) -> _Proxy | None:
    if urllib.request.proxy_bypass(origin.host):
        return None
    found = urllib.request.getproxies()
    scheme = "https" if origin.secure else "http"
    url = found.get(scheme) or found.get("all")
    if not url:
        return None
    parts = urllib.parse.urlsplit(url if "://" in url else f"http://{url}")
    try:
        host, port = parts.hostname, parts.port or 80
    except ValueError:
        host, port = None, 0
    if parts.scheme != "http" or not host:
        raise InputError(f"the proxy that {scheme}_proxy names is none of the form http://host:port")
    headers: tuple[tuple[str, str], ...] = ()
    if parts.username is not None:
        from pylf.backends.http.credentials import basic

        user, password = urllib.parse.unquote(parts.username), urllib.parse.unquote(parts.password or "")
        headers = (("Proxy-Authorization", basic(user, password)),)
    return _Proxy(host, port, headers)


_contexts: list[ssl.SSLContext] = []


def _context() -> ssl.SSLContext:
    """The system's certificates, read once."""
    if not _contexts:
        import ssl

        _contexts.append(ssl.create_default_context())
    return _contexts[0]


class ConnectionPool:
    """Hands out connections and takes them back. Any number of threads may ask; at most ``size`` are served at once."""

    def __init__(self, limits: Limits, size: int = MOST_CONNECTIONS, most_bytes: int = MOST_BYTES) -> None:
        self._limits = limits
        self.turns = Turns(size)
        self._size = size
        self._most = most_bytes
        self._age = 0
        self.renew()
        renewed_in_forks(self)

    def renew(self) -> None:
        """No connection is at hand, nor will those in use be: in a fork, they are the parent's."""
        self._lock = threading.Lock()
        self._idle: list[_Connection] = []
        self._age += 1

    def send(
        self, method: str, url: str, body: bytes | None, headers: Mapping[str, str], deadline: Deadline
    ) -> Response:
        """The response to one request, its body still to be read; one that is closed frees its connection.

        Raises:
            Dropped: a connection ended before any byte came.
            EngineTimeout: a limit was reached.
            EngineError: there is no connection, or what answers is no HTTP.
        """
        turn = self.turns.take(deadline.left)
        try:
            held, incoming = self._exchanged(method, url, body, headers, deadline)
        except BaseException:
            turn.give_back()
            raise

        def done(reusable: bool) -> None:
            if reusable:
                held.fresh = False
                self._keep(held)
            else:
                held.close()
            turn.give_back()

        return Response(incoming, done, self._most, deadline)

    def _exchanged(
        self, method: str, url: str, body: bytes | None, headers: Mapping[str, str], deadline: Deadline
    ) -> tuple[_Connection, Incoming]:
        while True:
            connection = self._take(origin_of(url), deadline)
            try:
                return connection, _exchange(connection, method, url, body, headers)
            except Dropped:
                connection.close()
                # a server may close a connection just as it is used again: that says nothing of the request
                if connection.fresh:
                    raise
            except BaseException:
                connection.close()
                raise

    def _take(self, origin: Origin, deadline: Deadline) -> _Connection:
        while True:
            with self._lock:
                age = self._age
                place = next((i for i in reversed(range(len(self._idle))) if self._idle[i].origin == origin), None)
                found = None if place is None else self._idle.pop(place)
            if found is None:
                found = _Connection(origin, self._limits, deadline)
                found.age = age
                return found
            if found.wire is not None and not found.stale():
                found.deadline = found.wire.deadline = deadline
                found.wire.received = 0
                return found
            found.close()

    def _keep(self, connection: _Connection) -> None:
        left_over: _Connection | None = connection
        with self._lock:
            if connection.age == self._age:
                self._idle.append(connection)
                left_over = self._idle.pop(0) if len(self._idle) > self._size else None
        if left_over is not None:
            left_over.close()

    def close(self) -> None:
        """The idle connections are closed; those in use are when their answers are read."""
        with self._lock:
            idle, self._idle = self._idle, []
            self._age += 1
        for connection in idle:
            connection.close()


def _exchange(
    connection: _Connection, method: str, url: str, body: bytes | None, headers: Mapping[str, str]
) -> Incoming:
    parts = urllib.parse.urlsplit(url)
    target = urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, ""))
    sent = dict(headers)
    if connection.proxy is not None and not connection.origin.secure:
        target = urllib.parse.urlunsplit((parts.scheme, parts.netloc, parts.path or "/", parts.query, ""))
        sent |= dict(connection.proxy.headers)
    try:
        connection.request(method, target, body, {"Host": parts.netloc, **sent})
        incoming = connection.getresponse()
    except (ConnectionError, http.client.BadStatusLine) as error:
        # RemoteDisconnected is both: nothing came at all
        if connection.wire is None or not connection.wire.received:
            raise Dropped(f"the connection to {connection.origin.host} ended before an answer came") from error
        raise EngineError("the endpoint's answer broke off in its headers, or is no HTTP") from None
    except http.client.HTTPException as error:
        raise EngineError(f"what answers at {connection.origin.host} is no HTTP: {type(error).__name__}") from None
    except OSError as error:
        why = printable((error.strerror or str(error)).lower())[:200]
        raise EngineError(f"the connection to {connection.origin.host} broke: {why}") from None
    assert isinstance(incoming, Incoming)
    if connection.wire is not None and connection.wire.ended:
        # http.client takes the end of the connection for that of the headers: what they say of the body may be missing
        raise EngineError("the endpoint's answer broke off in its headers")
    return incoming
