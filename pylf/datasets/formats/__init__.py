"""Readers for the published sets of questions: what a file holds, as :class:`Question` s.

>>> from pylf.datasets.formats import read_questions
>>> questions = read_questions("dev.json")  # doctest: +SKIP
"""

from __future__ import annotations

from pylf.datasets.formats.fields import Malformed
from pylf.datasets.formats.known import FORMATS, NAMES, Format
from pylf.datasets.formats.question import Answer, Choice, Gold, Origin, Question, Topic
from pylf.datasets.formats.reading import QuestionFile, read_questions

__all__ = [
    "read_questions",
    "QuestionFile",
    "Question",
    "Answer",
    "Choice",
    "Topic",
    "Gold",
    "Origin",
    "Malformed",
    "Format",
    "FORMATS",
    "NAMES",
]
