"""Reports of runs, as Markdown and as one HTML page that needs nothing else."""

from __future__ import annotations

from pylf.evaluation.report.html import html
from pylf.evaluation.report.markdown import markdown
from pylf.evaluation.report.page import Page, comparison_page, score_page

__all__ = ["Page", "comparison_page", "html", "markdown", "score_page"]
