"""Says a query in as few words as its structure allows; every other pass may then rely on that.

What it does, and why each is sound on every graph:

- **flat**: a union of one arm, a union as the only conjunct of an arm, and what can never hold (up to the nearest
  negation or arm, or the whole query) are what :mod:`pylf.ir.build` makes of them.
- **distinct rows inlined**: bodies are sets of solutions of which only what is asked for remains, so the variables
  that a ``Project`` hides may as well be hidden by the body around it. Names cannot meet: a query names each once.
- **said once**: a conjunct that stands in a body, or positively around a negation or an arm in it, holds there and
  need not be said again. A negation whose whole body holds so never holds; ``A and not (A and B)`` is ``A and not B``,
  and ``A and (A or B)`` is ``A``. An arm goes where another one says less than it, a negation where another one
  denies less.
- **constants**: comparisons of constants are settled by :func:`pylf.ir.values.compare`, those of a variable that is
  one of listed values choose among these. A variable that is one listed value is that value, as a term, everywhere:
  all of its occurrences have to be within the body where it is listed.

Left alone: what :mod:`pylf.ir.passes.barriers` tells of the wide tier; the count that a number query asks for; a
constant where only a variable may stand, or where engines want one (in a closure of no steps, before the operator of an
order); a repeated conjunct without which a negation would share no variable with what is around it, or an arm not bind
what it did; the names of variables. Values are never taken for the same here because they are equal: joins are by term.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pylf.ir import build
from pylf.ir.mentions import mentioned_in, mentions
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Closure,
    Compare,
    Confidence,
    Count,
    Extreme,
    Form,
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
from pylf.ir.passes.barriers import closed_over, is_bag, optional
from pylf.ir.passes.constants import folded, substituted
from pylf.ir.scope import STAGED, bound, never
from pylf.ir.terms import Iri, Var
from pylf.ir.traverse import terms, walk, with_bodies, with_span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.passes.context import Context
    from pylf.ir.terms import Term

    _Set = frozenset[Conjunct]

#: What is found in one round may make work for another; so many are more than any question needs.
_ROUNDS = 8
_NOTHING: frozenset[Conjunct] = frozenset()


def run(query: Query, _: Context) -> Query:
    """The query in fewer words; the very query where there is nothing to say otherwise."""
    for _round in range(_ROUNDS):
        if _settled(query):
            break
        found = _Round(query).run()
        if found is query:
            break
        query = found
    return query


def _settled(query: Query) -> bool:
    """Whether nothing can be left to do, by a look at each conjunct: none is of a kind that might be said otherwise,
    and no two atoms are alike."""
    seen: set[object] = set()
    listed: set[str] = set()
    compared: set[str] = set()
    constant: set[str] = set()
    kept = {output.name for output in query.outputs}
    todo = [query.body]
    while todo:
        for conjunct in todo.pop().conjuncts:
            key: object
            match conjunct:
                case Triple(subject, predicate, object_):
                    key = (_spelled(subject), _spelled(predicate), _spelled(object_))
                case InstanceOf((Var() | Iri()) as term, (first, *_)):
                    key = (_spelled(term), first.value)
                case Compare(_, Var(name), right) if right != conjunct.left:
                    compared.add(name)
                    key = (name, "compared", _spelled(right))
                case Member(Var(name), values) if values:
                    listed.add(name)
                    if len(values) == 1:
                        constant.add(name)
                    key = (name, "listed")
                case Not(body) if body.conjuncts:
                    todo.append(body)
                    continue
                case Union((_, _, *_) as arms) if not any(map(_hidden, arms)):
                    todo += arms
                    continue
                case Count(result, of, body, group):
                    kept.update((result.name, of.name, *[var.name for var in group]))
                    todo.append(body)
                    continue
                case Extreme() | TopK():
                    kept.update((conjunct.item.name, conjunct.key.name))
                    todo.append(conjunct.body)
                    continue
                case Path() | Confidence():
                    key = type(conjunct)
                case Closure(subject, relation, object_) if subject != object_:
                    key = (_spelled(subject), relation.value, _spelled(object_), "steps")
                case _:
                    return False
            if key in seen:
                return False
            seen.add(key)
    return listed.isdisjoint(compared) and constant <= kept


def _hidden(arm: Body) -> bool:
    """Whether an arm is no arm but always holds, or is more arms."""
    return not arm.conjuncts or (len(arm.conjuncts) == 1 and type(arm.conjuncts[0]) is Union)


def _spelled(term: Term) -> str:
    if isinstance(term, Var):
        return term.name
    return term.value if isinstance(term, Iri) else term.lexical


class _Round:
    """One way through a query, from the outside in."""

    __slots__ = ("_total", "number", "query")

    def __init__(self, query: Query) -> None:
        self.query = query
        #: the name of the count that a number query asks for
        self.number = query.outputs[0].name if query.form is Form.NUMBER else None
        self._total: Counter[str] | None = None

    def run(self) -> Query:
        query = self.query
        body = self.body(query.body, _NOTHING, ())
        if self.number is not None and never(body):
            body = self.no_number()
        if body is query.body:
            return query
        return build.query(query.form, query.outputs, body, query.types, query.span)

    def no_number(self) -> Body:
        """The body of a number query that never has an answer: the count stays, since that is what is asked for."""
        body = self.query.body
        count = next(c for c in body.conjuncts if isinstance(c, Count) and c.result.name == self.number)
        least = (count, *build.NEVER.conjuncts)
        return body if body.conjuncts == least else Body(least)

    def body(self, body: Body, held: _Set, denied: Sequence[_Set], arm: bool = False, bag: bool = False) -> Body:
        """A body, inside of something where the conjuncts ``held`` hold, and those of each set of ``denied`` do not
        all hold; ``arm`` where it has to bind what it binds, ``bag`` where each of its variables counts."""
        if never(body):
            return body if body.conjuncts == build.NEVER.conjuncts else build.join(*body.conjuncts)
        written = list(body.conjuncts)
        parts = folded(written if bag else substituted(_inlined(written), self.total))
        if parts is None or never(Body(tuple(parts))):
            return build.NEVER
        parts = list(dict.fromkeys(parts))
        if held:
            parts = _not_held(parts, held, arm)
        atoms = held.union([part for part in parts if isinstance(part, _ATOMS)])
        nots = [frozenset(part.body.conjuncts) for part in parts if isinstance(part, Not)]
        denied = (*denied, *nots)
        if any(one <= atoms for one in denied):
            return build.NEVER
        found: list[Conjunct] = []
        for part in parts:
            match part:
                case Not(inner):
                    mine = frozenset(inner.conjuncts)
                    if len(nots) > 1 and any(other < mine for other in nots):
                        continue
                    new = self.body(inner, atoms, ())
                    found += (
                        (part,)
                        if new is inner and inner.conjuncts
                        else build.negate(new, part.span, part.apart).conjuncts
                    )
                case Union(arms):
                    found += self.union(part, [self.body(one, atoms, denied, arm=True, bag=bag) for one in arms])
                case Project() | Count() | Extreme() | TopK():
                    found += self.closed(part)
                case LeftJoin(inner):
                    found.append(optional(part, self.body(inner, _NOTHING, (), bag=bag)))
                case Aggregate() | Slice():
                    found.append(closed_over(part, self.body(part.body, _NOTHING, (), bag=is_bag(part))))
                case _:
                    found.append(part)
        if len(found) == len(body.conjuncts) and all(map(_is, found, body.conjuncts)):
            return body
        return build.join(*found)

    def union(self, union: Union, arms: list[Body]) -> Iterable[Conjunct]:
        kept: list[tuple[_Set, Body]] = []
        for one in arms:
            mine = frozenset(one.conjuncts)
            if any(other == mine or (other < mine and _is_sure(other)) for other, _ in kept):
                continue
            kept = [(other, body) for other, body in kept if not (mine <= other and _is_sure(mine))]
            kept.append((mine, one))
        found = build.union([body for _, body in kept], union.span)
        match found.conjuncts:
            case (Union(new),) if len(new) == len(union.arms) and all(map(_is, new, union.arms)):
                return (union,)
            case conjuncts:
                return conjuncts

    def closed(self, node: Project | Count | Extreme | TopK) -> Iterable[Conjunct]:
        body = self.body(node.body, _NOTHING, ())
        if never(body):
            if not isinstance(node, Count):
                return Body((Union((), node.span),)).conjuncts
            if node.group or node.result.name != self.number:
                return build.count(node.result, node.of, body, node.group, node.span).conjuncts
        return (node if body is node.body else with_bodies(node, (body,)),)

    def total(self) -> Counter[str]:
        """How often each variable occurs in the query."""
        if self._total is None:
            self._total = Counter([output.name for output in self.query.outputs])
            for conjunct in walk(self.query):
                self._total.update([term.name for term in terms(conjunct) if type(term) is Var])
        return self._total


#: What holds or does not by itself, so that it holds wherever its variables are seen.
_ATOMS = (Triple, InstanceOf, Compare, Member, Confidence, Path)


def _is(one: object, other: object) -> bool:
    return one is other


def _is_sure(conjuncts: _Set) -> bool:
    """Whether conjuncts hold of no less where more is said beside them, which may change what a left join adds."""
    return STAGED.isdisjoint(map(type, conjuncts))


def _inlined(conjuncts: Iterable[Conjunct]) -> list[Conjunct]:
    found: list[Conjunct] = []
    for conjunct in conjuncts:
        if isinstance(conjunct, Project) and STAGED.isdisjoint(map(type, walk(conjunct))):
            found += _inlined(with_span(conjunct.body, conjunct.span).conjuncts)
        else:
            found.append(conjunct)
    return found


def _not_held(parts: list[Conjunct], held: _Set, arm: bool) -> list[Conjunct]:
    """The conjuncts but those that hold anyway, as far as these can be missed."""
    rest = [part for part in parts if part not in held]
    if not rest or len(rest) == len(parts):
        return rest
    gone, left = [part for part in parts if part in held], Body(tuple(rest))
    if arm:
        return rest if bound(Body(tuple(gone))) <= bound(left) else parts
    return parts if mentioned_in(left).isdisjoint([name for part in gone for name in mentions(part)]) else rest
