"""What literals are worth and when a value meets a constant, written from the definitions alone (docs/language.md,
Values): the support of :mod:`tests.frontends.sexpr_meaning`. Nothing here is shared with ``pylf.ir.values``.

- A *number* is the IEEE double of its lexical form, an ``xsd:float`` the nearest float of 32 bits; NaN is none.
- A *date* of any precision is a half-open interval of a time line that is counted in days, as exact fractions.
- A *text* is a string with or without a language tag, a *truth* is true or false.
- Everything else, ill-typed literals among them, is worth itself, and nothing compares with it.
"""

from __future__ import annotations

import enum
import operator
import re
import struct
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING

from pylf.ir.terms import RDF_LANG_STRING, XSD, Iri, Literal

if TYPE_CHECKING:
    from pylf.frontends.sexpr.tree import Value as Written
    from pylf.ir.terms import Node


@dataclass(frozen=True, slots=True)
class Number:
    number: float


@dataclass(frozen=True, slots=True)
class Period:
    """What a date covers: from ``start`` up to but not including ``end``."""

    start: Fraction
    end: Fraction


@dataclass(frozen=True, slots=True)
class Text:
    text: str
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Truth:
    true: bool


@dataclass(frozen=True, slots=True)
class Thing:
    """A term that is worth itself."""

    term: Node


Value = Number | Period | Text | Truth | Thing


class Kind(enum.Enum):
    """What a schema says of a relation's values; None where it says nothing. Freebase's ``type.text`` is WORDS: strings
    with a language, beside which a plain string may stand for a date."""

    NUMBER = enum.auto()
    DATE = enum.auto()
    STRING = enum.auto()
    WORDS = enum.auto()
    TRUTH = enum.auto()


_INTEGER = r"[+-]?[0-9]+"
_DECIMAL = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
_DOUBLE = rf"{_DECIMAL}(?:[eE][+-]?[0-9]+)?|-?INF"
#: the lexical forms of the numeric datatypes
_NUMERIC = {
    **{XSD + name: _INTEGER for name in ("integer", "int", "long", "short", "nonNegativeInteger")},
    XSD + "decimal": _DECIMAL,
    XSD + "double": _DOUBLE,
    XSD + "float": _DOUBLE,
}
_DATE = re.compile(
    r"(?P<year>-?[0-9]{4,12})"
    r"(?:-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>0[1-9]|[12][0-9]|3[01])"
    r"(?:T(?P<hour>[01][0-9]|2[0-4]):(?P<minute>[0-5][0-9]):(?P<second>[0-5][0-9])(?:\.(?P<fraction>[0-9]+))?)?)?)?"
    r"(?:Z|[+-][0-9]{2}:[0-9]{2})?"
)
_DATES = tuple(XSD + name for name in ("gYear", "gYearMonth", "date", "dateTime"))


def value_of(node: Node) -> Value:
    """The value of a node of the graph."""
    if not isinstance(node, Literal):
        return Thing(node)
    text, datatype = node.lexical, node.datatype
    found: Value | None = None
    if datatype == XSD + "string":
        found = Text(text)
    elif datatype == RDF_LANG_STRING and node.language:
        found = Text(text, node.language.lower())
    elif datatype == XSD + "boolean" and text in ("true", "false", "1", "0"):
        found = Truth(text in ("true", "1"))
    elif datatype in _NUMERIC:
        found = number(text, datatype)
    elif datatype in _DATES:
        found = period(text, datatype)
    return found or Thing(node)


def number(text: str, datatype: str = XSD + "double") -> Number | None:
    """The number that a lexical form is under a datatype; None where it does not fit."""
    if not re.fullmatch(_NUMERIC[datatype], text):
        return None
    read = float(text)
    if datatype != XSD + "float":
        return Number(read)
    try:
        return Number(struct.unpack("f", struct.pack("f", read))[0])
    except OverflowError:  # too large for 32 bits
        return Number(float("inf") if read > 0 else float("-inf"))


# -- dates


def period(text: str, datatype: str | None = None, as_constant: bool = False) -> Period | None:
    """What a date covers. None where the text is no date, or has another precision than its datatype.

    The zone is not looked at. A day that its month lacks is the month's last one in a constant; in the graph it stands
    after that one and ends with the month.
    """
    found = _DATE.fullmatch(text)
    if found is None:
        return None
    year, month, day = (int(found[part] or 0) for part in ("year", "month", "day"))
    precision = 3 if found["hour"] else 2 if day else 1 if month else 0
    if datatype not in (None, _DATES[precision]):
        return None
    if precision == 0:
        return Period(_midnight(year), _midnight(year + 1))
    next_month = _midnight(year, month + 1) if month < 12 else _midnight(year + 1)
    if precision == 1:
        return Period(_midnight(year, month), next_month)
    surplus = _midnight(year, month) + day - next_month
    start = _midnight(year, month) + day - 1
    if precision == 2:
        if surplus > 0:
            start = next_month - 1 if as_constant else next_month - Fraction(1, 10**6 + int(surplus))
        return Period(start, min(start + 1, next_month))
    # a time covers its last written second, or unit of the fraction; zeros at the end of a fraction are not counted
    digits = (found["fraction"] or "").rstrip("0")
    seconds = int(found["hour"]) * 3600 + int(found["minute"]) * 60 + int(found["second"]) + Fraction(f"0.{digits}0")
    start += Fraction(seconds) / 86400
    return Period(start, start + Fraction(1, 86400 * 10 ** len(digits)))


