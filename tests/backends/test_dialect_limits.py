"""Long lists and wide unions, in blocks that an engine takes; and what it does not take, refused by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.backends.dialects.virtuoso import DIALECT
from pylf.backends.engines.http import HttpEngine
from pylf.backends.sparql import emit
from pylf.backends.sparql.dialect import Dialect
from pylf.errors import UnsupportedOperation
from pylf.ir.nodes import Body, Direction, Extreme, Form, InstanceOf, Kind, Member, Not, Query, Triple, Union
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import RDF, Iri, Var
from pylf.ir.traverse import variables
from pylf.ir.types import ANY
from pylf.records import replace

if TYPE_CHECKING:
    from pylf.ir.nodes import Conjunct
    from pylf.testing.servers import Server

E = "http://e/"
GRAPH = "urn:dialect-limits"
VOCABULARY = Vocabulary("rdf")
TYPE, P, Q = Iri(RDF + "type"), Iri(E + "p"), Iri(E + "q")
TOP = Iri(E + "top")
X, Y, Z = Var("x"), Var("y"), Var("z")
MANY = 10_000


def class_(number: int) -> Iri:
    return Iri(f"{E}class{number}")


def schema(classes: int = MANY, subjects_of: int = 0) -> Schema:
    below = [Class(class_(number).value, parents=(TOP.value,)) for number in range(classes)]
    below += [
        Class(f"{E}has{number}", parents=(TOP.value,), subjects_of=f"{E}r{number}") for number in range(subjects_of)
    ]
    relations = [Relation(f"{E}r{number}") for number in range(subjects_of)]
    return Schema(MemorySource(relations, [Class(TOP.value), *below], {}))


def query(*conjuncts: Conjunct) -> Query:
    body = Body(conjuncts)
    names = variables(Query(Form.SET, (X,), body))
    return Query(Form.SET, (X,), body, tuple(sorted((name, ANY) for name in names)))


@pytest.fixture
def engine(virtuoso: Server) -> HttpEngine:
    subjects = [(Iri(f"{E}s{number}"), TYPE, class_(number * 2_499)) for number in range(5)]
    # a store looks up the IRIs that it does not know anew, and no query may hold more than some 6,000 of those
    known = [(class_(number), Q, TOP) for number in range(MANY)]
    virtuoso.load([*known, *subjects, (subjects[0][0], P, subjects[3][0]), (subjects[1][0], P, TOP)], GRAPH)
    return HttpEngine(virtuoso.endpoint(GRAPH))


def locals_of(engine: HttpEngine, asked: Query, known: Schema) -> set[str]:
    return {node.value.removeprefix(E) for node in engine.run(asked, known, VOCABULARY).values if type(node) is Iri}


def test_a_class_of_ten_thousand_classes(engine: HttpEngine) -> None:
    known = schema()
    assert locals_of(engine, query(InstanceOf(X, (TOP,))), known) == {"s0", "s1", "s2", "s3", "s4"}


def test_and_its_negation(engine: HttpEngine) -> None:
    asked = query(Triple(X, P, Y), Not(Body((InstanceOf(Y, (TOP,)),))))
    assert locals_of(engine, asked, schema()) == {"s1"}


def test_a_membership_of_more_than_one_list_takes(engine: HttpEngine) -> None:
    values = (Iri(f"{E}s3"), *map(class_, range(4_200)))
    known = schema(1)
    assert locals_of(engine, query(Member(X, values), Triple(Y, P, X)), known) == {"s3"}
    assert locals_of(engine, query(Triple(X, P, Y), Not(Body((Member(Y, values),)))), known) == {"s1"}


def test_in_one_block_it_would_be_refused(engine: HttpEngine) -> None:
    from pylf.errors import EngineError

    asked = query(InstanceOf(X, (TOP,)))
    text = emit(asked, schema(), VOCABULARY, replace(DIALECT, values_limit=None))
    with pytest.raises(EngineError):
        engine.answers(asked, text)


def test_more_relations_than_arms_are_listed() -> None:
    known = schema(1, subjects_of=500)
    asked = query(InstanceOf(X, (TOP,)))
    assert emit(asked, known, VOCABULARY, Dialect("any")).count("UNION") == 500
    assert emit(asked, known, VOCABULARY, Dialect("any", arms_limit=400)).count("UNION") == 1
    assert emit(asked, known, VOCABULARY, Dialect("any", arms_limit=400, values_limit=100)).count("UNION") == 5


def test_more_arms_than_the_engine_takes() -> None:
    arms = tuple([Body((Triple(X, P, Iri(f"{E}s{number}")), Triple(X, Q, Y))) for number in range(500)])
    asked = query(Union(arms))
    assert emit(asked, schema(1), VOCABULARY, Dialect("any")).count("UNION") == 499
    with pytest.raises(UnsupportedOperation, match="more than 400 arms"):
        emit(asked, schema(1), VOCABULARY, DIALECT)


def test_a_query_that_the_engine_could_not_plan() -> None:
    body: tuple[Conjunct, ...] = (Triple(X, P, Y),)
    for number in range(8):
        key = Var(f"k{number}")
        inner = Extreme(Direction.MAX, X, key, Body((*body, Triple(X, Q, key))), Kind.ANY)
        body = (inner, Triple(X, P, Y))
    with pytest.raises(UnsupportedOperation, match="patterns and calls"):
        emit(query(*body), schema(1), VOCABULARY, DIALECT)
    assert emit(query(*body), schema(1), VOCABULARY, "sparql11")
