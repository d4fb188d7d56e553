"""Negations that are solved apart: which, and that no answer changes."""

from __future__ import annotations

from pathlib import Path as File

from pylf.ir.passes import shape_negation
from pylf.ir.passes.context import Context
from pylf.ir.target import GENERIC
from pylf.ir.text import parse_query, print_query
from tests.ir.passes.pairs import EMPTY, pairs
from tests.ir.passes.planned import OXIGRAPH, VOCABULARY, assert_final, assert_planned, check, each, stated

PAIRS = pairs(File(__file__).parent / "shape_negation")
PLANNED = Context(stated(), VOCABULARY, OXIGRAPH)
TEXT = """set ?x
  ?a: entity
  ?x: entity
where
  {}
  not
    ?x <http://t.example/p0> ?a
    ?a <http://t.example/p1> <http://t.example/e1>
"""


@each(PAIRS)
def test_pairs(pair):
    assert_planned(shape_negation.run, pair, PLANNED)


@each(PAIRS)
def test_a_plan_is_final(pair):
    assert_final(shape_negation.run, pair, PLANNED)


def test_no_answer_changes():
    changed, full = check(shape_negation.run, OXIGRAPH, 11, 400)
    assert changed > 50
    assert full > 15


@each(PAIRS)
def test_without_counts_or_a_hash_join_nothing_is_done(pair):
    assert shape_negation.run(pair.before, Context(EMPTY, VOCABULARY, OXIGRAPH)) is pair.before
    assert shape_negation.run(pair.before, Context(stated(), VOCABULARY, GENERIC)) is pair.before


def test_beside_a_constant_the_gain_has_to_be_clear():
    """How many rows there are around is known of a class, and only guessed of what a constant is joined with."""
    of_class = parse_query(TEXT.format("?x a <http://t.example/A>"))
    assert "not apart" in print_query(shape_negation.run(of_class, PLANNED))
    guessed = parse_query(TEXT.format("?x <http://t.example/p3> <http://t.example/e0>"))
    assert shape_negation.run(guessed, PLANNED) is guessed
