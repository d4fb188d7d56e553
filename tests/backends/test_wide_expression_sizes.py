"""Expressions that double at every level, names that might meet, and what stands in the place of a variable."""

from __future__ import annotations

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.rdflib import RdflibEngine
from pylf.backends.sparql import emit
from pylf.errors import UnsupportedOperation
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.terms import XSD, Iri, Literal
from pylf.ir.text import parse_query
from tests.backends.wide_texts import SCHEMA, VOCABULARY, E

_NUMBER = f'"1"^^<{XSD}integer>'
_TRUE = f'"true"^^<{XSD}boolean>'
_DAY = f'"2000-01-01"^^<{XSD}date>'


def nested(depth: int, before: str, after: str) -> str:
    return before * depth + "?m" + after * depth


LARGE = {
    "divisions": nested(30, "(?m / ", ")"),
    "equations": nested(12, "(", f" = {_TRUE})"),
    "choices": nested(60, "if(", f", {_NUMBER}, ?m)"),
    "orders": nested(40, "(", f" < {_DAY})"),
    "truths": nested(45, "((", f" = {_NUMBER}) = {_TRUE})"),
}


@pytest.mark.parametrize("name", LARGE)
@pytest.mark.parametrize("dialect", ["oxigraph", "jena", "virtuoso"])
def test_what_would_be_too_large_is_refused(name: str, dialect: str) -> None:
    query = parse_query(f"rows ?m ?a\nwhere\n  ?x <{E}v> ?m\n  ?a := {LARGE[name]}\n")
    with pytest.raises(UnsupportedOperation, match=dialect):
        emit(query, SCHEMA, VOCABULARY, dialect)


def test_what_is_deep_and_not_large_has_a_form() -> None:
    expression = nested(95, "(", f" + {_NUMBER})")
    query = parse_query(f"rows ?m ?a\nwhere\n  ?x <{E}mass> ?m\n  ?a := {expression}\n")
    assert emit(query, SCHEMA, VOCABULARY, "sparql11").count("+ 1") == 95


TRIPLES: list[tuple[Iri, Iri, Iri | Literal]] = [
    (Iri(E + "a"), Iri(E + "p"), Literal("5", XSD + "integer")),
    (Iri(E + "b"), Iri(E + "p"), Iri(E + "a")),
    (Iri(E + "a"), Iri(E + "flown"), Literal("1990-01-01", XSD + "date")),
    (Iri(E + "a"), Iri(E + "v"), Literal("3", XSD + "integer")),
    (Iri(E + "b"), Iri(E + "v"), Iri(E + "c")),
    (Iri(E + "a"), Iri(E + "mass"), Literal("3", XSD + "integer")),
    (Iri(E + "b"), Iri(E + "mass"), Literal("4", XSD + "integer")),
]
TEXTS = {
    "a name that looks made": f"""
set ?x
where
  ?x <{E}v> ?computed0
  if (?computed0 + {_NUMBER}) = ?computed0
""",
    "a name that looks made, ordered": f"""
rows ?computed0
where
  slice ?computed0 by (?computed0 * {_NUMBER}), ?computed0 limit 1
    ?x <{E}mass> ?computed0
""",
    "a type that is not kept": f"""
set ?y
  ?y: entity
where
  ?x <{E}v> ?y
  if ?y = "3"^^<{XSD}integer>
""",
    "a type that is not kept, in rows": f"""
set ?y
  ?y: entity
where
  slice distinct ?y
    ?x <{E}v> ?y
  if ?y = "3"^^<{XSD}integer>
""",
    "bound of a reduction": f"""
rows ?m
where
  aggregate ?m := min(?d)
    ?x <{E}flown> ?d
  if bound(?m)
""",
    "bound of a reduction of nothing": f"""
rows ?m
where
  aggregate ?m := min(?d)
    ?x <{E}flown> ?d
    ?x <{E}flown> <{E}a>
  if !bound(?m)
""",
    "bound of a reduction per group": f"""
rows ?x ?m
where
  aggregate ?m := min(?d) per ?x
    ?x <{E}flown> ?d
  if bound(?m)
""",
    "no member": f"""
rows ?s ?x
where
  aggregate ?s := max(?m) per ?x
    ?x <{E}mass> ?m
  if !in(?s, <{E}a>, <{E}b>)
""",
    "ordered by what is not selected": f"""
rows ?x
where
  slice ?x by ?s, ?x limit 1
    aggregate ?s := max(?m) per ?x
      ?x <{E}mass> ?m
""",
    "ordered by what has no value": f"""
rows ?x
where
  slice ?x by strlen(?o), ?x limit 1
    ?x <{E}v> ?m
    optionally
      ?m <{E}v> ?o
""",
    "many sums": "\nrows ?a0 ?a40\nwhere\n"
    f"  aggregate ?a0 := count(*)\n    ?x <{E}mass> ?m\n"
    + "".join([f"  ?a{n + 1} := ?a{n} + ?a{n}\n" for n in range(40)]),
}


@pytest.mark.parametrize("name", TEXTS)
def test_engines_agree(name: str) -> None:
    query = parse_query(TEXTS[name].removeprefix("\n"))
    expected = evaluate(query, MemoryGraph(TRIPLES), SCHEMA, VOCABULARY)
    oxigraph, rdflib = OxigraphEngine.memory(TRIPLES), RdflibEngine.from_triples(TRIPLES)
    for dialect in ("oxigraph", "sparql11", "rdflib"):
        text = emit(query, SCHEMA, VOCABULARY, dialect)
        answers = (rdflib if dialect == "rdflib" else oxigraph).answers(query, text)
        assert answers.key() == expected.key(), text


def test_something_is_found() -> None:
    memory = MemoryGraph(TRIPLES)
    empty = {n for n, text in TEXTS.items() if evaluate(parse_query(text[1:]), memory, SCHEMA, VOCABULARY).empty}
    assert empty == {"a name that looks made"}
