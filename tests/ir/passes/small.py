"""Small queries that say much twice, and what every pass that rewrites them has to keep."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from pylf.errors import InvalidIR
from pylf.ir import build
from pylf.ir.evaluate import evaluate
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
from pylf.ir.passes.context import Context
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Schema
from pylf.ir.terms import XSD_DOUBLE, XSD_INTEGER, Iri, Literal, Var
from pylf.ir.traverse import walk
from pylf.ir.types import RELATION
from pylf.ir.verify import verify
from pylf.testing.differential.case import Case, Understood, understand
from pylf.testing.drawn import schemas
from pylf.testing.drawn.grounds import statements
from pylf.testing.drawn.worlds import block
from tests.ir.passes.pairs import VOCABULARY, context, graphs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pylf.ir.graph import Graph
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.terms import Term

NS = "http://t.example/"

#: B is below A; whatever is a subject of p is an S; an object of q that is no literal is an O, and so an A
SMALL = Schema(
    MemorySource(
        (),
        (
            Class(NS + "A"),
            Class(NS + "B", parents=(NS + "A",)),
            Class(NS + "S", subjects_of=NS + "p"),
            Class(NS + "O", parents=(NS + "A",), objects_of=NS + "q"),
        ),
    )
)


_RELATIONS = tuple(Iri(NS + name) for name in "pq")
_CLASSES = tuple(Iri(NS + name) for name in "ABSO")
_VALUES = (Iri(NS + "e"), *(Literal(text, XSD_INTEGER) for text in ("1", "5")), Literal("5.0", XSD_DOUBLE))


class _Small:
    """Draws queries over two relations and four classes, most of which a pass can change. Some do not verify."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.made = 0
        self.relations: set[str] = set()

    def query(self) -> Query:
        x = Var("x")
        y = Var("y")
        body = self.body([x, y], 2, (x,))
        match self.random.randrange(6):
            case 0:
                return self.asked(Form.NUMBER, (Var("n"),), self.number(x, body))
            case 1:
                return self.asked(Form.BOOLEAN, (), body)
            case 2:
                return self.asked(Form.ROWS, (x, y), body)
            case _:
                return self.asked(Form.SET, (x,), body)

    def asked(self, form: Form, outputs: tuple[Var, ...], body: Body) -> Query:
        return build.query(form, outputs, body, dict.fromkeys(self.relations, RELATION))

    def number(self, of: Var, body: Body) -> Body:
        """The count, now and then beside one for each of some."""
        counts = [Count(Var("n"), of, body)]
        if self.random.random() < 0.2:
            item, key = self.fresh(), self.fresh()
            counts.append(Count(self.fresh(), key, self.body([item, key], 1, (item, key)), (item,)))
        return Body(tuple(counts))

    def fresh(self) -> Var:
        self.made += 1
        return Var(f"v{self.made}")

    def term(self, pool: list[Var], values: tuple[Iri | Literal, ...] = _VALUES) -> Term:
        return self.random.choice(pool) if self.random.random() < 0.75 else self.random.choice(values)

    def atom(self, pool: list[Var]) -> Conjunct:
        random = self.random
        ends = self.term(pool, _VALUES[:1]), self.term(pool)
        relation = random.choice(_RELATIONS)
        match random.randrange(11):
            case 0 | 1 | 2 | 3:
                return Triple(ends[0], relation if random.random() < 0.9 else self.relation(pool), ends[1])
            case 4 | 5:
                return InstanceOf(random.choice(pool), tuple(random.sample(_CLASSES, random.choice((1, 1, 2)))))
            case 6:
                return Member(random.choice(pool), tuple(random.sample(_VALUES, random.choice((1, 1, 2)))))
            case 7:
                return Compare(random.choice(list(Op)), self.term(pool), ends[1], random.choice(list(Kind)))
            case 8:
                return Closure(ends[0], relation, ends[1], random.choice((0, 1, 1)))
            case 9 if random.random() < 0.5:
                return Confidence(ends[0], relation, ends[1], random.choice((*pool, self.fresh())))
            case _:
                return Path(
                    (ends[0], random.choice(pool), ends[1]), (relation, _RELATIONS[0]), (True, random.random() < 0.5)
                )

    def relation(self, pool: list[Var]) -> Var:
        """A variable in the place of a relation: one that is there, or a new one."""
        found = self.random.choice(pool) if self.random.random() < 0.3 else self.fresh()
        self.relations.add(found.name)
        return found

    def binding(self, var: Var, pool: list[Var]) -> Conjunct:
        if self.random.random() < 0.4:
            return InstanceOf(var, (self.random.choice(_CLASSES),))
        return Triple(var, self.random.choice(_RELATIONS), self.term(pool))

    def body(self, pool: list[Var], depth: int, wanted: tuple[Var, ...] = (), least: int = 1) -> Body:
        random, local = self.random, [*pool]
        found = [self.binding(var, local) for var in wanted]
        if random.random() < 0.5:
            local.append(self.fresh())
        found += [self.atom(local) for _ in range(random.choice((least, 1, 2, 3)))]
        for _ in range(random.choice((0, 1, 1, 2)) if depth else 0):
            found.append(
                self.operator(local, depth - 1, [one for one in found if isinstance(one, Triple | InstanceOf)])
            )
        random.shuffle(found)
        return Body(tuple(found))

    def operator(self, pool: list[Var], depth: int, beside: list[Conjunct]) -> Conjunct:
        random = self.random

        def inner(pool: list[Var], least: int = 1) -> Body:
            """A body that says again, now and then, what stands beside it."""
            again = random.sample(beside, 1) if beside and random.random() < 0.4 else ()
            return Body((*self.body(pool, depth, least=least).conjuncts, *again))

        match random.randrange(10):
            case 0 | 1 | 2:
                return Not(inner(pool, random.choice((0, 1))))
            case 3:
                return Not(Body((Not(inner(pool)),)))
            case 4:
                more = [*pool, self.fresh()]
                return Not(Body((Union((inner(more), inner(more))),)))
            case 5 | 6 | 7:
                # what is local to an arm may be so to another one, by the same name
                more = [*pool, self.fresh()] if random.random() < 0.3 else pool
                arms = [inner(more) for _ in range(random.choice((1, 2, 3)))]
                if random.random() < 0.4:
                    arms.append(Body(tuple(one for one in arms[0].conjuncts if isinstance(one, Triple | InstanceOf))))
                return Union(tuple(arms))
            case 8:
                var = random.choice(pool)
                return Project((var,), self.body([var], depth, (var,)))
            case _:
                item, key = random.choice(pool), self.fresh()
                body = self.body([item, key], depth, (item, key))
                closed = (
                    Extreme(random.choice(list(Direction)), item, key, body),
                    TopK(Direction.MAX, 2, item, key, body),
                    Count(self.fresh(), key, body, (item,)),
                )
                return random.choice(closed)


