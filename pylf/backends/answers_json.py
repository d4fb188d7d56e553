"""Answers as a line of JSON, and back: what kept answers are written as."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.ir.answers import Answers
from pylf.ir.nodes import Form
from pylf.ir.terms import Blank, Iri, Literal

if TYPE_CHECKING:
    from pylf.ir.answers import Row
    from pylf.ir.terms import Node


def written(answers: Answers) -> str | None:
    """Answers as JSON, all ASCII; None where they hold blank nodes."""
    import json

    rows = [(value,) for value in answers.values] if answers.form is Form.SET else answers.rows
    if any(isinstance(node, Blank) for row in rows for node in row):
        return None
    data = [answers.form.value, answers.number, answers.boolean, [[_plain(node) for node in row] for row in rows]]
    return json.dumps(data, separators=(",", ":"))


def _plain(node: Node | None) -> list[str | None] | None:
    match node:
        case Iri(value):
            return [value]
        case Literal(lexical, datatype, language):
            return [lexical, datatype, language]
    return None


def read(text: str) -> Answers:
    """The answers in what :func:`written` wrote.

    Raises:
        ValueError, TypeError, KeyError, IndexError, RecursionError: it is something else.
    """
    import json

    form, number, boolean, listed = json.loads(text)
    rows: tuple[Row, ...] = tuple([tuple([_node(plain) for plain in row]) for row in listed])
    match Form(form):
        case Form.NUMBER if type(number) is int:
            return Answers.of_number(number)
        case Form.BOOLEAN if type(boolean) is bool:
            return Answers.of_boolean(boolean)
        case Form.SET:
            values = [row[0] for row in rows]
            return Answers(Form.SET, values=tuple([value for value in values if value is not None]))
        case Form.ROWS | Form.SUBGRAPH as wide:
            return Answers(wide, rows=rows)
    raise ValueError("no answers")


def _node(plain: Any) -> Node | None:
    if plain is None:
        return None
    match plain:
        case [str(value)]:
            return Iri(value)
        case [str(lexical), str(datatype), str() | None as language]:
            return Literal(lexical, datatype, language)
    raise ValueError("no node")
