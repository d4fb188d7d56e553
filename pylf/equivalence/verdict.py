"""What came of comparing two queries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pylf.records import record

if TYPE_CHECKING:
    from pylf.ir.answers import Answers
    from pylf.ir.graph import TripleRow

Status = Literal["equivalent", "different", "undecided"]


@record
class Verdict:
    """Whether two queries have the same answers on every graph.

    ``why`` is the proof where they have; how they differ where they have not; else what was searched. Of two that
    differ, ``graph`` is a graph, as small as was found, on which the reference evaluator gives ``left`` and ``right``
    (None: a number query that has no number there), and ``turtle`` is that graph as text. ``tried`` counts the graphs
    on which both were asked, ``complete`` is the number of triples up to which every graph was among them: over the
    names of both, two more entities, and the values at and around their constants, of which it takes eight at most.
    """

    status: Status
    why: str
    graph: tuple[TripleRow, ...] | None = None
    turtle: str | None = None
    left: Answers | None = None
    right: Answers | None = None
    tried: int = 0
    complete: int = 0
    seconds: float = 0.0
