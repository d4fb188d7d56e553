"""Why a body has no solution: the conjunct that leaves nothing over, and what is empty within it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.why.asking import Exhausted
from pylf.backends.why.evidence import Emptiness, Remedy, Step
from pylf.backends.why.remedies import remedies
from pylf.backends.why.steps import walk_through
from pylf.ir.mentions import mentioned_in
from pylf.ir.nodes import Aggregate, Body, Count, Extreme, Not, Path, Project, Slice, TopK, Union
from pylf.ir.scope import bound, opened
from pylf.ir.tables import UNIT, Table, project

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pylf.backends.why.asking import Asking
    from pylf.backends.why.steps import Walk


def emptiness(body: Body, shown: Sequence[str], asking: Asking, seeds: Table = UNIT) -> Emptiness:
    """Which conjunct of a body without solutions is the first to leave nothing, what would mend it, and the same for
    the bodies within it. ``shown`` are the variables that the body is asked for."""
    walk = walk_through(body, seeds, shown, asking)
    steps = [
        Step(unit.conjuncts, *(walk.left[index] if index < len(walk.left) else (None, None)), unit.span)
        for index, unit in enumerate(walk.units)
    ]
    fixed = tuple(zip(seeds.columns, *seeds.rows, strict=False)) if len(seeds.rows) == 1 else ()
    if walk.culprit is None:
        told = all(left is not None for _, left in walk.left)
        loose = [name for name in shown if name not in bound(body, frozenset(seeds.columns))]
        if told and loose:
            without = f"?{loose[0]} has no value in any solution: what is optional or computed gave none"
            return Emptiness(tuple(steps), None, (Remedy("open", (without,)),), (), fixed)
        return Emptiness(tuple(steps), None, (_DISAGREE if told else _untold(asking),), (), fixed)
    within = tuple(_within(walk, asking))
    mended: tuple[Remedy, ...] = ()
    culprit = walk.units[walk.culprit]
    if isinstance(culprit.first, Not) and not opened(body).isdisjoint(culprit.mentions):
        # what is open has no values before it that one could ask with
        mended = (Remedy("removed", ("the negation removes what was left",)),)
    elif not within:
        try:
            with asking.meter.refilled():
                mended = tuple(remedies(culprit, walk.before, asking))
        except Exhausted:
            mended = (_untold(asking),)
    return Emptiness(tuple(steps), walk.culprit, mended, within, fixed)


_DISAGREE = Remedy(
    "disagree",
    ("the reference evaluator finds solutions here, where the engine finds none: one of the two is wrong",),
)
_UNTOLD = Remedy("untold", ("the graph is too large to tell more within the bounds of an explanation",))
_FAILED = Remedy("failed", ("more cannot be told, since the engine failed",))


def _untold(asking: Asking) -> Remedy:
    return _UNTOLD if asking.meter.failure is None else _FAILED


def _within(walk: Walk, asking: Asking) -> Iterator[tuple[str, Emptiness]]:
    """The bodies within the culprit that have no solution of their own."""
    assert walk.culprit is not None
    unit = walk.units[walk.culprit]
    if unit.label is not None or len(unit.conjuncts) > 1:
        return
    match unit.first:
        case Union(arms):
            for number, arm in enumerate(arms):
                seen = mentioned_in(arm)
                seeds = UNIT
                for table in walk.before:
                    names = tuple([name for name in table.columns if name in seen])
                    if names:
                        seeds = project(table, names)
                yield f"alternative {number + 1} of {len(arms)}", emptiness(arm, sorted(seen), asking, seeds)
        case Path():
            hops = Body(tuple(asking.atoms(unit.first, 0)))
            seeds = next((table for table in walk.before if table.columns), UNIT)
            yield "along the path", emptiness(hops, (), asking, seeds)
        case Project(outputs, body):
            yield from _closed(body, [output.name for output in outputs], "among those rows", asking)
        case Count(_, of, body, group):
            yield from _closed(body, [of.name, *[var.name for var in group]], "among what is counted", asking)
        case Extreme(_, item, key, body) | TopK(_, _, item, key, body):
            yield from _closed(body, [item.name, key.name], "among what is ranked", asking)
        case Aggregate(_, body, group):
            yield from _closed(body, _surely([var.name for var in group], body), "among what is aggregated", asking)
        case Slice(outputs, body):
            yield from _closed(body, _surely([var.name for var in outputs], body), "among those rows", asking)
        case _:
            pass


def _surely(names: list[str], body: Body) -> list[str]:
    """Those of some variables that are bound in every solution of a body."""
    certain = bound(body)
    return [name for name in names if name in certain]


def _closed(body: Body, names: list[str], title: str, asking: Asking) -> Iterator[tuple[str, Emptiness]]:
    try:
        empty = not asking.solve(body, UNIT, frozenset(names)).rows
    except Exhausted:
        return
    if empty:
        yield title, emptiness(body, names, asking)
