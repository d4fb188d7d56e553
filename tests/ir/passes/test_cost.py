"""Estimates: exact where the counts decide, and sensible where they do not."""

from __future__ import annotations

import math

import pytest

from pylf.ir import build
from pylf.ir.nodes import Body, Closure, Confidence, Direction, Kind, Op, Path, Triple
from pylf.ir.passes.assumptions import Assumptions
from pylf.ir.passes.context import Context
from pylf.ir.passes.cost import Costs
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.terms import XSD_INTEGER, Iri, Literal, Var
from tests.ir.passes.planned import NS, OXIGRAPH, TEXTUAL, VOCABULARY

X, Y, Z, K = Var("x"), Var("y"), Var("z"), Var("k")
WROTE, BORN, AGE, ALICE = Iri(NS + "wrote"), Iri(NS + "born"), Iri(NS + "age"), Iri(NS + "alice")
SCHEMA = Schema(
    MemorySource(
        [
            Relation(WROTE.value, triples=1_000, subjects=100, objects=500),
            Relation(BORN.value, triples=100, subjects=100, objects=25),
            Relation(AGE.value, triples=80, subjects=80, objects=40),
            Relation(NS + "uncounted"),
        ],
        [Class(NS + "Author", instances=100), Class(NS + "Uncounted")],
        {},
    )
)


@pytest.fixture
def even():
    """Estimates that take constants for any other and let ranges pass a third."""
    return Costs(Context(SCHEMA, VOCABULARY, OXIGRAPH), 0.0, 1 / 3)


def conjuncts(*parts):
    return build.join(*parts).conjuncts


@pytest.mark.parametrize(
    ("part", "rows"),
    [
        (build.triple(X, WROTE, Y), 1_000),
        (build.triple(ALICE, WROTE, Y), 10),
        (build.triple(X, WROTE, ALICE), 2),
        (build.triple(ALICE, WROTE, ALICE), 0.02),
        (build.instance_of(X, (Iri(NS + "Author"),)), 100),
        (build.member(X, (ALICE, WROTE)), 2),
        (build.project((X,), build.triple(X, WROTE, Y)), 100),
        (build.union([build.triple(X, WROTE, Y), build.triple(X, BORN, Z)]), 1_100),
    ],
    ids=str,
)
def test_rows_of_a_conjunct(part, rows, even):
    (conjunct,) = part.conjuncts
    assert even.rows(conjunct) == pytest.approx(rows)
    assert even.known(conjunct)


@pytest.mark.parametrize(
    "unknown",
    [
        Triple(X, Iri(NS + "uncounted"), Y),
        Triple(X, Iri(NS + "nowhere"), Y),
        Triple(X, Z, Y),
        Closure(X, WROTE, Y),
        Confidence(X, WROTE, Y, K),
        Path((X, Y), (WROTE,), (True,)),
        *build.instance_of(X, (Iri(NS + "Uncounted"),)).conjuncts,
        *build.negate(Body((Closure(X, WROTE, Y),))).conjuncts,
    ],
    ids=lambda conjunct: type(conjunct).__name__,
)
def test_of_what_nothing_is_known_there_is_no_estimate(unknown, even):
    assert even.rows(unknown) is None
    assert not even.known(unknown)
    assert even.flow([*conjuncts(build.triple(X, BORN, Z)), unknown]) is None


def test_a_join_has_the_rows_of_both_by_the_values_they_may_share(even):
    flow = even.flow(conjuncts(build.triple(X, WROTE, Y), build.triple(X, BORN, Z)))
    assert flow.rows == pytest.approx(1_000)
    assert flow.values == {"x": 100, "y": 500, "z": 25}
    assert flow.distinct(("x",)) == 100
    assert flow.distinct(("x", "z")) == 1_000


def test_what_shares_no_variable_is_multiplied(even):
    flow = even.flow(conjuncts(build.triple(X, BORN, Z), build.triple(Y, AGE, K)))
    assert flow.rows == pytest.approx(8_000)


