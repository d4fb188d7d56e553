"""The conjuncts of a body as a reader takes them: one by one, and in an order in which each follows from what it needs.

Two conjuncts that only make sense together are one unit: ``?x rdfs:label ?l`` and ``?l in ("Boeing", "Boeing"@en)``
say that ?x is labelled "Boeing".
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

from pylf.ir.mentions import mentions
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Closure,
    Compare,
    Condition,
    Count,
    Extend,
    Extreme,
    LeftJoin,
    Member,
    Not,
    Project,
    Slice,
    TopK,
    Triple,
    Union,
)
from pylf.ir.scope import bound, openings, union_exports
from pylf.ir.terms import Iri, Literal, Var

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from collections.abc import Set as AbstractSet

    from pylf.errors import Span
    from pylf.ir.nodes import Conjunct
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Constant, Term

_NO_NAMES: frozenset[str] = frozenset()
_MANY = 1 << 50


class Label(NamedTuple):
    """What a unit says that says a label: the term that bears it, the variable for it, and the spellings asked for."""

    bearer: Term
    variable: Var
    predicates: tuple[Iri, ...]
    values: tuple[Constant, ...]


class Unit(NamedTuple):
    """One conjunct, or the two that say a label; ``number`` is its place in the body."""

    conjuncts: tuple[Conjunct, ...]
    number: int
    mentions: frozenset[str]
    label: Label | None = None

    @property
    def first(self) -> Conjunct:
        """The conjunct, or the first of several."""
        return self.conjuncts[0]

    @property
    def span(self) -> Span | None:
        """Where it comes from, as far as that is known."""
        return next((conjunct.span for conjunct in self.conjuncts if conjunct.span is not None), None)


def units_of(body: Body, vocabulary: Vocabulary, shown: Collection[str] = ()) -> list[Unit]:
    """The units of a body, in its order. ``shown`` variables are more than a part of a label."""
    named = [mentions(conjunct) for conjunct in body.conjuncts]
    uses: dict[str, int] = {}
    for names in named:
        for name in names:
            uses[name] = uses.get(name, 0) + 1
    members = {
        conjunct.term.name: number
        for number, conjunct in enumerate(body.conjuncts)
        if isinstance(conjunct, Member) and isinstance(conjunct.term, Var) and uses[conjunct.term.name] == 2
    }
    labels: dict[int, Label] = {}
    partners: set[int] = set()
    for number, conjunct in enumerate(body.conjuncts):
        match _label_of(conjunct, vocabulary):
            case (bearer, Var(name) as variable, predicates) if name in members and name not in shown:
                member = body.conjuncts[members[name]]
                assert isinstance(member, Member)
                if member.values:
                    labels[number] = Label(bearer, variable, predicates, member.values)
                    partners.add(members[name])
    units = []
    for number, (conjunct, names) in enumerate(zip(body.conjuncts, named, strict=True)):
        if number in partners:
            continue
        label = labels.get(number)
        if label is None:
            units.append(Unit((conjunct,), number, names))
        else:
            member = body.conjuncts[members[label.variable.name]]
            units.append(Unit((conjunct, member), number, names - {label.variable.name}, label))
    return units


def _label_of(conjunct: Conjunct, vocabulary: Vocabulary) -> tuple[Term, Var, tuple[Iri, ...]] | None:
    """Bearer, variable and predicates of a conjunct that asks for a label."""
    match conjunct:
        case Triple(subject, Iri(predicate), Var() as label) if predicate in vocabulary.label_predicates:
            return subject, label, (Iri(predicate),)
        case Union((Body((Triple() as first,)), *_) as arms):
            told = [_label_of(arm.conjuncts[0], vocabulary) for arm in arms if len(arm.conjuncts) == 1]
            found = _label_of(first, vocabulary)
            if found is None or len(told) != len(arms) or any(t is None or t[:2] != found[:2] for t in told):
                return None
            return found[0], found[1], tuple([t[2][0] for t in told if t is not None])
    return None


def label_text(values: tuple[Constant, ...]) -> str | None:
    """The one text that labels asked for spell, whatever their tags; None where they differ or are no literals."""
    texts = {value.lexical if isinstance(value, Literal) else None for value in values}
    return texts.pop() if len(texts) == 1 else None


#: What is looked at once all has a value that has to have one, in the order in which it is.
STAGES = (LeftJoin, Extend, Condition)


def needs(unit: Unit, visible: AbstractSet[str]) -> frozenset[str]:
    """The variables that must have values before a unit can be looked at; of ``visible`` ones in its body."""
    match unit.first:
        case Compare() | Condition():
            return unit.mentions
        case Extend(result):
            return unit.mentions - {result.name}
        case LeftJoin():
            return unit.mentions & visible
        case Not():
            return unit.mentions & visible
        case Union() as union if unit.label is None:
            return (unit.mentions & visible) - union_exports(union, _NO_NAMES)
        case _:
            return _NO_NAMES


def reading_order(units: list[Unit], body: Body, scope: AbstractSet[str]) -> tuple[list[Unit], list[Unit]]:
    """The units from what is known on, a comparison right after what it compares, negations last."""

    def rank(unit: Unit, known: AbstractSet[str]) -> tuple[int, int]:
        match unit.first:
            case Compare():
                return 0, 0
            case Not():
                return 3, 0
            case LeftJoin() | Extend() | Condition():
                return 4, STAGES.index(type(unit.first))
            case _:
                return (1 if unit.mentions & known else 2), 0

    return ordered(units, body, scope, rank)


def working_order(
    units: list[Unit], body: Body, scope: AbstractSet[str], estimate: Callable[[Unit], int]
) -> tuple[list[Unit], list[Unit]]:
    """The units in the order of work: checks as soon as they can be made, sub-queries, then what hangs together, the
    most selective first, negations last; of equals the first written."""

    def rank(unit: Unit, known: AbstractSet[str]) -> tuple[int, int]:
        match unit.first:
            case Not():
                return 4, 0
            case LeftJoin() | Extend() | Condition():
                return 5, STAGES.index(type(unit.first))
            case Project() | Count() | Extreme() | TopK() | Aggregate() | Slice():
                return 1, 0
        if unit.mentions <= known:
            return 0, 0
        if isinstance(unit.first, Member) and any(isinstance(value, Literal) for value in unit.first.values):
            # a list of values tests what something has; it is no thing to start from
            return 3, _MANY
        return (2 if unit.mentions & known else 3), estimate(unit)

    return ordered(units, body, scope, rank)


def search_order(
    units: list[Unit], body: Body, scope: AbstractSet[str], estimate: Callable[[Conjunct], int]
) -> tuple[list[Unit], list[Unit]]:
    """The units in an order in which a dead end shows early: whatever can be checked, then what leads on to least."""

    def rank(unit: Unit, known: AbstractSet[str]) -> tuple[int, int]:
        if isinstance(unit.first, STAGES):
            return 3, STAGES.index(type(unit.first))
        if unit.mentions <= known or isinstance(unit.first, Compare | Not):
            return 0, 0
        return (1 if unit.mentions & known else 2), estimate(unit.first)

    return ordered(units, body, scope, rank)


def ordered(
    units: list[Unit],
    body: Body,
    scope: AbstractSet[str],
    rank: Callable[[Unit, AbstractSet[str]], tuple[int, int]],
) -> tuple[list[Unit], list[Unit]]:
    """The units by rank, each once it can be looked at; and those that never can be (they need one another)."""
    visible = bound(body, scope) | scope
    known = set(scope)
    missing = [set(needs(unit, visible)) - known for unit in units]
    # what some units may leave open is looked at after them
    visible = visible.union(*[names for _, names in openings(body, visible)])
    looking: dict[str, list[int]] = {}
    for index, unit in enumerate(units):
        for name in unit.mentions:
            looking.setdefault(name, []).append(index)

    def ready(index: int) -> bool:
        match units[index].first:
            case Closure(subject, _, object_, 0):
                return any(not isinstance(end, Var) or end.name in known for end in (subject, object_))
            case _:
                return not missing[index]

    done = [False] * len(units)
    heap = [(rank(unit, known), index) for index, unit in enumerate(units) if ready(index)]
    heapify(heap)
    out: list[Unit] = []
    while heap:
        _, index = heappop(heap)
        if done[index]:
            continue
        done[index] = True
        out.append(units[index])
        for name in (units[index].mentions & visible) - known:
            known.add(name)
            for other in looking[name]:
                missing[other].discard(name)
                if not done[other] and ready(other):
                    heappush(heap, (rank(units[other], known), other))
    return out, [unit for unit, finished in zip(units, done, strict=True) if not finished]
