"""Why a query has the answers that it has: what supports each of them, or what emptied the answer."""

from __future__ import annotations

from pylf.backends.why.explain import explain
from pylf.backends.why.explanation import Explanation

__all__ = ["Explanation", "explain"]
