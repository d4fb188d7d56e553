"""Dates: the definition, and that comparing strings computes exactly it (the form that SPARQL engines are given)."""

from __future__ import annotations

import random
import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pylf.ir.dates import (
    XSD_DATE,
    XSD_DATETIME,
    XSD_GYEAR,
    XSD_GYEARMONTH,
    Point,
    canonical,
    constant_interval,
    constant_spellings,
    date_literal,
    interval,
)
from pylf.ir.nodes import Kind, Op
from pylf.ir.terms import XSD_STRING, Literal
from pylf.ir.values import compare

ORDERS = (Op.LT, Op.LE, Op.GT, Op.GE, Op.EQ, Op.NE)
DATATYPES = {0: XSD_GYEAR, 1: XSD_GYEARMONTH, 2: XSD_DATE}


def date(text: str) -> Literal:
    """A literal of the datatype that the spelling shows."""
    bare = re.sub(r"(Z|[+-]\d\d:\d\d)$", "", text)
    return Literal(text, XSD_DATETIME if "T" in bare else DATATYPES[bare[1:].count("-")])


def holds(value: str, op: str, constant: str) -> bool:
    return compare(Op(op), date(value), date(constant), Kind.DATE)


# --- the definition -------------------------------------------------------------------------------------------------


def seconds(point: Point) -> Fraction:
    """Seconds since year 0 by counting days, worked out apart from the module under test."""
    year, month, day, time = point
    lengths = (31, 28 + leap(year), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    before = 365 * year + (year - 1) // 4 - (year - 1) // 100 + (year - 1) // 400
    hours, minutes, rest = time.split(":")
    return Fraction(
        86400 * (before + sum(lengths[: month - 1]) + day - 1) + 3600 * int(hours) + 60 * int(minutes)
    ) + Fraction(rest)


def leap(year: int) -> bool:
    return year % 400 == 0 or (year % 4 == 0 and year % 100 != 0)


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("2000", 366 * 86400),
        ("1900", 365 * 86400),
        ("0000", 366 * 86400),
        ("-0004", 366 * 86400),
        ("-0044", 366 * 86400),
        ("-0001", 365 * 86400),
        ("2001-02", 28 * 86400),
        ("2000-02", 29 * 86400),
        ("2000-12", 31 * 86400),
        ("2000-12-31", 86400),
        ("2001-02-28", 86400),
        ("2000-12-31T23:59:59", 1),
        ("2001-02-28T23:59:59", 1),
        ("2000-01-01T00:00:00.5", Fraction(1, 10)),
        ("2000-01-01T00:00:00.999", Fraction(1, 1000)),
        ("2000-12-31T23:59:59.99", Fraction(1, 100)),
        ("2000-12-31T23:59:59.500", Fraction(1, 10)),
        ("2000-12-31T24:00:00", 1),
        ("2000-12-31T24:00:00.00", 1),
        ("2000-01-01T10:00:00." + "1" * 40, Fraction(1, 10**40)),
        ("12001-03", 31 * 86400),
        ("-0044-03-15", 86400),
    ],
)
def test_a_date_is_as_long_as_its_last_written_part(text: str, length: Fraction) -> None:
    covers = interval(text, date(text).datatype)
    assert covers is not None
    assert seconds(covers.end) - seconds(covers.start) == length


@pytest.mark.parametrize(
    "same",
    [
        ("2001", "2001-01", "2001-01-01", "2001-01-01T00:00:00", "2001-01-01T00:00:00.000", "2000-12-31T24:00:00"),
        ("-0001", "-0001-01", "-0002-12-31T24:00:00"),
        ("0000", "-0000", "0000-01-01Z"),
        ("2001-03", "2001-03-01+14:00", "2001-02-28T24:00:00"),
    ],
)
def test_equal_starts(same: tuple[str, ...]) -> None:
    starts = {covers.start for text in same if (covers := interval(text, date(text).datatype)) is not None}
    assert len(starts) == 1


