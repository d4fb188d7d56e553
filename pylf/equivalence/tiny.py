"""Every graph of a few triples over the names of two queries.

Graphs that are alike but for which entity without a name stands where come once: in a list of triples such entities
are first met in their order. Where that is broken, swapping the two gives a list that comes earlier, so each graph has
a form that is kept.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from pylf.ir.terms import Iri

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.equivalence.material import Material
    from pylf.ir.graph import TripleRow
    from pylf.ir.terms import Constant

#: Entities without a name, and values, in tiny graphs.
ENTITIES = 2
VALUES = 8


def possible(material: Material) -> list[TripleRow]:
    """The triples that may stand in a tiny graph, in the order that :func:`tiny` rests on: by predicate, subject and
    object."""
    entities: list[Iri] = [*material.entities, *islice(material.fresh(), ENTITIES)]
    values: list[Constant] = [*entities, *material.values[:VALUES]]
    found: dict[TripleRow, None] = {}
    for predicate, class_ in material.types:
        found |= dict.fromkeys((entity, predicate, class_) for entity in entities)
    for relation in material.relations:
        objects = values if relation in material.valued or material.searches else [*entities, *values[-1:]]
        found |= dict.fromkeys((entity, relation, object_) for entity in entities for object_ in objects)
    return list(found)


def tiny(triples: list[TripleRow], size: int, material: Material) -> Iterator[tuple[TripleRow, ...]]:
    """Every graph of exactly ``size`` of the triples."""
    fresh = list(islice(material.fresh(), ENTITIES))
    marks = [
        tuple(fresh.index(node) for node in (s, o) if isinstance(node, Iri) and node in fresh) for s, _, o in triples
    ]
    chosen: list[int] = []

    def extended(start: int, met: int) -> Iterator[tuple[TripleRow, ...]]:
        if len(chosen) == size:
            yield tuple([triples[place] for place in chosen])
            return
        for place in range(start, len(triples)):
            now = met
            for mark in marks[place]:
                if mark > now:
                    break
                now = max(now, mark + 1)
            else:
                chosen.append(place)
                yield from extended(place + 1, now)
                chosen.pop()

    return extended(0, 0)
