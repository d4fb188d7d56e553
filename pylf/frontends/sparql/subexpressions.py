"""What stands within expressions: aggregates, EXISTS, and variables outside of both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.frontends.sparql import syntax
from pylf.ir.terms import Var

if TYPE_CHECKING:
    from collections.abc import Iterator


def reductions_of(select: syntax.Select) -> list[syntax.Reduce]:
    """The aggregates of a SELECT, each once: those of its columns, of HAVING and of ORDER BY."""
    expressions = [column.value for column in select.columns or ()]
    expressions += [*select.having, *[key.value for key in select.order_by]]
    return list(dict.fromkeys(one for expression in expressions for one in reductions_in(expression)))


def is_aggregated(select: syntax.Select) -> bool:
    """Whether what a SELECT asks for is made of groups of solutions."""
    return bool(select.group_by or reductions_of(select))


def reductions_in(expression: syntax.Expression) -> Iterator[syntax.Reduce]:
    """The aggregates in an expression."""
    match expression:
        case syntax.Reduce():
            yield expression
        case syntax.Call(_, arguments):
            for argument in arguments:
                yield from reductions_in(argument)
        case _:
            return


def exists_in(expression: syntax.Expression) -> syntax.Exists | None:
    """The first EXISTS in an expression, if there is one."""
    match expression:
        case syntax.Exists():
            return expression
        case syntax.Call(_, arguments):
            return next((found for argument in arguments if (found := exists_in(argument)) is not None), None)
        case _:
            return None


def unaggregated(expression: syntax.Expression) -> Iterator[syntax.At]:
    """The places of the variables that stand in an expression and in no aggregate, in their order."""
    match expression:
        case syntax.At(Var()):
            yield expression
        case syntax.Call(_, arguments):
            for argument in arguments:
                yield from unaggregated(argument)
        case _:
            return
