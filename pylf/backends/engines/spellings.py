"""Literals that an engine spells as no XML Schema datatype is spelled, in their proper spelling.

Virtuoso prints the year -427 as ``-427``, where XML Schema has four digits, and booleans as ``0`` and ``1``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.ir.dates import DATE_DATATYPES
from pylf.ir.terms import XSD_BOOLEAN, Literal

if TYPE_CHECKING:
    from pylf.backends.sparql.dialect import Dialect
    from pylf.ir.answers import Row

_SHORT_YEAR = re.compile(r"-[0-9]{3}(?![0-9])")
_BOOLEANS = {"0": "false", "1": "true"}


def needs_mending(dialect: Dialect) -> bool:
    """Whether an engine's spellings are such."""
    return dialect.short_years or dialect.prints_numbers


def mended(literal: Literal) -> Literal:
    """The literal itself, or one of the same value in its proper spelling."""
    if literal.datatype in DATE_DATATYPES:
        if _SHORT_YEAR.match(literal.lexical):
            return Literal(f"-0{literal.lexical[1:]}", literal.datatype)
    elif literal.datatype == XSD_BOOLEAN and literal.lexical in _BOOLEANS:
        return Literal(_BOOLEANS[literal.lexical], XSD_BOOLEAN)
    return literal


def mended_row(row: Row) -> Row:
    """The row with each of its literals mended."""
    return tuple([mended(node) if isinstance(node, Literal) else node for node in row])
