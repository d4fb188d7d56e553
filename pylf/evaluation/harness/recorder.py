"""The record of a question: what the method gave, with what the runner knows of it, and such that it reads back."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pylf.errors import InputError, first_line
from pylf.evaluation.answer import gold_of
from pylf.evaluation.breakdowns import tags_of
from pylf.evaluation.harness.failures import failed
from pylf.evaluation.harness.memory import most_held
from pylf.evaluation.harness.standing import HOPELESS, UNREACHED
from pylf.evaluation.record import Ended, Record, line_of, record_of
from pylf.models.chat.protocol import Usage
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.datasets.formats.question import Question
    from pylf.evaluation.harness.workers import Given
    from pylf.evaluation.record import Setup


class Recorder:
    """Makes the records of a run. ``seconds``: the time for a question.

    Of the tags of a question those that the method says itself win over those of the set. What a question cost is what
    was metered, else what the method says.

    Raises:
        InputError: the setup is no plain data, so that no record could be written.
    """

    def __init__(self, setup: Setup, seconds: float | None) -> None:
        self._setup = setup
        self._seconds = seconds
        try:
            _joined(Record("", "", Ended.UNASKED), {"setup": setup})
        except InputError as problem:
            raise InputError(f"the setup of the run cannot be written: {problem}") from None

    def recorded(self, given: Given) -> Record:
        """The record of what a method gave, whatever that is."""
        question = given.question
        spent = given.meter.close()
        own = self._own(question, spent, given.seconds)
        found = self._found(given)
        if given.meter.unreached and found.ended in HOPELESS:
            own["details"] = {UNREACHED: True}
        try:
            return _joined(found, own)
        except InputError as problem:
            told = f"its record cannot be written: {problem}"
        bare = Record(question.id, question.text, Ended.FAILED, reason=told)
        with suppress(InputError):
            return _joined(replace(bare, tags=found.tags, usage=found.usage), own)
        return _joined(bare, own)

    def over(self, question: Question, spent: Usage, seconds: float) -> Record:
        """The record of a question that was given up."""
        return _joined(self._timeout(question), self._own(question, spent, seconds))

    def _found(self, given: Given) -> Record:
        question, found = given.question, given.found
        if given.problem is not None:
            found = failed(question.id, question.text, given.problem)
        elif not isinstance(found, Record):
            found = Record(question.id, question.text, Ended.FAILED, reason=f"the method gave {type(found).__name__}")
        if self._seconds is not None and given.seconds > self._seconds and found.ended is not Ended.TIMEOUT:
            found = replace(self._timeout(question), usage=found.usage, details=found.details)
        return found

    def _timeout(self, question: Question) -> Record:
        return Record(question.id, question.text, Ended.TIMEOUT, reason=f"not answered within {self._seconds:g} s")

    def _own(self, question: Question, spent: Usage, seconds: float) -> dict[str, Any]:
        """What the runner knows, by field."""
        gold, others = gold_of(question)
        return {
            "id": question.id,
            "question": question.text,
            "gold": gold,
            "others": others,
            "tags": tags_of(question),
            "usage": spent,
            "seconds": seconds,
            "memory": most_held(),
            "setup": self._setup,
        }


def _joined(found: Record, own: Mapping[str, Any]) -> Record:
    """What a method gave and what the runner knows, as it will be read again.

    Raises:
        InputError: it could not be written, or not be read.
    """
    try:
        known = {**own}
        known |= {name: {**own[name], **getattr(found, name)} for name in ("tags", "details") if name in own}
        if own.get("usage") == Usage():
            del known["usage"]
        return record_of(json.loads(line_of(replace(found, **known))))
    except Exception as problem:  # a method may have put anything into it
        raise InputError(first_line(str(problem) or type(problem).__name__)) from problem
