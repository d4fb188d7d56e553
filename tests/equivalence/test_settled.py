"""What a graph leaves to the engine: rows that tie where a slice is cut, and values that tie."""

from __future__ import annotations

from itertools import pairwise, permutations
from random import Random

import pytest

from pylf.equivalence.decide import equivalent
from pylf.equivalence.settled import settled
from pylf.ir import build
from pylf.ir.expressions import Apply
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Aggregate, Body, Condition, Extend, Form, Order, Query, Reduction, Slice, Triple
from pylf.ir.terms import XSD, XSD_INTEGER, Literal, Node, Var
from pylf.ir.types import ANY
from tests.ir.small_queries import ENTITIES, RELATIONS, SCHEMA, VOCABULARY

R, S = RELATIONS
x, y, n = map(Var, "xyn")
YEAR, DAY = Literal("1990", XSD + "gYear"), Literal("1990-01-01", XSD + "date")
MORNING = Literal("1990-01-01T00:00:00", XSD + "dateTime")
ONE = Literal("1", XSD_INTEGER)


def asked(outputs: tuple[Var, ...], part: Slice | Aggregate) -> Query:
    return build.query(Form.ROWS, outputs, Body((part,)), dict.fromkeys("nxy", ANY))


def values(*nodes: Node) -> MemoryGraph:
    return MemoryGraph([(ENTITIES[number % 3], R, node) for number, node in enumerate(nodes)])


def is_settled(query: Query, graph: MemoryGraph) -> bool:
    return settled(query, graph, SCHEMA, VOCABULARY)


BODY = Body((Triple(x, R, y),))


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("distinct", [False, True])
def test_values_that_tie_without_being_one(descending: bool, distinct: bool) -> None:
    query = asked((y,), Slice((y,), BODY, (Order(y, descending),), 1, distinct=distinct))
    assert not is_settled(query, values(YEAR, DAY))
    assert is_settled(query, values(YEAR, Literal("1991", XSD + "gYear")))
    assert is_settled(query, values(YEAR, ONE))


@pytest.mark.parametrize("limit", [1, 2])
def test_the_middle_of_what_ties_is_no_more_settled_than_its_ends(limit: int) -> None:
    """Whichever end of three rows comes first, the one in the middle is the same."""
    query = asked((y,), Slice((y,), BODY, (Order(y),), limit, 1))
    assert not is_settled(query, values(YEAR, DAY, MORNING))


def test_where_no_row_is_cut_off_nothing_is_left_open() -> None:
    graph = values(YEAR, DAY)
    for limit, offset in ((2, 0), (0, 0), (0, 1), (5, 2), (None, 2)):
        assert is_settled(asked((y,), Slice((y,), BODY, (Order(y),), limit, offset)), graph)
    assert not is_settled(asked((y,), Slice((y,), BODY, (Order(y),), None, 1)), graph)


def test_rows_that_are_one_may_tie() -> None:
    body = Body((Triple(x, R, y),))
    several = MemoryGraph([(one, R, ONE) for one in ENTITIES])
    assert is_settled(asked((y,), Slice((y,), body, (Order(y),), 1)), several)
    assert not is_settled(asked((x,), Slice((x,), body, (Order(y),), 1)), several)


def test_a_distinct_row_stands_at_its_best_place() -> None:
    first, second, _ = ENTITIES
    two = Literal("2", XSD_INTEGER)
    graph = MemoryGraph([(first, R, ONE), (first, R, two), (second, R, two)])
    query = asked((x,), Slice((x,), BODY, (Order(y),), 1, distinct=True))
    assert is_settled(query, graph)
    assert not is_settled(query, MemoryGraph([*graph, (second, R, ONE)]))


@pytest.mark.parametrize("function", ["min", "max"])
def test_the_least_of_values_that_tie_is_any(function: str) -> None:
    query = asked((n,), Aggregate((Reduction(function, n, y),), BODY))
    assert not is_settled(query, values(YEAR, DAY))
    assert is_settled(query, values(YEAR, Literal("1992", XSD + "gYear"), Literal("1993", XSD + "gYear")))
    assert is_settled(query, values(YEAR, ONE))
    assert is_settled(query, values())


def test_what_ties_tells_no_queries_apart() -> None:
    """That one orders the years before their first days, and the other the days."""
    before = Slice((y,), BODY, (Order(y), Order(Apply("datatype", (y,)))), 1)
    any_ = Slice((y,), BODY, (Order(y),), 1)
    later = Slice((y,), BODY, (Order(y), Order(Apply("datatype", (y,)), True)), 1)
    for one, other in permutations((before, any_, later), 2):
        verdict = equivalent(asked((y,), one), asked((y,), other), SCHEMA, VOCABULARY, 2, 0.5)
        if any_ in (one, other) and verdict.status == "different":
            assert verdict.graph is not None
            assert is_settled(asked((y,), any_), MemoryGraph(verdict.graph))


def test_the_order_of_the_triples_decides_nothing_that_is_settled() -> None:
    random = Random(3)
    pool: list[Node] = [YEAR, DAY, MORNING, ONE, Literal("1.0", XSD + "decimal"), Literal("a"), *ENTITIES]
    found = {True: 0, False: 0}
    for _ in range(200):
        nodes = random.sample(pool, 4)
        part = Slice((y,), BODY, (Order(y, random.random() < 0.5),), random.choice((1, 2, None)), random.randint(0, 2))
        told = is_settled(asked((y,), part), values(*nodes))
        assert told is is_settled(asked((y,), part), values(*reversed(nodes)))
        found[told] += 1
    assert min(found.values()) > 20


@pytest.mark.parametrize(
    ("function", "more"), [("regex", (Literal(r"\p{L}"),)), ("regex", (Literal("(a*)*b" + "a" * 40),))]
)
def test_what_the_evaluator_refuses_shows_no_difference(function: str, more: tuple[Literal, ...]) -> None:
    refused = Condition(Apply(function, (Apply("str", (y,)), *more)))
    query = build.query(Form.SET, (x,), Body((Triple(x, R, y), refused)), dict.fromkeys("xy", ANY))
    plain = build.query(Form.SET, (x,), Body((Triple(x, R, y), Triple(x, S, n))), dict.fromkeys("nxy", ANY))
    assert equivalent(query, plain, SCHEMA, VOCABULARY, 1, 0.5).status in ("undecided", "different")


def test_strings_that_grow_end_the_search_for_no_pair() -> None:
    made = [Var(f"v{number}") for number in range(40)]
    steps = [Extend(after, Apply("concat", (before, before))) for before, after in pairwise(made)]
    types = dict.fromkeys([one.name for one in made] + ["x"], ANY)
    last = Condition(Apply("bound", (made[-1],)))
    long = build.query(Form.SET, (x,), Body((Triple(x, R, made[0]), *steps, last)), types)
    short = build.query(Form.SET, (x,), Body((Triple(x, R, made[0]), Triple(x, S, made[1]))), types)
    assert equivalent(long, short, SCHEMA, VOCABULARY, 1, 0.5).status in ("undecided", "different")
