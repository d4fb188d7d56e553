"""Paths at endpoints: each server finds what the graph at hand has, and says the same of paths that are checked."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from pylf.backends.engines.http import HttpEngine
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.many import Asking
from pylf.frontends.path.between import Bounds, find_paths
from pylf.frontends.path.check import check_paths, counts
from pylf.frontends.path.parser import parse
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import RDFS, XSD_INTEGER, Iri, Literal, tagged

if TYPE_CHECKING:
    from pylf.ir.graph import TripleRow
    from pylf.ir.terms import Node
    from pylf.testing.servers import Server

E = "http://e/"
SCHEMA = Schema(MemorySource((), (), {}))
PLAIN = Vocabulary("plain", prefixes={"": E})
ENTITIES = [Iri(f"{E}e{number}") for number in range(8)]
RELATIONS = [Iri(f"{E}r{number}") for number in range(3)]


def _graph() -> list[TripleRow]:
    random = Random(3)
    edges: list[TripleRow] = [
        (random.choice(ENTITIES), random.choice(RELATIONS), random.choice(ENTITIES)) for _ in range(24)
    ]
    edges += [(one, RELATIONS[2], Literal(str(number % 3), XSD_INTEGER)) for number, one in enumerate(ENTITIES)]
    edges += [(one, Iri(RDFS + "label"), tagged(f"the {number % 5}", "en")) for number, one in enumerate(ENTITIES)]
    return list(dict.fromkeys(edges))


GRAPH = _graph()
HERE = Asking(OxigraphEngine.memory(GRAPH), SCHEMA, PLAIN)


@pytest.fixture(params=["virtuoso", "jena", "oxigraph_server"], scope="module")
def there(request: pytest.FixtureRequest) -> Asking:
    server: Server = request.getfixturevalue(request.param)
    server.load(GRAPH, "urn:paths")
    return Asking(HttpEngine(server.endpoint("urn:paths")), SCHEMA, PLAIN)


@pytest.mark.parametrize(
    "bounds",
    [
        Bounds(2),
        Bounds(3, either=True),
        Bounds(3, simple=False),
        Bounds(2, either=True, relations=(RELATIONS[0], RELATIONS[2])),
        Bounds(2, either=True, without=(Iri(RDFS + "label"),), simple=False),
    ],
    ids=str,
)
def test_a_server_finds_the_paths_that_the_graph_has(there: Asking, bounds: Bounds) -> None:
    some: list[Node] = [ENTITIES[1], ENTITIES[2], Literal("1", XSD_INTEGER)]
    for targets in (None, some):
        found = find_paths(there, ENTITIES[:2], targets, bounds)
        assert found.failures == ()
        assert found == find_paths(HERE, ENTITIES[:2], targets, bounds)
        assert found.paths


def test_a_server_keeps_to_a_limit(there: Asking) -> None:
    every = find_paths(HERE, ENTITIES[:2], None, Bounds(2, either=True))
    for limit in (3, len(every.paths) - 1, len(every.paths), len(every.paths) + 1):
        found = find_paths(there, ENTITIES[:2], None, Bounds(2, either=True, limit=limit))
        assert found.failures == ()
        assert len(found.paths) == min(limit, len(every.paths))
        assert found.more is (limit < len(every.paths))
        assert set(found.paths) <= set(every.paths)


def test_a_server_tells_which_paths_there_are(there: Asking) -> None:
    random = Random(4)
    names = [*(f":e{number}" for number in range(8)), *(f"the {number}" for number in range(6)), "?", "?x", "1", ":e9"]
    arrows = (("->", "->"), ("<-", "<-"))
    texts = []
    for _ in range(150):
        text = random.choice(names)
        for _ in range(random.choice((1, 2, 2, 3))):
            before, after = random.choice(arrows)
            text += f" {before} :r{random.randrange(3)} {after} {random.choice(names)}"
        texts.append(text)
    trees = [parse(text) for text in texts]
    here, found = check_paths(HERE, trees), check_paths(there, trees)
    assert [(one.status, one.hop) for one in found] == [(one.status, one.hop) for one in here]
    told = counts(found)
    assert min(told[status] for status in told if status.value in ("holds", "fails", "unknown name")) > 5
