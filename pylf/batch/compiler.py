"""One record after the other, compiled in this process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pylf.api import CompiledQuery, compile
from pylf.batch.outcome import Compiled, Tally, refused, written
from pylf.batch.plan import id_of, value_at
from pylf.errors import CompileError, EngineError, InputError, InvalidIR, NoForm, UnsupportedOperation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.batch.outcome import Finding
    from pylf.batch.plan import Plan
    from pylf.errors import Diagnostic

#: The forms that are data as well as text: read as either, written as data.
_DATA = ("graphquery", "json")
#: A program that every schema knows; compiling it opens the surroundings and tries every choice.
_FIRST = "answer = STOP(START(1))"

_encode = json.JSONEncoder(ensure_ascii=False).encode
_decode = json.JSONDecoder().decode


class Compiler:
    """Compiles records as a plan says. The schema and all else that they share is opened once.

    Raises:
        InputError: a schema, a vocabulary or a graph cannot be read, or a choice is none.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        first = compile(_FIRST, **plan.choices)
        self._settings, self._graph = first.settings, first.graph
        self._schema, self._vocabulary = first.schema, first.vocabulary

    def compiled(self, number: int, given: object) -> Compiled:
        """The answer to one record; what is no mapping is refused."""
        plan = self.plan
        known = id_of(given, plan.id, number)
        if not isinstance(given, dict):
            return refused(number, number, "not-an-object", f"the record is {_kind(given)}, not an object")
        if known is None:
            return refused(number, number, "no-id", f"the record's {plan.id!r} is no text or number that names it")
        try:
            value = value_at(given, plan.field)
        except LookupError:
            hint = f"its fields are {', '.join(map(repr, list(given)[:12]))}" if given else "it has no fields"
            return refused(known, number, "no-field", f"the record has no field {plan.field!r}", hint)
        if isinstance(value, str):
            return self._answer(known, number, value)
        if isinstance(value, dict | list) and plan.source in _DATA:
            try:
                return self._answer(known, number, _encode(value))
            except (ValueError, TypeError, RecursionError) as problem:
                return refused(known, number, "wrong-type", f"the field {plan.field!r} is no JSON: {problem}")
        return refused(known, number, "wrong-type", f"the field {plan.field!r} is {_kind(value)}, not text")

    def line(self, number: int, text: bytes) -> Compiled | None:
        """The answer to a line of JSON; None where it is blank."""
        try:
            given = _decode(text.decode())
        except UnicodeDecodeError as problem:
            return refused(number, number, "not-utf8", f"the line is not UTF-8 text (byte {problem.start})")
        except RecursionError:
            return refused(number, number, "too-deep", "the record nests too deeply")
        except ValueError as problem:
            if not text.strip():
                return None
            return refused(number, number, "not-json", f"the line is not JSON: {problem}")
        return self.compiled(number, given)

    def lines(self, first: int, data: bytes) -> Iterator[Compiled]:
        """The answers to lines of JSON, of which ``first`` is the number of the first."""
        for number, text in enumerate(data.split(b"\n"), first):
            if text:
                found = self.line(number, text)
                if found is not None:
                    yield found

    def chunk(self, first: int, data: bytes) -> tuple[bytes, Tally]:
        """The answers to lines of JSON, as lines of JSON."""
        tally = Tally()
        out = []
        for answer in self.lines(first, data):
            tally.add(answer)
            out.append(written(answer))
        return b"".join(out), tally

    def _answer(self, known: str | int, number: int, text: str) -> Compiled:
        plan = self.plan
        try:
            query = CompiledQuery(
                text, plan.field, plan.source, self._settings, self._schema, self._vocabulary, self._graph
            )
            forms = {form: _form(query, form) for form in plan.forms}
        except (CompileError, NoForm) as problem:
            errors = [d for d in problem.diagnostics if d.severity == "error"] or problem.diagnostics
            return Compiled(known, number, {}, (), tuple(map(_finding, errors)))
        except UnsupportedOperation as problem:
            return refused(known, number, "unsupported", str(problem))
        except InvalidIR as problem:
            return refused(known, number, "invalid-ir", str(problem))
        except InputError as problem:
            return refused(known, number, "bad-input", str(problem))
        except EngineError as problem:
            return refused(known, number, "engine", str(problem))
        except RecursionError:
            return refused(known, number, "too-deep", "the question nests too deeply")
        except Exception as problem:  # noqa: BLE001 (one record that shows a fault of ours must not cost the others)
            return refused(known, number, "internal", f"{type(problem).__name__}: {problem}")
        return Compiled(known, number, forms, tuple(map(_finding, query.diagnostics)))


def _form(query: CompiledQuery, form: str) -> Any:
    if form == "fingerprint":
        return query.fingerprint
    text = query.to(form)
    return _decode(text) if form in _DATA else text


def _finding(diagnostic: Diagnostic) -> Finding:
    data: dict[str, Any] = diagnostic.to_json()
    data.pop("file", None)
    data.pop("severity")
    return data


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
