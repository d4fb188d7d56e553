"""A folder with vectors, the keys and texts that they are of, and what made them.

``index.sqlite`` says what the vectors are (model, identity, dimension, count, whether they are normalised, a hash over
keys and texts, a hash of every stretch of vectors and of the cells) and holds keys and texts; ``vectors-N.f32`` holds
the vectors, little-endian float32, row by row, and is mapped into memory; ``centres-N.npy``, ``starts-N.npy`` and
``order-N.npy`` are the cells, where there are some. Rows are added in one transaction: vectors are written
first, and count from the moment at which the database says so; what a process that was stopped left behind them is
written over. ``N`` changes where vectors are laid out anew, in a new file beside the old one.
"""

from __future__ import annotations

import hashlib
import os
import threading
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pylf.errors import InputError, printable, reason
from pylf.models.vectors import cells as parted

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeVar

    from pylf.models.encoders.protocol import Encoder, Vectors
    from pylf.models.vectors.cells import Cells

    T = TypeVar("T")

#: changes with what is written
VERSION = "2"
FILE = "index.sqlite"

#: seconds to wait for another process that writes
_PATIENCE = 5.0
_BLOCK = 1 << 24
_MODULUS = 1 << 128

_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE entry (number INTEGER PRIMARY KEY, key TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE stretch (start INTEGER PRIMARY KEY, count INTEGER NOT NULL, hash TEXT NOT NULL);
"""


def content_hash(keys: Sequence[str], texts: Sequence[str], first: int = 0, before: str = "0") -> str:
    """A hash over rows, the first of which has a number, on top of the hash of the rows before it. It is the same
    however many are added at once."""
    total = int(before, 16)
    for number, (key, text) in enumerate(zip(keys, texts, strict=True), first):
        told = f"{number}\0{len(key)}\0{key}{text}".encode("utf-8", "surrogatepass")
        total += int.from_bytes(hashlib.blake2b(told, digest_size=16).digest())
    return f"{total % _MODULUS:032x}"


def exists(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder has an index, be it a damaged one. One whose making was broken off is none."""
    import sqlite3

    path = Path(folder) / FILE
    if not path.is_file():
        return False
    try:
        with closing(sqlite3.connect(path, timeout=_PATIENCE)) as connection:
            (tables,) = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        return True
    return bool(tables)


class AddedMeanwhile(InputError):
    """Another process added rows since the index was opened."""


class Store:
    """The files of an index. What is read is as it was when it was opened, or last added to from here."""

    def __init__(self, folder: str | os.PathLike[str], *, check: bool = True) -> None:
        """Open a folder; ``check`` reads all vectors to see that they are as they were written.

        Raises:
            InputError: no index, one of another version, or a damaged one.
        """
        self.folder = Path(folder)
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._process = 0
        self.meta: dict[str, str] = {}
        self._read_meta()
        self._steady(lambda: self._see(check))

    def _steady(self, look: Callable[[], T]) -> T:
        """What ``look`` gives. Where it finds damage and another process changed the files meanwhile, what is stated is
        read anew, and it looks again."""
        while True:
            stated = self.meta
            try:
                return look()
            except InputError:
                self._read_meta()
                if self.meta == stated:
                    raise

    @classmethod
    def create(cls, folder: str | os.PathLike[str], encoder: Encoder) -> Store:
        """A folder with an index of nothing yet.

        Raises:
            InputError: there is one, or the folder cannot be written.
        """
        path = Path(folder) / FILE
        meta = {
            "version": VERSION,
            "model": encoder.name,
            "identity": encoder.identity,
            "dimension": str(encoder.dimension),
            "count": "0",
            "normalised": "yes",
            "hash": content_hash((), ()),
            "generation": "0",
            "laid": "0",
            "cells": "",
        }
        import sqlite3

        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)) as connection:
                connection.execute("BEGIN EXCLUSIVE")
                for statement in _TABLES.split(";\n"):
                    connection.execute(statement)
                connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
                connection.execute("COMMIT")
        except sqlite3.Error as problem:
            told = "there is an index already" if "exists" in str(problem) else f"cannot be written ({problem})"
            raise InputError(f"{path}: {told}") from problem
        except OSError as problem:
            raise InputError(f"{path}: cannot be written ({reason(problem)})") from problem
        return cls(folder)

    # --- what it is -----------------------------------------------------------------------------------------------

    @property
    def model(self) -> str:
        """The name of the model that made the vectors."""
        return self.meta["model"]

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        return int(self.meta["dimension"])

    @property
    def count(self) -> int:
        """Rows."""
        return int(self.meta["count"])

    @property
    def laid(self) -> int:
        """Rows that are laid out by cells."""
        return int(self.meta["laid"])

    def refuse_other(self, encoder: Encoder) -> None:
        """See that an encoder is the one whose vectors these are.

        Raises:
            InputError: it is another one; names both, and both sizes.
        """
        if encoder.dimension != self.dimension:
            self.refuse_vectors(encoder.dimension, encoder.name)
        if encoder.identity != self.meta["identity"]:
            raise InputError(
                f"{self.folder}: its vectors were made by {printable(self.meta['identity'])!r}, which is not "
                f"{printable(encoder.identity)!r}. Build the index anew, or ask with the encoder that made it"
            )

    def refuse_vectors(self, dimension: int, model: str) -> None:
        """See that vectors are of the model that made these, and as long. Of one size they are no more alike.

        Raises:
            InputError: they are not.
        """
        if dimension != self.dimension or model != self.model:
            raise InputError(
                f"{self.folder}: its vectors have {self.dimension} numbers (model {printable(self.model)}), "
                f"those asked with have {dimension} (model {printable(model)}). "
                "Build the index anew, or ask with the encoder that made it"
            )

    # --- reading --------------------------------------------------------------------------------------------------

    def vectors(self) -> Vectors:
        """The vectors as they lie in the file, mapped: float32, of shape (count, dimension)."""
        import numpy as np

        if self.count == 0:
            return np.empty((0, self.dimension), dtype=np.float32)
        shape = (self.count, self.dimension)
        try:
            return np.asarray(np.memmap(self._path("vectors", "f32"), dtype="<f4", mode="r", shape=shape))
        except (OSError, ValueError) as problem:
            raise InputError(f"{self._path('vectors', 'f32')}: cannot be read ({problem})") from problem

    def cells(self) -> Cells | None:
        """The cells that the first vectors in the file are parted into; None where they are not."""
        found = parted.read(self._cell_files(), self.meta["cells"]) if self.laid else None
        if found is not None and len(found.order) != self.laid:
            raise InputError(f"{self.folder}: {self.laid} rows in cells of {len(found.order)}; build the index anew")
        return found

    def mapped(self) -> tuple[Vectors, Cells | None]:
        """Vectors and cells, of the same moment."""
        return self._steady(lambda: (self.vectors(), self.cells()))

    def entries(self, rows: Sequence[int]) -> list[tuple[str, str]]:
        """Key and text of rows."""
        with self._lock, self._reported():
            connection = self._opened()
            found = [
                connection.execute("SELECT key, text FROM entry WHERE number = ?", (row,)).fetchone() for row in rows
            ]
        if None in found:
            raise InputError(f"{self.folder / FILE}: row {rows[found.index(None)]} is missing; build the index anew")
        return found

    def close(self) -> None:
        """Close the database; it opens again when it is used."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    # --- writing --------------------------------------------------------------------------------------------------

    def append(self, keys: Sequence[str], texts: Sequence[str], vectors: Vectors) -> None:
        """Add rows with their vectors, which are normalised.

        Raises:
            InputError: the files cannot be written, or another process added rows meanwhile.
        """
        data = vectors.astype("<f4").tobytes()
        first = self.count
        with self._writing() as connection:
            self._write_at(first * self.dimension * 4, data)
            rows = [(number, key, text) for number, (key, text) in enumerate(zip(keys, texts, strict=True), first)]
            connection.executemany("INSERT INTO entry VALUES (?, ?, ?)", rows)
            connection.execute("INSERT INTO stretch VALUES (?, ?, ?)", (first, len(rows), _sha(data)))
            changed = {
                "count": str(first + len(rows)),
                "hash": content_hash(keys, texts, first, self.meta["hash"]),
            }
            _set(connection, changed)
        self.meta |= changed

    def lay_out(self, cells: Cells, positions: Any) -> None:
        """Write the vectors anew, in the order of these positions, which is that of the cells.

        Raises:
            InputError: the files cannot be written, or another process added rows meanwhile.
        """
        old = self.vectors()
        generation = str(int(self.meta["generation"]) + 1)
        before = self.meta["generation"]
        step = max(1, _BLOCK // (4 * self.dimension))
        with self._writing() as connection:
            connection.execute("DELETE FROM stretch")
            with self._path("vectors", "f32", generation).open("wb") as file:
                for start in range(0, len(positions), step):
                    data = old[positions[start : start + step]].astype("<f4").tobytes()
                    file.write(data)
                    count = len(data) // (4 * self.dimension)
                    connection.execute("INSERT INTO stretch VALUES (?, ?, ?)", (start, count, _sha(data)))
                file.flush()
                os.fsync(file.fileno())
            told = parted.write(self._cell_files(generation), cells)
            changed = {"generation": generation, "laid": str(len(positions)), "cells": told}
            _set(connection, changed)
        self.meta |= changed
        for path in (self._path("vectors", "f32", before), *self._cell_files(before)):
            with suppress(OSError):  # another process may have it mapped, where that holds it
                path.unlink(missing_ok=True)

    # --- the files ------------------------------------------------------------------------------------------------

    def _path(self, what: str, kind: str, generation: str | None = None) -> Path:
        return self.folder / f"{what}-{self.meta['generation'] if generation is None else generation}.{kind}"

    def _cell_files(self, generation: str | None = None) -> list[Path]:
        return [self._path(what, "npy", generation) for what in parted.FILES]

    def _write_at(self, place: int, data: bytes) -> None:
        path = self._path("vectors", "f32")
        with path.open("r+b" if path.exists() else "w+b") as file:
            file.truncate(place)  # what is behind was never said to be there
            file.seek(place)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def _read_meta(self) -> None:
        path = self.folder / FILE
        if not exists(self.folder):
            raise InputError(f"{self.folder}: there is no index of vectors ({FILE} is missing or empty)")
        with self._lock, self._reported():
            stated = self._opened().execute("SELECT name, value FROM meta").fetchall()
        if not all(isinstance(part, str) for pair in stated for part in pair):
            raise InputError(f"{path}: damaged; build the index anew")
        self.meta = dict(stated)
        if self.meta.get("version") != VERSION:
            told = printable(str(self.meta.get("version")))
            raise InputError(f"{path}: an index of version {told}, this is {VERSION}; build it anew")
        numbers = ("dimension", "count", "generation", "laid")
        if any(not self.meta.get(name, "").isdecimal() for name in numbers) or self.dimension == 0:
            raise InputError(f"{path}: damaged; build the index anew")
        if self.meta.get("normalised") != "yes":
            raise InputError(f"{path}: its vectors are not normalised, so products are no cosines; build it anew")
        if not {"model", "identity", "hash", "cells"} <= self.meta.keys():
            raise InputError(f"{path}: does not say what its vectors are of; build the index anew")

    def _see(self, check: bool) -> None:
        path = self._path("vectors", "f32")
        needed = self.count * self.dimension * 4
        there = path.stat().st_size if path.is_file() else 0
        if there < needed:
            raise InputError(
                f"{path}: {there} bytes, where {self.count} vectors of {self.dimension} numbers "
                f"(model {printable(self.model)}) take {needed}; build the index anew"
            )
        if check:
            self._see_hashes()

    def _see_hashes(self) -> None:
        with self._lock, self._reported():
            stretches = self._opened().execute("SELECT start, count, hash FROM stretch ORDER BY start").fetchall()
            (rows,) = self._opened().execute("SELECT COUNT(*) FROM entry").fetchone()
        if rows != self.count or sum(count for _, count, _ in stretches) != self.count:
            raise InputError(f"{self.folder / FILE}: {rows} rows where {self.count} are stated; build the index anew")
        vectors = self.vectors()
        for start, count, told in stretches:
            if _sha(vectors[start : start + count].data) != told:
                raise InputError(
                    f"{self._path('vectors', 'f32')}: rows {start} to {start + count - 1} are not as they were "
                    "written; build the index anew"
                )
        self.cells()

    def _opened(self) -> sqlite3.Connection:
        """The database, to read; a process that was forked opens its own."""
        import sqlite3

        if self._connection is None or self._process != os.getpid():
            # able to write, where that is allowed: what a process that was killed left half done is taken back so
            address = f"{(self.folder / FILE).absolute().as_uri()}?mode=rw"
            self._connection = sqlite3.connect(address, uri=True, timeout=_PATIENCE, check_same_thread=False)
            self._process = os.getpid()
        return self._connection

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction, which no other writer is in; what is read must still be what is there."""
        import sqlite3

        with self._reported(), closing(sqlite3.connect(self.folder / FILE, timeout=_PATIENCE)) as connection:
            connection.isolation_level = None
            connection.execute("BEGIN IMMEDIATE")
            there = dict(connection.execute("SELECT name, value FROM meta").fetchall())
            if there != self.meta:
                raise AddedMeanwhile(f"{self.folder}: another process added to this index meanwhile; open it anew")
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def _reported(self) -> Iterator[None]:
        import sqlite3

        try:
            yield
        except sqlite3.Error as problem:
            raise InputError(f"{self.folder / FILE}: cannot be used ({problem})") from problem
        except OSError as problem:
            raise InputError(f"{self.folder}: cannot be written ({reason(problem)})") from problem
        except UnicodeEncodeError as problem:
            told = printable(problem.object)
            raise InputError(f"{self.folder}: {told!r} holds half of a pair of surrogates, no character") from problem


def _set(connection: sqlite3.Connection, changed: dict[str, str]) -> None:
    connection.executemany(
        "UPDATE meta SET value = ? WHERE name = ?", [(value, name) for name, value in changed.items()]
    )


def _sha(data: bytes | memoryview) -> str:
    return hashlib.sha256(data).hexdigest()
