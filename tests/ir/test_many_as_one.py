"""Candidates as one query: each has the answers that it has alone, whatever the others are."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.sparql import emit
from pylf.errors import EngineError, InvalidIR
from pylf.ir import build
from pylf.ir.answers import Answers
from pylf.ir.batch import Batch, batched, kind, lists_literals
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Body, Form, Query
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import XSD_INTEGER, Iri, Literal, Var
from pylf.ir.text import parse_query, print_query
from pylf.ir.traverse import variables
from pylf.ir.types import ANY, ENTITY, RELATION
from pylf.ir.verify import verify
from pylf.testing.differential.case import Case, Understood, understand
from pylf.testing.drawn.schemas import VOCABULARY
from pylf.testing.drawn.worlds import block

if TYPE_CHECKING:
    from pylf.ir.answers import Row

E = "http://e/"
SCHEMA = Schema(MemorySource((), (), {}))
PLAIN = Vocabulary("plain")
A, B, C, P, Q, R = (Iri(E + name) for name in "abcpqr")
X, Y, N = Var("x"), Var("y"), Var("n")
GRAPH = MemoryGraph([(A, P, B), (A, P, C), (B, Q, C), (C, Q, Literal("5", XSD_INTEGER)), (B, R, Literal("05"))])


def _set(body: Body, output: Var = X) -> Query:
    return build.query(Form.SET, (output,), body)


def _answers(batch: Batch) -> list[Answers | None]:
    return batch.split(evaluate(batch.query, GRAPH, SCHEMA, PLAIN).rows)


def _alone(queries: list[Query]) -> list[Answers]:
    return [evaluate(query, GRAPH, SCHEMA, PLAIN) for query in queries]


def _drawn(number: int) -> dict[object, list[Understood]]:
    """Programs of a block that compile, with their answers by the reference evaluator, by kind."""
    drawn = block(5, number)
    graph = MemoryGraph(drawn.setting.triples)
    found: defaultdict[object, list[Understood]] = defaultdict(list)
    for program in islice(drawn.programs, 30):
        understood = understand(Case(drawn.setting, program), drawn.schema, graph)
        if isinstance(understood, Understood):
            found[kind(understood.query)].append(understood)
    return found


# --- meaning ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(8))
def test_random_candidates_have_the_answers_that_they_have_alone(number: int) -> None:
    drawn = block(5, number)
    graph = MemoryGraph(drawn.setting.triples)
    store = OxigraphEngine.memory(drawn.setting.triples)
    compared = 0
    for candidates in _drawn(number).values():
        batch = batched([candidate.query for candidate in candidates])
        expected = [candidate.expected for candidate in candidates]
        assert batch.split(evaluate(batch.query, graph, drawn.schema, VOCABULARY).rows) == expected
        for optimize in (0, 1):
            said = batch.split(store.run(batch.query, drawn.schema, VOCABULARY, optimize).rows)
            alone = [store.run(candidate.query, drawn.schema, VOCABULARY, optimize) for candidate in candidates]
            assert said == alone
        compared += len(candidates)
    assert compared > 10


def test_sets_share_a_column_and_nothing_else() -> None:
    queries = [
        _set(build.triple(A, P, X)),
        _set(build.join(build.triple(A, P, Y), build.triple(Y, Q, X))),
        # the same names in other parts
        _set(build.join(build.triple(A, P, Y), build.negate(build.triple(Y, R, X))), Y),
        _set(build.triple(A, R, X)),
        _set(build.member(X, (C,))),
    ]
    assert _answers(batched(queries)) == _alone(queries)


def test_names_that_look_like_renamed_ones_stay_apart() -> None:
    x1 = Var("x_1")
    queries = [
        _set(build.join(build.triple(A, P, x1), build.triple(x1, Q, X))),
        _set(build.join(build.triple(A, P, X), build.triple(X, Q, x1)), x1),
        _set(build.join(build.triple(A, P, Var("of")), build.triple(Var("of"), Q, Var("value"))), Var("value")),
    ]
    batch = batched(queries)
    assert _answers(batch) == _alone(queries)
    assert len(variables(batch.query)) == 5  # the tag, the value, and one of each candidate


def test_counts_that_find_nothing_are_0() -> None:
    queries = [
        build.query(Form.NUMBER, (N,), build.count(N, X, body))
        for body in (build.triple(A, P, X), build.triple(C, P, X), Body((*build.NEVER.conjuncts,)))
    ]
    assert [answers.number for answers in _answers(batched(queries)) if answers is not None] == [2, 0, 0]


def test_yes_and_no() -> None:
    bodies = [build.triple(A, P, B), build.triple(B, P, A), build.ALWAYS, build.NEVER, build.triple(X, Q, Y)]
    queries = [build.query(Form.BOOLEAN, (), body) for body in bodies]
    said = [answers.boolean for answers in _answers(batched(queries)) if answers is not None]
    assert said == [True, False, True, False, True]


def test_rows_keep_their_columns_in_order() -> None:
    queries = [
        build.query(Form.ROWS, (X, Y), build.triple(X, Q, Y)),
        build.query(Form.ROWS, (Y, X), build.triple(X, P, Y)),
    ]
    assert _answers(batched(queries)) == _alone(queries)


def test_a_relation_goes_with_relations() -> None:
    relations = [_set(build.triple(A, X, B)), _set(build.triple(C, X, Y))]
    batch = batched(relations)
    assert batch.query.type_of["value"] == RELATION
    assert _answers(batch) == _alone(relations)
    assert kind(relations[0]) != kind(_set(build.triple(A, P, X)))


def test_candidates_of_which_none_can_hold() -> None:
    queries = [_set(Body((*build.triple(A, P, X).conjuncts, *build.NEVER.conjuncts))), _set(build.member(X, ()))]
    batch = batched(queries)
    assert _answers(batch) == _alone(queries)
    assert OxigraphEngine.memory(GRAPH.triples()).run(batch.query, SCHEMA, PLAIN).rows == ()


# --- what it looks like -------------------------------------------------------------------------------------------


def test_the_query_reads_as_a_union_with_tags() -> None:
    query = batched([_set(build.triple(A, P, X)), _set(build.triple(A, Q, X))]).query
    expected = parse_query(
        """\
