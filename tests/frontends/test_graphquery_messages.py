"""Every graph query of fixtures/bad_graphquery.toml is refused with exactly the words that stand there.

Checked against the schema in fixtures/films.ttl. After a change of words, ``PYLF_UPDATE=1 python -m pytest
tests/frontends/test_graphquery_messages.py`` writes what is said now; read the difference before keeping it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pylf.errors import CompileError
from pylf.frontends.graphquery.reader import MAX_EDGES, MAX_NODES, read
from pylf.frontends.graphquery.to_pylf import to_program
from pylf.frontends.graphquery.tree import MAX_DISTANCE
from pylf.ir.schema.cache import load_schema
from pylf.ir.schema.vocabularies import load
from pylf.language.characters import MAX_CHARACTERS
from pylf.language.context import Context
from pylf.language.lower import lower
from tests.messages import read_cases, write_messages

FIXTURES = Path(__file__).parents[1] / "fixtures"
FILE = FIXTURES / "bad_graphquery.toml"
RDF = load("rdf")
FILMS = load_schema(str(FIXTURES / "films.ttl"), RDF)


def said(case: dict[str, Any]) -> str:
    with pytest.raises(CompileError) as caught:
        lower(to_program(read(case["graph"], "graph.json"), FILMS, RDF), Context(FILMS, RDF))
    return f"{caught.value}\n"


if os.environ.get("PYLF_UPDATE"):
    write_messages(FILE, said)
CASES = read_cases(FILE)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_message(case: dict[str, Any]) -> None:
    assert said(case) == case["message"]


def test_data_that_was_read_elsewhere_is_refused_in_the_same_words() -> None:
    compared = 0
    for case in CASES:
        try:
            data = json.loads(case["graph"])
        except ValueError:
            continue
        with pytest.raises(CompileError) as of_text:
            lower(to_program(read(case["graph"]), FILMS, RDF), Context(FILMS, RDF))
        with pytest.raises(CompileError) as of_data:
            lower(to_program(read(data), FILMS, RDF), Context(FILMS, RDF))
        # sorted, since what has no place has no order of places
        assert sorted((d.code, d.message) for d in of_data.value.diagnostics) == sorted(
            (d.code, d.message) for d in of_text.value.diagnostics
        )
        assert all(d.span is None for d in of_data.value.diagnostics)
        compared += 1
    assert compared >= 25


def chain(length: int) -> dict[str, Any]:
    """A graph whose last node is so many edges from the question node."""
    nodes: list[dict[str, Any]] = [
        {"nid": i, "node_type": "class", "id": "person", "question_node": int(i == 0), "function": "none"}
        for i in range(length + 1)
    ]
    return {"nodes": nodes, "edges": [{"start": i, "end": i + 1, "relation": "sibling"} for i in range(length)]}


def code(data: Any) -> str:
    with pytest.raises(CompileError) as caught:
        to_program(read(data), FILMS, RDF)
    return caught.value.diagnostics[0].code


def test_sizes_and_depths_are_bounded() -> None:
    assert lower(to_program(read(chain(MAX_DISTANCE)), FILMS, RDF), Context(FILMS, RDF)).query.body.conjuncts
    assert code(chain(MAX_DISTANCE + 1)) == "too-deep"
    assert code(chain(MAX_NODES - 1)) == "too-deep"
    assert code(chain(MAX_NODES)) == "too-large"
    wide = chain(1)
    wide["edges"] *= MAX_EDGES + 1
    assert code(wide) == "too-large"
    assert code(" " * MAX_CHARACTERS + "{}") == "too-large"
    assert code(json.dumps(chain(1)).replace("sibling", "s" * 10_001)) == "too-large"
    assert code({**chain(1), "edges": [{"start": 0, "end": 10**5000, "relation": "sibling"}]}) == "too-large"


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "[" * 100_000 + "]" * 100_000,
        '{"nodes": ' * 5_000 + "[]" + "}" * 5_000,
        '{"nodes": [' + "9" * 5_000 + '], "edges": []}',
        "",
        "\ufeff{}",
        "__import__('os').system('true')",
        '{"nodes": [NaN], "edges": [Infinity, -Infinity]}',
        '{"nodes": [[[[[[[["{"]]]]]]]], "edges": [{"a\\"}": "]"}]}',
    ],
)
def test_hostile_text_is_a_diagnostic(text: str) -> None:
    assert code(text) in {"json", "shape"}
    with pytest.raises(CompileError) as caught:
        read(text)
    assert all(d.render() for d in caught.value.diagnostics)


def test_there_is_an_end_to_findings() -> None:
    with pytest.raises(CompileError) as caught:
        read({"nodes": [{}] * 300, "edges": []})
    assert len(caught.value.diagnostics) == 20
