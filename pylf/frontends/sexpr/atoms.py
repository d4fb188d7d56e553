"""The atoms of s-expressions: what a word means where a set or a relation is expected, and values as PyLF writes them.

A word is looked up once for a schema and a vocabulary; what it means is kept with the schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pylf.errors import CompileError, Diagnostic
from pylf.frontends.bare_numbers import number_of, takes_numbers
from pylf.frontends.quoting import quoted
from pylf.frontends.sexpr.time import other_end
from pylf.ir.dates import date_literal
from pylf.ir.nodes import Kind
from pylf.ir.schema.model import Relation
from pylf.ir.schema.names import expand, literal_name, relation_name, resolve_entity, resolve_literal
from pylf.ir.schema.names import resolve_relation_iri as relation_iri
from pylf.ir.terms import XSD_STRING, tagged
from pylf.language import syntax
from pylf.language.constants import kind_of_relation, number_literal, typed_literal, untyped
from pylf.language.names import INVERSE
from pylf.language.refused import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.errors import Span
    from pylf.frontends.sexpr.tree import Value
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Literal

_T = TypeVar("_T")

#: The word that stands for the time of asking.
NOW = "NOW"
#: So many words are kept: they come from what people write, and there is no end to them.
_MOST_WORDS = 20_000


class RelationName(NamedTuple):
    """A relation: its name in PyLF, forwards and backwards, and what the schema says of it."""

    text: str
    inverse: str
    relation: Relation
    #: whether its subjects and its objects are classes themselves
    from_classes: bool
    to_classes: bool


class SetName(NamedTuple):
    """A word where a set is expected: ``sort`` is ``'entity'`` or ``'class'``, ``text`` its name in PyLF, ``iri`` None
    where several classes answer to it."""

    sort: str
    text: str
    iri: str | None


class Words:
    """What words mean under one schema and vocabulary."""

    def __init__(self, schema: Schema, vocabulary: Vocabulary) -> None:
        self.schema = schema
        self.vocabulary = vocabulary
        tables = schema.meanings.setdefault(("s-expressions", vocabulary), ({}, {}, {}))
        assert isinstance(tables, tuple)
        self.relations: dict[str, RelationName]
        self.sets: dict[str, SetName]
        self.ends: dict[str, tuple[RelationName | None, bool]]
        self.relations, self.sets, self.ends = tables

    # -- relations

    def relation(self, word: str, span: Span | None = None) -> RelationName:
        """The relation that a word names. One that is spelled like a relation but that the schema does not list becomes
        its IRI, which PyLF takes with a warning; a name that says nothing is left to PyLF to report.

        Raises:
            Refused: the word names an entity or a class.
        """
        found = self.relations.get(word)
        if found is None:
            found = self._relation(word, span)
            if len(self.relations) < _MOST_WORDS:
                self.relations[word] = found
        return found

    def _relation(self, word: str, span: Span | None) -> RelationName:
        schema = self.schema
        iri = _placed(relation_iri, word, self.vocabulary, span)
        listed = None if iri is None else schema.relation(iri)
        if listed is None:
            named = schema.relations_named(word)
            if named:
                listed = schema.relation(named[0]) or Relation(named[0])
        if listed is not None:
            return self._named(word, listed)
        self._refuse_thing(word, iri, span)
        if iri is None:
            return RelationName(word, INVERSE + word, Relation(word), False, False)
        return self._named(f"<{iri}>" if schema.has_relations and iri not in self._said() else word, Relation(iri))

    def _said(self) -> tuple[str, ...]:
        """Relations that the vocabulary knows, whatever the schema lists."""
        return (*self.vocabulary.type_predicates, *self.vocabulary.label_predicates)

    def _named(self, text: str, relation: Relation) -> RelationName:
        # a name that begins like a reversed one, or whose reversed form is a name of its own, is written in full
        if text.startswith(INVERSE) or self._lists(INVERSE + text):
            text = f"<{relation.iri}>"
        iri = relation.iri
        vocabulary = self.vocabulary
        subclass = iri == vocabulary.subclass_predicate
        return RelationName(
            text,
            INVERSE + text,
            relation,
            subclass or _of_classes(relation.domain, vocabulary),
            subclass
            or iri in vocabulary.type_predicates
            or iri in vocabulary.class_relations
            or _of_classes(relation.range, vocabulary),
        )

    def _lists(self, name: str) -> bool:
        iri = None if name.startswith(INVERSE + "<") else relation_iri(name, self.vocabulary)
        return bool(iri is not None and self.schema.relation(iri)) or bool(self.schema.relations_named(name))

    def _refuse_thing(self, word: str, iri: str | None, span: Span | None) -> None:
        """Raises Refused for a word that names an entity or a class where a relation is expected. An IRI in full is
        taken for what it stands as."""
        if word.startswith("<"):
            return
        what = ""
        entity = None if expand(word, self.vocabulary) is not None else resolve_entity(word, self.vocabulary)
        if iri is not None and self.schema.class_(iri) is not None:
            what = "a class"
        elif entity is not None and iri in (None, entity.value):
            what = "an entity"
        elif iri is None and self.schema.classes_named(word):
            what = "a class"
        if what:
            raise Refused(
                Diagnostic(
                    "not-a-relation",
                    f"{quoted(word)} is {what}, and a relation is expected here",
                    span,
                    hints=("relations come first: (JOIN relation set), and last in (ARGMAX set relation)",),
                )
            )

    def other_end(self, name: RelationName) -> tuple[RelationName | None, bool]:
        """The relation that tells the other end of the time of which this one tells an end, None where the schema lists
        none; and whether this one is the later end."""
        iri = name.relation.iri
        found = self.ends.get(iri)
        if found is None:
            schema = self.schema
            partner, is_end = other_end(
                iri, (lambda other: schema.relation(other) is not None) if schema.has_relations else lambda _: True
            )
            found = (None if partner is None else self._by_iri(partner), is_end)
            if len(self.ends) < _MOST_WORDS:
                self.ends[iri] = found
        return found

    def _by_iri(self, iri: str) -> RelationName:
        return self._named(relation_name(iri, self.schema, self.vocabulary), self.schema.relation(iri) or Relation(iri))

    # -- sets

    def set_(self, word: str, span: Span | None = None) -> SetName:
        """The entity or the class that a word names.

        Raises:
            Refused: the word names a relation, or nothing.
        """
        found = self.sets.get(word)
        if found is None:
            found = self._set(word, span)
            if len(self.sets) < _MOST_WORDS:
                self.sets[word] = found
        return found

    def _set(self, word: str, span: Span | None) -> SetName:
        schema = self.schema
        entity = _placed(resolve_entity, word, self.vocabulary, span)
        if entity is not None:
            return SetName("entity" if schema.class_(entity.value) is None else "class", word, entity.value)
        iri = _placed(relation_iri, word, self.vocabulary, span)
        if iri is not None and schema.class_(iri) is not None:
            return SetName("class", word, iri)
        classes = schema.classes_named(word)
        if classes:
            return SetName("class", word, classes[0] if len(classes) == 1 else None)
        if (iri is not None and schema.relation(iri) is not None) or schema.relations_named(word):
            raise Refused(
                Diagnostic(
                    "not-a-set",
                    f"{quoted(word)} is a relation, and a set is expected here",
                    span,
                    hints=(_directions(word),),
                )
            )
        if iri is not None:
            return SetName("class", f"<{iri}>", iri)
        raise Refused(self._unknown(word, span))

    def _unknown(self, word: str, span: Span | None) -> Diagnostic:
        from pylf.ir.schema.names import nearest
        from pylf.language.hints import named

        if word == NOW:
            return Diagnostic("not-a-set", "NOW is a time, and stands in (TC set relation NOW) only", span)
        close = nearest(word, self.schema, "class")
        hints = (
            *((f"a truth value is written {word}^^xsd:boolean",) if word in ("true", "false") else ()),
            *((named(close, "class"),) if close else ()),
            f'a string is written in quotes: "{word}"' if len(word) < 40 else "a string is written in quotes",
            "an entity is written by its id, not by its label",
        )
        return Diagnostic(
            "unknown-name", f"{quoted(word)} is neither an id nor a class of the schema", span, hints=hints
        )

    # -- values

    def start(self, value: Value, relation: Relation | None) -> syntax.Start:
        """A value as a set; of the values of ``relation``, where it is joined with it.

        Raises:
            Refused: its datatype is none, PyLF has no spelling for it, or it cannot be read as what the relation's
                values are.
        """
        span = value.span
        if relation is None or value.datatype is not None or value.language is not None:
            written = self.constant(value, None)
            return syntax.Start(written, "literal" if isinstance(written, syntax.Text) else None, span=span)
        text = value.lexical
        kind = kind_of_relation(relation)
        if kind is Kind.ANY and len(relation.datatypes) != 1:
            return self.start(value, None)
        if kind is Kind.NUMBER and (number := number_of(text)) is not None:
            return syntax.Start(syntax.Number(number, span), span=span)
        read, _ = untyped(text, False, relation, span)
        written = self.string(text, span) if read.datatype == XSD_STRING else syntax.Text(literal_name(read), span)
        return syntax.Start(written, "literal", span=span)

    def constant(self, value: Value, relation: Relation | None) -> syntax.Text | syntax.Number:
        """A value as a constant that the values of ``relation`` are compared with.

        Raises:
            Refused: as :meth:`start`.
        """
        text, span = value.lexical, value.span
        if value.language is not None:
            return self.as_written(tagged(text, value.language), span)
        if value.datatype is not None:
            return self.as_written(typed_literal(text, value.datatype, self.vocabulary, span), span)
        if not value.quoted and takes_numbers(relation):
            kind = Kind.ANY if relation is None else kind_of_relation(relation)
            number = number_of(text)
            if number is not None:
                return syntax.Number(number, span)
            datatypes = relation.datatypes if relation is not None and kind is Kind.NUMBER else ()
            read = (None if kind is Kind.DATE else number_literal(text, datatypes)) or date_literal(text)
            if read is not None:
                return syntax.Text(literal_name(read), span)
        return self.string(text, span)

    def string(self, text: str, span: Span | None) -> syntax.Text:
        """Text that is read as it stands, not as a string with a tag or a datatype."""
        plain = "^^" not in text and resolve_literal(text, self.vocabulary) is None
        return syntax.Text(text if plain else f"{text}^^xsd:string", span)

    def as_written(self, literal: Literal, span: Span | None) -> syntax.Text:
        """A literal with its tag or datatype as PyLF spells it.

        Raises:
            Refused: PyLF would read it otherwise, such as a tagged string that holds ``^^``.
        """
        text = literal_name(literal)
        if resolve_literal(text, self.vocabulary) != literal:
            raise Refused(Diagnostic("no-spelling", f"the literal {quoted(text)} cannot be written in PyLF", span))
        return syntax.Text(text, span)


def _placed(resolve: Callable[[str, Vocabulary], _T], name: str, vocabulary: Vocabulary, span: Span | None) -> _T:
    """What a name resolves to; a complaint about it is placed at ``span``."""
    try:
        return resolve(name, vocabulary)
    except CompileError as error:
        raise Refused(error.diagnostics[0]._replace(span=span)) from None


def _directions(relation: str) -> str:
    name = relation if len(relation) <= 60 else "r"
    return f"what is in it to something is (JOIN {name} …), and the other way (JOIN (R {name}) …)"


def _of_classes(unions: tuple[tuple[str, ...], ...], vocabulary: Vocabulary) -> bool:
    """Whether what a domain or a range holds are classes themselves, not instances of them."""
    return any(iri in vocabulary.metaclasses for union in unions for iri in union)
