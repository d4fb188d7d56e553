"""``pylf.toml``: defaults that flags win over, and what is wrong with one that is wrong."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pylf.config import read_config
from pylf.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command


def test_nothing_is_settled_where_there_is_none(here: Path) -> None:
    assert read_config() == {}


def test_defaults_serve_and_flags_win(pylf: Command, films: Path, here: Path) -> None:
    (here / "pylf.toml").write_text('kg = "films.ttl"\nvocabulary = "vocabulary.toml"\nnegation = "pca"\n')
    program = "e = STOP(JOIN('director', START('Kai'), neg=True))"
    status, out, err = pylf("run", "-", stdin=program)
    assert (status, out) == (0, "Amélie  <http://f.example/é>\n")
    assert "bundled" not in err
    assert len(pylf("run", "-", "--negation", "cwa", stdin=program).out.splitlines()) == 2
    assert pylf("check", "-", stdin=program).out == "-: ok\n"
    assert "Film → Person" in pylf("schema", "show").out
    assert "of its" not in pylf("compile", "-", "--to", "english", stdin=program).out


def test_switches_can_be_turned_off_again(pylf: Command, here: Path, root: Path) -> None:
    (here / "pylf.toml").write_text("strict = true\n")
    extension = root / "examples" / "venus_or_mercury.pylf"
    assert pylf("compile", extension).status == 2
    assert pylf("compile", extension, "--no-strict").status == 0
    (here / "pylf.toml").write_text("lenient = true\n")
    clash = "e = STOP(JOIN('spaceflight.rocket.mass', START('rocket')))"
    assert pylf("compile", "-", stdin=clash).status == 0
    assert pylf("compile", "-", "--no-lenient", stdin=clash).status == 2


def test_a_dialect_is_a_default_too(pylf: Command, here: Path, example: Path) -> None:
    plain = pylf("compile", example, "--dialect", "rdflib").out
    (here / "pylf.toml").write_text('dialect = "rdflib"\n')
    assert pylf("compile", example).out == plain


def test_a_level_is_a_default_too(pylf: Command, here: Path, root: Path) -> None:
    example = root / "examples" / "strongest_engine_of_heaviest_rocket.pylf"
    written = [
        pylf("compile", example, "--kg", "bundled", f"-O{level}", "--dialect", "oxigraph").out for level in (0, 1, 2)
    ]
    assert len(set(written)) == 3
    for level in (0, 1, 2):
        (here / "pylf.toml").write_text(f"optimize = {level}\n")
        assert read_config() == {"optimize": level}
        assert pylf("compile", example, "--kg", "bundled", "--dialect", "oxigraph").out == written[level]
        assert pylf("compile", example, "--kg", "bundled", "--dialect", "oxigraph", "-O1").out == written[1]
        sparql = json.loads(pylf("run", example, "--json").out)["sparql"]
        assert sparql == json.loads(pylf("run", example, "--json", f"-O{level}").out)["sparql"]


def test_a_graph_is_loaded_with_the_vocabulary_that_is_settled(pylf: Command, films: Path, here: Path) -> None:
    (here / "pylf.toml").write_text('vocabulary = "vocabulary.toml"\n')
    assert pylf("kg", "load", "films.ttl", "--into", "g").status == 0
    assert json.loads(pylf("kg", "info", "g", "--json").out)["vocabulary"]["name"] == "f"
    assert "\n  name " in pylf("kg", "info", "g").out


def test_paths_are_relative_to_the_file(here: Path) -> None:
    folder = here / "project"
    folder.mkdir()
    (folder / "g.ttl").write_text("")
    (folder / "pylf.toml").write_text('kg = "g.ttl"\nvocabulary = "freebase"\n', encoding="utf-8-sig")
    settings = read_config(str(folder))
    assert settings == {"kg": str(folder / "g.ttl"), "vocabulary": "freebase"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("kgs = 'x'", "there is no setting 'kgs'; was 'kg' meant?"),
        ("zzz = 1", "there is no setting 'zzz'; the settings are kg, schema"),
        ("[kg]\npath = 'x'", "kg has to be text in quotation marks"),
        ("kg = 1", "kg has to be text in quotation marks"),
        ("kg = ''", "kg is empty"),
        ('kg = "a\\u0000b"', "kg holds a null character"),
        ("schema = ['x']", "schema has to be text"),
        ("vocabulary = true", "vocabulary has to be text"),
        ("negation = 'open'", "negation has to be cwa or pca, not 'open'"),
        (
            "dialect = 'mysql'",
            "dialect has to be sparql11 or oxigraph or rdflib or virtuoso or jena or qlever or blazegraph, not 'mysql'",
        ),
        ("strict = 'yes'", "strict has to be true or false"),
        ("lenient = 1", "lenient has to be true or false"),
        ("optimize = 3", "optimize has to be 0, 1 or 2"),
        ("optimize = true", "optimize has to be 0, 1 or 2"),
        ("optimize = '2'", "optimize has to be 0, 1 or 2, without quotation marks"),
        ("optimise = 2", "was 'optimize' meant?"),
        ("kg = ", "this is not TOML"),
        ("kg = 'a'\nkg = 'b'", "this is not TOML"),
        ("\xff", None),
        ("x = " + "[" * 3000, "this is not TOML"),
    ],
)
def test_what_is_wrong_is_named(pylf: Command, here: Path, example: Path, text: str, told: str | None) -> None:
    (here / "pylf.toml").write_bytes(text.encode("latin-1"))
    status, out, err = pylf("compile", example)
    assert (status, out) == (2, "")
    assert err.startswith("pylf: pylf.toml: ")
    assert (told or "this is not TOML") in err


def test_a_folder_of_that_name_is_told(here: Path) -> None:
    (here / "pylf.toml").mkdir()
    with pytest.raises(InputError, match=r"pylf\.toml: is a directory"):
        read_config()


def test_a_graph_that_is_not_there_is_named(pylf: Command, here: Path, example: Path) -> None:
    (here / "pylf.toml").write_text('kg = "nowhere.ttl"\n')
    status, _, err = pylf("run", example)
    assert status == 2
    assert "nowhere.ttl" in err


def test_help_and_version_do_not_need_it(pylf: Command, here: Path) -> None:
    (here / "pylf.toml").write_text("kg = ")
    assert pylf("--version").status == 0
    assert pylf("run", "--help").status == 0
    assert pylf("fmt", "-", stdin="e = STOP(START('x'))").status == 0
