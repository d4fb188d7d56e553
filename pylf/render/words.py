"""Words for the things of a schema: a class, a relation, an entity, a value, as a reader would say them.

Two things never get the same words. What a label or a name in words is shared with is told apart by its IRI's name;
quotation marks say what is quoted: ‘a label’ or a relation's name, “a text”; names of entities by which a program
could call them (``:mercury``, ``wd:Q66``) and values stand without.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import unquote
from weakref import WeakKeyDictionary

from pylf.ir.nodes import Kind
from pylf.ir.schema.names import shorten
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import RDF_LANG_STRING, XSD, XSD_BOOLEAN, XSD_STRING, Blank, Iri, Literal
from pylf.ir.values import NUMERIC_DATATYPES, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pylf.ir.schema.model import Class, Relation, Schema
    from pylf.ir.terms import Node

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\W\d_]+")
#: a class's name that reads as a noun; whatever else a label says is quoted
_NOUN = re.compile(r"\w(?:[\w '/&.()-]*[\w.)])?\Z")
_JOINTS = frozenset(("and", "among", "any", "except", "no", "not", "of", "or", "that", "those", "whose"))
_PLURALS = {"person": "people", "man": "men", "woman": "women", "child": "children", "life": "lives", "medium": "media"}
_SAME = ("craft", "species", "series", "sheep", "fish", "means", "offspring", "headquarters")
#: spaces and joiners that text in other scripts needs, though Python calls them not printable
_HARMLESS = "\u00a0\u2009\u202f\u3000\u200c\u200d"
_SINGULAR = ("ss", "us", "is", "series", "species", "alias", "atlas", "bias", "canvas", "gas", "news", "physics")
_PRECISION = {
    "gYear": "the year",
    "gYearMonth": "the month",
    "date": "the day",
    "dateTime": "the time",
    "dateTimeStamp": "the time",
}

_shared: WeakKeyDictionary[Schema, tuple[frozenset[str], frozenset[str]]] = WeakKeyDictionary()


class Words:
    """Names in words. ``labels`` are those of entities, where a graph has told them."""

    def __init__(
        self, schema: Schema, labels: Mapping[Node, str] | None = None, vocabulary: Vocabulary | None = None
    ) -> None:
        self.schema = schema
        self.vocabulary = vocabulary or Vocabulary("")
        self.labels = labels or {}
        self._ambiguous = {label for label, number in Counter(self.labels.values()).items() if number > 1}

    def noun(self, iri: str) -> str:
        """``rocket manufacturer``: the class's label, else its local name taken apart; other classes may have the same
        noun."""
        found = self.schema.class_(iri)
        if found is None:
            return f"thing of class {legible(shorten(iri, self.vocabulary))}"
        words = _named(found)
        if not _NOUN.match(words) or not _JOINTS.isdisjoint(words.split()):
            return f"thing of class ‘{_escaped(words, '‘’')}’"
        return words

    def class_(self, iri: str) -> str:
        """The noun of a class, and where others share it the class's name besides: ``rocket [spaceflight.rocket]``."""
        found = self.schema.class_(iri)
        if found is None or _named(found) not in self._repeated()[1]:
            return self.noun(iri)
        return f"{self.noun(iri)} [{legible(_unique(iri, self.schema.classes_named))}]"

    def relation(self, iri: str) -> str:
        """``‘rockets manufactured’``: the relation's label, else its local name taken apart, in quotation marks. What
        the schema does not list goes by its name, without them."""
        name = self.relation_name(iri)
        return legible(name) if self.schema.relation(iri) is None else f"‘{_escaped(name, '‘’')}’"

    def relation_name(self, iri: str) -> str:
        """A relation's words without quotation marks."""
        found = self.schema.relation(iri)
        if found is None:
            return shorten(iri, self.vocabulary)
        words = _named(found)
        return f"{words} [{_unique(iri, self.schema.relations_named)}]" if words in self._repeated()[0] else words

    def _repeated(self) -> tuple[frozenset[str], frozenset[str]]:
        """The words that several relations, and several classes, would be called by."""
        known = _shared.get(self.schema)
        if known is None:
            source = self.schema.source
            known = _shared[self.schema] = _repeated(source.all_relations()), _repeated(source.all_classes())
        return known

    def node(self, node: Node) -> str:
        """An entity by its label in quotes or as a program would call it, a value as it is written."""
        match node:
            case Iri(value=iri):
                label = self.labels.get(node)
                name = legible(shorten(iri, self.vocabulary))
                if label is None:
                    return name
                return f"{self.label(label)} ({name})" if label in self._ambiguous else self.label(label)
            case Literal():
                return value(node)
            case Blank():
                return self.labels.get(node, "an entity without a name")

    @staticmethod
    def label(text: str) -> str:
        """A label in its quotation marks."""
        return f"‘{_escaped(text, '‘’')}’"


