"""The picture in Graphviz's DOT language."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.render.picture import Box

_SHAPES = {
    "answer": 'shape=box, style="rounded,filled", fillcolor="#dbeafe", penwidth=2',
    "variable": 'shape=box, style="rounded,filled", fillcolor="#ffffff"',
    "constant": 'shape=box, style="filled", fillcolor="#f3f4f6"',
    "note": 'shape=note, style="filled", fillcolor="#fffbeb"',
}
_BOXES = {
    "not": 'color="#b91c1c"; fontcolor="#b91c1c"; style="dashed"; penwidth=2',
    "or": 'color="#6b7280"; style="rounded"',
    "optional": 'color="#15803d"; fontcolor="#15803d"; style="rounded,dashed"',
    "sub-query": 'color="#1d4ed8"; fontcolor="#1d4ed8"; style="rounded"',
}
_FONT = 'fontname="Helvetica"'


def write(box: Box) -> str:
    """DOT text of a picture.

    Arrows stand at the end, outside of every cluster: one that is named inside a cluster would draw both of its ends
    into it.
    """
    lines = ["digraph question {", "  rankdir=LR; newrank=true;", f"  graph [{_FONT}]; node [{_FONT}]; edge [{_FONT}];"]
    lines.append(f"  label={_quoted(box.title)}; labelloc=t; labeljust=l;")
    _body(box, lines, "  ", itertools.count(1))
    for inner in box.walk():
        for arrow in inner.arrows:
            style = [f"label={_quoted(arrow.label)}"] if arrow.label else ['style="dotted"', 'arrowhead="none"']
            if inner.kind == "not":
                style.append('color="#b91c1c"')
            lines.append(f"  {arrow.source} -> {arrow.target} [{', '.join(style)}];")
    return "\n".join([*lines, "}"])


def _body(box: Box, lines: list[str], indent: str, numbers: Iterator[int]) -> None:
    lines.extend(f"{indent}{d.id} [label={_quoted(chr(10).join(d.lines))}, {_SHAPES[d.kind]}];" for d in box.dots)
    for inner in box.boxes:
        lines.append(f"{indent}subgraph cluster_{next(numbers)} {{")
        lines.append(f"{indent}  label={_quoted(inner.title)}; {_BOXES[inner.kind]};")
        _body(inner, lines, indent + "  ", numbers)
        lines.append(f"{indent}}}")


def _quoted(text: str) -> str:
    """A DOT string. A backslash would begin an escape of Graphviz's own, an ampersand an entity of HTML's."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;").replace("\n", "\\n")
    return f'"{escaped}"'
