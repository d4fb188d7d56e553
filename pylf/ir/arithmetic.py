"""Numbers as expressions compute with them: integers and decimals exactly, everything else as doubles.

A result is a literal of xsd:integer, xsd:decimal or xsd:double: of the first in this order that can hold its operands,
but that a quotient of integers is a decimal. What is no number, a result that is none (NaN) and a division by zero have
no value.
"""

from __future__ import annotations

import math
import operator
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from typing import TYPE_CHECKING, NamedTuple

from pylf.ir.terms import XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER, Literal
from pylf.ir.values import FLOATING_DATATYPES, INTEGER_DATATYPES, value_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pylf.ir.terms import Node

    Number = int | Decimal | float

#: Digits of a quotient, and of every other result that is a decimal.
_QUOTIENT = Context(prec=34, rounding=ROUND_HALF_EVEN)
_EXACT = 2_000
#: Digits of an integer beyond which it is looked at as a double: Python reads no more.
_LONGEST = 4_000


def number_of(node: Node) -> Number | None:
    """The number that a literal is, or None."""
    if not isinstance(node, Literal):
        return None
    worth = value_of(node)
    if not isinstance(worth, float):
        return None
    if node.datatype in FLOATING_DATATYPES or len(node.lexical) > _LONGEST:
        return worth
    return int(node.lexical) if node.datatype in INTEGER_DATATYPES else Decimal(node.lexical)


def literal_of(number: Number) -> Literal | None:
    """The literal of a number; None of what is none."""
    if isinstance(number, int):
        return Literal(str(number), XSD_INTEGER) if abs(number) < 10**_LONGEST else None
    if isinstance(number, Decimal):
        return Literal(decimal_form(number), XSD_DECIMAL) if number.is_finite() else None
    return None if math.isnan(number) else Literal(double_form(number), XSD_DOUBLE)


def decimal_form(number: Decimal) -> str:
    """A decimal as XSD 1.1 has it canonically: without needless zeros, and a whole one without a point."""
    spelled = format(number, "f")
    if "." in spelled:
        spelled = spelled.rstrip("0").rstrip(".")
    return "0" if spelled in ("-0", "") else spelled


def double_form(number: float) -> str:
    """A double as XSD has it canonically: ``1.5E3``."""
    if math.isinf(number):
        return "INF" if number > 0 else "-INF"
    sign, digits, exponent = Decimal(repr(number)).as_tuple()
    assert isinstance(exponent, int)
    if not any(digits):
        return "-0.0E0" if sign else "0.0E0"
    spelled = "".join(map(str, digits)).lstrip("0")
    power = exponent + len(spelled) - 1
    rest = spelled[1:].rstrip("0") or "0"
    return f"{'-' if sign else ''}{spelled[0]}.{rest}E{power}"


def as_double(number: Number) -> float:
    """The double nearest to a number, infinite where that is beyond all."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def add(left: Node, right: Node) -> Literal | None:
    """The sum."""
    return _computed(left, right, _ADD)


def subtract(left: Node, right: Node) -> Literal | None:
    """The difference."""
    return _computed(left, right, _SUBTRACT)


def multiply(left: Node, right: Node) -> Literal | None:
    """The product."""
    return _computed(left, right, _MULTIPLY)


def divide(left: Node, right: Node) -> Literal | None:
    """The quotient."""
    a, b = number_of(left), number_of(right)
    return None if a is None or b is None else quotient(a, b)


def negative(node: Node) -> Literal | None:
    """The number with the other sign."""
    return _computed(Literal("0", XSD_INTEGER), node, _SUBTRACT)


def quotient(a: Number, b: Number) -> Literal | None:
    """What ``a / b`` is."""
    if b == 0:
        return None
    if isinstance(a, float) or isinstance(b, float):
        a, b = as_double(a), as_double(b)
        return literal_of(a / b)
    return literal_of(_QUOTIENT.divide(Decimal(a), Decimal(b)))


def total(numbers: Sequence[Number]) -> Number:
    """The sum of numbers: exact where all are integers and decimals, else the double nearest to it."""
    if any(isinstance(number, float) for number in numbers):
        whole = [as_double(number) for number in numbers]
        try:
            return math.fsum(whole)
        except (OverflowError, ValueError):  # beyond what a double holds, or infinities of both signs
            return sum(whole)
    if all(isinstance(number, int) for number in numbers):
        return sum([int(number) for number in numbers])
    with localcontext(Context(prec=_EXACT)):
        return sum([Decimal(number) for number in numbers], Decimal(0))


class _Operation(NamedTuple):
    """An operation on two numbers of one kind."""

    of_integers: Callable[[int, int], int]
    of_decimals: Callable[[Decimal, Decimal], Decimal]
    of_doubles: Callable[[float, float], float]


_ADD = _Operation(operator.add, operator.add, operator.add)
_SUBTRACT = _Operation(operator.sub, operator.sub, operator.sub)
_MULTIPLY = _Operation(operator.mul, operator.mul, operator.mul)


def _computed(left: Node, right: Node, operation: _Operation) -> Literal | None:
    a, b = number_of(left), number_of(right)
    if a is None or b is None:
        return None
    if isinstance(a, float) or isinstance(b, float):
        return literal_of(operation.of_doubles(as_double(a), as_double(b)))
    if isinstance(a, int) and isinstance(b, int):
        return literal_of(operation.of_integers(a, b))
    with localcontext(Context(prec=_EXACT)):
        return literal_of(operation.of_decimals(Decimal(a), Decimal(b)))
