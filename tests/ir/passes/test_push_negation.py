from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from pylf.errors import InvalidIR, PassError
from pylf.ir.passes import push_negation
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.text import parse_query
from pylf.testing.ir_strategies import random_query
from tests.ir.passes.pairs import EMPTY, assert_same, context, pairs
from tests.ir.passes.small import NS, SMALL, changes, changes_of_drawn, small_queries
from tests.ir.passes.turns import turn_of

PAIRS = pairs(Path(__file__).parent / "push_negation")
run = turn_of("push-negation")


def _query(where: str):
    return parse_query("set ?x\nwhere\n" + where.replace("<", f"<{NS}"))


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_negations_are_taken_apart(pair):
    assert run(pair.before, context(SMALL)) == pair.after
    assert run(pair.after, context(SMALL)) is pair.after
    assert_same(pair.before, pair.after, schema=SMALL)


@pytest.mark.parametrize(
    "where",
    [
        pytest.param("  ?x a <B>\n  not\n    ?x <p> ?y\n", id="a scan that nothing implies"),
        pytest.param("  ?y <q> ?x\n  ?x a <O>\n", id="an object that may be a literal"),
        pytest.param("  ?x a <O>\n  ?x <q> ?y\n", id="the other end"),
        pytest.param("  ?x a <S>\n  ?x <p>* ?y\n", id="no steps"),
        pytest.param("  ?x a <S>\n  ?x ?p ?y\n", id="any relation"),
        pytest.param("  ?x a <S>\n  not\n    ?x <p> ?y\n", id="a relation that is denied"),
        pytest.param("  ?x a <B> | <O>\n  ?x a <B> | <S>\n  ?x <q> ?y\n", id="classes that overlap"),
        pytest.param("  ?x a <A>\n  ?x with largest ?y\n    ?x a <A>\n    ?x <q> ?y\n", id="a body that sees nothing"),
        pytest.param("  ?x a <B>\n  not\n    ?x a <A>\n    ?y <q> ?z\n", id="what alone a negation shares"),
        pytest.param("  ?x <p> ?y\n  not\n    ?x <q> ?y\n    not\n      ?y <q> ?x\n", id="more than a negation"),
    ],
)
def test_what_is_needed_is_left_alone(where):
    query = _query(where)
    assert run(query, context(SMALL)) is query


def test_classes_below_are_the_graphs_where_it_says_which():
    by_graph = context(SMALL, vocabulary=Vocabulary("by graph", subclass_paths=True))
    below = _query("  ?x a <B>\n  ?x a <A>\n")
    assert run(below, by_graph) is below
    defined = _query("  ?x a <A>\n  ?x <p> ?y\n")
    assert run(defined, by_graph) is defined
    named = _query("  ?x a <B>\n  ?x a <B> | <A>\n")
    assert run(named, by_graph).body.conjuncts == named.body.conjuncts[:1]


def test_names_of_several_arms_are_told_apart_and_typed():
    arms = "".join(f"    {word}\n      ?x <{p}> ?y1\n      ?y1 <p> ?z\n" for word, p in (("either", "p"), ("or", "q")))
    found = run(_query("  ?x a <A>\n  ?y2 <p> ?x\n  not\n" + arms), context(SMALL))
    types = found.type_of
    assert list(types) == ["x", "y1", "y2", "y3", "z", "z2"]
    assert (types["y3"], types["z2"]) == (types["y1"], types["z"])
    first, second = found.body.conjuncts[2:]
    assert str(second).replace("y3", "y1").replace("z2", "z").replace("/q'", "/p'") == str(first)


def test_what_is_seen_from_outside_keeps_its_name():
    found = run(_query("  ?x <p> ?y\n  not\n    either\n      ?y <q> ?x\n    or\n      ?y a <B>\n"), context(SMALL))
    assert list(found.type_of) == ["x", "y"]


def test_spans_and_advice_stay():
    query = _query("  ?x a <A>\n  not apart\n    either\n      ?x <p> ?y\n    or\n      ?x <q> ?y\n")
    found = run(query, context(SMALL))
    assert [(c.apart, c.span) for c in found.body.conjuncts[1:]] == [(True, query.body.conjuncts[1].span)] * 2


def test_a_number_query_that_never_has_an_answer_is_left_alone():
    query = parse_query(f"number ?n\nwhere\n  ?n counts ?x\n    ?x <{NS}p> ?y\n  not\n    not\n      never\n")
    assert run(query, context(SMALL)) is query


def test_small_queries_keep_their_answers():
    assert changes(run, small_queries(range(1000, 1400)), SMALL) > 100


def test_random_queries_keep_their_answers():
    assert changes(run, (random_query(Random(seed)) for seed in range(500)), EMPTY, 3) > 15


def test_compiled_programs_keep_their_answers():
    assert changes_of_drawn(run, 1, 120) > 10


def test_after_normalize_queries_keep_their_answers():
    def both(query, ground):
        for _ in range(4):
            query = run(turn_of("normalize")(query, ground), ground)
        return query

    assert changes(both, small_queries(range(2000, 2200)), SMALL) > 100


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        pytest.param("_is_entity", lambda *_: True, id="literals are instances"),
        pytest.param("_below", lambda lower, upper, _: True, id="any class is below any other"),
        pytest.param("rename", lambda body, _: body, id="names meet"),
    ],
)
def test_broken_on_purpose_it_is_found_out(monkeypatch, name, broken):
    monkeypatch.setattr(push_negation, name, broken)
    with pytest.raises((AssertionError, InvalidIR, PassError)):
        changes(run, small_queries(range(600)), SMALL)
