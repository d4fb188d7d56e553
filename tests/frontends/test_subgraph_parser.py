"""The text of subgraph questions: what is read, what is refused and where, and bounds."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylf.errors import CompileError, Source
from pylf.frontends.subgraph.lower import lower
from pylf.frontends.subgraph.parser import parse
from pylf.frontends.subgraph.printer import print_question
from pylf.frontends.subgraph.tree import (
    Around,
    Bound,
    Compared,
    Hop,
    Name,
    Neighbours,
    OneOf,
    Paths,
    Patterns,
    Triple,
    Variable,
    Way,
)
from pylf.graphs import empty_schema
from pylf.ir.verify import verify
from pylf.language.context import Context
from tests.frontends.subgraph_worlds import vocabulary
from tests.messages import read_cases, write_messages

if TYPE_CHECKING:
    from pylf.frontends.subgraph.tree import Question

FILE = Path(__file__).parents[1] / "fixtures" / "bad_subgraph.toml"
A, B = Name(":a"), Name("b", quoted=True)
S, P, N, C = map(Variable, "spoc")

READ: dict[str, Question] = {
    "subgraph around :a": Around((A,)),
    "subgraph\naround :a,'b'within 2 hops # both\n": Around((A, B), 2),
    "subgraph around :a within 1 hop either way": Around((A,)),
    'subgraph around "b" by <urn:r>, :r outward with confidence>=0.50 default 1': Around(
        (B,), 1, Hop(Way.OUT, (Name("<urn:r>"), Name(":r")), Bound(">=", "0.50"), "1")
    ),
    "subgraph around :a inward without confidence": Around((A,), 1, Hop(Way.IN, weighed=False)),
    "neighbors of by by by": Neighbours((Name("by"),), Hop(relations=(Name("by"),))),
    "neighbours of m.0178g, wd:Q1": Neighbours((Name("m.0178g"), Name("wd:Q1"))),
    "paths from :a to 'b', :a of 3 hops with product > 0.1 with confidence != 0": Paths(
        (A,), 3, (B, A), Hop(floor=Bound("!=", "0")), Bound(">", "0.1")
    ),
    "simple paths from :a of 1 hop": Paths((A,), 1, simple=True),
    "subgraph ?s ?p ?o where ?s ?p ?o": Patterns((S, P, N), (Triple(S, P, N),)),
    "subgraph ?s ?p ?o ?c where ?s ?p ?o with confidence ?c ?c<0.5 ?s in(:a,'b')": Patterns(
        (S, P, N, C), (Triple(S, P, N, C), Compared(C, Bound("<", "0.5")), OneOf(S, (A, B)))
    ),
    "rows ?o where :a with 'b' 'b' :r ?o": Patterns(
        (N,), (Triple(A, Name("with"), B), Triple(B, Name(":r"), N)), rows=True
    ),
    r"subgraph around 'it\'s \\ here'": Around((Name(r"it's \ here", quoted=True),)),
    r"subgraph around 'AC\DC', '\x41\u00e9\t\N{ROCKET}'": Around(
        (Name(r"AC\DC", quoted=True), Name("A\u00e9\t\N{ROCKET}", quoted=True))
    ),
}


@pytest.mark.parametrize("text", READ)
def test_what_is_read(text: str) -> None:
    assert parse(text) == READ[text]
    assert parse("\ufeff" + print_question(READ[text])) == READ[text]


def test_a_question_is_printed_a_clause_a_line() -> None:
    question = parse("simple paths from :a to :b of 2 hops default 1 by :r with product >= 0.4 inward")
    assert print_question(question) == (
        "simple paths from :a to :b of 2 hops\n  inward\n  by :r\n  default 1\n  with product >= 0.4\n"
    )


def test_places_are_those_of_the_text() -> None:
    text = "subgraph around :a,\n  'b'"
    question = parse(text)
    assert isinstance(question, Around)
    first, second = question.centers
    assert first.span is not None
    assert second.span is not None
    assert question.span is not None
    assert (text[slice(*first.span)], text[slice(*second.span)]) == (":a", "'b'")
    assert text[slice(*question.span)] == text


@pytest.mark.parametrize(("text", "at"), [(r"subgraph around 'a\x4'", 18), (r"paths from 'b', '\ud800' of 1 hop", 17)])
def test_an_escape_of_no_character_is_told_with_its_place(text: str, at: int) -> None:
    with pytest.raises(CompileError) as refused:
        parse(text)
    (diagnostic,) = refused.value.diagnostics
    assert diagnostic.span is not None
    assert (diagnostic.code, diagnostic.span.start) == ("bad-escape", at)


@given(st.text(min_size=1, max_size=12))
def test_any_label_is_read_back(label: str) -> None:
    name = Name(label, quoted=True)
    try:
        assert parse(print_question(Around((name,)))) == Around((name,))
    except CompileError as refused:  # halves of characters and NUL are in no text
        assert "is not a character of a text" in refused.diagnostics[0].message  # noqa: PT017


@given(st.text(alphabet="subgraph aroundwithin?<>=,()'\"#:.0123 \n\\", max_size=60))
def test_whatever_is_no_question_is_a_diagnostic(text: str) -> None:
    for begun in (text, f"subgraph around {text}", f"rows ?x where {text}"):
        try:
            question = parse(begun)
        except CompileError as refused:
            (diagnostic,) = refused.diagnostics
            assert diagnostic.span is not None
            assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(begun)
        else:
            assert parse(print_question(question)) == question


@pytest.mark.parametrize(
    "text",
    [
        "subgraph around " + ":a, " * 100_000,
        "rows ?x where " + "?x ?p ?y " * 50_000,
        "(" * 100_000,
        "subgraph around '" + "x" * 1_000_001,
        "subgraph around __import__('os').system('true')",
        "subgraph around :a within 99999999999999999999999 hops",
        "subgraph around :a\0",
        "subgraph around :a\ud800",
    ],
    ids=range(8),
)
def test_hostile_texts_are_diagnostics(text: str) -> None:
    with pytest.raises(CompileError):
        parse(text)


def said(case: dict[str, Any]) -> str:
    with pytest.raises(CompileError) as caught:
        lower(
            parse(case["text"], "a.subgraph"), Context(empty_schema(), vocabulary()), Source(case["text"], "a.subgraph")
        )
    return f"{caught.value}\n"


if os.environ.get("PYLF_UPDATE"):
    write_messages(FILE, said)
CASES = read_cases(FILE)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_message(case: dict[str, Any]) -> None:
    assert said(case) == case["message"]


@pytest.mark.parametrize(
    "text",
    [
        "rows ?c where ?s ?p ?o with confidence ?c ?c :r ?x",
        "rows ?p where ?s ?p ?o with confidence ?p",
        "rows ?s where ?s ?s ?s with confidence ?s",
        "rows ?p where ?s ?p ?o ?p in (:r, 'q') ?p :r ?o",
        "rows ?label_1 where ?label_1 ?p 'x' ?label_1 in ('y', :a)",
    ],
)
def test_a_variable_may_stand_anywhere(text: str) -> None:
    query, _ = lower(parse(text), Context(empty_schema(), vocabulary()))
    verify(query)
