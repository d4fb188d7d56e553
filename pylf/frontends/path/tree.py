"""The tree of a path: what stands at each node and each relation, with places, before any name is looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.records import field, record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.errors import Source, Span


@record
class Variable:
    """An open place: ``?x``, which is asked for; ``?_x``, which is not; ``?``, which is not and stands there alone
    (then ``name`` is None)."""

    name: str | None = None
    asked: bool = False
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Named:
    """A name as written, without its quotes: an id, a label, an IRI in brackets, a value, or a relation's name."""

    text: str
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class Number:
    """A number as written, without quotes."""

    text: str
    span: Span | None = field(default=None, compare=False, shown=False)


Node = Variable | Named | Number


@record
class Hop:
    """A step by a relation, along the edge where ``forward``, else against it."""

    relation: Variable | Named
    forward: bool = True
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class PathTree:
    """A path: a node, and for each hop the node that it leads to."""

    nodes: tuple[Node, ...]
    hops: tuple[Hop, ...]
    source: Source | None = field(default=None, compare=False, shown=False)
    span: Span | None = field(default=None, compare=False, shown=False)

    @property
    def places(self) -> Iterator[Node]:
        """What stands at the nodes and the relations, in their order."""
        yield self.nodes[0]
        for hop, node in zip(self.hops, self.nodes[1:], strict=True):
            yield hop.relation
            yield node

    @property
    def asked(self) -> tuple[Variable, ...]:
        """The variables that are asked for, each once, in the order of the path."""
        found = [one for one in self.places if isinstance(one, Variable) and one.asked]
        return tuple(dict.fromkeys(found))

    def until(self, hops: int) -> PathTree:
        """The path's beginning: so many hops."""
        return PathTree(self.nodes[: hops + 1], self.hops[:hops], self.source, self.span)
