"""Minimize: leaves out what the rest of a query says already.

A conjunct goes where the whole body follows from the others: where there is a mapping of the body's own variables
(those that nothing outside looks at) to terms, under which each conjunct is one of the others or is implied by some
(:mod:`pylf.ir.containment`). What the mapping does not need goes with it, as ``?x r ?z, ?z < 5`` beside
``?x r ?y, ?y < 5``. So the second of two negations goes where its body is within the first one's, and the arm of a
union that is within another arm. The body of a negation is read beside what holds around it: what stands there need
not be said again, and a negation of what holds never holds.

It is sound because what is left is a part of the body, so it follows from the body, and the body follows from it. Left
alone are paths, whose hops keep their order; whatever would leave a variable without a binding; and every query whose
search takes too long.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pylf.ir import build
from pylf.ir.containment import SpentError, Standing
from pylf.ir.facts import CASES, Facts, binders, disjuncts
from pylf.ir.homomorphism import Search
from pylf.ir.mentions import mentions
from pylf.ir.nodes import (
    Body,
    Closure,
    Compare,
    Confidence,
    Count,
    Extreme,
    Form,
    InstanceOf,
    Member,
    Not,
    Path,
    Project,
    TopK,
    Triple,
    Union,
)
from pylf.ir.scope import bound, never, never_holds
from pylf.ir.terms import Iri, Var
from pylf.ir.traverse import bodies, walk, with_bodies
from pylf.ir.types import RelationType
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from pylf.ir.facts import Fact
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.passes.context import Context
    from pylf.ir.terms import Term

#: Steps of all searches for one query.
STEPS = 500

_NOTHING: frozenset[str] = frozenset()


def run(query: Query, context: Context) -> Query:
    """The query without what the rest of it says already."""
    if not _may_fold(query):
        return query
    minimizer = _Minimizer(Standing(context.schema, context.vocabulary, STEPS))
    body = minimizer.body(query.body, frozenset([output.name for output in query.outputs]), _ALONE)
    if body is query.body:
        return query
    found = build.query(query.form, query.outputs, body, query.types, query.span)
    return query if _lost(found) else found


# --- is there anything to fold? -----------------------------------------------------------------------------------


def _may_fold(query: Query) -> bool:
    """Whether two conjuncts are alike at all. Where one can never hold, variables need no binding: then not either."""
    seen: set[Hashable] = set()
    alike = False
    for conjunct in walk(query):
        if isinstance(conjunct, Union | Member) and never_holds(conjunct):
            return False
        if not alike:
            keys = _keys(conjunct)
            alike = None in keys or not seen.isdisjoint(keys)
            seen.update(keys)
    return alike


def _keys(conjunct: Conjunct) -> tuple[Hashable, ...]:
    """What conjuncts share of which one may be mapped onto the other; None is shared with all."""
    match conjunct:
        case Triple(_, predicate) | Confidence(_, predicate):
            return (predicate if type(predicate) is Iri else None,)
        case InstanceOf(term) | Member(term):
            return ((type(conjunct), term),)
        case Compare(_, left, right):
            return ((Compare, left), (Compare, right))
        case Path(_, relations):
            return tuple([relation if type(relation) is Iri else None for relation in relations])
        case Closure(_, relation):
            return (relation,)
        case _:
            return ()


def _lost(query: Query) -> bool:
    """Whether a query has lost what its form or a type needs: its count, or the predicate that is typed as one."""
    if query.form is Form.NUMBER and not any(isinstance(conjunct, Count) for conjunct in query.body.conjuncts):
        return True
    relations = {name for name, type_ in query.types if isinstance(type_, RelationType)}
    if relations:
        for conjunct in walk(query):
            match conjunct:
                case Triple(_, Var(name)) | Confidence(_, Var(name)):
                    relations.discard(name)
                case Path(_, steps):
                    relations.difference_update([step.name for step in steps if isinstance(step, Var)])
                case _:
                    pass
    return bool(relations)


# --- bodies -------------------------------------------------------------------------------------------------------


@record(eq=False)
class _Place:
    """Where a body stands: what holds around it, the variables that are visible there, and the keys of what holds.
    ``given`` says whether it may stand in for a conjunct of the body: not where the body has to bind its variables."""

    facts: Facts | None = None
    visible: frozenset[str] = _NOTHING
    keys: frozenset[Hashable] = frozenset()
    given: bool = False


_ALONE = _Place()


class _Minimizer:
    """Minimizes the bodies of a query, the outer ones first; ``rules`` counts the steps of all searches.

    Each step leaves the whole query as it was in meaning, and goes by what the steps before it have left: two negations
    are never each left out, or cut short, on account of what the other one said at first.
    """

    def __init__(self, rules: Standing) -> None:
        self.rules = rules

    def body(self, body: Body, seen: frozenset[str], place: _Place) -> Body:
        """The body without what follows from the rest. ``seen`` are variables that something outside looks at."""
        conjuncts = list({id(conjunct): conjunct for conjunct in body.conjuncts}.values())
        visible = place.visible.union(bound(body, place.visible))
        conjuncts = self.fold(conjuncts, seen, visible, place)
        changed = len(conjuncts) < len(body.conjuncts)
        index = 0
        while index < len(conjuncts):
            conjunct = conjuncts[index]
            if isinstance(conjunct, Not | Union | Project | Count | Extreme | TopK):
                new = self.operator(index, conjuncts, seen, visible, place)
                if never(new):
                    return new
                if len(new.conjuncts) != 1 or new.conjuncts[0] is not conjunct:
                    conjuncts[index : index + 1] = new.conjuncts
                    changed = True
                    index += len(new.conjuncts)
                    continue
            index += 1
        return build.join(*conjuncts) if changed else body

    # --- conjuncts ------------------------------------------------------------------------------------------------

    def fold(
        self, conjuncts: list[Conjunct], seen: frozenset[str], visible: frozenset[str], place: _Place
    ) -> list[Conjunct]:
        """The conjuncts without those that follow from the others, the later ones first."""
        around = place.keys if place.given else frozenset()
        while True:
            counts = Counter([key for conjunct in conjuncts for key in set(_all_keys(conjunct))])
            alike = [c for c in conjuncts if _has_twin(c, counts, around)]
            if not alike:
                return conjuncts
            facts = Facts(_flat(conjuncts), place.facts if place.given else None, visible)
            free = binders(Body(tuple(conjuncts))) - seen
            alike = [c for c in alike if _may_follow(c, facts, free)]
            if not alike:
                return conjuncts
            beside: dict[str, list[Conjunct]] = {}
            for conjunct in conjuncts:
                for name in mentions(conjunct):
                    beside.setdefault(name, []).append(conjunct)
            for conjunct in reversed(alike):
                without = frozenset((id(conjunct),))
                search = Search(facts, self.rules, free, visible - free, beside=beside, without=without)
                if not self.found(search, [conjunct]):
                    continue
                needed, mapped = set(map(id, search.used)), set(map(id, search.mapped))
                left = [c for c in conjuncts if c is not conjunct and (id(c) not in mapped or id(c) in needed)]
                if _stands(conjuncts, left, seen, visible, place):
                    conjuncts = left
                    break
            else:
                return conjuncts

    def found(self, search: Search, agenda: Iterable[Conjunct]) -> bool:
        """Whether a search finds what it looks for within the steps that are left."""
        try:
            return search.holds(list(agenda))
        except SpentError:
            return False

    # --- what stands within ---------------------------------------------------------------------------------------

    def operator(
        self, index: int, conjuncts: list[Conjunct], seen: frozenset[str], visible: frozenset[str], place: _Place
    ) -> Body:
        """A conjunct of a body with what is within it minimized."""
        conjunct = conjuncts[index]
        match conjunct:
            case Not(body):
                inside = self.inside(conjunct, conjuncts, visible, place, given=True)
                inner = self.body(body, visible, inside)
                return Body((conjunct,)) if inner is body else build.negate(inner, conjunct.span, conjunct.apart)
            case Union(arms):
                others = [mentions(other) for other in conjuncts if other is not conjunct]
                outside = seen.union(place.visible, *others)
                inside = self.inside(conjunct, conjuncts, visible, place, given=False)
                new = self.arms([self.body(arm, outside, inside) for arm in arms], outside, inside)
                same = len(new) == len(arms) and all(a is b for a, b in zip(new, arms, strict=True))
                return Body((conjunct,)) if same else build.union(new, conjunct.span)
            case Project(outputs, body):
                exported = outputs
            case Count(_, of, body, group):
                exported = (of, *group)
            case Extreme(_, item, key, body) | TopK(_, _, item, key, body):
                exported = (item, key)
            case _:
                return Body((conjunct,))
        inner = self.body(body, frozenset([variable.name for variable in exported]), _ALONE)
        if inner is body:
            return Body((conjunct,))
        if never(inner) and not (isinstance(conjunct, Count) and not conjunct.group):
            return Body((Union((), conjunct.span),))
        return Body((with_bodies(conjunct, (inner,)),))

    def inside(
        self, conjunct: Conjunct, conjuncts: list[Conjunct], visible: frozenset[str], place: _Place, given: bool
    ) -> _Place:
        """The place of a body within a conjunct: beside the others, and all that is around them."""
        others = [other for other in conjuncts if other is not conjunct]
        keys = place.keys.union([key for other in others for key in _all_keys(other)])
        if not given:
            visible = place.visible.union(bound(Body(tuple(others)), place.visible))
        return _Place(Facts(_flat(others), place.facts, visible), visible, keys, given)

    def arms(self, arms: list[Body], outside: frozenset[str], place: _Place) -> list[Body]:
        """The arms without those that are within another one, the later ones first."""
        kept = list(arms)
        for arm in reversed(arms):
            rest = [other for other in kept if other is not arm]
            if any(self.within(arm, other, outside, place) for other in rest):
                kept = rest
        return kept

    def within(self, arm: Body, other: Body, outside: frozenset[str], place: _Place) -> bool:
        """Whether an arm implies another one, beside what holds around them."""
        if arm == other:
            return True
        keys = set(place.keys).union([key for conjunct in arm.conjuncts for key in _all_keys(conjunct)])
        steps = [key for conjunct in other.conjuncts if _is_step(conjunct) for key in _keys(conjunct)]
        if None not in keys and not keys.issuperset([key for key in steps if key is not None]):
            return False
        free = binders(other) - outside
        fixed = place.visible.union(outside) - free
        for case in disjuncts([(conjunct, None) for conjunct in arm.conjuncts], CASES):
            facts = Facts(case, place.facts)
            search = Search(facts, self.rules, free, fixed)
            if not self.found(search, other.conjuncts):
                return False
        return True


def _flat(conjuncts: Iterable[Conjunct]) -> list[Fact]:
    """What the conjuncts say, with unions whole."""
    return disjuncts([(conjunct, conjunct) for conjunct in conjuncts], 1)[0]


def _is_step(conjunct: Conjunct) -> bool:
    return isinstance(conjunct, Triple | Confidence | Path)


def _all_keys(conjunct: Conjunct) -> list[Hashable]:
    """The keys of a conjunct beside others, and of the positive ones within it."""
    keys: list[Hashable] = []
    todo = [conjunct]
    while todo:
        one = todo.pop()
        match one:
            case Union() | Project():
                keys.append(type(one).__name__)
                todo += [inner for body in bodies(one) for inner in body.conjuncts]
            case Not() | Count() | Extreme() | TopK():
                keys.append(type(one).__name__)
            case _:
                keys += _keys(one)
    return keys


def _has_twin(conjunct: Conjunct, counts: Counter[Hashable], around: frozenset[Hashable]) -> bool:
    if isinstance(conjunct, Path):
        return False
    keys = _all_keys(conjunct)
    wild = None in counts or None in around
    return any(counts[key] > 1 or key in around or (wild and _is_step(conjunct)) for key in keys)


def _may_follow(conjunct: Conjunct, facts: Facts, free: set[str]) -> bool:
    """Whether a triple is like another one, or a negation is about what another one is about: a quick look."""
    match conjunct:
        case Triple(subject, predicate, object_):
            near = None if isinstance(predicate, Var) and predicate.name in free else predicate
            return any(
                origin is not conjunct and _fits(subject, triple.subject, free) and _fits(object_, triple.object, free)
                for triple, origin in facts.triples(near)
            )
        case Not(body):
            own = {key for inner in body.conjuncts for key in _all_keys(inner)}
            return None in own or any(
                origin is not conjunct and all(key in own or facts.names_relation(key) for key in _steps(other.body))
                for other, origin in facts.of(Not)
            )
        case _:
            return True


def _fits(term: Term, other: Term, free: set[str]) -> bool:
    return term == other or (type(term) is Var and term.name in free)


def _steps(body: Body) -> set[Iri]:
    """The relations of the triples that a body says outright."""
    return {c.predicate for c in body.conjuncts if isinstance(c, Triple) and isinstance(c.predicate, Iri)}


def _stands(
    before: list[Conjunct], after: list[Conjunct], seen: frozenset[str], visible: frozenset[str], place: _Place
) -> bool:
    """Whether all that is still looked at is bound, and paths are as they were."""
    binds = bound(Body(tuple(after)), place.visible)
    if not place.given and not seen.intersection(bound(Body(tuple(before)), place.visible)) <= binds:
        return False
    used = frozenset([name for conjunct in after for name in mentions(conjunct)])
    if not used & visible <= binds | place.visible:
        return False
    return not any(isinstance(c, Path) and all(c is not other for other in after) for c in before)
