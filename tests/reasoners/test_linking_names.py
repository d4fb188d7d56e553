"""Linking mentions over the names of a graph: exact, other names, spelling, an encoder; and how names are kept."""

from __future__ import annotations

import os
import sqlite3
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pylf.api import bundled, open_kg
from pylf.errors import InputError
from pylf.ir.terms import Iri, Literal
from pylf.models.encoders.lexical import Lexical
from pylf.models.encoders.needs import has
from pylf.models.vectors.postings import LexicalIndex
from pylf.reasoners.linking.candidate import How
from pylf.reasoners.linking.folding import folded
from pylf.reasoners.linking.linker import NameLinker
from pylf.reasoners.linking.names import Named, Names, write_names
from pylf.reasoners.linking.opening import graph_names, kept_names, open_linker

if TYPE_CHECKING:
    from pylf.graphs import KnowledgeGraph
    from pylf.reasoners.linking.candidate import Linked

ROCKETS = "http://pylf.example/rockets/"


@pytest.fixture(scope="module")
def rockets(tmp_path_factory: pytest.TempPathFactory) -> NameLinker:
    found = open_linker(bundled(), folder=tmp_path_factory.mktemp("names"))
    assert isinstance(found, NameLinker)
    return found


def told(linked: list[Linked]) -> list[tuple[str, str, float]]:
    return [(str(one.node).strip("<>").removeprefix(ROCKETS), one.how.value, round(one.score, 2)) for one in linked]


def test_all_that_bear_a_name_come_first_with_their_classes(rockets: NameLinker) -> None:
    found = rockets.link("Saturn", 4)
    assert told(found)[:2] == [("saturn", "label", 1.0), ("saturn_family", "label", 1.0)]
    assert [one.classes for one in found[:2]] == [
        (f"{ROCKETS}astronomy.planet",),
        (f"{ROCKETS}spaceflight.rocket_family",),
    ]
    assert [one.how for one in found[2:]] == [How.LEXICAL] * 2
    assert all(one.score < 1.0 for one in found[2:])


@pytest.mark.parametrize(
    ("mention", "entity", "score"),
    [
        ("Boeing Company", "boeing", 1.0),
        ("the  boeing COMPANY.", "boeing", 0.99),
        ("F1", None, None),
        ("f 1", "f_1", 0.99),
        ("ангара-а5", "angara_a5", 0.99),
        ("Electron Still Testing", "launch_still_testing", 0.99),
        ("Electron Testing", None, None),
        ("<http://pylf.example/rockets/boeing>", "boeing", 1.0),
    ],
)
def test_case_accents_and_punctuation_do_not_count(
    mention: str, entity: str | None, score: float | None, rockets: NameLinker
) -> None:
    sure = [(name, found) for name, how, found in told(rockets.link(mention)) if how in {"label", "named"}]
    assert sure[:1] == ([] if entity is None else [(entity, score)])


def test_what_is_misspelt_is_found_by_its_spelling(rockets: NameLinker) -> None:
    assert told(rockets.link("Boing Company", 1)) == [("boeing", "lexical", pytest.approx(0.8, abs=0.2))]
    assert told(rockets.link("Satrun V", 5))[0][0] == "saturn_v"
    assert told(rockets.link("Boing Compny", 1))[0][0] == "boeing"
    assert told(rockets.link("qqqq zzzz", 5)) == []


def test_classes_are_linked_by_label_and_plural(rockets: NameLinker) -> None:
    for mention in ("rocket", "Rockets", "spaceflight.rocket"):
        found = rockets.link(mention, 1)[0]
        assert (found.node, found.is_class) == (Iri(f"{ROCKETS}spaceflight.rocket"), True)


def test_values_are_typed_and_stand_behind_names(rockets: NameLinker) -> None:
    found = rockets.link("1969-07-16", 1)[0]
    assert (found.node, found.how, found.classes) == (
        Literal("1969-07-16", "http://www.w3.org/2001/XMLSchema#date"),
        How.VALUE,
        ("http://www.w3.org/2001/XMLSchema#date",),
    )
    assert rockets.link("2008-05-01^^xsd:gYear", 1)[0].how is How.VALUE


@pytest.mark.parametrize(
    "mention", ["", "   ", "\ud800", "<http://e/ x>", "?!", "x" * 100_000, "'; DROP TABLE entry; --"]
)
def test_odd_mentions_are_mentions_of_nothing_or_something(mention: str, rockets: NameLinker) -> None:
    found = rockets.link(mention, 3)
    assert len(found) <= 3
    assert rockets.link(mention, 0) == []


def test_many_mentions_at_once_are_as_one_by_one(rockets: NameLinker) -> None:
    mentions = ["Saturn", "Boing", "", "5 kg", "Saturn"]
    assert rockets.link_all(mentions, 5) == [rockets.link(mention, 5) for mention in mentions]