rows ?of ?value
  ?of: entity
  ?value: any
where
  either
    ?of in (<urn:pylf:0>)
    <http://e/a> <http://e/p> ?value
  or
    ?of in (<urn:pylf:1>)
    <http://e/a> <http://e/q> ?value
"""
    )
    assert query == expected, print_query(query)
    verify(query)
    assert emit(query, SCHEMA, PLAIN, "oxigraph").startswith("SELECT DISTINCT ?of ?value WHERE {")


def test_a_column_of_entities_and_values_is_of_neither() -> None:
    entities = build.query(Form.SET, (X,), build.triple(A, P, X), {"x": ENTITY})
    anything = build.query(Form.SET, (X,), build.triple(C, Q, X), {"x": ANY})
    assert batched([entities, entities]).query.type_of["value"] == ENTITY
    assert batched([entities, anything]).query.type_of["value"] == ANY


# --- what is wrong ------------------------------------------------------------------------------------------------


def test_queries_of_different_kinds_do_not_go_together() -> None:
    yes = build.query(Form.BOOLEAN, (), build.triple(A, P, B))
    with pytest.raises(ValueError, match="one form"):
        batched([_set(build.triple(A, P, X)), yes])
    with pytest.raises(ValueError, match="one form"):
        batched([])


def test_literals_that_a_query_lists_are_known_where_they_are_answers() -> None:
    listed = build.member(X, (A, Literal("a")))
    assert lists_literals(_set(listed))
    assert lists_literals(_set(build.union([build.triple(A, P, X), listed])))
    assert not lists_literals(_set(build.member(X, (A, B))))
    assert not lists_literals(_set(build.join(build.member(Y, (Literal("a"),)), build.triple(A, P, X))))
    assert not lists_literals(build.query(Form.NUMBER, (N,), build.count(N, X, listed)))


def test_a_candidate_that_breaks_a_rule_is_refused() -> None:
    unbound = _set(build.negate(build.triple(A, P, X)))
    with pytest.raises(InvalidIR):
        batched([_set(build.triple(A, P, X)), unbound])


def test_rows_that_are_no_candidates_are_an_error() -> None:
    batch = batched([_set(build.triple(A, P, X))])
    for tag in (Iri("urn:pylf:7"), Literal("0"), None):
        with pytest.raises(EngineError, match="no candidate"):
            batch.split([(tag, A)])


def test_a_number_that_does_not_come_is_none() -> None:
    query = build.query(Form.NUMBER, (N,), build.count(N, X, build.triple(A, P, X)))
    batch = batched([query, query, query, query])
    tags = [Iri(f"urn:pylf:{place}") for place in range(4)]
    rows: list[Row] = [(tags[0], Literal("1", XSD_INTEGER)), (tags[2], Literal("x")), (tags[3], A)]
    assert batch.split(rows) == [Answers.of_number(1), None, None, None]
