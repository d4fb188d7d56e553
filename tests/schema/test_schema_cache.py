from __future__ import annotations

import shutil
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pylf.errors import InputError
from pylf.ir.schema import cache
from pylf.ir.schema.cache import cache_folder, load_schema, open_schema, write_schema
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema, ValueProfile

if TYPE_CHECKING:
    from pathlib import Path

    from pylf.ir.schema.vocabulary import Vocabulary

iris = st.sampled_from([f"http://e/{c}" for c in "abcdef"] + ["http://e/ü#é", "urn:pylf:subjects-of:http%3A%2F%2Fe"])
labels = st.none() | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6)
unions = st.lists(st.lists(iris, min_size=1, max_size=3).map(tuple), max_size=3).map(tuple)
counts = st.none() | st.integers(0, 10**12)
profiles = st.builds(
    ValueProfile,
    entities=st.integers(0, 9),
    numbers=st.integers(0, 9),
    languages=st.just(()) | st.just(("de", "en-us")),
)
relations = st.builds(
    Relation,
    iris,
    labels,
    domain=unions,
    range=unions,
    datatypes=st.lists(iris, max_size=2).map(tuple),
    inverse=st.none() | iris,
    functional=st.booleans(),
    symmetric=st.booleans(),
    triples=counts,
    subjects=counts,
    profile=st.none() | profiles,
    literal=st.none() | st.booleans(),
    domain_support=counts,
    inferred=st.sampled_from([(), ("domain",), ("domain", "range")]),
)
classes = st.builds(
    Class,
    iris,
    labels,
    parents=st.lists(iris, max_size=3, unique=True).map(tuple),
    disjoint=st.lists(iris, max_size=3).map(tuple),
    instances=counts,
    subjects_of=st.none() | iris,
    compound=st.booleans(),
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(relations, max_size=5), st.lists(classes, max_size=5), st.none() | st.just(",en"))
def test_what_is_written_is_read_back(
    tmp_path: Path, rs: list[Relation], cs: list[Class], languages: str | None
) -> None:
    source = MemorySource(rs, cs, {} if languages is None else {"languages": languages})
    path = tmp_path / "s.sqlite"
    write_schema(Schema(source), path)
    read = open_schema(path).source
    assert list(read.all_relations()) == source.all_relations()
    assert list(read.all_classes()) == source.all_classes()
    assert read.meta("languages") == languages
    for iri in {r.iri for r in rs} | {c.iri for c in cs} | {"http://e/none", "\ud800"}:
        assert read.relation(iri) == source.relation(iri)
        assert read.class_(iri) == source.class_(iri)
        assert read.children(iri) == source.children(iri)
        assert read.relations_of(iri) == source.relations_of(iri)
    for name in {r.label for r in rs} | {c.label for c in cs} | {"a", "é", "nothing", "\ud800", "' OR 1=1 --"}:
        if name is not None:
            assert read.relations_named(name) == source.relations_named(name)
            assert read.classes_named(name) == source.classes_named(name)


@pytest.fixture
def schema() -> Schema:
    return Schema(
        MemorySource(
            [Relation("http://e/r", "arr", domain=(("http://e/A",),))],
            [Class("http://e/A"), Class("http://e/B", parents=("http://e/A",))],
            {"source": "stated"},
        )
    )


def test_a_path_may_hold_what_a_uri_would_read_otherwise(tmp_path: Path, schema: Schema) -> None:
    folder = tmp_path / "a?b#c%20d é"
    folder.mkdir()
    write_schema(schema, folder / "s?.sqlite")
    assert open_schema(folder / "s?.sqlite").relation("http://e/r") == schema.relation("http://e/r")
    assert open_schema("/" + str(folder / "s?.sqlite")).relation("http://e/r") is not None


