"""Terms of one value are one answer: in groups, in counts of distinct values, and nowhere else."""

from __future__ import annotations

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.sparql import emit
from pylf.ir.evaluate import evaluate
from pylf.ir.nodes import Aggregate, Count
from pylf.ir.schema.infer import infer_schema
from pylf.ir.schema.vocabularies import load
from pylf.ir.traverse import walk
from tests.frontends.test_sparql_in_small_graphs import graph_of, lowered, shown

RDF = load("rdf")
WEIGHTS = ":gran :weight 12.0 . :pingu :weight 12 . :leo :weight 190 . :e :v 7, 7.0, 8 . :f :v 7 ."

SAID = [
    ("SELECT ?w (COUNT(?x) AS ?n) { ?x :weight ?w } GROUP BY ?w", "12,2 190,1"),
    ("SELECT ?w (COUNT(?x) AS ?n) { ?x :weight ?w } GROUP BY ?w HAVING(COUNT(?x) > 1)", "12,2"),
    ("SELECT ?w { ?x :weight ?w } GROUP BY ?w ORDER BY DESC(COUNT(?x)) LIMIT 1", "12"),
    ("SELECT (COUNT(DISTINCT ?w) AS ?n) { ?x :weight ?w }", "2"),
    ("SELECT (COUNT(?w) AS ?n) (COUNT(DISTINCT ?w) AS ?d) { ?x :weight ?w }", "3,2"),
    ("SELECT (SUM(DISTINCT ?w) AS ?n) { :e :v ?w }", "15"),
    # all solutions, whatever stands beside
    ("SELECT ?x (COUNT(?w) AS ?n) { ?x :v ?w } GROUP BY ?x", "e,3 f,1"),
    ("SELECT ?x (COUNT(?w) AS ?n) (MAX(?w) AS ?m) { ?x :v ?w } GROUP BY ?x", "e,3,8 f,1,7"),
    ("SELECT (COUNT(*) AS ?n) { :e :v ?w }", "3"),
    # what never has a value
    ("SELECT (COUNT(?k) AS ?n) { ?x :weight ?w }", "0"),
    ("SELECT (COUNT(?k) AS ?n) (COUNT(?x) AS ?m) { ?x :weight ?w }", "0,3"),
    # a SELECT within is joined by terms, and so are its groups
    (
        "SELECT ?y ?n { ?y :weight ?w { SELECT ?w (COUNT(?x) AS ?n) { ?x :weight ?w } GROUP BY ?w } }",
        "gran,1 leo,1 pingu,1",
    ),
]


@pytest.mark.parametrize(("text", "expected"), SAID)
def test_values_are_grouped_and_counted(text: str, expected: str) -> None:
    graph = graph_of(WEIGHTS)
    schema = infer_schema(graph, RDF)
    query, _ = lowered(text, schema)
    found = evaluate(query, graph, schema, RDF)
    whole = shown(found).replace("12.0", "12").replace("1.5E1", "15")
    assert whole == expected
    engine = OxigraphEngine.memory(list(graph.triples(None, None, None)))
    for level in (0, 1, 2):
        assert engine.answers(query, emit(query, schema, RDF, "oxigraph", level)).key() == found.key()


def test_what_is_never_a_value_is_warned_of() -> None:
    findings = lowered("SELECT (COUNT(?k) AS ?n) { ?x :weight ?w }").diagnostics
    assert [one.code for one in findings] == ["no-value"]


def test_entities_are_counted_in_the_core() -> None:
    schema = infer_schema(graph_of(":a :p :b ; :v 1 ."), RDF)
    counted = {}
    for relation in ("p", "v"):
        query = lowered(f"SELECT (COUNT(?y) AS ?n) {{ :a :{relation} ?y }}", schema).query
        counted[relation] = {type(one) for one in walk(query)} & {Count, Aggregate}
    assert counted == {"p": {Count}, "v": {Aggregate}}
