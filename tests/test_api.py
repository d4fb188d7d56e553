"""The Python interface: compile, look at every form, run, and what is raised when something is wrong."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import pylf
from pylf import api
from pylf.forms import SOURCES

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = "e = STOP(AND(START('Film'), JOIN('director', START('Kai'), neg=True)))"
TURTLE = """
@prefix : <http://f.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Film ; rdfs:label "A" ; :director :k . :b a :Film ; rdfs:label "B" ; :director :j . :c a :Film .
:k a :Person ; rdfs:label "Kai" . :j a :Person ; rdfs:label "Jo" .
"""


@pytest.fixture
def films(tmp_path: Path) -> Path:
    path = tmp_path / "films.ttl"
    path.write_text(TURTLE, encoding="utf-8")
    return path


def test_everything_public_is_there() -> None:
    for name in pylf.__all__:
        assert getattr(pylf, name) is not None
        assert name in dir(pylf)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = pylf.nothing


def test_without_surroundings_the_bundled_graph_serves() -> None:
    query = pylf.compile("e = STOP(JOIN('spaceflight.rocket.manufacturer', START('SpaceX')))")
    labels = query.run().labels
    assert "Falcon 9" in labels.values()


def test_the_bundled_graph_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert pylf.open_kg("bundled") is pylf.bundled()
    program = "e = STOP(JOIN('spaceflight.rocket.manufacturer', START('SpaceX')))"
    assert pylf.compile(program, kg="bundled").to("sexpr") == "(JOIN spaceflight.rocket.manufacturer :spacex)"
    (tmp_path / "bundled").mkdir()
    with pytest.raises(pylf.InputError, match="bundled"):
        pylf.open_kg("bundled")


def test_a_path_or_text_or_an_open_graph(films: Path) -> None:
    graph = pylf.open_kg(films)
    expected = {"http://f.example/b", "http://f.example/c"}
    for kg in (films, str(films), graph):
        query = pylf.compile(PROGRAM, kg=kg)
        assert {str(v).strip("<>") for v in query.run().answers.values} == expected
        assert {str(v).strip("<>") for v in query.run(kg).answers.values} == expected


def test_a_query_compiled_without_a_graph_is_run_on_any(films: Path) -> None:
    graph = pylf.open_kg(films)
    query = pylf.compile(PROGRAM, schema=graph.schema, vocabulary=graph.vocabulary)
    assert "Labelled" not in query.to("ir")
    assert "?label in (" in query.to("ir")
    result = query.run(films)
    assert len(result.answers.values) == 2
    assert "<http://f.example/k>" in result.query.to("ir")
    assert result.query.fingerprint != query.fingerprint


def test_a_declared_schema_keeps_what_the_graph_shows(root: Path) -> None:
    lakes = root / "examples" / "lakes"
    query = pylf.compile(
        "expression = STOP(START('Lake', kind='class'))",
        kg=root / "examples" / "lakes.ttl",
        schema=lakes / "schema.ttl",
    )
    area = query.schema.relation("http://lakes.example/area")
    assert area is not None
    assert area.label == "area in square kilometres"  # declared
    assert area.triples is not None  # counted
    assert area.triples > 0


def test_forms(films: Path) -> None:
    query = pylf.compile(PROGRAM, kg=films, name="films.pylf")
    assert query.english == "What are the films whose ‘director’ does not include ‘Kai’?"
    assert query.to("english") == query.english
    for form in api.FORMS:
        if form in ("sexpr", "graphquery", "path", "subgraph"):  # they have no negation: tests/frontends
            with pytest.raises(pylf.NoForm, match="no form for"):
                query.to(form)
            continue
        text = query.to(form)
        assert text == text.rstrip("\n")
        assert text
    assert query.sparql.rstrip("\n") == query.to("sparql")
    assert json.loads(query.to("json"))["form"] == "set"
    assert repr(query) == f"<CompiledQuery films.pylf: set {query.fingerprint[:12]}>"
    titles = [line for line in query.explain().splitlines() if line.startswith("# ")]
    assert titles == ["# Question", "# IR", "# Rows", "# SPARQL"]
    with pytest.raises(pylf.InputError, match="there is no form 'png'; the forms are sparql"):
        query.to("png")


@pytest.mark.parametrize("source", ["ir", "json", "pylf"])
def test_what_a_form_says_is_read_back(films: Path, source: str) -> None:
    query = pylf.compile(PROGRAM, kg=films)
    again = pylf.compile(query.to(source), source=source, kg=films)
    assert again.fingerprint == query.fingerprint
    assert again.run().answers == query.run().answers


# a subgraph text asks for triples or rows, and has no form for a set
@pytest.mark.parametrize("source", [source for source in SOURCES if source != "subgraph"])
def test_all_nodes_differ_whatever_the_question_is_written_in(source: str) -> None:
    made = "spaceflight.rocket_manufacturer.rockets_manufactured"
    plain = pylf.compile(f"(JOIN {made} (JOIN (R {made}) :boeing))", source="sexpr")
    text = plain.to(source)
    boeing = "http://pylf.example/rockets/boeing"
    for all_different, among in ((False, True), (True, False)):
        answers = pylf.compile(text, source=source, all_different=all_different).run().answers
        assert (boeing in {str(value).strip("<>") for value in answers.values}) is among
        assert len(answers.values) > 3


def test_readings_of_negation(films: Path) -> None:
    assert len(pylf.compile(PROGRAM, kg=films).run().answers.values) == 2
    partial = pylf.compile(PROGRAM, kg=films, negation="pca")
    assert len(partial.run().answers.values) == 1
    assert partial.english == "What are the films whose ‘director’ is known and does not include ‘Kai’?"


def test_levels_answer_the_same(films: Path) -> None:
    assert pylf.compile(PROGRAM, kg=films, optimize=0).run().answers == pylf.compile(PROGRAM, kg=films).run().answers


def test_why(films: Path) -> None:
    told = pylf.compile(PROGRAM, kg=films).run().why().render()
    assert "known otherwise" in told
    assert "nothing recorded" in told


def test_warnings_are_kept_and_errors_are_raised(films: Path) -> None:
    query = pylf.compile("e = STOP(JOIN('director', START('Nobody')))", kg=films)
    assert [d.code for d in query.diagnostics] == ["unknown-label"]
    assert query.run().answers.empty
    with pytest.raises(pylf.CompileError) as error:
        pylf.compile("e = STOP(JOIN('direktor', START('Kai')))", kg=films, name="x.pylf")
    (found,) = error.value.diagnostics
    assert found.code == "unknown-relation"
    assert "'director'" in found.hints[0]
    assert "x.pylf:1:15" in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"source": "ir", "exclude_topic": "yes"}, "exclude_topic is for programs"),
        ({"source": "cypher"}, "no source form 'cypher'"),
        ({"negation": "open"}, "'cwa' or 'pca', not 'open'"),
        ({"kg": "no/where.ttl"}, "no/where.ttl"),
        ({"schema": "no/where.ttl"}, "no/where.ttl"),
        ({"vocabulary": "no/where.toml"}, "no/where.toml"),
        ({"source": "json", "text": "{"}, "is not JSON"),
        ({"source": "json", "text": "[" * 100_000}, "is not JSON"),
    ],
)
def test_what_cannot_be_used_is_named(arguments: dict[str, str], told: str) -> None:
    text = arguments.pop("text", PROGRAM)
    with pytest.raises(pylf.InputError) as error:
        pylf.compile(text, **arguments)
    assert told in str(error.value)


def test_an_unknown_dialect_is_named() -> None:
    with pytest.raises(pylf.PylfError, match="mysql"):
        _ = pylf.compile("e = STOP(START('rocket'))", dialect="mysql").sparql


def test_nothing_is_executed(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    for text in (
        f"e = STOP(open({str(mark)!r}, 'w'))",
        f"__import__('pathlib').Path({str(mark)!r}).touch()",
        "e = STOP(START(f'{9**9**9}'))",
        "e = (lambda: STOP(START('x')))()",
    ):
        with pytest.raises(pylf.CompileError):
            pylf.compile(text)
    assert not mark.exists()
