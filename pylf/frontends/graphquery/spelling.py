"""How IRIs and values are written as the ids of a graph query: what is read as the same again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.frontends.graphquery.names import value_of
from pylf.frontends.graphquery.record import ANYTHING
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
from pylf.language import spelling as language
from pylf.language import syntax
from pylf.language.constants import constant
from pylf.language.context import Context
from pylf.language.names import Names
from pylf.language.refused import Refused

if TYPE_CHECKING:
    from pylf.ir.nodes import Kind
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
        plain = name == ANYTHING or name in self.vocabulary.datatypes or name.startswith("xsd:")
        return f"<{iri}>" if plain else name

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

    def value(self, literal: Literal) -> str | None:
        """A literal as what a relation leads to; None where it has no spelling."""
        text = self._typed(literal)
        try:
            read = value_of(text, self.vocabulary, None)
        except Refused:
            return None
        return text if resolve_literal(read.text, self.vocabulary) == literal else None

    def compared(self, literal: Literal, kind: Kind, relation: Relation) -> str | None:
        """A literal as the constant of a comparison of that kind; None where it has no spelling. With a datatype a
        number would be compared as a number alone, wherever the relation's values may be other things too."""
        for text in (self._typed(literal), literal.lexical):
            try:
                read = value_of(text, self.vocabulary, None)
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
