"""A path that a graph has, and how it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.frontends.path.tree import Hop, Named, PathTree, Variable
from pylf.ir.schema.names import literal_name
from pylf.ir.terms import Blank, Iri
from pylf.ir.values import identity, sort_key
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pylf.frontends.path.tree import Node as Place
    from pylf.ir.terms import Node
    from pylf.language.spelling import Spelling


@record
class WalkedPath:
    """A walk over edges of a graph: from ``nodes[i]`` to ``nodes[i + 1]`` by ``relations[i]``, along the edge where
    ``forward[i]``, else against it."""

    nodes: tuple[Node, ...]
    relations: tuple[Iri, ...]
    forward: tuple[bool, ...]

    @property
    def edges(self) -> Iterator[tuple[Node, Iri, Node]]:
        """The edges in the order of the walk, each as the graph has it: subject, relation, object."""
        for near, relation, far, along in zip(self.nodes, self.relations, self.nodes[1:], self.forward, strict=False):
            yield (near, relation, far) if along else (far, relation, near)

    @property
    def simple(self) -> bool:
        """Whether it comes to no node twice; several spellings of one value are one node."""
        return len(set(map(identity, self.nodes))) == len(self.nodes)

    @property
    def order(self) -> tuple[object, ...]:
        """A key to sort by: short paths first, then by what they pass."""
        return len(self.relations), tuple(map(sort_key, (*self.nodes[:1], *self._passed())))

    def _passed(self) -> Iterator[Node]:
        for relation, node in zip(self.relations, self.nodes[1:], strict=True):
            yield relation
            yield node

    def tree(self, spelling: Spelling | None = None, labels: Mapping[Node, str] | None = None) -> PathTree:
        """The path as it is written.

        Args:
            spelling: what gives ids and relations their short names; without it, they are written in full.
            labels: what nodes are called instead; a reader has to find them by that.
        """
        names = [self._place(node, spelling, labels or {}) for node in self.nodes]
        hops = tuple(
            [
                Hop(Named(f"<{relation.value}>" if spelling is None else spelling.relation(relation.value)), along)
                for relation, along in zip(self.relations, self.forward, strict=True)
            ]
        )
        return PathTree(tuple(names), hops)

    def _place(self, node: Node, spelling: Spelling | None, labels: Mapping[Node, str]) -> Place:
        label = labels.get(node)
        if label is not None:
            return Named(label)
        match node:
            case Iri(iri):
                return Named(f"<{iri}>" if spelling is None else spelling.entity(iri))
            case Blank():  # it has no name, and is the same wherever it stands
                return Variable(f"b{self.nodes.index(node)}")
        return Named(literal_name(node))
