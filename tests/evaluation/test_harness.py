"""Runs: every question gets an outcome, whatever happens, and a run that was cut short goes on."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from pylf.backends.patience import left
from pylf.datasets.formats.question import Answer, Question
from pylf.errors import CompileError, Diagnostic, EngineError, EngineRefused, EngineTimeout, InputError
from pylf.evaluation import Ended, Record, Setup, read_records, summarize
from pylf.evaluation.harness import Run, Standing, carried, metered, spend, unasked
from pylf.evaluation.summary import in_order
from pylf.models.chat.errors import BudgetSpent, ChatTimeout, QuotaSpent
from pylf.models.chat.protocol import Completion, Reply, Request, Usage, asked
from pylf.records import replace
from tests.evaluation.made import SETUP, number_of, questions, steady

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pylf.evaluation.files import Held


def right(question: Question) -> Record:
    return Record(question.id, question.text, Ended.ANSWERED, (Answer("name", question.id[1:]),))


def failing(problems: dict[int, Exception]) -> Callable[[Question], Record]:
    def method(question: Question) -> Record:
        problem = problems.get(number_of(question))
        if problem is not None:
            raise problem
        return right(question)

    return method


def totals(held: Held, count: int) -> dict[str, object]:
    """All that a run comes to, but for times and memory."""
    records = in_order(held, map(unasked, questions(count)))
    found = summarize(records).to_json()
    del found["cost"]["each"]
    return found | {"answers": [(one.id, one.answers, one.ended, one.reason) for one in records]}


def test_every_question_has_a_record_with_what_the_runner_knows(tmp_path: Path) -> None:
    seen: list[int] = []
    path = tmp_path / "records.jsonl"
    standing = Run(questions(20), right, path, SETUP, jobs=3, watch=lambda s: seen.append(s.done)).go()
    held = read_records(path)
    assert seen == list(range(1, 21))
    assert standing.ended == {Ended.ANSWERED: 20}
    assert sorted(held.records) == sorted(one.id for one in questions(20))
    one = held.records["q7"]
    assert (one.gold, one.tags, one.setup) == ((Answer("name", "7"),), {"level": "zero", "hops": 2}, SETUP)
    assert one.seconds > 0
    assert one.memory is None or one.memory > 1 << 20
    assert summarize(list(held.records.values())).averages["f1"].value == 1


def test_whatever_a_method_ends_in_is_an_outcome_of_its_question(tmp_path: Path) -> None:
    problems: dict[int, Exception] = {
        0: EngineError("down"),
        1: EngineTimeout("slow"),
        2: EngineRefused("no"),
        3: CompileError([Diagnostic("x", "cannot be read")]),
        4: ZeroDivisionError("a bug"),
        5: RecursionError(),
        6: InputError("no such file"),
    }
    path = tmp_path / "records.jsonl"
    standing = Run(questions(9), failing(problems), path, SETUP, give_up=None).go()
    ended = {name: one.ended for name, one in read_records(path).records.items()}
    assert ended == {
        "q0": Ended.ENGINE,
        "q1": Ended.TIMEOUT,
        "q2": Ended.REFUSED,
        "q3": Ended.INVALID,
        "q4": Ended.FAILED,
        "q5": Ended.FAILED,
        "q6": Ended.FAILED,
        "q7": Ended.ANSWERED,
        "q8": Ended.ANSWERED,
    }
    assert read_records(path).records["q4"].reason == "ZeroDivisionError: a bug"
    assert standing.stopped is None


@pytest.mark.parametrize("given", [None, "text", {"answers": []}])
def test_a_method_that_gives_no_record_failed(tmp_path: Path, given: Any) -> None:
    path = tmp_path / "records.jsonl"
    Run(questions(1), lambda _: given, path, SETUP).go()
    assert read_records(path).records["q0"].ended is Ended.FAILED


def test_a_record_that_is_no_plain_data_failed_and_is_paid_for(tmp_path: Path) -> None:
    def method(question: Question) -> Record:
        return replace(right(question), details={"x": {1, 2}}, usage=Usage(calls=3))

    path = tmp_path / "records.jsonl"
    Run(questions(2), method, path, SETUP).go()
    one = read_records(path).records["q1"]
    assert (one.ended, one.usage.calls) == (Ended.FAILED, 3)
    assert "cannot be written" in one.reason


class Slow:
    """A chat that takes its time, and whose calls cost ten tokens."""

    model = identity = "slow"

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.calls = 0

    def complete(self, request: Request) -> Completion:
        self.calls += 1
        if left() < self.seconds:
            raise ChatTimeout("no reply", Usage(prompt=1, calls=1, unstated=1))
        time.sleep(self.seconds)
        return Completion((Reply("yes"),), Usage(prompt=8, completion=2, calls=1), False, "slow")


def test_case_47_a_question_over_its_time_is_a_timeout_with_what_it_cost(tmp_path: Path) -> None:
    chat = Slow(0.1)
    asking = metered(chat)

    def method(question: Question) -> Record:
        for _ in range(3 if question.id == "q0" else 100):
            asking.complete(Request(asked("?")))
        return right(question)

    path = tmp_path / "records.jsonl"
    standing = Run(questions(2), method, path, SETUP, seconds=0.65).go()
    done, late = read_records(path).records["q0"], read_records(path).records["q1"]
    assert (done.ended, done.usage) == (Ended.ANSWERED, Usage(prompt=24, completion=6, calls=3))
    assert late.ended is Ended.TIMEOUT
    assert not late.answers
    assert late.usage.completion >= 2  # partial: some calls came back
    assert late.usage.calls == late.usage.completion // 2 + late.usage.unstated
    assert standing.usage.calls == chat.calls


def test_case_47_a_method_that_does_not_hear_of_its_time_is_left_to_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pylf.evaluation.harness.run._GRACE", 0.05)
    freed, given_up = threading.Event(), threading.Event()

    def method(question: Question) -> Record:
        if question.id == "q1":
            spend(Usage(prompt=5, calls=1))
            freed.wait(60)
            spend(Usage(prompt=7, calls=1))
            given_up.set()
        return right(question)

    path = tmp_path / "records.jsonl"
    run = Run(questions(4), method, path, SETUP, seconds=0.2)
    standing = run.go()
    records = read_records(path).records
    assert Counter(one.ended for one in records.values()) == {Ended.ANSWERED: 3, Ended.TIMEOUT: 1}
    assert records["q1"].usage == Usage(prompt=5, calls=1)
    assert records["q1"].reason == "not answered within 0.2 s"
    freed.set()
    assert given_up.wait(60)
    assert standing.late == Usage(prompt=7, calls=1)
    assert len(read_records(path).records) == 4


def test_an_answer_that_comes_too_late_is_a_timeout(tmp_path: Path) -> None:
    def method(question: Question) -> Record:
        spend(Usage(calls=1))
        time.sleep(0.1)
        return right(question)

    path = tmp_path / "records.jsonl"
    Run(questions(1), method, path, SETUP, seconds=0.05).go()
    one = read_records(path).records["q0"]
    assert (one.ended, one.answers, one.usage.calls) == (Ended.TIMEOUT, (), 1)


def test_threads_of_a_method_are_counted_for_its_question(tmp_path: Path) -> None:
    def method(question: Question) -> Record:
        threads = [threading.Thread(target=carried(spend), args=(Usage(prompt=number_of(question)),)) for _ in range(4)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        return right(question)

    path = tmp_path / "records.jsonl"
    Run(questions(6), method, path, SETUP, jobs=3).go()
    found = {name: one.usage.prompt for name, one in read_records(path).records.items()}
    assert found == {f"q{n}": 4 * n for n in range(6)}


@pytest.mark.parametrize("problem", [BudgetSpent("the budget of 3 calls is used up"), QuotaSpent("pay")])
def test_a_budget_that_runs_out_stops_the_run_and_it_goes_on(tmp_path: Path, problem: EngineError) -> None:
    path = tmp_path / "records.jsonl"
    standing = Run(questions(9), failing({3: problem}), path, SETUP).go()
    assert (standing.stopped, standing.done) == (str(problem), 4)
    found = summarize(in_order(read_records(path), map(unasked, questions(9))))
    assert (found.questions, found.ended["budget spent"], found.ended["not asked"]) == (9, 1, 5)
    standing = Run(questions(9), right, path, SETUP).go()
    assert (standing.before, standing.done, standing.stopped) == (3, 9, None)
    assert {one.ended for one in read_records(path).records.values()} == {Ended.ANSWERED}


def test_a_server_that_dies_in_the_middle_ends_the_run_and_its_questions_can_be_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    dead: dict[int, Exception] = {n: EngineError("the connection was refused") for n in range(10, 100)}
    standing = Run(questions(100), failing(dead), path, SETUP, give_up=5).go()
    assert standing.stopped == "5 questions in a row failed, the last with: the connection was refused"
    assert standing.ended == {Ended.ANSWERED: 10, Ended.ENGINE: 5}
    standing = Run(questions(100), right, path, SETUP, again=(Ended.ENGINE,)).go()
    assert (standing.before, standing.ended) == (10, {Ended.ANSWERED: 100})


def test_nonsense_for_every_question_is_no_reason_to_stop(tmp_path: Path) -> None:
    def method(question: Question) -> Record:
        return Record(question.id, question.text, Ended.INVALID, reason="nothing in the reply can be read")

    standing = Run(questions(60), method, tmp_path / "r.jsonl", SETUP, give_up=5).go()
    assert (standing.stopped, standing.ended) == (None, {Ended.INVALID: 60})


def test_a_run_goes_on_with_the_same_setup_alone(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    setup = replace(SETUP, limits={"question": 60.0})
    Run(questions(3), right, path, setup).go()
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"of another run: its limits.question was 60.0 and is now 180.0"):
        Run(questions(5), right, path, replace(SETUP, limits={"question": 180.0})).go()
    with pytest.raises(InputError, match="its method was test and is now other"):
        Run(questions(5), right, path, Setup("other")).go()
    assert path.read_bytes() == before
    assert Run(questions(5), right, path, setup).go().before == 3
    assert Run(questions(5), right, path, Setup("other"), fresh=True).go().before == 0


@pytest.mark.parametrize(
    ("more", "told"), [({"jobs": 0}, "jobs"), ({"seconds": 0.0}, "above 0"), ({"seconds": float("nan")}, "above 0")]
)
def test_what_cannot_be_run_is_refused(tmp_path: Path, more: dict[str, int], told: str) -> None:
    with pytest.raises(InputError, match=told):
        Run(questions(1), right, tmp_path / "r.jsonl", SETUP, **more)
    with pytest.raises(InputError, match="two questions have the id 'q0'"):
        Run(questions(1) * 2, right, tmp_path / "r.jsonl", SETUP)


def test_progress_tells_what_it_cost_so_far() -> None:
    standing = Standing(60)
    assert standing.told() == "0/60"
    for ended in (Ended.ANSWERED, Ended.TIMEOUT, Ended.INVALID, Ended.TIMEOUT):
        standing.count(Record("q", "", ended))
        standing.add_usage(Usage(prompt=1_000, completion=234, money=0.5))
    standing.add_late(Usage(prompt=3, calls=1))
    assert standing.told() == "4/60 · 2 timeout · 1 invalid · 4,939 tokens · 2.00 spent"


# --- runs that are killed, as processes of their own --------------------------------------------------------------

COUNT = 400
SCRIPT = """
import sys
from pylf.evaluation.harness import Run
from tests.evaluation.made import SETUP, questions, steady
standing = Run(questions({count}), steady, sys.argv[1], SETUP, jobs=2, give_up=None).go()
print(standing.stopped or "done", flush=True)
sys.exit(130 if standing.interrupted else 0)
"""


def started(root: Path, path: Path, before: str = "", script: str = SCRIPT) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", before + script.replace("{count}", str(COUNT)), str(path)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def until_it_writes(process: subprocess.Popen[str], path: Path) -> None:
    begun = path.stat().st_size if path.exists() else 0
    for _ in range(6_000):
        if process.poll() is not None or (path.exists() and path.stat().st_size > begun):
            return
        time.sleep(0.005)
    pytest.fail("the run writes nothing")


def test_case_60_a_run_that_is_killed_at_ten_random_moments_comes_to_the_same(tmp_path: Path, root: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    Run(questions(COUNT), steady, whole, SETUP, jobs=8, give_up=None).go()
    path = tmp_path / "records.jsonl"
    chosen = random.Random(7)
    killed = 0
    for _ in range(10):
        process = started(root, path)
        until_it_writes(process, path)
        time.sleep(chosen.uniform(0, 0.06))
        process.kill()
        process.communicate()
        killed += process.returncode == -signal.SIGKILL
        if chosen.random() < 0.5:  # what a system that goes down leaves: any part of what was written last
            data = path.read_bytes()
            path.write_bytes(data[: max(0, len(data) - chosen.randrange(1, 400))])
    assert killed == 10
    assert 0 < len(read_records(path).records) < COUNT
    process = started(root, path)
    assert process.communicate() == ("done\n", "")
    ours, theirs = read_records(path), read_records(whole)
    assert ours.broken == ()
    assert ours.before == Usage()
    assert [json.loads(line)["id"] for line in path.read_bytes().splitlines()] == list(ours.records)  # none twice
    assert totals(ours, COUNT) == totals(theirs, COUNT)


def test_ctrl_c_lets_what_was_begun_come_to_its_end(tmp_path: Path, root: Path) -> None:
    path = tmp_path / "records.jsonl"
    process = started(root, path)
    until_it_writes(process, path)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out, err) == (130, "interrupted\n", "")
    held = read_records(path)
    assert held.broken == ()
    assert 0 < len(held.records) < COUNT


TWICE = """
import os, signal, sys, threading
from pylf.evaluation.harness import Run, spend
from pylf.models.chat.protocol import Usage
from tests.evaluation.made import SETUP, questions
heard = threading.Event()
def method(question):
    spend(Usage(prompt=5, calls=1))
    os.kill(os.getpid(), signal.SIGINT)
    heard.wait(60)
    os.kill(os.getpid(), signal.SIGINT)
    threading.Event().wait(60)
