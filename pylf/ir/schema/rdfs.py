"""Schemas written in RDFS, OWL or schema.org terms, read from Turtle, N3, N-Triples or RDF/XML files.

What the statements mean is :mod:`pylf.ir.schema.statements`'s. A file may hold data beside its schema (a graph that is
its own schema): only schema statements are kept.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pylf.errors import InputError
from pylf.ir.schema.files import open_plain_or_gzip
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.statements import Statements
from pylf.ir.terms import Blank, Iri, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node

    _Row = tuple[Node, str, Node]

#: file endings that are read, each also with ``.gz`` behind it, and the name of their format in pyoxigraph
FORMATS = {
    ".ttl": "TURTLE",
    ".nt": "N_TRIPLES",
    ".n3": "N3",
    ".rdf": "RDF_XML",
    ".owl": "RDF_XML",
    ".xml": "RDF_XML",
}

#: meta key that is set where a file's relative IRIs made the schema depend on where the file lies
RELATIVE = "relative"


def read_schema(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], vocabulary: Vocabulary) -> Schema:
    """The schema that one file, or several together, state. The order of files and statements does not matter.

    Raises:
        InputError: a file that cannot be read, an ending that is not in :data:`FORMATS`, or text that is not in that
            format (names the line).
    """
    files = [os.fspath(path) for path in ([paths] if isinstance(paths, str | os.PathLike) else paths)]
    statements = Statements(vocabulary)
    meta = {"source": "stated", "vocabulary": vocabulary.name}
    for number, path in enumerate(files):
        if _read_file(path, statements, number):
            meta[RELATIVE] = "true"
    try:
        relations, classes = statements.relations(), statements.classes()
    except InputError as error:
        raise InputError(f"{', '.join(files)}: {error}") from error
    return Schema(MemorySource(relations.values(), classes.values(), meta))


def format_of(path: str) -> str | None:
    """The format that a file's ending stands for, ``.gz`` put aside; None for an ending that is not known."""
    _, dot, ending = path.removesuffix(".gz").rpartition(".")
    return FORMATS.get(dot + ending.lower())


def _read_file(path: str, statements: Statements, number: int) -> bool:
    """Add a file's schema statements; whether its IRIs had to be resolved against where it lies (RFC 3986 §5.1.3).

    ``number`` keeps blank nodes of different files apart.
    """
    import zlib

    name = format_of(path)
    if name is None:
        raise InputError(f"{path}: not a schema that is read: endings are {', '.join(FORMATS)}, each also with .gz")
    relative = False
    try:
        try:
            rows = _parse(path, name, statements.predicates, number, None)
        except SyntaxError as error:
            if not _lacks_base(error):
                raise
            from pathlib import Path

            rows = _parse(path, name, statements.predicates, number, Path(path).absolute().as_uri())
            relative = True
    except OSError as error:
        raise InputError(f"cannot read the schema {path}: {error.strerror or error}") from error
    except EOFError as error:
        raise InputError(f"{path}: the compressed file is cut off") from error
    except zlib.error as error:
        raise InputError(f"{path}: the compressed file is damaged: {error}") from error
    except SyntaxError as error:
        place = f"{path}:{error.lineno}" if error.lineno else path
        raise InputError(f"{place}: {error.msg}") from error
    except MemoryError as error:
        raise InputError(f"{path}: one term of it is longer than the parser takes, 16 MiB ({error})") from error
    except ValueError as error:
        raise InputError(f"{path}: {error}") from error
    for row in rows:
        statements.add(*row)
    return relative


def _parse(path: str, name: str, wanted: frozenset[str], number: int, base: str | None) -> list[_Row]:
    """The triples of a file with a predicate that is wanted."""
    import pyoxigraph

    with open_plain_or_gzip(path) as file:
        return [
            (_node(quad.subject, number), predicate, _node(quad.object, number))
            for quad in pyoxigraph.parse(file, format=getattr(pyoxigraph.RdfFormat, name), base_iri=base)
            if (predicate := quad.predicate.value) in wanted
        ]


def _lacks_base(error: SyntaxError) -> bool:
    """True for the parser's complaint about a relative IRI where no base is known."""
    return "No scheme found in an absolute IRI" in (error.msg or "")


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
