"""QALD's JSON (QALD-7 to QALD-10): questions in several languages, SPARQL, and answers as SPARQL's result JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.datasets.formats import parts
from pylf.datasets.formats.fields import Fields
from pylf.datasets.formats.question import Answer, Question
from pylf.ir.terms import XSD_BOOLEAN

if TYPE_CHECKING:
    from pylf.datasets.formats.source import Entry


def qald(entry: Entry, language: str = "en") -> Question:
    """``id, question: [{language, string, keywords}], query: {sparql}, answers: [{head, results | boolean}]``.

    The text is the one in ``language``, or where there is none the first; ``meta`` says which it is, and holds all.
    Of answers of several columns the first one counts; the rows are then in ``meta``.
    """
    one = Fields(entry.data, entry.origin)
    name = one.named("id")
    if name is None:
        raise one.wrong("there is no 'id'")
    texts = [(each.text("language"), each.maybe("string")) for each in one.objects("question")]
    stated = [(spoken, text) for spoken, text in texts if text is not None]
    if not stated:
        raise one.wrong("the question is in no language", "question")
    spoken, text = next((pair for pair in stated if pair[0] == language), stated[0])
    query = one.inner("query") if "query" in one else None
    sparql = None if query is None else parts.program(query, "sparql")
    answers, wide = (None, []) if "answers" not in one else _answers(one)
    meta = one.rest() | {"language": spoken, "question": one.value("question")}
    if query is not None and (left := query.rest()):
        meta["query"] = left
    if wide:
        meta["rows"] = wide
    return Question(name, text, answers, programs=parts.programs(sparql=sparql), meta=meta, source=entry.origin)


def _answers(one: Fields) -> tuple[tuple[Answer, ...], list[dict[str, object]]]:
    """The answers, and where a row has several columns all rows."""
    found: list[Answer] = []
    wide: list[dict[str, object]] = []
    for table in one.objects("answers"):
        if isinstance(truth := table.value("boolean"), bool):
            found.append(Answer("boolean", str(truth).lower(), datatype=XSD_BOOLEAN))
            continue
        if truth is not None:
            raise table.wrong("neither true nor false", "boolean")
        head = table.inner("head") if "head" in table else None
        names = head.texts("vars") if head is not None else ()
        results = table.inner("results")
        for row in results.objects("bindings") if "bindings" in results else ():
            bound = names or tuple(row.names())
            first = next((var for var in bound if var in row), None)
            if first is None:
                raise row.wrong(f"no value for {', '.join(bound) or 'any variable'}")
            found.append(_value(row.inner(first)))
            if len(row.names()) > 1:
                wide.append({var: row.value(var) for var in row.names()})
    return tuple(found), wide


def _value(one: Fields) -> Answer:
    """A value of SPARQL's result JSON; ``typed-literal`` is how SPARQL 1.0 wrote a literal with a datatype."""
    kind, value = one.text("type"), one.text("value", empty=True)
    datatype, language = one.maybe("datatype"), one.maybe("xml:lang")
    match kind:
        case "uri":
            return Answer("entity", value)
        case "literal" | "typed-literal":
            return Answer("literal", value, None, datatype, language)
        case "bnode":
            return Answer("blank", value)
    raise one.wrong(f"{kind!r} is no type of value: uri, literal, bnode", "type")
