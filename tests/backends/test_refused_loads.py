"""What cannot be loaded, or not all of it, and folders that are no graph."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING

import pytest

from pylf.backends.engines import store
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.errors import InputError
from tests.backends.kg_files import E, in_memory, many, names, root_folder, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """In memory, if that can be."""
    with in_memory(tmp_path) as folder:
        yield folder


# --- warnings ---------------------------------------------------------------------------------------------------------


def test_empty_files_load_with_a_warning(tmp_path: Path) -> None:
    sources = [
        write(tmp_path, "e.nt", ""),
        write(tmp_path, "c.ttl.gz", "# nothing\n"),
        write(tmp_path, "g.nt", many(3)),
    ]
    made = store.load(sources, tmp_path / "kg")
    assert made.triples == 3
    assert [w.rpartition("/")[2] for w in made.warnings] == [
        "e.nt: the file is empty",
        "c.ttl.gz: the file holds no triples",
    ]
    assert store.load(sources[0], tmp_path / "none").triples == 0
    assert list(OxigraphEngine.open(tmp_path / "none").triples()) == []


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    source = write(tmp_path, "g.nt", many(3))
    made = store.load([source, str(tmp_path / "." / "g.nt")], tmp_path / "kg", infer=False)
    assert len(made.sources) == 1
    assert "named twice" in made.warnings[0]


def test_triple_terms_are_passed_over_and_counted(tmp_path: Path) -> None:
    text = f"@prefix : <{E}> . :a :b :c . :r :reifies <<( :a :b :c )>> ."
    made = store.load(write(tmp_path, "t.ttl", text), tmp_path / "kg")
    assert (made.triples, made.triple_terms) == (2, 1)
    assert "triple term" in made.warnings[0]
    engine = OxigraphEngine.open(tmp_path / "kg")
    assert len(list(engine.triples())) == 1
    assert engine.skipped == 1


# --- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("b.nt", f"<{E}a> <{E}b> <{E}c> .\n<{E}a> <{E}b <{E}c> .\n", "b.nt:2:"),
        ("b.ttl.gz", f"@prefix e: <{E}> .\n\ne:a e:b 'x\n", "b.ttl.gz:3:"),
        ("b.n3", f"<{E}a> <{E}b> .\n", "b.n3:1:"),
        ("b.nq", "nonsense\n", "b.nq:1:"),
        ("b.trig", "{ <a", "b.trig:1:"),
        ("b.rdf", "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\n<oops></rdf:RDF>", "b.rdf:2:"),
    ],
)
def test_syntax_errors_name_file_and_line_and_leave_nothing(tmp_path: Path, name: str, text: str, place: str) -> None:
    source = write(tmp_path, name, text)
    with pytest.raises(InputError) as caught:
        store.load([write(tmp_path, "good.nt", many(10)), source], tmp_path / "kg")
    assert place in str(caught.value)
    assert names(tmp_path) == {name, "good.nt"}
    with pytest.raises(InputError, match=place):
        OxigraphEngine.open(source)


def test_a_syntax_error_shows_its_line_made_printable(tmp_path: Path) -> None:
    source = write(tmp_path, "b.nt", f"<{E}a> <{E}b> \x1b[31m" + "x" * 5000 + "\n")
    with pytest.raises(InputError) as caught:
        store.load(source, tmp_path / "kg")
    shown = str(caught.value)
    assert "\x1b" not in shown
    assert f"<{E}a>" in shown
    assert len(shown) < 1000


def test_unknown_suffixes_are_refused_with_the_known_ones(tmp_path: Path) -> None:
    for name in ("g.csv", "g", "g.gz", "g.nt.zip"):
        with pytest.raises(InputError, match=r"\.nt \.ttl \.n3 \.rdf \.trig \.nq"):
            store.load(write(tmp_path, name, ""), tmp_path / "kg")
    assert not (tmp_path / "kg").exists()


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (gzip.compress(many(2000).encode())[:-20], "cut off"),
        (many(3).encode(), "not a sound gzip"),
        (b"\x1f\x8b", "cut off"),
    ],
)
def test_damaged_gzip_is_refused(tmp_path: Path, data: bytes, complaint: str) -> None:
    source = tmp_path / "g.nt.gz"
    source.write_bytes(data)
    with pytest.raises(InputError, match=complaint):
        store.load(source, tmp_path / "kg")
    assert names(tmp_path) == {"g.nt.gz"}


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    good = write(tmp_path, "g.nt", many(3))
    (tmp_path / "folder.nt").mkdir()
    for source, complaint in (
        (tmp_path / "missing.nt", "no such file"),
        (tmp_path / "folder.nt", "is a folder"),
        ("nul\0.nt", "no such file"),
    ):
        with pytest.raises(InputError, match=complaint):
            store.load([good, source], tmp_path / "kg")
    with pytest.raises(InputError, match="no files"):
        store.load([], tmp_path / "kg")


def test_what_stands_in_the_way_is_left_alone(tmp_path: Path) -> None:
    source = write(tmp_path, "g.nt", many(3))
    kg = tmp_path / "kg"
    store.load(source, kg, infer=False)
    with pytest.raises(InputError, match="there is a graph already"):
        store.load(source, kg)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "letter.txt").write_text("dear")
    for replace in (False, True):
        with pytest.raises(InputError, match="other things"):
            store.load(source, tmp_path / "home", replace=replace)
        with pytest.raises(InputError, match="is a file"):
            store.load(source, source, replace=replace)
    # a graph's folder that somebody put a file into is not swept away either
    (kg / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="other things"):
        store.load(source, kg, replace=True)
    with pytest.raises(InputError, match="there is no folder"):
        store.load(source, tmp_path / "no" / "such" / "kg")
    (tmp_path / "empty").mkdir()
    assert store.load(source, tmp_path / "empty", infer=False).triples == 3


def as_nobody(script: str, *args: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs Python as a user without rights (where we may become one)."""
    become = "import os\nif hasattr(os, 'geteuid') and os.geteuid() == 0: os.setgid(65534); os.setuid(65534)\n"
    # what must be imported is imported before the rights are given up
    head = "import sys, pyoxigraph\nfrom pylf.backends.engines import oxigraph, store\n"
    head += "from pylf.errors import InputError\n"
    code = head + become + textwrap.dedent(script)
    command = [sys.executable, "-c", code, *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=root_folder(), timeout=60)


