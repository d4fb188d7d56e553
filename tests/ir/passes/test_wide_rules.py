"""What each pass does at the nodes of the wide tier, and what it leaves, by example."""

from __future__ import annotations

import pytest

from pylf.ir import build
from pylf.ir.expressions import Apply
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Compare,
    Condition,
    Conjunct,
    Count,
    Direction,
    Extend,
    Extreme,
    Form,
    InstanceOf,
    Kind,
    LeftJoin,
    Member,
    Not,
    Op,
    Order,
    Project,
    Query,
    Reduction,
    Slice,
    Triple,
    Union,
)
from pylf.ir.passes import PIPELINE, listed
from pylf.ir.passes.context import Context
from pylf.ir.passes.manager import Basis, Pass, named, optimized
from pylf.ir.terms import XSD_INTEGER, Literal, Var
from pylf.ir.types import ANY
from pylf.ir.verify import verify
from tests.ir.small_queries import CLASSES, ENTITIES, RELATIONS, SCHEMA, VOCABULARY

R, S = RELATIONS
A, B, _ = CLASSES
E = ENTITIES[0]
x, y, z, w, n, m = map(Var, "xyzwnm")
ONE, FIVE = Literal("1", XSD_INTEGER), Literal("5", XSD_INTEGER)
CONTEXT = Context(SCHEMA, VOCABULARY)
COUNT = (Reduction("count", n),)
FALSE = Compare(Op.LT, FIVE, ONE, Kind.NUMBER)
BEYOND = Condition(Apply("<", (ONE, y)))


def asked(outputs: tuple[Var, ...], *conjuncts: Conjunct) -> Query:
    found = build.query(Form.ROWS, outputs, Body(conjuncts), dict.fromkeys([one.name for one in outputs], ANY))
    verify(found)
    return found


def after(name: str, query: Query) -> tuple[Conjunct, ...]:
    found = named(name, PIPELINE).run(query, CONTEXT)
    verify(found)
    return found.body.conjuncts


def body(*conjuncts: Conjunct) -> Body:
    return Body(conjuncts)


# --- bags -------------------------------------------------------------------------------------------------------------

TWICE = body(Triple(x, R, y), Triple(x, R, z))
HIDDEN = body(Triple(x, R, y), Project((x,), body(Triple(x, S, z))))
LISTED = body(Triple(x, R, y), Member(y, (E,)))
DENIED = body(Triple(x, R, y), Not(body(Not(body(Triple(x, S, z))))))
LEFT = body(Union((body(Triple(x, R, y), Triple(y, S, z)), body(Triple(x, S, y), FALSE))))
RANKED = body(Triple(x, R, y), Extreme(Direction.MAX, x, z, body(Triple(x, R, z), Triple(E, S, w))))
#: what a pass would make of a body that is no bag
FOLDED = [
    ("minimize", TWICE),
    ("normalize", HIDDEN),
    ("normalize", LISTED),
    ("push-negation", DENIED),
    ("normalize", LEFT),
    ("plan-extremes", RANKED),
]


@pytest.mark.parametrize(("name", "within"), FOLDED)
def test_a_bag_keeps_its_variables(name: str, within: Body) -> None:
    counted = asked((x, n), Aggregate(COUNT, within, (x,)))
    assert after(name, counted) == counted.body.conjuncts
    rows = asked((x,), Slice((x,), within, (), 3))
    assert after(name, rows) == rows.body.conjuncts


@pytest.mark.parametrize(("name", "within"), FOLDED)
def test_distinct_rows_and_a_count_of_values_need_not(name: str, within: Body) -> None:
    rows = asked((x,), Slice((x,), within, (), 3, distinct=True))
    assert after(name, rows) != rows.body.conjuncts
    if name != "plan-extremes":
        counted = asked((n,), Count(n, x, within))
        assert after(name, counted) != counted.body.conjuncts


def test_what_adds_and_takes_no_variable_is_done_in_a_bag() -> None:
    within = body(Triple(x, R, y), Triple(x, R, y), Compare(Op.LT, y, FIVE), Compare(Op.LT, y, ONE))
    query = asked((x, n), Aggregate(COUNT, within, (x,)))
    found = optimized(query, CONTEXT, PIPELINE, strict=True).body.conjuncts
    assert found == (Aggregate(COUNT, body(Triple(x, R, y), Compare(Op.LT, y, ONE)), (x,)),)


def test_an_arm_of_a_bag_stands_alone_where_it_binds_no_more() -> None:
    within = body(Union((body(Triple(x, R, y)), body(Triple(x, S, y), FALSE))))
    found = after("normalize", asked((x, n), Aggregate(COUNT, within, (x,))))
    assert found == (Aggregate(COUNT, body(Triple(x, R, y)), (x,)),)


