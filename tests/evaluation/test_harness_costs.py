"""What a run spent is known however it ends, and what a method gives is recorded, whatever that is."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from pylf.backends.patience import within
from pylf.datasets.formats.question import Answer, Question
from pylf.errors import EngineTimeout, InputError
from pylf.evaluation import Ended, Record, RecordLog, Setup, read_records
from pylf.evaluation.harness import Meter, Run, metered, spend
from pylf.evaluation.harness.meter import reading
from pylf.models.chat.errors import BudgetSpent, ChatRefused, RateLimited, Unanswered
from pylf.models.chat.protocol import Completion, Reply, Request, Usage, asked
from pylf.records import replace
from tests.evaluation.made import SETUP, number_of, questions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ONE = Usage(prompt=8, completion=2, calls=1)
ASK = Request(asked("?"))


def right(question: Question) -> Record:
    return Record(question.id, question.text, Ended.ANSWERED, (Answer("name", question.id[1:]),))


class Chat:
    """Calls cost ten tokens; ``before`` is done first."""

    model = identity = "chat"

    def __init__(self, before: Callable[[int], object] = lambda _: None) -> None:
        self.before = before
        self.calls = 0

    def complete(self, request: Request) -> Completion:
        self.calls += 1
        self.before(self.calls)
        return Completion((Reply("yes"),), ONE, False, "chat")


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A method that is over its time is left to itself almost at once."""
    monkeypatch.setattr("pylf.evaluation.harness.run._GRACE", 0.02)


# --- questions that are given up ----------------------------------------------------------------------------------


@pytest.mark.usefixtures("hasty")
def test_who_is_late_and_ends_makes_room(tmp_path: Path) -> None:
    count = 20
    begun = [threading.Event() for _ in range(count + 1)]

    def method(question: Question) -> Record:  # ends once the next question is being asked
        begun[number_of(question)].set()
        begun[min(number_of(question) + 1, count - 1)].wait(60)
        spend(Usage(prompt=7, calls=1))
        return right(question)

    path = tmp_path / "records.jsonl"
    standing = Run(questions(count), method, path, SETUP, seconds=0.05).go()
    assert (standing.stopped, standing.done) == (None, count)
    held = read_records(path)
    assert standing.usage == held.spent
    assert held.before.calls >= count - 2  # the last ones may come when nobody listens any more


@pytest.mark.usefixtures("hasty")
def test_questions_that_never_end_end_the_run(tmp_path: Path) -> None:
    freed = threading.Event()

    def method(question: Question) -> Record:
        freed.wait(60)
        return right(question)

    standing = Run(questions(30), method, tmp_path / "r.jsonl", SETUP, seconds=0.05).go()
    freed.set()
    assert (standing.stopped, standing.done) == ("8 questions do not end, long after their time", 8)
    assert standing.ended == {Ended.TIMEOUT: 8}


@pytest.mark.usefixtures("hasty")
def test_what_comes_late_and_what_is_under_way_is_known_when_the_run_goes_on(tmp_path: Path) -> None:
    late, never = threading.Event(), threading.Event()

    def wait(call: int) -> None:
        if call < 3:
            (late, never)[call - 1].wait(60)

    asking = metered(Chat(wait))

    def method(question: Question) -> Record:
        if question.id == "q0":
            asking.complete(ASK)
        if question.id == "q1":
            late.set()
            asking.complete(ASK)
        if question.id == "q2":
            asking.complete(ASK)
        return right(question)

    path = tmp_path / "records.jsonl"
    standing = Run(questions(3), method, path, SETUP, seconds=0.3).go()
    assert standing.late == ONE
    never.set()
    held = read_records(path)
    assert [one.ended for one in held.records.values()] == [Ended.TIMEOUT, Ended.TIMEOUT, Ended.ANSWERED]
    assert held.before == ONE + Usage(calls=1, unstated=1)
    assert held.spent == ONE + ONE + Usage(calls=1, unstated=1)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["records.jsonl"]
    assert Run(questions(3), right, path, SETUP).go().usage == held.spent


def test_nothing_is_sent_once_the_time_of_a_question_is_used_up() -> None:
    chat = Chat()
    with reading(Meter(lambda _: None)), within(0.01):
        time.sleep(0.02)
        with pytest.raises(EngineTimeout):
            metered(chat).complete(ASK)
    assert chat.calls == 0


def test_an_error_of_any_kind_says_what_was_spent() -> None:
    problem = ValueError("a cache that breaks")
    vars(problem)["usage"] = ONE

    def breaks(_: int) -> None:
        raise problem

    meter = Meter(lambda _: None)
    with reading(meter), pytest.raises(ValueError, match="breaks"):
        metered(Chat(breaks)).complete(ASK)
    assert (meter.close(), meter.under_way) == (ONE, Usage())


