"""Joins in the order of what they find: which order, and that no answer changes."""

from __future__ import annotations

from pathlib import Path as File

from pylf.ir.passes import order_joins
from pylf.ir.passes.context import Context
from pylf.ir.target import GENERIC
from pylf.records import replace
from tests.ir.passes.pairs import EMPTY, pairs
from tests.ir.passes.planned import TEXTUAL, VOCABULARY, assert_final, assert_planned, check, each, stated

PAIRS = pairs(File(__file__).parent / "order_joins")
PLANNED = Context(stated(), VOCABULARY, TEXTUAL)


@each(PAIRS)
def test_pairs(pair):
    assert_planned(order_joins.run, pair, PLANNED)


@each(PAIRS)
def test_a_plan_is_final(pair):
    assert_final(order_joins.run, pair, PLANNED)


def test_no_answer_changes():
    changed, full = check(order_joins.run, TEXTUAL, 11, 400)
    assert changed > 300
    assert full > 15


@each(PAIRS)
def test_without_counts_nothing_is_done(pair):
    assert order_joins.run(pair.before, Context(EMPTY, VOCABULARY, TEXTUAL)) is pair.before


def test_an_engine_that_orders_joins_itself_is_left_alone():
    query = next(pair.before for pair in PAIRS if pair.name == "smallest_first")
    itself = replace(GENERIC, textual_order=False)
    assert order_joins.run(query, Context(stated(), VOCABULARY, itself)) is query
    assert order_joins.run(query, Context(stated(), VOCABULARY, replace(itself, nests=True))) is query
