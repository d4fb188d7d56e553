"""One pair of a graph and a program or a query, and what it means by the definition and by the reference evaluator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.equivalence.settled import settled
from pylf.errors import CompileError, InvalidIR
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Query
from pylf.ir.text import print_query
from pylf.ir.verify import verify
from pylf.language.context import Context
from pylf.language.lower import lower
from pylf.language.printer import print_program
from pylf.records import record
from pylf.testing.denotation import denote
from pylf.testing.drawn.programs import TODAY
from pylf.testing.drawn.schemas import VOCABULARY

if TYPE_CHECKING:
    from pylf.ir.answers import Answers
    from pylf.ir.schema.model import Schema
    from pylf.language import syntax
    from pylf.testing.drawn.worlds import Setting

#: why a query is refused that is to count and has nothing to count
NO_NUMBER = "no-number"
#: why a query is refused of which an engine may answer one thing or another: which of several that tie are in, say
UNSETTLED = "unsettled"


@record
class Case:
    """A program over a graph; or a query of IR, of which no program need be the source: the reference evaluator alone
    says what it means."""

    setting: Setting
    program: syntax.Program | Query

    @property
    def text(self) -> str:
        """The program, or the query, as it is written."""
        return print_query(self.program) if isinstance(self.program, Query) else print_program(self.program)


@record(eq=False)
class Understood:
    """What a program was compiled to, or the query itself, and its answer by the reference evaluator."""

    query: Query
    expected: Answers


@record
class Refusal:
    """The codes of the errors for which the compiler refuses a program, and the first of them. A query is refused as
    ``no-number`` where it is to count and has nothing to count, and as ``unsettled`` where the graph leaves the answer
    to the engine."""

    code: str
    codes: frozenset[str]


class Disagreement(Exception):
    """The definition, the compiler and the reference evaluator do not agree about a case.

    ``defined`` and ``evaluated`` are what each said, ``query`` what was evaluated, if the compiler got so far.
    """

    def __init__(self, defined: str, evaluated: str, query: Query | None = None) -> None:
        super().__init__(f"the definition says {defined}, the reference evaluator {evaluated}")
        self.defined = defined
        self.evaluated = evaluated
        self.query = query


def understand(case: Case, schema: Schema | None = None, graph: MemoryGraph | None = None) -> Understood | Refusal:
    """Compiles a case and answers it twice; a query of IR is only answered, once. ``schema`` and ``graph`` are the
    case's own, where they are at hand.

    Types are not checked by the definition: a program that the compiler refuses for them is a refusal.

    Raises:
        Disagreement: the two differ, the one refuses what the other takes, or what was compiled does not verify.
    """
    setting = case.setting
    schema = setting.rows.schema() if schema is None else schema
    graph = MemoryGraph(setting.triples) if graph is None else graph
    if isinstance(case.program, Query):
        return _evaluated(case.program, schema, graph)
    compiled = _compiled(case.program, setting, schema, graph)
    if isinstance(compiled, Refusal) and "type-mismatch" in compiled.codes:
        return compiled
    try:
        defined = denote(case.program, graph, schema, VOCABULARY, setting.negation, TODAY)
    except CompileError as error:
        code = error.diagnostics[0].code
        if isinstance(compiled, Refusal) and code in compiled.codes:
            return compiled
        raise Disagreement(f"error {code}", _told(compiled), _query(compiled)) from error
    if isinstance(compiled, Refusal):
        raise Disagreement(told(defined), _told(compiled))
    expected = evaluate(compiled, graph, schema, VOCABULARY)
    if expected.key() != defined.key():
        raise Disagreement(told(defined), told(expected), compiled)
    return Understood(compiled, expected)


def _evaluated(query: Query, schema: Schema, graph: MemoryGraph) -> Understood | Refusal:
    try:
        found = Understood(query, evaluate(query, graph, schema, VOCABULARY))
    except InvalidIR:
        return Refusal(NO_NUMBER, frozenset((NO_NUMBER,)))
    return found if settled(query, graph, schema, VOCABULARY) else Refusal(UNSETTLED, frozenset((UNSETTLED,)))


def _compiled(program: syntax.Program, setting: Setting, schema: Schema, graph: MemoryGraph) -> Query | Refusal:
    at_hand = graph if setting.at_hand else None
    try:
        query = lower(program, Context(schema, VOCABULARY, at_hand, setting.negation, today=TODAY)).query
    except CompileError as error:
        codes = [d.code for d in error.diagnostics if d.severity == "error"]
        return Refusal(codes[0], frozenset(codes))
    try:
        verify(query)
    except InvalidIR as error:
        raise Disagreement("nothing of that", f"the compiled query is not valid: {error}", query) from error
    return query


def _told(compiled: Query | Refusal) -> str:
    return f"error {compiled.code}" if isinstance(compiled, Refusal) else "a query"


def _query(compiled: Query | Refusal) -> Query | None:
    return None if isinstance(compiled, Refusal) else compiled


def told(answers: Answers) -> str:
    """Answers in one line."""
    if answers.boolean is not None:
        return "yes" if answers.boolean else "no"
    if answers.number is not None:
        return str(answers.number)
    rows = [" ".join(map(str, row)) for row in answers.rows] or [str(value) for value in answers.values]
    return "{" + ", ".join(rows) + "}"


def found_nothing(answers: Answers) -> bool:
    """Whether an answer is the empty set, zero or no."""
    return answers.empty or answers.number == 0 or answers.boolean is False
