"""EXISTS beside what may have no value, and around a SELECT: what Oxigraph answers too, or a finding."""

from __future__ import annotations

import pytest

from pylf.backends.sparql import emit
from pylf.errors import CompileError
from pylf.frontends.sparql.lower import lower
from pylf.frontends.sparql.parser import parse
from pylf.ir.evaluate import evaluate
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Relation, Schema
from pylf.ir.schema.vocabularies import load
from pylf.ir.terms import XSD
from tests.frontends.sparql_answers import answer
from tests.frontends.sparql_texts import PREFIXES
from tests.frontends.test_sparql_in_small_graphs import answers, graph_of, lowered, shown

TURTLE = ":a :v 1, 3 ; :p :c ; :q :b . :b :v 2 ; :p :a . :c :v 2 ; :p :a ; :q :a ."
NUMBERS = Schema(MemorySource([Relation("urn:n:v", datatypes=(XSD + "integer",), literal=True)], []))

_SOME = "{ SELECT (MAX(?m) AS ?max) { ?z :v ?m } }"
_NONE = "{ SELECT (MAX(?m) AS ?max) { ?z :none ?m } }"
_ARMS = "{ ?x :q ?max } UNION { ?x :p ?w OPTIONAL { ?w :q ?max } }"

#: A filter that looks at ?max, and what it leaves of :a, :b and :c where ?max is 3, and where it has no value.
FILTERS = [
    ("EXISTS { ?x :v ?n FILTER(?n = ?max) }", "a", ""),
    ("NOT EXISTS { ?x :v ?n FILTER(?n = ?max) }", "b c", "a b c"),
    ("NOT EXISTS { ?x :v ?n FILTER(!BOUND(?max) || ?n = ?max) }", "b c", ""),
    ("NOT EXISTS { ?x :v ?n FILTER(BOUND(?max)) }", "", "a b c"),
    ("EXISTS { ?x :p ?u FILTER NOT EXISTS { ?u :v ?n FILTER(?n = ?max) } }", "a", "a b c"),
    ("NOT EXISTS { { ?x :v ?n FILTER(?n = ?max) } UNION { ?x :q ?u FILTER(?max > 5) } }", "b c", "a b c"),
    ("NOT EXISTS { ?x :p ?u OPTIONAL { ?u :v ?n FILTER(?n = ?max) } FILTER(BOUND(?n)) }", "a", "a b c"),
    ("NOT EXISTS { ?x :v ?n BIND(?n - ?max AS ?k) FILTER(?k = 0) }", "b c", "a b c"),
    # a SELECT within sees only what it gives
    ("NOT EXISTS { { SELECT ?x { ?x :v ?n FILTER(?n = ?max) } } }", "a b c", "a b c"),
]


@pytest.mark.parametrize(("condition", "with_value", "without"), FILTERS)
def test_exists_looks_at_what_a_select_leaves_open(condition: str, with_value: str, without: str) -> None:
    for inner, expected in ((_SOME, with_value), (_NONE, without)):
        text = f"SELECT ?x {{ ?x :p ?y {inner} FILTER {condition} }}"
        found = answers(text, TURTLE)
        assert shown(found) == expected
        assert shown(answer(parse(text, "text", PREFIXES), graph_of(TURTLE), found.form)) == expected
        counted = text.replace("?x", "(COUNT(*) AS ?k)", 1)
        assert shown(answers(counted, TURTLE)) == str(len(expected.split()))


@pytest.mark.parametrize(
    "condition",
    [
        "NOT EXISTS { ?y :p ?u FILTER(?max = ?u) }",
        "EXISTS { ?y :p ?u FILTER(?max = ?u) }",
        "NOT EXISTS { ?x :v ?n FILTER(!BOUND(?max)) }",
    ],
)
@pytest.mark.parametrize("column", ["?x", "(COUNT(*) AS ?k)"])
def test_exists_looks_at_what_an_arm_leaves_open(condition: str, column: str) -> None:
    text = f"SELECT {column} {{ ?x :p ?y {_ARMS} FILTER {condition} }}"
    found = answers(text, TURTLE)
    assert found.key() == answer(parse(text, "text", PREFIXES), graph_of(TURTLE), found.form).key()


