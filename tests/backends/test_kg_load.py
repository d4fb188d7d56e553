"""Loading graphs to disk: what is put in place, and what never is."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pylf.backends.engines import staging, store
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.errors import InputError
from pylf.ir.schema.vocabulary import StatementPattern, Vocabulary
from pylf.ir.terms import XSD, Blank, Iri, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

E = "http://e.example/"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"

TURTLE = f"""@prefix e: <{E}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:saturn a e:Rocket ; rdfs:label "Saturn V"@en, "土星5号"@ja ; e:mass 2970000 ; e:maker e:boeing .
e:ariane a e:Rocket ; rdfs:label "Ariane 5" ; e:mass 777000 ; e:maker e:arianespace .
"""


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is such a place: every load waits for the disk, and there are many of them."""
    memory = Path("/dev/shm")
    if not (memory.is_dir() and os.access(memory, os.W_OK)):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    data = text.encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


def many(count: int) -> str:
    return "".join(f"<{E}{i}> <{E}p{i % 7}> <{E}{i * 7919 % count}> .\n" for i in range(count))


def names(folder: Path) -> set[str]:
    return {entry.name for entry in folder.iterdir()}


# --- what a load makes ------------------------------------------------------------------------------------------------


def test_a_folder_brings_data_schema_and_vocabulary(tmp_path: Path) -> None:
    source = write(tmp_path, "rockets.ttl", TURTLE)
    made = store.load(source, tmp_path / "kg")
    engine = OxigraphEngine.open(tmp_path / "kg")
    assert made.triples == engine.count() == 9
    assert set(engine.triples(Iri(E + "saturn"), Iri(E + "maker"))) == {
        (Iri(E + "saturn"), Iri(E + "maker"), Iri(E + "boeing"))
    }
    schema = engine.schema()
    assert schema is not None
    mass = schema.relation(E + "mass")
    assert mass is not None
    assert (mass.datatypes, mass.triples) == ((XSD + "integer",), 2)
    assert schema.source.meta("snapshot") == made.snapshot
    assert store.schema_path(tmp_path / "kg") is not None
    assert store.vocabulary_of(tmp_path / "kg").name == "rdf"
    assert names(tmp_path) == {"rockets.ttl", "kg"}


def test_the_manifest_says_what_was_read(tmp_path: Path) -> None:
    one = write(tmp_path, "one.nt.gz", many(50))
    two = write(tmp_path, "two.ttl", TURTLE)
    made = store.load([one, two], tmp_path / "kg")
    assert [(s.name, s.size, s.sha256, s.format) for s in made.sources] == [
        ("one.nt.gz", one.stat().st_size, hashlib.sha256(one.read_bytes()).hexdigest(), "N_TRIPLES"),
        ("two.ttl", two.stat().st_size, hashlib.sha256(two.read_bytes()).hexdigest(), "TURTLE"),
    ]
    said = store.info(tmp_path / "kg")
    assert said["triples"] == 59
    assert said["bytes"] > 0
    assert said["languages"] == {LABEL: ("", "en", "ja")}
    assert json.loads(json.dumps(said))["snapshot"] == made.snapshot


def test_the_snapshot_is_of_the_content_alone(tmp_path: Path) -> None:
    plain = write(tmp_path, "a.nt", many(20))
    packed = write(tmp_path, "b.nt.gz", many(20))
    other = write(tmp_path, "c.nt", many(21))
    first = store.load(plain, tmp_path / "1", infer=False)
    assert first.snapshot == OxigraphEngine.open(packed).snapshot == OxigraphEngine.open(tmp_path / "1").snapshot
    assert OxigraphEngine.open(other).snapshot != first.snapshot


GRAPHS = {
    "g.nt": f"<{E}g.nt> <{E}b> <{E}c> .\n",
    "g.ttl": f"@prefix : <{E}> . :g.ttl :b :c .",
    "g.n3": f"@prefix : <{E}> . :g.n3 :b :c .",
    "g.trig": f"@prefix : <{E}> . :g {{ :g.trig :b :c }}",
    "g.nq": f"<{E}g.nq> <{E}b> <{E}c> <{E}g> .\n",
    "g.rdf": f'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="{E}">'
    f'<rdf:Description rdf:about="{E}g.rdf"><e:b rdf:resource="{E}c"/></rdf:Description></rdf:RDF>',
}


