"""What the IR needs of a graph: a small protocol that every engine and the plain in-memory graph satisfy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.ir.terms import Node

TripleRow = tuple["Node", "Node", "Node"]


@runtime_checkable
class Graph(Protocol):
    """A set of triples that can be looked up by any of its three places."""

    def triples(
        self, subject: Node | None = None, predicate: Node | None = None, object: Node | None = None
    ) -> Iterator[TripleRow]:
        """The triples that agree with the given places; None stands for any node. Terms are matched as terms."""
        ...
