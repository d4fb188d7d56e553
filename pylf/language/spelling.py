"""Spelling: the shortest PyLF name that means an IRI or a value here, the inverse of looking names up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import CompileError, UnsupportedOperation
from pylf.ir.nodes import Kind
from pylf.ir.schema.names import class_name, literal_name, relation_name, resolve_entity, resolve_literal, shorten
from pylf.ir.terms import XSD_STRING, Iri, Literal
from pylf.language import syntax
from pylf.language.constants import NUMBER, kind_of_relation, number_literal
from pylf.language.names import INVERSE

if TYPE_CHECKING:
    from pylf.ir.schema.model import Relation, Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Constant, Term


class Spelling:
    """Names under one schema and vocabulary."""

    def __init__(self, schema: Schema, vocabulary: Vocabulary) -> None:
        self.schema = schema
        self.vocabulary = vocabulary
        self._relations: dict[str, str] = {}
        self._read: dict[str, str] = {}
        #: whether it is said of each label that it is an entity's, and whether one was written where it is not said
        self.insist = False
        self.bare = False

    def relation(self, iri: str) -> str:
        """A relation's name, without direction."""
        known = self._relations.get(iri)
        if known is None:
            # what the schema does not list is taken as it is when its IRI is written in full
            listed = self.schema.relation(iri) is not None or not self.schema.has_relations
            known = relation_name(iri, self.schema, self.vocabulary) if listed else f"<{iri}>"
            self._relations[iri] = known
            self._read[known] = iri
        return known

    def read(self, name: syntax.Name) -> tuple[str, bool]:
        """IRI and direction (True: inverse) of a name that :meth:`relation` spelt."""
        if name.text in self._read:
            return self._read[name.text], False
        return self._read[name.text[len(INVERSE) :]], True

    def class_start(self, class_: Iri) -> syntax.Start:
        """``START`` of a class."""
        listed = self.schema.class_(class_.value) is not None
        # what the schema does not list is taken as it is when its IRI is written in full
        in_full = not listed and self.schema.has_classes
        name = f"<{class_.value}>" if in_full else class_name(class_.value, self.schema, self.vocabulary)
        return syntax.Start(syntax.Text(name), None if listed else "class")

    def start(self, constant: Term, relation: Relation | None = None) -> syntax.Start:
        """``START`` of an entity or a literal; of a value of ``relation``, where it is one."""
        match constant:
            case Iri(value=iri):
                name = self.entity(iri)
                return syntax.Start(syntax.Text(name), "entity" if self.schema.class_(iri) else None)
            case Literal():
                value = self.value(constant, relation)
                if isinstance(value, syntax.Text) and constant.datatype == XSD_STRING:
                    return syntax.Start(syntax.Text(f"{constant.lexical}^^xsd:string"), "literal")
                return syntax.Start(value, None if isinstance(value, syntax.Number) else "literal")
        raise UnsupportedOperation(f"the term {constant}", "PyLF")

    def entity(self, iri: str) -> str:
        """An entity's name."""
        name = shorten(iri, self.vocabulary)
        try:
            return name if resolve_entity(name, self.vocabulary) == Iri(iri) else f"<{iri}>"
        except CompileError:
            raise UnsupportedOperation(f"the IRI <{iri}>", "PyLF") from None

    def value(self, literal: Literal, relation: Relation | None = None) -> syntax.Text | syntax.Number:
        """A literal as the last argument of CMP, or inside START; a number that ``relation``'s datatype is known to be
        given to stands bare.

        Raises:
            UnsupportedOperation: the text has half of a surrogate pair, which no program can hold.
        """
        _whole(literal.lexical)
        if NUMBER.match(literal.lexical) and number_literal(literal.lexical, _datatypes(relation)) == literal:
            return syntax.Number(literal.lexical)
        plain = "^^" not in literal.lexical and resolve_literal(literal.lexical, self.vocabulary) is None
        if literal.datatype == XSD_STRING and plain:
            return syntax.Text(literal.lexical)
        return self.typed(literal)

    @staticmethod
    def typed(literal: Literal) -> syntax.Text:
        """A literal with its tag or its datatype: ``5^^xsd:integer``."""
        return syntax.Text(literal_name(literal))

    def labelled(self, text: str, values: tuple[Constant, ...]) -> syntax.Start:
        """``START`` of the entities with a label.

        Raises:
            UnsupportedOperation: as :meth:`value`.
        """
        _whole(text)
        if len(values) == 1 and isinstance(values[0], Literal) and values[0].language is not None:
            return syntax.Start(syntax.Text(f"{text}@{values[0].language}"), "entity")
        plain = not (
            text.startswith("<")
            or "^^" in text
            or self.schema.classes_named(text)
            or resolve_entity(text, self.vocabulary)
            or resolve_literal(text, self.vocabulary)
        )
        self.bare = self.bare or plain
        return syntax.Start(syntax.Text(text), None if plain and not self.insist else "entity")

    def label_relation(self, name: syntax.Name | syntax.Reach) -> bool:
        """Whether a name is how this graph says label."""
        if isinstance(name, syntax.Reach):
            return False
        iri, inverse = self.read(name)
        return not inverse and iri in self.vocabulary.label_predicates

    @staticmethod
    def shared_text(values: tuple[Constant, ...]) -> str | None:
        """The one text that all values spell, under whatever tags; None when they differ or are no strings."""
        texts = {
            v.lexical if isinstance(v, Literal) and (v.language is not None or v.datatype == XSD_STRING) else None
            for v in values
        }
        return texts.pop() if len(texts) == 1 else None


def _whole(text: str) -> None:
    """Raises UnsupportedOperation where a text has half of a surrogate pair."""
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise UnsupportedOperation("a text with half of a surrogate pair", "PyLF")


def _datatypes(relation: Relation | None) -> tuple[str, ...]:
    """The datatypes that a bare number among a relation's values may take."""
    return relation.datatypes if relation is not None and kind_of_relation(relation) is Kind.NUMBER else ()
