"""Questions that a person would ask of two real graphs, answered three ways that have to agree.

In fb15k/ and mondial/ stand programs (NAME.pylf, the question first), second opinions in SPARQL written by hand from
the question (NAME.rq, and NAME.pca.rq where partial completeness answers differently) and what is expected
(ANSWERS.toml). The second opinions share nothing with pylf but the engine. The graphs are not part of the project:
they are read from the shared material, and these tests are skipped without it.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pytest

import pylf
from pylf.ir.terms import Blank

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    import pyoxigraph

    from pylf.backends.engines.rdflib import RdflibEngine
    from pylf.ir.answers import Answers
    from pylf.ir.memory import MemoryGraph

HERE = Path(__file__).parent
GRAPHS = ("fb15k", "mondial")

Reading = Literal["cwa", "pca"]
Record = dict[str, Any]
EXPECTED: dict[str, dict[str, Record]] = {
    graph: tomllib.loads((HERE / graph / "ANSWERS.toml").read_text(encoding="utf-8")) for graph in GRAPHS
}
READINGS: tuple[Reading, ...] = ("cwa", "pca")
#: seconds that one query may take; an engine that hangs fails its own test alone
LIMIT = 60


class Case(NamedTuple):
    """A program of a graph, in one reading of its negation."""

    graph: str
    name: str
    reading: Reading

    @property
    def text(self) -> str:
        return program(self.graph, self.name)

    @property
    def expected(self) -> Record:
        record: Record = EXPECTED[self.graph][self.name][self.reading]
        return record

    def compiled(self, graphs: Mapping[str, pylf.KnowledgeGraph]) -> pylf.CompiledQuery:
        return pylf.compile(self.text, kg=graphs[self.graph], name=f"{self.name}.pylf", negation=self.reading)


CASES = [
    Case(graph, name, reading)
    for graph in GRAPHS
    for name, record in EXPECTED[graph].items()
    for reading in READINGS
    if reading in record
]
case = pytest.mark.parametrize("case", CASES, ids=["-".join(c) for c in CASES])


def program(graph: str, name: str) -> str:
    return (HERE / graph / f"{name}.pylf").read_text(encoding="utf-8")


def told(names: Collection[str], blanks: int) -> Record:
    """A set of answers as ANSWERS.toml writes it."""
    digest = hashlib.sha256("\n".join(sorted(names)).encode()).hexdigest()[:12]
    return {"answers": len(names) + blanks} | ({"digest": digest} if names else {})


def plain(answers: Answers) -> Record:
    """Answers of pylf as ANSWERS.toml writes them."""
    if answers.boolean is not None:
        return {"yes": answers.boolean}
    if answers.number is not None:
        return {"number": answers.number}
    blanks = sum(isinstance(value, Blank) for value in answers.values)
    return told([str(v).strip("<>") for v in answers.values if not isinstance(v, Blank)], blanks)


def second_opinion(store: pyoxigraph.Store, graph: str, name: str, reading: Reading) -> Record:
    """What the SPARQL written by hand answers, as ANSWERS.toml writes it."""
    from pyoxigraph import BlankNode, NamedNode, QueryBoolean, QuerySolutions

    path = HERE / graph / f"{name}.pca.rq"
    if reading == "cwa" or not path.exists():
        path = HERE / graph / f"{name}.rq"
    found = store.query(path.read_text(encoding="utf-8"))
    if isinstance(found, QueryBoolean):
        return {"yes": bool(found)}
    assert isinstance(found, QuerySolutions)
    nodes = [row[0] for row in found]
    assert len(set(nodes)) == len(nodes), "the SPARQL answers with a set"
    if [variable.value for variable in found.variables] == ["n"]:
        (number,) = nodes
        return {"number": int(number.value)}
    blanks = sum(isinstance(node, BlankNode) for node in nodes)
    return told([node.value for node in nodes if isinstance(node, NamedNode)], blanks)


def skip_if_slow(case: Case, key: str) -> None:
    """Skip what the record says to be too slow."""
    why = EXPECTED[case.graph][case.name].get(key, {}).get(case.reading)
    if why is not None:
        pytest.skip(f"takes too long: {why}")


# --- the files ----------------------------------------------------------------------------------------------------


def test_there_are_as_many_programs_as_promised() -> None:
    assert len(EXPECTED["fb15k"]) >= 30
    assert len(EXPECTED["mondial"]) >= 10


@pytest.mark.parametrize("graph", GRAPHS)
def test_every_program_has_a_question_a_record_and_a_second_opinion(graph: str) -> None:
    files = sorted(path.name for path in (HERE / graph).iterdir())
    assert {name.removesuffix(".pylf") for name in files if name.endswith(".pylf")} == set(EXPECTED[graph])
    assert {name.partition(".")[0] for name in files if name.endswith(".rq")} == set(EXPECTED[graph])
    for name, record in EXPECTED[graph].items():
        text = program(graph, name)
        assert re.match(r"(# .+\n)*# .+\?\n", text), f"{name} begins with its question"
        assert ("pca" in record) == ("neg=True" in text), f"{name}: the readings are those of its negations"
        differs = record["cwa"] != record.get("pca", record["cwa"])
        assert f"{name}.pca.rq" in files or not differs, f"{name}: the readings differ, and need an opinion each"
        assert set(record) <= {"cwa", "pca", "slow_flat", "slow_rdflib"}, name


def test_most_programs_have_answers_that_a_person_could_read() -> None:
    sizes = [case.expected["answers"] for case in CASES if "answers" in case.expected]
    assert sum(size > 0 for size in sizes) > 0.9 * len(sizes)
    assert max(sizes) < 400


def test_the_two_readings_differ_on_most_programs_with_a_negation() -> None:
    both = [r for records in EXPECTED.values() for r in records.values() if "pca" in r]
    assert len(both) >= 20
    assert sum(r["cwa"] != r["pca"] for r in both) > len(both) / 2


# --- three ways ---------------------------------------------------------------------------------------------------


@case
def test_the_second_opinion_is_what_is_recorded(graphs: Mapping[str, pylf.KnowledgeGraph], case: Case) -> None:
    assert second_opinion(graphs[case.graph].engine.store, *case) == case.expected


@case
def test_the_engine_answers_as_recorded(graphs: Mapping[str, pylf.KnowledgeGraph], case: Case) -> None:
    query = case.compiled(graphs)
    answers = graphs[case.graph].engine.run(query.ir, query.schema, query.vocabulary, optimize=1, timeout=LIMIT)
    assert plain(answers) == case.expected


@case
def test_the_engine_answers_the_plain_form_as_recorded(graphs: Mapping[str, pylf.KnowledgeGraph], case: Case) -> None:
    skip_if_slow(case, "slow_flat")
    query = case.compiled(graphs)
    answers = graphs[case.graph].engine.run(query.ir, query.schema, query.vocabulary, optimize=0, timeout=LIMIT)
    assert plain(answers) == case.expected


@case
def test_the_reference_evaluator_answers_as_recorded(
    graphs: Mapping[str, pylf.KnowledgeGraph], in_memory: Mapping[str, MemoryGraph], case: Case
) -> None:
    from pylf.ir.evaluate import evaluate

    query = case.compiled(graphs)
    assert plain(evaluate(query.ir, in_memory[case.graph], query.schema, query.vocabulary)) == case.expected


@pytest.mark.parametrize("case", [c for c in CASES if c.reading == "cwa"], ids="-".join)
def test_a_program_compiled_without_the_graph_answers_the_same(
    graphs: Mapping[str, pylf.KnowledgeGraph], case: Case
) -> None:
    graph = graphs[case.graph]
    query = pylf.compile(case.text, schema=graph.schema, vocabulary=graph.vocabulary, negation=case.reading)
    answers = graph.engine.run(query.ir, query.schema, query.vocabulary, optimize=1, timeout=LIMIT)
    assert plain(answers) == case.expected  # labels are patterns of the query here


@pytest.mark.parametrize("case", [c for c in CASES if c.graph == "mondial"], ids=lambda c: "-".join(c[1:]))
def test_rdflib_answers_as_recorded(
    graphs: Mapping[str, pylf.KnowledgeGraph], rdflib_mondial: RdflibEngine, case: Case
) -> None:
    skip_if_slow(case, "slow_rdflib")
    query = case.compiled(graphs)
    assert plain(rdflib_mondial.run(query.ir, query.schema, query.vocabulary, timeout=LIMIT)) == case.expected


# --- other forms --------------------------------------------------------------------------------------------------


@case
def test_the_question_can_be_said_in_english(graphs: Mapping[str, pylf.KnowledgeGraph], case: Case) -> None:
    query = case.compiled(graphs)
    assert re.fullmatch(r"[A-Z][^?\n]+\?", query.english)
    assert query.english == case.compiled(graphs).english
    for label in re.findall(r"START\('([A-Z][^'.]+ [^'.]+)'\)", case.text):
        assert label in query.english


@pytest.mark.parametrize("graph", GRAPHS)
def test_no_two_questions_sound_alike(graphs: Mapping[str, pylf.KnowledgeGraph], graph: str) -> None:
    said = [c.compiled(graphs).english for c in CASES if c.graph == graph]
    assert len(set(said)) == len(said)


@case
def test_a_program_written_back_means_the_same(graphs: Mapping[str, pylf.KnowledgeGraph], case: Case) -> None:
    query = case.compiled(graphs)
    again = pylf.compile(query.to("pylf"), kg=graphs[case.graph], negation=case.reading)
    assert again.fingerprint == query.fingerprint
