"""Paths that fail where an engine does not say with which hop; and values of several spellings on one path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pylf.backends.dialects import dialect_named
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.many import Asking
from pylf.backends.outcome import Status as Ended
from pylf.errors import EngineTimeout
from pylf.frontends.path.between import Bounds, find_paths
from pylf.frontends.path.check import Status, check_paths
from pylf.frontends.path.parser import parse
from pylf.ir.nodes import Path
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import XSD_DECIMAL, XSD_INTEGER, Iri, Literal
from pylf.ir.traverse import walk

if TYPE_CHECKING:
    from pylf.ir.answers import Answers
    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Query

E = "http://e/"
SCHEMA = Schema(MemorySource((), (), {}))
PLAIN = Vocabulary("plain", prefixes={"": E})
GRAPH: list[TripleRow] = [(Iri(f"{E}n{n}"), Iri(E + "r"), Iri(f"{E}n{n + 1}")) for n in range(3)]


class Slow:
    """A store that is too slow for paths of some lengths."""

    lookup_cost = 1
    cache_scope = None
    spoken = dialect_named("sparql11")

    def __init__(self, lengths: set[int]) -> None:
        self.store = OxigraphEngine.memory(GRAPH)
        self.lengths = lengths
        self.triples = self.store.triples

    def run(
        self, query: Query, schema: Schema, vocabulary: Vocabulary, optimize: int = 1, timeout: float | None = None
    ) -> Answers:
        if any(isinstance(c, Path) and len(c.relations) in self.lengths for c in walk(query)):
            raise EngineTimeout("too slow")
        return self.store.run(query, schema, vocabulary, optimize, timeout)


@pytest.mark.parametrize(
    ("slow", "hop"),
    [(set(), 3), ({1}, 3), ({2}, None), ({1, 2}, None)],
)
def test_a_path_fails_though_it_is_not_known_where(slow: set[int], hop: int | None) -> None:
    engine: Any = Slow(slow)
    tree = parse(":n0 -> r -> :n1 -> r -> :n2 -> r -> :n1".replace("r ", f"<{E}r> "))
    (verdict,) = check_paths(Asking(engine, SCHEMA, PLAIN), [tree])
    assert (verdict.status, verdict.hop) == (Status.FAILS, hop)
    assert (verdict.outcome is None) is (hop is not None)
    if verdict.outcome is not None:
        assert verdict.outcome.status is Ended.TIMEOUT


def test_a_path_that_was_not_answered_is_undecided() -> None:
    engine: Any = Slow({3})
    tree = parse(f":n0 -> <{E}r> -> :n1 -> <{E}r> -> :n2 -> <{E}r> -> :n1")
    (verdict,) = check_paths(Asking(engine, SCHEMA, PLAIN), [tree])
    assert verdict.status is Status.UNDECIDED


@pytest.mark.parametrize("limit", [None, 5])
def test_spellings_of_one_value_are_one_node_of_a_path(limit: int | None) -> None:
    one, same, other = Literal("1", XSD_INTEGER), Literal("1.0", XSD_DECIMAL), Literal("2", XSD_INTEGER)
    e = Iri(E + "e")
    engine: Any = OxigraphEngine.memory([(e, Iri(E + "p"), one), (e, Iri(E + "q"), same), (e, Iri(E + "s"), other)])
    bounds = Bounds(2, 2, either=True, limit=limit)
    found = find_paths(Asking(engine, SCHEMA, PLAIN), [one], None, bounds)
    assert [path.nodes for path in found.paths] == [(one, e, other), (same, e, other)][: len(found.paths)]
    assert len(found.paths) >= 1
    assert all(path.simple for path in found.paths)
    again = find_paths(Asking(engine, SCHEMA, PLAIN), [one], None, Bounds(2, 2, either=True, simple=False))
    assert any(not path.simple for path in again.paths)
