"""What the conjuncts of a body tell of its variables: their types, and the kind of their values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.nodes import (
    Aggregate,
    Body,
    Closure,
    Confidence,
    Count,
    Extreme,
    InstanceOf,
    Kind,
    Member,
    Path,
    Project,
    Slice,
    TopK,
    Triple,
    Union,
)
from pylf.ir.schema.typing import domain_type, range_type
from pylf.ir.terms import XSD_INTEGER, Iri, Literal, Var
from pylf.ir.traverse import bodies, walk
from pylf.ir.types import ANY, ENTITY, INTEGER, RELATION, EntityType, LiteralType, entity_of, meet
from pylf.language.constants import kind_of_relation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pylf.ir.nodes import Conjunct
    from pylf.ir.schema.model import Relation, Schema
    from pylf.ir.terms import Constant, Term
    from pylf.ir.types import Type


def told(conjuncts: Iterable[Conjunct], schema: Schema) -> dict[str, Type]:
    """The types of the variables that some conjuncts bind for certain, as far as they and the schema tell; ANY, where
    they tell nothing."""
    found: dict[str, Type] = {}
    subjects: set[str] = set()

    def tell(term: Term, type_: Type) -> None:
        if isinstance(term, Var):
            # where the schema would have an entity be a literal the graph decides
            both = meet(found.get(term.name, ANY), type_)
            found[term.name] = ANY if both is None else both

    def subject_of(term: Term, type_: Type = ENTITY) -> None:
        tell(term, type_)
        if isinstance(term, Var):
            subjects.add(term.name)

    def given(variables: Iterable[Var], body: Body) -> None:
        inside = told(body.conjuncts, schema)
        for variable in variables:
            if variable.name in inside:  # else it may be open
                tell(variable, inside[variable.name])

    for conjunct in conjuncts:
        match conjunct:
            case Triple(subject, predicate, object_) | Confidence(subject, predicate, object_):
                relation = schema.relation(predicate.value) if isinstance(predicate, Iri) else None
                subject_of(subject, ENTITY if relation is None else domain_type(relation))
                tell(predicate, RELATION)
                tell(object_, ANY if relation is None else range_type(relation))
            case Path():
                for subject, predicate, object_ in conjunct.hops:
                    subject_of(subject)
                    tell(predicate, RELATION)
                    tell(object_, ANY)
            case InstanceOf(term, classes):
                tell(term, entity_of(tuple([iri.value for iri in classes])))
            case Member(term, values):
                tell(term, _of_listed(values))
            case Closure(subject, _, object_, minimum):
                if minimum:
                    subject_of(subject)
                else:
                    tell(subject, ENTITY if isinstance(object_, Iri) else ANY)
                tell(object_, ANY)
            case Count(result, _, body, group):
                tell(result, INTEGER)
                given(group, body)
            case Aggregate(reductions, body, group):
                for one in reductions:
                    if one.function == "count":
                        tell(one.result, INTEGER)
                given(group, body)
            case Project(outputs, body) | Slice(outputs, body):
                given(outputs, body)
            case Extreme() | TopK():
                given((conjunct.item,), conjunct.body)
            case Union(arms):
                parts = [told(arm.conjuncts, schema) for arm in arms]
                for name in set.intersection(*[set(part) for part in parts]) if parts else ():
                    tell(Var(name), _either([part[name] for part in parts]))
            case _:
                pass
    for name, type_ in found.items():
        if name in subjects and isinstance(type_, LiteralType):
            found[name] = ANY
    return found


def _of_listed(values: tuple[Constant, ...]) -> Type:
    if values and all(isinstance(value, Iri) for value in values):
        return ENTITY
    if values and all(isinstance(value, Literal) for value in values):
        datatypes = {value.datatype for value in values if isinstance(value, Literal)}
        return LiteralType(datatypes.pop() if len(datatypes) == 1 else None)
    return ANY


def _either(types: Iterable[Type]) -> Type:
    """What is known of something that has one of some types."""
    different = set(types)
    if len(different) == 1:
        return different.pop()
    return ENTITY if all(isinstance(type_, EntityType) for type_ in different) else ANY


def types_of(body: Body, schema: Schema) -> dict[str, Type]:
    """The types of the variables of a body at any depth, as far as conjuncts and the schema tell. What a body binds for
    certain is of the type that it tells, whatever is asked of it within; what only some arms, an OPTIONAL or a negation
    bind is of what all of them tell."""
    found = _types(body, schema)
    nodes = list(walk(body))
    # what is a literal in one place and a subject in another
    for conjunct in nodes:
        subject = conjunct.subject if isinstance(conjunct, Triple | Confidence | Closure) else None
        if isinstance(subject, Var) and isinstance(found.get(subject.name), LiteralType):
            found[subject.name] = ANY
    # one that is a relation in any place is typed so, as the IR has it: it may be something else in another arm
    for conjunct in nodes:
        match conjunct:
            case Triple(_, predicate) | Confidence(_, predicate):
                relations: tuple[Term, ...] = (predicate,)
            case Path(_, relations):
                pass
            case _:
                continue
        found |= {relation.name: RELATION for relation in relations if isinstance(relation, Var)}
    return found


def _types(body: Body, schema: Schema) -> dict[str, Type]:
    found = told(body.conjuncts, schema)
    loose: dict[str, list[Type]] = {}
    for conjunct in body.conjuncts:
        for inner in bodies(conjunct):
            for name, type_ in _types(inner, schema).items():
                if name not in found:
                    loose.setdefault(name, []).append(type_)
    return found | {name: _either(types) for name, types in loose.items()}


def is_entity(type_: Type) -> bool:
    """Whether what has the type is no literal."""
    return isinstance(type_, EntityType) or type_ == RELATION


def kind_of(name: str, conjuncts: Iterable[Conjunct], schema: Schema) -> Kind:
    """NUMBER or DATE where the values of a variable are known to be of that kind alone; else ANY."""
    for conjunct in conjuncts:
        found = Kind.ANY
        match conjunct:
            case Triple(_, Iri(predicate), Var(object_)) if object_ == name:
                relation = schema.relation(predicate)
                found = Kind.ANY if relation is None else kind_of_relation(relation)
            case Count(Var(result)) if result == name:
                found = Kind.NUMBER
            case Aggregate(reductions) if any(r.result.name == name and r.function == "count" for r in reductions):
                found = Kind.NUMBER
            case Union(arms) if arms:
                kinds = {kind_of(name, arm.conjuncts, schema) for arm in arms}
                found = kinds.pop() if len(kinds) == 1 else Kind.ANY
            case Count() | Aggregate() | Project() | Slice() | Extreme() | TopK():
                if name in _exported(conjunct):
                    found = kind_of(name, conjunct.body.conjuncts, schema)
            case _:
                pass
        if found in (Kind.NUMBER, Kind.DATE):
            return found
    return Kind.ANY


def datatypes_of(name: str, conjuncts: Iterable[Conjunct], schema: Schema) -> Iterator[frozenset[str]]:
    """What some conjuncts tell of the datatypes that the values of a variable have, each all that there may be."""
    for conjunct in conjuncts:
        match conjunct:
            case Triple(_, Iri(predicate), Var(object_)) if object_ == name:
                relation = schema.relation(predicate)
                if relation is not None and relation.datatypes:
                    yield frozenset(relation.datatypes)
            case Count(Var(result)) if result == name:
                yield frozenset((XSD_INTEGER,))
            case Aggregate(reductions) if any(r.result.name == name and r.function == "count" for r in reductions):
                yield frozenset((XSD_INTEGER,))
            case Union(arms) if arms:
                told_by = [next(datatypes_of(name, arm.conjuncts, schema), None) for arm in arms]
                if None not in told_by:
                    yield frozenset().union(*[one for one in told_by if one is not None])
            case Count() | Aggregate() | Project() | Slice() | Extreme() | TopK():
                if name in _exported(conjunct):
                    yield from datatypes_of(name, conjunct.body.conjuncts, schema)
            case _:
                pass


def relations_to(name: str, conjuncts: Iterable[Conjunct], schema: Schema) -> Iterator[Relation]:
    """The relations that the schema knows of which a variable is the object."""
    for conjunct in conjuncts:
        match conjunct:
            case Triple(_, Iri(predicate), Var(object_)) if object_ == name:
                relation = schema.relation(predicate)
                if relation is not None:
                    yield relation
            case _:
                pass


def _exported(conjunct: Count | Aggregate | Project | Slice | Extreme | TopK) -> set[str]:
    match conjunct:
        case Count(_, _, _, group) | Aggregate(_, _, group):
            return {variable.name for variable in group}
        case Project(outputs) | Slice(outputs):
            return {variable.name for variable in outputs}
        case Extreme() | TopK():
            return {conjunct.item.name}
