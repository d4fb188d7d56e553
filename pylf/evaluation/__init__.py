"""What answers are worth: records of answered questions, metrics, intervals, comparisons, reports, and the runs that
make such records.

    >>> from pylf.datasets.formats.question import Answer
    >>> from pylf.evaluation import Ended, Record, score
    >>> gold = (Answer("entity", "http://e/a"), Answer("entity", "http://e/b"))
    >>> one = Record("q1", "Which?", Ended.ANSWERED, (Answer("entity", "http://e/a"),), gold=gold)
    >>> score(one).precision, score(one).recall
    (1.0, 0.5)
"""

from __future__ import annotations

from pylf.evaluation.breakdowns import breakdown
from pylf.evaluation.comparing import compare
from pylf.evaluation.files import RecordLog, read_records
from pylf.evaluation.metrics import METRICS, Score, score
from pylf.evaluation.record import Ended, Record, Setup
from pylf.evaluation.states import State
from pylf.evaluation.summary import Summary, summarize

__all__ = [
    "METRICS",
    "Ended",
    "Record",
    "RecordLog",
    "Score",
    "Setup",
    "State",
    "Summary",
    "breakdown",
    "compare",
    "read_records",
    "score",
    "summarize",
]
