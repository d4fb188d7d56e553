"""project-early: what only has to exist is found on its own, and met by its distinct values.

In a closed body, a variable that nothing outside looks at only says *there is one such that*. This pass takes such
variables away one after the other, those farthest from what is needed first: the conjuncts about a variable become a
:class:`~pylf.ir.nodes.Project` of the others that they share with the rest. A chain becomes sub-selects within each
other, from the far end on, each with its distinct values alone; a filter at the far end is applied first; a negation
is looked at once for each value and not once for each row of the join. (Bucket elimination, Dechter 1999; on a tree
these are the semi-joins of Yannakakis 1981.)

Sound on every graph: solutions form a set, the variables that are taken away occur nowhere else, and a part goes into
a sub-select only where it binds itself all that its comparisons and negations look at. The pass does so where the
estimate (:mod:`pylf.ir.passes.cost`) says that it pays, for engines whose sub-selects cost no more than their rows;
bodies under a negation or in a union are left alone, as are closures, and what nothing is known of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.mentions import mentions
from pylf.ir.nodes import (
    Body,
    Closure,
    Compare,
    InstanceOf,
    Not,
    Path,
    Project,
    Triple,
)
from pylf.ir.passes.assumptions import Assumptions
from pylf.ir.scope import bound
from pylf.ir.terms import Var
from pylf.ir.traverse import with_bodies
from pylf.records import record, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.passes.context import Context
    from pylf.ir.passes.cost import Costs

#: Less work than this is not worth planning.
SMALL = 500.0
#: So many rows for each distinct one make a sub-select worth its while.
_DOUBLED = 1.5
_NEVER = float("inf")
#: Conjuncts that are planned at most.
_MOST = 16
#: Plans that are weighed at most, best first; what gains less than this is not.
_TRIED = 4
_LITTLE = 1.1


def run(query: Query, context: Context) -> Query:
    """See the module."""
    if not context.target.projects:
        return query
    body = _closed(query.body, frozenset([output.name for output in query.outputs]), Assumptions(context))
    return query if body is query.body else replace(query, body=body)


def _closed(body: Body, needed: frozenset[str], costs: Assumptions) -> Body:
    """A closed body of which the variables ``needed`` are looked at, and the closed bodies in it."""
    conjuncts = tuple([_within(conjunct, costs) for conjunct in body.conjuncts])
    if any(new is not old for new, old in zip(conjuncts, body.conjuncts, strict=True)):
        body = Body(conjuncts)
    return reduced(body, needed, costs)


def _within(conjunct: Conjunct, costs: Assumptions) -> Conjunct:
    match conjunct:
        case Project(outputs, body):
            names = frozenset([output.name for output in outputs])
        case _:
            return conjunct
    new = _closed(body, names, costs)
    return conjunct if new is body else with_bodies(conjunct, (new,))


@record(eq=False)
class _Part:
    """Conjuncts that go together, and the variables by which they hang together with others."""

    names: frozenset[str]
    conjuncts: tuple[Conjunct, ...]


def reduced(body: Body, needed: frozenset[str], assumptions: Assumptions, anyway: bool = False) -> Body:
    """The body with parts in sub-selects, where that pays; the variables ``needed`` keep their values, and all others
    may be lost. ``anyway``: the better plan is wanted even where little is gained."""
    conjuncts, costs = body.conjuncts, assumptions.likely
    if not 2 <= len(conjuncts) <= _MOST or not needed:
        return body
    names = bound(body)
    if len(names) < 2 or names <= needed:
        return body
    if any(isinstance(conjunct, (Closure, Path)) or not costs.known(conjunct) for conjunct in conjuncts):
        return body
    least = _as_it_is(conjuncts, needed, costs)
    if least < SMALL:
        return body
    plans: list[tuple[float, int, Sequence[Conjunct]]] = []
    for doubled in (_DOUBLED, 0.0):
        found, joins = _eliminated(conjuncts, names, needed, costs, doubled)
        for plan in found:
            for candidate in (plan, _gathered(plan, needed)):
                estimate = _NEVER if candidate is None else work(candidate, costs)
                if candidate is not None and estimate < least:
                    plans.append((estimate, len(plans), candidate))
        if not joins:
            break  # the others would be the same
    # the best one that may not do harm: all that can be found on its own, or only what is farthest
    for estimate, _, best in sorted(plans, key=lambda plan: plan[:2])[:_TRIED]:
        if any(type(conjunct) is Not for conjunct in conjuncts) and {*map(id, best)} == {*map(id, conjuncts)}:
            continue  # only in another order, and before negations emission finds its own
        if anyway or _pays(conjuncts, best, needed, assumptions):
            return Body(tuple(best))
        if estimate * _LITTLE > least:
            break
    return body


def _pays(
    conjuncts: Sequence[Conjunct], plan: Sequence[Conjunct], needed: frozenset[str], assumptions: Assumptions
) -> bool:
    return assumptions.better(lambda each: (_as_it_is(conjuncts, needed, each), work(plan, each)))


def work(conjuncts: Sequence[Conjunct], costs: Costs) -> float:
    """The work of solving conjuncts on their own and of dropping what is found twice; infinite where unknown."""
    flow = costs.flow(conjuncts)
    return _NEVER if flow is None else flow.work + flow.rows


def _eliminated(
    conjuncts: Sequence[Conjunct], names: AbstractSet[str], needed: frozenset[str], costs: Costs, doubled: float
) -> tuple[list[tuple[Conjunct, ...]], bool]:
    """The conjuncts after taking away a variable that is not needed, and another one, to the last: a plan after each
    by which something changes. A part becomes a sub-select where it has ``doubled`` times as many rows as distinct
    ones; and whether some part is none as it has not so many."""
    parts = [_Part(costs.mentions(conjunct) & names, (conjunct,)) for conjunct in conjuncts]
    far = _distances(parts, needed)
    todo = {name for name in names if name not in needed and name in far}
    plans: list[tuple[Conjunct, ...]] = []
    joins = False
    while todo:
        choices = [(_urgency(name, parts, far, costs), name) for name in todo]
        (width, *_), name = min(choices)
        if width > 2:
            break
        todo.remove(name)
        with_name = [part for part in parts if name in part.names]
        alone = [part for part in with_name if len(part.names) == 1]
        if len(alone) > 1 and len(with_name) > len(alone) and any(type(c) is Not for p in alone for c in p.conjuncts):
            # a negation about this variable alone is looked at before any join
            first = _joined(alone, frozenset((name,)), costs, 0.0)
            if first is not None:
                with_name = [first, *[part for part in with_name if len(part.names) > 1]]
        left = frozenset([other for part in with_name for other in part.names if other != name])
        if not left:
            continue
        last = len(with_name) >= len(parts)
        merged = _joined(with_name, left, costs, _NEVER if last else doubled)
        if merged is None:
            continue
        joins = joins or not (last or (len(merged.conjuncts) == 1 and type(merged.conjuncts[0]) is Project))
        parts = [merged, *[part for part in parts if name not in part.names]]
        plans.append(tuple([conjunct for part in parts for conjunct in part.conjuncts]))
    return plans, joins


def _as_it_is(conjuncts: Sequence[Conjunct], needed: frozenset[str], costs: Costs) -> float:
    """The work for a body as emission writes it: before negations, parts that only have to exist are asked for by
    EXISTS at each row of the others (:mod:`pylf.backends.sparql.witnesses`)."""
    least = work(conjuncts, costs)
    tests = [conjunct for conjunct in conjuncts if isinstance(conjunct, (Compare, Not))]
    if not any(type(conjunct) is Not for conjunct in tests):
        return least
    matter = needed.union(*map(costs.mentions, tests)) & bound(Body(tuple(conjuncts)))
    taken = [one for one in conjuncts if isinstance(one, (Triple, InstanceOf)) and not costs.mentions(one) <= matter]
    left = [conjunct for conjunct in conjuncts if not any(conjunct is one for one in taken)]
    if not taken or not matter <= bound(Body(tuple(left))):
        return least
    flow = costs.flow(left)
    asked = None if flow is None else costs.asked(taken, flow.values)
    if flow is None or asked is None:
        return least
    return min(least, flow.work + flow.rows * (1.0 + asked[1]))


def _gathered(conjuncts: tuple[Conjunct, ...], needed: frozenset[str]) -> tuple[Conjunct, ...] | None:
    """The conjuncts with a sub-select for all that is said of one variable alone, so that an engine that begins with
    what looks smallest does not meet them one after the other; None where there is none to make."""
    alone: dict[str, list[Conjunct]] = {}
    for conjunct in conjuncts:
        names = mentions(conjunct)
        if len(names) == 1 and isinstance(conjunct, (Triple, InstanceOf, Project)):
            alone.setdefault(next(iter(names)), []).append(conjunct)
    for name, together in alone.items():
        if name in needed and 1 < len(together) < len(conjuncts) and any(type(c) is Project for c in together):
            inside = {id(conjunct) for conjunct in together}
            left = [conjunct for conjunct in conjuncts if id(conjunct) not in inside]
            return (Project((Var(name),), Body(tuple(together))), *left)
    return None


def _joined(parts: Sequence[_Part], left: frozenset[str], costs: Costs, doubled: float) -> _Part | None:
    """Several parts as one that has the variables ``left``, in a sub-select where that drops rows; None where the
    parts do not bind all that they look at."""
    conjuncts = tuple([conjunct for part in parts for conjunct in part.conjuncts])
    if not left | {name for part in parts for name in part.names} <= bound(Body(conjuncts)):
        return None
    flow = costs.flow(conjuncts)
    if flow is None:
        return None
    if flow.rows < doubled * max(flow.distinct(left), 1.0):
        return _Part(left, conjuncts)
    return _Part(left, (Project(tuple([Var(name) for name in sorted(left)]), Body(conjuncts)),))


def _urgency(name: str, parts: Sequence[_Part], far: dict[str, int], costs: Costs) -> tuple[int, float, int]:
    """What is taken away first: what leaves few variables, of those what leaves few rows, else what is farthest."""
    others = {other for part in parts if name in part.names for other in part.names if other != name}
    size = 1.0
    if len(others) > 1:
        for part in parts:
            if name in part.names and len(part.names) > 1:
                for conjunct in part.conjuncts:
                    size *= max(costs.rows(conjunct) or 1.0, 1.0)
    return max(1, len(others)), size, -far[name]


def _distances(parts: Sequence[_Part], needed: Iterable[str]) -> dict[str, int]:
    """How many conjuncts lie between a variable and what is needed; those without any connection are left out."""
    far = dict.fromkeys(needed, 0)
    at = list(far)
    while at:
        reached: list[str] = []
        for name in at:
            for part in parts:
                if name in part.names:
                    for other in part.names:
                        if other not in far:
                            far[other] = far[name] + 1
                            reached.append(other)
        at = reached
    return far
