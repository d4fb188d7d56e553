"""Loading graphs to disk: what is put in place, and who reads it meanwhile."""

from __future__ import annotations

import gzip
import hashlib
import json
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from pylf.backends.engines import store
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.errors import InputError
from pylf.ir.schema.vocabulary import StatementPattern, Vocabulary
from pylf.ir.terms import XSD, Blank, Iri, Literal
from tests.backends.kg_files import TURTLE, E, in_memory, many, names, root_folder, wait_for, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """In memory, if that can be."""
    with in_memory(tmp_path) as folder:
        yield folder


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
