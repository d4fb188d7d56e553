"""Turns of SPARQL that say what the core tier has a word for.

- ``YEAR(?d) < 1990`` compares a date with a year: of dates as intervals (:mod:`pylf.ir.dates`) that is the same.
- ``xsd:dateTime(?a) - xsd:dateTime(?b) > 0`` compares two dates; a duration can be compared with no number, and
  Virtuoso, whose idiom it is, means this.
- ``NOT EXISTS { ?y :from ?a } || EXISTS { ?y :from ?b FILTER(?b <= "2011-12-31") }`` is PyLF's time constraint; that
  until the last day of a year, and from its first day, are until and from the year.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.ir.dates import DATE_DATATYPES, XSD_DATE, XSD_DATETIME, XSD_GYEAR, date_literal
from pylf.ir.expressions import Apply
from pylf.ir.nodes import Body, Compare, Kind, Op, Triple
from pylf.ir.terms import Literal, Var
from pylf.ir.values import INTEGER_DATATYPES, NUMERIC_DATATYPES, value_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Conjunct

_DATE_CASTS = frozenset((XSD_DATE, XSD_DATETIME))


def as_year(left: Expression, right: Expression) -> tuple[Var, Literal] | None:
    """The variable and the year that ``YEAR(?variable)`` and an integer compare; None for anything else."""
    match left, right:
        # of a variable alone: a cast has a value for strings too
        case Apply("year", (Var() as inner,)), Literal(lexical, datatype) if datatype in INTEGER_DATATYPES:
            year = date_literal(lexical) if lexical.lstrip("+-").isdecimal() else None
            if year is not None and year.datatype == XSD_GYEAR:
                return inner, year
    return None


def as_difference(left: Expression, right: Expression) -> tuple[Expression, Expression] | None:
    """The two dates whose difference is compared with 0; None for anything else."""
    match left, right:
        case Apply("-", (one, other)), Literal(_, datatype) if datatype in NUMERIC_DATATYPES and value_of(right) == 0.0:
            return (one, other) if _is_date(one) and _is_date(other) else None
    return None


def _is_date(expression: Expression) -> bool:
    return isinstance(expression, Apply) and expression.function in _DATE_CASTS


def time_constraint(absent: Iterable[Body], present: Body) -> Body:
    """An arm beside ``NOT EXISTS``, with the shortest bound where the two are a time constraint."""
    relations = [body.conjuncts[0] for body in absent if len(body.conjuncts) == 1]
    if len(present.conjuncts) != 2:
        return present
    for triple, compare in (present.conjuncts, present.conjuncts[::-1]):
        if not isinstance(triple, Triple) or not isinstance(compare, Compare) or compare.left != triple.object:
            continue
        if compare.kind is Kind.DATE and any(_alike(triple, one) for one in relations):
            return Body((triple, _shortest(compare)))
    return present


def _alike(triple: Triple, other: Conjunct) -> bool:
    return isinstance(other, Triple) and (other.subject, other.predicate) == (triple.subject, triple.predicate)


def _shortest(compare: Compare) -> Compare:
    match compare:
        case Compare(op, left, Literal(lexical, datatype), kind, span) if datatype in DATE_DATATYPES:
            day = {Op.LE: "-12-31", Op.GE: "-01-01"}.get(op)
            if datatype == XSD_DATE and day is not None and re.fullmatch(rf"[0-9]{{4}}{day}", lexical):
                return Compare(op, left, Literal(lexical[:4], XSD_GYEAR), kind, span)
    return compare
