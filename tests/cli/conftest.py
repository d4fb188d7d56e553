"""The command line, called in this process and as a process of its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple, Protocol

import pytest

from pylf.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Outcome(NamedTuple):
    """What a command gave."""

    status: int
    out: str
    err: str


class Command(Protocol):
    """Calls ``pylf`` with these arguments, and this on standard input."""

    def __call__(self, *arguments: str | Path, stdin: str | bytes = b"") -> Outcome: ...


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def pylf(here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command in this process, in an empty working folder."""

    def call(*arguments: str | Path, stdin: str | bytes = b"") -> Outcome:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        status = main(list(map(str, arguments)))
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return Outcome(status, out, err)

    return call


@pytest.fixture
def process(here: Path, root: Path) -> Command:
    """The command as a process of its own, in an empty working folder."""

    def call(*arguments: str | Path, stdin: str | bytes = b"") -> Outcome:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [sys.executable, "-m", "pylf", *map(str, arguments)],
            input=data,
            capture_output=True,
            env=environment(root),
            timeout=60,
            check=False,
        )
        return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


def environment(root: Path, **more: str) -> dict[str, str]:
    """The environment in which this checkout is the one that is run."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    return kept | {"PYTHONPATH": str(root), "COLUMNS": "200"} | more


@pytest.fixture
def env(root: Path) -> dict[str, str]:
    """The environment of a process of its own."""
    return environment(root)


@pytest.fixture
def listed(here: Path) -> Callable[[], list[str]]:
    """The names that are in the working folder now, sorted."""
    return lambda: sorted(path.name for path in here.iterdir())


@pytest.fixture
def example(root: Path) -> Path:
    """A program that compiles on the bundled graph."""
    return root / "examples" / "not_by_boeing.pylf"


FILMS = """
@prefix : <http://f.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:é a :Film ; rdfs:label "Amélie" ; :director :j ; :year 2001 .
:𝒳 a :Film ; rdfs:label "𝒳" ; :director :k ; :year 1999 .
:z a :Film ; rdfs:label "tab\\tbell\\u0007" .
:j a :Person ; rdfs:label "Jean" . :k a :Person ; rdfs:label "Kai" .
"""


@pytest.fixture
def films(here: Path) -> Path:
    """A small graph with names from outside ASCII and outside the basic plane."""
    (here / "vocabulary.toml").write_text('name = "f"\n[prefixes]\n"" = "http://f.example/"\n', encoding="utf-8")
    path = here / "films.ttl"
    path.write_text(FILMS, encoding="utf-8")
    return path
