from __future__ import annotations

from itertools import islice
from pathlib import Path as File
from random import Random
from typing import TYPE_CHECKING
from unittest import mock

import pytest

from pylf.errors import InvalidIR
from pylf.ir import build
from pylf.ir.evaluate import evaluate
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
from pylf.ir.passes import normalize
from pylf.ir.passes.context import Context
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Schema
from pylf.ir.terms import XSD_DOUBLE, XSD_INTEGER, Iri, Literal, Var
from pylf.ir.text import parse_query
from pylf.ir.verify import verify
from pylf.testing.differential.case import Case, Understood, understand
from pylf.testing.drawn import schemas
from pylf.testing.drawn.worlds import block
from pylf.testing.ir_strategies import random_query
from tests.ir.passes.pairs import EMPTY, VOCABULARY, assert_same, context, graphs, pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pylf.ir.graph import Graph
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.terms import Term

PAIRS = pairs(File(__file__).parent / "normalize")
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


# --- small queries that say much twice ----------------------------------------------------------------------------

_RELATIONS = tuple(Iri(NS + name) for name in "pq")
_CLASSES = tuple(Iri(NS + name) for name in "ABSO")
_VALUES = (Iri(NS + "e"), *(Literal(text, XSD_INTEGER) for text in ("1", "5")), Literal("5.0", XSD_DOUBLE))


