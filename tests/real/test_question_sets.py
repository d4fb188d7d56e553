"""The published sets that the shared material holds, read whole: nothing malformed, nothing lost."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pylf.datasets.formats import Question, QuestionFile, read_questions

if TYPE_CHECKING:
    from pathlib import Path


class Expected(NamedTuple):
    form: str
    questions: int
    kinds: dict[str | None, int]
    programs: dict[str, int]


SETS = {
    "commonsense_qa/csqa_dev.jsonl": Expected("csqa", 1_221, {"choice": 1_221}, {}),
    "logical_forms/grailqa_1000.jsonl.gz": Expected(
        "grailqa", 1_000, {"entity": 997, "literal": 3}, {"sexpr": 1_000, "sparql": 1_000, "graphquery": 1_000}
    ),
    "logical_forms/agentbench_std.jsonl.gz": Expected("pylf", 150, {"entity": 119, "literal": 31}, {"sexpr": 150}),
    "logical_forms/agentbench_dev.jsonl.gz": Expected("pylf", 20, {"entity": 17, "literal": 3}, {"sexpr": 20}),
    "logical_forms/cwq_sexpr_1700.jsonl.gz": Expected("pylf", 1_702, {None: 1_702}, {"sexpr": 1_702}),
    "fb15k237/questions/webqsp_executable.jsonl": Expected("pylf", 87, {"entity": 87}, {"sparql": 87}),
    "fb15k237/questions/cwq_executable.jsonl": Expected("pylf", 39, {"entity": 39}, {"sparql": 39}),
    "sparql/qald10_394.json": Expected(
        "qald", 394, {"entity": 172, "literal": 159, "boolean": 61, "mixed": 1, None: 1}, {"sparql": 394}
    ),
    "sparql/qald10_train.jsonl.gz": Expected("pylf", 412, {None: 412}, {"sparql": 412}),
    "sparql/webqsp_test.jsonl.gz": Expected("pylf", 1_639, {None: 1_639}, {"sparql": 1_639}),
    "sparql/wwq_val.jsonl.gz": Expected("pylf", 454, {None: 454}, {"sparql": 454}),
    "metaqa/dev_1hop.tsv.gz": Expected("metaqa", 1_000, {"name": 1_000}, {}),
    "metaqa/dev_2hop.tsv.gz": Expected("metaqa", 1_000, {"name": 1_000}, {}),
    "metaqa/dev_3hop.tsv.gz": Expected("metaqa", 1_000, {"name": 1_000}, {}),
}


def found_at(shared: Path, name: str) -> Path:
    """The set; where the shared material lacks it, its test is skipped by name."""
    path = shared / "data" / name
    if not path.is_file():
        pytest.skip(f"no {name} in {shared}")
    return path


def read(shared: Path, name: str) -> list[Question]:
    return list(read_questions(str(found_at(shared, name))))


@pytest.mark.parametrize("name", SETS)
def test_every_question_of_a_published_set_is_read(shared: Path, name: str, tmp_path: Path) -> None:
    expected = SETS[name]
    with QuestionFile(str(found_at(shared, name))) as questions:
        found = list(questions)
    assert questions.format is not None
    assert questions.format.name == expected.form
    assert len(found) == expected.questions
    assert Counter(one.answer_kind for one in found) == expected.kinds
    assert Counter(form for one in found for form in one.programs) == expected.programs
    own = tmp_path / "own.jsonl"
    own.write_text("".join(json.dumps(one.to_json()) + "\n" for one in found), encoding="utf-8")
    assert list(read_questions(str(own), "pylf")) == found


def test_the_answers_of_grailqa_are_those_of_the_file(shared: Path) -> None:
    name = "logical_forms/grailqa_1000.jsonl.gz"
    with gzip.open(found_at(shared, name), "rt", encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    for record, one in zip(records, read(shared, name), strict=True):
        assert [answer.value for answer in one.answers or ()] == [a["answer_argument"] for a in record["answer"]]
        assert {topic.id for topic in one.topics} >= record["topic_entity"].keys()
        assert json.loads(one.programs["graphquery"]) == record["graph_query"]
        assert (one.level, one.function) == (record["level"], record["function"])


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_metaqa_tells_its_hops_and_topics(shared: Path, hops: int) -> None:
    name = f"metaqa/dev_{hops}hop.tsv.gz"
    with gzip.open(found_at(shared, name), "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    for row, one in zip(rows, read(shared, name), strict=True):
        assert one.hops == hops
        assert "|".join(answer.value for answer in one.answers or ()) == row[1]
        assert f"[{one.topics[0].label}]" in row[0]
        assert one.text == row[0].replace(f"[{one.topics[0].label}]", str(one.topics[0].label)).strip()


def test_the_keys_of_commonsense_qa_name_a_choice_each(shared: Path) -> None:
    found = read(shared, "commonsense_qa/csqa_dev.jsonl")
    keys = Counter(one.answers[0].value for one in found if one.answers)
    assert keys == {"A": 239, "B": 255, "C": 241, "D": 251, "E": 235}
    assert {len(one.choices) for one in found} == {5}


def test_qald_in_each_of_its_languages(shared: Path) -> None:
    path = str(found_at(shared, "sparql/qald10_394.json"))
    spoken = {
        language: Counter(q.meta["language"] for q in read_questions(path, language=language))
        for language in ("en", "zh")
    }
    assert spoken == {"en": {"en": 394}, "zh": {"zh": 382, "en": 12}}
