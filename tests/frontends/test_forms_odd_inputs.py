"""Odd texts in the forms of chains, paths and subgraphs: what is said of them is about them, and has its place."""

from __future__ import annotations

import pytest

import pylf
from pylf.errors import CompileError, NoForm, UnsupportedOperation


@pytest.mark.parametrize("source", ["chain", "path", "subgraph", "sparql"])
@pytest.mark.parametrize("text", ["", " \n\t", "\ufeff", "# nothing but this\n"])
def test_an_empty_text_is_said_to_be_empty(source: str, text: str) -> None:
    with pytest.raises(CompileError) as refused:
        pylf.compile(text, source=source)
    (finding,) = refused.value.diagnostics
    assert (finding.code, finding.message) == ("empty", "the text is empty")
    assert finding.span is not None


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("chain", ":a\x1b[31m -> spaceflight.rocket.mass"),
        ("path", "Saturn\x1b[31m V -> spaceflight.rocket.mass -> ?"),
        ("path", "?x -> spaceflight.rocket\x1b.mass -> ?y"),
        ("subgraph", "subgraph around :a\x1b[31m"),
        ("subgraph", "subgraph around \x1b"),
    ],
)
def test_control_characters_stand_in_quotes_alone(source: str, text: str) -> None:
    with pytest.raises(CompileError) as refused:
        pylf.compile(text, source=source)
    (finding,) = refused.value.diagnostics
    assert finding.span is not None
    assert text[finding.span.start] == "\x1b"
    assert "\x1b" not in str(refused.value)


@pytest.mark.parametrize(
    ("source", "text"),
    [("path", '"Saturn\x1b V" -> spaceflight.rocket.mass -> ?x'), ("subgraph", "neighbours of 'a\x1b'")],
)
def test_names_with_control_characters_are_written_so_that_they_are_read(source: str, text: str) -> None:
    query = pylf.compile(text, source=source)
    again = pylf.compile(query.to(source), source=source)
    assert again.fingerprint == query.fingerprint


def test_a_path_of_relations_alone_has_findings_with_places() -> None:
    text = "<PATH> spaceflight.rocket.stages <SEP> spaceflight.rocket.stages </PATH>"
    with pytest.raises(CompileError) as refused:
        pylf.compile(text, source="path")
    assert [finding.code for finding in refused.value.diagnostics] == ["type-mismatch"]
    (finding,) = refused.value.diagnostics
    assert finding.span is not None
    assert text[slice(*finding.span)] == "spaceflight.rocket.stages"


def test_the_place_of_a_path_is_where_it_stands() -> None:
    text = "# a comment\n  ?x -> spaceflight.rocket.mass -> ?y\n"
    query = pylf.compile(text, source="path")
    assert query.ir.span is not None
    assert text[slice(*query.ir.span)] == "?x -> spaceflight.rocket.mass -> ?y"


def test_a_walk_that_is_too_long_for_a_path_is_not_written_as_one() -> None:
    along = " -> <http://e/p> -> "
    longest = pylf.compile(along.join(["?"] * 101), source="path")
    assert pylf.compile(longest.to("path"), source="path").fingerprint == longest.fingerprint
    walk = " -<http://e/p>-> ".join([f"?x{number}" for number in range(102)])
    query = pylf.compile(f"rows ?x0 ?x101\nwhere\n  path {walk}\n", source="ir")
    with pytest.raises(NoForm, match="a walk of more than 100 hops"):
        query.to("path")


@pytest.mark.parametrize(
    ("form", "called"), [("chain", "chains"), ("sexpr", "s-expressions"), ("graphquery", "graph queries")]
)
@pytest.mark.parametrize(
    ("source", "text", "what"),
    [
        ("subgraph", "subgraph around :saturn_v", "a question for a subgraph"),
        ("subgraph", "neighbours of :saturn_v", "a question for rows"),
        ("path", "'a' -> spaceflight.rocket.stages -> 'b'", "a walk whose hops keep their order"),
    ],
)
def test_what_no_program_says_is_refused_in_the_name_of_the_form(
    form: str, called: str, source: str, text: str, what: str
) -> None:
    with pytest.raises(UnsupportedOperation) as refused:
        pylf.compile(text, source=source).to(form)
    assert refused.value.where == called
    assert refused.value.operator.startswith(what)


@pytest.mark.parametrize("arrow", ["=>", "–>", "--", "⇒"])
def test_what_is_no_arrow_is_pointed_at(arrow: str) -> None:
    text = f"Saturn V {arrow} spaceflight.rocket.mass {arrow} ?x"
    with pytest.raises(CompileError) as refused:
        pylf.compile(text, source="path")
    (finding,) = refused.value.diagnostics
    assert finding.span is not None
    assert text[slice(*finding.span)] == arrow
    assert finding.hints[0].startswith(f"'{arrow}' is no arrow")


def test_long_arrows_are_arrows() -> None:
    plain = pylf.compile("Saturn V -> spaceflight.rocket.mass -> ?x <- spaceflight.rocket.mass <- ?y", source="path")
    for text in (
        "Saturn V --> spaceflight.rocket.mass --> ?x <-- spaceflight.rocket.mass <-- ?y",
        "Saturn V--->spaceflight.rocket.mass--->?x<---spaceflight.rocket.mass<---?y",
    ):
        assert pylf.compile(text, source="path").fingerprint == plain.fingerprint
    # the sign of a number is none of them
    below = pylf.compile("?x -> spaceflight.rocket.mass -> -5", source="path")
    assert pylf.compile("-5<-spaceflight.rocket.mass<-?x", source="path").ir.body is not None
    assert pylf.compile("-5 <- spaceflight.rocket.mass <- ?x", source="path").fingerprint == below.fingerprint


def test_a_name_of_several_words_is_to_stand_in_quotes() -> None:
    with pytest.raises(CompileError, match="quotes around one of several words"):
        pylf.compile("subgraph around Saturn V", source="subgraph")
