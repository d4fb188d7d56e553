"""The conformance suite on the denotation: what programs mean, worked out apart, against the language's definition."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pylf.errors import CompileError
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Form
from pylf.ir.schema.rdfs import read_schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import Iri
from pylf.language.parser import parse
from pylf.testing.denotation import denote

if TYPE_CHECKING:
    from pathlib import Path

    from pylf.ir.answers import Answers

RDF = Vocabulary("rdf")


def spelled(answers: Answers) -> list[str]:
    """Answers as the suite writes them: local names, or a count."""
    match answers.form:
        case Form.NUMBER:
            return [str(answers.number)]
        case Form.BOOLEAN:
            return [str(answers.boolean).lower()]
        case _:
            return sorted(
                node.value.removeprefix("http://c.example/") if isinstance(node, Iri) else str(node)
                for node in answers.values
            )


def test_every_line_of_the_conformance_suite(shared: Path) -> None:
    folder = shared / "conformance"
    lines = [json.loads(line) for line in (folder / "semantics.jsonl").read_text(encoding="utf-8").splitlines()]
    assert lines
    graphs = {
        name: (MemoryGraph.read(folder / name), read_schema(folder / name, RDF))
        for name in {line["graph"] for line in lines}
    }
    for line in lines:
        graph, schema = graphs[line["graph"]]
        program = parse(line["program"], line["id"])
        if "error" in line:
            with pytest.raises(CompileError, match=line["error"]):
                denote(program, graph, schema, RDF, line["negation"])
        else:
            found = denote(program, graph, schema, RDF, line["negation"])
            assert spelled(found) == line["answers"], line["id"]
