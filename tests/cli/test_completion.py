"""Completion scripts, tried in the shells that are installed."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command

BASH = """
source ./script
complete_() {
    COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
    function_=$(complete -p pylf | sed 's/.*-F \\([^ ]*\\).*/\\1/')
    $function_ pylf "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
    echo "${COMPREPLY[*]}"
}
"""
LINES = [
    (["pylf", "co"], {"compile", "completion"}),
    (["pylf", "compile", "--t"], {"--to", "--today", "--ties", "--timeout"}),
    (["pylf", "compile", "--from", "s"], {"sexpr", "sparql", "subgraph"}),
    (["pylf", "fmt", "--from", "p"], {"pylf", "path"}),
    (["pylf", "kg", "load", "--confidence", ""], {"reification", "n-ary", "singleton", "triple-term", "quad"}),
    (["pylf", "compile", "--to", "s"], {"sexpr", "sparql", "subgraph", "svg"}),
    (["pylf", "schema", "s"], {"show"}),
    (["pylf", "kg", "load", "--in"], {"--into"}),
    (["pylf", "run", "x", "--format", ""], {"table", "json", "csv"}),
    (["pylf", "compile", "progr"], {"program.pylf"}),
    (["pylf", "opt", "-p", "o"], {"orient-inverses", "order-joins"}),
    (["pylf", "compile", "--print-after", "p"], {"push-negation", "plan-extremes", "project-early"}),
]


@pytest.fixture
def script(pylf: Command, here: Path, request: pytest.FixtureRequest) -> Path:
    shell = request.param
    status, out, err = pylf("completion", shell)
    assert (status, err) == (0, "")
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (here / "script").write_text(out, encoding="utf-8")
    (here / "program.pylf").touch()
    return here / "script"


@pytest.mark.parametrize("script", ["bash"], indirect=True)
def test_bash_completes(script: Path) -> None:
    calls = "\n".join("complete_ " + " ".join(f"'{word}'" for word in words) for words, _ in LINES)
    done = subprocess.run(["bash", "-c", BASH + calls], capture_output=True, text=True, check=True)
    assert [set(line.split()) for line in done.stdout.splitlines()] == [expected for _, expected in LINES]


@pytest.mark.parametrize("script", ["fish"], indirect=True)
def test_fish_completes(script: Path) -> None:
    for words, expected in LINES:
        line = " ".join(words)
        done = subprocess.run(
            ["fish", "--no-config", "-c", f"source script; complete -C'{line}'"],
            capture_output=True,
            text=True,
            check=True,
        )
        assert expected <= {found.split("\t")[0] for found in done.stdout.splitlines()}, line


@pytest.mark.parametrize("script", ["zsh"], indirect=True)
def test_zsh_reads_the_script(script: Path) -> None:
    assert subprocess.run(["zsh", "-n", script], capture_output=True, check=True).stderr == b""


@pytest.mark.parametrize("script", ["bash", "zsh", "fish"], indirect=True)
def test_every_command_and_option_is_there(script: Path) -> None:
    from pylf.cli.dispatch import COMMANDS

    text = script.read_text(encoding="utf-8")
    for name in (*COMMANDS, "infer", "info", "negation", "exclude-topic", "no-strict", "plan-extremes"):
        assert name in text


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_passes_are_values(pylf: Command, shell: str) -> None:
    from pylf.ir.passes import listed

    names = [one.name for one in listed()]
    lists = [line for line in pylf("completion", shell).out.splitlines() if all(name in line for name in names)]
    assert len(lists) >= 3, "for opt -p, opt --print-after and compile --print-after"
