"""The question that a record holds, or why it holds none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pylf.batch.outcome import Compiled, refused
from pylf.batch.plan import id_of, value_at

if TYPE_CHECKING:
    from pylf.batch.plan import Plan

#: The forms that are data as well as text: read as either, written as data.
DATA = ("graphquery", "json")

_encode = json.JSONEncoder(ensure_ascii=False).encode


def question_of(given: object, plan: Plan, number: int) -> tuple[str | int, str] | Compiled:
    """A record's id and the text of its question; or the answer to a record that is refused without one."""
    record_id = id_of(given, plan.id, number)
    if not isinstance(given, dict):
        return refused(number, number, "not-an-object", f"the record is {_kind(given)}, not an object")
    if record_id is None:
        return refused(number, number, "no-id", f"the record's {plan.id!r} is no text or number that names it")
    try:
        value = value_at(given, plan.field)
    except LookupError:
        hint = f"its fields are {', '.join(map(repr, list(given)[:12]))}" if given else "it has no fields"
        return refused(record_id, number, "no-field", f"the record has no field {plan.field!r}", hint)
    if isinstance(value, str):
        return record_id, str.__str__(value)
    if isinstance(value, dict | list) and plan.source in DATA:
        try:
            return record_id, _encode(value)
        except (ValueError, TypeError, RecursionError) as problem:
            return refused(record_id, number, "wrong-type", f"the field {plan.field!r} is no JSON: {problem}")
    return refused(record_id, number, "wrong-type", f"the field {plan.field!r} is {_kind(value)}, not text")


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case list():
            return "a list"
        case dict():
            return "an object"
    return f"a {type(value).__name__}"
