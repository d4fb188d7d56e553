"""Turns: at most so many at once, none of them lost.

A semaphore counts; what is interrupted between taking a turn and giving it back (Ctrl-C, at any instruction) leaves the
count wrong for good. Here a place is taken as long as somebody holds its :class:`Turn`: one that nobody holds any more
is free, whether it was given back or not, and so is one that another process holds after a fork.
"""

from __future__ import annotations

import os
import threading
import weakref
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class Renewable(Protocol):
        """What holds locks, or things that belong to one process."""

        def renew(self) -> None:
            """Begins anew."""


#: seconds after which a waiting thread looks for itself
_LOOK = 0.1


class Turn:
    """A place, held until it is given back or forgotten."""

    __slots__ = ("__weakref__", "_hints", "over")

    def __init__(self, hints: SimpleQueue[None]) -> None:
        self._hints = hints
        self.over = False

    def give_back(self) -> None:
        """Somebody else may have it; to give back what was given back does nothing."""
        self.over = True
        if self._hints.empty():
            self._hints.put(None)


class Turns:
    """So many places."""

    def __init__(self, size: int) -> None:
        self._size = size
        self.renew()
        renewed_in_forks(self)

    def renew(self) -> None:
        """All of them are free: those that were taken belong to the process that this one is a fork of."""
        self._lock = threading.Lock()
        self._holders: list[weakref.ref[Turn] | None] = [None] * self._size
        # one that waits is woken by a hint, and wakes the next; where a hint is lost, it looks for itself
        self._hints: SimpleQueue[None] = SimpleQueue()

    @property
    def free(self) -> int:
        """How many there are to have now."""
        with self._lock:
            return sum(map(_is_free, self._holders))

    def take(self, left: Callable[[], float]) -> Turn:
        """A turn, waited for as long as ``left`` says (seconds); whatever that raises ends the wait."""
        turn = Turn(self._hints)
        while True:
            with self._lock:
                place = next((i for i, holder in enumerate(self._holders) if _is_free(holder)), None)
                if place is not None:
                    self._holders[place] = weakref.ref(turn)
                more = place is not None and any(map(_is_free, self._holders))
            if place is not None:
                if more and self._hints.empty():
                    self._hints.put(None)
                return turn
            try:
                self._hints.get(timeout=min(left(), _LOOK))
            except Empty:
                continue


def _is_free(holder: weakref.ref[Turn] | None) -> bool:
    turn = None if holder is None else holder()
    return turn is None or turn.over


_all: weakref.WeakSet[Renewable] = weakref.WeakSet()


def renewed_in_forks(one: Renewable) -> None:
    """Have it renewed in every process that is forked from this one."""
    _all.add(one)


def _forked() -> None:
    for one in _all:
        one.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
