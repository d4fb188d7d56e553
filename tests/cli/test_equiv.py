"""``pylf equiv``: what is printed of each verdict, exit statuses, and what is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pylf.ir.memory import MemoryGraph

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command

BOEING = "e = STOP(JOIN('spaceflight.rocket.manufacturer', START(':boeing')))\n"
NOT_BOEING = "e = STOP(JOIN('spaceflight.rocket.manufacturer', START(':boeing'), neg=True))\n"


@pytest.fixture(autouse=True)
def _programs(here: Path) -> None:
    (here / "a.pylf").write_text(BOEING)
    (here / "not_a.pylf").write_text(NOT_BOEING)
    (here / "twice.pylf").write_text("e = STOP(AND(START('rocket'), START('rocket')))")
    (here / "bad.pylf").write_text(BOEING.replace("manufacturer", "manufacterer"))


def test_equivalent(pylf: Command, here: Path) -> None:
    (here / "rocket.pylf").write_text("e = STOP(START('rocket'))")
    status, out, err = pylf("equiv", "twice.pylf", "rocket.pylf")
    assert status == 0
    assert out.startswith("equivalent: ")
    assert out.count("\n") == 1
    assert err.count("using the bundled graph") == 1


def test_different(pylf: Command) -> None:
    status, out, _ = pylf("equiv", "a.pylf", "not_a.pylf")
    assert status == 1
    verdict, turtle, answers = out.split("\n\n")
    assert verdict == "different: on this graph the answers differ"
    assert len(MemoryGraph.parse(turtle)) == 1
    assert [line.partition(":")[0] for line in answers.splitlines()] == ["a.pylf", "not_a.pylf"]
    assert answers.count("nothing") == 1


def test_undecided(pylf: Command, here: Path) -> None:
    best = "ARG('ARGMAX', {}, 'spaceflight.rocket.mass')"
    either = ("START('rocket')", "START('rocket_stage')")
    (here / "once.pylf").write_text(f"e = STOP({best.format('OR({}, {})'.format(*either))})")
    (here / "again.pylf").write_text(f"e = STOP({best.format('OR({}, {})'.format(*map(best.format, either)))})")
    status, out, _ = pylf("equiv", "once.pylf", "again.pylf", "--bound", "1", "--seconds", "0.5")
    assert status == 3
    assert out.startswith("undecided: no proof, and no difference on ")


@pytest.mark.parametrize("form", ["ir", "json", "sexpr", "graphquery"])
def test_forms(pylf: Command, form: str) -> None:
    written = pylf("compile", "a.pylf", "--to", form).out
    assert pylf("equiv", "a.pylf", "-", "--from-b", form, stdin=written).status == 0
    assert pylf("equiv", "-", "not_a.pylf", "--from-a", form, stdin=written).status == 1


def test_one_form_for_both(pylf: Command, here: Path) -> None:
    (here / "a.ir").write_text(pylf("compile", "a.pylf", "--to", "ir").out)
    (here / "not_a.ir").write_text(pylf("compile", "not_a.pylf", "--to", "ir").out)
    assert pylf("equiv", "a.ir", "a.ir", "--from", "ir").status == 0
    assert pylf("equiv", "a.ir", "not_a.ir", "--from", "ir").status == 1
    assert pylf("equiv", "a.ir", "a.pylf", "--from", "ir", "--from-b", "pylf").status == 0


def test_negation_is_read_as_asked(pylf: Command, here: Path) -> None:
    (here / "some.pylf").write_text(
        "b = START(':boeing')\n"
        "e = STOP(AND(JOIN('spaceflight.rocket.manufacturer', b, neg=True),"
        " JOIN('spaceflight.rocket.manufacturer', START('rocket_manufacturer'))))\n"
    )
    assert pylf("equiv", "not_a.pylf", "some.pylf").status == 1


def test_json(pylf: Command) -> None:
    status, out, _ = pylf("equiv", "a.pylf", "not_a.pylf", "--json")
    data = json.loads(out)
    assert status == 1
    assert data["verdict"] == "different"
    assert sorted(map(len, data["answers"])) == [0, 1]
    assert len(MemoryGraph.parse(data["graph"])) == 1
    assert data["searched"]["bound"] == 3
    status, out, _ = pylf("equiv", "a.pylf", "a.pylf", "--json")
    data = json.loads(out)
    assert (status, data["verdict"]) == (0, "equivalent")
    assert "graph" not in data


def test_a_graph_of_ones_own(pylf: Command, films: Path, here: Path) -> None:
    (here / "x.pylf").write_text("e = STOP(JOIN('director', START('Jean')))")
    (here / "y.pylf").write_text("e = STOP(JOIN('director', START(':j')))")
    asked = ("--kg", films, "--vocab", "vocabulary.toml")
    assert pylf("equiv", "x.pylf", "y.pylf", *asked).status == 0
    (here / "y.pylf").write_text("e = STOP(JOIN('director', START('Kai')))")
    assert pylf("equiv", "x.pylf", "y.pylf", *asked).status == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("-", "-"), "one of the two programs, not both"),
        (("a.pylf", "missing.pylf"), "missing.pylf: no such file"),
        (("a.pylf", "bad.pylf"), "bad.pylf:1:15"),
        (("a.pylf",), "required"),
        (("a.pylf", "a.pylf", "--bound", "0"), "above 0"),
        (("a.pylf", "a.pylf", "--bound", "-1"), "above 0"),
        (("a.pylf", "a.pylf", "--seconds", "nan"), "above 0"),
        (("a.pylf", "a.pylf", "--seconds", "-1"), "above 0"),
        (("a.pylf", "a.pylf", "--from-a", "prolog"), "'prolog' is not known"),
        (("a.pylf", "a.pylf", "--from-b", "ir"), "<ir>"),
    ],
)
def test_bad_input(pylf: Command, arguments: tuple[str, ...], told: str) -> None:
    status, out, err = pylf("equiv", *arguments)
    assert status == 2
    assert told.replace("<ir>", "a.pylf") in err
    assert out == ""


def test_bad_input_as_json(pylf: Command) -> None:
    status, out, err = pylf("equiv", "a.pylf", "bad.pylf", "--json")
    assert status == 2
    assert json.loads(out)["diagnostics"][0]["code"] == "unknown-relation"
    assert "bad.pylf:1:15" in err
