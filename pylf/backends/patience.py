"""How long there is yet: one time limit over all that is asked within it.

    >>> with within(5):
    ...     with within(60):
    ...         left() <= 5
    True

A question to an endpoint is often several: what it is, what its labels are in, the query, pages of it. Each of them has
the limit that its caller names, and all of them together have what is left of every :func:`within` around them. Limits
belong to the thread (or task) that sets them; a thread that is started within one is not bound by it.
"""

from __future__ import annotations

import math
import threading
import time
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from pylf.errors import EngineTimeout, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    class Lock(Protocol):
        """What can be held, and waited for."""

        def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
            """Whether it is held now."""

        def release(self) -> None:
            """Somebody else may hold it."""


class Limit:
    """A moment by which something has to be done. ``at`` is on the monotonic clock, infinity for never; ``seconds`` is
    how long there was at first, as whoever set the limit said."""

    __slots__ = ("at", "seconds")

    def __init__(self, at: float, seconds: float) -> None:
        self.at = at
        self.seconds = seconds

    def left(self) -> float:
        """Seconds until then, above 0; infinity where there is no end.

        Raises:
            EngineTimeout: it is past.
        """
        left = self.at - time.monotonic()
        if left <= 0:
            raise self.passed()
        return left

    def passed(self) -> EngineTimeout:
        """The error that says that the time is used up."""
        return EngineTimeout(f"the endpoint gave no whole answer within {lasting(self.seconds)}")


_NEVER = Limit(math.inf, math.inf)
_around: ContextVar[Limit] = ContextVar("pylf_patience", default=_NEVER)


def until(seconds: float | None) -> Limit:
    """The limit that lies so many seconds ahead, or the one around, whichever is earlier; None and infinity are none.

    Raises:
        InputError: the seconds are not above 0.
    """
    around = _around.get()
    if seconds is None:
        return around
    if not seconds > 0:  # NaN as well
        raise InputError(f"the time limit is {seconds:g} s; it has to be above 0")
    at = time.monotonic() + seconds
    return Limit(at, seconds) if at < around.at else around


@contextmanager
def within(seconds: float | None) -> Iterator[Limit]:
    """All that is asked in this block has to be answered within so many seconds; None and infinity: as around it.

    Raises:
        InputError: the seconds are not above 0.
    """
    limit = until(seconds)
    token = _around.set(limit)
    try:
        yield limit
    finally:
        _around.reset(token)


def left() -> float:
    """Seconds that are left here; infinity where there is no limit.

    Raises:
        EngineTimeout: none are.
    """
    return _around.get().left()


@contextmanager
def held(lock: Lock) -> Iterator[None]:
    """The lock, waited for no longer than there is time.

    Raises:
        EngineTimeout: somebody else held it until then.
    """
    limit = _around.get()
    if limit.at == math.inf:
        lock.acquire()
    elif not lock.acquire(timeout=min(limit.left(), threading.TIMEOUT_MAX)):
        raise limit.passed()
    try:
        yield
    finally:
        lock.release()


def lasting(seconds: float) -> str:
    """A length of time for people: ``0.25 s``, ``9 s``, ``5 min``, ``24 h``."""
    if seconds < 0.001:
        return f"{seconds:.1g} s"
    if seconds < 10:
        return f"{float(f'{seconds:.2g}'):g} s"
    if seconds < 600:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7_200 else f"{seconds / 3_600:.0f} h"
