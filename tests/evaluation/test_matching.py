"""Which predicted answers are gold ones."""

from __future__ import annotations

import itertools

import pytest

from pylf.datasets.formats.question import Answer
from pylf.evaluation.matching import distinct, match_answers, normal
from pylf.ir.terms import RDF_LANG_STRING, XSD


def literal(lexical: str, datatype: str = "string") -> Answer:
    return Answer("literal", lexical, datatype=XSD + datatype)


ENTITY = Answer("entity", "http://e/usa", "United States", aliases=("USA", "U.S."))


@pytest.mark.parametrize(
    ("predicted", "gold", "right"),
    [
        (Answer("entity", "http://e/usa"), ENTITY, True),
        (Answer("entity", "http://e/US", "United States"), ENTITY, False),
        (Answer("entity", "http://rdf.freebase.com/ns/m.0178g"), Answer("entity", "m.0178g"), True),
        (Answer("entity", "m.0178g"), Answer("entity", "http://rdf.freebase.com/ns/m.0178g"), True),
        (Answer("entity", "wd:Q66"), Answer("entity", "http://www.wikidata.org/entity/Q66"), True),
        (Answer("entity", "http://other/Q66"), Answer("entity", "http://www.wikidata.org/entity/Q66"), False),
        (literal("10", "integer"), literal("10.0", "decimal"), True),
        (literal("10", "integer"), literal("10"), False),
        (literal("1805", "dateTime"), literal("1805", "gYear"), True),
        (literal("2008-05-01+01:00", "date"), literal("2008-05-01", "date"), True),
        (Answer("name", "the united  states."), ENTITY, True),
        (Answer("name", "“u.s.”"), ENTITY, True),
        (Answer("name", "States"), ENTITY, False),
        (Answer("name", "1,000"), literal("1.0E3", "double"), True),
        (Answer("name", "2008"), literal("2008", "gYear"), True),
        (Answer("name", "Yes"), Answer("boolean", "true"), True),
        (Answer("name", "no"), Answer("boolean", "true"), False),
        (literal("true", "boolean"), Answer("boolean", "true"), True),
        (Answer("choice", "A"), Answer("choice", "A", "bank"), True),
        (Answer("name", "a"), Answer("choice", "A", "bank"), True),
        (Answer("name", "the bank"), Answer("choice", "A", "bank"), True),
        (Answer("choice", "B", "bank"), Answer("choice", "A", "bank"), False),
        (ENTITY, Answer("name", "USA"), True),
        (Answer("name", "C++"), Answer("name", "C"), False),
        (Answer("name", "314"), literal("3.14", "decimal"), False),
        (Answer("name", "5"), literal("-5", "integer"), False),
        (Answer("name", "-5"), literal("-5", "integer"), True),
        (Answer("name", "\u22125."), literal("-5", "integer"), True),
        (Answer("name", "15"), Answer("name", "1.5"), False),
        (Answer("name", "1.50"), Answer("name", "1.5"), True),
        (Answer("name", "1231"), Answer("name", "12.31"), False),
        (Answer("name", "(1,000.)"), Answer("name", "1000"), True),
        (Answer("name", "1,5"), Answer("name", "15"), False),
        (Answer("name", "1,000 km"), Answer("name", "1000 km"), True),
        (Answer("name", "3.5 million"), Answer("name", "35 million"), False),
        (Answer("name", "-5 degrees"), Answer("name", "5 degrees"), False),
        (Answer("name", "10-15"), Answer("name", "10 15"), True),
        (Answer("name", "2008-05-01"), Answer("name", "20080501"), False),
        (Answer("name", "2008-05-01"), literal("2008-05-01Z", "date"), True),
        (Answer("name", "1984"), Answer("entity", "http://e/book", "1984"), True),
        (Answer("name", "314"), literal("3.14"), False),
        (Answer("name", "3.14"), literal("3.14"), True),
        (Answer("name", "yes"), literal("1", "boolean"), True),
        (Answer("literal", "Paris", None, RDF_LANG_STRING, "en"), Answer("literal", "Paris", language="EN"), True),
        (Answer("literal", "Paris", language="de"), Answer("literal", "Paris", language="en"), False),
    ],
)
def test_a_pair(predicted: Answer, gold: Answer, right: bool) -> None:
    for one, other in ((predicted, gold), (gold, predicted)):
        found = match_answers([one], [other])
        assert (found.right, found.found) == (right, right)


