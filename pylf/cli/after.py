"""``--print-after PASS``: the query as a pass of the optimizer leaves it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.cli import options as shared
from pylf.errors import InputError

if TYPE_CHECKING:
    from pylf.ir.passes.manager import Pass
    from pylf.ir.passes.watch import Watch


def passes_named(names: list[str]) -> tuple[Pass, ...]:
    """The passes of these names.

    Raises:
        InputError: there is no such pass; tells the nearest name, and all.
    """
    from pylf.ir.passes import listed

    known = {one.name: one for one in listed()}
    for name in names:
        if name not in known:
            from difflib import get_close_matches

            near = get_close_matches(name, known, 1)
            meant = f"was {near[0]!r} meant? The" if near else "the"
            raise InputError(f"there is no pass {name!r}; {meant} passes are {', '.join(known)}")
    return tuple([known[name] for name in names])


def after(watch: Watch, passes: tuple[Pass, ...], idle: str) -> list[dict[str, Any]]:
    """The query after each round in which one of the passes changed it, as plain data: ``pass``, ``round``, ``ir``.

    ``round`` is None for a pass that has one turn in all, ``ir`` where there is no query to show: ``remark`` says why;
    ``idle`` is why a pass had no turn.
    """
    from pylf.ir.text import print_query

    found: list[dict[str, Any]] = []
    for one in dict.fromkeys(passes):
        turns = watch.turns(one.name)
        for number, (before, left) in enumerate(turns, 1):
            if left is not before:
                text = print_query(left).rstrip("\n")
                found.append({"pass": one.name, "round": number if len(turns) > 1 else None, "ir": text})
        if not watch.changed(one.name):
            remark = "it changed nothing" if turns else idle
            found.append({"pass": one.name, "round": None, "ir": None, "remark": remark})
    return found


def say_after(found: list[dict[str, Any]]) -> None:
    """Prints what :func:`after` gives, to standard error."""
    for one in found:
        if one["ir"] is None:
            shared.say(f"# after {one['pass']}: {one['remark']}")
        else:
            turn = "" if one["round"] is None else f", round {one['round']}"
            shared.say(f"# after {one['pass']}{turn}:\n{one['ir']}")
