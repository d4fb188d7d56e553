"""shape-negation: which negations are solved apart and subtracted, rather than looked into at each row around them.

``Not.apart`` is set where the estimate (:mod:`pylf.ir.passes.cost`) says that finding all solutions of the body once
costs less than looking for one at each row around: many rows around a small body. How many there are around is known
well of classes and whole relations, and badly beside a constant, which may be a hub or have three triples. There the
gain has to be clear on the average of what the constants around and inside may be: at three rows the body that is
solved apart costs a hundred times as much. The body gets its own sub-selects (:mod:`pylf.ir.passes.project_early`),
which a body under EXISTS has no use for, and negations in it are weighed in the same way.

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
#: The rows around are known well where they are not so many times more if constants are hubs than if they are rare.
_SPREAD = 4.0
#: What is gained on the (geometric) average has to be so much where they are not: measured on three graphs.
_CLEAR = 2.6


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


def _closed(body: Body, needed: frozenset[str], assumptions: Assumptions, rounds: int = 1) -> Body:
    """A body that is solved on its own, its negations weighed; ``needed`` is looked at from outside. The body of a
    superlative is solved in two ``rounds``, and has few rows in the second by the time that negations are looked at."""
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
                    around = _Around(body, needed, rounds)
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

    __slots__ = ("bound", "matter", "positive", "rounds")

    def __init__(self, body: Body, needed: frozenset[str], rounds: int) -> None:
        self.positive = [conjunct for conjunct in body.conjuncts if not isinstance(conjunct, Not)]
        self.bound = bound(Body(tuple(self.positive)))
        tests = [conjunct for conjunct in body.conjuncts if isinstance(conjunct, (Compare, Not))]
        self.matter = self.bound & needed.union(*map(mentions, tests))
        self.rounds = rounds

    def times(self, costs: Costs) -> float:
        """How often a negation is looked into."""
        rows = costs.flow(self.positive)
        return 1.0 if rows is None else rows.distinct(self.matter)


def _weighed(negation: Not, around: _Around, assumptions: Assumptions) -> Not:
    """The negation, apart where that pays."""
    inner = negation.body
    shared = mentioned_in(inner) & around.bound
    if not shared or not shared <= bound(inner):
        return negation
    likely = assumptions.likely
    if not all(map(likely.known, (*around.positive, *inner.conjuncts))):
        return negation
    nested = _nested(inner, around, likely, likely)
    if nested < SMALL:
        return negation
    plan = reduced(inner, frozenset(shared), assumptions, anyway=True)
    if nested < _solved(plan, around, likely, likely) or not _clear(plan, inner, around, assumptions):
        return negation
    return Not(_closed(plan, frozenset(shared), assumptions), True, negation.span)


def _clear(plan: Body, inner: Body, around: _Around, assumptions: Assumptions) -> bool:
    """Whether what pays as things mostly are does so whatever the constants are: rare or hubs, around and inside."""
    few, many = sorted([around.times(costs) for costs in (assumptions.rare, assumptions.hub)])
    if many <= _SPREAD * few:
        return True
    gain = 1.0
    pairs = [(assumptions.likely, assumptions.likely)]
    pairs += [
        (out, within) for out in (assumptions.rare, assumptions.hub) for within in (assumptions.rare, assumptions.hub)
    ]
    for out, within in pairs:
        gain *= _nested(inner, around, out, within) / _solved(plan, around, out, within)
    return gain >= _CLEAR ** len(pairs)


def _nested(inner: Body, around: _Around, out: Costs, within: Costs) -> float:
    """The work of a negation that is looked into at each row around it; 0 where nothing is known. The rows around are
    those ``out`` tells, what it takes for each what ``within`` does."""
    rows = out.flow(around.positive)
    asked = None if rows is None else within.asked(inner.conjuncts, rows.values)
    return 0.0 if asked is None else around.times(out) * asked[1]


def _solved(plan: Body, around: _Around, out: Costs, within: Costs) -> float:
    """The work of a negation that is solved apart by a plan; infinite where nothing is known."""
    rows, flow = out.flow(around.positive), within.flow(plan.conjuncts)
    if rows is None or flow is None:
        return float("inf")
    return max(around.rounds * (flow.work + BUILD * flow.rows + PROBE * rows.rows), 1.0)
