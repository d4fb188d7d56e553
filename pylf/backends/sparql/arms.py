"""Arms of a union made fewer: equal ones are one, and those that only list values of one variable are one list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.nodes import Body, Member
from pylf.ir.terms import Var

if TYPE_CHECKING:
    from pylf.ir.terms import Constant


def merged(arms: tuple[Body, ...], listed: bool = True) -> tuple[Body, ...]:
    """The arms without those said before; where ``listed``, with one list for the values of a variable."""
    lists: dict[Var, list[Constant]] = {}
    found: dict[Body | Var, Body] = {}
    for arm in arms:
        match arm.conjuncts:
            case (Member(Var() as var, values),) if listed:
                lists.setdefault(var, []).extend(values)
                found.setdefault(var, arm)
            case _:
                found[arm] = arm
    if len(found) == len(arms):
        return arms
    return tuple([Body((Member(key, tuple(lists[key])),)) if isinstance(key, Var) else key for key in found])
