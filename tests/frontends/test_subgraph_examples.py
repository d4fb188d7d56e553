"""The examples of docs/subgraphs.md, as a user asks them: compiled, run at every level, written again, shown."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import pylf
from pylf.cli.main import main
from pylf.errors import NoForm
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Form
from pylf.ir.terms import Literal

if TYPE_CHECKING:
    from pylf.graphs import KnowledgeGraph

EXAMPLES = Path(__file__).parents[2] / "examples"
RIVALS, VOCABULARY = EXAMPLES / "rivals" / "rivals.nq", EXAMPLES / "rivals" / "rivals.toml"
FOUND = {"around_twitter": 7, "frontier": 6, "chains_to_twitter": 3, "doubtful_rivals": 2}


@pytest.fixture(scope="module")
def rivals() -> KnowledgeGraph:
    return pylf.open_kg(RIVALS, vocabulary=VOCABULARY)


def compiled(name: str, rivals: KnowledgeGraph, optimize: int = 1) -> pylf.CompiledQuery:
    text = (EXAMPLES / "forms" / f"{name}.subgraph").read_text(encoding="utf-8")
    return pylf.compile(text, source="subgraph", kg=rivals, optimize=optimize, name=name)


@pytest.mark.parametrize("name", FOUND)
def test_every_level_finds_what_the_evaluator_finds(name: str, rivals: KnowledgeGraph) -> None:
    query = compiled(name, rivals).ir
    wanted = evaluate(query, MemoryGraph.read(RIVALS), rivals.schema, rivals.vocabulary)
    assert len(wanted.rows) == FOUND[name]
    for level in (0, 1, 2):
        assert compiled(name, rivals, level).run().answers.key() == wanted.key()


@pytest.mark.parametrize("name", FOUND)
def test_it_is_written_as_it_was_read(name: str, rivals: KnowledgeGraph) -> None:
    question = compiled(name, rivals)
    again = pylf.compile(question.to("subgraph"), source="subgraph", kg=rivals)
    assert again.fingerprint == question.fingerprint
    assert pylf.compile(question.to("ir"), source="ir", kg=rivals).to("subgraph") == question.to("subgraph")


def test_a_triple_without_confidence_counts_where_the_question_says_so(rivals: KnowledgeGraph) -> None:
    text = "neighbours of :Microsoft outward by :competes_with"
    found = [
        [row[-1] for row in pylf.compile(text + more, source="subgraph", kg=rivals).run().answers.rows]
        for more in ("", " default 1", " default 0.5", " default 0.5 with confidence > 0.5", " without confidence")
    ]
    counts = [[Decimal(node.lexical) for node in nodes if isinstance(node, Literal)] for nodes in found]
    assert [len(nodes) for nodes in found] == [0, 1, 1, 0, 1]
    assert counts[1:3] == [[Decimal(1)], [Decimal("0.5")]]


def test_a_label_is_looked_up_in_the_graph_or_matched_by_the_query(rivals: KnowledgeGraph) -> None:
    text = "subgraph around 'Twitter', 'Google' with confidence >= 0.8"
    at_hand = pylf.compile(text, source="subgraph", kg=rivals)
    apart = pylf.compile(text, source="subgraph", schema=rivals.schema, vocabulary=rivals.vocabulary)
    assert at_hand.fingerprint != apart.fingerprint
    assert at_hand.run().answers.key() == apart.run(rivals).answers.key()
    assert len(at_hand.run().answers.rows) == 2


def test_what_has_no_form_is_refused_by_name(rivals: KnowledgeGraph) -> None:
    refused = {
        "questions for a set": "set ?x\nwhere\n  ?x <urn:p> ?y\n",
        "negation": "rows ?x\nwhere\n  ?x <urn:p> ?y\n  not\n    ?x <urn:q> ?y\n",
        "counts": "rows ?n\nwhere\n  ?n counts ?x\n    ?x <urn:p> ?y\n",
        "a value in a triple": 'rows ?x\nwhere\n  ?x <urn:p> "v"\n',
        "such a comparison": "rows ?x\nwhere\n  ?x <urn:p> ?y\n  ?x <urn:q> ?z\n  ?y is ?z\n",
    }
    for what, text in refused.items():
        with pytest.raises(NoForm, match=f"no form for {what}"):
            pylf.compile(text, source="ir", kg=rivals).to("subgraph")


def test_triples_are_shown_as_a_table_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["run", str(EXAMPLES / "forms" / "doubtful_rivals.subgraph"), "--from", "subgraph"]
    command += ["--kg", str(RIVALS), "--vocab", str(VOCABULARY)]
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["Snapchat", "YouTube"]
    assert [line.split()[-1] for line in lines] == ["0.35", "0.42"]
    assert main([*command, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["form"] == Form.SUBGRAPH.value
    assert told["columns"] == ["s", "p", "o", "c"]
    assert [row[3]["value"] for row in told["rows"]] == ["0.35", "0.42"]
