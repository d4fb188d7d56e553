"""What the dialect of Virtuoso says, on Virtuoso: the generic form is wrong there, and ours is right."""

from __future__ import annotations

import runpy
from itertools import pairwise
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from pylf.backends.dialects.virtuoso import DIALECT
from pylf.backends.engines.http import HttpEngine
from pylf.backends.sparql import emit
from pylf.errors import CompileError, EngineError, UnsupportedOperation
from pylf.ir.dates import canonical
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import (
    Body,
    Closure,
    Compare,
    Count,
    Direction,
    Extreme,
    Form,
    InstanceOf,
    Kind,
    Member,
    Not,
    Op,
    Project,
    Query,
    Triple,
    Union,
)
from pylf.ir.terms import XSD, XSD_DECIMAL, XSD_INTEGER, Iri, Literal, Var, tagged
from pylf.ir.traverse import variables
from pylf.ir.types import ANY, INTEGER
from pylf.language.context import Context
from pylf.language.lower import lower
from pylf.records import replace
from pylf.testing import programs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pylf.ir.answers import Answers
    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Conjunct
    from pylf.ir.schema.model import Schema
    from pylf.testing.servers import Server

#: random queries and odd graphs
differential = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("test_sparql_differential.py"))))
E = "http://e/"
GRAPH = "urn:dialect-virtuoso"
#: It refuses them, or is damaged by them.
UNSTORABLE = frozenset(("NaN", "abc", "1e", "99999999999999999999", " 1", "-0001"))
A, B, C, D = (Iri(E + name) for name in "abcd")
P, Q, V, W = (Iri(E + name) for name in "pqvw")
X, Y, Z, N = (Var(name) for name in "xyzn")
YEAR, DAY = Literal("1990", XSD + "gYear"), Literal("1990-01-01", XSD + "date")


@pytest.fixture
def engine(virtuoso: Server) -> HttpEngine:
    return HttpEngine(virtuoso.endpoint(GRAPH))


def stored(server: Server, engine: HttpEngine, triples: Iterable[TripleRow]) -> MemoryGraph:
    """What the engine makes of triples."""
    server.load([row for row in triples if getattr(row[2], "lexical", "") not in UNSTORABLE], GRAPH)
    return MemoryGraph([(s, p, canonical(o) if isinstance(o, Literal) else o) for s, p, o in engine.triples()])


def set_of(*conjuncts: Conjunct) -> Query:
    """The query for ``x``."""
    body = Body(conjuncts)
    names = variables(Query(Form.SET, (X,), body))
    return Query(Form.SET, (X,), body, tuple(sorted((name, ANY) for name in names)))


def answers(engine: HttpEngine, query: Query, level: int = 1, **departures: bool) -> Answers | None:
    """The answers, with departures of the dialect undone; None where the engine refuses the query."""
    schema, vocabulary = differential.schema_of(), differential.VOCABULARY
    text = emit(query, schema, vocabulary, replace(DIALECT, **departures), level)
    try:
        return engine.answers(query, text)
    except EngineError:
        return None


def check(server: Server, engine: HttpEngine, triples: list[TripleRow], query: Query, **departures: bool) -> None:
    """Asserts that the dialect answers as the evaluator does, at both levels, and does not with departures undone."""
    graph = stored(server, engine, triples)
    expected = evaluate(query, graph, differential.schema_of(), differential.VOCABULARY).key()
    for level in (0, 1):
        found = answers(engine, query, level)
        assert found is not None
        assert found.key() == expected, found
    generic = answers(engine, query, 1, **departures)
    assert generic is None or generic.key() != expected


# --- random queries ---------------------------------------------------------------------------------------------------


def keeps(schema: Schema, run: Callable[[int], Answers], expected: Answers) -> bool:
    """Asserts that both levels answer as expected; False where there is no form for the query."""
    for level in (0, 1):
        try:
            found = run(level)
        except UnsupportedOperation:
            return False
        assert found.key() == expected.key(), (schema, level, expected, found)
    return True


def test_programs_are_answered_as_by_the_evaluator(virtuoso: Server, engine: HttpEngine) -> None:
    full = 0
    triples, graph = None, MemoryGraph(())
    for world in programs.pairs(2, 100 * differential.FUZZ):
        if world.triples is not triples:
            triples = world.triples
            graph = stored(virtuoso, engine, triples)
        try:
            query = lower(world.program, Context(world.schema, programs.VOCABULARY, graph)).query
        except CompileError:
            continue
        expected = evaluate(query, graph, world.schema, programs.VOCABULARY)

        def run(level: int, query: Query = query, schema: Schema = world.schema) -> Answers:
            return engine.run(query, schema, programs.VOCABULARY, level)

        if keeps(world.schema, run, expected):
            full += not (expected.empty or expected.number == 0 or expected.boolean is False)
    assert full > 25 * differential.FUZZ


