"""Schemas in a file from which rows are read on demand, and schemas by path with such a file behind them.

A schema file is an SQLite database that is written once and never changed: it is opened immutable and read-only, so
that any number of processes may read it, from read-only media too. Opening costs the same whatever the schema's size.

Paths are strings here, and files raw: this is on the way of every compilation, and ``pathlib`` takes longer to import
than all of the rest.
"""

from __future__ import annotations

import os
from io import FileIO
from typing import TYPE_CHECKING, Any

from pylf.errors import InputError
from pylf.ir.schema.files import size
from pylf.ir.schema.memory import domain_and_range, local_name
from pylf.ir.schema.model import COUNTS, Class, Relation, Schema, ValueProfile
from pylf.ir.terms import ILLEGAL_IN_IRI

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

    from pylf.ir.schema.vocabulary import Vocabulary

#: changes with the tables; a file of another version is refused
VERSION = 1
#: changes with what is read from schema statements; part of the key of a cached reading
READING = 3

#: "pylf" in SQLite's field for the application that a file belongs to
_APPLICATION = 0x70796C66
#: Below this many bytes reading the statements costs less than looking for a cached reading.
_WORTH_CACHING = 64 * 1024

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE relation (
    iri TEXT PRIMARY KEY, local TEXT NOT NULL, label TEXT, domain TEXT NOT NULL, range TEXT NOT NULL,
    datatypes TEXT NOT NULL, inverse TEXT, functional INTEGER NOT NULL, symmetric INTEGER NOT NULL, literal INTEGER,
    triples INTEGER, subjects INTEGER, objects INTEGER, domain_support INTEGER, range_support INTEGER,
    inferred TEXT NOT NULL, profile TEXT
) WITHOUT ROWID;
CREATE TABLE class (
    iri TEXT PRIMARY KEY, local TEXT NOT NULL, label TEXT, parents TEXT NOT NULL, disjoint TEXT NOT NULL,
    instances INTEGER, subjects_of TEXT, objects_of TEXT, compound INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE child (parent TEXT NOT NULL, iri TEXT NOT NULL, PRIMARY KEY (parent, iri)) WITHOUT ROWID;
CREATE TABLE used (class TEXT NOT NULL, relation TEXT NOT NULL, PRIMARY KEY (class, relation)) WITHOUT ROWID;
"""
_INDEXES = (
    "CREATE INDEX relation_local ON relation (local)",
    "CREATE INDEX relation_label ON relation (label)",
    "CREATE INDEX class_local ON class (local)",
    "CREATE INDEX class_label ON class (label)",
)
_RELATION = (
    "SELECT iri, label, domain, range, datatypes, inverse, functional, symmetric, literal, triples, subjects, objects, "
    "domain_support, range_support, inferred, profile FROM relation"
)
_CLASS = "SELECT iri, label, parents, disjoint, instances, subjects_of, objects_of, compound FROM class"
_INSERT_RELATION = "INSERT INTO relation VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_CLASS = "INSERT INTO class VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_META_KEYS = ("source", "snapshot", "vocabulary", "sound", "disjoint", "inverses", "languages", "remarks")


def load_schema(path: str | os.PathLike[str], vocabulary: Vocabulary) -> Schema:
    """The schema in a file: one that :func:`write_schema` wrote, or statements that
    :func:`pylf.ir.schema.rdfs.read_schema` reads; or in a folder of Freebase's schema files, which
    :func:`pylf.ir.schema.freebase.read_freebase` reads. What that leaves out is told by the schema's ``remarks``.

    A large reading is kept in the user's cache folder by the content of the files, where that folder can be written
    and the reading does not depend on where the files lie.

    Raises:
        InputError: as :func:`open_schema`, ``read_schema`` and ``read_freebase`` do.
    """
    name = os.fspath(path)
    if name.endswith((".sqlite", ".db")):
        return open_schema(name)
    cached = _cached_path(name, vocabulary)
    if cached is None:
        return _read(name, vocabulary)
    try:
        return open_schema(cached)
    except InputError:
        schema = _read(name, vocabulary)
    from pylf.ir.schema.rdfs import RELATIVE

    if schema.source.meta(RELATIVE) is not None:
        return schema
    from pathlib import Path

    try:
        Path(cached).parent.mkdir(parents=True, exist_ok=True)
        write_schema(schema, cached)
    except (OSError, InputError):
        # A cache folder that cannot be written costs time at the next reading, and nothing else.
        pass
    return schema


def vocabulary_of(schema: Schema | str) -> str | None:
    """The built-in vocabulary that a schema, or the path of one, implies: the one under which it was read or written,
    and Freebase's for a folder of its files. None where nothing is implied: by the default, which any schema can be
    read under, by a vocabulary that is not built in, and by a file of statements."""
    if isinstance(schema, str):
        if not schema.endswith((".sqlite", ".db")):
            from pylf.ir.schema import freebase

            return freebase.VOCABULARY if freebase.is_folder(schema) else None
        schema = open_schema(schema)
    from pylf.ir.schema import vocabularies

    name = schema.source.meta("vocabulary")
    return name if name in vocabularies.BUILTIN and name != vocabularies.DEFAULT else None


def cache_folder() -> str | None:
    """Where cached readings are kept: ``$PYLF_CACHE``, else ``pylf`` in the user's cache folder (XDG). None when
    ``PYLF_CACHE`` is set to nothing, or there is no home."""
    own = os.environ.get("PYLF_CACHE")
    if own is not None:
        return own or None
    base = os.environ.get("XDG_CACHE_HOME")
    if base:
        return f"{base}/pylf"
    home = os.environ.get("HOME") or os.environ.get("USERPROFILE")
    return f"{home}/.cache/pylf" if home else None


def open_schema(path: str | os.PathLike[str]) -> Schema:
    """The schema in a file that :func:`write_schema` wrote. Rows are read when they are asked for.

    Raises:
        InputError: no such file, not a schema file, one of another version, or a damaged one (that may also show at a
            later look-up).
    """
    return Schema(FileSource(os.fspath(path)))


def write_schema(schema: Schema, path: str | os.PathLike[str], inverses: str | None = None) -> None:
    """Write a schema to a file, whole or not at all: an older file of that name stands until the new one is done.

    ``inverses`` says how pairs of inverses are to be read (``entailed``, ``mirrored``), whatever the schema says.

    Raises:
        InputError: the file cannot be written, or a name in the schema is no IRI.
    """
    import sqlite3
    from pathlib import Path

    target = Path(path)
    temporary = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    try:
        try:
            connection = sqlite3.connect(temporary, isolation_level=None)
            try:
                _fill(connection, schema, inverses)
            finally:
                connection.close()
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        raise InputError(f"cannot write the schema to {target}: {error}") from error


class FileSource:
    """Implements :class:`pylf.ir.schema.model.Source` over a schema file."""

    def __init__(self, path: str) -> None:
        import sqlite3

        self._path = path
        self._error = sqlite3.Error
        _check_header(path)
        try:
            self._connection = sqlite3.connect(_uri(path), uri=True, check_same_thread=False)
        except sqlite3.Error as error:
            raise self._damaged(error) from error

    def __del__(self) -> None:
        connection = getattr(self, "_connection", None)
        if connection is not None:
            connection.close()

    def close(self) -> None:
        """Let the file go. Rows that a :class:`Schema` has kept stay known to it."""
        self._connection.close()

    def relation(self, iri: str) -> Relation | None:
        """The relation with this IRI, or None."""
        row = self._one(f"{_RELATION} WHERE iri = ?", iri)
        return None if row is None else self._relation(row)

    def class_(self, iri: str) -> Class | None:
        """The class with this IRI, or None."""
        row = self._one(f"{_CLASS} WHERE iri = ?", iri)
        return None if row is None else self._class(row)

    def children(self, iri: str) -> tuple[str, ...]:
        """Direct subclasses, sorted."""
        return self._column("SELECT iri FROM child WHERE parent = ? ORDER BY iri", iri)

    def relations_named(self, name: str) -> tuple[str, ...]:
        """IRIs of the relations with this local name; where there is none, with this label. Sorted."""
        return self._column("SELECT iri FROM relation WHERE local = ? ORDER BY iri", name) or self._column(
            "SELECT iri FROM relation WHERE label = ? ORDER BY iri", name
        )

    def classes_named(self, name: str) -> tuple[str, ...]:
        """IRIs of the classes with this local name; where there is none, with this label. Sorted."""
        return self._column("SELECT iri FROM class WHERE local = ? ORDER BY iri", name) or self._column(
            "SELECT iri FROM class WHERE label = ? ORDER BY iri", name
        )

    def relations_of(self, class_iri: str) -> tuple[str, ...]:
        """Relations whose domain or range names the class itself, sorted."""
        return self._column("SELECT relation FROM used WHERE class = ? ORDER BY relation", class_iri)

    def all_relations(self) -> Iterator[Relation]:
        """Every relation, by IRI."""
        return map(self._relation, self._rows(f"{_RELATION} ORDER BY iri"))

    def all_classes(self) -> Iterator[Class]:
        """Every class, by IRI."""
        return map(self._class, self._rows(f"{_CLASS} ORDER BY iri"))

    def meta(self, key: str) -> str | None:
        """A remark about the whole schema, or None."""
        row = self._one("SELECT value FROM meta WHERE key = ?", key)
        return None if row is None else str(row[0])

    def _rows(self, statement: str, *values: str) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self._connection.execute(statement, values)
        except (self._error, UnicodeError) as error:
            raise self._damaged(error) from error

    def _one(self, statement: str, value: str) -> tuple[Any, ...] | None:
        return next(self._rows(statement, _searchable(value)), None)

    def _column(self, statement: str, value: str) -> tuple[str, ...]:
        return tuple([row[0] for row in self._rows(statement, _searchable(value))])

    def _relation(self, row: tuple[Any, ...]) -> Relation:
        iri, label, domain, range_, datatypes, inverse, functional, symmetric, literal, *counts, inferred, profile = row
        try:
            triples, subjects, objects, domain_support, range_support = counts
            return Relation(
                iri,
                label,
                domain=_unions(domain),
                range=_unions(range_),
                datatypes=tuple(datatypes.split()),
                inverse=inverse,
                functional=bool(functional),
                symmetric=bool(symmetric),
                triples=triples,
                subjects=subjects,
                objects=objects,
                profile=None if profile is None else _profile(profile),
                literal=None if literal is None else bool(literal),
                domain_support=domain_support,
                range_support=range_support,
                inferred=tuple(inferred.split()),
            )
        except (ValueError, TypeError, AttributeError) as error:
            raise self._damaged(error) from error

    def _class(self, row: tuple[Any, ...]) -> Class:
        iri, label, parents, disjoint, instances, subjects_of, objects_of, compound = row
        try:
            return Class(
                iri,
                label,
                parents=tuple(parents.split()),
                disjoint=tuple(disjoint.split()),
                instances=instances,
                subjects_of=subjects_of,
                objects_of=objects_of,
                compound=bool(compound),
            )
        except (ValueError, TypeError, AttributeError) as error:
            raise self._damaged(error) from error

    def _damaged(self, error: Exception) -> InputError:
        return InputError(f"the schema file {self._path} is damaged ({error}); make it again")


def _uri(path: str) -> str:
    """A path as a URI for SQLite, which reads a leading ``//`` and ``? # %`` in a way of its own."""
    if os.sep == "\\":
        path = "/" + path.replace("\\", "/")
    if path.startswith("//"):
        path = "/" + path.lstrip("/")
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return f"file:{quoted}?mode=ro&immutable=1"


def _check_header(path: str) -> None:
    """Refuses what is no whole schema file of this version, by the first bytes alone."""
    try:
        with FileIO(path) as file:
            header = file.read(100)
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise InputError(f"cannot read the schema {path}: {error.strerror or error}") from error

    def number(start: int, length: int = 4) -> int:
        return int.from_bytes(header[start : start + length], "big")

    if len(header) < 100 or not header.startswith(b"SQLite format 3\0") or number(68) != _APPLICATION:
        raise InputError(f"{path} is not a schema file that pylf wrote")
    if number(60) != VERSION:
        raise InputError(f"{path} was written by another version of pylf; make it again")
    page = number(16, 2)
    if size < (65536 if page == 1 else page) * number(28):
        raise InputError(f"the schema file {path} is cut off; make it again")


def _fill(connection: sqlite3.Connection, schema: Schema, inverses: str | None) -> None:
    source = schema.source
    connection.executescript(
        f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA application_id = {_APPLICATION};"
        f"PRAGMA user_version = {VERSION}; {_TABLES}"
    )
    connection.execute("BEGIN")
    meta = {key: source.meta(key) for key in _META_KEYS}
    meta["inverses"] = inverses or meta["inverses"]
    connection.executemany("INSERT INTO meta VALUES (?, ?)", [pair for pair in meta.items() if pair[1] is not None])
    used = []
    rows: list[tuple[Any, ...]] = []
    for r in source.all_relations():
        rows.append(
            (
                *(_name(r.iri), local_name(r.iri), r.label, _text(r.domain), _text(r.range), _words(r.datatypes)),
                *(r.inverse, r.functional, r.symmetric, r.literal, r.triples, r.subjects, r.objects),
                *(r.domain_support, r.range_support, _words(r.inferred)),
                None if r.profile is None else _profile_text(r.profile),
            )
        )
        used += [(class_iri, r.iri) for class_iri in domain_and_range(r)]
    connection.executemany(_INSERT_RELATION, rows)
    children = []
    rows = []
    for c in source.all_classes():
        rows.append(
            (
                *(_name(c.iri), local_name(c.iri), c.label, _words(c.parents), _words(c.disjoint), c.instances),
                *(c.subjects_of, c.objects_of, c.compound),
            )
        )
        children += [(parent, c.iri) for parent in c.parents]
    connection.executemany(_INSERT_CLASS, rows)
    connection.executemany("INSERT INTO child VALUES (?, ?)", sorted(children))
    connection.executemany("INSERT INTO used VALUES (?, ?)", sorted(used))
    for statement in _INDEXES:
        connection.execute(statement)
    connection.execute("COMMIT")


def _name(iri: str) -> str:
    """An IRI that may stand in a list whose members are set apart by white space."""
    if not iri or not ILLEGAL_IN_IRI.isdisjoint(iri):
        raise InputError(f"the schema holds {iri!r}, which is no IRI")
    return iri


def _words(names: Iterable[str]) -> str:
    return " ".join(map(_name, names))


def _text(unions: tuple[tuple[str, ...], ...]) -> str:
    return "\n".join(map(_words, unions))


def _unions(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple([tuple(line.split()) for line in text.split("\n")]) if text else ()


def _profile_text(profile: ValueProfile) -> str:
    counts = " ".join(str(getattr(profile, name)) for name in COUNTS)
    return " ".join((counts, *profile.languages))


def _profile(text: str) -> ValueProfile:
    parts = text.split()
    counts = map(int, parts[: len(COUNTS)])
    return ValueProfile(**dict(zip(COUNTS, counts, strict=True)), languages=tuple(parts[len(COUNTS) :]))


def _searchable(text: str) -> str:
    """Text as SQLite can take it: lone surrogates (from hostile input) are in no name."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "\0"
    return text


def _read(path: str, vocabulary: Vocabulary) -> Schema:
    from pylf.ir.schema import freebase

    if freebase.is_folder(path):
        return freebase.read_freebase(path, vocabulary)[0]
    from pylf.ir.schema.rdfs import read_schema

    return read_schema(path, vocabulary)


def _cached_path(path: str, vocabulary: Vocabulary) -> str | None:
    """Where the reading of this content under this vocabulary is kept; None where none is worth keeping, or there is no
    folder for it."""
    folder = cache_folder()
    if folder is None:
        return None
    from pylf.ir.schema import freebase
    from pylf.ir.schema.rdfs import format_of

    try:
        if sum(map(size, freebase.files(path) or (path,))) < _WORTH_CACHING:
            return None
        import hashlib

        key = hashlib.sha256(f"{VERSION} {READING} {format_of(path)} {vocabulary!r}\0".encode())
        if not freebase.add_contents(key, path):
            return None
    except (OSError, ValueError):
        return None  # what is wrong with the file, or with its name, is said when it is read
    return f"{folder}/schemas/{key.hexdigest()[:32]}.sqlite"
