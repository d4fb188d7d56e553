"""How a run stands."""

from __future__ import annotations

import threading
from collections import Counter
from typing import TYPE_CHECKING

from pylf.evaluation.record import COMPLETE, Ended
from pylf.models.chat.protocol import Usage

if TYPE_CHECKING:
    from pylf.evaluation.record import Record


class Standing:
    """How a run stands. ``before``: questions that an earlier part has answered; ``ended`` counts these too.

    ``usage``: what all attempts cost, those of earlier parts included; ``late``: what was spent on questions after they
    were given up, which ``usage`` holds too. ``unreached``: questions whose model or log was away, and which are asked
    again. ``stopped``: why the run ended early; ``unkept``: why something of it could not be written.
    """

    def __init__(self, total: int) -> None:
        self.total = total
        self.before = 0
        self.ended: Counter[Ended] = Counter()
        self.unreached: Counter[Ended] = Counter()
        self.stopped: str | None = None
        self.unkept: str | None = None
        self.interrupted = False
        self._usage = Usage()
        self._late = Usage()
        self._lock = threading.Lock()

    @property
    def done(self) -> int:
        """How many questions have a record."""
        return self.ended.total()

    @property
    def usage(self) -> Usage:
        """What all attempts cost."""
        with self._lock:
            return self._usage

    @property
    def late(self) -> Usage:
        """What came after its question was given up."""
        with self._lock:
            return self._late

    def count(self, one: Record) -> None:
        """Another record; what it cost is added apart."""
        self.ended[one.ended] += 1
        self.unreached[one.ended] += unreached(one)

    def add_usage(self, usage: Usage) -> None:
        """More was spent."""
        with self._lock:
            self._usage += usage

    def add_late(self, usage: Usage) -> None:
        """A call came back whose question was given up."""
        with self._lock:
            self._usage += usage
            self._late += usage

    def told(self) -> str:
        """On one line: ``12/60 · 3 invalid · 1 timeout · 14,203 tokens · 0.12 spent``."""
        parts = [f"{self.done:,}/{self.total:,}"]
        parts += [f"{self.ended[one]:,} {one}" for one in Ended if one not in COMPLETE and self.ended[one]]
        usage = self.usage
        if usage.tokens:
            parts.append(f"{usage.tokens:,} tokens")
        if usage.money:
            parts.append(f"{usage.money:,.2f} spent")
        return " · ".join(parts)


#: how questions end that fail for no reason of their own
HOPELESS = (Ended.ENGINE, Ended.REFUSED, Ended.FAILED)
#: the detail of a record that says that its model, or the log of its calls, was away
UNREACHED = "unreached"


def unreached(one: Record) -> bool:
    """Whether a question failed because its model was away, or nothing could be sent to it: it was given no chance."""
    return one.details.get(UNREACHED) is True and one.ended in HOPELESS