@pytest.mark.parametrize("depth", [1, 2])
def test_queries_are_answered_as_by_the_evaluator(virtuoso: Server, engine: HttpEngine, depth: int) -> None:
    plain = differential.schema_of()
    asked = 0
    for seed in range(4 * differential.FUZZ):
        random = Random(f"virtuoso {depth} {seed}")
        triples, pool = differential.random_graph(random)
        graph = stored(virtuoso, engine, triples)
        kept = [literal for literal in pool if literal.lexical not in UNSTORABLE]
        for _ in range(6):
            query = differential.random_query(random, kept or pool, depth)
            expected = evaluate(query, graph, plain, differential.VOCABULARY)

            def run(level: int, query: Query = query) -> Answers:
                return engine.run(query, plain, differential.VOCABULARY, level)

            asked += keeps(plain, run, expected)
    assert asked > 18 * differential.FUZZ


# --- joins of values --------------------------------------------------------------------------------------------------

VALUED: list[TripleRow] = [
    (A, V, YEAR),
    (B, W, DAY),
    (C, V, Literal("1", XSD_INTEGER)),
    (D, W, Literal("true", XSD + "boolean")),
    (C, W, Literal("1", XSD_INTEGER)),
    (A, P, B),
    (C, P, C),
]


def test_a_join_of_literals_is_one_of_terms(virtuoso: Server, engine: HttpEngine) -> None:
    query = set_of(Triple(X, V, Y), Triple(Z, W, Y))
    check(virtuoso, engine, VALUED, query, joins_values=False)


def test_so_it_is_across_a_negation(virtuoso: Server, engine: HttpEngine) -> None:
    query = set_of(Triple(X, V, Y), Not(Body((Triple(Z, W, Y),))))
    check(virtuoso, engine, VALUED, query, joins_values=False)


@pytest.mark.parametrize("constant", [Literal("1", XSD_INTEGER), Literal("true", XSD + "boolean"), DAY, YEAR])
def test_a_constant_meets_itself(virtuoso: Server, engine: HttpEngine, constant: Literal) -> None:
    triples: list[TripleRow] = [(Iri(f"{E}s{number}"), V, found) for number, (_, _, found) in enumerate(VALUED)]
    check(virtuoso, engine, triples, set_of(Triple(X, V, constant)), joins_values=False)
    check(virtuoso, engine, triples, set_of(Triple(X, V, Y), Member(Y, (constant,))), joins_values=False)


#: Each is spelled otherwise as a value than as a constant, or has another datatype.
RESPELLED = [
    Literal("1990.0", XSD + "double"),
    Literal("-0.0", XSD + "double"),
    Literal("INF", XSD + "double"),
    Literal("1990.0", XSD_DECIMAL),
    Literal("9007199254740993", XSD_INTEGER),
    Literal("-2147483648", XSD_INTEGER),
]


@pytest.mark.parametrize("constant", RESPELLED, ids=str)
def test_a_constant_meets_what_the_engine_spells_otherwise(
    virtuoso: Server, engine: HttpEngine, constant: Literal
) -> None:
    virtuoso.load([(A, V, constant), (B, V, Literal("5", XSD_INTEGER))], GRAPH)
    assert answers(engine, set_of(Triple(X, V, constant)), 0).values == (A,)
    assert answers(engine, set_of(Triple(X, V, Y), Member(Y, (constant,))), 1).values == (A,)


@pytest.mark.parametrize("level", [0, 2])
def test_the_last_moment_of_a_day_is_looked_for_as_a_graph_holds_it(
    virtuoso: Server, engine: HttpEngine, level: int
) -> None:
    virtuoso.load([(A, V, Literal("1990-07-01T00:00:00", XSD + "dateTime"))], GRAPH)
    query = set_of(Triple(X, V, Literal("1990-06-30T24:00:00", XSD + "dateTime")))
    assert answers(engine, query, level).values == (A,)


