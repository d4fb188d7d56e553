"""Explanations stay within bounds: on large graphs, of large queries, with an engine that fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.why import asking, explain
from pylf.backends.why.evidence import Standing, Stated, Unfollowed
from pylf.errors import EngineError
from pylf.ir import build
from pylf.ir.answers import Answers
from pylf.ir.nodes import Body, Compare, Direction, Extreme, Form, Not, Op, Triple
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import XSD, Iri, Literal, Var

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.backends.why import Explanation
    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Query

    MakeWorld = Callable[[str], Any]

NS = "http://c.example/"
SCHEMA = Schema(MemorySource((), ()))
VOCABULARY = Vocabulary("test", prefixes={"": NS})
X, Y = Var("x"), Var("y")


def e(name: object) -> Iri:
    return Iri(f"{NS}{name}")


def integer(number: int) -> Literal:
    return Literal(str(number), XSD + "integer")


def chain(length: int) -> list[TripleRow]:
    return [(e(i), e("r"), e(i + 1)) for i in range(length)]


def set_of(*conjuncts: Any) -> Query:
    return build.query(Form.SET, (X,), Body(conjuncts))


def why(query: Query, engine: OxigraphEngine, answers: Answers | None = None, limit: int = 3) -> Explanation:
    found = engine.run(query, SCHEMA, VOCABULARY) if answers is None else answers
    return explain(query, found, engine, SCHEMA, VOCABULARY, limit)


# --- a graph that is too large for the evaluator ------------------------------------------------------------------


@pytest.fixture
def little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "WORK", 30)


@pytest.fixture
def weights() -> OxigraphEngine:
    return OxigraphEngine.memory((e(i), e("v"), integer(i)) for i in range(200))


@pytest.mark.usefixtures("little_work")
def test_a_superlative_over_a_large_class_is_settled_by_the_engine(weights: OxigraphEngine) -> None:
    explanation = why(set_of(Extreme(Direction.MAX, X, Y, Body((Triple(X, e("v"), Y),)))), weights)
    (block,) = explanation.blocks
    (stands,) = block.evidence
    assert isinstance(stands, Standing)
    assert (stands.value, stands.next, stands.candidates) == (integer(199), integer(198), 200)
    assert stands.evidence == (Stated((e(199), e("v"), integer(199))),)


@pytest.mark.usefixtures("little_work")
def test_steps_over_a_large_graph_are_counted_by_the_engine(weights: OxigraphEngine) -> None:
    explanation = why(set_of(Triple(X, e("v"), Y), Compare(Op.GT, Y, integer(500))), weights)
    assert explanation.empty is not None
    assert [step.left for step in explanation.empty.steps] == [200, 0]
    assert "the values lie between 0 and 199" in explanation.render()


class Failing(OxigraphEngine):
    """An engine that answers no query."""

    def run(self, *_: object, **__: object) -> Answers:
        raise EngineError("out of order")


@pytest.mark.usefixtures("little_work")
def test_what_neither_can_tell_is_said_to_be_unknown() -> None:
    engine = Failing.memory((e(i), e("v"), integer(i)) for i in range(200))
    best = set_of(Extreme(Direction.MAX, X, Y, Body((Triple(X, e("v"), Y),))))
    explanation = why(best, engine, Answers.of_values([e(199)]))
    assert [block.found for block in explanation.blocks] == [None]
    assert "too much of the graph would have to be looked at" in explanation.render()
    empty = why(set_of(Triple(X, e("v"), Y), Compare(Op.GT, Y, integer(500))), engine, Answers.of_values([]))
    assert empty.empty is not None
    assert empty.empty.culprit is None
    assert [remedy.kind for remedy in empty.empty.remedies] == ["untold"]
    assert "too many to tell" in empty.render()
    assert empty.to_json()["empty"]["steps"][0]["left"] is None


@pytest.mark.usefixtures("little_work")
def test_what_holds_beside_a_part_that_is_too_large_is_still_shown() -> None:
    hub = [(e("hub"), e("near"), e(i)) for i in range(60)]
    engine = OxigraphEngine.memory([(e("a"), e("q"), e("hub")), *hub])
    denied = Not(Body((Triple(Y, e("near"), e("nowhere")),)))
    explanation = why(set_of(Triple(X, e("q"), Y), denied), engine)
    (block,) = explanation.blocks
    assert block.evidence == (Stated((e("a"), e("q"), e("hub"))), Unfollowed((denied,), (("y", e("hub")),)))
    assert "not { :hub  :near  :nowhere }  holds" in explanation.render()


def test_several_answers_that_are_too_much_together_are_taken_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Failing.memory((e(i), e("v"), integer(j)) for i in range(3) for j in range(40))
    monkeypatch.setattr(asking, "WORK", 100)
    explanation = why(set_of(Triple(X, e("v"), Y)), engine, Answers.of_values([e(i) for i in range(3)]))
    assert [block.found for block in explanation.blocks] == [True, True, None]


# --- large queries ------------------------------------------------------------------------------------------------


def test_a_chain_of_two_thousand_hops_is_followed() -> None:
    length = 2000
    hops = [Triple(X if i == 0 else Var(f"x{i}"), e("r"), Var(f"x{i + 1}")) for i in range(length)]
    explanation = why(set_of(*hops), OxigraphEngine.memory(chain(length + 1)), Answers.of_values([e(0), e(1)]))
    assert [len(block.evidence) for block in explanation.blocks] == [length, length]
    assert explanation.render().count("\n") > 2 * length


def test_many_branches_with_many_values_each_are_no_product() -> None:
    triples = [(e("a"), e("r"), e(i)) for i in range(20)]
    branches = [Triple(X, e("r"), Var(f"y{i}")) for i in range(60)]
    (block,) = why(set_of(*branches), OxigraphEngine.memory(triples), Answers.of_values([e("a")])).blocks
    assert block.evidence == (Stated((e("a"), e("r"), e(0))),)


def test_a_dead_end_is_left_again_in_a_query_of_many_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "ROUNDS", 0)
    triples = [(e("a"), e("r"), e(i)) for i in range(5)] + [(e(4), e("s"), e("end")), (e(3), e("s"), e("other"))]
    query = set_of(Triple(X, e("r"), Y), Triple(Y, e("s"), Var("z")), Triple(X, e("r"), Var("w")))
    engine = OxigraphEngine.memory([*triples, (e("b"), e("r"), e(0))])
    a, b = why(query, engine, Answers.of_values([e("a"), e("b")])).blocks
    assert a.found
    assert Stated((e("a"), e("r"), e(3))) in a.evidence
    assert b.found is False


def test_a_hundred_negations_within_each_other() -> None:
    body = Body((Triple(X, e("r"), Var("y0")),))
    for i in range(1, 100):
        body = Body((Triple(X, e("r"), Var(f"y{i}")), Not(body)))
    engine = OxigraphEngine.memory(chain(3))
    explanation = why(build.query(Form.SET, (X,), body), engine, Answers.of_values([]))
    assert explanation.empty is not None
    assert explanation.empty.culprit == 1
    assert len(explanation.render()) < 1_000_000
    assert explanation.to_json()
