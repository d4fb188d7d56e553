"""Questions to hold passes against: queries over drawn graphs, each with a schema that tells the truth of its graph.

The graphs and their schemas are those of :mod:`pylf.testing.drawn.grounds`. The queries are drawn programs, compiled,
and the same with something added that passes look for (:mod:`pylf.testing.drawn.disturbing`).
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from pylf.errors import CompileError, EngineError, InvalidIR, PassError
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.passes.context import Context
from pylf.ir.passes.kept import lost
from pylf.ir.target import GENERIC, Target
from pylf.ir.verify import verify
from pylf.language.context import Context as Reading
from pylf.language.lower import lower
from pylf.records import record
from pylf.testing.drawn.disturbing import Disturbing
from pylf.testing.drawn.grounds import ground as made_ground
from pylf.testing.drawn.programs import TODAY
from pylf.testing.drawn.schemas import VOCABULARY
from pylf.testing.drawn.worlds import block
from tests.ir import small_queries

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from pylf.ir.answers import Answers
    from pylf.ir.batch import Batch
    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary

#: An engine for which everything is done that is done for any.
EVERY = Target("every", textual_order=True, nests=True, subtracts=True, projects=True)
#: One that orders joins itself, and looks into negations.
PLANNING = Target("planning", textual_order=False, nests=True, subtracts=True, projects=True)
STARTING = Target("starting", textual_order=False, starts_from_classes=True)
TARGETS = (EVERY, GENERIC, PLANNING, STARTING)


@record(eq=False)
class Ground:
    """A graph, and a schema that tells the truth of it."""

    triples: tuple[TripleRow, ...]
    graph: MemoryGraph
    schema: Schema


class Question:
    """A query on a ground, and the engine that it is meant for."""

    def __init__(self, ground: Ground, query: Query, target: Target, vocabulary: Vocabulary = VOCABULARY) -> None:
        self.ground = ground
        self.query = query
        self.target = target
        self.vocabulary = vocabulary
        self._outcome: Hashable = None

    @property
    def context(self) -> Context:
        """What a pass may look at."""
        return Context(self.ground.schema, self.vocabulary, self.target)

    @property
    def answered(self) -> bool:
        """Whether the answer is neither empty, nor zero, nor no."""
        found = self._answers(self.query)
        return found is not None and not (found.empty or found.number == 0 or found.boolean is False)

    def outcome(self) -> Hashable:
        """The answers to the query; one word for a number query that has no number."""
        if self._outcome is None:
            self._outcome = self.outcome_of(self.query)
        return self._outcome

    def outcome_of(self, query: Query) -> Hashable:
        """The answers to what has become of it."""
        found = self._answers(query)
        return "no number" if found is None else found.key()

    def _answers(self, query: Query) -> Answers | None:
        try:
            return evaluate(query, self.ground.graph, self.ground.schema, self.vocabulary)
        except InvalidIR:
            return None


def questions(seed: int, blocks: int, programs: int = 4) -> Iterator[Question]:
    """Questions of so many grounds, the same for the same seed."""
    for number in range(blocks):
        drawn = block(seed, number)
        random = Random(f"{seed} {number} disturbed")
        rows, triples = made_ground(random, drawn.setting.rows, drawn.setting.triples)
        ground = Ground(tuple(triples), MemoryGraph(triples), rows.schema())
        disturbing = Disturbing(random, ground.triples, ground.schema)
        for _ in range(programs):
            try:
                query = lower(next(drawn.programs), _reading(ground, number)).query
            except CompileError:
                continue
            for one in (query, disturbing.more(query), disturbing.more(query)):
                if one is not None:
                    yield Question(ground, one, random.choice(TARGETS))
        for _ in range(4 * programs):
            one = disturbing.plain()
            if one is not None:
                yield Question(ground, one, random.choice(TARGETS))


def small_questions(seed: int, count: int) -> Iterator[Question]:
    """Questions over two relations and three classes, in which one thing often implies another: none of their graphs
    is counted."""
    random = Random(seed)
    for _ in range(count):
        graph = small_queries.graph(random)
        ground = Ground(tuple(graph), graph, small_queries.SCHEMA)
        yield Question(ground, small_queries.any_query(random), random.choice(TARGETS), small_queries.VOCABULARY)


def wrong(run: Callable[[Query, Context], Query], question: Question) -> str | None:
    """What is wrong with what a pass makes of a question; None where nothing is, or where the manager of passes drops
    it."""
    query = question.query
    try:
        found = run(query, question.context)
    except (InvalidIR, PassError) as problem:
        return str(problem)
    if found is query:
        return None
    if found.form is not query.form or found.outputs != query.outputs:
        return "another thing is asked for"
    try:
        verify(found)
    except InvalidIR as problem:
        return None if lost(query, found) else f"not valid: {problem}"
    expected, got = question.outcome(), question.outcome_of(found)
    return None if got == expected else f"{got} in place of {expected}"


def wrong_together(batched: Callable[[Sequence[Query]], Batch], group: Sequence[Question]) -> str | None:
    """What is wrong with the answers to questions of one ground and kind that are asked as one query; None where
    nothing is."""
    ground, vocabulary = group[0].ground, group[0].vocabulary
    try:
        batch = batched([question.query for question in group])
        found = batch.split(evaluate(batch.query, ground.graph, ground.schema, vocabulary).rows)
    except (InvalidIR, EngineError) as problem:
        return str(problem)
    for question, answers in zip(group, found, strict=True):
        got = "no number" if answers is None else answers.key()
        if got != question.outcome():
            return f"{got} in place of {question.outcome()}"
    return None


def _reading(ground: Ground, number: int) -> Reading:
    return Reading(ground.schema, VOCABULARY, None, "pca" if number % 2 else "cwa", today=TODAY)
