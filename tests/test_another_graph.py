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