def small_queries(seeds: range) -> Iterator[Query]:
    """Those that verify."""
    for seed in seeds:
        query = _Small(Random(seed)).query()
        try:
            verify(query)
        except InvalidIR:
            continue
        yield query


def answer(query: Query, graph: Graph, schema: Schema) -> object:
    """The answer; where there is none, that."""
    try:
        return evaluate(query, graph, schema, VOCABULARY).key()
    except InvalidIR:
        return "no number"


def stating(queries: Iterable[Query], seed: int, count: int) -> Iterator[MemoryGraph]:
    """Random graphs over the names of some queries; where one asks how sure something is, they say so of some."""
    queries = tuple(queries)
    random = Random(seed)
    asked = any(isinstance(conjunct, Confidence) for query in queries for conjunct in walk(query))
    for graph in graphs(queries, seed, count):
        rows = list(graph.triples())
        yield MemoryGraph([*rows, *statements(random, rows, 8)]) if asked else graph


def changes(run: Callable[[Query, Context], Query], queries: Iterator[Query], schema: Schema, count: int = 4) -> int:
    """How many of the queries a pass changes: into ones that verify and that it leaves alone, with the same answers."""
    changed = 0
    ground = context(schema)
    for number, query in enumerate(queries):
        found = run(query, ground)
        if found is query:
            continue
        changed += 1
        verify(found)
        assert (found.form, found.outputs) == (query.form, query.outputs)
        assert run(found, ground) is found
        for graph in stating((query,), number, count):
            assert answer(found, graph, schema) == answer(query, graph, schema), (query, found)
    return changed


def changes_of_drawn(run: Callable[[Query, Context], Query], seed: int, blocks: int) -> int:
    """The same for what programs over drawn schemas and graphs are compiled to."""
    changed = 0
    for number in range(blocks):
        world = block(seed, number)
        graph = MemoryGraph(world.setting.triples)
        ground = Context(world.schema, schemas.VOCABULARY)
        for program in islice(world.programs, 10):
            understood = understand(Case(world.setting, program), world.schema, graph)
            if not isinstance(understood, Understood):
                continue
            found = run(understood.query, ground)
            if found is not understood.query:
                changed += 1
                verify(found)
                again = evaluate(found, graph, world.schema, schemas.VOCABULARY)
                assert again.key() == understood.expected.key(), (understood.query, found)
    return changed
