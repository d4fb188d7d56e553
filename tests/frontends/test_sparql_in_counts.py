"""Counts, groups and what stands beside them: on graphs of a few triples, as SPARQL 1.1 has it (11, 18.2.4.1)."""

from __future__ import annotations

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.sparql import emit
from pylf.errors import CompileError
from pylf.frontends.sparql.parser import parse
from pylf.ir.nodes import Aggregate, Count, Form
from pylf.ir.schema.vocabularies import load
from pylf.ir.traverse import walk
from tests.frontends.sparql_answers import answer
from tests.frontends.sparql_texts import PREFIXES
from tests.frontends.test_sparql_in_small_graphs import NOTHING_KNOWN, answers, graph_of, lowered, shown

ONE = ":a :p :b ; :q :c, :d ."
TWICE = ":a :p :m1, :m2 ; :q :m1 . :b :q :c ."
VALUES = ":a :v 1, 2 ; :p :a . :b :v 3 ; :p :a . :c :v 0 ; :p :z ."

SAME = [
    # solutions that are alike count once
    ("SELECT (COUNT(DISTINCT *) AS ?n) { ?x :p ?y OPTIONAL { ?x :q ?z } }", ONE, "2"),
    ("SELECT (COUNT(DISTINCT *) AS ?n) { { ?x :p ?y } UNION { ?x :q ?y } ?x :p ?w }", ONE, "3"),
    ("SELECT (COUNT(DISTINCT *) AS ?n) { { ?x :p ?y } UNION { ?x :q ?z } }", ONE, "3"),
    ("SELECT (COUNT(DISTINCT *) AS ?n) { ?x :p|:q ?y }", TWICE, "3"),
    ("SELECT (COUNT(DISTINCT *) AS ?n) { ?x :none ?y }", ONE, "0"),
    ("SELECT ?x (COUNT(DISTINCT *) AS ?n) { ?x :p|:q ?y } GROUP BY ?x", TWICE, "a,2 b,1"),
    ("SELECT ?x (COUNT(*) AS ?n) { ?x :p|:q ?y } GROUP BY ?x", TWICE, "a,3 b,1"),
    ("SELECT ?k (COUNT(DISTINCT *) AS ?n) { ?x :p|:q ?y } GROUP BY (STRLEN(STR(?y)) AS ?k)", TWICE, "7,1 8,2"),
    ("SELECT ?x { ?x :p|:q ?y } GROUP BY ?x HAVING(COUNT(DISTINCT *) > 1)", TWICE, "a"),
    (
        "SELECT ?x (COUNT(DISTINCT *)+1 AS ?n) { ?x :p|:q ?y } GROUP BY ?x ORDER BY COUNT(DISTINCT *) LIMIT 1",
        TWICE,
        "b,2",
    ),
    (
        "SELECT ?x (COUNT(DISTINCT *) AS ?n) (MAX(?y) AS ?m) (COUNT(DISTINCT ?y) AS ?k) { ?x :p|:q ?y } GROUP BY ?x",
        ":a :p 1, 2 ; :q 1 .",
        "a,2,2,2",
    ),
    # a count that a condition is asked of may be none
    ("SELECT (COUNT(?x) AS ?n) { ?x :p ?y } HAVING(COUNT(?x) > 5)", ONE, ""),
    ("SELECT (COUNT(?x) AS ?n) { ?x :p ?y } HAVING(COUNT(?x) < 5)", ONE, "1"),
    ("SELECT ?n { { SELECT (COUNT(?y) AS ?n) { :a :p ?y } } FILTER(?n > 1) }", ONE, ""),
    ("SELECT ?n { { SELECT (COUNT(?y) AS ?n) { :a :q ?y } } FILTER(?n > 1) }", ONE, "2"),
    ("SELECT ?n { { SELECT (COUNT(?y) AS ?n) { :a :q ?y } } VALUES ?n { 2 3 } }", ONE, "2"),
    ("SELECT ?n { { SELECT (COUNT(?y) AS ?n) { :a :q ?y } } ?z :v ?n }", VALUES + ONE, "2"),
    ("SELECT ?n { { SELECT (COUNT(?y) AS ?n) { :a :q ?y } } ?z :none ?w }", ONE, ""),
    # what has no value is a group, where there is anything to be grouped
    ("SELECT (COUNT(*) AS ?n) { ?x :p ?y } GROUP BY ?z", "", ""),
    ("SELECT (COUNT(*) AS ?n) { ?x :p ?y } GROUP BY ?z", ONE, "1"),
    ("SELECT ?z (COUNT(*) AS ?n) { ?x :q ?y } GROUP BY ?z", ONE, "-,2"),
    ("SELECT ?x (COUNT(*) AS ?n) { ?x :q ?y } GROUP BY ?z ?x", ONE, "a,2"),
    ("SELECT (COUNT(*) AS ?n) { ?x :q ?y } GROUP BY (?w + 1)", ONE, "2"),
    ("SELECT (COUNT(*) AS ?n) { ?x :q ?y } GROUP BY (?w + 1)", "", ""),
    ("SELECT ?k (COUNT(*) AS ?n) { ?x :q ?y } GROUP BY (?w + 1 AS ?k)", ONE, "-,2"),
    ("SELECT ?k (COUNT(*) AS ?n) { ?x :p ?w { ?x :p ?k } UNION { ?x :q ?y } } GROUP BY ?k", ONE, "-,2 b,1"),
    # what is computed is there for HAVING
    ("SELECT ?x (COUNT(?y)+0 AS ?n) { ?x :v ?y } GROUP BY ?x HAVING(COUNT(?y) + 0 > 1)", VALUES, "a,2"),
    ("SELECT ?x (COUNT(?y) AS ?n) { ?x :v ?y } GROUP BY ?x HAVING(EXISTS { ?x :p :z })", VALUES, "c,1"),
]