def test_iris_are_not_read_as_numbers(virtuoso: Server, engine: HttpEngine) -> None:
    virtuoso.load([(A, V, Literal("2.5e0", XSD + "double")), (B, V, C)], GRAPH)
    for listed in ((C, D), (C, D, Literal("x"))):
        for query in (
            set_of(Triple(X, V, Y), Member(Y, listed)),
            set_of(Triple(X, V, Z), Not(Body((Triple(X, V, Y), Member(Y, (A, D)))))),
        ):
            found = answers(engine, query, 0)
            assert B in found.values


def test_filters_of_unions_in_an_arm_hold(virtuoso: Server, engine: HttpEngine) -> None:
    virtuoso.load([(A, P, B), (C, P, D)], GRAPH)
    inner = Union((Body((Member(X, (B,)),)), Body((Triple(X, P, Y),))))
    query = set_of(Union((Body((Member(X, (D,)),)), Body((inner, Member(X, (A, D)))))))
    for level in (0, 2):
        assert set(answers(engine, query, level).values) == {A, D}


def test_a_string_is_found_as_it_was_typed(virtuoso: Server, engine: HttpEngine) -> None:
    """With its datatype or without: N-Triples leave it out."""
    stored(virtuoso, engine, [(A, V, Literal("x")), (B, V, tagged("x", "en"))])
    text = emit(set_of(Triple(X, V, Literal("x"))), differential.schema_of(), differential.VOCABULARY, DIALECT)
    assert '"x"^^<http://www.w3.org/2001/XMLSchema#string>' in text
    assert engine.answers(set_of(Triple(X, V, Literal("x"))), text).values == (A,)


# --- inline data ------------------------------------------------------------------------------------------------------

EDGES: list[TripleRow] = [(A, P, B), (B, P, C), (C, P, A), (D, P, A), (B, Q, B), (D, V, Literal("5", XSD_INTEGER))]


def test_a_list_in_an_arm(virtuoso: Server, engine: HttpEngine) -> None:
    query = set_of(Union((Body((Triple(X, P, B),)), Body((Member(X, (D, C)),)))))
    check(virtuoso, engine, EDGES, query, shy_data=False, joins_values=False)


def test_a_list_under_a_negation(virtuoso: Server, engine: HttpEngine) -> None:
    query = set_of(Triple(X, P, Y), Not(Body((Member(X, (A, B)),))))
    check(virtuoso, engine, EDGES, query, shy_data=False, joins_values=False)


def test_a_list_of_what_is_bound_around(virtuoso: Server, engine: HttpEngine) -> None:
    query = set_of(Triple(X, P, Y), Not(Body((Member(X, (A, D)), Triple(X, P, Z)))))
    check(virtuoso, engine, EDGES, query, shy_data=False, joins_values=False)


def test_a_list_holds_values(virtuoso: Server, engine: HttpEngine) -> None:
    with pytest.raises(UnsupportedOperation, match="has no value"):
        answers(engine, set_of(Member(X, (Literal("abc", XSD_INTEGER),))))


# --- sub-selects ------------------------------------------------------------------------------------------------------

AGES: list[TripleRow] = [
    *EDGES,
    *[(Iri(f"{E}{name}"), V, Literal(age, XSD_DECIMAL)) for name, age in (("a", "3"), ("b", "7.5"), ("c", "7.5"))],
]


def test_what_is_found_beforehand_is_used_under_a_negation(virtuoso: Server, engine: HttpEngine) -> None:
    extreme = Extreme(Direction.MAX, Y, Z, Body((Triple(Y, V, Z),)), Kind.NUMBER)
    query = set_of(Triple(X, P, N), Not(Body((Triple(X, P, Y), extreme))))
    check(virtuoso, engine, AGES, query, limits_scalars=False)


def test_a_count_is_compared_in_a_filter_and_under_a_negation(virtuoso: Server, engine: HttpEngine) -> None:
    """Where both look at one sub-select, the filter is lost."""
    count = Count(N, Y, Body((Triple(Y, P, Z), Compare(Op.NE, Z, Literal("2.5", XSD + "float"), Kind.NUMBER))))
    t, u, v, w, q = (Var(name) for name in "tuvwq")
    denied = (
        Triple(u, P, v),
        Triple(u, Iri(E + "of"), w),
        InstanceOf(w, (B,)),
        Triple(w, Q, q),
        Compare(Op.IS, v, N),
        Not(Body((Triple(w, Q, A),))),
    )
    query = replace(set_of(count, Triple(t, P, X), Compare(Op.IS, X, N), Not(Body(denied))), outputs=(N,))
    check(virtuoso, engine, [(A, P, Literal("2.5", XSD + "float"))], query, limits_scalars=False)


