"""``pylf schema`` and ``pylf kg``: what they print, what they write, what is left when they are interrupted."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Command


@pytest.fixture
def rockets() -> Path:
    from pylf.datasets import bundled

    return bundled.path("rockets.ttl")


# -- schema


def test_show_lists_relations_with_both_ends_and_classes(pylf: Command) -> None:
    status, out, err = pylf("schema", "show")
    assert status == 0
    assert "bundled graph" in err
    assert "spaceflight.rocket.manufacturer " in out
    assert "rocket → rocket manufacturer" in out
    assert "spaceflight.rocket.mass " in out
    assert "rocket → xsd:decimal" in out
    assert "orbital launch vehicle" in out


def test_show_like_finds_by_name_and_by_label(pylf: Command) -> None:
    by_name = pylf("schema", "show", "--like", "MASS")
    assert by_name.status == 0
    assert [line.split()[0] for line in by_name.out.splitlines()] == [
        "relations",
        "spaceflight.rocket.mass",
        "spaceflight.spacecraft.mass",
    ]
    assert by_name.err.endswith("2 relations, 0 classes\n")
    assert "spaceflight.orbital_rocket" in pylf("schema", "show", "--like", "launch vehicle").out
    nothing = pylf("schema", "show", "--like", "zebra")
    assert (nothing.status, nothing.out) == (1, "")


def test_show_tells_all_of_one_name(pylf: Command) -> None:
    out = pylf("schema", "show", "spaceflight.rocket.mass").out
    assert "domain       rocket\n" in out
    assert "datatypes    xsd:decimal\n" in out
    out = pylf("schema", "show", "rocket").out
    assert "  spaceflight.rocket.mass\n" in out
    status, out, err = pylf("schema", "show", "spaceflight.rocket.maas")
    assert (status, out) == (2, "")
    assert "the nearest names are 'spaceflight.rocket.mass'" in err


def test_show_json(pylf: Command) -> None:
    data = json.loads(pylf("schema", "show", "--json").out)
    assert set(data) == {"overview", "relations", "classes"}
    assert data["overview"]["relations"] == len(data["relations"])
    mass = next(r for r in data["relations"] if r["name"] == "spaceflight.rocket.mass")
    assert (mass["from"], mass["to"]) == ("rocket", "xsd:decimal")
    found = json.loads(pylf("schema", "show", "--like", "mass", "--json").out)
    assert [r["name"] for r in found["relations"]] == ["spaceflight.rocket.mass", "spaceflight.spacecraft.mass"]
    one = json.loads(pylf("schema", "show", "spaceflight.rocket.mass", "--json").out)
    assert one["relations"][0]["datatypes"] == ["http://www.w3.org/2001/XMLSchema#decimal"]


def test_a_large_schema_is_not_listed_whole(pylf: Command, here: Path) -> None:
    lines = [
        f"<http://x/r{i}> <http://www.w3.org/2000/01/rdf-schema#domain> <http://x/c{i % 150}> ." for i in range(300)
    ]
    (here / "large.nt").write_text("\n".join(lines) + "\n")
    status, out, err = pylf("schema", "show", "--schema", "large.nt")
    assert status == 0
    assert len(out.splitlines()) < 60
    assert "--like TEXT" in err
    assert len(pylf("schema", "show", "--schema", "large.nt", "--like", "r").out.splitlines()) > 300


def test_infer_writes_a_schema_that_compiles_programs(pylf: Command, films: Path, here: Path) -> None:
    given = ("--vocab", "vocabulary.toml")
    status, out, err = pylf("schema", "infer", "films.ttl", "-o", "films.sqlite", *given)
    assert (status, out) == (0, "")
    assert err.startswith("films.sqlite: ")
    program = "e = STOP(JOIN('director', START('Kai'), neg=True))"
    out = pylf("compile", "-", "--schema", "films.sqlite", *given, "--to", "english", stdin=program).out
    assert out == "What are the films whose ‘director’ does not include ‘Kai’?\n"
    assert "Film → Person" in pylf("schema", "show", "--schema", "films.sqlite", *given).out
    assert "Film → Person" in pylf("schema", "show", "--kg", "films.ttl", *given).out


@pytest.mark.parametrize(
    "arguments",
    [
        ["infer", "missing.ttl", "-o", "s.sqlite"],
        ["infer", "films.ttl", "-o", "none/s.sqlite"],
        ["infer", "films.ttl", "-o", "."],
        ["infer", ".", "-o", "s.sqlite"],
        ["show", "--schema", "missing.ttl"],
        ["show", "--kg", "missing"],
        ["show", "--kg", "."],
        ["show", "--vocab", "nonsense", "--schema", "films.ttl"],
    ],
)
def test_schema_complains_in_words(pylf: Command, films: Path, here: Path, arguments: list[str]) -> None:
    status, out, err = pylf("schema", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("pylf: ")
    assert not (here / "s.sqlite").exists()


# -- kg


def test_load_describe_and_ask(
    pylf: Command, rockets: Path, here: Path, example: Path, listed: Callable[[], list[str]]
) -> None:
    status, out, err = pylf("kg", "load", rockets, "--into", "g")
    assert (status, out) == (0, "")
    assert err.startswith("g: 5,")
    status, out, _ = pylf("kg", "info", "g")
    assert status == 0
    assert "triples     5,5" in out
    info = json.loads(pylf("kg", "info", "g", "--json").out)
    assert info["triples"] > 5000
    assert pylf("run", example, "--kg", "g").status == 0
    status, _, err = pylf("kg", "load", rockets, "--into", "g")
    assert status == 2
    assert "--replace" in err
    assert (
        json.loads(pylf("kg", "load", rockets, "--into", "g", "--replace", "--json").out)["triples"] == info["triples"]
    )
    assert listed() == ["g"]


def test_load_several_files_gzipped_and_without_schema(pylf: Command, here: Path) -> None:
    import gzip

    (here / "a.nt.gz").write_bytes(gzip.compress("<http://x/a> <http://x/p> <http://x/é𝒳> .\n".encode()))
    (here / "b.ttl").write_text("<b> <p> <c> .")
    status, _, err = pylf("kg", "load", "a.nt.gz", "b.ttl", "--into", "g", "--base", "http://x/", "--no-schema")
    assert status == 0
    assert "g: 2 triples" in err
    assert json.loads(pylf("kg", "info", "g", "--json").out)["schema"] is False


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("missing.nt", None),
        ("bad.nt", b"<a <b> .\n"),
        ("bin.ttl", b"\x00\xff"),
        ("x.unknown", b""),
        (".", None),
        ("b.nt.gz", b"no gzip"),
    ],
)
def test_a_load_that_fails_leaves_nothing(
    pylf: Command, here: Path, name: str, content: bytes | None, listed: Callable[[], list[str]]
) -> None:
    if content is not None:
        (here / name).write_bytes(content)
    status, out, err = pylf("kg", "load", name, "--into", "g")
    assert (status, out) == (2, "")
    assert name in err
    assert listed() == ([name] if content is not None else [])


@pytest.mark.parametrize("folder", ["missing", ".", "file"])
def test_info_of_what_is_no_graph(pylf: Command, here: Path, folder: str) -> None:
    (here / "file").write_text("x")
    status, out, err = pylf("kg", "info", folder)
    assert (status, out) == (2, "")
    assert folder in err


def test_ctrl_c_while_loading_leaves_nothing(here: Path, env: dict[str, str], listed: Callable[[], list[str]]) -> None:
    with (here / "large.nt").open("w") as stream:
        for i in range(400_000):
            stream.write(f"<http://x/{i}> <http://x/p{i % 50}> <http://x/{i * 7 % 400_000}> .\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "pylf", "kg", "load", "large.nt", "--into", "g"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env,
    )
    while process.poll() is None and len(listed()) == 1:
        time.sleep(0.02)  # until it has begun to write
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, err) == (b"", b"pylf: interrupted\n")
    assert listed() == ["large.nt"]
