"""What a notebook shows of a compiled query and of a result, by itself."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from pylf.errors import UnsupportedOperation
from pylf.ir.nodes import Form
from pylf.ir.terms import Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pylf.api import CompiledQuery, Result
    from pylf.ir.terms import Node

_ROWS = 50


def query_html(query: CompiledQuery) -> str:
    """Sentence, warnings, picture and SPARQL; the last one folded away."""
    warnings = "".join(f"<pre>{escape(d.render())}</pre>" for d in query.diagnostics)
    return (
        f"<div><p>{escape(query.english)}</p>{warnings}"
        f'<details open><summary>picture</summary><div style="overflow-x:auto">{query.to("svg")}</div></details>'
        f"<details><summary>SPARQL ({escape(query.settings.dialect)})</summary>{_sparql(query)}</details></div>"
    )


def _sparql(query: CompiledQuery) -> str:
    try:
        return f"<pre>{escape(query.sparql)}</pre>"
    except UnsupportedOperation as problem:
        return f"<p>{escape(str(problem))}</p>"


def result_html(result: Result) -> str:
    """The question, how negation was read where that matters, and the answers as a table, labels first."""
    answers = result.answers
    labels = result.labels
    match answers.form:
        case Form.NUMBER:
            body = f"<b>{answers.number}</b>"
        case Form.BOOLEAN:
            body = f"<b>{'yes' if answers.boolean else 'no'}</b>"
        case Form.SET:
            body = _table([(v,) for v in answers.values], (), labels)
        case _:
            body = _table(answers.rows, tuple(v.name for v in result.query.ir.outputs), labels)
    return f"<div><p>{escape(result.query.english)}</p>{body}<small>{escape(result.graph.name)}</small></div>"


def _table(rows: Sequence[tuple[Node | None, ...]], columns: tuple[str, ...], labels: Mapping[Node, str]) -> str:
    if not rows:
        return "<p>no answer</p>"
    head = "<tr>" + "".join(f"<th>{escape(name)}</th>" for name in columns) + "</tr>" if columns else ""
    shown = "".join("<tr>" + "".join(f"<td>{_cell(n, labels)}</td>" for n in row) + "</tr>" for row in rows[:_ROWS])
    more = f"<p>and {len(rows) - _ROWS:,} more</p>" if len(rows) > _ROWS else ""
    return f"<table>{head}{shown}</table>{more}"


def _cell(node: Node | None, labels: Mapping[Node, str]) -> str:
    if node is None:
        return ""
    if isinstance(node, Literal):
        tag = "" if node.language is None else f" <small>{escape(node.language)}</small>"
        return escape(node.lexical) + tag
    label = labels.get(node)
    text = escape(str(node))
    return f"{escape(label)} <small>{text}</small>" if label else text
