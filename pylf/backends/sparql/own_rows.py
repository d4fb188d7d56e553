"""Rows of their own for what stands under EXISTS, where an engine loses a filter if it shares one.

A sub-select of one row gives a count or an extreme key to a whole group. Where two of the group's conditions look at
it, and one of them is an EXISTS, some plans of Virtuoso forget the other. An EXISTS that looks at a row of its own,
found by the same sub-select under another name, harms none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
    PathExpression,
    Select,
    Stated,
    Transitive,
    TriplePattern,
    UnionPattern,
    Values,
)
from pylf.ir.terms import Var
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pylf.backends.sparql.names import Apart
    from pylf.backends.sparql.query import Expression, Pattern

_NODES: tuple[Any, ...] = (
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
    PathExpression,
    Select,
    Stated,
    Transitive,
    TriplePattern,
    UnionPattern,
    Values,
)


def own_rows(
    scalars: Sequence[Select], conditions: Sequence[Pattern], apart: Apart
) -> tuple[list[Select], list[Pattern]]:
    """The sub-selects of one row and the conditions of a group, where no EXISTS looks at the row that another condition
    looks at. What stands within an EXISTS is part of it."""
    found, told = list(scalars), list(conditions)
    for scalar in scalars:
        columns = [column for column in scalar.projection if isinstance(column, Column)]
        looked_for = {column.variable for column in columns}
        tests = [pattern.expression for pattern in told if isinstance(pattern, Filter)]
        users = [part for test in tests for part in _parts(test) if not looked_for.isdisjoint(_variables(part))]
        under = [part for part in users if isinstance(part, Exists)]
        renamed: dict[int, object] = {}
        for exists in under if len(under) < len(users) else under[1:]:
            names = {var: apart.fresh(var.name) for var in sorted(looked_for, key=str)}
            own = tuple([replace(column, variable=names[column.variable]) for column in columns])
            found.append(replace(scalar, projection=own))
            renamed[id(exists)] = _renamed(exists, names)
        if renamed:
            told = _exchanged(told, renamed)
    return found, told


def _parts(expression: Expression) -> Iterator[Expression]:
    """What an expression looks at: its variables, and what stands under EXISTS in it."""
    match expression:
        case Call(_, parts) | Operation(_, parts):
            for part in parts:
                yield from _parts(part)
        case Var() | Exists():
            yield expression
        case _:
            pass


def _variables(part: object) -> set[Var]:
    """All variables in a part of a tree."""
    if isinstance(part, Var):
        return {part}
    return {var for inner in _inner(part) for var in _variables(inner)}


def _renamed(part: Any, names: Mapping[Var, Var]) -> Any:
    """A part of a tree with other variables."""
    return names.get(part, part) if isinstance(part, Var) else _made_of(part, lambda inner: _renamed(inner, names))


def _exchanged(part: Any, others: Mapping[int, object]) -> Any:
    """A part of a tree in which something else stands in the place of what is found in ``others`` by its ``id``."""
    return others[id(part)] if id(part) in others else _made_of(part, lambda inner: _exchanged(inner, others))


def _inner(part: Any) -> Iterable[object]:
    """What a part of a tree is made of."""
    match part:
        case list() | tuple():
            return part
        case _ if isinstance(part, _NODES):
            return [getattr(part, field) for field in part.__match_args__]
        case _:
            return ()


def _made_of(part: Any, change: Callable[[object], object]) -> Any:
    """The same kind of part, made of what ``change`` makes of each thing in it."""
    match part:
        case list() | tuple():
            return type(part)(map(change, part))
        case _ if isinstance(part, _NODES):
            return type(part)(*map(change, _inner(part)))
        case _:
            return part
