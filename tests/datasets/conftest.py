"""Sets of our own, written as the published ones are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

WRITTEN = Path(__file__).resolve().parents[1] / "fixtures" / "questions"


@pytest.fixture
def written() -> Path:
    """The folder of written sets."""
    return WRITTEN


@pytest.fixture
def lines(tmp_path: Path) -> Callable[..., str]:
    """Writes records as JSON Lines, and gives the file's path."""

    def write(*records: object) -> str:
        path = tmp_path / "set.jsonl"
        path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
        return str(path)

    return write
