"""Takes negations apart as far as logic allows, and drops the scans of a domain that something beside them implies.

- Nothing of ``A or B`` holds where neither ``A`` nor ``B`` does: a negated union is a negation of each arm. Variables
  that are local to several arms are renamed in all but the first, since a variable is local to one negation only.
- What is not not so is so: ``not (not B)`` is ``B``. The variables that are local to ``B`` become local to the body
  around it, where nobody asks for them: a body is a set of solutions as far as what is asked for goes, and nothing
  outside the negation can name them. Those that ``B`` shares are bound around it already, so ``B`` is never what
  alone binds one, and may bind it once more.
- An ``InstanceOf`` goes where something that stands positively beside it, or around its negation or arm, says as much:
  another one of classes that are below its own, or a triple of the relation whose subjects or objects (if no literals)
  *are* the instances of one of the classes. Both are how instances are defined (:mod:`pylf.ir.extensions`), so this
  holds on every graph and needs no statistics; what a schema states of a domain is :mod:`simplify_types
  <pylf.ir.passes.simplify_types>`'s. Where the graph says which classes are below one (``subclass_paths``), only
  classes that are named themselves count.

Left alone: what :mod:`pylf.ir.passes.barriers` tells of the wide tier, which for a bag includes a ``not not`` that has
variables of its own, and everywhere one that says something of the wide tier; bodies that never hold (there variables
need no binding); an ``InstanceOf`` without which a negation would share no variable with what is around it, or an arm
not bind what it did; where in a body a negation stands, which means nothing: the emitters place it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pylf.ir import build
from pylf.ir.mentions import mentioned_in
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Closure,
    Count,
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
from pylf.ir.passes.barriers import closed_over, is_bag, optional
from pylf.ir.scope import STAGED, bound, never
from pylf.ir.terms import Iri, Literal, Var
from pylf.ir.traverse import rename, terms, variables, walk, with_bodies, with_span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.passes.context import Context
    from pylf.ir.schema.model import Schema
    from pylf.ir.terms import Term
    from pylf.ir.types import Type

#: What is found in one round may make work for another; so many are more than any question needs.
_ROUNDS = 8
#: Where a class has more classes below it than this, they are not searched for one that a relation defines.
_MOST_BELOW = 64


def run(query: Query, context: Context) -> Query:
    """The query with its negations taken apart; the very query where there is nothing to take."""
    for _ in range(_ROUNDS):
        if _settled(query, context):
            break
        found = _Round(query, context).run()
        if found is query:
            break
        query = found
    return query


def _settled(query: Query, context: Context) -> bool:
    """Whether there can be nothing to do: no negation of a union or a negation alone, and no instance-of of a variable
    of which another one speaks, or of a class that a relation defines."""
    instances: set[Term] = set()
    todo = [query.body]
    while todo:
        for conjunct in todo.pop().conjuncts:
            match conjunct:
                case Not(body):
                    if len(body.conjuncts) == 1 and isinstance(body.conjuncts[0], Not | Union):
                        return False
                    todo.append(body)
                case InstanceOf(term, classes):
                    if term in instances or _defined_by(classes, context):
                        return False
                    instances.add(term)
                case Union(arms):
                    todo += arms
                case Project() | Count() | Extreme() | TopK() | LeftJoin() | Aggregate() | Slice():
                    todo.append(conjunct.body)
    return True


class _Round:
    """One way through a query, from the inside out."""

    __slots__ = ("context", "names", "query", "total", "types")

    def __init__(self, query: Query, context: Context) -> None:
        self.query = query
        self.context = context
        self.types: dict[str, Type] = dict(query.types)
        #: all names there are, once some are needed that are new
        self.names: set[str] = set()
        #: how often each name occurs
        self.total: Counter[str] = Counter()

    def run(self) -> Query:
        query = self.query
        body = self.body(query.body, ())
        if body is query.body:
            return query
        return build.query(query.form, query.outputs, body, tuple(self.types.items()), query.span)

    def body(self, body: Body, held: Sequence[Conjunct], arm: bool = False, bag: bool = False) -> Body:
        """A body, inside of something where the conjuncts ``held`` hold; ``arm`` where it has to bind what it binds,
        ``bag`` where each of its variables counts."""
        if never(body):
            return body
        parts = self.unimplied(body.conjuncts, held, arm)
        here = [*held, *[part for part in parts if isinstance(part, _FACTS)]]
        found: list[Conjunct] = []
        for part in parts:
            match part:
                case Not(inner):
                    denied = self.negation(part, self.body(inner, here))
                    found += (part,) if bag and not all(isinstance(one, Not) for one in denied) else denied
                case Union(arms):
                    new = tuple([self.body(one, here, arm=True, bag=bag) for one in arms])
                    found += (part,) if all(map(_is, new, arms)) else build.union(new, part.span).conjuncts
                case LeftJoin(inner):
                    found.append(optional(part, self.body(inner, (), bag=bag)))
                case Aggregate() | Slice():
                    found.append(closed_over(part, self.body(part.body, (), bag=is_bag(part))))
                case Project() | Count() | Extreme() | TopK():
                    closed = self.body(part.body, ())
                    found.append(part if closed is part.body else with_bodies(part, (closed,)))
                case _:
                    found.append(part)
        if len(found) == len(body.conjuncts) and all(map(_is, found, body.conjuncts)):
            return body
        return build.join(*found)

    # --- negations ------------------------------------------------------------------------------------------------

    def negation(self, negation: Not, body: Body) -> Sequence[Conjunct]:
        """That ``body`` has no solution, which is what the body of a negation has become."""
        match body.conjuncts:
            case (Union((_, _, *_) as arms),) if not never(body):
                return [part for one in self.renamed(negation, arms) for part in _denied(one, negation)]
            case _:
                return _denied(body, negation)

    def renamed(self, negation: Not, arms: tuple[Body, ...]) -> Iterator[Body]:
        """The arms of a negation, with other names in the place of those that an arm before has and that nothing
        outside of the negation has."""
        if not self.total:
            self.total.update(_occurrences(self.query.body))
            self.total.update([output.name for output in self.query.outputs])
            self.names.update(self.total)
        within = Counter(_occurrences(negation.body))
        before: set[str] = set()
        for one in arms:
            mine = variables(one)
            met = [name for name in mine if name in before and within[name] == self.total[name]]
            before.update(mine)
            yield rename(one, {name: self.fresh(name) for name in met}) if met else one

    def fresh(self, name: str) -> str:
        """A name that is new, made of one that is not."""
        stem, number = name.rstrip("0123456789"), 2
        while f"{stem}{number}" in self.names:
            number += 1
        new = f"{stem}{number}"
        self.names.add(new)
        self.types[new] = self.types[name]
        return new

    # --- domains --------------------------------------------------------------------------------------------------

    def unimplied(self, parts: Sequence[Conjunct], held: Sequence[Conjunct], arm: bool) -> Sequence[Conjunct]:
        """The conjuncts but the instance-ofs that others of them, or ``held``, imply."""
        kept = parts
        for part in parts:
            if not isinstance(part, InstanceOf):
                continue
            rest = [other for other in kept if other is not part]
            if self.implies(rest, part) or (self.implies([*held, *rest], part) and _can_miss(part, rest, arm)):
                kept = rest
        return kept

    def implies(self, facts: Sequence[Conjunct], instance: InstanceOf) -> bool:
        """Whether facts that hold beside an instance-of imply it."""
        term, context = instance.term, self.context
        defined = _defined_by(instance.classes, context)
        for fact in facts:
            match fact:
                case InstanceOf(other, classes):
                    if other == term and _below(classes, instance.classes, context):
                        return True
                case Triple() | Path() | Closure() if defined:
                    for subject, relation, object_ in _edges(fact):
                        if subject == term and (relation, "subject") in defined:
                            return True
                        if object_ == term and (relation, "object") in defined and _is_entity(term, facts):
                            return True
        return False


#: What may imply an instance-of.
_FACTS = (Triple, InstanceOf, Path, Closure)


def _is(one: object, other: object) -> bool:
    return one is other


def _denied(body: Body, negation: Not) -> Sequence[Conjunct]:
    match body.conjuncts:
        case (Not(inner),) if STAGED.isdisjoint(map(type, walk(inner))):
            return with_span(inner, negation.span).conjuncts
        case _ if body is negation.body and body.conjuncts:
            return (negation,)
        case _:
            return build.negate(body, negation.span, negation.apart).conjuncts


def _occurrences(body: Body) -> Iterator[str]:
    for conjunct in walk(body):
        for term in terms(conjunct):
            if isinstance(term, Var):
                yield term.name


def _can_miss(instance: InstanceOf, rest: Sequence[Conjunct], arm: bool) -> bool:
    """Whether a negation or an arm can do without an instance-of that holds around it."""
    if not rest or not isinstance(instance.term, Var):
        return True
    left = Body(tuple(rest))
    return instance.term.name in (bound(left) if arm else mentioned_in(left))


def _below(lower: Iterable[Iri], upper: tuple[Iri, ...], context: Context) -> bool:
    """Whether the instances of some classes are instances of others, on every graph."""
    if context.vocabulary.subclass_paths:
        return set(lower) <= set(upper)
    subclasses = context.schema.subclasses
    return all(any(one.value in subclasses(other.value) for other in upper) for one in lower)


def _defined_by(classes: tuple[Iri, ...], context: Context) -> frozenset[tuple[str, str]]:
    """The relations of which every subject, or every object that is no literal, is an instance by definition; and
    which of the two."""
    schema = context.schema
    found: set[tuple[str, str]] = set()
    for class_ in classes:
        for iri in _few_below(class_.value, schema, context.vocabulary.subclass_paths):
            known = schema.class_(iri)
            if known is None:
                continue
            if known.subjects_of is not None:
                found.add((known.subjects_of, "subject"))
            elif known.objects_of is not None:
                found.add((known.objects_of, "object"))
    return frozenset(found)


def _few_below(iri: str, schema: Schema, by_graph: bool) -> Sequence[str]:
    below = (iri,) if by_graph else schema.subclasses(iri)
    return below if len(below) <= _MOST_BELOW else (iri,)


def _edges(fact: Triple | Path | Closure) -> Iterator[tuple[Term, str, Term]]:
    """Which term is a subject and which an object of which relation where a conjunct holds."""
    match fact:
        case Triple(subject, Iri(relation), object_) | Closure(subject, Iri(relation), object_, 1):
            yield subject, relation, object_
        case Path():
            for subject, step, object_ in fact.hops:
                if isinstance(step, Iri):
                    yield subject, step.value, object_


def _is_entity(term: Term, facts: Iterable[Conjunct]) -> bool:
    """Whether a term can be no literal where some facts hold."""
    if isinstance(term, Iri | Literal):
        return isinstance(term, Iri)
    for fact in facts:
        match fact:
            case InstanceOf(other) if other == term:
                return True
            case Triple(subject) | Closure(subject, _, _, 1) if subject == term:
                return True
            case Path():
                if any(subject == term for subject, _, _ in fact.hops):
                    return True
            case Member(other, values) if other == term and all(isinstance(value, Iri) for value in values):
                return True
    return False
