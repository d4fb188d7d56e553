"""What is excluded by name, where a pattern finds it as a subject or as an object, beside values and without."""

from __future__ import annotations

import itertools
from random import Random
from typing import TYPE_CHECKING

import pytest

from pylf.backends.engines.http import HttpEngine
from pylf.backends.sparql import emit
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import Iri, Literal
from pylf.ir.text import parse_query

if TYPE_CHECKING:
    from pylf.ir.graph import TripleRow
    from pylf.testing.servers import Server

VOCABULARY = Vocabulary("rdf")
SCHEMA = Schema(MemorySource([], [], {}))

FOUND = {
    "an object of a constant": ("<http://e/a> <http://e/p> ?x",),
    "an object": ("?y <http://e/p> ?x",),
    "a subject": ("?x <http://e/p> ?y",),
    "both": ("?x <http://e/p> ?y", "?z <http://e/q> ?x"),
    "at the second hop": ("<http://e/a> <http://e/p> ?y", "?y <http://e/q> ?x"),
    "in arms": ("either", "  <http://e/a> <http://e/p> ?x", "or", "  ?x <http://e/q> <http://e/b>"),
    "in a projection": ("distinct ?x", "  ?y <http://e/q> ?x"),
}
EXCLUDED = {
    "one": ("not", "  ?x is <http://e/a>"),
    "two, one by one": ("not", "  ?x is <http://e/a>", "not", "  ?x is <http://e/b>"),
    "a list": ("not", "  ?x in (<http://e/a>, <http://e/b>)"),
    "not excluded": ("not", "  not", "    ?x is <http://e/a>"),
    "none but one": ("?x is <http://e/a>",),
    "one or what leads on": ("either", "  ?x is <http://e/a>", "or", "  ?x <http://e/q> ?w"),
}


def graph(seed: int) -> list[TripleRow]:
    random = Random(seed)
    nodes = [Iri(f"http://e/{name}") for name in "abcd"]
    values = [*nodes, Literal("x"), Literal("7", "http://www.w3.org/2001/XMLSchema#integer")]
    relations = (Iri("http://e/p"), Iri("http://e/q"))
    drawn = {(random.choice(nodes), random.choice(relations), random.choice(values)) for _ in range(14)}
    return sorted(drawn, key=str)


@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_excluded_is_no_answer(server: Server, seed: int) -> None:
    triples = graph(seed)
    name = f"urn:excluded:{seed}"
    server.load(triples, name)
    engine, memory = HttpEngine(server.endpoint(name)), MemoryGraph(triples)
    nonempty = 0
    for (where, found), (what, excluded) in itertools.product(FOUND.items(), EXCLUDED.items()):
        query = parse_query("set ?x\nwhere\n" + "\n".join(f"  {line}" for line in (*found, *excluded)))
        expected = evaluate(query, memory, SCHEMA, VOCABULARY)
        for level in (0, 1, 2):
            answers = engine.answers(query, emit(query, SCHEMA, VOCABULARY, engine.spoken, level))
            assert answers.key() == expected.key(), f"{where}, {what} at -O{level}"
        nonempty += not expected.empty
    assert nonempty > 25
