"""How a written constant meets the values of a relation: which kind of comparison, and under which datatype.

A bare number or string where a relation's datatype is known (by schema, or by the statistics of the graph at hand)
takes that datatype.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.errors import CompileError, Diagnostic
from pylf.ir.dates import DATE_DATATYPES, as_spelled, date_literal
from pylf.ir.nodes import Kind
from pylf.ir.schema.memory import local_name
from pylf.ir.schema.names import resolve_datatype
from pylf.ir.terms import (
    RDF_LANG_STRING,
    XSD,
    XSD_BOOLEAN,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    XSD_STRING,
    Literal,
)
from pylf.ir.values import INTEGER_DATATYPES, NUMERIC_DATATYPES, value_of
from pylf.language.refused import Refused
from pylf.language.wording import DATES

if TYPE_CHECKING:
    from pylf.errors import Span
    from pylf.ir.schema.model import Relation
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.language.names import Names

#: a number as a program may write it
NUMBER = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\Z")

_INTEGER = re.compile(r"[+-]?[0-9]+\Z")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+)\Z")
_DOUBLE = re.compile(r"(?:[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[eE][+-]?[0-9]+|[+-]?INF)\Z")

_WORDS = {Kind.NUMBER: "a number", Kind.DATE: "a date", Kind.TEXT: "text"}


def kind_of_datatype(datatype: str) -> Kind:
    """The kind of comparison that values of a datatype take part in; ``ANY`` where it is none of the three."""
    if datatype in NUMERIC_DATATYPES:
        return Kind.NUMBER
    if datatype in DATE_DATATYPES:
        return Kind.DATE
    return Kind.TEXT if datatype == XSD_STRING else Kind.ANY


def kind_of_relation(relation: Relation) -> Kind:
    """The kind of a relation's values, by its declared datatypes, else by what occurs; ``ANY`` where they are mixed
    or not known."""
    kinds = {kind_of_datatype(d) for d in relation.datatypes}
    if len(kinds) == 1:
        return kinds.pop()
    profile = relation.profile
    if kinds or profile is None:
        return Kind.ANY
    if profile.numbers and not profile.dates and not profile.strings:
        return Kind.NUMBER
    if profile.dates and not profile.numbers and not profile.strings:
        return Kind.DATE
    if profile.strings and not profile.numbers and not profile.dates and not profile.tagged:
        return Kind.TEXT
    return Kind.ANY


def may_be_date(literal: Literal, relation: Relation) -> bool:
    """Whether a plain string would meet values of a relation as a date: it is spelled like one, and dates may be among
    them."""
    if literal.datatype != XSD_STRING or kind_of_relation(relation) is not Kind.ANY:
        return False
    profile = relation.profile
    return (profile is None or profile.dates > 0) and date_literal(literal.lexical) is not None


def constant(text: str, is_number: bool, relation: Relation, names: Names, span: Span | None) -> tuple[Literal, Kind]:
    """A written constant as the literal that a relation's values are compared with, and the kind of comparison.

    Raises:
        Refused: it has no reading among the relation's values, e.g. ``'many'`` where they are numbers.
    """
    written = None if is_number else names.literal(text, span)
    if written is not None:
        return _typed(written, kind_of_relation(relation), relation, span)
    return untyped(text, is_number, relation, span)


def untyped(text: str, is_number: bool, relation: Relation, span: Span | None) -> tuple[Literal, Kind]:
    """A constant that has no datatype or language of its own, whatever its text looks like, as :func:`constant`.

    Raises:
        Refused: as :func:`constant`.
    """
    kind = kind_of_relation(relation)
    if kind is Kind.NUMBER:
        number = number_literal(text, relation.datatypes)
        if number is None:
            raise _unreadable(text, "a number", relation, span)
        return number, kind
    if kind is Kind.DATE:
        date = date_literal(text)
        if date is None:
            raise _unreadable(text, "a date", relation, span, DATES)
        return date, kind
    if kind is Kind.TEXT:
        return Literal(text), kind
    if len(relation.datatypes) == 1:
        return _other(text, relation, span)
    if is_number:
        return number_literal(text, ()) or Literal(text), kind
    return Literal(text), kind


def _typed(literal: Literal, kind: Kind, relation: Relation, span: Span | None) -> tuple[Literal, Kind]:
    """A constant with a datatype of its own; it has to be of the relation's kind where that is known."""
    own = kind_of_datatype(literal.datatype)
    if own is not kind and (kind in (Kind.NUMBER, Kind.DATE) or (kind is Kind.TEXT and own is not Kind.ANY)):
        raise _unreadable(literal.lexical, _WORDS[kind], relation, span)
    if own is Kind.NUMBER and value_of(literal) == literal and literal.lexical != "NaN":
        raise _unreadable(literal.lexical, _a(short_name(literal.datatype)), relation, span)
    if own is Kind.DATE and date_literal(literal.lexical) is None:
        raise _unreadable(literal.lexical, _a(short_name(literal.datatype)), relation, span)
    return literal, kind if kind is not Kind.ANY or own is Kind.TEXT else own


def typed_literal(lexical: str, name: str, vocabulary: Vocabulary, span: Span | None) -> Literal:
    """A value with a datatype as other forms of questions write it.

    A date has the datatype that it is spelled as. A language string without a language is a string.

    Raises:
        Refused: ``name`` names no datatype.
    """
    try:
        datatype = resolve_datatype(name, vocabulary)
    except CompileError as error:
        raise Refused(error.diagnostics[0]._replace(span=span)) from None
    if datatype is None:
        hint = "write it as xsd:date, as its IRI, or by a name that the vocabulary lists"
        raise Refused(Diagnostic("unknown-datatype", f"{name!r} names no datatype", span, hints=(hint,)))
    if datatype == RDF_LANG_STRING:
        return Literal(lexical)
    return as_spelled(Literal(lexical, datatype))


def number_literal(text: str, datatypes: tuple[str, ...]) -> Literal | None:
    """A number under the relation's datatype where its spelling allows that, else under the spelling's own."""
    text = text.strip()
    datatype = datatypes[0] if len(datatypes) == 1 else None
    if _INTEGER.match(text):
        return Literal(text, datatype or XSD_INTEGER)
    if _DECIMAL.match(text):
        return Literal(text, datatype if datatype is not None and datatype not in INTEGER_DATATYPES else XSD_DECIMAL)
    if _DOUBLE.match(text):
        return Literal(text, datatype if datatype in (XSD_DOUBLE, XSD + "float") else XSD_DOUBLE)
    return None


def _other(text: str, relation: Relation, span: Span | None) -> tuple[Literal, Kind]:
    datatype = relation.datatypes[0]
    if datatype == XSD_BOOLEAN and text not in ("true", "false", "1", "0"):
        raise _unreadable(text, "a boolean", relation, span)
    return Literal(text, datatype if ":" in datatype and not datatype.endswith("#langString") else XSD_STRING), Kind.ANY


def _unreadable(text: str, what: str, relation: Relation, span: Span | None, *hints: str) -> Refused:
    name = short_name(relation.iri)
    return Refused(
        Diagnostic(
            "type-mismatch",
            f"{text!r} cannot be read as {what}, which the values of {name!r} are",
            span,
            hints=hints,
        )
    )


def _a(noun: str) -> str:
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def short_name(iri: str) -> str:
    """What messages call a relation, a class or a datatype."""
    return local_name(iri) or iri
