"""``pylf compile``: every form of every example, and what every option changes."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

from pylf.forms import EVERYTHING, FORMS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command

#: the forms that have words for every program
WHOLE = [form for form in FORMS if form not in ("sexpr", "graphquery", "chain", "path", "subgraph")]
OPENING = {
    "sparql": ("SELECT", "ASK"),
    "ir": ("set ", "number ", "boolean"),
    "json": "{",
    "pylf": ("e", "#"),
    "english": ("Which ", "What ", "How many ", "Is there "),
    "dot": "digraph",
    "svg": "<svg ",
    "mermaid": "flowchart",
}


def examples(root: Path) -> list[Path]:
    found = sorted((root / "examples").glob("*.pylf"))
    assert len(found) > 20
    return found


@pytest.mark.parametrize("form", WHOLE)
def test_every_example_in_every_form(pylf: Command, root: Path, form: str) -> None:
    for example in examples(root):
        status, out, err = pylf("compile", example, "--to", form)
        assert status == 0, (example.name, err)
        assert out.startswith(OPENING[form]), (example.name, out)
        assert out.endswith("\n")
        assert not out.endswith("\n\n")
        assert err.splitlines() == ["no --kg, --schema or pylf.toml: using the bundled graph of rockets"]


@pytest.mark.parametrize("form", ["ir", "json", "pylf"])
def test_what_is_written_reads_back_to_the_same_query(pylf: Command, root: Path, form: str) -> None:
    for example in examples(root):
        for reading in ("cwa", "pca"):
            first = pylf("compile", example, "--negation", reading, "--to", form)
            again = pylf("compile", "-", "--from", form, "--negation", reading, "--to", form, stdin=first.out)
            assert again.status == 0, (example.name, again.err)
            assert again.out == first.out
            both = [
                json.loads(pylf("compile", *given, "--negation", reading, "--json", stdin=first.out).out)["fingerprint"]
                for given in ([str(example)], ["-", "--from", form])
            ]
            assert both[0] == both[1], example.name


def test_json_tells_everything_and_reads_back(pylf: Command, films: Path, here: Path) -> None:
    program = "e = STOP(JOIN('<http://f.example/titre>', START('𝒳 é \\u2028 \"q\"')))"
    status, out, _ = pylf("compile", "-", "--vocab", "vocabulary.toml", "--json", stdin=program)
    assert status == 0
    data = json.loads(out)
    assert set(data) == {*EVERYTHING, "diagnostics"}
    assert data["exclude_topic"] is data["all_different"] is data["inner_classes"] is False
    assert "𝒳 é" in out
    assert "𝒳 é" in data["sparql"]
    assert len(data["fingerprint"]) == 32


@pytest.mark.parametrize("command", ["compile", "run"])
def test_json_of_what_does_not_compile_has_the_findings(pylf: Command, command: str) -> None:
    status, out, err = pylf(command, "-", "--json", stdin="e = STOP(JOIN('nothing', START('x')))")
    assert status == 2
    assert [found["code"] for found in json.loads(out)["diagnostics"]] == ["unknown-relation"]
    assert "error[unknown-relation]" in err


def test_json_goes_where_output_says(pylf: Command, here: Path) -> None:
    status, out, _ = pylf("compile", "-", "--json", "-o", "query.json", stdin="e = STOP(START('rocket'))")
    assert (status, out) == (0, "")
    assert json.loads((here / "query.json").read_text(encoding="utf-8"))["negation"] == "cwa"


def test_svg_is_xml(pylf: Command, root: Path) -> None:
    for example in examples(root):
        root_element = ET.fromstring(pylf("compile", example, "--to", "svg").out)
        assert root_element.tag == "{http://www.w3.org/2000/svg}svg"


def test_optimization_levels_and_dialects_differ_only_in_the_sparql(pylf: Command, example: Path) -> None:
    texts = {
        (level, dialect): pylf("compile", example, level, "--dialect", dialect).out
        for level in ("-O0", "-O1")
        for dialect in ("sparql11", "oxigraph", "rdflib")
    }
    assert all(text.startswith("SELECT") for text in texts.values())
    assert len(set(texts.values())) > 1
    data = json.loads(pylf("compile", example, "--dialect", "rdflib", "--json").out)
    assert data["dialect"] == "rdflib"
    assert data["sparql"].rstrip("\n") == texts["-O1", "rdflib"].rstrip("\n")


def test_negation_is_read_as_asked(pylf: Command, example: Path) -> None:
    closed = pylf("compile", example, "--to", "ir").out
    assert pylf("compile", example, "--negation", "cwa", "--to", "ir").out == closed
    partial = pylf("compile", example, "--negation", "pca", "--to", "ir").out
    assert partial != closed
    assert "of something but not of" in pylf("compile", example, "--negation", "pca", "--to", "english").out
    assert pylf("compile", example, "--negation", "pca", "--to", "pylf").out.startswith(
        "# to be read with negation='pca'"
    )
    assert pylf("compile", example, "--negation", "open").status == 2


def test_strict_refuses_extensions(pylf: Command, root: Path, example: Path) -> None:
    assert pylf("compile", example, "--strict").status == 0
    status, out, err = pylf("compile", root / "examples" / "venus_or_mercury.pylf", "--strict")
    assert (status, out) == (2, "")
    assert "error[extension]" in err


def test_lenient_makes_a_clash_a_warning(pylf: Command) -> None:
    clash = "e = STOP(JOIN('spaceflight.rocket.mass', START('rocket')))"
    assert pylf("compile", "-", stdin=clash).status == 2
    status, out, err = pylf("compile", "-", "--lenient", stdin=clash)
    assert status == 0
    assert out.startswith("SELECT")
    assert "warning[type-mismatch]" in err


def test_exclude_topic_adds_what_the_answer_is_not(pylf: Command) -> None:
    program = "e = STOP(JOIN('organization.organization.merged_into', START(':boeing')))"
    assert "is <" not in pylf("compile", "-", "--to", "ir", stdin=program).out
    assert (
        "?organization is <http://pylf.example/rockets/boeing>"
        in pylf("compile", "-", "--exclude-topic", "--to", "ir", stdin=program).out
    )


def test_today_is_what_now_means(pylf: Command) -> None:
    program = "e = STOP(TC(START('company'), 'organization.organization.date_founded', 'NOW'))"
    out = pylf("compile", "-", "--today", "1999-12-31", "--to", "english", stdin=program).out
    assert "not after 1999-12-31" in out
    status, _, err = pylf("compile", "-", "--today", "yesterday", stdin=program)
    assert status == 2
    assert "today is a date such as 2026-11-30, not 'yesterday'" in err


def test_explain_is_the_question_its_ir_and_its_sparql(pylf: Command, example: Path) -> None:
    out = pylf("compile", example, "--explain").out
    assert [line for line in out.splitlines() if line.startswith("# ")] == ["# Question", "# IR", "# Rows", "# SPARQL"]
    assert "Which rockets have a ‘mass’" in out
    assert "FILTER NOT EXISTS" in out


def test_output_goes_to_a_file(pylf: Command, example: Path, here: Path) -> None:
    status, out, _ = pylf("compile", example, "-o", "q.rq")
    assert (status, out) == (0, "")
    assert (here / "q.rq").read_text(encoding="utf-8") == pylf("compile", example).out
    (here / "folder").mkdir()
    assert "folder: is a directory" in pylf("compile", example, "-o", "folder").err
    assert "none/q: no such file" in pylf("compile", example, "-o", "none/q").err
    before = (here / "q.rq").read_bytes()
    assert pylf("compile", "-", "-o", "q.rq", stdin="e = STOP(").status == 2
    assert (here / "q.rq").read_bytes() == before


def test_a_graph_at_hand_turns_labels_into_entities(pylf: Command, films: Path) -> None:
    given = ("--kg", "films.ttl", "--vocab", "vocabulary.toml")
    program = "e = STOP(JOIN('R_director', START('𝒳')))"
    out = pylf("compile", "-", *given, "--to", "ir", stdin=program).out
    assert "<http://f.example/𝒳>" in out
    assert "‘𝒳’" in pylf("compile", "-", *given, "--to", "english", stdin=program).out
    status, _, err = pylf("compile", "-", *given, stdin="e = STOP(JOIN('R_director', START('nobody')))")
    assert status == 0
    assert "warning[unknown-label]" in err


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--kg", "missing.ttl", "missing.ttl"),
        ("--schema", "missing.ttl", "missing.ttl"),
        ("--vocab", "missing.toml", "missing.toml"),
        ("--vocab", "nonsense", "nonsense"),
        ("--kg", ".", "'.'"),
    ],
)
def test_surroundings_that_are_not_there(pylf: Command, example: Path, option: str, value: str, told: str) -> None:
    status, out, err = pylf("compile", example, option, value)
    assert (status, out) == (2, "")
    assert told.strip("'") in err


def test_surroundings_that_are_not_what_they_should_be(pylf: Command, example: Path, here: Path) -> None:
    (here / "binary.ttl").write_bytes(b"\x00\xff\xfe")
    (here / "text.ttl").write_text("this is no turtle")
    (here / "empty.ttl").write_text("")
    (here / "broken.sqlite").write_bytes(b"SQLite format 3\x00 and then nothing")
    (here / "list.toml").write_text("[[[")
    (here / "wrong.toml").write_text('nonsense = "x"')
    for option, value in [
        ("--kg", "binary.ttl"),
        ("--kg", "text.ttl"),
        ("--kg", "broken.sqlite"),
        ("--schema", "binary.ttl"),
        ("--schema", "text.ttl"),
        ("--schema", "broken.sqlite"),
        ("--vocab", "list.toml"),
        ("--vocab", "wrong.toml"),
        ("--vocab", "binary.ttl"),
    ]:
        status, out, err = pylf("compile", example, option, value)
        assert (status, out) == (2, ""), (option, value, err)
        assert value in err, (option, value, err)
    assert pylf("compile", example, "--schema", "empty.ttl").status == 2  # its names are not known


@pytest.mark.parametrize("text", ["", "null", "[]", "{}", '{"form": "set"}', "NaN", '{"a": 1', "\x00"])
def test_ir_that_is_not_ir(pylf: Command, text: str) -> None:
    for source in ("json", "ir"):
        status, out, err = pylf("compile", "-", "--from", source, stdin=text)
        assert (status, out) == (2, "")
        assert err
