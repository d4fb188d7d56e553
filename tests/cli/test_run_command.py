"""``pylf run``: answers as a table, as JSON, as CSV, with their reasons."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command

FILMS = ("--kg", "films.ttl", "--vocab", "vocabulary.toml")


def test_answers_have_labels_and_ids(pylf: Command, films: Path) -> None:
    status, out, err = pylf("run", "-", *FILMS, stdin="e = STOP(JOIN('director', START('Kai')))")
    assert (status, out, err) == (0, "𝒳  <http://f.example/𝒳>\n", "1 answer\n")


def test_without_a_graph_the_bundled_one_is_asked_and_said_so(pylf: Command, example: Path) -> None:
    status, out, err = pylf("run", example)
    assert status == 0
    assert "Vanguard  <http://pylf.example/rockets/vanguard>" in out
    first, second = err.splitlines()
    assert first == "no --kg or pylf.toml: asking the bundled graph of rockets"
    assert second.startswith("6 answers, negation read by the closed world")


def test_a_schema_without_a_graph_is_refused(pylf: Command, example: Path) -> None:
    status, out, err = pylf("run", example, "--vocab", "rdf")
    assert (status, out) == (2, "")
    assert "give --kg PATH besides" in err


@pytest.mark.parametrize(
    ("program", "table", "comma", "data"),
    [
        ("STOP(COUNT(START('Film')))", "3\n", "count\n3\n", {"form": "number", "number": 3}),
        ("STOP(ASK(START('Film')))", "yes\n", "answer\ntrue\n", {"form": "boolean", "boolean": True}),
        (
            "STOP(ASK(JOIN('year', 1700)))",
            "no\n",
            "answer\nfalse\n",
            {"form": "boolean", "boolean": False},
        ),
        (
            "STOP(JOIN('R_year', START(':z')))",
            "",
            "x,x_label\n",
            {"form": "set", "answers": []},
        ),
        (
            "STOP(JOIN('R_year', START(':é')))",
            "2001\n",
            "year,year_label\n2001,\n",
            {
                "form": "set",
                "answers": [
                    {
                        "kind": "literal",
                        "value": "2001",
                        "datatype": "http://www.w3.org/2001/XMLSchema#integer",
                        "language": None,
                    }
                ],
            },
        ),
        (
            "STOP(JOIN('year', 2001))",
            "Amélie  <http://f.example/é>\n",
            "film,film_label\nhttp://f.example/é,Amélie\n",
            {"form": "set", "answers": [{"kind": "iri", "value": "http://f.example/é", "label": "Amélie"}]},
        ),
    ],
)
def test_every_form_in_every_format(
    pylf: Command, films: Path, program: str, table: str, comma: str, data: dict[str, object]
) -> None:
    given = ("run", "-", *FILMS)
    program = f"e = {program}"
    status, out, _ = pylf(*given, stdin=program)
    assert (status, out) == (0, table)
    status, out, _ = pylf(*given, "--format", "csv", stdin=program)
    assert status == 0
    assert out.splitlines()[1:] == comma.splitlines()[1:]
    status, out, _ = pylf(*given, "--json", stdin=program)
    assert status == 0
    found = json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert {key: found[key] for key in data} == data
    assert found["negation"] == "cwa"
    assert found["graph"]["name"] == "films.ttl"
    assert len(found["fingerprint"]) == 32
    assert pylf(*given, "--format", "json", stdin=program).out == out


def test_a_table_is_safe_to_show(pylf: Command, films: Path) -> None:
    out = pylf("run", "-", *FILMS, stdin="e = STOP(START(':z'))").out
    assert out == "tab\\tbell\\x07  <http://f.example/z>\n"
    written = pylf("run", "-", *FILMS, "--format", "csv", stdin="e = STOP(START(':z'))").out
    assert list(csv.reader(io.StringIO(written)))[1] == ["http://f.example/z", "tab\tbell\x07"]


def test_a_limit_is_told(pylf: Command) -> None:
    program = "e = STOP(START('rocket'))"
    status, out, err = pylf("run", "-", "--limit", "3", stdin=program)
    assert status == 0
    assert len(out.splitlines()) == 3
    assert "answers, the first 3 shown" in err
    everything = json.loads(pylf("run", "-", "--limit", "3", "--json", stdin=program).out)
    assert len(everything["answers"]) > 3


def test_the_reading_of_negation_is_told_with_the_answer(pylf: Command, example: Path) -> None:
    closed = pylf("run", example)
    partial = pylf("run", example, "--negation", "pca")
    assert "answers, negation read by partial completeness" in partial.err
    assert "answers, negation read by the closed world" in closed.err
    assert "negation" not in pylf("run", "-", stdin="e = STOP(START('rocket'))").err
    assert (
        "closed world"
        in pylf("run", "-", stdin="e = STOP(COUNT(JOIN('spaceflight.rocket.stages', 'x', neg=True)))").err
    )
    assert set(partial.out.splitlines()) < set(closed.out.splitlines())
    assert json.loads(pylf("run", example, "--negation", "pca", "--json").out)["negation"] == "pca"


def test_levels_of_optimization_answer_the_same(pylf: Command, root: Path) -> None:
    for name in ("not_by_boeing", "outer_negation", "strongest_engine_of_heaviest_rocket", "makers_of_1960"):
        path = root / "examples" / f"{name}.pylf"
        assert pylf("run", path, "-O0").out == pylf("run", path, "-O1").out


def test_topics_are_left_out_on_request(pylf: Command) -> None:
    program = "e = STOP(JOIN(CLOSURE('organization.organization.merged_into', min=0), START('Boeing Company')))"
    assert "boeing>" in pylf("run", "-", stdin=program).out
    status, out, _ = pylf("run", "-", "--exclude-topic", stdin=program)
    assert status == 0
    assert "rockets/boeing>" not in out


def test_ir_is_run_too(pylf: Command, example: Path) -> None:
    for form in ("ir", "json"):
        text = pylf("compile", example, "--to", form).out
        assert pylf("run", "-", "--from", form, stdin=text).out == pylf("run", example).out


def test_why_tells_known_otherwise_from_nothing_recorded(pylf: Command, example: Path) -> None:
    status, out, _ = pylf("run", example, "--why")
    assert status == 0
    assert "known otherwise" in out
    assert "nothing recorded" in out
    data = json.loads(pylf("run", example, "--why", "--json").out)
    assert data["why"]


def test_why_nothing_was_found(pylf: Command) -> None:
    program = (
        "e = STOP(AND(JOIN('spaceflight.rocket.manufacturer', START('SpaceX')),"
        " CMP('>', 'spaceflight.rocket.mass', 1e12)))"
    )
    status, out, err = pylf("run", "-", "--why", stdin=program)
    assert status == 0
    assert "0 answers" in err
    assert "1e12" in out
    assert json.loads(pylf("run", "-", "--why", "--json", stdin=program).out)["why"]


def test_why_of_every_example_in_both_formats(pylf: Command, root: Path) -> None:
    for example in sorted((root / "examples").glob("*.pylf")):
        status, out, _ = pylf("run", example, "--why")
        assert status == 0, example.name
        assert out.strip()
        assert json.loads(pylf("run", example, "--why", "--json", "--limit", "2").out)["why"]


def test_a_graph_is_asked_in_the_dialect_of_its_engine(pylf: Command, example: Path, here: Path) -> None:
    status, out, err = pylf("run", example, "--dialect", "virtuoso")
    assert (status, out) == (2, "")
    assert err.startswith("pylf run: there is no option --dialect\n")
    told = pylf("run", "--help").out
    assert "--dialect" not in told
    assert "in the dialect of the graph's engine" in told
    plain = pylf("run", example, "--json")
    (here / "pylf.toml").write_text('dialect = "virtuoso"\n')  # for what is compiled
    assert pylf("run", example, "--json") == plain


def test_why_is_not_told_in_csv(pylf: Command, example: Path) -> None:
    assert "--why is told in the formats table and json" in pylf("run", example, "--why", "--format", "csv").err


def test_an_engine_that_fails_is_4(pylf: Command, example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pylf.backends.engines.oxigraph import OxigraphEngine
    from pylf.errors import EngineError

    def fails(*_: object, **__: object) -> None:
        raise EngineError("the engine gave up")

    monkeypatch.setattr(OxigraphEngine, "run", fails)
    status, out, err = pylf("run", example)
    assert (status, out) == (4, "")
    assert err.endswith("pylf: the engine gave up\n")


def test_a_time_limit_is_4(pylf: Command) -> None:
    sets = ", ".join("JOIN('spaceflight.vehicle.operators', START('organization'), neg=True)" for _ in range(40))
    status, out, err = pylf("run", "-", "--timeout", "0.000001", stdin=f"e = STOP(COUNT(AND({sets})))")
    assert (status, out) == (4, "")
    assert "pylf: " in err


@pytest.mark.parametrize("content", [b"", b"\x00\x01", b"<a> <b> <c> .", b"no rdf at all"])
def test_graphs_that_are_none(pylf: Command, example: Path, here: Path, content: bytes) -> None:
    (here / "g.nt").write_bytes(content)
    status, out, err = pylf("run", example, "--kg", "g.nt")
    assert (status, out) == (2, "")
    assert err
