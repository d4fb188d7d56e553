"""Conditions in ``COALESCE``, where an engine makes a mistake over what it reads in them.

Virtuoso draws conclusions from lists of values, ``IN`` or written out with ``||``: of two lists for one variable it
finds nothing that is on both but "one" beside "two" and "one"; and a list for a variable that is bound around an
EXISTS, in the EXISTS, is more than its compiler's stack holds ("Stack Overflow in cost model"). A list in one arm of a
union, for a variable that stands beside the union and not in each of its arms, is applied to the other arms too. It
reads nothing in ``COALESCE(…, false)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.sparql import values
from pylf.backends.sparql.query import Call, Exists, Filter, Operation
from pylf.ir.nodes import Member
from pylf.ir.terms import Var
from pylf.ir.traverse import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pylf.backends.sparql.frame import Atom, Frame
    from pylf.backends.sparql.query import Expression, Pattern


def leaks(name: str, frame: Frame, written: Sequence[Atom]) -> bool:
    """Whether a variable stands in an arm of a union and beside that (``written`` atoms left out), not in all arms."""
    at, some = frame, False
    while at.parent is not None:
        some |= at.arm and name not in at.needed
        at = at.parent
        if some and any(not any(binder is one for one in written) for binder in at.binders.get(name, ())):
            return True
    return False


def is_denied(name: str, frame: Frame) -> bool:
    """Whether a negation here, or beside the union that this is an arm of, lists values of a variable.

    Where the variable has a list of one value besides, in a sub-select of one row, some plans of Virtuoso find nothing
    in what stands beside the sub-select.
    """
    at: Frame | None = frame
    while at is not None:
        for negation in at.negations:
            if any(isinstance(part, Member) and part.term == Var(name) for part in walk(negation.body)):
                return True
        at = at.parent if at.arm else None
    return False


def opaque_lists(patterns: Sequence[Pattern], around: Callable[[str], bool]) -> list[Pattern]:
    """The filters of a group: all lists but the first of each variable in ``COALESCE``, and all lists of variables that
    are bound ``around``."""
    met: set[Var] = set()
    found: list[Pattern] = []
    for pattern in patterns:
        listed = set(_listed(pattern.expression)) if isinstance(pattern, Filter) else set()
        if isinstance(pattern, Filter) and any(var in met or around(var.name) for var in listed):
            found.append(Filter(values.total(pattern.expression)))
        else:
            found.append(pattern)
        met |= listed
    return found


def _listed(expression: Expression) -> Iterable[Var]:
    """The variables of lists that the engine reads."""
    match expression:
        case Operation("=", (Var(), Var())):
            pass
        case Operation("IN" | "=", (Var() as var, *_)):
            yield var
        case Call("COALESCE") | Exists():
            pass
        case Call(_, parts) | Operation(_, parts):
            for part in parts:
                yield from _listed(part)
        case _:
            pass
