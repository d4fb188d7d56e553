"""Superlatives and counts: the winning value and the runner-up, and what was counted."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from pylf.backends.why.evidence import Counted, Standing
from pylf.ir.answers import distinct
from pylf.ir.nodes import Count, Direction, Extreme, Kind, TopK
from pylf.ir.tables import UNIT, Table, certain
from pylf.ir.values import identity, kind_of, order_key, sort_key

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping
    from typing import Any

    from pylf.backends.why.asking import Asking
    from pylf.ir.dates import Point
    from pylf.ir.terms import Node

#: How many of those that are tied, or were counted, are named.
NAMED = 3


def settled_kind(superlative: Extreme | TopK, keys: list[Node]) -> Kind:
    """The kind of value that a superlative orders by, once its keys are known: ANY is numbers if there are any."""
    if superlative.kind is not Kind.ANY:
        return superlative.kind
    return Kind.NUMBER if any(kind_of(key) is Kind.NUMBER for key in keys) else Kind.DATE


def keys_of(superlative: Extreme | TopK, asking: Asking) -> list[tuple[Node, Node]]:
    """All items with their keys, ordered or not. Raises Exhausted."""
    item, key = superlative.item.name, superlative.key.name
    found = asking.solve(superlative.body, UNIT, frozenset((item, key)))
    one, two = found.columns.index(item), found.columns.index(key)
    return [(row[one], row[two]) for row in certain(found)]


def standing(superlative: Extreme | TopK, item: Node, asking: Asking) -> Standing:
    """Where an item that a superlative gives stands among all that it ranks. Raises Exhausted."""
    pairs = keys_of(superlative, asking)
    kind = settled_kind(superlative, [key for _, key in pairs])
    best: dict[Hashable, tuple[float | Point | str, Node, Node]] = {}
    better = operator.gt if superlative.direction is Direction.MAX else operator.lt
    for node, key in pairs:
        place = order_key(key, kind)
        if place is None:
            continue
        value = identity(node)
        known = best.get(value)
        # of several spellings the answer's own, else the first in the order of display
        if known is None or better(place, known[0]) or (place == known[0] and _before(node, key, known, item)):
            best[value] = (place, node, key)
    mine = best[identity(item)]
    ahead = sum(better(place, mine[0]) for place, _, _ in best.values())
    last = mine[0] if isinstance(superlative, Extreme) else _last_place(superlative, list(best.values()))
    out = [entry for entry in best.values() if better(last, entry[0])]
    ties = distinct([node for place, node, _ in best.values() if place == mine[0] and node != mine[1]])
    following = None
    for entry in out:
        if following is None or better(entry[0], following[0]):
            following = entry
    bearers = [] if following is None else [node for place, node, _ in out if place == following[0]]
    return Standing(
        superlative,
        mine[1],
        mine[2],
        ahead + 1,
        len(best),
        len(ties),
        tuple(ties[:NAMED]),
        None if following is None else following[2],
        min(bearers, key=sort_key, default=None),
        len(bearers),
        (),
        superlative.span,
    )


def counted(count: Count, bindings: Mapping[str, Node], asking: Asking) -> Counted:
    """What a count counts in one of its groups. Raises Exhausted."""
    members, group = members_of(count, bindings, asking)
    fixed = tuple(sorted(group.items()))
    return Counted(count, len(members), fixed, tuple(members[:NAMED]), count.span)


def members_of(count: Count, bindings: Mapping[str, Node], asking: Asking) -> tuple[list[Node], dict[str, Node]]:
    """The values that a count counts in one of its groups, one of each, sorted; and the group. Raises Exhausted."""
    group = {var.name: bindings[var.name] for var in count.group}
    seeds = Table(tuple(group), (tuple(group.values()),)) if group else UNIT
    found = asking.solve(count.body, seeds, frozenset((count.of.name,)))
    place = found.columns.index(count.of.name) if found.rows else 0
    return distinct([row[place] for row in certain(found)]), group


def _last_place(top: TopK, entries: list[tuple[float | Point | str, Node, Node]]) -> float | Point | str:
    places: list[Any] = [place for place, _, _ in entries]
    places.sort(reverse=top.direction is Direction.MAX)
    last: float | Point | str = places[min(top.k, len(places)) - 1]
    return last


def _before(node: Node, key: Node, known: tuple[object, Node, Node], item: Node) -> bool:
    return (node != item, sort_key(node), sort_key(key)) < (known[1] != item, sort_key(known[1]), sort_key(known[2]))
