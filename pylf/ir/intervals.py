"""One value of each interval into which constants cut the values, so that questions about all values take few.

Some comparisons of one variable with constants hold of a set of values: intervals of numbers, of texts and of dates
(where a value has two ends, each in an interval of its own), and values that stand alone. Two values that no
comparison with these constants tells apart need not both be looked at. :func:`samples` gives at least one of every
such class, and each sample is a node that a graph can hold. So a set of values is a set of samples, here the bits of an
integer, and what :func:`pylf.ir.values.compare` says of the samples decides what implies, contradicts or is the same
as what; no second definition of a comparison is needed::

    values = values_between(frozenset((five, ten)), dated=False)
    values.holding(Op.LT, five, Kind.NUMBER) & ~values.holding(Op.LT, ten, Kind.NUMBER) == 0  # < 5 implies < 10

Why the samples are enough:

- numbers are IEEE doubles: each constant, the next double after it (in the interval that begins there, or the next
  constant itself), and -INF. NaN is no number: it is worth itself, like IRIs, blank nodes and ill-typed literals.
- plain strings, by code point: each constant, its successor (it and U+0000), and the empty string. Tagged ones are only
  equal or not, within one tag.
- a date compares by whether it starts at or after an end of a constant and whether it ends by it. Between two
  neighbouring ends an instant of enough digits is such a date, and is no constant itself. A date that goes on across an
  end is the year, month, day, second or fraction that holds it: all of these are there. (Days that a month lacks cross
  nothing.)
- a boolean, an IRI or any other literal is the constant or is not.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

from pylf.ir.dates import DATE_DATATYPES, Interval, constant_interval, date_literal
from pylf.ir.terms import XSD_BOOLEAN, XSD_DOUBLE, Blank, Literal, tagged
from pylf.ir.values import Boolean, Text, compare, value_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pylf.ir.dates import Point
    from pylf.ir.nodes import Kind, Op
    from pylf.ir.terms import Constant, Node

#: Stands for every node that is like no constant.
_OTHER = Blank("other")
#: The earliest year that can be written.
_FIRST_YEAR = -999_999_999_999


class Values:
    """All values, as far as comparisons with some constants tell them apart: a set of them is an integer, one bit for
    each of the ``samples``; ``everything`` is all of them."""

    __slots__ = ("_holding", "everything", "samples")

    def __init__(self, samples: tuple[Node, ...]) -> None:
        self.samples = samples
        self.everything = (1 << len(samples)) - 1
        self._holding: dict[tuple[Op, Constant, Kind], int] = {}

    def holding(self, op: Op, constant: Constant, kind: Kind) -> int:
        """The values of which the comparison with a constant holds; the constant is one of those at hand."""
        known = self._holding.get((op, constant, kind))
        if known is None:
            known = 0
            for place, sample in enumerate(self.samples):
                if compare(op, sample, constant, kind):
                    known |= 1 << place
            self._holding[op, constant, kind] = known
        return known

    def places(self, among: int) -> Iterator[int]:
        """The numbers of the samples that a set holds."""
        return (place for place in range(len(self.samples)) if among >> place & 1)


@lru_cache(maxsize=512)
def values_between(constants: frozenset[Constant], dated: bool) -> Values:
    """The values, cut by constants; ``dated``: some of the comparisons look at dates (kind DATE or ANY)."""
    return Values(samples(constants, dated))


def samples(constants: Iterable[Constant], dated: bool = True) -> tuple[Node, ...]:
    """At least one of every class of values that comparisons with the constants do not tell apart, each node once;
    those of dates only where comparisons are ``dated``."""
    found: dict[Node, None] = {_OTHER: None}
    longest = ""
    points: set[Point] = set()
    for constant in constants:
        found[constant] = None
        match value_of(constant):
            case float() as number:
                near = (-math.inf, math.nextafter(number, math.inf))
                found.update({Literal(_spelled(one), XSD_DOUBLE): None for one in near})
            case Text(text, None):
                found.update({Literal(""): None, Literal(text + "\0"): None})
            case Text(text):
                longest = max(longest, text, key=len)
            case Boolean():
                found.update({Literal(either, XSD_BOOLEAN): None for either in ("true", "false")})
            case _:
                pass
        if dated and isinstance(constant, Literal):
            points.update(_ends(constant))
    for node in list(found):
        # under each tag one text that is no constant's
        if isinstance(node, Literal) and node.language is not None:
            found[tagged(longest + "x", node.language)] = None
    found.update(dict.fromkeys(_dates(points)))
    return tuple(found)


def _spelled(number: float) -> str:
    return repr(number) if math.isfinite(number) else "INF" if number > 0 else "-INF"


def _ends(constant: Literal) -> Interval | tuple[()]:
    """Where a constant begins and ends as a date: as the one that it is, or that it is spelled like."""
    date = constant if constant.datatype in DATE_DATATYPES else date_literal(constant.lexical)
    return () if date is None else constant_interval(date.lexical, date.datatype) or ()


def _year(year: int) -> str:
    return f"{'-' if year < 0 else ''}{abs(year):04d}"


def _dates(points: set[Point]) -> Iterator[Literal]:
    """A date in each interval between neighbouring points, and the dates that hold a point within."""
    if not points:
        return
    digits = max(len(time) for *_, time in points)
    for point in ((_FIRST_YEAR, 1, 1, "00:00:00"), *points):
        year, month, day, time = point
        clock, _, fraction = time.partition(".")
        calendar = (_year(year), f"{month:02d}", f"{day:02d}")
        whole = f"{'-'.join(calendar)}T{clock}"
        # the first instant after the point that has more digits than any constant
        spelled = [f"{whole}.{fraction}{'0' * digits}1", *["-".join(calendar[:count]) for count in (1, 2, 3)], whole]
        spelled += [f"{whole}.{fraction[:count]}" for count in range(1, len(fraction))]
        if (month, day, time) == (1, 1, "00:00:00"):
            # the only spelling of a year that is too large to be written; no date stands after such a point
            spelled.append(f"{_year(year - 1)}-12-31T24:00:00")
        yield from (date for text in spelled if (date := date_literal(text)) is not None)
