"""What tells at a glance that a conjunct, or the arm of a union, cannot follow from others: for what
:mod:`pylf.ir.passes.minimize` need not search.

Conjuncts share *keys* where one may be mapped onto the other. A triple asks for a *pattern* that another triple has to
fit, whatever its own variables are mapped to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.facts import binders, hops
from pylf.ir.nodes import (
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
from pylf.ir.terms import Iri, Var
from pylf.ir.traverse import bodies

if TYPE_CHECKING:
    from collections.abc import Hashable
    from collections.abc import Set as AbstractSet

    from pylf.ir.facts import Facts
    from pylf.ir.nodes import Body, Conjunct
    from pylf.ir.terms import Term

    #: a relation, a subject and an object; None is any
    Pattern = tuple[Term, Term | None, Term | None]


def own_keys(conjunct: Conjunct) -> tuple[Hashable, ...]:
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


def all_keys(conjunct: Conjunct) -> list[Hashable]:
    """The keys of a conjunct beside others, and of the positive ones within it."""
    found: list[Hashable] = []
    todo = [conjunct]
    while todo:
        one = todo.pop()
        match one:
            case Union() | Project():
                found.append(type(one).__name__)
                todo += [inner for body in bodies(one) for inner in body.conjuncts]
            case Not() | Count() | Extreme() | TopK():
                found.append(type(one).__name__)
            case _:
                found += own_keys(one)
    return found


def is_step(conjunct: Conjunct) -> bool:
    """Whether a conjunct is one that has to be a triple of the graph."""
    return isinstance(conjunct, Triple | Confidence | Path)


def triple_may_follow(conjunct: Triple, facts: Facts, free: AbstractSet[str]) -> bool:
    """Whether some triple among facts, other than the one that ``conjunct`` says, is like it."""
    near = None if _is_free(conjunct.predicate, free) else conjunct.predicate
    subject = None if _is_free(conjunct.subject, free) else conjunct.subject
    object_ = None if _is_free(conjunct.object, free) else conjunct.object
    return any(origin is not conjunct and _fits(triple, subject, object_) for triple, origin in facts.triples(near))


class Arm:
    """An arm of a union, with what decides at a glance that it cannot be within another one: the patterns of triples
    that it ``asks`` for outright, and all that those within it fit (what it ``says``)."""

    __slots__ = ("asks", "body", "free", "says")

    def __init__(self, body: Body, outside: frozenset[str]) -> None:
        self.body = body
        self.free = free = frozenset(binders(body) - outside)
        self.asks: set[Pattern] = set()
        for conjunct in body.conjuncts:
            if isinstance(conjunct, Triple) and not _is_free(conjunct.predicate, free):
                subject, object_ = conjunct.subject, conjunct.object
                near = None if _is_free(subject, free) else subject
                self.asks.add((conjunct.predicate, near, None if _is_free(object_, free) else object_))
        self.says: set[Pattern] = set()
        todo = list(body.conjuncts)
        while todo:
            one = todo.pop()
            match one:
                case Triple(subject, predicate, object_):
                    self.says.update([(predicate, near, far) for near in (subject, None) for far in (object_, None)])
                case Path():
                    todo += hops(one)
                case Union() | Project():
                    todo += [inner for within in bodies(one) for inner in within.conjuncts]
                case _:
                    pass


def _is_free(term: Term, free: AbstractSet[str]) -> bool:
    return type(term) is Var and term.name in free


def says(facts: Facts, pattern: Pattern) -> bool:
    """Whether a triple among facts fits a pattern."""
    predicate, subject, object_ = pattern
    return any(_fits(triple, subject, object_) for triple, _ in facts.triples(predicate))


def _fits(triple: Triple, subject: Term | None, object_: Term | None) -> bool:
    return (subject is None or subject == triple.subject) and (object_ is None or object_ == triple.object)