@pytest.mark.parametrize(
    "same",
    [
        ("2000", "2000-12", "2000-12-31", "2000-12-31T23:59:59", "2000-12-31T23:59:59.9", "2000-12-31T23:59:59.99"),
        ("2001-02", "2001-02-28", "2001-02-28T23:59:59", "2001-02-29", "2001-02-30", "2001-02-31T23:59:59"),
        ("2000-02", "2000-02-29", "2000-02-29T23:59:59Z"),
        ("-0001", "-0001-12-31"),
        ("2000-05-05T10:00:00.69", "2000-05-05T10:00:00.699"),
    ],
)
def test_equal_ends(same: tuple[str, ...]) -> None:
    ends = {covers.end for text in same if (covers := interval(text, date(text).datatype)) is not None}
    assert len(ends) == 1


@pytest.mark.parametrize(
    ("text", "datatype"),
    [
        ("2001", XSD_DATE),
        ("2001-01-01", XSD_GYEAR),
        ("2001-01-01", XSD_DATETIME),
        ("2001", XSD_STRING),
        ("044", XSD_GYEAR),
        ("-044", XSD_GYEAR),
        ("02001", XSD_GYEAR),
        ("+2001", XSD_GYEAR),
        (" 2001 ", XSD_GYEAR),
        ("2001\n", XSD_GYEAR),
        ("٢٠٠١", XSD_GYEAR),
        ("1" * 13, XSD_GYEAR),
        ("9" * 5000, XSD_GYEAR),
        ("2001-13", XSD_GYEARMONTH),
        ("2001-00", XSD_GYEARMONTH),
        ("2001-1", XSD_GYEARMONTH),
        ("2001-01-32", XSD_DATE),
        ("2001-01-00", XSD_DATE),
        ("2001-01-01+14:30", XSD_DATE),
        ("2001-01-01T24:00:01", XSD_DATETIME),
        ("2001-01-01T23:59:60", XSD_DATETIME),
        ("2001-01-01T10:00", XSD_DATETIME),
        ("2001-01-01T10:00:00.", XSD_DATETIME),
        ("2001-01-01t10:00:00", XSD_DATETIME),
        ("2001-01-01 10:00:00", XSD_DATETIME),
        ("", XSD_DATE),
    ],
)
def test_ill_formed_dates_are_no_dates(text: str, datatype: str) -> None:
    assert interval(text, datatype) is None
    assert constant_spellings(Literal(text, datatype)) is None


def test_case_2_dates_of_mixed_precision() -> None:
    values = {"a": "2007", "b": "2009-05-01", "c": "2009-05-01T00:00:00Z"}
    assert {name for name, value in values.items() if holds(value, ">=", "2008")} == {"b", "c"}


def test_case_3_years_before_zero() -> None:
    assert holds("-0012-11-29", "<", "0500")
    assert not holds("2000-01-01", "<", "0500")
    assert holds("-0044-03-15", "<", "-0043")
    assert holds("-0044-03-15", ">=", "-0044-03")
    assert not holds("-0044-03-15", ">", "-0044")


