"""Closures that pass values on to one another, on both engines, plain and optimized."""

from __future__ import annotations

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.rdflib import RdflibEngine
from pylf.backends.sparql import emit
from pylf.errors import UnsupportedOperation
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import Iri
from pylf.ir.text import parse_query

VOCABULARY = Vocabulary("rdf")
SCHEMA = Schema(MemorySource([], [], {}))
GRAPH = [tuple(Iri(f"http://e/{name}") for name in triple) for triple in ("apb", "bqc", "cpa", "ard")]
TEXTS = [(dialect, level) for dialect in ("oxigraph", "sparql11", "rdflib") for level in (0, 1)]


@pytest.fixture(scope="module")
def engines():
    return OxigraphEngine.memory(GRAPH), RdflibEngine.from_triples(GRAPH)


def asked(body: str):
    lines = [line.replace(":", "http://e/") for line in body.split(";")]
    return parse_query("set ?x\nwhere\n" + "\n".join(f"  {line}" for line in lines))


def found(engines, query, dialect: str, level: int):
    engine = engines[1] if dialect == "rdflib" else engines[0]
    return engine.answers(query, emit(query, SCHEMA, VOCABULARY, dialect, level))


ALIKE = {
    "three from a constant": "?x <:p>* ?y;?y <:q>* ?z;?z <:p>* <:a>",
    "three from a constant that no triple has": "?x <:p>* ?y;?y <:q>* ?z;?z <:p>* <:n>",
    "from a literal": '"l" <:p>* ?z;?z <:q>* ?y;?y <:p>* ?x',
    "from a list": "?x <:p>* ?y;?y <:q>* ?z;?z <:p>* ?w;?w in (<:n>, <:a>)",
    "from a triple": "?x <:p>* ?y;?y <:q>* ?z;?z <:p>* ?w;?w <:r> ?v",
    "from a sub-select": "?x <:p>* ?y;?y <:q>* ?z;distinct ?z;  ?z in (<:n>, <:a>)",
    "from arms": "?x <:p>* ?y;?y <:q>* ?z;either;  ?z in (<:n>, <:m>);or;  ?z <:r> ?w",
    "in a circle": "?x <:p>* ?y;?y <:q>* ?z;?z <:p>* ?x;?y in (<:a>, <:n>)",
    "side by side": "?x <:p>* ?y;?x <:q>* ?y;?y in (<:a>, <:n>)",
    "to itself": "?x in (<:a>, <:n>);?x <:p>* ?x",
    "to itself beside a list of many": "?x in (<:a>, <:n>);?x <:p>* ?x;?y in (<:a>, <:n>);?x <:q>* ?y",
    "below a negation": "?x in (<:a>, <:n>);?y in (<:a>, <:c>, <:n>);not;  ?x <:p>* ?y;  ?x <:q>* ?y",
    "to itself below a negation": "?x in (<:a>, <:n>);not;  ?x <:p>* ?x",
    "below a negation, from triples": "?x <:r> ?w;?y <:p> ?v;not;  ?x <:p>* ?y;  ?x <:q>* ?y",
    "two to one end": "?x <:p>+ ?z;?y <:p>+ ?z",
    "three to one end": "?x <:p>+ ?z;?y <:p>+ ?z;?w <:p>+ ?z",
    "two to one end that a triple knows": "?x <:p>+ ?z;?y <:p>+ ?z;?w <:p> ?z",
    "beside what only has to exist": "?x <:r> ?w;?x <:p>* ?y;not;  ?x <:q> ?y",
}


@pytest.mark.parametrize("body", ALIKE.values(), ids=ALIKE)
def test_engines_agree_with_the_definition(engines, body):
    query = asked(body)
    wanted = evaluate(query, MemoryGraph(GRAPH), SCHEMA, VOCABULARY)
    for dialect, level in TEXTS:
        assert found(engines, query, dialect, level).key() == wanted.key(), (dialect, level)


def test_below_a_negation_from_a_sub_select(engines):
    inner = "distinct ?y;  ?y in (<:a>, <:c>, <:n>);?x in (<:a>, <:n>)"
    query = asked(f"{inner};not;  ?x <:p>* ?z;  ?z <:q>* ?y")
    wanted = evaluate(query, MemoryGraph(GRAPH), SCHEMA, VOCABULARY)
    for dialect, level in TEXTS:
        assert found(engines, query, dialect, level).key() == wanted.key(), (dialect, level)
    query = asked("distinct ?x;  ?x in (<:a>, <:n>);not;  ?x <:p>* ?z;  ?z <:q> ?y")
    hidden = asked("distinct ?x;  ?x in (<:a>, <:n>);not;  ?x <:p>* ?z;  ?z <:q>* ?y")
    wanted = evaluate(query, MemoryGraph(GRAPH), SCHEMA, VOCABULARY)
    for dialect, level in TEXTS:
        assert found(engines, query, dialect, level).key() == wanted.key(), (dialect, level)
    for level in (0, 1):
        with pytest.raises(UnsupportedOperation, match="no steps under EXISTS"):
            emit(hidden, SCHEMA, VOCABULARY, "rdflib", level)


def test_a_long_chain_is_written_without_nesting():
    links = ";".join(f"?v{number} <:p>* ?v{number + 1}" for number in range(300))
    text = emit(asked(f"?x <:p>* ?v0;{links};?v300 in (<:n>)"), SCHEMA, VOCABULARY, "oxigraph")
    assert max(len(line) - len(line.lstrip()) for line in text.splitlines()) == 4
    assert text.count("UNION") == 301
