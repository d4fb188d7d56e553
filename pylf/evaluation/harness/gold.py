"""The method that needs no model: a question's own gold program is run on the graph.

What it scores is how far the gold answers of a set are those of the graph at hand: where they have moved since, or
parts of the graph are missing, it shows (case 63).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from pylf.backends.patience import left
from pylf.errors import UnsupportedOperation, first_line
from pylf.evaluation.answer import answers_of
from pylf.evaluation.forms import NoProgram, compiled_gold
from pylf.evaluation.record import Ended, Record
from pylf.evaluation.states import State

if TYPE_CHECKING:
    from pylf.api import KnowledgeGraph
    from pylf.datasets.formats.question import Question


class GoldProgram:
    """Runs the first form of a question's gold program that can be compiled here."""

    def __init__(self, graph: KnowledgeGraph, **choices: Any) -> None:
        self._graph = graph
        self._choices = choices

    def __call__(self, question: Question) -> Record:
        """The record of a question; *invalid* without a program that can be asked, which is no fault of the run.

        Raises:
            CompileError, EngineError: no program can be compiled, or it has no complete answer.
        """
        try:
            form, query = compiled_gold(question.programs, kg=self._graph, name=question.id, **self._choices)
        except (NoProgram, UnsupportedOperation) as problem:
            return Record(question.id, question.text, Ended.INVALID, reason=first_line(problem))
        limit = left()
        result = query.run(self._graph, timeout=None if limit == math.inf else limit)
        answers = answers_of(result.answers, result.labels)
        return Record(
            question.id,
            question.text,
            Ended.ANSWERED if answers else Ended.EMPTY,
            answers,
            state=State.STRUCTURED,
            program=question.programs[form],
            program_form=form,
            sparql=result.query.sparql_for(self._graph.engine.spoken),
            fingerprint=query.fingerprint,
            form=1.0,
        )
