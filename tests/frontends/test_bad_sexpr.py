"""Every text of fixtures/bad_sexpr.toml is refused with exactly the words that stand there.

The file is for reading: what a user sees is judged there. After a change of words, ``PYLF_UPDATE=1 python -m pytest
tests/frontends/test_bad_sexpr.py`` writes what the parser says now; read the difference before keeping it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from pylf.errors import CompileError
from pylf.frontends.sexpr.parser import parse
from tests.messages import read_cases, write_messages

FILE = Path(__file__).parents[1] / "fixtures" / "bad_sexpr.toml"


def said(case: dict[str, Any]) -> str:
    with pytest.raises(CompileError) as caught:
        parse(case["text"], "form.sexpr")
    return f"{caught.value}\n"


if os.environ.get("PYLF_UPDATE"):
    write_messages(FILE, said)
CASES = read_cases(FILE)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_message(case: dict[str, Any]) -> None:
    assert said(case) == case["message"]


def test_names_are_told_apart() -> None:
    names = [case["name"] for case in CASES]
    assert len(set(names)) == len(names) >= 50
