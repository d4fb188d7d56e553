"""What a search finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Scores that differ by less are the same: a vector's score with itself may be 0.9999996.
TOLERANCE = 1e-6
_DIGITS = 6


@record
class Hit:
    """A text that was found: its row in the index (from 0), the key it was added under, the text, and its cosine with
    what was searched for, from -1 to 1."""

    row: int
    key: str
    text: str
    score: float


class NameIndex(Protocol):
    """An index that is searched by text."""

    def __len__(self) -> int:
        """Rows."""
        ...

    def add(self, keys: Sequence[str], texts: Sequence[str]) -> None:
        """Add rows, each a key and a text; a key may have several rows.

        Raises:
            InputError: not so many keys as texts, or the index cannot be written.
        """
        ...

    def search(self, texts: Sequence[str], k: int = 10, threshold: float = -1.0) -> list[list[Hit]]:
        """For each text the ``k`` rows that are most like it and whose cosine is at least the threshold, best first;
        those of the same score by their row."""
        ...


def clipped(score: float) -> float:
    """A cosine as it can be, where rounding made it a little more."""
    return max(-1.0, min(1.0, score))


def rank(score: float, row: int) -> tuple[float, int]:
    """Sorts the best first; what differs by rounding alone is the same, and then the row decides."""
    return -round(score, _DIGITS), row
