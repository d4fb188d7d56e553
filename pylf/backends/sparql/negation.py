"""Negations: a body that has no solution, and a union that binds nothing, of which some arm has one.

- Where a body has patterns of its own it is a NOT EXISTS, or is subtracted by MINUS where that means the same.
- One that only compares what is bound around it is a boolean expression of the group around.
- One that shares no variable with what is around is counted, by a sub-select of one row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.sparql import atoms, expressions, values
from pylf.backends.sparql.atoms import NEVER
from pylf.backends.sparql.expression_contents import Place
from pylf.backends.sparql.frame import Either, Frame, KeyTest, SubQuery, looks_at, names_of, shares
from pylf.backends.sparql.meeting import list_members
from pylf.backends.sparql.query import Aggregate, Column, Exists, Filter, Minus, Operation, Select
from pylf.errors import UnsupportedOperation
from pylf.ir.mentions import mentioned_in
from pylf.ir.nodes import Count, Union
from pylf.ir.scope import never
from pylf.ir.terms import XSD_INTEGER, Literal

if TYPE_CHECKING:
    from pylf.backends.sparql.lower import Lowering
    from pylf.backends.sparql.query import Expression, Group, Pattern
    from pylf.ir.nodes import Body, Not

_ZERO = Literal("0", XSD_INTEGER)
_ROWS = Aggregate("COUNT", None)
#: How many negations one with unions in it may become: where it has to, and where it is only faster.
_MOST_DISTRIBUTED = 64
_FEW_DISTRIBUTED = 8


def negations(lowering: Lowering, frame: Frame) -> list[Pattern]:
    """The negations of a frame."""
    found = [pattern for negation in frame.negations for pattern in negated(lowering, negation, frame)]
    if not (lowering.dialect.loses_denials and lowering.has_closures) or NEVER in found:
        return found
    if sum(isinstance(pattern, Filter) for pattern in found) > 1:
        # as two filters the second is lost in some plans, and as one filter of both the first is in others
        raise UnsupportedOperation("several negations beside a closure", f"SPARQL ({lowering.dialect.name})")
    return found


def negated(lowering: Lowering, negation: Not, frame: Frame) -> list[Pattern]:
    """The patterns that say that a body has no solution."""
    body, apart = negation.body, negation.apart and lowering.optimize
    grouped = any(isinstance(part, Count) and part.group for part in body.conjuncts)
    if frame.parent is None and (apart or grouped):
        minus = _minus(lowering, body, frame, apart or (lowering.optimize and lowering.dialect.subtract_grouped))
        if minus is not None:
            return [minus]
    denials = _denials(lowering, body, frame)
    return [NEVER] if denials is None else [Filter(denial) for denial in denials]


def _minus(lowering: Lowering, body: Body, frame: Frame, wished: bool) -> Minus | None:
    """A body, subtracted; None where that would not mean the same, or is neither wished for nor needed."""
    inner = Frame(None, frame.names())
    lowering.expand(body, inner)
    own = inner.binders
    seen = {name for test in inner.tests for name in looks_at(test)}
    seen.update(name for negation in inner.negations for name in mentioned_in(negation.body))
    seen |= inner.late_names()
    # what the arms of a union compare is bound in them, or in none of the rows that are subtracted
    seen.update(name for atom in inner.atoms if isinstance(atom, Either) for name in names_of(atom))
    if any(frame.binds(name) and name not in own for name in seen) or not any(map(frame.binds, own)):
        return None
    if wished or any(isinstance(atom, SubQuery) and lowering.hides(atom.select) for atom in inner.atoms):
        return Minus(lowering.group(inner))
    return None


def _inner(lowering: Lowering, body: Body, frame: Frame) -> Frame:
    """The frame of a body under EXISTS."""
    apart = lowering.dialect.apart_exists
    home = frame.home if (lowering.optimize or lowering.dialect.flat_exists) and not apart else None
    inner = Frame(frame, (), home, existential=True)
    lowering.expand(body, inner)
    list_members(inner, lowering.dialect)
    if apart and inner.atoms:
        atoms.repeat_seen(lowering, inner)
    return inner


def _denials(lowering: Lowering, body: Body, frame: Frame) -> list[Expression] | None:
    """Expressions that all hold where a body has no solution; None where it always has one."""
    match body.conjuncts:
        case ():
            return None
        case (Union(arms),) if lowering.optimize or lowering.dialect.flat_exists:
            of_arms = [_denials(lowering, arm, frame) for arm in arms]
            return None if None in of_arms else [denial for denials in of_arms for denial in denials or ()]
    if never(body):
        return []
    if not shares(body, frame):
        return [_none_at_all(lowering, lowering.closed(body, ()), frame)]
    found: list[Expression] = []
    for inner in _distributed(lowering, _inner(lowering, body, frame)):
        if inner.never:
            continue
        if inner.atoms or inner.scalars or inner.left_joins or inner.extends:
            found.append(_none(lowering, inner, frame))
            continue
        condition = _conjunction(lowering, inner)
        if condition is values.TRUE:
            return None
        if condition is not None:
            found.append(Operation("!", (condition,)))
    return found


def _none(lowering: Lowering, inner: Frame, frame: Frame) -> Expression:
    """That the frame of a negated body has no solution."""
    if not inner.shares() and not any(isinstance(test, KeyTest) for test in inner.tests):
        # one arm of a union, of which only others share a variable with what is around
        inner.parent, inner.home, inner.existential = None, inner, False
        return _none_at_all(lowering, lowering.group(inner), frame)
    return Exists(lowering.existential(inner), negated=True)


def _distributed(lowering: Lowering, frame: Frame) -> list[Frame]:
    """The frame of an EXISTS as several without unions, some of which has a solution where the frame has one.

    Raises:
        UnsupportedOperation: the dialect takes no unions there, and distributing them makes too many frames.
    """
    must = lowering.dialect.flat_exists
    if not must and not lowering.dialect.parts_unions and not (lowering.optimize and lowering.dialect.nest_negation):
        return [frame]
    todo, done = [frame], []
    while todo:
        at = todo.pop()
        either = next((atom for atom in at.atoms if type(atom) is Either), None)
        if either is not None and _is_seen_open(either, at):
            # what its arms leave open is not seen beside them once they are written out
            if must:
                where = f"SPARQL ({lowering.dialect.name})"
                raise UnsupportedOperation("a union under a negation of what may be without value", where)
            return [frame]
        if either is None:
            done.append(at)
            continue
        for arm in reversed(either.arms):
            narrowed = at.without(either)
            lowering.expand(arm, narrowed)
            todo.append(narrowed)
        if len(todo) + len(done) > (_MOST_DISTRIBUTED if must else _FEW_DISTRIBUTED):
            if not must:
                return [frame]
            raise UnsupportedOperation("so many unions under a negation", f"SPARQL ({lowering.dialect.name})")
    for part in done:
        list_members(part, lowering.dialect)
    return done


def _is_seen_open(either: Either, frame: Frame) -> bool:
    """Whether a union of a frame leaves open what other parts that have bodies look at."""
    open_ = frame.opened_by(either)
    return bool(open_) and not open_.isdisjoint(
        [
            *[name for negation in frame.negations for name in mentioned_in(negation.body)],
            *[name for left_join in frame.left_joins for name in mentioned_in(left_join.body)],
            *[name for test in frame.tests for name in looks_at(test)],
            *[name for atom in frame.atoms if atom is not either for name in names_of(atom)],
        ]
    )


def _none_at_all(lowering: Lowering, group: Group, frame: Frame) -> Expression:
    """That a group which shares no variable with what is around has no solution: its solutions are counted."""
    found = lowering.apart.fresh("found")
    frame.home.scalars.append(Select((Column(_ROWS, found),), group))
    return Operation("=", (found, _ZERO))


def _conjunction(lowering: Lowering, frame: Frame) -> Expression | None:
    """The tests and negations of a frame without atoms, free of errors; None: never, TRUE: always. They stand in
    the group around, where what they have to find beforehand goes too."""
    if frame.parent is not None:
        frame.home = frame.parent.home
    parts: list[Expression] = []
    for test in frame.tests:
        expression = lowering.test(test, frame)
        if expression is None:
            return None
        if expression is not values.TRUE:
            parts.append(expression if isinstance(test, Union) else values.total(expression))
    for condition in frame.conditions:
        expression = expressions.truth(condition, Place(lowering, frame))
        if expression is None:
            return None
        if expression is not values.TRUE:
            parts.append(values.total(expression))
    for negation in frame.negations:
        denials = _denials(lowering, negation.body, frame)
        if denials is None:
            return None
        parts += denials
    return values.TRUE if not parts else parts[0] if len(parts) == 1 else Operation("&&", tuple(parts))


def some_arm(lowering: Lowering, arms: tuple[Body, ...], frame: Frame) -> Expression | None:
    """That some arm of a union which binds nothing has a solution."""
    readings: list[Expression] = []
    for arm in arms:
        for inner in _distributed(lowering, _inner(lowering, arm, frame)):
            if inner.never:
                continue
            held = inner.atoms or inner.scalars or inner.left_joins or inner.extends
            reading = Exists(lowering.existential(inner)) if held else _conjunction(lowering, inner)
            if reading is values.TRUE:
                return values.TRUE
            if reading is not None:
                readings.append(reading)
    return values.either(readings) if readings else None
