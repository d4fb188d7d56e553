"""order-joins: what is joined in the order in which it is written is written in a good one.

The conjuncts of a body that bind variables are put in the order in which they find the fewest rows by the estimate
(:mod:`pylf.ir.passes.cost`): first what is smallest, then, of what shares a variable with that, what finds least for
each row. For engines that join in textual order that goes for all bodies; for those that are given negations as one
pattern within the other, for the bodies of negations that are not solved apart. Of engines that order joins
themselves everything else is left alone.

Sound on every graph: a body is a set of conjuncts. Comparisons and negations stay behind what binds variables, in their
order; a body with something of which nothing is known stays as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.nodes import Body, Compare, Count, Extreme, Not, Project, TopK, Union
from pylf.ir.passes.cost import Costs
from pylf.ir.scope import bound
from pylf.ir.traverse import with_bodies
from pylf.records import replace

if TYPE_CHECKING:
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.passes.context import Context


def run(query: Query, context: Context) -> Query:
    """See the module."""
    target = context.target
    if not (target.textual_order or target.nests) or _short(query.body):
        return query
    body = _Ordering(context).body(query.body, target.textual_order, frozenset())
    return query if body is query.body else replace(query, body=body)


def _short(body: Body) -> bool:
    """Whether no body has two conjuncts that could change places: one look that most queries end with."""
    todo = [body]
    while todo:
        binding = 0
        for conjunct in todo.pop().conjuncts:
            match conjunct:
                case Compare():
                    continue
                case Not() | Project() | Count() | Extreme() | TopK():
                    todo.append(conjunct.body)
                case Union(arms):
                    todo += arms
            binding += not isinstance(conjunct, Not)
        if binding > 1:
            return False
    return True


class _Ordering:
    __slots__ = ("all", "costs")

    def __init__(self, context: Context) -> None:
        self.costs = context.once("costs, likely", Costs.likely)
        self.all = context.target.textual_order

    def body(self, body: Body, ordered: bool, around: frozenset[str]) -> Body:
        """A body with those in it; ``ordered``, where it is itself one to be put in order."""
        names: frozenset[str] | None = None
        conjuncts: list[Conjunct] = []
        for conjunct in body.conjuncts:
            new = conjunct
            match conjunct:
                case Not(inner, apart):
                    if names is None:
                        names = around | bound(body)
                    found = self.body(inner, self.all or not apart, frozenset() if apart else names)
                    new = conjunct if found is inner else with_bodies(conjunct, (found,))
                case Union(arms) if self.all:
                    of_arms = tuple([self.body(arm, True, frozenset()) for arm in arms])
                    same = all(one is other for one, other in zip(of_arms, arms, strict=True))
                    new = conjunct if same else with_bodies(conjunct, of_arms)
                case Project() | Count() | Extreme() | TopK():
                    found = self.body(conjunct.body, self.all, frozenset())
                    new = conjunct if found is conjunct.body else with_bodies(conjunct, (found,))
            conjuncts.append(new)
        if ordered:
            conjuncts = self.order(conjuncts, around)
        if all(new is old for new, old in zip(conjuncts, body.conjuncts, strict=True)):
            return body
        return Body(tuple(conjuncts))

    def order(self, conjuncts: list[Conjunct], around: frozenset[str]) -> list[Conjunct]:
        """The conjuncts in the order of what they find, given what is bound ``around``."""
        binding = [conjunct for conjunct in conjuncts if not isinstance(conjunct, (Compare, Not))]
        if len(binding) < 2 or not all(map(self.costs.known, binding)):
            return conjuncts
        done: list[Conjunct] = []
        seen = set(around)
        while binding:
            finds = [self.costs.finds(conjunct, seen) for conjunct in binding]
            _, _, place = min([(not tied, rows, place) for place, (tied, rows) in enumerate(finds)])
            first = binding.pop(place)
            seen |= self.costs.names(first)
            done.append(first)
        return [*done, *[conjunct for conjunct in conjuncts if isinstance(conjunct, (Compare, Not))]]
