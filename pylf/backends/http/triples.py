"""The triples of a CONSTRUCT, in whichever of RDF's syntaxes the endpoint writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.http import complaints
from pylf.errors import EngineError, printable

if TYPE_CHECKING:
    from pylf.backends.http.transport import Response
    from pylf.ir.graph import TripleRow

_FORMATS = {
    "application/n-triples": "N_TRIPLES",
    "text/plain": "N_TRIPLES",  # its name before RDF 1.1
    "text/turtle": "TURTLE",
    "application/turtle": "TURTLE",
    "application/x-turtle": "TURTLE",
    "text/n3": "N3",
    "text/rdf+n3": "N3",
    "application/rdf+xml": "RDF_XML",
}


def triples_of(response: Response) -> tuple[list[TripleRow], int]:
    """The triples in a response, each once, in their order; and how many there were before. Imports pyoxigraph.

    Raises:
        EngineError: the body is in no such syntax, is cut off, or holds what pylf cannot.
    """
    import pyoxigraph

    from pylf.backends.engines.terms import oxigraph_terms

    kind = (response.header("Content-Type") or "").partition(";")[0].strip().lower()
    body = b"".join(response.chunks())
    name = _FORMATS.get(kind)
    if name is None:
        raise complaints.unasked(body, kind, "triples")
    node_of, _ = oxigraph_terms()
    found: dict[TripleRow, None] = {}
    count = 0
    try:
        for quad in pyoxigraph.parse(body, getattr(pyoxigraph.RdfFormat, name)):
            count += 1
            found[node_of(quad.subject), node_of(quad.predicate), node_of(quad.object)] = None
    except (SyntaxError, ValueError) as error:
        problem = EngineError(f"the endpoint's triples cannot be read: {printable(str(error)[:300])}")
        raise complaints.named(body[-(1 << 16) :].decode("utf-8", "replace"), "") or problem from None
    return list(found), count
