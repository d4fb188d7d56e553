"""Containment of queries of the wide tier: what is said to be contained is, on random graphs."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from pylf.equivalence.settled import settled
from pylf.ir import build
from pylf.ir.containment import contained
from pylf.ir.evaluate import evaluate
from pylf.ir.expressions import Apply
from pylf.ir.nodes import Body, Condition, Conjunct, Form, LeftJoin, Query, Triple
from pylf.ir.terms import Var
from pylf.ir.text import print_query
from pylf.ir.types import ANY
from pylf.testing.differential.smaller_queries import smaller_queries
from pylf.testing.drawn.wide import Names, wide_query
from tests.ir import small_queries as small

if TYPE_CHECKING:
    from pylf.ir.memory import MemoryGraph

R, S = small.RELATIONS
x, y, z, w = map(Var, "xyzw")


def asked(*conjuncts: Conjunct) -> Query:
    return build.query(Form.SET, (x,), Body(conjuncts), {"x": ANY})


def test_a_condition_follows_from_the_same_of_the_same() -> None:
    less = asked(Triple(x, R, y), Condition(Apply("<", (y, small.VALUES[0]))))
    more = asked(Triple(x, R, z), Condition(Apply("<", (z, small.VALUES[0]))), Triple(x, S, w))
    other = asked(Triple(x, R, z), Condition(Apply("<", (z, small.VALUES[1]))), Triple(x, S, w))
    assert contained(more, less) is True
    assert contained(other, less) is None


def test_what_is_optional_proves_nothing_and_is_in_no_way_of_what_is_not() -> None:
    optional = asked(Triple(x, R, y), LeftJoin(Body((Triple(x, S, z),))))
    assert contained(optional, asked(Triple(x, R, w))) is True
    assert contained(optional, asked(Triple(x, R, y), Triple(x, S, z))) is None


def answers(query: Query, graph: MemoryGraph) -> frozenset[object]:
    found = evaluate(query, graph, small.SCHEMA, small.VOCABULARY)
    if query.form is Form.BOOLEAN:
        return frozenset((True,) if found.boolean else ())
    key = found.key()
    assert isinstance(key, tuple)
    return frozenset(key[1])


def test_what_is_said_to_be_contained_is() -> None:
    names = Names(small.RELATIONS, small.CLASSES, small.ENTITIES, small.VALUES)
    proved = 0
    for seed in range(200):
        random = Random(seed)
        query = wide_query(random, names)
        graphs = [small.graph(random) for _ in range(2)]
        for other in islice(smaller_queries(query), 4):
            for left, right in ((query, other), (other, query)):
                if contained(left, right, small.SCHEMA, small.VOCABULARY) is not True:
                    continue
                proved += 1
                for graph in graphs:
                    if all(settled(one, graph, small.SCHEMA, small.VOCABULARY) for one in (left, right)):
                        assert answers(left, graph) <= answers(right, graph), print_query(left) + print_query(right)
    assert proved > 30
