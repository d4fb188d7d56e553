"""What is told, and what is not, of questions for graphs with confidences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Command


@pytest.mark.parametrize("kind", ["triple-term", "quad", "n-ary"])
def test_a_relation_that_is_named_as_a_node_is_no_stranger(kind: str, pylf: Command, root: Path, here: Path) -> None:
    table = root / "examples" / "rivals" / "rivals.tsv"
    namespace = "http://rivals.example/"
    loaded = pylf("kg", "load", table, "--into", kind, "--confidence", kind, "--namespace", namespace)
    assert loaded.status == 0, loaded.err
    question = root / "examples" / "forms" / "doubtful_rivals.subgraph"
    found = pylf("run", question, "--from", "subgraph", "--kg", here / kind)
    assert len(found.out.splitlines()) == 2
    assert "unknown-entity" not in found.err
    (here / "misspelt").write_text(question.read_text(encoding="utf-8").replace("competes", "compets"), "utf-8")
    assert "unknown-entity" in pylf("run", here / "misspelt", "--from", "subgraph", "--kg", here / kind).err


def test_nothing_is_said_of_negation_where_a_text_has_none(pylf: Command, here: Path) -> None:
    (here / "around").write_text("subgraph around :spacex without confidence", "utf-8")
    found = pylf("run", here / "around", "--from", "subgraph")
    assert found.out
    assert "negation" not in found.err
    negated = "JOIN('spaceflight.rocket.manufacturer', START(':spacex'), neg=True)"
    (here / "program").write_text(f"x = STOP(AND(START('spaceflight.rocket'), {negated}))", "utf-8")
    assert "negation read by the closed world" in pylf("run", here / "program").err
