"""What s-expressions mean, computed from the definitions alone: sets and pairs over a list of triples.

Each operator is the line of docs/language.md and docs/forms.md that defines it, quoted where it is computed. Shared
with pylf are only its terms and the tree that its parser gives: no names, types, lowering, values or evaluator. Slow
and short on purpose. Random graphs and questions: :mod:`tests.frontends.random_sexpr`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, assert_never

from pylf.frontends.sexpr import tree
from pylf.ir.terms import RDF, Iri
from tests.frontends.value_meaning import (
    Kind,
    Number,
    Thing,
    Value,
    dated,
    extremes,
    holds,
    readings,
    value_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pylf.ir.terms import Node

NS = "http://rdf.freebase.com/ns/"
TYPE_PREDICATES = (RDF + "type", NS + "type.object.type")

Triple = tuple[Iri, Iri, "Node"]
Members = frozenset[Value]
Pairs = set[tuple[Value, Value]]


@dataclass(frozen=True)
class Known:
    """What the definitions ask of a schema, by the names of relations and classes.

    ``kinds``: what a relation's values are. ``below``: the classes below a class. ``to_classes``, ``from_classes``:
    relations whose objects, or subjects, are classes themselves. ``times``: for a relation that tells when something
    began or ended, the relation for the beginning and that for the end, None where none is known.
    """

    kinds: Mapping[str, Kind] = field(default_factory=dict)
    below: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    to_classes: frozenset[str] = frozenset()
    from_classes: frozenset[str] = frozenset()
    times: Mapping[str, tuple[str | None, str | None]] = field(default_factory=dict)


class Meaning:
    """The sets that s-expressions denote in a graph. ``today`` is what NOW means, as ``YYYY-MM-DD``."""

    def __init__(self, triples: Iterable[Triple], known: Known, today: str) -> None:
        self.known = known
        self.today = today
        self._pairs: dict[str, Pairs] = defaultdict(set)
        for subject, predicate, object_ in triples:
            self._pairs[predicate.value].add((value_of(subject), value_of(object_)))

    def of(self, node: tree.Expression) -> Members:
        """The set that an expression denotes; of a COUNT the set of the one number."""
        match node:
            case tree.Word(text):
                # an id is the entity, the name of a class its instances
                return frozenset((thing(text),)) if is_entity(text) else self.instances(text)
            case tree.Value():
                return frozenset(readings(node, None)[:1])
            case tree.Join():
                return self.join(node)
            case tree.And(sets):
                return self.intersection(sets)
            case tree.Count(of):
                # the number of distinct members
                return frozenset((Number(float(len(self.of(of)))),))
            case tree.Superlative(mode, of, relation):
                # members of X whose r-value is the extreme one among X; all ties
                members = self.of(of)
                among = {(member, value) for member, value in self.walk(relation) if member in members}
                return extremes(among, mode, self.kind(relation))
            case tree.Comparison(op, relation, value):
                # { h : ∃v, (h,r,v)∈G, v op n }
                constant = readings(value, self.kind(relation))
                sign = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}[op]
                return frozenset(h for h, v in self.walk(relation) if holds(sign, v, constant))
            case tree.TimeConstraint():
                return self.held_at(node)
            case _:
                assert_never(node)

    def join(self, node: tree.Join) -> Members:
        """JOIN(r, X): { h : ∃t∈X, (h,r,t)∈G }, and with (R r) the other way. A constant is met by value; beside a
        relation of classes the name of a class is that class, and beside one of truth values ``true`` is one."""
        pairs = self.walk(node.relation)
        of = node.of
        if isinstance(of, tree.Word) and of.text in ("true", "false"):
            of = tree.Value(of.text)
        if isinstance(of, tree.Value):
            constant = readings(of, self.kind(node.relation), joined=True)
            return frozenset(h for h, t in pairs if holds("=", t, constant))
        if isinstance(of, tree.Word) and self.leads_to_classes(node.relation):
            return frozenset(h for h, t in pairs if t == thing(of.text))
        members = self.of(of)
        return frozenset(h for h, t in pairs if t in members)

    def intersection(self, sets: Iterable[tree.Expression]) -> Members:
        first, *others = map(self.of, sets)
        return first.intersection(*others)

    def instances(self, name: str) -> Members:
        """Entities of a class or of a subclass, whichever of the vocabulary's predicates says so."""
        classes = {thing(name), *map(thing, self.known.below.get(name, ()))}
        return frozenset(h for predicate in TYPE_PREDICATES for h, c in self._pairs[predicate] if c in classes)

    def held_at(self, node: tree.TimeConstraint) -> Members:
        """TC(X, r, t): members of X that have no beginning or one ``<=`` t, and no end or one ``>=`` t."""
        when = dated(self.today if isinstance(node.value, tree.Word) else node.value.lexical)
        assert when is not None
        steps = steps_of(node.relation)
        beginning, end = self.known.times.get(name_of(steps[-1]), (name_of(steps[-1]), None))
        members = self.of(node.of)
        for last, sign in ((beginning, "<="), (end, ">=")):
            if last is not None:
                pairs = self.walk(tree.Path((*steps[:-1], tree.Word(last))))
                outside = {h for h, _ in pairs} - {h for h, v in pairs if holds(sign, v, (when,))}
                members -= outside
        return members

    # -- relations

    def walk(self, relation: tree.Relation) -> Pairs:
        """The pairs of a relation, of the reverse of one, or of a path of several."""
        first, *others = [self.step(step) for step in steps_of(relation)]
        for pairs in others:
            onward = defaultdict(set)
            for middle, far in pairs:
                onward[middle].add(far)
            first = {(near, far) for near, middle in first for far in onward[middle]}
        return first

    def step(self, step: tree.Word | tree.Inverse) -> Pairs:
        pairs = self._pairs[iri_of(name_of(step))]
        return {(o, s) for s, o in pairs} if isinstance(step, tree.Inverse) else pairs

    def kind(self, relation: tree.Relation) -> Kind | None:
        """What the values are to which a relation leads, by its last step."""
        last = steps_of(relation)[-1]
        return None if isinstance(last, tree.Inverse) else self.known.kinds.get(name_of(last))

    def leads_to_classes(self, relation: tree.Word | tree.Inverse) -> bool:
        classes = self.known.from_classes if isinstance(relation, tree.Inverse) else self.known.to_classes
        return name_of(relation) in classes


def steps_of(relation: tree.Relation) -> tuple[tree.Word | tree.Inverse, ...]:
    return relation.steps if isinstance(relation, tree.Path) else (relation,)


def name_of(step: tree.Word | tree.Inverse) -> str:
    return step.relation.text if isinstance(step, tree.Inverse) else step.text


def is_entity(name: str) -> bool:
    return re.fullmatch(r"(?:ns:)?[mg]\.[0-9a-z_]+|<.*>", name) is not None


def iri_of(name: str) -> str:
    """The IRI of an id, of a CURIE, or of an IRI in angle brackets."""
    if name.startswith("<"):
        return name[1:-1]
    return name.replace("rdf:", RDF, 1) if name.startswith("rdf:") else NS + name.removeprefix("ns:")


def thing(name: str) -> Thing:
    return Thing(Iri(iri_of(name)))
