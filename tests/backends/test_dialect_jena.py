"""What the dialect of Jena says, on Jena."""

from __future__ import annotations

import runpy
import time
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from pylf.backends.dialects import dialect_named
from pylf.backends.engines.http import HttpEngine
from pylf.backends.sparql import emit
from pylf.backends.sparql.dialect import Dialect
from pylf.errors import CompileError
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
    Kind,
    Member,
    Not,
    Op,
    Query,
    TopK,
    Triple,
    Union,
)
from pylf.ir.terms import XSD, Iri, Literal, Var, tagged
from pylf.ir.text import parse_query
from pylf.ir.types import ANY, ENTITY
from pylf.language.context import Context
from pylf.language.lower import lower
from pylf.records import replace
from pylf.testing import programs

if TYPE_CHECKING:
    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Conjunct
    from pylf.testing.servers import Server

#: random queries and odd graphs
differential = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("test_sparql_differential.py"))))
E = "http://e/"
GRAPH = "urn:dialect-jena"


@pytest.fixture
def engine(jena: Server) -> HttpEngine:
    return HttpEngine(jena.endpoint(GRAPH))


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_queries_are_answered_as_by_the_evaluator(jena: Server, engine: HttpEngine, depth: int) -> None:
    plain = differential.schema_of()
    asked = full = 0
    for seed in range(6 * differential.FUZZ):
        random = Random(f"jena {depth} {seed}")
        triples, pool = differential.random_graph(random)
        jena.load(triples, GRAPH)
        graph, known = MemoryGraph(triples), differential.schema_of(triples)
        for _ in range(8):
            query = differential.random_query(random, pool, depth)
            expected = evaluate(query, graph, plain, differential.VOCABULARY)
            for schema, level in ((plain, 0), (plain, 1), (known, 1)):
                asked += differential.agree(query, graph, schema, engine, expected, "jena", level, seed)
            full += not (expected.empty or expected.number == 0 or expected.boolean is False)
    assert asked > 130 * differential.FUZZ
    assert full > 10 * differential.FUZZ


def test_programs_are_answered_as_by_the_evaluator(jena: Server, engine: HttpEngine) -> None:
    full = 0
    last = None
    for world in programs.pairs(4, 160 * differential.FUZZ):
        if world.triples is not last:
            jena.load(world.triples, GRAPH)
            last = world.triples
        try:
            query = lower(world.program, Context(world.schema, programs.VOCABULARY, world.graph)).query
        except CompileError:
            continue
        expected = evaluate(query, world.graph, world.schema, programs.VOCABULARY)
        for level in (0, 1):
            found = engine.run(query, world.schema, programs.VOCABULARY, level)
            assert found.key() == expected.key(), world.program
        full += not (expected.empty or expected.number == 0 or expected.boolean is False)
    assert full > 40 * differential.FUZZ


SPELLED = [
    *[Literal(form, XSD + "integer") for form in ("01", "1", " 1", "abc")],
    *[Literal(form, XSD + "double") for form in ("1e0", "1.0E0", "NaN")],
    *[Literal(form, XSD + "dateTime") for form in ("2001-05-17T10:00:00.50", "2001-05-17T24:00:00")],
    *[Literal("1", XSD + name) for name in ("boolean", "float", "decimal")],
    *[Literal(form, XSD + "gYear") for form in ("-0044", "12000", "0000")],
    *[tagged("x", tag) for tag in ("en", "en-us")],
]


def test_an_in_memory_dataset_keeps_what_is_written(jena: Server, engine: HttpEngine) -> None:
    triples = [(Iri(f"{E}s{number}"), Iri(E + "v"), literal) for number, literal in enumerate(SPELLED)]
    jena.load(triples, GRAPH)
    assert set(engine.triples()) == set(triples)


def test_a_negation_is_nested() -> None:
    x, y, z = Var("x"), Var("y"), Var("z")
    denied = Not(Body((Triple(x, Iri(E + "q"), y), Triple(y, Iri(E + "r"), z))))
    query = Query(
        Form.SET, (x,), Body((Triple(x, Iri(E + "p"), Iri(E + "a")), denied)), (("x", ANY), ("y", ANY), ("z", ANY))
    )
    schema, vocabulary = differential.schema_of(), differential.VOCABULARY
    nested, flat = (emit(query, schema, vocabulary, dialect) for dialect in ("jena", Dialect("jena")))
    assert nested.count("EXISTS") == 2
    assert flat.count("EXISTS") == 1


