"""What subgraph questions mean: the queries that they become find what walking a list of edges finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.rdflib import RdflibEngine
from pylf.frontends.subgraph.lower import lower
from pylf.frontends.subgraph.parser import parse
from pylf.frontends.subgraph.printer import print_question
from pylf.frontends.subgraph.raise_ import raise_question
from pylf.frontends.subgraph.tree import Around, Hop, Name, Neighbours, Question, Way
from pylf.graphs import empty_schema
from pylf.ir.canonical import fingerprint
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.vocabulary import Encoding, NaryStatements, SingletonProperties, StatementPattern
from pylf.ir.text import parse_query, print_query
from pylf.ir.verify import verify
from pylf.language.context import Context
from tests.frontends.subgraph_worlds import REIFIED, Edge, World, answers, questions, vocabulary, worlds

if TYPE_CHECKING:
    from pylf.ir.nodes import Query

ENCODINGS: tuple[Encoding, ...] = (StatementPattern(), NaryStatements(), SingletonProperties())
LOOP = World((Edge("a", "p", "a", "0.5"), Edge("a", "p", "a", None), Edge("a", "q", "b", None)))


def lowered(question: Question, encoding: Encoding = REIFIED) -> Query:
    query, findings = lower(question, Context(empty_schema(), vocabulary(encoding)))
    assert findings == ()
    verify(query)
    return query


@settings(max_examples=150)
@given(questions, worlds, st.sampled_from(ENCODINGS))
@example(Neighbours((Name(":a"),), Hop(default="1")), LOOP, StatementPattern())
@example(Around((Name(":a"), Name(":b")), 2, Hop(default="1")), LOOP, SingletonProperties())
def test_the_query_finds_what_walking_finds(question: Question, world: World, encoding: Encoding) -> None:
    found = evaluate(
        lowered(question, encoding), MemoryGraph(world.triples(encoding)), empty_schema(), vocabulary(encoding)
    )
    assert found.key() == answers(question, world).key()


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(questions, worlds, st.sampled_from(ENCODINGS), st.sampled_from((0, 1, 2)))
def test_engines_find_it_too(question: Question, world: World, encoding: Encoding, level: int) -> None:
    query, known = lowered(question, encoding), vocabulary(encoding)
    wanted = answers(question, world).key()
    engine = OxigraphEngine.memory(world.triples(encoding))
    assert engine.run(query, empty_schema(), known, level).key() == wanted
    other = RdflibEngine.from_triples(world.triples(encoding))
    assert other.run(query, empty_schema(), known, level).key() == wanted


@settings(max_examples=100)
@given(questions)
def test_it_is_read_from_its_text_and_raised_from_its_query(question: Question) -> None:
    assert parse(print_question(question)) == question
    query = lowered(question)
    raised = raise_question(query, empty_schema(), vocabulary())
    assert fingerprint(lowered(raised)) == fingerprint(query)
    assert fingerprint(parse_query(print_query(query))) == fingerprint(query)


@pytest.mark.parametrize("way", Way)
def test_neighbours_are_a_subgraph_with_its_directions(way: Way) -> None:
    """What a frontier's neighbours are is what lies within one hop, told from the frontier."""
    world = World((Edge("a", "p", "b", "0.5"), Edge("b", "p", "a", "0.2"), Edge("b", "q", "c", "1")))
    centers = (Name(":a"), Name(":b"))
    triples = {row[:3] for row in answers(Around(centers, 1, Hop(way)), world).rows}
    told = set()
    for near, direction, relation, far, *_ in answers(Neighbours(centers, Hop(way)), world).rows:
        told.add((near, relation, far) if str(direction) == '"out"' else (far, relation, near))
    assert told == triples
