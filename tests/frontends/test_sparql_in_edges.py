"""What grows, what has no value in some solutions and what nothing bounds."""

from __future__ import annotations

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.sparql import emit
from pylf.errors import CompileError
from pylf.ir.evaluate import evaluate
from pylf.ir.schema.vocabularies import load
from tests.frontends.test_sparql_in_small_graphs import NOTHING_KNOWN, answers, graph_of, lowered, shown

RDF = load("rdf")
TURTLE = ":a :p :b ; :q :a . :b :p :c ; :v 1 ."


def doubled(times: int) -> str:
    """A value that is added to itself so often, a name for each step."""
    return " ".join(f"BIND(?b{n} + ?b{n} AS ?b{n + 1})" for n in range(times))


ANSWERED = [
    (f"SELECT ?x ?b60 {{ ?x :v ?b0 {doubled(60)} }}", f"b,{2**60}"),
    ("SELECT ?x (COUNT(DISTINCT ?z) AS ?n) { ?x :p ?y OPTIONAL { ?x :q ?z } } GROUP BY ?x", "a,1 b,0"),
    ("SELECT ?y (COUNT(DISTINCT ?z) AS ?n) { VALUES (?y ?z) { (:a UNDEF) (:a :b) } ?y :p ?k } GROUP BY ?y", "a,1"),
    ("SELECT (COUNT(DISTINCT ?z) AS ?n) { ?x :p ?y OPTIONAL { ?y :v ?z } }", "1"),
    ("SELECT ?x (COUNT(?nope) AS ?n) { ?x :p ?y } GROUP BY ?x", "a,0 b,0"),
    ("SELECT ?x (COUNT(?y + 1) AS ?n) { ?x ?r ?y } GROUP BY ?x", "a,0 b,1"),
    ("SELECT (COUNT(*) AS ?n) { ?y :q* ?y . ?y :p ?z }", "2"),
    ("SELECT ?y ?z { ?y :p ?x OPTIONAL { ?y :q* ?y . ?y :v ?z } }", "a,- b,1"),
    # rows of a cut SELECT count as often as they are there
    ("SELECT (COUNT(*) AS ?n) { { SELECT ?z { ?w :p ?o . VALUES ?z { :k } } LIMIT 20 } }", "2"),
    ("SELECT (COUNT(*) AS ?n) { { SELECT ?z { ?w :p ?o . VALUES ?z { :k } } LIMIT 1 } }", "1"),
    ("SELECT (COUNT(*) AS ?n) { { SELECT DISTINCT ?z { ?w :p ?o . VALUES ?z { :k } } LIMIT 20 } }", "1"),
    ("SELECT ?z (COUNT(?z) AS ?n) { { SELECT ?z { ?w ?z ?o } ORDER BY ?z LIMIT 3 } } GROUP BY ?z", "p,2 q,1"),
    ("SELECT (SUM(?n) AS ?m) { { SELECT (COUNT(?o) AS ?n) { ?w ?z ?o } GROUP BY ?w OFFSET 0 LIMIT 9 } }", "4"),
]


@pytest.mark.parametrize(("text", "expected"), ANSWERED)
def test_it_is_answered_alike_when_emitted(text: str, expected: str) -> None:
    query, _ = lowered(text)
    graph = graph_of(TURTLE)
    found = evaluate(query, graph, NOTHING_KNOWN, RDF)
    assert shown(found) == expected
    engine = OxigraphEngine.memory(list(graph.triples(None, None, None)))
    for level in (0, 1, 2):
        assert engine.answers(query, emit(query, NOTHING_KNOWN, RDF, "oxigraph", level)).key() == found.key()


@pytest.mark.parametrize("text", ["ASK { ?y :q* ?y }", "SELECT (COUNT(*) AS ?n) { ?y :q* ?y }", "ASK { ?y :q* ?z }"])
def test_every_node_there_is_is_not_asked_for(text: str) -> None:
    with pytest.raises(CompileError, match="neither end of the closure is bound"):
        answers(text, TURTLE)