def test_a_grouped_count_under_a_negation(virtuoso: Server, engine: HttpEngine) -> None:
    count = Count(N, Y, Body((Triple(Y, P, X),)), (X,))
    two = Compare(Op.EQ, N, Literal("2", XSD_INTEGER), Kind.NUMBER)
    query = set_of(Triple(X, P, Z), Not(Body((count, two))))
    check(virtuoso, engine, AGES, query, parts_groups=False)


def test_a_projection_beside_a_negation_under_a_negation(virtuoso: Server, engine: HttpEngine) -> None:
    projected = Project((Y, Z), Body((Triple(Y, P, Z),)))
    query = set_of(Triple(Y, P, N), Not(Body((projected, Not(Body((Triple(X, P, Y),)))))), Triple(X, P, Var("w")))
    graph = stored(virtuoso, engine, EDGES)
    expected = evaluate(query, graph, differential.schema_of(), differential.VOCABULARY)
    assert expected.values
    for level in (0, 1):
        found = answers(engine, query, level)
        assert found is not None
        assert found.key() == expected.key()
    assert answers(engine, query, 0, parts_groups=False) is None


# --- values -----------------------------------------------------------------------------------------------------------

DATED: list[TripleRow] = [
    (A, V, Literal("1990-07-01T12:00:00.5Z", XSD + "dateTime")),
    (B, V, Literal("-0044-03-15", XSD + "date")),
    (C, V, Literal("1991", XSD + "gYear")),
    (D, V, Literal("INF", XSD + "double")),
]


def test_dates_are_compared_though_they_are_respelled(virtuoso: Server, engine: HttpEngine) -> None:
    """The statistics say that there are dates alone, so that nothing is guarded."""
    graph = stored(virtuoso, engine, DATED[:3])
    query = set_of(Triple(X, V, Y), Compare(Op.GE, Y, Literal("1990", XSD + "gYear"), Kind.DATE))
    known, vocabulary = differential.schema_of(list(graph.triples())), differential.VOCABULARY
    text, generic = [emit(query, known, vocabulary, replace(DIALECT, wraps_replace=wraps)) for wraps in (True, False)]
    assert engine.answers(query, text) == evaluate(query, graph, known, vocabulary)
    assert not engine.answers(query, generic).values


def test_years_before_zero(virtuoso: Server, engine: HttpEngine) -> None:
    before = Compare(Op.LT, Y, Literal("0100", XSD + "gYear"), Kind.DATE)
    check(virtuoso, engine, DATED, set_of(Triple(X, V, Y), before), short_years=False)


def test_infinity_is_a_number(virtuoso: Server, engine: HttpEngine) -> None:
    """Stored as a string by one way of loading, and as a double by another, which is that of inline data."""
    large = Compare(Op.GT, Y, Literal("10", XSD_INTEGER), Kind.NUMBER)
    graph = stored(virtuoso, engine, DATED)
    found = answers(engine, set_of(Triple(X, V, Y), large))
    assert found == evaluate(set_of(Triple(X, V, Y), large), graph, differential.schema_of(), differential.VOCABULARY)
    listed = Member(X, (Literal("INF", XSD + "double"), Literal("5", XSD_INTEGER)))
    query = set_of(listed, Compare(Op.GT, X, Literal("10", XSD_INTEGER), Kind.NUMBER))
    check(virtuoso, engine, DATED, query, numbers_as_terms=False)


def test_a_text_beyond_ascii_is_compared_as_text(virtuoso: Server, engine: HttpEngine) -> None:
    graph = stored(virtuoso, engine, [(A, V, Literal("é")), (B, V, Literal("è")), (C, V, Literal("f"))])
    for op in (Op.LT, Op.GE, Op.NE):
        query = set_of(Triple(X, V, Y), Compare(op, Y, Literal("é"), Kind.TEXT))
        expected = evaluate(query, graph, differential.schema_of(), differential.VOCABULARY).key()
        for level in (0, 1):
            found = answers(engine, query, level)
            assert found is not None
            assert found.key() == expected


def test_one_inline_value_stays_what_it_is(virtuoso: Server, engine: HttpEngine) -> None:
    true = Literal("true", XSD + "boolean")
    check(virtuoso, engine, EDGES, set_of(Member(X, (true,))), folds_single_rows=False)


