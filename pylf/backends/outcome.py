"""What came of asking an engine: an outcome, of which the answers are one part.

An engine's ``run`` gives :class:`~pylf.ir.answers.Answers` only when they are complete and raises an
:class:`~pylf.errors.EngineError` otherwise; :func:`outcome_of` turns either into a record that can be stored, counted
and scored. No time-out and no cut answer passes for an empty one.
"""

from __future__ import annotations

import time
from enum import StrEnum
from typing import TYPE_CHECKING

from pylf.errors import EngineError, EngineRefused, EngineTimeout
from pylf.ir.nodes import Form
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.ir.answers import Answers


class Status(StrEnum):
    """How an execution ended. The values are what records and ``--json`` hold."""

    ANSWERED = "answered"
    EMPTY = "empty"
    #: the engine gave up early and said so: some answers are missing, counts are too low
    PARTIAL = "partial"
    #: a cap on rows cut the answer, or may have
    TRUNCATED = "truncated"
    TIMEOUT = "timeout"
    REFUSED = "refused"
    ERROR = "engine error"


#: the answers are all there
COMPLETE = frozenset({Status.ANSWERED, Status.EMPTY})


class IncompleteAnswer(EngineError):
    """Some answers came and others did not. ``status`` is partial or truncated; ``answers`` is what came, None where
    that says nothing: a number that did not come, a "no" that what is missing may turn into a yes."""

    status: Status

    def __init__(self, message: str, answers: Answers | None, status: Status) -> None:
        super().__init__(message)
        self.answers = answers if answers is not None and _tells(answers) else None
        self.status = status


class Nameless(EngineError):
    """A blank node is asked for, where the endpoint lets none be asked for."""


def _tells(answers: Answers) -> bool:
    """Whether incomplete answers say anything."""
    match answers.form:
        case Form.NUMBER:
            return answers.number is not None
        case Form.BOOLEAN:
            return answers.boolean is True
    return True


@record
class Outcome:
    """How an execution ended, and what it gave.

    ``answers`` are None where none came, or nothing that says anything. ``reason`` says why they are not complete.
    ``seconds`` is what the execution cost, whatever its end; ``cached`` that the answers are those of an earlier one.
    """

    status: Status
    answers: Answers | None = None
    reason: str = ""
    seconds: float = 0.0
    cached: bool = False

    @property
    def complete(self) -> bool:
        """Whether the answers are all there (an empty set is)."""
        return self.status in COMPLETE

    def failure(self) -> EngineError:
        """The error to raise for an outcome that is not complete.

        Raises:
            ValueError: it is complete.
        """
        match self.status:
            case Status.TIMEOUT:
                return EngineTimeout(self.reason)
            case Status.REFUSED:
                return EngineRefused(self.reason)
            case Status.ERROR:
                return EngineError(self.reason)
            case Status.PARTIAL | Status.TRUNCATED:
                return IncompleteAnswer(self.reason, self.answers, self.status)
        raise ValueError("the answers are complete")


def failed(problem: EngineError, began: float) -> Outcome:
    """The outcome of an execution that ended in an error; it began at this moment of the monotonic clock."""
    answers = problem.answers if isinstance(problem, IncompleteAnswer) else None
    return Outcome(Status(problem.status), answers, str(problem), time.monotonic() - began)


def outcome_of(ask: Callable[[], Answers]) -> Outcome:
    """The outcome of an execution; whatever an engine complains of becomes a status."""
    began = time.monotonic()
    try:
        answers = ask()
    except EngineError as problem:
        return failed(problem, began)
    return Outcome(Status.EMPTY if answers.empty else Status.ANSWERED, answers, "", time.monotonic() - began)
