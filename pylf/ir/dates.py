"""Dates of mixed precision as intervals of an exact time line.

A gYear, gYearMonth, date or dateTime (XSD 1.1; a dateTimeStamp is read as a dateTime) covers a half-open interval
``[start, end)``: a year all of its seconds, a dateTime its last written second or fraction digit. Zones are dropped
(wall-clock reading). The comparison of a value ``[v0, v1)`` with a constant ``[c0, c1)`` is

====  =======================
<     v1 ≤ c0
<=    v1 ≤ c1
>     v0 ≥ c1
>=    v0 ≥ c0
=     c0 ≤ v0 and v1 ≤ c1
====  =======================

so ``2001 <= 2001-12`` and ``2001-02 <= 2001-02-28`` hold (equal ends), and ``<`` and ``>=`` are not each other's
negation. The calendar is the proleptic Gregorian one with a year 0000 (XSD 1.1).

What XSD and the engines force beyond that:

- Validity is lexical, with at most twelve digits in a year; 30 February passes. Such a day, as a *value*, stands after
  the last real day of its month and ends with the month. As a *constant* it is read as the month's last real day.
- ``24:00:00`` is the first second of the next day, and ``-0000`` is ``0000``.
- Trailing zeros of a fraction do not count as written: ``10:00:00.50`` is ``10:00:00.5``, a tenth of a second.

All of it can be computed by comparing strings, which is how SPARQL engines are made to agree: of two well-formed dates
without zone the one that starts first is the smaller string, and a ``~`` stands after all characters of a date, so that
"spelling followed by ~" marks an end. :func:`constant_spellings` gives the two spellings of a constant that this takes,
:func:`canonical` the form in which a graph has to hold a value for it (and in which stores with typed literals do).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from pylf.ir.terms import XSD, Literal

XSD_GYEAR = XSD + "gYear"
XSD_GYEARMONTH = XSD + "gYearMonth"
XSD_DATE = XSD + "date"
XSD_DATETIME = XSD + "dateTime"
#: A dateTime that has to have a zone. Zones are dropped, so it is read as a dateTime, with a zone or without.
XSD_DATETIMESTAMP = XSD + "dateTimeStamp"

#: The datatypes that are dates, coarsest first.
DATE_DATATYPES = (XSD_GYEAR, XSD_GYEARMONTH, XSD_DATE, XSD_DATETIME, XSD_DATETIMESTAMP)

#: A point of the time line: year, month, day, ``HH:MM:SS`` with an optional fraction that has no trailing zero.
#: Points compare as tuples; so do the time strings, exactly, whatever the length of a fraction.
Point = tuple[int, int, int, str]

_MIDNIGHT = "00:00:00"
_MAX_YEAR_DIGITS = 12


class Interval(NamedTuple):
    """What a date covers: from ``start`` up to but not including ``end``."""

    start: Point
    end: Point


class Spellings(NamedTuple):
    """A constant's shortest spelling with the same start, and its shortest spelling with the same end."""

    start: str
    end: str


@lru_cache(maxsize=65536)
def interval(lexical: str, datatype: str) -> Interval | None:
    """What a literal covers as a value of the graph; None when it is no date or its form does not fit its datatype."""
    found = _read(lexical, datatype)
    if found is None:
        return None
    year, month, day, time = found
    match month, day, time:
        case None, _, _:
            return Interval((year, 1, 1, _MIDNIGHT), (year + 1, 1, 1, _MIDNIGHT))
        case _, None, _:
            return Interval((year, month, 1, _MIDNIGHT), _next_month(year, month))
        case _, _, None:
            return Interval((year, month, day, _MIDNIGHT), _next_day(year, month, day))
        case _:
            return _instant(year, month, day, time)


@lru_cache(maxsize=4096)
def constant_interval(lexical: str, datatype: str) -> Interval | None:
    """What a literal covers as the constant of a comparison: a day that its month lacks is the month's last day."""
    found = _read(lexical, datatype)
    if found is None:
        return None
    year, month, day, _ = found
    if month is None or day is None or day <= _days(year, month):
        return interval(lexical, datatype)
    last = _days(year, month)
    return Interval((year, month, last, _MIDNIGHT), _next_day(year, month, last))


def constant_spellings(constant: Literal) -> Spellings | None:
    """The spellings by which strings are compared with a constant (None when it is not a date).

    With ``T`` a value's canonical spelling without zone, for years 0000 to 9999 on both sides::

        <   T~ < start      <=   T~ <= end~      >   T > end~      >=   T >= start

    The end spelling may close with a zero digit (``…:00.60``): it is a bound, not always a date of its own.
    """
    covers = constant_interval(constant.lexical, constant.datatype)
    return None if covers is None else Spellings(_spell_start(covers.start), _spell_end(covers.end))


def canonical(literal: Literal) -> Literal:
    """The literal as string comparison needs it in the graph; anything but a date comes back as it is.

    The fraction loses trailing zeros, 24:00:00 becomes the next day, year -0000 becomes 0000, a dateTimeStamp becomes
    a dateTime; a zone stays.
    """
    found = _match(literal.lexical) if literal.datatype in DATE_DATATYPES else None
    covers = interval(literal.lexical, literal.datatype) if found is not None else None
    if found is None or covers is None:
        return literal
    lexical = literal.lexical
    if found["time"] is not None and ("." in found["time"] or found["time"].startswith("24")):
        year, month, day, time = covers.start
        lexical = f"{_spell_year(year)}-{month:02d}-{day:02d}T{time}{found['zone'] or ''}"
    elif lexical.startswith("-0000"):
        lexical = lexical[1:]
    datatype = XSD_DATETIME if literal.datatype == XSD_DATETIMESTAMP else literal.datatype
    same = lexical == literal.lexical and datatype == literal.datatype
    return literal if same else Literal(lexical, datatype)


