"""Names: every variable of a query gets one of its own, so that bodies can be repeated, moved out and spliced in."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from pylf.ir.expressions import names_in, with_terms_in
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
    Order,
    Path,
    Project,
    Slice,
    TopK,
    Triple,
    Union,
)
from pylf.ir.scope import bound, opened
from pylf.ir.terms import Var
from pylf.ir.traverse import terms, variables, walk
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.terms import Term

#: What has a scope that is moved or repeated.
_SCOPED = (Union, Project, Count, Extreme, TopK, Aggregate, Slice)


def plain(body: Body) -> bool:
    """True where a body has no scopes but those of negations and left joins, which stay where they
    are: names may stay as well."""
    for conjunct in body.conjuncts:
        if isinstance(conjunct, Not | LeftJoin):
            if not plain(conjunct.body):
                return False
        elif isinstance(conjunct, _SCOPED):
            return False
    return True


def met_counts(query: Query) -> frozenset[str]:
    """The names of counts that something else binds as well: in another arm of a union, or around a negation."""
    counted: set[str] = set()
    seen: set[str] = set()
    met: set[str] = set()
    for conjunct in walk(query):
        match conjunct:
            case Not() | Union() | Project() | Extreme() | TopK() | Compare() | LeftJoin() | Condition():
                continue
            case Count(result, _, _, group):
                names = {result.name, *[var.name for var in group]}
                counted.add(result.name)
            case _:
                names = {term.name for term in terms(conjunct) if type(term) is Var}
        met |= seen & names
        seen |= names
    return frozenset(met & counted)


class Apart:
    """Standardizes apart: no two variables share a name, whatever scopes they live in.

    A name keeps its spelling where it is the first of its kind; outputs are the very first. What is unchanged stays
    the same object. ``origin`` tells the old name of a new one, ``source`` the node that a superlative was made from
    (by ``id``; this object keeps all of them alive).
    """

    def __init__(self, query: Query) -> None:
        self.origin: dict[str, str] = {}
        self.source: dict[int, Conjunct] = {}
        self._taken: set[str] = set()
        self._copies: list[Conjunct] = []
        #: the new variable of every name that can be seen; how many of them are spelled otherwise
        self._visible: dict[str, Var] = {output.name: output for output in query.outputs}
        self._changed = 0
        self._suffixes: dict[str, int] = {}
        self._query = query

    def query_body(self) -> Body:
        """The body of the query; the outputs keep their names. Else (not called) all names are kept, and avoided."""
        self._taken.update(self._visible)
        return self._body(self._query.body)

    def copy(self, body: Body, wanted: tuple[Var, ...]) -> tuple[Body, tuple[Var, ...]]:
        """The body with new names for all of its variables, and the new names of those ``wanted``."""
        return self._closed(body, (), wanted)

    def fresh(self, wish: str) -> Var:
        """A variable with a new name that is, or begins like, the one wished for."""
        name, taken = wish, self._taken
        if not taken:
            taken.update(variables(self._query))
        if name in taken:
            stem = wish.rstrip("0123456789").rstrip("_") or wish
            number = self._suffixes.get(stem, 1)
            while name in taken:
                number += 1
                name = f"{stem}_{number}"
            self._suffixes[stem] = number
            self.origin[name] = self.origin.get(wish, wish)
        taken.add(name)
        return Var(name)

    # --- scopes ---------------------------------------------------------------------------------------------------

    def _body(self, body: Body) -> Body:
        """A body that sees what is visible; what it binds besides is its own."""
        visible = self._visible
        names = bound(body, visible.keys()) | opened(body, visible.keys())
        new = self._declare([name for name in names if name not in visible])
        conjuncts = tuple([self._conjunct(conjunct) for conjunct in body.conjuncts])
        for name in new:
            self._changed -= visible.pop(name).name != name
        return body if _same(conjuncts, body.conjuncts) else Body(conjuncts)

    def _closed(self, body: Body, exported: tuple[Var, ...], wanted: tuple[Var, ...]) -> tuple[Body, tuple[Var, ...]]:
        """A body that sees nothing but the names that its exports have outside."""
        around = self._visible, self._changed
        self._visible = {var.name: around[0][var.name] for var in exported if var.name in around[0]}
        self._changed = sum(name != var.name for name, var in self._visible.items())
        names = {*bound(body), *opened(body), *[var.name for var in wanted]}
        self._declare([name for name in names if name not in self._visible])
        inner = self._body(body)
        found = self._vars(wanted)
        self._visible, self._changed = around
        return inner, found

    def _declare(self, names: list[str]) -> list[str]:
        """Makes names visible that are not, each under a new name where it is taken."""
        taken = self._taken
        if not taken.isdisjoint(names):
            names.sort()  # the new names depend on the order
        for name in names:
            if name in taken:
                self._visible[name] = self.fresh(name)
                self._changed += 1
            else:
                taken.add(name)
                self._visible[name] = Var(name)
        return names

    # --- nodes ----------------------------------------------------------------------------------------------------

    def _var(self, var: Var) -> Var:
        return self._visible.get(var.name, var) if self._changed else var

    def _term(self, term: Term) -> Term:
        return self._var(term) if type(term) is Var else term

    def _vars(self, these: tuple[Var, ...]) -> tuple[Var, ...]:
        return tuple([self._var(var) for var in these])

    def _conjunct(self, conjunct: Conjunct) -> Conjunct:
        new: Conjunct
        match conjunct:
            case Not(body):
                inner = self._body(body)
                return conjunct if inner is body else Not(inner, conjunct.apart, conjunct.span)
            case Union(arms):
                inners = [self._body(arm) for arm in arms]
                return conjunct if _same(inners, arms) else Union(tuple(inners), conjunct.span)
            case LeftJoin(body):
                inner = self._body(body)
                return conjunct if inner is body else LeftJoin(inner, conjunct.span)
            case Aggregate(reductions, body, group):
                wanted = tuple([Var(name) for one in reductions if one.of is not None for name in names_in(one.of)])
                inner, found = self._closed(body, group, wanted)
                named = dict(zip(wanted, found, strict=True))
                reduced = [
                    replace(
                        one,
                        result=self._var(one.result),
                        of=None if one.of is None else with_terms_in(one.of, lambda term: _named(term, named)),
                    )
                    for one in reductions
                ]
                new = Aggregate(tuple(reduced), inner, self._vars(group), conjunct.span)
            case Slice(outputs, body, order):
                wanted = tuple([Var(name) for key in order for name in names_in(key.expression)])
                inner, found = self._closed(body, outputs, wanted)
                named = dict(zip(wanted, found, strict=True))
                keys = [
                    Order(with_terms_in(key.expression, lambda term: _named(term, named)), key.descending)
                    for key in order
                ]
                new = replace(conjunct, outputs=self._vars(outputs), body=inner, order=tuple(keys))
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
            case _:
                return self._atom(conjunct) if self._changed else conjunct
        self.source[id(new)] = self.source.get(id(conjunct), conjunct)
        self._copies.append(new)
        return new

    def _atom(self, atom: Conjunct) -> Conjunct:
        term = self._term
        match atom:
            case Triple(subject, predicate, object_):
                return Triple(term(subject), term(predicate), term(object_), atom.span)
            case InstanceOf(instance, classes):
                return InstanceOf(term(instance), classes, atom.span)
            case Compare(op, left, right, kind):
                return Compare(op, term(left), term(right), kind, atom.span)
            case Member(member, values):
                return Member(term(member), values, atom.span)
            case Confidence(subject, predicate, object_, value):
                return Confidence(term(subject), term(predicate), term(object_), self._var(value), atom.span)
            case Path(nodes, relations, forward):
                walk = tuple([term(node) for node in nodes]), tuple([term(relation) for relation in relations])
                return Path(*walk, forward, atom.span)
            case Condition(expression):
                return Condition(with_terms_in(expression, term), atom.span)
            case Extend(result, expression):
                return Extend(self._var(result), with_terms_in(expression, term), atom.span)
            case Closure(subject, relation, object_, minimum):
                return Closure(term(subject), relation, term(object_), minimum, atom.span)
            case _:
                raise AssertionError(atom)  # what has bodies is not an atom


def _named(term: Term, names: Mapping[Var, Var]) -> Term:
    return names.get(term, term) if isinstance(term, Var) else term


def _same(new: Sequence[object], old: Sequence[object]) -> bool:
    return all(map(operator.is_, new, old))
