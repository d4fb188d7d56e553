"""A plain graph in memory: a set of triples with an index for every way of looking one up."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pylf.errors import InputError
from pylf.ir.terms import Blank, Iri, Literal, tagged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from os import PathLike

    from pylf.ir.graph import TripleRow
    from pylf.ir.terms import Node

#: From a node, or a pair of nodes, to the triples that have it in some place.
_Index = dict[object, "list[TripleRow]"]

#: What a file's name ends with, before an optional ``.gz``, and the format that it means.
_FORMATS = {
    "nt": "N_TRIPLES",
    "ttl": "TURTLE",
    "n3": "N3",
    "rdf": "RDF_XML",
    "xml": "RDF_XML",
    "owl": "RDF_XML",
    "nq": "N_QUADS",
    "trig": "TRIG",
    "jsonld": "JSON_LD",
}


class MemoryGraph:
    """A set of triples, unchangeable once made. Terms are kept as written and matched as terms.

    Indexes are built when first needed. Implements :class:`pylf.ir.graph.Graph`.
    """

    __slots__ = ("_indexes", "_triples")

    def __init__(self, triples: Iterable[TripleRow] = ()) -> None:
        self._triples: dict[TripleRow, None] = dict.fromkeys(triples)
        self._indexes: dict[str, _Index] = {}

    @classmethod
    def read(cls, path: str | PathLike[str]) -> MemoryGraph:
        """The graph in a file: N-Triples, Turtle, N3, RDF/XML, N-Quads, TriG or JSON-LD by the name's ending,
        optionally with ``.gz``. The graphs of a quad file are merged.

        Raises:
            InputError: the file cannot be read, or its text is not of its format.
        """
        name = str(path)
        ending = name.removesuffix(".gz").rpartition(".")[2].lower()
        if ending not in _FORMATS:
            known = ", ".join("." + e for e in _FORMATS)
            raise InputError(f"{name}: a graph's file name ends in one of {known}, optionally with .gz")
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise InputError(f"{name}: {error.strerror or error}") from error
        return cls(_parse(_unpacked(data, name) if name.endswith(".gz") else data, ending, name))

    @classmethod
    def parse(cls, text: str, ending: str = "ttl") -> MemoryGraph:
        """The graph in a text; ``ending`` names the format as a file name's ending would (``ttl``, ``nt``, …).

        Raises:
            InputError: the text is not of that format.
        """
        return cls(_parse(text.encode(), ending, "<text>"))

    def __len__(self) -> int:
        return len(self._triples)

    def __iter__(self) -> Iterator[TripleRow]:
        return iter(self._triples)

    def __contains__(self, triple: object) -> bool:
        return triple in self._triples

    def triples(
        self, subject: Node | None = None, predicate: Node | None = None, object: Node | None = None
    ) -> Iterator[TripleRow]:
        """The triples that agree with the given places; None stands for any node."""
        return iter(self._found(subject, predicate, object))

    def count(self, subject: Node | None = None, predicate: Node | None = None, object: Node | None = None) -> int:
        """How many triples agree with the given places."""
        return len(self._found(subject, predicate, object))

    #: what the evaluator orders its work by; here it costs nothing to be exact
    estimate = count

    def _found(
        self, subject: Node | None, predicate: Node | None, object: Node | None
    ) -> list[TripleRow] | dict[TripleRow, None] | tuple[TripleRow, ...]:
        if subject is None:
            if predicate is None:
                return self._triples if object is None else self._index("o").get(object, ())
            if object is None:
                return self._index("p").get(predicate, ())
            return self._index("po").get((predicate, object), ())
        if predicate is None:
            if object is None:
                return self._index("s").get(subject, ())
            return self._index("so").get((subject, object), ())
        if object is None:
            return self._index("sp").get((subject, predicate), ())
        triple = (subject, predicate, object)
        return (triple,) if triple in self._triples else ()

    def _index(self, places: str) -> _Index:
        found = self._indexes.get(places)
        if found is None:
            key = _KEYS[places]
            found = self._indexes[places] = {}
            for triple in self._triples:
                found.setdefault(key(triple), []).append(triple)
        return found


_KEYS: dict[str, Callable[[TripleRow], object]] = {
    "s": lambda triple: triple[0],
    "p": lambda triple: triple[1],
    "o": lambda triple: triple[2],
    "sp": lambda triple: triple[:2],
    "po": lambda triple: triple[1:],
    "so": lambda triple: (triple[0], triple[2]),
}


def _unpacked(data: bytes, name: str) -> bytes:
    import gzip
    import zlib

    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{name}: {error}") from error


def _parse(data: bytes, ending: str, name: str) -> Iterator[TripleRow]:
    import pyoxigraph

    terms: dict[object, Node] = {}

    def node(term: object) -> Node:
        known = terms.get(term)
        if known is None:
            known = terms[term] = _node(term, name)
        return known

    try:
        for quad in pyoxigraph.parse(data, format=getattr(pyoxigraph.RdfFormat, _FORMATS[ending])):
            yield node(quad.subject), node(quad.predicate), node(quad.object)
    except SyntaxError as error:
        place = f":{error.lineno}" if error.lineno else ""
        raise InputError(f"{name}{place}: {error.msg}") from error
    except MemoryError as error:
        raise InputError(f"{name}: one term of it is longer than the parser takes, 16 MiB ({error})") from error


def _node(term: object, name: str) -> Node:
    import pyoxigraph

    match term:
        case pyoxigraph.NamedNode():
            return Iri(term.value)
        case pyoxigraph.BlankNode():
            return Blank(term.value)
        case pyoxigraph.Literal():
            if term.language is not None:
                return tagged(term.value, term.language)
            return Literal(term.value, term.datatype.value)
        case _:
            raise InputError(f"{name}: triples about triples cannot be kept in a plain graph: {term}")