def test_what_an_order_looks_at_stays() -> None:
    query = asked((x,), Slice((x,), TWICE, (Order(y), Order(z)), 3, distinct=True))
    assert after("minimize", query) == query.body.conjuncts


def test_the_manager_drops_what_makes_another_bag_of_one() -> None:
    def careless(query: Query, _: Context) -> Query:
        return asked((x, n), Aggregate(COUNT, body(Triple(x, R, y)), (x,)))

    query = asked((x, n), Aggregate(COUNT, TWICE, (x,)))
    assert optimized(query, CONTEXT, [Pass("careless", Basis.DEFINITION, "", careless)]) is query


# --- what never holds -------------------------------------------------------------------------------------------------


def test_an_aggregate_of_nothing_has_a_row_without_groups_and_none_with_them() -> None:
    never = body(Triple(x, R, y), FALSE)
    alone = asked((n,), Aggregate(COUNT, never))
    assert after("normalize", alone) == alone.body.conjuncts
    assert after("normalize", asked((x, n), Aggregate(COUNT, never, (x,)))) == build.NEVER.conjuncts
    assert after("normalize", asked((x,), Slice((x,), never))) == build.NEVER.conjuncts


def test_a_left_join_with_nothing_leaves_its_variables_open() -> None:
    query = asked((x, y), Triple(x, S, z), LeftJoin(body(Triple(x, R, y), FALSE)))
    assert after("normalize", query) == query.body.conjuncts


# --- left joins -------------------------------------------------------------------------------------------------------


def test_what_nobody_looks_at_is_folded_in_a_left_join() -> None:
    found = after("minimize", asked((x, y), Triple(x, S, w), LeftJoin(TWICE)))
    assert found == (Triple(x, S, w), LeftJoin(body(Triple(x, R, y))))


@pytest.mark.parametrize(
    "looking", [Condition(Apply("bound", (z,))), Extend(m, Apply("str", (z,))), Condition(Apply("<", (z, FIVE)))]
)
def test_what_something_looks_at_beside_it_is_not(looking: Conjunct) -> None:
    query = asked((x, y), Triple(x, S, w), LeftJoin(TWICE), looking)
    assert after("minimize", query) == query.body.conjuncts


def test_what_holds_around_a_left_join_stays_said_in_it() -> None:
    query = asked((x, y), Triple(x, R, z), InstanceOf(x, (A,)), LeftJoin(body(InstanceOf(x, (A,)), Triple(x, S, y))))
    for one in listed():
        assert after(one.name, query) == query.body.conjuncts
    within = asked((x, y), Triple(x, R, z), LeftJoin(body(Triple(x, S, y), InstanceOf(x, (A,)), InstanceOf(x, (B,)))))
    assert LeftJoin(body(Triple(x, S, y), InstanceOf(x, (B,)))) in after("push-negation", within)


def test_a_value_that_a_left_join_looks_at_is_not_put_in_its_place() -> None:
    query = asked((x, y), Triple(x, R, z), Member(z, (E,)), LeftJoin(body(Triple(z, S, y))))
    assert after("normalize", query) == query.body.conjuncts


def test_an_arm_that_says_less_stays_beside_one_where_a_left_join_adds_to_it() -> None:
    first, more = Triple(x, R, w), LeftJoin(body(Triple(w, S, y)))
    query = asked((x, y), Union((body(first, more), body(first, more, Triple(x, S, w)))))
    assert after("normalize", query) == query.body.conjuncts


# --- conditions and extensions ----------------------------------------------------------------------------------------


def test_what_a_condition_looks_at_is_looked_at() -> None:
    query = asked((x,), Triple(x, R, y), Triple(x, R, z), BEYOND, Condition(Apply("<", (z, y))))
    assert after("minimize", query) == query.body.conjuncts
    again = asked((x,), Triple(x, R, y), BEYOND, Triple(x, R, z), Condition(Apply("<", (ONE, z))))
    assert after("minimize", again) == (Triple(x, R, y), BEYOND)


@pytest.mark.parametrize("late", [BEYOND, Extend(m, y), LeftJoin(body(Triple(y, S, w)))])
def test_nothing_of_the_wide_tier_leaves_a_denied_denial_or_distinct_rows(late: Conjunct) -> None:
    denied = asked((x,), Triple(x, S, z), Not(body(Not(body(Triple(x, R, y), late)))))
    assert after("push-negation", denied) == denied.body.conjuncts
    rows = asked((x,), Triple(x, S, z), Project((x,), body(Triple(x, R, y), late)))
    assert after("normalize", rows) == rows.body.conjuncts
