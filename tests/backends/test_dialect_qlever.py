"""QLever cannot be had for tests. What is asserted: its queries are right SPARQL, keep to what it understands, and are
right too when an EXISTS is read as it reads it, on its own."""

from __future__ import annotations

import runpy
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from pylf.backends.dialects import dialect_named
from pylf.backends.dialects.qlever import DIALECT
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.sparql import date_numbers, emit
from pylf.backends.sparql.lower import lower_query
from pylf.backends.sparql.print import print_tree
from pylf.backends.sparql.query import (
    Ask,
    Call,
    Column,
    Exists,
    Filter,
    Group,
    Minus,
    Operation,
    Select,
    UnionPattern,
)
from pylf.errors import UnsupportedOperation
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Body, Compare, Direction, Extreme, Form, Kind, Not, Op, Query, Triple
from pylf.ir.terms import XSD, Iri, Literal, Var
from pylf.ir.types import ANY
from pylf.records import replace

if TYPE_CHECKING:
    from pylf.backends.sparql.query import Pattern, QueryTree

#: random queries and odd graphs
differential = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("test_sparql_differential.py"))))
E = "http://e/"
U, V, W, X, Y, Z = (Var(name) for name in "uvwxyz")
P, OF = Iri(E + "p"), Iri(E + "v")
SCHEMA = differential.schema_of()


class Unreadable(Exception):
    """An EXISTS stands where no MINUS can."""


def variables(node: object) -> set[str]:
    match node:
        case Var(name):
            return {name}
        case tuple():
            return {name for part in node for name in variables(part)}
        case _ if hasattr(node, "__match_args__"):
            return {name for part in node.__match_args__ for name in variables(getattr(node, part))}
        case _:
            return set()


def apart(tree: QueryTree) -> QueryTree:
    """The query with MINUS for NOT EXISTS, and a join with distinct rows for EXISTS: what QLever makes of them."""
    return replace(tree, where=_apart(tree.where, set()))


def _apart(group: Group, around: set[str]) -> Group:
    plain: list[Pattern] = []
    exists: list[tuple[Group, bool]] = []
    for pattern in group.patterns:
        match pattern:
            case Filter(Exists(inner, negated)):
                exists.append((inner, negated))
            case Filter(expression) if "EXISTS" in print_tree(Ask(Group((pattern,))), DIALECT):
                raise Unreadable(expression)
            case Select():
                plain.append(apart(pattern))
            case UnionPattern(arms):
                plain.append(UnionPattern(tuple([_apart(arm, around) for arm in arms])))
            case _:
                plain.append(pattern)
    own = around | variables(tuple([p for p in plain if not isinstance(p, Filter)]))
    for inner, negated in exists:
        solved = _apart(inner, set())
        if negated:
            plain.append(Minus(solved))
        else:
            shared = tuple([Var(name) for name in sorted(variables(inner) & own)])
            plain.append(Select(shared, solved, distinct=True))
    return Group(tuple(plain))


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_its_queries_are_right_on_an_engine_that_reads_the_standard(depth: int) -> None:
    plain = differential.schema_of()
    asked = read_apart = refused = 0
    for seed in range(12 * differential.FUZZ):
        random = Random(f"qlever {depth} {seed}")
        triples, pool = differential.random_graph(random)
        engine = OxigraphEngine.memory(triples)
        stored = list(engine.triples())
        graph, known = MemoryGraph(stored), differential.schema_of(stored)
        for _ in range(8):
            query = differential.random_query(random, pool, depth)
            expected = evaluate(query, graph, plain, differential.VOCABULARY)
            for schema, level in ((plain, 0), (plain, 1), (known, 1)):
                if not differential.agree(query, graph, schema, engine, expected, "qlever", level, seed):
                    refused += 1
                    continue
                asked += 1
                tree = lower_query(query, schema, differential.VOCABULARY, DIALECT, level)
                try:
                    text = print_tree(apart(tree), DIALECT)
                except Unreadable:
                    continue
                read_apart += 1
                assert engine.answers(query, text).key() == expected.key(), f"seed {seed}, {level}\n{text}"
    assert asked > 180 * differential.FUZZ
    assert read_apart > asked / 3
    assert refused < asked / 5


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize("op", [Op.LT, Op.GE, Op.GT])
def test_it_would_be_wrong_to_write_exists_as_for_others(op: Op, level: int) -> None:
    """A negation in a negation, both of which compare with a value that is bound outside of them."""
    random = Random(f"qlever {op}")
    entities = [Iri(f"{E}e{number}") for number in range(12)]
    triples = [(entity, Iri(E + "p"), other) for entity in entities for other in random.sample(entities, 3)]
    triples += [(entity, Iri(E + "v"), Literal(str(random.randint(1, 5)), XSD + "integer")) for entity in entities]
    deeper = Not(Body((Triple(Y, P, Z), Triple(Z, OF, U), Compare(op, U, V, Kind.NUMBER))))
    denied = Not(Body((Triple(X, P, Y), Triple(Y, OF, W), Compare(op, W, V, Kind.NUMBER), deeper)))
    query = Query(Form.SET, (X,), Body((Triple(X, OF, V), denied)), tuple((name, ANY) for name in "uvwxyz"))
    engine = OxigraphEngine.memory(triples)
    expected = evaluate(query, MemoryGraph(triples), SCHEMA, differential.VOCABULARY)
    assert 0 < len(expected.values) < 12
    found = []
    for dialect in (DIALECT, replace(DIALECT, apart_exists=False)):
        tree = lower_query(query, SCHEMA, differential.VOCABULARY, dialect, level)
        assert engine.answers(query, print_tree(tree, dialect)).key() == expected.key()
        found.append(engine.answers(query, print_tree(apart(tree), dialect)).key() == expected.key())
    assert found == [True, False]


