"""A report as one HTML page: no script, nothing fetched."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from pylf.errors import printable
from pylf.evaluation.report.svg import bars_svg

if TYPE_CHECKING:
    from pylf.evaluation.report.page import Page, Table

_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { border-bottom: 1px solid #8886; padding: .2rem .7rem; text-align: left; vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
svg { max-width: 100%; height: auto; }
"""


def html(page: Page) -> str:
    """The report as text that ends in a line break."""
    title = _text(page.title)
    out = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>",
    ]
    for section in page.sections:
        out.append(f"<h2>{_text(section.title)}</h2>")
        out += [f"<p>{_text(sentence)}</p>" for sentence in section.sentences]
        out += [_table(table) for table in section.tables]
        out += [f"<figure>{bars_svg(plot)}</figure>" for plot in section.plots]
    return "\n".join([*out, "</body>\n</html>\n"])


def _table(table: Table) -> str:
    head = "".join([_cell("th", name, place >= table.text) for place, name in enumerate(table.columns)])
    rows = [
        "<tr>" + "".join([_cell("td", cell, place >= table.text) for place, cell in enumerate(row)]) + "</tr>"
        for row in table.rows
    ]
    return "\n".join(["<table>", f"<thead><tr>{head}</tr></thead>", "<tbody>", *rows, "</tbody>", "</table>"])


def _cell(tag: str, text: str, number: bool) -> str:
    return f'<{tag} class="number">{_text(text)}</{tag}>' if number else f"<{tag}>{_text(text)}</{tag}>"


def _text(text: str) -> str:
    return escape(printable(text))
