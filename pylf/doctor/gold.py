"""A gold set, asked of a graph: how many of its questions are answered, and what the others lack.

A set is what :mod:`pylf.batch` reads: JSON Lines, or one JSON array. A record holds a question as a program, an
s-expression, a graph query, SPARQL, a chain, a path or a subgraph; perhaps the choices that it is to be read with; and
perhaps the answers that it should have, and the snapshot of the graph that gave them (``pylf compile --batch
--answers`` writes all that). Where other answers come, they have moved: which are gone and which are new is told.

SPARQL is asked as it is written: what a set's own text gives on a graph is what its answers were taken from. Where the
engine refuses the text (missing prefixes, ``COUNT DISTINCT ?x``, a label service), what pylf reads in it is asked
instead, ties cut as it is written.
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
from pylf.records import record, replace

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
    ("chain", "chain"),
    ("path", "path"),
    ("subgraph", "subgraph"),
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
    given, or none came, or labels would have to be known and are not told. Where they do not agree, the answers that
    are given and did not come are ``gone``, and those that came and are not given ``new``. ``snapshot`` is that of the
    graph that the given answers are of, where the record tells; ``reread`` that the engine refuses the SPARQL as it is
    written, and was asked what pylf reads in it."""

    id: str | int
    line: int
    status: str
    seconds: float = 0.0
    reason: str = ""
    missing: Named | None = None
    agrees: bool | None = None
    gone: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    snapshot: str | None = None
    reread: bool = False

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
        if self.agrees is False:
            data["gone"], data["new"] = list(self.gone), list(self.new)
        if self.snapshot is not None:
            data["snapshot"] = self.snapshot
        if self.reread:
            data["reread"] = True
        return data


@record
class Gold:
    """A gold set on a graph, in the state that ``snapshot`` names."""

    name: str
    questions: tuple[Asked, ...]
    snapshot: str = ""

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
    def moved(self) -> tuple[Asked, ...]:
        """The questions whose answers are no longer those that are given."""
        return tuple([asked for asked in self.questions if asked.agrees is False])

    @property
    def earlier(self) -> tuple[str, ...]:
        """The other snapshots whose answers are given."""
        given = dict.fromkeys([asked.snapshot for asked in self.questions if asked.snapshot is not None])
        return tuple([each for each in given if each != self.snapshot])

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
            "moved": [asked.id for asked in self.moved],
            "snapshot": self.snapshot,
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
    return Gold(path, tuple(found), graph.engine.snapshot)


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
        found = _recorded(name, number, outcome, missing, given, graph)
        if outcome.status not in (Status.REFUSED, Status.ERROR):
            return found
        again = _reread(text, graph, timeout)
        return found if again is None else replace(_recorded(name, number, again, None, given, graph), reread=True)
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
    """A record's question, read with the choices that the record states."""
    from pylf.api import compile

    negation = given.get("negation")
    return compile(
        text,
        kg=graph,
        source=source,
        negation=negation if negation in ("cwa", "pca") else "cwa",
        exclude_topic=given.get("exclude_topic") is True,
        all_different=given.get("all_different") is True,
        inner_classes=given.get("inner_classes") is True,
    )


def _recorded(
    name: str | int,
    number: int,
    outcome: Outcome,
    missing: Named | None,
    given: dict[str, Any],
    graph: KnowledgeGraph,
) -> Asked:
    expected = answers_of(given)
    moved = None
    if expected is not None and outcome.complete and outcome.answers is not None:
        with suppress(EngineError):  # then it is not known
            moved = agreement.moved(outcome.answers, expected, graph)
    snapshot = given.get("snapshot")
    return Asked(
        name,
        number,
        str(outcome.status),
        outcome.seconds,
        first_line(outcome.reason),
        missing,
        None if moved is None else not moved,
        () if moved is None else moved.gone,
        () if moved is None else moved.new,
        snapshot if isinstance(snapshot, str) else None,
    )


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
    names = _columns(text, graph) or sorted({name for row in found for name in row})
    if len(names) < 2:
        return Answers.of_values([node for row in found for node in row.values()])
    return Answers.of_rows([tuple(map(row.get, names)) for row in found], Form.ROWS)


def _columns(text: str, graph: KnowledgeGraph) -> list[str]:
    """The columns that a text selects, in its order; none where pylf does not read it."""
    from pylf.frontends.sparql.parser import parse
    from pylf.frontends.sparql.syntax import At, Select
    from pylf.ir.terms import Var

    try:
        asked = parse(text, prefixes=graph.vocabulary.prefixes).query
    except CompileError:
        return []
    columns = asked.columns if isinstance(asked, Select) else None
    named = [column.name or column.value for column in columns or ()]
    return [at.term.name for at in named if isinstance(at, At) and isinstance(at.term, Var)]


def _reread(text: str, graph: KnowledgeGraph, timeout: float | None) -> Outcome | None:
    """What comes of asking what pylf reads in a SPARQL text; None where it reads nothing, or no answer comes of that
    either."""
    from pylf.api import compile

    try:
        outcome = compile(text, kg=graph, source="sparql", ties="cut").attempt(graph, timeout).outcome
    except (CompileError, EngineError, InvalidIR, UnsupportedOperation):
        return None
    return outcome if outcome.complete else None


def _missing_of_text(text: str, graph: KnowledgeGraph, presence: Presence) -> Named | None:
    names = sparql_names.names_in(text, graph.vocabulary.type_predicates)
    return next((named for named in names if presence.holds(named) is False), None)
