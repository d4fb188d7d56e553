"""Asking an endpoint over HTTP: rows, a truth value, or triples; complete, or an error that says why not."""

from __future__ import annotations

import math
import threading
import urllib.parse
from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple, Self

from pylf.backends.dialects import dialect_at
from pylf.backends.http import complaints, retry
from pylf.backends.http.credentials import credentials_for
from pylf.backends.http.identity import identity_of, is_fuseki
from pylf.backends.http.pool import MOST_CONNECTIONS, ConnectionPool, origin_of
from pylf.backends.http.request import WAYS, Way, built, checked_contact, checked_url, fits, harmless, shown_url
from pylf.backends.http.results import Malformed, Reader, gathered
from pylf.backends.http.rows import IncompleteRows, Rows, Table, ending, shortfall
from pylf.backends.http.transport import MOST_BYTES, Deadline, Dropped
from pylf.backends.outcome import Status
from pylf.backends.patience import Limit, held, lasting, until, within
from pylf.errors import EngineError, EngineRefused, InputError, printable
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from pylf.backends.http.bindings import Row
    from pylf.backends.http.endpoint import Endpoint
    from pylf.backends.http.request import Request
    from pylf.backends.http.transport import Response
    from pylf.backends.sparql.dialect import Dialect
    from pylf.ir.graph import TripleRow

__all__ = ["Client", "Identity", "IncompleteRows", "Rows", "Table"]

#: what may stand before an answer in JSON, and how much of it
_BEFORE = b"\xef\xbb\xbf \t\r\n"
_MOST_BEFORE = 1 << 16
#: places for terms in a table, with what a row takes beside them
_MOST_PLACES = 1 << 26
_OF_A_ROW = 8
_VIRTUOSO_TRUTH = ("__ASK_RETVAL",)
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MOST_REDIRECTS = 5
#: a server that is told to stop should say so before it is no longer listened to
_SERVERS_SHARE = 0.95
_LEAST_FOR_SERVER = 1.0


@record
class Identity:
    """What a server says of itself: the dialect that goes with it, if one does, and its header ``Server``."""

    dialect: str | None
    server: str


class _Asked(NamedTuple):
    """A query on its way: its text, its kind, and until when its answer is wanted."""

    sparql: str
    kind: str
    deadline: Deadline


