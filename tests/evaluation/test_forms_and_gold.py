"""Programs up to equivalence, gold programs as a method, and what answers of queries are."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import pytest

from pylf.api import bundled, compile
from pylf.backends.outcome import IncompleteAnswer, Status
from pylf.datasets.formats import read_questions
from pylf.datasets.formats.answers import answer_data, answer_of, plain_answer
from pylf.datasets.formats.question import Answer, Gold, Question
from pylf.errors import InputError
from pylf.evaluation import Ended, Record, State, read_records, score
from pylf.evaluation.answer import answers_of, gold_of
from pylf.evaluation.breakdowns import tags_of
from pylf.evaluation.forms import with_form
from pylf.evaluation.harness import Run
from pylf.evaluation.harness.failures import failed
from pylf.evaluation.harness.gold import GoldProgram
from pylf.evaluation.predictions import FORMS, withheld, written
from pylf.evaluation.record import line_of, record_of
from pylf.ir.answers import Answers
from pylf.ir.nodes import Form
from pylf.ir.terms import XSD, Iri, Literal
from tests.evaluation.made import SETUP, answered, entities

if TYPE_CHECKING:
    from pathlib import Path

BOEING = "expression = STOP(JOIN('spaceflight.rocket.manufacturer', START('Boeing Company')))"
SAME = (
    "a = START('Boeing Company')\na = JOIN('spaceflight.rocket.manufacturer', a)\n"
    "b = START('spaceflight.rocket')\nc = AND(a, a)\nc = STOP(AND(c, b))"
)
OTHER = "expression = STOP(JOIN('spaceflight.rocket.manufacturer', START('SpaceX')))"


SEXPR = "(AND spaceflight.rocket (JOIN spaceflight.rocket.manufacturer :boeing))"


def form_of(program: str | None, question: Question, program_form: str | None = None) -> float | None:
    one = Record("q", "?", Ended.ANSWERED, program=program, program_form=program_form)
    return with_form(one, question, kg=bundled()).form


def test_a_program_is_right_where_it_means_what_the_gold_one_does() -> None:
    question = Question("q", "?", programs={"pylf": BOEING})
    assert form_of(BOEING, question) == 1
    assert form_of("b = START('Boeing Company')\nx = STOP(JOIN('spaceflight.rocket.manufacturer', b))", question) == 1
    assert form_of(OTHER, question) == 0
    assert form_of("STOP(", question) == 0
    assert form_of(None, question) == 0
    assert form_of(f"x = STOP(COUNT({BOEING[18:-1]}))", question) == 0


def test_an_equivalence_that_takes_a_proof_is_found() -> None:
    query = BOEING[18:-1]
    absorbed = f"x = STOP(OR({query}, AND({query}, START('spaceflight.rocket'))))"
    gold = Question("q", "?", programs={"pylf": BOEING})
    assert compile(absorbed, kg=bundled()).fingerprint != compile(BOEING, kg=bundled()).fingerprint
    assert form_of(absorbed, gold) == 1
    assert form_of(SAME, Question("q", "?", programs={"sexpr": SEXPR})) == 1


def test_a_program_is_read_in_the_form_that_it_is_in() -> None:
    gold = Question("q", "?", programs={"pylf": SAME})
    for program, form in ((SEXPR, "sexpr"), (SAME, "pylf"), (SAME, None)):
        assert form_of(program, gold, form) == 1
    sparql = compile(BOEING, kg=bundled()).to("sparql")
    assert form_of(sparql, Question("q", "?", programs={"pylf": BOEING}), "sparql") == 1
    assert form_of(SEXPR, gold) == 0
    assert form_of(SAME, gold, "klingon") == 0


def test_gold_that_is_scored_against_itself_is_all_right_whatever_form_it_is_in() -> None:
    graph = bundled()
    broken = {"pylf": "STOP(", "sexpr": SEXPR}
    for programs, form in (({"sexpr": SEXPR}, "sexpr"), (broken, "sexpr"), ({"pylf": SAME}, "pylf")):
        question = Question("q", "?", programs=programs)
        one = GoldProgram(graph)(question)
        assert (one.program, one.program_form, one.ended) == (programs[form], form, Ended.ANSWERED)
        assert record_of(json.loads(line_of(one))) == one
        assert with_form(one, question, kg=graph).form == 1


def test_any_reading_will_do_and_without_a_gold_program_nothing_is_known() -> None:
    both = Question("q", "?", programs={"pylf": OTHER}, alternatives=(Gold((), {"pylf": BOEING}),))
    assert form_of(BOEING, both) == 1
    assert form_of(BOEING, Question("q", "?")) is None
    assert form_of(BOEING, Question("q", "?", programs={"pylf": "STOP("})) is None


def test_gold_programs_are_a_method(tmp_path: Path) -> None:
    graph = bundled()
    rockets = graph.engine
    assert rockets.snapshot
    asked = (
        Question("a", "?", (Answer("name", "Falcon 9"),), programs={"pylf": OTHER}),
        Question("b", "?", (), programs={"pylf": "x = STOP(COUNT(START('spaceflight.rocket')))"}),
        Question("c", "?", ()),
        Question("d", "?", (), programs={"pylf": "STOP("}),
    )
    path = tmp_path / "records.jsonl"
    Run(asked, GoldProgram(graph), path, SETUP, seconds=60).go()
    found = read_records(path).records
    assert [found[q.id].ended for q in asked] == [Ended.ANSWERED, Ended.ANSWERED, Ended.INVALID, Ended.INVALID]
    assert "no program in any of pylf, sexpr, sparql, graphquery" in found["c"].reason
    one = score(found["a"])
    assert one is not None
    assert (one.recall, one.state, one.grounded, one.form) == (1, State.STRUCTURED, 1, 1)
    assert found["b"].answers[0].datatype == XSD + "integer"
    assert "SELECT" in (found["a"].sparql or "")


@pytest.mark.parametrize(
    ("programs", "kinds"),
    [
        ({"pylf": BOEING}, ("plain",)),
        ({"pylf": "x = STOP(COUNT(JOIN('a.b', START('c'), neg=True)))"}, ("count", "negation")),
        ({"pylf": "x = STOP(AND(CMP('<', 'a.b', 3), START('c')))"}, ("comparison", "conjunction")),
        ({"sexpr": "(ARGMAX (AND a.b (JOIN c.d m.01)) e.f)"}, ("conjunction", "superlative")),
        ({"sexpr": "(ARGMAX"}, ()),
        ({"sparql": "SELECT"}, ()),
        ({}, ()),
    ],
)
def test_the_kinds_of_constraints_in_a_gold_program(programs: dict[str, str], kinds: tuple[str, ...]) -> None:
    question = Question("q", "?", programs=programs)
    assert tuple(tags_of(question).get("kinds", ())) == kinds
    stated = Question("q", "?", programs=programs, meta={"kinds": ["own"]})
    assert tags_of(stated)["kinds"] == ["own"]


def test_what_queries_answer() -> None:
    assert answers_of(Answers.of_number(3)) == (Answer("literal", "3", datatype=XSD + "integer"),)
    assert answers_of(Answers.of_boolean(False)) == (Answer("boolean", "false"),)
    nodes = (Iri("http://e/a"), Literal("x", XSD + "string"), Literal("1", XSD + "boolean"))
    assert answers_of(Answers.of_values(nodes), {nodes[0]: "A"}) == (
        Answer("entity", "http://e/a", "A"),
        Answer("boolean", "true"),
        Answer("literal", "x", datatype=XSD + "string"),
    )
    rows = Answers.of_rows([(Iri("http://e/a"), Iri("http://e/b")), (Iri("http://e/a"), Iri("http://e/c"))])
    assert answers_of(rows) == (Answer("entity", "http://e/a"),)
    with pytest.raises(InputError, match="evidence"):
        answers_of(Answers.of_rows([], Form.SUBGRAPH))


def test_sets_without_programs_do_not_end_a_run(tmp_path: Path) -> None:
    asked = tuple([Question(f"q{n}", "?", ()) for n in range(50)])
    standing = Run(asked, GoldProgram(bundled()), tmp_path / "r.jsonl", SETUP).go()
    assert (standing.stopped, standing.ended) == (None, {Ended.INVALID: 50})


def test_of_an_answer_that_is_not_complete_what_came_is_recorded() -> None:
    came = Answers.of_values((Iri("http://e/a"),))
    for status in (Status.PARTIAL, Status.TRUNCATED):
        one = failed("q", "?", IncompleteAnswer("cut", came, status))
        assert (one.ended, one.answers, one.reason) == (Ended(status), (Answer("entity", "http://e/a"),), "cut")
    none = failed("q", "?", IncompleteAnswer("cut", None, Status.TRUNCATED))
    assert (none.ended, none.answers) == (Ended.TRUNCATED, ())


def test_a_value_alone_is_the_answer_that_sets_and_records_alike_read(tmp_path: Path) -> None:
    values: tuple[bool | int | float | str, ...] = (True, 3, 2.5, 1e30, "x", "m.05qtj", "http://e/a")
    path = tmp_path / "set.jsonl"
    path.write_text(json.dumps({"id": "q", "question": "?", "answers": values}), encoding="utf-8")
    (question,) = read_questions(str(path))
    assert question.answers is not None
    assert question.answers == tuple([answer_of(one) for one in values])
    assert question.answers == tuple([plain_answer(one) for one in values])
    kinds = ["boolean", "literal", "literal", "literal", "name", "entity", "entity"]
    assert [one.kind for one in question.answers] == kinds
    stated = [answer_data(one) for one in question.answers]
    assert stated == question.to_json()["answers"]
    assert tuple(map(answer_of, stated)) == question.answers
    odds: tuple[object, ...] = ({"kind": "colour", "value": "red"}, {"kind": "name"}, None, [], math.nan, math.inf)
    for odd in odds:
        with pytest.raises(InputError, match="no answer"):
            answer_of(odd)


def test_choices_are_known_by_their_texts() -> None:
    from pylf.datasets.formats.question import Choice

    question = Question("q", "?", (Answer("choice", "B"),), (Choice("A", "bank"), Choice("B", "library")))
    assert gold_of(question)[0] == (Answer("choice", "B", "library"),)
    said = Record("q", "?", Ended.ANSWERED, (Answer("name", "Library"),), gold=gold_of(question)[0])
    found = score(said)
    assert found is not None
    assert found.accuracy == 1


def test_predictions_as_official_scorers_read_them() -> None:
    records = [
        answered("ab", None, id="1", program="STOP(x)", sparql="SELECT", ranking=entities("ba")),
        Record("2", "?", Ended.ANSWERED, (Answer("boolean", "true"),), sparql="ASK"),
        Record("3", "?", Ended.TIMEOUT),
        Record("4", "?", Ended.ANSWERED, (Answer("entity", "http://rdf.freebase.com/ns/m.01"), Answer("literal", "é"))),
    ]
    grailqa = json.loads(written(records, "grailqa"))
    assert grailqa["4"]["answer"] == ["m.01", "é"]
    assert grailqa["3"] == {"logical_form": "", "answer": []}
    assert json.loads(written(records, "webqsp"))[3] == {"QuestionId": "4", "Answers": ["m.01", "é"]}
    cwq = [one["answer"] for one in json.loads(written(records, "cwq"))]
    assert cwq == ["the b", "true", "", "m.01"]
    qald = json.loads(written(records, "qald"))["questions"]
    assert qald[0]["question"] == [{"language": "en", "string": "?"}]
    assert qald[1]["answers"] == [{"head": {}, "boolean": True}]
    assert qald[3]["answers"][0]["results"]["bindings"][1] == {"result": {"type": "literal", "value": "é"}}
    assert [json.loads(line) for line in written(records, "choices").splitlines()][2] == {"id": "3", "prediction": ""}
    assert [json.loads(line)["id"] for line in written(records, "jsonl").splitlines()] == ["1", "2", "3", "4"]
    nothing = {"jsonl": "", "choices": "", "grailqa": "{}\n", "qald": '{\n "questions": []\n}\n'}
    assert {form: written([], form) for form in FORMS} == {"webqsp": "[]\n", "cwq": "[]\n"} | nothing
    with pytest.raises(InputError, match="no format 'xml'"):
        written(records, "xml")


def test_what_grailqa_is_handed_is_an_s_expression_or_nothing() -> None:
    def form_handed(program: str | None, form: str | None = None) -> str:
        one = Record("1", "?", Ended.EMPTY, program=program, program_form=form)
        found: str = json.loads(written([one], "grailqa", kg=bundled()))["1"]["logical_form"]
        return found

    assert form_handed(SEXPR, "sexpr") == SEXPR
    compiled = compile(BOEING, kg=bundled())
    assert form_handed(BOEING) == compiled.to("sexpr")
    assert compile(form_handed(BOEING), source="sexpr", kg=bundled()).fingerprint == compiled.fingerprint
    assert form_handed(compiled.to("sparql"), "sparql") != ""
    assert [form_handed(*odd) for odd in ((None,), ("STOP(",), ("SELECT", "sparql"))] == ["", "", ""]


def test_qald_is_told_the_truth_and_in_which_language_it_was_asked() -> None:
    said = ("true", "1", "True", "false", "0")
    records = [
        Record(str(n), "¿Qué?", Ended.ANSWERED, (Answer("boolean", one),), tags={"language": "es"})
        for n, one in enumerate(said)
    ]
    found = json.loads(written(records, "qald"))["questions"]
    assert [one["answers"][0]["boolean"] for one in found] == [True, True, True, False, False]
    assert found[0]["question"] == [{"language": "es", "string": "¿Qué?"}]


@pytest.mark.parametrize("form", [form for form in FORMS if form != "jsonl"])
def test_answers_that_are_not_complete_are_not_handed_over_as_if_they_were(form: str) -> None:
    cut, none = (
        [answered(said, "a", ended=ended, ranking=entities(said) or None)]
        for said, ended in (("a", Ended.TRUNCATED), ("", Ended.TRUNCATED))
    )
    assert written(cut, form) == written(none, form)
    assert written(cut, form) != written([answered("a", "a")], form)
    assert written(cut, "jsonl") != written(none, "jsonl")
    assert (withheld(cut), withheld(none), withheld([answered("a", "a")])) == (1, 0, 0)
