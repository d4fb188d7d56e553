"""What a chain means, straight from its tree: sets of members of a small graph, without PyLF and the IR.

Entities are texts, values are whole numbers; every relation leads from entities either to entities or to numbers. A
name that is no entity's is refused, so that tests say nothing by mistake.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from pylf.frontends.chain import tree

Member = str | int
Graph = Mapping[str, frozenset[tuple[str, Member]]]

_OPERATORS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}


class Meaning:
    """Chains over one graph; ``entities`` is what ``?`` and a negated relation range over."""

    def __init__(self, graph: Graph, entities: frozenset[str]) -> None:
        self.graph = graph
        self.entities = entities

    def members(self, chain: tree.Chain) -> frozenset[Member]:
        found = self.start(chain.start)
        for step in chain.steps:
            found = self.after(found, step)
        return found

    def start(self, start: tree.Start) -> frozenset[Member]:
        match start:
            case tree.Atom(text=text, number=True):
                return frozenset((int(text),))
            case tree.Atom(text=text):
                assert text in self.entities
                return frozenset((text,))
            case tree.Union(chains=chains):
                return frozenset[Member]().union(*map(self.members, chains))
            case tree.Anything():
                return frozenset(self.entities)

    def after(self, found: frozenset[Member], step: tree.Step) -> frozenset[Member]:
        match step:
            case tree.Hop(relation=relation, negated=negated, further=further):
                reached = frozenset(far for one in found for far in self.values(one, (relation, *further)))
                return self.entities - reached if negated else reached
            case tree.Except(constraint=constraint):
                return frozenset(one for one in found if not self.meets(one, constraint))
            case tree.Best(largest=largest, path=path, k=k, counted=counted):
                reached_by = {one: self.values(one, path) for one in found}
                if counted:
                    keys = {one: len(values) for one, values in reached_by.items() if values}
                else:
                    numbers = {one: [v for v in values if isinstance(v, int)] for one, values in reached_by.items()}
                    pick = max if largest else min
                    keys = {one: pick(values) for one, values in numbers.items() if values}
                ranked = sorted(keys.values(), reverse=largest)
                kept = set(ranked[: k or 1])
                return frozenset(one for one, key in keys.items() if key in kept)
            case tree.Count():
                return frozenset((len(found),))
            case tree.Exists():
                raise AssertionError("a yes or a no is no set")
            case _:
                return frozenset(one for one in found if self.meets(one, step))

    def meets(self, one: Member, step: tree.Along | tree.Compare | tree.In) -> bool:
        match step:
            case tree.In(chain=chain):
                return one in self.members(chain)
            case tree.Compare(path=path, op=op, value=value):
                compared = _OPERATORS[op]
                return any(isinstance(v, int) and compared(v, int(value.text)) for v in self.values(one, path))
            case tree.Along(hops=hops, end=end):
                return self.reaches(one, hops, self.members(end))

    def reaches(self, one: Member, hops: tuple[tree.Hop, ...], end: frozenset[Member]) -> bool:
        if not hops:
            return one in end
        first, *others = hops
        reached = any(
            self.reaches(far, tuple(others), end) for far in self.values(one, (first.relation, *first.further))
        )
        return not reached if first.negated else reached

    def values(self, one: Member, path: tuple[tree.Relation, ...]) -> frozenset[Member]:
        found = frozenset((one,))
        for relation in path:
            found = frozenset(far for near in found for far in self.leads(near, relation))
        return found

    def leads(self, one: Member, relation: tree.Relation) -> frozenset[Member]:
        """Where one step of a relation leads; with a closure, one or more, none or more."""
        triples = self.graph[relation.name]

        def step(near: Member) -> frozenset[Member]:
            if relation.back:
                return frozenset(s for s, o in triples if o == near)
            return frozenset(o for s, o in triples if s == near)

        if relation.closure is None:
            return step(one)
        found: set[Member] = {one} if relation.closure == 0 else set()
        todo = [one]
        seen: set[Member] = set()
        while todo:
            near = todo.pop()
            if near not in seen:
                seen.add(near)
                found |= step(near)
                todo += step(near)
        return frozenset(found)
