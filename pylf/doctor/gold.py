"""A gold set, asked of a graph: how many of its questions are answered, and what the others lack.

A set is what :mod:`pylf.batch` reads: JSON Lines, or one JSON array. A record holds a question as a program, an
s-expression, a graph query or SPARQL, and perhaps the answers that it should have.
"""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pylf.backends.http import guard
from pylf.backends.missing import Named, Presence
from pylf.backends.outcome import Outcome, Status, outcome_of
from pylf.batch.plan import id_of, value_at
from pylf.batch.reading import WAITING, open_records
from pylf.doctor import agreement, sparql_names
from pylf.errors import CompileError, EngineError, InputError, InvalidIR, UnsupportedOperation, first_line
from pylf.ir.answers import Answers
from pylf.ir.nodes import Form
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pylf.api import CompiledQuery
    from pylf.graphs import KnowledgeGraph

#: The fields that hold a question, and the form that it has there; the first that a record has is asked.
FIELDS = (
    ("program", "pylf"),
    ("pylf", "pylf"),
    ("s_expression", "sexpr"),
    ("sexpr", "sexpr"),
    ("s_expr", "sexpr"),
    ("SExpr", "sexpr"),
    ("graph_query", "graphquery"),
    ("sparql", "sparql"),
    ("sparql_query", "sparql"),
    ("Parses.0.Sparql", "sparql"),
)
#: The fields that hold the answers.
ANSWERS = ("answers", "answer")
#: Status of a question that cannot be compiled against the graph's schema.
UNCOMPILED = "not compiled"
#: Most questions under way at a time.
AT_ONCE = 8
#: So many of the commonest missing names are told.
NAMED = 10


@record
class Asked:
    """What came of one question. ``status`` is one of :class:`~pylf.backends.outcome.Status`, or ``not compiled``;
    ``missing`` is what an empty one names first that the graph does not hold; ``agrees`` is None where no answers are
    given, or none came, or labels would have to be known and are not told."""

    id: str | int
    line: int
    status: str
    seconds: float = 0.0
    reason: str = ""
    missing: Named | None = None
    agrees: bool | None = None

    def to_json(self) -> dict[str, object]:
        """The question as plain data; what is not known is left out."""
        data: dict[str, object] = {"id": self.id, "line": self.line, "status": self.status}
        data["seconds"] = round(self.seconds, 4)
        if self.reason:
            data["reason"] = self.reason
        if self.missing is not None:
            data["missing"] = {"kind": self.missing.kind, "name": self.missing.name}
        if self.agrees is not None:
            data["agrees"] = self.agrees
        return data


