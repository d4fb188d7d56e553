"""The conformance suite, line by line, on real servers. What is expected is what tests/semantics expects of engines."""

from __future__ import annotations

import functools
import runpy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.rdfs import read_schema
from pylf.ir.terms import Iri
from pylf.language.context import Context
from pylf.language.lower import lower
from pylf.language.parser import parse

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Hold

    from pylf.backends.engines.http import HttpEngine
    from pylf.testing.servers import Server

SUITE = runpy.run_path(str(Path(__file__).parents[1] / "semantics" / "test_conformance.py"))
RDF, FOLDER = SUITE["RDF"], SUITE["FOLDER"]
LINES: list[dict[str, Any]] = [line for line in SUITE["LINES"] if "error" not in line]


@functools.cache
def graph(name: str) -> tuple[MemoryGraph, Any]:
    return MemoryGraph.read(FOLDER / name), read_schema(FOLDER / name, RDF)


@pytest.fixture(scope="module")
def engine(hold: Hold) -> Callable[[Server, str], HttpEngine]:
    """A server, asked about a graph of the suite, which is loaded once."""
    return functools.cache(lambda server, name: hold(server, FOLDER / name, f"urn:conformance:{name}"))


@pytest.mark.skipif(not LINES, reason=f"no conformance suite at {FOLDER}; PYLF_SHARED names another folder")
def test_lines_with_answers_are_asked() -> None:
    assert len(LINES) >= 50


@pytest.mark.parametrize("at_hand", ["memory", "server", None], ids=["graph at hand", "server at hand", "no graph"])
@pytest.mark.parametrize("line", LINES, ids=lambda line: line["id"])
def test_line(
    line: dict[str, Any], at_hand: str | None, server: Server, engine: Callable[[Server, str], HttpEngine]
) -> None:
    memory, schema = graph(line["graph"])
    asked = engine(server, line["graph"])
    context = Context(schema, RDF, {"memory": memory, "server": asked, None: None}[at_hand], line["negation"])
    query = lower(parse(line["program"], line["id"]), context).query
    for level in (0, 1):
        answers = asked.run(query, schema, RDF, level)
        if answers.number is not None:
            assert [str(answers.number)] == line["answers"]
        else:
            names = [v.value.removeprefix("http://c.example/") for v in answers.values if isinstance(v, Iri)]
            assert sorted(names) == line["answers"]
            assert len(names) == len(answers.values)
