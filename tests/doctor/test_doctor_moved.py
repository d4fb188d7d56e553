"""Gold answers that go stale: a set keeps form, SPARQL, answers and snapshot, is asked again, and tells what moved."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pylf.batch import compile_batch
from pylf.batch.gold import KEPT, as_data
from pylf.doctor import agreement
from pylf.doctor.gold import run_gold
from pylf.doctor.report import gold_lines
from pylf.errors import InputError
from pylf.graphs import bundled, open_kg
from pylf.ir.answers import Answers
from pylf.ir.nodes import Form
from pylf.ir.terms import XSD_INTEGER, Iri, Literal, tagged

if TYPE_CHECKING:
    from pathlib import Path

PREFIXES = "@prefix : <http://f.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
SHARED = """
:Film rdfs:subClassOf rdfs:Resource . :director rdfs:domain :Film . :year rdfs:domain :Film .
:a a :Film ; :director :jo ; :year 1999 . :b a :Film ; :director :jo ; :year 2001 . :c a :Film ; :director :kim .
:jo rdfs:label "Jo" .
"""
LATER = SHARED.replace(":b a :Film ; :director :jo", ":b a :Film ; :director :kim") + ":d a :Film ; :director :jo ."
VOCABULARY = 'name = "f"\n[prefixes]\n"" = "http://f.example/"\n'
F = "http://f.example/"

#: id, question, form; what is gone and what is new on the later graph
SET = (
    ("by jo", "(JOIN director :jo)", "sexpr", (f"{F}b",), (f"{F}d",)),
    ("by kim", f"SELECT ?x WHERE {{ ?x <{F}director> <{F}kim> }}", "sparql", (), (f"{F}b",)),
    ("years", f"SELECT ?x ?y {{ ?x <{F}director> <{F}jo> OPTIONAL {{ ?x <{F}year> ?y }} }}", "sparql",
     (f"{F}b, 2001",), (f"{F}d, ",)),
    ("how many", "x = STOP(COUNT(JOIN('director', START('<http://f.example/kim>'))))", "pylf", ("1",), ("2",)),
    ("any later", f"ASK {{ ?x <{F}director> <{F}jo> ; <{F}year> 2001 }}", "sparql", ("true",), ("false",)),
    ("of 1999", ":jo -> ~director [-> year = 1999]", "chain", (), ()),
    ("steps", "?x -> director -> ?y", "path", (f"{F}b, {F}jo",), (f"{F}b, {F}kim", f"{F}d, {F}jo")),
)  # fmt: skip


@pytest.fixture
def graphs(tmp_path: Path) -> tuple[str, str, str]:
    """Two states of a graph and its vocabulary."""
    (tmp_path / "f.toml").write_text(VOCABULARY, encoding="utf-8")
    for name, text in (("first.ttl", SHARED), ("second.ttl", LATER)):
        (tmp_path / name).write_text(PREFIXES + text, encoding="utf-8")
    return str(tmp_path / "first.ttl"), str(tmp_path / "second.ttl"), str(tmp_path / "f.toml")


def kept(first: str, vocabulary: str) -> list[dict[str, Any]]:
    """The set as it is kept after it was asked of the first graph."""
    found = []
    for name, text, form, _, _ in SET:
        records = [{"id": name, "question": text}]
        to = tuple(dict.fromkeys((form, *KEPT)))
        (answer,) = compile_batch(records, field="question", source=form, to=to, kg=first, vocabulary=vocabulary)
        assert not answer.errors, answer.errors
        found.append(answer.to_json())
    return found


def test_case_63_answers_that_moved_between_two_snapshots_are_listed(
    graphs: tuple[str, str, str], tmp_path: Path
) -> None:
    first, second, vocabulary = graphs
    records = kept(first, vocabulary)
    before, now = (open_kg(path, vocabulary=vocabulary) for path in (first, second))
    for record, (_, _, form, _, _) in zip(records, SET, strict=True):
        assert record[form]
        assert record["sparql"].startswith(("SELECT", "ASK"))
        assert record["snapshot"] == before.engine.snapshot != now.engine.snapshot
    path = tmp_path / "gold.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    same = run_gold(str(path), before)
    assert (same.agreeing, same.moved, same.earlier) == ((len(SET), len(SET)), (), ())
    found = run_gold(str(path), now)
    assert {asked.id: (asked.gone, asked.new) for asked in found.questions} == {
        name: (gone, new) for name, _, _, gone, new in SET
    }
    assert [asked.id for asked in found.moved] == [name for name, _, _, gone, new in SET if gone or new]
    assert found.earlier == (before.engine.snapshot,)
    data = found.to_json()
    assert data["snapshot"] == now.engine.snapshot
    assert data["moved"] == [asked.id for asked in found.moved]
    told = "\n".join(gold_lines(found))
    assert f"answers are given for another snapshot ({before.engine.snapshot})" in told
    assert f"    by jo: 1 gone: {F}b; 1 new: {F}d" in told
    assert f"    by kim: 1 new: {F}b" in told
    assert "and 1 others whose answers moved" in told


def test_case_63_sparql_alone_is_asked_again_as_it_is_written(graphs: tuple[str, str, str], tmp_path: Path) -> None:
    first, second, vocabulary = graphs
    records = [{k: r[k] for k in ("id", "sparql", "answers", "snapshot")} for r in kept(first, vocabulary)]
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps(records), encoding="utf-8")
    found = run_gold(str(path), open_kg(second, vocabulary=vocabulary))
    assert not any(asked.reread for asked in found.questions)
    assert {asked.id: (asked.gone, asked.new) for asked in found.questions} == {
        name: (gone, new) for name, _, _, gone, new in SET
    }


def test_case_63_what_an_engine_refuses_is_asked_as_it_is_read(graphs: tuple[str, str, str], tmp_path: Path) -> None:
    first, _, vocabulary = graphs
    records = [
        {"id": "count", "sparql": "SELECT COUNT DISTINCT ?x WHERE { ?x :director :jo }", "answers": [2]},
        {"id": "or", "sparql": "SELECT ?x { ?x :year ?y FILTER(?y = 1999 OR ?y = 2001) }", "answers": [":a", "c"]},
        {"id": "ties", "sparql": "SELECT ?x { ?x :director :jo OR }", "answers": []},
        {"id": "elsewhere", "sparql": "SELECT ?x { SERVICE <http://127.0.0.1:9/> { ?x ?p ?o } }", "answers": []},
        {"id": "changes", "sparql": "DELETE WHERE { ?s ?p ?o }", "answers": []},
    ]
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps(records), encoding="utf-8")
    found = run_gold(str(path), open_kg(first, vocabulary=vocabulary))
    told = [(asked.id, asked.status, asked.reread, asked.agrees, asked.gone, asked.new) for asked in found.questions]
    assert told == [
        ("count", "answered", True, True, (), ()),
        ("or", "answered", True, False, ("c",), (f"{F}b",)),
        ("ties", "refused", False, None, (), ()),
        ("elsewhere", "refused", False, None, (), ()),
        ("changes", "refused", False, None, (), ()),
    ]
    assert "2 asked as pylf reads them" in "\n".join(gold_lines(found))
    assert found.questions[0].to_json()["reread"] is True


def test_a_record_is_read_with_the_choices_that_it_states(graphs: tuple[str, str, str], tmp_path: Path) -> None:
    first, _, vocabulary = graphs
    program = "x = STOP(JOIN('director', JOIN('R_director', START('<http://f.example/a>'))))"
    records = [
        {"id": drop, "program": program, "exclude_topic": drop, "answers": [":b"] if drop else [":a", ":b"]}
        for drop in (1, 0)
    ]
    records = [record | {"exclude_topic": bool(record["id"])} for record in records]
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps(records), encoding="utf-8")
    assert run_gold(str(path), open_kg(first, vocabulary=vocabulary)).agreeing == (2, 2)


ROWS = Answers.of_rows(
    [(Iri(f"{F}a"), Literal("1", XSD_INTEGER)), (Iri(f"{F}b"), None), (Iri(f"{F}c"), tagged("x", "en"))], Form.ROWS
)


def test_rows_are_kept_and_met_cell_by_cell() -> None:
    data = as_data(ROWS)
    assert sorted(map(str, data)) == sorted(
        map(
            str,
            [
                [f"{F}a", {"value": "1", "datatype": XSD_INTEGER}],
                [f"{F}b", None],
                [f"{F}c", {"value": "x", "language": "en"}],
            ],
        )
    )
    graph = bundled()
    assert not agreement.moved(ROWS, json.loads(json.dumps(data)), graph)
    assert agreement.moved(ROWS, [[f"{F}a", 1.0], [f"{F}b", None]], graph).new == (f"{F}c, x",)
    assert agreement.moved(ROWS, [[f"{F}a", 1], [f"{F}b", 2], [f"{F}c", "x"], [f"{F}d"]], graph) == agreement.Moved(
        (f"{F}b, 2", f"{F}d"), (f"{F}b, ",)
    )
    # answers that are no rows are held against one column
    assert not agreement.moved(ROWS, [f"{F}c", f"{F}a", f"{F}b"], graph)


def test_answers_are_a_graphs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="answers come from a graph"):
        list(compile_batch([], field="sparql", to=("sparql", "answers")))
