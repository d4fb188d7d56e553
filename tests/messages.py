"""Files of texts that are refused, with what is said of each, word for word: TOML, to be read and judged by people.

Each ``[[case]]`` has a name, what is refused, and ``message`` as its last entry. Tests compare; after a change of words
the messages are written anew, and the difference is read before it is kept.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def read_cases(file: Path) -> list[dict[str, Any]]:
    """The cases of a file, in order."""
    import tomllib

    cases: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))["case"]
    return cases


def write_messages(file: Path, said: Callable[[dict[str, Any]], str]) -> None:
    """Write the file anew, each message being what is ``said`` of its case now; what stands before the cases stays."""
    header = file.read_text(encoding="utf-8").partition("[[case]]")[0]
    entries = []
    for case in read_cases(file):
        lines = [f"{key} = {_written(value)}" for key, value in case.items() if key != "message"]
        entries.append("\n".join(["[[case]]", *lines, f"message = {_written(said(case))}"]))
    file.write_text(header + "\n\n".join(entries) + "\n", encoding="utf-8")


def _written(value: str | bool) -> str:
    """A text or a flag as TOML writes it: a text as it is where it can be read so, else with escapes."""
    if isinstance(value, bool):
        return str(value).lower()
    if "\n" in value and "'''" not in value and all(c.isprintable() or c == "\n" for c in value):
        return f"'''\n{value}'''"
    if "'" not in value and "\\" not in value and value.isprintable():
        return f"'{value}'"
    return json.dumps(value, ensure_ascii=not value.isprintable())
