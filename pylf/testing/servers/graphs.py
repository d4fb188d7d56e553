"""What a server is given to load, as N-Triples."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pylf.errors import EngineError, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    import pyoxigraph

    from pylf.ir.graph import TripleRow

    #: a path of an RDF file, or triples
    Source: TypeAlias = str | os.PathLike[str] | Iterable[TripleRow]

_SHOWN = 60


def n_triples(source: Source, longest_iri: int | None = None) -> bytes:
    """The triples of ``source``, lexical forms as written. A file's named graphs are merged into one.

    Raises:
        EngineError: an IRI has more bytes than ``longest_iri``.
        InputError: a file that cannot be read or does not parse.
        ValueError: a term that RDF does not know (a relative IRI, a language tag that is none).
    """
    import pyoxigraph

    triples = _of_file(source) if isinstance(source, str | os.PathLike) else _of_rows(source)
    if longest_iri is not None:
        triples = _checked(triples, longest_iri)
    text = pyoxigraph.serialize(triples, format=pyoxigraph.RdfFormat.N_TRIPLES)
    assert text is not None
    return text


def _of_file(path: str | os.PathLike[str]) -> Iterator[pyoxigraph.Triple]:
    from pylf.backends.engines.reading import parse

    return (quad.triple for quad in parse(path))


def _of_rows(rows: Iterable[TripleRow]) -> Iterator[pyoxigraph.Triple]:
    import pyoxigraph

    from pylf.backends.engines.terms import oxigraph_terms

    _, term_of = oxigraph_terms()
    for subject, predicate, object_ in rows:
        yield pyoxigraph.Triple(term_of(subject), term_of(predicate), term_of(object_))  # type: ignore[arg-type]


def _checked(triples: Iterator[pyoxigraph.Triple], longest: int) -> Iterator[pyoxigraph.Triple]:
    import pyoxigraph

    for triple in triples:
        for term in triple:
            if isinstance(term, pyoxigraph.NamedNode) and len(term.value) * 4 > longest:
                size = len(term.value.encode("utf-8"))
                if size > longest:
                    start = printable(term.value[:_SHOWN])
                    raise EngineError(f"the server cuts IRIs after {longest:,} bytes; <{start}…> has {size:,}")
        yield triple
