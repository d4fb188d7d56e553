"""Negations of two triples that both begin at what is bound around: two short lists are met flat."""

from __future__ import annotations

from random import Random

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.sparql import emit
from pylf.ir import build
from pylf.ir.evaluate import evaluate
from pylf.ir.nodes import Form
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Relation, Schema
from pylf.ir.terms import Var
from tests.ir.passes.planned import EDGES, VOCABULARY, graph

X, Y, Z, W = map(Var, ("x", "y", "z", "w"))
MET = (build.triple(X, EDGES[1], Z), build.triple(Y, EDGES[2], Z))


def schema(each: int | None) -> Schema:
    """Edges of 1,000 subjects with so many objects each; None: without counts."""
    if each is None:
        return Schema(MemorySource([], [], {}))
    triples = 1_000 * each
    relations = [Relation(iri.value, triples=triples, subjects=1_000, objects=1_000) for iri in EDGES]
    return Schema(MemorySource(relations, [], {}))


def query(*parts):
    body = build.join(build.triple(X, EDGES[0], Y), build.negate(build.join(*parts)))
    return build.query(Form.ROWS, (X, Y), body)


@pytest.mark.parametrize(
    ("each", "parts", "flat"),
    [
        (3, MET, True),
        (300, MET, False),
        (None, MET, False),
        (3, (*MET, build.triple(Z, EDGES[3], W)), False),
        (3, (build.triple(X, EDGES[1], Z), build.triple(Z, EDGES[2], Y)), False),
        (3, (build.triple(Z, EDGES[1], X), build.triple(Z, EDGES[2], Y)), False),
    ],
)
def test_two_short_lists_are_left_flat(each, parts, flat):
    asked = query(*parts)
    known = schema(each)
    text = emit(asked, known, VOCABULARY, "oxigraph", 1)
    assert (text.count("EXISTS") == 1) is flat, text
    for number in range(12):
        facts = graph(Random(number))
        expected = evaluate(asked, facts, known, VOCABULARY)
        assert OxigraphEngine.memory(facts.triples()).answers(asked, text).key() == expected.key()
