"""Parts that only have to exist, in sub-selects: what is planned, and that no answer changes."""

from __future__ import annotations

from pathlib import Path as File

from pylf.ir.passes import project_early
from pylf.ir.passes.context import Context
from pylf.ir.target import GENERIC
from tests.ir.passes.pairs import EMPTY, pairs
from tests.ir.passes.planned import OXIGRAPH, VOCABULARY, assert_final, assert_planned, check, each, stated

PAIRS = pairs(File(__file__).parent / "project_early")
PLANNED = Context(stated(), VOCABULARY, OXIGRAPH)


@each(PAIRS)
def test_pairs(pair):
    assert_planned(project_early.run, pair, PLANNED)


@each(PAIRS)
def test_a_plan_is_final(pair):
    assert_final(project_early.run, pair, PLANNED)


def test_no_answer_changes():
    changed, full = check(project_early.run, OXIGRAPH, 11, 400)
    assert changed > 120
    assert full > 15


@each(PAIRS)
def test_without_counts_or_cheap_sub_selects_nothing_is_done(pair):
    assert project_early.run(pair.before, Context(EMPTY, VOCABULARY, OXIGRAPH)) is pair.before
    assert project_early.run(pair.before, Context(stated(), VOCABULARY, GENERIC)) is pair.before