def value(literal: Literal) -> str:
    """A value as a reader would write it: numbers plain, dates with their precision, text in quotes."""
    text = f"“{_escaped(literal.lexical, '“”')}”"
    if literal.datatype == RDF_LANG_STRING or literal.language is not None:
        return f"{text} ({literal.language})"
    if literal.datatype == XSD_STRING:
        return text
    kind = kind_of(literal)
    if kind is Kind.NUMBER or (literal.datatype == XSD_BOOLEAN and literal.lexical in ("true", "false")):
        return literal.lexical
    if kind is Kind.DATE:
        return f"{_PRECISION[literal.datatype[len(XSD) :]]} {literal.lexical}"
    return f"{text} ({legible(literal.datatype.removeprefix(XSD))})"


def exactly(node: Node, words: Words) -> str:
    """A term, not only its value: numbers with their datatype."""
    if isinstance(node, Literal) and node.datatype in NUMERIC_DATATYPES:
        return f"{value(node)} (as {node.datatype.removeprefix(XSD)})"
    return words.node(node)


def local_words(iri: str) -> str:
    """The local name of an IRI as words: ``…/spaceflight.rocket.payload_to_leo`` is ``payload to leo``; compound
    Freebase names keep the last word of each half."""
    local = unquote(re.split(r"[#/]", iri.rstrip("#/"))[-1] or iri)
    halves = [half.rsplit(".", 1)[-1] for half in local.split("..")]
    words = [" ".join(w if w.isupper() and len(w) > 1 else w.lower() for w in _WORD.findall(half)) for half in halves]
    return " ".join(w for w in words if w) or local


def _named(thing: Relation | Class) -> str:
    return thing.label or local_words(thing.iri)


def _repeated(things: Iterable[Relation | Class]) -> frozenset[str]:
    return frozenset(words for words, number in Counter(map(_named, things)).items() if number > 1)


def _unique(iri: str, named: Callable[[str], tuple[str, ...]]) -> str:
    """What tells an IRI from others with the same words: its local name if no other has it, else all of it."""
    local = re.split(r"[#/]", iri)[-1]
    return local if named(local) == (iri,) else iri


def article(noun: str) -> str:
    """``a rocket``, ``an engine``."""
    word = noun.lstrip("‘“[").lower()
    vowel = word[:1] in "aeiou" and not word.startswith(("uni", "use", "usa", "eu", "one"))
    return f"an {noun}" if vowel or word.startswith(("hour", "hono", "heir", "honest")) else f"a {noun}"


def plural(noun: str) -> str:
    """``rockets``, ``companies``, ``launches``; a name that is no English word gets a plain s."""
    head, joint, rest = noun.partition(" of ")
    if not joint:
        head, joint, rest = noun.partition(" [")
    stem, last = head[: len(head) - len(head.split(" ")[-1])], head.split(" ")[-1]
    if last in _PLURALS:
        last = _PLURALS[last]
    elif last.endswith("y") and last[-2:-1] not in ("a", "e", "i", "o", "u", ""):
        last = last[:-1] + "ies"
    elif not last.endswith(_SAME):
        last += "es" if last.endswith(("s", "x", "z", "ch", "sh")) else "s"
    return stem + last + joint + rest


def is_plural(name: str) -> bool:
    """Whether a relation is named in the plural: ``launch sites``, ``engines that burn it``."""
    head = re.split(r" (?:that|which|of|for|in|to|by|from|at|on|with) | \[", name)[0]
    return head.endswith("s") and not head.endswith(_SINGULAR)


def legible(text: str) -> str:
    """Text with control characters, line breaks and lone surrogates written as escapes: it stays on its line, cannot
    steer a terminal, and is valid in every format. Unlike :func:`pylf.errors.printable` it leaves the spaces and
    joiners of other scripts alone."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _HARMLESS else c.encode("unicode_escape").decode("ascii") for c in text)


def _escaped(text: str, marks: str) -> str:
    for mark in ("\\", *marks):
        if mark in text:
            text = text.replace(mark, "\\" + mark)
    return legible(text)
