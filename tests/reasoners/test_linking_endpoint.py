"""Linking at an endpoint: names read where they are few, asked for where they are many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pylf.api import open_kg
from pylf.backends.engines.http import HttpEngine
from pylf.backends.engines.lookups import CHUNK
from pylf.datasets import bundled as files
from pylf.errors import InputError
from pylf.ir.terms import Iri
from pylf.reasoners.linking.asked import AskedLinker
from pylf.reasoners.linking.candidate import How
from pylf.reasoners.linking.linker import NameLinker
from pylf.reasoners.linking.opening import open_linker
from pylf.reasoners.linking.spotting import link_question

if TYPE_CHECKING:
    from pathlib import Path

    from pylf.testing import servers

GRAPH = "urn:test:linking"
BOEING = Iri("http://pylf.example/rockets/boeing")


def test_a_small_endpoint_gives_its_names(oxigraph_server: servers.Server, tmp_path: Path) -> None:
    oxigraph_server.load(files.path("rockets.ttl"), GRAPH)
    kg = open_kg(oxigraph_server.endpoint(GRAPH))
    linker = open_linker(kg, folder=tmp_path)
    assert isinstance(linker, NameLinker)
    assert linker.link("Boing Company", 1)[0].node == BOEING
    assert linker.link("boeing company", 1)[0].classes


def test_a_large_endpoint_is_asked(oxigraph_server: servers.Server, tmp_path: Path) -> None:
    oxigraph_server.load(files.path("rockets.ttl"), GRAPH)
    kg = open_kg(oxigraph_server.endpoint(GRAPH))
    linker = open_linker(kg, folder=tmp_path, read_up_to=10)
    assert isinstance(linker, AskedLinker)
    for mention, score in (("Boeing Company", 1.0), ("boeing company", 0.99)):
        found = linker.link(mention, 1)[0]
        assert (found.node, found.how, found.score) == (BOEING, How.LABEL, score)
        assert found.classes
    assert {str(one.node) for one in linker.link("Saturn")} >= {
        "<http://pylf.example/rockets/saturn>",
        "<http://pylf.example/rockets/saturn_family>",
    }
    assert linker.link("'} DROP ALL \\", 3) == []
    assert linker.of_schema(["rocket", "obama"]) == {"rocket"}
    spotted = link_question("Who founded the Boeing Company before 1 May 1990?", linker)
    assert [one.text for one in spotted] == ["Boeing Company", "1 May 1990"]


def test_all_phrases_of_a_question_are_asked_for_together(
    oxigraph_server: servers.Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    oxigraph_server.load(files.path("rockets.ttl"), GRAPH)
    kg = open_kg(oxigraph_server.endpoint(GRAPH))
    linker = open_linker(kg, folder=tmp_path, read_up_to=10)
    assert isinstance(kg.engine, HttpEngine)
    sent: list[object] = []
    rows = kg.engine.rows
    monkeypatch.setattr(kg.engine, "rows", lambda tree: (sent.append(tree), rows(tree))[1])
    question = "which of the rockets that the boeing company made in the sixties are as heavy as a saturn v is now"
    spotted = link_question(question, linker)
    assert [one.text for one in spotted if not one.linked[0].is_class] == ["boeing company", "saturn v"]
    assert kg.engine.bearers(["\ud800", "Boeing Company", "x"], kg.vocabulary) == {"Boeing Company": (BOEING,)}
    # 134 phrases of nine words and fewer, in up to five spellings and twenty languages, as labels and as other names
    assert 2 <= len(sent) <= 2 * 134 * 5 * 20 // CHUNK + 2


class Other:
    """An encoder that is not the lexical one."""

    name = identity = "other"
    dimension = 3

    def encode(self, texts: Any) -> Any:
        raise AssertionError(texts)


def test_an_encoder_at_a_large_endpoint_is_refused(oxigraph_server: servers.Server, tmp_path: Path) -> None:
    oxigraph_server.load(files.path("rockets.ttl"), GRAPH)
    kg = open_kg(oxigraph_server.endpoint(GRAPH))
    with pytest.raises(InputError, match=r"asked for each name.*read_up_to"):
        open_linker(kg, Other(), folder=tmp_path, read_up_to=10)
