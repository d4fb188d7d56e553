"""Choices that a maker of graphs makes, taken from outside: so that one maker serves a systematic and a random search.

Choice 0 is always the plainest. :func:`systematic` runs a maker with every sequence of choices, those with the fewest
choices other than 0 first; each sequence comes once.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

_T = TypeVar("_T")

#: how often a random choice is the plain one
_PLAIN = 0.55


class Choices:
    """Choices as a prefix says, then 0; or, with a source of randomness, at random."""

    __slots__ = ("made", "prefix", "random", "widths")

    def __init__(self, prefix: tuple[int, ...] = (), random: Random | None = None) -> None:
        self.prefix = prefix
        self.random = random
        self.made: list[int] = []
        self.widths: list[int] = []

    def pick(self, width: int) -> int:
        """A number below ``width``."""
        if width < 2:
            return 0
        place = len(self.made)
        if place < len(self.prefix):
            chosen = min(self.prefix[place], width - 1)
        elif self.random is None or self.random.random() < _PLAIN:
            chosen = 0
        else:
            chosen = self.random.randrange(width)
        self.made.append(chosen)
        self.widths.append(width)
        return chosen


def systematic(make: Callable[[Choices], _T], first: int) -> Iterator[_T]:
    """What ``make`` makes of each sequence of choices. The ``first`` choice is one of so many ways to begin, all of
    which count as plain."""
    todo: deque[tuple[int, ...]] = deque((way,) for way in range(first))
    while todo:
        prefix = todo.popleft()
        choices = Choices(prefix)
        yield make(choices)
        made = tuple(choices.made)
        for place in range(len(prefix), len(made)):
            todo.extend((*made[:place], other) for other in range(1, choices.widths[place]))
