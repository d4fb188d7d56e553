"""Every program of fixtures/bad_syntax.toml is refused with exactly the words that stand there.

The file is for reading: what a user sees is judged there. After a change of words, ``PYLF_UPDATE=1 python -m pytest
tests/language/test_bad_syntax.py`` writes what the parser says now; read the difference before keeping it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pylf.errors import CompileError
from pylf.language.parser import parse

FILE = Path(__file__).parents[1] / "fixtures" / "bad_syntax.toml"


def read() -> list[dict[str, Any]]:
    import tomllib

    cases: list[dict[str, Any]] = tomllib.loads(FILE.read_text(encoding="utf-8"))["case"]
    return cases


def said(case: dict[str, Any]) -> str:
    with pytest.raises(CompileError) as caught:
        parse(case["program"], "draft.py", strict=case.get("strict", False))
    return f"{caught.value}\n"


def quoted(text: str) -> str:
    """A text as TOML writes it: as it is where it can be read so, else with escapes."""
    if "\n" in text and "'''" not in text and all(c.isprintable() or c == "\n" for c in text):
        return f"'''\n{text}'''"
    if "'" not in text and "\\" not in text and text.isprintable():
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=not text.isprintable())


def update() -> None:
    """Write the file anew, with what is said now."""
    header = FILE.read_text(encoding="utf-8").partition("[[case]]")[0]
    entries = []
    for case in read():
        lines = ["[[case]]", f"name = {quoted(case['name'])}", f"program = {quoted(case['program'])}"]
        lines += ["strict = true"] * case.get("strict", False)
        entries.append("\n".join([*lines, f"message = {quoted(said(case))}"]))
    FILE.write_text(header + "\n\n".join(entries) + "\n", encoding="utf-8")


if os.environ.get("PYLF_UPDATE"):
    update()
CASES = read()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_message(case: dict[str, Any]) -> None:
    assert said(case) == case["message"]


def test_names_are_told_apart() -> None:
    names = [case["name"] for case in CASES]
    assert len(set(names)) == len(names) >= 30
