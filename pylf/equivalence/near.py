"""Values near a constant: those on which two comparisons that are not the same can come apart.

Below it, above it and equal to it in another spelling or datatype; of a date also wider and narrower ones; something
ill-typed, and a string that is spelled like it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pylf.ir.dates import XSD_DATE, XSD_DATETIME, XSD_GYEAR, XSD_GYEARMONTH, Interval, constant_interval
from pylf.ir.nodes import Kind
from pylf.ir.terms import XSD_BOOLEAN, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER, Literal, tagged
from pylf.ir.values import Boolean, Text, value_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_EXACT = 1e15
#: so many values on each side of one
_RUNGS = 160

_NUMBERS = (
    *(Literal(digit, XSD_INTEGER) for digit in ("1", "2", "3")),
    Literal("2.0", XSD_DECIMAL),
)
_DATES = (
    *(Literal(year, XSD_GYEAR) for year in ("1990", "1991", "1992")),
    Literal("1991-01-01", XSD_DATE),
)
_TEXTS = (Literal("a"), Literal("b"), Literal("c"), tagged("b", "en"))

#: Values where no constant says which: three that differ, and one that ties with the second.
LADDERS: dict[Kind, tuple[Literal, ...]] = {
    Kind.NUMBER: _NUMBERS,
    Kind.DATE: _DATES,
    Kind.TEXT: _TEXTS,
    Kind.ANY: (*_NUMBERS, *_DATES[:2], _TEXTS[0]),
}


def ladder(kind: Kind, constants: Iterable[Literal]) -> Iterator[Literal]:
    """Values of a kind, each above the one before: some hundred, and as many from each constant on, and up to it."""
    match kind:
        case Kind.TEXT:
            yield from (Literal(f"a{step:03d}") for step in range(_RUNGS))
        case Kind.DATE:
            known = {value_of(constant) for constant in constants}
            for year in (1900, *[value.start[0] for value in known if isinstance(value, Interval)]):
                yield from (Literal(_year(step), XSD_GYEAR) for step in range(year - _RUNGS, year + _RUNGS))
        case Kind.NUMBER | Kind.ANY:
            starts = sorted({v for c in constants if isinstance(v := value_of(c), float) and abs(v) < _EXACT})
            yield from (_number(float(step)) for step in range(1, _RUNGS))
            for start in starts:
                yield from (_number(start + step) for step in range(-_RUNGS, _RUNGS))


def near(constant: Literal) -> tuple[Literal, ...]:
    """The constant, and values near it."""
    match value_of(constant):
        case float(number):
            found = [*_numbers(number), Literal(constant.lexical), Literal("many", XSD_INTEGER)]
        case Interval():
            found = [*_dates(constant), Literal(constant.lexical), Literal("soon", XSD_DATE)]
        case Text(text, None):
            found = [tagged(text, "en"), Literal(text + "a"), Literal("")]
        case Text(text, _):
            found = [Literal(text), tagged(text + "a", constant.language or "en")]
        case Boolean(true):
            found = [Literal("false" if true else "true", XSD_BOOLEAN), Literal("1" if true else "0", XSD_BOOLEAN)]
        case _:
            found = [Literal(constant.lexical + "0", constant.datatype), Literal(constant.lexical)]
    return tuple(dict.fromkeys((constant, *found)))


def between(constants: Iterable[Literal]) -> tuple[Literal, ...]:
    """Numbers that lie between two neighbours of those given."""
    values = {value_of(constant) for constant in constants}
    numbers = sorted(v for v in values if isinstance(v, float) and abs(v) < _EXACT)
    return tuple(_number((low + high) / 2) for low, high in pairwise(numbers))


def _numbers(number: float) -> tuple[Literal, ...]:
    if abs(number) >= _EXACT:  # infinite ones as well: one more would be the same
        return (Literal("0", XSD_INTEGER),)
    same = f"{number:.1f}" if number.is_integer() else f"{number!r}0"
    respelled = Literal(same, XSD_DECIMAL if "e" not in same else XSD_DOUBLE)
    return _number(number), _number(number - 1), _number(number + 1), respelled, Literal(f"{number!r}", XSD_DOUBLE)


def _number(number: float) -> Literal:
    if number.is_integer() and abs(number) < _EXACT:
        return Literal(str(int(number)), XSD_INTEGER)
    spelled = repr(number)
    return Literal(spelled, XSD_DOUBLE if "e" in spelled else XSD_DECIMAL)


def _dates(constant: Literal) -> tuple[Literal, ...]:
    covers = constant_interval(constant.lexical, constant.datatype)
    assert covers is not None
    (year, month, day, _), last = covers.start, covers.end
    spelled = _year(year)
    return (
        Literal(_year(year - 1), XSD_GYEAR),
        Literal(_year(last[0] + 1), XSD_GYEAR),
        Literal(f"{spelled}-{month:02d}-{day:02d}", XSD_DATE),
        Literal(spelled, XSD_GYEAR),
        Literal(f"{spelled}-{month:02d}", XSD_GYEARMONTH),
        Literal(f"{spelled}-{month:02d}-{day:02d}T12:00:00", XSD_DATETIME),
        Literal(f"{_year(last[0])}-{last[1]:02d}-{last[2]:02d}", XSD_DATE),
    )


def _year(year: int) -> str:
    return f"{year:04d}" if year >= 0 else f"-{-year:04d}"