@pytest.mark.parametrize(("text", "turtle", "expected"), SAME)
def test_a_count_is_what_the_standard_says(text: str, turtle: str, expected: str) -> None:
    found = answers(text, turtle)
    assert shown(found) == expected
    assert shown(answer(parse(text, "text", PREFIXES), graph_of(turtle), found.form)) == expected


CHOSEN = [
    # an engine may look at any of a group's values, and each of these groups has one; Oxigraph looks at none
    ("SELECT ?x { ?x :p ?y } GROUP BY ?x HAVING(?y = :a)", VALUES, "a b"),
    ("SELECT ?x { ?x :p ?y } GROUP BY ?x HAVING(COUNT(?y) = 1 && ?y = :z)", VALUES, "c"),
    ("SELECT ?x { ?x :p ?w ; :v ?y FILTER(?y != 1) } GROUP BY ?x ORDER BY ?y LIMIT 1", VALUES, "c"),
    ("SELECT ?x { ?x :p ?w ; :v ?y FILTER(?y != 1) } GROUP BY ?x ORDER BY DESC(?y + COUNT(?w)) LIMIT 1", VALUES, "b"),
    ("SELECT (COUNT(*) AS ?n) { ?x :p ?y } HAVING(?y = :z)", ":c :p :z .", "1"),
    ("SELECT (COUNT(*) AS ?n) { ?x :p ?y } HAVING(?y = :a)", ":c :p :z .", ""),
    ("SELECT ?x { ?x :p ?y OPTIONAL { ?x :w ?w } } GROUP BY ?x HAVING(!BOUND(?w))", VALUES, "a b c"),
]


@pytest.mark.parametrize(("text", "turtle", "expected"), CHOSEN)
def test_having_and_order_look_at_a_value_of_the_group(text: str, turtle: str, expected: str) -> None:
    """SPARQL 1.1, 18.2.4.1: a variable outside of aggregates is a sample of its values."""
    query, findings = lowered(text)
    assert [(one.code, one.severity) for one in findings] == [("any-value", "warning")]
    assert findings[0].span is not None
    assert text[findings[0].span.start : findings[0].span.end] in ("?y", "?w")
    assert shown(answers(text, turtle)) == expected
    engine = OxigraphEngine.memory(list(graph_of(turtle).triples(None, None, None)))
    assert shown(engine.answers(query, emit(query, NOTHING_KNOWN, load("rdf"), "oxigraph"))) == expected


