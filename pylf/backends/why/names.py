"""How things are called in an explanation: labels first, ids after; or by their full terms, for programs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pylf.errors import printable
from pylf.ir.schema.names import class_name, relation_name, shorten
from pylf.ir.terms import RDF, RDF_LANG_STRING, XSD, XSD_BOOLEAN, XSD_STRING, Blank, Iri, Literal
from pylf.ir.text import print_term
from pylf.ir.values import UNDERSTOOD_DATATYPES, kind_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node

#: Labels and texts are cut after so many characters.
LONGEST = 120


class Names:
    """Names by which a reader knows things.

    A thing is called by its label; its id follows where it is met first (:meth:`afresh` forgets whom the reader has
    met), and always where another thing has the same label.
    """

    def __init__(self, schema: Schema, vocabulary: Vocabulary, labels: Mapping[Node, str]) -> None:
        self.schema = schema
        self.vocabulary = vocabulary
        self.labels = labels
        self._shared = {text for text, number in Counter(labels.values()).items() if number > 1}
        self._met: set[Node] = set()
        self._relations: dict[str, str] = {}

    def afresh(self) -> None:
        """From here on the reader has met nobody."""
        self._met.clear()

    def node(self, node: Node) -> str:
        """``Boeing Company (:boeing)``, then ``Boeing Company``; values as they are written."""
        match node:
            case Literal():
                return self.literal(node)
            case Iri(value):
                name = shorten(value, self.vocabulary)
                if name.startswith("<") and self.schema.class_(value) is not None:
                    name = class_name(value, self.schema, self.vocabulary)
            case _:
                name = str(node)
        called = self.labels.get(node)
        if called is None or not called.strip():
            return brief(name)
        if node in self._met and called not in self._shared:
            return brief(called)
        self._met.add(node)
        return f"{brief(called)} ({brief(name)})"

    def literal(self, literal: Literal) -> str:
        """Numbers, dates and booleans plain, strings in quotes, others with their datatype."""
        plain = literal.datatype in UNDERSTOOD_DATATYPES and kind_of(literal) is not None
        if literal.datatype not in (XSD_STRING, RDF_LANG_STRING) and (plain or literal.datatype == XSD_BOOLEAN):
            return brief(literal.lexical)
        quoted = print_term(Literal(_cut(literal.lexical)))
        if literal.language is not None:
            return f"{quoted}@{literal.language}"
        return quoted if literal.datatype == XSD_STRING else f"{quoted}^^{self.datatype(literal)}"

    def datatype(self, literal: Node) -> str:
        """``xsd:date``; of a tagged string the tag, ``@en``."""
        if not isinstance(literal, Literal):
            return "no datatype"
        if literal.language is not None:
            return f"@{literal.language}"
        if literal.datatype.startswith(XSD):
            return brief("xsd:" + literal.datatype[len(XSD) :])
        return brief(shorten(literal.datatype, self.vocabulary))

    def relation(self, iri: str) -> str:
        """The name by which a program may call a relation; ``is a`` for a type predicate is left to the sentence."""
        known = self._relations.get(iri)
        if known is None:
            name = "rdf:type" if iri == RDF + "type" else relation_name(iri, self.schema, self.vocabulary)
            known = self._relations[iri] = brief(name)
        return known

    def class_(self, iri: str) -> str:
        """A class by its label, else by the name that a program may call it by; a signature class by its relation."""
        found = self.schema.class_(iri)
        if found is not None and found.subjects_of is not None:
            return f"subject of {self.relation(found.subjects_of)}"
        if found is not None and found.objects_of is not None:
            return f"object of {self.relation(found.objects_of)}"
        if found is not None and found.label:
            return brief(found.label)
        return brief(class_name(iri, self.schema, self.vocabulary))


class FullNames(Names):
    """Terms as the IR prints them, whoever has been met: ``<http://…>``, ``"text"@en``, ``_:b0``."""

    def node(self, node: Node) -> str:
        """The whole term."""
        return f"_:{node.label}" if isinstance(node, Blank) else print_term(node)

    def literal(self, literal: Literal) -> str:
        """The whole term."""
        return print_term(literal)

    def datatype(self, literal: Node) -> str:
        """The datatype's IRI; of a tagged string the tag."""
        if not isinstance(literal, Literal):
            return "no datatype"
        return f"<{literal.datatype}>" if literal.language is None else f"@{literal.language}"

    def relation(self, iri: str) -> str:
        """The whole IRI."""
        return print_term(Iri(iri))

    def class_(self, iri: str) -> str:
        """The whole IRI."""
        return print_term(Iri(iri))


def brief(text: str) -> str:
    """A text on one line, whatever it holds: what a terminal would not show is escaped, what is long is cut."""
    return printable(_cut(text))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
