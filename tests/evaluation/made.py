"""Questions, records and methods for the tests of evaluation."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from pylf.datasets.formats.question import Answer, Question
from pylf.evaluation import Ended, Record, Setup, State
from pylf.evaluation.harness import spend
from pylf.models.chat.protocol import Usage

if TYPE_CHECKING:
    from collections.abc import Iterable

E = "http://e.example/"
SETUP = Setup("test", versions={"pylf": "0"})


def entities(names: Iterable[str]) -> tuple[Answer, ...]:
    return tuple([Answer("entity", E + name, f"The {name}") for name in names])


def answered(predicted: str, gold: str | None, **more: Any) -> Record:
    """A record whose answers are entities of one letter each."""
    ended = Ended.ANSWERED if predicted else Ended.EMPTY
    known = None if gold is None else entities(gold)
    return Record(
        **({"id": "q", "question": "?", "ended": ended, "answers": entities(predicted), "gold": known} | more)
    )


def questions(count: int) -> tuple[Question, ...]:
    return tuple(
        [
            Question(
                f"q{n}", f"What is {n}? é𝒳", (Answer("name", str(n)),), hops=n % 3 + 1, level=("iid", "zero")[n % 2]
            )
            for n in range(count)
        ]
    )


def number_of(question: Question) -> int:
    return int(question.id[1:])


def steady(question: Question) -> Record:
    """A method that takes some milliseconds and does the same every time."""
    number = number_of(question)
    time.sleep(0.004)
    spend(Usage(prompt=number, completion=1, calls=1, retries=number % 2, money=0.25))
    if number % 11 == 3:
        raise ValueError(f"no idea of {number}")
    if number % 7 == 2:
        return Record(question.id, question.text, Ended.EMPTY, state=State.PARAMETRIC)
    said = str(number if number % 5 else -1)
    return Record(
        question.id,
        question.text,
        Ended.ANSWERED,
        (Answer("name", said),),
        state=State.SYNTHESIS,
        evidence=({"triples": [["a", "r", said]]},),
    )
