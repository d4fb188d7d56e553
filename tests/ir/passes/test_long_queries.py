"""Queries longer than any question: passes end, give up quietly where a search is too long, and keep answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.backends.dialects import dialect_named
from pylf.ir import build
from pylf.ir.containment import Standing
from pylf.ir.nodes import Body, Compare, Direction, Extreme, Form, InstanceOf, Kind, Member, Not, Op, Triple, Union
from pylf.ir.passes import PIPELINE, minimize
from pylf.ir.passes.manager import optimized
from pylf.ir.terms import XSD_INTEGER, Iri, Literal, Var
from pylf.ir.traverse import walk
from tests.ir.passes.pairs import assert_same, context

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.ir.nodes import Conjunct, Query

X = Var("x")
R, S = Iri("urn:r"), Iri("urn:s")


def asked(*conjuncts: Conjunct) -> Query:
    return build.query(Form.SET, (X,), Body(conjuncts))


def var(number: int) -> Var:
    return Var(f"v{number}") if number else X


def node(number: int) -> Iri:
    return Iri(f"urn:n{number}")


def whole(number: int) -> Literal:
    return Literal(str(number), XSD_INTEGER)


def chain(size: int) -> Query:
    return asked(*[Triple(var(i), R, var(i + 1)) for i in range(size)])


def star(size: int) -> Query:
    return asked(*[Triple(X, R, var(i + 1)) for i in range(size)])


def star_of_bounds(size: int) -> Query:
    """Each ray is bounded from below, the last one from the highest: all others follow from it."""
    rays = [(Triple(X, R, var(i + 1)), Compare(Op.GT, var(i + 1), whole(i), Kind.NUMBER)) for i in range(size // 2)]
    return asked(*[conjunct for ray in rays for conjunct in ray])


def classes(size: int) -> Query:
    return asked(*[InstanceOf(X, (node(i),)) for i in range(size)], *[Triple(X, R, var(i + 1)) for i in range(size)])


def denials(size: int) -> Query:
    denied = [Body((Triple(X, R, var(i + 2)), Triple(var(i + 2), S, node(i)))) for i in range(size)]
    return asked(Triple(X, R, var(1)), *map(Not, denied))


def denial_in_denial(size: int) -> Query:
    body = Body((Triple(X, R, node(size)),))
    for i in range(size):
        body = Body((Triple(X, R, node(i)), Not(body)))
    return asked(Triple(X, S, var(1)), Not(body))


def arms(size: int) -> Query:
    said = [Body((Triple(X, R, var(i + 1)), Triple(var(i + 1), S, node(i)))) for i in range(size)]
    return asked(Triple(X, R, node(0)), Union(tuple(said)))


def many_unions(size: int) -> Query:
    pairs = [(Body((Triple(X, R, node(2 * i)),)), Body((Triple(X, R, node(2 * i + 1)),))) for i in range(size)]
    return asked(Triple(X, S, var(1)), *map(Union, pairs))


def comparisons(size: int) -> Query:
    ops = (Op.GT, Op.LT, Op.NE, Op.GE)
    numbers = [i if i % 4 in (0, 3) else 1000 - i for i in range(size)]
    made = [Compare(ops[i % 4], var(1), whole(number), Kind.NUMBER) for i, number in enumerate(numbers)]
    return asked(Triple(X, R, var(1)), *made)


def lists(size: int) -> Query:
    first, second = [tuple([node(i) for i in range(start, start + size)]) for start in (0, size // 2)]
    return asked(Triple(X, R, var(1)), Member(X, first), Member(X, second))


def superlatives(size: int) -> Query:
    body = Body((Triple(Var(f"i{size}"), R, Var("e")), Triple(Var(f"i{size}"), S, Var(f"k{size}"))))
    for i in range(size, 0, -1):
        best = Extreme(Direction.MAX, Var(f"i{i}"), Var(f"k{i}"), body)
        beside = Triple(Var(f"i{i - 1}"), R, Var(f"i{i}")), Triple(Var(f"i{i - 1}"), S, Var(f"k{i - 1}"))
        body = Body((best, *beside))
    return asked(*body.conjuncts, Triple(X, R, Var("i0")))


@pytest.mark.parametrize("engine", ["oxigraph", "virtuoso"])
@pytest.mark.parametrize(
    ("made", "size"),
    [
        (chain, 300),
        (star, 300),
        (star_of_bounds, 100),
        (star_of_bounds, 300),
        (classes, 50),
        (denials, 100),
        (denial_in_denial, 30),
        (arms, 100),
        (many_unions, 30),
        (comparisons, 40),
        (lists, 1000),
        (superlatives, 15),
    ],
)
def test_passes_end(made: Callable[[int], Query], size: int, engine: str) -> None:
    query = made(size)
    found = optimized(query, context(target=dialect_named(engine).target), PIPELINE, strict=True)
    assert sum(1 for _ in walk(found)) <= sum(1 for _ in walk(query)) + size


@pytest.mark.parametrize("made", [star, star_of_bounds, denials, arms, many_unions, comparisons, lists])
def test_answers_stay_where_a_search_gives_up(made: Callable[[int], Query], monkeypatch: pytest.MonkeyPatch) -> None:
    query = made(8)
    for steps in (0, 1, 5, 20):
        monkeypatch.setattr(minimize, "STEPS", steps)
        found = optimized(query, context(), PIPELINE)
        assert_same(query, found, count=10)


def test_all_turns_over_one_query_have_their_steps_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minimize, "STEPS", 200)
    query, shared = star_of_bounds(40), context().for_one_query()
    turns = [query]
    while len(turns) < 20 and (found := minimize.run(turns[-1], shared)) is not turns[-1]:
        turns.append(found)
    assert len(turns) == 2
    assert len(turns[1].body.conjuncts) < len(query.body.conjuncts)
    assert all(isinstance(kept, Standing) and kept.spent for kept in (shared.known or {}).values())


def test_rays_that_follow_from_others_go_in_one_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minimize, "STEPS", 10_000)
    assert len(minimize.run(star(60), context()).body.conjuncts) == 1
    assert len(minimize.run(star_of_bounds(60), context()).body.conjuncts) == 2
