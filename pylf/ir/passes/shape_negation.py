"""shape-negation: which negations are solved apart and subtracted, rather than looked into at each row around them.

``Not.apart`` is set where the estimate (:mod:`pylf.ir.passes.cost`) says that finding all solutions of the body once
costs less than half of looking for one at each row around: many rows around a small body. The body then gets its own
sub-selects (:mod:`pylf.ir.passes.project_early`), which a body under EXISTS has no use for, and negations in it are
weighed in the same way.

Sound on every graph, as ``apart`` is advice only. Left alone are negations that look at something which they do not
bind themselves, bodies in unions and under negations that stay, and what nothing is known of; and all of them for
engines that do not subtract.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.mentions import mentioned_in, mentions
from pylf.ir.nodes import Body, Compare, Count, Extreme, Not, Project, TopK
from pylf.ir.passes.assumptions import Assumptions
from pylf.ir.passes.flows import BUILD, PROBE
from pylf.ir.passes.project_early import reduced
from pylf.ir.scope import bound
from pylf.ir.traverse import with_bodies
from pylf.records import replace

if TYPE_CHECKING:
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.passes.context import Context
    from pylf.ir.passes.cost import Costs

#: Less work than this is not worth weighing.
SMALL = 2_000.0


def run(query: Query, context: Context) -> Query:
    """See the module."""
    if not context.target.subtracts or not _negates(query.body):
        return query
    body = _closed(query.body, frozenset([output.name for output in query.outputs]), Assumptions(context))
    return query if body is query.body else replace(query, body=body)


def _negates(body: Body) -> bool:
    todo = [body]
    while todo:
        for conjunct in todo.pop().conjuncts:
            match conjunct:
                case Not():
                    return True
                case Project() | Count() | Extreme() | TopK():
                    todo.append(conjunct.body)
    return False


def _closed(body: Body, needed: frozenset[str], assumptions: Assumptions, times: int = 1) -> Body:
    """A body that is solved on its own, its negations weighed; ``needed`` is looked at from outside. The body of a
    superlative is solved a second ``times``, and then has few rows by the time that negations are looked into."""
    conjuncts: list[Conjunct] = []
    around: _Around | None = None
    for conjunct in body.conjuncts:
        new = conjunct
        match conjunct:
            case Project() | Count() | Extreme() | TopK():
                twice = isinstance(conjunct, (Extreme, TopK))
                inner = _closed(conjunct.body, _looked_at(conjunct), assumptions, 2 if twice else 1)
                new = conjunct if inner is conjunct.body else with_bodies(conjunct, (inner,))
            case Not(apart=False):
                if around is None:
                    around = _Around(body, needed, times)
                new = _weighed(conjunct, around, assumptions)
        conjuncts.append(new)
    if all(new is old for new, old in zip(conjuncts, body.conjuncts, strict=True)):
        return body
    return Body(tuple(conjuncts))


def _looked_at(conjunct: Project | Count | Extreme | TopK) -> frozenset[str]:
    """The variables of a closed body that what it stands in looks at."""
    match conjunct:
        case Project(outputs):
            return frozenset([output.name for output in outputs])
        case Count(_, of, _, group):
            return frozenset([of.name, *[var.name for var in group]])
        case _:
            return frozenset((conjunct.item.name, conjunct.key.name))


class _Around:
    """What stands around a negation: what binds variables there, and which of them matter; others only have to be, and
    do not multiply the rows at which a negation is looked into."""

    __slots__ = ("bound", "matter", "positive", "times")

    def __init__(self, body: Body, needed: frozenset[str], times: int) -> None:
        self.positive = [conjunct for conjunct in body.conjuncts if not isinstance(conjunct, Not)]
        self.bound = bound(Body(tuple(self.positive)))
        tests = [conjunct for conjunct in body.conjuncts if isinstance(conjunct, (Compare, Not))]
        self.matter = self.bound & needed.union(*map(mentions, tests))
        self.times = times


def _weighed(negation: Not, around: _Around, assumptions: Assumptions) -> Not:
    """The negation, apart where that pays."""
    inner = negation.body
    shared = mentioned_in(inner) & around.bound
    if not shared or not shared <= bound(inner):
        return negation
    if not all(map(assumptions.likely.known, (*around.positive, *inner.conjuncts))):
        return negation
    before, _ = _works(None, inner, around, assumptions.likely)
    if before < SMALL:
        return negation
    plan = reduced(inner, frozenset(shared), assumptions, anyway=True)
    if not assumptions.better(lambda costs: _works(plan, inner, around, costs)):
        return negation
    return Not(_closed(plan, frozenset(shared), assumptions), True, negation.span)


def _works(plan: Body | None, inner: Body, around: _Around, costs: Costs) -> tuple[float, float]:
    """The work of a negation that is looked into at each row, and of one that is solved apart by a plan."""
    rows = costs.flow(around.positive)
    asked = None if rows is None else costs.asked(inner.conjuncts, rows.values)
    flow = costs.flow(plan.conjuncts) if plan is not None else None
    if rows is None or asked is None:
        return 0.0, 1.0
    times = rows.distinct(around.matter)
    if flow is None:
        return times * asked[1], 1.0
    return times * asked[1], max(around.times * (flow.work + BUILD * flow.rows + PROBE * rows.rows), 1.0)
