"""A gold set on a graph: the share that is empty, what is missing first, and which answers agree (cases 34 and 39)."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.missing import Named, named_in
from pylf.doctor.gold import run_gold
from pylf.doctor.report import gold_lines
from pylf.errors import EngineTimeout, InputError
from pylf.graphs import KnowledgeGraph, bundled, load_vocabulary
from pylf.ir.build import join, negate, query, triple
from pylf.ir.nodes import Form
from pylf.ir.terms import Iri, Var

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pylf.ir.graph import TripleRow

DOUBLES = "http://www.w3.org/2001/XMLSchema#"
ROCKETS = "http://pylf.example/rockets/"
#: Twenty questions about the bundled graph: a relation, and what it leads to.
RELATIONS = (
    "spaceflight.rocket.manufacturer",
    "spaceflight.rocket.country_of_origin",
    "spaceflight.rocket.launch_sites",
    "people.person.nationality",
    "spaceflight.rocket.family",
)
LOST = "spaceflight.rocket.family"


def gold_file(path: Path, records: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(path)


def on(triples: list[TripleRow]) -> KnowledgeGraph:
    """The bundled graph's schema over these triples."""
    whole = bundled()
    return KnowledgeGraph(OxigraphEngine.memory(triples), whole.schema, whole.vocabulary, "a part")


def iri(name: str) -> Iri:
    return Iri(ROCKETS + name)


class Damaged(NamedTuple):
    """Twenty questions with their answers, and the graph that lacks 30 % of its triples."""

    records: list[dict[str, Any]]
    kept: list[TripleRow]


@pytest.fixture(scope="module")
def damaged() -> Damaged:
    triples = sorted(bundled().engine.triples(), key=str)
    records: list[dict[str, Any]] = []
    for relation in RELATIONS:
        ends = sorted({o.value for _, _, o in bundled().engine.triples(None, iri(relation)) if isinstance(o, Iri)})
        for end in ends[:4]:
            answers = [
                s.value for s, _, _ in bundled().engine.triples(None, iri(relation), Iri(end)) if isinstance(s, Iri)
            ]
            program = f"expression = STOP(JOIN('{relation}', START('<{end}>')))"
            records.append(
                {"id": f"q{len(records)}", "program": program, "answers": answers, "end": end, "by": relation}
            )
    assert len(records) == 20
    # one relation is gone altogether, as are all triples of one entity; the rest at random, to 30 %
    nobody = str(records[1]["end"])
    left = [t for t in triples if t[1] != iri(LOST) and Iri(nobody) not in (t[0], t[2])]
    kept = random.Random(39).sample(left, round(len(triples) * 0.7))
    return Damaged(records, kept)


def test_twenty_programs_on_a_graph_without_a_third_of_its_triples(damaged: Damaged, tmp_path: Path) -> None:
    found = run_gold(gold_file(tmp_path / "gold.jsonl", damaged.records), on(damaged.kept))
    held = set(damaged.kept)
    empty, missing, agreeing = 0, [], 0
    for record in damaged.records:
        relation, end = iri(record["by"]), Iri(record["end"])
        answers = {s.value for s, p, o in held if p == relation and o == end and isinstance(s, Iri)}
        agreeing += answers == set(record["answers"])
        if not answers:
            empty += 1
            if not any(p == relation for _, p, _ in held):
                missing.append(Named("relation", relation.value))
            elif not any(end in (s, o) for s, _, o in held):
                missing.append(Named("entity", end.value))
    assert empty >= 5
    assert found.counts == {"answered": 20 - empty, "empty": empty}
    assert found.empty_share == empty / 20
    assert [asked.missing for asked in found.questions if asked.missing] == missing
    assert found.missing[0] == (Named("relation", ROCKETS + LOST), 4)
    assert (Named("entity", damaged.records[1]["end"]), 1) in found.missing
    assert found.agreeing == (agreeing, 20)
    assert 0 < agreeing < 20
    assert not found.fruitless
    text = "\n".join(gold_lines(found))
    assert f"{20 - empty} answered, {empty} empty" in text
    assert f"4  the graph holds no triple of <{ROCKETS}{LOST}>" in text
    assert f"{agreeing} of 20 agree" in text


