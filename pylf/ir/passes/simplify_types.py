"""Drops a class membership that follows from what stands beside it.

What a term is known to be comes from the conjuncts that stand beside the membership, or around the negation or the
union that it stands in. Three kinds of knowledge are told apart:

- By definition, on every graph: a membership in a class is one in each class above it (by the schema; where the
  vocabulary asks the graph for classes below, only in a class that is named), and the subject of a relation is an
  instance of that relation's signature class, as is an object that is no literal.
- By measure: the subjects of a relation are instances of its domain where ``domain_support == subjects``, its objects
  instances of its range where ``range_support == objects`` (the objects count literals, the support does not, so then
  there is none). Of a relation without counts the schema's meta key ``sound`` decides. It is not asked where there are
  counts: it is silent about classes and relations that are themselves subjects, say of a label.
- By the meta key ``disjoint`` being ``true``: no entity of the graph belongs to two classes that are stated to be
  disjoint. Then a membership in a class of which the term is known to be apart can never hold. ``sound`` does not say
  that much.

Where the vocabulary has ``subclass_paths`` a measure counts only for a class that has none below, since it was taken by
the schema's classes, and nothing is known to be disjoint. A schema that was measured under another vocabulary proves
nothing. The last binder of a variable always stays: what implies a membership binds its term. What an engine starts
from stays too (:mod:`pylf.ir.target`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir import build
from pylf.ir.mentions import mentions
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Closure,
    Compare,
    Confidence,
    Count,
    Extreme,
    InstanceOf,
    LeftJoin,
    Member,
    Not,
    Op,
    Path,
    Project,
    Slice,
    TopK,
    Triple,
    Union,
)
from pylf.ir.passes.barriers import closed_over, optional
from pylf.ir.passes.type_facts import Either, End, gathered
from pylf.ir.terms import Iri, Var
from pylf.ir.traverse import rebuilt, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.passes.context import Context
    from pylf.ir.passes.type_facts import Fact, Facts
    from pylf.ir.schema.model import Relation, Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Term

    Unions = tuple[tuple[str, ...], ...]

#: Conjuncts that hold neither a membership nor a body.
_ATOMS = frozenset((Triple, Compare, Member, Confidence, Path, Closure))
#: So many verdicts on classes and relations are kept with a schema.
_MOST_KEPT = 10_000


def run(query: Query, context: Context) -> Query:
    """The query without the memberships that are implied; one whose term is known to belong elsewhere never holds."""
    if not any(type(conjunct) is InstanceOf for conjunct in walk(query)):
        return query
    knowledge = _knowledge(context.schema, context.vocabulary)
    body = _simplified(query.body, None, knowledge, context.target.starts_from_classes)
    if body is query.body:
        return query
    return build.query(query.form, query.outputs, body, query.types, query.span)


def _simplified(body: Body, around: _Scope | None, knowledge: _Knowledge, starts: bool, keeps: bool = True) -> Body:
    """The body without what is implied in it. Each step rests on what the steps before it have left standing: closed
    bodies by themselves, then the memberships beside them, then negations and unions. Where the engine ``starts`` from
    classes and the body ``keeps`` them, those stay that it needs for a good plan."""
    if _ATOMS.issuperset(map(type, body.conjuncts)):
        return body
    closed = [_closed(conjunct, knowledge, starts) for conjunct in body.conjuncts]
    same = all(new is old for new, old in zip(closed, body.conjuncts, strict=True))
    conjuncts = body.conjuncts if same else build.join(*closed).conjuncts
    scope = _Scope(conjuncts, around)
    kept = _starts(conjuncts) if starts and keeps else frozenset()
    left: list[Conjunct] = []
    for conjunct in conjuncts:
        if type(conjunct) is InstanceOf:
            others = scope.others(conjunct)
            if knowledge.clashes(conjunct, others):
                return Body((Union((), conjunct.span),))
            if conjunct.term not in kept and knowledge.implies(conjunct, others):
                scope.forget(conjunct)
                continue
        left.append(conjunct)
    parts: list[Body | Conjunct] = []
    crowded = starts and any(type(conjunct) is InstanceOf for conjunct in left) and any(map(_names_a_start, left))
    # an arm may not rest on another arm, nor on one of another union, which may come to rest on it in turn
    plain: _Scope | None = None
    for conjunct in left:
        match conjunct:
            case Not(inner):
                new = _simplified(inner, scope, knowledge, starts, crowded)
                parts.append(conjunct if new is inner else build.negate(new, conjunct.span, conjunct.apart))
            case Union(arms):
                if plain is None:
                    plain = _Scope([c for c in left if type(c) is not Union], around)
                new_arms = [_simplified(arm, plain, knowledge, starts, False) for arm in arms]
                same = all(new is arm for new, arm in zip(new_arms, arms, strict=True))
                parts.append(conjunct if same else build.union(new_arms, conjunct.span))
            case _:
                parts.append(conjunct)
    if len(parts) == len(body.conjuncts) and all(new is old for new, old in zip(parts, body.conjuncts, strict=True)):
        return body
    return build.join(*parts)


def _starts(conjuncts: Sequence[Conjunct]) -> frozenset[Term]:
    """The variables that negations look at, where nothing around these negations says where to start."""
    if any(map(_names_a_start, conjuncts)):
        return frozenset()
    return frozenset([Var(name) for conjunct in conjuncts if type(conjunct) is Not for name in mentions(conjunct)])


def _names_a_start(conjunct: Conjunct) -> bool:
    """Whether a conjunct names an entity or a value, and so finds few."""
    match conjunct:
        case Member():
            return True
        case Triple(subject, _, object_) | Closure(subject, _, object_):
            return not (type(subject) is Var and type(object_) is Var)
        case Path(nodes):
            return any(type(node) is not Var for node in nodes)
        case Compare(op, left, right):
            return op is not Op.NE and not (type(left) is Var and type(right) is Var)
        case _:
            return False


def _closed(conjunct: Conjunct, knowledge: _Knowledge, starts: bool) -> Body | Conjunct:
    """A conjunct whose body is simplified by what stands within it alone, a closed one or a left join's; any other as
    it is."""
    match conjunct:
        case Project(body=body) | Count(body=body) | Extreme(body=body) | TopK(body=body):
            new = _simplified(body, None, knowledge, starts)
            return conjunct if new is body else rebuilt(conjunct, (new,))
        case LeftJoin(body):
            return optional(conjunct, _simplified(body, None, knowledge, starts))
        case Aggregate() | Slice():
            return closed_over(conjunct, _simplified(conjunct.body, None, knowledge, starts))
        case _:
            return conjunct


# --- what conjuncts say of a term -------------------------------------------------------------------------------------


class _Scope:
    """What the conjuncts of a body, and of those around it, say of each term. Gathered when first asked."""

    __slots__ = ("_around", "_conjuncts", "_own")

    def __init__(self, conjuncts: Sequence[Conjunct], around: _Scope | None) -> None:
        self._conjuncts = conjuncts
        self._around = around
        self._own: Facts | None = None

    def others(self, membership: InstanceOf) -> list[Fact]:
        """All that is said of a membership's term, but for itself."""
        return [fact for fact in self._of(membership.term) if fact is not membership]

    def forget(self, membership: InstanceOf) -> None:
        """The membership is not there any more."""
        facts = self._facts()[membership.term]
        facts[:] = [fact for fact in facts if fact is not membership]

    def _of(self, term: Term) -> Iterator[Fact]:
        scope: _Scope | None = self
        while scope is not None:
            yield from scope._facts().get(term, ())
            scope = scope._around

    def _facts(self) -> Facts:
        if self._own is None:
            self._own = gathered(self._conjuncts)
        return self._own


