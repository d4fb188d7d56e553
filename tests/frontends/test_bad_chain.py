"""Every text of fixtures/bad_chain.toml is refused with exactly the words that stand there.

The file is for reading: what a user sees is judged there. After a change of words, ``PYLF_UPDATE=1 python -m pytest
tests/frontends/test_bad_chain.py`` writes what is said now; read the difference before keeping it. A text that is well
formed is translated and compiled by the schema of small_freebase.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from pylf.errors import CompileError
from pylf.frontends.chain.parser import parse
from pylf.frontends.chain.to_pylf import to_program
from pylf.language.context import Context
from pylf.language.lower import lower
from tests.frontends import small_freebase
from tests.messages import read_cases, write_messages

FILE = Path(__file__).parents[1] / "fixtures" / "bad_chain.toml"
SCHEMA = small_freebase.schema()
FREEBASE = small_freebase.vocabulary()


def said(case: dict[str, Any]) -> str:
    with pytest.raises(CompileError) as caught:
        lower(to_program(parse(case["text"], "question.chain"), SCHEMA, FREEBASE), Context(SCHEMA, FREEBASE))
    return f"{caught.value}\n"


if os.environ.get("PYLF_UPDATE"):
    write_messages(FILE, said)
CASES = read_cases(FILE)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_message(case: dict[str, Any]) -> None:
    assert said(case) == case["message"]


def test_names_are_told_apart() -> None:
    names = [case["name"] for case in CASES]
    assert len(set(names)) == len(names) >= 40
