"""Dates of mixed precision as strings: comparison and order without any engine's own date arithmetic.

``T`` is a date's spelling without its zone. Of two dates the one that starts first has the smaller ``T``, and ``~``
stands after every character of a date, so that ``T~`` marks where a date ends (:mod:`pylf.ir.dates`). With the
spellings ``start`` and ``end`` of a constant::

    <   T~ < start      <=   T~ <= end~      >   T > end~      >=   T >= start      =   T >= start and T~ <= end~

That holds as it stands for constants from 0000 to 9999, and for all values but those beyond 9999, which are dealt with
apart. Other constants are compared by ``K``, the same spelling with thirteen digits that sort as years do in the place
of its year.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from pylf.backends.sparql import date_numbers
from pylf.backends.sparql.query import Call, Operation
from pylf.ir.dates import canonical, constant_spellings
from pylf.ir.nodes import Op
from pylf.ir.terms import XSD, XSD_BOOLEAN, XSD_INTEGER, Iri, Literal, Var

if TYPE_CHECKING:
    from pylf.backends.sparql.content import Content
    from pylf.backends.sparql.dialect import Dialect
    from pylf.backends.sparql.query import Expression

#: The zone at the end of a date.
ZONE_PATTERN = "(Z|[+-]((0[0-9]|1[0-3]):[0-5][0-9]|14:00))$"
#: The zeros at the end of a fraction; what stays of it is the first group.
ZEROS_PATTERN = "([.][0-9]*[1-9])0+$|[.]0+$"
#: A year before 0 that is spelled with three digits; they are the first group, what ends them the second.
SHORT_YEAR_PATTERN = "^-([0-9]{3})([^0-9]|$)"

_YEAR = "-?([1-9][0-9]{3,11}|0[0-9]{3})"
_YEAR_TO_9999 = "([0-9]{4}|-([1-9][0-9]{3,11}|0[0-9]{3}))"
_TIME = "(([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]+)?|24:00:00)"


def _pattern(year: str) -> str:
    return f"^{year}( gYear|-(0[1-9]|1[0-2])( gYearMonth|-(0[1-9]|[12][0-9]|3[01])( date|T{_TIME} dateTime(Stamp)?)))$"


#: ``T``, a space and the local name of the datatype of a date; the second form leaves out years beyond 9999.
DATE_PATTERN = _pattern(_YEAR)
DATE_PATTERN_TO_9999 = _pattern(_YEAR_TO_9999)

#: Added to a year of at most twelve digits, before zero or not, it gives a number of thirteen.
_MIDDLE = 5_000_000_000_000

_FALSE = Literal("false", XSD_BOOLEAN)
_INTEGER = Iri(XSD_INTEGER)
_TILDE = Literal("~")
_EMPTY = Literal("")


def _call(function: str, *arguments: Expression) -> Call:
    return Call(function, arguments)


@lru_cache(maxsize=1024)
def described(var: Var, text: Expression) -> Expression:
    """A text, a space and the local name of a literal's XSD datatype; an error for what is no literal."""
    datatype = _call("STRAFTER", _call("STR", _call("DATATYPE", var)), Literal(XSD))
    if isinstance(text, Call) and text.function == "CONCAT":
        return _call("CONCAT", text.arguments[0], Literal(" "), datatype)
    return _call("CONCAT", text, Literal(" "), datatype)


@lru_cache(maxsize=1024)
def is_date(var: Var, content: Content, dialect: Dialect, pattern: str = DATE_PATTERN) -> Expression:
    """Whether a literal is a well-formed date; an error for what is no literal."""
    return _call("REGEX", described(var, spelling(var, content, dialect)), Literal(pattern))


def date_guard(var: Var, content: Content, dialect: Dialect) -> Expression | None:
    """The guard that only dates pass, or None where nothing else occurs."""
    return None if content.only_dates else is_date(var, content, dialect)


@lru_cache(maxsize=1024)
def spelling(var: Var, content: Content, dialect: Dialect) -> Expression:
    """``T``: the canonical spelling of a date without its zone."""
    text = _call("STR", var)
    if content.before_zero and dialect.short_years:
        text = _call("REPLACE", text, Literal(SHORT_YEAR_PATTERN), Literal("-0$1$2"))
    if content.zoned:
        text = _call("REPLACE", text, Literal(ZONE_PATTERN), Literal(""))
    if content.times and not dialect.canonical_dates:
        text = _call("REPLACE", text, Literal(ZEROS_PATTERN), Literal("$1"))
    return _call("CONCAT", text, _EMPTY) if dialect.wraps_replace and text.function == "REPLACE" else text


def plainly_spelled(content: Content, dialect: Dialect) -> bool:
    """True where two dates are the same only when they are the same term."""
    return not content.zoned and (dialect.canonical_dates or not content.times)


