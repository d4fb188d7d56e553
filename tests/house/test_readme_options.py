"""README's table of options says which commands have each, as the commands themselves do."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from pylf.cli.dispatch import parser_for

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
QUESTIONS = frozenset(("compile", "check", "run", "opt", "equiv"))
#: from so many commands on, an option has to be in the table
_COMMON = 3
_EVERYWHERE = {"-h", "--help"}


def commands(parser: ArgumentParser, name: str = "") -> Iterator[tuple[str, set[str]]]:
    """Each command that does something, with the names of its options."""
    below = [action.choices for action in parser._actions if isinstance(action.choices, dict)]
    for choices in below:
        for word, sub in choices.items():
            yield from commands(sub, f"{name} {word}".strip())
    if name and not below:
        yield name, {option for action in parser._actions for option in action.option_strings} - _EVERYWHERE


def known() -> dict[str, set[str]]:
    found = defaultdict(set)
    for name, options in commands(parser_for(every=True)):
        for option in options:
            found[option].add(name)
    return found


def told() -> dict[str, set[str]]:
    table = README.partition("| option | of | does |\n")[2].partition("\n\n")[0]
    found = {}
    for row in table.splitlines()[1:]:
        options, of, _ = re.split(r"(?<!\\)\|", row.strip("| "), maxsplit=2)
        named = set(re.findall(r"`([a-z ]+)`", of)) | (QUESTIONS if "questions" in of else set())
        for option in re.findall(r"`(--?[A-Za-z-]+)[^`]*`", options):
            assert found.setdefault(option, named) == named, option
    return found


def test_each_option_is_of_the_commands_that_the_table_says() -> None:
    have, said = known(), told()
    assert len(said) > 20
    assert {option: sorted(of) for option, of in said.items()} == {option: sorted(have[option]) for option in said}


def test_options_of_several_commands_are_in_the_table() -> None:
    common = {option for option, of in known().items() if len(of) >= _COMMON and option.startswith("--")}
    assert {option for option in common if not option.startswith("--no-") or option == "--no-cache"} <= told().keys()


def test_every_command_has_a_row() -> None:
    table = README.partition("| command | does |\n")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `pylf ([a-z]+(?: [a-z]+)?)", table, re.MULTILINE)
    assert set(rows) == {name for name, _ in commands(parser_for(every=True))}


def test_all_that_read_questions_have_their_options() -> None:
    assert known()["--from"] == QUESTIONS | {"fmt"}