@pytest.mark.parametrize("value", [tagged("many", "de"), Literal("16777216.0", XSD + "float")], ids=["tag", "digits"])
def test_inline_values_that_it_does_not_give_back_are_refused(value: Literal) -> None:
    with pytest.raises(UnsupportedOperation, match="inline data"):
        emit(set_of(Member(X, (value,))), differential.schema_of(), differential.VOCABULARY, DIALECT)


def test_the_end_of_a_day_is_the_first_moment_of_the_next(virtuoso: Server, engine: HttpEngine) -> None:
    midnight = Literal("1990-06-30T24:00:00", XSD + "dateTime")
    asked = set_of(Member(X, (midnight,)))
    virtuoso.load(EDGES, GRAPH)
    expected = evaluate(asked, MemoryGraph(EDGES), differential.schema_of(), differential.VOCABULARY)
    for level in (0, 1):
        assert engine.run(asked, differential.schema_of(), differential.VOCABULARY, level).key() == expected.key()


# --- paths ------------------------------------------------------------------------------------------------------------


def test_a_cycle_leads_back_to_its_start(virtuoso: Server, engine: HttpEngine) -> None:
    check(virtuoso, engine, EDGES, set_of(Closure(A, P, X)), transitive_option=False)


def test_a_path_without_a_known_end(virtuoso: Server, engine: HttpEngine) -> None:
    check(virtuoso, engine, EDGES, set_of(Closure(X, P, Y)), transitive_option=False)


def test_a_closure_visits_every_node_once(virtuoso: Server, engine: HttpEngine) -> None:
    """Twenty pairs in a row, all of one joined with all of the next: a million ways, forty nodes."""
    rows = [[Iri(f"{E}n{level}_{side}") for side in range(2)] for level in range(20)]
    graph = [(a, P, b) for above, below in pairwise(rows) for a in above for b in below]
    stored(virtuoso, engine, graph)
    for query in (set_of(Closure(rows[0][0], P, X)), set_of(Closure(X, P, rows[-1][0]))):
        found = answers(engine, query)
        assert found is not None
        assert len(found.values) == 38


def test_a_closure_that_ends_in_literals_beside_a_union(virtuoso: Server, engine: HttpEngine) -> None:
    graph = [(A, P, B), (B, P, Literal("1", XSD_INTEGER)), (B, P, tagged("x", "en")), (A, Q, A), (C, P, C)]
    either = Union((Body((Triple(Y, Q, Z),)), Body((Triple(Y, V, Z),))))
    check(virtuoso, engine, graph, set_of(Closure(Y, P, X), either), transitive_option=False)


def test_no_step_from_what_the_graph_does_not_hold(virtuoso: Server, engine: HttpEngine) -> None:
    nobody = Iri(E + "nobody")
    stored(virtuoso, engine, EDGES)
    for relation in (P, Iri(E + "no_relation")):
        found = answers(engine, set_of(Closure(nobody, relation, X, 0)))
        assert found is not None
        assert found.values == (nobody,)


def test_no_step_or_more_from_a_known_start(virtuoso: Server, engine: HttpEngine) -> None:
    graph = stored(virtuoso, engine, EDGES)
    for query in (set_of(Closure(A, P, X, 0)), set_of(Closure(A, P, X, 0), Triple(X, P, Y))):
        found = answers(engine, query)
        assert found is not None
        assert found.key() == evaluate(query, graph, differential.schema_of(), differential.VOCABULARY).key()
        assert found.values


def test_an_edge_to_itself(virtuoso: Server, engine: HttpEngine) -> None:
    graph = stored(virtuoso, engine, EDGES)
    query = set_of(Triple(X, Var("r"), X), Union((Body((Triple(Y, P, X),)), Body((Triple(Y, Q, X),)))))
    expected = evaluate(query, graph, differential.schema_of(), differential.VOCABULARY)
    for level in (0, 1):
        found = answers(engine, query, level)
        assert found is not None
        assert found.values == expected.values == (B,)


def test_classes_are_listed() -> None:
    query = set_of(InstanceOf(X, (Iri(E + "C"),)))
    text = emit(query, differential.schema_of(), differential.VOCABULARY, DIALECT)
    assert "UNION" not in text
    assert " IN (" in text


