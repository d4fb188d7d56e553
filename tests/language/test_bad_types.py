"""Every program of fixtures/bad_types.toml is refused with exactly the words that stand there.

Checked against the schema in fixtures/films.ttl. After a change of words, ``PYLF_UPDATE=1 python -m pytest
tests/language/test_bad_types.py`` writes what the checker says now; read the difference before keeping it.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

import pytest

import pylf

FIXTURES = Path(__file__).parents[1] / "fixtures"
FILE = FIXTURES / "bad_types.toml"
CASES: list[dict[str, Any]] = tomllib.loads(FILE.read_text(encoding="utf-8"))["case"]


def said(program: str) -> str:
    with pytest.raises(pylf.CompileError) as caught:
        pylf.compile(program, schema=str(FIXTURES / "films.ttl"), vocabulary="rdf", name="draft.py")
    return f"{caught.value}\n"


if os.environ.get("PYLF_UPDATE"):
    header = FILE.read_text(encoding="utf-8").partition("[[case]]")[0]
    entries = [
        f"[[case]]\nname = '{case['name']}'\n"
        f"program = '''\n{case['program']}'''\n"
        f"message = '''\n{said(case['program'])}'''\n"
        for case in CASES
    ]
    FILE.write_text(header + "\n".join(entries), encoding="utf-8")
    CASES = tomllib.loads(FILE.read_text(encoding="utf-8"))["case"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_message(case: dict[str, Any]) -> None:
    assert said(case["program"]) == case["message"]


def test_names_are_told_apart() -> None:
    names = [case["name"] for case in CASES]
    assert len(set(names)) == len(names) >= 35
