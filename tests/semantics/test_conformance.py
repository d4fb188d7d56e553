"""The conformance suite, line by line, on the reference evaluator, Oxigraph and rdflib."""

from __future__ import annotations

import functools
import json
import os
from pathlib import Path
from typing import Any

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.rdflib import RdflibEngine
from pylf.errors import CompileError
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.rdfs import read_schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import Iri
from pylf.ir.verify import verify
from pylf.language.context import Context
from pylf.language.lower import lower
from pylf.language.parser import parse

RDF = Vocabulary("rdf")
FOLDER = Path(os.environ.get("PYLF_SHARED") or Path(__file__).parents[3] / "shared") / "conformance"
SUITE = FOLDER / "semantics.jsonl"
LINES: list[dict[str, Any]] = (
    [json.loads(line) for line in SUITE.read_text(encoding="utf-8").splitlines()] if SUITE.is_file() else []
)


@functools.cache
def graph(name: str) -> tuple[MemoryGraph, Any, OxigraphEngine, RdflibEngine]:
    path = FOLDER / name
    return MemoryGraph.read(path), read_schema(path, RDF), OxigraphEngine.open(path), RdflibEngine.from_file(path)


@pytest.mark.skipif(not LINES, reason=f"no conformance suite at {SUITE}; PYLF_SHARED names another folder")
def test_the_suite_is_whole() -> None:
    assert len(LINES) >= 56


@pytest.mark.parametrize("at_hand", [True, False], ids=["graph at hand", "no graph"])
@pytest.mark.parametrize("line", LINES, ids=lambda line: line["id"])
def test_line(line: dict[str, Any], at_hand: bool) -> None:
    memory, schema, oxigraph, rdflib = graph(line["graph"])
    context = Context(schema, RDF, memory if at_hand else None, line["negation"])
    program = parse(line["program"], line["id"])
    if "error" in line:
        with pytest.raises(CompileError, match=line["error"]):
            lower(program, context)
        return
    query = lower(program, context).query
    verify(query)
    for answers in (
        evaluate(query, memory, schema, RDF),
        *(engine.run(query, schema, RDF, level) for engine in (oxigraph, rdflib) for level in (0, 1)),
    ):
        if answers.number is not None:
            assert [str(answers.number)] == line["answers"]
        else:
            names = [v.value.removeprefix("http://c.example/") for v in answers.values if isinstance(v, Iri)]
            assert sorted(names) == line["answers"]
            assert len(names) == len(answers.values)
