"""Every program of fixtures/bad_syntax.toml is refused with exactly the words that stand there.

The file is for reading: what a user sees is judged there. After a change of words, ``PYLF_UPDATE=1 python -m pytest
tests/language/test_bad_syntax.py`` writes what the parser says now; read the difference before keeping it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from pylf.errors import CompileError
from pylf.language.parser import parse
from tests.messages import read_cases, write_messages

FILE = Path(__file__).parents[1] / "fixtures" / "bad_syntax.toml"


def said(case: dict[str, Any]) -> str:
    with pytest.raises(CompileError) as caught:
        parse(case["program"], "draft.py", strict=case.get("strict", False))
    return f"{caught.value}\n"


if os.environ.get("PYLF_UPDATE"):
    write_messages(FILE, said)
CASES = read_cases(FILE)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_message(case: dict[str, Any]) -> None:
    assert said(case) == case["message"]


def test_names_are_told_apart() -> None:
    names = [case["name"] for case in CASES]
    assert len(set(names)) == len(names) >= 30