# --- what follows from it ---------------------------------------------------------------------------------------------


def _knowledge(schema: Schema, vocabulary: Vocabulary) -> _Knowledge:
    """What a schema proves under a vocabulary; kept with the schema."""
    key = ("simplify-types", vocabulary)
    known = schema.meanings.get(key)
    if not isinstance(known, _Knowledge):
        known = schema.meanings[key] = _Knowledge(schema, vocabulary)
    return known


class _Knowledge:
    """What the statistics of a schema prove about classes and the ends of relations."""

    def __init__(self, schema: Schema, vocabulary: Vocabulary) -> None:
        meta = schema.source.meta
        self._schema = schema
        self._paths = vocabulary.subclass_paths
        self._measured = meta("vocabulary") in (None, vocabulary.name)
        self._sound = meta("sound") == "true"
        self._apart = self._measured and not self._paths and meta("disjoint") == "true"
        self._verdicts: dict[object, bool] = {}
        self._unions: dict[End, Unions] = {}

    def implies(self, membership: InstanceOf, facts: Sequence[Fact]) -> bool:
        """Whether what is said of its term implies a membership."""
        entity = self._is_entity(membership.term, facts)
        return self._some(facts, lambda fact: self._is_within(fact, membership.classes, entity))

    def clashes(self, membership: InstanceOf, facts: Sequence[Fact]) -> bool:
        """Whether what is said of its term is disjoint from a membership."""
        if not self._apart:
            return False
        entity = self._is_entity(membership.term, facts)
        return self._some(facts, lambda fact: self._is_apart(fact, membership.classes, entity))

    def _some(self, facts: Iterable[Fact], tells: Callable[[End | InstanceOf], bool]) -> bool:
        """Whether some fact tells it: of a union, one in each arm."""
        return any(
            all(self._some(arm, tells) for arm in fact.arms) if isinstance(fact, Either) else tells(fact)
            for fact in facts
        )

    def _is_entity(self, term: Term, facts: Iterable[Fact]) -> bool:
        """Whether the term is known to be no literal."""
        return type(term) is Iri or self._some(facts, lambda fact: not isinstance(fact, End) or fact.subject)

    def _is_within(self, fact: End | InstanceOf, asked: tuple[Iri, ...], entity: bool) -> bool:
        key = (fact.classes if isinstance(fact, InstanceOf) else fact, asked, entity)
        found = self._verdicts.get(key)
        if found is None:
            names = [iri.value for iri in asked]
            match fact:
                case InstanceOf(_, classes):
                    found = self._covers([iri.value for iri in classes], names)
                case End(relation, subject):
                    found = any(self._signed(name, relation, subject, entity) for name in names) or any(
                        self._covers(union, names) for union in self._proved(fact, entity)
                    )
            self._keep(key, found)
        return found

    def _is_apart(self, fact: End | InstanceOf, asked: tuple[Iri, ...], entity: bool) -> bool:
        key = ("apart", fact.classes if isinstance(fact, InstanceOf) else fact, asked, entity)
        found = self._verdicts.get(key)
        if found is None:
            names = [iri.value for iri in asked]
            unions: Iterable[Sequence[str]]
            match fact:
                case InstanceOf(_, classes):
                    unions = [[iri.value for iri in classes]]
                case _:
                    unions = self._proved(fact, entity)
            disjoint = self._schema.disjoint
            # what is disjoint was seen on instances by type; those of a signature class are others
            found = any(
                all(disjoint(one, other) for one in union for other in names)
                and all(self._is_plain(name) for name in (*union, *names))
                for union in unions
            )
            self._keep(key, found)
        return found

    def _keep(self, key: object, verdict: bool) -> None:
        if len(self._verdicts) >= _MOST_KEPT:
            self._verdicts.clear()  # classes come from programs: there is no end to them
        self._verdicts[key] = verdict

    # --- classes ------------------------------------------------------------------------------------------------------

    def _covers(self, classes: Sequence[str], asked: Sequence[str]) -> bool:
        """Whether the instances of each class are instances of one that is asked for, on every graph."""
        if self._paths:
            return all(name in asked for name in classes)
        return all(not self._schema.superclasses(name).isdisjoint(asked) for name in classes)

    def _signed(self, name: str, relation: str | None, subject: bool, entity: bool) -> bool:
        """Whether a class is the signature class of an end of a relation."""
        found = self._schema.class_(name)
        if found is None or relation is None:
            return False
        if subject or found.subjects_of is not None:
            return subject and found.subjects_of == relation
        return found.objects_of == relation and (entity or self._has_no_literals(relation))

    def _is_plain(self, name: str) -> bool:
        """Whether neither a class nor one below it is a signature class, so that types alone say who is an instance.
        Where the graph says which classes lie below, none may."""
        below = self._schema.subclasses(name)
        if self._paths and len(below) > 1:
            return False
        rows = [self._schema.class_(iri) for iri in below]
        return not any(row is not None and (row.subjects_of or row.objects_of) for row in rows)

    # --- relations ----------------------------------------------------------------------------------------------------

    def _proved(self, end: End, entity: bool) -> Unions:
        """The unions of classes that everything at an end of a relation belongs to; at the far end that may hold only
        for what is an entity."""
        if end.relation is None or not self._measured:
            return ()
        if not end.subject and not entity and not self._has_no_literals(end.relation):
            return ()
        known = self._unions.get(end)
        if known is None:
            relation = self._schema.relation(end.relation)
            known = ()
            if relation is not None and self._holds(relation, end.subject):
                sides = relation.domain if end.subject else relation.range
                known = tuple([union for union in sides if all(map(self._is_plain, union))])
            if len(self._unions) >= _MOST_KEPT:
                self._unions.clear()
            self._unions[end] = known
        return known

    def _holds(self, relation: Relation, subject: bool) -> bool:
        """Whether everything at one end of a relation, but literals, is what domain or range say."""
        counted, support = (
            (relation.subjects, relation.domain_support) if subject else (relation.objects, relation.range_support)
        )
        return self._sound if counted is None else counted == support

    def _has_no_literals(self, iri: str) -> bool:
        """Whether no object of a relation is a literal."""
        relation = self._schema.relation(iri)
        if relation is None or not self._measured:
            return False
        profile = relation.profile
        if relation.objects is None:
            return self._sound and bool(relation.range) and not relation.datatypes and not relation.literal
        return relation.range_support == relation.objects or (
            profile is not None and profile.entities == relation.triples
        )
