"""A query that was compiled against one graph, and is asked of another: names and schema go by what was chosen, and
counts by the graph that is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import pylf
from pylf.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

_PREFIXES = """
@prefix : <http://f.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
"""
_STATED = ":A owl:disjointWith :D . :r owl:inverseOf :ri ."


def _file(folder: Path, name: str, turtle: str) -> str:
    path = folder / name
    path.write_text(_PREFIXES + turtle, encoding="utf-8")
    return str(path)


def _names(query: pylf.CompiledQuery, graph: object) -> list[str]:
    return sorted(str(node)[1:-1].rpartition("/")[2] for node in query.run(graph).answers.values)


@pytest.mark.parametrize("optimize", [0, 1, 2])
@pytest.mark.parametrize(("op", "found"), [("<", ["a", "h"]), ("!=", ["a", "b", "c", "h"])])
def test_values_that_only_the_other_graph_has(tmp_path: Path, op: str, found: list[str], optimize: int) -> None:
    one = _file(tmp_path, "one.ttl", ":a :t 3 . :b :t 7 . :c :t 10 .")
    other = _file(tmp_path, "other.ttl", ':a :t 3 . :b :t 7 , "4" . :c :t 10 . :g :t "2"@en . :h :t 1 .')
    query = pylf.compile(f"e = STOP(CMP('{op}', 't', 5))", kg=one, optimize=optimize)
    assert _names(query, other) == found


@pytest.mark.parametrize("optimize", [0, 1, 2])
def test_classes_that_the_other_graph_does_not_keep_to(tmp_path: Path, optimize: int) -> None:
    one = _file(tmp_path, "one.ttl", ":x a :A ; :r :y .")
    other = _file(tmp_path, "other.ttl", ":z a :A . :x :r :y .")
    query = pylf.compile(
        "e = STOP(AND(START('A'), JOIN('r', START('<http://f.example/y>'))))", kg=one, optimize=optimize
    )
    assert _names(query, None) == ["x"]
    assert _names(query, other) == []
    # a schema that was measured on the one says of the other what it states, and no more
    measured = pylf.load_schema(_inferred(one, tmp_path / "one.sqlite"))
    chosen = pylf.compile(query.text, schema=measured, optimize=optimize)
    assert _names(chosen, other) == []
    assert _names(chosen, pylf.open_kg(other)) == []
    assert _names(pylf.compile(query.text, kg=pylf.open_kg(other), schema=measured, optimize=optimize), None) == []


def test_domains_that_were_inferred_from_one_graph_say_nothing_of_another(tmp_path: Path) -> None:
    one = _file(tmp_path, "one.ttl", ":a a :A ; :r :b . :b a :D .")
    other = _file(tmp_path, "other.ttl", ":a :r 5 , 5.0e0 , 2 .")
    measured = pylf.load_schema(_inferred(one, tmp_path / "one.sqlite"))
    query = pylf.compile("e = STOP(CMP('>', 'r', 3))", kg=other, schema=measured)
    assert _names(query, None) == ["a"]
    counted = pylf.compile("e = STOP(COUNT(JOIN('R_r', START('<http://f.example/a>'))))", kg=other, schema=measured)
    assert counted.run().answers.number == 2


_OF_KIND = "set ?x\n  ?x: entity\nwhere\n  ?x a <http://f.example/A>\n"


def test_the_vocabulary_that_a_chosen_schema_implies(tmp_path: Path) -> None:
    from pylf.ir.schema.memory import MemorySource
    from pylf.ir.schema.model import Schema

    freebase = Schema(MemorySource((), (), {"vocabulary": "freebase"}))
    turtle = ":x <http://rdf.freebase.com/ns/type.object.type> :A ."
    one, other = _file(tmp_path, "one.ttl", turtle), _file(tmp_path, "other.ttl", turtle)
    for kg in (None, one, pylf.open_kg(one)):
        query = pylf.compile(_OF_KIND, source="ir", schema=freebase, kg=kg)
        assert [_names(query, graph) for graph in (one, other, pylf.open_kg(other))] == [["x"]] * 3
    # the vocabulary that a folder was loaded with comes before any that is only implied
    reading = tmp_path / "kind.toml"
    reading.write_text('type_predicates = ["http://f.example/kind"]\n', encoding="utf-8")
    folder, schema = str(tmp_path / "folder"), _file(tmp_path, "s.ttl", _STATED)
    data = _file(tmp_path, "data.ttl", ":x :kind :A . :y a :A .")
    assert main(["kg", "load", data, "--into", folder, "--vocab", str(reading)]) == 0
    for kg in (None, folder, pylf.open_kg(folder)):
        query = pylf.compile(_OF_KIND, source="ir", schema=schema, kg=kg)
        assert [_names(query, graph) for graph in (folder, pylf.open_kg(folder))] == [["x"]] * 2


def test_a_schema_is_found_again_from_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = _file(tmp_path, "graph.ttl", ":x a :B .")
    (tmp_path / "there").mkdir()
    for folder, stated in ((tmp_path, ":B rdfs:subClassOf :A ."), (tmp_path / "there", ":C rdfs:subClassOf :A .")):
        _file(folder, "s.ttl", stated)
    monkeypatch.chdir(tmp_path)
    query = pylf.compile(_OF_KIND, source="ir", kg=graph, schema="s.ttl")
    monkeypatch.chdir(tmp_path / "there")
    assert _names(query, None) == _names(query, _file(tmp_path, "other.ttl", ":x a :B .")) == ["x"]


def test_the_bundled_graph_under_a_schema(tmp_path: Path) -> None:
    schema = _file(tmp_path, "s.ttl", _STATED)
    program = "e = STOP(COUNT(START('rocket')))"
    expected = pylf.compile(program, kg="bundled").run().answers.number
    assert expected
    assert pylf.compile(program, kg="bundled", schema=schema).run().answers.number == expected
    named = "e = STOP(COUNT(START('<http://pylf.example/rockets/spaceflight.rocket>')))"
    assert pylf.compile(named, schema=schema, vocabulary="rdf").run("bundled").answers.number == expected


@pytest.mark.parametrize("wrong", [5, b"graph.ttl", pylf.load_vocabulary()])
def test_what_is_no_graph_and_no_schema(wrong: object) -> None:
    query = pylf.compile("e = STOP(START(1))")
    with pytest.raises(
        pylf.InputError, match="a graph is a path, an endpoint, its address or what open_kg gives, not "
    ):
        query.run(wrong)
    with pytest.raises(pylf.InputError, match="a graph is a path"):
        pylf.compile("e = STOP(START(1))", kg=wrong)
    with pytest.raises(pylf.InputError, match="a schema is a path or what load_schema gives, not "):
        pylf.compile("e = STOP(START(1))", schema=wrong)


def test_ir_is_asked_under_the_schema_of_the_graph(tmp_path: Path) -> None:
    graph = _file(tmp_path, "graph.ttl", ":B rdfs:subClassOf :A . :x a :A . :y a :B .")
    query = pylf.compile("set ?x\n  ?x: entity\nwhere\n  ?x a <http://f.example/A>\n", source="ir")
    assert _names(query, graph) == ["x", "y"]


@pytest.mark.parametrize("optimize", [0, 1, 2])
def test_remarks_about_the_graph_that_was_measured_are_not_laid_over_another(
    tmp_path: Path, optimize: int, capsys: pytest.CaptureFixture[str]
) -> None:
    measured_on = _file(tmp_path, "one.ttl", ":x :r :y . :y :ri :x . :x a :A . :y a :D .")
    schema = _inferred(measured_on, tmp_path / "s.sqlite", _file(tmp_path, "s.ttl", _STATED), "mirrored")
    other = _file(tmp_path, "other.ttl", ":x :r :y . :p :ri :q . :z a :A , :D . :y a :A .")
    folder = str(tmp_path / "folder")
    assert main(["kg", "load", other, "--into", folder]) == 0
    graph = pylf.open_kg(folder, schema=schema)
    both = "set ?x\n  ?x: entity\nwhere\n  ?x a <http://f.example/A>\n  ?x a <http://f.example/D>\n"
    assert _names(pylf.compile(both, source="ir", kg=graph, optimize=optimize), None) == ["z"]
    back = "e = STOP(JOIN('R_ri', START('<http://f.example/p>')))"
    assert _names(pylf.compile(back, kg=graph, optimize=optimize), None) == ["q"]
    capsys.readouterr()


def test_a_vocabulary_by_which_nothing_was_measured(tmp_path: Path) -> None:
    data = _file(tmp_path, "data.ttl", ":x :kind :A . :y :kind :B . :x :r :y .")
    reading = tmp_path / "kind.toml"
    reading.write_text('type_predicates = ["http://f.example/kind"]\n', encoding="utf-8")
    folder = str(tmp_path / "folder")
    assert main(["kg", "load", data, "--into", folder, "--vocab", str(reading)]) == 0
    graph = pylf.open_kg(folder, schema=_file(tmp_path, "s.ttl", _STATED), vocabulary="rdf")
    text = "set ?x\n  ?x: entity\n  ?y: any\nwhere\n  ?x a <http://f.example/A>\n  ?x <http://f.example/r> ?y\n"
    assert [_names(pylf.compile(text, source="ir", kg=graph, optimize=level), None) for level in (0, 1, 2)] == [[]] * 3


def _inferred(data: str, into: Path, schema: str | None = None, inverses: str | None = None) -> str:
    options = [] if schema is None else ["--schema", schema]
    options += [] if inverses is None else ["--inverses", inverses]
    assert main(["schema", "infer", data, "-o", str(into), *options]) == 0
    return str(into)


def test_what_was_stated_over_what_was_inferred_stays_stated(tmp_path: Path) -> None:
    one = _file(tmp_path, "one.ttl", ":a a :A ; :r :b . :b a :D . :c a :A ; :s :b .")
    schema = _file(tmp_path, "s.ttl", ":r rdfs:domain :D .")
    laid = pylf.open_kg(one, schema=schema).schema
    folder = str(tmp_path / "folder")
    assert main(["kg", "load", one, "--into", folder]) == 0
    for known in (laid, pylf.open_kg(folder, schema=schema).schema):
        other = pylf.open_kg(_file(tmp_path, "other.ttl", ":x :r :y ; :s :y . :x a :B . :y a :B ."))
        query = pylf.compile("e = STOP(START('B'))", kg=other, schema=known)
        stated, inferred = (query.schema.relation(f"http://f.example/{name}") for name in "rs")
        assert stated is not None
        assert inferred is not None
        assert stated.domain == (("http://f.example/D",),)
        assert inferred.domain != (("http://f.example/A",),)
