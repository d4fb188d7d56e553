"""merge-comparisons: pairs that are also executed, random queries, what is left alone, and when sympy is imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import (
    Body,
    Compare,
    Count,
    Direction,
    Extreme,
    Form,
    Kind,
    Member,
    Not,
    Op,
    Project,
    Query,
    TopK,
    Triple,
    Union,
)
from pylf.ir.scope import never
from pylf.ir.terms import XSD, XSD_DOUBLE, XSD_INTEGER, Iri, Literal, Var
from pylf.ir.text import parse_query, print_query
from pylf.ir.traverse import terms, walk
from pylf.ir.types import ANY, INTEGER, RELATION
from pylf.ir.verify import verify
from pylf.testing.differential.case import Case, Understood, understand
from pylf.testing.drawn.schemas import VOCABULARY
from pylf.testing.drawn.worlds import block
from tests.ir.passes.pairs import Pair, assert_same, context, graphs, pairs
from tests.ir.passes.turns import turn_of

if TYPE_CHECKING:
    from pylf.ir.nodes import Conjunct
    from pylf.ir.types import Type

PAIRS = pairs(Path(__file__).parent / "merge_comparisons")
run = turn_of("merge-comparisons")
CONTEXT = context()
X, V, W, N, P = Var("x"), Var("v"), Var("w"), Var("n"), Var("p")
R, S = Iri("http://e/r"), Iri("http://e/s")
FIVE, TEN = Literal("5", XSD_INTEGER), Literal("10", XSD_INTEGER)
LESS = Compare(Op.LT, V, FIVE, Kind.NUMBER)
MORE = Compare(Op.GT, V, FIVE, Kind.NUMBER)
UNDER_TEN = Compare(Op.LT, V, TEN, Kind.NUMBER)


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_pairs(pair: Pair) -> None:
    found = run(pair.before, CONTEXT)
    assert print_query(found) == print_query(pair.after)
    assert (found is pair.before) is (pair.before == pair.after)
    assert run(found, CONTEXT) is found
    verify(found)
    assert_same(pair.before, found)


def query(*conjuncts: Conjunct, form: Form = Form.SET, outputs: tuple[Var, ...] = (X,), **types: Type) -> Query:
    body = Body(conjuncts)
    places = [term for node in walk(body) for term in terms(node)]
    names = {term.name for term in (*places, *outputs) if isinstance(term, Var)}
    made = Query(form, outputs, body, tuple((name, types.get(name, ANY)) for name in sorted(names)))
    verify(made)
    return made


# --- random queries -----------------------------------------------------------------------------------------------


CONSTANTS = (
    *(Literal(text, XSD_INTEGER) for text in ("0", "5", "1990")),
    *(Literal(text, XSD_DOUBLE) for text in ("5.0", "10", "INF", "NaN")),
    *(Literal(text, XSD + "gYear") for text in ("1990", "2001")),
    *(Literal(text, XSD + "date") for text in ("1990-07-01", "1990-07-31")),
    Literal("1990-07", XSD + "gYearMonth"),
    Literal("text"),
    Literal("abc", XSD_INTEGER),
)


class _Drawing:
    """Queries in which comparisons of few variables meet at all depths."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.fresh = 0
        # few constants, so that they meet
        self.constants = self.random.sample(CONSTANTS, 4)
        self.kinds = self.random.choice(((Kind.NUMBER,), (Kind.DATE,), (Kind.ANY,), tuple(Kind)))

    def query(self) -> Query:
        body = [Triple(X, R, V), *self.some(X, (V,), 3)]
        self.random.shuffle(body)
        return query(*body, outputs=(X, V), form=Form.ROWS)

    def some(self, at: Var, pool: tuple[Var, ...], depth: int) -> list[Conjunct]:
        return [self.conjunct(at, pool, depth) for _ in range(self.random.randint(1, 4))]

    def conjunct(self, at: Var, pool: tuple[Var, ...], depth: int) -> Conjunct:
        """A conjunct that compares some of ``pool``; more values may come from ``at``."""
        roll = self.random.random()
        if depth == 0 or roll < 0.5:
            return self.compared(pool)
        if roll < 0.62:
            return Not(Body(tuple(self.some(at, pool, depth - 1))))
        if roll < 0.74:
            return Union(tuple([Body(tuple(self.some(at, pool, depth - 1))) for _ in range(self.random.randint(1, 3))]))
        self.fresh += 1
        new, item = Var(f"u{self.fresh}"), Var(f"i{self.fresh}")
        inside = (Triple(item, self.random.choice((R, S)), new), *self.some(item, (new,), depth - 1))
        if roll < 0.86:
            return Not(Body((Triple(at, self.random.choice((R, S)), new), *self.some(at, (*pool, new), depth - 1))))
        if roll < 0.9:
            return Member(self.random.choice(pool), tuple(self.random.sample(self.constants, 3)))
        if roll < 0.93:
            return Project((item,), Body(inside))
        if roll < 0.95:
            return Extreme(self.random.choice(tuple(Direction)), item, new, Body(inside), Kind.ANY)
        if roll < 0.97:
            return TopK(Direction.MAX, 2, item, new, Body(inside), Kind.ANY)
        return Count(Var(f"n{item.name}"), item, Body(inside), (new,) if self.random.random() < 0.5 else ())

    def compared(self, pool: tuple[Var, ...]) -> Conjunct:
        op, kind = self.random.choice(tuple(Op)), self.random.choice(self.kinds)
        left, right = self.random.choice(pool), self.random.choice(self.constants)
        roll = self.random.random()
        if roll < 0.06:
            return Compare(op, left, self.random.choice(pool), kind)
        return Compare(op, right, left, kind) if roll < 0.15 else Compare(op, left, right, kind)