def test_a_plain_string_and_a_typed_one_count_as_one(virtuoso: Server, engine: HttpEngine) -> None:
    text = Literal("1990")
    virtuoso.load([(A, V, text), (B, V, Literal("1991"))], GRAPH)
    graph = MemoryGraph([(A, V, text), (B, V, Literal("1991"))])
    either = Union((Body((Triple(A, V, X),)), Body((Member(X, (text,)),))))
    asked = Query(Form.NUMBER, (N,), Body((Count(N, X, Body((either,))),)), (("n", INTEGER), ("x", ANY)))
    assert evaluate(asked, graph, differential.schema_of(), differential.VOCABULARY).number == 1
    for level in (0, 1):
        assert engine.run(asked, differential.schema_of(), differential.VOCABULARY, level).number == 1


def test_a_closure_is_walked_from_its_known_end_whatever_else_the_server_holds(
    virtuoso: Server, engine: HttpEngine
) -> None:
    random = Random("other graphs")
    for number, (size, relations, entities) in enumerate(((50, "pqr", 20), (2000, "pqrvw", 300))):
        nodes = [Iri(f"{E}x{place}") for place in range(entities)]
        rows = {(random.choice(nodes), Iri(E + random.choice(relations)), random.choice(nodes)) for _ in range(size)}
        virtuoso.load(sorted(rows, key=str), f"{GRAPH}:other{number}")
    day, moment = Literal("2001-05-17", XSD + "date"), Literal("2001-05-17T10:00:00", XSD + "dateTime")
    triples: list[TripleRow] = [(A, W, day), (C, W, moment), (D, W, YEAR), (B, Q, D), (C, P, B)]
    arms = (
        Body((Closure(B, Q, X, 0),)),
        Body((Closure(X, Q, C, 0), Triple(X, W, Y))),
    )
    asked = set_of(Union(arms))
    expected = evaluate(asked, MemoryGraph(triples), differential.schema_of(), differential.VOCABULARY)
    assert expected.values == (B, C, D)
    virtuoso.load(triples, GRAPH)
    for level in (0, 1):
        assert engine.run(asked, differential.schema_of(), differential.VOCABULARY, level) == expected


# --- what some plans lose ---------------------------------------------------------------------------------------------


def agrees(server: Server, engine: HttpEngine, triples: list[TripleRow], query: Query) -> bool:
    """Asserts that both levels answer as the evaluator does; whether there is an answer."""
    graph = stored(server, engine, triples)
    expected = evaluate(query, graph, differential.schema_of(), differential.VOCABULARY)
    for level in (0, 1):
        assert answers(engine, query, level) == expected, (triples, level, expected)
    return not expected.empty


def drawn(random: Random, size: int, rows: list[TripleRow]) -> list[TripleRow]:
    """Some of these triples, in the order of all."""
    chosen = set(random.sample(range(len(rows)), size))
    return [row for place, row in enumerate(rows) if place in chosen]


def test_a_relation_of_several_patterns_that_lead_on(virtuoso: Server, engine: HttpEngine) -> None:
    """Which plan loses it depends on what the server has held before: so several graphs, and ways to lead on."""
    relation, made, far = Var("r"), Var("m"), Var("f")
    queries = [
        set_of(Triple(X, relation, Y), Triple(X, relation, made), Triple(made, relation, far)),
        set_of(InstanceOf(X, (Iri(E + "C"),)), Triple(made, relation, far), Triple(A, relation, made)),
        set_of(Triple(X, relation, Y), Triple(Z, relation, X), Triple(Z, relation, X)),
        set_of(Triple(X, relation, Y), Not(Body((Triple(Y, relation, Z), Triple(Z, relation, X))))),
        set_of(Triple(X, relation, X), Triple(X, relation, Y)),
    ]
    text = emit(queries[0], differential.schema_of(), differential.VOCABULARY, DIALECT)
    assert text.count("STR(?r_") == 2
    nodes = (A, B, C)
    edges: list[TripleRow] = [(a, p, b) for a in nodes for p in (P, Q) for b in nodes]
    ends: list[TripleRow] = [(a, v, Literal(text)) for a in nodes for v in (V, W) for text in ("", "x")]
    classes: list[TripleRow] = [(a, Iri(differential.VOCABULARY.type_predicates[0]), Iri(E + "C")) for a in nodes]
    random = Random("relations")
    full = 0
    for _ in range(8):
        graph = [*drawn(random, 3, edges), *drawn(random, 2, ends), *classes]
        full += sum(agrees(virtuoso, engine, graph, query) for query in queries)
    assert full > 10