@pytest.mark.parametrize(
    ("value", "op", "constant", "expected"),
    [
        ("2001", "<=", "2001-12", True),
        ("2001", "<", "2001-12", False),
        ("2001-02", "<=", "2001-02-28", True),
        ("2001-02", "<=", "2001-02-27", False),
        ("2000", "<", "2001-01-01T00:00:00", True),
        ("2001-12-31", ">", "2001", False),
        ("2002-01-01T00:00:00", ">", "2001", True),
        ("1990", "=", "1990-07", False),
        ("1990-07", "=", "1990", True),
        ("1990-12-31T10:00:00Z", "=", "1990-12-31", True),
        ("1990", "!=", "1990-07", True),
        ("12001", ">", "9999", True),
        ("-12001", "<", "-9999", True),
        # zones are dropped: the clock on the wall counts
        ("1990-01-01T00:30:00+14:00", ">=", "1990", True),
        ("1989-12-31T23:30:00-14:00", "<", "1990", True),
        # days that the month lacks: a value ends with its month, a constant is the month's last day
        ("2001-02-30", "=", "2001-02", True),
        ("2001-02-30", "<", "2001-03", True),
        ("2001-02-30", ">", "2001-02-27", True),
        ("2001-02-30", ">", "2001-02-28", False),
        ("2001-02-30", "=", "2001-02-30", True),
        ("2001-02-28", "<", "2001-02-30", False),
        ("2001-02-27", "<", "2001-02-30", True),
        ("2001-02-30T10:00:00", "=", "2001-02-30T10:00:00", True),
    ],
)
def test_comparison(value: str, op: str, constant: str, expected: bool) -> None:
    assert holds(value, op, constant) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1949", ("1949", XSD_GYEAR)),
        ("44", ("0044", XSD_GYEAR)),
        ("-44", ("-0044", XSD_GYEAR)),
        ("+44", ("0044", XSD_GYEAR)),
        ("0500", ("0500", XSD_GYEAR)),
        ("12001", ("12001", XSD_GYEAR)),
        ("000012001", ("12001", XSD_GYEAR)),
        ("-0", ("0000", XSD_GYEAR)),
        ("1990-07", ("1990-07", XSD_GYEARMONTH)),
        ("1990-12-31", ("1990-12-31", XSD_DATE)),
        ("-0044-03-15", ("-0044-03-15", XSD_DATE)),
        ("1990-12-31T10:00:00.5Z", ("1990-12-31T10:00:00.5Z", XSD_DATETIME)),
        ("2001-02-30", ("2001-02-30", XSD_DATE)),
        ("2001-05:00", ("2001-05:00", XSD_GYEAR)),
        ("", None),
        ("-", None),
        ("1949.0", None),
        ("1e3", None),
        ("1990-7", None),
        ("1990-13", None),
        ("--44", None),
        ("٤٤", None),
        ("July 1990", None),
        ("9" * 13, None),
        ("9" * 5000, None),
    ],
)
def test_bare_constants(text: str, expected: tuple[str, str] | None) -> None:
    assert date_literal(text) == (None if expected is None else Literal(*expected))


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2001-01-01T00:00:00", "2001", "2001-01-01T00:00:00"),
        ("2001-01-01T00:00:00.0Z", "2001", "2001-01-01T00:00:00"),
        ("2000-12-31", "2000-12-31", "2000"),
        ("2000-12-31T23:59:59.99", "2000-12-31T23:59:59.99", "2000"),
        ("2001-02-28", "2001-02-28", "2001-02"),
        ("2000-02-28", "2000-02-28", "2000-02-28"),
        ("2001-02-30", "2001-02-28", "2001-02"),
        ("2001-05-01+05:00", "2001-05", "2001-05-01"),
        ("2001-01-31", "2001-01-31", "2001-01"),
        ("-0044-12-31", "-0044-12-31", "-0044"),
        ("-0001-12", "-0001-12", "-0001"),
        ("0000-01-01", "0000", "0000-01-01"),
        ("2000-12-31T24:00:00", "2001", "2001-01-01T00:00:00"),
        ("2000-06-01T10:00:00.609", "2000-06-01T10:00:00.609", "2000-06-01T10:00:00.60"),
        ("2000-06-01T10:00:00.9", "2000-06-01T10:00:00.9", "2000-06-01T10:00:00"),
    ],
)
def test_spellings_of_a_constant(text: str, start: str, end: str) -> None:
    assert constant_spellings(date(text)) == (start, end)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2000-12-31T24:00:00Z", "2001-01-01T00:00:00Z"),
        ("2000-12-30T24:00:00.00", "2000-12-31T00:00:00"),
        ("2000-01-01T10:00:00.500-08:00", "2000-01-01T10:00:00.5-08:00"),
        ("2000-01-01T10:00:00.000", "2000-01-01T10:00:00"),
        ("-0000", "0000"),
        ("-0000-03-15Z", "0000-03-15Z"),
        ("-0044-03-15", "-0044-03-15"),
        ("2001-02-30", "2001-02-30"),
        ("12001", "12001"),
    ],
)
def test_canonical_form_in_a_graph(text: str, expected: str) -> None:
    given_literal = date(text)
    assert canonical(given_literal) == Literal(expected, given_literal.datatype)


def test_canonical_leaves_everything_else_alone() -> None:
    for literal in (Literal("-0000"), Literal("2001-13", XSD_GYEARMONTH), Literal("1.50", "urn:x")):
        assert canonical(literal) is literal


# --- comparing strings computes the definition ------------------------------------------------------------------------


def strip_zone(lexical: str) -> str:
    return re.sub(r"(Z|[+-][0-9][0-9]:[0-9][0-9])$", "", lexical)