def test_having_may_name_what_is_computed() -> None:
    text = "SELECT ?x (COUNT(?y)+0 AS ?n) { ?x :v ?y } GROUP BY ?x HAVING(?n > 1)"
    assert [one.code for one in lowered(text).diagnostics] == ["not-standard"]
    assert shown(answers(text, VALUES)) == "a,2"


def test_a_key_without_value_is_told() -> None:
    text = "SELECT ?x { ?x :p ?y } GROUP BY ?x ORDER BY ?none LIMIT 2"
    assert [one.code for one in lowered(text).diagnostics] == ["no-value"]
    text = "SELECT ?x { ?x :p ?y } ORDER BY ?none LIMIT 2"
    assert [one.code for one in lowered(text).diagnostics] == ["no-value"]


#: Nodes between and blank nodes are no part of a solution, where Oxigraph tells solutions apart by them.
HIDDEN = [
    ("SELECT (COUNT(DISTINCT *) AS ?n) { ?x :p/:q ?y }", ":a :p :m1, :m2 . :m1 :q :b . :m2 :q :b .", "1"),
    ("SELECT (COUNT(DISTINCT *) AS ?n) { ?x :p [] }", ":a :p :m1, :m2 .", "1"),
]


@pytest.mark.parametrize(("text", "turtle", "expected"), HIDDEN)
def test_solutions_differ_by_what_has_a_name(text: str, turtle: str, expected: str) -> None:
    found = answers(text, turtle)
    assert shown(found) == expected
    rows = text.replace("(COUNT(DISTINCT *) AS ?n)", "DISTINCT *")
    assert len(answer(parse(rows, "text", PREFIXES), graph_of(turtle), Form.ROWS).rows) == int(expected)


REFUSED = [
    ("SELECT ?x (COUNT(DISTINCT *) AS ?n) (COUNT(?y) AS ?m) { ?x :p ?y } GROUP BY ?x", "unsupported-aggregate"),
    ("SELECT (COUNT(DISTINCT *) AS ?n) { ?x :p ?y } HAVING(SUM(?y) > 1)", "unsupported-aggregate"),
    ("SELECT (COUNT(DISTINCT *) AS ?n) { :a :p :b }", "unsupported-aggregate"),
]


@pytest.mark.parametrize(("text", "code"), REFUSED)
def test_distinct_solutions_are_not_counted_beside_all(text: str, code: str) -> None:
    with pytest.raises(CompileError) as refused:
        lowered(text)
    (finding,) = refused.value.diagnostics
    assert finding.code == code
    assert finding.span is not None
    assert text[finding.span.start : finding.span.end] == "COUNT(DISTINCT *)"


def test_counts_of_distinct_solutions_are_core_where_one_variable_is_counted() -> None:
    query = lowered("SELECT (COUNT(DISTINCT *) AS ?n) { ?x :p :a OPTIONAL { ?x :q :b } }").query
    assert query.form is Form.NUMBER
    assert not any(isinstance(node, Aggregate) for node in walk(query))
    assert any(isinstance(node, Count) for node in walk(query))


@pytest.mark.parametrize("name", ["node", "relation", "own", "maybe", "arm", "count", "key", "label", "sample"])
def test_columns_are_named_as_in_the_text(name: str) -> None:
    """The lowering names variables of its own, and gives way."""
    text = (
        f"SELECT ?{name} (COUNT(*) AS ?n) {{ {{ ?x :p/:q ?y }} UNION {{ ?x !(:r|^:s) ?y OPTIONAL {{ ?y :t ?k }} }} "
        f"?y :r ?{name} }} GROUP BY ?{name} (STR(?x)) HAVING(?y != :a)"
    )
    assert [output.name for output in lowered(text).query.outputs] == [name, "n"]
    text = f"SELECT (COUNT(*) + 1 AS ?{name}) {{ ?x :p/:q [] }}"
    assert [output.name for output in lowered(text).query.outputs] == [name]
