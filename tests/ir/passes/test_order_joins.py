"""Joins in the order of what they find: which order, and that no answer changes."""

from __future__ import annotations

from pathlib import Path as File

import pytest

from pylf.ir.passes import order_joins
from pylf.ir.passes.context import Context
from pylf.ir.target import GENERIC
from pylf.ir.text import print_query
from pylf.records import replace
from tests.ir.passes.pairs import EMPTY, assert_same, pairs
from tests.ir.passes.planned import TEXTUAL, VOCABULARY, check, stated

PAIRS = pairs(File(__file__).parent / "order_joins")
PLANNED = Context(stated(), VOCABULARY, TEXTUAL)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_pairs(pair):
    found = order_joins.run(pair.before, PLANNED)
    assert print_query(found) == print_query(pair.after)
    if print_query(pair.before) == print_query(pair.after):
        assert found is pair.before
    assert_same(pair.before, pair.after)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_a_plan_is_final(pair):
    assert print_query(order_joins.run(pair.after, PLANNED)) == print_query(pair.after)


def test_no_answer_changes():
    changed, full = check(order_joins.run, TEXTUAL, 11, 400)
    assert changed > 300
    assert full > 15


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_without_counts_nothing_is_done(pair):
    assert order_joins.run(pair.before, Context(EMPTY, VOCABULARY, TEXTUAL)) is pair.before


def test_an_engine_that_orders_joins_itself_is_left_alone():
    query = next(pair.before for pair in PAIRS if pair.name == "smallest_first")
    itself = replace(GENERIC, textual_order=False)
    assert order_joins.run(query, Context(stated(), VOCABULARY, itself)) is query
    assert order_joins.run(query, Context(stated(), VOCABULARY, replace(itself, nests=True))) is query