def _midnight(year: int, month: int = 1) -> Fraction:
    """The first moment of a month in days. The calendar repeats every 400 years, which are 146,097 days; Python's knows
    the years 1 to 9999 only."""
    return Fraction(date(2000 + year % 400, month, 1).toordinal() + 146_097 * (year // 400))


def dated(text: str) -> Period | None:
    """A constant as the date that it is spelled like; an integer is a year."""
    if re.fullmatch(r"[+-]?[0-9]+", text):
        text = ("-" if text[0] == "-" else "") + text.lstrip("+-0").rjust(4, "0")
    return period(text, as_constant=True)


# -- constants


def readings(written: Written, kind: Kind | None, joined: bool = False) -> tuple[Value, ...]:
    """What a constant of an s-expression may stand for beside a relation whose values are of a kind: at most one value
    of each sort, so that it is a year beside dates and a number beside numbers.

    - A constant takes what the relation's values are known to be: ``1990`` is a year, a number or a string by them.
    - Where that is not known, an integer or a string that is spelled like a date is also that date.
    - One with a datatype of its own keeps it, a date that is cut short being as long as it is spelled. A string with
      its datatype still meets dates, and in a JOIN an integer does.
    """
    text = written.lexical
    if written.language is not None:
        return (Text(text, written.language.lower()),)
    year_or_day = dated(text) if kind in (None, Kind.DATE, Kind.WORDS) else None
    if written.datatype is not None:
        datatype = written.datatype.replace("xsd:", XSD)
        if datatype in _DATES:
            return _some(dated(text))
        own = value_of(Literal(text, datatype))
        meets_dates = isinstance(own, Text) or (joined and isinstance(own, Number))
        return _some(own, year_or_day if meets_dates else None)
    match kind:
        case Kind.NUMBER:
            return _some(number(text))
        case Kind.DATE:
            return _some(year_or_day)
        case Kind.TRUTH:
            return _some(value_of(Literal(text, XSD + "boolean")))
        case Kind.STRING | Kind.WORDS:
            return _some(Text(text), year_or_day)
        case None:
            return _some(Text(text) if written.quoted else number(text), year_or_day)


def _some(*values: Value | None) -> tuple[Value, ...]:
    return tuple(value for value in values if value is not None)


# -- comparison

_ON_NUMBERS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
}


def holds(op: str, value: Value, constants: tuple[Value, ...]) -> bool:
    """Whether ``value op constant`` for a reading of the constant. Values of different sorts never compare."""
    return any(_holds(op, value, constant) for constant in constants)


def _holds(op: str, value: Value, constant: Value) -> bool:
    match value, constant:
        case Number(left), Number(right):
            return bool(_ON_NUMBERS[op](left, right))
        case Text(left_text, None), Text(right_text, None):
            return bool(_ON_NUMBERS[op](left_text, right_text))
        case Period(v0, v1), Period(c0, c1):
            table = {"<": v1 <= c0, "<=": v1 <= c1, ">": v0 >= c1, ">=": v0 >= c0, "=": c0 <= v0 and v1 <= c1}
            return table[op]
        case (Text(), Text()) | (Truth(), Truth()):
            return op == "=" and value == constant
        case Thing(Iri()), Thing(Iri()):
            return op == "=" and value == constant
        case _:
            return False


def extremes(values: set[tuple[Value, Value]], mode: str, kind: Kind | None) -> frozenset[Value]:
    """Of pairs (member, its value) the members whose value is the extreme one, all ties.

    Numbers are ordered among numbers and dates by their starts; what is neither takes no part, nor what the relation's
    values are known not to be. Where that is not known, numbers go before dates.
    """
    keys: dict[type, list[tuple[Value, float | Fraction]]] = {Number: [], Period: []}
    for member, value in values:
        match value:
            case Number(key) if kind in (None, Kind.NUMBER):
                keys[Number].append((member, key))
            case Period(start, _) if kind in (None, Kind.DATE):
                keys[Period].append((member, start))
    ranked = keys[Number] or keys[Period]
    best = (max if mode == "ARGMAX" else min)((key for _, key in ranked), default=None)
    return frozenset(member for member, key in ranked if key == best)
