"""Freebase's schema files on the command line: as a schema, turned into a schema file, and what is said of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command

LEFT_OUT = "left out of the schema: fb_roles: 1 malformed line (12)\n"


@pytest.fixture
def folder(root: Path) -> Path:
    return root / "examples" / "freebase"


def test_a_folder_is_taken_as_schema_and_what_it_lacks_is_said_once(pylf: Command, folder: Path) -> None:
    done = pylf("compile", folder / "spielberg_without_ford.pylf", "--schema", folder)
    assert done.status == 0
    assert "<http://rdf.freebase.com/ns/film.film.directed_by>" in done.out
    assert done.err == LEFT_OUT


def test_read_shows_each_malformed_line_and_writes_a_schema_file(pylf: Command, folder: Path, here: Path) -> None:
    done = pylf("schema", "read", folder, "-o", here / "fb.sqlite")
    assert (done.status, done.out) == (0, "")
    assert done.err.startswith("warning[malformed-line]: two records on one line: left out\n")
    assert f"--> {folder}/fb_roles:12:1\n" in done.err
    assert done.err.endswith(f"{LEFT_OUT}{here}/fb.sqlite: 16 relations, 11 classes\n")
    shown = pylf("schema", "show", "film.performance", "--schema", here / "fb.sqlite", "--json")
    assert shown.err == LEFT_OUT
    (found,) = json.loads(shown.out)["classes"]
    assert found["compound"] is True


def test_read_takes_any_schema_that_is_stated(pylf: Command, root: Path, here: Path) -> None:
    done = pylf("schema", "read", root / "examples/lakes/schema.ttl", "-o", here / "lakes.sqlite")
    assert done.status == 0
    assert done.err.startswith(f"{here}/lakes.sqlite: ")
    assert "no class or relation" not in done.err
    assert pylf("schema", "show", "--schema", here / "lakes.sqlite", "--like", "lake").status == 0


def test_of_data_read_names_what_infers_a_schema(pylf: Command, films: Path, here: Path) -> None:
    done = pylf("schema", "read", films, "-o", "films.sqlite")
    assert done.status == 0
    remedy = f"pylf schema infer {films} -o films.sqlite"
    assert done.err.splitlines() == [
        "films.sqlite: 0 relations, 0 classes",
        f"no class or relation is declared in {films}; if it holds data, infer a schema from them: {remedy}",
    ]
    assert "3 relations" in pylf(*remedy.split()[1:]).err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("none", "-o", "x.sqlite"), "none"),
        (("{folder}", "-o", "x.txt"), "a schema file is SQLite's"),
        (("{folder}", "-o", "."), "is a directory"),
    ],
)
def test_read_refuses_what_it_cannot_do(pylf: Command, folder: Path, arguments: tuple[str, ...], told: str) -> None:
    done = pylf("schema", "read", *(part.format(folder=folder) for part in arguments))
    assert (done.status, done.out) == (2, "")
    assert told in done.err


def test_what_is_left_out_is_said_beside_a_graph_too(pylf: Command, folder: Path, here: Path) -> None:
    ns = "http://rdf.freebase.com/ns/"
    (here / "films.nt").write_text(
        f"<{ns}m.1> <{ns}type.object.type> <{ns}film.film> .\n<{ns}m.1> <{ns}film.film.directed_by> <{ns}m.2> .\n",
        encoding="utf-8",
    )
    (here / "x.pylf").write_text("x = STOP(JOIN('film.film.directed_by', 'm.2'))\n", encoding="utf-8")
    done = pylf("run", "x.pylf", "--kg", "films.nt", "--schema", folder)
    assert done.status == 0
    assert f"{ns}m.1" in done.out
    assert LEFT_OUT in done.err
    inferred = pylf("schema", "infer", "films.nt", "--schema", folder, "-o", "films.sqlite")
    assert (inferred.status, inferred.err.startswith(LEFT_OUT)) == (0, True)


def test_pylf_toml_may_name_the_folder(pylf: Command, folder: Path, here: Path) -> None:
    (here / "pylf.toml").write_text(f'schema = "{folder.as_posix()}"\n', encoding="utf-8")
    done = pylf("compile", folder / "spielberg_without_ford.pylf")
    assert done.status == 0
    assert LEFT_OUT in done.err
