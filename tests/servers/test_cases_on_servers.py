"""The cases of tests/semantics on real servers: the same graphs and programs, and one more engine that has to agree."""

from __future__ import annotations

import inspect
import itertools
import runpy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Hold

    from pylf.testing.servers import Server

SEMANTICS = Path(__file__).parents[1] / "semantics"
SHARED = runpy.run_path(str(SEMANTICS / "conftest.py"))
NUMBERS = itertools.count()


@pytest.fixture
def world(tmp_path: Path, server: Server, hold: Hold) -> Callable[[str], Any]:
    """Makes a world from Turtle, as the fixture of this name in tests/semantics does; a server holds it too."""

    def make(turtle: str) -> Any:
        number = next(NUMBERS)
        path = tmp_path / f"graph{number}.ttl"
        path.write_text(SHARED["PREFIXES"] + turtle, encoding="utf-8")
        return SHARED["World"](path, {server.name: hold(server, path, f"urn:cases:{number}")})

    return make


for name, case in runpy.run_path(str(SEMANTICS / "test_cases.py")).items():
    if name.startswith("test_") and "world" in inspect.signature(case).parameters:
        globals()[name] = case
