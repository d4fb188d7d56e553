"""From a graph on which two queries differ to one of which nothing can be taken away.

Nodes are dropped with all their triples, then triples one by one; two nodes become one; values become plainer ones.
Each is tried again until nothing helps; then entities without a name are numbered anew. Of a large graph nodes and
triples are dropped, and no more: there are too many pairs of nodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.terms import XSD_DECIMAL, XSD_INTEGER, XSD_STRING, Iri, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.equivalence.material import Material
    from pylf.ir.graph import TripleRow
    from pylf.ir.terms import Node

    Triples = tuple[TripleRow, ...]

#: a graph of more triples is large
LARGE = 50
#: datatypes from the plainest on; others come after them
_PLAIN = {XSD_INTEGER: 0, XSD_STRING: 1, XSD_DECIMAL: 2}


def shrunk(triples: Triples, differ: Callable[[Triples], bool], material: Material) -> Triples:
    """A smallest part of a graph, or a plainer one, for which ``differ`` still holds; it holds for ``triples``."""
    best = triples
    while True:
        before = best
        for step in (_without_a_node, _without_a_triple, _merged, _plainer):
            if len(best) > LARGE and step in (_merged, _plainer):
                continue
            best = _improved(best, step, differ, material)
        if best == before:
            break
    tidy = _tidied(best, material)
    return tidy if differ(tidy) else best


def weight(triples: Triples) -> tuple[int, int, int]:
    """How much there is to look at: triples, nodes, characters of literals."""
    nodes = _nodes(triples)
    return len(triples), len(nodes), sum(len(node.lexical) for node in nodes if isinstance(node, Literal))


def _improved(
    best: Triples,
    step: Callable[[Triples, Material], list[Triples]],
    differ: Callable[[Triples], bool],
    material: Material,
) -> Triples:
    """The graph after a step, as often as one leads on."""
    while True:
        better = next((graph for graph in step(best, material) if differ(graph)), None)
        if better is None:
            return best
        best = better


def _without_a_node(triples: Triples, material: Material) -> list[Triples]:
    return [
        tuple(triple for triple in triples if node not in (triple[0], triple[2]))
        for node in reversed(_nodes(triples))
        if material.is_fresh(node)
    ]


def _without_a_triple(triples: Triples, material: Material) -> list[Triples]:
    return [triples[:place] + triples[place + 1 :] for place in reversed(range(len(triples)))]


def _merged(triples: Triples, material: Material) -> list[Triples]:
    """A node without a name in the place of which another stands that is no class."""
    classes = {class_ for _, class_ in material.types}
    entities = [node for node in _nodes(triples) if isinstance(node, Iri) and node not in classes]
    return [
        _replaced(triples, gone, kept)
        for gone in reversed(entities)
        if material.is_fresh(gone)
        for kept in entities
        if kept != gone
    ]


def _plainer(triples: Triples, material: Material) -> list[Triples]:
    """A value in the place of which a plainer one stands."""
    literals = [node for node in _nodes(triples) if isinstance(node, Literal)]
    known = sorted({*material.values, *literals}, key=_plainness)
    return [
        _replaced(triples, literal, other)
        for literal in literals
        for other in known
        if _plainness(other) < _plainness(literal)
    ]


def _plainness(literal: Literal) -> tuple[int, int, str, str, str]:
    rank = _PLAIN.get(literal.datatype, len(_PLAIN))
    return rank, len(literal.lexical), literal.lexical, literal.datatype, literal.language or ""


def _tidied(triples: Triples, material: Material) -> Triples:
    """Entities without a name numbered in the order in which they are met; a subject's triples stand together."""
    fresh = material.fresh()
    subjects = list(dict.fromkeys(triple[0] for triple in triples))
    ordered = sorted(triples, key=lambda triple: subjects.index(triple[0]))
    names = {node: next(fresh) for node in _nodes(tuple(ordered)) if material.is_fresh(node)}
    return tuple((names.get(s, s), p, names.get(o, o)) for s, p, o in ordered)


def _replaced(triples: Triples, gone: Node, kept: Node) -> Triples:
    new = ((kept if s == gone else s, p, kept if o == gone else o) for s, p, o in triples)
    return tuple(dict.fromkeys(new))


def _nodes(triples: Triples) -> list[Node]:
    return list(dict.fromkeys(node for s, _, o in triples for node in (s, o)))
