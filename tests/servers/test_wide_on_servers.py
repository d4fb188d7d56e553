"""What is written for the wide tier gives, on real servers, what the reference evaluator gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.engines.http import HttpEngine
from pylf.errors import UnsupportedOperation
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from tests.backends.wide_texts import SCHEMA, VOCABULARY, WIDE, triples, wide

if TYPE_CHECKING:
    from pylf.testing.servers import Server


def refused_on(server: Server, seeds: range, odd: bool) -> set[str]:
    """The names of the queries that have no form; the others are agreed on, over several graphs."""
    refused: set[str] = set()
    for seed in seeds:
        found = triples(seed, odd)
        server.load(found, f"urn:wide{seed}")
        engine = HttpEngine(server.endpoint(f"urn:wide{seed}"))
        memory = MemoryGraph(found)
        for name in WIDE:
            query = wide(name)
            expected = evaluate(query, memory, SCHEMA, VOCABULARY)
            try:
                got = engine.run(query, SCHEMA, VOCABULARY, 1)
            except UnsupportedOperation:
                refused.add(name)
            else:
                assert got.key() == expected.key(), (name, seed)
    return refused


def test_jena_agrees(jena: Server) -> None:
    assert refused_on(jena, range(3), odd=True) == set()


def test_virtuoso_agrees(virtuoso: Server) -> None:
    """It refuses what it does not get right: OPTIONAL and aggregates under EXISTS, unions in OPTIONAL, truth values."""
    assert refused_on(virtuoso, range(4), odd=False) == {
        "a union of what is open",
        "an aggregate in a negation",
        "negation of an optional",
        "one of",
        "optional with a comparison between both",
        "optional with a filter on what is around",
        "optional with a union",
        "sums of anything",
        "truth as a value",
    }


def test_the_oxigraph_server_agrees(oxigraph_server: Server) -> None:
    assert refused_on(oxigraph_server, range(2), odd=True) == set()
