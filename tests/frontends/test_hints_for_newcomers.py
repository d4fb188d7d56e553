"""What somebody who is new to these forms writes first, on a graph of their own, and what is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import pylf
from pylf.api import empty_schema
from pylf.errors import CompileError, Diagnostic, NoForm, UnsupportedOperation

if TYPE_CHECKING:
    from pathlib import Path

ZOO = """
@prefix : <http://zoo.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:leo a :Lion ; rdfs:label "Leo" ; :keeper :ann ; :weight 190 ; :parent :kim .
:kim a :Lion ; rdfs:label "Kim" ; :keeper :bob ; :weight 150 .
:ann a :Person ; rdfs:label "Ann" ; :owns :car .
:bob a :Person ; rdfs:label "Bob" .
:car a :Car ; rdfs:label "Car" .
"""
PREFIX = "PREFIX : <http://zoo.example/> "
LEO, KIM, ANN = (f"<http://zoo.example/{name}>" for name in ("leo", "kim", "ann"))


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> pylf.KnowledgeGraph:
    file: Path = tmp_path_factory.mktemp("zoo") / "zoo.ttl"
    file.write_text(ZOO, encoding="utf-8")
    return pylf.open_kg(file)


def findings(text: str, source: str, kg: pylf.KnowledgeGraph, *, strict: bool = False) -> tuple[Diagnostic, ...]:
    try:
        return pylf.compile(text, source=source, kg=kg, strict=strict).diagnostics
    except CompileError as refused:
        return refused.diagnostics


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    ("text", "code", "place", "near"),
    [
        ("SELECT ?x { ?x :weihgt ?w }", "unknown-relation", ":weihgt", "weight"),
        ("SELECT ?x { ?x a ?c OPTIONAL { ?x ^:kepeer ?w } }", "unknown-relation", ":kepeer", "keeper"),
        ("SELECT ?x { ?x a :Loin }", "unknown-class", ":Loin", "Lion"),
        ("ASK { ?x :parent+ ?y FILTER NOT EXISTS { ?y :onws ?x } }", "unknown-relation", ":onws", "owns"),
    ],
)
def test_sparql_tells_of_unlisted_names(
    text: str, code: str, place: str, near: str, strict: bool, zoo: pylf.KnowledgeGraph
) -> None:
    if "OPTIONAL" in text:  # looked at, so that it is not left out
        text = text.replace("?x {", "?x ?w {")
    (found,) = findings(PREFIX + text, "sparql", zoo, strict=strict)
    assert (found.code, found.severity) == (code, "error" if strict else "warning")
    assert found.span is not None
    assert (PREFIX + text)[slice(*found.span)] == place
    assert found.hints == (f"the nearest name is '{near}'",)


def test_listed_names_and_those_of_the_vocabulary_are_not_told_of(zoo: pylf.KnowledgeGraph) -> None:
    text = "SELECT ?l { ?x a :Lion ; :weight ?w ; rdfs:label ?l }"
    assert findings(PREFIX + text, "sparql", zoo) == ()
    # nothing is listed: nothing is unlisted
    assert pylf.compile(PREFIX + text, source="sparql", schema=empty_schema()).diagnostics == ()


def test_only_some_unlisted_names_get_nearest_ones(zoo: pylf.KnowledgeGraph) -> None:
    text = "ASK { " + " . ".join([f"?x :weight{n} ?y" for n in range(8)]) + " }"
    found = findings(PREFIX + text, "sparql", zoo)
    assert len(found) == 8
    assert sum(bool(one.hints) for one in found) == 5


@pytest.mark.parametrize(
    ("source", "text", "code", "hint"),
    [
        ("subgraph", f"subgraph around {LEO} by :owned", "unknown-relation", "the nearest name is 'owns'"),
        ("subgraph", f"subgraph around {LEO} by :owned", "unknown-relation", "no prefix ':': write <…owned>"),
        ("subgraph", "subgraph around :leo", "unknown-label", "no prefix ':': write <…leo>"),
        ("path", ":leo -> keeper -> ?x", "unknown-label", "no prefix ':': write <…leo>"),
        ("chain", "zoo:leo -> keeper", "unknown-label", "no prefix 'zoo:': write <…leo>"),
        ("pylf", "expression = STOP(JOIN('R_keeper', START(':leo')))", "unknown-label", "write START('<…leo>')"),
        ("chain", "Lion [biggest -> weight]", "unknown-label", "[largest -> r]"),
        ("chain", "Lion [lowest -> weight]", "unknown-label", "[smallest -> r]"),
        ("path", "Leo => keeper => Ann", "syntax", "'=>' is no arrow: arrows are -> and <-"),
        ("path", "-> parent -> ?x", "syntax", "'?' stands for any node: ? -> r -> ?x"),
        ("path", "?x <- parent <- <- parent <- ?y", "syntax", "'?' stands for any node: ? <- r <- ?x"),
        ("sparql", "SELECT ?x { ?x :weight ?w } HAVING (?w > 150)", "unsupported-having", "FILTER"),
        ("sparql", "SELECT ?z { ?x :weight ?w }", "nothing-selected", "the pattern binds ?x and ?w"),
        (
            "sparql",
            "SELECT ?x { ?x :weight ?w OPTIONAL { ?y :parent ?z OPTIONAL { ?z :keeper ?x } } }",
            "not-well-designed",
            "bind ?x in the outer OPTIONAL too",
        ),
        (
            "sparql",
            "SELECT (STRLEN(?l) AS ?len) (COUNT(?x) AS ?n) { ?x :keeper ?l } GROUP BY (STRLEN(?l))",
            "not-grouped",
            "GROUP BY (STRLEN(?l) AS ?len)",
        ),
        (
            "sparql",
            "SELECT * { { SELECT (MAX(?v) AS ?w) { ?y :weight ?v } } ?x :weight ?w }",
            "open-variable",
            "such as AS ?m, and compare: FILTER(?w = ?m)",
        ),
        (
            "sparql",
            "SELECT * { ?x :weight ?w { SELECT (MAX(?v) AS ?w) { ?y :weight ?v } } }",
            "open-variable",
            "such as AS ?m, and compare: FILTER(?w = ?m)",
        ),
    ],
)
def test_a_hint_says_what_to_write(source: str, text: str, code: str, hint: str, zoo: pylf.KnowledgeGraph) -> None:
    text = PREFIX + text if source == "sparql" else text
    hints = [one for found in findings(text, source, zoo) if found.code == code for one in found.hints]
    assert any(hint in one for one in hints), hints


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("{ SELECT (MAX(?v) AS ?m) { ?y :weight ?v } } ?x :weight ?w FILTER(?w = ?m)", [LEO]),
        ("?x :weight ?w OPTIONAL { ?x :parent ?p OPTIONAL { ?p :keeper ?k } }", [KIM, LEO]),
    ],
)
def test_what_a_hint_says_works(text: str, answers: list[str], zoo: pylf.KnowledgeGraph) -> None:
    result = pylf.compile(f"{PREFIX}SELECT ?x {{ {text} }}", source="sparql", kg=zoo).run()
    assert result.answers is not None
    assert sorted(map(str, result.answers.values)) == answers


@pytest.mark.parametrize(("function", "named"), [("RAND()", "RAND"), ("md5(STR(?w))", "MD5")])
def test_functions_of_sparql_are_known_and_not_supported(function: str, named: str, zoo: pylf.KnowledgeGraph) -> None:
    (found,) = findings(f"{PREFIX}SELECT ({function} AS ?r) {{ ?x :weight ?w }}", "sparql", zoo)
    assert found.message == f"SPARQL's function {named} is not supported"


@pytest.mark.parametrize(
    ("clause", "told"),
    [("confidence >= 1.5", "none is >= 1.5"), ("confidence <= 1.5", "every one is <= 1.5"), ("confidence >= 1", None)],
)
def test_no_confidence_is_above_one(clause: str, told: str | None, zoo: pylf.KnowledgeGraph) -> None:
    found = findings(f"subgraph around 'Leo' with {clause}", "subgraph", zoo)
    assert [one.message for one in found] == ([] if told is None else [f"confidences lie between 0 and 1: {told}"])


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("ASK { :leo :keeper :ann }", f"{LEO} -> keeper -> {ANN}"),
        ("ASK { :leo :keeper ?x }", f"{LEO} -> keeper -> ?"),
        ("ASK { :leo :parent :kim . :leo :keeper :ann }", f"{KIM} <- parent <- {LEO} -> keeper -> {ANN}"),
        ("SELECT ?x ?y { ?x :keeper ?y }", "?x -> keeper -> ?y"),
        ("SELECT ?y ?x { ?x :keeper ?y }", "?y <- keeper <- ?x"),
        ("SELECT ?x ?z { ?x :keeper/:owns ?z }", "?x -> keeper -> ? -> owns -> ?z"),
        ("SELECT ?x ?p ?y { ?x ?p ?y }", "?x -> ?p -> ?y"),
        ("SELECT ?x ?y { ?x :keeper ?z . ?y :keeper ?z }", "?x -> keeper -> ? <- keeper <- ?y"),
    ],
)
def test_walks_that_are_written_as_triples_are_paths(text: str, path: str, zoo: pylf.KnowledgeGraph) -> None:
    query = pylf.compile(PREFIX + text, source="sparql", kg=zoo)
    assert query.to("path") == path
    again = pylf.compile(path, source="path", kg=zoo)
    assert again.run().answers == query.run().answers


@pytest.mark.parametrize(
    "text",
    [
        "ASK { ?x :keeper ?x }",
        "ASK { ?x :keeper ?y . ?x :parent ?z . ?x :weight ?w }",
        "ASK { :leo :keeper ?y . :kim :keeper ?z }",
        "ASK { :leo :weight 190 }",
        "SELECT ?x { ?x :keeper ?y . ?y :owns ?x }",
        "SELECT ?x ?y { ?x :keeper ?y FILTER(?x != ?y) }",
    ],
)
def test_what_is_no_walk_is_no_path(text: str, zoo: pylf.KnowledgeGraph) -> None:
    query = pylf.compile(PREFIX + text, source="sparql", kg=zoo)
    with pytest.raises(NoForm):
        query.to("path")


def test_a_value_as_a_term_is_said_to_be_what_programs_lack(zoo: pylf.KnowledgeGraph) -> None:
    text = PREFIX + "SELECT ?x { ?x :weight 190 }"
    with pytest.raises(UnsupportedOperation, match=r"190.*where programs compare by value") as refused:
        pylf.compile(text, source="sparql", kg=zoo).to("pylf")
    assert refused.value.span is not None
    assert text[slice(*refused.value.span)] == ":weight"


def test_what_an_engine_cannot_be_asked_has_its_place(zoo: pylf.KnowledgeGraph) -> None:
    text = PREFIX + "SELECT (MAX(?o) AS ?n) { :leo ?p ?o }"
    query = pylf.compile(text, source="sparql", kg=zoo)
    for work in (query.run, lambda: query.to("sparql")):
        with pytest.raises(UnsupportedOperation) as refused:
            work()
        assert refused.value.source is not None
        assert refused.value.span is not None
        assert text[slice(*refused.value.span)].startswith("SELECT (MAX(?o) AS ?n)")
