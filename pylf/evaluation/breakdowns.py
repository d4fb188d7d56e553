"""Averages over parts of a set: by level, function, hops, number and kind of constraint, or whatever tag it has."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pylf.evaluation.intervals import DRAWS, Average, averages, selected
from pylf.evaluation.kinds import kinds_of
from pylf.evaluation.metrics import score
from pylf.evaluation.summary import columns_of
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pylf.datasets.formats.question import Question
    from pylf.evaluation.record import Record

#: what is broken down by where nobody says
USUAL = ("level", "function", "hops", "constraints", "kinds")
#: a tag with more values tells questions apart rather than kinds of them
MOST_VALUES = 40
_LONGEST = 60
#: a value with its type, so that 1 and true are two
_Value = tuple[type, Any]


@record
class Part:
    """The questions that have a value of a tag: how many, their averages, and those over the ones with gold answers."""

    value: str
    count: int
    averages: dict[str, Average]
    with_gold: dict[str, Average]


def tags_of(question: Question) -> dict[str, Any]:
    """What breakdowns can go by: level, function, hops, the short values that the set has besides and, where it has no
    ``kinds`` of its own, those of constraints in the gold program."""
    short = {name: value for name, value in question.meta.items() if _is_tag(value)}
    stated = {name: getattr(question, name) for name in ("level", "function", "hops")}
    if "kinds" not in short and (kinds := kinds_of(question.programs)):
        short["kinds"] = list(kinds)
    return short | {name: value for name, value in stated.items() if value is not None}


def breakdown(
    records: Sequence[Record], tag: str, *, draws: int = DRAWS, allow_partial: bool = False
) -> tuple[Part, ...]:
    """Averages by each value of a tag, in order. A question with several values counts for each; one without is under
    ``(none)``."""
    parts: dict[_Value, list[Record]] = {}
    for one in records:
        for value in _values(one, tag):
            parts.setdefault(value, []).append(one)
    found = []
    for value, members in sorted(parts.items(), key=lambda item: _order(item[0][1])):
        scores = [each for one in members if (each := score(one, allow_partial)) is not None]
        columns = columns_of(scores) if scores else {}
        with_gold = selected(columns, [not each.empty_gold for each in scores])
        shown = "(none)" if value[1] is None else str(value[1])
        found.append(Part(shown, len(members), averages(columns, {}, draws), averages(with_gold, {}, draws)))
    return tuple(found)


def worth_telling(records: Sequence[Record], tags: Sequence[str] = USUAL) -> tuple[str, ...]:
    """The tags that questions have with at least two values, and not very many."""
    found = []
    for tag in tags:
        values = {value for one in records for value in _values(one, tag)}
        if 1 < len(values) <= MOST_VALUES:
            found.append(tag)
    return tuple(found)


def parts_data(parts: Sequence[Part]) -> list[Mapping[str, Any]]:
    """A breakdown as plain data."""
    from pylf.evaluation.summary import averages_data

    return [
        {
            "value": one.value,
            "questions": one.count,
            "averages": averages_data(one.averages),
            "averages_with_gold": averages_data(one.with_gold),
        }
        for one in parts
    ]


def _values(one: Record, tag: str) -> Iterable[_Value]:
    """Those that a question has of a tag, each once; None alone where it has none. What is no short value of its own
    (an object, a list in a list) is one by its text."""
    given = one.tags.get(tag)
    values = (given or (None,)) if isinstance(given, list | tuple) else (given,)
    plain = [v if v is None or isinstance(v, str | int | float) else json.dumps(v, default=str) for v in values]
    return dict.fromkeys((type(v), v) for v in plain)


def _is_tag(value: object) -> bool:
    match value:
        case str():
            return len(value) <= _LONGEST
        case bool() | int():
            return True
        case list() | tuple():
            return len(value) <= MOST_VALUES and all(isinstance(one, str) and len(one) <= _LONGEST for one in value)
    return False


def _order(value: object) -> tuple[int, float, str]:
    match value:
        case None:
            return 2, 0.0, ""
        case int() | float():
            return 0, value, ""
    return 1, 0.0, str(value)
