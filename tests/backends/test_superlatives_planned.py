"""Superlatives at -O2: the items with the best key first, the rest by EXISTS; and equal ones are found once."""

from __future__ import annotations

from random import Random

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.sparql import emit
from pylf.ir import build
from pylf.ir.evaluate import evaluate
from pylf.ir.nodes import Direction, Form, Kind, Op
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Relation, Schema
from pylf.ir.terms import XSD_INTEGER, Literal, Var
from tests.ir.passes.planned import EDGES, NODES, NUMBERS, VOCABULARY, graph

X, Y, Z, N, M = map(Var, ("x", "y", "z", "n", "m"))


def counted(keys: int, edges: int = 20_000) -> Schema:
    """Edges of so many triples between 2,000 nodes, and so many keys."""
    relations = [Relation(iri.value, triples=edges, subjects=2_000, objects=2_000) for iri in EDGES]
    numbers = [Relation(iri.value, triples=keys, subjects=keys, objects=200) for iri in NUMBERS]
    return Schema(MemorySource([*relations, *numbers], [], {}))


def parts(random: Random):
    """A superlative over two hops and more, of one item or of the two best."""
    first, second, third = random.choices(EDGES, k=3)
    kept = [build.triple(Y, first, X), build.triple(Y, second, Z)]
    roll = random.random()
    if roll < 0.3:
        kept.append(build.triple(Z, third, random.choice(NODES)))
    elif roll < 0.6:
        kept.append(build.negate(build.triple(X, third, Z)))
    elif roll < 0.8:
        kept += [build.triple(Z, NUMBERS[1], M), build.compare(Op.GE, M, Literal("2", XSD_INTEGER), Kind.NUMBER)]
    body = build.join(build.triple(X, NUMBERS[0], N), *kept)
    direction = random.choice((Direction.MAX, Direction.MIN))
    return build.top_k(direction, random.choice((1, 1, 2, 3)), X, N, body, Kind.NUMBER)


def test_the_best_items_come_first_and_no_answer_changes():
    schema = counted(2_000)
    first = found = 0
    for number in range(150):
        random = Random(number)
        query = build.query(Form.SET, (X,), parts(random))
        facts = graph(random)
        text = emit(query, schema, VOCABULARY, "oxigraph", 2)
        first += "FILTER EXISTS" in text
        expected = evaluate(query, facts, schema, VOCABULARY)
        found += bool(expected.values)
        assert OxigraphEngine.memory(facts.triples()).answers(query, text).key() == expected.key(), text
    assert first > 100
    assert found > 60


def test_a_body_is_met_again_where_that_is_less_than_the_keys():
    near = build.join(build.triple(X, NUMBERS[0], N), build.triple(X, EDGES[0], NODES[0]))
    query = build.query(Form.SET, (X,), build.extreme(Direction.MAX, X, N, near, Kind.NUMBER))
    assert "EXISTS" not in emit(query, counted(2_000), VOCABULARY, "oxigraph", 2)
    hops = build.join(build.triple(X, NUMBERS[0], N), build.triple(Y, EDGES[0], X), build.triple(Y, EDGES[1], Z))
    far = build.query(Form.SET, (X,), build.extreme(Direction.MAX, X, N, hops, Kind.NUMBER))
    assert "FILTER EXISTS" in emit(far, counted(2_000), VOCABULARY, "oxigraph", 2)
    assert "FILTER EXISTS" not in emit(far, counted(2_000), VOCABULARY, "oxigraph", 1)
    assert "FILTER EXISTS" not in emit(far, counted(2_000), VOCABULARY, "jena", 2)


def test_equal_superlatives_of_two_items_are_found_once():
    def best(item: Var, key: Var):
        body = build.join(build.triple(item, NUMBERS[0], key), build.triple(item, EDGES[0], NODES[0]))
        return build.extreme(Direction.MAX, item, key, body, Kind.NUMBER)

    body = build.join(build.triple(Z, EDGES[1], X), build.triple(Z, EDGES[2], Y), best(X, N), best(Y, M))
    query = build.query(Form.SET, (Z,), body)
    empty = Schema(MemorySource([], [], {}))
    assert emit(query, empty, VOCABULARY, "oxigraph", 1).count("MAX(") == 2
    assert emit(query, empty, VOCABULARY, "oxigraph", 2).count("MAX(") == 1
    for number in range(20):
        facts = graph(Random(number))
        engine = OxigraphEngine.memory(facts.triples())
        found = engine.answers(query, emit(query, empty, VOCABULARY, "oxigraph", 2))
        assert found.key() == evaluate(query, facts, empty, VOCABULARY).key()
