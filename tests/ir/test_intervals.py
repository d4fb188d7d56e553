"""Samples of values: every class of values that comparisons with some constants tell apart has one."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pylf.ir.intervals import samples, values_between
from pylf.ir.nodes import Kind, Op
from pylf.ir.terms import XSD, XSD_BOOLEAN, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER, Blank, Iri, Literal, tagged
from pylf.ir.values import compare

PLAIN_KINDS = (Kind.NUMBER, Kind.TEXT)


def typed(lexical: str, datatype: str) -> Literal:
    return Literal(lexical, XSD + datatype)


NUMBERS = [
    *(Literal(text, XSD_INTEGER) for text in ("0", "-0", "4", "5", "6", "1990", "2001", "9007199254740993")),
    *(Literal(text, XSD_DECIMAL) for text in ("5.0", "5.5", "-0.25")),
    *(Literal(text, XSD_DOUBLE) for text in ("NaN", "INF", "-INF", "5e0", "5.000000000000001", "1e-320", "1.5e308")),
    typed("0.1", "float"),
]
DATES = [
    *(typed(text, "gYear") for text in ("-0001", "0000", "0004", "0005", "1989", "1990", "2001", "2002", "2001Z")),
    *(typed(text, "gYearMonth") for text in ("1990-01", "1990-07", "2001-02", "2001-12", "0005-01")),
    *(typed(text, "date") for text in ("1990-07-01", "1990-07-31", "2001-01-01", "2001-02-28", "2001-02-30")),
    *(typed(text, "date") for text in ("2001-02-29", "2001-12-31", "2001-03-01", "2001-06-31", "2001-06-30+02:00")),
    *(typed(f"2001-02-28T{time}", "dateTime") for time in ("00:00:00", "23:59:59", "24:00:00", "12:00:00.05")),
    *(
        typed(f"2001-02-28T12:00:00{rest}", "dateTime")
        for rest in (".0", ".049", ".051", ".06", ".1", ".15", ".1Z", "")
    ),
    typed("2001-02-30T10:00:00", "dateTime"),
    typed("2001-02-28T12:00:00Z", "dateTimeStamp"),
]
OTHERS = [
    *(Literal(text) for text in ("", "a", "a\0", "b", "é", "5", "1990", "2001-02", "2001-02-30")),
    *(tagged(text, tag) for text, tag in (("a", "en"), ("b", "en"), ("a", "fr"))),
    *(Literal(text, XSD_BOOLEAN) for text in ("true", "1", "false", "no")),
    *(typed(text, name) for text, name in (("abc", "integer"), ("1990-13", "gYearMonth"), ("P1Y", "duration"))),
    typed("P12M", "duration"),
    typed("1805", "dateTime"),
    Iri("http://e/a"),
    Iri("http://e/b"),
]
CONSTANTS = [*NUMBERS, *DATES, *OTHERS]
VALUES = [*CONSTANTS, Blank("b"), Iri("http://e/c"), Literal("x", "http://e/type")]


@cache
def told(value: Iri | Literal | Blank, constant: Iri | Literal, dated: bool = True) -> tuple[bool, ...]:
    """All that comparisons with a constant say of a value."""
    kinds = tuple(Kind) if dated else PLAIN_KINDS
    return tuple([compare(op, value, constant, kind) for op in Op for kind in kinds])


def missing(constants: tuple[Iri | Literal, ...], values: list[Iri | Literal | Blank], dated: bool = True) -> list[str]:
    """The values that no sample is like."""
    sampled = {tuple([told(one, constant, dated) for constant in constants]) for one in samples(constants, dated)}
    return [str(one) for one in values if tuple([told(one, constant, dated) for constant in constants]) not in sampled]


def test_each_value_is_like_a_sample_for_every_two_constants() -> None:
    for constants in combinations(CONSTANTS, 2):
        assert not missing(constants, VALUES), constants


@pytest.mark.parametrize("among", [NUMBERS, DATES[3:24:2], OTHERS], ids=["numbers", "dates", "others"])
def test_each_value_is_like_a_sample_for_every_three_constants(among: list[Iri | Literal]) -> None:
    for constants in combinations(among, 3):
        assert not missing(constants, VALUES), constants


def test_without_dates_nothing_that_looks_at_none_is_missing() -> None:
    for constants in combinations([*NUMBERS, *OTHERS], 2):
        assert not missing(constants, VALUES, dated=False), constants


def test_the_instant_after_the_last_year_that_can_be_written() -> None:
    last = typed("999999999999", "gYear")
    assert not missing((last,), [typed("999999999999-12-31T24:00:00", "dateTime"), typed("-0001", "gYear")])


DIGITS = st.text("0159", max_size=4)
CLOCKS = st.sampled_from(["00:00:00", "00:00:01", "11:59:59", "12:00:00", "23:59:59", "24:00:00"])


@st.composite
def dates(draw: st.DrawFn) -> Literal:
    """Dates of every precision, near each other."""
    text = draw(st.sampled_from(["-0001", "0000", "1999", "2000", "-999999999999", "999999999999"]))
    names = ("gYear", "gYearMonth", "date", "dateTime")
    precision = draw(st.integers(0, 3))
    if precision >= 1:
        text += draw(st.sampled_from(["-01", "-02", "-12"]))
    if precision >= 2:
        text += draw(st.sampled_from(["-01", "-28", "-29", "-30", "-31"]))
    if precision == 3:
        clock, fraction = draw(CLOCKS), draw(DIGITS)
        text += f"T{clock}" + (f".{fraction}" if fraction and not clock.startswith("24") else "")
    return typed(text, names[precision])


@settings(max_examples=150, deadline=None)
@given(st.lists(dates(), min_size=1, max_size=4), st.lists(dates(), min_size=10, max_size=10))
def test_each_date_is_like_a_sample(constants: list[Literal], values: list[Literal]) -> None:
    assert not missing(tuple(constants), [*values])


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=4), st.floats())
def test_each_number_is_like_a_sample(constants: list[float], value: float) -> None:
    literals = [
        Literal({"inf": "INF", "-inf": "-INF", "nan": "NaN"}.get(text := repr(one), text), XSD_DOUBLE)
        for one in (*constants, value)
    ]
    assert not missing(tuple(literals[:-1]), [literals[-1]])


def test_sets_of_values_are_integers() -> None:
    five, ten = Literal("5", XSD_INTEGER), Literal("10", XSD_INTEGER)
    values = values_between(frozenset((five, ten)), dated=False)
    below_five = values.holding(Op.LT, five, Kind.NUMBER)
    assert not below_five & ~values.holding(Op.LT, ten, Kind.NUMBER)
    assert values.holding(Op.GE, five, Kind.NUMBER) != values.everything & ~below_five
    assert [values.samples[place] for place in values.places(values.holding(Op.EQ, ten, Kind.NUMBER))] == [ten]
    assert values_between(frozenset((ten, five)), dated=False) is values


def test_after_the_last_year_is_an_instant_and_before_the_first_there_is_none() -> None:
    last, instant = typed("999999999999", "gYear"), typed("999999999999-12-31T24:00:00", "dateTime")
    values = values_between(frozenset((last, instant)), dated=True)
    assert values.holding(Op.GT, last, Kind.DATE)
    assert not values.holding(Op.GT, instant, Kind.DATE)
    assert values.holding(Op.LT, last, Kind.DATE)
    first = typed("-999999999999", "gYear")
    assert not values_between(frozenset((first,)), dated=True).holding(Op.LT, first, Kind.DATE)
