"""Superlatives and counts over as little as they need: what is planned, and that no answer changes."""

from __future__ import annotations

from pathlib import Path as File

from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.passes import plan_extremes
from pylf.ir.passes.context import Context
from pylf.ir.target import GENERIC
from pylf.ir.terms import XSD, XSD_INTEGER, Literal
from tests.ir.passes.pairs import EMPTY, pairs
from tests.ir.passes.planned import (
    EDGES,
    NODES,
    NUMBERS,
    OXIGRAPH,
    VOCABULARY,
    assert_final,
    assert_planned,
    check,
    each,
    stated,
)

PAIRS = pairs(File(__file__).parent / "plan_extremes")
PLANNED = Context(stated(), VOCABULARY, OXIGRAPH)

#: the greatest of those with an end is 2, of two of them, spelled in two ways; what is greater has none
TIED = [Literal(text, XSD_INTEGER if text.isdigit() else XSD + "double") for text in ("1", "2", "0", "2.0", "9")]


@each(PAIRS)
def test_pairs(pair):
    assert_planned(plan_extremes.run, pair, PLANNED)


@each(PAIRS)
def test_a_plan_is_final(pair):
    assert_final(plan_extremes.run, pair, PLANNED)


def test_no_answer_changes():
    changed, full = check(plan_extremes.run, OXIGRAPH, 11, 400)
    assert changed > 60
    assert full > 15


def test_for_any_engine_a_superlative_loses_what_has_nothing_to_do_with_it():
    changed, full = check(plan_extremes.run, GENERIC, 12, 400)
    assert changed > 25
    assert full > 3


def test_ties_are_kept():
    query = next(pair.before for pair in PAIRS if pair.name == "items_before_keys")
    ends = [(entity, EDGES[0], NODES[5]) for entity in NODES[:4]]
    numbers = [(entity, NUMBERS[0], number) for entity, number in zip(NODES[:5], TIED, strict=True)]
    graph = MemoryGraph([*ends, (NODES[5], EDGES[1], NODES[6]), *numbers])
    found = evaluate(plan_extremes.run(query, PLANNED), graph, EMPTY, VOCABULARY)
    assert set(found.values) == {NODES[1], NODES[3]}
