"""Every program of fixtures/bad_types.toml is refused with exactly the words that stand there.

Checked against the schema in fixtures/films.ttl. After a change of words, ``PYLF_UPDATE=1 python -m pytest
tests/language/test_bad_types.py`` writes what the checker says now; read the difference before keeping it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import pylf
from tests.messages import read_cases, write_messages

FIXTURES = Path(__file__).parents[1] / "fixtures"
FILE = FIXTURES / "bad_types.toml"


def said(case: dict[str, Any]) -> str:
    with pytest.raises(pylf.CompileError) as caught:
        pylf.compile(case["program"], schema=str(FIXTURES / "films.ttl"), vocabulary="rdf", name="draft.py")
    return f"{caught.value}\n"


if os.environ.get("PYLF_UPDATE"):
    write_messages(FILE, said)
CASES = read_cases(FILE)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_message(case: dict[str, Any]) -> None:
    assert said(case) == case["message"]


def test_names_are_told_apart() -> None:
    names = [case["name"] for case in CASES]
    assert len(set(names)) == len(names) >= 35