def date_literal(text: str) -> Literal | None:
    """A bare constant as the date that it is spelled like, or None.

    An integer is a year (``44`` is ``0044``, ``-44`` is ``-0044``); ``1990-07``, ``1990-07-14`` and
    ``1990-07-14T12:00:00`` are a month, a day and a dateTime, each with or without a zone.
    """
    digits = text[1:] if text[:1] in ("-", "+") else text
    if digits.isascii() and digits.isdigit():
        digits = digits.lstrip("0").rjust(4, "0")
        if len(digits) > _MAX_YEAR_DIGITS:
            return None
        sign = "-" if text.startswith("-") and digits != "0000" else ""
        return Literal(sign + digits, XSD_GYEAR)
    found = _match(text)
    if found is None:
        return None
    return Literal(text, _datatype_of(found))


def as_spelled(literal: Literal) -> Literal:
    """A constant with the datatype that it is spelled as, where it is a date: Freebase keeps years and months as
    dateTimes that are cut short, and ``"1805"^^xsd:dateTime`` is a year. Any other constant is as it was."""
    if literal.datatype not in DATE_DATATYPES:
        return literal
    date = date_literal(literal.lexical)
    # a dateTime with a zone may be a dateTimeStamp
    if date is None or (date.datatype == XSD_DATETIME and literal.datatype == XSD_DATETIMESTAMP):
        return literal
    return date


# --- reading ------------------------------------------------------------------------------------------------------


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(
        r"(?P<year>-?(?:[1-9][0-9]{3,11}|0[0-9]{3}))"
        r"(?:-(?P<month>0[1-9]|1[0-2])"
        r"(?:-(?P<day>0[1-9]|[12][0-9]|3[01])"
        r"(?:T(?P<time>(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?|24:00:00(?:\.0+)?))?)?)?"
        r"(?P<zone>Z|[+-](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00))?"
    )


def _match(lexical: str) -> re.Match[str] | None:
    return _pattern().fullmatch(lexical)


def _datatype_of(found: re.Match[str]) -> str:
    if found["month"] is None:
        return XSD_GYEAR
    if found["day"] is None:
        return XSD_GYEARMONTH
    return XSD_DATE if found["time"] is None else XSD_DATETIME


def _read(lexical: str, datatype: str) -> tuple[int, int | None, int | None, str | None] | None:
    """Year, month, day and time as written, None for what is not; None when form and datatype differ."""
    if datatype not in DATE_DATATYPES:
        return None
    found = _match(lexical)
    if found is None or _datatype_of(found) != (XSD_DATETIME if datatype == XSD_DATETIMESTAMP else datatype):
        return None
    month, day = found["month"], found["day"]
    return int(found["year"]), int(month) if month else None, int(day) if day else None, found["time"]


# --- the calendar -------------------------------------------------------------------------------------------------


def _days(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _next_month(year: int, month: int) -> Point:
    return (year + 1, 1, 1, _MIDNIGHT) if month == 12 else (year, month + 1, 1, _MIDNIGHT)


def _next_day(year: int, month: int, day: int) -> Point:
    return _next_month(year, month) if day >= _days(year, month) else (year, month, day + 1, _MIDNIGHT)


def _instant(year: int, month: int, day: int, time: str) -> Interval:
    if time.startswith("24"):
        year, month, day, time = _next_day(year, month, day)
    clock, _, fraction = time.partition(".")
    fraction = fraction.rstrip("0")
    start = (year, month, day, _time(clock, fraction))
    # one unit of the last digit that is written: 59 counts up as 60, and 99 carries into the seconds
    counted = fraction.rstrip("9")
    if counted:
        return Interval(start, (year, month, day, _time(clock, _count_up(counted))))
    later = _seconds(clock) + 1
    end = _next_day(year, month, day) if later == 86400 else (year, month, day, _clock(later))
    return Interval(start, end)


def _time(clock: str, fraction: str) -> str:
    return f"{clock}.{fraction}" if fraction else clock


def _count_up(digits: str) -> str:
    return digits[:-1] + str(int(digits[-1]) + 1)


def _count_down(digits: str) -> str:
    return digits[:-1] + str(int(digits[-1]) - 1)


def _seconds(clock: str) -> int:
    return int(clock[:2]) * 3600 + int(clock[3:5]) * 60 + int(clock[6:])


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


# --- writing ------------------------------------------------------------------------------------------------------


def _spell_year(year: int) -> str:
    return f"-{-year:04d}" if year < 0 else f"{year:04d}"


def _spell_start(point: Point) -> str:
    year, month, day, time = point
    if time != _MIDNIGHT:
        return f"{_spell_year(year)}-{month:02d}-{day:02d}T{time}"
    if day != 1:
        return f"{_spell_year(year)}-{month:02d}-{day:02d}"
    return _spell_year(year) if month == 1 else f"{_spell_year(year)}-{month:02d}"


def _spell_end(point: Point) -> str:
    year, month, day, time = point
    if time != _MIDNIGHT:
        clock, _, fraction = time.partition(".")
        before = _time(clock, _count_down(fraction)) if fraction else _clock(_seconds(clock) - 1)
        return f"{_spell_year(year)}-{month:02d}-{day:02d}T{before}"
    if day != 1:
        return f"{_spell_year(year)}-{month:02d}-{day - 1:02d}"
    return _spell_year(year - 1) if month == 1 else f"{_spell_year(year)}-{month - 1:02d}"
