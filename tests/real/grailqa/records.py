"""GrailQA's records, and graphs on which their queries can tell right from wrong.

A record holds a question's *graph query*: classes, entities and literals as nodes, relations as edges, one node asked
for. Each variable of it gets fresh entities, so that a *copy* of the pattern is a small graph of its own that answers
the question; a *near-miss* is a copy with one thing changed. Names and values are drawn from a generator seeded by the
record's id: nothing that an engine sorts by goes with being right or wrong.
"""

from __future__ import annotations

import gzip
import json
import random
from datetime import date, timedelta
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from pylf.ir.terms import RDF, XSD, Iri, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from pylf.ir.terms import Node

NS = "http://rdf.freebase.com/ns/"
TYPE = Iri(NS + "type.object.type")
RDF_TYPE = Iri(RDF + "type")

#: the zone that the published queries write after every date
ZONE = "-08:00"

Triple = tuple["Node", "Node", "Node"]
Edge = tuple[int, str, int]
#: by node, what it is said to be an instance of
Types = dict[int, list[tuple[Iri, str]]]


class Constraint(NamedTuple):
    """A literal node: ``function`` is ``none`` (equal), a comparison, ``argmax`` or ``argmin``."""

    nid: int
    lexical: str
    datatype: str
    function: str

    @property
    def superlative(self) -> bool:
        return self.function in ("argmax", "argmin")

    @property
    def dated(self) -> bool:
        return self.datatype == XSD + "date"


class Record(NamedTuple):
    """What is needed of a record. ``classes`` has the class of every node that is not a literal."""

    qid: int
    s_expression: str
    sparql: str
    graph_query: dict[str, Any]
    question: int
    classes: dict[int, str]
    constants: dict[int, str]
    literal: Constraint | None
    edges: tuple[Edge, ...]

    @property
    def variables(self) -> list[int]:
        return [nid for nid in self.classes if nid not in self.constants]

    @property
    def inner(self) -> list[int]:
        return [nid for nid in self.variables if nid != self.question]

    @property
    def counts(self) -> bool:
        return "(COUNT(" in self.sparql

    def path(self) -> list[Edge]:
        """The edges from the question node to the literal."""
        assert self.literal is not None
        walks: list[tuple[int, list[Edge]]] = [(self.question, [])]
        while walks:
            here, walked = walks.pop()
            if here == self.literal.nid:
                return walked
            following = [edge for edge in self.edges if here in (edge[0], edge[2]) and edge not in walked]
            walks.extend((edge[2] if here == edge[0] else edge[0], [*walked, edge]) for edge in following)
        raise AssertionError(f"{self.qid}: the literal hangs on nothing")


