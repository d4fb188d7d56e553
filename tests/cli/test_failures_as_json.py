"""With ``--json`` a command that fails tells so as JSON, and tells a person on standard error as well."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pylf.cli.dispatch import COMMANDS, parser_for

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from tests.cli.conftest import Command

#: a call of each command that takes ``--json``, of a file that is not there
UNREAD = {
    "compile": ("compile", "none.pylf"),
    "check": ("check", "none.pylf"),
    "run": ("run", "none.pylf"),
    "opt": ("opt", "none.pylf"),
    "equiv": ("equiv", "none.pylf", "none.pylf"),
    "schema": ("schema", "show", "--schema", "none.ttl"),
    "kg load": ("kg", "load", "none.ttl", "--into", "graph"),
    "kg info": ("kg", "info", "none"),
    "doctor": ("doctor", "none.ttl"),
    "eval run": ("eval", "run", "none.jsonl", "--method", "gold", "-o", "records.jsonl"),
    "eval score": ("eval", "score", "none.jsonl"),
    "eval compare": ("eval", "compare", "none.jsonl", "none.jsonl"),
    "dataset": ("dataset", "stats", "none.jsonl"),
    "llm": ("llm", "serve", "--model", "none.gguf"),
}


def takes_json(parser: argparse.ArgumentParser) -> bool:
    inner = [
        choice for action in parser._actions if isinstance(action.choices, dict) for choice in action.choices.values()
    ]
    return "--json" in parser._option_string_actions or any(map(takes_json, inner))


def test_every_command_that_takes_json_is_here() -> None:
    commands = parser_for(every=True)._subparsers
    assert commands is not None
    (action,) = commands._group_actions
    assert isinstance(action.choices, dict)
    assert {name.partition(" ")[0] for name in UNREAD} == {
        name for name in COMMANDS if takes_json(action.choices[name])
    }


@pytest.mark.parametrize("arguments", UNREAD.values(), ids=UNREAD)
def test_a_file_that_cannot_be_read(pylf: Command, arguments: tuple[str, ...]) -> None:
    plain = pylf(*arguments)
    assert plain.status == 2
    status, out, err = pylf(*arguments, "--json")
    assert (status, err) == (2, plain.err)
    told = json.loads(out)
    (finding,) = told if arguments[0] == "check" else told["diagnostics"]
    assert (finding["code"], finding["severity"]) == ("bad-input", "error")
    assert "none" in finding["message"]
    assert f"pylf: {finding['message']}" in err


def test_a_file_among_others_is_in_the_list_of_check(pylf: Command, here: Path, example: Path) -> None:
    status, out, _ = pylf("check", example, "none.pylf", "--json")
    assert status == 2
    assert [(found["code"], found["file"]) for found in json.loads(out)] == [("bad-input", "none.pylf")]
    status, out, _ = pylf("check", example, "--kg", "none.ttl", "--json")
    assert status == 2
    assert [found["code"] for found in json.loads(out)] == ["bad-input"]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("run", "--json"), "bad-call", "required: FILE"),
        (("run", "a", "--json", "--limit", "0"), "bad-call", "above 0"),
        (("run", "a", "--format", "json"), "bad-input", "a: no such file"),
        (("opt", "a", "--list", "--json"), "bad-input", "leave the rest out"),
        (("opt", "a", "-p", "minimise", "--json"), "bad-input", "was 'minimize' meant?"),
        (("equiv", "-", "-", "--json"), "bad-input", "not both"),
    ],
)
def test_other_mistakes(pylf: Command, arguments: tuple[str, ...], code: str, words: str) -> None:
    status, out, err = pylf(*arguments)
    assert status == 2
    (finding,) = json.loads(out)["diagnostics"]
    assert finding["code"] == code
    assert words in finding["message"]
    assert finding["message"][:40] in err


def test_without_json_nothing_is_on_standard_output(pylf: Command) -> None:
    for arguments in (("run", "none.pylf"), ("run", "none.pylf", "--format", "csv"), ("run", "--timeout", "0")):
        assert pylf(*arguments)[:2] == (2, "")
    assert pylf("compile", "none.jsonl", "--batch", "--field", "program", "--json")[:2] == (2, "")
