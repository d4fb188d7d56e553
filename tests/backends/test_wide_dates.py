"""Two dates of which neither is a constant, compared in every way, as the reference evaluator has it."""

from __future__ import annotations

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.rdflib import RdflibEngine
from pylf.backends.sparql import emit
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from tests.backends.wide_dates import FRACTIONS, ODD, OPS, PLAIN, SCHEMA, compared, triples, with_constant
from tests.backends.wide_texts import VOCABULARY

PAIRS = (("day", "year"), ("year", "day"), ("plain", "plain"), ("date", "date"))
HOWS = ("core", "wide", "denied")


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("pair", PAIRS)
def test_oxigraph_compares_dates_of_any_precision(op: str, pair: tuple[str, str]) -> None:
    found = triples(1, PLAIN + FRACTIONS + ODD, 60)
    memory, engine = MemoryGraph(found), OxigraphEngine.memory(found)
    said = 0
    for how in HOWS:
        query = compared(op, *pair, how)
        expected = evaluate(query, memory, SCHEMA, VOCABULARY)
        said += len(expected.rows)
        for optimize in (0, 1):
            assert engine.run(query, SCHEMA, VOCABULARY, optimize).key() == expected.key(), (how, optimize)
    assert said


@pytest.mark.parametrize("op", OPS)
def test_rdflib_does_too(op: str) -> None:
    found = triples(2, PLAIN + FRACTIONS + ODD, 8)
    memory, engine = MemoryGraph(found), RdflibEngine.from_triples(found)
    for how in HOWS:
        query = compared(op, "plain", "plain", how)
        got = engine.answers(query, emit(query, SCHEMA, VOCABULARY, "rdflib"))
        assert got.key() == evaluate(query, memory, SCHEMA, VOCABULARY).key(), how


@pytest.mark.parametrize("op", OPS)
def test_a_constant_may_stand_before_the_variable(op: str) -> None:
    found = triples(1, PLAIN + FRACTIONS + ODD, 60)
    memory, engine = MemoryGraph(found), OxigraphEngine.memory(found)
    for constant in (PLAIN[0], PLAIN[10], PLAIN[22], PLAIN[34], *FRACTIONS[:2], ODD[0], ODD[6]):
        for how in ("wide", "denied"):
            query = with_constant(op, constant, "date", how)
            expected = evaluate(query, memory, SCHEMA, VOCABULARY)
            assert engine.run(query, SCHEMA, VOCABULARY).key() == expected.key(), (constant, how)
