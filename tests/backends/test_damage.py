"""Files and folders that cannot be used: what is said, and that it is said in pylf's own words."""

from __future__ import annotations

import errno
import json
import threading
from typing import TYPE_CHECKING

import pytest

from pylf import api
from pylf.backends.engines import store
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.rdflib import RdflibEngine
from pylf.backends.engines.waiting import waited_for
from pylf.backends.sparql import emit
from pylf.errors import EngineError, InputError, UnsupportedOperation, reason
from pylf.ir.nodes import Body, Closure, Form, Query
from pylf.ir.schema.rdfs import read_schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import Iri, Literal, Var
from pylf.ir.types import ENTITY

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TRIPLES = "".join(f"<http://e/{i}> <http://e/p> <http://e/{i + 1}> .\n" for i in range(50))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A loaded graph."""
    (tmp_path / "g.nt").write_text(TRIPLES)
    store.load(tmp_path / "g.nt", tmp_path / "KG")
    return tmp_path / "KG"


def files(folder: Path) -> Path:
    (found,) = folder.glob("graph-*/store")
    return found


# --- literals that are too long ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a literal of 17 MiB."""
    path = tmp_path_factory.mktemp("long") / "long.nt"
    path.write_text(f'<http://e/a> <http://e/p> "{"x" * (17 << 20)}" .\n')
    return path


@pytest.mark.parametrize(
    "read",
    [
        OxigraphEngine.open,
        RdflibEngine.from_file,
        api.open_kg,
        lambda path: store.load(path, path.with_name("KG")),
        lambda path: read_schema(path, Vocabulary("v")),
    ],
)
def test_a_literal_that_no_parser_takes_is_bad_input(long: Path, read: Callable[[Path], object]) -> None:
    with pytest.raises(InputError, match=r"long\.nt: .*16 MiB"):
        read(long)
    assert {entry.name for entry in long.parent.iterdir()} == {"long.nt"}


# --- damaged stores ---------------------------------------------------------------------------------------------------


def emptied(where: Path, pattern: str) -> None:
    for path in where.glob(pattern):
        path.write_bytes(b"")


def cut(where: Path, pattern: str) -> None:
    for path in where.glob(pattern):
        path.write_bytes(path.read_bytes()[:-100])


def scratched(where: Path, pattern: str) -> None:
    for path in where.glob(pattern):
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 0xFF
        path.write_bytes(data)


def gone(where: Path, pattern: str) -> None:
    for path in where.glob(pattern):
        path.unlink()


@pytest.mark.parametrize(
    ("damage", "pattern"),
    [
        (damage, pattern)
        for damage in (emptied, cut, scratched, gone)
        for pattern in ("CURRENT", "*.sst", "MANIFEST-*")
        if (damage, pattern) != (cut, "CURRENT")  # too short to be cut by so much without being emptied
    ],
)
def test_a_damaged_store_is_refused_in_words(folder: Path, damage: Callable[[Path, str], None], pattern: str) -> None:
    damage(files(folder), pattern)
    with pytest.raises((InputError, EngineError), match="load the graph again") as caught:
        list(OxigraphEngine.open(folder).triples())
    assert str(folder) in str(caught.value)


@pytest.mark.parametrize(("key", "value"), [("triples", 0), ("store_bytes", 1)])
def test_a_store_that_is_not_its_manifests_is_refused(folder: Path, key: str, value: int) -> None:
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), key: value}))
    with pytest.raises(InputError, match=r"KG: the store is damaged.*load the graph again"):
        OxigraphEngine.open(folder)


def test_a_manifest_that_does_not_note_the_size_is_read(folder: Path) -> None:
    path = folder / "manifest.json"
    data = json.loads(path.read_text())
    assert data.pop("store_bytes") > 0
    path.write_text(json.dumps(data))
    assert OxigraphEngine.open(folder).count() == 50
    path.write_text(json.dumps({**data, "store_bytes": "many"}))
    with pytest.raises(InputError, match="the manifest is damaged"):
        OxigraphEngine.open(folder)


class Broken:
    """A store whose tables turn out to be damaged when they are read."""

    def fail(self, *_: object, **__: object) -> object:
        raise RuntimeError("Corruption: block checksum mismatch")

    quads_for_pattern = query = named_graphs = fail


def test_damage_that_shows_at_a_query_names_the_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = OxigraphEngine.open(folder)
    monkeypatch.setattr(engine, "store", Broken())
    for ask in (lambda: list(engine.triples()), lambda: engine.ask("ASK {}"), engine.statistics):
        with pytest.raises(EngineError, match=r"KG: .*Corruption: block.*load the graph again"):
            ask()


# --- what is said -----------------------------------------------------------------------------------------------------


def test_a_path_in_a_reason_keeps_its_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert reason(OSError("IO error: While open /Data/KG")) == "IO error: While open /Data/KG"
    assert reason(OSError(errno.ENOSPC, "No space left on device", "/Data/KG")) == "no space left on device"
    (tmp_path / "g.nt").write_text(TRIPLES)

    def full(*_: object) -> object:
        raise OSError("IO error: No space left on device: While appending to /Data/KG/7.sst")

    monkeypatch.setattr(store, "bulk_load", full)
    with pytest.raises(InputError, match=r"KG: the graph cannot be written \(IO error: .* /Data/KG/7\.sst\)"):
        store.load(tmp_path / "g.nt", tmp_path / "KG")


def test_a_file_is_no_graph_folder(tmp_path: Path) -> None:
    (tmp_path / "ok.nt").write_text(TRIPLES)
    with pytest.raises(InputError, match=r"ok\.nt: is a file, not a graph folder"):
        store.info(tmp_path / "ok.nt")
    with pytest.raises(InputError, match="no such folder"):
        store.info(tmp_path / "none")


@pytest.mark.parametrize("iri", ["http://e/%zz", "http://e/[x]", "http://[::1"])
def test_an_iri_that_oxigraph_refuses_is_named(iri: str) -> None:
    query = Query(Form.SET, (Var("x"),), Body((Closure(Var("x"), Iri(iri), Iri("http://e/a")),)), (("x", ENTITY),))
    schema = read_schema([], Vocabulary("v"))
    with pytest.raises(UnsupportedOperation) as caught:
        emit(query, schema, Vocabulary("v"), "oxigraph")
    assert f"the IRI <{iri}> cannot be expressed" in str(caught.value)
    assert "the engine takes no such IRI (RFC 3987)" in str(caught.value)


# --- time limits ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [None, float("inf"), 1e30, threading.TIMEOUT_MAX * 2])
def test_a_limit_beyond_all_clocks_is_none(seconds: float | None) -> None:
    assert waited_for(lambda: 7, seconds) == 7


@pytest.mark.parametrize("seconds", [0, -1, -0.5, float("nan"), float("-inf")])
def test_a_limit_is_above_zero(seconds: float) -> None:
    with pytest.raises(InputError, match="has to be above 0"):
        waited_for(lambda: 7, seconds)
    engine = OxigraphEngine.memory([(Iri("http://e/a"), Iri("http://e/p"), Literal("x"))])
    with pytest.raises(InputError, match="has to be above 0"):
        engine.ask("ASK {}", seconds)
    with pytest.raises(InputError, match="has to be above 0"):
        RdflibEngine.from_triples(engine.triples()).ask("ASK {}", seconds)
