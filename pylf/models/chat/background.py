"""An event loop in a thread of its own, on which requests run that can be stopped at any moment.

A thread that reads from a connection cannot be made to stop: a server that sends a byte now and then keeps it for as
long as it likes. A task can, and its connection is closed. So requests are tasks, and threads wait for them.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

from pylf.backends.http.turns import renewed_in_forks

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine, Iterator
    from concurrent.futures import Future
    from typing import Any

    T = TypeVar("T")


class Stopped(BaseException):
    """Whoever wanted this has given it up (Ctrl-C)."""


class Stop:
    """Stops work that belongs together, whatever its threads wait for: a request, a pause, a turn."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._futures: set[Future[Any]] = set()
        self._over = threading.Event()

    def now(self) -> None:
        """End what is under way, and let nothing begin."""
        with self._lock:
            self._over.set()
            futures = tuple(self._futures)
        for future in futures:
            future.cancel()

    def look(self) -> None:
        """Raises:
        Stopped: it is over.
        """
        if self._over.is_set():
            raise Stopped

    def pause(self, seconds: float) -> None:
        """Return after so many seconds.

        Raises:
            Stopped: it is over, before that or by then.
        """
        self._over.wait(seconds)
        self.look()

    @contextmanager
    def ending(self, future: Future[Any]) -> Iterator[None]:
        """What is waited for in this block ends when all does."""
        with self._lock:
            self._futures.add(future)
        try:
            if self._over.is_set():
                future.cancel()
            yield
        finally:
            with self._lock:
                self._futures.discard(future)


_NEVER = Stop()
_around: ContextVar[Stop] = ContextVar("pylf_stop", default=_NEVER)


def look() -> None:
    """Raises:
    Stopped: what this thread works for has been given up.
    """
    _around.get().look()


def pause(seconds: float) -> None:
    """Wait for so many seconds; as :meth:`Stop.pause` where this thread works for somebody who may give it up."""
    _around.get().pause(seconds)


@contextmanager
def stopped_by(stop: Stop) -> Iterator[None]:
    """The work of this block ends when ``stop`` says so."""
    token = _around.set(stop)
    try:
        yield
    finally:
        _around.reset(token)


class Background:
    """The loop, started when it is needed; in a forked process, anew."""

    def __init__(self) -> None:
        self.renew()
        renewed_in_forks(self)

    def renew(self) -> None:
        """There is no loop: one that runs belongs to the process that this one is a fork of."""
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def loop(self) -> asyncio.AbstractEventLoop:
        """The running loop."""
        import asyncio

        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="pylf chat", daemon=True).start()
            return self._loop

    def run(self, work: Callable[[], Coroutine[Any, Any, T]], seconds: float | None = None) -> T:
        """What a coroutine gives; it is stopped after so many seconds, and where the waiting thread is interrupted.

        Raises:
            TimeoutError: it took longer.
            Stopped: what it belongs to was given up.
        """
        import asyncio
        from concurrent.futures import CancelledError

        async def limited() -> T:
            async with asyncio.timeout(seconds):
                return await work()

        look()
        future = asyncio.run_coroutine_threadsafe(limited(), self.loop())
        try:
            with _around.get().ending(future):
                return future.result()
        except CancelledError:
            raise Stopped from None
        except BaseException:
            future.cancel()
            raise


#: one for all chats of the process
BACKGROUND = Background()
