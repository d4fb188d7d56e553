"""What has no value, or counts as false, is so in what is written: every kind of value meets every kind of test."""

from __future__ import annotations

import re

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.rdflib import RdflibEngine
from pylf.backends.sparql import emit
from pylf.errors import UnsupportedOperation
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.terms import XSD, Iri, Literal, tagged
from pylf.ir.text import parse_query
from tests.backends.wide_texts import SCHEMA, VOCABULARY, E

VALUES: list[Iri | Literal] = [
    Iri(E + "a"),
    *[Literal(text, XSD + "integer") for text in ("0", "1", "2", "-4", "abc")],
    Literal("2.0", XSD + "decimal"),
    *[Literal(text, XSD + "boolean") for text in ("true", "false", "maybe")],
    *[Literal(text) for text in ("", "a", "abc", "2000-05")],
    tagged("a", "en"),
    tagged("", "en"),
    Literal("2000", XSD + "gYear"),
    Literal("2000-05", XSD + "gYearMonth"),
    Literal("1999-05-05", XSD + "date"),
    Literal("x", XSD + "duration"),
]
TRIPLES = [(Iri(f"{E}x{number}"), Iri(E + "v"), value) for number, value in enumerate(VALUES)]
TRIPLES += [(Iri(f"{E}x{number}"), Iri(E + "w"), value) for number, value in enumerate(VALUES[:3] + VALUES[-6:])]

#: Conditions on ``?m``, which is anything, and ``?o``, which is open.
CONDITIONS = [
    "coalesce(?m = 2, true)",
    'coalesce(?m = "a", true)',
    "coalesce(in(?m, 2, :a), true)",
    "coalesce(in(?m, 2, 3), true)",
    "coalesce(?m < 2, true)",
    "coalesce(?m = ?o, true)",
    "coalesce(?m != ?o, true)",
    "coalesce(!(?m < ?o), true)",
    "coalesce(sameterm(?m, ?o), true)",
    "(?m = 2) = false",
    "(?m = 2) != true",
    'if(?m = 2, "", "b")',
    'if(sameterm(?m, "a"@en), "", "b")',
    "if(?m, false, true)",
    "if(?m, ?o, ?m)",
    "!if(?o = ?m, ?o, ?m)",
    '!sameterm(?m, "a"@en)',
    '!sameterm(?o, "a"@en)',
    '!sameterm(?m, "a")',
    "!sameterm(?m, ?o)",
    '!sameterm(str(?m), "a")',
    "!in(?m)",
    "!in(?o)",
    "!in(str(?o))",
    "!in(abs(?o))",
    "in(?m)",
    "!((?m + 1) = :a)",
    "(?m + 1) != :a",
    'datatype(?o) != "x"',
    '!(datatype(?o) = "x")',
    "!isiri(?m + 1)",
    "!isnumeric(str(?o))",
    "!sameterm(?m + 1, 2)",
    "?m",
    "!?m",
    "?o",
    "!?o",
    "?m && ?o",
    "!(?m || ?o)",
    "!coalesce(?o, ?m)",
    "coalesce(?o, ?m)",
    '!(?m < "2000-05")',
    '!(?m >= "2000-05")',
    '!("2000-05" > ?m)',
    "!(?m < 2000)",
    "!(?m > ?o)",
    "((?m / 3) * 3) = ?m",
    "(?m / 3) != 1",
    "coalesce((?m + ?o) > 2, isliteral(?m))",
    "bound(?o) = isliteral(?m)",
    'concat(?m, "b") = "ab"',
    'concat(?m + 1, "a") != "x"',
    "strlen(?m) > 1",
    "strlen(5) > 0",
    "abs(str(?m)) > 0",
    "strlen(coalesce(?o, ?m)) < 2",
    "abs(coalesce(?o, ?m)) < 3",
    'substr(?m, 0) = "abc"',
    'substr(?m, 0, 2) = "a"',
    'substr(?m, 2, 5) = "bc"',
    'substr(?m, "1.5"^^<http://www.w3.org/2001/XMLSchema#decimal>) = "bc"',
    'bound(?m) && (replace(?m, "x*", "y") != "a")',
    'replace(?m, "b", "y", "i") = "ayc"',
    'regex(?m, "A", "i")',
    '!regex(?m, "^A", "i")',
]
#: Of these, what is written for all but rdflib is asked of Oxigraph.
DIALECTS = ("oxigraph", "sparql11", "qlever", "rdflib")
#: What stays as it is; and booleans, numbers and names in short.
_WORD = re.compile(r'"[^"]*"(?:\^\^<[^>]*>)?|<http[^>]*>|\b(true|false)\b|(?<=[ (])(\d+)\b|(?<=[ (]):(\w+)')


