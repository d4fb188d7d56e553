"""Superlatives over superlatives by the same key, as one.

What the items of the inner one have as keys is what they have in the outer one. So, keys and ties being the same,

- the best of the best are the best, and so are the best of the best k, and the best k of the best;
- the best j of the best k are the best of the smaller number;
- the best one of entities is the best of them: only among values may several terms be one item.

What is asked of the item besides may stay in the outer one, where the inner one leaves items of one key alone: it then
holds beside the inner one. Directions, kinds and keys have to be the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir import build
from pylf.ir.canonical import fingerprint
from pylf.ir.mentions import mentions
from pylf.ir.nodes import Body, Closure, Extreme, Form, TopK, Triple
from pylf.ir.passes.barriers import is_bag
from pylf.ir.traverse import rewrite, walk
from pylf.records import replace

if TYPE_CHECKING:
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.terms import Var


def ranked_once(query: Query) -> Query:
    """The query with a superlative over one by the same key as one; the very query where there is none, or where some
    body is a bag, whose variables have to stay what they are."""
    if query.form is Form.SUBGRAPH or any(map(is_bag, walk(query))):
        return query
    return rewrite(query, _once)


def _once(node: Body | Conjunct) -> Body | Conjunct:
    if isinstance(node, TopK) and node.k == 1 and _of_entities(node):
        node = Extreme(node.direction, node.item, node.key, node.body, node.kind, node.span)
    if not isinstance(node, Extreme | TopK):
        return node
    inner = next((c for c in node.body.conjuncts if isinstance(c, Extreme | TopK) and c.item == node.item), None)
    if inner is None or (inner.direction, inner.kind) != (node.direction, node.kind):
        return node
    key, beside = _parted(Body(tuple([c for c in node.body.conjuncts if c is not inner])), node.item, node.key)
    same, _ = _parted(inner.body, inner.item, inner.key)
    if _mark(node.item, node.key, key) != _mark(inner.item, inner.key, same):
        return node
    match node, inner:
        case _, Extreme():
            return build.join(inner, *beside)
        case Extreme(), TopK() if not beside:
            return replace(node, key=inner.key, body=inner.body)
        case TopK(k=k), TopK(k=within) if not beside:
            return replace(inner, k=min(k, within))
        case _:
            return node


def _parted(body: Body, item: Var, key: Var) -> tuple[Body, list[Conjunct]]:
    """What a body says of the key, be it by other variables than the item; and the rest."""
    tied = {key.name}
    left = [(mentions(conjunct) - {item.name}, conjunct) for conjunct in body.conjuncts]
    while near := [seen for seen, _ in left if not seen.isdisjoint(tied)]:
        tied.update(*near)
        left = [(seen, conjunct) for seen, conjunct in left if seen.isdisjoint(tied)]
    rest = [conjunct for _, conjunct in left]
    others = set(map(id, rest))
    return Body(tuple([c for c in body.conjuncts if id(c) not in others])), rest


def _mark(item: Var, key: Var, body: Body) -> str:
    return fingerprint(build.query(Form.ROWS, (item, key), body))


def _of_entities(node: TopK) -> bool:
    """Whether the items are entities on every graph, as what has relations is."""
    for conjunct in node.body.conjuncts:
        match conjunct:
            case Triple(subject) | Closure(subject, minimum=1) if subject == node.item:
                return True
    return False
