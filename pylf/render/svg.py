"""The picture as SVG, laid out here, so that no drawing program is needed.

Nodes stand in columns by their distance from the answer and in rows in the order in which a reader meets them; the
nodes of one box stand in neighbouring rows, so every box is a rectangle around its own.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pylf.render.picture import Box, Dot

_CHARACTER = 7.2  # width of a character at 13 px, on the wide side
_LINE = 17
_GAP = 26
_PAD = 14
_COLOURS = {"not": "#b91c1c", "or": "#6b7280", "sub-query": "#1d4ed8"}
_FILLS = {"answer": "#dbeafe", "variable": "#ffffff", "constant": "#f3f4f6"}


def write(box: Box) -> str:
    """A self-contained SVG document of a picture."""
    return _Layout(box).svg()


class _Layout:
    def __init__(self, root: Box) -> None:
        self.root = root
        self.at: dict[str, tuple[float, float, float, float]] = {}  # x, y, width, height
        self.frames: list[tuple[Box, float, float, float, float]] = []
        self.labels = [a.label for b in root.walk() for a in b.arrows]
        self.step = 60 + _CHARACTER * max([12, *map(len, self.labels)])
        self.columns = self._columns()
        self.y = 44.0
        self._place(root, 0)

    def _columns(self) -> dict[str, int]:
        """Distance from the answer, along arrows in either direction."""
        beside: dict[str, list[str]] = {}
        dots = [d for b in self.root.walk() for d in b.dots]
        for box in self.root.walk():
            for arrow in box.arrows:
                beside.setdefault(arrow.source, []).append(arrow.target)
                beside.setdefault(arrow.target, []).append(arrow.source)
        columns: dict[str, int] = {}
        for dot in sorted(dots, key=lambda d: d.kind != "answer"):
            if dot.id in columns:
                continue
            columns[dot.id] = 0
            todo = [dot.id]
            for here in todo:
                for there in beside.get(here, ()):
                    if there not in columns:
                        columns[there] = columns[here] + 1
                        todo.append(there)
        return columns

    def _place(self, box: Box, depth: int) -> tuple[float, float]:
        """Places a box's nodes and inner boxes below each other; returns its left and right edge."""
        top = self.y
        left, right = 1e9, 0.0
        if box is not self.root:
            self.y += _PAD + _LINE
        for dot in sorted(box.dots, key=lambda d: self.columns[d.id]):
            width, height = _size(dot)
            x = 40 + self.columns[dot.id] * (self.step + 90)
            self.at[dot.id] = (x, self.y, width, height)
            self.y += height + _GAP
            left, right = min(left, x), max(right, x + width)
        for inner in box.boxes:
            inner_left, inner_right = self._place(inner, depth + 1)
            left, right = min(left, inner_left), max(right, inner_right)
        if left > right:
            left, right = 40.0, 200.0
        if box is not self.root:
            left, right = left - _PAD, max(right + _PAD, left + _PAD + _CHARACTER * len(box.title))
            self.frames.append((box, left, top, right - left, self.y - top - _GAP + _PAD))
            self.y += _PAD
        return left, right

    def svg(self) -> str:
        parts: list[str] = []
        for box, x, y, width, height in reversed(self.frames):
            colour = _COLOURS[box.kind]
            dashed = ' stroke-dasharray="6 4" fill="#fef2f2"' if box.kind == "not" else ' fill="none"'
            parts.append(
                f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" rx="8" stroke="{colour}" '
                f'stroke-width="1.5"{dashed}/>'
                f'<text x="{x + 8:.0f}" y="{y + 16:.0f}" fill="{colour}" font-weight="bold">{escape(box.title)}</text>'
            )
        for box in self.root.walk():
            colour = _COLOURS["not"] if box.kind == "not" else "#374151"
            parts.extend(self._arrow(a.source, a.target, a.label, colour) for a in box.arrows)
        for box in self.root.walk():
            parts.extend(self._dot(d) for d in box.dots)
        right = max([300.0, *(x + w for x, _, w, _ in self.at.values()), *(f[1] + f[3] for f in self.frames)]) + 40
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{right:.0f}" height="{self.y + 10:.0f}" '
            f'viewBox="0 0 {right:.0f} {self.y + 10:.0f}" font-family="Helvetica, Arial, sans-serif" font-size="13">'
            '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
            'orient="auto-start-reverse"><path d="M0 0 L10 5 L0 10 z" fill="#374151"/></marker></defs>'
            f'<rect width="100%" height="100%" fill="white"/>'
            f'<text x="20" y="24" font-weight="bold">{escape(self.root.title)}</text>' + "".join(parts) + "</svg>"
        )

    def _arrow(self, source: str, target: str, label: str, colour: str) -> str:
        ax, ay, aw, ah = self.at[source]
        bx, by, bw, bh = self.at[target]
        if self.columns[source] < self.columns[target]:
            x1, x2 = ax + aw, bx
        elif self.columns[source] > self.columns[target]:
            x1, x2 = ax, bx + bw
        else:
            x1, x2 = ax + aw, bx + bw
        y1, y2 = ay + ah / 2, by + bh / 2
        bend = (x1 + x2) / 2 if self.columns[source] != self.columns[target] else max(x1, x2) + 40
        tip = ' marker-end="url(#tip)"' if label else ' stroke-dasharray="2 3"'
        # the label stands beside the end that is further from the answer, where no other arrow begins
        far_x, far_y = (x2, y2) if self.columns[source] <= self.columns[target] else (x1, y1)
        anchor_x = far_x - 12
        return (
            f'<path d="M{x1:.0f} {y1:.0f} C{bend:.0f} {y1:.0f} {bend:.0f} {y2:.0f} {x2:.0f} {y2:.0f}" fill="none" '
            f'stroke="{colour}"{tip}/>'
            f'<text x="{anchor_x:.0f}" y="{far_y - 6:.0f}" text-anchor="end" fill="{colour}">{escape(label)}</text>'
        )

    def _dot(self, dot: Dot) -> str:
        x, y, width, height = self.at[dot.id]
        bold = ' stroke-width="2.5"' if dot.kind == "answer" else ""
        lines = "".join(
            f'<text x="{x + 8:.0f}" y="{y + 16 + i * _LINE:.0f}">{escape(line)}</text>'
            for i, line in enumerate(dot.lines)
        )
        return (
            f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" rx="6" '
            f'fill="{_FILLS[dot.kind]}" stroke="#374151"{bold}/>{lines}'
        )


def _size(dot: Dot) -> tuple[float, float]:
    return 16 + _CHARACTER * max(4, *map(len, dot.lines)), 8 + _LINE * len(dot.lines)
