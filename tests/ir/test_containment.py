"""Containment: never claimed where a graph refutes it, and found where it should be."""

from __future__ import annotations

import re
from itertools import combinations, product
from random import Random
from typing import TYPE_CHECKING

import pytest

from pylf.errors import InvalidIR
from pylf.ir import build
from pylf.ir.canonical import fingerprint
from pylf.ir.containment import contained
from pylf.ir.evaluate import evaluate
from pylf.ir.implied import implied
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Body, Compare, Form, Kind, Op, Triple
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Schema
from pylf.ir.terms import XSD, Iri, Literal, Var
from pylf.ir.text import parse_query
from pylf.ir.traverse import variables
from pylf.ir.values import compare, identity
from pylf.ir.verify import verify
from pylf.testing.ir_strategies import disguised, random_query
from tests.ir import small_queries as small

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from pylf.ir.nodes import Query
    from pylf.ir.terms import Node

R = Iri("urn:r")
NODES = (
    *(Literal(text, XSD + "integer") for text in ("-5", "1", "5", "1990", "abc")),
    *(Literal(text, XSD + "double") for text in ("5.0", "-0", "0", "NaN", "INF", "-INF")),
    *(Literal(text, XSD + "gYear") for text in ("1989", "1990")),
    *(Literal(text, XSD + "date") for text in ("1990-07-01", "1990-12-31", "1990-02-30")),
    *(Literal(text, XSD + "dateTime") for text in ("1990-07-01T00:00:00", "1991-01-01T00:00:00")),
    *(Literal(text) for text in ("", "a", "b", "1990", "5")),
    Literal("a", "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString", "en"),
    Literal("true", XSD + "boolean"),
    Literal("false", XSD + "boolean"),
    Literal("P1D", XSD + "duration"),
    Iri("urn:a"),
)


def answers(query: Query, graph: MemoryGraph) -> frozenset[Hashable]:
    """The answers by value; of a query that is true, one."""
    found = evaluate(query, graph, small.SCHEMA, small.VOCABULARY)
    return frozenset(map(identity, found.values)) if query.form is Form.SET else frozenset(range(bool(found.boolean)))


# --- comparisons --------------------------------------------------------------------------------------------------


def test_a_comparison_implies_another_of_every_value() -> None:
    x = Var("x")
    some = [Compare(op, x, node, kind) for op, kind, node in product(Op, Kind, [*NODES[::2], *NODES[5:8:2]])]
    held = [frozenset(node for node in NODES if compare(c.op, node, _constant(c), c.kind)) for c in some]
    told = 0
    for (known, of_known), (asked, of_asked) in product(zip(some, held, strict=True), repeat=2):
        if implied(known, asked):
            assert of_known <= of_asked, (known, asked)
            told += known != asked
    assert told > 1000


def test_a_comparison_implies_another_of_the_same_sides() -> None:
    x, y = Var("x"), Var("y")
    pairs = list(product(NODES, repeat=2))
    some = [Compare(op, *sides, kind) for op, kind, sides in product(Op, Kind, ((x, y), (y, x)))]
    held = [
        frozenset((a, b) for a, b in pairs if compare(c.op, *((a, b) if c.left == x else (b, a)), c.kind)) for c in some
    ]
    for (known, of_known), (asked, of_asked) in product(zip(some, held, strict=True), repeat=2):
        if implied(known, asked):
            assert of_known <= of_asked, (known, asked)
    assert implied(Compare(Op.LT, x, y, Kind.NUMBER), Compare(Op.GE, y, x))
    assert not implied(Compare(Op.LT, x, y, Kind.DATE), Compare(Op.GT, y, x, Kind.DATE))


def _constant(comparison: Compare) -> Node:
    assert not isinstance(comparison.right, Var)
    return comparison.right


# --- conjunctive queries ------------------------------------------------------------------------------------------


