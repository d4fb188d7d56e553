"""plan-extremes: superlatives and counts over as little as they need.

An extreme is found twice: the key first, and then the items that have it. So what is in its body counts twice, and

- of two superlatives in one body that say the same of the same item, one is dropped;
- a part of its body that has nothing to do with item and key is moved out, to the body around: it holds, or there is no
  extreme at all;
- what only says that there is such an item is found on its own, by distinct items, before keys are joined to them
  (:func:`pylf.ir.passes.project_early.reduced`, where that pays for engines whose sub-selects are cheap).

Sound on every graph, ties included: each key of each item stays, only the rows that repeat them are fewer. A part is
not moved out of a count, which is 0 where it does not hold, nor into a bag (:mod:`pylf.ir.passes.barriers`), to which
it would add its variables; a body with a closure in it, or with something of the wide tier, is left alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir import build
from pylf.ir.mentions import mentions
from pylf.ir.nodes import Body, Count, Extreme, Form, TopK, WideConjunct
from pylf.ir.passes.assumptions import Assumptions
from pylf.ir.passes.barriers import within_bags
from pylf.ir.passes.project_early import reduced
from pylf.ir.scope import never
from pylf.ir.traverse import rewrite, walk, with_bodies

if TYPE_CHECKING:
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.passes.context import Context


def run(query: Query, context: Context) -> Query:
    """See the module."""
    found = [conjunct for conjunct in walk(query) if isinstance(conjunct, (Extreme, TopK, Count))]
    if not found or never(query.body):
        return query
    assumptions = Assumptions(context) if context.target.projects else None
    # a superlative is known by its key, which is its own, or its item
    counted = {(one.item, one.key) for one in within_bags(query) if isinstance(one, (Extreme, TopK))}

    def plan(node: Body | Conjunct) -> Body | Conjunct:
        match node:
            case Body() if len(found) > 1:
                return _once(node, query)
            case Extreme() | TopK():
                return _planned(node, assumptions, (node.item, node.key) not in counted)
            case Count(_, of, body, group) if assumptions is not None:
                new = reduced(body, frozenset([of.name, *[var.name for var in group]]), assumptions)
                return node if new is body else with_bodies(node, (new,))
            case _:
                return node

    return rewrite(query, plan)


def _planned(node: Extreme | TopK, assumptions: Assumptions | None, parts: bool) -> Body | Conjunct:
    """A superlative over as little as it needs; with what has nothing to do with it beside it, where it ``parts``."""
    needed = frozenset((node.item.name, node.key.name))
    own, others = _apart(node.body, needed) if parts else (node.body, [])
    new = own if assumptions is None else reduced(own, needed, assumptions)
    planned = node if new is node.body else with_bodies(node, (new,))
    return build.join(planned, *others) if others else planned


def _apart(body: Body, names: frozenset[str]) -> tuple[Body, list[Conjunct]]:
    """The body without the conjuncts that share no variable with ``names``, be it by others, and those conjuncts."""
    left = [(mentions(conjunct), conjunct) for conjunct in body.conjuncts]
    if any(isinstance(conjunct, WideConjunct) for _, conjunct in left):
        return body, []
    tied = set(names)
    while True:
        near = [seen for seen, _ in left if not seen.isdisjoint(tied)]
        left = [(seen, conjunct) for seen, conjunct in left if seen.isdisjoint(tied)]
        if not near or not left:
            break
        tied.update(*near)
    if not left:
        return body, []
    others = {id(conjunct) for _, conjunct in left}
    own = Body(tuple([conjunct for conjunct in body.conjuncts if id(conjunct) not in others]))
    return own, [conjunct for _, conjunct in left]


def _once(body: Body, query: Query) -> Body:
    """The body without superlatives that say of an item what another one says of it as well."""
    found: dict[str, list[Conjunct]] = {}
    for conjunct in body.conjuncts:
        if isinstance(conjunct, (Extreme, TopK)):
            found.setdefault(conjunct.item.name, []).append(conjunct)
    twice = [same for same in found.values() if len(same) > 1]
    if not twice:
        return body
    from pylf.ir.canonical import fingerprint

    dropped: set[int] = set()
    for same in twice:
        seen: set[str] = set()
        for conjunct in same:
            assert isinstance(conjunct, (Extreme, TopK))
            told = fingerprint(build.query(Form.SET, (conjunct.item,), Body((conjunct,)), query.types))
            if told in seen:
                dropped.add(id(conjunct))
            seen.add(told)
    return Body(tuple([conjunct for conjunct in body.conjuncts if id(conjunct) not in dropped])) if dropped else body
