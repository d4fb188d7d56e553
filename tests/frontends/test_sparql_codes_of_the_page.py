"""The codes that docs/forms.md names for SPARQL are those that come: each has a text here that it comes for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pylf
from pylf.errors import CompileError, Diagnostic

PAGE = Path(__file__).parents[2] / "docs" / "forms.md"
PREFIX = "PREFIX : <http://pylf.example/rockets/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "
MADE = ":spaceflight.rocket.manufacturer"

WARNED = {
    "order-dropped": f"SELECT ?x {{ ?x {MADE} ?y }} ORDER BY ?x",
    "limit-without-order": f"SELECT ?x {{ ?x {MADE} ?y }} LIMIT 3",
    "minus-without-effect": f"SELECT ?x {{ ?x {MADE} ?y MINUS {{ ?a {MADE} ?b }} }}",
    "unbound-column": f"SELECT ?x ?z {{ ?x {MADE} ?y }}",
    "no-value": f"SELECT ?x ?z {{ ?x {MADE} ?y BIND(?w + 1 AS ?z) }}",
    "any-value": f"SELECT (COUNT(?x) AS ?n) {{ ?x {MADE} ?y }} GROUP BY ?y ORDER BY ?x LIMIT 3",
    "read-as-date": f"SELECT ?x {{ ?x {MADE} ?y FILTER(?y >= '2015-08-10'^^xsd:dateTime) }}",
    "not-standard": f"SELECT ?x (COUNT(?y) AS ?n) {{ ?x {MADE} ?y }} GROUP BY ?x HAVING(?n > 1)",
    "unknown-relation": "SELECT ?x { ?x :spaceflight.rocket.manufactuer ?y }",
    "unknown-class": "SELECT ?x { ?x a :spaceflight.rokcet }",
}
REFUSED = {
    "unsupported-graph": f"SELECT ?x {{ GRAPH :g {{ ?x {MADE} ?y }} }}",
    "unsupported-from": f"SELECT ?x FROM :g {{ ?x {MADE} ?y }}",
    "unsupported-service": f"SELECT ?x {{ SERVICE :s {{ ?x {MADE} ?y }} }}",
    "unsupported-path": "SELECT ?x { ?x (:p|:q)* ?y }",
    "unsupported-pattern": "SELECT ?x ?y { ?x :p* ?y }",
    "unsupported-function": "SELECT (RAND() AS ?r) { ?x :p ?y }",
    "unsupported-exists": "SELECT ?x ?b { ?x :p ?y BIND(EXISTS { ?y :q ?z } AS ?b) }",
    "unsupported-minus": "SELECT ?x { ?x :p ?y FILTER EXISTS { ?y :q ?z MINUS { ?z :r ?x } } }",
    "unsupported-aggregate": "SELECT (COUNT(DISTINCT *) AS ?n) (COUNT(*) AS ?m) { ?x :p ?y }",
    "unsupported-having": "SELECT ?x { ?x :p ?w } HAVING (?w > 3)",
    "open-variable": "SELECT ?x { ?x :p ?y OPTIONAL { ?y :q ?z } ?z :r ?w }",
    "partial-variable": "SELECT ?x { { { ?x :p ?y } UNION { ?x :q ?z } FILTER(?z = :a) } ?x :r ?z }",
    "not-well-designed": "SELECT ?x { ?x :p ?y OPTIONAL { ?z :q ?w OPTIONAL { ?w :r ?x } } }",
    "bound-twice": "SELECT ?x { ?x :p ?y BIND(1 AS ?y) }",
    "not-grouped": "SELECT ?x (COUNT(?y) AS ?n) { ?x :p ?y }",
    "misplaced-aggregate": "SELECT ?x { ?x :p ?y FILTER(COUNT(?y) > 1) }",
    "nothing-selected": "SELECT ?z { ?x :p ?y }",
    "not-a-question": "DESCRIBE :boeing",
    "several-queries": "ASK { ?x :p ?y } ASK { ?x :p ?y }",
}


def named_on_the_page() -> tuple[set[str], set[str]]:
    """The codes of the warnings, and of the table of refusals."""
    section = PAGE.read_text(encoding="utf-8").partition("**Warnings** say")[2]
    warnings, _, rest = section.partition("**Refused**")
    rows = re.findall(r"^\| (`.*?) \|", rest.partition("```")[0], re.MULTILINE)
    code = re.compile(r"`([a-z]+(?:-[a-z]+)+)`")
    return set(code.findall(warnings)), {found for row in rows for found in code.findall(row)}


def findings(text: str) -> tuple[Diagnostic, ...]:
    try:
        return pylf.compile(PREFIX + text, source="sparql", kg=pylf.bundled()).diagnostics
    except CompileError as refused:
        return refused.diagnostics


def test_the_page_names_the_codes_that_have_a_text_here() -> None:
    assert named_on_the_page() == (set(WARNED), set(REFUSED))


@pytest.mark.parametrize("code", WARNED)
def test_a_warning_of_the_page_comes(code: str) -> None:
    assert ("warning", code) in {(found.severity, found.code) for found in findings(WARNED[code])}


@pytest.mark.parametrize("code", REFUSED)
def test_a_refusal_of_the_page_comes(code: str) -> None:
    (found,) = findings(REFUSED[code])
    assert (found.severity, found.code) == ("error", code)
    assert found.span is not None
