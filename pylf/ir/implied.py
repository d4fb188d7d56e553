"""What one comparison tells of another: the cases that hold for every value, and no guess beyond them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.dates import Interval, constant_interval
from pylf.ir.nodes import Compare, Kind, Op
from pylf.ir.terms import Iri, Literal
from pylf.ir.values import compare, value_of

if TYPE_CHECKING:
    from pylf.ir.dates import Point
    from pylf.ir.terms import Term

#: What a comparison tells of the same two sides, by kind. Booleans are equal and not ordered, tagged strings too.
_TOLD: dict[Kind, dict[Op, frozenset[Op]]] = {
    Kind.NUMBER: {
        Op.LT: frozenset((Op.LE, Op.NE)),
        Op.GT: frozenset((Op.GE, Op.NE)),
        Op.EQ: frozenset((Op.LE, Op.GE, Op.IS)),
        Op.IS: frozenset((Op.LE, Op.GE, Op.EQ)),
    },
    Kind.DATE: {Op.LT: frozenset((Op.LE,)), Op.GT: frozenset((Op.GE,)), Op.EQ: frozenset((Op.LE, Op.GE))},
    Kind.TEXT: {
        Op.LT: frozenset((Op.LE, Op.NE)),
        Op.GT: frozenset((Op.GE, Op.NE)),
        Op.EQ: frozenset((Op.IS,)),
        Op.IS: frozenset((Op.EQ,)),
    },
    Kind.ANY: {Op.LT: frozenset((Op.LE,)), Op.GT: frozenset((Op.GE,))},
}


def implied(known: Compare, asked: Compare) -> bool:
    """True only where ``asked`` holds of every value of which ``known`` holds."""
    if known.left == asked.left:
        if known.right == asked.right:
            return _same_sides(known.op, known.kind, asked)
        return _constants(known, asked)
    if known.left == asked.right and known.right == asked.left:
        # dates are not turned round: what stands on the right is the constant
        turns = known.op is Op.IS or known.kind is Kind.NUMBER
        return turns and _same_sides(known.op.mirrored, known.kind, asked)
    return False


def _same_sides(op: Op, kind: Kind, asked: Compare) -> bool:
    if asked.kind is not kind and asked.kind is not Kind.ANY:
        return False
    return asked.op is op or asked.op in _TOLD[kind].get(op, ())


def _constants(known: Compare, asked: Compare) -> bool:
    """The same term with two constants."""
    one, other = known.right, asked.right
    if not isinstance(one, Iri | Literal) or not isinstance(other, Iri | Literal):
        return False
    op, kind = known.op, known.kind
    if op is Op.IS or (op is Op.EQ and kind in (Kind.NUMBER, Kind.TEXT)):
        return compare(asked.op, one, other, asked.kind)
    if asked.kind is not kind and asked.kind is not Kind.ANY:
        return False
    if kind is Kind.NUMBER:
        first, second = value_of(one), value_of(other)
        return isinstance(first, float) and isinstance(second, float) and _numbers(op, first, asked.op, second)
    if kind is Kind.DATE:
        covers, bounds = _covers(one), _covers(other)
        return covers is not None and bounds is not None and _dates(op, covers, asked.op, bounds)
    return False


def _numbers(op: Op, one: float, asked: Op, other: float) -> bool:
    match op:
        case Op.LT:
            return asked in (Op.LT, Op.LE, Op.NE) and one <= other
        case Op.LE:
            return asked in (Op.LT, Op.LE, Op.NE) and (one <= other if asked is Op.LE else one < other)
        case Op.GT:
            return asked in (Op.GT, Op.GE, Op.NE) and one >= other
        case Op.GE:
            return asked in (Op.GT, Op.GE, Op.NE) and (one >= other if asked is Op.GE else one > other)
        case _:
            return False


def _dates(op: Op, one: Interval, asked: Op, other: Interval) -> bool:
    """A comparison bounds the start of the value from below, its end from above, or both."""
    start: Point | None = None
    end: Point | None = None
    match op:
        case Op.LT:
            end = one[0]
        case Op.LE:
            end = one[1]
        case Op.GT:
            start = one[1]
        case Op.GE:
            start = one[0]
        case Op.EQ:
            start, end = one
        case _:
            return False
    match asked:
        case Op.LT:
            return end is not None and end <= other[0]
        case Op.LE:
            return end is not None and end <= other[1]
        case Op.GT:
            return start is not None and start >= other[1]
        case Op.GE:
            return start is not None and start >= other[0]
        case Op.EQ:
            return start is not None and end is not None and start >= other[0] and end <= other[1]
        case _:
            return False


def _covers(constant: Term) -> Interval | None:
    """What a constant covers that is a date."""
    if not isinstance(constant, Literal) or not isinstance(value_of(constant), Interval):
        return None
    return constant_interval(constant.lexical, constant.datatype)
