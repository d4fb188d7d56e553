"""What is bound where: the one rule of visibility that verification, passes and emission share.

Triples, instance-of, membership, confidences, paths and the exports of operators *bind* variables. Comparisons and
negations only use them. A closure of at least one step binds both ends, like a triple; one of zero or more steps
passes on what one of its ends already has. A union binds what each of its arms binds; an arm that can never hold
binds everything, as a universal claim over nothing.

What is only bound in some solutions is *open* (:mod:`pylf.ir.nodes`): :func:`bound` leaves it out, :func:`opened` and
:func:`openings` name it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import InvalidIR
from pylf.ir.expressions import names_in
from pylf.ir.nodes import (
    Aggregate,
    Body,
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
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from pylf.ir.nodes import Conjunct
    from pylf.ir.terms import Term

#: How deep bodies may stand within bodies: deep enough for any question, shallow enough for any stack.
MAX_NESTING = 100

_NOTHING: frozenset[str] = frozenset()
#: The conjuncts that are seen in their own body alone.
LATE = frozenset((LeftJoin, Extend))
#: The conjuncts that wait for those which bind for certain: they are no atoms, and stay in the body where they stand.
STAGED = frozenset((LeftJoin, Extend, Condition))
_UNION = frozenset((Union,))
#: The conjuncts that may bind what is open.
OPENING = frozenset((LeftJoin, Extend, Aggregate, Slice, Union))


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


def opened(body: Body, around: AbstractSet[str] = _NOTHING, depth: int = 0) -> set[str]:
    """Names of the variables that a body binds and may leave open, given what is bound ``around`` it.

    Raises:
        InvalidIR: bodies nest deeper than MAX_NESTING.
    """
    if not _may_open(body, depth):
        return set()
    certain = _bound(body, around, depth)[0].union(around)
    return {name for _, names in openings(body, certain, depth) for name in names}


def openings(body: Body, certain: AbstractSet[str], depth: int = 0) -> list[tuple[Conjunct, set[str]]]:
    """The conjuncts of a body that bind variables and may leave them open, with their names; ``certain`` are those
    that are bound in the body or around it."""
    if OPENING.isdisjoint(map(type, body.conjuncts)):
        return []
    found: list[tuple[Conjunct, set[str]]] = []
    for conjunct in body.conjuncts:
        match conjunct:
            case LeftJoin(inner):
                _check(depth, conjunct)
                names = _bound(inner, certain, depth + 1)[0] | opened(inner, certain, depth + 1)
                names.difference_update(certain)
            case Extend(result):
                names = {result.name}
            case Aggregate() | Slice():
                _check(depth, conjunct)
                exported = conjunct.outputs if isinstance(conjunct, Slice) else conjunct.group
                names = {variable.name for variable in exported}
                if isinstance(conjunct, Aggregate):
                    names.update([reduction.result.name for reduction in conjunct.reductions])
                names -= _closed(conjunct, depth)
            case Union():
                names = opened_by_arms(conjunct, certain, depth)
            case _:
                continue
        if names:
            found.append((conjunct, names))
    return found


def _may_open(body: Body, depth: int) -> bool:
    """Whether a body has any conjunct that binds what may be open."""
    kinds = OPENING.intersection(map(type, body.conjuncts))
    if kinds == _UNION:
        return any(isinstance(conjunct, Union) and arms_may_open(conjunct, depth) for conjunct in body.conjuncts)
    return bool(kinds)


def arms_may_open(union: Union, depth: int = 0) -> bool:
    """Whether an arm has any conjunct that binds what may be open."""
    _check(depth, union)
    return any(not OPENING.isdisjoint(map(type, arm.conjuncts)) and _may_open(arm, depth + 1) for arm in union.arms)


def opened_by_arms(union: Union, certain: AbstractSet[str], depth: int = 0) -> set[str]:
    """Names that every arm binds that can hold at all, and some arm may leave open."""
    if not arms_may_open(union, depth):
        return set()
    loose = [opened(arm, certain, depth + 1) for arm in union.arms]
    if not any(loose):
        return set()
    common: set[str] | None = None
    left: set[str] = set()
    for arm, opens in zip(union.arms, loose, strict=True):
        names, empty = _bound(arm, certain, depth + 1)
        if not empty:
            left |= opens
            common = names | opens if common is None else common & (names | opens)
    return set() if common is None else (common & left).difference(certain)


def in_dependence(extensions: Sequence[Extend]) -> tuple[list[Extend], Extend | None]:
    """Extensions, each after those that it looks at; and the first of those that look at one another in a circle, or
    at what does, which are left out."""
    results = {extension.result.name for extension in extensions}
    waits = [names_in(extension.expression) & results for extension in extensions]
    looked_at_by: dict[str, list[int]] = {}
    for place, names in enumerate(waits):
        for name in names:
            looked_at_by.setdefault(name, []).append(place)
    left = list(map(len, waits))
    found: list[int] = []
    ready = [place for place, count in enumerate(left) if not count]
    while ready:
        found += ready
        following = []
        for name in [extensions[place].result.name for place in ready]:
            for place in looked_at_by.get(name, ()):
                left[place] -= 1
                if not left[place]:
                    following.append(place)
        ready = sorted(following)
    stuck = next((extension for place, extension in enumerate(extensions) if left[place]), None)
    return [extensions[place] for place in found], stuck


def _closed(conjunct: Aggregate | Slice, depth: int) -> set[str]:
    """Names that a closed body exports and that are bound in every row."""
    inside = _bound(conjunct.body, _NOTHING, depth + 1)[0]
    if isinstance(conjunct, Slice):
        return {output.name for output in conjunct.outputs if output.name in inside}
    found = {variable.name for variable in conjunct.group if variable.name in inside}
    for one in conjunct.reductions:
        match one.of:
            case _ if one.function == "count":
                found.add(one.result.name)
            case Var(name) if conjunct.group and one.function in ("min", "max", "sample") and name in inside:
                found.add(one.result.name)
    return found


def _check(depth: int, conjunct: Conjunct) -> None:
    if depth > MAX_NESTING:
        raise InvalidIR(f"nesting: bodies stand within bodies more than {MAX_NESTING} deep", conjunct.span)


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
    _check(depth, union)
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
    closed: set[str] | None = None
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
            case Aggregate() | Slice():
                _check(depth, conjunct)
                closed = (closed or set()) | _closed(conjunct, depth)
            case LeftJoin() | Condition() | Extend():
                pass
    found = {term.name for term in terms if type(term) is Var}
    if closed:
        found |= closed
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
