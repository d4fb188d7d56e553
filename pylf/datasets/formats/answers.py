"""Answers as plain data: how pylf's own files write them, questions and records alike, and what is read as one."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any

from pylf.datasets.formats.question import KINDS, Answer, stated
from pylf.errors import InputError
from pylf.ir.terms import XSD_BOOLEAN, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER

if TYPE_CHECKING:
    from typing import TypeGuard

#: an id of Freebase
MID = re.compile(r"[mg]\.[0-9a-z_]+")


def plain_answer(value: bool | int | float | str) -> Answer:
    """A value of JSON as the answer that it is: text is an entity where it is an id of Freebase or a web address, else
    a name."""
    match value:
        case bool():
            return Answer("boolean", str(value).lower(), datatype=XSD_BOOLEAN)
        case int():
            return Answer("literal", str(value), datatype=XSD_INTEGER)
        case float():
            text = json.dumps(value)
            return Answer("literal", text, datatype=XSD_DOUBLE if "e" in text else XSD_DECIMAL)
    return Answer("entity" if MID.fullmatch(value) or value.startswith(("http://", "https://")) else "name", value)


def answer_data(one: Answer) -> dict[str, Any]:
    """An answer as plain data, without what is not there."""
    return stated(one)


def answer_of(data: object) -> Answer:
    """The answer that :func:`answer_data` gave; a value of JSON alone is one too, by :func:`plain_answer`.

    Raises:
        InputError: it is no answer.
    """
    match data:
        case bool() | int() | str():
            return plain_answer(data)
        case float() if math.isfinite(data):
            return plain_answer(data)
        case {"kind": str(kind), "value": str(value)} if kind in KINDS:
            known: Any = kind
            told: Any = data
            aliases = told.get("aliases", ())
            described = (told.get("label"), told.get("datatype"), told.get("language"))
            if all(isinstance(one, str | None) for one in described) and _texts(aliases):
                return Answer(known, value, *described, tuple(aliases))
    raise InputError(f"{str(data)[:200]!r} is no answer: it needs 'kind' ({', '.join(KINDS)}) and 'value'")


def _texts(given: object) -> TypeGuard[list[str] | tuple[str, ...]]:
    return isinstance(given, list | tuple) and all(isinstance(one, str) for one in given)
