"""Pairs of questions that are known to be equivalent, and pairs that are known to differ."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

import pylf
from pylf.equivalence import decide, equivalent
from pylf.equivalence.plain_schema import same_schema
from pylf.equivalence.sound import Keeper
from pylf.errors import InputError
from pylf.graphs import bundled_schema, empty_schema
from pylf.ir.memory import MemoryGraph
from pylf.ir.text import parse_query
from pylf.testing.programs import VOCABULARY

if TYPE_CHECKING:
    from pathlib import Path

    from pylf.equivalence import Verdict
    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Schema
    from tests.equivalence.conftest import Compiled, Keyed

E1, E2 = "START(':e1')", "START(':e2')"
SOME = "CLOSURE('aa', min=0)"

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
    "the best of the best": (
        "ARG('ARGMAX', ARG('ARGMAX', START('A'), 'num'), 'num')",
        "ARG('ARGMAX', START('A'), 'num')",
    ),
    "the best 2 of the best 3, or the other way round": (
        "ARG('ARGMIN', ARG('ARGMIN', START('A'), 'day', k=3), 'day', k=2)",
        "ARG('ARGMIN', ARG('ARGMIN', START('A'), 'day', k=2), 'day', k=3)",
    ),
    "the best one": ("ARG('ARGMAX', START('A'), 'num', k=1)", "ARG('ARGMAX', START('A'), 'num')"),
    "the best of those of the best that are of a class": (
        "ARG('ARGMAX', AND(ARG('ARGMAX', START('A'), 'num'), START('C')), 'num')",
        "AND(START('C'), ARG('ARGMAX', START('A'), 'num'))",
    ),
    "no or more steps, twice": (f"JOIN({SOME}, JOIN({SOME}, {E1}))", f"JOIN({SOME}, {E1})"),
    "a step before or after others": (
        f"JOIN('aa', JOIN(CLOSURE('aa'), {E1}))",
        f"JOIN(CLOSURE('aa'), JOIN('aa', JOIN({SOME}, {E1})))",
    ),
    "itself, or some steps": (f"OR({E1}, JOIN(CLOSURE('aa'), {E1}))", f"JOIN({SOME}, {E1})"),
    "two steps, and some": (
        f"AND(JOIN(CLOSURE('aa'), {E1}), JOIN(['aa', 'aa'], {E1}))",
        f"JOIN(['aa', 'aa'], {E1})",
    ),
    "a step over an OR of labels, or an OR of steps": (
        "JOIN('aa', OR(START('one'), START('two'), START('three')))",
        "OR(JOIN('aa', START('three')), JOIN('aa', START('one')), JOIN('aa', START('two')))",
    ),
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
    "the best 9, or 10": ("ARG('ARGMAX', START('A'), 'num', k=9)", "ARG('ARGMAX', START('A'), 'num', k=10)"),
    "the best 20, or 21, of the later days": (
        "ARG('ARGMIN', CMP('>', 'day', '2000'), 'day', k=20)",
        "ARG('ARGMIN', CMP('>', 'day', '2000'), 'day', k=21)",
    ),
    "the best 5, or 6, by a count": (
        "ARG('ARGMAX', START('A'), COUNT('aa'), k=5)",
        "ARG('ARGMAX', START('A'), COUNT('aa'), k=6)",
    ),
    "the best of the best by another key": (
        "ARG('ARGMAX', ARG('ARGMAX', START('A'), 'num'), 'day')",
        "ARG('ARGMAX', ARG('ARGMAX', START('A'), 'day'), 'num')",
    ),
    "the best of those of the best 2 that are of a class": (
        "ARG('ARGMAX', AND(ARG('ARGMAX', START('A'), 'num', k=2), START('C')), 'num')",
        "AND(START('C'), ARG('ARGMAX', START('A'), 'num'))",
    ),
    "the smallest of the largest": (
        "ARG('ARGMIN', ARG('ARGMAX', START('A'), 'num'), 'num')",
        "ARG('ARGMIN', START('A'), 'num')",
    ),
    "some steps, or two": (f"JOIN(CLOSURE('aa'), {E1})", f"JOIN(CLOSURE('aa'), JOIN(CLOSURE('aa'), {E1}))"),
    "no steps, or one": (f"JOIN({SOME}, {E1})", f"JOIN(CLOSURE('aa'), {E1})"),
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
    apart = "OR(" + ", ".join([best.format(f"START('{name}')") for name in "AC"]) + ")"
    left, right = question(best.format(apart)), question(best.format("OR(START('A'), START('C'))"))
    verdict = equivalent(left, right, world, VOCABULARY, bound=1, seconds=60)
    assert verdict.status == "undecided"
    assert verdict.complete == 1
    assert f"no difference on {verdict.tried:,} graphs" in verdict.why
    assert "all of up to 1 triple " in verdict.why
    assert equivalent(left, right, world, VOCABULARY, bound=1, seconds=60).tried == verdict.tried


@pytest.mark.parametrize("how_far", [{"bound": -1}, {"seconds": -1.0}, {"seconds": float("nan")}], ids=str)
def test_how_far_to_look_is_a_number_that_can_be_looked_up_to(
    question: Compiled, world: Schema, how_far: dict[str, Any]
) -> None:
    query = question("START('A')")
    with pytest.raises(InputError, match=f"^{next(iter(how_far))} is a number of at least 0, not "):
        equivalent(query, query, world, VOCABULARY, **how_far)
    assert equivalent(query, query, world, VOCABULARY, bound=0, seconds=0).status == "equivalent"


@pytest.mark.parametrize(
    ("left", "right", "told"),
    [
        (f"AND(JOIN('aa', {E1}), JOIN('aa', OR({E1}, {E2})))", f"JOIN('aa', {E1})", r" after the pass minimize \("),
        (
            f"MINUS(START('A'), MINUS(START('A'), JOIN('aa', {E1})))",
            f"AND(START('A'), JOIN('aa', {E1}))",
            " after the passes normalize, push-negation ",
        ),
    ],
)
def test_the_passes_that_a_proof_stands_on_are_named(
    question: Compiled, world: Schema, left: str, right: str, told: str
) -> None:
    verdict = equivalent(question(left), question(right), world, VOCABULARY)
    assert re.search(told, verdict.why), verdict.why


def test_two_schemas_are_one_where_they_state_the_same(tmp_path: Path) -> None:
    text = "@prefix : <http://f.example/> .\n:e a :Film ; :director :j .\n:j a :Person .\n"
    for name, triples in (("a.ttl", text), ("b.ttl", text), ("other.ttl", text.replace(":director", ":maker"))):
        (tmp_path / name).write_text(triples)
    one, other, third = [pylf.open_kg(tmp_path / name).schema for name in ("a.ttl", "b.ttl", "other.ttl")]
    assert one is not other
    assert same_schema(one, other)
    assert not same_schema(one, third)
    assert not same_schema(one, empty_schema())
    stated, measured = bundled_schema()[0], pylf.bundled().schema
    assert stated is not measured
    assert same_schema(stated, measured)
    assert not same_schema(measured, one)