# --- runs that are killed -------------------------------------------------------------------------------------------

KILLED = """
import os, sys
from pylf.evaluation.harness import Run, metered
from tests.evaluation.made import SETUP, questions
from tests.evaluation.test_harness_costs import ASK, Chat, Request, right
def dies(call):
    if call == 4:
        os._exit(9)
asking = metered(Chat(dies), 2)
def method(question):
    asking.complete(ASK)
    if question.id == "q1":
        asking.complete(ASK)
        asking.complete(Request(ASK.messages, n=5))
    return right(question)
Run(questions(3), method, sys.argv[1], SETUP).go()
"""


def test_calls_of_a_run_that_was_killed_count(tmp_path: Path, root: Path) -> None:
    path = tmp_path / "records.jsonl"
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, str(path)],
        cwd=root, env={**os.environ, "PYTHONPATH": str(root)}, check=False,
    )  # fmt: skip
    assert ended.returncode == 9
    lost = ONE + ONE + Usage(calls=3, unstated=3)  # five samples, two at once
    held = read_records(path)
    assert (list(held.records), held.before, held.spent) == (["q0"], lost, ONE + lost)
    assert Run(questions(3), right, path, SETUP).go().usage == ONE + lost
    assert read_records(path).spent == ONE + lost  # once, not twice
    assert sorted(one.name for one in tmp_path.iterdir()) == ["records.jsonl"]


def test_what_stands_beside_does_not_count_where_the_record_came(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    with RecordLog(path) as log:
        log.begin()
        log.add(replace(right(questions(1)[0]), usage=ONE))
        log.ahead(ONE, "q1")
        log.add(replace(right(questions(2)[1]), usage=ONE))
        log.ahead(ONE, "q0")  # asked once more
        log.ahead(ONE + ONE, "q0")
    (tmp_path / "records.jsonl.spent").open("ab").write(b'{"of":"q1","at":0,"sp')
    assert read_records(path).before == ONE + ONE
    with RecordLog(path) as log:  # which takes it over
        log.begin()
    assert read_records(path).before == ONE + ONE


def test_costs_are_kept_where_a_question_is_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"

    def poor(question: Question) -> Record:
        spend(ONE)
        raise BudgetSpent("no more")

    def rich(question: Question) -> Record:
        spend(ONE)
        return right(question)

    first = Run(questions(1), poor, path, SETUP).go().usage
    again = Run(questions(1), rich, path, SETUP).go()
    assert (first, again.usage, again.before) == (ONE, ONE + ONE, 0)
    assert Run(questions(1), rich, path, SETUP).go().usage == ONE + ONE


# --- models that are away -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("problem", "asked_again"),
    [
        (Unanswered("the server died", Usage(calls=1, retries=5)), True),
        (RateLimited("asks to wait for hours; nothing was sent"), True),
        (InputError("calls cannot be logged any more (no space left on device)"), True),
        (ChatRefused("the wrong key", Usage(calls=1)), False),
    ],
)
def test_questions_that_did_not_reach_the_model_are_asked_again(
    tmp_path: Path, problem: Exception, asked_again: bool
) -> None:
    away = True

    def fails(_: int) -> None:
        if away:
            raise problem

    asking = metered(Chat(fails))

    def method(question: Question) -> Record:
        asking.complete(ASK)
        return right(question)

    path = tmp_path / "records.jsonl"
    standing = Run(questions(3), method, path, SETUP).go()
    assert standing.done == 3
    assert standing.unreached.total() == (3 if asked_again else 0)
    away = False
    standing = Run(questions(3), method, path, SETUP).go()
    assert (standing.ended[Ended.ANSWERED], standing.before) == ((3, 0) if asked_again else (0, 3))


def test_a_method_that_fails_by_itself_is_not_asked_again(tmp_path: Path) -> None:
    asking = metered(Chat())

    def method(question: Question) -> Record:
        asking.complete(ASK)
        raise InputError("no such thing")

    path = tmp_path / "records.jsonl"
    Run(questions(2), method, path, SETUP).go()
    assert Run(questions(2), method, path, SETUP).go().before == 2


# --- whatever a method gives ----------------------------------------------------------------------------------------


class Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


def deep() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in range(100_000):
        found = {"a": found}
    return found


def raises(problem: BaseException) -> Any:
    raise problem


