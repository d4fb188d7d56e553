"""Texts kept under keys in one file of the user's cache folder: what was paid for, or waited for, once.

The file is SQLite's, shared by threads and processes. A cache that cannot be read or written costs time, never a
result: what went wrong stands in ``remarks``. A damaged file is set aside, and a new one made; a file of something else
is left alone, and nothing kept.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")

#: seconds to wait for another process that writes
_PATIENCE = 2.0

_TABLES = """
PRAGMA journal_mode = WAL;
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS answer (
    key TEXT PRIMARY KEY, used INTEGER NOT NULL, bytes INTEGER NOT NULL, data TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS answer_used ON answer (used, bytes);
CREATE TABLE IF NOT EXISTS held (one INTEGER PRIMARY KEY CHECK (one = 1), bytes INTEGER NOT NULL);
INSERT OR IGNORE INTO held VALUES (1, 0);
CREATE TRIGGER IF NOT EXISTS came AFTER INSERT ON answer
    BEGIN UPDATE held SET bytes = bytes + NEW.bytes; END;
CREATE TRIGGER IF NOT EXISTS went AFTER DELETE ON answer
    BEGIN UPDATE held SET bytes = bytes - OLD.bytes; END;
COMMIT;
"""


_HEADER = b"SQLite format 3\0"
#: a file that is called so was made to be a cache, whatever it holds now
_SUFFIXES = (".sqlite", ".sqlite3", ".db")
_DAMAGED = ("no such table", "no such column", "malformed")


class _OfSomethingElse(Exception):
    """The file is no cache, and never was."""

    def __str__(self) -> str:
        return "the file holds something else"


class TextCache:
    """Kept texts. ``path``: the file, None for none; ``limit``: bytes that are kept, beyond which those that were not
    used for longest go; ``what`` they are, in remarks. Nothing is opened before it is used."""

    def __init__(self, path: str | os.PathLike[str] | None, limit: int, what: str) -> None:
        self.path = None if path is None else os.fspath(path)
        self._limit = limit
        self._what = what
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._process = 0
        self._closed = self.path is None
        #: what went wrong so far, a sentence each
        self.remarks: list[str] = []

    def read(self, key: str, made: Callable[[str], T]) -> T | None:
        """What ``made`` makes of the text under a key; None where there is none. A text that ``made`` finds damaged
        (ValueError, TypeError, LookupError, RecursionError) goes."""
        return self._guarded(lambda connection: _get(connection, key, made))

    def write(self, key: str, text: str) -> None:
        """Keeps a text, in the place of another under that key; the oldest go where there are too many."""
        if _size(text) <= self._limit:
            self._guarded(lambda connection: _put(connection, key, text, self._limit))

    def close(self) -> None:
        """Closes the file; it opens again when it is used."""
        with self._lock:
            self._forget()

    # --- the file -------------------------------------------------------------------------------------------------

    def _guarded(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """What ``work`` gives; None where the file cannot be used."""
        import sqlite3

        with self._lock:
            for last in (False, True):
                if self._closed:
                    return None
                try:
                    return work(self._opened())
                except sqlite3.Error as problem:
                    self._forget()
                    if not _is_damage(problem):  # busy for long, read-only, full: nothing that a new file would mend
                        self._remark(f"{self.path}: {self._what} are not kept ({problem})")
                        return None
                except UnicodeError:  # half a pair of surrogates, which no text in a file can hold
                    return None
                except (OSError, _OfSomethingElse) as problem:
                    told = (problem.strerror if isinstance(problem, OSError) else None) or problem
                    self._remark(f"{self.path}: {self._what} are not kept ({told})")
                    self._closed = True
                    return None
                if last or not self._set_aside():
                    self._closed = True
            return None

    def _opened(self) -> sqlite3.Connection:
        if self._connection is not None and self._process != os.getpid():
            self._connection = None  # a forked process must not use, nor close, what its parent opened
        if self._connection is None:
            import sqlite3
            from pathlib import Path

            assert self.path is not None
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            self._see_whose()
            connection = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
            try:
                connection.execute("PRAGMA synchronous = NORMAL")
                if not _has_tables(connection):
                    connection.executescript(_TABLES)
            except (sqlite3.Error, _OfSomethingElse):
                connection.close()
                raise
            self._connection, self._process = connection, os.getpid()
        return self._connection

    def _see_whose(self) -> None:
        """Raises:
        _OfSomethingElse: the file is of something else by its name and by what it holds: settings, questions.
        """
        from pathlib import Path

        assert self.path is not None
        if self.path.endswith(_SUFFIXES):
            return
        with suppress(FileNotFoundError), Path(self.path).open("rb") as stream:
            if stream.read(len(_HEADER)) not in (b"", _HEADER):
                raise _OfSomethingElse

    def _forget(self) -> None:
        if self._connection is not None and self._process == os.getpid():
            self._connection.close()
        self._connection = None

    def _set_aside(self) -> bool:
        """Moves the damaged file away; whether that could be done."""
        from pathlib import Path

        assert self.path is not None
        aside = f"{self.path}.damaged"
        try:
            Path(self.path).replace(aside)
            for suffix in ("-wal", "-shm"):
                Path(self.path + suffix).unlink(missing_ok=True)
        except FileNotFoundError:
            return True  # another process was quicker
        except OSError as problem:
            self._remark(f"{self.path} is damaged and cannot be moved ({problem.strerror or problem})")
            return False
        self._remark(f"{self.path} was damaged; it is now {aside}, and a new one was made")
        return True

    def _remark(self, text: str) -> None:
        if text not in self.remarks:
            self.remarks.append(text)


def in_cache_folder(file: str) -> str | None:
    """The path of a file in the user's cache folder (``$PYLF_CACHE``); None where there is none."""
    from pylf.ir.schema.cache import cache_folder

    folder = cache_folder()
    return None if folder is None else f"{folder}/{file}"


def _is_damage(problem: sqlite3.Error) -> bool:
    """Whether the error says that the file is damaged, or another layout's."""
    import sqlite3

    code: int = getattr(problem, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF  # errors of the module's own have none
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or any(words in str(problem) for words in _DAMAGED)


# --- the table ----------------------------------------------------------------------------------------------------


def _has_tables(connection: sqlite3.Connection) -> bool:
    """Whether the table is there; no, where nothing is.

    Raises:
        _OfSomethingElse: it is not, and others are.
    """
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if names and "came" not in names:
        raise _OfSomethingElse
    return bool(names)


def _size(text: str) -> int:
    """Bytes in the file."""
    return len(text.encode("utf-8", "surrogatepass"))


def _get(connection: sqlite3.Connection, key: str, made: Callable[[str], T]) -> T | None:
    import sqlite3

    row = connection.execute("SELECT data FROM answer WHERE key = ?", (key,)).fetchone()
    if row is None:
        return None
    try:
        found = made(row[0])
    except (ValueError, TypeError, LookupError, RecursionError):
        connection.execute("DELETE FROM answer WHERE key = ?", (key,))
        return None
    # another process may be writing, or nobody may: what was found is as good
    with suppress(sqlite3.OperationalError):
        connection.execute("UPDATE answer SET used = ? WHERE key = ?", (time.time_ns(), key))
    return found


def _put(connection: sqlite3.Connection, key: str, data: str, limit: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute("DELETE FROM answer WHERE key = ?", (key,))
        connection.execute("INSERT INTO answer VALUES (?, ?, ?, ?)", (key, time.time_ns(), _size(data), data))
        (held,) = connection.execute("SELECT bytes FROM held").fetchone()
        if held > limit:
            going: list[tuple[str]] = []
            for old, size in connection.execute("SELECT key, bytes FROM answer ORDER BY used"):
                if held <= limit:
                    break
                going.append((old,))
                held -= size
            connection.executemany("DELETE FROM answer WHERE key = ?", going)
    except BaseException:
        connection.rollback()
        raise
    connection.commit()
