"""Canonical numbering where vertices of a query look alike: colour refinement, then individualisation.

Vertices get colours that tell apart what their edges tell apart (:meth:`_Search.refine`). What has a colour of its own
is settled. The rest falls into components that touch one another through settled vertices only; they are numbered each
by itself and sorted by what their edges then say, so that a star with two thousand equal rays is two thousand small
problems. Within a component one vertex of the smallest colour is given a colour of its own and the rest refined again;
each vertex of that colour is tried, and the numbering with the least edges wins. Two tries with the same edges show an
automorphism, and what it maps to something tried need not be tried (B. McKay, Practical graph isomorphism, 1981).

The search ends at a bound on its work. What is left is then numbered by the first try: still the same for the same
query as given, no longer for every renaming of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    Edge = tuple[str, tuple[int, ...]]
    #: What a numbering of a component says: its edges, numbered and sorted, then the given marks in order.
    Reading = tuple[tuple[tuple[int, ...], ...], tuple[str, ...]]

#: Edges looked at before the search ends: about a second.
_BOUND = 1_000_000
#: Vertices individualised one within the other: bounds the stack.
_DEEPEST = 120


def search(fixed: int, edges: list[Edge], beside: list[list[int]], marks: list[str]) -> list[int]:
    """A number for each vertex: the first ``fixed`` keep theirs, vertices that correspond in isomorphic graphs get
    the same. ``beside`` holds the edges at each vertex; ``marks`` decide between numberings with equal edges."""
    return _Search(fixed, edges, beside, marks).run()


class _Search:
    __slots__ = ("beside", "branches", "edges", "fixed", "left", "marks", "number")

    def __init__(self, fixed: int, edges: list[Edge], beside: list[list[int]], marks: list[str]) -> None:
        ranks = {label: i for i, label in enumerate(sorted({label for label, _ in edges}))}
        self.fixed = fixed
        self.edges = [(ranks[label], vertices) for label, vertices in edges]
        self.beside = beside
        self.marks = marks
        self.number = [*range(fixed), *[-1] * (len(beside) - fixed)]
        self.left = _BOUND
        self.branches = 0

    def run(self) -> list[int]:
        rest = list(range(self.fixed, len(self.number)))
        colours = [*range(self.fixed), *[self.fixed] * len(rest)]
        self.refine(rest, colours, rest)
        for i, vertex in enumerate(self.order(rest, colours, self.fixed, 0, greedy=False)):
            self.number[vertex] = self.fixed + i
        return self.number

    # --- colours --------------------------------------------------------------------------------------------------

    def refine(self, vertices: list[int], colours: list[int], touched: Iterable[int]) -> None:
        """Splits the colours of ``vertices`` until equal colours see equal colours.

        ``touched`` are the vertices at which something has changed. The largest part of a colour keeps its number, so
        that a vertex is renumbered at most log n times; the others are numbered in the order of what they see.
        """
        self.left -= len(vertices)
        cells: dict[int, set[int]] = {}
        for vertex in vertices:
            cells.setdefault(colours[vertex], set()).add(vertex)
        following = max(colours) + 1
        while touched:
            groups: dict[int, dict[tuple[tuple[int, ...], ...], list[int]]] = {}
            for vertex in touched:
                colour = colours[vertex]
                if len(cells[colour]) > 1:
                    groups.setdefault(colour, {}).setdefault(self.sight(vertex, colours), []).append(vertex)
            changed: list[int] = []
            for colour in sorted(groups):
                cell = cells[colour]
                parts = [part for _, part in sorted(groups[colour].items())]
                largest = max(parts, key=len)
                untouched = len(cell) - sum(map(len, parts))
                if untouched >= len(largest):
                    moved = parts
                else:
                    moved = [part for part in parts if part is not largest]
                    if untouched:
                        moved.insert(0, list(cell.difference(*parts)))
                for part in moved:
                    for vertex in part:
                        colours[vertex] = following
                    cell.difference_update(part)
                    cells[following] = set(part)
                    changed += part
                    following += 1
            touched = {
                v
                for vertex in changed
                for edge in self.beside[vertex]
                for v in self.edges[edge][1]
                if v in cells.get(colours[v], ())
            }

    def sight(self, vertex: int, colours: list[int]) -> tuple[tuple[int, ...], ...]:
        """What the edges at a vertex show: labels, its places, and the colours at them."""
        self.left -= len(self.beside[vertex])
        seen = []
        for edge in self.beside[vertex]:
            label, at = self.edges[edge]
            around = [colours[v] for v in at]
            seen.append((label, at.index(vertex), *around))
        seen.sort()
        return tuple(seen)

    # --- numbers --------------------------------------------------------------------------------------------------

    def order(self, vertices: list[int], colours: list[int], start: int, depth: int, *, greedy: bool) -> list[int]:
        """The vertices in canonical order, given that everything else they touch has a number.

        ``start`` is the number that the first of them gets; ``greedy`` tries one vertex at every branch only.
        """
        cells: dict[int, list[int]] = {}
        for vertex in vertices:
            cells.setdefault(colours[vertex], []).append(vertex)
        settled = [cell[0] for _, cell in sorted(cells.items()) if len(cell) == 1]
        loose = [vertex for _, cell in sorted(cells.items()) if len(cell) > 1 for vertex in cell]
        if not loose:
            return settled
        for i, vertex in enumerate(settled):
            self.number[vertex] = start + i
        start += len(settled)
        components = self.components(loose)
        if len(components) == 1:
            ordered = self.branch(loose, colours, start, depth, greedy=greedy)
        else:
            parts = [self.order(part, colours, start, depth, greedy=greedy) for part in components]
            read = sorted((self.read(part, start), i) for i, part in enumerate(parts))
            ordered = [vertex for _, i in read for vertex in parts[i]]
        for vertex in settled:
            self.number[vertex] = -1
        return settled + ordered

    def branch(self, vertices: list[int], colours: list[int], start: int, depth: int, *, greedy: bool) -> list[int]:
        """The order of vertices none of which has a colour of its own, by trying those of the smallest colour."""
        cells: dict[int, list[int]] = {}
        for vertex in vertices:
            cells.setdefault(colours[vertex], []).append(vertex)
        _, cell = min(cells.items(), key=lambda item: (len(item[1]), item[0]))
        if depth >= _DEEPEST:
            self.left = 0
            return sorted(vertices, key=lambda v: (colours[v], v))
        self.branches += 1
        orbits = {vertex: vertex for vertex in vertices}
        explored: list[int] = []
        first: dict[Reading, list[int]] = {}
        best: list[int] = []
        least: Reading | None = None
        for vertex in cell:
            if least is not None and self.left <= 0:
                break
            if any(_find(orbits, vertex) == _find(orbits, other) for other in explored):
                continue
            tried = colours.copy()
            tried[vertex] = max(colours) + 1
            near = {v for edge in self.beside[vertex] for v in self.edges[edge][1] if v in orbits and v != vertex}
            self.refine(vertices, tried, near)
            before = self.branches
            ordered = self.order(vertices, tried, start, depth + 1, greedy=True)
            if greedy:
                return ordered
            reading = self.read(ordered, start)
            known = first.get(reading)
            if known is not None:
                for a, b in zip(known, ordered, strict=True):
                    _unite(orbits, a, b)
                continue
            first[reading] = ordered
            explored.append(vertex)
            if self.branches != before:
                ordered = self.order(vertices, tried, start, depth + 1, greedy=False)
                reading = self.read(ordered, start)
            if least is None or reading < least:
                best, least = ordered, reading
        return best

    def read(self, ordered: list[int], start: int) -> Reading:
        """What the edges at some vertices say when the vertices are numbered from ``start`` in this order."""
        number = self.number
        for i, vertex in enumerate(ordered):
            number[vertex] = start + i
        near = {edge for vertex in ordered for edge in self.beside[vertex]}
        self.left -= len(near)
        lines = []
        for edge in near:
            label, at = self.edges[edge]
            lines.append((label, *[number[v] for v in at]))
        lines.sort()
        for vertex in ordered:
            number[vertex] = -1
        return tuple(lines), tuple(self.marks[vertex] for vertex in ordered)

    def components(self, vertices: list[int]) -> list[list[int]]:
        """The vertices by what hangs together without those that have a number."""
        waiting = dict.fromkeys(vertices)
        found = []
        while waiting:
            part = [waiting.popitem()[0]]
            for vertex in part:
                for edge in self.beside[vertex]:
                    for v in self.edges[edge][1]:
                        if v in waiting:
                            del waiting[v]
                            part.append(v)
            found.append(part)
        return found


def _find(orbits: dict[int, int], vertex: int) -> int:
    while orbits[vertex] != vertex:
        orbits[vertex] = orbits[orbits[vertex]]
        vertex = orbits[vertex]
    return vertex


def _unite(orbits: dict[int, int], a: int, b: int) -> None:
    orbits[_find(orbits, a)] = _find(orbits, b)
