"""What has no form in the IR is refused by name, with its place; what is left out or chosen is warned of."""

from __future__ import annotations

import pytest

from pylf.errors import CompileError
from pylf.frontends.sparql.lower import lower
from pylf.frontends.sparql.parser import parse
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabularies import load

SCHEMA = Schema(MemorySource([], []))
PREFIXES = {"": "urn:n:", "xsd": "http://www.w3.org/2001/XMLSchema#"}

#: a text, the code, and what the place covers
REFUSED = [
    ("SELECT ?x { ?x (:p|:q)* ?y }", "unsupported-path", "(:p|:q)*"),
    ("SELECT ?x { ?x :r ?y . ?y (:p/:q)? ?z }", "unsupported-path", "(:p/:q)?"),
    ("SELECT ?x ?y { ?x :p* ?y }", "unsupported-pattern", ":p*"),
    ("SELECT ?x { GRAPH :g { ?x :p ?y } }", "unsupported-graph", "GRAPH :g { ?x :p ?y }"),
    ("SELECT ?x { SERVICE :s { ?x :p ?y } }", "unsupported-service", "SERVICE :s { ?x :p ?y }"),
    ("SELECT ?x FROM :g { ?x :p ?y }", "unsupported-from", ":g"),
    ("SELECT ?x { ?x :p ?y FILTER(MD5(?y) = 'x') }", "unsupported-function", "MD5(?y)"),
    ("SELECT ?x { ?x :p ?y FILTER(:f(?y)) }", "unsupported-function", ":f(?y)"),
    ("SELECT ?x { ?x :p ?y FILTER(NOW() > ?y) }", "unsupported-function", "NOW()"),
    ("SELECT ?x { ?x :p ?y OPTIONAL { ?y :q ?z } ?z :r ?w }", "open-variable", "?z :r ?w"),
    (
        "SELECT ?x ?l { ?x :p ?y OPTIONAL { ?x :q ?l } OPTIONAL { ?x :r ?l } }",
        "open-variable",
        "OPTIONAL { ?x :r ?l }",
    ),
    (
        "SELECT ?x { ?x :p ?y OPTIONAL { ?z :q ?w OPTIONAL { ?w :r ?x } } }",
        "not-well-designed",
        "OPTIONAL { ?z :q ?w OPTIONAL { ?w :r ?x } }",
    ),
    ("SELECT ?x { ?x :p ?y OPTIONAL { ?y :q ?z } MINUS { ?x :r ?z } }", "open-variable", "MINUS { ?x :r ?z }"),
    (
        "SELECT ?x { ?x :p ?y { ?x :q ?w } UNION { ?x :r ?z OPTIONAL { ?z :q ?y } } }",
        "open-variable",
        "{ ?x :q ?w } UNION { ?x :r ?z OPTIONAL { ?z :q ?y } }",
    ),
    (
        "SELECT (COUNT(*) AS ?n) { { ?x :q ?w } UNION { ?x :r ?z BIND(STR(?z) AS ?y) } ?x :p ?y }",
        "open-variable",
        "{ ?x :q ?w } UNION { ?x :r ?z BIND(STR(?z) AS ?y) }",
    ),
    ("SELECT ?x { ?x :p ?y OPTIONAL { ?y :q ?z } FILTER EXISTS { ?z :r ?x } }", "open-variable", "{ ?z :r ?x }"),
    (
        "SELECT ?x { ?x :p ?y OPTIONAL { ?y :q ?z } FILTER(?z = :a || EXISTS { ?x :r ?w }) }",
        "open-variable",
        "EXISTS { ?x :r ?w }",
    ),
    ("SELECT ?x { ?x :p ?y FILTER EXISTS { ?y :q ?z MINUS { ?z :r ?x } } }", "unsupported-minus", "MINUS { ?z :r ?x }"),
    ("SELECT ?x ?b { ?x :p ?y BIND(EXISTS { ?y :q ?z } AS ?b) }", "unsupported-exists", "EXISTS { ?y :q ?z }"),
    ("SELECT ?z { ?x :p ?y }", "nothing-selected", "SELECT ?z { ?x :p ?y }"),
]


@pytest.mark.parametrize(("text", "code", "place"), REFUSED)
def test_what_has_no_form_is_refused_by_name_and_place(text: str, code: str, place: str) -> None:
    with pytest.raises(CompileError) as refused:
        lower(parse(text, "text", PREFIXES), SCHEMA, load("rdf"))
    (finding,) = refused.value.diagnostics
    assert finding.code == code
    assert finding.span is not None
    assert text[finding.span.start : finding.span.end] == place
    assert finding.source is not None


WARNED = [
    ("SELECT ?x { ?x :p ?y } ORDER BY ?x", "order-dropped"),
    ("SELECT ?x { ?x :p ?y } LIMIT 3", "limit-without-order"),
    ("SELECT ?x { ?x :p ?y MINUS { ?a :q ?b } }", "minus-without-effect"),
    ("SELECT ?x ?z { ?x :p ?y }", "unbound-column"),
    ("SELECT ?x { ?x :p ?y FILTER(?y >= '2015-08-10'^^xsd:dateTime) }", "read-as-date"),
    ("SELECT ?x (COUNT(?y) AS ?n) { ?x :p ?y } GROUP BY ?x HAVING(?n > 1)", "not-standard"),
    ("SELECT ?x ?z { ?x :p ?y BIND(?w + 1 AS ?z) }", "no-value"),
]


@pytest.mark.parametrize(("text", "code"), WARNED)
def test_what_is_chosen_is_warned_of(text: str, code: str) -> None:
    _, diagnostics = lower(parse(text, "text", PREFIXES), SCHEMA, load("rdf"))
    assert [(finding.code, finding.severity) for finding in diagnostics] == [(code, "warning")]


def test_deep_groups_are_a_finding() -> None:
    text = "SELECT ?x { ?x :p ?y " + "FILTER NOT EXISTS { ?x :q ?z " * 70 + "}" * 70 + " }"
    with pytest.raises(CompileError) as refused:
        lower(parse(text, "text", PREFIXES), SCHEMA, load("rdf"))
    assert refused.value.diagnostics[0].code == "too-deep"


def test_labels_of_wikidatas_service_are_left_joins() -> None:
    wikidata = load("wikidata")
    text = (
        "SELECT ?x ?xLabel { ?x wdt:P31 wd:Q5 SERVICE wikibase:label { bd:serviceParam wikibase:language 'en,de' . } }"
    )
    prefixes = {**wikidata.prefixes, "bd": "http://www.bigdata.com/rdf#"}
    query, _ = lower(parse(text, "text", prefixes), SCHEMA, wikidata)
    kinds = [type(node).__name__ for node in query.body.conjuncts]
    assert kinds == ["Triple", "LeftJoin", "LeftJoin", "Extend"]
    unasked, _ = lower(parse(text.replace("?xLabel ", ""), "text", prefixes), SCHEMA, wikidata)
    assert [type(node).__name__ for node in unasked.body.conjuncts] == ["Triple"]
