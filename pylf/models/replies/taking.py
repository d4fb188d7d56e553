"""The first candidate of a reply that is what was asked for, by a function of the caller's own.

The function reads a text, which it never runs, and checks it; it raises a :class:`~pylf.errors.PylfError` or a
ValueError for what is not what was asked for. No model is asked again.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Generic, TypeVar

from pylf.errors import PylfError
from pylf.models.chat.protocol import Finish, Reply
from pylf.models.replies.candidates import Candidate, candidates
from pylf.models.replies.expressions import calls
from pylf.models.replies.refusals import is_refusal
from pylf.models.replies.thinking import without_thoughts
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    #: what is thrown by a function that reads candidates
    Problem: TypeAlias = PylfError | ValueError

T = TypeVar("T")


class Why(StrEnum):
    """Why nothing was taken from a reply."""

    #: null, or blanks
    EMPTY = "empty"
    #: the model, or the provider's filter, refused
    REFUSED = "refused"
    FILTERED = "filtered"
    #: it has thoughts alone: they were cut off, most often
    THOUGHTS = "thoughts alone"
    #: the limit on tokens was reached, and nothing that is there can be read
    CUT = "cut off"
    #: there is text, and nothing in it can be read
    UNREADABLE = "unreadable"


@record
class Tried:
    """A candidate that was not taken, and the error that says why."""

    candidate: Candidate
    problem: Problem


class Taken(Generic[T]):
    """What was read from a candidate, and those that could not be read before it."""

    __slots__ = ("candidate", "tried", "value")

    def __init__(self, value: T, candidate: Candidate, tried: tuple[Tried, ...]) -> None:
        self.value = value
        self.candidate = candidate
        self.tried = tried


@record
class NotTaken:
    """Nothing was taken from a reply. ``tried`` is what was looked at, likeliest first."""

    why: Why
    tried: tuple[Tried, ...] = ()

    @property
    def problem(self) -> Problem | None:
        """What is wrong with the likeliest candidate."""
        return self.tried[0].problem if self.tried else None


def take(
    reply: Reply | str | None,
    read: Callable[[str], T],
    *,
    tags: Iterable[str] = (),
    find: Callable[[str], Iterable[str]] = calls,
) -> Taken[T] | NotTaken:
    """The first candidate that ``read`` reads; see :mod:`pylf.models.replies.candidates` for their order, ``tags`` and
    ``find``."""
    text, told = _heard(reply)
    if told is not None:
        return NotTaken(told)
    tried: list[Tried] = []
    for candidate in candidates(text, tags, find):
        try:
            value = read(candidate.text)
        except (PylfError, ValueError) as problem:
            tried.append(Tried(candidate, problem))
        else:
            return Taken(value, candidate, tuple(tried))
    return NotTaken(_why(reply, text), tuple(tried))


def take_all(
    reply: Reply | str | None,
    read: Callable[[str], T],
    *,
    tags: Iterable[str] = (),
    find: Callable[[str], Iterable[str]] = calls,
) -> Iterator[Taken[T]]:
    """Every candidate that ``read`` reads, likeliest first: a reply may propose several. One that is a part of another
    that was read is none of its own; nor is one with the same value."""
    text, told = _heard(reply)
    if told is not None:
        return
    taken: list[Taken[T]] = []
    for candidate in candidates(text, tags, find):
        if any(candidate.text in other.candidate.text for other in taken):
            continue
        try:
            value = read(candidate.text)
        except (PylfError, ValueError):
            continue
        if all(value != other.value for other in taken):
            taken.append(Taken(value, candidate, ()))
            yield taken[-1]


def _heard(reply: Reply | str | None) -> tuple[str, Why | None]:
    """The text of a reply, and why nothing can be taken from it, where that is told without a look at it."""
    if reply is None:
        return "", Why.EMPTY
    text, finish = (reply, Finish.STOP) if isinstance(reply, str) else (reply.text, reply.finish)
    if finish is Finish.REFUSED:
        return text, Why.REFUSED
    if not text.strip():
        named = {Finish.FILTERED: Why.FILTERED, Finish.LENGTH: Why.CUT}
        return text, named.get(finish, Why.EMPTY)
    if not without_thoughts(text).strip():
        return text, Why.THOUGHTS
    return text, None


def _why(reply: Reply | str | None, text: str) -> Why:
    finish = reply.finish if isinstance(reply, Reply) else Finish.STOP
    if finish is Finish.FILTERED:
        return Why.FILTERED
    if is_refusal(without_thoughts(text)):
        return Why.REFUSED
    return Why.CUT if finish is Finish.LENGTH else Why.UNREADABLE
