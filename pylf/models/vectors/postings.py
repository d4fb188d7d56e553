"""The index of the lexical encoder, by the standard library alone: for each word and piece of a word, the rows that
have it.

How rare a feature is, is counted among the rows that are there, so a score may change when rows are added. A search
goes through the rarest features of the query first. A row that has none of those seen so far has at most the cosine
``sqrt(rest) / norm``, where ``rest`` is the sum of the squared weights not seen yet (Cauchy and Schwarz); once that is
below the k-th best score, no more rows come in, and those that can still win are looked up one by one. So the answers
are exactly those of comparing with every row.
"""

from __future__ import annotations

import heapq
import math
from array import array
from bisect import bisect_left
from typing import TYPE_CHECKING

from pylf.errors import InputError
from pylf.models.encoders.lexical import features, weight_of
from pylf.models.vectors.hit import TOLERANCE, Hit, clipped, rank
from pylf.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Sequence

_EVERY = 4096


class LexicalIndex:
    """Rows of a key and a text, in memory."""

    def __init__(self) -> None:
        self._keys: list[str] = []
        self._texts: list[str] = []
        #: by feature, the rows that have it, ascending
        self._rows: dict[str, array[int]] = {}
        #: by row, the norm of its weights; None where rows were added since
        self._norms: array[float] | None = None

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, keys: Sequence[str], texts: Sequence[str]) -> None:
        """Add rows, each a key and a text, with a progress bar on a terminal.

        Raises:
            InputError: not so many keys as texts.
        """
        if len(keys) != len(texts):
            raise InputError(f"{len(keys)} keys for {len(texts)} texts: each row has one of both")
        self._norms = None
        with Progress("indexing") as bar:
            for done, (key, text) in enumerate(zip(keys, texts, strict=True), 1):
                row = len(self._keys)
                self._keys.append(key)
                self._texts.append(text)
                for feature in features(text):
                    rows = self._rows.get(feature)
                    if rows is None:
                        self._rows[feature] = array("I", (row,))
                    else:
                        rows.append(row)
                if done % _EVERY == 0:
                    bar.advance(done, len(keys))

    def search(self, texts: Sequence[str], k: int = 10, threshold: float = -1.0) -> list[list[Hit]]:
        """For each text the ``k`` rows that are most like it, have a feature in common with it, and whose cosine is at
        least the threshold, best first; those of the same score by their row."""
        if self._norms is None:
            self._norms = self._norms_now()
        return [self._found(text, k, threshold, self._norms) if k > 0 else [] for text in texts]

    def _weight(self, feature: str) -> float:
        return weight_of(feature, len(self._rows.get(feature, ())), len(self._keys))

    def _norms_now(self) -> array[float]:
        squares = array("d", bytes(8 * len(self._keys)))
        for feature, rows in self._rows.items():
            square = self._weight(feature) ** 2
            for row in rows:
                squares[row] += square
        return array("d", map(math.sqrt, squares))

    def _found(self, text: str, k: int, threshold: float, norms: array[float]) -> list[Hit]:
        weights = sorted(((self._weight(feature) ** 2, feature) for feature in features(text)), reverse=True)
        rest = math.fsum(square for square, _ in weights)
        norm = math.sqrt(rest)
        known = [(square, self._rows[feature]) for square, feature in weights if feature in self._rows]
        rest = math.fsum(square for square, _ in known)
        sums: dict[int, float] = {}
        least = threshold - TOLERANCE
        seen = 0
        for square, rows in known:
            if seen and math.sqrt(rest) / norm < least:
                break
            get = sums.get
            for row in rows:
                sums[row] = get(row, 0.0) + square
            seen += 1
            rest = max(0.0, math.fsum(one for one, _ in known[seen:]))
            # what is worked out here pays where it spares a list as long as what it goes through
            if len(sums) >= k and seen < len(known) and 4 * len(known[seen][1]) >= len(sums):
                least = max(least, self._kth(sums, norm, norms, k) - TOLERANCE)
        left = known[seen:]
        able = {row: part for row, part in sums.items() if (part + rest) / (norm * norms[row]) >= least}
        scored = [
            (rank(score, row), score)
            for row, part in able.items()
            if (score := clipped((part + _looked_up(row, left)) / (norm * norms[row]))) >= threshold - TOLERANCE
        ]
        best = heapq.nsmallest(k, scored)
        return [Hit(row, self._keys[row], self._texts[row], score) for (_, row), score in best]

    @staticmethod
    def _kth(sums: dict[int, float], norm: float, norms: array[float], k: int) -> float:
        """What the k-th best row has for certain by now."""
        return heapq.nlargest(k, [part / (norm * norms[row]) for row, part in sums.items()])[-1]


def _looked_up(row: int, features_left: Sequence[tuple[float, array[int]]]) -> float:
    """The squared weights of those features that a row has."""
    total = 0.0
    for square, rows in features_left:
        place = bisect_left(rows, row)
        if place < len(rows) and rows[place] == row:
            total += square
    return total