def test_threads_share_a_linker(rockets: NameLinker) -> None:
    expected = rockets.link("Saturn Five", 5)
    found: list[list[Linked]] = []
    threads = [threading.Thread(target=lambda: found.append(rockets.link("Saturn Five", 5))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


# --- other graphs -------------------------------------------------------------------------------------------------

GRAPH = """
@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:nyc a :City ; rdfs:label "New York City"@en, "Nueva York"@es ; skos:altLabel "Big Apple", "NYC" .
:apple a :Company ; rdfs:label "Apple" .
:knows rdfs:label "knows" . :nyc :knows :apple .
[] rdfs:label "nobody" .
"""


def opened(text: str, tmp_path: Path) -> KnowledgeGraph:
    path = tmp_path / "graph.ttl"
    path.write_text(text, encoding="utf-8")
    return open_kg(path)


def test_other_names_are_met_and_told_from_labels(tmp_path: Path) -> None:
    linker = open_linker(opened(GRAPH, tmp_path), folder=tmp_path)
    assert [(one.how, one.score) for one in linker.link_all(["Big Apple"], 1)[0]] == [(How.ALIAS, 0.98)]
    assert linker.link_all(["nueva york"], 1)[0][0].node == Iri("http://e/nyc")
    assert linker.known(["nyc", "NYC", "apple", "knows", "nobody"]) == {"nyc", "NYC", "apple"}
    assert len({one.node for one in linker.link_all(["new york"], 10)[0]}) == len(linker.link_all(["new york"], 10)[0])


def test_a_graph_without_labels_has_local_names(tmp_path: Path) -> None:
    text = "<http://e/Saturn_V> <http://e/made_by> <http://e/people/Wernher%20von_Braun> ."
    linker = open_linker(opened(text, tmp_path), folder=tmp_path)
    assert linker.link_all(["wernher von braun"], 1)[0][0].node == Iri("http://e/people/Wernher%20von_Braun")


def test_labels_of_relations_alone_are_no_labels_of_entities(tmp_path: Path) -> None:
    text = """@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    <http://e/made_by> rdfs:label "made by" . <http://e/Saturn_V> <http://e/made_by> <http://e/Boeing> ."""
    linker = open_linker(opened(text, tmp_path), folder=tmp_path)
    assert linker.known(["boeing", "saturn v", "made by"]) == {"boeing", "saturn v"}


def test_a_relation_that_stands_as_a_subject_is_no_entity(tmp_path: Path) -> None:
    text = "<http://e/x> <http://e/made_by> <http://e/y> . <http://e/made_by> a <http://e/Relation> ."
    assert open_linker(opened(text, tmp_path), folder=tmp_path).known(["made by", "x"]) == {"x"}


def test_a_graph_of_nothing_has_no_names(tmp_path: Path) -> None:
    linker = open_linker(opened("", tmp_path), folder=tmp_path)
    assert linker.link_all(["x", "5"], 3) == [[], linker.link_all(["5"], 1)[0]]


# --- what is kept -------------------------------------------------------------------------------------------------


def test_names_are_read_once_and_anew_where_the_graph_changed(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    one = graph_names(opened(GRAPH, tmp_path), folder=kept)
    stamp = Path(one.path).stat().st_ino
    again = graph_names(opened(GRAPH, tmp_path), folder=kept)
    assert (again.path, again.hash, Path(again.path).stat().st_ino) == (one.path, one.hash, stamp)
    other = graph_names(opened(GRAPH.replace("Big Apple", "Gotham"), tmp_path), folder=kept)
    assert other.path != one.path
    assert other.known(["Gotham", "Big Apple"]) == {"Gotham"}
    assert sorted(path.name for path in kept.iterdir()) == sorted(Path(one.path).name for one in (one, other))


def test_a_damaged_file_is_made_anew(tmp_path: Path) -> None:
    graph = opened(GRAPH, tmp_path)
    path = Path(graph_names(graph, folder=tmp_path / "kept").path)
    for damage in (b"", b"no database at all", path.read_bytes()[:5000]):
        path.write_bytes(damage)
        assert graph_names(graph, folder=tmp_path / "kept").known(["nyc"]) == {"nyc"}
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = '0' WHERE name = 'version'")
    connection.close()
    with pytest.raises(InputError, match="version 0"):
        Names(path)


def test_a_page_that_is_damaged_later_is_told_and_made_anew(tmp_path: Path) -> None:
    many = "".join(f"<http://e/{n}> rdfs:label 'name {n} abc{n * 7919} thing' .\n" for n in range(2000))
    graph = opened(GRAPH + many, tmp_path)
    path = Path(graph_names(graph, folder=tmp_path / "kept").path)
    whole = path.read_bytes()
    page = 4096
    told: list[str] = []
    for start in range(3 * page, len(whole) - page, 7 * page):
        path.write_bytes(whole[:start] + b"\xff" * page + whole[start + page :])
        names = graph_names(graph, folder=tmp_path / "kept")
        try:
            names.alike(["nmae 17 thing"], 3)
            names.bearing([f"name {n} abc{n * 7919} thing" for n in range(0, 2000, 50)])
        except InputError as problem:
            told.append(str(problem))
            names.close()
            assert not path.exists()
            assert graph_names(graph, folder=tmp_path / "kept").known(["nyc"]) == {"nyc"}
    assert told
    assert all("made anew" in one for one in told)


def test_names_are_of_one_schema(tmp_path: Path) -> None:
    for name, relations in (("one", ":other"), ("two", ":apple")):
        (tmp_path / f"{name}.ttl").write_text(
            "@prefix : <http://e/> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n"
            f":knows a rdf:Property . {relations} a rdf:Property ."
        )
    (tmp_path / "g.ttl").write_text(GRAPH, encoding="utf-8")
    kept = tmp_path / "kept"
    found = {
        name: graph_names(open_kg(tmp_path / "g.ttl", schema=tmp_path / f"{name}.ttl"), folder=kept).known(["apple"])
        for name in ("one", "two")
    }
    assert found == {"one": {"apple"}, "two": set()}


def test_names_that_were_not_used_for_longest_go(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    named = [Named("http://e/x", "x")]
    size = Path(kept_names("a", named, kept).path).stat().st_size
    for place, key in enumerate(("a", "b", "c")):
        path = Path(kept_names(key, named, kept).path)
        os.utime(path, (place, place))
    (kept / "b-0123").mkdir()
    (kept / "b-0123" / "vectors").write_bytes(b"x" * size)
    kept_names("a", named, kept)  # used again, so that b is the oldest
    kept_names("d", named, kept, limit=3 * size)
    assert sorted(path.name for path in kept.iterdir()) == ["a.sqlite", "c.sqlite", "d.sqlite"]
    kept_names("e", named, kept, limit=1)
    assert [path.name for path in kept.iterdir()] == ["e.sqlite"]


def test_names_that_cannot_be_kept_are_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write_names(tmp_path / "file" / "names.sqlite", [])
    with pytest.raises(InputError, match="no names"):
        Names(tmp_path / "none")


@pytest.mark.parametrize(
    "numpy", [False, pytest.param(True, marks=pytest.mark.skipif(not has("numpy"), reason="no numpy"))]
)
def test_kept_postings_find_what_those_in_memory_find(numpy: bool, tmp_path: Path) -> None:
    texts = [f"{a} {b}" for a in ("Saturn", "Soyuz", "Delta", "Ariane") for b in ("I", "II", "V", "heavy", "2.1b")]
    write_names(tmp_path / "n.sqlite", [Named(f"http://e/{n}", text) for n, text in enumerate(texts)])
    names = Names(tmp_path / "n.sqlite", numpy=numpy)
    memory = LexicalIndex()
    memory.add([f"http://e/{n}" for n in range(len(texts))], texts)
    for query in ("Saturn", "soyuz 2", "Delat heavy", "zzz", "I"):
        found = names.alike([query], 5)[0]
        expected = memory.search([query], 5)[0]
        assert [(iri, text) for iri, text, _ in found] == [(hit.key, hit.text) for hit in expected]
        assert [score for _, _, score in found] == pytest.approx([hit.score for hit in expected])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Dad's Army", "dads army"),
        ("The Who", "who"),
        ("Ångström", "angstrom"),
        ("A", "a"),
        ("Geißböcke", "geissbocke"),
        ("R2-D2", "r2 d2"),
        ("C++", "c++"),
        ("C#", "c#"),
        ("x#y", "x y"),
        ("東京", "東京"),
        ("が", "が"),
        ("?!", "?!"),
    ],
)
def test_names_that_are_one_but_for_how_they_are_written(one: str, other: str) -> None:
    assert folded(one) == folded(other) == other


# --- encoders -----------------------------------------------------------------------------------------------------


class Meaning:
    """An encoder of the standard library's and numpy's, which knows that two words are one."""

    name = "meaning"
    identity = "meaning 1"
    dimension = 256

    def encode(self, texts: Any) -> Any:
        return Lexical(self.dimension).encode([text.lower().replace("metropolis", "city") for text in texts])


def test_an_encoder_finds_what_spelling_does_not_and_its_index_is_kept(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    graph = opened(GRAPH, tmp_path)
    linker = open_linker(graph, Meaning(), folder=tmp_path / "kept")
    found = linker.link_all(["York Metropolis"], 3)[0][0]
    assert (found.node, found.how) == (Iri("http://e/nyc"), How.ENCODER)
    assert 0.5 < found.score <= 1.0
    folders = [path for path in (tmp_path / "kept").iterdir() if path.is_dir()]
    assert len(folders) == 1
    again = open_linker(graph, Meaning(), folder=tmp_path / "kept")
    assert again.link_all(["York Metropolis"], 3)[0][0] == found
    assert linker.link_all(["NYC"], 3)[0][0].how is How.ALIAS
