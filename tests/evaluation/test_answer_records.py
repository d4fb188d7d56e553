"""Records are written as lines of JSON and read back equal, whatever ended the run that wrote them."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import pytest

from pylf.datasets.formats.question import Answer
from pylf.errors import InputError
from pylf.evaluation import Ended, Record, RecordLog, Setup, State, read_records
from pylf.evaluation.record import line_of, record_of
from pylf.models.chat.protocol import Usage
from tests.evaluation.made import SETUP, answered

if TYPE_CHECKING:
    from pathlib import Path

FULL = Record(
    "q1",
    "What is é𝒳 “it's”?",
    Ended.PARTIAL,
    (Answer("entity", "http://e/é", "𝒳", aliases=("x",)), Answer("literal", "NaN", datatype="http://d", language=None)),
    (Answer("name", "first"),),
    (),
    ((Answer("choice", "A", "a"),),),
    State.SYNTHESIS,
    "STOP(START('x'))",
    "SELECT",
    "abc",
    ({"triples": [["a", "b", "c"]], "checked": True},),
    Usage(prompt=3, completion=4, calls=1, retries=2, unstated=1, cached_calls=5, seconds=0.5, money=0.25),
    1.25,
    1 << 30,
    3,
    "cut",
    0.0,
    {"level": "iid", "kinds": ["a", "b"]},
    {"samples": [1, 2]},
    Setup(
        "m",
        "model",
        "p",
        {"k": 1},
        {"prompts": "h"},
        {"name": "g"},
        {"version": "v"},
        {"question": 3.0},
        {},
        {"p": "1"},
    ),
    "sexpr",
)


@pytest.mark.parametrize("one", [FULL, Record("q", "", Ended.EMPTY), answered("ab", None), answered("", "")])
def test_a_record_reads_back_equal(one: Record) -> None:
    line = line_of(one)
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1
    assert record_of(json.loads(line)) == one


def test_half_a_pair_of_surrogates_is_kept() -> None:
    one = Record("q", "\ud835", Ended.EMPTY)
    assert record_of(json.loads(line_of(one))) == one


def test_what_is_no_json_is_not_written() -> None:
    with pytest.raises(ValueError, match="JSON"):
        line_of(Record("q", "", Ended.EMPTY, details={"p": float("nan")}))


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"id": 1, "question": "", "outcome": "empty", "answers": []},
        {"id": "a", "question": "", "outcome": "nice", "answers": []},
        {"id": "a", "question": "", "outcome": "empty", "answers": [None]},
        {"id": "a", "question": "", "outcome": "empty", "answers": [], "usage": {"x": 1}},
        {"id": "a", "question": "", "outcome": "empty", "answers": [], "usage": {"calls": "1"}},
        {"id": "a", "question": "", "outcome": "empty", "answers": [], "state": "sure"},
        {"id": "a", "question": "", "outcome": "empty", "answers": [], "run": {"colour": 1}},
        {"id": "a", "question": "", "outcome": "empty", "answers": [], "seconds": "long"},
        {"id": "a", "question": "", "outcome": "empty", "answers": "abc"},
        {"id": "a", "question": None, "outcome": "empty", "answers": []},
    ],
)
def test_what_is_no_record_is_refused(data: object) -> None:
    with pytest.raises(InputError, match="no record"):
        record_of(data)


HUGE = 10**400
NO_AMOUNTS: tuple[object, ...] = (math.nan, math.inf, -math.inf, -1, HUGE, True, "1", [])


@pytest.mark.parametrize(
    ("field", "values"),
    [
        *[(name, NO_AMOUNTS) for name in ("seconds", *(f"usage.{one}" for one in Usage.__match_args__))],
        *[(name, (*NO_AMOUNTS, 1.5)) for name in ("memory", "depth")],
        ("form", (*NO_AMOUNTS, 7, 1.01, 1e308)),
        *[(name, (5, [], {})) for name in ("reason", "program", "program_form", "sparql", "fingerprint")],
        *[(name, ([], "abc", None, {"a": math.nan}, {"a": [math.inf]})) for name in ("tags", "details")],
        ("evidence", ("abc", [[]], [None], {"a": 1}, [{"a": math.nan}])),
        *[(name, ("abc", {}, 5)) for name in ("answers", "ranking", "gold", "others")],
        ("others", ([{}], ["abc"])),
        ("answers", ([math.nan], [{"kind": "name", "value": 5}], [{"kind": "name", "value": "a", "aliases": "abc"}])),
        ("state", ("wow", 5)),
        ("outcome", ("nonsense", None, [])),
        ("run", ([], "abc", {"method": 5}, {"method": "m", "settings": []}, {"method": "m", "model": 5})),
        ("run.limits", ({"question": math.inf}, 5, None)),
    ],
)
def test_a_record_with_a_field_of_another_kind_is_refused(field: str, values: tuple[object, ...]) -> None:
    outer, _, inner = field.partition(".")
    for value in values:
        data = json.loads(line_of(FULL))
        assert record_of(data) == FULL
        (data[outer] if inner else data)[inner or outer] = value
        with pytest.raises(InputError, match="no record"):
            record_of(data)


def test_a_record_that_nests_too_deeply_is_refused() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InputError, match="no record"):
        record_of(json.loads(line_of(FULL)) | {"details": {"a": deep}})


def written(path: Path, *names: str) -> bytes:
    with RecordLog(path) as log:
        log.begin()
        for name in names:
            log.add(Record(name, f"{name} é𝒳?", Ended.ANSWERED, (Answer("name", "𝒳"),), setup=SETUP))
    return path.read_bytes()


def test_case_60_a_torn_tail_is_dropped_wherever_it_broke_off(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    whole = written(path, "a", "b")
    line = line_of(Record("c", "é𝒳?", Ended.EMPTY, setup=SETUP))
    cut_within_a_character = line.index("𝒳".encode()) + 2
    for end in (*range(1, len(line), 7), cut_within_a_character, len(line) - 1):
        for tail in (line[:end], line[:end] + b"\n"):
            path.write_bytes(whole + tail)
            if tail == line:
                continue
            assert list(read_records(path).records) == ["a", "b"]
            assert written(path, "d") == whole + line_of(
                Record("d", "d é𝒳?", Ended.ANSWERED, (Answer("name", "𝒳"),), setup=SETUP)
            )
            assert list(read_records(path).records) == ["a", "b", "d"]


def test_a_line_in_the_middle_that_is_no_record_costs_its_question_alone(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    first, second, third = written(path, "a", "b", "c").splitlines(keepends=True)
    path.write_bytes(first + second[:20] + second + third)
    held = read_records(path)
    assert (list(held.records), held.broken) == (["a", "c"], (2,))


def test_of_several_records_of_a_question_the_last_one_counts_and_the_others_were_paid_for(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    with RecordLog(path) as log:
        log.begin()
        log.add(Record("a", "?", Ended.BUDGET, usage=Usage(prompt=5, calls=1)))
        log.add(Record("b", "?", Ended.EMPTY))
        log.add(Record("a", "?", Ended.ANSWERED, usage=Usage(prompt=7, calls=2)))
    held = read_records(path)
    assert [(one.id, one.ended) for one in held.records.values()] == [("b", Ended.EMPTY), ("a", Ended.ANSWERED)]
    assert held.before == Usage(prompt=5, calls=1)
    assert held.spent == Usage(prompt=12, calls=3)


@pytest.mark.parametrize(
    "text", ["dear diary\nall is well\n", "dear diary", "{}\n", '{"id":"a","question":"?"}\n', '{"qid": 1}\n', "[1]"]
)
def test_what_holds_something_else_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="no records of questions"), RecordLog(path):
        pass
    assert path.read_text(encoding="utf-8") == text


def test_the_very_first_record_may_be_torn(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    line = line_of(Record("a", "?", Ended.EMPTY))
    for end in range(len(line)):
        path.write_bytes(line[:end])
        assert (read_records(path).records, read_records(path).size) == ({}, 0)


def test_no_file() -> None:
    with pytest.raises(InputError, match="is no file"):
        RecordLog("/dev/null")


def test_one_run_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    with RecordLog(path), pytest.raises(InputError, match="another run is writing it"):
        RecordLog(path)
