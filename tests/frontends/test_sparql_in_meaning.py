"""A text and the query that it becomes have the same answers: Oxigraph's to the text, the evaluator's to the query, on
random graphs made of the text's own patterns."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from pylf.frontends.sparql.lower import lower
from pylf.frontends.sparql.parser import parse
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Condition, Count, Extreme, Form, InstanceOf, Kind, Not, Slice
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Relation, Schema
from pylf.ir.schema.vocabularies import load
from pylf.ir.terms import XSD, Iri, Literal
from pylf.ir.traverse import walk
from tests.frontends.sparql_answers import agrees, answer
from tests.frontends.sparql_graphs import graph_for
from tests.frontends.sparql_texts import NEVER, PREFIXES, TEXTS

if TYPE_CHECKING:
    from pylf.ir.nodes import Query
    from pylf.ir.terms import Node

RDF = load("rdf")
WIKIDATA = load("wikidata")
NOTHING_KNOWN = Schema(MemorySource([], []))
#: :v is known to be a number, :d a date, :p to lead to entities
KNOWN = Schema(
    MemorySource(
        [
            Relation("urn:n:v", datatypes=(XSD + "integer",), literal=True),
            Relation("urn:n:d", datatypes=(XSD + "dateTime",), literal=True),
            Relation("urn:n:p", literal=False),
        ],
        [],
    )
)
GRAPHS = 6
#: where these show nothing, more are looked at
MORE_GRAPHS = 40


def lowered(text: str, schema: Schema = NOTHING_KNOWN, vocabulary: str = "rdf") -> Query:
    prefixes = {**load(vocabulary).prefixes, **PREFIXES}
    return lower(parse(text, "text", prefixes), schema, load(vocabulary)).query


def holds_on_random_graphs(text: str, schema: Schema, vocabulary: str = "rdf", graphs: int = GRAPHS) -> bool:
    """Compares both answers on some graphs, and on more while all are empty; whether there was one that was not."""
    tree = parse(text, "text", {**load(vocabulary).prefixes, **PREFIXES})
    query = lower(tree, schema, load(vocabulary)).query
    found = False
    for seed in range(max(graphs, MORE_GRAPHS)):
        if found and seed >= graphs:
            break
        graph = graph_for(tree, Random(f"{text} {seed}"), schema if schema.has_relations else None)
        ours = evaluate(query, graph, schema, load(vocabulary))
        theirs = answer(tree, graph, query.form)
        assert agrees(query, ours, theirs), f"graph {seed}"
        found = found or not (theirs.empty or theirs.boolean is False or theirs.number == 0)
    return found


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_means_what_it_becomes(text: str) -> None:
    found = holds_on_random_graphs(text, NOTHING_KNOWN)
    assert found or text in NEVER or text.startswith("ASK { FILTER NOT"), "the graphs show nothing"


@pytest.mark.parametrize("text", [t for t in TEXTS if ":v " in t or ":d " in t])
def test_a_text_means_what_it_becomes_where_a_schema_says_more(text: str) -> None:
    holds_on_random_graphs(text, KNOWN)


WIKIDATA_TEXTS = (
    "SELECT DISTINCT ?x { ?x wdt:P31/wdt:P279* wd:Q5 ; :p ?y }",
    "SELECT DISTINCT ?x { ?x wdt:P31 ?t . ?t wdt:P279* wd:Q5 . ?x :p ?y }",
    "SELECT DISTINCT ?x { ?x :p/wdt:P31/wdt:P279* wd:Q5 }",
    "SELECT DISTINCT ?x ?t { ?x wdt:P31 ?t . ?t wdt:P279* wd:Q5 }",
    "SELECT (COUNT(?x) AS ?n) { ?x wdt:P31/wdt:P279* wd:Q5 }",
    "SELECT (COUNT(DISTINCT ?x) AS ?n) { ?x wdt:P31/wdt:P279* wd:Q5 }",
    "SELECT ?x { ?x :p ?y FILTER NOT EXISTS { ?x wdt:P31/wdt:P279* wd:Q5 } }",
    "SELECT ?x { ?x :p ?y FILTER EXISTS { ?y wdt:P31 ?t . ?t wdt:P279* wd:Q5 } }",
)


@pytest.mark.parametrize("text", WIKIDATA_TEXTS)
def test_instances_are_those_of_the_path(text: str) -> None:
    assert holds_on_random_graphs(text, NOTHING_KNOWN, "wikidata", 25)


# --- what the tiers hold ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [*WIKIDATA_TEXTS[:3], *WIKIDATA_TEXTS[5:]])
def test_instances_are_core(text: str) -> None:
    assert any(isinstance(node, InstanceOf) for node in walk(lowered(text, vocabulary="wikidata")))


def test_a_bag_counts_the_classes() -> None:
    """``P31/P279*`` has a solution for each class: COUNT without DISTINCT sees them."""
    query = lowered(WIKIDATA_TEXTS[4], vocabulary="wikidata")
    assert not any(isinstance(node, InstanceOf | Count) for node in walk(query))


def test_a_superlative_is_core_where_the_key_is_known() -> None:
    text = "SELECT DISTINCT ?x { ?x :v ?y } ORDER BY DESC(xsd:integer(?y)) LIMIT 1"
    (extreme,) = lowered(text, KNOWN).body.conjuncts
    assert isinstance(extreme, Extreme)
    assert extreme.kind is Kind.NUMBER
    (sliced,) = lowered(text).body.conjuncts
    assert isinstance(sliced, Slice)


def test_ties_are_cut_where_that_is_asked() -> None:
    tree = parse("SELECT DISTINCT ?x { ?x :v ?y } ORDER BY ?y LIMIT 1", "text", PREFIXES)
    (sliced,) = lower(tree, KNOWN, RDF, ties="cut").query.body.conjuncts
    assert isinstance(sliced, Slice)


def test_a_cast_stays_where_it_may_change_a_value() -> None:
    text = "SELECT ?x { ?x :v ?y FILTER(xsd:float(?y) > 3) }"
    assert not any(isinstance(node, Condition) for node in walk(lowered(text, KNOWN)))
    assert any(isinstance(node, Condition) for node in walk(lowered(text)))


def test_the_idiom_of_languages_goes_where_there_is_no_literal() -> None:
    idiom = "!isLiteral({0}) || lang({0}) = '' || langMatches(lang({0}), 'en')"
    gone = lowered(f"SELECT ?x {{ ?x :p ?y FILTER({idiom.format('?x')}) FILTER({idiom.format('?y')}) }}", KNOWN)
    assert len(gone.body.conjuncts) == 1
    kept = lowered(f"SELECT ?x {{ ?x :s ?y FILTER({idiom.format('?y')}) }}", KNOWN)
    assert len(kept.body.conjuncts) > 1


def test_a_time_constraint_is_a_negation_within_a_negation() -> None:
    query = lowered(
        "SELECT ?x { ?x :p ?y FILTER(NOT EXISTS { ?y :d ?a } || EXISTS "
        "{ ?y :d ?b FILTER(xsd:dateTime(?b) <= '2011-12-31'^^xsd:dateTime) }) }",
        KNOWN,
    )
    outer = next(node for node in query.body.conjuncts if isinstance(node, Not))
    assert [type(node).__name__ for node in outer.body.conjuncts] == ["Triple", "Not"]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("SELECT ?x { ?x :p ?y }", Form.SET),
        ("SELECT ?x ?y { ?x :p ?y }", Form.ROWS),
        ("SELECT * { ?x :p :a }", Form.SET),
        ("SELECT (COUNT(DISTINCT ?x) AS ?n) { ?x :p ?y }", Form.NUMBER),
        ("SELECT (COUNT(*) AS ?n) { ?x :p ?y }", Form.NUMBER),
        ("SELECT (SUM(?y) AS ?n) { ?x :v ?y }", Form.SET),
        ("SELECT ?x (COUNT(?y) AS ?n) { ?x :p ?y } GROUP BY ?x", Form.ROWS),
        ("ASK { ?x :p ?y }", Form.BOOLEAN),
    ],
)
def test_what_is_selected_decides_the_form(text: str, form: Form) -> None:
    assert lowered(text).form is form


def test_names_are_those_of_the_text() -> None:
    query = lowered(
        "SELECT ?größe ?_1 { ?größe :p ?_1 . FILTER NOT EXISTS { ?_1 :q ?z } FILTER NOT EXISTS { ?_1 :r ?z } }"
    )
    assert [output.name for output in query.outputs] == ["groe", "v1"]
    assert {name for name, _ in query.types} >= {"z", "z_2"}


UNLIKE = {
    "?y != 3": {"four", "entity"},
    "?y NOT IN (3, 5)": {"four", "entity"},
    "!(?y = 3)": {"four", "entity"},
    "?y != <urn:n:other>": {"three", "four", "word", "day", "entity"},
    "?y != 'word'": {"entity"},
    "?y = 3": {"three"},
}


@pytest.mark.parametrize(("condition", "expected"), UNLIKE.items())
def test_what_is_unlike_is_unequal_where_the_standard_says_so(condition: str, expected: set[str]) -> None:
    """An entity is another than any literal; two literals of different kinds cannot be compared (SPARQL 1.1, 17.4.1.7:
    an error, where Oxigraph and Jena say that they differ)."""
    values: dict[str, Node] = {
        "three": Literal("3", XSD + "integer"),
        "four": Literal("4.0", XSD + "decimal"),
        "word": Literal("word"),
        "day": Literal("1990-01-01", XSD + "date"),
        "entity": Iri("urn:n:a"),
    }
    graph = MemoryGraph([(Iri(f"urn:n:{name}"), Iri("urn:n:v"), value) for name, value in values.items()])
    found = evaluate(lowered(f"SELECT ?x {{ ?x :v ?y FILTER({condition}) }}"), graph, NOTHING_KNOWN, RDF)
    assert set(found.values) == {Iri(f"urn:n:{name}") for name in expected}
