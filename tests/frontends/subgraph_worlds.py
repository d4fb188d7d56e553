"""Random questions about random uncertain graphs, and their answers by walking a list of edges."""

from __future__ import annotations

import operator
from decimal import Decimal
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import strategies as st

from pylf.backends.engines.uncertain import NAMESPACE, Quadruple, confidence_of, iri_of, triples
from pylf.frontends.subgraph.tree import (
    Around,
    Bound,
    Compared,
    Hop,
    Name,
    Neighbours,
    OneOf,
    Paths,
    Patterns,
    Triple,
    Variable,
    Way,
)
from pylf.ir.answers import Answers
from pylf.ir.nodes import Form
from pylf.ir.schema.vocabulary import StatementPattern, Vocabulary
from pylf.ir.terms import Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.frontends.subgraph.tree import Question
    from pylf.ir.graph import TripleRow
    from pylf.ir.schema.vocabulary import Encoding
    from pylf.ir.terms import Node

NODES, RELATIONS = ("a", "b", "c", "d"), ("p", "q", "r")
NUMBERS = ("0", "0.2", "0.5", "0.81", "1", "0.25")
SIGNS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq, "!=": operator.ne}


REIFIED: Encoding = StatementPattern()


def vocabulary(encoding: Encoding = REIFIED) -> Vocabulary:
    return Vocabulary("worlds", prefixes={"": NAMESPACE}, statements=encoding)


class Edge(NamedTuple):
    """A triple; ``confidence`` None where it has none."""

    subject: str
    relation: str
    object: str
    confidence: str | None


class World(NamedTuple):
    """An uncertain graph, all of whose triples are stated."""

    edges: tuple[Edge, ...]

    def triples(self, encoding: Encoding = REIFIED) -> list[TripleRow]:
        """The graph as triples."""
        weighed = [Quadruple(*edge[:3], Decimal(edge.confidence)) for edge in self.edges if edge.confidence is not None]
        plain = [(iri_of(edge.subject), iri_of(edge.relation), iri_of(edge.object)) for edge in self.edges]
        return [*triples(weighed, encoding), *plain]

    def confidences(self, edge: Edge) -> set[Decimal]:
        """The confidences of a triple."""
        return {Decimal(e.confidence) for e in self.edges if e[:3] == edge[:3] and e.confidence is not None}


worlds = st.lists(
    st.builds(
        Edge,
        st.sampled_from(NODES),
        st.sampled_from(RELATIONS),
        st.sampled_from(NODES),
        st.sampled_from(("0.2", "0.5", "0.9", "1", None)),
    ),
    min_size=1,
    max_size=7,
).map(lambda edges: World(tuple(dict.fromkeys(edges))))

tests = st.builds(Bound, st.sampled_from(sorted(SIGNS)), st.sampled_from(NUMBERS))
nodes = st.lists(st.sampled_from([Name(f":{node}") for node in NODES]), min_size=1, max_size=2, unique=True).map(tuple)
relations = st.lists(st.sampled_from([Name(f":{r}") for r in RELATIONS]), max_size=2, unique=True).map(tuple)
ways = st.sampled_from(Way)
hops = st.one_of(
    st.builds(Hop, ways, relations, st.none() | tests, st.none() | st.sampled_from(("0.5", "1")), st.just(value=True)),
    st.builds(Hop, ways, relations, st.none(), st.none(), st.just(value=False)),
)
arounds = st.builds(Around, nodes, st.integers(1, 2), hops)
neighbourhoods = st.builds(Neighbours, nodes, hops)


@st.composite
def walks(draw: st.DrawFn) -> Paths:
    hop = draw(hops)
    product = draw(st.none() | tests) if hop.weighed else None
    ends: tuple[Name, ...] = draw(st.just(()) | nodes)
    return Paths(draw(nodes), draw(st.integers(1, 2)), ends, hop, product, draw(st.booleans()))


@st.composite
def patterns(draw: st.DrawFn) -> Patterns:
    """One or two triples that share a node, with lists and comparisons."""
    s, p, o, c, x, k = map(Variable, ("s", "p", "o", "c", "x", "k"))
    relation = st.sampled_from([Name(":p"), Name(":q")])
    parts: list[Triple | OneOf | Compared] = [Triple(s, p, o, c)]
    if draw(st.booleans()):
        parts.append(Triple(o, draw(relation), x, draw(st.none() | st.just(k))))
    if draw(st.booleans()):
        parts.append(OneOf(s, draw(nodes)))
    if draw(st.booleans()):
        parts.append(Compared(c, draw(tests)))
    rows = draw(st.booleans())
    return Patterns((s, p, o, c)[: 4 if rows else draw(st.sampled_from((3, 4)))], tuple(parts), rows)


questions = st.one_of(arounds, neighbourhoods, walks(), patterns())


