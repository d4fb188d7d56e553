"""Functions of strings and dates at their ends: strings that double, numbers beyond doubles, the end of a day."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pylf.errors import UnsupportedOperation
from pylf.ir import build
from pylf.ir.evaluate import evaluate
from pylf.ir.expression_values import value
from pylf.ir.expressions import Apply, Expression
from pylf.ir.functions import LONGEST
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Aggregate, Body, Extend, Form, Query, Reduction, Triple
from pylf.ir.reductions import reduced
from pylf.ir.terms import XSD, XSD_DOUBLE, XSD_INTEGER, Literal, Var, tagged
from pylf.ir.types import ANY
from tests.ir import small_queries as small

R, S = small.RELATIONS
ONE, TWO, _ = small.ENTITIES
x, y, n = map(Var, "xyn")
GREAT = 10**400


def worth(function: str, *arguments: Expression) -> object:
    return value(Apply(function, arguments), lambda _: None)


def integer(number: int) -> Literal:
    return Literal(str(number), XSD_INTEGER)


def double(spelled: str) -> Literal:
    return Literal(spelled, XSD_DOUBLE)


# --- strings that grow --------------------------------------------------------------------------------------------


def doubled(times: int, function: str, *more: Expression) -> Query:
    """A query each of whose variables is made of the one before."""
    made = [Var(f"v{number}") for number in range(times + 1)]
    steps = [Extend(after, Apply(function, (before, *(more or (before,))))) for before, after in pairwise(made)]
    body = Body((Triple(x, R, made[0]), *steps))
    return build.query(Form.ROWS, (made[-1],), body, dict.fromkeys([one.name for one in made], ANY))


@pytest.mark.parametrize(
    ("function", "more"), [("concat", ()), ("replace", (Literal("a"), Literal("$0$0")))], ids=["concat", "replace"]
)
def test_a_string_that_doubles_is_refused_in_time(function: str, more: tuple[Expression, ...]) -> None:
    graph = MemoryGraph([(ONE, R, Literal("a"))])
    found = evaluate(doubled(10, function, *more), graph, small.SCHEMA, small.VOCABULARY)
    assert found.rows == ((Literal("a" * 1_024),),)
    with pytest.raises(UnsupportedOperation, match="1,000,000 characters"):
        evaluate(doubled(60, function, *more), graph, small.SCHEMA, small.VOCABULARY)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        ("concat", (Literal("a" * LONGEST), Literal("b"))),
        ("encode_for_uri", (Literal("ä" * (LONGEST // 3)),)),
        ("ucase", (Literal("ß" * (LONGEST // 2 + 1)),)),
        ("replace", (Literal("a" * 2_000), Literal("a"), Literal("b" * 1_000))),
        ("replace", (Literal("a" * 100_000), Literal("a+"), Literal("$0" * 1_000))),
    ],
)
def test_no_string_is_made_that_is_too_long(function: str, arguments: tuple[Literal, ...]) -> None:
    with pytest.raises(UnsupportedOperation):
        worth(function, *arguments)


def test_many_strings_are_not_joined_to_one_that_is_too_long() -> None:
    joined = Reduction("group_concat", n, x, separator="-" * 1_000)
    assert reduced(joined, [Literal("a")] * 10) is not None
    with pytest.raises(UnsupportedOperation):
        reduced(joined, [Literal("a")] * 1_000)
    body = Body((Aggregate((joined,), Body((Triple(y, R, x),))),))
    query = build.query(Form.ROWS, (n,), body, dict.fromkeys("nxy", ANY))
    with pytest.raises(UnsupportedOperation):
        evaluate(query, MemoryGraph([(ONE, R, integer(i)) for i in range(1_000)]), small.SCHEMA, small.VOCABULARY)


# --- parts of strings ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "length", "expected"),
    [
        # XPath's own examples (fn:substring)
        (double("-INF"), double("INF"), ""),
        (double("-INF"), integer(3), ""),
        (double("-42"), double("INF"), "12345"),
        (double("NaN"), integer(3), None),
        (double("INF"), integer(3), ""),
        # what no double holds
        (integer(1), integer(GREAT), "12345"),
        (integer(-GREAT), integer(GREAT + 3), "12"),
        (integer(GREAT), integer(1), ""),
        (double("-INF"), integer(GREAT), ""),
        (double("1"), integer(GREAT), "12345"),
        (integer(2), integer(-GREAT), ""),
    ],
)
def test_places_in_a_string_beyond_it(start: Literal, length: Literal, expected: str | None) -> None:
    assert worth("substr", Literal("12345"), start, length) == (None if expected is None else Literal(expected))


def test_from_anywhere_before_a_string_to_its_end() -> None:
    assert worth("substr", tagged("ab", "en"), double("-INF")) == tagged("ab", "en")
    assert worth("substr", Literal("ab"), integer(GREAT)) == Literal("")


# --- the last moment of a day -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "expected"), [("hours", 0), ("day", 1), ("month", 1), ("year", 2000), ("minutes", 0)]
)
def test_the_last_moment_of_a_day_is_the_first_of_the_next(function: str, expected: int) -> None:
    for zone in ("", "Z", "+01:00"):
        assert worth(function, Literal("1999-12-31T24:00:00" + zone, XSD + "dateTime")) == integer(expected)
    assert worth("tz", Literal("1999-12-31T24:00:00+01:00", XSD + "dateTime")) == Literal("+01:00")
