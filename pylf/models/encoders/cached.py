"""An encoder that keeps its vectors on disk, by text and by what the encoder is."""

from __future__ import annotations

import hashlib
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from pylf.backends.text_cache import TextCache, in_cache_folder
from pylf.models.encoders.needs import require

if TYPE_CHECKING:
    import os
    import sqlite3
    from collections.abc import Iterator, Mapping, Sequence

    from pylf.models.encoders.protocol import Encoder, Vectors

#: the file's name in the cache folder; the number changes with what is written
FILE = "vectors-1.sqlite"
#: bytes of vectors that are kept; beyond, those that were not used for longest go
LIMIT = 1_000_000_000

#: texts that are encoded between two writes: what an interruption loses
_BLOCK = 512


class VectorCache(TextCache):
    """Kept vectors, as bytes, many in one transaction. ``path`` None: the file :data:`FILE` in the user's cache folder,
    nothing where there is none."""

    def __init__(self, path: str | os.PathLike[str] | None = None, limit: int = LIMIT) -> None:
        super().__init__(in_cache_folder(FILE) if path is None else path, limit, "vectors")

    def get(self, keys: Sequence[str]) -> dict[str, object]:
        """What is kept under these keys, by key: bytes, if the file was not tampered with."""
        found: dict[str, object] = {}
        for start in range(0, len(keys), _BLOCK):
            found |= self._guarded(partial(_found, keys=keys[start : start + _BLOCK])) or {}
        return found

    def put(self, vectors: Mapping[str, bytes]) -> None:
        """Keeps vectors by key; the oldest go where there are too many."""
        if vectors:
            self._guarded(partial(_keep, vectors=vectors, limit=self._limit))


class Cached:
    """An encoder in front of another one, with the same name, dimension and identity."""

    def __init__(self, encoder: Encoder, cache: VectorCache | None = None) -> None:
        """``cache`` None: the user's."""
        self._encoder = encoder
        self.cache = VectorCache() if cache is None else cache
        self.name = encoder.name
        self.dimension = encoder.dimension
        self.identity = encoder.identity

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Vectors of norm 1, of shape (texts, dimension); only texts that are not kept go to the encoder, each once."""
        require(("numpy",), "keeping vectors")
        import numpy as np

        keys = [self._key(text) for text in texts]
        rows: dict[str, Vectors] = {}
        for key, data in self.cache.get(list(dict.fromkeys(keys))).items():
            if isinstance(data, bytes) and len(data) == 4 * self.dimension:
                row = np.frombuffer(data, dtype="<f4")
                # a row that is not whole is as good as none
                if abs(float(row @ row) - 1.0) < 1e-3:
                    rows[key] = row
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in rows}
        for part in _parts(missing):
            made = self._encoder.encode(list(part.values()))
            rows |= dict(zip(part, made, strict=True))
            self.cache.put({key: rows[key].astype("<f4").tobytes() for key in part})
        stacked = np.array([rows[key] for key in keys], dtype=np.float32)
        return stacked.reshape(len(texts), self.dimension)

    def _key(self, text: str) -> str:
        told = f"{self.identity}\0{text}".encode("utf-8", "surrogatepass")
        return hashlib.blake2b(told, digest_size=20).hexdigest()


def _parts(missing: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Texts by key, so many at once; those of a length together, which encode more quickly so."""
    items = sorted(missing.items(), key=lambda item: len(item[1]))
    for start in range(0, len(items), _BLOCK):
        yield dict(items[start : start + _BLOCK])


# --- the table, as TextCache lays it out --------------------------------------------------------------------------


def _found(connection: sqlite3.Connection, keys: Sequence[str]) -> dict[str, object]:
    import sqlite3

    found: dict[str, object] = {}
    for key in keys:
        found |= connection.execute("SELECT key, data FROM answer WHERE key = ?", (key,)).fetchall()
    # another process may be writing, or nobody may: what was found is as good
    with suppress(sqlite3.OperationalError):
        used = [(time.time_ns(), key) for key in found]
        connection.execute("BEGIN IMMEDIATE")
        try:
            connection.executemany("UPDATE answer SET used = ? WHERE key = ?", used)
            connection.commit()
        except BaseException:
            connection.rollback()
            raise
    return found


def _keep(connection: sqlite3.Connection, vectors: Mapping[str, bytes], limit: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        now = time.time_ns()
        connection.executemany("DELETE FROM answer WHERE key = ?", [(key,) for key in vectors])
        rows = [(key, now, len(data), data) for key, data in vectors.items()]
        connection.executemany("INSERT INTO answer VALUES (?, ?, ?, ?)", rows)
        (held,) = connection.execute("SELECT bytes FROM held").fetchone()
        going: list[tuple[str]] = []
        if held > limit:
            for old, size in connection.execute("SELECT key, bytes FROM answer ORDER BY used"):
                if held <= limit:
                    break
                going.append((old,))
                held -= size
        connection.executemany("DELETE FROM answer WHERE key = ?", going)
        connection.commit()
    except BaseException:
        connection.rollback()
        raise
