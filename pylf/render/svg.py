"""The picture as SVG, laid out here, so that no drawing program is needed.

:mod:`pylf.render.layout` says in which column and row a node stands; here rows and columns get their sizes, arrows
their ways (beside their node down and then right, the label above) and boxes their frames. What closes a cycle, and
so has no such way, is a curve with its label on it.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from pylf.render.layout import Table
from pylf.render.text_size import LINE, cut, width, wrapped
from pylf.render.words import legible

if TYPE_CHECKING:
    from pylf.render.layout import Frame
    from pylf.render.picture import Arrow, Box, Dot

_PAD = 12.0  # between a frame and what it holds
_GAP = 20.0  # between rows
_TITLE = 20.0  # a frame's title
_STUB = 18.0  # between a node and the line that runs down beside it
_MARGIN = 20.0
_RED, _GREY, _BLUE, _GREEN = "#b91c1c", "#4b5563", "#1d4ed8", "#15803d"
_COLOURS = {"not": _RED, "or": _GREY, "optional": _GREEN, "sub-query": _BLUE, "all": _GREY}
_FILLS = {"answer": "#dbeafe", "variable": "#ffffff", "constant": "#f3f4f6", "note": "#fffbeb"}


def write(box: Box) -> str:
    """A self-contained SVG document of a picture."""
    return _Drawing(box).svg()


class _Drawing:
    def __init__(self, root: Box) -> None:
        self.root = root
        self.table = Table(root)
        self.colours = {id(a): _COLOURS[b.kind] for b in root.walk() for a in b.arrows}
        self.texts = {id_: _wrapped(dot.lines) for id_, dot in self.table.dots.items()}
        self.labels = {id(a): cut(legible(a.label)) if a.label else "" for b in root.walk() for a in b.arrows}
        self.hanging: dict[str, int] = {}  # how many nodes hang from a node
        for _, there in self.table.tree.values():
            self.hanging[there] = self.hanging.get(there, 0) + 1
        on_tree = {id(arrow) for arrow, _ in self.table.tree.values()}
        self.loose = [a for b in root.walk() for a in b.arrows if id(a) not in on_tree]
        self.sags: dict[int, float] = {}  # how far a loose arrow hangs down
        self.hung: dict[int, float] = {}  # and the room for those below each row
        for arrow in self.loose:
            row = max(self.table.cells[arrow.source][1], self.table.cells[arrow.target][1])
            self.hung[row] = self.hung.get(row, 0.0) + 24
            self.sags[id(arrow)] = self.hung[row] + 8
        self.boxes: dict[str, tuple[float, float, float, float]] = {}  # x, y, width, height of each node
        self.frames: list[tuple[Frame, float, float, float, float]] = []
        self.trunks: list[float] = []  # x of the lines that run down beside the nodes of a column
        self.right = self.bottom = 0.0
        self._columns(self._rows())

    # -- sizes

    def _rows(self) -> dict[int, tuple[float, float]]:
        """Top and bottom of each frame, by its number; nodes get their y and height."""
        table = self.table
        heights = [0.0] * table.rows
        for id_, (_, row) in table.cells.items():
            heights[row] = max(heights[row], 10 + LINE * len(self.texts[id_]))
        opening: dict[int, list[int]] = {}
        closing: dict[int, list[int]] = {}
        for number, frame in enumerate(table.frames):
            opening.setdefault(frame.first_row, []).append(number)
            closing.setdefault(frame.last_row, []).insert(0, number)
        y = _MARGIN + 26
        tops: list[float] = []
        edges: dict[int, tuple[float, float]] = {}
        started: dict[int, float] = {}
        for row in range(table.rows):
            for number in opening.get(row, ()):
                started[number] = y
                y += _TITLE + _PAD
            tops.append(y)
            y += heights[row] + self.hung.get(row, 0.0)
            for number in closing.get(row, ()):
                y += _PAD
                edges[number] = started[number], y
            y += _GAP
        for id_, (_, row) in table.cells.items():
            height = 10 + LINE * len(self.texts[id_])
            self.boxes[id_] = (0.0, tops[row] + (heights[row] - height) / 2, 0.0, height)
        self.bottom = y
        return edges

    def _columns(self, edges: dict[int, tuple[float, float]]) -> None:
        table = self.table
        count = 1 + max((column for column, _ in table.cells.values()), default=0)
        widths = [0.0] * count
        labels = [0.0] * count
        for id_, (column, _) in table.cells.items():
            widths[column] = max(widths[column], 18 + max(28.0, *map(width, self.texts[id_])))
            if id_ in table.tree:
                labels[column] = max(labels[column], width(self.labels[id(table.tree[id_][0])]))
        left_of, right_of = self._margins()
        lefts = [_MARGIN]
        for column in range(count):
            pad = max([0.0, *(v for n, v in left_of.items() if table.frames[n].first_column == column)])
            if column:
                lefts.append(self.trunks[-1] + 14 + labels[column] + 16)
            lefts[column] += pad
            after = max([0.0, *(v for n, v in right_of.items() if table.frames[n].last_column == column)])
            self.trunks.append(lefts[column] + widths[column] + after + _STUB)
        for id_, (column, _) in table.cells.items():
            _, y, _, height = self.boxes[id_]
            self.boxes[id_] = (lefts[column], y, 18 + max(28.0, *map(width, self.texts[id_])), height)
        rights = [left + w for left, w in zip(lefts, widths, strict=True)]
        ends: dict[int, float] = {}
        numbers = {id(frame): number for number, frame in enumerate(table.frames)}
        for number in reversed(range(len(table.frames))):
            frame = table.frames[number]
            left = lefts[frame.first_column] - left_of[number]
            inner = [ends[numbers[id(f)]] + _PAD for f in frame.inner]
            ends[number] = max(
                rights[frame.last_column] + right_of[number], left + 20 + width(legible(frame.box.title)), *inner
            )
            top, bottom = edges[number]
            self.frames.insert(0, (frame, left, top, ends[number] - left, bottom - top))
        nodes = (x + wide for x, _, wide, _ in self.boxes.values())
        self.right = max(260.0, width(self.root.title) + 2 * _MARGIN, *nodes, *ends.values())

    def _margins(self) -> tuple[dict[int, float], dict[int, float]]:
        """How far each frame reaches beyond its first and its last column."""
        left: dict[int, float] = {}
        right: dict[int, float] = {}
        numbers = {id(frame): number for number, frame in enumerate(self.table.frames)}
        for number in reversed(range(len(self.table.frames))):
            frame = self.table.frames[number]
            inner = [(f, numbers[id(f)]) for f in frame.inner]
            left[number] = _PAD + max([0.0, *(left[n] for f, n in inner if f.first_column == frame.first_column)])
            right[number] = _PAD + max([0.0, *(right[n] for f, n in inner if f.last_column == frame.last_column)])
        return left, right

    # -- drawing

    def svg(self) -> str:
        parts = [self._frame(*frame) for frame in self.frames]
        parts.extend(self._branch(here, there, arrow) for here, (arrow, there) in self.table.tree.items())
        curves = [self._curve(arrow, number) for number, arrow in enumerate(self.loose)]
        parts.extend(line for line, _ in curves)
        parts.extend(self._dot(dot) for dot in self.table.dots.values())
        parts.extend(label for _, label in curves)
        right, bottom = self.right + _MARGIN + (60 if curves else 0), self.bottom
        markers = "".join(
            f'<marker id="tip-{colour[1:]}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
            f'orient="auto-start-reverse"><path d="M0 0 L10 5 L0 10 z" fill="{colour}"/></marker>'
            for colour in (_RED, _GREY, _BLUE)
        )
        title = escape(legible(self.root.title))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{right:.0f}" height="{bottom:.0f}" '
            f'viewBox="0 0 {right:.0f} {bottom:.0f}" font-family="Helvetica, Arial, sans-serif" font-size="13">'
            f"<title>{title}</title><defs>{markers}</defs>"
            f'<rect width="100%" height="100%" fill="white"/>'
            f'<text x="{_MARGIN:.0f}" y="26" font-weight="bold" fill="#111827">{title}</text>{"".join(parts)}</svg>'
        )

    def _frame(self, frame: Frame, x: float, y: float, wide: float, high: float) -> str:
        colour = _COLOURS[frame.box.kind]
        fill = "#fef2f2" if frame.negations % 2 else "#ffffff"
        dashes = ' stroke-dasharray="6 4"' if frame.box.kind in ("not", "optional") else ""
        return (
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" rx="8" stroke="{colour}" '
            f'stroke-width="1.5" fill="{fill}"{dashes}/>'
            f'<text x="{x + 9:.1f}" y="{y + 17:.1f}" fill="{colour}" font-weight="bold">'
            f"{escape(legible(frame.box.title))}</text>"
        )

    def _branch(self, here: str, there: str, arrow: Arrow) -> str:
        """The arrow between a node and the one that it hangs from."""
        x1, y1, w1, h1 = self.boxes[there]
        x2, y2, _, h2 = self.boxes[here]
        start, end = (x1 + w1, y1 + h1 / 2), (x2, y2 + h2 / 2)
        trunk = self.trunks[self.table.cells[there][0]]
        along = arrow.target == here
        alone = self.hanging[there] == 1
        straight = abs(start[1] - end[1]) < 1
        points = [start, end] if straight else [start, (trunk, start[1]), (trunk, end[1]), end]
        stub = []
        if not alone:
            # the line down is common to all; an arrow that leads back has its tip where it leaves that line
            stub = [start, (trunk, end[1])] if straight else points[:3]
            points = [(trunk + (0 if along else 1), end[1]), end]
        colour = self.colours[id(arrow)]
        shown = f'<path d="{_line(stub)}" fill="none" stroke="{_GREY}"/>' if stub else ""
        tip = f"url(#tip-{colour[1:]})"
        ends = ' stroke-dasharray="2 3"' if arrow.tie else f' marker-end="{tip}"' if along else f' marker-start="{tip}"'
        shown += f'<path d="{_line(points)}" fill="none" stroke="{colour}"{ends}/>'
        before = self.trunks[self.table.cells[here][0] - 1]
        return shown + self._label(arrow, before + 14, end[1] - 6, "start")

    def _curve(self, arrow: Arrow, number: int) -> tuple[str, str]:
        """An arrow that closes a cycle, and its label."""
        x1, y1, w1, h1 = self.boxes[arrow.source]
        x2, y2, w2, h2 = self.boxes[arrow.target]
        aside, sag = 5 + 3 * (number % 3), self.sags[id(arrow)]
        if x1 == x2:
            x1, x2 = x1 + w1, x2 + w2
            bend1 = bend2 = max(x1, x2) + 50
            sag = 0
        else:
            x1, x2 = (x1 + w1, x2) if x1 < x2 else (x1, x2 + w2)
            bend1 = bend2 = (x1 + x2) / 2
        y1, y2 = y1 + h1 / 2 + aside, y2 + h2 / 2 + aside
        colour = self.colours[id(arrow)]
        ends = ' stroke-dasharray="2 3"' if arrow.tie else f' marker-end="url(#tip-{colour[1:]})"'
        line = (
            f'<path d="M{x1:.1f} {y1:.1f} C{bend1:.1f} {y1 + sag:.1f} {bend2:.1f} {y2 + sag:.1f} {x2:.1f} {y2:.1f}" '
            f'fill="none" stroke="{colour}"{ends}/>'
        )
        middle = (x1 + x2) / 8 + (bend1 + bend2) * 3 / 8, (y1 + y2) / 2 + sag * 3 / 4
        return line, self._label(arrow, *middle, "middle")

    def _label(self, arrow: Arrow, x: float, y: float, anchor: str) -> str:
        label = self.labels[id(arrow)]
        if not label:
            return ""
        full = legible(arrow.label)
        more = f"<title>{escape(full)}</title>" if full != label else ""
        return (
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{self.colours[id(arrow)]}" stroke="white" '
            f'stroke-width="3" paint-order="stroke">{escape(label)}{more}</text>'
        )

    def _dot(self, dot: Dot) -> str:
        x, y, wide, high = self.boxes[dot.id]
        border = {"answer": ' stroke-width="2.5"', "note": ' stroke-dasharray="3 2"'}.get(dot.kind, "")
        shown = self.texts[dot.id]
        lines = "".join(
            f'<text x="{x + 9:.1f}" y="{y + 17 + i * LINE:.1f}" fill="#111827">{escape(line)}</text>'
            for i, line in enumerate(shown)
        )
        full = "\n".join(legible(line) for line in dot.lines)
        more = f"<title>{escape(full)}</title>" if any(line.endswith(" …") for line in shown) else ""
        corner = 3 if dot.kind == "constant" else 7
        return (
            f'<g>{more}<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" rx="{corner}" '
            f'fill="{_FILLS[dot.kind]}" stroke="#374151"{border}/>{lines}</g>'
        )


def _wrapped(lines: list[str]) -> list[str]:
    return [part for line in lines for part in wrapped(legible(line))]


def _line(points: list[tuple[float, float]]) -> str:
    """A path through points, its corners rounded."""
    told = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for (ax, ay), (bx, by), (cx, cy) in zip(points, points[1:], points[2:], strict=False):
        before = min(6.0, (abs(bx - ax) + abs(by - ay)) / 2)
        after = min(6.0, (abs(cx - bx) + abs(cy - by)) / 2)
        told.append(f"L{bx - before * _sign(bx - ax):.1f} {by - before * _sign(by - ay):.1f}")
        told.append(f"Q{bx:.1f} {by:.1f} {bx + after * _sign(cx - bx):.1f} {by + after * _sign(cy - by):.1f}")
    return " ".join([*told, f"L{points[-1][0]:.1f} {points[-1][1]:.1f}"])


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)
