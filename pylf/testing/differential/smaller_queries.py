"""Queries of IR with one thing less: what a failing query is made small by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import InvalidIR
from pylf.ir import build
from pylf.ir.expressions import Apply
from pylf.ir.nodes import Aggregate, Body, Condition, Extend, InstanceOf, Member, Slice, Union
from pylf.ir.traverse import bodies, with_bodies
from pylf.ir.verify import verify
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.ir.nodes import Conjunct, Query


def smaller_queries(query: Query) -> Iterator[Query]:
    """Queries with a conjunct less, or with what stands within one in its place, or with a shorter list; those that
    keep the rules."""
    for body in _less(query.body):
        found = build.query(query.form, query.outputs, body, query.types)
        try:
            verify(found)
        except InvalidIR:
            continue
        yield found


def _less(body: Body) -> Iterator[Body]:
    for place, conjunct in enumerate(body.conjuncts):
        before, after = body.conjuncts[:place], body.conjuncts[place + 1 :]
        yield Body((*before, *after))
        for inner in bodies(conjunct):
            yield Body((*before, *inner.conjuncts, *after))
        for other in _smaller(conjunct):
            yield Body((*before, other, *after))


def _smaller(conjunct: Conjunct) -> Iterator[Conjunct]:
    match conjunct:
        case Union(arms) if len(arms) > 1:
            for place in range(len(arms)):
                yield Union((*arms[:place], *arms[place + 1 :]))
        case Member(values=values) if len(values) > 1:
            for value in values:
                yield replace(conjunct, values=(value,))
        case Condition(expression) | Extend(_, expression) if isinstance(expression, Apply):
            for part in expression.arguments:
                yield replace(conjunct, expression=part)
        case Aggregate(reductions) if len(reductions) > 1:
            for place in range(len(reductions)):
                yield replace(conjunct, reductions=(*reductions[:place], *reductions[place + 1 :]))
        case Slice(order=(_, *rest)):
            yield replace(conjunct, order=tuple(rest))
        case InstanceOf(classes=classes) if len(classes) > 1:
            for class_ in classes:
                yield replace(conjunct, classes=(class_,))
    within = bodies(conjunct)
    for place, inner in enumerate(within):
        for smaller in _less(inner):
            yield with_bodies(conjunct, (*within[:place], smaller, *within[place + 1 :]))
