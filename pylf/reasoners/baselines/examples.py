"""Questions with their answers, to be shown before one that is asked: the nearest ones of a training set.

An example that asks the very question, in the same words, is never shown (case 69).
"""

from __future__ import annotations

import hashlib
import heapq
import json
import re
from typing import TYPE_CHECKING

from pylf.errors import InputError
from pylf.models.encoders.lexical import Lexical

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.datasets.formats.question import Question


_WORD = re.compile(r"\w+")


class Examples:
    """Training questions, near by their words and the pieces of them (:class:`Lexical`, fitted to them)."""

    def __init__(self, questions: Iterable[Question]) -> None:
        """Of the questions those are kept that have gold answers.

        Raises:
            InputError: none has.
        """
        self._questions = tuple([one for one in questions if one.answers])
        if not self._questions:
            raise InputError("none of the questions that are to be examples has an answer")
        self._encoder = Lexical().fitted(one.text for one in self._questions)
        self._folded = [_folded(one.text) for one in self._questions]
        self._having: dict[str, list[tuple[int, float]]] = {}
        for place, one in enumerate(self._questions):
            for feature, weight in self._encoder.sparse(one.text).items():
                self._having.setdefault(feature, []).append((place, weight))

    def __len__(self) -> int:
        return len(self._questions)

    @property
    def hash(self) -> str:
        """The same for the same examples in the same order."""
        told = [
            (one.text, [(choice.label, choice.text) for choice in one.choices], shown(one)) for one in self._questions
        ]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]

    def near(self, question: Question, number: int) -> tuple[Question, ...]:
        """So many examples, the nearest last, where it is next to the question that is asked."""
        same = _folded(question.text)
        scores = [0.0] * len(self._questions)
        for feature, weight in self._encoder.sparse(question.text).items():
            for place, other in self._having.get(feature, ()):
                scores[place] += weight * other
        allowed = (place for place, text in enumerate(self._folded) if text != same)
        best = heapq.nsmallest(number, allowed, key=lambda place: (-scores[place], place))
        return tuple([self._questions[place] for place in reversed(best)])


def shown(question: Question) -> str:
    """The gold answers as a model is to give them: labels of choices, yes or no, names."""
    found = []
    for answer in question.answers or ():
        match answer.kind:
            case "choice":
                found.append(answer.value)
            case "boolean":
                found.append("yes" if answer.value == "true" else "no")
            case _:
                found.append(answer.label or answer.value)
    return "; ".join(found)


def _folded(text: str) -> str:
    """The words of a question, without capitals and what stands between them."""
    return " ".join(_WORD.findall(text.casefold())) or text
