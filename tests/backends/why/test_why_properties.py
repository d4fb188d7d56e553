"""An explanation tells the truth: of random programs on random graphs, and of the examples."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from hypothesis import given, settings

import pylf
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.why import asking, explain
from pylf.backends.why.evidence import (
    Arm,
    Checked,
    Held,
    Labelled,
    Standing,
    Stated,
    Typed,
    Unfollowed,
    Walked,
)
from pylf.errors import CompileError
from pylf.ir.answers import Answers
from pylf.ir.evaluate import Evaluator, evaluate
from pylf.ir.tables import UNIT, Table
from pylf.ir.values import compare
from pylf.language.context import Context
from pylf.language.lower import lower
from pylf.testing.programs import VOCABULARY, worlds

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.backends.why import Explanation
    from pylf.backends.why.evidence import Emptiness, Evidence
    from pylf.ir.graph import Graph
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.testing.programs import World

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = tomllib.loads((ROOT / "examples" / "ANSWERS.toml").read_text(encoding="utf-8"))


class Truth:
    """Whether what is claimed holds on a graph."""

    def __init__(self, graph: Graph, schema: Schema, vocabulary: Vocabulary) -> None:
        self.graph = graph
        self.evaluator = Evaluator(asking.Metered(graph), schema, vocabulary)

    def of(self, explanation: Explanation) -> None:
        assert json.loads(json.dumps(explanation.to_json(), allow_nan=False))
        assert explanation.render()
        for block in explanation.blocks:
            assert block.found
            self.all_of(block.evidence)
        if explanation.empty is not None:
            self.nothing(explanation.empty)

    def all_of(self, evidence: Iterable[Evidence]) -> None:
        for one in evidence:
            self.one(one)

    def one(self, one: Evidence) -> None:
        match one:
            case Stated(triple) | Labelled(triple) | Typed(statement=triple):
                assert list(self.graph.triples(*triple)) == [triple]
            case Held(op, left, right):
                assert compare(op, left, right)
            case Walked(start, end, hops):
                at = start
                for triple, along in hops:
                    assert list(self.graph.triples(*triple)) == [triple]
                    assert at == (triple[0] if along else triple[2])
                    at = triple[2] if along else triple[0]
                assert at == end
            case Arm(evidence=inner):
                self.all_of(inner)
            case Standing():
                assert one.evidence
                assert one.next is None or compare_places(one)
                self.all_of(one.evidence)
            case Checked(pattern, fixed):
                names = tuple(name for name, _ in fixed)
                seeds = Table(names, (tuple(node for _, node in fixed),)) if names else UNIT
                assert not self.evaluator.solve(pattern, seeds, frozenset()).rows
                match one.verdict:
                    case "known otherwise":
                        assert any(recorded.total for recorded in one.recorded)
                    case "nothing recorded":
                        assert not all(recorded.total for recorded in one.recorded)
                self.all_of(one.against)
            case Unfollowed():
                raise AssertionError(one)
            case _:
                pass

    def nothing(self, empty: Emptiness) -> None:
        assert empty.culprit is not None
        assert empty.steps[empty.culprit].left == 0
        assert all(step.left for step in empty.steps[: empty.culprit])
        for remedy in empty.remedies:
            assert remedy.kind not in ("disagree", "untold")
            self.all_of(remedy.evidence)
        for _, inner in empty.within:
            self.nothing(inner)


def compare_places(stands: Standing) -> bool:
    from pylf.ir.nodes import Direction
    from pylf.ir.values import kind_of, order_key

    assert stands.next is not None
    kind = kind_of(stands.value)
    assert kind is not None
    mine, other = order_key(stands.value, kind), order_key(stands.next, kind)
    assert mine is not None
    assert other is not None
    best: object = max(mine, other) if stands.superlative.direction is Direction.MAX else min(mine, other)  # type: ignore[type-var]
    return best == mine != other


@pytest.mark.parametrize("rounds", [asking.ROUNDS, 0], ids=["variable by variable", "conjunct by conjunct"])
def test_what_is_claimed_of_random_programs_holds(rounds: int) -> None:
    @given(worlds())
    @settings(max_examples=60)
    def holds(world: World) -> None:
        engine = OxigraphEngine.memory(world.triples)
        for graph in (world.graph, None):
            try:
                query = lower(world.program, Context(world.schema, VOCABULARY, graph)).query
            except CompileError:
                return
            answers = evaluate(query, asking.Metered(engine), world.schema, VOCABULARY)
            explanation = explain(query, answers, engine, world.schema, VOCABULARY)
            assert len(explanation.blocks) == min(20, explanation.total)
            assert (explanation.empty is not None) == (answers.empty or answers.number == 0 or answers.boolean is False)
            Truth(engine, world.schema, VOCABULARY).of(explanation)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asking, "ROUNDS", rounds)
        holds()


@pytest.mark.parametrize("negation", ["cwa", "pca"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_is_explained(name: str, negation: Literal["cwa", "pca"]) -> None:
    text = (ROOT / "examples" / f"{name}.pylf").read_text(encoding="utf-8")
    result = pylf.compile(text, kg=pylf.api.bundled(), negation=negation).run()
    explanation = result.why(limit=1000)
    Truth(result.graph.engine, result.query.schema, result.query.vocabulary).of(explanation)
    assert isinstance(result.answers, Answers)
    assert [block.answer for block in explanation.blocks] == (
        [(value,) for value in result.answers.values] or [block.answer for block in explanation.blocks]
    )


def test_the_site_that_is_not_in_the_south_tells_its_latitude() -> None:
    text = (ROOT / "examples" / "saturn_in_the_south.pylf").read_text(encoding="utf-8")
    explanation = pylf.compile(text).run().why()
    assert explanation.span is not None
    assert text[slice(*explanation.span)] == "CMP('<', 'location.location.latitude', 0)"
    assert "the one value is 28.5" in explanation.render()
