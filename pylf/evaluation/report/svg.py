"""Bars as SVG, to stand in a page: no library, no script, no font of its own."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from pylf.errors import printable

if TYPE_CHECKING:
    from pylf.evaluation.report.page import Bars

_LABEL, _PLOT, _VALUE, _LINE, _BAR = 190, 420, 70, 24, 14
_LONGEST = 26


def bars_svg(plot: Bars) -> str:
    """The plot. It names itself to those who do not see it, and takes its colours from the page."""
    height = _LINE * len(plot.bars) + 8
    width = _LABEL + _PLOT + _VALUE
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    look = 'font-family="sans-serif" font-size="12" fill="currentColor"'
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} {look}>',
        f"<title>{_text(plot.title)}</title>",
        f'<line x1="{_LABEL}" y1="0" x2="{_LABEL}" y2="{height}" stroke="currentColor" stroke-width="1"/>',
    ]
    for place, (name, value, low, high) in enumerate(plot.bars):
        top = 4 + place * _LINE + (_LINE - _BAR) / 2
        middle = top + _BAR / 2
        shown = name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
        number = f"{value * 100:.1f}" if plot.shares else f"{value:,.6g}"
        label = f"{_text(shown)}<title>{_text(name)}</title>"
        out += [
            f'<text x="{_LABEL - 8}" y="{middle + 4:.1f}" text-anchor="end">{label}</text>',
            f'<rect x="{_LABEL}" y="{top:.1f}" width="{_x(value, plot.most):.1f}" height="{_BAR}" fill="#4878a8"/>',
        ]
        end = value
        if low is not None and high is not None:
            left, right = _LABEL + _x(low, plot.most), _LABEL + _x(high, plot.most)
            end = max(value, high)
            out.append(
                f'<path d="M{left:.1f} {middle:.1f}H{right:.1f}M{left:.1f} {middle - 4:.1f}v8M{right:.1f} '
                f'{middle - 4:.1f}v8" stroke="currentColor" stroke-width="1.5" fill="none"/>'
            )
        out.append(f'<text x="{_LABEL + _x(end, plot.most) + 6:.1f}" y="{middle + 4:.1f}">{number}</text>')
    return "\n".join([*out, "</svg>"])


def _x(value: float, most: float) -> float:
    return _PLOT * max(0.0, min(1.0, value / most)) if most > 0 else 0.0


def _text(text: str) -> str:
    return escape(printable(text))
