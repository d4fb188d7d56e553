"""Conditions in ``COALESCE``, where an engine makes a mistake over what it reads in them.

Virtuoso draws conclusions from lists of values, ``IN`` or written out with ``||``: of two lists for one variable it
finds nothing that is on both but "one" beside "two" and "one"; and a list for a variable that is bound around an
EXISTS, in the EXISTS, is more than its compiler's stack holds ("Stack Overflow in cost model"). It reads nothing in
``COALESCE(…, false)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.sparql import values
from pylf.backends.sparql.query import Call, Exists, Filter, Operation
from pylf.ir.terms import Var

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pylf.backends.sparql.query import Expression, Pattern


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
