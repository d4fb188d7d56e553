"""Words for the things of a schema: a class, a relation, an entity, a value, as a reader would say them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from pylf.ir.terms import XSD, XSD_BOOLEAN, XSD_STRING, Blank, Iri, Literal
from pylf.ir.values import NUMERIC_DATATYPES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.ir.schema.model import Schema
    from pylf.ir.terms import Node

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\W\d_]+")


class Words:
    """Names in words. ``labels`` are those of entities, where a graph has told them."""

    def __init__(self, schema: Schema, labels: Mapping[Node, str] | None = None) -> None:
        self.schema = schema
        self.labels = labels or {}

    def class_(self, iri: str) -> str:
        """``rocket manufacturer``: the class's label, else its local name taken apart."""
        found = self.schema.class_(iri)
        return found.label if found is not None and found.label else local_words(iri)

    def relation(self, iri: str) -> str:
        """``rockets manufactured``: the relation's label, else its local name taken apart."""
        found = self.schema.relation(iri)
        return found.label if found is not None and found.label else local_words(iri)

    def node(self, node: Node) -> str:
        """An entity by its label in quotes, a value as it is written."""
        match node:
            case Iri(value=iri):
                label = self.labels.get(node)
                return f"‘{label}’" if label is not None else f"‘{local_words(iri, split=False)}’"
            case Literal():
                return value(node)
            case Blank():
                return self.labels.get(node, "an entity without a name")


def value(literal: Literal) -> str:
    """A value as a reader would write it: numbers and dates plain, text in quotes with its language."""
    if literal.language is not None:
        return f"“{literal.lexical}” ({literal.language})"
    if literal.datatype in NUMERIC_DATATYPES or literal.datatype == XSD_BOOLEAN:
        return literal.lexical
    if literal.datatype.startswith(XSD) and literal.datatype != XSD_STRING:
        return literal.lexical.replace("T", " at ") if literal.datatype == XSD + "dateTime" else literal.lexical
    return f"“{literal.lexical}”"


def local_words(iri: str, split: bool = True) -> str:
    """The local name of an IRI as words: ``…/spaceflight.rocket.payload_to_leo`` is ``payload to leo``; compound
    Freebase names keep the last word of each half."""
    local = unquote(re.split(r"[#/]", iri.rstrip("#/"))[-1] or iri)
    if not split:
        return local
    halves = [half.rsplit(".", 1)[-1] for half in local.split("..")]
    words = [" ".join(w if w.isupper() and len(w) > 1 else w.lower() for w in _WORD.findall(half)) for half in halves]
    return " ".join(w for w in words if w) or local


def article(noun: str) -> str:
    """``a rocket``, ``an engine``."""
    return f"an {noun}" if noun[:1].lower() in "aeiou" else f"a {noun}"


def plural(noun: str) -> str:
    """``rockets``, ``companies``, ``launches``; a name that is no English word gets a plain s."""
    if re.search(r"[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    return noun + ("es" if re.search(r"(s|x|z|ch|sh)$", noun) else "s")
