"""Random programs and near misses of them: whatever is called equivalent is not told apart by random graphs."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pylf
from pylf.equivalence import equivalent
from pylf.errors import PylfError
from pylf.ir.memory import MemoryGraph
from pylf.language import printer, syntax
from pylf.testing import programs
from pylf.testing.ir_strategies import disguised
from pylf.testing.variants import variant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Schema
    from tests.equivalence.conftest import Keyed

PAIRS = 40


def near_misses(seed: int, schema: Schema) -> Iterator[tuple[Query, Query]]:
    random = Random(seed)

    def compiled(expression: syntax.Expression) -> Query:
        program = syntax.Program((syntax.Assignment("e", syntax.Stop(expression)),))
        return pylf.compile(printer.print_program(program), schema=schema, vocabulary=programs.VOCABULARY).ir

    while True:
        stop = programs.random_program(random, depth=2).assignments[-1].value
        assert isinstance(stop, syntax.Stop)
        try:
            pair = compiled(stop.of), compiled(variant(stop.of, random))
        except PylfError:
            continue
        yield pair


def test_a_near_miss_is_told_apart_wherever_a_random_graph_does(world: Schema, answer: Keyed) -> None:
    graphs = [MemoryGraph(programs.random_triples(Random(seed))) for seed in range(30)]
    found = {"equivalent": 0, "different": 0, "undecided": 0}
    pairs = near_misses(5, world)
    for _ in range(PAIRS):
        left, right = next(pairs)
        verdict = equivalent(left, right, world, programs.VOCABULARY, bound=1, seconds=0.3)
        found[verdict.status] += 1
        if verdict.status == "different":
            graph = MemoryGraph(verdict.graph or ())
            assert answer(left, graph) != answer(right, graph) or left.form is not right.form
        elif verdict.status == "equivalent":
            assert all(answer(left, graph) == answer(right, graph) for graph in graphs)
    assert found["different"] > PAIRS / 2
    assert found["equivalent"] > 0


def test_a_disguised_query_is_the_same(world: Schema) -> None:
    random = Random(7)
    pairs = near_misses(8, world)
    for _ in range(40):
        query, _ = next(pairs)
        verdict = equivalent(query, disguised(query, random), world, programs.VOCABULARY, bound=1, seconds=5)
        assert verdict.status == "equivalent", verdict.why
