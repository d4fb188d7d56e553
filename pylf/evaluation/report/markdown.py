"""A report as Markdown; bars are drawn with blocks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.errors import printable

if TYPE_CHECKING:
    from pylf.evaluation.report.page import Bars, Page, Table

#: what Markdown or HTML would take for something else
_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&$])")
_WIDTH = 30


def markdown(page: Page) -> str:
    """The report as text that ends in a line break."""
    out = [f"# {escaped(page.title)}", ""]
    for section in page.sections:
        out += [f"## {escaped(section.title)}", ""]
        for sentence in section.sentences:
            out += [escaped(sentence), ""]
        for table in section.tables:
            out += [*_table(table), ""]
        for plot in section.plots:
            out += [*_bars(plot), ""]
    return "\n".join(out[:-1]) + "\n"


def escaped(text: str) -> str:
    """Text as it stands, on one line."""
    return _SPECIAL.sub(r"\\\1", printable(text))


def _table(table: Table) -> list[str]:
    marks = [" --- " if place < table.text else " ---: " for place in range(len(table.columns))]
    rows = [_row(table.columns), "|" + "|".join(marks) + "|"]
    return [*rows, *map(_row, table.rows)]


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(map(escaped, cells)) + " |"


def _bars(plot: Bars) -> list[str]:
    width = max((len(name) for name, *_ in plot.bars), default=0)
    lines = []
    for name, value, _, _ in plot.bars:
        drawn = "█" * round(_WIDTH * value / plot.most) if plot.most else ""
        lines.append(f"{printable(name):{width}}  {drawn}".rstrip().replace("`", "'"))
    return ["```text", *lines, "```"]
