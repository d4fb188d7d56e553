"""The names of a graph, read once and kept: which things bear a name, and which names are like one.

Names are the labels and other names that the graph states, in all languages, and the labels and local names of the
schema's classes; of a graph without labels the local names of its IRIs. They are kept in one file (SQLite), which is
made beside its place and then put there, so that it is whole or not there.
"""

from __future__ import annotations

import hashlib
import os
import threading
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pylf.errors import InputError, reason
from pylf.progress import Progress
from pylf.reasoners.linking.candidate import How
from pylf.reasoners.linking.folding import folded
from pylf.reasoners.linking.postings import TABLES as POSTINGS
from pylf.reasoners.linking.postings import KeptPostings, MadePostings
from pylf.records import record

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

#: changes with what is written, and with what the features of a name are
VERSION = "3"
_TABLES = f"""
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE entry (number INTEGER PRIMARY KEY, iri TEXT NOT NULL, text TEXT NOT NULL, folded TEXT NOT NULL,
    alias INTEGER NOT NULL, class INTEGER NOT NULL);
{POSTINGS}
"""
_EVERY = 4096


@record
class Named:
    """A thing and a name of it; whether that is another name than its label, and whether the thing is a class."""

    iri: str
    name: str
    how: How = How.LABEL
    is_class: bool = False


class Names:
    """The names in a file. Threads share one; a forked process opens the file anew."""

    def __init__(self, path: str | os.PathLike[str], *, numpy: bool | None = None) -> None:
        """Open a file that :func:`write_names` wrote. ``numpy``: whether it helps to search (None: where it is
        installed); what is found is the same.

        Raises:
            InputError: there is none, it is of another version, or damaged.
        """
        import sqlite3

        self.path = os.fspath(path)
        self._lock = threading.Lock()
        self._searching = threading.Lock()  # a search fills what it shares with others
        self._connection: sqlite3.Connection | None = None
        self._process = 0
        self._was_whole = False
        #: the folder of names that go with the process
        self.passing: object = None
        if not Path(self.path).is_file():
            raise InputError(f"{self.path}: no names of a graph are kept there")
        try:
            meta = {str(name): str(value) for name, value in self._all("SELECT name, value FROM meta")}
            if meta.get("version") != VERSION:
                raise InputError(f"{self.path}: names of version {meta.get('version')}; {VERSION} is read here")
            self.count = int(meta["count"])
            #: a hash over all names and what bears them
            self.hash = meta["hash"]
            self._postings = KeptPostings(self.count, self._all, self._each, self._called, numpy)
            self._was_whole = True
        except (sqlite3.DatabaseError, LookupError, ValueError) as problem:
            raise InputError(f"{self.path}: the names are damaged ({problem}); remove the file") from problem

    def __len__(self) -> int:
        return self.count

    def close(self) -> None:
        """Close the file; it opens again when it is used."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    def bearing(self, names: Sequence[str]) -> dict[str, list[Named]]:
        """By name, as it was asked for, the things that bear it but for case, accents and punctuation; sorted."""
        wanted: dict[str, list[str]] = {}
        for name in dict.fromkeys(names):
            wanted.setdefault(folded(name), []).append(name)
        found: dict[str, list[Named]] = {name: [] for name in names}
        rows = self._each(
            "SELECT folded, iri, text, alias, class FROM entry WHERE folded = ? ORDER BY iri, number", wanted
        )
        for key, iri, text, alias, is_class in rows:
            named = Named(str(iri), str(text), How.ALIAS if alias else How.LABEL, bool(is_class))
            for name in wanted[str(key)]:
                found[name].append(named)
        return found

    def known(self, names: Sequence[str]) -> set[str]:
        """Those of the names that are borne by something."""
        return {name for name, bearers in self.bearing(names).items() if bearers}

    def alike(self, names: Sequence[str], k: int) -> list[list[tuple[str, str, float]]]:
        """For each name the ``k`` names that are spelled most alike: who bears it, the name, the cosine."""
        with self._searching:
            return [[(hit.key, hit.text, hit.score) for hit in hits] for hits in self._postings.search(names, k)]

    def all(self) -> tuple[list[str], list[str]]:
        """What bears each name, and the names, in the file's order."""
        rows = self._all("SELECT iri, text FROM entry ORDER BY number")
        return [str(iri) for iri, _ in rows], [str(text) for _, text in rows]

    # --- the file -------------------------------------------------------------------------------------------------

    def _called(self, rows: Sequence[int]) -> dict[int, tuple[str, str]]:
        found = self._each("SELECT number, iri, text FROM entry WHERE number = ?", dict.fromkeys(rows))
        return {int(number): (str(iri), str(text)) for number, iri, text in found}

    def _each(self, query: str, values: Iterable[str | int]) -> list[tuple[bytes | str, ...]]:
        """The rows of a query for each of the values."""
        with self._lock, self._sound():
            connection = self._opened()
            return [row for value in values for row in connection.execute(query, (value,))]

    def _all(self, query: str) -> list[tuple[bytes | str, ...]]:
        with self._lock, self._sound():
            return self._opened().execute(query).fetchall()

    @contextmanager
    def _sound(self) -> Iterator[None]:
        """A page that is damaged shows when it is read, perhaps long after the file was opened. The file is put aside
        then, so that the next one to open the graph's names makes them anew."""
        import sqlite3

        try:
            yield
        except sqlite3.DatabaseError as problem:
            told = f"{self.path}: the file of names is damaged ({problem})"
            if self._was_whole:
                with suppress(OSError):
                    Path(self.path).replace(f"{self.path}.damaged")
                told += "; it is put aside, and made anew when the graph's linker is opened again"
            raise InputError(told) from problem

    def _opened(self) -> sqlite3.Connection:
        import sqlite3

        if self._connection is None or self._process != os.getpid():
            address = f"{Path(self.path).absolute().as_uri()}?mode=ro&immutable=1"
            self._connection = sqlite3.connect(address, uri=True, check_same_thread=False)
            self._process = os.getpid()
        return self._connection


