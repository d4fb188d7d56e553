"""What the arms of a union leave open is bound by what is written for it, however deep the union stands: nested unions,
left joins and extensions in arms, sub-selects. What is emitted gives, on embedded engines, what the reference evaluator
gives, and that is what was counted by hand."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from pylf.backends.engines.http import HttpEngine
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.rdflib import RdflibEngine
from pylf.backends.sparql import emit
from pylf.errors import CompileError, UnsupportedOperation
from pylf.ir.build import join, left_join, member, query, triple, union
from pylf.ir.evaluate import evaluate
from pylf.ir.nodes import Form, Query
from pylf.ir.schema.vocabularies import load
from pylf.ir.terms import Iri, Var
from tests.frontends.test_sparql_in_small_graphs import NOTHING_KNOWN, graph_of, lowered, shown

if TYPE_CHECKING:
    from pylf.testing.servers import Server

GRAPH = graph_of(":a :p :b ; :q :a . :b :p :c ; :v 1 .")
TRIPLES = list(GRAPH.triples(None, None, None))
OXIGRAPH, RDFLIB = OxigraphEngine.memory(TRIPLES), RdflibEngine.from_triples(TRIPLES)
RDF = load("rdf")
#: spoken by engines that are not here; what is written for them is SPARQL 1.1
OTHERS = ("sparql11", "jena", "qlever", "blazegraph")


def agree(asked: Query, levels: tuple[int, ...] = (0, 1, 2)) -> str:
    """What a query answers in few words, by the evaluator, and by what is emitted where it has a form."""
    expected = evaluate(asked, GRAPH, NOTHING_KNOWN, RDF)
    for level in levels:
        for engine in (OXIGRAPH, RDFLIB):
            try:
                found = engine.run(asked, NOTHING_KNOWN, RDF, level)
            except UnsupportedOperation:
                assert engine is RDFLIB
                continue
            assert found.key() == expected.key(), (engine.dialect, level)
    return "yes" if expected.boolean else "no" if expected.form is Form.BOOLEAN else shown(expected)


UNDEF = "VALUES (?y ?z) { (:k UNDEF) (UNDEF :m) }"
WIDE = f"{{ ?y :v ?x }} UNION {{ ?x :q ?x {UNDEF} }}"
TEXTS = [
    (f"SELECT ?y ?z {{ {WIDE} }}", "-,m b,- k,-"),
    (f"SELECT ?y ?z {{ {WIDE} FILTER(!BOUND(?y)) }}", "-,m"),
    (f"ASK {{ {WIDE} FILTER(!BOUND(?y)) }}", "yes"),
    (f"ASK {{ {WIDE} FILTER(?y = :k) }}", "yes"),
    (f"ASK {{ {WIDE} FILTER(BOUND(?y) && BOUND(?z)) }}", "no"),
    (f"SELECT (COUNT(*) AS ?n) {{ {WIDE} }}", "3"),
    (f"SELECT (COUNT(?y) AS ?n) {{ {WIDE} }}", "2"),
    (f"SELECT (COUNT(DISTINCT ?z) AS ?n) {{ {WIDE} }}", "1"),
    (f"SELECT ?z (COUNT(?y) AS ?n) {{ {WIDE} }} GROUP BY ?z", "-,2 m,0"),
    # deeper
    (f"SELECT ?y ?z {{ {{ ?y :v ?x }} UNION {{ ?x :q ?x {{ {{ ?x :p ?y }} UNION {{ {UNDEF} }} }} }} }}", "-,m b,- k,-"),
    (
        (
            "SELECT ?y ?z { { ?y :v ?x } UNION { ?x :q ?x "
            "{ { BIND(:k AS ?y) } UNION { { BIND(:m AS ?z) } UNION { ?z :v ?u } } } } }"
        ),
        "-,b -,m b,- k,-",
    ),
    # left joins in arms, and arms in left joins
    (
        "SELECT ?y ?z { { ?y :v ?x } UNION { ?x :q ?x OPTIONAL { { ?x :p ?y } UNION { ?x :q ?z } } } }",
        "-,a b,-",
    ),
    (f"SELECT ?x ?y ?z {{ ?x :q ?w OPTIONAL {{ {UNDEF} }} }}", "a,-,m a,k,-"),
    (
        (
            "SELECT ?y ?z { { ?y :v ?x } UNION { ?x :q ?x BIND(:m AS ?z) } UNION "
            "{ { ?y :q ?y } UNION { OPTIONAL { ?z :q ?y } } } }"
        ),
        "-,m a,- a,a b,-",
    ),
    # what is computed
    (
        (
            "SELECT ?y ?n { { ?y :v ?x BIND(1 AS ?n) } UNION "
            "{ ?x :q ?x { ?y :q ?x BIND(2 AS ?n) } UNION { VALUES ?n { 3 UNDEF } } } }"
        ),
        "-,- -,3 a,2 b,1",
    ),
    # sub-selects, cut and whole
    (f"SELECT ?y ?z {{ {{ ?y :v ?x }} UNION {{ ?x :q ?x {{ SELECT ?y ?z {{ {WIDE} }} }} }} }}", "-,m b,- k,-"),
    (f"SELECT ?y ?z {{ {{ ?y :v ?x }} UNION {{ ?x :q ?x {{ SELECT ?y ?z {{ {UNDEF} }} LIMIT 5 }} }} }}", "-,m b,- k,-"),
    # what nobody outside looks at is still a test alone
    (
        f"SELECT ?y {{ ?y :p ?w FILTER EXISTS {{ {{ ?y :v ?x }} UNION {{ ?y :q ?x {UNDEF.replace('?y', '?u')} }} }} }}",
        "a b",
    ),
    (f"SELECT ?y {{ ?y :p ?w FILTER NOT EXISTS {{ {{ ?y :v ?x }} UNION {{ ?x :k ?x {UNDEF} }} }} }}", "a"),
    # an arm that says nothing
    ("SELECT ?y ?z { { ?y :k ?u } UNION { VALUES ?z { :m UNDEF } } }", "-,- -,m"),
    (
        "SELECT ?y ?z { { ?y :k ?u } UNION { SELECT DISTINCT ?z { { ?z :q ?z } UNION { VALUES ?z { :m UNDEF } } } } }",
        "-,- -,a -,m",
    ),
    # only nothing has a value, of all that is selected
    ("SELECT ?y ?z { { ?y :k ?x } UNION { ?x :q ?x { BIND(:m AS ?u) } UNION { ?z :k ?x2 } } }", "-,-"),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_what_nested_arms_leave_open_is_bound(text: str, expected: str) -> None:
    assert agree(lowered(text).query) == expected


@pytest.mark.parametrize("dialect", OTHERS)
def test_other_dialects_say_the_same(dialect: str) -> None:
    for text, _ in TEXTS:
        asked = lowered(text).query
        expected = evaluate(asked, GRAPH, NOTHING_KNOWN, RDF).key()
        for level in (0, 1, 2):
            try:
                written = emit(asked, NOTHING_KNOWN, RDF, dialect, level)
            except UnsupportedOperation:
                assert "LIMIT" in text, dialect
                continue
            assert OXIGRAPH.answers(asked, written).key() == expected, (text, level)


COUNTED = [
    "SELECT ?z (COUNT(?y) AS ?n) { { ?x :p ?z } UNION { ?y :q ?z } } GROUP BY ?z",
    "SELECT (COUNT(?y) AS ?n) { { ?x :p ?z } UNION { ?y :q ?z } }",
    "SELECT ?z (COUNT(?y) AS ?n) { { ?x :q ?x VALUES ?z { :m UNDEF } } UNION { ?y :q ?z } } GROUP BY ?z",
    "SELECT ?z (SAMPLE(?y) AS ?n) { { ?x :p ?z } UNION { ?y :q ?z } } GROUP BY ?z",
    "SELECT ?z (COUNT(?y) AS ?n) (COUNT(DISTINCT ?y) AS ?m) { { ?x :p ?z } UNION { ?y :p ?z } } GROUP BY ?z",
]


@pytest.mark.parametrize("name", ["virtuoso", "jena", "oxigraph_server"])
def test_servers_say_the_same(name: str, request: pytest.FixtureRequest) -> None:
    server: Server = request.getfixturevalue(name)
    server.load(TRIPLES, "urn:open-arms")
    engine = HttpEngine(server.endpoint("urn:open-arms"))
    compared = 0
    for text in (*[text for text, _ in TEXTS], *COUNTED):
        asked = lowered(text).query
        expected = evaluate(asked, GRAPH, NOTHING_KNOWN, RDF).key()
        for level in (0, 1, 2):
            try:
                found = engine.run(asked, NOTHING_KNOWN, RDF, level)
            except UnsupportedOperation:
                assert name == "virtuoso"
                continue
            compared += 1
            assert found.key() == expected, (text, level)
    assert compared > 2 * (len(TEXTS) + len(COUNTED))


@pytest.mark.parametrize("text", COUNTED)
def test_what_has_no_value_is_not_counted(text: str) -> None:
    assert agree(lowered(text).query) != ""


def test_a_nested_union_that_binds_is_no_test() -> None:
    asked = lowered(TEXTS[0][0]).query
    for dialect in (*OTHERS, "oxigraph", "rdflib"):
        for level in (0, 1, 2):
            written = emit(asked, NOTHING_KNOWN, RDF, dialect, level)
            assert "EXISTS" not in written
            assert written.count("UNION") == 2


def test_what_is_certain_beside_a_union_is_not_open_in_it() -> None:
    """A left join in an arm binds nothing that another union beside binds for certain, written before it or after."""
    y, x = Var("y"), Var("x")
    k, m, j = (Iri("urn:n:" + name) for name in "kmj")
    maybe = union([member(y, [k]), left_join(member(y, [m]))])
    certain = union([member(y, [k]), join(member(y, [j]), triple(x, Iri("urn:n:q"), x))])
    for body in (join(maybe, certain), join(certain, maybe)):
        assert agree(query(Form.ROWS, (y,), body)) == "j k"


# --- at random ----------------------------------------------------------------------------------------------------

_BESIDE = ("", "", "?x :q ?x . ", "?w :v ?o . ", "?x :k ?x . ")
_BINDS = (
    UNDEF,
    "VALUES (?y ?z) { (:a :b) (:k UNDEF) }",
    "VALUES ?z { :m UNDEF }",
    "?y :p ?u",
    "?z :v ?u",
    "?y :q ?z",
    "BIND(:m AS ?z)",
)
_HEADS = (
    "SELECT ?y ?z { %s }",
    "SELECT ?y ?z { %s FILTER(!BOUND(?y)) }",
    "ASK { %s FILTER(!BOUND(?z)) }",
    "SELECT (COUNT(*) AS ?n) { %s }",
    "SELECT ?z (COUNT(?y) AS ?n) { %s } GROUP BY ?z",
    "SELECT ?y { ?y :p ?far FILTER EXISTS { %s } }",
)


def _arm(random: Random, depth: int) -> str:
    match random.randrange(6) if depth else 5:
        case 0 | 1 | 2:
            inside = _union(random, depth - 1)
        case 3:
            inside = f"OPTIONAL {{ {_arm(random, depth - 1)} }}"
        case 4:
            inside = f"{{ SELECT DISTINCT ?y ?z {{ {_union(random, depth - 1)} }} }}"
        case _:
            inside = random.choice(_BINDS)
    return random.choice(_BESIDE) + inside


def _union(random: Random, depth: int) -> str:
    return " UNION ".join([f"{{ {_arm(random, depth)} }}" for _ in range(random.choice((2, 2, 3)))])


def test_unions_within_unions_agree() -> None:
    random = Random(6)
    asked, full = 0, 0
    for number in range(60):
        text = _HEADS[number % len(_HEADS)] % _union(random, 2)
        try:
            lowering = lowered(text)
        except CompileError:  # no form in the IR
            continue
        asked += 1
        full += agree(lowering.query, (number % 3,)) not in ("", "no", "0")
    assert asked > 40
    assert full > 0.7 * asked


# --- bodies that never hold ---------------------------------------------------------------------------------------

NEVER = ("FILTER(false)", "FILTER(!BOUND(?x))")
GROUPED = [
    ("SELECT ?z (COUNT(*) AS ?n) { ?x :p? ?z %s } GROUP BY ?z", ""),
    ("SELECT ?z (COUNT(*) AS ?n) { ?x :p* ?z %s } GROUP BY ?z HAVING(COUNT(*) > 1)", ""),
    ("SELECT ?z ?n { { SELECT ?z (COUNT(*) AS ?n) { ?x :p? ?z %s } GROUP BY ?z } }", ""),
    ("SELECT ?w ?n { ?w :p ?u { SELECT ?z (COUNT(*) AS ?n) { ?x :p? ?z %s } GROUP BY ?z } }", ""),
    ("SELECT ?w ?n { ?w :q ?u OPTIONAL { SELECT ?z (COUNT(*) AS ?n) { ?x :p? ?z %s } GROUP BY ?z } }", "a,-"),
    ("SELECT ?z { { SELECT ?z { ?x :p? ?z %s } LIMIT 3 } }", ""),
    ("SELECT ?z ?x { ?x :p? ?z %s } ORDER BY ?x LIMIT 2", ""),
    ("SELECT (COUNT(*) AS ?n) { ?x :p? ?z %s }", "0"),
    ("SELECT (SUM(?z) AS ?n) { ?x :p? ?z %s }", "0"),
]


@pytest.mark.parametrize("never", NEVER)
@pytest.mark.parametrize(("text", "expected"), GROUPED)
def test_a_body_that_never_holds_has_no_groups(text: str, expected: str, never: str) -> None:
    assert agree(lowered(text % never).query) == expected
