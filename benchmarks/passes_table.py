"""What was measured of each program, and the tables that are made of it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from benchmarks.tables import table
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.passes_measure import Way
    from benchmarks.passes_programs import Program

PLAIN, BEST, SCHEME = "plain", "best", "scheme"
#: the ratio that no program may fall below, by engine
BARS = {"oxigraph": 0.9, "virtuoso": 0.8}
#: the geometric mean that a family should reach on embedded Oxigraph
GOALS = {
    "negation, two patterns and more": 50,
    "for all, two patterns a level": 20,
    "superlatives, two hops and more": 3,
    "far-end filters": 10,
    "distinct chains": 5,
}


@record
class Ratio:
    """How many times as long one way took as another; ``sign`` is ≥ or ≤ where one of both met the limit."""

    value: float
    sign: str = ""

    def __str__(self) -> str:
        digits = 0 if self.value >= 100 else 1 if self.value >= 10 else 2
        return f"{self.sign}{self.value:,.{digits}f}"


@record(eq=False)
class Row:
    """A program on a graph and an engine, with the ways it was asked: PLAIN, BEST, and SCHEME where that can say it."""

    graph: str
    engine: str
    program: Program
    ways: dict[str, Way]

    def ratio(self, name: str) -> Ratio | None:
        """How many times as long that way took as the best; None where neither was done, or one failed."""
        slow, quick = self.ways.get(name), self.ways[BEST]
        if slow is None or slow.error is not None or quick.error is not None or (slow.over and quick.over):
            return None
        return Ratio(slow.seconds / quick.seconds, "≥" if slow.over else "≤" if quick.over else "")

    def same(self, name: str) -> bool | None:
        """Whether that way's answer is the best's; None where there are not two answers."""
        other, best = self.ways.get(name), self.ways[BEST]
        if other is None or not other.answered or not best.answered:
            return None
        return other.key == best.key

    def below(self) -> bool:
        """Whether it is slower than the engine's bar allows."""
        found = self.ratio(PLAIN)
        return found is not None and found.value < BARS[self.engine]

    @property
    def place(self) -> str:
        """The program, its family, and where it was asked."""
        return f"{self.program.title} ({self.program.family}; {self.graph}, {self.engine})"


def mean(ratios: Sequence[Ratio]) -> str:
    """The geometric mean, in words; a dash for none."""
    if not ratios:
        return "–"
    value = math.exp(sum(math.log(ratio.value) for ratio in ratios) / len(ratios))
    signs = {ratio.sign for ratio in ratios} - {""}
    return str(Ratio(value, signs.pop() if len(signs) == 1 else "~" if signs else ""))


def by_family(rows: Sequence[Row], levels: tuple[int, int]) -> str:
    """The table of one engine: a line for each family. ``levels`` are those of PLAIN and BEST."""
    base, level = levels
    goals = rows[0].engine == "oxigraph" and base == 0
    families = dict.fromkeys(row.program.family for row in rows)
    lines = [_line(family, [row for row in rows if row.program.family == family], goals) for family in families]
    lines.append(_line("**all**", rows, goals))
    headings = [
        *("", "programs", f"-O{base} : -O{level}, mean", "best", "worst", *(["goal"] if goals else [])),
        *("neither in time", "scheme can say", f"scheme : -O{level}, mean", "best", "worst", "answers otherwise"),
    ]
    return table(headings, lines)


def by_graph(rows: Sequence[Row], levels: tuple[int, int]) -> str:
    """The geometric means of one engine, a column for each graph."""
    graphs = list(dict.fromkeys(row.graph for row in rows))
    lines = []
    for family in dict.fromkeys(row.program.family for row in rows):
        some = [[row for row in rows if (row.graph, row.program.family) == (graph, family)] for graph in graphs]
        lines.append([family, *[mean(_ratios(part, PLAIN)) for part in some]])
    return table([f"-O{levels[0]} : -O{levels[1]}, mean", *graphs], lines)


def each(rows: Iterable[Row], levels: tuple[int, int]) -> str:
    """A line for each program."""
    lines = []
    for row in rows:
        cells = [_milliseconds(row.ways.get(name)) for name in (PLAIN, BEST, SCHEME)]
        ratios = [str(row.ratio(name) or "–") for name in (PLAIN, SCHEME)]
        alike = row.same(SCHEME)
        lines.append([row.place, *cells, *ratios, "" if alike is None else "same" if alike else "differs"])
    base, level = (f"-O{number}" for number in levels)
    return table(["ms", base, level, "scheme", f"{base} : {level}", f"scheme : {level}", "scheme's answer"], lines)


def _line(name: str, rows: Sequence[Row], goals: bool) -> list[str]:
    plain, scheme = _ratios(rows, PLAIN), _ratios(rows, SCHEME)
    neither = sum(row.ways[PLAIN].over and row.ways[BEST].over for row in rows)
    goal = [f"≥ {GOALS[name]}" if name in GOALS else ""] if goals else []
    said = sum(SCHEME in row.ways for row in rows)
    unlike = sum(row.same(SCHEME) is False for row in rows)
    return [
        *(name, str(len(rows)), mean(plain), *_ends(plain), *goal, str(neither or "")),
        *(str(said or ""), mean(scheme), *_ends(scheme), str(unlike or "")),
    ]


def _ratios(rows: Iterable[Row], name: str) -> list[Ratio]:
    return [ratio for row in rows if (ratio := row.ratio(name)) is not None]


def _ends(ratios: Sequence[Ratio]) -> tuple[str, str]:
    if not ratios:
        return "–", "–"
    ordered = sorted(ratios, key=lambda ratio: ratio.value)
    return str(ordered[-1]), str(ordered[0])


def _milliseconds(way: Way | None) -> str:
    if way is None:
        return ""
    if way.error is not None:
        return "fails"
    return f"> {way.limit * 1e3:,.0f}" if way.over else f"{way.seconds * 1e3:,.2f}"
