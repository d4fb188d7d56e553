"""Sub-selects of one row: that they stand where what they find is looked at, and what stands beside a count."""

from __future__ import annotations

import pytest

from pylf.backends.dialects import NAMES, dialect_named
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.rdflib import RdflibEngine
from pylf.backends.sparql import emit
from pylf.backends.sparql.lower import lower_query
from pylf.backends.sparql.query import Column, Filter, Select
from pylf.errors import UnsupportedOperation
from pylf.ir import build
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import (
    Body,
    Closure,
    Compare,
    Count,
    Form,
    InstanceOf,
    Kind,
    Member,
    Not,
    Op,
    Query,
    Triple,
    Union,
)
from pylf.ir.schema.infer import infer_schema
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import RDF, XSD_INTEGER, Iri, Literal, Var
from pylf.ir.traverse import variables
from pylf.ir.types import ANY

E = "http://e/"
VOCABULARY = Vocabulary("rdf")
SCHEMA = Schema(MemorySource([], [], {}))
A, B, C, P, Q, R = (Iri(E + name) for name in "abcpqr")
N, X, Y, Z, U, V, W = (Var(name) for name in "nxyzuvw")
KIND = Iri(RDF + "type")
ONE = Literal("1", XSD_INTEGER)
#: those whose queries Oxigraph reads as they are meant
READ = [name for name in NAMES if name != "virtuoso"]


def asking(*conjuncts, form=Form.SET, of=X) -> Query:
    body = Body(conjuncts)
    names = variables(Query(form, (of,), body))
    return Query(form, (of,), body, tuple((name, ANY) for name in sorted(names)))


def no(*conjuncts) -> Not:
    return Not(Body(conjuncts))


def either(*arms) -> Union:
    return Union(tuple([Body(arm) for arm in arms]))


def agrees(triples, query: Query) -> str:
    """The evaluator's answer, which Oxigraph gives to what is written for every engine at both levels."""
    expected = evaluate(query, MemoryGraph(triples), SCHEMA, VOCABULARY)
    engine = OxigraphEngine.memory(triples)
    for name in READ:
        for level in (0, 1, 2):
            text = emit(query, SCHEMA, VOCABULARY, name, level)
            assert engine.answers(query, text).key() == expected.key(), (name, level, text)
    return str(expected.number) if expected.number is not None else " ".join(v.value[-1] for v in expected.values)


def parts(node: object, kind: type) -> list:
    """The nodes of a kind in a part of a tree."""
    if isinstance(node, tuple):
        return [found for part in node for found in parts(part, kind)]
    fields = [getattr(node, name) for name in getattr(node, "__match_args__", ())]
    return [node] * isinstance(node, kind) + [found for field in fields for found in parts(field, kind)]


# --- negations that share nothing, among conditions -------------------------------------------------------------------

GRAPH = [(A, R, B), (C, R, A), (A, P, C)]
HOLDS, FAILS = no(Triple(A, Q, Z)), no(Triple(A, P, Z))
IS_B = Compare(Op.IS, X, B)
CONDITIONS = {
    "in an arm": (lambda closed: either((closed,), (Triple(X, Q, B),)), "a b", ""),
    "in an arm beside a test": (lambda closed: either((closed, IS_B), (Triple(X, P, C),)), "a b", "a"),
    "in a negation": (lambda closed: no(closed, no(IS_B)), "b", "a b"),
    "in a negation in an arm": (lambda closed: either((no(closed, IS_B),), (Triple(X, Q, B),)), "a", "a b"),
    "in an arm in a negation": (lambda closed: no(either((closed, no(IS_B)), (Triple(X, Q, B),))), "b", "a b"),
    "two of them": (lambda closed: no(closed, no(Triple(B, Q, W)), no(IS_B)), "b", "a b"),
    "in an arm of a negated row": (lambda closed: no(Triple(X, P, W), either((closed,), (IS_B,))), "b", "a b"),
    "under a negated row": (lambda closed: no(Triple(Y, R, W), no(closed, IS_B)), "b", ""),
    "beside a count": (lambda closed: either((Count(N, W, Body((Triple(A, P, W),))), closed, IS_B), (IS_B,)), "b", "b"),
}


@pytest.mark.parametrize("place", CONDITIONS)
@pytest.mark.parametrize("closed", [HOLDS, FAILS])
def test_a_closed_negation_among_conditions(place: str, closed: Not) -> None:
    condition, where_it_holds, where_it_fails = CONDITIONS[place]
    query = asking(Triple(Y, R, X), condition(closed))
    assert agrees(GRAPH, query) == (where_it_holds if closed is HOLDS else where_it_fails)
    for name in NAMES:
        for level in (0, 1, 2):
            tree = lower_query(query, SCHEMA, VOCABULARY, dialect_named(name), level)
            found = {column.variable for column in parts(tree, Column) if column.variable.name.startswith("found")}
            assert {var for var in parts(tree, Var) if var.name.startswith("found")} == found, (name, level)


# --- a count and what stands beside it --------------------------------------------------------------------------------

COUNTED = Count(N, X, Body((Triple(X, R, Y),)))


