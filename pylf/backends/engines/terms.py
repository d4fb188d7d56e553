"""Terms of pylf as terms of pyoxigraph and of rdflib, and back.

Lexical forms are handed over as they are; what an engine does to them on its own ground is the engine's (Oxigraph
stores numbers, booleans and dateTimes by value and gives them back in their canonical form). Language tags are
lower-case on pylf's side. Blank nodes go by the label that the engine gives them. A triple term has no counterpart
in pylf.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import EngineError
from pylf.ir.terms import RDF_LANG_STRING, XSD_STRING, Blank, Iri, Literal

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    import pyoxigraph
    import rdflib

    from pylf.ir.terms import Node

    OxigraphTerm: TypeAlias = pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal
    OxigraphAnything: TypeAlias = OxigraphTerm | pyoxigraph.Triple


class TripleTerm(EngineError):
    """A triple stands where a node is expected (RDF 1.2); no pylf term can hold it."""

    def __init__(self) -> None:
        super().__init__("the graph answers with a triple term (RDF 1.2), which pylf cannot hold")


def oxigraph_terms() -> tuple[Callable[[OxigraphAnything], Node], Callable[[Node], OxigraphTerm]]:
    """The two directions for pyoxigraph: ``(to pylf, from pylf)``. Imports pyoxigraph.

    The first raises :class:`TripleTerm`; the second ValueError where Oxigraph cannot hold the term (a relative IRI,
    a language tag that is none): such a term is in no Oxigraph graph.
    """
    from pyoxigraph import BlankNode, NamedNode
    from pyoxigraph import Literal as OxLiteral

    def node_of(term: OxigraphAnything) -> Node:
        if isinstance(term, NamedNode):
            return Iri(term.value)
        if isinstance(term, OxLiteral):
            language = term.language
            if language is not None:
                return Literal(term.value, RDF_LANG_STRING, language.lower())
            return Literal(term.value, term.datatype.value)
        if isinstance(term, BlankNode):
            return Blank(term.value)
        raise TripleTerm

    def term_of(node: Node) -> OxigraphTerm:
        match node:
            case Iri(value):
                return NamedNode(value)
            case Literal(lexical, _, str(language)):
                return OxLiteral(lexical, language=language)
            case Literal(lexical, datatype):
                return OxLiteral(lexical, datatype=NamedNode(datatype))
            case Blank(label):
                return BlankNode(label)

    return node_of, term_of


def rdflib_terms() -> tuple[Callable[[object], Node], Callable[[Node], rdflib.term.Identifier]]:
    """The two directions for rdflib: ``(to pylf, from pylf)``. Imports rdflib.

    The first raises EngineError for what is no RDF term (a quoted graph, a variable).
    """
    from rdflib.term import BNode, URIRef
    from rdflib.term import Literal as RdflibLiteral

    def node_of(term: object) -> Node:
        if isinstance(term, URIRef):
            return Iri(str(term))
        if isinstance(term, RdflibLiteral):
            if term.language is not None:
                return Literal(str(term), RDF_LANG_STRING, term.language.lower())
            return Literal(str(term), XSD_STRING if term.datatype is None else str(term.datatype))
        if isinstance(term, BNode):
            return Blank(str(term))
        raise EngineError(f"rdflib answers with {term!r}, which is no RDF term")

    def term_of(node: Node) -> rdflib.term.Identifier:
        match node:
            case Iri(value):
                return URIRef(value)
            case Literal(lexical, _, str(language)):
                return RdflibLiteral(lexical, lang=language, normalize=False)
            case Literal(lexical, datatype):
                # rdflib tells "a" from "a"^^xsd:string, RDF 1.1 does not: the plain form is kept throughout
                known = None if datatype == XSD_STRING else URIRef(datatype)
                return RdflibLiteral(lexical, datatype=known, normalize=False)
            case Blank(label):
                return BNode(label)

    return node_of, term_of
