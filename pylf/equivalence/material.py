"""What graphs are made of when two queries are compared: the names that the queries use, and a little besides.

A relation, class or constant that neither query names can make no difference between them, but for relations that a
variable stands for and values that a comparison decides: so there is one relation more than are named, and values near
each constant (:mod:`pylf.equivalence.near`). Entities without a name of their own are ``ex:e1``, ``ex:e2``, …
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from pylf.equivalence.near import LADDERS, between, near
from pylf.ir.confidence import both_relations
from pylf.ir.expressions import names_in
from pylf.ir.nodes import (
    Aggregate,
    Closure,
    Compare,
    Condition,
    Confidence,
    Extend,
    Extreme,
    InstanceOf,
    Kind,
    Member,
    Op,
    Path,
    Slice,
    TopK,
    Triple,
)
from pylf.ir.schema.vocabulary import NaryStatements, bookkeeping
from pylf.ir.terms import Iri, Literal, Var
from pylf.ir.traverse import terms, walk
from pylf.ir.types import AnyType, LiteralType
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Constant, Term

#: The namespace of entities that no query names.
EXAMPLE = "http://example.org/"

#: So many classes below one that is asked for are looked at.
MOST_BELOW = 2
#: So many values there are at most.
_MOST_VALUES = 40


@record
class Material:
    """``relations`` are those of the graph, not the vocabulary's for types; ``valued`` those that lead to values;
    ``types`` are what can say that something is an instance: relation, and class as its object. ``fresh`` gives the
    entities that no query names, always the same ones in the same order."""

    relations: tuple[Iri, ...]
    valued: frozenset[Iri]
    types: tuple[tuple[Iri, Iri], ...]
    entities: tuple[Iri, ...]
    values: tuple[Literal, ...]
    #: whether a variable stands for relations
    searches: bool
    schema: Schema
    vocabulary: Vocabulary

    def fresh(self) -> Iterator[Iri]:
        """Entities that no query names."""
        return (iri for iri in (Iri(f"{EXAMPLE}e{i}") for i in count(1)) if iri not in self.entities)

    def is_fresh(self, node: object) -> bool:
        """Whether a node is one that :meth:`fresh` gives."""
        return isinstance(node, Iri) and node.value.startswith(f"{EXAMPLE}e") and node not in self.entities


def material(queries: Iterable[Query], schema: Schema, vocabulary: Vocabulary) -> Material:
    """What the graphs are made of on which the queries are asked."""
    found = _Named(schema, vocabulary)
    for query in queries:
        valued = values_in(query)
        for conjunct in walk(query):
            found.add(conjunct, valued)
    typed = {predicate for predicate, _ in found.types}
    relations = [relation for relation in found.relations if relation not in typed]
    if found.searches:
        relations.append(Iri(f"{EXAMPLE}r"))
    named = dict.fromkeys(value for constant in found.constants for value in near(constant))
    ladder = dict.fromkeys(value for kind in found.kinds for value in LADDERS[kind])
    values = dict.fromkeys((*found.constants, *between(found.constants), *named, *ladder, *LADDERS[Kind.ANY][:1]))
    entities = [entity for entity in found.entities if entity not in found.relations or found.searches]
    return Material(
        tuple(relations),
        frozenset(found.valued),
        tuple(found.types),
        tuple(entities),
        tuple(values)[:_MOST_VALUES],
        found.searches,
        schema,
        vocabulary,
    )


def values_in(query: Query) -> dict[str, Kind]:
    """The variables of a query that a literal may stand for and that something looks at as a value, or that are known
    to be literals; each with what it is looked at as."""
    found: dict[str, Kind] = {}
    for conjunct in walk(query):
        match conjunct:
            case Compare(op, left, right, kind) if op is not Op.IS or Literal in (type(left), type(right)):
                found |= {term.name: kind for term in (left, right) if isinstance(term, Var)}
            case Member(Var(name), values) if any(isinstance(value, Literal) for value in values):
                found.setdefault(name, Kind.ANY)
            case Extreme(key=key, kind=kind) | TopK(key=key, kind=kind):
                found[key.name] = kind
            case Confidence(value=value):
                found.setdefault(value.name, Kind.NUMBER)
            case Condition(expression) | Extend(_, expression):
                found = dict.fromkeys(sorted(names_in(expression)), Kind.ANY) | found
            case Aggregate(reductions):
                summed = [one.of for one in reductions if one.of is not None and one.function != "count"]
                found = dict.fromkeys(sorted(names_in(*summed)), Kind.ANY) | found
            case Slice(order=order):
                found = dict.fromkeys(sorted(names_in(*[key.expression for key in order])), Kind.ANY) | found
    types = query.type_of
    for name, type_ in types.items():
        if isinstance(type_, LiteralType):
            found.setdefault(name, Kind.ANY)
    return {name: kind for name, kind in found.items() if isinstance(types[name], LiteralType | AnyType)}


def says_instance(class_: str, schema: Schema, vocabulary: Vocabulary) -> list[tuple[Iri, Iri, bool]]:
    """The ways in which a graph can say that something is an instance of a class, the plainest first: a relation and
    a class as its object; or, of a signature class, a relation, itself and whether its subjects are meant."""
    below = schema.subclasses(class_)[: MOST_BELOW + 1]
    ways = []
    for iri in below:
        known = schema.class_(iri)
        if known is not None and known.subjects_of is not None:
            ways.append((Iri(known.subjects_of), Iri(known.subjects_of), True))
        elif known is not None and known.objects_of is not None:
            ways.append((Iri(known.objects_of), Iri(known.objects_of), False))
        else:
            ways += [(Iri(predicate), Iri(iri), True) for predicate in vocabulary.type_predicates[:1]]
    return ways


class _Named:
    """What queries name, in the order of first mention."""

    def __init__(self, schema: Schema, vocabulary: Vocabulary) -> None:
        self.schema = schema
        self.vocabulary = vocabulary
        self.relations: dict[Iri, None] = {}
        self.valued: dict[Iri, None] = {}
        self.types: dict[tuple[Iri, Iri], None] = {}
        self.entities: dict[Iri, None] = {}
        self.constants: dict[Literal, None] = {}
        self.kinds: dict[Kind, None] = {}
        self.searches = False

    def add(self, conjunct: Conjunct, valued: dict[str, Kind]) -> None:
        match conjunct:
            case Triple(subject, predicate, object_):
                self.hop(subject, predicate, object_, valued)
            case Path(nodes, relations, forward):
                for near_, relation, far, ahead in zip(nodes, relations, nodes[1:], forward, strict=False):
                    start, end = (near_, far) if ahead else (far, near_)
                    self.hop(start, relation, end, valued)
            case Closure(subject, relation, object_):
                self.hop(subject, relation, object_, valued)
            case Confidence(subject, predicate, object_):
                says = self.vocabulary.statements
                self.relations |= dict.fromkeys(map(Iri, bookkeeping(says)))
                if isinstance(says, NaryStatements) and isinstance(predicate, Iri):
                    self.relations |= dict.fromkeys(both_relations(predicate, says))
                self.valued[Iri(says.confidence)] = None
                for term in (subject, predicate, object_):
                    self.constant(term)
            case InstanceOf(term, classes):
                self.constant(term)
                for class_ in classes:
                    self.instance_of(class_)
            case Member(_, values):
                for constant in values:
                    self.constant(constant)
            case Compare(_, left, right):
                self.constant(left)
                self.constant(right)
            case Extreme() | TopK():
                self.kinds[conjunct.kind] = None
            case Condition() | Extend() | Aggregate() | Slice():
                for term in terms(conjunct):
                    self.constant(term)
        self.kinds |= dict.fromkeys(valued[t.name] for t in terms(conjunct) if isinstance(t, Var) and t.name in valued)

    def hop(self, subject: Term, predicate: Term, object_: Term, valued: dict[str, Kind]) -> None:
        if isinstance(predicate, Var):
            self.searches = True
        elif isinstance(predicate, Iri):
            self.relations[predicate] = None
            if isinstance(object_, Literal) or (isinstance(object_, Var) and object_.name in valued):
                self.valued[predicate] = None
            if isinstance(object_, Iri) and predicate.value in self.vocabulary.type_predicates:
                self.types[predicate, object_] = None
                return
        self.constant(subject)
        self.constant(object_)

    def instance_of(self, class_: Iri) -> None:
        for relation, said, _ in says_instance(class_.value, self.schema, self.vocabulary):
            if relation == said:
                self.relations[relation] = None
            else:
                self.types[relation, said] = None
        if self.vocabulary.subclass_paths:
            self.relations[Iri(self.vocabulary.subclass_predicate)] = None
            self.entities[class_] = None
            self.types |= {(Iri(p), Iri(f"{EXAMPLE}C")): None for p in self.vocabulary.type_predicates[:1]}
            self.entities[Iri(f"{EXAMPLE}C")] = None

    def constant(self, term: Term | Constant) -> None:
        if isinstance(term, Iri):
            self.entities[term] = None
        elif isinstance(term, Literal):
            self.constants[term] = None
