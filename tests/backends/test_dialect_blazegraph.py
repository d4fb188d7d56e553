"""Blazegraph cannot be had for tests: what is asserted is what its queries never hold, and that they are right SPARQL.

The graph is Wikidata-shaped, as its query service holds it: dates with zone Z whatever their precision, a value that is
known to be but unknown as an IRI of its own.
"""

from __future__ import annotations

import pytest

from pylf.backends.dialects import dialect_named
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.sparql import emit
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabularies import load
from pylf.ir.terms import XSD, Iri, Literal, tagged
from pylf.language.context import Context
from pylf.language.lower import lower
from pylf.language.parser import parse

WD, WDT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
WIKIDATA = load("wikidata")
SCHEMA = Schema(MemorySource([], [], {}))


def moment(text: str) -> Literal:
    return Literal(text, XSD + "dateTime")


def number(text: str) -> Literal:
    return Literal(text, XSD + "decimal")


DIED = [
    ("Q1048", moment("-0043-03-13T00:00:00Z")),  # Caesar, on 15 March 44 BCE of the Julian calendar
    ("Q42", moment("2001-05-11T00:00:00Z")),
    ("Q859", moment("-0347-01-01T00:00:00Z")),  # Plato, of whom only the year is known
    ("Q692", Iri("http://www.wikidata.org/.well-known/genid/5d8b4e0a")),
]
GRAPH = [(Iri(WD + q), Iri(WDT + "P31"), Iri(WD + "Q5")) for q, _ in [*DIED, ("Q1", None)]]
GRAPH += [(Iri(WD + q), Iri(WDT + "P570"), value) for q, value in DIED]
GRAPH += [(Iri(WD + "Q42"), Iri(WDT + "P2048"), number("+1.96"))]

ANSWERS = {
    "CMP('<', 'P570', '0001^^xsd:gYear')": {"Q1048", "Q859"},
    "CMP('>=', 'P570', '-0043^^xsd:gYear')": {"Q1048", "Q42"},
    "JOIN('P570', '2001-05-11^^xsd:date')": {"Q42"},
    "JOIN('P570', '-0347^^xsd:gYear')": {"Q859"},
    "CMP('!=', 'P570', '2001^^xsd:gYear')": {"Q1048", "Q859"},
    "ARG('ARGMIN', START('Q5', kind='class'), 'P570')": {"Q859"},
    "ARG('ARGMAX', START('Q5', kind='class'), 'P570')": {"Q42"},
    "CMP('>', 'P2048', 1.9)": {"Q42"},
    # who has no date of death at all: an unknown one is one
    "MINUS(START('Q5', kind='class'), JOIN('P570', JOIN('R_P570', START('Q5', kind='class'))))": {"Q1"},
}


def test_what_it_differs_in() -> None:
    dialect, generic = dialect_named("blazegraph"), dialect_named("sparql11")
    fields = [name for name in dialect.__match_args__ if getattr(dialect, name) != getattr(generic, name)]
    assert fields == ["name", "folds_language", "textual_order"]


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize(("expression", "expected"), ANSWERS.items())
def test_values_of_wikidata(expression: str, expected: set[str], level: int) -> None:
    graph = MemoryGraph(GRAPH)
    query = lower(parse(f"e = STOP({expression})"), Context(SCHEMA, WIKIDATA)).query
    text = emit(query, SCHEMA, WIKIDATA, "blazegraph", level)
    for foreign in ("SERVICE", "hint:", "wikibase:label", "bd:"):
        assert foreign not in text
    found = OxigraphEngine.memory(GRAPH).answers(query, text)
    assert {str(value).strip("<>").removeprefix(WD) for value in found.values} == expected
    assert found.key() == evaluate(query, graph, SCHEMA, WIKIDATA).key()


def test_labels_are_matched_and_never_asked_of_a_service() -> None:
    label = Iri("http://www.w3.org/2000/01/rdf-schema#label")
    named = [*GRAPH, (Iri(WD + "Q42"), label, tagged("Douglas Adams", "mul"))]
    query = lower(parse("e = STOP(JOIN('R_P2048', START('Douglas Adams')))"), Context(SCHEMA, WIKIDATA)).query
    text = emit(query, SCHEMA, WIKIDATA, "blazegraph")
    assert '"Douglas Adams"@en' in text
    assert '"Douglas Adams"@mul' in text
    assert "SERVICE" not in text
    assert OxigraphEngine.memory(named).answers(query, text).values