def open_to_all(folder: Path) -> None:
    for parent in (folder, *folder.parents):
        if parent.stat().st_uid == os.getuid() and parent != parent.parent:
            parent.chmod(parent.stat().st_mode | 0o055)


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_without_rights_there_is_a_plain_message(tmp_path: Path) -> None:
    source = write(tmp_path, "g.nt", many(3))
    secret = write(tmp_path, "s.nt", many(3))
    secret.chmod(0)
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0o555)
    kg = tmp_path / "kg"
    store.load(source, kg, infer=False)
    hidden = tmp_path / "hidden"
    store.load(source, hidden, infer=False)
    (hidden / "manifest.json").chmod(0)
    open_to_all(tmp_path)
    ran = as_nobody(
        """
        source, secret, locked, kg, hidden = sys.argv[1:]
        print(sum(1 for _ in oxigraph.OxigraphEngine.open(kg).triples()))
        for act in (
            lambda: store.load(source, locked + "/kg"),
            lambda: store.load(secret, locked + "/kg"),
            lambda: store.load(source, kg, replace=True),
            lambda: oxigraph.OxigraphEngine.open(hidden),
        ):
            try:
                act()
            except InputError as error:
                print(error)
        """,
        *(source, secret, locked, kg, hidden),
    )
    locked.chmod(0o755)
    lines = ran.stdout.splitlines()
    assert ran.stderr == ""
    assert lines[0] == "3"  # a graph that may only be read can be read
    assert len(lines) == 5
    assert all("permission denied" in line for line in lines[1:])


# --- folders that are no graph ----------------------------------------------------------------------------------------


def test_a_folder_that_is_no_graph_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    import pyoxigraph

    pyoxigraph.Store(str(tmp_path / "oxigraph")).flush()
    with pytest.raises(InputError, match="is not a graph"):
        OxigraphEngine.open(tmp_path / "bare")
    with pytest.raises(InputError, match="bare Oxigraph store"):
        OxigraphEngine.open(tmp_path / "oxigraph")
    with pytest.raises(InputError, match="no such file"):
        OxigraphEngine.open(tmp_path / "missing.nt")
    for ask in (store.info, store.schema_path, store.vocabulary_of):
        with pytest.raises(InputError):
            ask(tmp_path / "missing")


DAMAGED = (
    "",
    "{",
    "[]",
    "null",
    '{"format": 1}',
    '{"format": 1, "folder": "../../etc", "snapshot": "x", "triples": 1}',
    '{"format": 1, "folder": "graph-0", "snapshot": "x", "triples": "1"}',
    '{"format": 1, "folder": "graph-0", "snapshot": "x", "triples": 1, "sources": [{"name": "a"}]}',
    '{"format": 1, "folder": "graph-0", "snapshot": "x", "triples": 1, "languages": 7}',
    "[" * 100_000,
)


def test_a_damaged_manifest_is_refused_and_can_be_replaced(tmp_path: Path) -> None:
    source = write(tmp_path, "g.nt", many(3))
    store.load(source, tmp_path / "kg", infer=False)
    for damage in DAMAGED:
        (tmp_path / "kg" / "manifest.json").write_text(damage)
        with pytest.raises(InputError, match="damaged"):
            OxigraphEngine.open(tmp_path / "kg")
        with pytest.raises(InputError, match="damaged"):
            store.info(tmp_path / "kg")
    store.load(source, tmp_path / "kg", infer=False, replace=True)
    assert OxigraphEngine.open(tmp_path / "kg").count() == 3


def test_a_manifest_of_a_newer_version_or_without_its_store_is_refused(tmp_path: Path) -> None:
    kg = tmp_path / "kg"
    store.load(write(tmp_path, "g.nt", many(3)), kg, infer=False)
    manifest = kg / "manifest.json"
    kept = manifest.read_text()
    manifest.write_text(kept.replace('"format": 1', '"format": 2', 1))
    with pytest.raises(InputError, match="newer pylf"):
        OxigraphEngine.open(kg)
    manifest.write_text(kept.replace('"folder": "graph-', '"folder": "graph-00'))
    with pytest.raises(InputError, match="cannot be opened"):
        OxigraphEngine.open(kg)
    manifest.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="damaged"):
        OxigraphEngine.open(kg)
