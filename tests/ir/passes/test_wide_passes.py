"""Every pass alone, and all of them together, keep the answers of queries of the wide tier.

The queries are random ones (:mod:`pylf.testing.drawn.wide`), each on a few random graphs. Where a graph leaves the
answer to the engine (which of several rows that tie are in), nothing is compared. Copies of the passes that are broken
on purpose, each by forgetting one of the rules of :mod:`pylf.ir.passes.barriers`, have to be caught within the same
queries.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import TYPE_CHECKING

import pytest

from pylf.equivalence.settled import settled
from pylf.errors import InvalidIR, PassError
from pylf.ir.evaluate import evaluate
from pylf.ir.nodes import (
    Aggregate,
    Condition,
    Extend,
    Form,
    LeftJoin,
    Slice,
    Union,
)
from pylf.ir.passes import PIPELINE, listed
from pylf.ir.passes.barriers import bags
from pylf.ir.passes.context import Context
from pylf.ir.passes.kept import lost
from pylf.ir.passes.manager import LEVEL, optimized
from pylf.ir.target import Target
from pylf.ir.terms import Var
from pylf.ir.text import print_query
from pylf.ir.traverse import walk
from pylf.ir.verify import verify
from pylf.testing.drawn.wide import STRATA, Names, wide_query
from tests.ir import small_queries as small
from tests.ir.passes.mutants import Mutant, broken, source_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from pylf.ir.memory import MemoryGraph
    from pylf.ir.nodes import Query
    from pylf.ir.passes.manager import Pass

    Run = Callable[[Query, Context], Query]

NAMES = Names(small.RELATIONS, small.CLASSES, small.ENTITIES, small.VALUES)
CONTEXT = Context(
    small.SCHEMA,
    small.VOCABULARY,
    Target("every", textual_order=True, nests=True, subtracts=True, projects=True),
)
PASSES = tuple(listed())
QUERIES, GRAPHS = 1_600, 3
x, y, z, n = Var("x"), Var("y"), Var("z"), Var("n")
R, S = small.RELATIONS


class Drawn:
    """A query, and graphs that settle its answers."""

    def __init__(self, seed: int) -> None:
        random = Random(f"wide {seed}")
        self.query = wide_query(random, NAMES, STRATA[seed % len(STRATA)])
        drawn = [small.graph(random) for _ in range(GRAPHS)]
        self.graphs = [graph for graph in drawn if settled(self.query, graph, small.SCHEMA, small.VOCABULARY)]
        self._answers: list[Hashable] | None = None

    @property
    def answers(self) -> list[Hashable]:
        """The answers on each graph."""
        if self._answers is None:
            self._answers = [_answer(self.query, graph) for graph in self.graphs]
        return self._answers

    def wrong(self, run: Run) -> str | None:
        """What is wrong with what a pass makes of the query; None where nothing is, or where the manager drops it."""
        try:
            found = run(self.query, CONTEXT)
        except (InvalidIR, PassError) as problem:
            return str(problem)
        if found is self.query:
            return None
        try:
            verify(found)
        except InvalidIR as problem:
            return None if lost(self.query, found) else f"not valid: {problem}"
        for graph, expected in zip(self.graphs, self.answers, strict=True):
            got = _answer(found, graph)
            if got != expected:
                return f"{got} in place of {expected}, of\n{print_query(found)}"
        return None


def _answer(query: Query, graph: MemoryGraph) -> Hashable:
    return evaluate(query, graph, small.SCHEMA, small.VOCABULARY).key()


@cache
def material() -> tuple[Drawn, ...]:
    return tuple([Drawn(seed) for seed in range(QUERIES)])


def test_the_material_has_all_wide_nodes_in_all_places() -> None:
    found: Counter[object] = Counter()
    for drawn in material():
        said = list(walk(drawn.query))
        found.update({type(conjunct) for conjunct in said})
        found["bag"] += any(True for _ in bags(drawn.query))
        found["tag"] += any(isinstance(one, Union) for one in said) and any(True for _ in bags(drawn.query))
        found["settled"] += len(drawn.graphs)
        found["answered"] += any(answer not in ((Form.SET, ()), (Form.ROWS, ())) for answer in drawn.answers)
    assert min(found[one] for one in (LeftJoin, Condition, Extend, Aggregate, Slice)) > 150
    assert min(found["bag"], found["tag"]) > 100
    assert found["settled"] > QUERIES * GRAPHS * 0.8
    assert found["answered"] > QUERIES * 0.5


@pytest.mark.parametrize("one", PASSES, ids=[one.name for one in PASSES])
def test_a_pass_alone_keeps_the_answers(one: Pass) -> None:
    for drawn in material():
        problem = drawn.wrong(one.run)
        assert problem is None, f"{problem}\n{print_query(drawn.query)}"


def test_passes_go_on_within_the_wide_tier() -> None:
    changed: Counter[str] = Counter()
    for drawn in material():
        for one in PASSES:
            changed[one.name] += one.run(drawn.query, CONTEXT) is not drawn.query
    working = ("normalize", "push-negation", "simplify-types", "merge-comparisons", "minimize")
    assert min(changed[name] for name in working) > 50


@pytest.mark.parametrize("level", [1, 2])
def test_all_together_keep_the_answers(level: int) -> None:
    def run(query: Query, context: Context) -> Query:
        return optimized(query, context, PIPELINE, level, strict=True)

    for drawn in material():
        problem = drawn.wrong(run)
        assert problem is None, f"{problem}\n{print_query(drawn.query)}"
    assert LEVEL == 2  # below, nothing is done


# --- broken passes ----------------------------------------------------------------------------------------------------

_BARRIERS = "ir/passes/barriers.py"
MUTANTS = (
    Mutant(
        "minimize",
        "of a bag only what is asked for is looked at",
        "closed_over(conjunct, self.body(conjunct.body, looked_at(conjunct), _ALONE))",
        "with_bodies(conjunct, (self.body(conjunct.body, _NOTHING, _ALONE),))",
    ),
    Mutant(
        "minimize",
        "what is looked at beside a left join is not looked at in it",
        "optional(conjunct, self.body(body, outside, _Place(visible=visible)))",
        "optional(conjunct, self.body(body, _NOTHING, _Place(visible=visible)))",
    ),
    Mutant(
        "normalize",
        "a bag may get other variables",
        "if is_bag(conjunct) and told_apart(body) != told_apart(conjunct.body):",
        "if False:",
        _BARRIERS,
    ),
    Mutant(
        "normalize",
        "what never holds empties an aggregate without groups",
        "return conjunct if isinstance(conjunct, Aggregate) and not conjunct.group else Union((), conjunct.span)",
        "return Union((), conjunct.span)",
        _BARRIERS,
    ),
    Mutant(
        "plan-extremes",
        "what has nothing to do with a superlative is moved into a bag",
        "(node.item, node.key) not in counted",
        "True",
    ),
)


@pytest.mark.parametrize("mutant", MUTANTS, ids=[f"{m.name}: {m.breaks}" for m in MUTANTS])
def test_a_broken_pass_is_caught(mutant: Mutant) -> None:
    assert source_of(mutant.place).count(mutant.old) == 1
    with broken(mutant) as module:
        assert any(drawn.wrong(module.run) is not None for drawn in material())
