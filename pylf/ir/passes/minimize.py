"""Minimize: leaves out what the rest of a query says already.

A conjunct goes where the whole body follows from the others: where there is a mapping of the body's own variables
(those that nothing outside looks at) to terms, under which each conjunct is one of the others or is implied by some
(:mod:`pylf.ir.containment`). What the mapping does not need goes with it, as ``?x r ?z, ?z < 5`` beside
``?x r ?y, ?y < 5``. So the second of two negations goes where its body is within the first one's, and the arm of a
union that is within another arm. The body of a negation is read beside what holds around it: what stands there need
not be said again, and a negation of what holds never holds. Of a bag (:mod:`pylf.ir.passes.barriers`) every variable is
looked at.

It is sound because what is left is a part of the body, so it follows from the body, and the body follows from it. Left
alone are paths, whose hops keep their order; whatever would leave a variable without a binding; and every query whose
search takes too long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir import build
from pylf.ir.containment import SpentError, Standing
from pylf.ir.facts import CASES, Facts, binders, disjuncts
from pylf.ir.homomorphism import Search
from pylf.ir.mentions import mentions
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Count,
    Extreme,
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
from pylf.ir.passes.alike import Arm, all_keys, is_step, own_keys, says, triple_may_follow
from pylf.ir.passes.barriers import closed_over, looked_at, optional
from pylf.ir.scope import bound, never, never_holds
from pylf.ir.terms import Iri
from pylf.ir.traverse import bodies, walk, with_bodies

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from pylf.ir.facts import Fact
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.passes.alike import Pattern
    from pylf.ir.passes.context import Context

#: Steps of all searches for one query.
STEPS = 500

_NOTHING: frozenset[str] = frozenset()


def run(query: Query, context: Context) -> Query:
    """The query without what the rest of it says already."""
    if not _may_fold(query):
        return query
    # one for all turns: were each to have its own steps, a long query would have something left to do in every one
    rules = context.once("steps of minimize", _standing)
    if rules.spent:
        return query
    body = _Minimizer(rules).body(query.body, frozenset([output.name for output in query.outputs]), _ALONE)
    if body is query.body:
        return query
    return build.query(query.form, query.outputs, body, query.types, query.span)


def _standing(context: Context) -> Standing:
    return Standing(context.schema, context.vocabulary, STEPS)


# --- is there anything to fold? -----------------------------------------------------------------------------------


def _may_fold(query: Query) -> bool:
    """Whether two conjuncts are alike at all. Where one can never hold, variables need no binding: then not either."""
    seen: set[Hashable] = set()
    alike = False
    for conjunct in walk(query):
        if isinstance(conjunct, Union | Member) and never_holds(conjunct):
            return False
        if not alike:
            keys = own_keys(conjunct)
            alike = None in keys or not seen.isdisjoint(keys)
            seen.update(keys)
    return alike


# --- bodies -------------------------------------------------------------------------------------------------------


class _Place:
    """Where a body stands: what holds around it (the conjuncts ``beside`` it, and what is ``around`` these), the
    variables that are visible there, and the keys of what holds. ``given`` says whether it may stand in for a conjunct
    of the body: not where the body has to bind its variables."""

    __slots__ = ("_around", "_beside", "_facts", "given", "keys", "visible")

    def __init__(
        self,
        beside: list[Conjunct] | None = None,
        around: _Place | None = None,
        visible: frozenset[str] = _NOTHING,
        keys: frozenset[Hashable] = frozenset(),
        given: bool = False,
    ) -> None:
        self._beside = beside
        self._around = around
        self._facts: Facts | None = None
        self.visible = visible
        self.keys = keys
        self.given = given

    @property
    def facts(self) -> Facts | None:
        """What holds around the body; put together when it is first asked for, as for most it never is."""
        if self._facts is None and self._beside is not None:
            self._facts = Facts(_flat(self._beside), self._around.facts if self._around else None, self.visible)
        return self._facts

    def says(self, pattern: Pattern) -> bool:
        """Whether a triple that holds around the body fits a pattern."""
        if pattern[0] not in self.keys and None not in self.keys:
            return False
        return self.facts is not None and says(self.facts, pattern)


_ALONE = _Place()


class _Minimizer:
    """Minimizes the bodies of a query, the outer ones first; ``rules`` counts the steps of all searches.

    Each step leaves the whole query as it was in meaning, and goes by what the steps before it have left: two negations
    are never each left out, or cut short, on account of what the other one said at first.
    """

    def __init__(self, rules: Standing) -> None:
        self.rules = rules
        #: by the ``id`` of a conjunct, which is kept alive
        self._keys: dict[int, tuple[Conjunct, frozenset[Hashable]]] = {}
        self._mentions: dict[int, tuple[Conjunct, frozenset[str]]] = {}

    def keys(self, conjunct: Conjunct) -> frozenset[Hashable]:
        """The keys of a conjunct beside others, and of the positive ones within it."""
        known = self._keys.get(id(conjunct))
        if known is None:
            found = all_keys(conjunct) if bodies(conjunct) else own_keys(conjunct)
            known = self._keys[id(conjunct)] = (conjunct, frozenset(found))
        return known[1]

    def mentions(self, conjunct: Conjunct) -> frozenset[str]:
        """The variables that a conjunct looks at."""
        known = self._mentions.get(id(conjunct))
        if known is None:
            known = self._mentions[id(conjunct)] = (conjunct, mentions(conjunct))
        return known[1]

    def body(self, body: Body, seen: frozenset[str], place: _Place) -> Body:
        """The body without what follows from the rest. ``seen`` are variables that something outside looks at."""
        if self.rules.spent:
            return body
        conjuncts = list({id(conjunct): conjunct for conjunct in body.conjuncts}.values())
        visible = place.visible.union(bound(body, place.visible))
        conjuncts = self.fold(conjuncts, seen, visible, place)
        changed = len(conjuncts) < len(body.conjuncts)
        index = 0
        while index < len(conjuncts):
            conjunct = conjuncts[index]
            if bodies(conjunct):
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
        """The conjuncts without those that follow from the others, the later ones first.

        Each is tried once. What did not follow from all others does not follow from fewer; and what does, follows from
        what is left, since that implies what has gone.
        """
        around = place.keys if place.given else frozenset()
        once: set[Hashable] = set()
        twice = set(around)
        for conjunct in conjuncts:
            keys = self.keys(conjunct)
            twice |= once & keys
            once |= keys
        wild = None in once or None in around
        alike = [c for c in conjuncts if not twice.isdisjoint(self.keys(c)) or (wild and is_step(c))]
        alike = [c for c in alike if not isinstance(c, Path)]
        if not alike:
            return conjuncts
        facts = Facts(_flat(conjuncts), place.facts if place.given else None, visible)
        free = binders(Body(tuple(conjuncts))) - seen
        alike = [c for c in alike if self.may_follow(c, facts, free)]
        if not alike:
            return conjuncts
        beside: dict[str, list[Conjunct]] = {}
        for conjunct in conjuncts:
            for name in self.mentions(conjunct):
                beside.setdefault(name, []).append(conjunct)
        fixed = visible - free
        gone: set[int] = set()
        for conjunct in reversed(alike):
            if id(conjunct) in gone:
                continue
            without = frozenset((id(conjunct), *gone))
            search = Search(facts, self.rules, free, fixed, beside=beside, without=without)
            if not self.found(search, [conjunct]):
                if self.rules.spent:
                    break
                continue
            needed, mapped = set(map(id, search.used)), set(map(id, search.mapped))
            left = [c for c in conjuncts if c is not conjunct and (id(c) not in mapped or id(c) in needed)]
            if self.stands(conjuncts, left, seen, visible, place):
                gone.update(map(id, conjuncts))
                gone.difference_update(map(id, left))
                conjuncts = left
        return conjuncts

    def may_follow(self, conjunct: Conjunct, facts: Facts, free: set[str]) -> bool:
        """Whether a triple is like another one, or a negation is about what another one is about: a quick look."""
        match conjunct:
            case Triple():
                return triple_may_follow(conjunct, facts, free)
            case Not(body):
                own = {key for inner in body.conjuncts for key in self.keys(inner)}
                return None in own or any(
                    origin is not conjunct
                    and all(one in own or facts.names_relation(one) for one in _steps(other.body))
                    for other, origin in facts.of(Not)
                )
            case _:
                return True

    def stands(
        self,
        before: list[Conjunct],
        after: list[Conjunct],
        seen: frozenset[str],
        visible: frozenset[str],
        place: _Place,
    ) -> bool:
        """Whether all that is still looked at is bound, and paths are as they were."""
        binds = bound(Body(tuple(after)), place.visible)
        if not place.given and not seen.intersection(bound(Body(tuple(before)), place.visible)) <= binds:
            return False
        if not visible.intersection(_NOTHING.union(*map(self.mentions, after))) <= binds | place.visible:
            return False
        there = set(map(id, after))
        return not any(isinstance(conjunct, Path) and id(conjunct) not in there for conjunct in before)

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
                others = [self.mentions(other) for other in conjuncts if other is not conjunct]
                outside = seen.union(place.visible, *others)
                inside = self.inside(conjunct, conjuncts, visible, place, given=False)
                new = self.arms([self.body(arm, outside, inside) for arm in arms], outside, inside)
                same = len(new) == len(arms) and all(a is b for a, b in zip(new, arms, strict=True))
                return Body((conjunct,)) if same else build.union(new, conjunct.span)
            case LeftJoin(body):
                others = [self.mentions(other) for other in conjuncts if other is not conjunct]
                outside = seen.union(visible, *others)
                return Body((optional(conjunct, self.body(body, outside, _Place(visible=visible))),))
            case Aggregate() | Slice():
                return Body((closed_over(conjunct, self.body(conjunct.body, looked_at(conjunct), _ALONE)),))
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
        keys = place.keys.union(*map(self.keys, others))
        if not given:
            visible = place.visible.union(bound(Body(tuple(others)), place.visible))
        return _Place(others, place, visible, keys, given)

    def arms(self, arms: list[Body], outside: frozenset[str], place: _Place) -> list[Body]:
        """The arms without those that are within another one, the later ones first."""
        kept = [Arm(arm, outside) for arm in arms]
        for arm in kept:
            # what holds around all of them need not be said by another one
            arm.asks = {pattern for pattern in arm.asks if not place.says(pattern)}
        for arm in reversed(kept):
            if any(other is not arm and self.within(arm, other, outside, place) for other in kept):
                kept = [other for other in kept if other is not arm]
        return [arm.body for arm in kept] if len(kept) < len(arms) else arms

    def within(self, arm: Arm, other: Arm, outside: frozenset[str], place: _Place) -> bool:
        """Whether an arm implies another one, beside what holds around them."""
        if self.rules.spent:
            return False
        if not other.asks <= arm.says:
            return False
        if arm.body == other.body:
            return True
        fixed = place.visible.union(outside) - other.free
        for case in disjuncts([(conjunct, None) for conjunct in arm.body.conjuncts], CASES):
            facts = Facts(case, place.facts)
            search = Search(facts, self.rules, other.free, fixed)
            if not self.found(search, other.body.conjuncts):
                return False
        return True


def _flat(conjuncts: Iterable[Conjunct]) -> list[Fact]:
    """What the conjuncts say, with unions whole."""
    return disjuncts([(conjunct, conjunct) for conjunct in conjuncts], 1)[0]


def _steps(body: Body) -> set[Iri]:
    """The relations of the triples that a body says outright."""
    return {c.predicate for c in body.conjuncts if isinstance(c, Triple) and isinstance(c.predicate, Iri)}
