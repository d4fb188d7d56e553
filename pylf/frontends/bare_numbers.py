"""Numbers without quotes and datatype, as other forms of questions write them, in PyLF's spelling."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.ir.nodes import Kind
from pylf.language.constants import NUMBER, kind_of_relation
from pylf.language.findings import MAX_NUMBER

if TYPE_CHECKING:
    from pylf.ir.schema.model import Relation

_SPELLING = re.compile(r"([+-]?)(?=\.?[0-9])0*([0-9]*)(?:\.([0-9]*))?([eE][+-]?[0-9]+)?\Z")


def number_of(text: str) -> str | None:
    """A number as PyLF spells it, None for any other text. Zeros before a number mean nothing to it: ``0912`` is 912,
    ``.5`` is 0.5 and ``5.`` is 5.0."""
    if len(text) > MAX_NUMBER:
        return None
    if NUMBER.match(text):
        return text
    found = _SPELLING.match(text)
    if found is None:
        return None
    sign, whole, fraction, exponent = found.groups()
    point = "" if fraction is None else f".{fraction or '0'}"
    return f"{sign}{whole or '0'}{point}{exponent or ''}"


def takes_numbers(relation: Relation | None) -> bool:
    """Whether what is spelled like a number may be one among a relation's values, and is not text, or a value of
    another datatype, to which each of its characters belongs."""
    if relation is None:
        return True
    kind = kind_of_relation(relation)
    return kind is not Kind.TEXT and not (kind is Kind.ANY and len(relation.datatypes) == 1)
