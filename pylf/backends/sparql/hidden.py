"""Sub-selects that an engine with ``flat_exists`` gets wrong under EXISTS: those whose filters look at what is bound
around."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.sparql.query import (
    Aggregate,
    Bind,
    Call,
    Exists,
    Filter,
    Group,
    Minus,
    Operation,
    OptionalPattern,
    Select,
    Stated,
    Transitive,
    TriplePattern,
    UnionPattern,
    Values,
)
from pylf.ir.terms import Var

if TYPE_CHECKING:
    from pylf.backends.sparql.query import Expression, Pattern


def hides(select: Select) -> bool:
    """Whether a filter in the sub-select looks at a variable that the sub-select exports unchanged, which a binding
    from outside reaches, or stands in an arm of a union, which the bindings beside it reach."""
    exported = {column.name for column in select.projection if isinstance(column, Var)}
    return any(_filtered(pattern, exported, within=False) for pattern in select.where.patterns)


def _filtered(pattern: Pattern, exported: set[str], within: bool) -> bool:
    match pattern:
        case Filter(expression):
            return within or not exported.isdisjoint(_mentioned(expression))
        case UnionPattern(arms):
            return any(_filtered(inner, exported, True) for arm in arms for inner in arm.patterns)
        case Group(patterns) | Minus(Group(patterns)) | OptionalPattern(Group(patterns)):
            return any(_filtered(inner, exported, True) for inner in patterns)
        case Select(_, Group(patterns)):
            return any(_filtered(inner, exported, within) for inner in patterns)
        case Bind():
            return True
        case _:
            return False


def _mentioned(expression: Expression) -> set[str]:
    """The variables of an expression."""
    match expression:
        case Var(name):
            return {name}
        case Call(_, parts) | Operation(_, parts):
            return {name for part in parts for name in _mentioned(part)}
        case Aggregate(_, part) if part is not None:
            return _mentioned(part)
        case Exists(group):
            return {name for pattern in group.patterns for name in _written(pattern)}
        case _:
            return set()


def _written(pattern: Pattern) -> set[str]:
    """The variables of a pattern."""
    match pattern:
        case TriplePattern(subject, predicate, object_):
            return {term.name for term in (subject, predicate, object_) if isinstance(term, Var)}
        case Stated(name, triple):
            return {name.name} | _written(triple)
        case Values(variables):
            return {var.name for var in variables}
        case Filter(expression):
            return _mentioned(expression)
        case UnionPattern(arms):
            return {name for arm in arms for inner in arm.patterns for name in _written(inner)}
        case Group(patterns) | Minus(Group(patterns)) | OptionalPattern(Group(patterns)) | Select(_, Group(patterns)):
            return {name for inner in patterns for name in _written(inner)}
        case Bind(expression, variable):
            return _mentioned(expression) | {variable.name}
        case Transitive(start, _, end):
            return {start.name, end.name}
