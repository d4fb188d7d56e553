"""A graph query as records: nodes, edges, and the text that they were read from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.records import field, record

if TYPE_CHECKING:
    from pylf.errors import Source, Span

NODE_TYPES = ("class", "entity", "literal")
#: What may be asked of a literal node: how values compare with it, or that they are the extreme ones.
COMPARISONS = ("<", "<=", ">", ">=")
SUPERLATIVES = ("argmax", "argmin")
#: What may be asked of the question node.
AGGREGATES = ("count", "max", "min")
FUNCTIONS = ("none", *AGGREGATES, *SUPERLATIVES, *COMPARISONS)

#: The class of everything (RDF Schema): a node of this class is not limited by it.
ANYTHING = "rdfs:Resource"


@record
class GraphNode:
    """A node. ``id`` is a class name, an entity's id, or a literal as ``lexical^^datatype``.

    ``class_`` is the class of a class node (its id again), and a remark on any other, "" where there is none.
    ``friendly_name`` is for people alone. ``span`` is where the id stands.
    """

    nid: int
    node_type: str
    id: str
    class_: str = ""
    friendly_name: str | None = field(default=None, compare=False)
    question_node: bool = False
    function: str = "none"
    span: Span | None = field(default=None, compare=False, shown=False)

    @property
    def constant(self) -> bool:
        """Whether the node stands for one thing, an entity or a value."""
        return self.node_type == "entity" or (self.node_type == "literal" and self.function == "none")


@record
class GraphEdge:
    """``relation`` leads from the node with the nid ``start`` to that with the nid ``end``. ``span`` is where the
    relation stands."""

    start: int
    end: int
    relation: str
    friendly_name: str | None = field(default=None, compare=False)
    span: Span | None = field(default=None, compare=False, shown=False)


@record
class GraphQuery:
    """A connected graph with one question node; ``source`` is the JSON text, where it came as text."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    source: Source | None = field(default=None, compare=False, shown=False)

    @property
    def question(self) -> GraphNode:
        """The node that is asked for."""
        return next(node for node in self.nodes if node.question_node)