def test_all_twenty_agree_on_the_whole_graph(damaged: Damaged, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    path = gold_file(tmp_path / "gold.jsonl", damaged.records)
    found = run_gold(path, bundled(), progress=lambda done, total: told.append((done, total)))
    assert found.counts == {"answered": 20}
    assert (found.empty_share, found.agreeing, found.missing) == (0.0, (20, 20), [])
    assert told == [(n, 20) for n in range(1, 21)]


def test_a_set_of_which_nothing_is_left_is_fruitless(damaged: Damaged, tmp_path: Path) -> None:
    path = gold_file(tmp_path / "gold.jsonl", damaged.records)
    found = run_gold(path, on([(Iri("urn:a"), Iri("urn:b"), Iri("urn:c"))]))
    assert found.fruitless
    assert found.empty_share == 1.0
    assert all(asked.missing is not None and asked.missing.kind == "relation" for asked in found.questions)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        (
            f"SELECT ?x WHERE {{ ?x <{ROCKETS}spaceflight.rocket.nosuch> ?y }}",
            f"relation <{ROCKETS}spaceflight.rocket.nosuch>",
        ),
        (
            f"PREFIX r: <{ROCKETS}>\nselect distinct ?x # a remark with {{ ASK\n{{ ?x a r:nosuch }}",
            f"class <{ROCKETS}nosuch>",
        ),
        ("SELECT ?x WHERE { VALUES ?y { <urn:none> } ?x ?p ?y }", "entity <urn:none>"),
        ("SELECT ?x { ?x <urn:p>/<urn:q>* ?y }", "relation <urn:p>"),
        (
            f"PREFIX d: <{DOUBLES}> SELECT ?x {{ ?x <{ROCKETS}spaceflight.rocket.mass> ?m FILTER(d:double(?m) < 0) }}",
            None,
        ),
    ],
)
def test_what_sparql_names_and_the_graph_lacks_is_told(text: str, missing: str | None, tmp_path: Path) -> None:
    (asked,) = run_gold(gold_file(tmp_path / "gold.jsonl", [{"sparql": text}]), bundled()).questions
    assert (asked.status, None if asked.missing is None else str(asked.missing)) == ("empty", missing)


def test_a_count_of_nothing_is_answered_and_says_what_is_missing(tmp_path: Path) -> None:
    program = f"x = STOP(COUNT(JOIN('spaceflight.rocket.manufacturer', START('<{ROCKETS}m.nosuch>'))))"
    (asked,) = run_gold(gold_file(tmp_path / "gold.jsonl", [{"program": program, "answer": 0}]), bundled()).questions
    assert (asked.status, asked.agrees, str(asked.missing)) == ("answered", True, f"entity <{ROCKETS}m.nosuch>")


def test_a_label_that_nothing_bears_is_missing_by_its_name(tmp_path: Path) -> None:
    program = "x = STOP(JOIN('spaceflight.rocket.manufacturer', START('Boing \"Co\"')))"
    found = run_gold(gold_file(tmp_path / "gold.jsonl", [{"program": program}]), bundled())
    assert [asked.missing for asked in found.questions] == [Named("label", 'Boing "Co"')]
    assert any("nothing is labelled" in line for line in gold_lines(found))


