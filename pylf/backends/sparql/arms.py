"""Arms of a union made fewer: equal ones are one, and those that only list values of one variable are one list."""

from __future__ import annotations

from pylf.ir.nodes import Body, Member
from pylf.ir.terms import Var


def merged(arms: tuple[Body, ...], listed: bool = True) -> tuple[Body, ...]:
    """The arms without those said before; where ``listed``, with one list for the values of a variable."""
    found: dict[object, Body] = {}
    for arm in arms:
        match arm.conjuncts:
            case (Member(Var() as var, values),) if listed:
                before = found.get(var)
                if before is not None:
                    (member,) = before.conjuncts
                    assert isinstance(member, Member)
                    arm = Body((Member(var, member.values + values, member.span),))
                found[var] = arm
            case _:
                found[arm] = arm
    return arms if len(found) == len(arms) else tuple(found.values())
