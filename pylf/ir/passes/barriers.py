"""What passes leave as it is of the wide tier, though they go on within it.

Passes work on the core tier. A left join, a condition, an extension, an aggregate and a slice stay where they are and
say what they said; the bodies within them are bodies like any other, but for three things:

- In a *bag*, the body of an aggregate or of a slice that keeps repeated rows, each way of giving **all** variables a
  value counts. So each of them is looked at: none may go, none may come (by the inlining of rows that hide one, or by
  the arm that is left of a union), and whatever a pass makes of such a body that has other variables is dropped here.
- The body of a left join is read on its own: what holds around it stays said in it, and nothing leaves it. What it
  alone binds is looked at by whatever names it outside.
- A body that never holds empties what it stands in, but for a left join, which then extends nothing, and for an
  aggregate without groups, which has a row all the same. These stay as they were, since variables need a place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.expressions import names_in
from pylf.ir.nodes import Aggregate, Body, LeftJoin, Slice, Union
from pylf.ir.scope import bound, never, opened
from pylf.ir.traverse import bodies, walk, with_bodies

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.ir.nodes import Conjunct, Query

    #: Wide conjuncts with a closed body.
    Closed = Aggregate | Slice


def is_bag(conjunct: Conjunct) -> bool:
    """Whether each solution of a conjunct's body counts."""
    return isinstance(conjunct, Aggregate) or (isinstance(conjunct, Slice) and not conjunct.distinct)


def looked_at(conjunct: Closed) -> frozenset[str]:
    """The variables of a closed body that what it stands in looks at: all of them, where it is a bag."""
    match conjunct:
        case Slice(outputs, _, order, distinct=True):
            return names_in(*outputs, *[key.expression for key in order])
        case _:
            return frozenset(told_apart(conjunct.body))


def told_apart(body: Body) -> set[str]:
    """Names of the variables that tell the solutions of a closed body apart: those that it binds, and those that may be
    open in it."""
    return bound(body) | opened(body)


def closed_over(conjunct: Closed, body: Body) -> Conjunct:
    """An aggregate or a slice over what a pass has made of its body; as it was, where that is another bag, or where
    nothing is left to stand on; what never holds, where it has no row."""
    if body is conjunct.body:
        return conjunct
    if never(body):
        return conjunct if isinstance(conjunct, Aggregate) and not conjunct.group else Union((), conjunct.span)
    if is_bag(conjunct) and told_apart(body) != told_apart(conjunct.body):
        return conjunct
    return with_bodies(conjunct, (body,))


def optional(conjunct: LeftJoin, body: Body) -> LeftJoin:
    """A left join with what a pass has made of its body; as it was, where nothing is left of that."""
    if body is conjunct.body or never(body) or not body.conjuncts:
        return conjunct
    return LeftJoin(body, conjunct.span)


def within_bags(query: Query) -> Iterator[Conjunct]:
    """The conjuncts that stand in bags: in the body itself, in an arm, or in what a left join adds."""
    for bag in walk(query):
        if is_bag(bag):
            todo = list(bodies(bag))
            while todo:
                for conjunct in todo.pop().conjuncts:
                    yield conjunct
                    if isinstance(conjunct, Union | LeftJoin):
                        todo += bodies(conjunct)


def bags(query: Query) -> Iterator[tuple[tuple[str, ...], frozenset[str]]]:
    """The bags of a query: each by the names that it exports, with those that tell its solutions apart."""
    for conjunct in walk(query):
        match conjunct:
            case Aggregate(reductions, body, group):
                names = (*group, *[reduction.result for reduction in reductions])
            case Slice(names, body, distinct=False):
                pass
            case _:
                continue
        yield tuple([var.name for var in names]), frozenset(told_apart(body))
