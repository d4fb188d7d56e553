"""Complete answers of endpoints, kept in the user's cache folder.

An answer is kept under a key (:func:`pylf.backends.execute.key_of`): a hash of the query's SPARQL text, of the endpoint
with its graphs, its snapshot and whom it takes the caller for, and of the answer's form. Where any of them changes,
nothing is found. Only complete answers come in (a time-out is none), and none with
blank nodes, whose labels mean nothing later on. Where nobody states a snapshot nothing is kept, nor of an embedded
engine.

The file is SQLite's, shared by threads and processes. A cache that cannot be read or written costs time, never an
answer: what went wrong stands in ``remarks``. A damaged file is set aside, and a new one made.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from pylf.backends import answers_json

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from typing import TypeVar

    from pylf.ir.answers import Answers

    T = TypeVar("T")

#: the file's name in the cache folder; the number changes with what is written
FILE = "answers-1.sqlite"
#: bytes of answers that are kept; beyond, those that were not used for longest go
LIMIT = 256_000_000
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


class ResultsCache:
    """Kept answers. ``path`` None: the file :data:`FILE` in the user's cache folder (``$PYLF_CACHE``), nothing where
    there is none; ``limit`` is in bytes. Nothing is opened before it is used."""

    def __init__(self, path: str | os.PathLike[str] | None = None, limit: int = LIMIT) -> None:
        self.path = _default_path() if path is None else os.fspath(path)
        self._limit = limit
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._process = 0
        self._closed = self.path is None
        #: what went wrong so far, a sentence each
        self.remarks: list[str] = []

    def get(self, key: str) -> Answers | None:
        """The answers under a key; None where there are none."""
        return self._guarded(lambda connection: _get(connection, key))

    def put(self, key: str, answers: Answers) -> None:
        """Keeps complete answers; the oldest go where there are too many. Answers with blank nodes are not kept."""
        data = answers_json.written(answers)
        if data is not None and len(data) <= self._limit:
            self._guarded(lambda connection: _put(connection, key, data, self._limit))

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
                except sqlite3.OperationalError as problem:
                    # busy for long, read-only, full: nothing that a new file would mend
                    self._forget()
                    if not self._is_damage(problem):
                        self._remark(f"{self.path}: answers are not kept ({problem})")
                        return None
                except sqlite3.DatabaseError:
                    self._forget()
                except OSError as problem:
                    self._remark(f"{self.path}: answers are not kept ({problem.strerror or problem})")
                    self._closed = True
                    return None
                if last or not self._set_aside():
                    self._closed = True
            return None

    @staticmethod
    def _is_damage(problem: sqlite3.OperationalError) -> bool:
        """Whether the error says that the file is damaged, or another program's."""
        told = str(problem)
        return any(words in told for words in ("no such table", "no such column", "malformed", "disk I/O error"))

    def _opened(self) -> sqlite3.Connection:
        if self._connection is not None and self._process != os.getpid():
            self._connection = None  # a forked process must not use, nor close, what its parent opened
        if self._connection is None:
            import sqlite3
            from pathlib import Path

            assert self.path is not None
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
            try:
                connection.execute("PRAGMA synchronous = NORMAL")
                if connection.execute("SELECT COUNT(*) FROM sqlite_master WHERE name = 'came'").fetchone() != (1,):
                    connection.executescript(_TABLES)
            except sqlite3.Error:
                connection.close()
                raise
            self._connection, self._process = connection, os.getpid()
        return self._connection

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


def _default_path() -> str | None:
    from pylf.ir.schema.cache import cache_folder

    folder = cache_folder()
    return None if folder is None else f"{folder}/{FILE}"


# --- the table ----------------------------------------------------------------------------------------------------


def _get(connection: sqlite3.Connection, key: str) -> Answers | None:
    import sqlite3

    row = connection.execute("SELECT data FROM answer WHERE key = ?", (key,)).fetchone()
    if row is None:
        return None
    try:
        answers = answers_json.read(row[0])
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        connection.execute("DELETE FROM answer WHERE key = ?", (key,))
        return None
    # another process may be writing, or nobody may: the answer is as good
    with suppress(sqlite3.OperationalError):
        connection.execute("UPDATE answer SET used = ? WHERE key = ?", (time.time_ns(), key))
    return answers


def _put(connection: sqlite3.Connection, key: str, data: str, limit: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute("DELETE FROM answer WHERE key = ?", (key,))
        connection.execute("INSERT INTO answer VALUES (?, ?, ?, ?)", (key, time.time_ns(), len(data), data))
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
