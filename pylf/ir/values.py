"""What a term is worth: the value of a node, identity of values, comparison and order.

These four functions are the definition that every engine is held to. A *number* is the IEEE double of its lexical
form (NaN is none; an xsd:float first takes the form of :func:`float_form`); a *date* is an interval
(:mod:`pylf.ir.dates`); a *text* is a plain or tagged string; a *boolean* is true or false. Everything else is worth
itself: IRIs, blank nodes, literals of other datatypes, and *ill-typed* literals, whose lexical form does not fit their
datatype. Ranges of derived integer types are not looked at.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pylf.ir.dates import DATE_DATATYPES, Interval, canonical, constant_interval, date_literal, interval
from pylf.ir.nodes import Kind, Op
from pylf.ir.terms import RDF_LANG_STRING, XSD, XSD_BOOLEAN, XSD_STRING, Blank, Iri, Literal

if TYPE_CHECKING:
    from collections.abc import Hashable

    from pylf.ir.dates import Point
    from pylf.ir.terms import Node

_Ordered = TypeVar("_Ordered", float, str)


class Text(NamedTuple):
    """A string, with its language tag in lower case or None."""

    text: str
    language: str | None


class Boolean(NamedTuple):
    """True or false; a class of its own, because Python's ``True`` is the number 1."""

    true: bool


#: A number, a date, a string, a boolean, or a term that is worth itself.
Value = float | Interval | Text | Boolean | Iri | Literal | Blank

#: xsd:integer and everything derived from it.
INTEGER_DATATYPES = frozenset(
    XSD + name
    for name in (
        "integer",
        "nonPositiveInteger",
        "negativeInteger",
        "long",
        "int",
        "short",
        "byte",
        "nonNegativeInteger",
        "unsignedLong",
        "unsignedInt",
        "unsignedShort",
        "unsignedByte",
        "positiveInteger",
    )
)
XSD_FLOAT = XSD + "float"
FLOATING_DATATYPES = frozenset((XSD + "double", XSD_FLOAT))
#: Every datatype whose literals are numbers.
NUMERIC_DATATYPES = INTEGER_DATATYPES | FLOATING_DATATYPES | {XSD + "decimal"}
#: The datatypes that are understood; literals of other datatypes can only be the same term or not.
UNDERSTOOD_DATATYPES = NUMERIC_DATATYPES | {*DATE_DATATYPES, XSD_STRING, XSD_BOOLEAN, RDF_LANG_STRING}


def value_of(node: Node) -> Value:
    """The value of a node of a graph, an answer or a query."""
    if isinstance(node, Literal):
        value = _literal_value(node.lexical, node.datatype, node.language)
        return node if value is None else value
    return node


def identity(node: Node) -> Hashable:
    """What two nodes share exactly when they are the same value (``IS``; distinctness of answers and counts)."""
    return value_of(node)


def kind_of(node: Node) -> Kind | None:
    """NUMBER, DATE or TEXT for a node that is one (tagged strings included), else None."""
    match value_of(node):
        case float():
            return Kind.NUMBER
        case Interval():
            return Kind.DATE
        case Text():
            return Kind.TEXT
        case _:
            return None


def compare(op: Op, left: Node, right: Node, kind: Kind = Kind.ANY) -> bool:
    """Whether ``left op right`` holds by value; ``right`` plays the constant's part.

    NUMBER, DATE and TEXT ask that both sides are of that kind. ANY decides value by value: numbers, dates, strings
    and booleans each meet their own; besides, a constant that is an integer meets a date as a year, and one that is a
    string spelled like a date meets it as that date. A literal of a datatype that is not understood here (a duration,
    say) is ``=`` to itself. Nothing else ever holds, ``!=`` included, except that under ANY ``IS`` is identity of any
    two nodes.
    """
    value, constant = value_of(left), value_of(right)
    if op is Op.IS:
        return value == constant and (kind is Kind.ANY or kind_of(left) is kind)
    match value, constant:
        case float(), float():
            return kind in (Kind.ANY, Kind.NUMBER) and _ordered(op, value, constant)
        case Interval(), _:
            if kind in (Kind.ANY, Kind.DATE):
                literal = right if isinstance(constant, Interval) else _as_date(right) if kind is Kind.ANY else None
                return isinstance(literal, Literal) and _dates(op, value, literal)
        case Text(text, tag), Text(other, other_tag) if kind in (Kind.ANY, Kind.TEXT) and tag == other_tag:
            return _ordered(op, text, other) if tag is None else _equal(op, text, other)
        case Boolean(), Boolean() if kind is Kind.ANY:
            return _equal(op, value, constant)
        case Literal(_, datatype), Literal() if kind is Kind.ANY and datatype not in UNDERSTOOD_DATATYPES:
            return op is Op.EQ and value == constant
    return False


def order_key(node: Node, kind: Kind) -> float | Point | str | None:
    """Where a node stands in the order of ``kind``, or None when it has no place there.

    Keys of one kind compare with each other: numbers by value, dates by start (a year ties with its first day), plain
    strings by code point. ``kind`` is not ANY: which of numbers and dates ANY means depends on all the keys there are.
    """
    match value_of(node), kind:
        case (float() as number, Kind.NUMBER):
            return number
        case (Interval() as covers, Kind.DATE):
            return covers.start
        case (Text(text, None), Kind.TEXT):
            return text
        case _:
            return None


