"""English and pictures of queries of the wide tier; programs of them are refused by name."""

from __future__ import annotations

from random import Random

import pytest

from pylf.errors import UnsupportedOperation
from pylf.ir import build
from pylf.ir.expressions import CASTS, FUNCTIONS, Apply, Expression
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
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Relation, Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import XSD_INTEGER, Iri, Literal, Var
from pylf.ir.types import ANY
from pylf.language.raise_ import raise_text
from pylf.render.english import sentence
from pylf.render.expressions import short, told
from pylf.render.picture import draw, sketch
from pylf.testing.drawn.wide import Names, wide_query
from pylf.testing.ir_strategies import random_query

NS = "http://n.example/"
FLOWN, MASS = Iri(NS + "flown"), Iri(NS + "mass")
SCHEMA = Schema(MemorySource((Relation(FLOWN.value, label="flown on"), Relation(MASS.value, label="mass")), (), {}))
VOCABULARY = Vocabulary("n", prefixes={"": NS})
x, y, z, n = map(Var, "xyzn")
NUMBER = Literal("2000", XSD_INTEGER)


def asked(*conjuncts: Conjunct) -> Query:
    return build.query(Form.SET, (x,), Body(conjuncts), {"x": ANY})


def said(*conjuncts: Conjunct) -> str:
    return sentence(asked(*conjuncts), SCHEMA, VOCABULARY)


BASE = Triple(x, FLOWN, y)
YEAR = Apply("<", (Apply("year", (y,)), NUMBER))


@pytest.mark.parametrize(
    ("conjunct", "words"),
    [
        (LeftJoin(Body((Triple(x, MASS, z),))), "where possible (x has a ‘mass’ z)"),
        (Condition(YEAR), "the year of y is less than 2000 (as integer)"),
        (Condition(Apply("!", (YEAR,))), "it is not so that (the year of y is less than 2000 (as integer))"),
        (Extend(z, Apply("coalesce", (y, NUMBER))), "z is the first there is of (y, 2000 (as integer))"),
        (
            Aggregate((Reduction("sum", n, z, True),), Body((Triple(x, MASS, z),)), (x,)),
            "n is the sum of distinct z for each x, over every way in which (x has a ‘mass’ z)",
        ),
        (
            Slice((x,), Body((Triple(x, MASS, z),)), (Order(z, True),), 10, 5),
            "of the rows of (x) such that (x has a ‘mass’ z): the first 10 after the first 5, by z, the last first",
        ),
    ],
)
def test_english_has_words_for_each_node(conjunct: Conjunct, words: str) -> None:
    assert said(BASE, conjunct) == f"Which x are there such that: x has a ‘flown on’ y; {words}?"


def expressions() -> list[Expression]:
    found: list[Expression] = []
    for name in (*FUNCTIONS, *sorted(CASTS)):
        least, most = FUNCTIONS.get(name, (1, 1))
        numbers = sorted({least, least + 2 if most is None else most})
        found += [Apply(name, tuple([Var(f"a{place}") for place in range(number)])) for number in numbers]
    return found


def test_every_function_has_words_of_its_own_that_name_all_it_is_applied_to() -> None:
    seen: dict[str, Expression] = {}
    for expression in expressions():
        assert isinstance(expression, Apply)
        for words in (told(expression, str), short(expression, str)):
            assert all(str(argument) in words for argument in expression.arguments)
        assert seen.setdefault(told(expression, str), expression) == expression


def test_operators_within_operators_are_in_brackets() -> None:
    inner = Apply("||", (YEAR, Apply("bound", (z,))))
    assert told(Apply("&&", (inner, YEAR)), str).count("(") == 3
    assert short(Apply("*", (Apply("+", (y, z)), z)), str) == "(?y + ?z) · ?z"


def test_an_optional_part_is_a_box_of_its_own() -> None:
    box = sketch(asked(BASE, LeftJoin(Body((Triple(x, MASS, z),))), Condition(Apply("<", (z, y)))), SCHEMA, VOCABULARY)
    assert [(inner.kind, inner.title) for inner in box.boxes] == [("optional", "where possible")]
    assert [dot.lines for dot in box.dots if dot.kind == "note"] == [["?z < ?y"]]


def test_any_query_is_worded_and_drawn() -> None:
    names = Names((FLOWN, MASS), (Iri(NS + "A"), Iri(NS + "B")), (Iri(NS + "e"), Iri(NS + "f")), (NUMBER, Literal("a")))
    drawn = [wide_query(Random(seed), names) for seed in range(60)]
    drawn += [random_query(Random(seed), 2, wide=True) for seed in range(60)]
    sentences = [sentence(query, SCHEMA, VOCABULARY) for query in drawn]
    assert all(one.endswith("?") and "\n" not in one for one in sentences)
    for query in drawn:
        for form in ("dot", "mermaid", "svg"):
            assert draw(query, SCHEMA, VOCABULARY, form)


@pytest.mark.parametrize(
    ("conjunct", "named"),
    [
        (LeftJoin(Body((Triple(x, MASS, z),))), "an optional part"),
        (Condition(YEAR), "a computed condition"),
        (Extend(z, y), "a computed value"),
        (Aggregate((Reduction("avg", n, z),), Body((Triple(x, MASS, z),)), (x,)), r"an aggregate \(avg\)"),
        (Slice((x,), Body((Triple(x, MASS, z),)), (), 3), "rows in an order, or so many of them"),
    ],
)
def test_no_program_says_any_of_it(conjunct: Conjunct, named: str) -> None:
    with pytest.raises(UnsupportedOperation, match=f"{named}.*PyLF"):
        raise_text(asked(BASE, conjunct), SCHEMA, VOCABULARY)
