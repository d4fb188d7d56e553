"""What an answer is worth: the metrics of one question. Averages are made of them in :mod:`pylf.evaluation.summary`.

With ``P`` the distinct predicted answers, ``G`` the distinct gold ones, matched by :mod:`pylf.evaluation.matching`:

- *precision* = share of P that is gold, *recall* = share of G that is predicted, *F1* = their harmonic mean;
- *EM* = 1 where both are 1;
- *hit* = 1 where any of P is gold;
- *Hits@1* = 1 where the first of the ranking is gold; where P has no order, the expected value for one drawn from it,
  |P ∩ G| / |P|;
- *accuracy* = 1 where what is given for the answer is right: the first of a ranking, else every member of P.
- *form* = 1 where the program means what the gold one does; None where one of them is not known;
- *grounded* = what the answer's state is worth (:data:`pylf.evaluation.states.WORTH`); 0 where nothing is answered, but
  for the questions to which nothing is the answer.

P is what the record says that the answer is; a ranking only orders it. Where nothing is predicted all are 0. Questions
that failed count 0 everywhere, whatever gold is. Where gold is known to be empty, an answer that is empty too counts 1
and any other 0. Where a set accepts several readings of a question, the one that gives the best F1 counts. Every
average is also told over the questions that have gold answers, in one reading at least: which these are does not depend
on what is predicted (case 64).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.evaluation.matching import match_answers
from pylf.evaluation.record import INCOMPLETE
from pylf.evaluation.states import WORTH, State, supported
from pylf.records import record

if TYPE_CHECKING:
    from pylf.datasets.formats.question import Answer
    from pylf.evaluation.record import Record

#: The metrics of one question, by what reports call them.
METRICS = {
    "em": "EM",
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "accuracy": "accuracy",
    "hit": "hit",
    "hits1": "Hits@1",
    "grounded": "KGR",
    "form": "EM of the form",
}


@record
class Score:
    """The metrics of one question, from 0 to 1. ``state``: the one that the record supports; ``lowered``: it claims a
    better one. ``empty_gold``: nothing is the right answer, in every reading that the set accepts."""

    id: str
    em: float
    precision: float
    recall: float
    f1: float
    accuracy: float
    hit: float
    hits1: float
    grounded: float
    form: float | None
    state: State | None
    lowered: bool
    empty_gold: bool


def score(one: Record, allow_partial: bool = False) -> Score | None:
    """What a question's answer is worth; None where gold is not known. ``allow_partial`` scores what came of an answer
    that is not complete (case 25)."""
    readings = [*(() if one.gold is None else (one.gold,)), *one.others]
    if not readings:
        return None
    usable = one.complete or (allow_partial and one.ended in INCOMPLETE)
    empty = not any(readings)
    found = [_compared(one, gold, usable, empty) for gold in readings]
    return max(found, key=lambda each: (each.f1, each.em))  # the first of the best


def _compared(one: Record, gold: tuple[Answer, ...], usable: bool, empty: bool) -> Score:
    form = None if one.form is None else one.form if one.complete else 0.0
    answers = one.answers if usable else ()
    ranking = one.ranking if usable else None
    state = supported(one.state, one.sparql, one.evidence, one.answers) if usable else None
    lowered = usable and state is not one.state
    worth = WORTH[state] if state is not None else 0.0
    if not gold:
        right = float(one.complete and not answers)
        return Score(one.id, right, right, right, right, right, right, right, worth, form, state, lowered, empty)
    if not answers:
        return Score(one.id, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, form, None, lowered, empty)
    found = match_answers(answers, gold)
    precision, recall = found.right / found.predicted, found.found / found.gold
    f1 = 2 * precision * recall / (precision + recall) if found.right else 0.0
    exact = float(found.right == found.predicted and found.found == found.gold)
    hit = float(found.right > 0)
    if ranking:
        first = accuracy = float(match_answers(ranking[:1], gold).right)
    else:
        first, accuracy = precision, float(found.right == found.predicted)
    return Score(one.id, exact, precision, recall, f1, accuracy, hit, first, worth, form, state, lowered, empty)
