"""Casts by the constructor functions of XML Schema (SPARQL 1.1, 17.5; XPath and XQuery Functions and Operators, 17)."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import TYPE_CHECKING

from pylf.ir.arithmetic import as_double, decimal_form, double_form, literal_of, number_of
from pylf.ir.expressions import FALSE, TRUE
from pylf.ir.terms import XSD, XSD_BOOLEAN, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER, XSD_STRING, Iri, Literal
from pylf.ir.values import FLOATING_DATATYPES, XSD_FLOAT, Boolean, value_of

if TYPE_CHECKING:
    from pylf.ir.terms import Node

_DATE = XSD + "date"
_DATE_TIME = XSD + "dateTime"
#: From here to 1e6 a double is spelled without an exponent when it becomes a string.
_SMALLEST_PLAIN = 1e-6
_LARGEST_PLAIN = 1e6


def cast(datatype: str, node: Node) -> Node | None:
    """The node as a literal of a datatype, or None where it cannot be one."""
    if isinstance(node, Iri):
        return Literal(node.value) if datatype == XSD_STRING else None
    if not isinstance(node, Literal):
        return None
    if datatype == XSD_STRING:
        return Literal(_spelled(node))
    if datatype == XSD_BOOLEAN:
        return _boolean(node)
    if datatype in (_DATE, _DATE_TIME):
        return _date(datatype, node)
    if isinstance(value_of(node), Boolean):
        node = Literal("1" if node.lexical in ("true", "1") else "0", XSD_INTEGER)
    if node.datatype == XSD_STRING:
        return _as_number(node.lexical, datatype)
    number = number_of(node)
    if number is None:
        return None
    if datatype == XSD_DOUBLE:
        return literal_of(as_double(number))
    if datatype == XSD_FLOAT:
        return _as_number(double_form(as_double(number)), XSD_FLOAT)
    if isinstance(number, float):
        if not math.isfinite(number):
            return None
        number = Decimal(number)
    return literal_of(int(number) if datatype == XSD_INTEGER else Decimal(number))


def _as_number(text: str, datatype: str) -> Literal | None:
    """The number that a string spells, if it is spelled as the datatype wants it."""
    literal = Literal(text.strip(" \t\r\n"), datatype)
    if datatype in FLOATING_DATATYPES or datatype in (XSD_INTEGER, XSD_DECIMAL):
        return literal if number_of(literal) is not None else None
    return None


def _boolean(node: Literal) -> Literal | None:
    if node.datatype == XSD_STRING:
        node = Literal(node.lexical.strip(" \t\r\n"), XSD_BOOLEAN)
    match value_of(node):
        case Boolean(true):
            return TRUE if true else FALSE
        case float() as number:
            return TRUE if number != 0 else FALSE
        case _:
            return None


def _date(datatype: str, node: Literal) -> Literal | None:
    lexical, given = node.lexical, node.datatype
    if given == XSD_STRING:
        lexical, given = lexical.strip(" \t\r\n"), datatype
        if isinstance(value_of(Literal(lexical, given)), Literal):
            return None
    elif given not in (_DATE, _DATE_TIME) or isinstance(value_of(node), Literal):
        return None
    if given == datatype:
        return Literal(lexical, datatype)
    found = re.fullmatch(r"(-?\d{4,}-\d\d-\d\d)(?:T[0-9:.]+)?(Z|[+-]\d\d:\d\d)?", lexical)
    if found is None:
        return None
    middle = "T00:00:00" if datatype == _DATE_TIME else ""
    return Literal(found[1] + middle + (found[2] or ""), datatype)


def _spelled(node: Literal) -> str:
    """What a literal is as a string: numbers and booleans in their canonical form."""
    worth = value_of(node)
    if isinstance(worth, Boolean):
        return "true" if worth.true else "false"
    number = number_of(node)
    match number:
        case int():
            return str(number)
        case Decimal():
            return decimal_form(number)
        case float() if number == 0 or _SMALLEST_PLAIN <= abs(number) < _LARGEST_PLAIN:
            return decimal_form(Decimal(repr(number)))
        case float():
            return double_form(number)
        case _:
            return node.lexical
