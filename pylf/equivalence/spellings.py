"""Queries that ask for another term of the same value.

Answers and counts are by value, so where two variables are the same value (``IS``) either may be the one that is asked
for or counted: ``AND`` of two sets of values takes its answers from the one or from the other.
"""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING

from pylf.ir.nodes import Body, Compare, Count, Form, Kind, Op, Query
from pylf.ir.scope import bound
from pylf.ir.terms import Var
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 16


def spellings(query: Query) -> list[Query]:
    """The query itself, and those that differ from it in which of several variables of one value is asked for; not
    more than :data:`MOST`."""
    if query.form is Form.NUMBER:
        found = _counts(query)
    elif query.form is Form.SUBGRAPH:
        found = iter((query,))
    else:
        same = [_same(output, query.body) for output in query.outputs]
        ways = (way for way in product(*same) if len(set(way)) == len(way))
        found = (query if way == query.outputs else replace(query, outputs=way) for way in ways)
    return list(islice(found, MOST))


def _counts(query: Query) -> Iterator[Query]:
    """The query with other variables counted."""
    yield query
    conjuncts = query.body.conjuncts
    for place, count in enumerate(conjuncts):
        if isinstance(count, Count):
            for other in _same(count.of, count.body)[1:]:
                body = Body((*conjuncts[:place], replace(count, of=other), *conjuncts[place + 1 :]))
                yield replace(query, body=body)


def _same(variable: Var, body: Body) -> list[Var]:
    """The variable, and those that a body binds and says to be the same value."""
    pairs: list[tuple[Var, Var]] = []
    for conjunct in body.conjuncts:
        match conjunct:
            case Compare(Op.IS, Var() as left, Var() as right, Kind.ANY):
                pairs += [(left, right), (right, left)]
    if not pairs:
        return [variable]
    found = {variable: None}
    todo = [variable]
    while todo:
        at = todo.pop()
        for near, far in pairs:
            if near == at and far not in found:
                found[far] = None
                todo.append(far)
    names = bound(body)
    return [variable, *(other for other in found if other != variable and other.name in names)]