def test_a_number_is_one_whatever_stands_beside_its_count() -> None:
    triples = [(A, R, B), (C, R, A), (A, P, C), (B, P, A), (A, Q, Literal("2", XSD_INTEGER))]
    for beside in (
        (Triple(V, P, W),),
        (InstanceOf(V, (P,)), Triple(V, P, W)),
        (Member(V, (A, B)),),
        (Triple(A, Q, N), Triple(V, P, W)),
        (either((Triple(V, P, A),), (Triple(V, P, C),)), Compare(Op.GT, N, ONE, Kind.NUMBER)),
        (Count(W, Z, Body((Triple(Z, P, V),)), (V,)),),
    ):
        kinds = [(V.name, KIND)] if isinstance(beside[0], InstanceOf) else []
        more = [(A, KIND, P), (B, KIND, P)] if kinds else []
        assert agrees([*triples, *more], asking(COUNTED, *beside, form=Form.NUMBER, of=N)) == "2"


def test_a_count_among_conditions_is_written_without_distinct() -> None:
    other = Count(W, Z, Body((Triple(Z, P, V),)))
    some = Compare(Op.GT, N, ONE, Kind.NUMBER)
    for beside in ((some,), (other,), (no(Triple(A, Q, V)), other), ()):
        query = asking(COUNTED, *beside, form=Form.NUMBER, of=N)
        assert emit(query, SCHEMA, VOCABULARY, "sparql11", 0).startswith("SELECT ?n" if beside else "SELECT (COUNT(")


# --- rows of their own under EXISTS -----------------------------------------------------------------------------------

EQUAL = Compare(Op.EQ, V, N, Kind.NUMBER)
DENIED = no(Triple(W, P, Z), Compare(Op.EQ, Z, N, Kind.NUMBER))


def denied_rows(*conjuncts, level: int) -> tuple[list[Var], list[set[Var]]]:
    """The variables of the sub-selects of one row in a group, and those that each of its filters looks at."""
    tree = lower_query(asking(COUNTED, *conjuncts, of=N), SCHEMA, VOCABULARY, dialect_named("virtuoso"), level)
    scalars = [p for p in tree.where.patterns if isinstance(p, Select)]
    found = [column.variable for scalar in scalars for column in scalar.projection if isinstance(column, Column)]
    assert len(found) == len(set(found)) == len(scalars)
    assert all(scalar.limit == 2 for scalar in scalars)
    filters = [p.expression for p in tree.where.patterns if isinstance(p, Filter)]
    return found, [set(parts(expression, Var)) & set(found) for expression in filters]


@pytest.mark.parametrize("level", [0, 1])
def test_an_exists_shares_no_row_with_another_condition(level: int) -> None:
    bound, less = Triple(U, Q, V), Compare(Op.LT, U, N, Kind.NUMBER)
    assert denied_rows(bound, DENIED, level=level) == ([N], [{N}])
    found, looked_at = denied_rows(bound, EQUAL, DENIED, level=level)
    assert found[0] == N
    assert looked_at == [{N}, {found[1]}]
    found, looked_at = denied_rows(bound, DENIED, no(Triple(V, P, U), less), level=level)
    assert looked_at == [{N}, {found[1]}]
    # what stands within goes with it
    within = no(Triple(W, P, Z), Compare(Op.EQ, Z, N, Kind.NUMBER), no(Triple(Z, Q, U), less))
    found, looked_at = denied_rows(bound, EQUAL, within, no(Triple(V, P, U), less), level=level)
    assert looked_at == [{N}, {found[1]}, {found[2]}]


def test_virtuoso_has_no_closure_whose_end_is_a_value() -> None:
    value = Iri("http://w.example/value")
    graph = MemoryGraph([(Iri("http://w.example/a"), value, Literal("0", XSD_INTEGER))])
    body = Body((Triple(Y, value, X), Closure(Y, Iri("http://w.example/next"), X, 1)))
    query = build.query(Form.SET, (Y,), body)
    schema = infer_schema(graph, VOCABULARY)
    with pytest.raises(UnsupportedOperation, match=r"the end of a closure .*\(virtuoso\)"):
        emit(query, schema, VOCABULARY, "virtuoso")
    assert "next>+ ?x" in emit(query, schema, VOCABULARY, "jena")


@pytest.mark.parametrize("optimize", [0, 1])
@pytest.mark.parametrize("value", [Literal("0", XSD_INTEGER), Literal(""), ONE, C])
@pytest.mark.parametrize("least", [0, 1])
@pytest.mark.parametrize("named", [True, False])
def test_a_closure_that_ends_in_a_value(value: Literal | Iri, named: bool, least: int, optimize: int) -> None:
    """RDFLib takes an end that is false as a condition for one that is not known."""
    graph = MemoryGraph([(A, P, B), (B, P, C), (B, Q, value), (C, P, ONE)])
    end = value if named else X
    body = Body((Closure(Y, P, end, least), *(() if named else (Triple(Z, Q, X),))))
    query = build.query(Form.SET, (Y,), body)
    found = RdflibEngine.from_triples(graph).run(query, SCHEMA, VOCABULARY, optimize)
    assert found.key() == evaluate(query, graph, SCHEMA, VOCABULARY).key()
