"""The picture in Graphviz's DOT language."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pylf.render.picture import Box

_SHAPES = {
    "answer": 'shape=box, style="rounded,filled", fillcolor="#dbeafe", penwidth=2',
    "variable": 'shape=box, style="rounded"',
    "constant": 'shape=box, style="filled", fillcolor="#f3f4f6"',
}
_BOXES = {
    "not": 'color="#b91c1c", fontcolor="#b91c1c", style="dashed", penwidth=2',
    "or": 'color="#6b7280", style="rounded"',
    "sub-query": 'color="#1d4ed8", fontcolor="#1d4ed8", style="rounded"',
}


def write(box: Box) -> str:
    """DOT text of a picture."""
    lines = ["digraph question {", "  rankdir=LR;", '  node [fontname="Helvetica"]; edge [fontname="Helvetica"];']
    lines.append(f"  label={_quoted(box.title)};")
    _body(box, lines, "  ", [0])
    return "\n".join([*lines, "}"])


def _body(box: Box, lines: list[str], indent: str, count: list[int]) -> None:
    for dot in box.dots:
        lines.append(f"{indent}{dot.id} [label={_quoted(chr(10).join(dot.lines))}, {_SHAPES[dot.kind]}];")
    for inner in box.boxes:
        count[0] += 1
        lines.append(f"{indent}subgraph cluster_{count[0]} {{")
        lines.append(f"{indent}  label={_quoted(inner.title)}; {_BOXES[inner.kind]};".replace(", ", "; "))
        _body(inner, lines, indent + "  ", count)
        lines.append(f"{indent}}}")
    for arrow in box.arrows:
        colour = ', color="#b91c1c"' if box.kind == "not" else ""
        lines.append(f"{indent}{arrow.source} -> {arrow.target} [label={_quoted(arrow.label)}{colour}];")


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
