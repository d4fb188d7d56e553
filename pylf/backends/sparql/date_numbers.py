"""Dates compared as numbers, for engines that order strings by a collation instead of by code points.

An instant is a pair of numbers, the day ``year * 10000 + month * 100 + day`` and the time ``hhmmss`` with its fraction;
of two instants the days decide, then the times. What a date leaves open is filled up: with the first month, day and
second for where it starts, with nines for where it ends, so that nothing lies between an end and the start that follows
it. Fractions of a second are told apart to nine digits.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pylf.backends.sparql.query import Call, Operation
from pylf.ir.nodes import Op
from pylf.ir.terms import XSD_DOUBLE, XSD_INTEGER, Iri, Literal, Var

if TYPE_CHECKING:
    from pylf.backends.sparql.query import Expression

_START = "0101000000"
_END = "9999999999.999999999"
_SEPARATORS = "[-T:]"
_YEAR = "^-?[0-9]+"
_DAYS_OF_A_YEAR = Literal("10000", XSD_INTEGER)


class Instant(NamedTuple):
    """A day and a time on it, as numbers."""

    day: Expression
    time: Expression


def compare(op: Op, var: Var, text: Expression, start: str, end: str) -> Expression:
    """``var op constant``: ``text`` is how the date of the variable is spelled without its zone, ``start`` and ``end``
    are the spellings of the constant (:func:`pylf.ir.dates.constant_spellings`)."""
    match op:
        case Op.LT:
            return _before(_of(var, text, _END), _constant(start, _START))
        case Op.LE:
            return _before(_of(var, text, _END), _constant(end, _END), True)
        case Op.GT:
            return _before(_constant(end, _END), _of(var, text, _START))
        case Op.GE:
            return _before(_constant(start, _START), _of(var, text, _START), True)
        case Op.EQ:
            return Operation("&&", tuple([compare(part, var, text, start, end) for part in (Op.GE, Op.LE)]))
        case Op.NE:
            return Operation("||", tuple([compare(part, var, text, start, end) for part in (Op.LT, Op.GT)]))
        case Op.IS:
            raise AssertionError(op)  # that is a matter of spelling


def ends_before(left: Var | Literal, left_text: Expression, right: Var | Literal, right_text: Expression) -> Expression:
    """Whether one date ends where another starts, or before."""
    return _before(_of_either(left, left_text, _END), _of_either(right, right_text, _START))


def ends_within(left: Var | Literal, left_text: Expression, right: Var, end: Expression) -> Expression:
    """Whether one date ends where another ends, or before; ``end`` is the other's shortest spelling with that end."""
    return _before(_of_either(left, left_text, _END), _of(right, end, _END), True)


def _of_either(side: Var | Literal, text: Expression, filled: str) -> Instant:
    """An end of a variable or of a constant, whose text is its spelling."""
    if isinstance(side, Var):
        return _of(side, text, filled)
    assert isinstance(text, Literal)
    return _constant(text.lexical, filled)


def _before(one: Instant, other: Instant, or_at: bool = False) -> Expression:
    later = Operation("<=" if or_at else "<", (one.time, other.time))
    same_day = Operation("=", (one.day, other.day))
    return Operation("||", (Operation("<", (one.day, other.day)), Operation("&&", (same_day, later))))


@lru_cache(maxsize=1024)
def _of(var: Var, text: Expression, filled: str) -> Instant:
    year = _integer(Call("REPLACE", (Call("STR", (var,)), Literal("^(-?[0-9]+).*$"), Literal("$1"))))
    digits = Call("REPLACE", (Call("REPLACE", (text, Literal(_YEAR), Literal(""))), Literal(_SEPARATORS), Literal("")))
    left_open = Call("SUBSTR", (Literal(filled), Operation("+", (Call("STRLEN", (digits,)), _number(1)))))
    full = Call("CONCAT", (digits, left_open))
    month_and_day = _integer(Call("SUBSTR", (full, _number(1), _number(4))))
    day = Operation("+", (Operation("*", (year, _DAYS_OF_A_YEAR)), month_and_day))
    return Instant(day, Call(Iri(XSD_DOUBLE), (Call("SUBSTR", (full, _number(5))),)))


def _constant(spelled: str, filled: str) -> Instant:
    found = _year().match(spelled)
    assert found is not None
    digits = re.sub(_SEPARATORS, "", spelled[found.end() :])
    full = digits + filled[len(digits) :]
    return Instant(_number(int(found.group()) * 10_000 + int(full[:4])), Literal(f"{full[4:]}e0", XSD_DOUBLE))


@cache
def _year() -> re.Pattern[str]:
    return re.compile(_YEAR)


def _integer(text: Expression) -> Call:
    return Call(Iri(XSD_INTEGER), (text,))


def _number(value: int) -> Literal:
    return Literal(str(value), XSD_INTEGER)
