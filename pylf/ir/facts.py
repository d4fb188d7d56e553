"""Conjuncts that are known to hold, kept for a search of what they imply; and conjuncts in other words."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

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
from pylf.ir.traverse import rename, variables, walk, with_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from pylf.ir.nodes import Conjunct
    from pylf.ir.terms import Iri, Term

    #: What holds, and the conjunct of a query that says so, if any does that counts.
    Fact = tuple[Conjunct, Conjunct | None]

_C = TypeVar("_C")

#: What holds is looked at in this many cases at most.
CASES = 32


class InexpressibleError(Exception):
    """A constant would stand where only a variable may."""


class Facts:
    """What holds in one case: atoms, negations, closed bodies, and unions that are not taken apart.

    ``below`` are facts that hold as well. ``names`` are the variables that the facts are about: each stands for one
    term, that nothing else is known of. Those that the facts bind need not be named.
    """

    __slots__ = ("_below", "_kinds", "_triples", "names")

    def __init__(self, case: Sequence[Fact], below: Facts | None = None, names: AbstractSet[str] = frozenset()) -> None:
        self._below = below
        self._triples: dict[Term, list[tuple[Triple, Conjunct | None]]] = {}
        self._kinds: dict[type, list[Fact]] = {}
        for fact in case:
            atom, origin = fact
            if isinstance(atom, Triple):
                self._triples.setdefault(atom.predicate, []).append((atom, origin))
            else:
                self._kinds.setdefault(type(atom), []).append(fact)
        around: frozenset[str] = frozenset() if below is None else below.names
        # what stood within a projection is a fact among the others, and so are its variables
        self.names: frozenset[str] = around.union(names, bound(Body(tuple([atom for atom, _ in case])), around))

    def triples(self, predicate: Term | None) -> Iterator[tuple[Triple, Conjunct | None]]:
        """The triples with this predicate, or with any."""
        at: Facts | None = self
        while at is not None:
            if predicate is not None:
                yield from at._triples.get(predicate, ())
            else:
                for found in at._triples.values():
                    yield from found
            at = at._below

    def names_relation(self, relation: Iri) -> bool:
        """Whether a triple of this relation is known."""
        return next(self.triples(relation), None) is not None

    def of(self, kind: type[_C]) -> Iterator[tuple[_C, Conjunct | None]]:
        """The facts of a kind of conjunct."""
        at: Facts | None = self
        while at is not None:
            for atom, origin in at._kinds.get(kind, ()):
                if isinstance(atom, kind):
                    yield atom, origin
            at = at._below


def disjuncts(facts: Iterable[Fact], most: int) -> list[list[Fact]]:
    """The cases of what holds: paths as triples, projections as their bodies, one arm of each union; a union that
    would make more than ``most`` cases stays whole."""
    flat: list[Fact] = []
    unions: list[tuple[Union, Conjunct | None]] = []
    todo = list(facts)
    todo.reverse()
    while todo:
        node, origin = todo.pop()
        match node:
            case Path():
                flat += [(hop, origin) for hop in hops(node)]
            case Project(_, body):
                todo += [(inner, origin) for inner in body.conjuncts]
            case Union():
                unions.append((node, origin))
            case _:
                flat.append((node, origin))
    cases = [flat]
    for union, origin in unions:
        arms: list[list[Fact]] = [[(union, origin)]]
        if len(cases) * len(union.arms) <= most:
            apart = [c for arm in union.arms for c in disjuncts([(inner, origin) for inner in arm.conjuncts], most)]
            if len(cases) * len(apart) <= most:
                arms = apart
        cases = [[*case, *arm] for case in cases for arm in arms]
    return cases


def is_plain(body: Body, most: int) -> bool:
    """Whether a body is made of triples, unions and projections alone, in at most ``most`` cases."""
    if not all(isinstance(node, Triple | Path | Project | Union) for node in walk(body)):
        return False
    cases = disjuncts([(node, None) for node in body.conjuncts], most)
    return all(isinstance(atom, Triple) for case in cases for atom, _ in case)


def hops(path: Path) -> list[Conjunct]:
    """The triples of a path."""
    return [Triple(subject, relation, object_, path.span) for subject, relation, object_ in path.hops]


def binders(node: Body | Conjunct) -> set[str]:
    """Names of the variables that the positive part of a body binds, those within projections and arms included."""
    found: set[str] = set()
    todo: list[Conjunct] = list(node.conjuncts) if isinstance(node, Body) else [node]
    while todo:
        conjunct = todo.pop()
        terms: Sequence[Term] = ()
        match conjunct:
            case Compare() | Not():
                pass
            case Union(arms):
                todo += [inner for arm in arms for inner in arm.conjuncts]
            case Project(outputs, body):
                terms = outputs
                todo += body.conjuncts
            case Triple(subject, predicate, object_):
                terms = (subject, predicate, object_)
            case InstanceOf(term) | Member(term):
                terms = (term,)
            case Confidence(subject, predicate, object_, value):
                terms = (subject, predicate, object_, value)
            case Path(nodes, relations):
                terms = (*nodes, *relations)
            case Closure(subject, _, object_):
                terms = (subject, object_)
            case Count(result, _, _, group):
                terms = (result, *group)
            case Extreme() | TopK():
                terms = (conjunct.item,)
        found.update([term.name for term in terms if type(term) is Var])
    return found


def image(conjunct: Conjunct, terms: Mapping[str, Term]) -> Sequence[Conjunct]:
    """The conjunct with terms in place of variables, at any depth; those that are not named stay.

    Raises:
        InexpressibleError: a constant for a variable that a count or a superlative exports, or that a confidence is.
    """
    names = variables(conjunct)
    if all(isinstance(terms.get(name), Var | None) for name in names):
        new = {name: term.name for name in names if isinstance(term := terms.get(name), Var)}
        return (rename(conjunct, new),)
    return _Image(terms).conjunct(conjunct)


class _Image:
    def __init__(self, terms: Mapping[str, Term]) -> None:
        self._terms = terms

    def term(self, term: Term) -> Term:
        return self._terms.get(term.name, term) if isinstance(term, Var) else term

    def body(self, body: Body) -> Body:
        return Body(tuple([new for conjunct in body.conjuncts for new in self.conjunct(conjunct)]))

    def conjunct(self, node: Conjunct) -> Sequence[Conjunct]:
        match node:
            case Triple() | InstanceOf() | Compare() | Member() | Closure():
                return (with_terms(node, self.term),)
            case Path():
                return [new for hop in hops(node) for new in self.conjunct(hop)]
            case Not(body):
                return (Not(self.body(body), node.apart, node.span),)
            case Union(arms):
                return (Union(tuple([self.body(arm) for arm in arms]), node.span),)
            case Project(_, body):
                return self.body(body).conjuncts
            case _:
                return image(node, self._variables(node))

    def _variables(self, node: Conjunct) -> dict[str, Term]:
        """What stands for the variables in and at a node that can hold no constant."""
        found = {name: self._terms[name] for name in variables(node) if name in self._terms}
        if not all(isinstance(term, Var) for term in found.values()):
            raise InexpressibleError
        return found
