"""Ways of asking one question, in turn: how long each takes, and whether they answer alike."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from benchmarks.tables import median
from pylf.backends.outcome import IncompleteAnswer
from pylf.errors import EngineError, EngineTimeout

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from pylf.ir.answers import Answers

    #: asks a text and waits so many seconds at most
    Ask = Callable[[str, float], Answers]

#: A way is asked until it has taken so many seconds, or so often; the first time of several does not count.
_SECONDS = 0.25
_TURNS = 12
#: The first way is waited for as long as is said; the others at most so many times as long as it took, but never less
#: than so many seconds.
_TIMES, _LEAST = 300, 1.0


class Way:
    """One text, and what came of asking it."""

    def __init__(self, text: str, limit: float) -> None:
        self.text = text
        #: the seconds that it is waited for
        self.limit = limit
        #: the seconds of each time that it was answered
        self.times: list[float] = []
        #: whether it was not done within the limit
        self.over = False
        #: what the engine says that is no answer
        self.error: str | None = None
        self.key: Hashable = None

    @property
    def seconds(self) -> float:
        """The median; the limit where that was reached."""
        if self.over:
            return self.limit
        return median(self.times[1:] or self.times)

    @property
    def answered(self) -> bool:
        """Whether it was answered in time."""
        return bool(self.times) and not self.over and self.error is None

    def ask(self, ask: Ask) -> None:
        """Asks once more."""
        began = time.perf_counter()
        try:
            answers = ask(self.text, self.limit)
        except (EngineTimeout, IncompleteAnswer):
            self.over = True
            return
        except EngineError as problem:
            self.error = str(problem)
            return
        taken = time.perf_counter() - began
        if taken > self.limit:  # the engine heeds its limit late
            self.over = True
        self.times.append(taken)
        if self.key is None:
            self.key = answers.key()


def measured(texts: Mapping[str, str], ask: Ask, limits: Mapping[str, float]) -> dict[str, Way]:
    """Each text asked in turn, the first one first, until enough is known of it; ``limits`` are in seconds. Names of
    equal texts share one way."""
    ways: dict[str, Way] = {}
    for name, text in texts.items():
        ways.setdefault(text, Way(text, limits[name]))
    first = next(iter(ways.values()))
    for turn in range(_TURNS + 1):
        for way in ways.values():
            if not way.over and way.error is None and sum(way.times) < _SECONDS:
                way.ask(ask)
                if way is first and turn == 0 and way.answered:
                    for other in ways.values():
                        other.limit = min(other.limit, max(_LEAST, _TIMES * way.seconds))
    return {name: ways[text] for name, text in texts.items()}


def again(ways: Mapping[str, Way], ask: Ask, turns: int) -> None:
    """Asks those that were answered so many times more, in turn."""
    distinct = {id(way): way for way in ways.values() if way.answered}
    for _ in range(turns):
        for way in distinct.values():
            if way.answered:
                way.ask(ask)
