"""How IRIs and values are written as the ids of a graph query: what is read as the same again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.frontends.graphquery.names import stands_for_values, value_of
from pylf.frontends.graphquery.record import ANYTHING
from pylf.ir.nodes import Kind
from pylf.ir.schema.names import (
    class_name,
    datatype_name,
    relation_name,
    resolve_datatype,
    resolve_literal,
    resolve_relation_iri,
    shorten,
)
from pylf.ir.types import EntityType, LiteralType
from pylf.ir.values import kind_of
from pylf.language import spelling as language
from pylf.language import syntax
from pylf.language.constants import constant, kind_of_relation, number_literal
from pylf.language.context import Context
from pylf.language.findings import MAX_STRING
from pylf.language.names import Names
from pylf.language.refused import Refused

if TYPE_CHECKING:
    from pylf.ir.schema.model import Relation, Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Literal
    from pylf.ir.types import Type


class Spelling:
    """Ids under one schema and vocabulary."""

    def __init__(self, schema: Schema, vocabulary: Vocabulary) -> None:
        self.schema = schema
        self.vocabulary = vocabulary
        self.names = Names(Context(schema, vocabulary), [])
        self.language = language.Spelling(schema, vocabulary)

    # -- names

    def class_(self, iri: str) -> str:
        """A class's name; where the class of everything is meant as one, it is written in full."""
        if self.schema.class_(iri) is not None:
            name = class_name(iri, self.schema, self.vocabulary)
        else:
            name = self._unlisted(iri, bool(self.schema.classes_named(shorten(iri, self.vocabulary))))
        return f"<{iri}>" if name == ANYTHING or stands_for_values(name, self.vocabulary) else name

    def entity(self, iri: str) -> str:
        """An entity's id."""
        return shorten(iri, self.vocabulary) if self.schema.class_(iri) else self.language.entity(iri)

    def relation(self, iri: str) -> str:
        """A relation's name."""
        if self.schema.relation(iri) is not None:
            return relation_name(iri, self.schema, self.vocabulary)
        return self._unlisted(iri, bool(self.schema.relations_named(shorten(iri, self.vocabulary))))

    def type_(self, types: list[Type], binding: bool) -> str:
        """The class or datatype that the schema expects of a node; ``binding`` where a class would be asked for."""
        for type_ in types:
            match type_:
                case EntityType(unions=((first, *_), *_)) if not binding:
                    return self.class_(first)
                case LiteralType(datatype=str(datatype)):
                    return self._datatype(datatype)
        return ANYTHING

    def _unlisted(self, iri: str, taken: bool) -> str:
        """What the schema does not list, by the vocabulary alone; in full where the name is taken."""
        name = shorten(iri, self.vocabulary)
        return name if not taken and resolve_relation_iri(name, self.vocabulary) == iri else f"<{iri}>"

    def _datatype(self, iri: str) -> str:
        """A datatype's name in the vocabulary (``type.float``), else as ``xsd:float``."""
        named = {datatype: name for name, datatype in self.vocabulary.datatypes.items()}
        name = named.get(iri) or datatype_name(iri)
        return ANYTHING if name.startswith("<") else name

    # -- values

    def value(self, literal: Literal, relation: Relation | None) -> str | None:
        """A literal as what ``relation`` leads to; None where it has no spelling.

        Beside a relation of whose values nothing is known, a number stays without a datatype where it can: it takes
        that of the values once they are.
        """
        if len(literal.lexical) > MAX_STRING:
            return None
        texts = [self._typed(literal)]
        if relation is not None and kind_of_relation(relation) is Kind.ANY and kind_of(literal) is Kind.NUMBER:
            texts.insert(0, literal.lexical)
        for text in texts:
            try:
                read = value_of(text, self.vocabulary, None, relation)
            except Refused:
                continue
            if isinstance(read, syntax.Number):
                meant = number_literal(read.text, ())
            else:
                meant = resolve_literal(read.text, self.vocabulary)
            if meant == literal:
                return text
        return None

    def compared(self, literal: Literal, kind: Kind, relation: Relation) -> str | None:
        """A literal as the constant of a comparison of that kind; None where it has no spelling. One that may be of
        several kinds stays without a datatype, with which it would be of one."""
        texts = [self._typed(literal)]
        if literal.lexical:  # an id is not empty
            texts.insert(0 if kind is Kind.ANY else 1, literal.lexical)
        for text in texts if len(literal.lexical) <= MAX_STRING else ():
            try:
                read = value_of(text, self.vocabulary, None, relation)
                is_number = isinstance(read, syntax.Number)
                if constant(read.text, is_number, relation, self.names, None) == (literal, kind):
                    return text
            except Refused:
                continue
        return None

    def _typed(self, literal: Literal) -> str:
        """A literal with its tag, or its datatype's IRI: without brackets, as both sets have it, where it can be."""
        if literal.language is not None:
            return f"{literal.lexical}@{literal.language}"
        datatype = literal.datatype
        plain = resolve_datatype(datatype, self.vocabulary) == datatype
        return f"{literal.lexical}^^{datatype if plain else f'<{datatype}>'}"