def test_of_conjunctive_queries_the_verdict_is_the_truth() -> None:
    """Every query of up to three triples of one relation over three variables, one per shape, against every other."""
    names = [Var("x"), Var("y"), Var("z")]
    shapes: dict[str, Query] = {}
    for size in (1, 2, 3):
        for chosen in combinations([Triple(a, R, b) for a in names for b in names], size):
            query = build.query(Form.SET, (names[0],), Body(chosen))
            if names[0].name in variables(query.body):
                shapes.setdefault(fingerprint(query), query)
    queries = list(shapes.values())
    nodes = [Iri(f"urn:{number}") for number in range(3)]
    rows = [(a, R, b) for a in nodes for b in nodes]
    random = Random(3)
    some = [MemoryGraph(random.sample(rows, random.randint(1, 7))) for _ in range(40)]
    table = {query: [answers(query, graph) for graph in some] for query in queries}
    verdicts = {True: 0, False: 0}
    for left, right in product(queries, repeat=2):
        verdict = contained(left, right)
        assert verdict is not None
        verdicts[verdict] += 1
        if verdict:
            assert all(a <= b for a, b in zip(table[left], table[right], strict=True)), (left, right)
        else:
            frozen = {name: Iri(f"urn:{name}") for name in variables(left)}
            graph = MemoryGraph([_row(atom, frozen) for atom in left.body.conjuncts])
            assert not answers(left, graph) <= answers(right, graph), (left, right)
    assert min(verdicts.values()) > 100


def _row(atom: object, frozen: dict[str, Iri]) -> tuple[Iri, Iri, Iri]:
    assert isinstance(atom, Triple)
    assert isinstance(atom.subject, Var)
    assert isinstance(atom.object, Var)
    return frozen[atom.subject.name], R, frozen[atom.object.name]


# --- all queries --------------------------------------------------------------------------------------------------


def test_no_graph_refutes_what_is_claimed() -> None:
    random = Random(4)
    graphs = [small.graph(random) for _ in range(80)]
    pool: list[Query] = []
    claims = 0
    for _ in range(110):
        query = small.query(random)
        verify(query)
        assert contained(query, disguised(query, random), small.SCHEMA, small.VOCABULARY) is not False
        for other in [*random.sample(pool, min(len(pool), 4)), *_weaker(query)]:
            verdict = contained(query, other, small.SCHEMA, small.VOCABULARY)
            if verdict:
                claims += 1
                for graph in random.sample(graphs, 8):
                    assert answers(query, graph) <= answers(other, graph), (query, other)
        pool.append(query)
    assert claims > 100


def _weaker(query: Query) -> Iterator[Query]:
    """The query without one of its conjuncts, where what is left is sound."""
    for place in range(len(query.body.conjuncts)):
        left = Body(query.body.conjuncts[:place] + query.body.conjuncts[place + 1 :])
        weaker = build.query(query.form, query.outputs, left, query.types)
        try:
            verify(weaker)
        except InvalidIR:
            continue
        yield weaker


def test_a_query_is_contained_in_itself_said_in_other_words() -> None:
    found = 0
    for seed in range(120):
        random = Random(seed)
        query = random_query(random, 2)
        verdict = contained(query, disguised(query, random))
        assert verdict is not False
        found += verdict is True
    assert found > 100


