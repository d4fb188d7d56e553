"""What is in a set of questions, counted."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.datasets.formats.question import Question


class Summary:
    """Counts questions one by one; none is kept, but of each the text."""

    def __init__(self) -> None:
        self.questions = 0
        self._answers: Counter[str] = Counter()
        self._counted: dict[str, Counter[Any]] = {}
        self._gold = 0
        self._texts: Counter[str] = Counter()

    def add(self, question: Question) -> None:
        """One more."""
        self.questions += 1
        answers = question.answers
        self._answers["not told" if answers is None else _many(len(answers))] += 1
        self._gold += len(answers or ())
        self._count("kinds of answers", [question.answer_kind])
        self._count("programs", question.programs)
        self._count("choices offered", [len(question.choices) or None])
        self._count("keys", [one.value for one in answers or () if one.kind == "choice"])
        for name in ("level", "function", "hops"):
            self._count(name, [getattr(question, name)])
        self._count("topics", [len(question.topics) or None])
        self._count("further readings", [len(question.alternatives) or None])
        self._texts[" ".join(question.text.casefold().split())] += 1

    def add_all(self, questions: Iterable[Question]) -> Summary:
        """All of these; gives the summary itself."""
        for question in questions:
            self.add(question)
        return self

    def to_json(self) -> dict[str, Any]:
        """The counts as plain data. What no question has is left out; ``asked again`` is how many questions have the
        text of one before, up to case and spaces."""
        order = [name for name in ("not told", "none", "one", "several") if self._answers[name]]
        data: dict[str, Any] = {"questions": self.questions, "answers": {name: self._answers[name] for name in order}}
        told = self.questions - self._answers["not told"]
        if told:
            data["answers a question"] = round(self._gold / told, 2)
        data |= {name: _sorted(counts) for name, counts in self._counted.items()}
        again = sum(self._texts.values()) - len(self._texts)
        return data | ({"asked again": again} if again else {})

    def _count(self, name: str, values: Iterable[Any]) -> None:
        for value in values:
            if value is not None:
                self._counted.setdefault(name, Counter())[value] += 1


def _many(number: int) -> str:
    return ("none", "one")[number] if number < 2 else "several"


def _sorted(counts: Counter[Any]) -> dict[str, int]:
    """Numbers and keys in their order, other names the commonest first."""
    if all(isinstance(name, int) or len(name) == 1 for name in counts):
        return {str(name): counts[name] for name in sorted(counts)}
    return {str(name): number for name, number in counts.most_common()}
