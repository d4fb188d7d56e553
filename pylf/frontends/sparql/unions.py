"""Unions and tables of constants, as sets and as bags.

In a bag a solution counts for each arm that it comes from, and as often as the arm has it. So every arm has a number
that it binds to one more variable, and the variables that an arm has for itself are called alike in all of them, with
something in their place where an arm has fewer: then all arms export all that tells their solutions apart.
What is only to hold, however many the ways, is a negation of its negation there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir import build
from pylf.ir.nodes import Body, LeftJoin, Member, Not, Triple, Union
from pylf.ir.scope import bound, opened
from pylf.ir.terms import XSD_INTEGER, Literal, Var
from pylf.ir.traverse import rename, walk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pylf.errors import Span
    from pylf.frontends.sparql.scope import Scope
    from pylf.ir.nodes import Conjunct
    from pylf.ir.terms import Constant


def bag_union(arms: Sequence[Body], shared: set[str], scope: Scope, span: Span) -> list[Conjunct]:
    """The union of arms; ``shared`` are the names of the variables that are not an arm's own."""
    if len(arms) == 1:
        return list(arms[0].conjuncts)
    if not scope.bag:
        return list(build.union(arms, span).conjuncts)
    own = [_own(arm, shared) for arm in arms]
    names = [
        [scope.hidden(hint).name for _ in range(max(map(len, places)))]
        for hint, places in zip(_HINTS, zip(*own, strict=True), strict=True)
    ]
    tag = scope.hidden("arm")
    aligned = []
    for number, (arm, places) in enumerate(zip(arms, own, strict=True)):
        conjuncts = list(arm.conjuncts)
        for kind, (mine, ours) in enumerate(zip(places, names, strict=True)):
            conjuncts = list(rename(Body(tuple(conjuncts)), dict(zip(mine, ours, strict=False))).conjuncts)
            for missing in ours[len(mine) :]:
                filler = Member(Var(missing), (_number(0),) if kind != _OPEN else (), span)
                conjuncts.append(LeftJoin(Body((filler,)), span) if kind == _OPEN else filler)
        aligned.append(Body((*conjuncts, Member(tag, (_number(number),), span))))
    return [Union(tuple(aligned), span)]


_HINTS = ("relation", "own", "maybe")
_OPEN = 2


def _own(arm: Body, shared: set[str]) -> tuple[list[str], list[str], list[str]]:
    """An arm's own variables: those that are relations, other certain ones, open ones."""
    predicates = {c.predicate.name for c in walk(arm) if isinstance(c, Triple) and isinstance(c.predicate, Var)}
    certain = sorted(bound(arm, shared) - shared)
    return (
        [name for name in certain if name in predicates],
        [name for name in certain if name not in predicates],
        sorted(opened(arm, shared) - shared),
    )


def _number(number: int) -> Literal:
    return Literal(str(number), XSD_INTEGER)


def once(body: Body, scope: Scope, span: Span) -> Body:
    """A body that holds or does not: in a bag it counts once, however many ways there are to find it."""
    if not scope.bag or not body.conjuncts:
        return body
    return Body((Not(Body((Not(body, span=span),)), span=span),))


def table(variables: tuple[Var, ...], rows: Sequence[tuple[Constant, ...]], scope: Scope, span: Span) -> list[Conjunct]:
    """Variables whose values are one of some rows."""
    if not rows:
        return [Member(variable, (), span) for variable in variables] or [Union((), span)]
    distinct = list(dict.fromkeys(rows))
    if scope.bag and len(distinct) < len(rows):
        arms = [Body(tuple(Member(v, (c,), span) for v, c in zip(variables, row, strict=True))) for row in rows]
        return bag_union(arms, {variable.name for variable in variables}, scope, span)
    if len(variables) == 1:
        return [Member(variables[0], tuple([row[0] for row in distinct]), span)]
    arms = [Body(tuple(Member(v, (c,), span) for v, c in zip(variables, row, strict=True))) for row in distinct]
    return list(arms[0].conjuncts) if len(arms) == 1 else [Union(tuple(arms), span)]
