"""Rows of an answer: all of them, as they come, or some of them and why not all."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Self

from pylf.backends.http import complaints
from pylf.backends.http.bindings import Malformed
from pylf.backends.outcome import Status
from pylf.errors import EngineError, printable
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import TracebackType

    from pylf.backends.http.bindings import Row
    from pylf.backends.http.results import Reader
    from pylf.backends.http.transport import Response


@record(eq=False)
class Table:
    """The rows of a SELECT in the order in which they came: one term, or None, for each variable."""

    variables: tuple[str, ...]
    rows: list[Row]


class IncompleteRows(EngineError):
    """Some rows came and others did not. ``table`` is what came (without rows where they were streamed); ``status`` is
    partial or truncated."""

    status: Status

    def __init__(self, message: str, table: Table, status: Status) -> None:
        super().__init__(message)
        self.table = table
        self.status = status


class Rows:
    """Rows as they come: a context manager, iterated once.

    Leaving it before the end closes the connection. ``variables`` are known on entering.
    """

    def __init__(self, reader: Reader, response: Response, caps: frozenset[int]) -> None:
        self._reader = reader
        self._response = response
        self._caps = caps
        self._source = reader.batches()
        self._first: Sequence[Row] = ()
        self.variables: tuple[str, ...] = ()

    def __enter__(self) -> Self:
        try:
            self._first = next(self._source, ())
        except Malformed as problem:
            self.close()
            raise ending(problem) from None
        except BaseException:
            self.close()
            raise
        if self._reader.boolean is not None:
            self.close()
            raise EngineError("the endpoint answers with a truth value where rows were asked for")
        self.variables = self._reader.variables or ()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """No more rows are wanted."""
        self._response.close()

    def __iter__(self) -> Iterator[Row]:
        """The rows one by one; otherwise as :meth:`batches`."""
        return chain.from_iterable(self.batches())

    def batches(self) -> Iterator[Sequence[Row]]:
        """The rows, as many at a time as have come.

        Raises:
            IncompleteRows: at the end, where it is known that there are more.
            EngineTimeout: a limit was reached meanwhile, here or at the endpoint.
            EngineError: what comes is cut off, or is no result.
        """
        count = 0
        batch, self._first = self._first, ()
        try:
            while batch:
                count += len(batch)
                yield batch
                batch = next(self._source, ())
        except Malformed as problem:
            raise ending(problem) from None
        except MemoryError:
            raise EngineError("the answer does not fit into the memory that there is") from None
        cut = shortfall(self._response, count, self._caps, self._reader.cut)
        if cut is not None:
            raise IncompleteRows(cut[1], Table(self.variables, []), cut[0])


def shortfall(
    response: Response, count: int, caps: frozenset[int], key: str | None = None
) -> tuple[Status, str] | None:
    """Why an answer of so many rows, whole as it looks, may not be all: by what its headers say, by a key of its body
    that says so, and by its length."""
    state = response.header("X-SQL-State")
    if response.status == 206 or (state is not None and not state.startswith("00")):
        message = response.header("X-SQL-Message") or "it says that its answer is a partial one"
        return Status.PARTIAL, f"the endpoint gave up before it was done: {printable(message[:300])}"
    if key is not None:
        status = Status.TRUNCATED if "trunc" in key.lower() or "limit" in key.lower() else Status.PARTIAL
        return status, f"the endpoint says by {printable(key)!r} that its answer is not all of it"
    stated = response.header("X-SPARQL-MaxRows")
    if stated is not None and stated.isdecimal() and len(stated) < 20:
        caps |= {int(stated)}
    if count and count in caps:
        return Status.TRUNCATED, f"the endpoint gives at most {count:,} rows, and gave so many: there may be more"
    return None


def ending(problem: Malformed) -> EngineError:
    """The error for a body that goes wrong: a server that can no longer change the status writes the reason there."""
    return complaints.named(problem.rest, "") or problem
