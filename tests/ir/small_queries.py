"""Random queries over very few names, so that one often implies another; and graphs over the same names."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from pylf.ir import build
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import (
    Body,
    Closure,
    Compare,
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
from pylf.ir.types import ANY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.terms import Node

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
    return _Maker(random).query()


def graph(random: Random) -> MemoryGraph:
    """A graph of three entities and some values."""
    share = random.choice((0.1, 0.3, 0.6))
    values = random.sample(VALUES, 3)
    rows: list[tuple[Node, Iri, Node]] = [
        row for row in product(ENTITIES, RELATIONS, [*ENTITIES, *values]) if random.random() < share
    ]
    rows += [row for row in product(ENTITIES, [Iri(RDF + "type")], CLASSES[:2]) if random.random() < 0.4]
    return MemoryGraph(rows)


class _Maker:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.names: Iterator[Var] = (Var(f"v{number}") for number in range(1000))

    def query(self) -> Query:
        outputs = tuple(next(self.names) for _ in range(self.random.choice((0, 1, 1, 1))))
        body = self.body([], list(outputs), 2)
        return build.query(Form.SET if outputs else Form.BOOLEAN, outputs, body, {v.name: ANY for v in outputs})

    def body(self, around: list[Var], own: list[Var], depth: int) -> Body:
        random = self.random
        own = own + [next(self.names) for _ in range(random.choice((0, 1, 1, 2)) or not (own or around))]
        parts: list[Conjunct] = [self.binder(variable, around + own) for variable in own]
        visible = around + own
        further = random.choice((0, 1, 1, 2))
        parts += [self.part(visible, depth) if depth else self.check(visible) for _ in range(further)]
        random.shuffle(parts)
        return Body(tuple(parts))

    def binder(self, variable: Var, others: list[Var]) -> Conjunct:
        random = self.random
        one, relation = random.choice([*others, ENTITIES[0]]), random.choice(RELATIONS)
        match random.randrange(12):
            case 0:
                return InstanceOf(variable, (random.choice(CLASSES),))
            case 1:
                return Member(variable, tuple(random.sample([*ENTITIES, *VALUES], random.randint(1, 3))))
            case 2 if isinstance(one, Var):
                return Path((variable, one, variable), (relation, relation), (True, random.random() < 0.5))
            case 3:
                return Closure(variable, relation, one, 1)
            case roll if roll < 8:
                return Triple(variable, relation, one)
            case _:
                return Triple(one, relation, variable)

    def check(self, visible: list[Var]) -> Conjunct:
        random = self.random
        variable, other = random.choice(visible), random.choice([*visible, *VALUES])
        match random.randrange(5):
            case 0:
                return InstanceOf(variable, tuple(random.sample(CLASSES, random.randint(1, 2))))
            case 1 | 2:
                return Compare(random.choice(list(Op)), variable, other, random.choice(list(Kind)))
            case 3:
                return Member(variable, tuple(random.sample([*ENTITIES, *VALUES], random.randint(1, 4))))
            case _:
                return self.binder(variable, visible)

    def part(self, visible: list[Var], depth: int) -> Conjunct:
        random = self.random
        match random.randrange(9):
            case 0 | 1 | 2:
                return Not(self.body(visible, [], depth - 1))
            case 3 | 4:
                arms = [self.body(visible, [], depth - 1) for _ in range(random.randint(2, 3))]
                return Union(tuple(arms))
            case 5:
                return self.closed(random.choice(visible), depth)
            case _:
                return self.check(visible)

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
