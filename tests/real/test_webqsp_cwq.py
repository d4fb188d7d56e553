"""Questions of WebQSP and CWQ as PyLF programs, on a graph in Freebase's shape that has their answers.

In webqsp/PROGRAMS.toml and cwq/PROGRAMS.toml stand the programs by the questions' ids. The sets and the graph are not
part of the project: they are read from the shared material, and these tests are skipped without it. What is expected is
what the sets' own gold queries answer on this graph.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import pylf
from pylf.errors import NoForm

if TYPE_CHECKING:
    from collections.abc import Iterable

HERE = Path(__file__).parent
NAMESPACE = "http://rdf.freebase.com/ns/"
#: by set, how many questions of it the graph can answer
SETS = {"webqsp": 87, "cwq": 39}
#: the day that the sets' gold queries take for now
TODAY = "2015-08-10"
#: seconds that one query may take
LIMIT = 60

Record = dict[str, Any]


class Case(NamedTuple):
    """A question of a set and what PROGRAMS.toml says of it."""

    questions: str
    id: str
    record: Record

    def compiled(self, graph: pylf.KnowledgeGraph, optimize: int = 1, topic: bool = False) -> pylf.CompiledQuery:
        """The program; with ``topic``, entities that the question mentions may be among the answers."""
        return pylf.compile(
            self.record["program"],
            kg=graph,
            name=self.id,
            today=TODAY,
            optimize=optimize,
            exclude_topic=not topic and self.record.get("exclude_topic", False),
        )


CASES = [
    Case(questions, key, record)
    for questions in SETS
    for key, record in tomllib.loads((HERE / questions / "PROGRAMS.toml").read_text(encoding="utf-8")).items()
]
case = pytest.mark.parametrize("case", CASES, ids=lambda c: c.id)


class Gold(NamedTuple):
    """A question's gold query and the ids that it answers with on this graph."""

    sparql: str
    answers: frozenset[str]


@pytest.fixture(scope="session")
def gold(shared: Path) -> dict[tuple[str, str], Gold]:
    """What the sets say, by set and id."""
    found = {}
    for questions in SETS:
        path = shared / "data" / "fb15k237" / "questions" / f"{questions}_executable.jsonl"
        for line in path.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            found[questions, entry["id"]] = Gold(entry["sparql_fixed"], frozenset(entry["kg_answer"]))
    return found


def ids(values: Iterable[object]) -> list[str]:
    return sorted(str(value).strip("<>").removeprefix(NAMESPACE) for value in values)


def answers(query: pylf.CompiledQuery) -> list[str]:
    return ids(query.run(timeout=LIMIT).answers.values)


# --- the files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("questions", SETS)
def test_every_question_has_a_program(gold: dict[tuple[str, str], Gold], questions: str) -> None:
    written = {c.id for c in CASES if c.questions == questions}
    assert written == {key for name, key in gold if name == questions}
    assert len(written) == SETS[questions]


@case
def test_a_record_says_no_more_than_it_has_to(case: Case) -> None:
    assert set(case.record) <= {"program", "exclude_topic", "reason", "answers"}
    assert ("reason" in case.record) == ("answers" in case.record)
    assert case.record.get("exclude_topic", True), "it stands only where it is so"


def test_the_gold_queries_answer_as_the_sets_say(
    freebase: pylf.KnowledgeGraph, gold: dict[tuple[str, str], Gold]
) -> None:
    from pyoxigraph import QuerySolutions

    for key, (sparql, expected) in gold.items():
        found = freebase.engine.store.query(sparql)
        assert isinstance(found, QuerySolutions)
        assert ids(row[0] for row in found) == sorted(expected), key


# --- answers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("optimize", [1, 0])
@case
def test_a_program_answers_as_the_gold_query_does(
    freebase: pylf.KnowledgeGraph, gold: dict[tuple[str, str], Gold], case: Case, optimize: int
) -> None:
    expected = gold[case.questions, case.id].answers
    found = answers(case.compiled(freebase, optimize))
    if "reason" in case.record:
        assert len(found) == case.record["answers"]
        assert set(found) != expected, "the record gives a reason for a difference that is not there"
    else:
        assert found == sorted(expected)


@case
def test_freebases_own_schema_changes_no_answer(
    freebase: pylf.KnowledgeGraph, freebase_declared: pylf.KnowledgeGraph, case: Case
) -> None:
    query = case.compiled(freebase_declared)
    assert not query.diagnostics
    assert answers(query) == answers(case.compiled(freebase))


@pytest.mark.parametrize("case", [c for c in CASES if "exclude_topic" in c.record], ids=lambda c: c.id)
def test_the_topic_is_excluded_where_it_would_be_an_answer(
    freebase: pylf.KnowledgeGraph, gold: dict[tuple[str, str], Gold], case: Case
) -> None:
    (topic,) = set(answers(case.compiled(freebase, topic=True))) - gold[case.questions, case.id].answers
    assert f"START('{topic}')" in case.record["program"]


# --- other forms --------------------------------------------------------------------------------------------------


def by_way_of(form: str, case: Case, graph: pylf.KnowledgeGraph) -> pylf.CompiledQuery:
    """The program written in a form and read again. What is beside the text in either form is given with both."""
    text = case.compiled(graph, topic=True).to(form)
    topic = case.record.get("exclude_topic", False)
    return pylf.compile(text, source=form, kg=graph, name=case.id, today=TODAY, exclude_topic=topic)


def has_s_expression(case: Case) -> bool:
    """S-expressions have no union."""
    return "OR(" not in case.record["program"]


@case
def test_a_program_written_back_means_the_same(freebase: pylf.KnowledgeGraph, case: Case) -> None:
    assert by_way_of("pylf", case, freebase).fingerprint == case.compiled(freebase).fingerprint


@pytest.mark.parametrize("case", [c for c in CASES if has_s_expression(c)], ids=lambda c: c.id)
def test_a_program_means_the_same_by_way_of_an_s_expression(
    freebase: pylf.KnowledgeGraph, freebase_declared: pylf.KnowledgeGraph, case: Case
) -> None:
    for graph in (freebase, freebase_declared):
        assert by_way_of("sexpr", case, graph).fingerprint == case.compiled(graph).fingerprint


@pytest.mark.parametrize("case", [c for c in CASES if not has_s_expression(c)], ids=lambda c: c.id)
def test_a_union_has_no_s_expression(freebase: pylf.KnowledgeGraph, case: Case) -> None:
    with pytest.raises(NoForm) as refused:
        case.compiled(freebase, topic=True).to("sexpr")
    assert [problem.code for problem in refused.value.diagnostics] == ["no-union"]


def test_most_questions_have_an_s_expression() -> None:
    by_set = {name: sum(c.questions == name and has_s_expression(c) for c in CASES) for name in SETS}
    assert by_set == {"webqsp": 85, "cwq": 33}
