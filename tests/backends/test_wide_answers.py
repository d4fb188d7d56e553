"""What is written for the wide tier gives, on embedded engines, what the reference evaluator gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.rdflib import RdflibEngine
from pylf.backends.sparql import emit
from pylf.errors import UnsupportedOperation
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from tests.backends.wide_texts import SCHEMA, VOCABULARY, WIDE, triples, wide

if TYPE_CHECKING:
    from pathlib import Path

#: Of what may be anything MIN and MAX have no form, and nothing is known of it without optimization.
NO_FORM = {("least day", 0), ("greatest name", 0), ("sums", 0)}
#: rdflib takes seconds for a comparison of all with all.
SLOW = {name for name, text in WIDE.items() if "?w <http://e/v> ?z" in text or "?w <http://e/when> ?z" in text}


@pytest.fixture(scope="module", params=range(5))
def graph(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[MemoryGraph, OxigraphEngine]:
    found = triples(request.param)
    path: Path = tmp_path_factory.mktemp("wide") / "graph.nt"
    path.write_text("".join([f"{s} {p} {o} .\n" for s, p, o in found]), encoding="utf-8")
    return MemoryGraph(found), OxigraphEngine.open(path)


@pytest.mark.parametrize("name", WIDE)
def test_oxigraph_agrees(name: str, graph: tuple[MemoryGraph, OxigraphEngine]) -> None:
    memory, engine = graph
    query = wide(name)
    expected = evaluate(query, memory, SCHEMA, VOCABULARY)
    for optimize in (0, 1):
        if (name, optimize) in NO_FORM:
            with pytest.raises(UnsupportedOperation):
                emit(query, SCHEMA, VOCABULARY, "oxigraph", optimize)
        else:
            assert engine.run(query, SCHEMA, VOCABULARY, optimize).key() == expected.key(), optimize


@pytest.mark.parametrize("name", sorted(WIDE.keys() - SLOW))
def test_rdflib_agrees(name: str) -> None:
    found = triples(1)
    query = wide(name)
    expected = evaluate(query, MemoryGraph(found), SCHEMA, VOCABULARY)
    engine = RdflibEngine.from_triples(found)
    got = engine.answers(query, emit(query, SCHEMA, VOCABULARY, "rdflib", 1))
    assert got.key() == expected.key()


def test_the_graphs_give_something() -> None:
    """Most queries have answers on most graphs, so that agreement says something."""
    graphs = [MemoryGraph(triples(seed)) for seed in range(5)]
    full = [name for name in WIDE for graph in graphs if not evaluate(wide(name), graph, SCHEMA, VOCABULARY).empty]
    assert len(full) > 0.7 * len(WIDE) * len(graphs)
    assert len(set(full)) > 0.95 * len(WIDE)
