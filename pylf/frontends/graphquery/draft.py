"""A graph query under construction: nodes that are told bit by bit what they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import Diagnostic
from pylf.frontends.graphquery.record import ANYTHING, GraphEdge, GraphNode, GraphQuery
from pylf.frontends.graphquery.spelling import Spelling
from pylf.frontends.no_form import no_form
from pylf.frontends.quoting import cut, quoted
from pylf.ir.terms import XSD
from pylf.language.refused import Refused

if TYPE_CHECKING:
    from pylf.errors import Span
    from pylf.ir.schema.model import Relation, Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Literal
    from pylf.ir.types import Type
    from pylf.language.typed import Compared, Step

#: how messages call what is drawn here
FORM = "graph queries"

#: what stands where a superlative needs no value
_DUMMY = f"0^^{XSD}int"


class Draft:
    """One node: at first unknown, then of a class, an entity or a value.

    What says what it is raises Refused: it is something else already (``no-several-classes``), or it is a value that
    has no spelling (``no-value``).
    """

    __slots__ = ("_spelling", "depth", "function", "iri", "nid", "node_type", "relation", "text", "types")

    def __init__(self, spelling: Spelling, nid: int, depth: int) -> None:
        self._spelling = spelling
        self.nid = nid
        self.depth = depth
        self.node_type: str | None = None
        self.function = "none"
        #: the id, once it is known
        self.text = ""
        #: of a class or an entity
        self.iri: str | None = None
        #: the relation that leads to it from above, if one does along its direction
        self.relation: Relation | None = None
        #: what relations have at this end
        self.types: list[Type] = []

    def be_instance(self, class_iri: str, span: Span | None) -> None:
        """An instance of a class."""
        self._be("class", self._spelling.class_(class_iri), span)
        self.iri = class_iri

    def be_entity(self, iri: str, span: Span | None) -> None:
        """One entity; where it is itself a class, as what a type predicate leads to."""
        self._be("entity", self._spelling.entity(iri), span)
        self.iri = iri

    def be_value(self, value: Literal, span: Span | None) -> None:
        """One value."""
        self._be_literal(self._spelling.value(value, self.relation), value, span)

    def be_compared(self, compared: Compared) -> None:
        """The values that compare with a constant."""
        value = compared.value
        text = self._spelling.compared(value, compared.kind, compared.steps[-1].relation)
        self._be_literal(text, value, compared.span)
        self.function = compared.op.value

    def be_extreme(self, function: str) -> None:
        """The value that a superlative is about."""
        self._be("literal", _DUMMY, None)
        self.function = function

    def _be_literal(self, text: str | None, value: Literal, span: Span | None) -> None:
        if text is None:
            raise Refused(no_form("no-value", FORM, span, f"the value is {cut(str(value))}"))
        self._be("literal", text, span)

    def _be(self, node_type: str, text: str, span: Span | None) -> None:
        if self.node_type is None:
            self.node_type, self.text = node_type, text
        elif (self.node_type, self.text) != (node_type, text):
            hint = f"a node has one id, and here it would have two: {quoted(self.text)} and {quoted(text)}"
            raise Refused(no_form("no-several-classes", FORM, span, hint))


class Drawing:
    """The nodes and edges so far."""

    def __init__(self, schema: Schema, vocabulary: Vocabulary, inner_classes: bool) -> None:
        self.schema = schema
        self.spelling = Spelling(schema, vocabulary)
        self.inner_classes = inner_classes
        self.drafts: list[Draft] = []
        self.edges: list[tuple[Draft, Draft, GraphEdge]] = []

    def node(self, above: Draft | None) -> Draft:
        """A new node, below another or the first of all."""
        draft = Draft(self.spelling, len(self.drafts), 0 if above is None else above.depth + 1)
        self.drafts.append(draft)
        return draft

    def edge(self, above: Draft, step: Step, below: Draft) -> None:
        """An edge by which one comes from a node to one below it."""
        above.types.append(step.near)
        below.types.insert(0, step.far)
        below.relation = None if step.inverse else step.relation
        start, end = (below, above) if step.inverse else (above, below)
        relation = self.spelling.relation(step.iri)
        self.edges.append((start, end, GraphEdge(start.nid, end.nid, relation, step.relation.label, step.span)))

    def finish(self) -> GraphQuery:
        """The graph.

        Raises:
            Refused: ``literal-subject``.
        """
        for start, _, edge in self.edges:
            if start.node_type == "literal":
                message = f"a relation would lead from the literal {quoted(start.text)}; literals are at its end alone"
                raise Refused(Diagnostic("literal-subject", message, edge.span))
        return GraphQuery(tuple(map(self.finished, self.drafts)), tuple([edge for _, _, edge in self.edges]))

    def finished(self, draft: Draft) -> GraphNode:
        """A node with its id and its class, or the class that its edges let one expect."""
        question = draft.nid == 0
        match draft.node_type:
            case None:
                # the class of an inner node is a remark, unless classes are kept
                text = self.spelling.type_(draft.types, question or self.inner_classes)
                return GraphNode(draft.nid, "class", text, text, None, question, draft.function)
            case "class":
                found = None if draft.iri is None else self.schema.class_(draft.iri)
                label = None if found is None else found.label
                return GraphNode(draft.nid, "class", draft.text, draft.text, label, question, draft.function)
            case node_type:
                remark = self.spelling.type_(draft.types, False)
                remark = "" if remark == ANYTHING else remark
                return GraphNode(draft.nid, node_type, draft.text, remark, None, question, draft.function)