def _told(found: re.Match[str]) -> str:
    match found.groups():
        case (str(true), _, _):
            return f'"{true}"^^<{XSD}boolean>'
        case (_, str(number), _):
            return f'"{number}"^^<{XSD}integer>'
        case (_, _, str(name)):
            return f"<{E}{name}>"
        case _:
            return found[0]


def query_of(condition: str, outputs: str = "?m ?o", extension: str = "") -> str:
    lines = [
        f"rows {outputs}",
        "where",
        "  ?x :v ?m",
        "  optionally",
        "    ?x :w ?o",
        f"  {extension or f'if {condition}'}",
    ]
    return _WORD.sub(_told, "\n".join(lines)) + "\n"


@pytest.fixture(scope="module")
def memory() -> MemoryGraph:
    return MemoryGraph(TRIPLES)


@pytest.fixture(scope="module")
def oxigraph() -> OxigraphEngine:
    return OxigraphEngine.memory(TRIPLES)


@pytest.fixture(scope="module")
def rdflib() -> RdflibEngine:
    return RdflibEngine.from_triples(TRIPLES)


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("as_value", [False, True])
def test_engines_agree(
    condition: str, as_value: bool, memory: MemoryGraph, oxigraph: OxigraphEngine, rdflib: RdflibEngine
) -> None:
    """As a condition; and as a value, where what is false differs from what has no value."""
    if as_value:
        query = parse_query(query_of(condition, "?m ?o ?a", f'?a := if({condition}, "yes", "no")'))
    else:
        query = parse_query(query_of(condition))
    expected = evaluate(query, memory, SCHEMA, VOCABULARY)
    for dialect in DIALECTS:
        engine = rdflib if dialect == "rdflib" else oxigraph
        try:
            text = emit(query, SCHEMA, VOCABULARY, dialect)
        except UnsupportedOperation:
            assert dialect in ("rdflib", "qlever")
            continue
        assert engine.answers(query, text).key() == expected.key(), text


def test_what_is_no_number_counts_as_false() -> None:
    """Though its datatype is one of numbers."""
    found = [(Iri(E + "x"), Iri(E + "v"), Literal("NaN", XSD + "double"))]
    query = parse_query(query_of("!?m"))
    expected = evaluate(query, MemoryGraph(found), SCHEMA, VOCABULARY)
    assert not expected.empty
    for engine in OxigraphEngine.memory(found), RdflibEngine.from_triples(found):
        assert engine.answers(query, emit(query, SCHEMA, VOCABULARY, engine.dialect)).key() == expected.key()


#: What no value is long or large enough for, or nothing can be.
NEVER = {
    "in(?m)",
    'concat(?m + 1, "a") != "x"',
    "strlen(5) > 0",
    "abs(str(?m)) > 0",
    'bound(?m) && (replace(?m, "x*", "y") != "a")',
}


def test_the_conditions_hold_at_times(memory: MemoryGraph) -> None:
    found = {c: evaluate(parse_query(query_of(c)), memory, SCHEMA, VOCABULARY) for c in CONDITIONS}
    assert {condition for condition, answers in found.items() if answers.empty} == NEVER