def watch(standing):
    print(standing.stopped, standing.interrupted, flush=True)
    heard.set()
Run(questions(3), method, sys.argv[1], SETUP, watch=watch).go()
"""


def test_a_second_ctrl_c_drops_what_was_begun_and_not_what_it_cost(tmp_path: Path, root: Path) -> None:
    path = tmp_path / "records.jsonl"
    process = started(root, path, script=TWICE)
    out, err = process.communicate()
    assert (out, err.splitlines()[-1]) == ("interrupted True\n", "KeyboardInterrupt")
    held = read_records(path)
    assert (held.records, held.spent) == ({}, Usage(prompt=5, calls=1))
    standing = Run(questions(3), right, path, SETUP).go()
    assert (standing.done, standing.usage) == (3, held.spent)


@pytest.mark.skipif(sys.platform == "win32", reason="limits on files are POSIX's")
def test_a_full_disk_ends_the_run_and_it_goes_on(tmp_path: Path, root: Path) -> None:
    path = tmp_path / "records.jsonl"
    limit = "import resource, sys; sys.dont_write_bytecode = True  # else what is compiled is cut off too\n"
    limit += "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
    process = started(root, path, limit)
    out, err = process.communicate()
    assert (process.returncode, err) == (0, "")
    assert out.endswith("records.jsonl: file too large\n")  # why it stopped
    assert path.stat().st_size <= 20_000
    held = read_records(path)
    assert held.broken == ()
    assert 0 < len(held.records) < COUNT
    process = started(root, path)
    assert process.communicate() == ("done\n", "")
    assert len(read_records(path).records) == COUNT


def test_the_order_of_answers_does_not_change_what_a_run_comes_to(tmp_path: Path) -> None:
    found = []
    for jobs in (1, 7):
        path = tmp_path / f"{jobs}.jsonl"
        Run(questions(60), steady, path, SETUP, jobs=jobs, give_up=None).go()
        found.append(totals(read_records(path), 60))
    assert all(one == other for one, other in itertools.pairwise(found))
