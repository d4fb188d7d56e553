"""The lexical index of a graph's names, kept in their file: a search reads the rows of its own words alone.

The rows of the index are sorted by their norm; beside it stands which name each of them is. Where numpy is, it adds the
weights up over all rows at once; without it the search is the standard library's (``banded``), and finds the same.
"""

from __future__ import annotations

import heapq
import math
from array import array
from typing import TYPE_CHECKING

from pylf.models.encoders.lexical import features
from pylf.models.encoders.needs import has, require
from pylf.models.vectors.hit import TOLERANCE, Hit, clipped, rank
from pylf.models.vectors.postings import LexicalIndex
from pylf.reasoners.linking.banded import Sought, nearest
from pylf.records import replace

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Sequence


TABLES = """
CREATE TABLE posting (feature TEXT PRIMARY KEY, rows BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE norms (one INTEGER PRIMARY KEY CHECK (one = 1), data BLOB NOT NULL, numbers BLOB NOT NULL);
"""
#: features whose rows stay in memory
_KEPT = 20_000


class KeptPostings(LexicalIndex):
    """A lexical index whose rows are in a table. ``every`` gives the rows of a query, ``each`` those for each of some
    values; ``named`` keys and texts of rows."""

    def __init__(
        self,
        count: int,
        every: Callable[[str], list[tuple[bytes | str, ...]]],
        each: Callable[[str, Iterable[str | int]], list[tuple[bytes | str, ...]]],
        named: Callable[[Sequence[int]], dict[int, tuple[str, str]]],
        numpy: bool | None = None,
    ) -> None:
        super().__init__()
        # what a row is called is looked up once it is found
        self._keys = self._texts = [""] * count
        self._each = each
        self._named = named
        ((norms, numbers),) = every("SELECT data, numbers FROM norms")
        assert isinstance(norms, bytes)
        assert isinstance(numbers, bytes)
        self._norms = array("d", norms)
        #: by row, the number of its name
        self._numbers = array("I", numbers)
        self._numpy = has("numpy") if numpy is None else numpy

    def search(self, texts: Sequence[str], k: int = 10, threshold: float = -1.0) -> list[list[Hit]]:
        """As of :class:`~pylf.models.vectors.postings.LexicalIndex`."""
        if len(self._rows) > _KEPT:
            self._rows = {}
        wanted = sorted({feature for text in texts for feature in features(text)} - self._rows.keys())
        for feature, data in self._each("SELECT feature, rows FROM posting WHERE feature = ?", wanted):
            assert isinstance(feature, str)
            assert isinstance(data, bytes)
            self._rows[feature] = array("I", data)
        hits = super().search(texts, k, threshold)
        names = self._named([hit.row for found in hits for hit in found])
        return [[replace(hit, key=names[hit.row][0], text=names[hit.row][1]) for hit in found] for found in hits]

    def _found(self, text: str, k: int, threshold: float, norms: array[float]) -> list[Hit]:
        weights = {feature: self._weight(feature) ** 2 for feature in features(text)}
        norm = math.sqrt(math.fsum(weights.values()))
        if self._numpy and norms:
            found = self._by_numpy(weights, norm, k, threshold, norms)
        else:
            rarest = sorted(((square, feature) for feature, square in weights.items()), reverse=True)
            postings = [(square, self._rows[feature]) for square, feature in rarest if feature in self._rows]
            found = nearest(Sought(postings, norm), norms, self._numbers, k, threshold)
        return [Hit(number, "", "", score) for number, score in found]

    def _by_numpy(
        self, weights: dict[str, float], norm: float, k: int, threshold: float, norms: array[float]
    ) -> list[tuple[int, float]]:
        require(("numpy",), "a search by numpy")
        import numpy as np

        sums = np.zeros(len(norms))
        for feature, square in sorted(weights.items()):
            if feature in self._rows:
                # no row stands twice in a list, so that each is added to once
                sums[np.frombuffer(self._rows[feature], dtype=np.uint32)] += square
        sums /= np.frombuffer(norms, dtype=np.float64)
        sums /= norm
        least = max(threshold, float(np.partition(sums, -k)[-k]) if k < len(sums) else threshold) - TOLERANCE
        rows = np.flatnonzero((sums >= least) & (sums > 0.0)).tolist()
        scored = [
            (rank(score, self._numbers[row]), score) for row, score in zip(rows, sums[rows].tolist(), strict=True)
        ]
        return [(number, clipped(score)) for (_, number), score in heapq.nsmallest(k, scored)]


class MadePostings(LexicalIndex):
    """A lexical index that is made in memory, to be written."""

    def write(self, connection: sqlite3.Connection) -> None:
        """Write the tables of :data:`TABLES`."""
        norms = self._norms_now()
        numbers = array("I", sorted(range(len(norms)), key=norms.__getitem__))
        row_of = array("I", bytes(len(numbers) * numbers.itemsize))
        for row, number in enumerate(numbers):
            row_of[number] = row
        rows = (
            (feature, array("I", sorted([row_of[number] for number in having])).tobytes())
            for feature, having in sorted(self._rows.items())
        )
        connection.executemany("INSERT INTO posting VALUES (?, ?)", rows)
        ascending = array("d", [norms[number] for number in numbers])
        connection.execute("INSERT INTO norms VALUES (1, ?, ?)", (ascending.tobytes(), numbers.tobytes()))
