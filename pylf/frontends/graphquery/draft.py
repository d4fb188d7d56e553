"""A graph query under construction: nodes that are told bit by bit what they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from pylf.errors import CompileError, Diagnostic
from pylf.frontends.graphquery.names import spelt_datatype
from pylf.frontends.graphquery.record import ANYTHING, GraphEdge, GraphNode, GraphQuery
from pylf.frontends.no_form import no_form
from pylf.ir.schema.names import resolve_relation_iri, shorten
from pylf.ir.terms import XSD, Iri
from pylf.ir.types import EntityType, LiteralType
from pylf.language.spelling import Spelling

if TYPE_CHECKING:
    from pylf.errors import Span
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Literal
    from pylf.ir.types import Type
    from pylf.language.typed import Step

#: how messages call what is drawn here
FORM = "graph queries"

#: what stands where a superlative needs no value
_DUMMY = f"0^^{XSD}int"


class Draft:
    """One node: at first unknown, then of a class, an entity or a value."""

    __slots__ = ("_drawing", "depth", "function", "iri", "nid", "node_type", "text", "types")

    def __init__(self, drawing: Drawing, nid: int, depth: int) -> None:
        self._drawing = drawing
        self.nid = nid
        self.depth = depth
        self.node_type: str | None = None
        self.function = "none"
        #: the id, once it is known
        self.text = ""
        #: of a class or an entity
        self.iri: str | None = None
        #: what relations have at this end
        self.types: list[Type] = []

    def be_instance(self, class_iri: str, span: Span | None) -> None:
        """An instance of a class."""
        self._be("class", self._drawing.class_id(class_iri), span)
        self.iri = class_iri

    def be_entity(self, iri: str, span: Span | None) -> None:
        """One entity; where it is itself a class, as what a type predicate leads to."""
        self._be("entity", self._drawing.entity_id(iri), span)
        self.iri = iri

    def be_value(self, value: Literal, span: Span | None) -> None:
        """One value."""
        typed = f"{value.lexical}^^{value.datatype}"
        self._be("literal", typed if value.language is None else f"{value.lexical}@{value.language}", span)

    def be_bare(self, text: str, span: Span | None) -> None:
        """A number whose datatype is left open."""
        self._be("literal", text, span)

    def be_dummy(self) -> None:
        """The value that a superlative is about."""
        self._be("literal", _DUMMY, None)

    def _be(self, node_type: str, text: str, span: Span | None) -> None:
        if self.node_type is None:
            self.node_type, self.text = node_type, text
        elif (self.node_type, self.text) != (node_type, text):
            hint = f"a node has one id, and here it would have two: {self.text!r} and {text!r}"
            raise CompileError((no_form("no-several-classes", FORM, span, hint),))


class Drawing:
    """The nodes and edges so far. Names are spelt as the vocabulary and the schema spell them."""

    def __init__(self, schema: Schema, vocabulary: Vocabulary, inner_classes: bool) -> None:
        self.schema = schema
        self.vocabulary = vocabulary
        self.inner_classes = inner_classes
        self.spelling = Spelling(schema, vocabulary)
        self.drafts: list[Draft] = []
        self.edges: list[tuple[Draft, Draft, GraphEdge]] = []

    def node(self, above: Draft | None) -> Draft:
        """A new node, below another or the first of all."""
        draft = Draft(self, len(self.drafts), 0 if above is None else above.depth + 1)
        self.drafts.append(draft)
        return draft

    def edge(self, above: Draft, step: Step, below: Draft) -> None:
        """An edge by which one comes from a node to one below it."""
        above.types.append(step.near)
        below.types.insert(0, step.far)
        start, end = (below, above) if step.inverse else (above, below)
        relation = self.relation_id(step.iri)
        self.edges.append((start, end, GraphEdge(start.nid, end.nid, relation, step.relation.label, step.span)))

    def finish(self) -> GraphQuery:
        """The graph."""
        for start, _, edge in self.edges:
            if start.node_type == "literal":
                message = f"a relation would lead from the literal {start.text!r}; literals are at its end alone"
                _refuse("literal-subject", message, edge.span)
        return GraphQuery(tuple(map(self.finished, self.drafts)), tuple([edge for _, _, edge in self.edges]))

    def finished(self, draft: Draft) -> GraphNode:
        """A node with its id and its class, or the class that its edges let one expect."""
        question = draft.nid == 0
        match draft.node_type:
            case None:
                # the class of an inner node is a remark, unless classes are kept
                text = self.type_name(draft.types, question or self.inner_classes)
                return GraphNode(draft.nid, "class", text, text, None, question, draft.function)
            case "class":
                found = None if draft.iri is None else self.schema.class_(draft.iri)
                label = None if found is None else found.label
                return GraphNode(draft.nid, "class", draft.text, draft.text, label, question, draft.function)
            case node_type:
                remark = self.type_name(draft.types, False)
                remark = "" if remark == ANYTHING else remark
                return GraphNode(draft.nid, node_type, draft.text, remark, None, question, draft.function)

    # -- ids

    def type_name(self, types: list[Type], binding: bool) -> str:
        """The class or datatype that the schema expects of a node; ``binding`` where a class would be asked for."""
        for type_ in types:
            match type_:
                case EntityType(unions=((first, *_), *_)) if not binding:
                    return self.class_id(first)
                case LiteralType(datatype=str(datatype)):
                    return self.datatype_id(datatype)
        return ANYTHING

    def class_id(self, iri: str) -> str:
        """A class's name; where the class of everything is meant as one, it is written in full."""
        if self.schema.class_(iri) is not None:
            name = self.spelling.class_start(Iri(iri)).value.text
        else:
            name = self.unlisted(iri, bool(self.schema.classes_named(shorten(iri, self.vocabulary))))
        plain = name == ANYTHING or name in self.vocabulary.datatypes or name.startswith("xsd:")
        return f"<{iri}>" if plain else name

    def entity_id(self, iri: str) -> str:
        """An entity's id."""
        return shorten(iri, self.vocabulary) if self.schema.class_(iri) else self.spelling.entity(iri)

    def relation_id(self, iri: str) -> str:
        """A relation's name."""
        if self.schema.relation(iri) is not None:
            return self.spelling.relation(iri)
        return self.unlisted(iri, bool(self.schema.relations_named(shorten(iri, self.vocabulary))))

    def unlisted(self, iri: str, taken: bool) -> str:
        """What the schema does not list, by the vocabulary alone; in full where the name is taken."""
        name = shorten(iri, self.vocabulary)
        return name if not taken and resolve_relation_iri(name, self.vocabulary) == iri else f"<{iri}>"

    def datatype_id(self, iri: str) -> str:
        """A datatype's name in the vocabulary (``type.float``), else as ``xsd:float``."""
        named = {datatype: name for name, datatype in self.vocabulary.datatypes.items()}
        name = named.get(iri) or spelt_datatype(iri)
        return ANYTHING if name.startswith("<") else name


def _refuse(code: str, message: str, span: Span | None) -> NoReturn:
    raise CompileError((Diagnostic(code, message, span),))
