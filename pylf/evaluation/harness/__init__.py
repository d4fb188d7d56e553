"""Runs: a method is asked each question of a set, and what comes of it is recorded, whatever that is.

A method is any callable from a question to a :class:`~pylf.evaluation.record.Record`; nothing here knows one.
"""

from __future__ import annotations

from pylf.evaluation.harness.meter import Meter, carried, metered, spend
from pylf.evaluation.harness.run import Method, Run, unasked
from pylf.evaluation.harness.standing import Standing

__all__ = ["Meter", "Method", "Run", "Standing", "carried", "metered", "spend", "unasked"]
