"""Pairs of questions that are known to be equivalent, and pairs that are known to differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.equivalence import decide, equivalent
from pylf.equivalence.sound import Keeper
from pylf.ir.memory import MemoryGraph
from pylf.ir.text import parse_query
from pylf.testing.programs import VOCABULARY

if TYPE_CHECKING:
    from pylf.equivalence import Verdict
    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Schema
    from tests.equivalence.conftest import Compiled, Keyed

E1, E2 = "START(':e1')", "START(':e2')"

SAME = {
    "order of AND": (f"AND(JOIN('aa', {E1}), JOIN('ac', {E2}))", f"AND(JOIN('ac', {E2}), JOIN('aa', {E1}))"),
    "order of OR": (f"OR(JOIN('aa', {E1}), {E2})", f"OR({E2}, JOIN('aa', {E1}))"),
    "AND of values, whose answers are those of either": (
        "AND(JOIN('R_val', START('A')), JOIN('R_num', START('A')))",
        "AND(JOIN('R_num', START('A')), JOIN('R_val', START('A')))",
    ),
    "one thing said twice": (f"AND(JOIN('aa', {E1}), JOIN('aa', {E1}))", f"JOIN('aa', {E1})"),
    "what follows from the rest": (
        f"AND(JOIN('aa', {E1}), JOIN('aa', OR({E1}, {E2})))",
        f"JOIN('aa', {E1})",
    ),
    "AND absorbs OR": ("AND(START('A'), OR(START('A'), START('C')))", "START('A')"),
    "OR absorbs AND": ("OR(START('A'), AND(START('A'), START('C')))", "START('A')"),
    "a class and one above it": ("AND(START('A'), START('B'))", "START('B')"),
    "two bounds, one of which is enough": ("AND(CMP('<', 'num', 3), CMP('<=', 'num', 3))", "CMP('<', 'num', 3)"),
    "a path, and its steps": (f"JOIN(['aa', 'R_ac'], {E1})", f"JOIN('aa', JOIN('R_ac', {E1}))"),
    "double negation": ("MINUS(START('A'), MINUS(START('A'), START('B')))", "AND(START('A'), START('B'))"),
}

OTHER = {
    "the outer step negated, or the inner one": (
        f"JOIN('aa', JOIN('ac', {E1}), neg=True)",
        f"JOIN('aa', JOIN('ac', {E1}, neg=True))",
    ),
    "the outer step negated, or another value": ("JOIN('num', 3, neg=True)", "CMP('!=', 'num', 3)"),
    "the inner step negated, or another value": (
        "JOIN('aa', JOIN('num', 3, neg=True))",
        "JOIN('aa', CMP('!=', 'num', 3))",
    ),
    "both directions": (f"JOIN('R_aa', {E1})", f"JOIN('aa', {E1})"),
    "an inverse that need not be stored": (f"JOIN('ac', {E1})", f"JOIN('R_ca', {E1})"),
    "below, or up to": ("CMP('<', 'num', 3)", "CMP('<=', 'num', 3)"),
    "neither below nor from there on": (
        "MINUS(CMP('<=', 'day', '2100'), CMP('>=', 'day', '1990-06'))",
        "MINUS(CMP('<', 'day', '1990-06'), CMP('>=', 'day', '1990-06'))",
    ),
    "two values, or one": ("AND(CMP('>=', 'day', '1990'), CMP('<=', 'day', '1990'))", "JOIN('day', '1990')"),
    "up to a year, or up to its first month": ("CMP('<=', 'day', '1990')", "CMP('<=', 'day', '1990-01')"),
    "a number, or a string spelled like it": ("JOIN('val', 10)", "JOIN('val', '10^^xsd:string')"),
    "largest and smallest": ("ARG('ARGMAX', START('A'), 'num')", "ARG('ARGMIN', START('A'), 'num')"),
    "ties": ("ARG('ARGMAX', START('A'), 'num')", "ARG('ARGMAX', START('A'), 'num', k=2)"),
    "the best of a set, or what of a set is best": (
        "AND(ARG('ARGMAX', START('A'), 'num'), START('C'))",
        "ARG('ARGMAX', AND(START('A'), START('C')), 'num')",
    ),
    "counted ends": ("COUNT(JOIN('R_aa', START('A')))", "COUNT(JOIN('aa', START('A')))"),
    "a step, or some steps": (f"JOIN('aa', {E1})", f"JOIN(['aa', 'aa'], {E1})"),
    "AND, or OR": ("AND(START('A'), START('C'))", "OR(START('A'), START('C'))"),
    "a class and one below it": ("START('A')", "START('B')"),
    "yes or no": ("ASK(START('A'))", "ASK(START('B'))"),
}


def verdict_of(left: Query, right: Query, schema: Schema, sound: bool = False, seconds: float = 60) -> Verdict:
    return equivalent(left, right, schema, VOCABULARY, bound=2, seconds=seconds, sound=sound)


@pytest.mark.parametrize("name", SAME)
def test_the_same_is_proved(name: str, question: Compiled, world: Schema) -> None:
    left, right = map(question, SAME[name])
    verdict = verdict_of(left, right, world)
    assert verdict.status == "equivalent", verdict.why
    assert verdict.graph is None
    assert verdict_of(right, left, world).status == "equivalent"


@pytest.mark.parametrize("name", OTHER)
def test_a_difference_is_shown_on_a_graph(name: str, question: Compiled, world: Schema, answer: Keyed) -> None:
    left, right = map(question, OTHER[name])
    verdict = verdict_of(left, right, world)
    assert verdict.status == "different"
    assert verdict.turtle is not None
    graph = MemoryGraph.parse(verdict.turtle)
    assert list(graph) == list(verdict.graph or ())
    assert answer(left, graph) != answer(right, graph)
    assert verdict.left is not None
    assert verdict.right is not None
    assert (verdict.left.key(), verdict.right.key()) == (answer(left, graph), answer(right, graph))
    for triple in graph:  # nothing of it can be left out
        less = MemoryGraph(other for other in graph if other != triple)
        assert answer(left, less) == answer(right, less)


@pytest.mark.parametrize("name", sorted(OTHER.keys() - {"an inverse that need not be stored"}))
def test_with_sound_the_graph_keeps_to_the_schema(name: str, question: Compiled, world: Schema, answer: Keyed) -> None:
    left, right = map(question, OTHER[name])
    verdict = verdict_of(left, right, world, sound=True)
    assert verdict.status == "different"
    assert verdict.graph is not None
    assert Keeper(world, VOCABULARY).keeps(verdict.graph)
    graph = MemoryGraph(verdict.graph)
    assert answer(left, graph) != answer(right, graph)


def test_what_only_the_schema_forbids_is_different_without_sound(question: Compiled, world: Schema) -> None:
    texts = (f"AND(START('A'), JOIN('aa', {E1}))", f"JOIN('aa', {E1})")
    left, right = map(question, texts)
    verdict = verdict_of(left, right, world)
    assert verdict.status == "different"
    assert verdict.graph is not None
    assert not Keeper(world, VOCABULARY).keeps(verdict.graph)
    assert verdict_of(left, right, world, sound=True, seconds=1).status != "different"


def test_answers_of_different_forms_are_different(question: Compiled, world: Schema) -> None:
    verdict = verdict_of(question("START('A')"), question("COUNT(START('A'))"), world)
    assert verdict.status == "different"
    assert "one answers with a set, the other with a number" in verdict.why
    assert verdict.graph == ()


def test_a_number_that_is_not_there(world: Schema, answer: Keyed) -> None:
    counted = "?n counts ?x\n    ?x a <http://w.example/A>\n"
    plain = parse_query(f"number ?n\nwhere\n  {counted}")
    beside = parse_query(f"number ?n\nwhere\n  ?y a <http://w.example/C>\n  {counted}")
    verdict = verdict_of(plain, beside, world)
    assert verdict.status == "different"
    assert verdict.right is None
    assert answer(beside, MemoryGraph(verdict.graph or ())) is None


def test_what_is_proved_for_sound_graphs_alone_says_so(question: Compiled, world: Schema) -> None:
    left, right = question(f"AND(START('A'), JOIN('aa', {E1}))"), question(f"JOIN('aa', {E1})")
    assert "keeps to the schema" in verdict_of(left, right, world, sound=True).why
    assert "keeps to the schema" not in verdict_of(left, left, world, sound=True).why


def test_what_is_not_decided_tells_how_far_it_was_searched(
    question: Compiled, world: Schema, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decide, "FROZEN", 100)
    monkeypatch.setattr(decide, "RANDOM", 100)
    best = "ARG('ARGMAX', {}, 'num')"
    left, right = question(best.format(best.format("START('A')"))), question(best.format("START('A')"))
    verdict = equivalent(left, right, world, VOCABULARY, bound=1, seconds=60)
    assert verdict.status == "undecided"
    assert verdict.complete == 1
    assert f"no difference on {verdict.tried:,} graphs" in verdict.why
    assert "all of up to 1 triple " in verdict.why
    assert equivalent(left, right, world, VOCABULARY, bound=1, seconds=60).tried == verdict.tried