A, B = "?x <urn:r> ?y", "?x <urn:r> ?z\n  ?z <urn:s> ?w"
CASES = [
    (A, B, False, True),
    ("?x <urn:r> <urn:a>", A, True, False),
    ("?x <urn:r> ?y\n  ?y < 5 by number", "?x <urn:r> ?y\n  ?y <= 7 by number", True, None),
    ("?x <urn:r> ?y\n  ?y in (5, 6)", "?x <urn:r> ?y\n  ?y <= 7", True, None),
    ("?x <urn:r> ?y\n  ?y in (5)", "?x <urn:r> ?y\n  ?y in (5, 6)", True, None),
    ("?x <urn:r> 5", "?x <urn:r> ?y\n  ?y > 4", True, None),
    ("?x a <urn:b>", "?x a <urn:a> | <urn:c>", True, None),
    ("?x <urn:p> ?y", "?x a <urn:parts>", True, None),
    ("?x <urn:r> ?y\n  ?y <urn:r> ?x", "?x <urn:r>+ ?y", True, None),
    ("?x <urn:r>+ ?y", "?x <urn:r>* ?y\n  ?x <urn:r>+ ?z", True, True),
    (f"{A}\n  not\n    ?x <urn:s> ?z", f"{A}\n  not\n    ?x <urn:s> ?z\n    ?z <urn:s> ?w", True, None),
    (f"{A}\n  not\n    ?x <urn:s> ?y", f"{A}\n  not\n    ?x <urn:s> ?z", None, True),
    (
        f"{A}\n  not\n    ?x <urn:s> ?z\n    not\n      ?z <urn:r> ?w",
        f"{A}\n  not\n    ?x <urn:s> ?z\n    not\n      ?z <urn:r> ?w\n      ?w <urn:s> ?v",
        None,
        True,
    ),
    (
        "either\n    ?x <urn:r> ?y\n  or\n    ?x <urn:s> ?z",
        "either\n    ?x <urn:s> ?z\n  or\n    ?x <urn:r> ?y",
        True,
        True,
    ),
    ("?x <urn:r> ?y", "either\n    ?x <urn:s> ?z\n  or\n    ?x <urn:r> ?y", True, False),
    (
        f"{A}\n  not\n    either\n      ?x <urn:s> ?z\n    or\n      ?y <urn:s> ?w",
        f"{A}\n  not\n    ?y <urn:s> ?w\n  not\n    ?x <urn:s> ?z",
        True,
        True,
    ),
    (f"distinct ?x\n    {A}", A, True, True),
    (
        "?x with largest ?k\n    ?x <urn:r> ?k",
        "?x with largest ?v\n    ?x <urn:r> ?v\n    ?x <urn:r> ?w",
        True,
        True,
    ),
    ("?x with largest ?k\n    ?x <urn:r> ?k", "?x with smallest ?k\n    ?x <urn:r> ?k", None, None),
    ("?x with largest ?k\n    ?x <urn:r> ?k", "?x <urn:r> ?k", None, None),
    ("?x with largest ?k\n    ?x <urn:r> ?k", "?x with largest ?k\n    ?x <urn:r> ?k\n    ?x <urn:s> ?v", None, None),
    (A, f"{A}\n  ?y is ?y", True, True),
    (A, f"{A}\n  ?y is ?y by number", None, True),
    (f"{A}\n  ?x <urn:s>* ?y", f"{A}\n  ?x <urn:s>+ ?y", None, True),
    ("never", A, True, None),
]


_SCHEMA = Schema(
    MemorySource((), (Class("urn:a"), Class("urn:b", parents=("urn:a",)), Class("urn:parts", subjects_of="urn:p")), {})
)


def _query(body: str) -> Query:
    """A query for ?x; numbers are written bare."""
    quoted = re.sub(r"(?<=[ (])(\d)(?=[,) \n]|$)", rf'"\1"^^<{XSD}integer>', body)
    names = sorted({"x", *re.findall(r"\?(\w+)", body)})
    return parse_query("set ?x\n" + "".join(f"  ?{name}: any\n" for name in names) + f"where\n  {quoted}\n")


@pytest.mark.parametrize(("left", "right", "there", "back"), CASES)
def test_verdicts(left: str, right: str, there: bool | None, back: bool | None) -> None:
    one, other = _query(left), _query(right)
    assert contained(one, other, _SCHEMA) is there
    assert contained(other, one, _SCHEMA) is back


def test_what_is_asked_for_must_be_alike() -> None:
    query = _query(A)
    rows = build.query(Form.ROWS, query.outputs, query.body, query.types)
    assert contained(query, rows) is None


def test_a_search_without_steps_knows_nothing() -> None:
    assert contained(_query(A), _query(A), steps=1) is None
