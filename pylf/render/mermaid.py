"""The picture in Mermaid's flowchart language."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pylf.render.picture import Box


def write(box: Box) -> str:
    """Mermaid text of a picture."""
    lines = ["flowchart LR"]
    styles: list[str] = []
    _body(box, lines, styles, "  ", [0])
    return "\n".join(
        [
            *lines,
            *styles,
            "  classDef answer fill:#dbeafe,stroke-width:3px",
            "  classDef variable fill:#fff",
            "  classDef constant fill:#f3f4f6",
        ]
    )


def _body(box: Box, lines: list[str], styles: list[str], indent: str, count: list[int]) -> None:
    for dot in box.dots:
        lines.append(f'{indent}{dot.id}["{_text("<br/>".join(map(_escaped, dot.lines)))}"]:::{dot.kind}')
    for inner in box.boxes:
        count[0] += 1
        name = f"box{count[0]}"
        lines.append(f'{indent}subgraph {name}["{_text(_escaped(inner.title))}"]')
        _body(inner, lines, styles, indent + "  ", count)
        lines.append(f"{indent}end")
        if inner.kind == "not":
            styles.append(f"  style {name} fill:#fef2f2,stroke:#b91c1c,stroke-dasharray:5 5")
    for arrow in box.arrows:
        label = f'|"{_text(_escaped(arrow.label))}"|' if arrow.label else ""
        lines.append(f"{indent}{arrow.source} -->{label} {arrow.target}")


def _escaped(text: str) -> str:
    """Text with everything that Mermaid reads as markup written as its own entities."""
    return "".join(c if c.isalnum() or c in " .,:;?+-=/‘’“”…_()" else f"#{ord(c)};" for c in text)


def _text(text: str) -> str:
    return text or " "
