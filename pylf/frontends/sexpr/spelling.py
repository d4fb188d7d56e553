"""How IRIs and values are written as atoms of s-expressions: the shortest spelling that is read as the same again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.errors import CompileError
from pylf.frontends.sexpr.atoms import NOW, Words
from pylf.frontends.sexpr.operators import operator_of
from pylf.frontends.sexpr.tree import Value
from pylf.ir.nodes import Kind
from pylf.ir.schema.names import class_name, relation_name, resolve_literal, shorten
from pylf.ir.terms import XSD_STRING, Literal
from pylf.ir.values import NUMERIC_DATATYPES
from pylf.language import syntax
from pylf.language.constants import constant, kind_of_relation, number_literal
from pylf.language.context import Context
from pylf.language.findings import MAX_STRING
from pylf.language.names import Names
from pylf.language.refused import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.errors import Span
    from pylf.ir.schema.model import Relation, Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.language.typed import Step

#: A word that stands without brackets.
_WORD = re.compile(r":?[^\W\d](?:[\w.:/#%+~-]*[\w/#%+~-])?\Z")
#: A number or a date that stands without quotes.
_BARE = re.compile(r"[+-]?[0-9](?:[0-9A-Za-z.:+-]*[0-9A-Za-z])?\Z")


class Spelling:
    """Atoms under one schema and vocabulary."""

    def __init__(self, schema: Schema, vocabulary: Vocabulary) -> None:
        self.schema = schema
        self.vocabulary = vocabulary
        self.words = Words(schema, vocabulary)
        self.names = Names(Context(schema, vocabulary), [])

    # -- words

    def relation(self, iri: str) -> str:
        """A relation's word."""

        def means(word: str) -> bool:
            return self.words.relation(word).relation.iri == iri and not self._ambiguous(word, iri)

        names = (relation_name(iri, self.schema, self.vocabulary), shorten(iri, self.vocabulary))
        return _first(names, means) or f"<{iri}>"

    def _ambiguous(self, word: str, iri: str) -> bool:
        named = self.schema.relations_named(word)
        return len(named) > 1 and iri in named

    def class_(self, iri: str) -> str | None:
        """The word for the instances of a class; None where no word means them."""

        def means(word: str) -> bool:
            found = self.words.set_(word)
            return found.sort == "class" and found.iri == iri

        return _first((class_name(iri, self.schema, self.vocabulary), shorten(iri, self.vocabulary), f"<{iri}>"), means)

    def entity(self, iri: str, beside_classes: bool) -> str | None:
        """The word for an entity; for a class itself only beside a relation whose values are classes, else None."""

        def means(word: str) -> bool:
            found = self.words.set_(word)
            return found.iri == iri and (found.sort == "entity" or beside_classes)

        return _first((shorten(iri, self.vocabulary), f"<{iri}>"), means)

    def leads_to_classes(self, step: Step) -> bool:
        """Whether what a step leads to are classes themselves."""
        name = self.words.relation(self.relation(step.iri))
        return name.from_classes if step.inverse else name.to_classes

    def other_end(self, step: Step) -> tuple[str | None, bool]:
        """The relation that ``TC`` means besides this one, and whether this one is the later end of a time."""
        if step.inverse:
            return None, False
        other, is_end = self.words.other_end(self.words.relation(self.relation(step.iri)))
        return (None if other is None else other.relation.iri), is_end

    # -- values

    def value(self, literal: Literal, relation: Relation | None, span: Span | None) -> Value | None:
        """A literal as a set, or as what ``relation`` is joined with; None where there is no spelling for it."""
        if len(literal.lexical) > MAX_STRING:
            return None
        spellings = _spellings(literal, span)
        if relation is not None and kind_of_relation(relation) is Kind.ANY and literal.datatype in NUMERIC_DATATYPES:
            # nothing is known of its values: a bare number takes their datatype once it is
            spellings.reverse()
        for value in spellings:
            try:
                if self._read(self.words.start(value, relation), relation) == literal:
                    return value
            except Refused:
                continue
        return None

    def _read(self, start: syntax.Start, relation: Relation | None) -> Literal:
        """What PyLF reads in a START beside a relation."""
        text = start.value.text
        if isinstance(start.value, syntax.Number):
            if relation is not None:
                return constant(text, True, relation, self.names, None)[0]
            return number_literal(text, ()) or Literal(text)
        return resolve_literal(text, self.vocabulary) or Literal(text)

    def compared(self, literal: Literal, kind: Kind, relation: Relation, span: Span | None) -> Value | None:
        """A literal as the constant of a comparison of that kind; None where there is no spelling for it."""
        for value in _spellings(literal, span) if len(literal.lexical) <= MAX_STRING else ():
            try:
                written = self.words.constant(value, relation)
                is_number = isinstance(written, syntax.Number)
                if constant(written.text, is_number, relation, self.names, None) == (literal, kind):
                    return value
            except Refused:
                continue
        return None


def _first(names: tuple[str, ...], means: Callable[[str], bool]) -> str | None:
    """The first name that is one word and is read as what is meant."""
    for name in names:
        if name[:1] == "<" or (_WORD.match(name) and name != NOW and operator_of(name) is None):
            try:
                if means(name):
                    return name
            except (Refused, CompileError):
                continue
    return None


def _spellings(literal: Literal, span: Span | None) -> list[Value]:
    """The spellings that a literal may have, the likeliest first. Numbers and dates carry their datatypes, as in
    GrailQA; strings do where they would be read as something else."""
    text = literal.lexical
    if literal.language is not None:
        return [Value(text, language=literal.language, quoted=True, span=span)]
    bare = _BARE.match(text) is not None
    typed = Value(text, literal.datatype, quoted=not bare, span=span)
    if literal.datatype == XSD_STRING:
        return [Value(text, quoted=True, span=span), typed]
    return [typed, Value(text, span=span)] if bare and literal.datatype in NUMERIC_DATATYPES else [typed]
