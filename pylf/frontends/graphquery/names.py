"""From the ids of a graph query to the names and constants of PyLF.

Ids are read by the vocabulary. A relation or a class that it can spell but the schema does not list becomes a full
``<IRI>``, which the type checker takes with a warning: published schemas of Freebase leave out some that are there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.errors import CompileError, Diagnostic
from pylf.frontends.graphquery.record import ANYTHING
from pylf.ir.dates import DATE_DATATYPES, date_literal
from pylf.ir.schema.names import expand, resolve_datatype, resolve_entity, resolve_literal, resolve_relation_iri
from pylf.ir.terms import XSD
from pylf.language import syntax
from pylf.language.hints import shown
from pylf.language.names import INVERSE

if TYPE_CHECKING:
    from pylf.errors import Source, Span
    from pylf.frontends.graphquery.record import GraphEdge, GraphNode
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Iri, Literal

#: a number as a program may write it, of a length that programs may write
_NUMBER = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\Z")
_LONGEST_NUMBER = 1_000


class Reading:
    """Ids of one graph query under one schema and vocabulary."""

    def __init__(self, schema: Schema, vocabulary: Vocabulary, source: Source | None) -> None:
        self.schema = schema
        self.vocabulary = vocabulary
        self.source = source

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
        if text == ANYTHING:
            return None
        if not self.schema.classes_named(text):
            iri = self.iri(text, node.span)
            listed = iri is not None and self.schema.class_(iri) is not None
            if not listed and (text in self.vocabulary.datatypes or text.startswith("xsd:")):
                return None
            if iri is not None and not listed and self.schema.has_classes:
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
        value = self.value(node)
        if isinstance(value, syntax.Number):
            return syntax.Start(value, implicit=True, span=node.span)
        if name is not None and resolve_literal(value.text, self.vocabulary) is None and "^^" not in value.text:
            value = self._of_relation(value, name)
        return syntax.Start(value, "literal", span=node.span)

    def value(self, node: GraphNode) -> syntax.Text | syntax.Number:
        """A literal node's value: a number or text without a datatype takes the relation's, as in PyLF."""
        lexical, mark, datatype = node.id.rpartition("^^")
        if not mark:
            if len(node.id) <= _LONGEST_NUMBER and _NUMBER.match(node.id):
                return syntax.Number(node.id, node.span)
            return syntax.Text(node.id, node.span)
        iri = self._datatype(datatype)
        if iri in DATE_DATATYPES:
            # Freebase keeps years and months as dateTimes that are cut short: they are the dates that they spell
            spelt = date_literal(lexical)
            if spelt is not None and DATE_DATATYPES.index(spelt.datatype) < DATE_DATATYPES.index(iri):
                iri = spelt.datatype
        if iri is None:
            return syntax.Text(node.id, node.span)  # the type checker says that it names no datatype
        return syntax.Text(f"{lexical}^^{spelt_datatype(iri)}", node.span)

    def iri(self, text: str, span: Span | None) -> str | None:
        """The IRI that an id stands for, by the vocabulary alone."""
        try:
            return resolve_relation_iri(text, self.vocabulary)
        except CompileError as error:
            raise self._placed(error.diagnostics[0], span) from None

    def _datatype(self, name: str) -> str | None:
        try:
            known = resolve_datatype(name, self.vocabulary)
            # both sets write a datatype's IRI without brackets
            return known if known is not None or ":/" not in name else expand(f"<{name}>", self.vocabulary)
        except CompileError:
            return None

    def _of_relation(self, value: syntax.Text, name: syntax.Name) -> syntax.Text:
        """Text among the values of a relation, under the datatype that it takes there."""
        from pylf.language.constants import constant
        from pylf.language.context import Context
        from pylf.language.names import Names
        from pylf.language.refused import Refused

        names = Names(Context(self.schema, self.vocabulary), [])
        try:
            relation = names.step(name).relation
        except Refused:
            return value  # the type checker will say why
        try:
            literal, _ = constant(value.text, False, relation, names, value.span)
        except Refused as refused:
            raise self._placed(refused.diagnostic, value.span) from None
        return syntax.Text(_typed(literal), value.span)

    def _placed(self, diagnostic: Diagnostic, span: Span | None) -> CompileError:
        return CompileError((diagnostic._replace(span=span, source=self.source),))


def spelt_datatype(iri: str) -> str:
    """A datatype as PyLF writes it after ``^^``."""
    return "xsd:" + iri[len(XSD) :] if iri.startswith(XSD) and iri[len(XSD) :].isalpha() else f"<{iri}>"


def _typed(literal: Literal) -> str:
    return f"{literal.lexical}^^{spelt_datatype(literal.datatype)}"