@pytest.mark.parametrize(
    ("record", "status", "agrees"),
    [
        (
            {"s_expression": "(AND spaceflight.rocket (JOIN spaceflight.rocket.mass 1^^xsd:double))", "answer": []},
            "empty",
            True,
        ),
        ({"sparql_query": "ASK { ?s ?p ?o }", "answer": ["yes"]}, "answered", True),
        ({"sparql": "ASK { ?s ?p ?o }", "answers": False}, "answered", False),
        ({"sparql": "SELECT (COUNT(?s) AS ?n) { ?s ?p ?o }", "answer": [{"value": "5578.0"}]}, "answered", False),
        (
            {"sparql": 'SELECT ?x { VALUES ?x { 10 "b" } }', "answer": [10.0, {"answer_argument": "b"}]},
            "answered",
            True,
        ),
        (
            {"sparql": 'SELECT ?x { VALUES ?x { "b"@en } }', "answer": {"value": "b", "language": "EN"}},
            "answered",
            True,
        ),
        (
            {"sparql": 'SELECT ?x { VALUES ?x { "b"@en } }', "answer": {"value": "b", "language": "de"}},
            "answered",
            False,
        ),
        ({"sparql": "SELECT ?x ?y { VALUES (?x ?y) { (1 2) (3 4) } }", "answer": [2, 4]}, "answered", True),
        ({"sparql": "SELECT ?x { SERVICE <http://127.0.0.1:9/> { ?x ?p ?o } }"}, "refused", None),
        ({"sparql": "INSERT DATA { <urn:a> <urn:b> <urn:c> }"}, "refused", None),
        ({"sparql": "SELECT ?x {"}, "refused", None),
        ({"program": "x = STOP(JOIN('no_such_relation', START('x')))"}, "not compiled", None),
        ({"program": "x = STOP("}, "not compiled", None),
        ({"question": "which?"}, "not compiled", None),
    ],
)
def test_one_record(record: dict[str, Any], status: str, agrees: bool | None, tmp_path: Path) -> None:
    (asked,) = run_gold(gold_file(tmp_path / "gold.jsonl", [record]), bundled()).questions
    assert (asked.status, asked.agrees) == (status, agrees)
    assert bool(asked.reason) == (status not in ("answered", "empty"))


def test_a_label_counts_as_its_entity(tmp_path: Path) -> None:
    entity = next(o for _, _, o in bundled().engine.triples(None, iri("spaceflight.rocket.manufacturer")))
    label = bundled().labels((entity,))[entity]
    record = {"sparql": f"SELECT ?x {{ VALUES ?x {{ {entity} }} }}", "answer": [label]}
    (asked,) = run_gold(gold_file(tmp_path / "gold.jsonl", [record]), bundled()).questions
    assert asked.agrees is True


def test_a_time_out_is_no_empty_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def late(*_: object, **__: object) -> None:
        raise EngineTimeout("too late")

    graph = on([(Iri("urn:a"), Iri("urn:b"), Iri("urn:c"))])
    monkeypatch.setattr(graph.engine, "select", late)
    found = run_gold(gold_file(tmp_path / "gold.jsonl", [{"sparql": "SELECT ?x { ?x ?p ?o }", "answer": []}]), graph)
    assert found.counts == {"timeout": 1}
    assert (found.empty_share, found.agreeing, found.fruitless) == (None, (0, 0), True)


def test_lines_that_are_no_records_are_told(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text('{"id": "a", "sparql": "ASK {}"}\nnot json\n[1]\n', encoding="utf-8")
    found = run_gold(str(path), bundled())
    assert [(asked.id, asked.line, asked.status) for asked in found.questions] == [
        ("a", 1, "answered"),
        (2, 2, "not compiled"),
        (3, 3, "not compiled"),
    ]
    assert "not JSON" in found.questions[1].reason


def test_a_file_without_questions_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(InputError, match="no question"):
        run_gold(str(tmp_path / "empty.jsonl"), bundled())
    with pytest.raises(InputError):
        run_gold(str(tmp_path / "absent.jsonl"), bundled())


def test_names_are_told_once_in_the_order_of_the_program(compiled: Callable[[str], Any]) -> None:
    program = f"x = JOIN('spaceflight.rocket.manufacturer', START('<{ROCKETS}a>'))\ny = STOP(AND(START('rocket'), x))"
    query = compiled(program)
    kinds = [named.kind for named in named_in(query.ir, query.vocabulary)]
    assert sorted(kinds) == ["class", "entity", "relation"]


def test_what_stands_under_one_negation_is_not_needed_and_under_two_it_is() -> None:
    x, y, z = Var("x"), Var("y"), Var("z")
    lives, likes, knows = (Iri(f"urn:{name}") for name in ("lives", "likes", "knows"))
    once = negate(triple(x, likes, Iri("urn:a")))
    twice = negate(join(triple(x, likes, y), negate(triple(y, knows, z))))
    for negated, needed in ((once, ["lives"]), (twice, ["lives", "knows"])):
        asked = query(Form.SET, (x,), join(triple(x, lives, z), negated))
        assert list(named_in(asked, load_vocabulary())) == [Named("relation", f"urn:{name}") for name in needed]


@pytest.fixture
def compiled() -> Callable[[str], Any]:
    from pylf.api import compile

    return lambda text: compile(text, kg=bundled())
