"""Several calls at the same time, which end together where whoever wants them is interrupted."""

from __future__ import annotations

import contextvars
import threading
import time
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from pylf.models.chat.background import Stop, stopped_by

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")
#: seconds that calls which were stopped have, to say what they cost
_ENDING = 2.0


class Together(Generic[T]):
    """Calls, made by so many threads at the same time, and what has come of each: nothing yet, a value, an exception.

    The threads are bound by the time limits of the one that waits for them, and keep no process from ending.
    """

    def __init__(self, calls: Sequence[Callable[[], T]], most: int) -> None:
        self._calls = calls
        self._most = min(most, len(calls))
        self._left = iter(range(len(calls)))
        self._lock = threading.Lock()
        self._stop = Stop()
        self._ended: SimpleQueue[int] = SimpleQueue()
        self.values: list[T | None] = [None] * len(calls)
        self.problems: list[BaseException | None] = [None] * len(calls)

    def run(self) -> None:
        """Return when all have ended, well or not. An interruption of this thread (Ctrl-C) goes on to the caller, once
        requests under way are given up and their costs are known; nothing is begun any more."""
        threads: list[threading.Thread] = []
        try:
            for _ in range(self._most):
                # a context of its own for each: no two threads may enter one
                work = partial(contextvars.copy_context().run, self._work)
                threads.append(threading.Thread(target=work, name="pylf sample", daemon=True))
                threads[-1].start()
            for _ in self._calls:
                self._ended.get()
        except BaseException:
            self._stop.now()
            until = time.monotonic() + _ENDING
            for thread in threads:
                if thread.ident is not None:
                    thread.join(max(0.0, until - time.monotonic()))
            raise

    def _work(self) -> None:
        with stopped_by(self._stop):
            while (number := self._next()) is not None:
                with _Kept(self.problems, number):
                    self._stop.look()
                    self.values[number] = self._calls[number]()
                self._ended.put(number)

    def _next(self) -> int | None:
        with self._lock:
            return next(self._left, None)


class _Kept:
    """Keeps what is raised within for the thread that waits, of whatever kind."""

    def __init__(self, problems: list[BaseException | None], number: int) -> None:
        self._problems = problems
        self._number = number

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> Literal[True]:
        self._problems[self._number] = problem
        return True
