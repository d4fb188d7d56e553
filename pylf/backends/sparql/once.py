"""Whether what is written for a body gives each of its solutions once: where solutions are counted, that matters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.sparql.known import extension
from pylf.ir.nodes import (
    Aggregate,
    Compare,
    Condition,
    Count,
    Extend,
    InstanceOf,
    LeftJoin,
    Member,
    Not,
    Path,
    Project,
    Slice,
    Triple,
)
from pylf.ir.scope import bound, opened

if TYPE_CHECKING:
    from pylf.backends.sparql.lower import Lowering
    from pylf.ir.nodes import Body, Conjunct


def gives_once(lowering: Lowering, body: Body) -> bool:
    """Whether no solution of a body comes twice."""
    return all(_once(lowering, conjunct) for conjunct in body.conjuncts)


def _once(lowering: Lowering, conjunct: Conjunct) -> bool:
    match conjunct:
        case Triple() | Path() | Compare() | Not() | Condition() | Extend() | Project() | Count() | Aggregate():
            return True
        case Member():
            return not lowering.dialect.folds_single_rows
        case InstanceOf():
            return _one_class(lowering, conjunct)
        case LeftJoin(body):
            return gives_once(lowering, body)
        case Slice(outputs, body, _, _, _, distinct):
            names = {output.name for output in outputs}
            return distinct or (bound(body) | opened(body) <= names and gives_once(lowering, body))
        case _:
            return False


def _one_class(lowering: Lowering, instance: InstanceOf) -> bool:
    """Whether an instance-of is one triple."""
    vocabulary = lowering.vocabulary
    if vocabulary.subclass_paths or len(vocabulary.type_predicates) > 1:
        return False
    plain, subjects_of, objects_of = extension(lowering.schema, instance.classes, lowering.known)
    return len(plain) == 1 and not subjects_of and not objects_of
