"""Records in the formats that official scorers read.

What is handed over is complete: of an answer that is partial or truncated nothing is, as it is scored here. The records
keep it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pylf.errors import InputError, PylfError
from pylf.evaluation.record import INCOMPLETE, line_of
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pylf.datasets.formats.question import Answer
    from pylf.evaluation.record import Record

#: the formats that want programs in a form of their own, and so a graph or a schema to reword them
REWORDED = frozenset({"grailqa"})
_FREEBASE = "http://rdf.freebase.com/ns/"


def written(records: Sequence[Record], form: str, **against: Any) -> str:
    """All records as one text. ``against`` are arguments of :func:`pylf.compile` (a graph, a schema, a vocabulary …),
    for a format that wants programs in a form of its own.

    Raises:
        InputError: there is no such format.
    """
    if form not in FORMS:
        raise InputError(f"there is no format {form!r} of predictions; the formats are {', '.join(FORMS)}")
    if form != "jsonl":
        records = [replace(one, answers=(), ranking=None) if one.ended in INCOMPLETE else one for one in records]
    return FORMS[form](records, against)


def withheld(records: Sequence[Record]) -> int:
    """Of how many questions answers came that are not complete, and are not handed over."""
    return sum(one.ended in INCOMPLETE and bool(one.answers) for one in records)


def _grailqa(records: Sequence[Record], against: dict[str, Any]) -> str:
    """``{ID: {"logical_form": …, "answer": […]}}``; the form is the program that was chosen, as an s-expression."""
    return _json({one.id: {"logical_form": _sexpr(one, against), "answer": _ids(one.answers)} for one in records})


def _sexpr(one: Record, against: dict[str, Any]) -> str:
    """A record's program as an s-expression; nothing where it cannot be written as one."""
    if one.program is not None and one.program_form == "sexpr":
        return one.program
    from pylf.evaluation.forms import compiled_of

    query = compiled_of(one, **against)
    try:
        return "" if query is None else query.to("sexpr")
    except PylfError:
        return ""


def _webqsp(records: Sequence[Record], _against: dict[str, Any]) -> str:
    """``[{"QuestionId": …, "Answers": […]}]``."""
    return _json([{"QuestionId": one.id, "Answers": _ids(one.answers)} for one in records])


def _cwq(records: Sequence[Record], _against: dict[str, Any]) -> str:
    """``[{"ID": …, "answer": …}]``: names, the first of a ranking alone. In lower case, as the official scorer compares
    gold with what it is given."""
    found = []
    for one in records:
        best = (one.ranking or one.answers)[:1]
        found.append({"ID": one.id, "answer": (best[0].label or _id(best[0])).lower() if best else ""})
    return _json(found)


def _qald(records: Sequence[Record], _against: dict[str, Any]) -> str:
    """QALD's JSON: the question, the query, and bindings as SPARQL's results are written."""
    found = []
    for one in records:
        flags = [answer.value.lower() in ("true", "1") for answer in one.answers if answer.kind == "boolean"]
        if flags:
            answers: list[dict[str, Any]] = [{"head": {}, "boolean": flags[0]}]
        else:
            rows = [{"result": _binding(answer)} for answer in one.answers]
            answers = [{"head": {"vars": ["result"]}, "results": {"bindings": rows}}]
        asked = [{"language": one.tags.get("language", "en"), "string": one.question}]
        found.append({"id": one.id, "question": asked, "query": {"sparql": one.sparql or ""}, "answers": answers})
    return _json({"questions": found})


def _choices(records: Sequence[Record], _against: dict[str, Any]) -> str:
    """``{"id": …, "prediction": "B"}``, a line for each: the first answer's label."""
    lines = []
    for one in records:
        best = (one.ranking or one.answers)[:1]
        lines.append(json.dumps({"id": one.id, "prediction": best[0].value if best else ""}, ensure_ascii=False))
    return "".join([line + "\n" for line in lines])


def _jsonl(records: Sequence[Record], _against: dict[str, Any]) -> str:
    return b"".join([line_of(one) for one in records]).decode()


#: by name: pylf's own records, GrailQA (GraphQuestions and NestKGQA are scored alike), WebQSP, CWQ, QALD, and sets of
#: choices
FORMS: dict[str, Callable[[Sequence[Record], dict[str, Any]], str]] = {
    "jsonl": _jsonl,
    "grailqa": _grailqa,
    "webqsp": _webqsp,
    "cwq": _cwq,
    "qald": _qald,
    "choices": _choices,
}


def _ids(answers: Sequence[Answer]) -> list[str]:
    return [_id(one) for one in answers]


def _id(one: Answer) -> str:
    """An entity by its id, as Freebase's sets have it; anything else by value."""
    return one.value.removeprefix(_FREEBASE) if one.kind == "entity" else one.value


def _binding(one: Answer) -> dict[str, str]:
    match one.kind:
        case "entity":
            return {"type": "uri", "value": one.value}
        case "blank":
            return {"type": "bnode", "value": one.value}
    data = {"type": "literal", "value": one.value}
    if one.datatype is not None:
        data["datatype"] = one.datatype
    if one.language is not None:
        data["xml:lang"] = one.language
    return data


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
