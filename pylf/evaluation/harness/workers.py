"""Threads that answer questions, one at a time each, and can be given up.

A thread cannot be stopped. One that is over its time is left to itself: it takes nothing more, what it still answers is
dropped (not what that cost), and the process does not wait for it.
"""

from __future__ import annotations

import queue
import threading
import time
from typing import TYPE_CHECKING, Literal

from pylf.backends.patience import within
from pylf.evaluation.harness.meter import reading
from pylf.records import record

if TYPE_CHECKING:
    from types import TracebackType

    from pylf.datasets.formats.question import Question
    from pylf.evaluation.harness.meter import Meter
    from pylf.evaluation.harness.run import Method
    from pylf.models.chat.protocol import Usage


@record
class Late:
    """What was spent on a question, by id, after it was given up."""

    name: str
    usage: Usage


@record
class Given:
    """What a method gave for a question, or the exception that it ended in; how long that took."""

    worker: Worker
    question: Question
    meter: Meter
    found: object
    problem: BaseException | None
    seconds: float


class Worker(threading.Thread):
    """A thread that asks a method; what comes of it goes to ``into``. ``seconds`` are for each question."""

    def __init__(self, method: Method, into: queue.SimpleQueue[Given | Late], seconds: float | None) -> None:
        super().__init__(daemon=True, name="pylf-question")
        self._method = method
        self._into = into
        self._seconds = seconds
        self._inbox: queue.SimpleQueue[tuple[Question, Meter] | None] = queue.SimpleQueue()
        #: of the question that is being answered: what it has cost, and when it was begun on the monotonic clock
        self.meter: Meter | None = None
        self.question: Question | None = None
        self.began = 0.0
        self.start()

    def ask(self, question: Question, meter: Meter) -> None:
        """Answer a question, and count on its meter; the one before is done."""
        self.meter = meter
        self.question = question
        self.began = time.monotonic()
        self._inbox.put((question, meter))

    def end(self) -> None:
        """Take nothing more."""
        self._inbox.put(None)

    def run(self) -> None:
        """Answer what comes."""
        while (asked := self._inbox.get()) is not None:
            question, meter = asked
            began = time.monotonic()
            caught = _Caught()
            found = None
            with caught, reading(meter), within(self._seconds):
                found = self._method(question)
            self._into.put(Given(self, question, meter, found, caught.problem, time.monotonic() - began))


class _Caught:
    """Keeps whatever a block ends in: one question's failure is that question's outcome."""

    problem: BaseException | None = None

    def __enter__(self) -> None:
        return

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Literal[True]:
        self.problem = error
        return True