REFUSED = [
    # a pattern of EXISTS would bind what has no value
    (f"SELECT ?x {{ ?x :p ?y {_SOME} FILTER NOT EXISTS {{ ?x :v ?max }} }}", "open-variable"),
    (
        f"SELECT ?x {{ ?x :p ?y {_SOME} FILTER EXISTS {{ ?x :v ?n FILTER NOT EXISTS {{ ?z :v ?max }} }} }}",
        "open-variable",
    ),
    ("SELECT ?x { ?x :p ?y OPTIONAL { ?y :q ?z } FILTER EXISTS { ?x :q ?w FILTER(?w = ?z) } }", "open-variable"),
    ("SELECT ?x { ?x :p ?y BIND(STR(?y) AS ?z) FILTER EXISTS { ?x :q ?w FILTER(STR(?w) = ?z) } }", "open-variable"),
    (
        f"SELECT ?x {{ ?x :p ?y {_SOME} FILTER EXISTS {{ ?x :v ?n MINUS {{ ?x :v ?k FILTER(?k = ?max) }} }} }}",
        "unsupported-minus",
    ),
    # engines put the value of ?x into the SELECT, and what comes first there is another for each
    (
        "SELECT ?x { ?x :p ?y FILTER EXISTS { SELECT ?x { ?x :v ?n } ORDER BY DESC(?n) LIMIT 1 } }",
        "unsupported-exists",
    ),
    (
        "SELECT ?x { ?x :p ?y FILTER NOT EXISTS { { SELECT ?x { ?x :v ?n } ORDER BY ?n OFFSET 1 } } }",
        "unsupported-exists",
    ),
    (
        "ASK { ?x :p ?y FILTER EXISTS { SELECT ?x (COUNT(*) AS ?c) { SELECT ?x { ?x :v [] } LIMIT 1 } GROUP BY ?x } }",
        "unsupported-exists",
    ),
]


@pytest.mark.parametrize(("text", "code"), REFUSED)
def test_what_engines_would_answer_differently_is_refused(text: str, code: str) -> None:
    with pytest.raises(CompileError) as refused:
        lowered(text)
    (finding,) = refused.value.diagnostics
    assert finding.code == code
    assert finding.span is not None


ASKED = [
    ("FILTER EXISTS { { SELECT ?best { ?best :v ?n } ORDER BY DESC(?n) LIMIT 1 } FILTER(?best = ?x) }", "a"),
    ("FILTER NOT EXISTS { { SELECT ?best { ?best :v ?n } ORDER BY DESC(?n) LIMIT 1 } FILTER(?best = ?x) }", "b c"),
    ("FILTER EXISTS { { SELECT ?x (COUNT(?n) AS ?c) { ?x :v ?n } GROUP BY ?x } FILTER(?c > 1) }", "a"),
    ("FILTER EXISTS { SELECT DISTINCT ?x { ?x :v ?n FILTER(?n = 2) } }", "b c"),
]


@pytest.mark.parametrize(("condition", "expected"), ASKED)
def test_a_select_within_exists(condition: str, expected: str) -> None:
    text = f"SELECT ?x {{ ?x :p ?y {condition} }}"
    for schema in (NUMBERS, Schema(MemorySource([], []))):
        found = answers(text, TURTLE, schema)
        assert shown(found) == expected
        assert shown(answer(parse(text, "text", PREFIXES), graph_of(TURTLE), found.form)) == expected


@pytest.mark.parametrize("optimize", [0, 1])
@pytest.mark.parametrize("dialect", ["sparql11", "oxigraph", "jena", "virtuoso"])
def test_a_superlative_within_a_negation_is_read_again(dialect: str, optimize: int) -> None:
    """What is emitted of one is a greatest value, which may be none, and is looked at within NOT EXISTS."""
    rdf = load("rdf")
    text = f"SELECT ?x {{ ?x :p ?y {ASKED[1][0]} }}"
    query = lowered(text, NUMBERS).query
    again = lower(parse(emit(query, NUMBERS, rdf, dialect, optimize), "text", PREFIXES), NUMBERS, rdf).query
    for turtle in (TURTLE, ":a :p :b .", ":a :v 'w' ; :p :b . :b :p :b ; :v 2 ."):
        graph = graph_of(turtle)
        assert evaluate(again, graph, NUMBERS, rdf).key() == evaluate(query, graph, NUMBERS, rdf).key()