def sort_key(node: Node) -> tuple[int, float, tuple[object, ...], str, str, str]:
    """A total order of nodes for display: blank nodes, IRIs, numbers, dates, then other literals.

    Nodes of one value stand together, the smallest datatype first, then the smallest lexical form.
    """
    match node:
        case Blank(label):
            return 0, 0.0, (), label, "", ""
        case Iri(iri):
            return 1, 0.0, (), iri, "", ""
    match value_of(node):
        case float() as number:
            return 2, number, (), node.datatype, node.lexical, ""
        case Interval() as covers:
            return 3, 0.0, covers, node.datatype, node.lexical, ""
        case _:
            return 4, 0.0, (), node.lexical, node.datatype, node.language or ""


# --- values of literals -------------------------------------------------------------------------------------------


@lru_cache(maxsize=65536)
def _literal_value(lexical: str, datatype: str, language: str | None) -> float | Interval | Text | Boolean | None:
    """The value of a literal, or None when the literal is worth itself."""
    if datatype == XSD_STRING:
        return Text(lexical, None)
    if datatype in NUMERIC_DATATYPES:
        return _number(lexical, datatype)
    if datatype in DATE_DATATYPES:
        return interval(lexical, datatype)
    if datatype == RDF_LANG_STRING and language is not None:
        return Text(lexical, language.lower())
    if datatype == XSD_BOOLEAN and lexical in ("true", "false", "1", "0"):
        return Boolean(lexical in ("true", "1"))
    return None


@cache
def _number_pattern() -> re.Pattern[str]:
    return re.compile(
        r"(?P<integer>[+-]?[0-9]+)"
        r"|(?P<decimal>[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+))"
        r"|[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[eE][+-]?[0-9]+|[+-]?INF"
    )


def _number(lexical: str, datatype: str) -> float | None:
    found = _number_pattern().fullmatch(lexical)
    if found is None:
        return None
    if datatype in INTEGER_DATATYPES:
        fits = found["integer"] is not None
    else:
        fits = datatype in FLOATING_DATATYPES or found.lastgroup is not None
    if not fits:
        return None
    return float(lexical) if datatype != XSD_FLOAT else float(float_form(lexical))


def float_form(lexical: str) -> str:
    """The shortest form of a well-formed xsd:float that means the same float of 32 bits: ``16777217`` is
    ``16777216``, ``1e40`` is ``INF``, ``0.10`` is ``0.1``.

    (What lies within 2⁻⁵³ of the middle between two floats may round to the other one than an engine rounds to.)
    """
    import struct
    from decimal import ROUND_HALF_UP, Context, Decimal

    number = float(lexical)
    if number in (float("inf"), float("-inf")):
        return "INF" if number > 0 else "-INF"
    try:
        held = struct.pack("<f", number)
    except OverflowError:
        return "INF" if number > 0 else "-INF"
    exact = Decimal(struct.unpack("<f", held)[0])
    spellings = (str(Context(digits, ROUND_HALF_UP).create_decimal(exact)) for digits in range(1, 9))
    # nine digits tell any two floats apart
    return next((s for s in spellings if _packed(s) == held), str(Context(9, ROUND_HALF_UP).create_decimal(exact)))


def _packed(spelled: str) -> bytes | None:
    """The 32 bits of the nearest float; None where it is too large for one."""
    import struct

    try:
        return struct.pack("<f", float(spelled))
    except OverflowError:
        return None


def as_held(literal: Literal) -> Literal:
    """The literal as a graph has to hold it, so that an engine that keeps spellings finds what one that keeps values
    does: dates in the form of :func:`pylf.ir.dates.canonical`, an xsd:float in that of :func:`float_form`."""
    if literal.datatype != XSD_FLOAT or _number(literal.lexical, XSD_FLOAT) is None:
        return canonical(literal)
    return Literal(float_form(literal.lexical), XSD_FLOAT)


def is_misspelled(node: Node) -> bool:
    """Whether a literal is spelled as another value than it has: the last moment of a day is the first of the next, and
    an xsd:float the nearest that 32 bits can say."""
    if not isinstance(node, Literal):
        return False
    if node.datatype == XSD_FLOAT:
        return _number(node.lexical, XSD_FLOAT) != _number(node.lexical, XSD + "double")
    return "T24:" in node.lexical


# --- comparison ---------------------------------------------------------------------------------------------------


def _as_date(constant: Node) -> Literal | None:
    """The date that an integer or a plain string is spelled like, or None."""
    if not isinstance(constant, Literal):
        return None
    if constant.datatype in NUMERIC_DATATYPES:
        digits = constant.lexical.lstrip("+-")
        return date_literal(constant.lexical) if digits.isdigit() else None
    return date_literal(constant.lexical) if constant.datatype == XSD_STRING else None


def _dates(op: Op, value: Interval, constant: Literal) -> bool:
    covers = constant_interval(constant.lexical, constant.datatype)
    if covers is None:
        return False
    (v0, v1), (c0, c1) = value, covers
    match op:
        case Op.LT:
            return v1 <= c0
        case Op.LE:
            return v1 <= c1
        case Op.GT:
            return v0 >= c1
        case Op.GE:
            return v0 >= c0
        case Op.EQ:
            return c0 <= v0 and v1 <= c1
        case Op.NE:
            return not (c0 <= v0 and v1 <= c1)
        case _:
            return value == covers


def _ordered(op: Op, left: _Ordered, right: _Ordered) -> bool:
    match op:
        case Op.LT:
            return left < right
        case Op.LE:
            return left <= right
        case Op.GT:
            return left > right
        case Op.GE:
            return left >= right
        case _:
            return _equal(op, left, right)


def _equal(op: Op, left: object, right: object) -> bool:
    if op is Op.EQ:
        return left == right
    return op is Op.NE and left != right
