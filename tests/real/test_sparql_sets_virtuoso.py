"""Gold queries whose answers were wrong on a Virtuoso that had held another one's graph before: what it knows of the
old graph decides from which end it walks to a class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabularies import load
from pylf.testing import servers
from scripts.sparql_coverage import emitted_again, served, sets
from tests.presence import must_have

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("keys", [("148", "296"), ("63", "190"), ("92", "299")])
def test_what_was_loaded_before_does_not_matter(shared: Path, keys: tuple[str, ...]) -> None:
    questions = sets(shared / "data")[0]
    assert questions.name == "qald10_394"
    nothing = Schema(MemorySource([], []))
    with servers.start(must_have("virtuoso")) as server:
        again = emitted_again(questions, nothing, load("wikidata"), list(keys), "virtuoso", served(server))
    assert not again.wrong
    assert again.right.total() > 0
