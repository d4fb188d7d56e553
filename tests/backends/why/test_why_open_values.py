"""Rows that differ in what may be open: each is explained by what gives it, not by what gives its twin."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.why import explain
from pylf.backends.why.evidence import Computed, Stated
from pylf.ir import build
from pylf.ir.evaluate import evaluate
from pylf.ir.expressions import Apply
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Body, Condition, Conjunct, Extend, Form, LeftJoin, Query, Triple, Union
from pylf.ir.terms import XSD, XSD_INTEGER, Blank, Literal, Node, Var
from pylf.ir.text import print_query
from pylf.ir.types import ANY
from tests.ir import small_queries as small

P, Q = small.RELATIONS
X, Y1, Y2 = small.ENTITIES
ONE, TWO = Literal("1", XSD_INTEGER), Literal("2", XSD_INTEGER)
x, y, z, m, n = map(Var, "xyzmn")
OPTIONAL = LeftJoin(Body((Triple(y, Q, m),)))
TRIPLES: list[tuple[Node, Node, Node]] = [(X, P, Y1), (X, P, Y2), (Y1, Q, ONE), (Y2, Q, TWO)]

Stating = frozenset[tuple[Node, Node, Node]]


def asked(form: Form, outputs: tuple[Var, ...], *conjuncts: Conjunct) -> Query:
    return build.query(form, outputs, Body(conjuncts), dict.fromkeys([one.name for one in outputs], ANY))


def stated(query: Query, triples: list[tuple[Node, Node, Node]]) -> dict[tuple[Node | None, ...], Stating]:
    """For each row the triples that it is explained by."""
    answers = evaluate(query, MemoryGraph(triples), small.SCHEMA, small.VOCABULARY)
    found = explain(query, answers, OxigraphEngine.memory(triples), small.SCHEMA, small.VOCABULARY, 100)
    return {
        block.answer: frozenset([one.triple for one in block.evidence if isinstance(one, Stated)])
        for block in found.blocks
    }


def test_rows_that_share_what_is_certain_have_their_own_triples() -> None:
    found = stated(asked(Form.ROWS, (x, m), Triple(x, P, y), OPTIONAL), TRIPLES)
    assert found == {
        (X, ONE): {(X, P, Y1), (Y1, Q, ONE)},
        (X, TWO): {(X, P, Y2), (Y2, Q, TWO)},
    }


def test_a_row_that_leaves_it_open_is_of_what_has_none() -> None:
    for without, kept in ((Y1, Y2), (Y2, Y1)):
        triples = [triple for triple in TRIPLES if triple[0] != without]
        found = stated(asked(Form.ROWS, (x, m), Triple(x, P, y), OPTIONAL), triples)
        value = ONE if kept == Y1 else TWO
        assert found == {(X, None): {(X, P, without)}, (X, value): {(X, P, kept), (kept, Q, value)}}


def test_values_of_a_set_that_may_be_open() -> None:
    found = stated(asked(Form.SET, (m,), Triple(x, P, y), OPTIONAL), TRIPLES)
    assert found == {(ONE,): {(X, P, Y1), (Y1, Q, ONE)}, (TWO,): {(X, P, Y2), (Y2, Q, TWO)}}


def test_a_left_join_within_another() -> None:
    within = LeftJoin(Body((Triple(y, Q, z), LeftJoin(Body((Triple(z, P, m),))))))
    triples: list[tuple[Node, Node, Node]] = [(X, P, Y1), (X, P, Y2), (Y1, Q, X), (Y2, Q, Y1), (Y1, P, TWO)]
    found = stated(asked(Form.ROWS, (x, m), Triple(x, P, y), within), triples)
    assert found[X, TWO] >= {(X, P, Y2), (Y2, Q, Y1)}
    assert found[X, Y1] >= {(X, P, Y1), (Y1, Q, X)}


def test_a_union_that_leaves_it_open_in_an_arm() -> None:
    either = Union((Body((Triple(y, Q, m),)), Body((Triple(y, P, z), LeftJoin(Body((Triple(z, P, m),)))))))
    triples: list[tuple[Node, Node, Node]] = [(X, P, Y1), (X, P, Y2), (Y1, P, X), (Y2, Q, TWO)]
    found = stated(asked(Form.ROWS, (x, m), Triple(x, P, y), either), triples)
    assert (X, P, Y2) in found[X, TWO]
    assert (X, P, Y1) in found[X, Y2]


def test_a_year_is_not_explained_by_one_of_its_days() -> None:
    year, day = Literal("1990", XSD + "gYear"), Literal("1990-01-01", XSD + "date")
    triples: list[tuple[Node, Node, Node]] = [(X, P, Y1), (X, P, Y2), (Y1, Q, day), (Y2, Q, year)]
    found = stated(asked(Form.ROWS, (x, m), Triple(x, P, y), OPTIONAL), triples)
    assert found == {(X, day): {(X, P, Y1), (Y1, Q, day)}, (X, year): {(X, P, Y2), (Y2, Q, year)}}


def test_what_was_computed_belongs_to_its_row() -> None:
    more = Extend(n, Apply("+", (m, ONE)))
    query = asked(Form.ROWS, (x, n), Triple(x, P, y), Triple(y, Q, m), more)
    answers = evaluate(query, MemoryGraph(TRIPLES), small.SCHEMA, small.VOCABULARY)
    found = explain(query, answers, OxigraphEngine.memory(TRIPLES), small.SCHEMA, small.VOCABULARY)
    for block in found.blocks:
        (computed,) = [one for one in block.evidence if isinstance(one, Computed)]
        known = dict(computed.fixed)
        assert block.answer == (X, known["n"])
        assert (known["m"], known["n"]) in ((ONE, TWO), (TWO, Literal("3", XSD_INTEGER)))


def test_a_blank_node_is_an_answer_like_others() -> None:
    triples: list[tuple[Node, Node, Node]] = [(X, P, Y1), (X, P, Y2), (Y1, Q, ONE), (Y2, Q, Blank("b"))]
    query = asked(Form.ROWS, (x, m), Triple(x, P, y), OPTIONAL)
    answers = OxigraphEngine.memory(triples).run(query, small.SCHEMA, small.VOCABULARY)
    found = explain(query, answers, OxigraphEngine.memory(triples), small.SCHEMA, small.VOCABULARY)
    for block in found.blocks:
        near = next(one.triple for one in block.evidence if isinstance(one, Stated))
        assert near == (X, P, Y1 if block.answer == (X, ONE) else Y2)


@pytest.mark.parametrize("pattern", [r"\p{L}", "(a*)*b"])
def test_what_the_evaluator_refuses_is_no_error_of_an_explanation(pattern: str) -> None:
    text = Apply("concat", (Apply("str", (m,)), Literal("a" * 50)))
    tested = Condition(Apply("!", (Apply("regex", (text, Literal(pattern + "!"))),)))
    query = asked(Form.ROWS, (x, m), Triple(x, P, y), Triple(y, Q, m), tested)
    engine = OxigraphEngine.memory(TRIPLES)
    answers = engine.run(query, small.SCHEMA, small.VOCABULARY)
    assert len(answers.rows) == 2
    found = explain(query, answers, engine, small.SCHEMA, small.VOCABULARY)
    assert len(found.blocks) == 2
    assert found.render()


def test_every_row_is_explained_by_triples_that_give_it() -> None:
    """The triples of a block, taken alone, give its row, and with open values the same ones."""
    seen: Counter[bool] = Counter()
    for seed in range(120):
        random = Random(seed)
        nodes: list[Node] = [*small.ENTITIES, *small.VALUES[:2]]
        drawn: set[tuple[Node, Node, Node]] = {
            (random.choice(small.ENTITIES), random.choice((P, Q)), random.choice(nodes)) for _ in range(7)
        }
        triples = sorted(drawn, key=str)
        first = LeftJoin(Body((Triple(y, random.choice((P, Q)), m),)))
        second = LeftJoin(Body((Triple(random.choice((x, y)), random.choice((P, Q)), n),)))
        conjuncts: tuple[Conjunct, ...] = (Triple(x, P, y), first, *([second] if random.random() < 0.6 else []))
        outputs = random.choice(((x, m), (m,), (m, x))) + ((n,) if len(conjuncts) > 2 else ())
        query = asked(Form.ROWS, outputs, *conjuncts)
        for row, part in stated(query, triples).items():
            alone = evaluate(query, MemoryGraph(part), small.SCHEMA, small.VOCABULARY)
            assert row in alone.rows, (print_query(query), triples, row, part)
            seen[None in row] += 1
    assert min(seen.values()) > 50