# --- what they mean -----------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """A hop as it is walked."""

    near: str
    way: str
    relation: str
    far: str
    confidence: Decimal | None

    @property
    def triple(self) -> tuple[object, ...]:
        """The triple, with its confidence where that is asked for."""
        ends = (self.near, self.relation, self.far) if self.way == "out" else (self.far, self.relation, self.near)
        return (*ends, self.confidence) if self.confidence is not None else ends


def answers(question: Question, world: World) -> Answers:
    """The answers of a question."""
    match question:
        case Around(centers, length, hop):
            lengths = range(1, length + 1)
            found = {walk[-1].triple for n in lengths for walk in _walked(_texts(centers), n, hop, world)}
            return _answers(found, Form.SUBGRAPH)
        case Neighbours(centers, hop):
            steps = [walk[0] for walk in _walked(_texts(centers), 1, hop, world)]
            return _answers({tuple(step) if hop.weighed else tuple(step[:-1]) for step in steps}, Form.ROWS)
        case Paths():
            return _answers(set(_paths(question, world)), Form.ROWS)
        case Patterns():
            return _answers(set(_matches(question, world)), Form.ROWS if question.rows else Form.SUBGRAPH)


def _texts(names: tuple[Name, ...]) -> list[str]:
    return [name.text[1:] for name in names]


def _walked(starts: list[str], length: int, hop: Hop, world: World) -> Iterator[tuple[Step, ...]]:
    if length == 0:
        yield ()
        return
    for walk in _walked(starts, length - 1, hop, world):
        for at in [walk[-1].far] if walk else starts:
            for step in _steps(at, hop, world):
                yield (*walk, step)


def _steps(at: str, hop: Hop, world: World) -> Iterator[Step]:
    for edge in world.edges:
        if hop.relations and edge.relation not in _texts(hop.relations):
            continue
        for confidence in _readings(edge, hop, world):
            if edge.subject == at and hop.way is not Way.IN:
                yield Step(at, "out", edge.relation, edge.object, confidence)
            if edge.object == at and hop.way is not Way.OUT:
                yield Step(at, "in", edge.relation, edge.subject, confidence)


def _readings(edge: Edge, hop: Hop, world: World) -> list[Decimal | None]:
    if not hop.weighed:
        return [None]
    known = world.confidences(edge) or ({Decimal(hop.default)} if hop.default is not None else set())
    return [one for one in known if hop.floor is None or SIGNS[hop.floor.op](one, Decimal(hop.floor.number))]


def _paths(question: Paths, world: World) -> Iterator[tuple[object, ...]]:
    for walk in _walked(_texts(question.starts), question.hops, question.hop, world):
        visited = [walk[0].near, *[step.far for step in walk]]
        if question.ends and visited[-1] not in _texts(question.ends):
            continue
        if question.simple and any(one == other for one, other in combinations(visited, 2)):
            continue
        row: list[object] = [visited[0]]
        product = Decimal(1)
        for step in walk:
            row += [step.way, step.relation, step.far, *([step.confidence] if question.hop.weighed else [])]
            product *= step.confidence or (0 if question.hop.weighed else 1)
        asked = question.product
        if asked is None or SIGNS[asked.op](product, Decimal(asked.number)):
            yield (*row, product) if question.hop.weighed else tuple(row)


def _matches(question: Patterns, world: World) -> Iterator[tuple[object, ...]]:
    rows: list[dict[str, object]] = [{}]
    for part in question.parts:
        if isinstance(part, Triple):
            rows = [found for row in rows for found in _extended(row, part, world)]
    for row in rows:
        holds = True
        for part in question.parts:
            match part:
                case OneOf(variable, names):
                    holds = holds and row[variable.name] in _texts(names)
                case Compared(variable, test):
                    value = row[variable.name]
                    holds = holds and isinstance(value, Decimal) and SIGNS[test.op](value, Decimal(test.number))
        if holds:
            yield tuple(row[output.name] for output in question.outputs)


def _extended(row: dict[str, object], part: Triple, world: World) -> Iterator[dict[str, object]]:
    for edge in world.edges:
        found = [(part.subject, edge.subject), (part.predicate, edge.relation), (part.object, edge.object)]
        for confidence in world.confidences(edge) if part.confidence is not None else (None,):
            new = dict(row)
            places = [*found, *([(part.confidence, confidence)] if part.confidence is not None else [])]
            if all(_agrees(place, value, new) for place, value in places):
                yield new


def _agrees(place: Name | Variable, value: object, row: dict[str, object]) -> bool:
    if isinstance(place, Name):
        return place.text[1:] == value
    return row.setdefault(place.name, value) == value


def _answers(found: set[tuple[object, ...]], form: Form) -> Answers:
    def node(value: object) -> Node:
        if isinstance(value, Decimal):
            return confidence_of(value)
        return Literal(str(value)) if value in ("out", "in") else iri_of(str(value))

    return Answers.of_rows([tuple(map(node, row)) for row in found], form)
