"""The triples of a CONSTRUCT, in N-Triples or Turtle.

RDF/XML is not read: its entities grow to any size, within the parser, from a few hundred bytes. What calls itself N3 is
read as Turtle, so that a formula or a rule is an error and not some triples more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.http import complaints
from pylf.backends.http.bindings import blank_of
from pylf.errors import EngineError, printable
from pylf.ir.terms import Iri

if TYPE_CHECKING:
    from pylf.backends.http.transport import Response
    from pylf.ir.graph import TripleRow
    from pylf.ir.terms import Node

#: triples after which the time is looked at
_LOOK = 1_000
_FORMATS = {
    "application/n-triples": "N_TRIPLES",
    "text/plain": "N_TRIPLES",  # its name before RDF 1.1
    "text/turtle": "TURTLE",
    "application/turtle": "TURTLE",
    "application/x-turtle": "TURTLE",
    "text/n3": "TURTLE",
    "text/rdf+n3": "TURTLE",
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
        raise complaints.unasked(body, kind, "triples in N-Triples or Turtle")
    node_of, _ = oxigraph_terms()
    found: dict[TripleRow, None] = {}
    count = 0
    try:
        for quad in pyoxigraph.parse(body, getattr(pyoxigraph.RdfFormat, name)):
            count += 1
            if count % _LOOK == 0:
                response.in_time()
            subject, predicate, value = map(node_of, (quad.subject, quad.predicate, quad.object))
            found[_blank(subject), predicate, _blank(value)] = None
    except (SyntaxError, ValueError) as error:
        problem = EngineError(f"the endpoint's triples cannot be read: {printable(str(error)[:300])}")
        raise complaints.named(body[-(1 << 16) :].decode("utf-8", "replace"), "") or problem from None
    return list(found), count


def _blank(node: Node) -> Node:
    """The blank node where one is written as an IRI, as in rows; otherwise the node."""
    return blank_of(node.value) if isinstance(node, Iri) and node.value.startswith("nodeID://") else node