class _Small:
    """Draws queries over two relations and four classes, most of which a pass can change. Some do not verify."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.made = 0

    def query(self) -> Query:
        x = Var("x")
        body = self.body([x, Var("y")], 2, (x,))
        match self.random.randrange(5):
            case 0:
                return build.query(Form.NUMBER, (Var("n"),), Body((Count(Var("n"), x, body),)))
            case 1:
                return build.query(Form.BOOLEAN, (), body)
            case _:
                return build.query(Form.SET, (x,), body)

    def fresh(self) -> Var:
        self.made += 1
        return Var(f"v{self.made}")

    def term(self, pool: list[Var], values: tuple[Iri | Literal, ...] = _VALUES) -> Term:
        return self.random.choice(pool) if self.random.random() < 0.75 else self.random.choice(values)

    def atom(self, pool: list[Var]) -> Conjunct:
        random = self.random
        ends = self.term(pool, _VALUES[:1]), self.term(pool)
        relation = random.choice(_RELATIONS)
        match random.randrange(10):
            case 0 | 1 | 2 | 3:
                return Triple(ends[0], relation, ends[1])
            case 4 | 5:
                return InstanceOf(random.choice(pool), tuple(random.sample(_CLASSES, random.choice((1, 1, 2)))))
            case 6:
                return Member(random.choice(pool), tuple(random.sample(_VALUES, random.choice((1, 1, 2)))))
            case 7:
                return Compare(random.choice(list(Op)), self.term(pool), ends[1], random.choice(list(Kind)))
            case 8:
                return Closure(ends[0], relation, ends[1])
            case _:
                return Path(
                    (ends[0], random.choice(pool), ends[1]), (relation, _RELATIONS[0]), (True, random.random() < 0.5)
                )

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
                arms = [inner(pool) for _ in range(random.choice((1, 2, 3)))]
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


# --- what every pass has to keep ----------------------------------------------------------------------------------


def answer(query: Query, graph: Graph, schema: Schema) -> object:
    """The answer; where there is none, that."""
    try:
        return evaluate(query, graph, schema, VOCABULARY).key()
    except InvalidIR:
        return "no number"


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
        for graph in graphs((query,), number, count):
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


# --- normalize ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_a_query_is_said_in_fewer_words(pair):
    assert normalize.run(pair.before, context(SMALL)) == pair.after
    assert normalize.run(pair.after, context(SMALL)) is pair.after
    assert_same(pair.before, pair.after, schema=SMALL)


@pytest.mark.parametrize(
    "where",
    [
        pytest.param("?x <p> ?y\n  ?y <p> ?x", id="nothing twice"),
        pytest.param('?x <p> ?y\n  ?x in ("5", "5"@en)', id="several values"),
        pytest.param('?x in ("5")', id="the value of an output"),
        pytest.param('?x <p> ?y\n  not\n    ?y in ("5")\n    ?y <q> ?x', id="a value seen from outside"),
        pytest.param('?x <p> ?y\n  ?y <= ?z\n  ?y in ("1990")\n  ?z <q> ?x', id="before the operator of an order"),
        pytest.param("?x <p> ?y\n  ?z <q>* ?y\n  ?z in (<e>)", id="an end of no steps"),
        pytest.param('?x with largest ?k\n    ?x <p> ?k\n    ?k in ("5", "6")', id="a key"),
        pytest.param("?x <p> ?y\n  not\n    ?x <p> ?y\n    <a> <q> <b>", id="what alone a negation shares"),
        pytest.param(
            "?x <p> ?y\n  either\n    ?x <p> ?y\n    ?y < 5\n  or\n    ?x a <A>\n    ?x <q> ?y", id="what an arm binds"
        ),
        pytest.param("?x is ?x by number\n  ?x <p> ?y", id="the same variable, if it is a number"),
        pytest.param("?x <p> ?y\n  not\n    ?x <p> ?z", id="another variable"),
    ],
)
def test_what_has_to_be_said_is_left_alone(where):
    where = where.replace("< 5", '< "5"')
    query = parse_query(f"set ?x\nwhere\n  {where}\n")
    assert normalize.run(query, context()) is query


def test_a_value_is_put_in_as_a_term_and_compared_by_value():
    five = '"5"^^<http://www.w3.org/2001/XMLSchema#integer>'
    query = parse_query(f"set ?x\nwhere\n  ?x <p> ?y\n  ?y is ?z\n  ?z in ({five})\n")
    found = normalize.run(query, context())
    assert found == parse_query(f"set ?x\n  ?x: entity\n  ?y: any\nwhere\n  ?x <p> ?y\n  ?y is {five}\n")
    assert_same(query, found)


def test_a_variable_that_would_be_typed_as_a_relation_and_be_none_is_kept():
    query = parse_query("set ?x\nwhere\n  ?x <p> ?r\n  not\n    ?x ?r ?x\n    never\n")
    assert normalize.run(query, context()) is query


def test_spans_stay():
    query = parse_query("set ?x\nwhere\n  ?x <p> ?y\n  distinct ?x\n    ?x <q> ?z\n")
    found = normalize.run(query, context())
    assert [conjunct.span for conjunct in found.body.conjuncts] == [
        query.body.conjuncts[0].span,
        query.body.conjuncts[1].body.conjuncts[0].span,
    ]


def test_small_queries_keep_their_answers():
    assert changes(normalize.run, small_queries(range(400)), SMALL) > 100


def test_random_queries_keep_their_answers():
    assert changes(normalize.run, (random_query(Random(seed)) for seed in range(300)), EMPTY, 3) > 100


def test_compiled_programs_keep_their_answers():
    assert changes_of_drawn(normalize.run, 1, 60) > 20


def test_a_number_query_keeps_its_count_even_of_nothing():
    query = parse_query('number ?n\nwhere\n  ?n counts ?x\n    ?x <p> ?y\n    "a" > "b"\n')
    found = normalize.run(query, context())
    assert found == parse_query("number ?n\n  ?x: entity\nwhere\n  ?n counts ?x\n    never\n")
    assert evaluate(found, MemoryGraph(()), EMPTY, VOCABULARY).number == 0
    beside = parse_query('number ?n\nwhere\n  ?n counts ?x\n    ?x <p> ?y\n  "a" > "b"\n')
    found = normalize.run(beside, context())
    assert found.body.conjuncts == (beside.body.conjuncts[0], Union(()))
    assert normalize.run(found, context()) is found


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        pytest.param("_may_stand", lambda *_: True, id="a constant anywhere"),
        pytest.param("compare", lambda *_: True, id="all comparisons hold"),
        pytest.param(
            "_not_held",
            lambda parts, held, arm: [p for p in parts if type(p) not in map(type, held)],
            id="alike is the same",
        ),
        pytest.param(
            "_inlined", lambda conjuncts: [c for c in conjuncts if not isinstance(c, Project)], id="distinct rows lost"
        ),
    ],
)
def test_broken_on_purpose_it_is_found_out(monkeypatch, name, broken):
    monkeypatch.setattr(normalize, name, broken)
    with pytest.raises((AssertionError, InvalidIR)):
        changes(normalize.run, small_queries(range(600)), SMALL)


def test_a_value_that_is_put_in_where_the_variable_is_seen_from_outside_is_found_out(monkeypatch):
    class Everywhere(dict):
        def __missing__(self, name):
            return mock.ANY

    monkeypatch.setattr(normalize._Round, "total", property(lambda _: Everywhere()))
    with pytest.raises((AssertionError, InvalidIR)):
        changes(normalize.run, small_queries(range(600)), SMALL)


def test_an_arm_that_says_less_is_not_what_goes(monkeypatch):
    def longest(_, union, arms):
        sets = [frozenset(one.conjuncts) for one in arms]
        kept = [one for one, mine in zip(arms, sets, strict=True) if not any(mine < other for other in sets)]
        return (union,) if len(kept) == len(union.arms) else build.union(kept, union.span).conjuncts

    monkeypatch.setattr(normalize._Round, "union", longest)
    with pytest.raises((AssertionError, InvalidIR)):
        changes(normalize.run, small_queries(range(600)), SMALL)
