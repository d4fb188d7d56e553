"""Numbers, dates and quantities in texts, as typed literals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylf.ir.terms import XSD, Literal
from pylf.ir.values import value_of as worth
from pylf.reasoners.linking.units import unit_named
from pylf.reasoners.linking.values import readings_of, value_of, values_in


def shown(literal: Literal) -> str:
    return f"{literal.lexical} {literal.datatype.removeprefix(XSD)}"


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("1,200", ["1200 integer"]),
        ("-5", ["-5 integer"]),
        ("\u22125.50", ["-5.50 decimal"]),
        ("2.32e+3", ["2.32e+3 double"]),
        ("3.5 million", ["3500000 integer"]),
        ("two hundred and five", ["205 integer"]),
        ("Twenty-One", ["21 integer"]),
        ("three million two hundred thousand and one", ["3200001 integer"]),
        ("one hundred and one thousand", ["101000 integer"]),
        ("nineteen hundred", ["1900 integer"]),
        ("thousand million", ["1000000000 integer"]),
        ("5 hundred thousand", ["500000 integer"]),
        ("nineteen eighty four", ["1984 gYear", "1984 integer"]),
        ("twenty twenty", ["2020 gYear", "2020 integer"]),
        ("ten twenty thousand", []),
        ("million " * 40, []),
        ("44 bc", ["-0043 gYear"]),
        ("12 ad", []),
        ("3.000.000", ["3000000 integer"]),
        ("1.2.3", []),
        ("-500 °C", ["-500 integer"]),
        ("2008-05-01", ["2008-05-01 date"]),
        ("2008-05-01T12:00:00", ["2008-05-01T12:00:00 dateTime"]),
        ("1 May 2008", ["2008-05-01 date"]),
        ("the 1st of May 2008", []),
        ("1st of May, 2008", ["2008-05-01 date"]),
        ("Sept. 2nd, 2008", ["2008-09-02 date"]),
        ("May 2008", ["2008-05 gYearMonth"]),
        ("15 March 44 BC", []),
        ("15 March 044 BC", ["-0043-03-15 date"]),
        ("44 BC", ["-0043 gYear"]),
        ("1 BC", ["0000 gYear"]),
        ("AD 79", ["0079 gYear"]),
        ("05/01/2008", ["2008-05-01 date", "2008-01-05 date"]),
        ("31/12/1999", ["1999-12-31 date"]),
        ("29/02/2023", []),
        ("29.02.2024", ["2024-02-29 date"]),
        ("1984", ["1984 gYear", "1984 integer"]),
        ("2.5 tonnes", ["2.5 decimal", "2500 integer"]),
        ("2,320 kg", ["2320 integer"]),
        ("90 km/h", ["90 integer", "25 integer"]),
        ("30 °C", ["30 integer", "303.15 decimal"]),
        ("50 °F", ["50 integer", "283.15 decimal"]),
        ("100 °F", ["100 integer", "310.9277777777778 double"]),
        ("10 miles per hour", ["10 integer", "4.4704 decimal"]),
        ("$5 million", ["5000000 integer"]),
        ("50%", ["50 integer"]),
        ("", []),
        ("Boeing", []),
        ("1990s", []),
        ("3D", []),
        ("747-400ER", []),
        ("F-1", []),
        ("v1.2.3", []),
        ("9" * 50, []),
    ],
)
def test_what_a_text_may_be(text: str, readings: list[str]) -> None:
    assert [shown(one) for one in readings_of(text)] == readings


def test_the_values_in_a_question_with_their_places() -> None:
    text = "Which one of the rockets over 2.5 tonnes flew between 1990 and 5 June 1997 with 3 crew in 12 minutes?"
    found = values_in(text)
    assert [text[one.span.start : one.span.end] for one in found] == [one.text for one in found]
    assert [(one.text, shown(one.readings[0])) for one in found] == [
        ("2.5 tonnes", "2.5 decimal"),
        ("1990", "1990 gYear"),
        ("5 June 1997", "1997-06-05 date"),
        ("3", "3 integer"),
        ("12 minutes", "12 integer"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("between two and three children", ["2 integer", "3 integer"]),
        ("between two hundred and three hundred", ["200 integer", "300 integer"]),
        ("between two thousand and three thousand", ["2000 integer", "3000 integer"]),
        ("six and twenty", ["6 integer", "20 integer"]),
        ("two dozen dozen", ["24 integer", "12 integer"]),
        ("hundred hundred", ["100 integer", "100 integer"]),
        ("which company ran 12 ad campaigns", ["12 integer"]),
    ],
)
def test_what_the_grammar_of_numbers_does_not_join_are_several(text: str, expected: list[str]) -> None:
    assert [shown(one.readings[0]) for one in values_in(text)] == expected


@given(st.integers(0, 999_999_999))
def test_a_number_that_is_spelled_out_is_read_back(number: int) -> None:
    (found, *_) = readings_of(spelled(number))
    assert found.lexical == str(number)


def spelled(number: int) -> str:
    """A number as English spells it."""
    small = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    small += ["eleven", "twelve"]
    small += [f"{stem}teen" for stem in ("thir", "four", "fif", "six", "seven", "eigh", "nine")]
    tens = [f"{stem}ty" for stem in ("twen", "thir", "for", "fif", "six", "seven", "eigh", "nine")]
    if number < 20:
        return small[number]
    if number < 100:
        return tens[number // 10 - 2] + (f"-{small[number % 10]}" if number % 10 else "")
    for scale, word in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= scale:
            above, below = divmod(number, scale)
            return f"{spelled(above)} {word}" + (f"{' and' * (below < 100)} {spelled(below)}" if below else "")
    raise AssertionError(number)


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("5 ft", "inches", "60 integer"),
        ("1 mile", "km", "1.609344 decimal"),
        ("0 °C", "°F", "32 integer"),
        ("36 km/h", "m/s", "10 integer"),
    ],
)
def test_a_quantity_in_another_unit_is_exact(text: str, unit: str, expected: str) -> None:
    found = value_of(text)
    assert found is not None
    other = found.converted(unit)
    assert other is not None
    assert shown(other) == expected


def test_a_length_is_no_weight() -> None:
    found = value_of("5 ft")
    assert found is not None
    assert (found.converted("kg"), found.converted("parsnips"), unit_named("in")) == (None, None, None)


@given(st.integers(-(10**30), 10**30))
def test_every_integer_is_itself(number: int) -> None:
    assert Literal(str(number), XSD + "integer") in readings_of(str(number))


@given(st.floats(-1e15, 1e15, allow_nan=False))
def test_every_float_is_itself(number: float) -> None:
    (found, *_) = readings_of(repr(number))
    assert worth(found) == number


@given(st.dates())
def test_every_day_is_read_as_iso_and_english_write_it(day: object) -> None:
    import datetime

    assert isinstance(day, datetime.date)
    expected = (Literal(day.isoformat(), XSD + "date"),)
    year = f"{day.year:04d}"
    assert readings_of(day.isoformat()) == expected
    assert readings_of(f"{day.day} {day:%B} {year}") == expected
    assert readings_of(f"{day:%B} {day.day}, {year}") == expected


@given(st.text(alphabet="0123456789 .,-/$%eEkgmMayBC°th", max_size=60))
def test_no_text_makes_trouble(text: str) -> None:
    for one in values_in(text):
        assert text[one.span.start : one.span.end] == one.text
        assert one.readings
