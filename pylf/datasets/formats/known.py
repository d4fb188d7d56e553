"""The formats, and how a file's format is told: by its first record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.datasets.formats import choosing, freebase, metaqa, plain, qald
from pylf.errors import InputError, printable
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.datasets.formats.question import Question
    from pylf.datasets.formats.source import Entry


@record
class Format:
    """A format: its name on the command line, what it is, how a first record shows that it is this one, and how a
    record is read."""

    name: str
    told: str
    shows: Callable[[Any], bool]
    read: Callable[[Entry], Question]


def _has(*names: str) -> Callable[[Any], bool]:
    return lambda data: all(name in data for name in names)


def _graphquestions(data: Any) -> bool:
    answers = data.get("answer")
    by_name = isinstance(answers, list) and bool(answers) and not any(isinstance(one, dict) for one in answers)
    return "qid" in data and "graph_query" in data and ("commonness" in data or by_name)


def _grailqa(data: Any) -> bool:
    return "qid" in data and any(name in data for name in ("graph_query", "sparql_query")) and not _graphquestions(data)


def _qald(data: Any) -> bool:
    texts = data.get("question")
    return isinstance(texts, list) and all(isinstance(one, dict) and "language" in one for one in texts)


def _stem(data: Any) -> dict[str, Any]:
    """Where the stem and the choices are: inside ``question``, or at the top."""
    inner = data.get("question")
    return inner if isinstance(inner, dict) else data


def _csqa(data: Any) -> bool:
    return "choices" in _stem(data) and ("question_concept" in _stem(data) or "question_concept" in data)


def _obqa(data: Any) -> bool:
    return "choices" in _stem(data) and ("stem" in _stem(data) or "question_stem" in data) and not _csqa(data)


def _medqa(data: Any) -> bool:
    return "options" in data and ("answer_idx" in data or "meta_info" in data)


def _csqa2(data: Any) -> bool:
    return "topic_prompt" in data or "relational_prompt" in data


#: In the order in which they are tried; pylf's own takes what has a question and is none of the others.
FORMATS = (
    Format("nestkgqa", "NestKGQA, as pylf writes it and as its paper describes it", plain.is_negated, plain.plain),
    Format("graphquestions", "GraphQuestions", _graphquestions, freebase.graphquestions),
    Format("grailqa", "GrailQA", _grailqa, freebase.grailqa),
    Format("webqsp", "WebQSP", _has("QuestionId", "Parses"), freebase.webqsp),
    Format("freebaseqa", "FreebaseQA", _has("Question-ID"), freebase.freebaseqa),
    Format("cwq", "ComplexWebQuestions", lambda data: "ID" in data and "question" in data, freebase.cwq),
    Format("qald", "QALD's JSON, QALD-10 among others", _qald, qald.qald),
    Format("csqa", "CommonsenseQA", _csqa, choosing.csqa),
    Format("obqa", "OpenBookQA", _obqa, choosing.obqa),
    Format("csqa2", "CommonsenseQA 2.0", _csqa2, choosing.csqa2),
    Format("medqa", "MedQA", _medqa, choosing.medqa),
    Format("metaqa", "MetaQA", lambda _: False, metaqa.metaqa),  # told by its tabs
    Format(
        "pylf",
        "pylf's own JSON Lines, and lists of questions like it",
        lambda data: any(isinstance(data.get(name), str) for name in plain.TEXTS),
        plain.plain,
    ),
)
NAMES = tuple([one.name for one in FORMATS])


def named(name: str) -> Format:
    """The format of this name.

    Raises:
        InputError: there is none.
    """
    found = next((one for one in FORMATS if one.name == name), None)
    if found is None:
        raise InputError(f"there is no format {printable(repr(name))}; there are {', '.join(NAMES)}")
    return found


def told_by(data: Any) -> Format | None:
    """The format that a first record of JSON shows; None where it shows none."""
    if not isinstance(data, dict):
        return None
    return next((one for one in FORMATS if one.shows(data)), None)
