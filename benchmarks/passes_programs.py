"""The programs that the passes are measured with: read from ``passes_programs.toml``, made of a graph's own words."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

_FILE = Path(__file__).with_suffix(".toml")
_NAME = re.compile(r"\{(\w+)\}")


@record
class Program:
    """A program: its family, what it asks, and its one expression, with names in braces for what is a graph's own."""

    family: str
    title: str
    expression: str

    def text(self, words: Mapping[str, str]) -> str:
        """The PyLF text for a graph."""
        return f"answer = STOP({_NAME.sub(lambda found: words[found[1]], self.expression).strip()})\n"


def programs(only: str = "") -> tuple[Program, ...]:
    """All programs, or those of the families whose names contain ``only``, in the order of the file."""
    import tomllib

    with _FILE.open("rb") as file:
        families: dict[str, dict[str, str]] = tomllib.load(file)
    return tuple(
        Program(family, title, expression)
        for family, members in families.items()
        if only in family
        for title, expression in members.items()
    )


def names(asked: tuple[Program, ...]) -> frozenset[str]:
    """The names in braces that occur in programs."""
    return frozenset(name for program in asked for name in _NAME.findall(program.expression))
