"""Two dates compared, of which the second is no constant, by their spellings ``T`` (:mod:`pylf.backends.sparql.dates`).

What dates cover are units of the calendar, so that of two one lies in the other or they have nothing in common. With
``~`` after every character of a date::

    =   T1 begins with T2      <   T1~ < T2      >=   the same start or a later one, filled up with first days and zeros
    >   T2~ < T1               <=  T1~ <= E2~

where ``E`` is the shortest spelling that ends where a date does: without nines at the end of a fraction, without the
last second of a day, the last day of a month (of February by the year's digits) and the last month of a year.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pylf.backends.sparql import date_numbers, dates
from pylf.backends.sparql.content import NOTHING_AT_ALL, Content
from pylf.backends.sparql.query import Call, Expression, Operation
from pylf.ir.dates import canonical
from pylf.ir.nodes import Op
from pylf.ir.terms import XSD, XSD_BOOLEAN, Iri, Literal, Var

if TYPE_CHECKING:
    from pylf.backends.sparql.dialect import Dialect

_EMPTY = Literal("")
_MARK = Literal("-")
_FALSE = Literal("false", XSD_BOOLEAN)
_TRUE = Literal("true", XSD_BOOLEAN)
_YEAR = Iri(XSD + "gYear")
_START = "0000-01-01T00:00:00"
#: Two digits, not zeros, that no multiple of four ends with.
_ODD = "([02468][1235679]|[13579][01345789])"
_LAST_DAYS = (
    f"(-0[13578]|-1[02])-31$|(-0[469]|-11)-3[01]$|(-02)-29$|(-02)-3[01]$|({_ODD}(00)?-02)-28$",
    "$1$2$3$4$5",
)
#: What shortens a spelling without another end, in this order; the first ones are of times.
_TIMES = (("([.][0-9]*[0-8])9+$", "$1"), ("[.]9+$", ""), ("T23:59:59$", ""))
_DAYS = (_LAST_DAYS, ("^(-?[0-9]+)-12$", "$1"))


def compare(op: Op, left: Var | Literal, right: Var, contents: tuple[Content, Content], dialect: Dialect) -> Expression:
    """``left op right`` where both are dates, and false or an error otherwise; ``contents`` are theirs."""
    of_left = contents[0] if isinstance(left, Var) else _of_constant(left)
    found = _compared(op, left, right, (of_left, contents[1]), dialect)
    guards = [dates.date_guard(right, contents[1], dialect)]
    if isinstance(left, Var):
        guards.append(dates.date_guard(left, of_left, dialect))
    for guard in guards:
        found = found if guard is None else Call("IF", (guard, found, _FALSE))
    return found


def guards(
    left: Var | Literal, right: Var, contents: tuple[Content, Content], dialect: Dialect
) -> list[Expression | None]:
    """What only dates pass, of each variable among the two."""
    own = [dates.date_guard(left, contents[0], dialect)] if isinstance(left, Var) else []
    return [*own, dates.date_guard(right, contents[1], dialect)]


def _compared(
    op: Op, left: Var | Literal, right: Var, contents: tuple[Content, Content], dialect: Dialect
) -> Expression:
    of_left, of_right = contents
    near, far = _spelling(left, of_left, dialect), dates.spelling(right, of_right, dialect)
    match op:
        case Op.IS:
            return Operation("=", (near, far))
        case Op.EQ:
            return _within(near, right, far)
        case Op.NE:
            return Call("IF", (_within(near, right, far), _FALSE, _TRUE))
        case Op.LT if dialect.collates:
            return date_numbers.ends_before(left, near, right, far)
        case Op.GT if dialect.collates:
            return date_numbers.ends_before(right, far, left, near)
        case Op.LE if dialect.collates:
            return date_numbers.ends_within(left, near, right, _end(far, of_right, dialect))
        case Op.GE:
            # of one precision each, the two may be of different ones
            mapped = not (dates.simple(of_left) and dates.simple(of_right))
            key = dates.start_key(right, of_right._replace(precisions=True, before_zero=mapped), dialect)
            return Operation(">=", (_start_key(left, of_left, mapped, dialect), key))
        case _:
            last = _end(far, of_right, dialect) if op is Op.LE else far
            if not (dates.simple(of_left) and dates.simple(of_right)):
                near, far, last = _mapped(left, near), dates.year_mapped(right, far), dates.year_mapped(right, last)
            if op is Op.GT:
                return Operation("<", (dates.ended(far), near))
            if op is Op.LT:
                return Operation("<", (dates.ended(near), far))
            return Operation("<=", (dates.ended(near), dates.ended(last)))


def _within(near: Expression, right: Var, far: Expression) -> Expression:
    # a year of four digits is no beginning of one of five
    is_year = Operation("=", (Call("DATATYPE", (right,)), _YEAR))
    ended = Call("IF", (is_year, _MARK, _EMPTY))
    return Call("STRSTARTS", (Call("CONCAT", (near, _MARK)), Call("CONCAT", (far, ended))))


# --- the sides ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _of_constant(constant: Literal) -> Content:
    text = dates.bare(canonical(constant).lexical)
    before, beyond = text.startswith("-"), not text.startswith("-") and text[4:5] not in ("", "-")
    return NOTHING_AT_ALL._replace(
        dates=True, times="T" in text, precisions=True, before_zero=before, beyond_9999=beyond
    )


def _spelling(side: Var | Literal, content: Content, dialect: Dialect) -> Expression:
    if isinstance(side, Literal):
        return Literal(dates.bare(canonical(side).lexical))
    return dates.spelling(side, content, dialect)


def _mapped(side: Var | Literal, text: Expression) -> Expression:
    if isinstance(text, Literal):
        return Literal(dates.mapped(text.lexical))
    assert isinstance(side, Var)
    return dates.year_mapped(side, text)


def _start_key(side: Var | Literal, content: Content, mapped: bool, dialect: Dialect) -> Expression:
    if isinstance(side, Var):
        return dates.start_key(side, content._replace(precisions=True, before_zero=mapped), dialect)
    text = dates.bare(canonical(side).lexical)
    year = text[: text.index("-", 1)] if "-" in text[1:] else text
    rest = text[len(year) :]
    filled = rest + _START[4:][len(rest) :]
    return Literal(dates.mapped(year + filled) if mapped else year + filled)


@lru_cache(maxsize=1024)
def _end(text: Expression, content: Content, dialect: Dialect) -> Expression:
    """``E`` of a date, given its ``T``."""
    if isinstance(text, Call) and text.function == "CONCAT":
        text = text.arguments[0]
    for pattern, kept in (*(_TIMES if content.times else ()), *_DAYS):
        text = Call("REPLACE", (text, Literal(pattern), Literal(kept)))
    return Call("CONCAT", (text, _EMPTY)) if dialect.wraps_replace else text