def test_what_a_filter_under_exists_looks_at_is_repeated_there() -> None:
    body = (
        Triple(X, Iri(E + "p"), Y),
        Triple(X, Iri(E + "v"), V),
        Not(Body((Triple(Y, Iri(E + "v"), W), Compare(Op.LT, V, W, Kind.NUMBER)))),
    )
    query = Query(Form.SET, (X,), Body(body), tuple((name, ANY) for name in "vwxy"))
    standard = lower_query(query, SCHEMA, differential.VOCABULARY, dialect_named("sparql11"), 1)
    found = lower_query(query, SCHEMA, differential.VOCABULARY, DIALECT, 1)
    assert [bound(tree) for tree in (standard, found)] == [{"y", "w"}, {"y", "w", "x", "v"}]


def bound(tree: QueryTree) -> set[str]:
    """The variables that the patterns of the query's NOT EXISTS bind."""
    (group,) = [
        p.expression.group for p in tree.where.patterns if isinstance(p, Filter) and isinstance(p.expression, Exists)
    ]
    return variables(tuple([pattern for pattern in group.patterns if not isinstance(pattern, Filter)]))


def comparing(op: Op, constant: Literal, kind: Kind = Kind.ANY) -> Query:
    body = Body((Triple(X, Iri(E + "v"), V), Compare(op, V, constant, kind)))
    return Query(Form.SET, (X,), body, (("v", ANY), ("x", ANY)))


def sparql(query: Query) -> str:
    return emit(query, SCHEMA, differential.VOCABULARY, "qlever")


def test_there_is_no_same_term() -> None:
    for constant in (Literal("x"), Literal("true", XSD + "boolean"), Literal("zz", E + "dt"), Iri(E + "a")):
        assert "sameTerm" not in sparql(comparing(Op.IS, constant))


def test_numbers_are_not_read_from_their_text() -> None:
    text = sparql(comparing(Op.LT, Literal("2.5", XSD + "decimal")))
    assert f"<{XSD}double>(?v) < 2.5e0" in text
    assert f"<{XSD}double>(STR(" not in text


@pytest.mark.parametrize("op", [Op.LT, Op.LE, Op.GT, Op.GE])
def test_dates_are_compared_as_numbers_and_texts_not_at_all(op: Op) -> None:
    assert '~"' not in sparql(comparing(op, Literal("2001-05-17", XSD + "date")))
    with pytest.raises(UnsupportedOperation, match=r"the order of texts .*qlever.*xsd:date"):
        sparql(comparing(op, Literal("m")))
    assert sparql(comparing(Op.EQ, Literal("m")))


def test_a_superlative_of_texts_is_refused() -> None:
    body = Body((Extreme(Direction.MAX, X, V, Body((Triple(X, Iri(E + "v"), V),)), Kind.TEXT),))
    with pytest.raises(UnsupportedOperation, match="the order of texts"):
        sparql(Query(Form.SET, (X,), body, (("v", ANY), ("x", ANY))))


def test_a_date_is_a_day_and_a_time() -> None:
    found = date_numbers.compare(Op.GT, V, Call("STR", (V,)), "-0044", "-0044-03")
    assert found == Operation("||", found.operands)  # type: ignore[union-attr]
    text = print_tree(Select((X, Column(found, W)), Group(())), DIALECT)
    # the end of March 44 before 0: every day of it, and every time
    assert "-439601 <" in text or "-439601" in text
    assert "999999.999999999e0" in text
