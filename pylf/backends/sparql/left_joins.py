"""What stands after all that binds: left joins as OPTIONAL, extensions as BIND, and then conditions on them as filters.

The filters of an OPTIONAL see what is bound around it, where they stand at its top. What stands deeper in it, and all
of it on engines that solve the group on its own, has to find in the group what binds the variables that it looks at:
that is repeated there. It holds of the solution that is extended anyhow, so that it adds none and takes none away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.sparql import atoms, expressions, values
from pylf.backends.sparql.atoms import NEVER, NOTHING
from pylf.backends.sparql.expression_contents import Place, content_of
from pylf.backends.sparql.expression_functions import NONE
from pylf.backends.sparql.frame import Choice, Frame, looks_at
from pylf.backends.sparql.query import Bind, Filter, OptionalPattern
from pylf.errors import UnsupportedOperation
from pylf.ir.expressions import names_in
from pylf.ir.mentions import mentioned_in
from pylf.ir.nodes import InstanceOf, Member, Triple
from pylf.ir.scope import bound, in_dependence, opened
from pylf.ir.terms import Var

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.backends.sparql.lower import Lowering
    from pylf.backends.sparql.query import Expression, Pattern
    from pylf.ir.nodes import Body, Extend, LeftJoin


def early_filters(lowering: Lowering, frame: Frame) -> list[Pattern]:
    """The conditions of a frame that look at no variable which may be without value."""
    at = Place(lowering, frame)
    return [
        pattern
        for condition in frame.conditions
        if all(map(frame.is_certain, names_in(condition)))
        for pattern in _filters(expressions.truth(condition, at))
    ]


def late_patterns(lowering: Lowering, frame: Frame) -> list[Pattern]:
    """The left joins of a frame, its extensions in the order of their dependence, and the conditions that are left.

    Raises:
        UnsupportedOperation: the dialect has no right form for some of them.
    """
    if not frame.late:
        return []
    _check(lowering, frame)
    found: list[Pattern] = []
    for left_join in frame.left_joins:
        found += _optional(lowering, left_join, frame)
    at = Place(lowering, frame)
    for extend in in_order(frame.extends):
        frame.contents[extend.result.name] = content_of(extend.expression, at)
        worth = expressions.value(extend.expression, at)
        if worth != NONE:
            found.append(Bind(worth, extend.result))
    for condition in frame.conditions:
        if not all(map(frame.is_certain, names_in(condition))):
            found += _filters(expressions.truth(condition, at))
    return found


def _filters(condition: Expression | None) -> list[Pattern]:
    if condition is None:
        return [NEVER]
    return [] if condition is values.TRUE else [Filter(condition)]


def _check(lowering: Lowering, frame: Frame) -> None:
    """Raises UnsupportedOperation where the dialect does not look out of an EXISTS or an arm as it should."""
    dialect = lowering.dialect
    if not frame.existential or not (frame.left_joins or frame.extends):
        return
    around = frame.parent
    outside = around is not None and any(
        around.binds(name) and name not in frame.binders for name in frame.late_names()
    )
    if dialect.apart_exists or dialect.joins_values or (dialect.flat_exists and outside):
        raise UnsupportedOperation("a left join or an extension under EXISTS", f"SPARQL ({dialect.name})")


def in_order(extends: Iterable[Extend]) -> list[Extend]:
    """Extensions, each after those that it looks at."""
    done, stuck = in_dependence(tuple(extends))
    assert stuck is None, "verification refuses extensions in a circle"
    return done


def _optional(lowering: Lowering, left_join: LeftJoin, frame: Frame) -> list[OptionalPattern]:
    """A left join; nothing where it always or never adds something that nobody sees."""
    body, dialect = left_join.body, lowering.dialect
    # an arm's own names are bound around it too, by the union that is being written
    around = {name for name in frame.names() if frame.binders_of(name, lowering.writing)}
    own = (bound(body, around) | opened(body, around)) - around
    if not own:
        return []
    inner = Frame(frame, own)
    inner.optional, inner.arm = True, dialect.solves_optional_apart
    lowering.expand(body, inner)
    seen = {name for extend in inner.extends for name in names_in(extend.expression)}
    seen.update(name for deeper in inner.left_joins for name in mentioned_in(deeper.body))
    if inner.arm:
        seen |= _looked_at(inner)
    atoms.repeat(lowering, {name for name in seen if frame.binds(name)}, inner)
    if dialect.joins_values:
        _check_plain(lowering, inner, frame)
    if inner.never:
        return []
    group = lowering.group(inner)
    for name in own:
        frame.contents[name] = lowering.content(Var(name), inner, typed=False)
    return [] if group == NOTHING else [OptionalPattern(group)]


def _looked_at(frame: Frame) -> set[str]:
    """What the tests, negations and conditions of a frame look at."""
    found = {name for test in frame.tests for name in looks_at(test)}
    found.update(name for negation in frame.negations for name in mentioned_in(negation.body))
    return found | frame.late_names()


def _check_plain(lowering: Lowering, inner: Frame, frame: Frame) -> None:
    """Raises UnsupportedOperation where a left join is of more than triples and what looks at them, or meets by value
    what it should meet as a term."""
    if (
        any(not isinstance(atom, Triple | Choice | Member | InstanceOf) for atom in inner.atoms)
        or inner.scalars
        or inner.extends
    ):
        raise UnsupportedOperation("a left join of more than triples", f"SPARQL ({lowering.dialect.name})")
    for name in inner.binders:
        var = Var(name)
        if frame.binds(name) and lowering.content(var, frame).literals and lowering.content(var, inner).literals:
            where = f"SPARQL ({lowering.dialect.name}): it joins values"
            raise UnsupportedOperation("a left join by what may be a literal", where)


def variables_of(body: Body) -> list[str]:
    """All variables of a solution of a body."""
    return sorted(bound(body) | opened(body))
