"""Extensions in the order of their dependence, however many; unions that are kept for what they leave open."""

from __future__ import annotations

import pytest

from pylf.errors import InvalidIR
from pylf.ir import build
from pylf.ir.evaluate import evaluate
from pylf.ir.expressions import Apply
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Body, Extend, LeftJoin, Member, Triple, Union
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.scope import in_dependence
from pylf.ir.terms import XSD_INTEGER, Iri, Literal, Var
from pylf.ir.text import parse_query
from pylf.ir.verify import verify

P, Q = Iri("http://e/p"), Iri("http://e/q")
ONE = Literal("1", XSD_INTEGER)
MANY = 5_000


def _plus_one(result: str, of: str) -> Extend:
    return Extend(Var(result), Apply("+", (Var(of), ONE)))


def test_what_depends_comes_later_and_else_as_written() -> None:
    written = [_plus_one("d", "c"), _plus_one("c", "b"), _plus_one("f", "b"), _plus_one("b", "a"), _plus_one("e", "a")]
    found, stuck = in_dependence(written)
    assert "".join(one.result.name for one in found) == "becfd"
    assert stuck is None


def test_a_circle_is_found_and_what_is_beside_it_kept() -> None:
    circle = [_plus_one("c", "b"), _plus_one("b", "c"), _plus_one("d", "a"), _plus_one("e", "e")]
    found, stuck = in_dependence(circle)
    assert [one.result.name for one in found] == ["d"]
    assert stuck is circle[0]


def test_a_long_chain_is_verified_and_evaluated() -> None:
    chain = [_plus_one(f"v{number + 1}", f"v{number}") for number in reversed(range(MANY))]
    lines = [
        "rows ?x ?n",
        "where",
        "  ?x <http://e/p> ?v0",
        '  ?n := ?v0 + "1"^^<http://www.w3.org/2001/XMLSchema#integer>',
    ]
    query = parse_query("\n".join(lines) + "\n")
    types = (*query.types, *[(one.result.name, query.type_of["n"]) for one in chain])
    body = Body((Triple(Var("x"), P, Var("v0")), *chain))
    long = build.query(query.form, (Var("x"), Var(f"v{MANY}")), body, tuple(sorted(types)))
    names = {name for name, _ in long.types}
    assert names == {"x", *[f"v{number}" for number in range(MANY + 1)]}
    verify(long)
    graph = MemoryGraph([(Iri("http://e/a"), P, ONE)])
    found = evaluate(long, graph, Schema(MemorySource([], [])), Vocabulary("rdf"))
    assert found.rows == ((Iri("http://e/a"), Literal(str(MANY + 1), XSD_INTEGER)),)


def test_an_arm_that_leaves_something_open_stays_an_arm() -> None:
    triple = Triple(Var("x"), P, Var("y"))
    left_join = LeftJoin(Body((Triple(Var("y"), Q, Var("m")),)))
    nothing = Body((Member(Var("x"), ()),))
    assert build.union((Body((triple,)), nothing)) == Body((triple,))
    assert build.union((Body((triple, left_join)), nothing)) == Body((Union((Body((triple, left_join)),)),))


def test_a_negation_sees_what_a_union_leaves_open() -> None:
    text = (
        "set ?x\nwhere\n  either\n    ?x <http://e/p> ?m\n  or\n    ?x <http://e/q> ?z\n    optionally\n"
        "      ?z <http://e/p> ?m\n  not\n    ?y <http://e/r> ?w\n    if ?w = ?m\n"
    )
    a, b, c = [Iri(f"http://e/{name}") for name in "abc"]
    triples: list[tuple[Iri, Iri, Iri | Literal]] = [(a, P, ONE), (b, Q, c), (a, Iri("http://e/r"), ONE)]
    found = evaluate(parse_query(text), MemoryGraph(triples), Schema(MemorySource([], [])), Vocabulary("rdf"))
    assert found.values == (b,)


def test_a_circle_is_refused() -> None:
    query = parse_query(
        'rows ?x ?n\nwhere\n  ?x <http://e/p> ?m\n  ?n := ?m + "1"^^<http://www.w3.org/2001/XMLSchema#integer>\n'
    )
    circle = (_plus_one("n", "k"), _plus_one("k", "n"))
    types = tuple(sorted((*query.types, ("k", query.type_of["n"]))))
    bent = build.query(query.form, query.outputs, Body((query.body.conjuncts[0], *circle)), types)
    with pytest.raises(InvalidIR, match="in a circle"):
        verify(bent)