@pytest.mark.parametrize("packed", ["", ".gz", ".GZ"])
def test_every_format_loads_to_disk_and_into_memory(tmp_path: Path, packed: str) -> None:
    sources = []
    for name, text in GRAPHS.items():
        sources.append(tmp_path / (name + packed))
        sources[-1].write_bytes(gzip.compress(text.encode()) if packed else text.encode())
        row = (Iri(E + name), Iri(E + "b"), Iri(E + "c"))
        assert list(OxigraphEngine.open(sources[-1]).triples()) == [row]
    store.load(sources, tmp_path / "kg")
    found = OxigraphEngine.open(tmp_path / "kg").triples(None, Iri(E + "b"), Iri(E + "c"))
    assert {s for s, _, _ in found} == {Iri(E + name) for name in GRAPHS}


def test_formats_mix_and_blank_nodes_of_two_files_do_not_meet(tmp_path: Path) -> None:
    one = write(tmp_path, "1.nt", f'_:b <{E}p> "1" .\n')
    two = write(tmp_path, "2.ttl.gz", f'_:b <{E}p> "2" .')
    store.load([one, two], tmp_path / "kg")
    subjects = [s for s, _, _ in OxigraphEngine.open(tmp_path / "kg").triples()]
    assert len(set(subjects)) == 2
    assert all(isinstance(s, Blank) for s in subjects)


def test_relative_iris_have_the_files_address_or_the_given_one(tmp_path: Path) -> None:
    source = write(tmp_path, "r.ttl", "<#a> <b> <> .")
    store.load(source, tmp_path / "given", base="http://b.example/x/")
    here = source.absolute().as_uri()
    assert {s for s, _, _ in OxigraphEngine.open(source).triples()} == {Iri(here + "#a")}
    row = (Iri("http://b.example/x/#a"), Iri("http://b.example/x/b"), Iri("http://b.example/x/"))
    assert list(OxigraphEngine.open(tmp_path / "given").triples()) == [row]
    stated = write(tmp_path, "s.n3", "@prefix : <p#>. @base <http://s.example/>. <a/> :b <c> .")
    assert {s for s, _, _ in OxigraphEngine.open(stated).triples()} == {Iri("http://s.example/a/")}


def test_progress_counts_compressed_bytes_to_the_last(tmp_path: Path) -> None:
    sources = [write(tmp_path, "1.nt.gz", many(9_000)), write(tmp_path, "2.nt", many(10_000))]
    total = sum(s.stat().st_size for s in sources)
    told: list[tuple[int, int]] = []
    phases: list[str] = []
    store.load(sources, tmp_path / "kg", lambda *p: told.append(p), infer=False, phase=phases.append)
    assert told[-1] == (total, total)
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert len(told) >= 3
    assert phases[0] == "reading"


def test_a_vocabulary_of_ones_own_travels_with_the_graph(tmp_path: Path) -> None:
    own = Vocabulary(
        "mine",
        type_predicates=(E + "isa",),
        label_predicates=(E + "name",),
        label_languages=("de",),
        prefixes={"e": E},
        statements=StatementPattern(confidence=E + "conf"),
    )
    source = write(tmp_path, "g.nt", f'<{E}a> <{E}isa> <{E}C> .\n<{E}a> <{E}name> "A"@de .\n')
    store.load(source, tmp_path / "kg", vocabulary=own)
    assert store.vocabulary_of(tmp_path / "kg") == own
    schema = OxigraphEngine.open(tmp_path / "kg").schema()
    assert schema is not None
    assert schema.class_(E + "C") is not None


def test_freebase_is_known_by_its_namespace(tmp_path: Path) -> None:
    ns = "http://rdf.freebase.com/ns/"
    source = write(tmp_path, "f.nt", f"<{ns}m.01> <{ns}film.film.country> <{ns}m.02> .\n")
    store.load(source, tmp_path / "kg")
    assert store.vocabulary_of(tmp_path / "kg").name == "freebase"


def test_unicode_and_spaces_in_paths(tmp_path: Path) -> None:
    folder = tmp_path / "Łódź 宇宙 #?%41"
    folder.mkdir()
    source = write(folder, "Ракета ü.ttl", TURTLE)
    store.load(source, folder / "граф")
    engine = OxigraphEngine.open(folder / "граф")
    assert engine.count() == 9
    assert engine.schema() is not None
    assert store.info(folder / "граф")["sources"][0]["name"] == "Ракета ü.ttl"


