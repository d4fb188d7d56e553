"""How a question ended whose method ended in an exception, whatever that is."""

from __future__ import annotations

from contextlib import suppress

from pylf.backends.outcome import IncompleteAnswer
from pylf.errors import CompileError, EngineError, first_line
from pylf.evaluation.answer import answers_of
from pylf.evaluation.record import Ended, Record
from pylf.ir.nodes import Form
from pylf.models.chat.errors import BudgetSpent, QuotaSpent


def failed(name: str, text: str, problem: BaseException) -> Record:
    """The record of a question of this id and text."""
    with suppress(Exception):  # an exception of a method's own may not even say what it is
        return _failed(name, text, problem)
    return Record(name, text, Ended.FAILED, reason=type(problem).__name__)


def _failed(name: str, text: str, problem: BaseException) -> Record:
    match problem:
        case BudgetSpent() | QuotaSpent():
            ended = Ended.BUDGET
        case IncompleteAnswer(answers=answers) if answers is not None and answers.form is not Form.SUBGRAPH:
            return Record(name, text, Ended(problem.status), answers_of(answers), reason=first_line(problem))
        case EngineError(status=status):
            ended = Ended(status)
        case CompileError():
            ended = Ended.INVALID
        case _:
            told = f"{type(problem).__name__}: {problem}" if str(problem) else type(problem).__name__
            return Record(name, text, Ended.FAILED, reason=first_line(told))
    return Record(name, text, ended, reason=first_line(problem))
