"""Pairs of queries, before and after a pass, that are also executed: both have the same answers on random graphs."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Closure, Compare, Confidence, InstanceOf, Member, Path
from pylf.ir.passes.context import Context
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.target import GENERIC
from pylf.ir.terms import RDF, XSD, Iri, Literal
from pylf.ir.text import parse_query
from pylf.ir.traverse import terms, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path as File

    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Query
    from pylf.ir.target import Target
    from pylf.ir.terms import Node

VOCABULARY = Vocabulary("pairs")
EMPTY = Schema(MemorySource((), (), {}))
TYPE = Iri(RDF + "type")
_VALUES = (
    *(Literal(text, XSD + "integer") for text in ("0", "1", "5", "10")),
    *(Literal(text, XSD + "double") for text in ("5.0", "NaN", "INF", "-INF")),
    *(Literal(text, XSD + "gYear") for text in ("1990", "2001")),
    *(Literal(text, XSD + "date") for text in ("1990-07-01", "2001-01-01")),
    Literal("text"),
    Literal("abc", XSD + "integer"),
)


class Pair(NamedTuple):
    """A query and what a pass makes of it; ``name`` is its file's."""

    name: str
    before: Query
    after: Query


def pairs(folder: File) -> list[Pair]:
    """The pairs of a folder: each ``*.txt`` holds two queries in the IR's text form, with a line ``=>`` between."""
    found = []
    for file in sorted(folder.glob("*.txt")):
        before, _, after = file.read_text(encoding="utf-8").partition("\n=>\n")
        assert after, f"{file}: no line '=>'"
        found.append(Pair(file.stem, parse_query(before, file.name), parse_query(after, file.name)))
    assert found, f"no pairs in {folder}"
    return found


def context(schema: Schema = EMPTY, target: Target = GENERIC, vocabulary: Vocabulary = VOCABULARY) -> Context:
    """A context to run a pass in."""
    return Context(schema, vocabulary, target)


def graphs(queries: Iterable[Query], seed: int, count: int) -> Iterator[MemoryGraph]:
    """Random graphs over the names and values of some queries, each value with its neighbours, from empty to dense."""
    random = Random(seed)
    relations, classes, nodes = _named(queries)
    entities: list[Node] = [*nodes[0], *(Iri(f"http://pairs.example/n{number}") for number in range(3))]
    values = [*nodes[1], *_VALUES]
    yield MemoryGraph(())
    for number in range(count - 1):
        share = random.choice((0.05, 0.15, 0.35))
        few = random.sample(values, min(len(values), 5))
        rows: list[TripleRow] = [
            (subject, relation, target)
            for subject, relation, target in product(entities, relations, [*entities, *few])
            if random.random() < share
        ]
        rows += [(e, TYPE, c) for e, c in product(entities, classes) if random.random() < 0.5]
        yield MemoryGraph(rows if number else rows[:3])


def assert_same(before: Query, after: Query, seed: int = 1, count: int = 40, schema: Schema = EMPTY) -> None:
    """Both have the same answers on random graphs, and not always none."""
    found = 0
    for graph in graphs((before, after), seed, count):
        expected = evaluate(before, graph, schema, VOCABULARY)
        assert evaluate(after, graph, schema, VOCABULARY).key() == expected.key(), sorted(map(str, graph.triples()))
        found += bool(expected.values or expected.rows or expected.number or expected.boolean)
    assert found or not after.body.conjuncts or _never(after), "nothing was ever found: nothing was compared"


def _never(query: Query) -> bool:
    from pylf.ir.scope import never

    return never(query.body)


def _named(queries: Iterable[Query]) -> tuple[list[Iri], list[Iri], tuple[list[Iri], list[Literal]]]:
    """The relations, the classes, and the entities and literals that queries name."""
    relations: dict[Iri, None] = {}
    classes: dict[Iri, None] = {}
    entities: dict[Iri, None] = {}
    literals: dict[Literal, None] = {}
    for query in queries:
        for conjunct in walk(query):
            named = [*terms(conjunct)]
            match conjunct:
                case InstanceOf(classes=asked):
                    classes.update(dict.fromkeys(asked))
                case Member(values=values):
                    named += values
                case Closure(relation=relation):
                    relations[relation] = None
                case Path(relations=hops):
                    relations.update({hop: None for hop in hops if isinstance(hop, Iri)})
                case Compare() | Confidence():
                    pass
                case _:
                    predicate = getattr(conjunct, "predicate", None)
                    if isinstance(predicate, Iri):
                        relations[predicate] = None
            entities.update({term: None for term in named if isinstance(term, Iri) and term not in relations})
            literals.update({term: None for term in named if isinstance(term, Literal)})
    return list(relations), list(classes), (list(entities), list(literals))