def test_that_is_what_makes_it_fast(jena: Server, engine: HttpEngine) -> None:
    """Flat, all that a constant leads to is gone through for every row."""
    a, b, p, q, r, s = (Iri(E + name) for name in "abpqrs")
    rows = [[Iri(f"{E}{kind}{number}") for kind in "xyz"] for number in range(300)]
    triples = [t for x, y, z in rows for t in ((x, p, a), (x, q, y), (y, r, z), (b, s, z))]
    jena.load(triples[:-1], GRAPH)
    x, y, z = Var("x"), Var("y"), Var("z")
    denied = Not(Body((Triple(x, q, y), Triple(y, r, z), Triple(b, s, z))))
    body = Body((Triple(x, p, a), denied))
    query = Query(Form.SET, (x,), body, (("x", ANY), ("y", ANY), ("z", ANY)))
    times = []
    for dialect in ("jena", Dialect("jena")):
        text = emit(query, differential.schema_of(), differential.VOCABULARY, dialect)
        start = time.perf_counter()
        assert engine.answers(query, text).values == (rows[-1][0],)
        times.append(time.perf_counter() - start)
    assert times[0] * 2 < times[1], times


@pytest.mark.parametrize("level", [0, 1, 2])
def test_groups_of_which_two_aggregates_are_equal_are_not_lost(jena: Server, level: int) -> None:
    triples: list[TripleRow] = [(Iri(E + s), Iri(E + "likes"), Iri(E + o)) for s, o in ("ac", "bc", "ad")]
    jena.load(triples, GRAPH)
    query = parse_query("""
set ?x
where
  aggregate ?n := count(distinct ?y), ?m := max(?best) per ?x
    ?best with largest ?best by number
      ?best counts ?v per ?w
        ?v <http://e/likes> ?w
    ?y <http://e/likes> ?x
  if ?n = ?m
""")
    schema, vocabulary = differential.schema_of(), differential.VOCABULARY
    found = HttpEngine(jena.endpoint(GRAPH)).run(query, schema, vocabulary, level)
    assert found.key() == evaluate(query, MemoryGraph(triples), schema, vocabulary).key()
    assert found.values == (Iri(E + "c"),)


@pytest.mark.parametrize("level", [0, 1])
def test_an_equality_of_two_variables_under_a_negation_is_not_lost(jena: Server, level: int) -> None:
    # who likes nobody but themselves: no liked one that is another; and who does not like themselves
    likes, x, y, k = Iri(E + "likes"), Var("x"), Var("y"), Var("k")
    a, b, c = (Iri(E + name) for name in "abc")
    triples = [(a, likes, a), (b, likes, c), (b, likes, b), (c, likes, a)]
    jena.load(triples, GRAPH)
    same = Not(Body((Triple(x, likes, y), Compare(Op.IS, y, k, Kind.ANY))))
    query = Query(Form.SET, (x,), Body((Triple(x, likes, k), same)), (("k", ENTITY), ("x", ENTITY), ("y", ENTITY)))
    schema = differential.schema_of()
    assert evaluate(query, MemoryGraph(triples), schema, differential.VOCABULARY).empty
    found = HttpEngine(jena.endpoint(GRAPH)).run(query, schema, differential.VOCABULARY, level)
    assert found.empty
    careless = Dialect("careless")
    text = emit(query, schema, differential.VOCABULARY, careless, level)
    assert HttpEngine(jena.endpoint(GRAPH)).select(text)  # the reason for it all


def test_an_iri_that_jena_takes_for_none_is_told_by_its_spelling(jena: Server) -> None:
    odd, p = Iri(E + "100%"), Iri(E + "p")
    query = Query(Form.SET, (Var("x"),), Body((Triple(Var("x"), p, odd),)), (("x", ENTITY),))
    jena.load([(Iri(E + "a"), p, Iri(E + "b"))], GRAPH)
    assert HttpEngine(jena.endpoint(GRAPH)).run(query, differential.schema_of(), differential.VOCABULARY).empty


@pytest.fixture(scope="module")
def written(jena: Server) -> tuple[HttpEngine, MemoryGraph]:
    """Strings whose tags are written in many ways, and zeros; as they are, and with their tags in lower case."""
    strings = (
        ("colour", "en-GB"),
        ("color", "en-US"),
        ("color", "en-us"),
        ("color", "en"),
        ("han", "zh-Hant"),
        ("v", "EN"),
    )
    zeros = ("-0.0", "double"), ("-0", "double"), ("0", "integer"), ("-0.0", "float"), ("-0.0", "decimal"), ("1", "int")
    lines = [f'<{E}s{n}> <{E}s> "{text}"@{tag} .' for n, (text, tag) in enumerate(strings)]
    lines += [f'<{E}n{n}> <{E}num> "{form}"^^<{XSD}{name}> .' for n, (form, name) in enumerate(zeros)]
    lines.append(f'<{E}s0> <{E}t> "color"@EN-us .')
    jena.load_text("\n".join(lines) + "\n", GRAPH + "-written")
    triples: list[TripleRow] = [(Iri(f"{E}s{n}"), S, tagged(*string)) for n, string in enumerate(strings)]
    triples += [(Iri(f"{E}n{n}"), NUM, Literal(form, XSD + name)) for n, (form, name) in enumerate(zeros)]
    triples.append((Iri(E + "s0"), T, tagged("color", "en-us")))
    return HttpEngine(jena.endpoint(GRAPH + "-written")), MemoryGraph(triples)