def test_the_file_may_be_read_only_and_shared_by_threads(tmp_path: Path, schema: Schema) -> None:
    path = tmp_path / "s.sqlite"
    write_schema(schema, path)
    path.chmod(0o444)
    opened = open_schema(path)
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(opened.source.relation("http://e/r"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [schema.relation("http://e/r")] * 4


def test_writing_replaces_the_old_file_whole_or_not_at_all(tmp_path: Path, schema: Schema) -> None:
    path = tmp_path / "s.sqlite"
    write_schema(schema, path)
    opened = open_schema(path)
    bad = Schema(MemorySource([Relation("http://e/with space")], []))
    with pytest.raises(InputError, match="is no IRI"):
        write_schema(bad, path)
    assert open_schema(path).relation("http://e/r") is not None
    write_schema(Schema(MemorySource([Relation("http://e/new")], [])), path)
    assert open_schema(path).relation("http://e/new") is not None
    assert opened.source.relation("http://e/r") is not None
    assert [p.name for p in tmp_path.iterdir()] == ["s.sqlite"]


def test_a_folder_that_is_not_there(tmp_path: Path, schema: Schema) -> None:
    with pytest.raises(InputError, match="cannot write the schema"):
        write_schema(schema, tmp_path / "none" / "s.sqlite")


def test_files_that_are_no_schema(tmp_path: Path, schema: Schema) -> None:
    import sqlite3

    path = tmp_path / "s.sqlite"
    with pytest.raises(InputError, match="No such file"):
        open_schema(path)
    for content in (b"", b"hello", b"SQLite format 3\0" + bytes(200)):
        path.write_bytes(content)
        with pytest.raises(InputError, match="not a schema file"):
            open_schema(path)
    foreign = sqlite3.connect(tmp_path / "foreign.sqlite")
    foreign.execute("CREATE TABLE relation (iri TEXT)")
    foreign.commit()
    foreign.close()
    with pytest.raises(InputError, match="not a schema file"):
        open_schema(tmp_path / "foreign.sqlite")
    write_schema(schema, path)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {cache.VERSION + 1}")
    connection.commit()
    connection.close()
    with pytest.raises(InputError, match="another version"):
        open_schema(path)


def test_a_file_that_is_cut_off_or_overwritten(tmp_path: Path, schema: Schema) -> None:
    path = tmp_path / "s.sqlite"
    write_schema(schema, path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="cut off"):
        open_schema(path)
    path.write_bytes(whole[:100] + b"\xff" * (len(whole) - 100))
    damaged = open_schema(path)
    for look_up in (
        lambda: damaged.relation("http://e/r"),
        lambda: damaged.relations_named("r"),
        lambda: list(damaged.source.all_classes()),
        lambda: damaged.source.meta("source"),
    ):
        with pytest.raises(InputError, match="is damaged"):
            look_up()


def test_rows_that_make_no_sense(tmp_path: Path, schema: Schema) -> None:
    import sqlite3

    path = tmp_path / "s.sqlite"
    write_schema(schema, path)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE relation SET profile = 'x y'")
    connection.commit()
    connection.close()
    with pytest.raises(InputError, match="is damaged"):
        open_schema(path).relation("http://e/r")


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=30))
def test_random_damage_is_refused_or_harmless(tmp_path: Path, damage: list[tuple[int, int]]) -> None:
    path = tmp_path / "s.sqlite"
    rows = [Relation(f"http://e/r{i}", f"label {i}", domain=(("http://e/A",),)) for i in range(50)]
    if not path.exists():
        write_schema(Schema(MemorySource(rows, [Class("http://e/A")])), path)
    data = bytearray(path.read_bytes())
    for place, value in damage:
        data[place % len(data)] = value
    other = tmp_path / "damaged.sqlite"
    other.write_bytes(data)
    try:
        opened = open_schema(other)
        found = [opened.relation("http://e/r7"), *opened.source.all_relations()]
        named = opened.relations_named("label 3")
    except InputError as refused:
        found, named = [], ()
        told = str(refused)
    else:
        told = other.name
    assert other.name in told
    assert all(relation is None or isinstance(relation, Relation) for relation in found)
    assert all(isinstance(iri, str) for iri in named)


# --- cached readings ---------------------------------------------------------------------------------------------


@pytest.fixture
def large(tmp_path: Path) -> Path:
    path = tmp_path / "large.nt"
    line = "<http://e/relation{}> <http://www.w3.org/2000/01/rdf-schema#domain> <http://e/C{}> .\n"
    path.write_text("".join(line.format(i, i % 7) for i in range(1000)), encoding="utf-8")
    return path


