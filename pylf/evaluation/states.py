"""Where an answer comes from, and what that is worth (CCoR, 2608.22762: the knowledge-grounded rate)."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from pylf.datasets.formats.question import Answer


class State(StrEnum):
    """What an answer rests on."""

    #: an executed query, or voted paths that were checked on the graph again
    STRUCTURED = "structured"
    #: a model that read paths or triples of the graph
    SYNTHESIS = "synthesis"
    #: a model alone
    PARAMETRIC = "parametric"


#: What an answer in each state adds to the rate.
WORTH = {State.STRUCTURED: 1.0, State.SYNTHESIS: 0.5, State.PARAMETRIC: 0.0}


#: what a query cannot answer with: its answers are nodes of a graph
_WORDS = frozenset(("name", "choice"))


def supported(
    claimed: State | None, sparql: str | None, evidence: Iterable[Mapping[str, Any]], answers: Iterable[Answer] = ()
) -> State | None:
    """The state that what is recorded supports, which is the claimed one or a lower one.

    *Structured* needs a query, whose answers these can be (nodes, and no names or choices), or evidence that was
    checked on the graph (``"checked": true``); *synthesis* needs evidence. A right answer that the graph does not hold
    is *parametric* (case 67). That the query was executed and gave these very answers, or that the evidence was
    checked, is the method's word: a record does not hold the graph.
    """
    if claimed is None:
        return None
    pieces = list(evidence)
    queried = sparql is not None and not any(one.kind in _WORDS for one in answers)
    best = State.SYNTHESIS if pieces else State.PARAMETRIC
    if queried or any(one.get("checked") is True for one in pieces):
        best = State.STRUCTURED
    return min(claimed, best, key=WORTH.__getitem__)
