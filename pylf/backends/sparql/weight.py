"""How much an engine has to plan: some give up on queries, or worse, that are far from long for a parser."""

from __future__ import annotations

from math import prod
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
    from collections.abc import Iterator

    from pylf.backends.sparql.query import Expression, Pattern, QueryTree
    from pylf.ir.terms import Var


def weight(tree: QueryTree) -> int:
    """The number of patterns, calls and operations in a query; lists of terms count as one, however long."""
    found = _group(tree.where)
    if isinstance(tree, Select):
        found += sum(_column(column) for column in (*tree.projection, *tree.group_by))
        found += sum(_expression(key) for key, _ in tree.order_by)
        found += 0 if tree.having is None else _expression(tree.having)
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


def joins(tree: QueryTree) -> int:
    """The number of tables that a query joins once its unions are multiplied out: each combination of the arms that
    stand side by side is joined with a copy of all that stands beside them, sub-selects and what is under EXISTS too.
    """
    return _joins(tree.where)


def _joins(group: Group) -> int:
    beside = 0
    unions: list[list[int]] = []
    for pattern in group.patterns:
        match pattern:
            case UnionPattern(arms):
                unions.append([_joins(arm) for arm in arms])
            case Group():
                beside += _joins(pattern)
            case Minus(inner) | OptionalPattern(inner):
                beside += _joins(inner)
            case Select():
                beside += 1 + joins(pattern)
            case Filter(expression) | Bind(expression):
                beside += sum(map(_joins, _groups(expression)))
            case _:
                beside += 1
    ways = prod(map(len, unions))
    return ways * beside + sum(sum(arms) * (ways // len(arms)) for arms in unions)


def widest(group: Group) -> int:
    """The most tables that are joined in one group which has sub-selects among them."""
    own = [pattern for pattern in group.patterns if not isinstance(pattern, (Filter, Bind))]
    found = len(own) if any(isinstance(pattern, Select) for pattern in own) else 0
    for pattern in group.patterns:
        match pattern:
            case UnionPattern(arms):
                inner = list(arms)
            case Group():
                inner = [pattern]
            case Minus(other) | OptionalPattern(other):
                inner = [other]
            case Select():
                inner = [pattern.where]
            case Filter(expression) | Bind(expression):
                inner = list(_groups(expression))
            case _:
                inner = []
        found = max([found, *map(widest, inner)])
    return found


def _groups(expression: Expression) -> Iterator[Group]:
    """What stands under EXISTS in an expression."""
    match expression:
        case Call(_, parts) | Operation(_, parts):
            for part in parts:
                yield from _groups(part)
        case Exists(group):
            yield group
        case _:
            pass
