"""The real graphs, each loaded to disk once a session, as a user would load them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import pylf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.backends.engines.rdflib import RdflibEngine
    from pylf.ir.memory import MemoryGraph

PROGRAMS = Path(__file__).parent
#: by the name of the folder of programs, where in the shared material the graph lies
DATA = {"fb15k": "data/fb15k237/fb15k237_plain.nt.gz", "mondial": "data/mondial/mondial-europe.n3.gz"}


@pytest.fixture(scope="session")
def fb15k(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> pylf.KnowledgeGraph:
    """FB15k-237's facts with literals and types: 444,000 triples, domains and ranges stated in the data itself."""
    from pylf.backends.engines import store

    folder = tmp_path_factory.mktemp("graphs") / "fb15k"
    store.load(shared / DATA["fb15k"], folder)
    return pylf.open_kg(str(folder))


@pytest.fixture(scope="session")
def mondial(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> pylf.KnowledgeGraph:
    """Mondial's geography of Europe: 65,000 triples, described by an OWL ontology in a file of its own."""
    from pylf.backends.engines import store

    folder = tmp_path_factory.mktemp("graphs") / "mondial"
    vocabulary = pylf.load_vocabulary(str(PROGRAMS / "mondial" / "mondial.toml"))
    store.load(shared / DATA["mondial"], folder, vocabulary=vocabulary)
    return pylf.open_kg(str(folder), schema=str(shared / "data" / "mondial" / "mondial-meta.n3"))


@pytest.fixture(scope="session")
def graphs(fb15k: pylf.KnowledgeGraph, mondial: pylf.KnowledgeGraph) -> Mapping[str, pylf.KnowledgeGraph]:
    """Both, by the name of their folder of programs."""
    return {"fb15k": fb15k, "mondial": mondial}


@pytest.fixture(scope="session")
def in_memory(shared: Path) -> Mapping[str, MemoryGraph]:
    """Both as plain graphs for the reference evaluator, read without the engine, so that literals are as written."""
    from pylf.ir.memory import MemoryGraph

    return {name: MemoryGraph.read(shared / path) for name, path in DATA.items()}


@pytest.fixture(scope="session")
def rdflib_mondial(mondial: pylf.KnowledgeGraph) -> RdflibEngine:
    """Mondial in rdflib."""
    from pylf.backends.engines.rdflib import RdflibEngine

    return RdflibEngine.from_triples(mondial.engine.triples())


@pytest.fixture(scope="session")
def freebase(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> pylf.KnowledgeGraph:
    """The facts of FB15k-237 in Freebase's shape, with nodes in between and inverse relations: 1,373,000 triples."""
    from pylf.backends.engines import store

    folder = tmp_path_factory.mktemp("graphs") / "freebase"
    store.load(shared / "data" / "fb15k237" / "fb15k237_cvt_inverse.nt.gz", folder)
    return pylf.open_kg(folder)


@pytest.fixture(scope="session")
def freebase_declared(shared: Path, freebase: pylf.KnowledgeGraph) -> pylf.KnowledgeGraph:
    """The same, with what Freebase's own schema files declare laid over what was inferred."""
    return pylf.open_kg(freebase.name, schema=shared / "data" / "fb15k237" / "schema")
