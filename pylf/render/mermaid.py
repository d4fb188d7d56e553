"""The picture in Mermaid's flowchart language."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.render.picture import Box


_CLASSES = (
    "classDef answer fill:#dbeafe,stroke-width:3px",
    "classDef variable fill:#fff",
    "classDef constant fill:#f3f4f6",
    "classDef note fill:#fffbeb",
)
#: what Mermaid takes as text inside quotation marks; all else is written as its character code
_PLAIN = frozenset(" .,:?+-=/‘’“”…≤≥≠()")


def write(box: Box) -> str:
    """Mermaid text of a picture. Arrows stand at the end, outside of every subgraph: one that is named inside would
    draw its ends into it."""
    lines = ["flowchart LR"]
    styles: list[str] = []
    _body(box, lines, styles, "  ", itertools.count(1))
    count = 0
    for inner in box.walk():
        for arrow in inner.arrows:
            line = f'-- "{_escaped(arrow.label)}" -->' if arrow.label else "-.-"
            lines.append(f"  {arrow.source} {line} {arrow.target}")
            if inner.kind == "not":
                styles.append(f"  linkStyle {count} stroke:#b91c1c")
            count += 1
    return "\n".join([*lines, *styles, *(f"  {c}" for c in _CLASSES)])


def _body(box: Box, lines: list[str], styles: list[str], indent: str, numbers: Iterator[int]) -> None:
    for dot in box.dots:
        text = "<br/>".join(map(_escaped, dot.lines))
        lines.append(f'{indent}{dot.id}["{text}"]:::{dot.kind}')
    for inner in box.boxes:
        name = f"box{next(numbers)}"
        lines.append(f'{indent}subgraph {name}["{_escaped(inner.title)}"]')
        _body(inner, lines, styles, indent + "  ", numbers)
        lines.append(f"{indent}end")
        if inner.kind == "not":
            styles.append(f"  style {name} fill:#fef2f2,stroke:#b91c1c,stroke-dasharray:5 5")
        elif inner.kind == "optional":
            styles.append(f"  style {name} stroke:#15803d,stroke-dasharray:5 5")


def _escaped(text: str) -> str:
    """Text with everything that Mermaid or Markdown could read as markup written as its character code."""
    return "".join(c if c.isalnum() or c in _PLAIN else f"#{ord(c)};" for c in text) or " "
