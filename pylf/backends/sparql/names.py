"""Names: every variable of a query gets one of its own, so that bodies can be repeated, moved out and spliced in."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

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
from pylf.ir.scope import bound
from pylf.ir.terms import Var

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pylf.ir.nodes import Conjunct
    from pylf.ir.terms import Term


class Apart:
    """Standardizes apart: no two variables share a name, whatever scopes they live in.

    A name keeps its spelling where it is the first of its kind; outputs are the very first. What is unchanged stays
    the same object. ``uses`` counts where each new name stands, ``origin`` tells the old name, ``source`` the node
    that a superlative or count was made from (nodes by ``id``; all are kept alive by the query and by this object).
    """

    def __init__(self, outputs: Iterable[Var]) -> None:
        self.origin: dict[str, str] = {}
        self.uses: dict[str, int] = {}
        self.source: dict[int, Conjunct] = {}
        self._copies: list[Conjunct] = []
        #: the new variable of every name that can be seen; how many of them are spelled otherwise
        self._visible: dict[str, Var] = {}
        self._changed = 0
        self._suffixes: dict[str, int] = {}
        for output in outputs:
            self._visible[output.name] = output
            self.origin[output.name] = output.name
            self.uses[output.name] = 1

    def query_body(self, body: Body) -> Body:
        """The outermost body, which binds the outputs."""
        return self._body(body)

    def copy(self, body: Body, wanted: tuple[Var, ...]) -> tuple[Body, tuple[Var, ...]]:
        """The body with new names for all of its variables, and the new names of those ``wanted``."""
        return self._closed(body, (), wanted)

    def fresh(self, wish: str) -> Var:
        """A variable with a new name that is, or begins like, the one wished for."""
        name = wish
        if name in self.uses:
            stem = wish.rstrip("0123456789").rstrip("_") or wish
            number = self._suffixes.get(stem, 1)
            while name in self.uses:
                number += 1
                name = f"{stem}_{number}"
            self._suffixes[stem] = number
        self.uses[name] = 0
        self.origin[name] = self.origin.get(wish, wish)
        return Var(name)

    # --- scopes ---------------------------------------------------------------------------------------------------

    def _body(self, body: Body) -> Body:
        """A body that sees what is visible; what it binds besides is its own."""
        visible = self._visible
        new = self._declare([name for name in bound(body, visible.keys()) if name not in visible])
        conjuncts = tuple([self._conjunct(conjunct) for conjunct in body.conjuncts])
        if new:
            self._forget(new)
        return body if _same(conjuncts, body.conjuncts) else Body(conjuncts)

    def _closed(self, body: Body, exported: tuple[Var, ...], wanted: tuple[Var, ...]) -> tuple[Body, tuple[Var, ...]]:
        """A body that sees nothing but the names that its exports have outside."""
        around = self._visible, self._changed
        self._visible = {var.name: around[0][var.name] for var in exported if var.name in around[0]}
        self._changed = sum(name != var.name for name, var in self._visible.items())
        names = {*bound(body), *[var.name for var in wanted]}
        self._declare([name for name in names if name not in self._visible])
        inner = self._body(body)
        found = self._vars(wanted)
        self._visible, self._changed = around
        return inner, found

    def _declare(self, names: list[str]) -> list[str]:
        """Makes names visible that are not, each under a new name where it is taken."""
        uses = self.uses
        if not uses.keys().isdisjoint(names):
            names.sort()  # the new names depend on the order
        for name in names:
            if name in uses:
                self._visible[name] = self.fresh(name)
                self._changed += 1
            else:
                uses[name] = 0
                self.origin[name] = name
                self._visible[name] = Var(name)
        return names

    def _forget(self, names: list[str]) -> None:
        for name in names:
            self._changed -= self._visible.pop(name).name != name

    # --- nodes ----------------------------------------------------------------------------------------------------

    def _var(self, var: Var) -> Var:
        name = var.name
        if self._changed:
            var = self._visible.get(name, var)
            name = var.name
        self.uses[name] = self.uses.get(name, 0) + 1
        return var

    def _term(self, term: Term) -> Term:
        return self._var(term) if type(term) is Var else term

    def _vars(self, variables: tuple[Var, ...]) -> tuple[Var, ...]:
        return tuple([self._var(var) for var in variables])

    def _conjunct(self, conjunct: Conjunct) -> Conjunct:
        term = self._term
        new: Conjunct
        match conjunct:
            case Triple(subject, predicate, object_):
                if self._changed:
                    return Triple(term(subject), term(predicate), term(object_), conjunct.span)
                uses = self.uses
                for place in (subject, predicate, object_):
                    if type(place) is Var:
                        uses[place.name] += 1
                return conjunct
            case InstanceOf(instance, classes):
                t = term(instance)
                return InstanceOf(t, classes, conjunct.span) if self._changed else conjunct
            case Compare(op, left, right, kind):
                near, far = term(left), term(right)
                return Compare(op, near, far, kind, conjunct.span) if self._changed else conjunct
            case Member(member, values):
                t = term(member)
                return Member(t, values, conjunct.span) if self._changed else conjunct
            case Not(body):
                inner = self._body(body)
                return conjunct if inner is body else Not(inner, conjunct.span)
            case Union(arms):
                inners = [self._body(arm) for arm in arms]
                return conjunct if _same(inners, arms) else Union(tuple(inners), conjunct.span)
            case Confidence(subject, predicate, object_, value):
                return Confidence(term(subject), term(predicate), term(object_), self._var(value), conjunct.span)
            case Path(nodes, relations, forward):
                walk = tuple([term(node) for node in nodes]), tuple([term(relation) for relation in relations])
                return Path(*walk, forward, conjunct.span)
            case Closure(subject, relation, object_, minimum):
                return Closure(term(subject), relation, term(object_), minimum, conjunct.span)
            case Project(outputs, body):
                inner, _ = self._closed(body, outputs, ())
                new = Project(self._vars(outputs), inner, conjunct.span)
            case Count(result, of, body, group):
                inner, (counted,) = self._closed(body, group, (of,))
                new = Count(self._var(result), counted, inner, self._vars(group), conjunct.span)
            case Extreme(direction, item, key, body, kind):
                inner, (by,) = self._closed(body, (item,), (key,))
                new = Extreme(direction, self._var(item), by, inner, kind, conjunct.span)
            case TopK(direction, k, item, key, body, kind):
                inner, (by,) = self._closed(body, (item,), (key,))
                new = TopK(direction, k, self._var(item), by, inner, kind, conjunct.span)
        self.source[id(new)] = self.source.get(id(conjunct), conjunct)
        self._copies.append(new)
        return new


def _same(new: Sequence[object], old: Sequence[object]) -> bool:
    return all(map(operator.is_, new, old))
