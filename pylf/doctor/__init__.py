"""Examining an engine: which operators it gets right, what its limits are, and what of a gold set it answers.

>>> from pylf.doctor import examine_path
>>> found = examine_path("bundled")
>>> found.alarms, found.dialect
((), 'oxigraph')
"""

from __future__ import annotations

from pylf.doctor.examine import Examination, examine_endpoint, examine_graph, examine_path, profile_of

__all__ = ["Examination", "examine_endpoint", "examine_graph", "examine_path", "profile_of"]