BAD: dict[str, Callable[[], Any]] = {
    "texts": lambda: {"answers": ("A",)},
    "text": lambda: {"answers": "A"},
    "ranking": lambda: {"ranking": ["A"]},
    "tags": lambda: {"tags": None},
    "state": lambda: {"state": "wow"},
    "outcome": lambda: {"ended": "nonsense"},
    "list": lambda: {"ended": []},
    "evidence": lambda: {"evidence": "abc"},
    "program": lambda: {"program": {"a": 1}},
    "bytes": lambda: {"program": b"x"},
    "reason": lambda: {"reason": 5},
    "form": lambda: {"form": float("nan")},
    "deep": lambda: {"details": deep()},
    "set": lambda: {"details": {"x": {1}}},
    "mute": lambda: raises(Mute()),
    "exit": lambda: raises(SystemExit(3)),
    "interrupt": lambda: raises(KeyboardInterrupt()),
}


@pytest.mark.parametrize("kind", BAD)
def test_whatever_a_method_gives_is_recorded_with_what_is_known(tmp_path: Path, kind: str) -> None:
    def method(question: Question) -> Record:
        spend(ONE)
        return replace(right(question), **BAD[kind]())

    path = tmp_path / "records.jsonl"
    standing = Run(questions(2), method, path, SETUP, give_up=None).go()
    held = read_records(path)
    assert standing.ended == {Ended.FAILED: 2}
    assert held.broken == ()
    one = held.records["q1"]
    assert (one.ended, one.answers, one.usage, one.setup) == (Ended.FAILED, (), ONE, SETUP)
    assert (one.gold, one.tags) == ((Answer("name", "1"),), {"level": "zero", "hops": 2})
    assert one.seconds > 0
    assert one.reason


@pytest.mark.parametrize("usage", [None, Usage(prompt=-5, calls=-1), 5])
def test_a_usage_that_is_none_counts_as_nothing(tmp_path: Path, usage: Any) -> None:
    path = tmp_path / "records.jsonl"
    standing = Run(questions(1), lambda q: replace(right(q), usage=usage), path, SETUP).go()
    assert (standing.ended, standing.usage) == ({Ended.FAILED: 1}, Usage())


def test_what_was_metered_and_tagged_is_kept_beside_what_cannot_be(tmp_path: Path) -> None:
    def method(question: Question) -> Record:
        return replace(right(question), details={"x": {1}}, usage=ONE, tags={"level": "mine", "own": 1})

    path = tmp_path / "records.jsonl"
    Run(questions(1), method, path, SETUP).go()
    one = read_records(path).records["q0"]
    assert (one.usage, one.tags) == (ONE, {"level": "mine", "hops": 1, "own": 1})


def test_the_tags_that_a_method_gives_win(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    Run(questions(1), lambda q: replace(right(q), tags={"level": "mine"}), path, SETUP).go()
    assert read_records(path).records["q0"].tags == {"level": "mine", "hops": 1}


def test_a_setup_that_cannot_be_written_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the setup of the run cannot be written"):
        Run(questions(1), right, tmp_path / "r.jsonl", Setup("x", limits={"total": float("inf")}))


def test_no_limit_is_none(tmp_path: Path) -> None:
    assert Run(questions(1), right, tmp_path / "r.jsonl", SETUP, seconds=float("inf")).go().done == 1


# --- files ----------------------------------------------------------------------------------------------------------


def test_only_records_are_started_over(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("# notes\nof a year\n", encoding="utf-8")
    with pytest.raises(InputError, match="holds no records of questions"):
        Run(questions(1), right, path, SETUP, fresh=True).go()
    assert path.read_text(encoding="utf-8") == "# notes\nof a year\n"
    path.write_bytes(b"")
    assert Run(questions(1), right, path, SETUP, fresh=True).go().done == 1


def test_a_file_that_was_not_there_is_not_left_behind(tmp_path: Path) -> None:
    with RecordLog(tmp_path / "r.jsonl"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_whole_lines_that_are_no_records_stay(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    Run(questions(1), right, path, SETUP).go()
    newer = b'{"id":"b","question":"?","outcome":"newer","answers":[]}\n'
    before = path.read_bytes() + newer * 2
    path.write_bytes(before + newer[:-9])
    with RecordLog(path) as log:
        assert log.held.broken == (2, 3, 4)
        log.begin()
    assert path.read_bytes() == before


def test_lines_of_what_was_spent_may_be_all_that_there_is(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    with RecordLog(path) as log:
        log.begin()
        log.spend(ONE, "q0")
        log.spend(ONE, "q1")
        assert log.held.spent == ONE + ONE
    assert read_records(path).spent == ONE + ONE
    data = path.read_bytes()
    path.write_bytes(data[:-3])
    assert read_records(path).spent == ONE
    for end in range(len(data) // 2):
        path.write_bytes(data[:end])
        assert read_records(path).spent == Usage()