def compare(op: Op, var: Var, constant: Literal, content: Content, dialect: Dialect) -> Expression:
    """``var op constant`` for a constant that is a date."""
    text = spelling(var, content, dialect)
    if op is Op.IS:
        return _guarded(date_guard(var, content, dialect), _equal(text, Literal(bare(canonical(constant).lexical))))
    spellings = constant_spellings(constant)
    assert spellings is not None
    start, end = spellings
    if dialect.collates:
        compared = date_numbers.compare(op, var, text, start, end)
        return _guarded(date_guard(var, content, dialect), compared)
    if not (_four_digits(start) and _four_digits(end)):
        return _guarded(
            date_guard(var, content, dialect), _within(op, year_mapped(var, text), mapped(start), mapped(end))
        )
    within = _within(op, text, start, end)
    if not content.beyond_9999:
        return _guarded(date_guard(var, content, dialect), within)
    if op in (Op.GT, Op.GE, Op.NE):
        beyond = _call("REGEX", _call("STR", var), Literal("^[0-9]{5}"))
        return _guarded(date_guard(var, content, dialect), Operation("||", (beyond, within)))
    return _guarded(is_date(var, content, dialect, DATE_PATTERN_TO_9999), within)


def start_key(var: Var, content: Content, dialect: Dialect) -> Expression:
    """The string that orders dates by their start; equal exactly where the starts are."""
    text = spelling(var, content, dialect)
    if not simple(content):
        rest = _after_year(text)
        return _call("CONCAT", _middled(var), rest, _rest_of("-01-01T00:00:00", rest, dialect))
    if not content.precisions:
        return text
    return _call("CONCAT", text, _rest_of("0000-01-01T00:00:00", text, dialect))


def simple(content: Content) -> bool:
    """All years are from 0000 to 9999."""
    return not (content.before_zero or content.beyond_9999)


def _within(op: Op, text: Expression, start: str, end: str) -> Expression:
    first, last = Literal(start), Literal(end + "~")
    match op:
        case Op.LT:
            return Operation("<", (ended(text), first))
        case Op.LE:
            return Operation("<=", (ended(text), last))
        case Op.GT:
            return Operation(">", (text, last))
        case Op.GE:
            return Operation(">=", (text, first))
        case Op.EQ:
            return Operation("&&", (Operation(">=", (text, first)), Operation("<=", (ended(text), last))))
        case Op.NE:
            return Operation("||", (Operation("<", (text, first)), Operation(">", (ended(text), last))))
        case Op.IS:
            raise AssertionError(op)  # told apart by compare()


def ended(text: Expression) -> Expression:
    """The text with ``~`` after it."""
    if isinstance(text, Literal):
        return Literal(f"{text.lexical}~")
    if isinstance(text, Call) and text.function == "CONCAT":
        if text.arguments[-1] == _EMPTY:
            return _call("CONCAT", *text.arguments[:-1], _TILDE)
        return _call("CONCAT", *text.arguments, _TILDE)
    return _call("CONCAT", text, _TILDE)


def _equal(left: Expression, right: Expression) -> Expression:
    return Operation("=", (left, right))


def _guarded(guard: Expression | None, expression: Expression) -> Expression:
    return expression if guard is None else _call("IF", guard, expression, _FALSE)


def _rest_of(template: str, text: Expression, dialect: Dialect) -> Expression:
    """What of the template stands beyond the length of the text."""
    length: Expression = _call("STRLEN", text)
    if dialect.numbers_as_terms:  # of what has no spelling it is looked at, too, before the guard
        length = _call("COALESCE", length, Literal("0", XSD_INTEGER))
    return _call("SUBSTR", Literal(template), Operation("+", (length, Literal("1", XSD_INTEGER))))


def _middled(var: Var) -> Expression:
    """The year of a date as thirteen digits."""
    year = _call("REPLACE", _call("STR", var), Literal("^(-?[0-9]+).*$"), Literal("$1"))
    return _call("STR", Operation("+", (Literal(str(_MIDDLE), XSD_INTEGER), Call(_INTEGER, (year,)))))


def _after_year(text: Expression) -> Expression:
    if isinstance(text, Call) and text.arguments[-1] == _EMPTY and text.function == "CONCAT":
        (text, _) = text.arguments
    return _call("REPLACE", text, Literal("^-?[0-9]+"), Literal(""))


def year_mapped(var: Var, text: Expression) -> Expression:
    """``K`` of a date, given its ``T``."""
    return _call("CONCAT", _middled(var), _after_year(text))


def mapped(spelled: str) -> str:
    """``K`` of a constant's spelling."""
    sign, digits, rest = _parts(spelled)
    return f"{_MIDDLE + int(sign + digits)}{rest}"


def _four_digits(spelled: str) -> bool:
    sign, digits, _ = _parts(spelled)
    return not sign and len(digits) == 4


def bare(spelled: str) -> str:
    """A date's spelling without its zone."""
    return _zone().sub("", spelled)


@cache
def _zone() -> re.Pattern[str]:
    return re.compile(ZONE_PATTERN)


def _parts(spelled: str) -> tuple[str, str, str]:
    """Sign (``-`` or nothing), digits of the year, and what follows them."""
    unsigned = spelled.removeprefix("-")
    digits = unsigned.partition("-")[0]
    return spelled[: len(spelled) - len(unsigned)], digits, unsigned[len(digits) :]
