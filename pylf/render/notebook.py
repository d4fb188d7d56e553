"""What a notebook shows of a compiled query and of a result, by itself."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from pylf.errors import UnsupportedOperation
from pylf.ir.nodes import Form
from pylf.ir.terms import Literal

if TYPE_CHECKING:
    from pylf.api import CompiledQuery, Result
    from pylf.ir.terms import Node

_ROWS = 50


def query_html(query: CompiledQuery) -> str:
    """Sentence, picture and SPARQL; the last two folded away."""
    try:
        picture = query.to("svg")
    except UnsupportedOperation as problem:
        picture = escape(str(problem))
    warnings = "".join(f"<pre>{escape(d.render())}</pre>" for d in query.diagnostics)
    return (
        f"<div><p>{escape(query.english)}</p>{warnings}"
        f"<details open><summary>picture</summary>{picture}</details>"
        f"<details><summary>SPARQL</summary><pre>{escape(query.sparql)}</pre></details></div>"
    )


def result_html(result: Result) -> str:
    """The answers as a table, labels first."""
    answers = result.answers
    labels = result.labels
    match answers.form:
        case Form.NUMBER:
            body = f"<b>{answers.number}</b>"
        case Form.BOOLEAN:
            body = f"<b>{'yes' if answers.boolean else 'no'}</b>"
        case Form.SET:
            body = _table([(v,) for v in answers.values], labels)
        case _:
            body = _table(answers.rows, labels)
    return f"<div><p>{escape(result.query.english)}</p>{body}</div>"


def _table(rows: tuple[tuple[Node | None, ...], ...] | list[tuple[Node]], labels: dict[Node, str]) -> str:
    shown = "".join("<tr>" + "".join(f"<td>{_cell(n, labels)}</td>" for n in row) + "</tr>" for row in rows[:_ROWS])
    more = f"<p>and {len(rows) - _ROWS} more</p>" if len(rows) > _ROWS else ""
    return f"<table>{shown}</table>{more}" if rows else "<p>no answer</p>"


def _cell(node: Node | None, labels: dict[Node, str]) -> str:
    if node is None:
        return ""
    if isinstance(node, Literal):
        return escape(node.lexical)
    label = labels.get(node)
    text = escape(str(node))
    return f"{escape(label)} <small>{text}</small>" if label else text
