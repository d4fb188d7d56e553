"""Random queries over very few names, so that one often implies another; and graphs over the same names."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from pylf.errors import InvalidIR
from pylf.ir import build
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import (
    Body,
    Closure,
    Compare,
    Confidence,
    Count,
    Direction,
    Extreme,
    Form,
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
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import RDF, XSD, Iri, Literal, Var
from pylf.ir.types import ANY, RELATION
from pylf.ir.verify import verify
from pylf.testing.drawn.grounds import statements

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.terms import Node, Term
    from pylf.ir.types import Type

N = "http://small.example/"
RELATIONS = (Iri(N + "r"), Iri(N + "s"))
#: every b is an a; what has an s is a c
CLASSES = (Iri(N + "A"), Iri(N + "B"), Iri(N + "C"))
ENTITIES = tuple(Iri(f"{N}e{number}") for number in range(3))
VALUES = (
    *(Literal(text, XSD + "integer") for text in ("1", "5")),
    Literal("5.0", XSD + "double"),
    Literal("1990", XSD + "gYear"),
    Literal("1990-07-01", XSD + "date"),
    Literal("5"),
)
SCHEMA = Schema(
    MemorySource((), (Class(N + "A"), Class(N + "B", parents=(N + "A",)), Class(N + "C", subjects_of=N + "s")), {})
)
VOCABULARY = Vocabulary("small")


def query(random: Random) -> Query:
    """A query of one output, or of none."""
    return _valid(random, (Form.SET, Form.SET, Form.SET, Form.BOOLEAN))


def any_query(random: Random) -> Query:
    """A query of any form but a subgraph."""
    return _valid(random, (Form.SET, Form.SET, Form.BOOLEAN, Form.ROWS, Form.NUMBER))


def graph(random: Random) -> MemoryGraph:
    """A graph of three entities and some values; of some, how sure some triples are."""
    share = random.choice((0.1, 0.3, 0.6))
    values = random.sample(VALUES, 3)
    rows: list[tuple[Node, Node, Node]] = [
        row for row in product(ENTITIES, RELATIONS, [*ENTITIES, *values]) if random.random() < share
    ]
    rows += [row for row in product(ENTITIES, [Iri(RDF + "type")], CLASSES[:2]) if random.random() < 0.4]
    return MemoryGraph([*rows, *(statements(random, rows) if random.random() < 0.3 else ())])


def _valid(random: Random, forms: tuple[Form, ...]) -> Query:
    """The first query that keeps the rules: which variable is a relation and which a number is drawn as if all went."""
    while True:
        found = _Maker(random).query(random.choice(forms))
        try:
            verify(found)
        except InvalidIR:
            continue
        return found


class _Maker:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.names: Iterator[Var] = (Var(f"v{number}") for number in range(1000))
        self.relations: set[str] = set()

    def query(self, form: Form) -> Query:
        width = {Form.BOOLEAN: 0, Form.ROWS: 2}.get(form, 1)
        outputs = tuple(next(self.names) for _ in range(width))
        body = self.number(outputs[0]) if form is Form.NUMBER else self.body([], list(outputs), 2)
        types: dict[str, Type] = {} if form is Form.NUMBER else {output.name: ANY for output in outputs}
        return build.query(form, outputs, body, types | dict.fromkeys(self.relations, RELATION))

    def number(self, result: Var) -> Body:
        """A count, alone or beside something else about its result: a comparison, or what counts for each of some."""
        counted = next(self.names)
        parts: list[Conjunct] = [Count(result, counted, self.body([], [counted], 2))]
        match self.random.randrange(6):
            case 0:
                parts += self.body([result], [], 1).conjuncts
            case 1:
                group, of = next(self.names), next(self.names)
                inner = self.body([], [group, of], 1)
                parts.append(Count(self.random.choice((result, next(self.names))), of, inner, (group,)))
        return Body(tuple(parts))

    def body(self, around: list[Var], own: list[Var], depth: int, spare: tuple[Var, ...] = ()) -> Body:
        """A body that sees what is ``around`` and binds its ``own`` variables, some of the ``spare`` ones, which the
        bodies beside it may have as well, and new ones."""
        random = self.random
        own = [*own, *(one for one in spare if random.random() < 0.5)]
        own += [next(self.names) for _ in range(random.choice((0, 1, 1, 2)) or not (own or around))]
        visible = around + own
        parts: list[Conjunct] = []
        alone = own
        if len(own) > 1 and depth and random.random() < 0.15:
            within, alone = own[:1], own[1:]
            parts.append(self.union(around, within, depth))
        parts += [self.binder(variable, visible) for variable in alone]
        further = random.choice((0, 1, 1, 2))
        parts += [self.part(visible, depth) if depth else self.check(visible) for _ in range(further)]
        if random.random() < 0.2:
            parts += self.compared(random.choice(visible))
        random.shuffle(parts)
        return Body(tuple(parts))

    def relation(self, visible: list[Var]) -> Term:
        """A relation, or now and then a variable: a new one, or one that is there."""
        random = self.random
        if random.random() < 0.95:
            return random.choice(RELATIONS)
        known = [one for one in visible if one.name in self.relations]
        variable = next(self.names) if random.random() < 0.5 else random.choice(known or visible)
        self.relations.add(variable.name)
        return variable

    def binder(self, variable: Var, others: list[Var]) -> Conjunct:
        random = self.random
        one, relation = random.choice([*others, ENTITIES[0]]), random.choice(RELATIONS)
        match random.randrange(15):
            case 0:
                return InstanceOf(variable, (random.choice(CLASSES),))
            case 1:
                return Member(variable, tuple(random.sample([*ENTITIES, *VALUES], random.randint(1, 3))))
            case 2 if isinstance(one, Var):
                return Path((variable, one, variable), (relation, relation), (True, random.random() < 0.5))
            case 3:
                return Closure(variable, relation, one, 1)
            case 4 if random.random() < 0.5:
                return Closure(variable, relation, random.choice(ENTITIES), 0)
            case 5 if random.random() < 0.4:
                self.relations.add(variable.name)
                ends = random.choice(others), random.choice([*others, next(self.names)])
                return Triple(ends[0], variable, ends[1])
            case 6 if random.random() < 0.4:
                value = next(self.names)
                ends = (variable, one) if random.random() < 0.5 else (one, variable)
                return Confidence(ends[0], self.relation(others), ends[1], value)
            case roll if roll < 11:
                return Triple(variable, self.relation(others), one)
            case _:
                return Triple(one, self.relation(others), variable)

    def check(self, visible: list[Var]) -> Conjunct:
        random = self.random
        variable, other = random.choice(visible), random.choice([*visible, *VALUES])
        match random.randrange(6):
            case 0:
                return InstanceOf(variable, tuple(random.sample(CLASSES, random.randint(1, 2))))
            case 1 | 2:
                return Compare(random.choice(list(Op)), variable, other, random.choice(list(Kind)))
            case 3:
                return Member(variable, tuple(random.sample([*ENTITIES, *VALUES], random.randint(1, 4))))
            case 4 if random.random() < 0.5:
                return Closure(variable, random.choice(RELATIONS), random.choice([*visible, *ENTITIES]), 0)
            case _:
                return self.binder(variable, visible)

    def compared(self, variable: Var) -> list[Conjunct]:
        """Two comparisons of one kind: often the one follows from the other, or no value passes both."""
        random = self.random
        kind, values = random.choice(((Kind.NUMBER, VALUES[:3]), (Kind.DATE, VALUES[3:5])))
        if random.random() < 0.3:
            return [Compare(Op.LT, variable, values[0], kind), Compare(Op.GT, variable, values[1], kind)]
        operators = (Op.LT, Op.LE, Op.LE, Op.GE, Op.EQ, Op.EQ, Op.IS, Op.IS)
        return [Compare(random.choice(operators), variable, random.choice(values), kind) for _ in range(2)]

    def part(self, visible: list[Var], depth: int) -> Conjunct:
        random = self.random
        match random.randrange(9):
            case 0 | 1 | 2:
                return Not(self.body(visible, [], depth - 1))
            case 3 | 4:
                return self.union(visible, [], depth)
            case 5:
                return self.closed(random.choice(visible), depth)
            case _:
                return self.check(visible)

    def union(self, around: list[Var], own: list[Var], depth: int) -> Union:
        """A union; its arms may have variables of their own of the same name."""
        spare = (next(self.names), next(self.names))
        return Union(tuple(self.body(around, own, depth - 1, spare) for _ in range(self.random.randint(2, 3))))

    def closed(self, variable: Var, depth: int) -> Conjunct:
        random = self.random
        other = next(self.names)
        inner = self.body([], [variable, other], depth - 1)
        direction, kind = random.choice(list(Direction)), random.choice((Kind.ANY, Kind.NUMBER))
        match random.randrange(4):
            case 0:
                return Project((variable,), inner)
            case 1:
                return Extreme(direction, variable, other, inner, kind)
            case 2:
                return TopK(direction, 2, variable, other, inner, kind)
            case _:
                return Count(next(self.names), other, inner, (variable,))
