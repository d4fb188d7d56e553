"""The search for a homomorphism: terms for the variables of conjuncts, such that each conjunct follows from facts.

What follows from what is said in :mod:`pylf.ir.containment`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from pylf.ir.expressions import terms_in, with_terms_in
from pylf.ir.facts import CASES, Facts, InexpressibleError, binders, disjuncts, hops, image
from pylf.ir.implied import implied
from pylf.ir.nodes import (
    Closure,
    Compare,
    Condition,
    Confidence,
    Count,
    Extreme,
    InstanceOf,
    Kind,
    Member,
    Not,
    Op,
    Path,
    Project,
    TopK,
    Triple,
    Union,
)
from pylf.ir.terms import Iri, Literal, Var
from pylf.ir.traverse import variables
from pylf.ir.values import compare

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from pylf.ir.facts import Fact
    from pylf.ir.nodes import Conjunct
    from pylf.ir.terms import Term

    #: Terms, the terms that they have to stand for, and the conjunct that a fact comes from.
    _Way = tuple[Sequence[Term], Sequence[Term], Conjunct | None]

_C = TypeVar("_C")
_N = TypeVar("_N", Not, Union)
_NAMES: frozenset[str] = frozenset()


class Rules(Protocol):
    """What a search goes by besides the facts."""

    def spend(self, depth: int) -> None:
        """One step, at some depth of the stack; raises where there are no more, or it is too deep."""
        ...

    def fresh(self) -> int:
        """A number that has not been given before."""
        ...

    def below(self, classes: tuple[Iri, ...]) -> frozenset[str]:
        """The classes, and all that lie below one of them."""
        ...

    def relations(self, classes: tuple[Iri, ...]) -> Sequence[Iri]:
        """The relations whose every subject is an instance of one of the classes."""
        ...

    def equivalent(self, one: Conjunct, other: Conjunct, depth: int) -> bool:
        """Two counts or superlatives that mean the same but for the names of what they export."""
        ...


class Search:
    """A search for terms for the ``free`` variables of some conjuncts, such that each conjunct follows from facts.

    ``mapping`` holds those that have been found, ``used`` the conjuncts whose facts were. ``fixed`` variables stand for
    themselves. With ``beside`` (the conjuncts that look at a variable, by its name) the search begins from the
    identity: a variable stands for itself until a conjunct at hand needs another term for it, and then the conjuncts
    beside it are at hand too. Conjuncts whose identities are among ``without`` need not follow, nor does anything from
    them.
    """

    def __init__(
        self,
        facts: Facts,
        rules: Rules,
        free: Collection[str],
        fixed: frozenset[str] = _NAMES,
        mapping: dict[str, Term] | None = None,
        beside: Mapping[str, Sequence[Conjunct]] | None = None,
        without: frozenset[int] = frozenset(),
        tried: frozenset[int] = frozenset(),
        depth: int = 0,
    ) -> None:
        self.facts = facts
        self.rules = rules
        self.free = free
        self.fixed = fixed
        self.mapping: dict[str, Term] = {} if mapping is None else mapping
        self.beside = beside
        self.without = without
        #: the negations and unions in whose proof this search is: none is of use to itself
        self.tried = tried
        self.depth = depth
        self.trail: list[str] = []
        self.used: list[Conjunct] = []
        self.mapped: list[Conjunct] = []

    def holds(self, agenda: list[Conjunct]) -> bool:
        """Whether all conjuncts of the agenda follow from the facts; then the mapping says how.

        Raises:
            SpentError: the steps are used up.
        """
        if not agenda:
            return True
        self.rules.spend(self.depth)
        place = min(range(len(agenda)), key=lambda i: self._rank(agenda[i])) if len(agenda) > 1 else 0
        conjunct = agenda[place]
        rest = agenda[:place] + agenda[place + 1 :]
        mark = len(self.trail), len(self.used), len(self.mapped)
        self.mapped.append(conjunct)
        self.depth += 1
        found = self._follows(conjunct, rest)
        self.depth -= 1
        if not found:
            self._undo(mark)
        return found

    def _follows(self, conjunct: Conjunct, rest: list[Conjunct]) -> bool:
        match conjunct:
            case Compare():
                return self._compare(conjunct) and self.holds(rest)
            case Condition():
                return self._condition(conjunct) and self.holds(rest)
            case Not():
                return self._negation(conjunct) and self.holds(rest)
            case Path():
                return self.holds([*rest, *hops(conjunct)])
            case Project(_, body):
                return self.holds([*rest, *body.conjuncts])
            case Union(arms):
                return any(self.holds([*rest, *arm.conjuncts]) for arm in arms) or (
                    self._union(conjunct) and self.holds(rest)
                )
            case _:
                return self._atom(conjunct, rest)

    def _undo(self, mark: tuple[int, int, int]) -> None:
        bound, used, mapped = mark
        for name in self.trail[bound:]:
            del self.mapping[name]
        del self.trail[bound:], self.used[used:], self.mapped[mapped:]

    def _rank(self, conjunct: Conjunct) -> int:
        """Smaller is sooner: what can be matched in few ways, then what needs values to be looked at."""
        match conjunct:
            case Triple(subject, predicate, object_):
                return 2 * (self._open(subject) + self._open(object_)) + 3 * self._open(predicate)
            case Path() | Project():
                return 0
            case InstanceOf(term) | Member(term):
                return 6 * self._open(term)
            case Compare(_, left, right):
                return 20 * (self._open(left) or self._open(right))
            case Confidence() | Closure():
                return 3
            case Count() | Extreme() | TopK():
                return 8
            case Union():
                return 10
            case Not():
                return 30
            case Condition():
                return 40
            case _:
                return -1  # it follows from nothing, which is seen at once

    # --- terms ----------------------------------------------------------------------------------------------------

    def _open(self, term: Term) -> bool:
        """Whether a term is a variable that may still become anything."""
        return type(term) is Var and term.name in self.free and term.name not in self.mapping

    def _term(self, term: Term) -> Term | None:
        """What a term stands for; None for a variable that may still become anything."""
        if type(term) is not Var:
            return term
        found = self.mapping.get(term.name)
        return found if found is not None or term.name in self.free else term

    def _settled(self, term: Term) -> Term | None:
        """What a term stands for where it has to be known: in a search from the identity, itself."""
        found = self._term(term)
        if found is None and self.beside is not None and isinstance(term, Var):
            self._bind(term.name, term)
            return term
        return found

    def _bind(self, name: str, term: Term) -> None:
        self.mapping[name] = term
        self.trail.append(name)

    def _unify(self, terms: Sequence[Term], others: Sequence[Term]) -> list[Conjunct] | None:
        """Makes the terms stand for the others: the conjuncts that are at hand by that; None where they cannot."""
        pulled: list[Conjunct] = []
        for term, other in zip(terms, others, strict=True):
            known = self._term(term)
            if known is None:
                assert isinstance(term, Var)
                self._bind(term.name, other)
                if self.beside is not None and term != other:
                    pulled += self.beside.get(term.name, ())
            elif known != other:
                return None
        return pulled

    # --- conjuncts ------------------------------------------------------------------------------------------------

    def _atom(self, conjunct: Conjunct, rest: list[Conjunct]) -> bool:
        for terms, others, origin in self._candidates(conjunct):
            self.rules.spend(self.depth)
            mark = len(self.trail), len(self.used), len(self.mapped)
            pulled = self._unify(terms, others)
            if pulled is not None:
                if origin is not None:
                    self.used.append(origin)
                if self.holds(self._at_hand(rest, pulled) if pulled else rest):
                    return True
            self._undo(mark)
        return False

    def _at_hand(self, rest: list[Conjunct], pulled: list[Conjunct]) -> list[Conjunct]:
        seen = {id(conjunct) for conjunct in (*self.mapped, *rest)}
        agenda = list(rest)
        for conjunct in pulled:
            if id(conjunct) not in seen and id(conjunct) not in self.without:
                seen.add(id(conjunct))
                agenda.append(conjunct)
        return agenda

    def _facts(self, facts: Iterable[tuple[_C, Conjunct | None]]) -> Iterator[tuple[_C, Conjunct | None]]:
        without = self.without
        return (fact for fact in facts if id(fact[1]) not in without) if without else iter(facts)

    def _candidates(self, conjunct: Conjunct) -> Iterator[_Way]:
        """In which ways a conjunct may follow from a fact: if these terms stand for those, by that conjunct."""
        match conjunct:
            case Triple(subject, predicate, object_):
                for triple, origin in self._facts(self.facts.triples(self._term(predicate))):
                    yield (predicate, subject, object_), (triple.predicate, triple.subject, triple.object), origin
            case InstanceOf():
                yield from self._classes(conjunct)
            case Member(term, values):
                if self._term(term) in values:
                    yield (), (), None
                for member, origin in self._facts(self.facts.of(Member)):
                    if set(member.values) <= set(values):
                        yield (term,), (member.term,), origin
            case Confidence(subject, predicate, object_, value):
                for known, origin in self._facts(self.facts.of(Confidence)):
                    others = (known.subject, known.predicate, known.object, known.value)
                    yield (subject, predicate, object_, value), others, origin
            case Closure():
                yield from self._walks(conjunct)
            case Count() | Extreme() | TopK():
                for closed, origin in self._facts(self.facts.of(type(conjunct))):
                    if self.rules.equivalent(closed, conjunct, self.depth):
                        yield _exports(conjunct), _exports(closed), origin
            case _:
                pass

    def _classes(self, conjunct: InstanceOf) -> Iterator[_Way]:
        term, below = conjunct.term, self.rules.below(conjunct.classes)
        for instance, origin in self._facts(self.facts.of(InstanceOf)):
            if all(class_.value in below for class_ in instance.classes):
                yield (term,), (instance.term,), origin
        for relation in self.rules.relations(conjunct.classes):
            for triple, origin in self._facts(self.facts.triples(relation)):
                yield (term,), (triple.subject,), origin

    def _walks(self, conjunct: Closure) -> Iterator[_Way]:
        ends = (conjunct.subject, conjunct.object)
        if conjunct.minimum == 0 and self._term(ends[0]) is not None and self._term(ends[0]) == self._term(ends[1]):
            yield (), (), None
        for closure, origin in self._facts(self.facts.of(Closure)):
            if closure.relation == conjunct.relation and closure.minimum >= conjunct.minimum:
                yield ends, (closure.subject, closure.object), origin
        for triple, origin in self._facts(self.facts.triples(conjunct.relation)):
            yield ends, (triple.subject, triple.object), origin

    def _compare(self, conjunct: Compare) -> bool:
        left, right = self._settled(conjunct.left), self._settled(conjunct.right)
        if left is None or right is None:
            return False
        op, kind = conjunct.op, conjunct.kind
        if isinstance(left, Iri | Literal) and isinstance(right, Iri | Literal):
            return compare(op, left, right, kind)
        asked = Compare(op, left, right, kind)
        for fact, origin in self._facts(self.facts.of(Compare)):
            if implied(fact, asked):
                self._use(origin)
                return True
        if isinstance(right, Iri | Literal):
            for member, origin in self._facts(self.facts.of(Member)):
                if member.term == left and all(compare(op, value, right, kind) for value in member.values):
                    self._use(origin)
                    return True
        return op is Op.IS and kind is Kind.ANY and left == right

    def _condition(self, conjunct: Condition) -> bool:
        """The same is asked of the same terms."""
        settled = {term: self._settled(term) for term in terms_in(conjunct.expression)}
        known = {term: found for term, found in settled.items() if found is not None}
        if len(known) < len(settled):
            return False
        # a literal that is written may say a date by a number, and what a variable has may not
        if any(isinstance(term, Var) and isinstance(found, Literal) for term, found in known.items()):
            return False
        asked = with_terms_in(conjunct.expression, lambda term: known[term])
        for fact, origin in self._facts(self.facts.of(Condition)):
            if fact.expression == asked:
                self._use(origin)
                return True
        return False

    def _use(self, origin: Conjunct | None) -> None:
        if origin is not None:
            self.used.append(origin)

    def _negation(self, conjunct: Not) -> bool:
        """Were the body to hold beside the facts, a body would hold that does not."""
        denied = [(fact, origin) for fact, origin in self._facts(self.facts.of(Not)) if id(fact) not in self.tried]
        body = self._image(conjunct) if denied else None
        if body is None:
            return False
        for case in disjuncts([(inner, None) for inner in body.body.conjuncts], CASES):
            beside = Facts(case, self.facts)
            if not any(self._beside(beside, fact.body.conjuncts, fact, origin) for fact, origin in denied):
                return False
        return True

    def _union(self, conjunct: Union) -> bool:
        """Each arm of some union that holds implies an arm."""
        known = [(fact, origin) for fact, origin in self._facts(self.facts.of(Union)) if id(fact) not in self.tried]
        asked = self._image(conjunct) if known else None
        if asked is None:
            return False
        for fact, origin in known:
            mark = len(self.used)
            if all(self._beside(Facts(case, self.facts), (asked,), fact, origin) for case in _cases(fact)):
                return True
            del self.used[mark:]
        return False

    def _beside(self, facts: Facts, asked: Iterable[Conjunct], by: Conjunct, origin: Conjunct | None) -> bool:
        """Whether conjuncts in the words of the facts follow from them; then ``origin``, which says ``by``, is used."""
        asked = list(asked)
        names = facts.names
        free = {name for conjunct in asked for name in binders(conjunct) if name not in names}
        tried = self.tried | {id(by)}
        search = Search(facts, self.rules, free, names, without=self.without, tried=tried, depth=self.depth)
        if not search.holds(asked):
            return False
        self.used += search.used
        self._use(origin)
        return True

    def _image(self, conjunct: _N) -> _N | None:
        """The conjunct in the words of the facts, its own variables new; None where that cannot be said."""
        terms: dict[str, Term] = {}
        for name in variables(conjunct):
            if name in self.mapping or name in self.free:
                known = self._settled(Var(name))
                if known is None:
                    return None
                terms[name] = known
            elif name not in self.fixed:
                # the blank keeps it apart from the variables of any query
                terms[name] = Var(f"{name} {self.rules.fresh()}")
        try:
            (new,) = image(conjunct, terms)
        except InexpressibleError:
            return None
        return new if isinstance(new, type(conjunct)) else None


def _cases(union: Union) -> Iterator[list[Fact]]:
    for arm in union.arms:
        yield from disjuncts([(conjunct, None) for conjunct in arm.conjuncts], CASES)


def _exports(conjunct: Conjunct) -> tuple[Var, ...]:
    match conjunct:
        case Count(result, _, _, group):
            return (result, *group)
        case Extreme(_, item) | TopK(_, _, item):
            return (item,)
        case _:
            return ()