def by_simple_strings(op: Op, value: Literal, constant: Literal) -> bool:
    """The form for constants of the years 0000 to 9999 and values up to 9999, before 0 included."""
    spellings = constant_spellings(constant)
    assert spellings is not None
    start, end = spellings
    text = strip_zone(value.lexical)
    match op:
        case Op.LT:
            return text + "~" < start
        case Op.LE:
            return text + "~" <= end + "~"
        case Op.GT:
            return text > end + "~"
        case Op.GE:
            return text >= start
        case Op.EQ:
            return text >= start and text + "~" <= end + "~"
        case _:
            return not (text >= start and text + "~" <= end + "~")


def split_year(text: str) -> tuple[bool, str, str]:
    """Whether the year is before 0, its digits padded, and what follows it."""
    found = re.fullmatch(r"(-?)([0-9]{4,})(.*)", text)
    assert found is not None
    return found[1] == "-", found[2].rjust(12, "0"), found[3]


def by_general_strings(op: Op, value: Literal, constant: Literal) -> bool:
    """The form for every year: sign, padded year and rest are compared one after the other."""
    spellings = constant_spellings(constant)
    assert spellings is not None

    def before(left: str, tail: str, right: str, *, or_equal: bool) -> bool:
        left_negative, left_year, left_rest = split_year(left)
        right_negative, right_year, right_rest = split_year(right.removesuffix("~"))
        left_rest += tail
        right_rest += "~" if right.endswith("~") else ""
        rest = left_rest < right_rest or (or_equal and left_rest == right_rest)
        if right_negative:
            return left_negative and (left_year > right_year or (left_year == right_year and rest))
        return left_negative or left_year < right_year or (left_year == right_year and rest)

    text = strip_zone(value.lexical)
    start, end = spellings
    match op:
        case Op.LT:
            return before(text, "~", start, or_equal=False)
        case Op.LE:
            return before(text, "~", end + "~", or_equal=True)
        case Op.GT:
            return not before(text, "", end + "~", or_equal=True)
        case Op.GE:
            return not before(text, "", start, or_equal=False)
        case Op.EQ:
            return by_general_strings(Op.GE, value, constant) and by_general_strings(Op.LE, value, constant)
        case _:
            return not by_general_strings(Op.EQ, value, constant)


HAND = [
    *("0000", "0001", "0044", "0500", "1989", "1990", "1991", "2000", "2001", "9999", "2001Z", "2001-05:00"),
    *("-0001", "-0044", "-0045", "-9999", "-0044-03", "-0044-03-15", "-0044-12-31", "-0045-12-31T23:59:59"),
    *("1990-01", "1990-07", "1990-08", "1990-12", "2000-02", "2001-02", "2001-03", "2000-12", "0000-12"),
    *("1990-01-01", "1990-07-01", "1990-12-31", "2000-02-28", "2000-02-29", "2000-12-31", "2000-12-31-08:00"),
    *("2001-02-27", "2001-02-28", "2001-02-29", "2001-02-30", "2001-02-31", "2001-03-01", "2001-04-30", "2001-04-31"),
    *("2001-01-01", "2001-01-01T00:00:00", "2001-01-01T00:00:00.1", "2001-01-01T00:00:01", "2001-01-01T00:00:00Z"),
    *("2000-12-31T23:59:59", "2000-12-31T23:59:59.9", "2000-12-31T23:59:59.99", "2000-12-31T23:59:59.5+14:00"),
    *("2001-02-28T23:59:58", "2001-02-28T23:59:59", "2001-02-28T23:59:59.8", "2001-02-28T23:59:59.99"),
    *("2001-02-30T00:00:00", "2001-02-30T10:00:00", "2001-02-30T23:59:59", "2000-06-01T10:00:00.6"),
    *("2000-06-01T10:00:00.60", "2000-06-01T10:00:00.609", "2000-06-01T10:00:00.61", "2000-06-01T10:00:00.0901"),
    *("2000-06-01T10:59:59", "2000-06-01T10:59:59.9", "2000-06-01T11:00:00", "2000-12-31T24:00:00"),
]
FAR = ["10000", "12001", "12001-02", "99999-12-31", "-10000", "-12001-01-01", "-13798000000", "13798000000-02-29"]


