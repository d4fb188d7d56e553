"""Counts that stand in a body, as sub-selects: where they go, and how their groups are kept apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.sparql.atoms import NOTHING
from pylf.backends.sparql.frame import SameTerm, SubQuery
from pylf.backends.sparql.names import met_counts
from pylf.backends.sparql.query import Call, Column, Operation
from pylf.errors import UnsupportedOperation
from pylf.ir.nodes import Body, Count
from pylf.ir.scope import bound
from pylf.ir.terms import Var

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from pylf.backends.sparql.frame import Frame
    from pylf.backends.sparql.lower import Lowering
    from pylf.backends.sparql.query import Expression, Select


def expand(lowering: Lowering, count: Count, frame: Frame, body: Body) -> None:
    """Adds a count that stands in a body to its frame.

    Raises:
        UnsupportedOperation: a grouped count that the dialect cannot find right under EXISTS.
    """
    if count.group and frame.existential and lowering.dialect.parts_groups:
        count = _parted(lowering, count, frame, body)
    counted = (*count.group, count.result)
    found = SubQuery(lowering.count(count), counted, count.result)
    frame.never |= bool(count.group) and found.select.where == NOTHING
    if count.group:
        if frame.existential and lowering.hides(found.select):
            raise UnsupportedOperation("such a grouped count under EXISTS", f"SPARQL ({lowering.dialect.name})")
        frame.bind(found, [var.name for var in counted])
    else:
        # beside what else binds its name, a count would meet that: it stays where it is
        home = frame if _met(lowering, count.result.name) else frame.home
        home.scalars.append(found.select)
        home.binders.setdefault(count.result.name, []).append(found)


def _met(lowering: Lowering, name: str) -> bool:
    if lowering.met_counts is None:
        lowering.met_counts = met_counts(lowering.root)
    return lowering.apart.origin.get(name, name) in lowering.met_counts


def _parted(lowering: Lowering, count: Count, frame: Frame, body: Body) -> Count:
    """A grouped count that shares no variable with what binds its groups besides, here and around."""
    others = bound(Body(tuple([other for other in body.conjuncts if other is not count])))
    if not any(frame.binds(var.name) or var.name in others for var in count.group):
        return count
    inner, (of, *group) = lowering.apart.copy(count.body, (count.of, *count.group))
    for new, old in zip(group, count.group, strict=True):
        if frame.binds(old.name) or old.name in others:
            frame.tests.append(SameTerm(new, old))
        else:
            where = f"SPARQL ({lowering.dialect.name})"
            raise UnsupportedOperation("such a grouped count under EXISTS", where)
    return Count(count.result, of, inner, tuple(group), count.span)


def computed_with(select: Select, tests: Iterable[Expression]) -> bool:
    """Whether a function in some test takes what a grouped sub-select counts; bare comparisons are none."""
    counted = {column.variable for column in select.projection if isinstance(column, Column)} if select.group_by else ()
    return bool(counted) and any(_takes(test, counted, False) for test in tests)


def _takes(expression: Expression, counted: Collection[Var], within: bool) -> bool:
    match expression:
        case Var():
            return within and expression in counted
        case Call(_, parts):
            return any(_takes(part, counted, True) for part in parts)
        case Operation(_, parts):
            return any(_takes(part, counted, within) for part in parts)
        case _:
            return False
