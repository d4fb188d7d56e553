"""What asking whole sets costs besides the method and its model: the runner, and a reply that is kept."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from benchmarks.tables import median, percentile, table
from pylf.datasets.formats.question import Answer, Question
from pylf.evaluation.files import read_records
from pylf.evaluation.harness import Run, metered
from pylf.evaluation.harness.stating import versions
from pylf.evaluation.record import Ended, Record, Setup
from pylf.models.chat.cached import Cached, key_of
from pylf.models.chat.protocol import Request, asked
from pylf.models.chat.scripted import Scripted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from pylf.evaluation.harness import Method, Standing

_QUESTIONS = 2_000
_HITS = 1_000
#: replies that are kept besides
_KEPT = 5_000
#: characters of a long prompt, and of a reply
_LONG = 40_000
_REPLY = 2_000
_ANSWER = (Answer("entity", "http://e/1", "Boeing"),)


def report(scratch: Path) -> str:
    """The tables, as Markdown."""
    return f"{_runs(scratch)}\n\n{_hits(scratch)}"


# -- the runner


def _runs(scratch: Path) -> str:
    questions = [Question(f"q{n}", f"Which rocket number {n} was made by Boeing?", _ANSWER) for n in range(_QUESTIONS)]
    chat = metered(Scripted(lambda request: f"Answer: {request.messages[-1].content}"))

    def at_once(question: Question) -> Record:
        return Record(question.id, question.text, Ended.ANSWERED, _ANSWER)

    def by_chat(question: Question) -> Record:
        said = chat.complete(Request(asked(question.text, system="Answer with a name."), temperature=0.0))
        return Record(question.id, question.text, Ended.ANSWERED, (Answer("name", said.text),))

    ways: tuple[tuple[str, Method, float | None], ...] = (
        ("a method that returns at once", at_once, None),
        ("the same, with a time limit for each question", at_once, 60.0),
        ("a scripted model, metered", by_chat, None),
    )
    path = scratch / "run.jsonl"
    rows = [
        [f"{title}, `jobs={jobs}`", *_run(questions, method, path, jobs, seconds)]
        for title, method, seconds in ways
        for jobs in (1, 4)
    ]
    began = time.perf_counter()
    held = read_records(path)
    again = 1e3 * (time.perf_counter() - began) / len(held.records)
    words = (
        f"{_QUESTIONS:,} questions with a gold answer, each record written as it comes; all that a question takes, the "
        "method included, from one record to the next; `mean` is the whole run by its questions. Of a run that goes on "
        f"each record that is there takes {again:.3f} ms to read. Goal: 5 ms besides the method."
    )
    return f"{words}\n\n{table(['ms for a question', 'mean', 'median', '99 %', 'processor', 'goal'], rows)}"


def _run(questions: list[Question], method: Method, path: Path, jobs: int, seconds: float | None) -> list[str]:
    setup = Setup("benchmark", model="scripted", settings={"temperature": 0.0}, versions=versions())
    times: list[float] = []

    def watch(_: Standing) -> None:
        times.append(time.perf_counter())

    run = Run(questions, method, path, setup, jobs=jobs, seconds=seconds, fresh=True, watch=watch)
    used, began = time.process_time(), time.perf_counter()
    standing = run.go()
    whole, used = time.perf_counter() - began, time.process_time() - used
    if standing.ended[Ended.ANSWERED] != len(questions):
        raise RuntimeError(f"not every question was answered: {standing.told()}")
    each = [1e3 * (after - before) for before, after in zip([began, *times], times, strict=False)]
    numbers = (1e3 * whole / len(questions), median(each), percentile(each, 0.99), 1e3 * used / len(questions))
    return [*(f"{number:.3f}" for number in numbers), "≤ 5"]


# -- a kept reply


def _hits(scratch: Path) -> str:
    cached = Cached(Scripted(lambda _: "word " * (_REPLY // 5)), scratch / "replies.sqlite")
    sentence = "Which rocket was made by Boeing and flew before 1970? "
    shots = sentence * (_LONG // len(sentence))
    short = [_asked(sentence, n) for n in range(_KEPT)]
    long = [_asked(shots, n) for n in range(_HITS)]
    for request in (*short, *long):
        cached.complete(request)
    rows = []
    for title, requests in ((f"{len(sentence)} characters", short[:_HITS]), (f"{_LONG:,} characters", long)):
        for what, work in (("a kept reply", cached.complete), ("its key alone", _key(cached))):
            times = _times(work, requests)
            goal = "≤ 2" if work == cached.complete else ""
            rows.append(
                [f"{what}, a prompt of {title}", f"{median(times):.3f}", f"{percentile(times, 0.99):.3f}", goal]
            )
    cached.close()
    words = (
        f"{_HITS:,} requests whose replies of {_REPLY:,} characters are kept on disk, among {_KEPT + _HITS:,}; the key "
        "is a hash of the whole request. Goal: 2 ms."
    )
    return f"{words}\n\n{table(['ms', 'median', '99 %', 'goal'], rows)}"


def _asked(text: str, number: int) -> Request:
    return Request(asked(f"{text}Question {number}?", system="Answer with a name."), temperature=0.0, max_tokens=256)


def _key(cached: Cached) -> Callable[[Request], object]:
    return lambda request: key_of(cached.identity, request)


def _times(work: Callable[[Request], object], requests: Iterable[Request]) -> list[float]:
    """Milliseconds for each request."""
    found = []
    for request in requests:
        began = time.perf_counter()
        work(request)
        found.append(1e3 * (time.perf_counter() - began))
    return found
