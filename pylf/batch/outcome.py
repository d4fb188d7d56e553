"""What became of a record, and of all of them together."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    #: ``code``, ``message``, ``hints`` and, where it has a place in the text, ``line``, ``column``, ``start``, ``end``
    Finding = Mapping[str, Any]
    #: answers as lines of JSON, and their tally as plain data
    Answer = tuple[bytes, Mapping[str, Any]]

_encode = json.JSONEncoder(ensure_ascii=False).encode
_encode_ascii = json.JSONEncoder().encode

#: A tally names so many records for each reason.
SHOWN = 5


@record
class Compiled:
    """A record's answer: its ``forms`` by name, or, where it is refused, ``errors``. A form is text; ``json`` and
    ``graphquery`` are data.

    ``id`` is the record's own or its number; ``line`` its line, or its place in a list, from 1. Findings are plain
    data, as :meth:`pylf.errors.Diagnostic.to_json` gives it.
    """

    id: str | int
    line: int
    forms: Mapping[str, Any]
    warnings: tuple[Finding, ...] = ()
    errors: tuple[Finding, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """``{"id", "line", FORM…, "warnings"}``, or ``{"id", "line", "error", "errors"?}``: the first error, and all of
        them where there are several."""
        data: dict[str, Any] = {"id": self.id, "line": self.line}
        if not self.errors:
            return {**data, **self.forms, "warnings": self.warnings}
        data["error"] = self.errors[0]
        if len(self.errors) > 1:
            data["errors"] = self.errors
        return data


def read_compiled(data: Mapping[str, Any]) -> Compiled:
    """The answer that :meth:`Compiled.to_json` gave.

    Raises:
        LookupError: it is no such data.
    """
    if "error" in data:
        return Compiled(data["id"], data["line"], {}, (), tuple(data.get("errors", (data["error"],))))
    forms = {k: v for k, v in data.items() if k not in ("id", "line", "warnings")}
    return Compiled(data["id"], data["line"], forms, tuple(data["warnings"]))


def refused(record_id: str | int, line: int, code: str, message: str, *hints: str) -> Compiled:
    """A record that is refused for one reason."""
    return Compiled(record_id, line, {}, (), ({"code": code, "message": message, "hints": list(hints)},))


def written(answer: Compiled) -> bytes:
    """An answer as a line of JSON."""
    data = answer.to_json()
    try:
        return _encode(data).encode() + b"\n"
    except UnicodeEncodeError:  # half a surrogate pair, which JSON can hold and UTF-8 cannot
        return _encode_ascii(data).encode() + b"\n"


def alone(answer: Compiled) -> Answer:
    """One answer, with its tally."""
    tally = Tally()
    tally.add(answer)
    return written(answer), tally.to_json()


def faulty(first: int, fault: tuple[str, str]) -> Answer:
    """The answer to a line that is not handed on: for what fault, as :class:`pylf.batch.reading.Chunk` has it."""
    return alone(refused(first, first, *fault))


class Tally:
    """How many records came in, how many were refused and why, and what was warned of: by code, how many records and
    the first few ids, each once. One that has no id is named as ``line 17``."""

    def __init__(self) -> None:
        self.total = 0
        self.refused: dict[str, tuple[int, list[str | int]]] = {}
        self.warned: dict[str, tuple[int, list[str | int]]] = {}

    @property
    def refusals(self) -> int:
        """How many records were refused."""
        return sum(count for count, _ in self.refused.values())

    def add(self, answer: Compiled) -> None:
        """One more record."""
        self.total += 1
        if answer.errors:
            _count(self.refused, answer.errors[0]["code"], 1, (_name_of(answer),))
        elif answer.warnings:
            for code in {w["code"]: None for w in answer.warnings}:
                _count(self.warned, code, 1, (_name_of(answer),))

    def merge(self, data: Mapping[str, Any]) -> None:
        """The records that another tally, as plain data, has counted after these."""
        self.total += data["in"]
        for mine, name in ((self.refused, "refused"), (self.warned, "warned")):
            for code, found in data[name].items():
                _count(mine, code, found["count"], found["first"])

    def to_json(self) -> dict[str, Any]:
        """``{"in", "out", "refused": {code: {"count", "first"}}, "warned": likewise}``."""
        return {
            "in": self.total,
            "out": self.total - self.refusals,
            "refused": {code: {"count": count, "first": ids} for code, (count, ids) in self.refused.items()},
            "warned": {code: {"count": count, "first": ids} for code, (count, ids) in self.warned.items()},
        }


def _name_of(answer: Compiled) -> str | int:
    return f"line {answer.line}" if answer.id == answer.line else answer.id


def _count(into: dict[str, tuple[int, list[str | int]]], code: str, more: int, which: Iterable[str | int]) -> None:
    count, ids = into.get(code, (0, []))
    if len(ids) < SHOWN:
        ids = list(dict.fromkeys((*ids, *which)))[:SHOWN]
    into[code] = count + more, ids
