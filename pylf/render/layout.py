"""Where the nodes and boxes of a picture stand: a table of columns and rows.

The answer stands at the left. From it every node's neighbours stand one column further to the right, the first of them
in its own row, the others in rows below; a box begins a new row below the node that it speaks of, one column further,
and no other node stands in its rows to the right of its left edge. So a line that runs down beside its node and then
right to the neighbour meets no node, no box and no label.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.render.picture import Arrow, Box, Dot


@dataclass(slots=True)
class Frame:
    """A box's place in the table; ``depth`` counts the frames around it, ``negations`` those of them that negate,
    itself included."""

    box: Box
    depth: int
    negations: int
    first_row: int
    last_row: int = 0
    first_column: int = 10**6
    last_column: int = 0
    inner: list[Frame] = field(default_factory=list)


class Table:
    """The table of a picture: ``cells`` (column and row of each node), ``frames`` (outer ones first) and ``tree``
    (for each node the arrow that leads to it from the left, and the node at its other end)."""

    def __init__(self, root: Box) -> None:
        self.cells: dict[str, tuple[int, int]] = {}
        self.frames: list[Frame] = []
        self.tree: dict[str, tuple[Arrow, str]] = {}
        self.rows = 0
        self.dots: dict[str, Dot] = {}
        self._home: dict[str, Box] = {}
        self._beside: dict[str, list[tuple[str, Arrow]]] = {}
        boxes = root.walk()
        for box in boxes:
            for dot in box.dots:
                self._home[dot.id] = box
                self.dots[dot.id] = dot
                self._beside[dot.id] = []
        for box in boxes:
            for arrow in box.arrows:
                self._beside[arrow.source].append((arrow.target, arrow))
                self._beside[arrow.target].append((arrow.source, arrow))
        self._anchored = self._anchors(boxes)
        self._open: list[Frame] = []
        self._last: str | None = None
        # an own stack, because pictures may be deeper than Python's; what is to be done next is at the end
        self._todo: list[Callable[[], None]] = []
        self._contents(root, 0)
        while self._todo:
            self._todo.pop()()
        for frame in reversed(self.frames):
            for inner in frame.inner:
                frame.first_column = min(frame.first_column, inner.first_column)
                frame.last_column = max(frame.last_column, inner.last_column)
        self._grow_tree()

    def _anchors(self, boxes: list[Box]) -> dict[str, list[Box]]:
        """The boxes that stand below a node: those that speak of it first, of all nodes of the box around them."""
        found: dict[str, list[Box]] = {}
        for around in boxes:
            for box in around.boxes:
                ends = (e for inner in box.walk() for a in inner.arrows for e in (a.source, a.target))
                first = next((e for e in ends if self._home[e] is around), None)
                if first is not None:
                    found.setdefault(first, []).append(box)
        return found

    def _contents(self, box: Box, column: int) -> None:
        anchored = {id(b) for dot in box.dots for b in self._anchored.get(dot.id, ())}
        loose = [b for b in box.boxes if id(b) not in anchored]
        self._todo.extend(partial(self._frame, inner, column) for inner in reversed(loose))
        # what hangs from a node that stands already comes first, so that the others hang from it in turn
        hangs = {dot.id: any(other in self.cells for other, _ in self._beside[dot.id]) for dot in box.dots}
        first = sorted(box.dots, key=lambda dot: (dot.kind != "answer", not hangs[dot.id]))
        self._todo.extend(partial(self._stand, dot, column, None) for dot in reversed(first))

    def _frame(self, box: Box, column: int) -> None:
        around = self._open[-1] if self._open else None
        negations = (around.negations if around else 0) + (box.kind == "not")
        frame = Frame(box, len(self._open), negations, self.rows)
        self.frames.append(frame)
        if around is not None:
            around.inner.append(frame)
        self._open.append(frame)
        self._last = None
        self._todo.append(self._close)
        self._contents(box, column)

    def _close(self) -> None:
        self._open.pop().last_row = self.rows - 1
        self._last = None

    def _stand(self, dot: Dot, column: int, parent: str | None) -> None:
        if dot.id in self.cells:
            return
        if parent is None or parent != self._last:
            self.rows += 1
        self.cells[dot.id] = column, self.rows - 1
        self._last = dot.id
        if self._open:
            self._open[-1].first_column = min(self._open[-1].first_column, column)
            self._open[-1].last_column = max(self._open[-1].last_column, column)
        self._todo.extend(partial(self._frame, box, column + 1) for box in reversed(self._anchored.get(dot.id, [])))
        home = self._home[dot.id]
        near = dict.fromkeys(other for other, _ in self._beside[dot.id] if self._home[other] is home)
        self._todo.extend(partial(self._stand, self.dots[o], column + 1, dot.id) for o in reversed(list(near)))

    def _grow_tree(self) -> None:
        """Each node hangs from the neighbour that stands nearest to its left, above it or in its row."""
        for here, (column, row) in self.cells.items():
            candidates = [
                (self.cells[there], there, arrow)
                for there, arrow in self._beside[here]
                if self.cells[there][0] < column and self.cells[there][1] <= row
            ]
            if candidates:
                _, there, arrow = max(candidates, key=lambda found: found[0])
                self.tree[here] = arrow, there