def write_names(path: str | os.PathLike[str], named: Iterable[Named]) -> None:
    """Write names to a file, in the place of what is there; a thing has each name once.

    Raises:
        InputError: the file cannot be written.
    """
    import sqlite3

    target = Path(path)
    made = target.with_name(f"{target.name}.{os.getpid()}-{threading.get_ident()}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(made, isolation_level=None)) as connection:
            connection.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; {_TABLES}")
            _fill(connection, named)
            connection.execute("CREATE INDEX entry_folded ON entry (folded)")
            connection.execute("COMMIT")
        with made.open("rb") as whole:
            os.fsync(whole.fileno())
        made.replace(target)
    except (sqlite3.Error, OSError) as problem:
        told = reason(problem) if isinstance(problem, OSError) else problem
        raise InputError(f"{target}: the names cannot be written ({told})") from problem
    finally:
        with suppress(OSError):  # of a folder that is none there is nothing to take away
            made.unlink(missing_ok=True)


def _fill(connection: sqlite3.Connection, named: Iterable[Named]) -> None:
    texts: list[str] = []
    hashed = hashlib.blake2b(digest_size=16)

    def entries() -> Iterator[tuple[int, str, str, str, bool, bool]]:
        seen: set[tuple[str, str]] = set()
        for one in named:
            name = " ".join(one.name.split())
            if name and (one.iri, name) not in seen:
                seen.add((one.iri, name))
                hashed.update(f"{len(one.iri)}:{one.iri}{len(name)}:{name}".encode("utf-8", "surrogatepass"))
                texts.append(name)
                if len(texts) % _EVERY == 0:
                    bar.phase(f"reading names, {len(texts):,}")
                yield len(texts) - 1, one.iri, name, folded(name), one.how is How.ALIAS, one.is_class

    with Progress("reading names") as bar:
        connection.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", entries())
    made = MadePostings()
    made.add([""] * len(texts), texts)
    made.write(connection)
    meta = {"version": VERSION, "count": str(len(texts)), "hash": hashed.hexdigest()}
    connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