@pytest.mark.parametrize(("op", "rows"), [(Op.GT, 80 / 3), (Op.LE, 80 / 3), (Op.EQ, 2), (Op.NE, 80)], ids=str)
def test_comparisons_let_a_share_pass(op, rows, even):
    compared = build.compare(op, K, Literal("5", XSD_INTEGER), Kind.NUMBER)
    flow = even.flow(conjuncts(compared, build.triple(X, AGE, K)))
    assert flow.rows == pytest.approx(rows)
    assert flow.values["x"] <= rows


def test_a_negation_costs_what_is_looked_up_until_one_is_found(even):
    around = even.flow(conjuncts(build.triple(X, BORN, Z)))
    likely, one = even.asked(conjuncts(build.triple(X, WROTE, Y)), around.values)
    assert likely == pytest.approx(1.0)
    rare, two = even.asked(conjuncts(build.triple(X, WROTE, Y), build.triple(Y, BORN, ALICE)), around.values)
    assert 0 < rare < likely
    assert two > one
    assert even.flow(conjuncts(build.triple(X, BORN, Z), build.negate(build.triple(X, AGE, K)))).rows < around.rows


def test_the_order_of_the_engine_is_followed():
    parts = conjuncts(build.triple(X, WROTE, Y), build.triple(X, BORN, ALICE))
    by_constants = Costs(Context(SCHEMA, VOCABULARY, OXIGRAPH), 0.0, 1.0).flow(parts)
    as_written = Costs(Context(SCHEMA, VOCABULARY, TEXTUAL), 0.0, 1.0).flow(parts)
    assert by_constants.rows == pytest.approx(as_written.rows)
    assert by_constants.work < as_written.work / 10


def test_what_is_named_is_popular_or_not(even):
    assumed = Assumptions(Context(SCHEMA, VOCABULARY, OXIGRAPH))
    (conjunct,) = conjuncts(build.triple(X, WROTE, ALICE))
    rare, likely, hub = (costs.rows(conjunct) for costs in (assumed.rare, assumed.likely, assumed.hub))
    assert rare == even.rows(conjunct)
    assert rare < likely < hub <= 1_000


@pytest.mark.parametrize(
    ("likely", "hub", "rare", "taken"),
    [
        (10.0, 10.0, 1.0, True),
        (1.5, 1.5, 1.0, True),
        (1.0, 99.0, 9.0, False),
        (1.2, 1.2, 0.7, False),
        (10.0, 0.5, 1.0, False),
        (10.0, 10.0, 0.3, True),
        (10.0, 10.0, 0.1, False),
    ],
)
def test_a_rewrite_pays_and_does_no_harm(likely, hub, rare, taken):
    assumed = Assumptions(Context(SCHEMA, VOCABULARY, OXIGRAPH))
    gains = {id(assumed.likely): likely, id(assumed.hub): hub, id(assumed.rare): rare}
    assert assumed.better(lambda costs: (100.0 * gains[id(costs)], 100.0)) is taken


def test_nothing_at_all_is_one_row(even):
    flow = even.flow(())
    assert (flow.rows, flow.work) == (1, 0)
    assert math.isclose(flow.distinct(()), 1)


def test_numbers_without_bound_are_reckoned_with(even):
    apart = [build.triple(Var(f"s{n}"), WROTE, Var(f"o{n}")) for n in range(60)]
    many = build.join(*apart)
    extreme = build.join(build.extreme(Direction.MAX, Var("s0"), Var("o0"), many, Kind.NUMBER))
    first = build.join(build.top_k(Direction.MAX, 10**400, Var("s0"), Var("o0"), apart[0], Kind.NUMBER))
    assert even.flow(many.conjuncts).rows > 1e150
    assert even.flow(extreme.conjuncts).rows <= 2
    assert even.flow(first.conjuncts).rows <= 1_000


def test_values_that_are_reached_by_part_of_the_rows(even):
    # of 500 values with two rows each, a tenth of the rows reaches 500 * (1 - 0.9 ** 2)
    flow = even.flow(conjuncts(build.member(X, tuple(Iri(f"{NS}{n}") for n in range(10))), build.triple(X, WROTE, Y)))
    assert flow.rows == pytest.approx(100)
    assert flow.values[Y.name] == pytest.approx(95)
