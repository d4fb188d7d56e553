"""Sets of multiple choice and of yes and no: CommonsenseQA, CommonsenseQA 2.0, OpenBookQA, MedQA.

CommonsenseQA (Talmor et al. 2019) and OpenBookQA (Mihaylov et al. 2018) come as their authors wrote them, the choices
inside ``question``, and flat, as they are handed on. CommonsenseQA 2.0 (Talmor et al. 2021) is answered by yes or no.
MedQA (Jin et al. 2021) has no ids, so that a question's line is its id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.datasets.formats import parts
from pylf.datasets.formats.fields import Fields
from pylf.datasets.formats.question import Answer, Question, Topic

if TYPE_CHECKING:
    from pylf.datasets.formats.source import Entry

_YES_OR_NO = {"yes": "true", "no": "false"}


def csqa(entry: Entry) -> Question:
    """``id, question: {stem, question_concept, choices}, answerKey``, or flat with ``question_concept``. The concept
    is the topic."""
    one = Fields(entry.data, entry.origin)
    return _keyed(one, entry)


def obqa(entry: Entry) -> Question:
    """``id, question: {stem, choices}, answerKey``, or flat with ``question_stem``; the fact of the open book, where it
    is given, is in ``meta``."""
    one = Fields(entry.data, entry.origin)
    return _keyed(one, entry)


def _keyed(one: Fields, entry: Entry) -> Question:
    name = one.named("id")
    if name is None:
        raise one.wrong("there is no 'id'")
    flat = not isinstance(one.peek("question"), dict)
    inner = one if flat else one.inner("question")
    text = inner.text("question_stem", "question") if flat else inner.text("stem")
    offered = parts.choices(inner, "choices")
    concept = inner.maybe("question_concept") or one.maybe("question_concept")
    answers = parts.chosen(one, offered, "answerKey")
    meta = one.rest() | ({} if flat else inner.rest())
    topics = () if concept is None else (Topic(None, concept),)
    return Question(name, text, answers, offered, topics=topics, meta=meta, source=entry.origin)


def csqa2(entry: Entry) -> Question:
    """``id, question, answer: yes | no, topic_prompt, relational_prompt …``; yes is ``true``. The topic prompt is the
    topic. An answer may be a list of one."""
    one = Fields(entry.data, entry.origin)
    name, text = one.named("id"), one.text("question")
    if name is None:
        raise one.wrong("there is no 'id'")
    given = one.texts("answer") if isinstance(one.peek("answer"), list) else (one.maybe("answer"),)
    stated = [answer for answer in given if answer is not None]
    for answer in stated:
        if answer.lower() not in _YES_OR_NO:
            raise one.wrong(f"{answer!r} is neither 'yes' nor 'no'", "answer")
    if len({answer.lower() for answer in stated}) > 1:
        raise one.wrong("the answer is yes and no", "answer")
    answers = tuple([Answer("boolean", _YES_OR_NO[answer.lower()], answer) for answer in stated[:1]])
    topic = one.maybe("topic_prompt")
    topics = () if topic is None else (Topic(None, topic),)
    return Question(name, text, answers or None, topics=topics, meta=one.rest(), source=entry.origin)


def medqa(entry: Entry) -> Question:
    """``question, options: {A: …}, answer, answer_idx, meta_info``. The answer is told by its label, its text or both,
    which have to agree."""
    one = Fields(entry.data, entry.origin)
    name, text = parts.taken_or_line(one, entry.number, "id"), one.text("question")
    offered = parts.choices(one, "options")
    answers = parts.chosen(one, offered, "answer_idx")
    told = one.maybe("answer")
    if told is not None:
        alike = [choice for choice in offered if choice.text == told]
        if not alike:
            raise one.wrong("the answer is the text of none of the options", "answer")
        if answers is None:
            if len(alike) > 1:
                raise one.wrong("the answer is the text of two options, and 'answer_idx' does not say which", "answer")
            answers = (Answer("choice", alike[0].label, told),)
        elif told != answers[0].label:
            raise one.wrong(f"the answer is not the text of the option {answers[0].value!r}", "answer")
    return Question(name, text, answers, offered, meta=one.rest(), source=entry.origin)
