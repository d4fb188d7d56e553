"""Markdown tables and the statistics in them."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; the first column is words, the others numbers."""
    lines = [list(headings), ["---", *["---:"] * (len(headings) - 1)], *map(list, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def median(values: Iterable[float]) -> float:
    """The middle value."""
    return statistics.median(values)


def percentile(values: Iterable[float], share: float) -> float:
    """The value that ``share`` (0 to 1) of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
