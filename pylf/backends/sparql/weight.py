"""How much an engine has to plan: some give up on queries, or worse, that are far from long for a parser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.sparql.query import (
    Aggregate,
    Bind,
    Call,
    Column,
    Exists,
    Filter,
    Group,
    Minus,
    Operation,
    OptionalPattern,
    Select,
    UnionPattern,
)

if TYPE_CHECKING:
    from pylf.backends.sparql.query import Expression, Pattern, QueryTree
    from pylf.ir.terms import Var


def weight(tree: QueryTree) -> int:
    """The number of patterns, calls and operations in a query; lists of terms count as one, however long."""
    found = _group(tree.where)
    if isinstance(tree, Select):
        found += sum(_column(column) for column in (*tree.projection, *tree.group_by))
    return found


def _column(column: Var | Column) -> int:
    return _expression(column.expression) if isinstance(column, Column) else 0


def _group(group: Group) -> int:
    return sum(map(_pattern, group.patterns))


def _pattern(pattern: Pattern) -> int:
    match pattern:
        case Filter(expression) | Bind(expression):
            return _expression(expression)
        case UnionPattern(arms):
            return 1 + sum(map(_group, arms))
        case Group():
            return _group(pattern)
        case Minus(group) | OptionalPattern(group):
            return 1 + _group(group)
        case Select():
            return 1 + weight(pattern)
        case _:
            return 1


def _expression(expression: Expression) -> int:
    match expression:
        case Call(_, parts) | Operation(_, parts):
            return 1 + sum(map(_expression, parts))
        case Aggregate(_, part) if part is not None:
            return 1 + _expression(part)
        case Exists(group):
            return 1 + _group(group)
        case _:
            return 0