@pytest.mark.parametrize("start", range(0, 400, 100))
def test_random_queries_keep_their_answers(start: int) -> None:
    changed = found_some = 0
    for seed in range(start, start + 100):
        before = _Drawing(seed).query()
        after = run(before, CONTEXT)
        verify(after)
        assert sum(1 for _ in walk(after)) <= sum(1 for _ in walk(before))
        if after is before:
            continue
        changed += 1
        assert after.outputs == before.outputs
        for graph in graphs((before,), seed, 8):
            expected = evaluate(before, graph, CONTEXT.schema, CONTEXT.vocabulary)
            found = evaluate(after, graph, CONTEXT.schema, CONTEXT.vocabulary)
            assert found.key() == expected.key(), print_query(before)
            found_some += bool(expected.rows)
    assert changed > 50
    assert found_some > 50


def test_rounds_end() -> None:
    for seed in range(400, 500):
        found = _Drawing(seed).query()
        for _ in range(4):
            before, found = found, run(found, CONTEXT)
            if found is before:
                break
        else:
            pytest.fail(print_query(found))


def test_drawn_programs_keep_their_answers() -> None:
    compared = 0
    for number in range(60):
        drawn = block(23, number)
        graph = MemoryGraph(drawn.setting.triples)
        for _, program in zip(range(12), drawn.programs, strict=False):
            case = understand(Case(drawn.setting, program), drawn.schema, graph)
            if not isinstance(case, Understood):
                continue
            found = run(case.query, CONTEXT)
            if found is not case.query:
                verify(found)
                compared += 1
                assert evaluate(found, graph, drawn.schema, VOCABULARY).key() == case.expected.key()
    assert compared


