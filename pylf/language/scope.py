"""A body on its way back to a program: its conjuncts by variable, and which of them have been said."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pylf.errors import UnsupportedOperation
from pylf.ir.mentions import mentions
from pylf.ir.nodes import Aggregate, Closure, Compare, Count, Extreme, Op, Slice, TopK, Triple
from pylf.ir.terms import Var
from pylf.ir.traverse import variables

if TYPE_CHECKING:
    from pylf.ir.nodes import Body, Conjunct

WHERE = "PyLF"
#: how long a path may be that is only said to exist
MAX_STEPS = 30

#: an edge, and whether it is walked against its direction
Step = tuple["Triple | Closure", bool]


class Scope:
    """A body, its conjuncts by variable, and which of them have been said."""

    def __init__(self, body: Body) -> None:
        self.conjuncts = body.conjuncts
        self.said = [False] * len(body.conjuncts)
        self.by_variable: dict[Var, list[int]] = {}
        for position, conjunct in enumerate(body.conjuncts):
            for name in _visible(conjunct):
                self.by_variable.setdefault(Var(name), []).append(position)

    def unsaid(self, x: Var) -> list[int]:
        """Positions of the conjuncts that speak of ``x`` and have not been said."""
        return [i for i in self.by_variable.get(x, ()) if not self.said[i]]

    def open_chain(self, x: Var) -> tuple[Step, ...] | None:
        """The steps from ``x`` on when nothing more is said of it than that they lead to something, else None; none
        where nothing at all is said of ``x``."""
        walked: dict[int, None] = {}
        steps: list[Step] = []
        met = False
        while found := [i for i in self.unsaid(x) if i not in walked]:
            conjunct = self.conjuncts[found[0]]
            if len(found) == 1 and not met and (twin := same_value(conjunct, x)) is not None:
                walked[found[0]] = None
                x, met = twin, True
                continue
            met = False
            if len(found) > 1 or len(steps) == MAX_STEPS or not isinstance(conjunct, Triple | Closure):
                return None
            forward = conjunct.subject == x
            there = conjunct.object if forward else conjunct.subject
            if not isinstance(there, Var) or there == x:
                return None
            walked[found[0]] = None
            steps.append((conjunct, not forward))
            x = there
        if met:
            return None
        for i in walked:
            self.said[i] = True
        return tuple(steps)

    def finish(self) -> None:
        """Raises UnsupportedOperation where something was not said: it does not hang together with the answer."""
        for conjunct, said in zip(self.conjuncts, self.said, strict=True):
            if not said:
                raise UnsupportedOperation(f"a part that hangs from nothing ({type(conjunct).__name__})", WHERE)


class Way(NamedTuple):
    """Steps in a row from a variable, where they end, and what else a body says."""

    steps: tuple[Step, ...]
    end: Var
    others: tuple[Conjunct, ...]


def same_value(conjunct: Conjunct, x: Var) -> Var | None:
    """The variable that is said to have the value of ``x``; None where something else is said."""
    match conjunct:
        case Compare(op=Op.IS, left=Var() as left, right=Var() as right) if left != right and x in (left, right):
            return right if left == x else left
    return None


def way(body: Body, x: Var) -> Way | None:
    """The edges of a body as one way from ``x`` on, or from what has the same value, and over what has the same value
    between two of them; None where they are no such thing."""
    edges = [c for c in body.conjuncts if isinstance(c, Triple | Closure)]
    others = [c for c in body.conjuncts if not isinstance(c, Triple | Closure)]
    steps: list[Step] = []
    here = x
    for other in others:
        match other:
            case Compare(op=Op.IS, left=Var() as twin, right=right) if right == x:
                here = twin
                others.remove(other)
                break
    while edges:
        found = [edge for edge in edges if here in (edge.subject, edge.object)]
        if not found and steps:
            meets = [(other, same) for other in others if (same := same_value(other, here)) is not None]
            if len(meets) != 1:
                return None
            others.remove(meets[0][0])
            here = meets[0][1]
            found = [edge for edge in edges if here in (edge.subject, edge.object)]
        if len(found) != 1:
            return None
        edges.remove(found[0])
        inverse = found[0].object == here
        there = found[0].subject if inverse else found[0].object
        if not isinstance(there, Var) or there == here:
            return None
        steps.append((found[0], inverse))
        here = there
    return Way(tuple(steps), here, tuple(others))


def _visible(conjunct: Conjunct) -> list[str]:
    """Names of the variables through which a conjunct hangs together with its body."""
    match conjunct:
        case Extreme() | TopK():
            return [conjunct.item.name]
        case Count():
            return [conjunct.result.name, *(v.name for v in conjunct.group)]
        case Aggregate() | Slice():
            return sorted(mentions(conjunct))
    return sorted(variables(conjunct))
