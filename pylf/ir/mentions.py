"""Which variables a conjunct looks at: those by which it may depend on what stands around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.expressions import names_in
from pylf.ir.nodes import (
    Aggregate,
    Closure,
    Compare,
    Condition,
    Confidence,
    Count,
    Extend,
    Extreme,
    InstanceOf,
    LeftJoin,
    Member,
    Not,
    Path,
    Project,
    Slice,
    TopK,
    Triple,
    Union,
)
from pylf.ir.terms import Var

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.ir.nodes import Body, Conjunct
    from pylf.ir.terms import Term


def mentions(conjunct: Conjunct) -> frozenset[str]:
    """Names of the variables that a conjunct looks at; of a closed body its exports alone."""
    match conjunct:
        case Triple(subject, predicate, object_):
            return _names((subject, predicate, object_))
        case InstanceOf(term) | Member(term):
            return frozenset((term.name,)) if type(term) is Var else frozenset()
        case Compare(_, left, right):
            return _names((left, right))
        case Confidence(subject, predicate, object_, value):
            return _names((subject, predicate, object_, value))
        case Not(body) | LeftJoin(body):
            return mentioned_in(body)
        case Union(arms):
            return frozenset([name for arm in arms for name in mentioned_in(arm)])
        case Project(outputs) | Slice(outputs):
            return _names(outputs)
        case Count(result, _, _, group):
            return _names((result, *group))
        case Extreme(_, item) | TopK(_, _, item):
            return _names((item,))
        case Path(nodes, relations):
            return _names((*nodes, *relations))
        case Closure(subject, _, object_):
            return _names((subject, object_))
        case Condition(expression):
            return names_in(expression)
        case Extend(result, expression):
            return names_in(result, expression)
        case Aggregate(reductions, _, group):
            return _names((*group, *[reduction.result for reduction in reductions]))


def mentioned_in(body: Body) -> frozenset[str]:
    """Names of the variables of a body that what stands around it can see."""
    found: set[str] = set()
    todo = [body]
    while todo:
        for conjunct in todo.pop().conjuncts:
            match conjunct:
                case Triple(subject, predicate, object_):
                    for term in (subject, predicate, object_):
                        if type(term) is Var:
                            found.add(term.name)
                case InstanceOf(Var(name)) | Member(Var(name)):
                    found.add(name)
                case Not(inner) | LeftJoin(inner):
                    todo.append(inner)
                case Union(arms):
                    todo += arms
                case _:
                    found |= mentions(conjunct)
    return frozenset(found)


def _names(terms: Iterable[Term]) -> frozenset[str]:
    return frozenset([term.name for term in terms if type(term) is Var])
