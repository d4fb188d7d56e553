"""The questions of the real graphs, asked of real servers: what ``--kg http://…`` gives is what ``--kg DIR`` gives.

Each graph is loaded into each server as its file has it. Programs are compiled against the schema that was measured
when the folder was made, as a user would do who has loaded a dump twice; labels and classes are looked up at the
endpoint itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import pylf
from tests.real.conftest import DATA
from tests.real.test_real_programs import CASES, GRAPHS, LIMIT, Case, plain

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pylf.testing.servers import Server

#: by the name of a server, the graphs that have been loaded into it
_LOADED: dict[str, set[str]] = {}


@pytest.fixture
def endpoints(
    server: Server, shared: Path, graphs: Mapping[str, pylf.KnowledgeGraph]
) -> Mapping[str, pylf.KnowledgeGraph]:
    """The real graphs at a server, by the name of their folder of programs."""
    found = {}
    for name in GRAPHS:
        iri = f"urn:real:{name}"
        if name not in _LOADED.setdefault(server.name, set()):
            server.load(shared / DATA[name], iri)
            _LOADED[server.name].add(name)
        folder = graphs[name]
        found[name] = pylf.open_kg(server.endpoint(iri), schema=folder.schema, vocabulary=folder.vocabulary)
    return found


@pytest.mark.parametrize("case", CASES, ids=["-".join(c) for c in CASES])
def test_an_endpoint_answers_what_the_folder_answers(endpoints: Mapping[str, pylf.KnowledgeGraph], case: Case) -> None:
    result = case.compiled(endpoints).run(timeout=LIMIT)
    assert plain(result.answers) == case.expected
    assert result.outcome.complete