def read(path: Path) -> list[Record]:
    """The records of a file of GrailQA, in its order."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [_record(json.loads(line)) for line in stream]


def _record(data: dict[str, Any]) -> Record:
    nodes, edges = data["graph_query"]["nodes"], data["graph_query"]["edges"]
    literals = [node for node in nodes if node["node_type"] == "literal"]
    assert len(literals) <= 1
    return Record(
        data["qid"],
        data["s_expression"],
        data["sparql_query"],
        data["graph_query"],
        next(node["nid"] for node in nodes if node["question_node"]),
        {node["nid"]: node["class"] for node in nodes if node["node_type"] != "literal"},
        {node["nid"]: node["id"] for node in nodes if node["node_type"] == "entity"},
        next(map(_constraint, literals), None),
        tuple((edge["start"], edge["relation"], edge["end"]) for edge in edges),
    )


def _constraint(node: dict[str, Any]) -> Constraint:
    lexical, _, datatype = node["id"].partition("^^")
    if node["function"] in ("argmax", "argmin"):  # its constant says nothing: the class tells what is ordered
        datatype = XSD + {"type.datetime": "date", "type.int": "integer", "type.float": "float"}[node["class"]]
    return Constraint(node["nid"], lexical, datatype, node["function"])


# --- copies -------------------------------------------------------------------------------------------------------


class Graphs:
    """The graphs of one record.

    ``plain`` has copies and ordinary near-misses: on it the published SPARQL answers with ``answers``. ``full``
    adds the copies on which readings differ; ``tangled`` adds edges at random between entities of all copies, so that
    they share nodes and every relation is many-valued. ``subclass`` names a class below a class, if there is one.
    """

    def __init__(self, record: Record, subclass: Callable[[str], str | None]) -> None:
        self.record = record
        self.random = random.Random(record.qid)
        self.values = Values(record.literal, self.random)
        self.answers: set[Iri] = set()
        copies = self.ordinary()
        self.random.shuffle(copies)
        self.plain: list[Triple] = list(dict.fromkeys([triple for copy in copies for triple in copy]))
        more = self.special(subclass)
        self.random.shuffle(more)
        self.full: list[Triple] = list(dict.fromkeys([*self.plain, *(triple for copy in more for triple in copy)]))
        self.tangled: list[Triple] = list(dict.fromkeys([*self.full, *self.knots()]))

    def entity(self) -> Iri:
        return Iri(NS + "m.0" + "".join(self.random.choices("0123456789bcdfghjklmnpqrstvwxyz_", k=9)))

    def fresh(self, value: Literal | None = None) -> dict[int, Node]:
        """By node, what stands for it in a new copy; ``value`` for the literal, by default one that satisfies."""
        record = self.record
        chosen: dict[int, Node] = {nid: self.entity() for nid in record.variables}
        chosen |= {nid: Iri(NS + name) for nid, name in record.constants.items()}
        if record.literal is not None:
            literal = value or self.values.good
            assert literal is not None
            chosen[record.literal.nid] = literal
        return chosen

    def types(self) -> Types:
        return {nid: [(TYPE, name)] for nid, name in self.record.classes.items()}

    def copy(
        self, nodes: Mapping[int, Node], edges: Iterable[Edge] | None = None, types: Types | None = None
    ) -> list[Triple]:
        """The triples of the pattern with ``nodes`` in place."""
        found: list[Triple] = [
            (nodes[nid], predicate, Iri(NS + name))
            for nid, said in (self.types() if types is None else types).items()
            for predicate, name in said
        ]
        for start, relation, end in self.record.edges if edges is None else edges:
            found.append((nodes[start], Iri(NS + relation), nodes[end]))
        return found

    def ordinary(self) -> list[list[Triple]]:
        record, values = self.record, self.values
        copies = []
        for value in values.answering:
            nodes = self.fresh(value)
            answer = nodes[record.question]
            assert isinstance(answer, Iri)
            self.answers.add(answer)
            copies.append(self.copy(nodes))
        copies.extend(self.copy(self.fresh(value)) for value in values.missing)
        for edge in record.edges:
            others = [other for other in record.edges if other != edge]
            copies.append(self.copy(self.fresh(values.beyond), others))
            nodes = self.fresh(values.beyond)
            if not isinstance(nodes[edge[2]], Literal):
                copies.append(self.copy(nodes, [*others, (edge[2], edge[1], edge[0])]))
        copies.extend(self.copy({**self.fresh(values.beyond), nid: self.entity()}) for nid in record.constants)
        copies.append(self.copy(self.fresh(values.beyond), types={**self.types(), record.question: []}))
        return copies

    def special(self, subclass: Callable[[str], str | None]) -> list[list[Triple]]:
        record = self.record
        copies = [self.copy(self.fresh(), types={**self.types(), nid: []}) for nid in record.inner]
        for nid in record.variables:
            copies.append(self.copy(self.fresh(), types={**self.types(), nid: [(RDF_TYPE, record.classes[nid])]}))
            below = subclass(record.classes[nid])
            if below is not None:
                copies.append(self.copy(self.fresh(), types={**self.types(), nid: [(TYPE, below)]}))
        for one, other in combinations(record.classes, 2):
            if one in record.variables or other in record.variables:  # else both are the record's own entities
                nodes = self.fresh()
                kept, merged = (one, other) if other in record.variables else (other, one)
                copies.append(self.copy(nodes | {merged: nodes[kept]}))
        copies.extend(self.copy(self.fresh(value)) for value in self.values.odd)
        if record.literal is not None and record.literal.superlative:
            nodes = self.fresh(self.values.missing[0])
            again = {**self.fresh(), record.question: nodes[record.question]}
            copies.append([*self.copy(nodes), *self.copy(again, record.path())])
        return copies

    def knots(self) -> list[Triple]:
        """For each edge as many triples again: subjects and objects that it has anywhere, paired anew."""
        found: list[Triple] = []
        for predicate in sorted({NS + relation for _, relation, _ in self.record.edges}):
            ends = [(s, o) for s, p, o in self.full if p == Iri(predicate)]
            others = [o for _, o in ends]
            self.random.shuffle(others)
            found.extend((s, Iri(predicate), o) for (s, _), o in zip(ends, others, strict=True))
        return found


# --- values -------------------------------------------------------------------------------------------------------


class Values:
    """Literals for the one literal node of a record; none for a record without.

    ``answering``: one for each copy that answers; ``missing``: such as do not; ``beyond``: what a copy that is wrong
    for another reason gets, so that it would win a superlative; ``odd``: spellings of other datatypes and precisions.
    """

    good: Literal | None = None
    beyond: Literal | None = None

    def __init__(self, literal: Constraint | None, source: random.Random) -> None:
        self.answering: list[Literal | None] = [None, None, None]
        self.missing: list[Literal] = []
        self.odd: list[Literal] = []
        if literal is not None:
            (self.dates if literal.dated else self.numbers)(literal, source)

    def dates(self, literal: Constraint, source: random.Random) -> None:
        def day(when: date) -> Literal:
            return Literal(when.isoformat() + ZONE, XSD + "date")

        step = timedelta(days=source.randint(1, 400))
        if literal.superlative:  # the first day of a year, so that a year and a month start with it
            when = date(source.randint(1900, 2000), 1, 1)
            up = step if literal.function == "argmax" else -step
            self.good, self.beyond = day(when), day(when + up)
            self.answering, self.missing = [self.good] * 2, [day(when - up)]
            self.odd = [
                Literal(f"{when.year}", XSD + "gYear"),
                Literal(f"{when.year}-01", XSD + "gYearMonth"),
                Literal(f"{when}", XSD + "date"),
                Literal(f"{when}Z", XSD + "date"),
                Literal(f"{when}T00:00:00", XSD + "dateTime"),
                Literal("zeroth"),
            ]
            return
        when = date.fromisoformat(literal.lexical)
        near = [day(when + sign * by) for sign in (-1, 1) for by in (timedelta(days=1), step)]
        self.sort_out(literal, day(when), near[:2], near[2:])
        self.odd = [
            Literal(f"{when}", XSD + "date"),
            Literal(f"{when}Z", XSD + "date"),
            Literal(f"{when}T17:30:00", XSD + "dateTime"),
            Literal(f"{when + timedelta(days=1)}", XSD + "date"),
            Literal(f"{when + timedelta(days=1)}T00:00:00Z", XSD + "dateTime"),
            Literal(f"{when.year}", XSD + "gYear"),
            Literal(f"{when.year - 1}", XSD + "gYear"),
            Literal(f"{when.year + 1}", XSD + "gYear"),
            Literal(f"{when:%Y-%m}", XSD + "gYearMonth"),
            Literal("-0044", XSD + "gYear"),
            Literal(f"{when}"),
        ]

    def numbers(self, literal: Constraint, source: random.Random) -> None:
        exact = literal.datatype == XSD + "integer"

        def number(value: float) -> Literal:
            return Literal(str(int(value)) if exact else repr(value), literal.datatype)

        def others(value: float) -> list[Literal]:
            whole = [Literal(str(int(value)), XSD + "integer")] if value == int(value) else []
            return [*whole, Literal(repr(value), XSD + "decimal"), Literal(repr(value), XSD + "double")]

        step = source.randint(1, 30)
        if literal.superlative:
            value = float(source.randint(100, 1000))
            up = step if literal.function == "argmax" else -step
            self.good, self.beyond = number(value), number(value + up)
            self.answering, self.missing = [self.good] * 2, [number(value - up)]
            self.odd = [*others(value), *others(value - up), Literal("zeroth")]
            return
        value = float(literal.lexical)
        self.sort_out(literal, number(value), [number(value - 1), number(value - step)], [number(value + step)])
        self.odd = [*others(value), *others(value + 1), *others(value - 1), Literal(literal.lexical)]

    def sort_out(self, literal: Constraint, same: Literal, below: list[Literal], above: list[Literal]) -> None:
        """What satisfies a comparison with ``same``, and what does not."""
        match literal.function:
            case "none":
                good, self.missing = [same], below + above
            case "<=":
                good, self.missing = [same, *below], above
            case "<":
                good, self.missing = below, [same, *above]
            case ">=":
                good, self.missing = [same, *above], below
            case ">":
                good, self.missing = above, [same, *below]
            case other:
                raise AssertionError(other)
        self.good = self.beyond = good[0]
        self.answering = [good[n % len(good)] for n in range(3)]
