"""What is bound where: the one rule of visibility that verification, passes and emission share.

Triples, instance-of, membership, confidences, paths and the exports of operators *bind* variables. Comparisons and
negations only use them. A closure of at least one step binds both ends, like a triple; one of zero or more steps
passes on what one of its ends already has. A union binds what each of its arms binds; an arm that can never hold
binds everything, as a universal claim over nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import InvalidIR
from pylf.ir.nodes import (
    Body,
    Closure,
    Compare,
    Confidence,
    Count,
    Extreme,
    InstanceOf,
    Member,
    Not,
    Path,
    Project,
    TopK,
    Triple,
    Union,
)
from pylf.ir.terms import Var

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from pylf.ir.nodes import Conjunct
    from pylf.ir.terms import Term

#: How deep bodies may stand within bodies: deep enough for any question, shallow enough for any stack.
MAX_NESTING = 100

_NOTHING: frozenset[str] = frozenset()


def bound(body: Body, around: AbstractSet[str] = _NOTHING) -> set[str]:
    """Names of the variables that a body binds, given the names already bound ``around`` it (left out unless the body
    binds them as well).

    Raises:
        InvalidIR: unions nest deeper than MAX_NESTING.
    """
    return _bound(body, around, 0)[0]


def exports(conjunct: Conjunct, around: AbstractSet[str] = _NOTHING) -> set[str]:
    """Names of the variables that a conjunct binds for the body it stands in, given what is bound ``around`` it."""
    return _bound(Body((conjunct,)), around, 0)[0]


def never(body: Body) -> bool:
    """True when the body holds a conjunct that plainly never holds: ``Member(t, ())``, ``Union(())``, or a union
    of such arms."""
    return any(never_holds(conjunct) for conjunct in body.conjuncts)


def never_holds(conjunct: Conjunct) -> bool:
    """True when the conjunct plainly never holds (see :func:`never`)."""
    match conjunct:
        case Union(arms):
            return all(never(arm) for arm in arms)
        case Member(_, values):
            return not values
        case _:
            return False


def union_exports(union: Union, around: AbstractSet[str]) -> set[str]:
    """Names that every arm binds that can hold at all; the empty set where no arm can."""
    return arms_bind(union, around, 0) or set()


def arms_bind(union: Union, around: AbstractSet[str], depth: int) -> set[str] | None:
    """Names that every arm binds that can hold at all; None where no arm can. ``depth`` is how deep it stands."""
    if depth > MAX_NESTING:
        raise InvalidIR(f"nesting: bodies stand within bodies more than {MAX_NESTING} deep", union.span)
    common: set[str] | None = None
    for arm in union.arms:
        names, empty = _bound(arm, around, depth + 1)
        if not empty:
            common = names if common is None else common & names
    return common


def close(closures: list[Closure], found: set[str], around: AbstractSet[str]) -> None:
    """Adds to ``found`` what closures of zero or more steps pass on from one end to the other."""
    beside: dict[str, list[str]] = {}
    reached: list[str] = []
    for closure in closures:
        match closure.subject, closure.object:
            case Var(left), Var(right):
                beside.setdefault(left, []).append(right)
                beside.setdefault(right, []).append(left)
            case (Var(name), _) | (_, Var(name)):
                reached.append(name)
    reached += [name for name in beside if name in found or name in around]
    seen = set(reached)
    while reached:
        name = reached.pop()
        for other in beside.get(name, ()):
            if other not in seen:
                seen.add(other)
                reached.append(other)
    for closure in closures:
        found.update(t.name for t in (closure.subject, closure.object) if isinstance(t, Var) and t.name in seen)


def _bound(body: Body, around: AbstractSet[str], depth: int) -> tuple[set[str], bool]:
    """What a body binds, and whether it plainly never holds."""
    terms: list[Term] = []
    unions: list[Union] = []
    closures: list[Closure] = []
    empty = False
    for conjunct in body.conjuncts:
        match conjunct:
            case Triple(subject, predicate, object_):
                terms += (subject, predicate, object_)
            case InstanceOf(term):
                terms.append(term)
            case Member(term, values):
                terms.append(term)
                empty = empty or not values
            case Compare() | Not():
                pass
            case Confidence(subject, predicate, object_, value):
                terms += (subject, predicate, object_, value)
            case Union():
                unions.append(conjunct)
            case Project(outputs):
                terms += outputs
            case Count(result, _, _, group):
                terms += (result, *group)
            case Extreme() | TopK():
                terms.append(conjunct.item)
            case Path(nodes, relations):
                terms += (*nodes, *relations)
            case Closure(subject, _, object_, minimum):
                if minimum:
                    terms += (subject, object_)
                else:
                    closures.append(conjunct)
    found = {term.name for term in terms if type(term) is Var}
    if closures:
        close(closures, found, around)
    for union in unions:
        names = arms_bind(union, around | found, depth)
        if names is None:
            empty = True
        else:
            found |= names
    if closures and unions:
        close(closures, found, around)
    return found, empty
