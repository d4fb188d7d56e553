"""Closures that are said in several ways, in one.

- Steps and closures of one relation in a row, whose ends between nothing else looks at, are a walk of at least so many
  steps: as many steps but one and then a closure, or a closure of no steps.
- A closure between the ends of a walk of its relation that stands beside it, long enough, says nothing more.
- A closure of no steps from a constant, or to one, is that constant or a closure of one step.

All hold on every graph, for each solution.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from pylf.errors import InvalidIR
from pylf.ir import build
from pylf.ir.nodes import Body, Closure, Form, Triple
from pylf.ir.passes.barriers import is_bag
from pylf.ir.terms import Iri, Literal, Var
from pylf.ir.traverse import rewrite, terms, walk
from pylf.ir.verify import verify
from pylf.records import record

if TYPE_CHECKING:
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.terms import Term


@record
class _Leg:
    """A step, or a walk of at least so many, by way of variables that nothing else looks at."""

    start: Term
    relation: Iri
    end: Term
    steps: int
    closed: bool
    between: tuple[Var, ...] = ()

    def said(self) -> tuple[Conjunct, ...]:
        """As steps, one less than there are at least, and a closure."""
        if not self.closed:
            return (Triple(self.start, self.relation, self.end),)
        if self.steps == 0:
            return (Closure(self.start, self.relation, self.end, 0),)
        ends = (self.start, *self.between[: self.steps - 1])
        steps = [Triple(near, self.relation, far) for near, far in pairwise(ends)]
        return (*steps, Closure(ends[-1], self.relation, self.end))


def walked_once(query: Query) -> Query:
    """The query with each closure said in one way; the very query where there is none, or where some body is a bag,
    whose variables have to stay what they are."""
    if query.form is Form.SUBGRAPH or not any(isinstance(conjunct, Closure) for conjunct in walk(query)):
        return query
    if any(map(is_bag, walk(query))):
        return query
    seen = Counter(term.name for conjunct in walk(query) for term in terms(conjunct) if isinstance(term, Var))
    seen.update(output.name for output in query.outputs)
    found = rewrite(
        rewrite(query, lambda node: _unimplied(_in_a_row(node, seen)) if isinstance(node, Body) else node),
        lambda node: _split(node) if isinstance(node, Closure) else node,
    )
    try:
        verify(found)
    except InvalidIR:
        return query  # a closure of no steps may begin at a number, where one of a step is against the types
    return found


def _leg(conjunct: Conjunct) -> _Leg | None:
    match conjunct:
        case Triple(subject, Iri() as relation, object_):
            return _Leg(subject, relation, object_, 1, closed=False)
        case Closure(subject, relation, object_, minimum):
            return _Leg(subject, relation, object_, minimum, closed=True)
        case _:
            return None


def _in_a_row(body: Body, seen: Counter[str]) -> Body:
    """The body with legs in a row as one, where one of them is a closure."""
    legs = [leg for conjunct in body.conjuncts if (leg := _leg(conjunct)) is not None]
    while (pair := _neighbours(legs, seen)) is not None:
        first, then, middle = pair
        between = (*first.between, middle, *then.between)
        legs = [leg for leg in legs if leg is not first and leg is not then]
        legs.append(_Leg(first.start, first.relation, then.end, first.steps + then.steps, True, between))
    if not any(leg.between for leg in legs):
        return body
    rest = [conjunct for conjunct in body.conjuncts if _leg(conjunct) is None]
    found = build.join(*rest, *[part for leg in legs for part in leg.said()])
    return body if set(found.conjuncts) == set(body.conjuncts) else found


def _neighbours(legs: list[_Leg], seen: Counter[str]) -> tuple[_Leg, _Leg, Var] | None:
    """Two legs that are one walk, and the variable between them, at which nothing else looks."""
    for first in legs:
        end = first.end
        if isinstance(end, Var) and seen[end.name] == 2 and end != first.start:
            for then in legs:
                if (then.start, then.relation) == (end, first.relation) and (first.closed or then.closed):
                    return first, then, end
    return None


def _unimplied(body: Body) -> Body:
    """The body without closures between whose ends there is another walk."""
    kept = list(body.conjuncts)
    for conjunct in body.conjuncts:
        if isinstance(conjunct, Closure):
            others = [other for other in kept if other is not conjunct]
            if _reached(conjunct, [leg for other in others if (leg := _leg(other)) is not None]):
                kept = others
    return body if len(kept) == len(body.conjuncts) else build.join(*kept)


def _reached(closure: Closure, legs: list[_Leg]) -> bool:
    """Whether legs lead from one end of a closure to the other, in as many steps as it takes at least."""
    found = {(closure.subject, 0)}
    todo = list(found)
    while todo:
        at, steps = todo.pop()
        for leg in legs:
            step = (leg.end, max(steps, leg.steps))
            if leg.relation == closure.relation and leg.start == at and step not in found:
                found.add(step)
                todo.append(step)
    return any((closure.object, steps) in found for steps in range(closure.minimum, 2))


def _split(closure: Closure) -> Body | Conjunct:
    match closure:
        case Closure(Var() as free, _, (Iri() | Literal()) as end, 0) | Closure(Iri() as end, _, Var() as free, 0):
            some = Closure(closure.subject, closure.relation, closure.object)
            return build.union((build.member(free, (end,)), Body((some,))))
        case _:
            return closure
