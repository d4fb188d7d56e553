"""How files are written, what is malformed in them, and where."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pylf.datasets.formats import Malformed, Question, QuestionFile, read_questions
from pylf.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    Lines = Callable[..., str]


def plain(number: int, **more: object) -> dict[str, object]:
    return {"id": f"q{number}", "question": f"Which é is the {number}th?", "answer": ["x"], **more}


def problem_of(path: str | Path, form: str | None = None) -> str:
    """The first problem, without the folder."""
    with pytest.raises(InputError) as found:
        list(read_questions(str(path), form))
    return str(found.value).replace(str(Path(path).parent) + "/", "")


# --- how it is written ----------------------------------------------------------------------------------------------

ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le-bom", "utf-32", "latin-1")


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("shape", ["lines", "array", "pretty", "object", "columns"])
def test_however_it_is_written_it_is_the_same(tmp_path: Path, shape: str, encoding: str, packed: bool) -> None:
    records = [plain(n) for n in range(1, 40)]
    wrapped = {"dataset": {"id": "x", "about": "[{"}, "questions": records}
    text = {
        "lines": "\r\n\n" + "\r\n".join(json.dumps(one, ensure_ascii=False) for one in records),
        "array": json.dumps(records, ensure_ascii=False),
        "pretty": json.dumps(records, ensure_ascii=False, indent="\t"),
        "object": json.dumps(wrapped, ensure_ascii=False, indent=1),
        "columns": "".join(f"[é{n}] is the {n}th what\tx|y\n" for n in range(1, 40)),
    }[shape]
    data = b"\xff\xfe" + text.encode("utf-16-le") if encoding == "utf-16-le-bom" else text.encode(encoding)
    path = tmp_path / "no.suffix"
    path.write_bytes(gzip.compress(data) if packed else data)
    found = list(read_questions(str(path), encoding="latin-1" if encoding == "latin-1" else None))
    assert len(found) == 39
    if shape != "columns":
        assert found[38].text == "Which é is the 39th?"
        assert [one.id for one in found] == [f"q{n}" for n in range(1, 40)]
    places = {"lines": "5", "columns": "3", "object": " questions[2]"}
    assert str(found[2].source) == f"{path}:{places.get(shape, ' [2]')}"


def test_lines_and_arrays_are_read_as_they_come(tmp_path: Path) -> None:
    for name, text in (("l", json.dumps(plain(1)) + "\n" + "x" * 20), ("a", f"[{json.dumps(plain(1))}, oops")):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        with QuestionFile(str(path)) as questions:
            assert next(iter(questions)).id == "q1"


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    data = gzip.compress(json.dumps(plain(1)).encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    (found,) = read_questions("-")
    assert str(found.source) == "<stdin>:1"


def test_a_file_of_more_than_is_looked_at_to_tell_its_format(tmp_path: Path) -> None:
    long = {
        "Version": "1",
        "Questions": [{"QuestionId": f"w{n}", "RawQuestion": "é" * 9_000, "Parses": []} for n in range(30)],
    }
    path = tmp_path / "long.json"
    path.write_text(json.dumps(long, ensure_ascii=False), encoding="utf-8")
    assert len(list(read_questions(str(path)))) == 30


# --- what is malformed ----------------------------------------------------------------------------------------------


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    assert problem_of(tmp_path / "none") == "none: no such file or directory"
    assert problem_of(tmp_path).endswith(": is a directory")
    (tmp_path / "empty").write_bytes(b" \n\n")
    assert problem_of(tmp_path / "empty") == "empty: there is no question in it"
    (tmp_path / "array").write_bytes(b"[ ]")
    assert problem_of(tmp_path / "array") == "array: there is no question in it"
    (tmp_path / "cut.gz").write_bytes(gzip.compress(json.dumps(plain(1)).encode() * 99)[:-20])
    assert "cut.gz: " in problem_of(tmp_path / "cut.gz")
    assert "end-of-stream" in problem_of(tmp_path / "cut.gz")
    with pytest.raises(InputError, match="there is no encoding 'rot13'"):
        list(read_questions(str(tmp_path / "array"), encoding="rot13"))
    with pytest.raises(InputError, match="there is no format 'squad'; there are nestkgqa, "):
        list(read_questions(str(tmp_path / "array"), "squad"))


def test_bytes_that_are_no_utf8_are_told_with_their_place(tmp_path: Path) -> None:
    good, bad = json.dumps(plain(1)).encode(), '{"question": "Où?"}'.encode("latin-1")
    (tmp_path / "l").write_bytes(good + b"\n" + bad)
    assert problem_of(tmp_path / "l") == "l:2: byte 16, 0xf9, is not UTF-8; name the file's encoding, such as latin-1"
    (tmp_path / "a").write_bytes(b"[" + good + b",\n" + bad + b"]")
    assert problem_of(tmp_path / "a").startswith("a: [1]: byte 16 of line 1, 0xf9, is not UTF-8")
    (tmp_path / "o").write_bytes(b'{"questions":\n [' + bad + b"]}")
    assert problem_of(tmp_path / "o").startswith("o: byte 18 of line 2, 0xf9, is not UTF-8")
    (tmp_path / "u").write_bytes(b"\xff\xfe" + good.ljust(99))
    assert problem_of(tmp_path / "u").startswith("u is not utf-16-le")
    assert [one.text for one in read_questions(str(tmp_path / "l"), encoding="latin-1")][1] == "Où?"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"question": "a"}\n{"question": }\n', "f:2:14: not JSON: Expecting value"),
        ('{"question": "a"}\n{"question": "b"', "f:2:17: not JSON: Expecting ',' delimiter"),
        ('{"question": "a", "question": "b"}', "f:1: an object has the field 'question' twice"),
        ('{"question": "a", "x": NaN}', "f:1: NaN is no number of JSON"),
        ('{"question": "a", "x": ' + "[" * 100_000 + "]" * 100_000 + "}", "f:1: it nests too deeply"),
        ('{"question": "\\ud800"}', "f:1: question: character 1 of the text is half of a pair of surrogates"),
        ('"question"', "f:1: text stands where an object is due"),
        ("[3]", "f: [0]: a number stands where an object is due"),
        ('[{"question": "a"}, 3]', "f: [1]: a number stands where an object is due"),
        ('[{"question": "a"}, {"question": "b"}', "f: [2]: the array is not closed"),
        ('{"questions":\n [{"id": 1,}]}', "f:2:1"),
        ('{"questions": [{"id": 1}', "f:1:25: not JSON: Expecting ',' delimiter"),
        ('{"questions": [3]}', "f: questions[0]: a number stands where an object is due"),
    ],
)
def test_what_is_no_json(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "f").write_text(text, encoding="utf-8")
    assert problem_of(tmp_path / "f").startswith(told)


def test_a_format_that_cannot_be_told_names_the_fields_and_the_formats(lines: Lines) -> None:
    told = problem_of(lines({"prompt": "Who?", "target": "x"}))
    assert told.startswith("set.jsonl:1: the format cannot be told; the fields are prompt, target. Formats that can be")
    assert "grailqa" in told


def answer(**fields: object) -> dict[str, object]:
    return {"qid": 1, "question": "a", "graph_query": {"nodes": []}, "answer": [fields]}


@pytest.mark.parametrize(
    ("record", "form", "told"),
    [
        (answer(answer_type="Thing", answer_argument="x"), "grailqa", "answer[0].answer_type: 'Thing' is neither"),
        (answer(answer_type="Entity"), "grailqa", "answer[0].answer_argument: null stands where text is due"),
        (
            answer(answer_type="Entity", answer_argument=" "),
            "grailqa",
            "answer[0].answer_argument: the answer is empty",
        ),
        (answer(answer_argument="x", rank=1), "grailqa", "answer[0]: the field 'rank' is not known here"),
        ({"question": "a"}, "grailqa", "there is no 'qid'"),
        ({"qid": True, "question": "a"}, "grailqa", "qid: true or false stands where an id is due"),
        ({"qid": 1, "question": " "}, "grailqa", "question: the text is empty"),
        ({"qid": 1}, "grailqa", "there is no 'question'; the fields are 'qid'"),
        ({"qid": 1, "question": None}, "grailqa", "question: null stands where text is due"),
        ({"qid": 1, "question": ["a"]}, "grailqa", "question: a list stands where text is due"),
        ({"qid": 1, "question": "a", "answer": "x"}, "graphquestions", "answer: text stands where a list is due"),
        (
            {"qid": 1, "question": "a", "answer": ["x", None]},
            "graphquestions",
            "answer[1]: null stands where text is due",
        ),
        ({"qid": 1, "question": "a", "hops": -1}, "grailqa", "hops: -1 stands where a number of something is due"),
        ({"QuestionId": "w", "RawQuestion": "a", "Parses": [{}, 3]}, "webqsp", "Parses[1]: a number stands where an"),
        (
            {"QuestionId": "w", "RawQuestion": "a", "Parses": [{"Answers": [{"AnswerType": "Value"}]}]},
            "webqsp",
            "Parses[0].Answers[0].AnswerArgument: null stands",
        ),
        ({"ID": "c", "question": "a", "answers": [{"aliases": []}]}, "cwq", "answers[0]: the answer has neither an id"),
        (
            {"Question-ID": "f", "RawQuestion": "a", "Parses": [{"Answers": [{}]}]},
            "freebaseqa",
            "Parses[0].Answers[0]: ",
        ),
        ({"id": 1, "question": []}, "qald", "question: the question is in no language"),
        (
            {"id": 1, "question": [{"string": "a"}]},
            "qald",
            "question[0]: there is no 'language'; the fields are 'string'",
        ),
        (
            {
                "id": 1,
                "question": [{"language": "en", "string": "a"}],
                "answers": [{"results": {"bindings": [{"x": {"type": "triple", "value": "v"}}]}}],
            },
            "qald",
            "answers[0].results.bindings[0].x.type: 'triple' is no type of value: uri, literal, bnode",
        ),
        (
            {"id": 1, "question": [{"language": "en", "string": "a"}], "answers": [{"boolean": "yes"}]},
            "qald",
            "answers[0].boolean: neither true nor false",
        ),
        (
            {"id": 1, "question": "a", "choices": {"label": ["A", "B"], "text": ["x"]}},
            "csqa",
            "choices: there are 2 labels and 1 texts",
        ),
        (
            {"id": 1, "question": "a", "choices": [{"label": "A", "text": "x"}]},
            "csqa",
            "choices: there are fewer than two",
        ),
        (
            {"id": 1, "question": "a", "choices": [{"label": "A", "text": "x"}, {"label": "A", "text": "y"}]},
            "csqa",
            "choices: two choices are called 'A'",
        ),
        (
            {"id": 1, "question": {"stem": "a", "choices": {"A": "x", "B": "y"}}, "answerKey": "C"},
            "obqa",
            "answerKey: 'C' is none of the choices A, B",
        ),
        ({"id": 1, "question": {"stem": "a", "choices": 3}}, "obqa", "question.choices: a number stands where choices"),
        ({"id": 1, "question": "a", "answer": "maybe"}, "csqa2", "answer: 'maybe' is neither 'yes' nor 'no'"),
        ({"id": 1, "question": "a", "answer": ["yes", "no"]}, "csqa2", "answer: the answer is yes and no"),
        (
            {"question": "a", "options": {"A": "x", "B": "y"}, "answer_idx": "A", "answer": "y"},
            "medqa",
            "answer: the answer is not the text of the option 'A'",
        ),
        (
            {"question": "a", "options": {"A": "x", "B": "x"}, "answer": "x"},
            "medqa",
            "answer: the answer is the text of two",
        ),
        (
            {"question": "a", "options": {"A": "x", "B": "y"}, "answer": "z"},
            "medqa",
            "answer: the answer is the text of none",
        ),
        (
            {"question": "a", "answer": [{"kind": "thing", "value": "x"}]},
            "pylf",
            "answer[0].kind: 'thing' is no kind of answer",
        ),
        (
            {"question": "a", "answer": [{"x": 1}]},
            "pylf",
            "answer[0]: an answer has 'kind' and 'value', or 'id' and 'name'",
        ),
        ({"question": "a", "answer": [["x"]]}, "pylf", "answer[0]: a list stands where an answer is due"),
        ({"question": "a", "topics": [{}]}, "pylf", "topics[0]: the topic has neither an id nor a name"),
        ({"question": "a", "x": 1, "meta": {"x": 2}}, "pylf", "'x' stands here and in 'meta'"),
    ],
)
def test_a_record_that_is_not_what_the_format_says(lines: Lines, record: object, form: str, told: str) -> None:
    assert problem_of(lines(record), form).startswith(f"set.jsonl:1: {told}")


def test_the_path_inside_an_object_of_questions(tmp_path: Path) -> None:
    data = {"Questions": [{"QuestionId": "w", "RawQuestion": "a", "Parses": [{"Sparql": 3}]}]}
    (tmp_path / "w.json").write_text(json.dumps(data), encoding="utf-8")
    assert problem_of(tmp_path / "w.json") == "w.json: Questions[0].Parses[0].Sparql: a number stands where text is due"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("no tab here", "there is no tab; due are a question, its answers and perhaps its type"),
        ("a [b]\tc\td\te", "there are 4 columns; due are a question"),
        ("a b\tc", "column 1: no entity stands in brackets"),
        ("a [b]\tc||d", "column 2: an answer between two bars is empty"),
        ("a [b]\tc\t", "column 3: the type is empty"),
    ],
)
def test_metaqa_that_is_malformed(tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / "m").write_text(f"who is [x]\ty\n{line}\n", encoding="utf-8")
    assert problem_of(tmp_path / "m").startswith(f"m:2: {told}")


def test_metaqa_that_is_forced_upon_lines_without_tabs(tmp_path: Path) -> None:
    (tmp_path / "m").write_text("who is [x]\n", encoding="utf-8")
    assert problem_of(tmp_path / "m", "metaqa").startswith("m:1: there is no tab")


def test_a_format_that_is_forced_upon_another_is_told(lines: Lines, written: Path) -> None:
    assert (
        problem_of(lines(plain(1)), "metaqa") == "set.jsonl:1: MetaQA's questions are lines with tabs, and this is JSON"
    )
    assert "text stands where an object is due" in problem_of(written / "metaqa.txt", "grailqa")


# --- going on -------------------------------------------------------------------------------------------------------


def test_with_somebody_to_tell_the_rest_is_read_and_everything_is_accounted_for(lines: Lines) -> None:
    path = lines(plain(1), 3, plain(2), plain(1, question="again"), {"id": "q3"}, plain(4))
    told: list[Malformed] = []
    found = list(read_questions(path, tell=told.append))
    assert [one.id for one in found] == ["q1", "q2", "q4"]
    assert [one.problem for one in told] == [
        "a number stands where an object is due",
        f"the id 'q1' was there before, at {path}:1",
        "there is no 'question' or 'text'; the fields are 'id'",
    ]
    assert [one.place for one in told] == [f"{path}:{line}" for line in (2, 4, 5)]


def test_an_id_that_was_there_before_is_an_error(lines: Lines) -> None:
    told = problem_of(lines(plain(1), plain(2), plain(1)))
    assert told.startswith("set.jsonl:3: the id 'q1' was there before, at ")
    assert told.endswith("set.jsonl:1")


def test_a_number_and_its_text_are_one_id(lines: Lines) -> None:
    assert "the id '7' was there before" in problem_of(lines({"id": 7, "question": "a"}, {"id": "7", "question": "b"}))


def test_questions_are_compared_without_their_place() -> None:
    from pylf.datasets.formats import Origin

    assert Question("1", "a", source=Origin("f", "pylf", 1)) == Question("1", "a")
