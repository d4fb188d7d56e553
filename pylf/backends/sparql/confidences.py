"""Confidences that are kept where no triple pattern reaches: on reifiers of triple terms, and on names of graphs.

Those that are triples are written as triples (:mod:`pylf.ir.confidence`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.sparql.frame import Listed, StatedAtom, names_of
from pylf.backends.sparql.meeting import meets_alone
from pylf.backends.sparql.query import Stated, TriplePattern
from pylf.errors import UnsupportedOperation
from pylf.ir.schema.vocabulary import NamedGraphs, TripleTerms, encoding_name
from pylf.ir.terms import Iri, Literal
from pylf.ir.values import as_held, is_misspelled

if TYPE_CHECKING:
    from pylf.backends.sparql.frame import Frame
    from pylf.backends.sparql.lower import Lowering
    from pylf.backends.sparql.query import Pattern
    from pylf.ir.nodes import Confidence


def bind(lowering: Lowering, confidence: Confidence, frame: Frame) -> None:
    """Adds a confidence to a frame, as an atom of its own.

    Raises:
        UnsupportedOperation: the dialect reads no triple terms, or no names of graphs.
    """
    encoding, dialect = lowering.vocabulary.statements, lowering.dialect
    asked = f"a confidence in the encoding '{encoding_name(encoding)}'"
    if isinstance(encoding, TripleTerms) and not dialect.triple_terms:
        raise UnsupportedOperation(asked, f"SPARQL ({dialect.name}): it reads no triple terms of RDF 1.2")
    if isinstance(encoding, NamedGraphs) and not dialect.graph_names:
        raise UnsupportedOperation(asked, f"SPARQL ({dialect.name}) here: no graph can be asked for by name")
    subject, predicate, object_ = confidence.subject, confidence.predicate, confidence.object
    if isinstance(subject, Literal) or isinstance(predicate, Literal):
        frame.never = True
        return
    if isinstance(object_, Literal):
        object_ = as_held(object_) if is_misspelled(object_) else object_
        if not meets_alone(object_, dialect):
            listed = object_
            object_ = lowering.apart.fresh("value")
            frame.tests.append(Listed(object_, (listed,)))
    atom = StatedAtom(subject, predicate, object_, confidence.value, lowering.apart.fresh("statement"))
    frame.bind(atom, names_of(atom))


def patterns(lowering: Lowering, atom: StatedAtom) -> tuple[Pattern, ...]:
    """The patterns that say what such an atom says."""
    subject, predicate, object_, value, node = atom
    assert not isinstance(predicate, Literal)
    triple = TriplePattern(subject, predicate, object_)
    match lowering.vocabulary.statements:
        case TripleTerms(reifies, confidence, stated):
            named = (TriplePattern(node, Iri(confidence), value), Stated(node, triple, Iri(reifies)))
            return (triple, *named) if stated else named
        case NamedGraphs(confidence):
            return TriplePattern(node, Iri(confidence), value), Stated(node, triple)
        case other:
            raise AssertionError(other)
