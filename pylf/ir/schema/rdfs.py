"""Schemas written in RDFS, OWL or schema.org terms, read from Turtle, N3, N-Triples or RDF/XML files.

What the statements mean is :mod:`pylf.ir.schema.statements`'s. A file may hold data beside its schema (a graph that is
its own schema): only schema statements are kept.
"""

from __future__ import annotations

import os
from io import FileIO
from typing import IO, TYPE_CHECKING, Any, cast

from pylf.errors import InputError
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.statements import Statements
from pylf.ir.terms import Blank, Iri, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node

#: file endings that are read, each also with ``.gz`` behind it, and the name of their format in pyoxigraph
FORMATS = {
    ".ttl": "TURTLE",
    ".nt": "N_TRIPLES",
    ".n3": "N3",
    ".rdf": "RDF_XML",
    ".owl": "RDF_XML",
    ".xml": "RDF_XML",
}

#: Relative IRIs of a file resolve against this, since a path of one machine is no name for anything.
_BASE = "urn:pylf:file/"


def read_schema(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], vocabulary: Vocabulary) -> Schema:
    """The schema that one file, or several together, state. The order of files and statements does not matter.

    Raises :class:`InputError`: a file that cannot be read, an ending that is not in :data:`FORMATS`, or text that is
    not in that format (names the line).
    """
    files = [os.fspath(path) for path in ([paths] if isinstance(paths, str | os.PathLike) else paths)]
    statements = Statements(vocabulary)
    for number, path in enumerate(files):
        _read_file(path, statements, number)
    try:
        relations, classes = statements.relations(), statements.classes()
    except InputError as error:
        raise InputError(f"{', '.join(files)}: {error}") from error
    meta = {"source": "stated", "vocabulary": vocabulary.name}
    return Schema(MemorySource(relations.values(), classes.values(), meta))


def format_of(path: str) -> str | None:
    """The format that a file's ending stands for, ``.gz`` put aside; None for an ending that is not known."""
    _, dot, ending = path.removesuffix(".gz").rpartition(".")
    return FORMATS.get(dot + ending.lower())


def _read_file(path: str, statements: Statements, number: int) -> None:
    """Add a file's schema statements. ``number`` keeps blank nodes of different files apart."""
    import zlib

    import pyoxigraph

    name = format_of(path)
    if name is None:
        raise InputError(f"{path}: not a schema that is read: endings are {', '.join(FORMATS)}, each also with .gz")
    wanted = statements.predicates
    try:
        with _open(path) as file:
            for quad in pyoxigraph.parse(file, format=getattr(pyoxigraph.RdfFormat, name), base_iri=_BASE):
                predicate = quad.predicate.value
                if predicate in wanted:
                    statements.add(_node(quad.subject, number), predicate, _node(quad.object, number))
    except OSError as error:
        raise InputError(f"cannot read the schema {path}: {error.strerror or error}") from error
    except EOFError as error:
        raise InputError(f"{path}: the compressed file is cut off") from error
    except zlib.error as error:
        raise InputError(f"{path}: the compressed file is damaged: {error}") from error
    except SyntaxError as error:
        place = f"{path}:{error.lineno}" if error.lineno else path
        raise InputError(f"{place}: {error.msg}") from error
    except ValueError as error:
        raise InputError(f"{path}: {error}") from error


def _open(path: str) -> IO[bytes]:
    if path.endswith(".gz"):
        import gzip

        return cast("IO[bytes]", gzip.open(path, "rb"))
    return cast("IO[bytes]", FileIO(path))


def _node(term: Any, number: int) -> Node:
    """A pyoxigraph term as one of ours. Quoted triples stand for nothing here."""
    import pyoxigraph

    match term:
        case pyoxigraph.NamedNode(value=value):
            return Iri(value)
        case pyoxigraph.Literal(value=value, language=language, datatype=datatype):
            return Literal(value, datatype.value, language)
        case _:
            return Blank(f"{number}.{getattr(term, 'value', '')}")
