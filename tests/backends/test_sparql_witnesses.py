"""What only has to exist beside a negation is asked for by EXISTS, and no row is checked twice because of it."""

from __future__ import annotations

import pytest

import pylf
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph

NOT_BOEING = "JOIN('spaceflight.rocket.manufacturer', START(':boeing'), neg=True)"
#: programs and how many parts of their outermost group only have to exist
PROGRAMS = [
    (NOT_BOEING, 1),
    (f"AND({NOT_BOEING}, JOIN('spaceflight.rocket.launch_sites', START('launch site')))", 2),
    (f"AND({NOT_BOEING}, JOIN('spaceflight.rocket.launch_sites', START(':baikonur')))", 1),
    (f"AND({NOT_BOEING}, CMP('<', 'spaceflight.rocket.mass', 100000))", 1),
    (f"COUNT({NOT_BOEING})", 1),
    (f"ARG('ARGMAX', {NOT_BOEING}, 'spaceflight.rocket.mass')", 2),  # in the body and in the sub-select over it
    ("JOIN('spaceflight.rocket.manufacturer', START(':boeing'))", 0),
]


@pytest.mark.parametrize(("program", "parts"), PROGRAMS)
def test_parts_that_only_have_to_exist_are_set_aside(program: str, parts: int) -> None:
    query = pylf.compile(f"expression = STOP({program})", kg=pylf.bundled(), negation="pca", dialect="oxigraph")
    assert query.sparql.count("\n  FILTER EXISTS") + query.sparql.count("\n      FILTER EXISTS") == parts, query.sparql
    flat = pylf.compile(
        f"expression = STOP({program})", kg=pylf.bundled(), negation="pca", dialect="oxigraph", optimize=0
    )
    assert "FILTER EXISTS" not in flat.sparql


@pytest.mark.parametrize(("program", "_"), PROGRAMS)
def test_the_answers_are_the_same(program: str, _: int) -> None:
    graph = pylf.bundled()
    query = pylf.compile(f"expression = STOP({program})", kg=graph, negation="pca")
    expected = evaluate(query.ir, MemoryGraph(graph.engine.triples()), query.schema, query.vocabulary)
    for level in (0, 1):
        assert graph.engine.run(query.ir, query.schema, query.vocabulary, level).key() == expected.key()
