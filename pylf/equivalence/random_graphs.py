"""Random graphs near those that queries are made of: frozen bodies, put together and disturbed a little."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from pylf.equivalence.choices import Choices
from pylf.equivalence.freeze import RECIPES
from pylf.ir.terms import Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.equivalence.freeze import Freezer
    from pylf.equivalence.material import Material
    from pylf.ir.graph import TripleRow
    from pylf.ir.terms import Node

    Triples = tuple[TripleRow, ...]

#: no graph is larger, whatever it is made of
MOST_TRIPLES = 24


def random_graphs(freezer: Freezer, material: Material, possible: list[TripleRow], seed: int = 0) -> Iterator[Triples]:
    """Graphs without end, the same ones for the same seed. ``possible`` are triples that may be added to one."""
    random = Random(seed)
    while True:
        made = freezer.graph(Choices((random.randrange(len(RECIPES)),), random))
        if random.random() < 0.3:
            made += freezer.graph(Choices((random.randrange(len(RECIPES)),), random))
        triples = list(dict.fromkeys(made))[:MOST_TRIPLES]
        for _ in range(random.choice((0, 1, 1, 2, 3))):
            triples = _disturbed(triples, random, material, possible)
        yield tuple(triples)


def _disturbed(
    triples: list[TripleRow], random: Random, material: Material, possible: list[TripleRow]
) -> list[TripleRow]:
    """The graph with a triple less or more, with two nodes in one, or with another value."""
    roll = random.random()
    if not triples or roll < 0.25:
        return list(dict.fromkeys((*triples, random.choice(possible)))) if possible else triples
    if roll < 0.5:
        place = random.randrange(len(triples))
        return triples[:place] + triples[place + 1 :]
    if roll < 0.75:
        nodes = dict.fromkeys(node for s, _, o in triples for node in (s, o))
        fresh = [node for node in nodes if material.is_fresh(node)]
        if not fresh:
            return triples
        gone, kept = random.choice(fresh), random.choice((*fresh, *material.entities))
        return list(dict.fromkeys((_put(s, gone, kept), p, _put(o, gone, kept)) for s, p, o in triples))
    places = [place for place, triple in enumerate(triples) if isinstance(triple[2], Literal)]
    if not places or not material.values:
        return triples
    place = random.choice(places)
    subject, predicate, _ = triples[place]
    return list(
        dict.fromkeys((*triples[:place], (subject, predicate, random.choice(material.values)), *triples[place:]))
    )


def _put(node: Node, gone: Node, kept: Node) -> Node:
    return kept if node == gone else node
