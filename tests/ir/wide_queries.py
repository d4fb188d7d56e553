"""Random queries with every node of the wide tier, and random expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir import build
from pylf.ir.expressions import FUNCTIONS, Apply, with_terms_in
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Condition,
    Extend,
    Form,
    LeftJoin,
    Order,
    Query,
    Reduction,
    Slice,
    Triple,
)
from pylf.ir.terms import XSD, XSD_STRING, Iri, Literal, Var, tagged

if TYPE_CHECKING:
    import random

    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Conjunct

X, Y, Z, P = Var("x"), Var("y"), Var("z"), Iri("e:p")
ABOUT = Triple(X, P, Y)
TERMS = (X, Y, Z, Iri("e:a"), Literal("5", XSD + "integer"), Literal('a "b"\n<= ||'), tagged("a", "en"))


def expression(source: random.Random, depth: int) -> Expression:
    """Any function of any arguments; n-ary ones of up to four."""
    if depth == 0 or source.random() < 0.25:
        return source.choice(TERMS)
    name = source.choice([*FUNCTIONS, XSD_STRING])
    if name == "bound":
        return Apply(name, (source.choice((X, Y, Z)),))
    least, most = FUNCTIONS.get(name, (1, 1))
    count = source.randint(least, 4 if most is None else most)
    return Apply(name, tuple(expression(source, depth - 1) for _ in range(count)))


def query(source: random.Random) -> Query:
    """A query with one of each node, and expressions by chance; of what is not said nothing is meant."""
    a, b, d, e, f = (Var(name) for name in "abdef")
    spread = {"x": a, "y": b, "z": X}

    def over(one: Expression) -> Expression:
        return with_terms_in(one, lambda term: spread[term.name] if isinstance(term, Var) else term)

    inner = Body((Triple(X, P, a), LeftJoin(Body((Triple(a, P, b), Condition(over(expression(source, 2))))))))
    functions = ("count", "sum", "avg", "min", "max", "sample", "group_concat")
    reductions = [
        Reduction(function, Var(f"r{number}"), over(expression(source, 3)), source.random() < 0.5)
        for number, function in enumerate(source.sample(functions, source.randint(1, 4)))
    ]
    keys = tuple(Order(over(expression(source, 2)), source.random() < 0.5) for _ in range(source.randint(0, 3)))
    sliced = Slice((X, b), inner, keys, source.choice((None, 4, 7)), source.choice((0, 3)), source.random() < 0.5)
    conjuncts: list[Conjunct] = [
        ABOUT,
        Triple(X, P, Z),
        LeftJoin(Body((Triple(Y, P, d), Condition(expression(source, 3))))),
        Extend(e, expression(source, 3)),
        Extend(f, Apply("coalesce", (e, d))),
        Condition(expression(source, 4)),
        source.choice((sliced, Aggregate(tuple(reductions), inner, source.choice(((X,), (b, X)))))),
    ]
    source.shuffle(conjuncts)
    return build.query(Form.ROWS, (X, Y), Body(tuple(conjuncts)))
