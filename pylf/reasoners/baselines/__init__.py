"""The baselines that every method is compared with: a model that is asked outright, with its thoughts, with examples,
several times over, and with triples that were found around the question's entities.

Each is a callable from a :class:`~pylf.datasets.formats.question.Question` to a
:class:`~pylf.evaluation.record.Record`, as the runs of :mod:`pylf.evaluation.harness` want it.
"""

from __future__ import annotations

from pylf.reasoners.baselines.examples import Examples
from pylf.reasoners.baselines.method import METHODS, Baseline, Settings
from pylf.reasoners.baselines.prompts import Prompts
from pylf.reasoners.baselines.triples import TripleRetriever

__all__ = ["METHODS", "Baseline", "Examples", "Prompts", "Settings", "TripleRetriever"]
