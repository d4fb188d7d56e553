"""An index of names by an encoder's vectors: kept in a folder, added to, searched by text or by vector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import InputError
from pylf.models.encoders.needs import require
from pylf.models.encoders.protocol import unit_rows
from pylf.models.vectors import cells, nearest
from pylf.models.vectors.hit import Hit
from pylf.models.vectors.store import Store, content_hash
from pylf.progress import Progress

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from pylf.models.encoders.protocol import Encoder, Vectors
    from pylf.models.vectors.cells import Cells
    from pylf.models.vectors.nearest import Engine

#: Up to so many rows all are looked at (20 ms for these, on one thread); more are parted into cells.
FLAT_UP_TO = 200_000

#: rows that are encoded and written at once
_BLOCK = 1024


class VectorIndex:
    """Rows of a key and a text, in a folder, that are found by the cosine of their texts' vectors.

    ``encoder`` must be the one that made the vectors. ``engine`` shortlists; the answers do not depend on it.
    ``flat_up_to``: see :data:`FLAT_UP_TO`; ``probes``: cells that a search looks at, where there are cells (None: by
    their number).
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        encoder: Encoder,
        *,
        check: bool = True,
        engine: Engine = "numpy",
        flat_up_to: int = FLAT_UP_TO,
        probes: int | None = None,
    ) -> None:
        """Open an index. ``check`` reads all vectors to see that they are as they were written.

        Raises:
            InputError: there is no index, it is damaged, or another model's; or a package is missing.
        """
        require(("numpy", "faiss") if engine == "faiss" else ("numpy",), "an index of vectors")
        self.store = Store(folder, check=check)
        self.store.refuse_other(encoder)
        self._encoder = encoder
        self._engine: Engine = engine
        self._flat_up_to = flat_up_to
        self._probes = probes
        self._map()

    @classmethod
    def create(
        cls, folder: str | os.PathLike[str], encoder: Encoder, *, engine: Engine = "numpy", flat_up_to: int = FLAT_UP_TO
    ) -> VectorIndex:
        """An index of nothing yet, in a folder.

        Raises:
            InputError: there is an index already, or the folder cannot be written.
        """
        require(("numpy",), "an index of vectors")
        Store.create(folder, encoder).close()
        return cls(folder, encoder, engine=engine, flat_up_to=flat_up_to)

    def __len__(self) -> int:
        return self.store.count

    @property
    def hash(self) -> str:
        """A hash over all rows' keys and texts, as :func:`~pylf.models.vectors.store.content_hash` makes it."""
        return self.store.meta["hash"]

    def is_of(self, keys: Sequence[str], texts: Sequence[str]) -> bool:
        """Whether these are the rows, in this order, or those after which more were added or are to be."""
        known = len(self)
        return known <= len(keys) and content_hash(keys[:known], texts[:known]) == self.hash

    def close(self) -> None:
        """Close the files."""
        self.store.close()

    # --- adding ---------------------------------------------------------------------------------------------------

    def add(self, keys: Sequence[str], texts: Sequence[str]) -> None:
        """Add rows, each a key and a text, with a progress bar on a terminal. What was added when this is interrupted
        stays.

        Raises:
            InputError: not so many keys as texts; a text whose vector has no direction; the files cannot be written, or
                another process adds to them.
        """
        if len(keys) != len(texts):
            raise InputError(f"{len(keys)} keys for {len(texts)} texts: each row has one of both")
        with Progress("indexing") as bar:
            for start in range(0, len(keys), _BLOCK):
                part = slice(start, start + _BLOCK)
                self._append(keys[part], texts[part], self._encoder.encode(texts[part]), self._encoder.name)
                bar.advance(min(start + _BLOCK, len(keys)), len(keys))
            self._part(bar)
        self._map()

    def add_vectors(self, keys: Sequence[str], texts: Sequence[str], vectors: Vectors, model: str) -> None:
        """Add rows whose vectors are there; they are normalised.

        Raises:
            InputError: not so many keys, texts and vectors; vectors of another model or another length than the
                index's; a vector that is zero or holds a NaN, with its row.
        """
        if not len(keys) == len(texts) == len(vectors):
            told = f"{len(keys)} keys, {len(texts)} texts and {len(vectors)} vectors"
            raise InputError(f"{told}: each row has one of each")
        self._append(keys, texts, vectors, model)
        with Progress("indexing") as bar:
            self._part(bar)
        self._map()

    def _append(self, keys: Sequence[str], texts: Sequence[str], vectors: Vectors, model: str) -> None:
        if not keys:
            return
        self._refuse(vectors, model)
        self.store.append(keys, texts, unit_rows(vectors, model, keys, len(self)))

    def _part(self, bar: Progress) -> None:
        """Part the vectors into cells, where so many are in none that a search of these takes too long."""
        import numpy as np

        loose = len(self) - self.store.laid
        if loose <= (self._flat_up_to // 2 if self.store.laid else self._flat_up_to):
            return
        vectors, before = self.store.vectors(), self.store.cells()
        rows = np.arange(len(self))
        if before is not None:
            rows = np.concatenate([before.order, rows[self.store.laid :]])
        bar.phase("finding cells")
        centres = cells.centres_of(vectors, cells.count_for(len(vectors)))
        bar.phase("parting into cells")
        nearest_centres = cells.assigned(vectors, centres, bar.advance)
        self.store.lay_out(cells.laid_out(rows, nearest_centres, centres), np.argsort(nearest_centres, kind="stable"))

    def _map(self) -> None:
        self._vectors: Vectors
        self._cells: Cells | None
        self._vectors, self._cells = self.store.mapped()

    # --- searching ------------------------------------------------------------------------------------------------

    def search(self, texts: Sequence[str], k: int = 10, threshold: float = -1.0) -> list[list[Hit]]:
        """For each text the ``k`` rows that are most like it and whose cosine is at least the threshold (within a
        tolerance for rounding), best first; those of the same score by their row."""
        return self.search_vectors(self._encoder.encode(texts), self._encoder.name, k, threshold)

    def search_vectors(
        self, vectors: Vectors, model: str, k: int = 10, threshold: float = -1.0, *, exact: bool = False
    ) -> list[list[Hit]]:
        """The same for vectors that a model made, of shape (queries, dimension); they are normalised. ``exact`` looks
        at every row where otherwise some cells are.

        Raises:
            InputError: they are of another model or another length than the index's, or one is zero or holds a NaN.
        """
        self._refuse(vectors, model)
        queries = unit_rows(vectors, model)
        if k < 1 or not len(self):
            return [[] for _ in queries]
        if self._cells is None or exact:
            found = nearest.shortlists(self._vectors, queries, min(k, len(self)), threshold, self._engine)
        else:
            found = (self._in_cells(query, self._cells, k, threshold) for query in queries)
        return [self._hits(query, positions, k, threshold) for query, positions in zip(queries, found, strict=True)]

    def _in_cells(self, query: Vectors, parted: Cells, k: int, threshold: float) -> object:
        """Positions of the nearest rows in the nearest cells and among the rows that are in none yet."""
        stretches = [*parted.stretches(query, self._probes), (self.store.laid, len(self))]
        return nearest.shortlist_in(self._vectors, stretches, query, k, threshold)

    def _hits(self, query: Vectors, positions: object, k: int, threshold: float) -> list[Hit]:
        scores = nearest.scored(self._vectors, positions, query)
        best = nearest.chosen(self._rows(positions), scores, k, threshold)
        entries = self.store.entries([row for row, _ in best])
        return [Hit(row, key, text, score) for (row, score), (key, text) in zip(best, entries, strict=True)]

    def _rows(self, positions: object) -> object:
        """The rows at positions of the file."""
        import numpy as np

        at = np.asarray(positions)
        if self._cells is None:
            return at
        inside = at < self.store.laid
        rows = at.copy()
        rows[inside] = self._cells.order[at[inside]]
        return rows

    def _refuse(self, vectors: Vectors, model: str) -> None:
        if vectors.ndim != 2:
            raise InputError(f"vectors of shape {vectors.shape}; wanted is (rows, {self.store.dimension})")
        self.store.refuse_vectors(vectors.shape[1], model)