def test_a_reading_is_kept_by_content_and_vocabulary(
    tmp_path: Path, large: Path, rdf: Vocabulary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYLF_CACHE", str(tmp_path / "cache"))
    first = load_schema(large, rdf)
    second = load_schema(large, rdf)
    assert isinstance(second.source, cache.FileSource)
    assert list(second.source.all_relations()) == list(first.source.all_relations())
    files = list((tmp_path / "cache" / "schemas").iterdir())
    assert len(files) == 1
    load_schema(large, replace(rdf, label_languages=("de",)))
    shutil.copy(large, tmp_path / "copy.nt")
    load_schema(tmp_path / "copy.nt", rdf)
    assert len(list((tmp_path / "cache" / "schemas").iterdir())) == 2
    with large.open("a") as file:
        file.write("<http://e/more> <http://www.w3.org/2000/01/rdf-schema#domain> <http://e/C> .\n")
    assert load_schema(large, rdf).relation("http://e/more") is not None


def test_a_damaged_cached_reading_is_made_again(
    tmp_path: Path, large: Path, rdf: Vocabulary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYLF_CACHE", str(tmp_path / "cache"))
    load_schema(large, rdf)
    (file,) = (tmp_path / "cache" / "schemas").iterdir()
    file.write_bytes(b"hello")
    assert load_schema(large, rdf).relation("http://e/relation5") is not None
    assert isinstance(load_schema(large, rdf).source, cache.FileSource)


def test_a_cache_that_cannot_be_written_is_no_matter(
    tmp_path: Path, large: Path, rdf: Vocabulary, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("PYLF_CACHE", str(tmp_path / "file"))
    assert load_schema(large, rdf).relation("http://e/relation5") is not None
    monkeypatch.setenv("PYLF_CACHE", "")
    assert load_schema(large, rdf).relation("http://e/relation5") is not None


def test_small_files_are_not_cached(tmp_path: Path, rdf: Vocabulary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYLF_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "small.ttl"
    path.write_text("<http://e/r> <http://www.w3.org/2000/01/rdf-schema#domain> <http://e/C> .", encoding="utf-8")
    assert load_schema(path, rdf).relation("http://e/r") is not None
    assert not (tmp_path / "cache").exists()


def test_a_reading_that_depends_on_the_place_is_not_kept(
    tmp_path: Path, rdf: Vocabulary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYLF_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "large.ttl"
    line = "<#relation{}> <http://www.w3.org/2000/01/rdf-schema#domain> <#C> .\n"
    path.write_text("".join(line.format(i) for i in range(2000)), encoding="utf-8")
    assert load_schema(path, rdf).relation(path.as_uri() + "#relation7") is not None
    assert not (tmp_path / "cache").exists()


def test_load_opens_schema_files_and_refuses_what_it_cannot_read(
    tmp_path: Path, rdf: Vocabulary, schema: Schema
) -> None:
    write_schema(schema, tmp_path / "s.sqlite")
    assert load_schema(tmp_path / "s.sqlite", rdf).relation("http://e/r") is not None
    for name, message in (("none.ttl", "No such file"), ("none.xyz", "endings are"), ("none.sqlite", "No such file")):
        with pytest.raises(InputError, match=message):
            load_schema(tmp_path / name, rdf)


@pytest.mark.parametrize(
    ("made_under", "implied"), [("freebase", "freebase"), ("rdf", None), ("lakes", None), (None, None)]
)
def test_a_schema_implies_the_built_in_vocabulary_that_it_was_made_under(
    tmp_path: Path, made_under: str | None, implied: str | None
) -> None:
    meta = {} if made_under is None else {"vocabulary": made_under}
    schema = Schema(MemorySource([Relation("http://e/a")], [], meta))
    write_schema(schema, tmp_path / "a.sqlite")
    assert cache.vocabulary_of(schema) == cache.vocabulary_of(str(tmp_path / "a.sqlite")) == implied


def test_statements_imply_no_vocabulary_and_are_not_read_for_one(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text("no Turtle", encoding="utf-8")
    assert cache.vocabulary_of(str(tmp_path / "a.ttl")) is None
    assert cache.vocabulary_of(str(tmp_path)) is None


def test_a_name_that_no_file_can_have_is_refused(rdf: Vocabulary) -> None:
    with pytest.raises(InputError, match=r"a\0b\.ttl"):
        load_schema("a\0b.ttl", rdf)


def test_where_the_cache_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYLF_CACHE", "/own")
    assert cache_folder() == "/own"
    monkeypatch.setenv("PYLF_CACHE", "")
    assert cache_folder() is None
    monkeypatch.delenv("PYLF_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert cache_folder() == "/xdg/pylf"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/me")
    assert cache_folder() == "/home/me/.cache/pylf"
    monkeypatch.delenv("HOME")
    monkeypatch.delenv("USERPROFILE", raising=False)
    assert cache_folder() is None


def test_opening_reads_no_rows(tmp_path: Path) -> None:
    rows = [Relation(f"http://e/r{i}", domain=((f"http://e/C{i % 99}",),)) for i in range(20_000)]
    path = tmp_path / "s.sqlite"
    write_schema(Schema(MemorySource(rows, [])), path)
    import tracemalloc

    open_schema(path)
    tracemalloc.start()
    opened = open_schema(path)
    opened.relation("http://e/r777")
    assert opened.has_relations
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000