S, T, NUM = Iri(E + "s"), Iri(E + "t"), Iri(E + "num")
X, Y, V, W, K = map(Var, "xyvwk")
AMERICAN, BRITISH, HAN = tagged("color", "en-us"), tagged("colour", "en-gb"), tagged("han", "zh-hant")
SAYS, HAS, HAS_TOO = Triple(X, S, V), Triple(X, NUM, V), Triple(Y, NUM, W)
ZERO, ONE = Literal("0", XSD + "integer"), Literal("1", XSD + "integer")


def body(*conjuncts: Conjunct) -> Body:
    return Body(conjuncts)


def asked(*conjuncts: Conjunct, outputs: tuple[Var, ...] = (X,), form: Form = Form.SET) -> Query:
    return Query(form, outputs, body(*conjuncts), tuple((name, ANY) for name in "kvwxy"))


#: with tagged strings in patterns, in memberships (also beside others, in arms, denied), at the end of a closure
OF_STRINGS = [
    asked(Triple(X, S, AMERICAN)),
    asked(Triple(X, S, tagged("v", "en"))),
    asked(Triple(Iri(E + "s1"), S, AMERICAN), outputs=(), form=Form.BOOLEAN),
    asked(SAYS, Not(body(Triple(X, S, AMERICAN)))),
    asked(Union((body(Triple(X, S, AMERICAN)), body(Triple(X, S, BRITISH))))),
    asked(SAYS, Member(V, (AMERICAN, BRITISH, ONE))),
    asked(SAYS, Member(V, (AMERICAN, HAN)), outputs=(X, V), form=Form.ROWS),
    asked(SAYS, Member(V, (AMERICAN, BRITISH)), Member(V, (BRITISH, HAN))),
    asked(SAYS, Union((body(Member(V, (AMERICAN,))), body(Member(V, (BRITISH, ONE)))))),
    asked(SAYS, Not(body(Member(V, (AMERICAN, BRITISH))))),
    asked(SAYS, Not(body(Union((body(Member(V, (AMERICAN,))), body(Compare(Op.IS, V, HAN))))))),
    asked(Union((body(SAYS), body(Triple(X, T, V)))), Member(V, (AMERICAN,))),
    asked(Closure(X, S, AMERICAN, 1)),
    asked(SAYS, Triple(Y, T, W), Compare(Op.IS, V, W, Kind.ANY)),
    asked(Count(K, V, body(SAYS)), outputs=(K,), form=Form.NUMBER),
]
#: compared with a number and with each other, by superlatives, counted
OF_ZEROS = [
    *[asked(HAS, Compare(op, V, ZERO, Kind.NUMBER)) for op in (Op.EQ, Op.NE, Op.LT, Op.LE, Op.GT, Op.GE)],
    asked(HAS, Compare(Op.IS, V, Literal("-0", XSD + "double"), Kind.ANY)),
    asked(HAS, HAS_TOO, Compare(Op.LT, V, W, Kind.NUMBER), outputs=(X, Y), form=Form.ROWS),
    asked(HAS, HAS_TOO, Compare(Op.IS, V, W, Kind.ANY), outputs=(X, Y), form=Form.ROWS),
    asked(HAS, Not(body(HAS_TOO, Compare(Op.LT, W, V, Kind.NUMBER)))),
    *[asked(Extreme(Direction.MIN, X, V, body(HAS), kind)) for kind in (Kind.NUMBER, Kind.ANY)],
    *[asked(TopK(Direction.MIN, 1, X, V, body(HAS), kind)) for kind in (Kind.NUMBER, Kind.ANY)],
    asked(TopK(Direction.MAX, 2, V, V, body(HAS), Kind.NUMBER), outputs=(V,)),
    asked(Count(K, V, body(HAS)), outputs=(K,), form=Form.NUMBER),
]


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize("query", [*OF_STRINGS, *OF_ZEROS])
def test_tags_in_any_case_and_zeros_of_either_sign(
    written: tuple[HttpEngine, MemoryGraph], query: Query, level: int
) -> None:
    engine, graph = written
    expected = evaluate(query, graph, differential.schema_of(), differential.VOCABULARY)
    for schema in (differential.schema_of(), differential.schema_of(list(graph.triples()))):
        found = engine.run(query, schema, differential.VOCABULARY, level)
        assert found.key() == expected.key()


@pytest.mark.parametrize(
    ("field", "query"), [("folds_language", query) for query in (OF_STRINGS[0], OF_STRINGS[3], OF_STRINGS[5])]
    + [("orders_zeros", query) for query in (OF_ZEROS[0], OF_ZEROS[2], OF_ZEROS[8], OF_ZEROS[10])]
)  # fmt: skip
def test_without_the_dialect_they_are_lost(written: tuple[HttpEngine, MemoryGraph], field: str, query: Query) -> None:
    engine, graph = written
    careless = replace(dialect_named("jena"), **{field: not getattr(dialect_named("jena"), field)})
    text = emit(query, differential.schema_of(), differential.VOCABULARY, careless)
    expected = evaluate(query, graph, differential.schema_of(), differential.VOCABULARY)
    assert engine.answers(query, text).key() != expected.key()