@pytest.mark.parametrize(
    ("typed", "spelled", "other"),
    [
        (literal("6", "integer"), ("6", "6.0", "+6"), ("7", "6.5", "-6", "66")),
        (literal("2.50", "decimal"), ("2.5", "2.50", "25e-1"), ("25", "2.05")),
        (literal("0.1", "float"), ("0.1", "0.10", "1e-1"), ("01", "0.11")),
        (literal("1.0E3", "double"), ("1000", "1,000", "1e3"), ("1", "103")),
        (literal("1916-07-15", "date"), ("1916-07-15", "1916-07-15Z", "1916-07-15-08:00"), ("1916", "1916-07-16")),
        (literal("1916", "gYear"), ("1916", "1916Z"), ("1917", "1916-01-01", "-1916")),
        (literal("1916", "dateTime"), ("1916",), ("1917",)),
        (literal("1916-07", "gYearMonth"), ("1916-07",), ("1916-08", "1916-07-01")),
        (literal("1916-07-15T10:00:00-08:00", "dateTime"), ("1916-07-15T10:00:00-08:00",), ("1916-07-15T11:00:00",)),
        (Answer("boolean", "true"), ("true",), ("false", "1")),
        (literal("0", "boolean"), ("false", "0"), ("true", "no")),
        (literal("Paris"), ("Paris",), ("paris", "Pari")),
        (literal("P1D", "duration"), ("P1D",), ("P2D",)),
        (Answer("literal", "Paris", language="en"), ("Paris",), ("paris",)),
    ],
)
def test_a_literal_without_datatype_stands_for_every_value_that_it_is_spelled_like(
    typed: Answer, spelled: tuple[str, ...], other: tuple[str, ...]
) -> None:
    for text in (*spelled, *other):
        for predicted, gold in (
            (typed, Answer("literal", text)),
            (Answer("literal", text), typed),
        ):
            assert match_answers([predicted], [gold]).right == (text in spelled), (predicted, gold)


def test_two_literals_without_datatype_and_a_name_for_one() -> None:
    for one, other in (("5", "5.0"), ("1916-07-15", "1916-07-15Z"), ("Paris", "Paris")):
        assert match_answers([Answer("literal", one)], [Answer("literal", other)]).right
        assert match_answers([Answer("name", one)], [Answer("literal", other)]).right
    assert not match_answers([Answer("literal", "Paris")], [Answer("literal", "paris")]).right
    assert match_answers([Answer("name", "the paris")], [Answer("literal", "Paris")]).right


def test_what_says_less_and_what_says_more_count_once_in_any_order() -> None:
    iri = "http://rdf.freebase.com/ns/m.1"
    for answers in itertools.permutations([Answer("entity", one) for one in ("m.1", iri, "m.9")]):
        found = match_answers(answers, [Answer("entity", "m.1")])
        assert (found.predicted, found.right) == (2, 1)
        assert match_answers([Answer("entity", "m.1")], answers).gold == 2
    same = [Answer("literal", "5"), literal("5", "integer"), Answer("name", "5.0"), literal("5.0", "double")]
    for answers in itertools.permutations(same):
        assert len(distinct(answers)) == 1
    apart = [Answer("entity", "http://a/Q66"), Answer("entity", "Q66"), Answer("entity", "http://b/Q66")]
    for answers in itertools.permutations(apart):
        assert len(distinct(answers)) == 2
    years = [Answer("literal", "2008"), literal("2008", "integer"), literal("2008", "gYear")]
    for answers in itertools.permutations(years):
        assert len(distinct(answers)) == 2
    assert len(distinct([ENTITY, Answer("name", "USA")])) == 2


def test_what_is_there_twice_counts_once() -> None:
    found = match_answers(
        [literal("1", "integer"), literal("1.0", "double"), Answer("name", "x")], [literal("1", "int")]
    )
    assert (found.predicted, found.right, found.gold, found.found) == (2, 1, 1, 1)
    assert len(distinct([Answer("name", "A dog"), Answer("name", "dog")])) == 1


def test_two_names_of_one_entity_are_both_right_and_find_it_once() -> None:
    found = match_answers([Answer("name", "USA"), Answer("name", "United States")], [ENTITY])
    assert (found.right, found.found, found.gold) == (2, 1, 1)


def test_a_name_that_is_nothing_but_an_article_stays() -> None:
    assert normal("A") == "a"
    assert normal("The") == "the"
    assert normal("!?") == "!?"
