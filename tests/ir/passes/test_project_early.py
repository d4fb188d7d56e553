"""Parts that only have to exist, in sub-selects: what is planned, and that no answer changes."""

from __future__ import annotations

from pathlib import Path as File

import pytest

from pylf.ir.passes import project_early
from pylf.ir.passes.context import Context
from pylf.ir.target import GENERIC
from pylf.ir.text import print_query
from tests.ir.passes.pairs import EMPTY, assert_same, pairs
from tests.ir.passes.planned import OXIGRAPH, VOCABULARY, check, stated

PAIRS = pairs(File(__file__).parent / "project_early")
PLANNED = Context(stated(), VOCABULARY, OXIGRAPH)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_pairs(pair):
    found = project_early.run(pair.before, PLANNED)
    assert print_query(found) == print_query(pair.after)
    if print_query(pair.before) == print_query(pair.after):
        assert found is pair.before
    assert_same(pair.before, pair.after)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_a_plan_is_final(pair):
    assert print_query(project_early.run(pair.after, PLANNED)) == print_query(pair.after)


def test_no_answer_changes():
    changed, full = check(project_early.run, OXIGRAPH, 11, 400)
    assert changed > 120
    assert full > 15


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_without_counts_or_cheap_sub_selects_nothing_is_done(pair):
    assert project_early.run(pair.before, Context(EMPTY, VOCABULARY, OXIGRAPH)) is pair.before
    assert project_early.run(pair.before, Context(stated(), VOCABULARY, GENERIC)) is pair.before