def random_date(rng: random.Random, years: list[str]) -> str:
    """A date of any precision, biased to borders."""
    year = rng.choice(years)
    month = rng.choice(["01", "02", "02", "03", "04", "11", "12", "12"])
    day = rng.choice(["01", "01", "02", "15", "27", "28", "29", "30", "31"])
    time = rng.choice(["00:00:00", "00:00:01", "10:00:00", "10:59:59", "23:59:58", "23:59:59", "24:00:00"])
    if not time.startswith("24"):
        time += rng.choice(["", "", ".0", ".1", ".10", ".5", ".50", ".59", ".6", ".9", ".98", ".99", ".9999", ".0099"])
    text = [year, f"{year}-{month}", f"{year}-{month}-{day}", f"{year}-{month}-{day}T{time}"][rng.randrange(4)]
    return text + rng.choice(["", "", "", "Z", "+05:30", "-08:00"])


def test_simple_strings_compute_the_definition() -> None:
    rng = random.Random(1)
    near = ["0000", "0001", "0500", "1999", "2000", "2001", "9999"]
    values = HAND + [random_date(rng, [*near, "-0001", "-0044", "-0045"]) for _ in range(40)]
    constants = [c for c in HAND if not c.startswith("-")] + [random_date(rng, near) for _ in range(40)]
    wrong = [
        (value, op.value, constant)
        for value in values
        for constant in constants
        for op in ORDERS
        if by_simple_strings(op, canonical(date(value)), date(constant)) is not holds(value, op.value, constant)
    ]
    assert wrong == []


def test_general_strings_compute_the_definition() -> None:
    rng = random.Random(2)
    years = ["0000", "0001", "2000", "9999", "10000", "12000", "-0001", "-0004", "-0044", "-0045", "-10000", "-0000"]
    dates = HAND + FAR + [random_date(rng, years) for _ in range(40)]
    wrong = [
        (value, op.value, constant)
        for value in dates
        for constant in dates
        for op in ORDERS
        if by_general_strings(op, canonical(date(value)), date(constant)) is not holds(value, op.value, constant)
    ]
    assert wrong == []


def test_padded_strings_order_by_start() -> None:
    """The key of superlatives: the spelling, filled up to a whole dateTime."""
    rng = random.Random(3)
    texts = {
        strip_zone(canonical(date(random_date(rng, ["0001", "1999", "2000", "2001"]))).lexical) for _ in range(300)
    }
    padded = {text: text + "0000-01-01T00:00:00"[len(text) :] for text in texts}
    for left in texts:
        for right in texts:
            first, second = interval(left, date(left).datatype), interval(right, date(right).datatype)
            assert first is not None
            assert second is not None
            assert (padded[left] < padded[right]) is (first.start < second.start)
            assert (padded[left] == padded[right]) is (first.start == second.start)


@st.composite
def real_dates(draw: st.DrawFn) -> str:
    """A date of the calendar, years -12 to 2400."""
    year = draw(st.integers(-12, 2400))
    month = draw(st.integers(1, 12))
    day = draw(st.integers(1, (31, 28 + leap(year), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]))
    clock = draw(st.sampled_from(["00:00:00", "23:59:59", "12:34:56", "23:59:59.9", "00:00:00.25"]))
    spelled = f"-{-year:04d}" if year < 0 else f"{year:04d}"
    whole = f"{spelled}-{month:02d}-{day:02d}T{clock}"
    return whole[: draw(st.sampled_from([len(spelled), len(spelled) + 3, len(spelled) + 6, len(whole)]))]


@settings(max_examples=300, deadline=None)
@given(real_dates(), real_dates())
def test_points_order_as_seconds_do(left: str, right: str) -> None:
    first, second = interval(left, date(left).datatype), interval(right, date(right).datatype)
    assert first is not None
    assert second is not None
    for one in first:
        for other in second:
            assert (one < other) is (seconds(one) < seconds(other))
            assert (one == other) is (seconds(one) == seconds(other))


@settings(max_examples=200, deadline=None)
@given(real_dates())
def test_a_date_of_the_calendar_is_the_same_as_value_and_as_constant(text: str) -> None:
    assert interval(text, date(text).datatype) == constant_interval(text, date(text).datatype)
    assert holds(text, "=", text)
