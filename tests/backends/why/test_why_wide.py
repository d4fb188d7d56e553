"""Explanations of queries of the wide tier: conditions and left joins are steps, and nothing is too odd to explain."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import TYPE_CHECKING

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.why import explain
from pylf.backends.why.evidence import Computed, Stated
from pylf.ir import build
from pylf.ir.evaluate import evaluate
from pylf.ir.expressions import Apply
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Condition,
    Conjunct,
    Extend,
    Form,
    LeftJoin,
    Order,
    Query,
    Reduction,
    Slice,
    Triple,
)
from pylf.ir.terms import XSD_INTEGER, Literal, Var
from pylf.ir.text import print_query
from pylf.ir.types import ANY
from pylf.testing.drawn.wide import STRATA, Names, wide_query
from tests.ir import small_queries as small

if TYPE_CHECKING:
    from pylf.backends.why import Explanation

R, S = small.RELATIONS
ONE, TWO, _ = small.ENTITIES
x, y, z, n = map(Var, "xyzn")
FIVE, SIX = Literal("5", XSD_INTEGER), Literal("6", XSD_INTEGER)
GRAPH = MemoryGraph([(ONE, R, TWO), (ONE, S, FIVE), (TWO, R, ONE)])


def asked(form: Form, outputs: tuple[Var, ...], *conjuncts: Conjunct) -> Query:
    return build.query(form, outputs, Body(conjuncts), dict.fromkeys([one.name for one in outputs], ANY))


def explained(query: Query, graph: MemoryGraph = GRAPH) -> Explanation:
    answers = evaluate(query, graph, small.SCHEMA, small.VOCABULARY)
    engine = OxigraphEngine.memory(list(graph))
    return explain(query, answers, engine, small.SCHEMA, small.VOCABULARY)


OPTIONAL = LeftJoin(Body((Triple(x, S, y),)))


def test_what_is_optional_is_shown_where_it_is_there() -> None:
    blocks = explained(asked(Form.ROWS, (x, y), Triple(x, R, z), OPTIONAL)).blocks
    found = {block.answer: block.evidence for block in blocks}
    assert found[ONE, FIVE] == (Stated((ONE, R, TWO)), Stated((ONE, S, FIVE)))
    assert found[TWO, None] == (Stated((TWO, R, ONE)),)


def test_rows_that_differ_in_what_may_be_open_have_solutions_of_their_own() -> None:
    three = small.ENTITIES[2]
    graph = MemoryGraph([(ONE, R, TWO), (ONE, R, three), (ONE, R, ONE), (TWO, S, FIVE), (three, S, SIX)])
    query = asked(Form.ROWS, (x, y), Triple(x, R, z), LeftJoin(Body((Triple(z, S, y),))))
    found = {block.answer: block.evidence for block in explained(query, graph).blocks}
    assert found == {
        (ONE, FIVE): (Stated((ONE, R, TWO)), Stated((TWO, S, FIVE))),
        (ONE, SIX): (Stated((ONE, R, three)), Stated((three, S, SIX))),
        (ONE, None): (Stated((ONE, R, ONE)),),
    }


def test_what_was_computed_is_told_with_its_values() -> None:
    more = Extend(z, Apply("+", (y, FIVE)))
    query = asked(Form.ROWS, (x, z), Triple(x, S, y), more, Condition(Apply("<", (y, SIX))))
    (block,) = explained(query).blocks
    assert [one.conjunct for one in block.evidence if isinstance(one, Computed)] == [more, query.body.conjuncts[2]]
    told = explained(query).render()
    assert "5 < 6" in told
    assert "10  is  5 + 5" in told
    assert explained(query).to_json()["blocks"][0]["evidence"][-1]["kind"] == "computed"


def test_a_condition_that_leaves_nothing_is_a_step_with_what_there_is_instead() -> None:
    query = asked(Form.SET, (x,), Triple(x, R, z), Triple(x, S, y), Condition(Apply(">", (y, SIX))))
    empty = explained(query).empty
    assert empty is not None
    assert empty.culprit is not None
    assert empty.steps[empty.culprit].conjuncts == (query.body.conjuncts[2],)
    assert [remedy.kind for remedy in empty.remedies] == ["instead"]
    assert FIVE in empty.remedies[0].sentence


def test_a_condition_on_what_is_optional_is_looked_at_after_it() -> None:
    query = asked(Form.SET, (x,), Condition(Apply("!", (Apply("bound", (y,)),))), OPTIONAL, Triple(x, S, z))
    told = explained(query).render()
    assert told.index("where there is any") < told.index("not ?y has a value") < told.index("nothing is left")


def test_an_output_without_any_value_is_no_fault_of_the_engine() -> None:
    empty = explained(asked(Form.SET, (y,), Triple(x, R, ONE), OPTIONAL)).empty
    assert empty is not None
    assert [remedy.kind for remedy in empty.remedies] == ["open"]


def test_rows_and_groups_that_are_empty_are_looked_into() -> None:
    inner = Body((Triple(x, R, z), Triple(z, S, SIX)))
    for wide in (Slice((x,), inner, (Order(z),), 3), Aggregate((Reduction("count", n),), inner, (x,))):
        empty = explained(asked(Form.SET, (x,), wide)).empty
        assert empty is not None
        ((title, within),) = empty.within
        assert title in ("among those rows", "among what is aggregated")
        assert within.culprit is not None


def test_any_query_is_explained() -> None:
    names = Names(small.RELATIONS, small.CLASSES, small.ENTITIES, small.VALUES)
    found: Counter[object] = Counter()
    for seed in range(160):
        random = Random(seed)
        query = wide_query(random, names, STRATA[seed % len(STRATA)])
        explanation = explained(query, small.graph(random))
        assert explanation.render(), print_query(query)
        assert json.dumps(explanation.to_json())
        assert all(block.found for block in explanation.blocks), print_query(query)
        if explanation.empty is not None:
            found["culprit"] += explanation.empty.culprit is not None
            assert all(remedy.kind != "disagree" for remedy in explanation.empty.remedies), print_query(query)
        found["answered"] += bool(explanation.blocks)
    assert min(found["culprit"], found["answered"]) > 25
