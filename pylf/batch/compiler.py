"""One record after the other, compiled in this process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pylf.api import CompiledQuery, compile
from pylf.batch.gold import told
from pylf.batch.outcome import Compiled, Tally, faulty, refused, written
from pylf.batch.question import DATA, question_of
from pylf.errors import CompileError, EngineError, InputError, InvalidIR, NoForm, UnsupportedOperation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.batch.outcome import Answer, Finding
    from pylf.batch.plan import Plan
    from pylf.batch.reading import Chunk
    from pylf.errors import Diagnostic

#: Questions that every schema knows; compiling one opens the surroundings and tries every choice.
_FIRST = {"pylf": "answer = STOP(START(1))", "sparql": "ASK { VALUES ?x { 1 } }"}

_decode = json.JSONDecoder().decode


class Compiler:
    """Compiles records as a plan says. The schema and all else that they share is opened once.

    Raises:
        InputError: a schema, a vocabulary or a graph cannot be read, or a choice is none.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        source = "sparql" if plan.source == "sparql" else "pylf"  # some choices are for the one alone
        first = compile(_FIRST[source], source=source, **plan.choices)
        self._settings, self._against = first.settings, first.against
        self.schema = first.schema

    def compiled(self, number: int, given: object) -> Compiled:
        """The answer to one record; what is no mapping is refused."""
        found = question_of(given, self.plan, number)
        return found if isinstance(found, Compiled) else self._answer(found[0], number, found[1])

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

    def chunk(self, chunk: Chunk) -> Answer:
        """The answers to a chunk."""
        if chunk.fault is not None:
            return faulty(chunk.first, chunk.fault)
        tally = Tally()
        out = []
        for answer in self.lines(chunk.first, chunk.data):
            tally.add(answer)
            out.append(written(answer))
        return b"".join(out), tally.to_json()

    def _answer(self, record_id: str | int, number: int, text: str) -> Compiled:
        plan = self.plan
        try:
            query = CompiledQuery(text, plan.field, plan.source, self._settings, self._against)
            forms = {form: form_of(query, form) for form in plan.forms}
        except (CompileError, NoForm) as problem:
            errors = [d for d in problem.diagnostics if d.severity == "error"] or problem.diagnostics
            return Compiled(record_id, number, {}, (), tuple(map(_finding, errors)))
        except UnsupportedOperation as problem:
            return Compiled(record_id, number, {}, (), (_finding(problem.finding),))
        except InvalidIR as problem:
            return refused(record_id, number, "invalid-ir", str(problem))
        except InputError as problem:
            return refused(record_id, number, "bad-input", str(problem))
        except EngineError as problem:
            return refused(record_id, number, "engine", str(problem))
        except RecursionError:
            return refused(record_id, number, "too-deep", "the question nests too deeply")
        except Exception as problem:  # noqa: BLE001 (one record that shows a fault of ours must not cost the others)
            return refused(record_id, number, "internal", f"{type(problem).__name__}: {problem}")
        return Compiled(record_id, number, forms, tuple(map(_finding, query.diagnostics)))


def form_of(query: CompiledQuery, form: str) -> Any:
    """A query in one of :data:`pylf.batch.plan.WRITTEN`, as plain data; raises what :meth:`CompiledQuery.to` does."""
    match form:
        case "fingerprint":
            return query.fingerprint
        case "negation" | "dialect" | "exclude_topic" | "all_different" | "inner_classes" | "ties":
            return getattr(query.settings, form)
        case "answers" | "snapshot":
            return told(query, form)
    text = query.to(form)
    return _decode(text) if form in DATA else text


def _finding(diagnostic: Diagnostic) -> Finding:
    data: dict[str, Any] = diagnostic.to_json()
    data.pop("file", None)
    data.pop("severity")
    return data
