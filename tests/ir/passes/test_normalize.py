from __future__ import annotations

from pathlib import Path as File
from random import Random
from unittest import mock

import pytest

from pylf.errors import InvalidIR, PassError
from pylf.ir import build
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Project, Union
from pylf.ir.passes import constants, normalize
from pylf.ir.text import parse_query
from pylf.testing.ir_strategies import random_query
from tests.ir.passes.pairs import EMPTY, VOCABULARY, assert_same, context, pairs
from tests.ir.passes.small import SMALL, changes, changes_of_drawn, small_queries
from tests.ir.passes.turns import turn_of

PAIRS = pairs(File(__file__).parent / "normalize")
run = turn_of("normalize")


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_a_query_is_said_in_fewer_words(pair):
    assert run(pair.before, context(SMALL)) == pair.after
    assert run(pair.after, context(SMALL)) is pair.after
    assert_same(pair.before, pair.after, schema=SMALL)


@pytest.mark.parametrize(
    "where",
    [
        pytest.param("?x <p> ?y\n  ?y <p> ?x", id="nothing twice"),
        pytest.param('?x <p> ?y\n  ?x in ("5", "5"@en)', id="several values"),
        pytest.param('?x in ("5")', id="the value of an output"),
        pytest.param('?x <p> ?y\n  not\n    ?y in ("5")\n    ?y <q> ?x', id="a value seen from outside"),
        pytest.param('?x <p> ?y\n  ?y <= ?z\n  ?y in ("1990")\n  ?z <q> ?x', id="before the operator of an order"),
        pytest.param("?x <p> ?y\n  ?z <q>* ?y\n  ?z in (<e>)", id="an end of no steps"),
        pytest.param('?x with largest ?k\n    ?x <p> ?k\n    ?k in ("5", "6")', id="a key"),
        pytest.param("?x <p> ?y\n  not\n    ?x <p> ?y\n    <a> <q> <b>", id="what alone a negation shares"),
        pytest.param(
            "?x <p> ?y\n  either\n    ?x <p> ?y\n    ?y < 5\n  or\n    ?x a <A>\n    ?x <q> ?y", id="what an arm binds"
        ),
        pytest.param("?x is ?x by number\n  ?x <p> ?y", id="the same variable, if it is a number"),
        pytest.param("?x <p> ?y\n  not\n    ?x <p> ?z", id="another variable"),
    ],
)
def test_what_has_to_be_said_is_left_alone(where):
    where = where.replace("< 5", '< "5"')
    query = parse_query(f"set ?x\nwhere\n  {where}\n")
    assert run(query, context()) is query


def test_a_value_is_put_in_as_a_term_and_compared_by_value():
    five = '"5"^^<http://www.w3.org/2001/XMLSchema#integer>'
    query = parse_query(f"set ?x\nwhere\n  ?x <p> ?y\n  ?y is ?z\n  ?z in ({five})\n")
    found = run(query, context())
    assert found == parse_query(f"set ?x\n  ?x: entity\n  ?y: any\nwhere\n  ?x <p> ?y\n  ?y is {five}\n")
    assert_same(query, found)


def test_a_variable_that_would_be_typed_as_a_relation_and_be_none_is_kept():
    query = parse_query("set ?x\nwhere\n  ?x <p> ?r\n  not\n    ?x ?r ?x\n    never\n")
    assert run(query, context()) is query


def test_spans_stay():
    query = parse_query("set ?x\nwhere\n  ?x <p> ?y\n  distinct ?x\n    ?x <q> ?z\n")
    found = run(query, context())
    assert [conjunct.span for conjunct in found.body.conjuncts] == [
        query.body.conjuncts[0].span,
        query.body.conjuncts[1].body.conjuncts[0].span,
    ]


def test_small_queries_keep_their_answers():
    assert changes(run, small_queries(range(400)), SMALL) > 100


def test_random_queries_keep_their_answers():
    assert changes(run, (random_query(Random(seed)) for seed in range(300)), EMPTY, 3) > 100


def test_compiled_programs_keep_their_answers():
    assert changes_of_drawn(run, 1, 60) > 20


def test_a_number_query_keeps_its_count_even_of_nothing():
    query = parse_query('number ?n\nwhere\n  ?n counts ?x\n    ?x <p> ?y\n    "a" > "b"\n')
    found = run(query, context())
    assert found == parse_query("number ?n\n  ?x: entity\nwhere\n  ?n counts ?x\n    never\n")
    assert evaluate(found, MemoryGraph(()), EMPTY, VOCABULARY).number == 0
    beside = parse_query('number ?n\nwhere\n  ?n counts ?x\n    ?x <p> ?y\n  "a" > "b"\n')
    found = run(beside, context())
    assert found.body.conjuncts == (beside.body.conjuncts[0], Union(()))
    assert run(found, context()) is found


@pytest.mark.parametrize(
    ("module", "name", "broken"),
    [
        pytest.param(constants, "_may_stand", lambda *_: True, id="a constant anywhere"),
        pytest.param(constants, "compare", lambda *_: True, id="all comparisons hold"),
        pytest.param(
            normalize,
            "_not_held",
            lambda parts, held, arm: [p for p in parts if type(p) not in map(type, held)],
            id="alike is the same",
        ),
        pytest.param(
            normalize,
            "_inlined",
            lambda conjuncts: [c for c in conjuncts if not isinstance(c, Project)],
            id="distinct rows lost",
        ),
    ],
)
def test_broken_on_purpose_it_is_found_out(monkeypatch, module, name, broken):
    monkeypatch.setattr(module, name, broken)
    with pytest.raises((AssertionError, InvalidIR, PassError)):
        changes(run, small_queries(range(600)), SMALL)


def test_a_value_that_is_put_in_where_the_variable_is_seen_from_outside_is_found_out(monkeypatch):
    class Everywhere(dict):
        def __missing__(self, name):
            return mock.ANY

    monkeypatch.setattr(normalize._Round, "total", lambda _: Everywhere())
    with pytest.raises((AssertionError, InvalidIR, PassError)):
        changes(run, small_queries(range(600)), SMALL)


def test_an_arm_that_says_less_is_not_what_goes(monkeypatch):
    def longest(_, union, arms):
        sets = [frozenset(one.conjuncts) for one in arms]
        kept = [one for one, mine in zip(arms, sets, strict=True) if not any(mine < other for other in sets)]
        return (union,) if len(kept) == len(union.arms) else build.union(kept, union.span).conjuncts

    monkeypatch.setattr(normalize._Round, "union", longest)
    with pytest.raises((AssertionError, InvalidIR, PassError)):
        changes(run, small_queries(range(600)), SMALL)
