"""Comparisons in expressions that mean what SPARQL's do (1.1, section 17.3): a date meets dates alone.

In the IR a number or a string that stands on the right of a comparison may say a date: ``?d < 2000`` is of a year
(:mod:`pylf.ir.expression_values`). On the left it is what it is, so here it stands there: ``2000 > ?d``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.dates import DATE_DATATYPES, date_literal
from pylf.ir.expressions import Apply
from pylf.ir.nodes import Op
from pylf.ir.terms import Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pylf.ir.expressions import Expression

#: The functions that compare two values.
COMPARISONS = frozenset(op.value for op in Op if op is not Op.IS)


def compared(function: str, left: Expression, right: Expression) -> Expression:
    """``left function right`` as SPARQL has it."""
    if _says_date(right) and not _is_plain(left):
        return Apply(Op(function).mirrored.value, (right, left))
    return Apply(function, (left, right))


def among(item: Expression, listed: Sequence[Expression]) -> Expression:
    """``item IN (listed)`` as SPARQL has it."""
    if _is_plain(item) or not any(_says_date(one) for one in listed):
        return Apply("in", (item, *listed))
    parts = tuple([compared("=", item, one) for one in listed])
    return parts[0] if len(parts) == 1 else Apply("||", parts)


def as_meant(expression: Expression) -> Expression:
    """An expression in which a constant came to stand in a variable's place, with the comparisons that SPARQL means."""
    if not isinstance(expression, Apply):
        return expression
    arguments = tuple([as_meant(argument) for argument in expression.arguments])
    if expression.function in COMPARISONS:
        return compared(expression.function, *arguments)
    if expression.function == "in":
        return among(arguments[0], arguments[1:])
    return Apply(expression.function, arguments)


def _is_plain(expression: Expression) -> bool:
    """Whether an expression is a constant that is no date."""
    return isinstance(expression, Literal) and expression.datatype not in DATE_DATATYPES


def _says_date(expression: Expression) -> bool:
    """Whether an expression is a constant that is no date, and may be spelled like one."""
    return isinstance(expression, Literal) and _is_plain(expression) and date_literal(expression.lexical) is not None
