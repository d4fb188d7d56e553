"""Do two questions mean the same? A proof, a smallest graph on which they answer differently, or neither in reach.

    verdict = equivalent(one.ir, other.ir, schema, vocabulary)
    verdict.status      # "equivalent", "different" or "undecided"
    verdict.why         # the proof; how they differ; what was searched
    verdict.turtle      # of two that differ: the graph

That two queries are equivalent is undecidable once they negate and count, so the third outcome can never be ruled out.
"""

from __future__ import annotations

from pylf.equivalence.decide import equivalent
from pylf.equivalence.verdict import Verdict

__all__ = ["Verdict", "equivalent"]
