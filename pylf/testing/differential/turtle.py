"""A small graph as Turtle that one likes to read: short names, one triple a line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.ir.memory import MemoryGraph
from pylf.ir.terms import ESCAPES, RDF, RDFS, XSD, XSD_STRING, Iri, Literal
from pylf.testing.drawn.schemas import NS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pylf.ir.graph import TripleRow
    from pylf.ir.terms import Node

_PREFIXES = {"": NS, "rdf": RDF, "rdfs": RDFS, "xsd": XSD}
_SHORT = re.compile(r"[A-Za-z][A-Za-z0-9]*")


def turtle(triples: Sequence[TripleRow]) -> str:
    """The triples, in their order, as Turtle that reads back to them (as N-Triples, where short names would not)."""
    lines = [f"{_node(s)} {_node(p)} {_node(o)} ." for s, p, o in triples]
    used = [f"@prefix {p}: <{ns}> ." for p, ns in _PREFIXES.items() if any(f"{p}:" in line for line in lines)]
    text = "\n".join((*used, *lines))
    if list(MemoryGraph.parse(text)) == list(dict.fromkeys(triples)):
        return text
    return "\n".join(f"{s} {p} {o} ." for s, p, o in triples)


def _node(node: Node) -> str:
    match node:
        case Iri(iri):
            return _iri(iri)
        case Literal(lexical, datatype, language):
            quoted = '"' + lexical.translate(ESCAPES) + '"'
            if language is not None:
                return f"{quoted}@{language}"
            return quoted if datatype == XSD_STRING else f"{quoted}^^{_iri(datatype)}"
        case _:
            return str(node)


def _iri(iri: str) -> str:
    for prefix, namespace in _PREFIXES.items():
        if iri.startswith(namespace) and _SHORT.fullmatch(iri[len(namespace) :]):
            return f"{prefix}:{iri[len(namespace) :]}"
    return f"<{iri}>"
