"""From the ids of a graph query to the names and constants of PyLF.

Ids are read by the vocabulary. A relation or a class that it can spell but the schema does not list becomes a full
``<IRI>``, which the type checker takes with a warning: published schemas of Freebase leave out some that are there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import CompileError, Diagnostic
from pylf.frontends.bare_numbers import number_of, takes_numbers
from pylf.frontends.graphquery.record import ANYTHING
from pylf.ir.schema.names import literal_name, resolve_entity, resolve_literal, resolve_relation_iri
from pylf.language import syntax
from pylf.language.constants import typed_literal, untyped
from pylf.language.context import Context
from pylf.language.hints import shown
from pylf.language.names import INVERSE, Names
from pylf.language.refused import Refused

if TYPE_CHECKING:
    from pylf.errors import Source, Span
    from pylf.frontends.graphquery.record import GraphEdge, GraphNode
    from pylf.ir.schema.model import Relation, Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Iri


class Ids:
    """What the ids of one graph query mean under one schema and vocabulary."""

    def __init__(self, schema: Schema, vocabulary: Vocabulary, source: Source | None) -> None:
        self.schema = schema
        self.vocabulary = vocabulary
        self.source = source
        self.names = Names(Context(schema, vocabulary), [])

    def relation(self, edge: GraphEdge, inverse: bool) -> syntax.Name:
        """The relation of an edge, walked along it or against it."""
        text = edge.relation
        if not self.schema.relations_named(text):
            iri = self.iri(text, edge.span)
            if iri is not None and self.schema.has_relations and self.schema.relation(iri) is None:
                text = f"<{iri}>"
        return syntax.Name((INVERSE if inverse else "") + text, edge.span)

    def class_(self, node: GraphNode) -> syntax.Start | None:
        """The instances of a class node's class; None where it leaves everything open, or stands for values."""
        text = node.id
        if stands_for_values(text, self.vocabulary) or text == ANYTHING:
            return None
        if not self.schema.classes_named(text):
            iri = self.iri(text, node.span)
            if iri is not None and self.schema.class_(iri) is None and self.schema.has_classes:
                text = f"<{iri}>"
        return syntax.Start(syntax.Text(text, node.span), "class", span=node.span)

    def entity(self, node: GraphNode) -> syntax.Start:
        """An entity; a class or a relation can be one too (what a type predicate leads to)."""
        text = node.id
        try:
            known: Iri | None = resolve_entity(text, self.vocabulary)
        except CompileError as error:
            raise self._placed(error.diagnostics[0], node.span) from None
        if known is None:
            iri = self.iri(text, node.span)
            if iri is None:
                raise self._placed(
                    Diagnostic(
                        "entity-id",
                        f"{shown(text)} is no id of an entity in the vocabulary {self.vocabulary.name!r}",
                        hints=("an entity node has an id, a prefixed name or an '<IRI>'; labels are not looked up",),
                    ),
                    node.span,
                )
            text = f"<{iri}>"
        return syntax.Start(syntax.Text(text, node.span), "entity", span=node.span)

    def literal(self, node: GraphNode, name: syntax.Name | None) -> syntax.Start:
        """A literal that is met by value, at the end of the relation ``name`` where there is one."""
        relation = None if name is None else self._relation(name)
        value = self._value(node, relation)
        if isinstance(value, syntax.Number):
            return syntax.Start(value, implicit=True, span=node.span)
        if relation is not None and resolve_literal(value.text, self.vocabulary) is None and "^^" not in value.text:
            value = self._of_relation(value, relation)
        return syntax.Start(value, "literal", span=node.span)

    def value(self, node: GraphNode, name: syntax.Name) -> syntax.Text | syntax.Number:
        """A literal node's value, which those of a relation are compared with."""
        return self._value(node, self._relation(name))

    def _value(self, node: GraphNode, relation: Relation | None) -> syntax.Text | syntax.Number:
        try:
            return value_of(node.id, self.vocabulary, node.span, relation)
        except Refused as refused:
            raise self._placed(refused.diagnostic, node.span) from None

    def iri(self, text: str, span: Span | None) -> str | None:
        """The IRI that an id stands for, by the vocabulary alone."""
        try:
            return resolve_relation_iri(text, self.vocabulary)
        except CompileError as error:
            raise self._placed(error.diagnostics[0], span) from None

    def _relation(self, name: syntax.Name) -> Relation | None:
        """What a relation's name means; None where the type checker will say why it means nothing."""
        try:
            return self.names.step(name).relation
        except Refused:
            return None

    def _of_relation(self, value: syntax.Text, relation: Relation) -> syntax.Text:
        """Text among the values of a relation, under the datatype that it takes there."""
        try:
            literal, _ = untyped(value.text, False, relation, value.span)
        except Refused as refused:
            raise self._placed(refused.diagnostic, value.span) from None
        return syntax.Text(literal_name(literal), value.span)

    def _placed(self, diagnostic: Diagnostic, span: Span | None) -> CompileError:
        return CompileError((diagnostic._replace(span=span, source=self.source),))


def stands_for_values(class_name: str, vocabulary: Vocabulary) -> bool:
    """Whether the id of a class node names a datatype, which no class is asked for by; a class of that name is written
    as ``<IRI>``."""
    return class_name in vocabulary.datatypes or class_name.startswith("xsd:")


def value_of(
    id_: str, vocabulary: Vocabulary, span: Span | None, relation: Relation | None = None
) -> syntax.Text | syntax.Number:
    """What the id of a literal node is in PyLF: a number or text without a datatype takes the relation's.

    Raises:
        Refused: what follows ``^^`` names no datatype.
    """
    lexical, mark, datatype = id_.rpartition("^^")
    if mark:
        return syntax.Text(literal_name(typed_literal(lexical, datatype, vocabulary, span)), span)
    number = number_of(id_) if takes_numbers(relation) else None
    return syntax.Text(id_, span) if number is None else syntax.Number(number, span)