class Client:
    """Asks one endpoint. Nothing is sent before a question is asked; any number of threads may ask.

    ``most_bytes`` bounds what is read of one answer (after decompression): unless it is named, 256 MiB of one that is
    held as a whole, while a stream goes on as long as its time limit lets it. Apart from that, an answer has 1,000
    variables at most, and a row 16 Mi characters. ``connections`` is how many are open at once; further threads wait
    their turn, within their time limit.

    Raises:
        InputError: the address is none of an endpoint, or credentials are half set.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        dialect: Dialect | None = None,
        *,
        most_bytes: int | None = None,
        connections: int = MOST_CONNECTIONS,
    ) -> None:
        self.endpoint = endpoint
        self._dialect = dialect
        known = dialect or (None if endpoint.dialect is None else dialect_at(endpoint, endpoint.dialect))
        self._timeout_unit = None if known is None else known.timeout_unit
        self._url = checked_url(endpoint.url)
        self._home = origin_of(self._url)
        self._contact = checked_contact(endpoint.contact)
        self._credentials = credentials_for(self._url)
        self._pool = ConnectionPool(endpoint.limits, connections, MOST_BYTES if most_bytes is None else most_bytes)
        self._streams_on = most_bytes is None
        self._gate = retry.Gate()
        self._way: Way | None = None
        self._is_fuseki = False
        self._identity: Identity | None = None
        self._identifying = threading.Lock()

    def __repr__(self) -> str:
        return f"Client({shown_url(self.endpoint.url)!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def caller(self) -> str:
        """What tells whoever asks from others, and tells nobody who that is; "" without credentials."""
        return "" if self._credentials is None else self._credentials.mark(self._url)

    def close(self) -> None:
        """Closes the idle connections, and those in use once they are free. A client that is asked again opens new
        ones."""
        self._pool.close()

    # --- questions ------------------------------------------------------------------------------------------------

    def select(self, sparql: str, timeout: float | Limit | None = None, *, trusted: bool = False) -> Table:
        """All the rows of a SELECT. ``timeout`` (seconds, or a moment) stands for the endpoint's total limit;
        both give way to an earlier limit around the call (:func:`pylf.backends.patience.within`). ``trusted`` is for
        texts that pylf printed, which are not looked through once more.

        Raises:
            IncompleteRows: there are more, or may be; holds those that came.
            EngineTimeout: a time limit was reached, here or there.
            EngineRefused: the endpoint, or pylf, does not take the query.
            EngineError: anything else went wrong.
        """
        with self._telling():
            return self._table(self._asked(sparql, "SELECT", timeout, trusted))

    def _table(self, response: Response) -> Table:
        with Rows(self._reader(response, at_once=True), response, self._caps()) as incoming:
            found: list[Row] = []
            most = _MOST_PLACES // (_OF_A_ROW + len(incoming.variables))
            try:
                for batch in incoming.batches():
                    found += batch
                    if len(found) > most:
                        raise EngineError(
                            f"the answer has more than {most:,} rows of {len(incoming.variables):,} variables, "
                            "which is all that is held at once; a stream has no such bound"
                        )
            except IncompleteRows as cut:
                table = Table(incoming.variables, found)
                raise IncompleteRows(str(cut), table, cut.status) from None
            return Table(incoming.variables, found)

    @contextmanager
    def stream(self, sparql: str, timeout: float | Limit | None = None, *, trusted: bool = False) -> Iterator[Rows]:
        """The rows of a SELECT as they come: a context manager of :class:`Rows`, which are iterated once.

        Raises:
            As :meth:`select`; what is known only at the end is raised there, IncompleteRows without rows.
        """
        with self._telling():
            response = self._asked(sparql, "SELECT", timeout, trusted)
            if self._streams_on:
                response.most = math.inf
            with Rows(self._reader(response), response, self._caps()) as rows:
                yield rows

    def ask(self, sparql: str, timeout: float | Limit | None = None, *, trusted: bool = False) -> bool:
        """The answer to an ASK.

        Raises:
            As :meth:`select`; the table of IncompleteRows has a row, of no columns, where the answer came out as yes.
        """
        with self._telling():
            response = self._asked(sparql, "ASK", timeout, trusted)
            try:
                return self._truth(response)
            finally:
                response.close()

    def construct(self, sparql: str, timeout: float | Limit | None = None, *, trusted: bool = False) -> list[TripleRow]:
        """The triples of a CONSTRUCT, each once, in the order in which they came.

        Virtuoso cuts them at its cap on rows and says so nowhere; it is noticed where ``row_cap`` is known and there
        are exactly so many. What has to be complete is better asked by a SELECT.

        Raises:
            As :meth:`select`; IncompleteRows holds no triples.
        """
        from pylf.backends.http.triples import triples_of

        with self._telling():
            response = self._asked(sparql, "CONSTRUCT", timeout, trusted)
            try:
                found, count = triples_of(response)
                cut = shortfall(response, count, self._caps())
            finally:
                response.close()
        if cut is None and not response.framed:
            # neither syntax has an end of its own
            cut = Status.PARTIAL, "the endpoint states no length for its triples: whether all of them came is not known"
        if cut is not None:
            raise IncompleteRows(cut[1], Table((), []), cut[0])
        return found

    def identify(self) -> Identity:
        """What the server is, by the headers of one tiny question; asked once.

        Raises:
            As :meth:`select`.
        """
        with within(self.endpoint.limits.total), self._telling(), held(self._identifying):
            if self._identity is None:
                response = self._asked("ASK { }", "ASK", None, trusted=True)
                try:
                    self._truth(response)
                    dialect, server = identity_of(response.headers)
                    self._identity = Identity(dialect, server)
                finally:
                    response.close()
            return self._identity

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """What is raised within repeats no credentials, whatever the server repeats."""
        try:
            yield
        except EngineError as problem:
            problem.args = tuple(self._hidden(one) if isinstance(one, str) else one for one in problem.args)
            raise
        except MemoryError:
            raise EngineError("the answer does not fit into the memory that there is") from None

    def _hidden(self, text: str) -> str:
        return text if self._credentials is None else self._credentials.hidden(text)

    # --- answers --------------------------------------------------------------------------------------------------

    def _caps(self) -> frozenset[int]:
        dialects = None if self._dialect is None else self._dialect.row_cap
        return frozenset(cap for cap in (self.endpoint.row_cap, dialects) if cap is not None)

    def _truth(self, response: Response) -> bool:
        reader = self._reader(response)
        try:
            rows = list(islice(reader.rows(), 2))
        except Malformed as problem:
            raise ending(problem) from None
        truth = reader.boolean
        if truth is None and reader.variables == _VIRTUOSO_TRUTH and len(rows) < 2:
            # Virtuoso 7.2 gives a row of one number, and none for no
            truth = bool(rows)
        if truth is None:
            raise EngineError("the endpoint answers with rows where a truth value was asked for")
        cut = shortfall(response, 0, frozenset())
        if cut is not None:
            raise IncompleteRows(cut[1], Table((), [()] if truth else []), cut[0])
        return truth

    def _reader(self, response: Response, *, at_once: bool = False) -> Reader:
        """The reader of a response that looks like results in JSON; the response is closed where it does not. What is
        read ``at_once`` need not come row by row."""
        pieces = response.chunks()
        first = b""
        try:
            for piece in pieces:
                first += piece
                if first.lstrip(_BEFORE) or len(first) > _MOST_BEFORE:
                    break
        except BaseException:
            response.close()
            raise
        if first.lstrip(_BEFORE).startswith(b"{"):
            pieces = chain((first,), pieces)
            return Reader(gathered(pieces) if at_once else pieces)
        response.close()
        raise complaints.unasked(first, response.header("Content-Type") or "", "results in JSON")

    # --- sending --------------------------------------------------------------------------------------------------

    def _asked(self, sparql: str, kind: str, timeout: float | Limit | None, trusted: bool) -> Response:
        """The response to a query, its status one of success; tried, and tried another way, as often as it may be."""
        limits = self.endpoint.limits
        limit = timeout if isinstance(timeout, Limit) else until(limits.total if timeout is None else timeout)
        if not trusted:
            from pylf.backends.http.guard import check

            check(sparql, kind)
        asked = _Asked(sparql, kind, Deadline(limit, limits.read, self._gate.now))
        tried = 0
        refused: list[tuple[Way, EngineError]] = []
        while True:
            self._gate.pass_through(asked.deadline)
            way = self._way or next((one for one in WAYS if one not in {lost for lost, _ in refused}), None)
            if way is None:
                raise refused[0][1]
            try:
                response = self._sent(self._request(asked, way), asked.deadline)
            except Dropped as dropped:
                tried += 1
                if tried >= limits.tries:
                    raise EngineError(f"{dropped}, {tried} times") from None
                self._gate.wait_for_try(tried, None, str(dropped), asked.deadline)
                continue
            except _TooLong as long:
                raise refused[0][1] if refused else EngineRefused(str(long)) from None
            if response.status in {200, 203, 206} and not self._is_page(response, way):
                self._way = way
                self._is_fuseki = is_fuseki(response.headers)
                return response
            tried = self._failed(response, way, tried, asked, refused)

    def _is_page(self, response: Response, way: Way) -> bool:
        """Whether the endpoint answers with its page for people: it did not see the query."""
        return self._way != way and "html" in (response.header("Content-Type") or "").lower()

    def _failed(
        self, response: Response, way: Way, tried: int, asked: _Asked, refused: list[tuple[Way, EngineError]]
    ) -> int:
        """What follows from a response that is no answer: another way, another try after a pause, or its error.

        Returns the tries so far.
        """
        status, kind = response.status, response.header("Content-Type") or ""
        body = self._hidden(complaints.body_of(response))
        if status < 300:
            problem = complaints.not_seen(body, kind)
        else:
            who = None if self._credentials is None else self._credentials.who
            problem = complaints.complaint(status, response.reason, body, kind, _authentication(response), who)
        if self._way is None and (status < 300 or complaints.misread(status, body, asked.sparql)):
            refused.append((way, problem))
            if "virtuoso" in (response.header("Server") or "").lower():
                refused.append((Way.DIRECT, problem))  # which it never answers
            return tried
        wait = retry.retry_after(response.header("Retry-After"))
        if status == 403:
            banned = retry.ban(body, wait)
            if banned is not None and (wait is None or banned >= asked.deadline.left() or retry.is_ban(body)):
                self._gate.shut(banned, "the endpoint has banned this client")
                raise EngineRefused(
                    f"the endpoint bans this client for {lasting(banned)}, and is sent nothing until "
                    f"then{complaints.told(complaints.said(body, kind))}"
                )
        elif status not in retry.RETRIED or complaints.named(body, kind) is not None:
            raise problem
        if status == 403 and wait is None:
            raise problem
        tried += 1
        if tried >= self.endpoint.limits.tries:
            if wait is not None:
                self._gate.shut(max(wait, retry.LEAST_WAIT), str(problem))
            raise problem
        self._gate.wait_for_try(tried, wait, str(problem), asked.deadline, status in {429, 503})
        return tried

    def _request(self, asked: _Asked, way: Way) -> Request:
        parameters = [("default-graph-uri", graph) for graph in self.endpoint.graphs]
        unit = self._timeout_unit
        if unit is not None:
            seconds = max(asked.deadline.left() * _SERVERS_SHARE, _LEAST_FOR_SERVER)
            # Fuseki alone counts in seconds, and has no use for more of them than it allows anyway
            unit = 1 if self._is_fuseki else unit
            parameters.append(("timeout", str(min(int(seconds * unit), 2**31 - 1))))
        try:
            request = built(self._url, asked.sparql, asked.kind, way, parameters, self._contact)
        except UnicodeEncodeError as error:
            raise EngineRefused(f"the query holds half of a character at {error.start}, and was not sent") from None
        if not fits(request):
            raise _TooLong(len(request.url))
        return request

    def _sent(self, request: Request, deadline: Deadline) -> Response:
        """The response to a request, redirects followed. Credentials go to the endpoint's own host alone."""
        method, url, body, headers = request
        home = self._home
        for _ in range(_MOST_REDIRECTS + 1):
            origin = home if url == self._url else origin_of(url)
            sent = dict(headers)
            if self._credentials is not None and (origin == home or (origin.host == home.host and origin.secure)):
                sent["Authorization"] = self._credentials.header()
            response = self._pool.send(method, url, body, sent, deadline)
            location = response.header("Location")
            if response.status not in _REDIRECTS or not location:
                return response
            response.close()
            target = _redirected(url, location)
            if origin.secure and not origin_of(target).secure:
                raise EngineRefused(f"the endpoint redirects from https to http ({shown_url(target)}): not followed")
            if response.status == 303 and method == "POST":
                method, body = "GET", None
                headers = {name: value for name, value in headers.items() if name != "Content-Type"}
            url = target
        raise EngineError(f"the endpoint redirects more than {_MOST_REDIRECTS} times; its address may have changed")


class _TooLong(Exception):
    def __init__(self, length: int) -> None:
        super().__init__(
            f"the endpoint takes queries in the address alone, and this one makes an address of {length:,} characters"
        )


def _redirected(url: str, location: str) -> str:
    try:
        return checked_url(urllib.parse.urljoin(url, location))
    except (InputError, ValueError):
        raise EngineError(f"the endpoint redirects to {harmless(location)[:100]!r}, which is no address") from None


def _authentication(response: Response) -> tuple[str, ...]:
    """The kinds of authentication that a response asks for."""
    stated = response.headers.get_all("WWW-Authenticate") or []
    return tuple(printable(str(one).split(maxsplit=1)[0][:20]) for one in stated[:4] if str(one).strip())