def test_relations_that_do_not_lead_on_are_joined() -> None:
    relation = Var("r")
    query = set_of(Triple(A, relation, Y), Triple(X, relation, Y))
    assert "?r_" not in emit(query, differential.schema_of(), differential.VOCABULARY, DIALECT)


def test_two_lists_for_one_variable(virtuoso: Server, engine: HttpEngine) -> None:
    one, two, three = Literal("one"), Literal("two"), Literal("three")
    query = set_of(Triple(X, V, Y), Member(Y, (tagged("two", "de"), one, two)), Compare(Op.EQ, Y, one, Kind.TEXT))
    check(virtuoso, engine, [(A, V, one), (B, V, three)], query, misreads_lists=False)


def test_a_list_for_what_is_bound_around_a_negation(virtuoso: Server, engine: HttpEngine) -> None:
    one = Literal("one")
    denied = Not(Body((Triple(A, W, Z), Compare(Op.EQ, Y, one, Kind.TEXT))))
    query = set_of(Triple(A, V, Y), Triple(X, Q, N), denied)
    triples: list[TripleRow] = [(A, V, one), (A, V, Literal("two")), (B, Q, C)]
    check(virtuoso, engine, triples, query, misreads_lists=False)
    assert not agrees(virtuoso, engine, [(A, V, one), (A, W, one), (B, Q, C)], query)


def test_several_negations_beside_a_closure_have_no_form() -> None:
    """Plans lose one of them, whether they are two filters or one."""
    denied = [Not(Body((Triple(X, relation, B),))) for relation in (Q, V)]
    one, two = set_of(Closure(X, P, Y), denied[0]), set_of(Closure(X, P, Y), *denied)
    assert emit(one, differential.schema_of(), differential.VOCABULARY, "virtuoso")
    with pytest.raises(UnsupportedOperation, match="several negations beside a closure"):
        emit(two, differential.schema_of(), differential.VOCABULARY, "virtuoso")


def test_a_closure_from_what_must_be_a_literal(virtuoso: Server, engine: HttpEngine) -> None:
    query = set_of(Member(X, (Literal("x"),)), Triple(X, V, Y), Closure(X, P, Y, 0))
    assert not agrees(virtuoso, engine, [(A, V, B), (A, P, B)], query)


def test_a_relation_of_a_union_and_beside_it_has_no_form() -> None:
    relation = Var("r")
    either = Union((Body((Triple(Y, relation, Z),)), Body((Triple(Y, Q, Z),))))
    with pytest.raises(UnsupportedOperation, match="a relation variable of a union"):
        emit(set_of(Triple(X, relation, Y), either), differential.schema_of(), differential.VOCABULARY, DIALECT)
    both = Union((Body((Triple(A, relation, X),)), Body((Triple(X, relation, A),))))
    assert "UNION" in emit(set_of(both), differential.schema_of(), differential.VOCABULARY, DIALECT)


def test_copies_of_the_end_of_a_closure_are_listed_twice() -> None:
    body = Body((Triple(X, V, Y), Closure(X, P, Z, 0), Member(Z, (B,))))
    text = emit(
        set_of(Extreme(Direction.MAX, X, Y, body, Kind.NUMBER)),
        differential.schema_of(),
        differential.VOCABULARY,
        DIALECT,
    )
    assert text.count(f"(<{B.value}>, <{B.value}>)") == 2


# --- unions, what is beside them and what is within -------------------------------------------------------------------


def test_a_list_in_one_arm_of_a_union_is_not_applied_to_the_others(virtuoso: Server, engine: HttpEngine) -> None:
    listed = Body((Member(Y, (B,)), Triple(Y, V, X)))
    query = set_of(Triple(Y, Q, Z), Union((Body((Member(X, (Literal("two"),)),)), listed)))
    check(virtuoso, engine, [(A, Q, C)], query, misreads_lists=False)


def test_an_object_beside_a_union_that_is_a_subject_in_some_arm_has_no_form() -> None:
    arms = Body((Member(X, (A,)),)), Body((Triple(Y, Q, X),))
    query = set_of(Triple(Z, V, Y), Union(arms))
    with pytest.raises(UnsupportedOperation, match="an object beside a union"):
        emit(query, differential.schema_of(), differential.VOCABULARY, DIALECT)
    everywhere = set_of(Triple(Z, V, X), Union((Body((Member(X, (A,)),)), Body((Triple(X, Q, Y),)))))
    as_subject = set_of(Triple(Z, V, Y), Triple(Y, W, N), Union(arms))
    for query in (everywhere, as_subject):
        assert "UNION" in emit(query, differential.schema_of(), differential.VOCABULARY, DIALECT, 0)


