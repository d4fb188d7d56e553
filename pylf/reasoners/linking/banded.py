"""The rows that are most like a query, by the standard library alone, of rows that are sorted by their norm.

Rows are gone through in bands of nearly the same norm, those of the query's norm first: the best are mostly there. In a
band the rarest features come first. A row of norm N that has none of those seen so far has at most ``rest`` in common
with the query, the sum of the squared weights that are not seen yet, and N² at most; so its cosine is at most
``rest / max(N, √rest)``, by the query's norm. Once that is below what k rows have for certain, only rows that were met
can win, and soon only few of them. So the answers are exactly those of comparing with every row.
"""

from __future__ import annotations

import heapq
import math
from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

from pylf.models.vectors.hit import TOLERANCE, clipped, rank
from pylf.records import record

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterable, Sequence

    #: a feature's squared weight, and the rows that have it, ascending
    Posting: TypeAlias = tuple[float, array[int]]

#: rows of a band: what is worked on stays in the processor's cache
_BAND = 8192
#: rows that are looked at to know what k rows have for certain
_FIRST = 2048
#: to look a row up in a list takes as long as to go through so many of its rows
_LOOK = 6
#: less than the squared weight of any feature
_NOTHING = 0.5


@record
class Sought:
    """What is sought: the postings of a query's features, rarest first; its norm, in which all its features count."""

    postings: Sequence[Posting]
    norm: float


def nearest(
    sought: Sought, norms: array[float], numbers: array[int], k: int, threshold: float
) -> list[tuple[int, float]]:
    """Numbers and cosines of the ``k`` best rows whose cosine is at least the threshold, best first; those of the same
    cosine by their number. ``norms`` are ascending."""
    squares = [square for square, _ in sought.postings]
    rests = [*accumulate(reversed(squares), initial=0.0)][::-1]
    sums = [0.0] * len(norms)
    least = max(threshold, _sure(sought, norms, k)) - TOLERANCE
    middle = bisect_left(norms, sought.norm) - _BAND // 2
    best: list[tuple[tuple[float, int], float]] = []
    for start in sorted(range(0, len(norms), _BAND), key=lambda start: abs(start - middle)):
        band = range(start, min(start + _BAND, len(norms)))
        for row in _able(sought, rests, sums, norms, band, least * sought.norm):
            score = clipped(sums[row] / (sought.norm * norms[row]))
            if score >= threshold - TOLERANCE:
                best.append((rank(score, numbers[row]), score))
        best = heapq.nsmallest(k, best)
        if len(best) == k:
            least = max(least, best[-1][1] - TOLERANCE)
    return [(number, score) for (_, number), score in best]


def _sure(sought: Sought, norms: array[float], k: int) -> float:
    """What k rows have for certain: the cosines of those that have most of the rarest features."""
    sums: dict[int, float] = {}
    seen = gone_through = 0
    for square, rows in sought.postings:
        for row in rows:
            sums[row] = sums.get(row, 0.0) + square
        seen += 1
        gone_through += len(rows)
        if gone_through >= _FIRST:
            break
    if len(sums) < k:
        return -1.0
    best = heapq.nlargest(2 * k, [(part / norms[row], row) for row, part in sums.items()])
    left = sought.postings[seen:]
    whole = [(sums[row] + _looked_up(row, left)) / (sought.norm * norms[row]) for _, row in best]
    return heapq.nlargest(k, whole)[-1]


def _looked_up(row: int, postings: Iterable[Posting]) -> float:
    """The squared weights of those features that a row has."""
    return sum(square for square, rows in postings if _has(rows, row, 0, len(rows)))


def _has(rows: array[int], row: int, first: int, end: int) -> bool:
    place = bisect_left(rows, row, first, end)
    return place < end and rows[place] == row


def _able(
    sought: Sought, rests: Sequence[float], sums: list[float], norms: array[float], band: range, cut: float
) -> list[int]:
    """The rows of a band that have the cut for each of their norm; what they have is in ``sums`` then."""
    met: list[array[int]] = []
    able: list[int] | None = None
    done = 0  # since the able ones were looked through
    for number, (square, rows) in enumerate(sought.postings):
        rest = rests[number]
        if able is None and rest / max(norms[band.start], math.sqrt(rest)) < cut:
            able = _reaching(_met(met, sums, band, cut * norms[band.start] - rest), rest, sums, norms, cut)
            done = 0
        elif able is not None and done >= len(able):
            able = _reaching(able, rest, sums, norms, cut)
            done = 0
        if able is not None and not able:
            return []
        first = bisect_left(rows, band.start)
        end = bisect_left(rows, band.stop, first)
        if able is None:
            met.append(rows[first:end])
        if able is None or _LOOK * len(able) >= end - first:
            for row in rows[first:end]:
                sums[row] += square
            done += end - first
        else:
            for row in able:
                if _has(rows, row, first, end):
                    sums[row] += square
            done += _LOOK * len(able)
    return _reaching(_met(met, sums, band, cut * norms[band.start]) if able is None else able, 0.0, sums, norms, cut)


def _met(met: Sequence[array[int]], sums: Sequence[float], band: range, least: float) -> Iterable[int]:
    """Rows that were met, at any rate those that have so much."""
    if 4 * sum(map(len, met)) < len(band):
        return set().union(*met)
    least = max(least, _NOTHING)
    return [row for row, part in enumerate(sums[band.start : band.stop], band.start) if part >= least]


def _reaching(rows: Iterable[int], rest: float, sums: Sequence[float], norms: array[float], cut: float) -> list[int]:
    """Those of the rows that have the cut, if all the rest is theirs too."""
    return [row for row in rows if sums[row] + rest >= cut * norms[row]]