@record
class Gold:
    """A gold set on a graph."""

    name: str
    questions: tuple[Asked, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many questions ended in each way, in the order of :class:`~pylf.backends.outcome.Status`."""
        counted = Counter(str(asked.status) for asked in self.questions)
        return {status: counted[status] for status in (*map(str, Status), UNCOMPILED) if counted[status]}

    @property
    def empty_share(self) -> float | None:
        """The share of complete answers that are empty; None where there is no complete answer."""
        counts = self.counts
        empty, answered = counts.get(Status.EMPTY, 0), counts.get(Status.ANSWERED, 0)
        return empty / (empty + answered) if empty + answered else None

    @property
    def missing(self) -> list[tuple[Named, int]]:
        """What is missing first in so many questions, the commonest first."""
        counted = Counter(asked.missing for asked in self.questions if asked.missing is not None)
        return sorted(counted.items(), key=lambda item: (-item[1], str(item[0])))

    @property
    def agreeing(self) -> tuple[int, int]:
        """How many answers agree with those that are given, of how many that could be compared."""
        compared = [asked.agrees for asked in self.questions if asked.agrees is not None]
        return sum(compared), len(compared)

    @property
    def fruitless(self) -> bool:
        """Whether there are questions and not one is answered."""
        return bool(self.questions) and Status.ANSWERED not in self.counts

    def to_json(self) -> dict[str, object]:
        """The set as plain data."""
        agreeing, compared = self.agreeing
        share = self.empty_share
        return {
            "file": self.name,
            "questions": len(self.questions),
            "counts": self.counts,
            "empty_share": None if share is None else round(share, 4),
            "missing": [{"kind": named.kind, "name": named.name, "questions": n} for named, n in self.missing],
            "compared": compared,
            "agreeing": agreeing,
            "outcomes": [asked.to_json() for asked in self.questions],
        }


def run_gold(
    path: str,
    graph: KnowledgeGraph,
    timeout: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Gold:
    """Ask every question of a file. ``timeout`` is in seconds, for each.

    Raises:
        InputError: the file cannot be read, or no record of it holds a question.
    """
    records = list(_records(path))
    presence = Presence(graph.engine.ask, graph.schema, graph.vocabulary)
    found: list[Asked] = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        try:
            futures = [pool.submit(_asked, number, given, graph, presence, timeout) for number, given in records]
            for done, future in enumerate(futures, 1):
                found.append(future.result())
                if progress is not None:
                    progress(done, len(futures))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    if not found:
        raise InputError(f"{path}: there is no question in it")
    return Gold(path, tuple(found))


def _records(path: str) -> Iterator[tuple[int, object]]:
    """The records of a file with their numbers; one that is no JSON is the reason as text."""
    with open_records(path) as stream:
        for chunk in stream.chunks():
            if chunk is WAITING:
                continue
            if chunk.fault is not None:
                yield chunk.first, chunk.fault[1]
                continue
            for line in chunk.lines():
                try:
                    yield line.first, json.loads(line.data)
                except (ValueError, RecursionError) as problem:
                    yield line.first, f"the line is not JSON: {problem}"


def _asked(number: int, given: object, graph: KnowledgeGraph, presence: Presence, timeout: float | None) -> Asked:
    name = id_of(given, None, number) or number
    if not isinstance(given, dict):
        return Asked(name, number, UNCOMPILED, reason=given if isinstance(given, str) else "the record is no object")
    question = question_of(given)
    if question is None:
        fields = ", ".join(dict.fromkeys(field for field, _ in FIELDS))
        return Asked(name, number, UNCOMPILED, reason=f"the record holds no question: none of the fields {fields}")
    text, source = question
    if source == "sparql":
        outcome = outcome_of(lambda: _asked_as_written(text, graph, timeout))
        missing = _missing_of_text(text, graph, presence) if outcome.status is Status.EMPTY else None
        return _recorded(name, number, outcome, missing, given, graph)
    try:
        query = _compiled(text, source, given, graph)
    except CompileError as refused:
        return Asked(name, number, UNCOMPILED, reason=refused.diagnostics[0].message)
    except (InputError, InvalidIR, UnsupportedOperation) as refused:
        return Asked(name, number, UNCOMPILED, reason=first_line(refused))
    except EngineError as failed:
        return Asked(name, number, str(Status(failed.status)), reason=first_line(failed))
    try:
        outcome = query.attempt(graph, timeout).outcome
    except (UnsupportedOperation, InvalidIR) as refused:
        return Asked(name, number, UNCOMPILED, reason=first_line(refused))
    missing = _missing(query, presence) if outcome.status is Status.EMPTY or _naught(outcome) else None
    return _recorded(name, number, outcome, missing, given, graph)


def question_of(given: dict[str, Any]) -> tuple[str, str] | None:
    """The text of a record's question and the form that it has; None where it holds none."""
    for field, source in FIELDS:
        try:
            value = value_at(given, field)
        except LookupError:
            continue
        if isinstance(value, str) and value.strip():
            return value, source
        if isinstance(value, dict) and source == "graphquery":
            return json.dumps(value), source
    return None


def answers_of(given: dict[str, Any]) -> Any:
    """The answers that a record holds; None where it holds none."""
    return next((given[field] for field in ANSWERS if given.get(field) is not None), None)


def _compiled(text: str, source: str, given: dict[str, Any], graph: KnowledgeGraph) -> CompiledQuery:
    from pylf.api import compile

    negation = given.get("negation")
    return compile(text, kg=graph, source=source, negation=negation if negation in ("cwa", "pca") else "cwa")


def _recorded(
    name: str | int,
    number: int,
    outcome: Outcome,
    missing: Named | None,
    given: dict[str, Any],
    graph: KnowledgeGraph,
) -> Asked:
    expected = answers_of(given)
    agrees = None
    if expected is not None and outcome.complete and outcome.answers is not None:
        with suppress(EngineError):  # then it is not known
            agrees = agreement.agrees(outcome.answers, expected, graph)
    reason = first_line(outcome.reason)
    return Asked(name, number, str(outcome.status), outcome.seconds, reason, missing, agrees)


def _naught(outcome: Outcome) -> bool:
    """A count of nothing is answered, and as telling as an empty set."""
    return outcome.answers is not None and outcome.answers.number == 0


def _missing(query: CompiledQuery, presence: Presence) -> Named | None:
    """What is missing first: a label that nothing bears, as the compiler found, else by asking."""
    for diagnostic in query.diagnostics:
        if diagnostic.code == "unknown-label" and diagnostic.name is not None:
            return Named("label", diagnostic.name)
    return presence.first_missing(query.ir)


# --- SPARQL as it is written ------------------------------------------------------------------------------------------


def _asked_as_written(text: str, graph: KnowledgeGraph, timeout: float | None) -> Answers:
    """The answers of a SPARQL text: of its one column, or of all where there are several.

    Raises:
        EngineRefused: it is not one that may be asked of any engine: an update, a SERVICE.
    """
    if guard.check(text) == "ASK":
        return Answers.of_boolean(graph.engine.ask(text, timeout))
    found = graph.engine.select(text, timeout)
    names = sorted({name for row in found for name in row})
    if len(names) < 2:
        return Answers.of_values([node for row in found for node in row.values()])
    return Answers.of_rows([tuple(map(row.get, names)) for row in found], Form.ROWS)


def _missing_of_text(text: str, graph: KnowledgeGraph, presence: Presence) -> Named | None:
    names = sparql_names.names_in(text, graph.vocabulary.type_predicates)
    return next((named for named in names if presence.holds(named) is False), None)
