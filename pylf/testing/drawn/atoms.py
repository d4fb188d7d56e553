"""Single conjuncts about a variable, in the words of a graph and such that they mostly hold there."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pylf.ir.nodes import Body, Confidence, InstanceOf, Triple
from pylf.ir.schema.vocabulary import StatementPattern
from pylf.ir.terms import XSD, Iri, Literal, Var
from pylf.ir.traverse import rename, variables
from pylf.ir.values import identity
from pylf.records import replace
from pylf.testing.drawn.graphs import TYPE

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from random import Random

    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Conjunct
    from pylf.ir.schema.model import Schema
    from pylf.ir.terms import Node

    Edge = tuple[Node, Iri, Node]


_STATED = StatementPattern()


def _apart(triples: Sequence[TripleRow]) -> tuple[list[Edge], list[TripleRow]]:
    """The triples of which others say how sure they are, and all but these others."""
    parts = (_STATED.subject, _STATED.predicate, _STATED.object, _STATED.confidence)
    said: dict[Node, dict[str, Node]] = {}
    left: list[TripleRow] = []
    for node, predicate, part in triples:
        if isinstance(predicate, Iri) and predicate.value in parts:
            said.setdefault(node, {})[predicate.value] = part
        else:
            left.append((node, predicate, part))
    told = [[one.get(part) for part in parts[:3]] for one in said.values()]
    return [(s, p, o) for s, p, o in told if s is not None and isinstance(p, Iri) and o is not None], left


def inside(literal: Literal) -> tuple[Literal, ...]:
    """Dates that lie within a year or a month, and neither at its beginning nor at its end."""
    match literal.datatype.rpartition("#")[2]:
        case "gYear" if literal.lexical.lstrip("-").isdigit():
            return (
                Literal(literal.lexical + "-07", XSD + "gYearMonth"),
                Literal(literal.lexical + "-05-06", XSD + "date"),
            )
        case "gYearMonth":
            return (Literal(literal.lexical + "-06", XSD + "date"),)
        case _:
            return ()


def covering(literal: Literal) -> tuple[Literal, ...]:
    """The year that a date lies in, if it is one with a year of four digits."""
    year, _, rest = literal.lexical.partition("-")
    date = literal.datatype in (XSD + "gYearMonth", XSD + "date", XSD + "dateTime")
    return (Literal(year, XSD + "gYear"),) if date and rest and len(year) == 4 and year.isdigit() else ()


class Atoms:
    """Conjuncts over one graph. Where it is known for which node a variable may stand (``witness``), what is said of it
    is mostly so."""

    def __init__(self, random: Random, triples: Sequence[TripleRow], schema: Schema) -> None:
        self.random = random
        self.schema = schema
        #: the triples of which the graph says how sure they are, and all but what says it
        self.sure, triples = _apart(triples)
        self.triples: list[Edge] = [(s, p, o) for s, p, o in triples if isinstance(p, Iri) and p != TYPE]
        self.literals = sorted({o for _, _, o in triples if isinstance(o, Literal)}, key=str)
        spelled = Counter(map(identity, self.literals))
        #: the spellings of each value
        self.spellings: dict[Hashable, set[Literal]] = {}
        for literal in self.literals:
            self.spellings.setdefault(identity(literal), set()).add(literal)
        #: literals of values with one spelling: lists are of terms, and stores hold ``10``, ``010`` and
        #: ``"10"^^xsd:nonNegativeInteger`` as one
        self.listable = [literal for literal in self.literals if spelled[identity(literal)] == 1]
        #: relations to values that have two spellings: a join there is one of terms, and stores join values
        self.unjoined = {p for _, p, o in self.triples if isinstance(o, Literal) and spelled[identity(o)] > 1}
        self.entities = sorted({node for s, _, o in triples for node in (s, o) if isinstance(node, Iri)}, key=str)
        self.classes = [Iri(class_.iri) for class_ in schema.source.all_classes()]
        self.signed = [
            (Iri(class_.iri), Iri(class_.subjects_of or class_.objects_of or ""), class_.subjects_of is not None)
            for class_ in schema.source.all_classes()
            if class_.subjects_of or class_.objects_of
        ]
        self.values: dict[object, list[Literal]] = {}
        for _, predicate, target in triples:
            if isinstance(target, Literal):
                self.values.setdefault(predicate, []).append(target)
        self.inverses = {row.iri: row.inverse for row in schema.source.all_relations() if row.inverse is not None}
        self.disjoint = [(Iri(row.iri), Iri(o)) for row in schema.source.all_classes() for o in row.disjoint]
        #: what each node is next to, and the classes that it is said to be of
        self.beside: dict[Node, list[Edge]] = {}
        for triple in self.triples:
            for node in (triple[0], triple[2]):
                self.beside.setdefault(node, []).append(triple)
        self.types: dict[Node, list[Iri]] = {}
        for subject, predicate, target in triples:
            if predicate == TYPE and isinstance(target, Iri):
                self.types.setdefault(subject, []).append(target)
        #: entities of two classes that are stated to be disjoint, and these
        self.torn = {
            node: pair for node, types in self.types.items() for pair in self.disjoint if set(pair) <= set(types)
        }
        #: by the name of a variable, a node that it may stand for, so that what is added is mostly there
        self.witness: dict[str, Node] = {}
        self.made = 0

    def fresh(self) -> Var:
        """A variable that no query has."""
        self.made += 1
        return Var(f"made{self.made}")

    def membership(self, name: str) -> Conjunct:
        """A membership in one class or two, often in one that the witness is of."""
        random = self.random
        own = self.types.get(self.witness[name], []) if name in self.witness else []
        classes = random.choices(self.classes, k=random.choice((1, 1, 2)))
        if own and random.random() < 0.6:
            classes[0] = random.choice(own)
        return InstanceOf(Var(name), tuple(dict.fromkeys(classes)))

    def edge(self, name: str, far: Var | None = None) -> Triple:
        """A triple with the variable at one end, of a relation that the graph has, and with a new one at the other, or
        now and then a constant."""
        random = self.random
        beside = self.beside.get(self.witness[name]) if name in self.witness else None
        if beside and random.random() < 0.8:
            subject, predicate, target = random.choice(beside)
            ahead = subject == self.witness[name]
        else:
            return self.edge_of_any(name, far)
        return self._edge(name, (subject, predicate, target), ahead, far)

    def edge_of_any(self, name: str, far: Var | None = None) -> Triple:
        """The same, whatever the variable may stand for."""
        random = self.random
        subject, predicate, target = random.choice(self.triples)
        if self.signed and random.random() < 0.15:
            _, predicate, _ = random.choice(self.signed)
        ahead = random.random() < 0.7 or isinstance(target, Literal)
        return self._edge(name, (subject, predicate, target), ahead, far)

    def _edge(self, name: str, like: Edge, ahead: bool, far: Var | None) -> Triple:
        random = self.random
        subject, predicate, target = like
        ahead = ahead or predicate in self.unjoined
        other = target if ahead else subject
        end = far or (other if isinstance(other, Iri | Literal) and random.random() < 0.2 else self.fresh())
        if isinstance(end, Var):
            self.witness.setdefault(end.name, other)
        return Triple(Var(name), predicate, end) if ahead else Triple(end, predicate, Var(name))

    def value(self, name: str, value: Var) -> Triple:
        """A triple that leads to a value, if there are any."""
        pools = (self.beside.get(self.witness[name], []) if name in self.witness else [], self.triples)
        for pool in pools:
            leading = [triple for triple in pool if isinstance(triple[2], Literal)]
            if leading:
                _, predicate, self.witness[value.name] = self.random.choice(leading)
                return Triple(Var(name), predicate, value)
        return Triple(Var(name), self.triples[0][1], value)

    def unnamed(self, name: str, relation: Var | None = None) -> Triple:
        """A triple like :meth:`edge`, the relation of which is a variable: a new one, or the given one."""
        return replace(self.edge(name), predicate=relation or self.fresh())

    def confidence(self, name: str, value: Var) -> Confidence:
        """How sure it is that the variable is in a relation to something: mostly, in one of which the graph says it."""
        random = self.random
        own = [triple for triple in self.sure if self.witness.get(name) in (triple[0], triple[2])]
        if not self.sure or random.random() < 0.2:
            edge = self.edge(name)
            return Confidence(edge.subject, edge.predicate, edge.object, value)
        subject, predicate, target = random.choice(own or self.sure)
        ahead = not own or subject == self.witness[name]
        far = target if ahead else subject
        end = far if isinstance(far, Iri | Literal) and random.random() < 0.2 else self.fresh()
        relation = self.fresh() if random.random() < 0.2 else predicate
        return Confidence(Var(name), relation, end, value) if ahead else Confidence(end, relation, Var(name), value)

    def renamed(self, conjuncts: Sequence[Conjunct], spare: str = "") -> tuple[Conjunct, ...]:
        """The conjuncts with new names for the variables that were made for them."""
        old = dict.fromkeys(n for c in conjuncts for n in variables(c) if n.startswith("made") and n != spare)
        return rename(Body(tuple(conjuncts)), {name: self.fresh().name for name in old}).conjuncts
