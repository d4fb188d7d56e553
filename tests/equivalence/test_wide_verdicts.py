"""Verdicts about queries of the wide tier: what has one canonical form, what differs on some graph, and what is left to
the engine."""

from __future__ import annotations

from random import Random

import pytest

from pylf.equivalence.decide import equivalent
from pylf.equivalence.ranks import ranked_once
from pylf.equivalence.settled import settled
from pylf.equivalence.walks import walked_once
from pylf.ir import build
from pylf.ir.expressions import Apply
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Closure,
    Condition,
    Conjunct,
    Direction,
    Extend,
    Extreme,
    Form,
    LeftJoin,
    Not,
    Order,
    Query,
    Reduction,
    Slice,
    Triple,
)
from pylf.ir.passes import PIPELINE
from pylf.ir.passes.context import Context
from pylf.ir.passes.manager import optimized
from pylf.ir.terms import XSD_INTEGER, Literal, Var
from pylf.ir.types import ANY
from pylf.testing.drawn.wide import Names, wide_query
from tests.ir.small_queries import CLASSES, ENTITIES, RELATIONS, SCHEMA, VALUES, VOCABULARY

R, S = RELATIONS
x, y, z, w, n = map(Var, "xyzwn")
NAMES = Names(RELATIONS, CLASSES, ENTITIES, VALUES)


def asked(outputs: tuple[Var, ...], *conjuncts: Conjunct) -> Query:
    return build.query(Form.ROWS, outputs, Body(conjuncts), dict.fromkeys([one.name for one in outputs], ANY))


def number(value: int) -> Literal:
    return Literal(str(value), XSD_INTEGER)


def status(left: Query, right: Query) -> str:
    return equivalent(left, right, SCHEMA, VOCABULARY, 2, 1.0).status


BASE = Triple(x, S, w)
OPTIONAL = LeftJoin(Body((Triple(x, R, y),)))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (asked((x, y), BASE, OPTIONAL), asked((x, z), LeftJoin(Body((Triple(x, R, z),))), BASE)),
        (asked((x, y), BASE, OPTIONAL), asked((x, y), BASE, BASE, OPTIONAL)),
        (
            asked((x,), Triple(x, R, y), Condition(Apply("<", (y, number(5))))),
            asked(
                (x,),
                Triple(x, R, y),
                Condition(Apply("<", (y, number(5)))),
                Triple(x, R, z),
                Condition(Apply("<", (z, number(5)))),
            ),
        ),
    ],
)
def test_what_is_the_same_is_proved(left: Query, right: Query) -> None:
    assert status(left, right) == "equivalent"


def counted(*conjuncts: Conjunct) -> Query:
    return asked((x, n), Aggregate((Reduction("count", n),), Body(conjuncts), (x,)))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (asked((x,), BASE, OPTIONAL), asked((x,), BASE, Triple(x, R, y))),
        (asked((x, y), BASE, OPTIONAL), asked((x, y), BASE, Triple(x, R, y))),
        (asked((x,), BASE, OPTIONAL, Condition(Apply("bound", (y,)))), asked((x,), BASE)),
        (counted(Triple(x, R, y)), counted(Triple(x, R, y), Triple(x, R, z))),
        (counted(Triple(x, R, y)), counted(Triple(x, R, y), Not(Body((Triple(y, S, z),))))),
        (asked((x,), Triple(x, R, y), Condition(Apply("<", (y, number(5))))), asked((x,), Triple(x, R, y))),
        (
            asked((x, z), Triple(x, R, y), Extend(z, Apply("+", (y, number(1))))),
            asked((x, z), Triple(x, R, y), Extend(z, Apply("+", (y, number(2))))),
        ),
        (
            asked((x,), Slice((x,), Body((Triple(x, R, y),)), (Order(y),), 1)),
            asked((x,), Slice((x,), Body((Triple(x, R, y),)), (Order(y, True),), 1)),
        ),
    ],
)
def test_what_differs_is_refuted_by_a_graph(left: Query, right: Query) -> None:
    verdict = equivalent(left, right, SCHEMA, VOCABULARY, 3, 4.0)
    assert verdict.status == "different"
    assert verdict.graph is not None
    for one in (left, right):
        assert settled(one, MemoryGraph(verdict.graph), SCHEMA, VOCABULARY)


def test_what_an_engine_may_choose_refutes_nothing() -> None:
    first = asked((x,), Slice((x,), Body((Triple(x, R, y),)), (), 1))
    other = asked((x,), Slice((x,), Body((Triple(x, R, y),)), (Order(x),), 1))
    assert status(first, other) == "undecided"
    some = asked((y,), Aggregate((Reduction("sample", y, z),), Body((Triple(x, R, z),))))
    least = asked((y,), Aggregate((Reduction("min", y, z),), Body((Triple(x, R, z),))))
    assert status(some, least) == "undecided"


def test_a_graph_settles_rows_that_do_not_tie_and_one_value() -> None:
    one, two = ENTITIES[:2]
    tied = MemoryGraph([(one, R, number(1)), (two, R, number(1))])
    apart = MemoryGraph([(one, R, number(1)), (two, R, number(5))])
    query = asked((x,), Slice((x,), Body((Triple(x, R, y),)), (Order(y),), 1))
    assert not settled(query, tied, SCHEMA, VOCABULARY)
    assert settled(query, apart, SCHEMA, VOCABULARY)
    joined = asked((n,), Aggregate((Reduction("group_concat", n, y),), Body((Triple(x, R, y),))))
    assert settled(joined, MemoryGraph([(one, R, number(1))]), SCHEMA, VOCABULARY)
    assert not settled(joined, apart, SCHEMA, VOCABULARY)


def test_a_bag_is_not_said_in_another_way() -> None:
    walk = counted(Triple(x, R, y), Closure(y, R, z))
    assert walked_once(walk) is walk
    best = Extreme(Direction.MAX, x, y, Body((Triple(x, R, y), Extreme(Direction.MAX, x, z, Body((Triple(x, R, z),))))))
    query = counted(best, Triple(x, S, w))
    assert ranked_once(query) is query


def test_what_passes_make_of_a_query_never_differs() -> None:
    told = []
    for seed in range(40):
        query = wide_query(Random(seed), NAMES)
        found = optimized(query, Context(SCHEMA, VOCABULARY), PIPELINE)
        if found is not query:
            told.append(equivalent(query, found, SCHEMA, VOCABULARY, 1, 0.3).status)
    assert "different" not in told
    assert told.count("equivalent") > 20