# --- what is left alone -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "conjuncts",
    [
        [Triple(X, R, V)],
        [Triple(X, R, V), LESS],
        [Triple(X, R, V), Triple(X, S, W), LESS, Compare(Op.LT, W, FIVE, Kind.NUMBER)],
        [Triple(X, R, V), Triple(X, S, W), LESS, Compare(Op.LT, V, W, Kind.NUMBER)],
        [Triple(X, R, V), MORE, UNDER_TEN],
        [Triple(X, R, V), LESS, UNDER_TEN, Union(())],
        [Triple(X, R, V), Compare(Op.LT, FIVE, V, Kind.DATE), Compare(Op.GT, FIVE, V, Kind.DATE)],
        [Member(V, (FIVE,)), Triple(X, R, V), Not(Body((Triple(X, S, V),)))],
    ],
)
def test_the_very_query_comes_back(conjuncts: list[Conjunct]) -> None:
    given = query(*conjuncts)
    assert run(given, CONTEXT) is given


def test_too_many_constants() -> None:
    bounds = [Compare(Op.LT, V, Literal(str(number), XSD_INTEGER), Kind.NUMBER) for number in range(13)]
    given = query(Triple(X, R, V), *bounds)
    assert run(given, CONTEXT) is given
    assert run(query(Triple(X, R, V), *bounds[1:]), CONTEXT).body == Body((Triple(X, R, V), bounds[1]))


def test_an_object_that_stands_twice() -> None:
    given = query(LESS, Triple(X, R, V), LESS, UNDER_TEN, UNDER_TEN)
    assert run(given, CONTEXT).body == Body((LESS, Triple(X, R, V)))


def test_a_number_is_still_counted() -> None:
    counted = Count(N, X, Body((Triple(X, R, V), LESS, MORE)))
    given = query(counted, form=Form.NUMBER, outputs=(N,), n=INTEGER)
    assert run(given, CONTEXT) is given
    asked = query(counted, form=Form.BOOLEAN, outputs=(), n=INTEGER)
    assert run(asked, CONTEXT).body == Body((Member(N, (Literal("0", XSD_INTEGER),)),))


def test_an_output_that_is_a_relation_keeps_its_place() -> None:
    given = query(Triple(X, P, V), LESS, MORE, form=Form.ROWS, outputs=(X, P), p=RELATION)
    assert run(given, CONTEXT) is given
    entities = query(Triple(X, P, V), LESS, MORE, p=RELATION)
    assert never(run(entities, CONTEXT).body)


def test_a_negation_keeps_its_advice() -> None:
    given = query(Triple(X, R, V), LESS, Not(Body((Triple(X, S, V), UNDER_TEN)), apart=True))
    (*_, negation) = run(given, CONTEXT).body.conjuncts
    assert negation == Not(Body((Triple(X, S, V),)))
    assert isinstance(negation, Not)
    assert negation.apart


# --- when sympy is imported ---------------------------------------------------------------------------------------


_LINE = '  ?v {} "{}"^^<http://www.w3.org/2001/XMLSchema#integer> by number\n'
_HEAD = "set ?x\n  ?v: any\n  ?x: any\nwhere\n  ?x <http://e/r> ?v\n"
_TANGLED = (
    "  either\n  "
    + _LINE.format(">", 1)
    + "  "
    + _LINE.format("<", 5)
    + "  or\n  "
    + _LINE.format(">", 3)
    + "  "
    + _LINE.format("<", 9)
)


@pytest.mark.parametrize(
    ("text", "imported"),
    [
        (None, False),
        (_HEAD, False),
        (_HEAD + _LINE.format("<", 5), False),
        (_HEAD + _LINE.format("<", 5) + _LINE.format("<", 10), False),
        (_HEAD + _LINE.format("<", 5) + _LINE.format(">", 5), False),
        (_HEAD + _TANGLED, True),
    ],
    ids=["nothing", "no comparison", "one", "the same way", "contradiction", "tangled"],
)
def test_sympy_is_imported_for_tangled_comparisons_alone(text: str | None, imported: bool) -> None:
    code = "import sys, pylf.ir.passes.merge_comparisons as merging\n"
    if text is not None:
        assert parse_query(text)
        code += (
            "from pylf.ir.text import parse_query\n"
            "from tests.ir.passes.pairs import context\n"
            f"merging.run(parse_query({text!r}), context())\n"
        )
    code += "print('sympy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(imported)
