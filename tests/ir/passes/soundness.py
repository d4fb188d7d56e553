"""Questions to hold passes against: queries over drawn graphs, each with a schema that tells the truth of its graph.

The graphs are those of :mod:`pylf.testing.drawn`: as they are, or made to keep to their schema and counted, their
inverses stored both ways. The queries are drawn programs, compiled, and the same with something added that passes look
for (comparisons that meet, memberships, twins, denials of denials, parts that only have to exist). Counts are those of
the graph times :data:`LARGE`, as if each thing were there so often: what rests on counts being equal stays true, and
estimates speak of a graph on which planning pays.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from pylf.errors import CompileError, InvalidIR, PassError
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.passes.context import Context
from pylf.ir.schema.infer import infer_schema
from pylf.ir.schema.model import COUNTS
from pylf.ir.target import GENERIC, Target
from pylf.ir.terms import Iri, Literal
from pylf.ir.verify import verify
from pylf.language.context import Context as Reading
from pylf.language.lower import lower
from pylf.records import record, replace
from pylf.testing.drawn.graphs import TYPE
from pylf.testing.drawn.programs import TODAY
from pylf.testing.drawn.schemas import VOCABULARY, Rows, uncounted
from pylf.testing.drawn.worlds import block
from tests.ir import small_queries
from tests.ir.passes.disturbing import Disturbing
from tests.ir.passes.test_simplify_types import kept, torn

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from pylf.ir.answers import Answers
    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Class, Relation, Schema
    from pylf.ir.schema.vocabulary import Vocabulary

#: An engine for which everything is done that is done for any.
EVERY = Target("every", textual_order=True, nests=True, subtracts=True, projects=True)
#: One that orders joins itself, and looks into negations.
PLANNING = Target("planning", textual_order=False, nests=True, subtracts=True, projects=True)
TARGETS = (EVERY, GENERIC, PLANNING)
#: Each thing of a graph is counted so often.
LARGE = 2_000


@record(eq=False)
class Ground:
    """A graph, and the schema that tells the truth of it; ``inverses`` are those of its relations."""

    triples: tuple[TripleRow, ...]
    graph: MemoryGraph
    schema: Schema
    counted: Schema


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
        return Context(self.ground.counted, self.vocabulary, self.target)

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
        ground = _ground(drawn.setting.triples, drawn.schema, random)
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
        ground = Ground(tuple(graph), graph, small_queries.SCHEMA, small_queries.SCHEMA)
        yield Question(ground, small_queries.query(random), random.choice(TARGETS), small_queries.VOCABULARY)


def wrong(run: Callable[[Query, Context], Query], question: Question) -> str | None:
    """What is wrong with what a pass makes of a question; None where nothing is."""
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
        return f"not valid: {problem}"
    expected, got = question.outcome(), question.outcome_of(found)
    return None if got == expected else f"{got} in place of {expected}"


def _reading(ground: Ground, number: int) -> Reading:
    return Reading(ground.schema, VOCABULARY, None, "pca" if number % 2 else "cwa", today=TODAY)


# --- grounds ----------------------------------------------------------------------------------------------------------


def _ground(triples: tuple[TripleRow, ...], stated: Schema, random: Random) -> Ground:
    sound = random.random() < 0.6
    if sound:
        triples = _mirrored(tuple(kept(triples, stated)), stated)
        triples = tuple(kept(triples, stated)) if random.random() < 0.5 else triples
    else:
        triples = (*triples, *_torn(triples, stated))
    if random.random() < (0.1 if sound else 0.4):
        plain = uncounted(Rows(tuple(stated.source.all_relations()), tuple(stated.source.all_classes()))).schema()
        return Ground(triples, MemoryGraph(triples), plain, plain)
    graph = MemoryGraph(triples)
    source = infer_schema(graph, VOCABULARY, stated).source
    meta = {"sound": source.meta("sound") or "", "disjoint": "false" if torn(triples, stated) else "true"}
    if _is_mirrored(triples, stated):
        meta["inverses"] = "mirrored"
    rows = Rows(tuple(source.all_relations()), tuple(source.all_classes()), tuple(meta.items()))
    counted = Rows(tuple(map(_larger, rows.relations)), tuple(map(_larger_class, rows.classes)), rows.meta)
    return Ground(triples, graph, rows.schema(), counted.schema())


def _torn(triples: tuple[TripleRow, ...], schema: Schema) -> tuple[TripleRow, ...]:
    """Types that put some entities into classes that are stated to be disjoint."""
    apart = [(row.iri, other) for row in schema.source.all_classes() for other in row.disjoint]
    subjects = list(dict.fromkeys(subject for subject, _, _ in triples))[:3]
    return tuple([(subject, TYPE, Iri(iri)) for subject in subjects for iri in apart[0]]) if apart else ()


def _mirrored(triples: tuple[TripleRow, ...], schema: Schema) -> tuple[TripleRow, ...]:
    """The graph with what its inverse pairs say stored both ways; what has no reverse is left out."""
    found: list[TripleRow] = []
    for subject, predicate, target in triples:
        relation = schema.relation(predicate.value) if isinstance(predicate, Iri) else None
        if relation is None or relation.inverse is None:
            found.append((subject, predicate, target))
        elif not isinstance(target, Literal):
            found += [(subject, predicate, target), (target, Iri(relation.inverse), subject)]
    return tuple(dict.fromkeys(found))


def _is_mirrored(triples: tuple[TripleRow, ...], schema: Schema) -> bool:
    return set(triples) == set(_mirrored(triples, schema))


def _larger(relation: Relation) -> Relation:
    def times(count: int | None) -> int | None:
        return None if count is None else count * LARGE

    profile = relation.profile
    return replace(
        relation,
        triples=times(relation.triples),
        subjects=times(relation.subjects),
        objects=times(relation.objects),
        domain_support=times(relation.domain_support),
        range_support=times(relation.range_support),
        profile=profile and replace(profile, **{name: getattr(profile, name) * LARGE for name in COUNTS}),
    )


def _larger_class(class_: Class) -> Class:
    return class_ if class_.instances is None else replace(class_, instances=class_.instances * LARGE)
