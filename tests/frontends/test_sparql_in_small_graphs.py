"""Texts on graphs of a few triples whose answers can be counted by hand: what stands beside, how often it counts, and
what can be compared. Oxigraph is asked as well, but where it compares what the standard does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph
import pytest

from pylf.backends.engines.terms import oxigraph_terms
from pylf.errors import CompileError
from pylf.frontends.sparql.lower import lower
from pylf.frontends.sparql.parser import parse
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Compare, Form
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Relation, Schema
from pylf.ir.schema.vocabularies import load
from pylf.ir.terms import XSD, Blank, Iri, Literal
from pylf.ir.traverse import walk
from tests.frontends.sparql_answers import answer
from tests.frontends.sparql_texts import PREFIXES

if TYPE_CHECKING:
    from pylf.frontends.sparql.lower import Lowered
    from pylf.ir.answers import Answers

NOTHING_KNOWN = Schema(MemorySource([], []))
#: :d is known to lead to dates
DATES = Schema(MemorySource([Relation("urn:n:d", datatypes=(XSD + "date",), literal=True)], []))

# the label service of Wikidata, and what it goes by
_SERVICE = "SERVICE wikibase:label { bd:serviceParam wikibase:language 'en' . %s }"


def graph_of(turtle: str) -> MemoryGraph:
    """Triples of ``urn:n:``, as a graph."""
    prefixes = "@prefix : <urn:n:> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . "
    more = "".join(f"@prefix {name}: <{iri}> . " for name, iri in load("wikidata").prefixes.items() if name)
    node_of, _ = oxigraph_terms()
    triples = []
    for quad in pyoxigraph.parse(prefixes + more + turtle, format=pyoxigraph.RdfFormat.TURTLE):
        subject, predicate = node_of(quad.subject), node_of(quad.predicate)
        assert isinstance(subject, Iri | Blank)
        assert isinstance(predicate, Iri)
        triples.append((subject, predicate, node_of(quad.object)))
    return MemoryGraph(triples)


def lowered(text: str, schema: Schema = NOTHING_KNOWN, vocabulary: str = "rdf") -> Lowered:
    prefixes = {**load(vocabulary).prefixes, **PREFIXES, "bd": "http://www.bigdata.com/rdf#"}
    return lower(parse(text, "text", prefixes), schema, load(vocabulary))


def answers(text: str, turtle: str, schema: Schema = NOTHING_KNOWN, vocabulary: str = "rdf") -> Answers:
    return evaluate(lowered(text, schema, vocabulary).query, graph_of(turtle), schema, load(vocabulary))


def shown(found: Answers) -> str:
    """An answer in few words: names without what they begin with, literals by their spelling, rows in order."""
    if found.form is Form.NUMBER:
        return str(found.number)
    rows = [(value,) for value in found.values] if found.form is Form.SET else found.rows
    return " ".join(sorted(",".join(_word(node) for node in row) for row in rows))


def _word(node: object) -> str:
    match node:
        case None:
            return "-"
        case Iri(value):
            return value.removeprefix("urn:n:")
        case Literal(lexical):
            return lexical
        case _:
            return "_"


TWO = ":s1 :p :o . :s2 :p :o ."
DAY = ':e :d "1999-01-01"^^xsd:date ; :n 2000 ; :w "2001" .'
TWO_WAYS = ":x :r :y . :a :p :m1, :m2 . :m1 :q :b . :m2 :q :b ."

SAME = [
    # two equalities about one variable
    ("SELECT ?b ?c { ?a :p :o . ?b :p :o . ?c :p :o FILTER(?a = ?b && ?a = ?c) }", TWO, "s1,s1 s2,s2"),
    ("SELECT ?b ?c { ?a :p :o . ?b :p :o . ?c :p :o FILTER(?a = ?c) FILTER(?b = ?a) }", TWO, "s1,s1 s2,s2"),
    ("SELECT (COUNT(*) AS ?n) { ?a :p :o . ?b :p :o . ?c :p :o FILTER(?a = ?b && ?a = ?c) }", TWO, "2"),
    ("SELECT ?c { ?a :p :o . ?b :p :o . ?c :p :o FILTER(?b = ?c) FILTER(?a = ?b) FILTER(?a = :s1) }", TWO, "s1"),
    ("SELECT ?a ?b { ?a :p :o . ?b :p :o . ?c :p :o FILTER(?c = ?a) FILTER(?c = ?b) }", TWO, "s1,s1 s2,s2"),
    ("SELECT ?c { ?a :p :o . ?b :p :o . ?c :p :o FILTER(?a = ?b) FILTER(?b = ?a) FILTER(?a = ?c) }", TWO, "s1 s2"),
    ("SELECT (COUNT(*) AS ?n) { ?a :p :o . ?b :p :o . ?c :p :o FILTER(?b = ?c) FILTER(?a = ?b) }", TWO, "2"),
    # both of a pair come out of one SELECT
    (
        "SELECT ?n { { SELECT ?a ?b (COUNT(?c) AS ?n) { ?a :p ?c . ?b :p ?c } GROUP BY ?a ?b } FILTER(?a = ?b) }",
        ":s1 :p :o, :u, :v . :s2 :p :o .",
        "1 3",
    ),
    (
        "SELECT ?u { ?u :q ?v { SELECT ?a ?b { ?a :p ?c . ?b :p ?c } ORDER BY ?a ?b LIMIT 100 } FILTER(?a = ?b) }",
        ":s1 :p :o . :s2 :p :o . :s2 :q :z .",
        "s2",
    ),
    # BIND sees its own group alone
    ("SELECT ?x ?v { ?x :p ?y OPTIONAL { ?x :q ?z BIND(?y AS ?v) } }", ":a :p :b ; :q :c .", "a,-"),
    ("SELECT ?x ?v { ?x :p ?y OPTIONAL { ?x :q ?z BIND(?z AS ?v) } }", ":a :p :b ; :q :c .", "a,c"),
    ("SELECT ?x ?v { ?x :v ?y OPTIONAL { ?x :v ?z BIND(?y + 1 AS ?v) } }", ":a :v 1 .", "a,-"),
    (
        "SELECT ?x ?z { ?x :p ?y OPTIONAL { ?x :q ?z BIND(COALESCE(?y, ?z) AS ?v) FILTER(?v = ?y) } }",
        ":a :p :b ; :q :c, :b .",
        "a,b",
    ),
    # what an OPTIONAL finds counts, though it binds nothing that has a name
    (
        "SELECT (COUNT(*) AS ?n) { ?x :p ?y OPTIONAL { ?x :k/:l ?y } }",
        ":a :p :b ; :k :m1, :m2 . :m1 :l :b . :m2 :l :b .",
        "2",
    ),
    (
        "SELECT (COUNT(*) AS ?n) { ?x :p ?y OPTIONAL { { ?x :q ?y } UNION { ?x :r ?y } } }",
        ":a :p :b ; :q :b ; :r :b .",
        "2",
    ),
    ("SELECT (COUNT(*) AS ?n) { ?x :p ?y OPTIONAL { SELECT ?x { ?x :q ?z } } }", ":a :p :b ; :q :c, :d .", "2"),
    ("SELECT (COUNT(*) AS ?n) { ?x :p ?y OPTIONAL { ?x :q ?y } }", ":a :p :b ; :q :b .", "1"),
    (
        "SELECT (COUNT(*) AS ?n) { ?x :p ?y OPTIONAL { ?x :q ?x . ?z :p? ?y } FILTER(BOUND(?z)) }",
        ":a :p :b ; :q :a .",
        "2",
    ),
    ("SELECT (COUNT(*) AS ?n) { ?x :p ?y OPTIONAL { ?x :q [] } }", ":a :p :b ; :q :c, :d .", "2"),
    # a path of any number of steps, from what is bound beside
    ("SELECT (COUNT(*) AS ?n) { ?x :p ?y { ?z :q* ?y } UNION { ?x :r ?y } }", ":a :p :b ; :r :b . :c :q :b .", "3"),
    ("SELECT (COUNT(*) AS ?n) { ?x :p ?y { ?z :q? ?y } UNION { ?x :r ?y . ?y :s ?w } }", ":a :p :b . :c :q :b .", "2"),
    # a path of at most one step holds or does not
    ("SELECT (COUNT(*) AS ?n) { ?x :r ?y . :a (:p/:q)? :b }", TWO_WAYS, "1"),
    ("SELECT (COUNT(*) AS ?n) { ?x :r ?y . :a (:p/:q)? :a }", TWO_WAYS, "1"),
    ("SELECT (COUNT(*) AS ?n) { ?x :r ?y . :a (:p/:q)? :c }", TWO_WAYS, "0"),
    ("SELECT (COUNT(*) AS ?n) { ?x :r ?y . :a (:p/:q) :b }", TWO_WAYS, "2"),
    ("SELECT (COUNT(*) AS ?n) { ?x :r ?y . ?z (:p/:q)? :b }", TWO_WAYS, "2"),
    # a date is compared with no number and no string
    ("SELECT ?e { ?e :d ?d ; :n ?n FILTER(?d < ?n) }", DAY, ""),
    ("SELECT ?e { ?e :d ?d ; :n ?n FILTER(?n > ?d) }", DAY, ""),
    ("SELECT ?e { ?e :d ?d ; :n ?n FILTER(?n >= ?n && ?d <= ?d) }", DAY, "e"),
    ("SELECT ?e { ?e :d ?d ; :w ?w FILTER(?d < ?w) }", DAY, ""),
    ('SELECT ?e { ?e :d ?d BIND("2001" AS ?y) FILTER(?d < ?y) }', DAY, ""),
    ("SELECT ?e { ?e :d ?d BIND(2001 AS ?y) FILTER(?d < ?y) }", DAY, ""),
    ("SELECT ?e { ?e :d ?d VALUES ?y { 2001 } FILTER(?d < ?y) }", DAY, ""),
    ("SELECT ?e { ?e :d ?d VALUES ?y { 2001 2002 } FILTER(?d < ?y) }", DAY, ""),
    ("SELECT ?e { ?e :d ?d VALUES ?y { 2001 } FILTER(?d IN (?y, 3)) }", ':e :d "2001-01-01"^^xsd:date .', ""),
    ("SELECT ?e ?d { ?e :n ?n OPTIONAL { ?e :d ?d } FILTER(?d < 2000) }", DAY, ""),
    ("SELECT ?e ?d { ?e :n ?n OPTIONAL { ?e :d ?d } FILTER(2000 > ?d) }", DAY, ""),
    ('SELECT ?e ?d { ?e :n ?n OPTIONAL { ?e :d ?d } FILTER(?d < "2000") }', DAY, ""),
    ('SELECT ?e ?d { ?e :n ?n OPTIONAL { ?e :d ?d } FILTER(?d < "2000-01-01"^^xsd:date) }', DAY, "e,1999-01-01"),
    ("SELECT ?e ?d { ?e :n ?n OPTIONAL { ?e :d ?d } FILTER(?d IN (1999, 3)) }", DAY, ""),
    ("SELECT ?e ?n { ?e :d ?d OPTIONAL { ?e :n ?n } FILTER(?n IN (2000, 3)) }", DAY, "e,2000"),
    ("SELECT ?e ?b { ?e :d ?d BIND(?d < 2000 AS ?b) }", DAY, "e,-"),
    ("SELECT ?e ?b { ?e :n ?n BIND(?n < 2001 AS ?b) }", DAY, "e,true"),
    ("SELECT ?e ?b { ?e :d ?d BIND(IF(?d < 1999, 1, 2) AS ?b) }", DAY, "e,-"),
    ('SELECT ?e ?b { ?e :d ?d BIND("1998-01-01"^^xsd:date < 2000 AS ?b) }', DAY, "e,-"),
    # what is computed is there where somebody asks whether it is
    ("SELECT ?x { ?x :v ?y BIND(?y + 1 AS ?z) FILTER(BOUND(?z)) }", ':a :v 1 . :b :v "w" .', "a"),
    ("SELECT ?x { ?x :v ?y BIND(?y + 1 AS ?z) FILTER(!BOUND(?z)) }", ':a :v 1 . :b :v "w" .', "b"),
    (
        "SELECT ?x { ?x :v ?y BIND(?y + 1 AS ?z) BIND(BOUND(?z) AS ?w) BIND(?w AS ?u) FILTER(?u) }",
        ':a :v 1 . :b :v "w" .',
        "a",
    ),
    ("SELECT ?x { ?x :v ?y BIND(?y + 1 AS ?z) BIND(?z + 1 AS ?w) }", ':a :v 1 . :b :v "w" .', "a b"),
]


@pytest.mark.parametrize(("text", "turtle", "expected"), SAME)
def test_a_text_answers_what_the_standard_says(text: str, turtle: str, expected: str) -> None:
    found = answers(text, turtle)
    assert shown(found) == expected
    assert shown(answer(parse(text, "text", PREFIXES), graph_of(turtle), found.form)) == expected


UNLIKE = [
    # an error by the standard, where Oxigraph says that the two differ
    ("SELECT ?x { ?x :v ?y FILTER(?y != 3) }", ""),
    ("SELECT ?x { ?x :v ?y FILTER(?y NOT IN (3, 5)) }", ""),
    ("SELECT ?x { ?x :v ?y FILTER(!(?y = 3)) }", ""),
    ("SELECT ?x { ?x :v ?y FILTER(!(?y IN (3, '1991'))) }", ""),
    ("SELECT ?x { ?x :v ?y FILTER(?y != '1991') }", ""),
    ("SELECT ?x { ?x :v ?y FILTER('1991' != ?y) }", ""),
    ("SELECT ?x { ?x :v ?y BIND(IF(?y = 3, 1, 2) AS ?z) FILTER(BOUND(?z)) }", ""),
    ("SELECT ?x { ?x :v ?y FILTER(IF(?y != 3, true, true)) }", ""),
    ("SELECT ?x { VALUES ?c { '1991' } ?x :v ?y FILTER(?y != ?c) }", ""),
    ("SELECT ?x { ?x :v ?y FILTER(?y != '1991-01-01'^^xsd:date) }", "a"),
]


@pytest.mark.parametrize(("text", "expected"), UNLIKE)
def test_a_date_is_no_other_than_a_number_or_a_string(text: str, expected: str) -> None:
    assert shown(answers(text, ':a :v "1990-01-01"^^xsd:date .')) == expected


MIXED = ("?d < '2001-06'^^xsd:gYearMonth", "?d >= '2001-06'^^xsd:gYearMonth", "'2001-06'^^xsd:gYearMonth > ?d")


@pytest.mark.parametrize("schema", [NOTHING_KNOWN, DATES], ids=["unknown", "known"])
@pytest.mark.parametrize("condition", MIXED)
def test_the_negation_of_an_order_of_dates_is_its_negation(condition: str, schema: Schema) -> None:
    """A year that holds a month is neither before it nor from it on; so what negates either holds."""
    turtle = ":a :d '2001'^^xsd:gYear ; :n 1 ."
    plain = answers(f"SELECT ?x {{ ?x :d ?d FILTER({condition}) }}", turtle, schema)
    negated = answers(f"SELECT ?x {{ ?x :d ?d FILTER(!({condition})) }}", turtle, schema)
    whole = answers(f"SELECT ?x {{ ?x :n ?n OPTIONAL {{ ?x :d ?d }} FILTER(!({condition})) }}", turtle, schema)
    assert shown(plain) == ""
    assert shown(negated) == shown(whole) == "a"


def test_the_negation_of_an_order_of_two_dates_is_its_negation() -> None:
    turtle = ":a :d '2001'^^xsd:gYear . :b :d '2001-06'^^xsd:gYearMonth ."
    text = "SELECT ?x ?y { ?x :d ?d . ?y :d ?e FILTER(!(?d < ?e)) }"
    for schema in (NOTHING_KNOWN, DATES):
        assert shown(answers(text, turtle, schema)) == "a,a a,b b,a b,b"


def test_two_variables_are_compared_in_the_core_where_one_is_known() -> None:
    text = "SELECT ?x { ?x :d ?d ; :v ?n FILTER(?d < ?n) }"
    assert any(isinstance(one, Compare) for one in walk(lowered(text, DATES).query))
    assert not any(isinstance(one, Compare) for one in walk(lowered(text).query))
    turtle = ":a :d '2001-01-01'^^xsd:date ; :v 2002 . :b :d '2001-01-01'^^xsd:date ; :v '2002'^^xsd:gYear ."
    assert shown(answers(text, turtle, DATES)) == shown(answers(text, turtle)) == "b"


TWICE = [
    "SELECT ?x { VALUES (?x ?x) { (:a :b) } }",
    "SELECT ?x ?y { VALUES (?x ?y ?x) { (:a :b :c) } }",
    "SELECT ?x ?y { ?y :p ?z } VALUES (?x ?x) { (:a UNDEF) }",
]


@pytest.mark.parametrize("text", TWICE)
def test_a_variable_twice_in_values_is_refused(text: str) -> None:
    with pytest.raises(CompileError) as refused:
        lowered(text)
    (finding,) = refused.value.diagnostics
    assert finding.code == "bound-twice"
    assert finding.span is not None
    assert text[finding.span.start : finding.span.end] == "?x"


# --- Wikidata's labels --------------------------------------------------------------------------------------------

NAMED = (
    'wd:Q1 wdt:P31 wd:Q2 . wd:Q2 rdfs:label "two"@en, "zwei"@de ; <http://schema.org/description> "a number"@en . '
    'wd:Q1 wdt:P18 wd:Q3 . wd:Q3 rdfs:label "drei"@de . wd:Q1 wdt:P5 "1" .'
)
LABELS = [
    ("SELECT ?yLabel { %s wd:Q1 wdt:P31 ?y }", "two"),
    ("SELECT ?yLabel { wd:Q1 wdt:P31 ?y . %s }", "two"),
    ("SELECT ?y ?yLabel { %s { wd:Q1 wdt:P31 ?y } UNION { wd:Q1 wdt:P18 ?y } FILTER(?yLabel != 'no'@en) }", "Q2,two"),
    ("SELECT ?yLabel ?zLabel { ?z wdt:P31 ?y %s ?z wdt:P18 ?w }", "two,Q1"),
    ("SELECT ?n { %s wd:Q1 wdt:P31 ?y BIND(STR(?yLabel) AS ?n) }", "two"),
    ("SELECT ?yLabel { %s { wd:Q1 wdt:P31 ?y } UNION { wd:Q1 wdt:P18 ?y } }", "Q3 two"),
    ("SELECT ?n { { { wd:Q1 wdt:P31 ?y } } BIND(1 AS ?one) %s BIND(STR(?yLabel) AS ?m) BIND(?m AS ?n) }", "two"),
    ("SELECT ?y ?yDescription { wd:Q1 wdt:P31|wdt:P18 ?y %s }", "Q2,a number Q3,-"),
]


@pytest.mark.parametrize(("text", "expected"), LABELS)
def test_the_label_service_runs_after_the_patterns_beside_it(text: str, expected: str) -> None:
    found = answers(text % (_SERVICE % ""), NAMED, vocabulary="wikidata")
    entity = load("wikidata").prefixes["wd"]
    assert shown(found).replace(entity, "") == expected


def test_the_label_service_reads_what_is_written_in_it() -> None:
    inside = "?y rdfs:label ?name . ?y <http://schema.org/description> ?about ."
    text = f"SELECT ?name ?about {{ {_SERVICE % inside} wd:Q1 wdt:P31|wdt:P18 ?y }}"
    assert shown(answers(text, NAMED, vocabulary="wikidata")) == "Q3,- two,a number"
    text = f"SELECT ?y {{ wd:Q1 wdt:P31|wdt:P18 ?y {_SERVICE % inside} FILTER(?name = 'two'@en) }}"
    assert shown(answers(text, NAMED, vocabulary="wikidata")).endswith("Q2")


REFUSED_LABELS = [
    ("SELECT ?yLabel { ?x wdt:P31 ?z OPTIONAL { ?x wdt:P18 ?y } %s }", "", "open-variable"),
    ("SELECT ?yAltLabel { ?x wdt:P31 ?y %s }", "", "unsupported-service"),
    ("SELECT ?name { ?x wdt:P31 ?y %s }", "?y skos:altLabel ?name", "unsupported-service"),
    ("SELECT ?name { ?x wdt:P31 ?y %s }", "?y wdt:P31 ?name", "unsupported-service"),
    ("SELECT ?name { ?x wdt:P31 ?y %s }", "?y rdfs:label ?name FILTER(?name != 'a'@en)", "unsupported-service"),
    ("SELECT ?x { ?x wdt:P31 ?y ; wdt:P5 ?name %s }", "?y rdfs:label ?name", "bound-twice"),
]


@pytest.mark.parametrize(("text", "inside", "code"), REFUSED_LABELS)
def test_what_the_label_service_has_no_form_for_is_refused(text: str, inside: str, code: str) -> None:
    with pytest.raises(CompileError) as refused:
        lowered(text % (_SERVICE % inside), vocabulary="wikidata")
    assert [finding.code for finding in refused.value.diagnostics] == [code]