def test_one_value_that_a_negation_lists_too(virtuoso: Server, engine: HttpEngine) -> None:
    kind = Iri(E + "K")
    denied = Not(Body((InstanceOf(X, (kind,)), Member(X, (B,)))))
    for listed in (Member(X, (A,)), Union((Body((Member(X, (A,)),)), Body((Member(X, (Literal("x"),)),))))):
        query = set_of(Extreme(Direction.MIN, X, Y, Body((listed, Triple(X, W, Y), denied)), Kind.NUMBER))
        check(
            virtuoso,
            engine,
            [(A, W, Literal("1", XSD_INTEGER)), (A, W, Literal("é")), (A, differential.TYPE, kind)],
            query,
            folds_single_rows=False,
        )


def test_a_count_that_equals_a_constant_is_an_integer(virtuoso: Server, engine: HttpEngine) -> None:
    two = Literal("2", XSD + "int")
    count = Count(N, X, Body((Triple(A, Q, X),)), ())
    query = Query(Form.NUMBER, (N,), Body((Compare(Op.EQ, two, N, Kind.NUMBER), count)), (("n", INTEGER), ("x", ANY)))
    virtuoso.load([(A, Q, A), (A, Q, B)], GRAPH)
    for level in (0, 1):
        found = answers(engine, query, level)
        assert found is not None
        assert found.number == 2


def test_a_projection_under_a_negation(virtuoso: Server, engine: HttpEngine) -> None:
    own = Project((X,), Body((Triple(X, P, Y),)))
    query = set_of(Triple(X, Q, N), Not(Body((own, Triple(Z, V, D), Triple(Z, P, X)))))
    rows: list[TripleRow] = [(A, Q, B), (B, Q, B), (A, P, B), (B, P, B), (C, V, D), (C, P, A)]
    for part in (rows, rows[:2]):
        graph = stored(virtuoso, engine, part)
        expected = evaluate(query, graph, differential.schema_of(), differential.VOCABULARY).key()
        for level in (0, 1):
            found = answers(engine, query, level)
            assert found is not None
            assert found.key() == expected


def test_joins_are_counted_with_unions_multiplied_out() -> None:
    def union(arms: int) -> Union:
        return Union(tuple([Body((Triple(X, Iri(f"{P.value}{at}"), Z),)) for at in range(arms)]))

    def query(arms: int) -> Query:
        return set_of(*[Triple(X, Iri(f"{Q.value}{at}"), Y) for at in range(8)], union(arms))

    assert "UNION" in emit(query(11), differential.schema_of(), differential.VOCABULARY, DIALECT, 0)
    with pytest.raises(UnsupportedOperation, match="more than 100 tables"):
        emit(query(12), differential.schema_of(), differential.VOCABULARY, DIALECT, 0)


def test_so_many_tables_beside_a_superlative_have_no_form() -> None:
    def query(beside: int) -> Query:
        best = Extreme(Direction.MAX, X, Y, Body((Triple(X, V, Y),)), Kind.NUMBER)
        return set_of(best, *[Triple(X, Iri(f"{Q.value}{at}"), Z) for at in range(beside)])

    assert "MAX" in emit(query(7), differential.schema_of(), differential.VOCABULARY, DIALECT, 0)
    with pytest.raises(UnsupportedOperation, match="a group of more than 9 tables"):
        emit(query(8), differential.schema_of(), differential.VOCABULARY, DIALECT, 0)


def test_a_filter_beside_a_closure_both_of_whose_ends_are_known(virtuoso: Server, engine: HttpEngine) -> None:
    """Left to choose where to begin, it finds nothing."""
    label, loop = tagged("two", "de"), Iri("http://v.example/q")
    graph = stored(virtuoso, engine, [(A, P, label), (A, loop, A), (B, loop, C)])
    for least in (0, 1):
        body = (Triple(X, P, Y), Triple(Z, loop, X), Compare(Op.EQ, Y, label, Kind.TEXT), Closure(Z, loop, X, least))
        query = set_of(*body)
        expected = evaluate(query, graph, differential.schema_of(), differential.VOCABULARY).key()
        for level in (0, 1, 2):
            assert engine.run(query, differential.schema_of(), differential.VOCABULARY, level).key() == expected