def test_triples_that_stand_twice_are_counted_once(tmp_path: Path) -> None:
    text = f'<{E}a> <{E}p> "01"^^<{XSD}integer> .\n<{E}a> <{E}p> "1"^^<{XSD}integer> .\n'
    made = store.load(write(tmp_path, "d.nt", text), tmp_path / "kg")
    schema = OxigraphEngine.open(tmp_path / "kg").schema()
    assert made.triples == 1
    assert schema is not None
    relation = schema.relation(E + "p")
    assert relation is not None
    assert relation.triples == 1


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


def root_folder() -> Path:
    return Path(__file__).resolve().parents[2]


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


# --- replacing --------------------------------------------------------------------------------------------------------


def test_replacing_serves_the_old_graph_until_the_new_one_is_there(tmp_path: Path) -> None:
    kg = tmp_path / "kg"
    store.load(write(tmp_path, "old.nt", many(4000)), kg, infer=False)
    reader = OxigraphEngine.open(kg)
    seen: list[int] = []

    def progress(done: int, total: int) -> None:
        seen.append(OxigraphEngine.open(kg).count())

    store.load(write(tmp_path, "new.nt", many(5000)), kg, progress, replace=True, infer=False)
    assert set(seen) == {4000}
    assert OxigraphEngine.open(kg).count() == 5000
    assert sum(1 for _ in reader.triples()) == 4000  # a handle that was open reads on
    assert len([n for n in names(kg) if n.startswith("graph-")]) == 1


def test_a_failed_replacement_leaves_the_old_graph(tmp_path: Path) -> None:
    kg = tmp_path / "kg"
    store.load(write(tmp_path, "old.nt", many(40)), kg)
    with pytest.raises(InputError):
        store.load(write(tmp_path, "bad.nt", "oops"), kg, replace=True)
    assert OxigraphEngine.open(kg).count() == 40
    assert len([n for n in names(kg) if n.startswith("graph-")]) == 1


def test_two_replacements_at_once_are_refused(tmp_path: Path) -> None:
    kg = tmp_path / "kg"
    source = write(tmp_path, "g.nt", many(40))
    store.load(source, kg, infer=False)

    def progress(done: int, total: int) -> None:
        with pytest.raises(InputError, match="another load"):
            store.load(source, kg, replace=True, infer=False)

    assert store.load(source, kg, progress, replace=True, infer=False).triples == 40


def test_two_loads_into_one_new_place_do_not_mix(tmp_path: Path) -> None:
    kg = tmp_path / "kg"
    small, large = write(tmp_path, "s.nt", many(10)), write(tmp_path, "l.nt", many(20))
    inner: list[int] = []

    def progress(done: int, total: int) -> None:
        if not inner:
            inner.append(store.load(small, kg, infer=False).triples)

    with pytest.raises(InputError, match="something else was put there"):
        store.load(large, kg, progress, infer=False)
    assert OxigraphEngine.open(kg).count() == 10
    assert names(tmp_path) == {"kg", "s.nt", "l.nt"}


# --- interrupted loads ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("moment", ["reading", "inferring the schema"])
def test_ctrl_c_cleans_up(tmp_path: Path, moment: str, replace: bool) -> None:
    kg = tmp_path / "kg"
    source = write(tmp_path, "g.nt", many(3000))
    if replace:
        store.load(write(tmp_path, "old.nt", many(5)), kg, infer=False)
    before = names(tmp_path) | {"g.nt"}
    phases: list[str] = []

    def progress(done: int, total: int) -> None:
        if moment == "reading":
            raise KeyboardInterrupt

    def phase(name: str) -> None:
        phases.append(name)
        if moment == name != "reading":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.load(source, kg, progress, replace=replace, phase=phase)
    assert phases[-1] == moment
    assert names(tmp_path) == before
    if replace:
        assert OxigraphEngine.open(kg).count() == 5
        assert len([n for n in names(kg) if n.startswith("graph-")]) == 1


_LOADER = """
import sys
from pylf.backends.engines import store
source, target, replace = sys.argv[1:]
def phase(name): print(name, flush=True)
print("go", flush=True)
try:
    store.load(source, target, replace=replace == "1", phase=phase)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(130)
print("done", flush=True)
"""


def loader(source: Path, target: Path, replace: bool) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", _LOADER, str(source), str(target), "1" if replace else "0"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root_folder())


