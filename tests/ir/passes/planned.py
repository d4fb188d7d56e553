"""Random joins, negations and superlatives for the passes that plan by cost, with counts that are made up.

The counts steer the plans and nothing else: whatever they are, the answers stay. So they are drawn, and every plan
comes up sooner or later.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

import pytest

from pylf.backends.dialects import dialect_named
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.sparql.lower import lower_query
from pylf.backends.sparql.print import print_tree
from pylf.ir import build
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Body, Direction, Form, Kind, Op
from pylf.ir.passes.context import Context
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.target import Target
from pylf.ir.terms import RDF, XSD, XSD_INTEGER, Iri, Literal, Var
from pylf.ir.text import print_query
from pylf.ir.verify import verify
from tests.ir.passes.pairs import assert_same

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Query
    from pylf.ir.terms import Term
    from tests.ir.passes.pairs import Pair

    Planning = Callable[[Query, Context], Query]

NS: Final = "http://t.example/"
VOCABULARY: Final = Vocabulary("planned")
DIALECT: Final = dialect_named("oxigraph")
OXIGRAPH: Final = DIALECT.target
TEXTUAL: Final = Target("textual", textual_order=True, nests=True)
EDGES: Final = tuple([Iri(f"{NS}p{number}") for number in range(4)])
NUMBERS: Final = tuple([Iri(f"{NS}n{number}") for number in range(2)])
CLASSES: Final = (Iri(NS + "A"), Iri(NS + "B"))
NODES: Final = tuple([Iri(f"{NS}e{number}") for number in range(7)])


def counted(random: Random) -> Schema:
    """A schema whose counts are made up."""

    def size() -> int:
        return random.choice((1, 10, 100, 1_000, 10_000, 100_000))

    relations: list[Relation] = []
    for iri in (*EDGES, *NUMBERS):
        triples = size()
        subjects, objects = min(triples, size()), min(triples, size())
        relations.append(Relation(iri.value, triples=triples, subjects=subjects, objects=objects))
    classes = [Class(iri.value, instances=size()) for iri in CLASSES]
    return Schema(MemorySource(relations, classes, {}))


def graph(random: Random) -> MemoryGraph:
    """A small graph over the same names."""
    rows: list[TripleRow] = []
    share = random.choice((0.05, 0.12, 0.25))
    for subject in NODES:
        rows += [(subject, p, o) for p in EDGES for o in NODES if random.random() < share]
        rows += [(subject, Iri(RDF + "type"), c) for c in CLASSES if random.random() < 0.6]
        for relation in NUMBERS:
            rows += [(subject, relation, _number(random)) for _ in range(random.choice((0, 1, 1, 2)))]
    return MemoryGraph(rows)


def _number(random: Random) -> Literal:
    return Literal(str(random.randrange(6)), random.choice((XSD_INTEGER, XSD + "double")))


class _Drawing:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.made = 0

    def fresh(self) -> Var:
        self.made += 1
        return Var(f"v{self.made}")

    def body(self, seen: list[Var], size: int, depth: int) -> tuple[Body, list[Var]]:
        """A connected body about some variables; with the entities that it binds."""
        random = self.random
        parts: list[Body] = []
        own: list[Var] = []
        for _ in range(size):
            at = random.choice([*seen, *own]) if seen or own else self.fresh()
            if not seen and at not in own:
                own.append(at)
            roll = random.random()
            if roll < 0.15:
                parts.append(build.instance_of(at, (random.choice(CLASSES),)))
                continue
            if roll < 0.3:
                value = self.fresh()
                parts.append(build.triple(at, random.choice(NUMBERS), value))
                op = random.choice((Op.LT, Op.GE, Op.EQ, Op.NE))
                parts.append(build.compare(op, value, _number(random), Kind.NUMBER))
                continue
            other: Term = self.fresh()
            if roll < 0.42:
                other = random.choice(NODES)
            elif roll < 0.5 and len(own) + len(seen) > 1:
                other = random.choice([*seen, *own])
            elif isinstance(other, Var):
                own.append(other)
            ends = (at, other) if random.random() < 0.5 else (other, at)
            parts.append(build.triple(ends[0], random.choice(EDGES), ends[1]))
        bound = [var for var in own if any(str(var.name) in _names(part) for part in parts)]
        for _ in range(random.choice((0, 0, 1, 1, 2)) if depth else 0):
            within = random.sample([*seen, *bound], min(len(bound) + len(seen), random.choice((1, 1, 2))))
            if within:
                inner, _ = self.body(within, random.choice((1, 2, 2, 3)), depth - 1)
                parts.append(build.negate(inner))
        if depth and bound and random.random() < 0.2:
            parts.append(self.superlative(random.choice(bound), depth - 1))
        return build.join(*parts), bound

    def superlative(self, item: Var, depth: int) -> Body:
        key = self.fresh()
        inner, _ = self.body([item], self.random.choice((0, 1, 2, 3)), depth)
        body = build.join(build.triple(item, self.random.choice(NUMBERS), key), inner)
        if self.random.random() < 0.3:
            extra, _ = self.body([], 1, 0)
            body = build.join(body, extra)
        direction = self.random.choice((Direction.MAX, Direction.MIN))
        return build.top_k(direction, self.random.choice((1, 1, 2)), item, key, body, Kind.NUMBER)


def _names(body: Body) -> frozenset[str]:
    from pylf.ir.mentions import mentioned_in

    return mentioned_in(body)


def drawn_query(random: Random) -> Query:
    """A query about a join of two to six conjuncts, with negations and superlatives in it."""
    drawing = _Drawing(random)
    while True:
        body, bound = drawing.body([], random.choice((2, 3, 3, 4, 5, 6)), 2)
        if bound and body.conjuncts:
            break
    roll = random.random()
    if roll < 0.1:
        return build.query(Form.BOOLEAN, (), body)
    if roll < 0.2:
        return build.query(Form.NUMBER, (Var("n"),), build.count(Var("n"), random.choice(bound), body))
    outputs = tuple(random.sample(bound, min(len(bound), random.choice((1, 1, 1, 2)))))
    return build.query(Form.SET if len(outputs) == 1 else Form.ROWS, outputs, body)


def check(run: Planning, target: Target, seed: int, count: int, engine: bool = True) -> tuple[int, int]:
    """That a pass keeps the answers of ``count`` drawn queries, by definition and (with an ``engine``) on Oxigraph:
    how many it changed, and how many found something."""
    changed = full = 0
    for before, after, schema, facts in _rewritten(run, target, seed, count):
        if after is before:
            continue
        changed += 1
        expected = evaluate(before, facts, schema, VOCABULARY)
        verify(after)
        assert evaluate(after, facts, schema, VOCABULARY).key() == expected.key(), (before, after)
        full += bool(expected.values or expected.rows or expected.number or expected.boolean)
        if engine:
            store = OxigraphEngine.memory(facts.triples())
            text = print_tree(lower_query(after, schema, VOCABULARY, DIALECT, 1), DIALECT)
            found = store.answers(after, text)
            assert found.key() == expected.key(), (before, text)
    return changed, full


def _rewritten(
    run: Planning, target: Target, seed: int, count: int
) -> Iterator[tuple[Query, Query, Schema, MemoryGraph]]:
    for number in range(count):
        random = Random(f"{seed} {number}")
        schema = counted(random)
        query = drawn_query(random)
        verify(query)
        after = run(query, Context(schema, VOCABULARY, target))
        yield query, after, schema, graph(random)


def stated() -> Schema:
    """The counts that the pairs are planned by: edges of 20,000 triples between 2,000 nodes, numbers of 2,000 nodes, a
    class of 2,000 and one of 10."""
    edges = [Relation(iri.value, triples=20_000, subjects=2_000, objects=2_000) for iri in EDGES]
    numbers = [Relation(iri.value, triples=2_000, subjects=2_000, objects=200) for iri in NUMBERS]
    classes = [Class(CLASSES[0].value, instances=2_000), Class(CLASSES[1].value, instances=10)]
    return Schema(MemorySource([*edges, *numbers], classes, {}))


def each(found: list[Pair]) -> pytest.MarkDecorator:
    """A test of each pair."""
    return pytest.mark.parametrize("pair", found, ids=[pair.name for pair in found])


def assert_planned(run: Planning, pair: Pair, ground: Context) -> None:
    """A pass makes of a query what the pair says, with the same answers; one that stays is the same object."""
    found = run(pair.before, ground)
    assert print_query(found) == print_query(pair.after)
    if print_query(pair.before) == print_query(pair.after):
        assert found is pair.before
    assert_same(pair.before, pair.after)


def assert_final(run: Planning, pair: Pair, ground: Context) -> None:
    """A plan is planned once: the pass has nothing to add to it."""
    assert print_query(run(pair.after, ground)) == print_query(pair.after)
