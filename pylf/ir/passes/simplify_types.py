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
nothing. The last binder of a variable always stays: what implies a membership binds its term.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir import build
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
from pylf.ir.scope import never
from pylf.ir.terms import Iri, Var
from pylf.ir.traverse import walk
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.passes.context import Context
    from pylf.ir.schema.model import Relation, Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Term

    Unions = tuple[tuple[str, ...], ...]
    Facts = dict[Term, list["Fact"]]

#: Conjuncts that hold neither a membership nor a body.
_ATOMS = frozenset((Triple, Compare, Member, Confidence, Path, Closure))
#: So many verdicts on classes and relations are kept with a schema.
_MOST_KEPT = 10_000


def run(query: Query, context: Context) -> Query:
    """The query without the memberships that are implied; one whose term is known to belong elsewhere never holds."""
    if not any(type(conjunct) is InstanceOf for conjunct in walk(query)):
        return query
    body = _simplified(query.body, None, _knowledge(context.schema, context.vocabulary))
    if body is query.body:
        return query
    if query.form is Form.NUMBER and not any(
        type(conjunct) is Count and conjunct.result == query.outputs[0] for conjunct in body.conjuncts
    ):
        return query  # nothing is left to be counted, and a number is asked for by its count
    return build.query(query.form, query.outputs, body, query.types, query.span)


def _simplified(body: Body, around: _Scope | None, knowledge: _Knowledge) -> Body:
    """The body without what is implied in it. Each step rests on what the steps before it have left standing: closed
    bodies by themselves, then the memberships beside them, then negations and unions."""
    if _ATOMS.issuperset(map(type, body.conjuncts)):
        return body
    closed = [_closed(conjunct, knowledge) for conjunct in body.conjuncts]
    same = all(new is old for new, old in zip(closed, body.conjuncts, strict=True))
    conjuncts = body.conjuncts if same else build.join(*closed).conjuncts
    scope = _Scope(conjuncts, around)
    left: list[Conjunct] = []
    for conjunct in conjuncts:
        if type(conjunct) is InstanceOf:
            others = scope.others(conjunct)
            if knowledge.clashes(conjunct, others):
                return Body((Union((), conjunct.span),))
            if knowledge.implies(conjunct, others):
                scope.forget(conjunct)
                continue
        left.append(conjunct)
    parts: list[Body | Conjunct] = []
    # an arm may not rest on another arm, nor on one of another union, which may come to rest on it in turn
    plain: _Scope | None = None
    for conjunct in left:
        match conjunct:
            case Not(inner):
                new = _simplified(inner, scope, knowledge)
                parts.append(conjunct if new is inner else build.negate(new, conjunct.span, conjunct.apart))
            case Union(arms):
                if plain is None:
                    plain = _Scope([c for c in left if type(c) is not Union], around)
                new_arms = [_simplified(arm, plain, knowledge) for arm in arms]
                same = all(new is arm for new, arm in zip(new_arms, arms, strict=True))
                parts.append(conjunct if same else build.union(new_arms, conjunct.span))
            case _:
                parts.append(conjunct)
    if len(parts) == len(body.conjuncts) and all(new is old for new, old in zip(parts, body.conjuncts, strict=True)):
        return body
    return build.join(*parts)


def _closed(conjunct: Conjunct, knowledge: _Knowledge) -> Body | Conjunct:
    """A conjunct with a closed body, which is simplified by what stands within it alone; any other as it is."""
    match conjunct:
        case Project(body=body) | Count(body=body) | Extreme(body=body) | TopK(body=body):
            new = _simplified(body, None, knowledge)
            if new is body:
                return conjunct
        case _:
            return conjunct
    match conjunct:
        case Project(outputs):
            return build.project(outputs, new, conjunct.span)
        case Count(result, of, _, group):
            return build.count(result, of, new, group, conjunct.span)
        case Extreme(direction, item, key, _, kind):
            return build.extreme(direction, item, key, new, kind, conjunct.span)
        case TopK(direction, k, item, key, _, kind):
            return build.top_k(direction, k, item, key, new, kind, conjunct.span)


# --- what conjuncts say of a term -------------------------------------------------------------------------------------


@record
class _End:
    """The term is a subject (else an object) of a relation; of one that is not known where that is a variable."""

    relation: str | None
    subject: bool


@record(eq=False)
class _Either:
    """What each arm of a union says of the term."""

    arms: tuple[list[Fact], ...]


Fact = _End | InstanceOf | _Either


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
            self._own = _gathered(self._conjuncts)
        return self._own


def _gathered(conjuncts: Iterable[Conjunct]) -> Facts:
    facts: Facts = {}

    def edge(subject: Term, predicate: Term, object_: Term) -> None:
        relation = predicate.value if type(predicate) is Iri else None
        facts.setdefault(subject, []).append(_End(relation, True))
        if relation is not None:
            facts.setdefault(object_, []).append(_End(relation, False))

    def exported(variables: Iterable[Var], body: Body) -> None:
        within = _gathered(body.conjuncts)
        for variable in variables:
            if variable in within:
                facts.setdefault(variable, []).extend(within[variable])

    for conjunct in conjuncts:
        match conjunct:
            case Triple(subject, predicate, object_):
                edge(subject, predicate, object_)
            case InstanceOf(term):
                facts.setdefault(term, []).append(conjunct)
            case Path(nodes, relations, forward):
                for near, far, relation, ahead in zip(nodes, nodes[1:], relations, forward, strict=False):
                    edge(*((near, relation, far) if ahead else (far, relation, near)))
            case Closure(subject, relation, object_, 1):
                edge(subject, relation, object_)
            case Project(outputs, body):
                exported(outputs, body)
            case Count(_, _, body, group):
                exported(group, body)
            case Extreme() | TopK():
                exported((conjunct.item,), conjunct.body)
            case Union(arms):
                each = [_gathered(arm.conjuncts) for arm in arms if not never(arm)]
                for term in each[0] if each else ():
                    if all(term in arm for arm in each):
                        facts.setdefault(term, []).append(_Either(tuple([arm[term] for arm in each])))
            case _:
                pass
    return facts


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
        self._unions: dict[_End, Unions] = {}

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

    def _some(self, facts: Iterable[Fact], tells: Callable[[_End | InstanceOf], bool]) -> bool:
        """Whether some fact tells it: of a union, one in each arm."""
        return any(
            all(self._some(arm, tells) for arm in fact.arms) if isinstance(fact, _Either) else tells(fact)
            for fact in facts
        )

    def _is_entity(self, term: Term, facts: Iterable[Fact]) -> bool:
        """Whether the term is known to be no literal."""
        return type(term) is Iri or self._some(facts, lambda fact: not isinstance(fact, _End) or fact.subject)

    def _is_within(self, fact: _End | InstanceOf, asked: tuple[Iri, ...], entity: bool) -> bool:
        key = (fact.classes if isinstance(fact, InstanceOf) else fact, asked, entity)
        found = self._verdicts.get(key)
        if found is None:
            names = [iri.value for iri in asked]
            match fact:
                case InstanceOf(_, classes):
                    found = self._covers([iri.value for iri in classes], names)
                case _End(relation, subject):
                    found = any(self._signed(name, relation, subject, entity) for name in names) or any(
                        self._covers(union, names) for union in self._proved(fact, entity)
                    )
            self._keep(key, found)
        return found

    def _is_apart(self, fact: _End | InstanceOf, asked: tuple[Iri, ...], entity: bool) -> bool:
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

    def _proved(self, end: _End, entity: bool) -> Unions:
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