def wait_for(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdout is not None
    for said in process.stdout:
        if said.strip() == line:
            return
    pytest.fail(f"the loader ended before it said {line!r}")


@pytest.mark.skipif(os.name != "posix", reason="POSIX signals")
@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize(
    ("moment", "delay"),
    [("reading", 0.0), ("reading", 0.1), ("looking at the data", 0.0), ("inferring the schema", 0.05)],
)
def test_a_killed_load_leaves_no_half_graph(tmp_path: Path, moment: str, delay: float, replace: bool) -> None:
    kg = tmp_path / "kg"
    source = write(tmp_path, "g.nt", many(60_000))
    if replace:
        store.load(write(tmp_path, "old.nt", many(5)), kg, infer=False)
    process = loader(source, kg, replace)
    wait_for(process, moment)
    time.sleep(delay)
    process.kill()
    process.communicate(timeout=30)
    if process.returncode == 0:
        pytest.skip("the load was over before it could be killed")
    if replace:
        assert OxigraphEngine.open(kg).count() == 5
    else:
        assert not kg.exists()
    # the next load sweeps up what the killed one left
    store.load(write(tmp_path, "next.nt", many(7)), kg, replace=replace, infer=False)
    assert OxigraphEngine.open(kg).count() == 7
    assert not [name for name in names(tmp_path) if ".partial-" in name]
    assert len([n for n in names(kg) if n.startswith("graph-")]) == 1


@pytest.mark.skipif(os.name != "posix", reason="POSIX signals")
def test_sigint_in_a_real_process_cleans_up(tmp_path: Path) -> None:
    source = write(tmp_path, "g.nt", many(150_000))
    process = loader(source, tmp_path / "kg", replace=False)
    wait_for(process, "reading")
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=30)
    assert process.returncode == 130, said
    assert names(tmp_path) == {"g.nt"}


def test_a_load_that_lives_is_not_swept(tmp_path: Path) -> None:
    kg = tmp_path / "kg"
    folder, lock = staging.partial_beside(kg)
    assert staging.sweep(kg) == []
    # a maker that has not locked yet, or has just let go to move the folder into place
    lock.remove()
    assert staging.sweep(kg) == []
    (folder / staging.LOCK).touch()
    assert staging.sweep(kg) == [folder]
    assert not folder.exists()


def test_a_folder_that_only_looks_like_a_partial_one_is_not_swept(tmp_path: Path) -> None:
    for name in (".kg.partial-notes", ".kg2.partial-1-ab", "kg.partial-1-ab", ".kg.partial-1-ab.txt"):
        (tmp_path / name).mkdir()
    assert staging.sweep(tmp_path / "kg") == []
    assert len(names(tmp_path)) == 4


# --- reading together -------------------------------------------------------------------------------------------------


def test_several_processes_and_threads_read_one_graph(tmp_path: Path) -> None:
    kg = tmp_path / "kg"
    store.load(write(tmp_path, "g.nt", many(500)), kg)
    script = (
        "import sys; from pylf.backends.engines.oxigraph import OxigraphEngine\n"
        "e = OxigraphEngine.open(sys.argv[1]); print('open', flush=True); sys.stdin.readline()\n"
        "print(sum(1 for _ in e.triples()), e.schema() is not None)"
    )
    command = [sys.executable, "-c", script, str(kg)]
    others = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root_folder())
        for _ in range(3)
    ]
    for other in others:
        wait_for(other, "open")
    engine = OxigraphEngine.open(kg)  # all four hold it at once
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(sum(1 for _ in engine.triples()))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [500] * 4
    assert [other.communicate("\n", timeout=30)[0].strip() for other in others] == ["500 True"] * 3


def test_reading_writes_nothing(tmp_path: Path) -> None:
    kg = tmp_path / "kg"
    store.load(write(tmp_path, "g.nt", many(50)), kg)
    before = {p: p.stat().st_mtime_ns for p in kg.rglob("*")}
    engine = OxigraphEngine.open(kg)
    assert len(list(engine.triples())) == 50
    assert {p: p.stat().st_mtime_ns for p in kg.rglob("*")} == before
    with pytest.raises(InputError, match="open for reading"):
        engine.add([(Iri(E + "a"), Iri(E + "b"), Literal("c"))])


# --- real graphs ------------------------------------------------------------------------------------------------------


def test_mondial_loads_with_its_schema(tmp_path: Path, shared: Path) -> None:
    made = store.load(shared / "data" / "mondial" / "mondial-europe.n3.gz", tmp_path / "kg")
    assert made.triples == 64_566  # of 64,583 statements 17 stand twice
    schema = OxigraphEngine.open(tmp_path / "kg").schema()
    assert schema is not None
    mondial = "http://www.semwebtech.org/mondial/10/meta#"
    assert schema.class_(mondial + "Country") is not None
    independence = schema.relation(mondial + "independenceDate")
    assert independence is not None
    assert independence.profile is not None
    assert independence.profile.days > 0
