"""Sets of records for the tests of ``pylf compile --batch``, and what it writes of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

ROCKETS = "x = STOP(JOIN('spaceflight.rocket.manufacturer', START(':{}')))"
TODAY = ("--today", "2026-11-30")
FIELD = ("--batch", "--field", "program", *TODAY)


def record(number: int, **more: object) -> dict[str, object]:
    return {"id": f"q{number}", "program": ROCKETS.format(f"company_{number}"), **more}


def lines(*records: object) -> str:
    return "".join(json.dumps(r) + "\n" for r in records)


def answers(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def write_many(path: Path) -> Path:
    """A set that takes a second or two."""
    made = [record(n) if n % 50 else {"id": n, "program": "STOP("} for n in range(1, 4001)]
    path.write_text(lines(*made), encoding="utf-8")
    return path
