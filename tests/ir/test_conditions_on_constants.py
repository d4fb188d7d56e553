"""A condition on a variable says less than the same on a literal, which may say a date by a number or a string: neither
follows from the other."""

from __future__ import annotations

from random import Random

import pytest

from pylf.equivalence.decide import equivalent
from pylf.ir import build
from pylf.ir.containment import contained
from pylf.ir.evaluate import evaluate
from pylf.ir.expressions import Apply, Expression
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Body, Condition, Form, Triple
from pylf.ir.passes import PIPELINE
from pylf.ir.passes.context import Context
from pylf.ir.passes.manager import optimized
from pylf.ir.terms import XSD, XSD_INTEGER, Iri, Literal, Var
from pylf.ir.text import parse_query, print_query
from pylf.ir.traverse import walk
from pylf.ir.types import ANY
from tests.ir import small_queries as small
from tests.ir.passes.pairs import EMPTY, VOCABULARY, context
from tests.ir.passes.turns import turn_of

minimize = turn_of("minimize")
D, Y, Z = map(Var, "dyz")
X, P, Q = Iri("urn:x"), Iri("urn:p"), Iri("urn:q")
BY_VARIABLE = "  ?x <urn:q> ?y\n  if {}\n"
BY_LITERAL = "  ?x <urn:q> {}\n  if {}\n"
YEAR = f'"2000"^^<{XSD_INTEGER}>'
GRAPH = MemoryGraph([(X, P, Literal("1999-05-05", XSD + "date")), (X, Q, Literal("2000", XSD_INTEGER))])


def asked(*parts: str) -> str:
    text = "".join(("  ?x <urn:p> ?d\n", *parts))
    return "set ?x\n" + "".join([f"  ?{name}: any\n" for name in "dxy" if f"?{name}" in text]) + "where\n" + text


@pytest.mark.parametrize(
    "condition",
    ["?d < {}", "!(?d > {})", "?d != {}", "coalesce(?d > {}, ?x)", "bound(?d) && (?d < {})", "in(?d, {}, ?x)"],
)
def test_a_literal_is_not_what_a_variable_has(condition: str) -> None:
    by_variable = BY_VARIABLE.format(condition.format("?y"))
    by_literal = BY_LITERAL.format(YEAR, condition.format(YEAR))
    both = parse_query(asked(by_variable, by_literal))
    less, more = parse_query(asked(by_variable)), parse_query(asked(by_literal))
    found = minimize(both, context())
    assert sum(isinstance(node, Condition) for node in walk(found)) == 2
    assert evaluate(found, GRAPH, EMPTY, VOCABULARY).key() == evaluate(both, GRAPH, EMPTY, VOCABULARY).key()
    assert contained(more, less) is None
    assert equivalent(both, more, EMPTY, VOCABULARY, 2, 0.5).status != "equivalent"


def test_an_entity_is_what_a_variable_has() -> None:
    by_variable, by_name = BY_VARIABLE.format("?d != ?y"), BY_LITERAL.format("<urn:z>", "?d != <urn:z>")
    assert contained(parse_query(asked(by_name)), parse_query(asked(by_variable))) is True
    found = minimize(parse_query(asked(by_variable, by_name)), context())
    assert found == parse_query(asked(by_name))


def test_the_same_within_what_is_denied() -> None:
    """Were ``?d < ?y`` taken for ``?d < 2000``, the one denial would follow from the other."""
    inner = "".join([f"    {line.strip()}\n" for line in BY_LITERAL.format(YEAR, f"!(?d < {YEAR})").splitlines()])
    outer = "    ?x <urn:q> ?y\n    if coalesce(!(?d < ?y), ?x = ?x)\n"
    denied = parse_query(asked("  not\n" + inner))
    assert contained(denied, parse_query(asked("  not\n" + outer))) is None


def drawn(random: Random, other: Expression) -> Expression:
    """Something about ?d and something else."""
    sign = random.choice(("<", ">", "<=", ">=", "=", "!=", "in"))
    compared = Apply(sign, (D, other))
    match random.randrange(4):
        case 0:
            return Apply("!", (compared,))
        case 1:
            return Apply("coalesce", (compared, D))
        case 2:
            return Apply("||", (Apply("!", (Apply("bound", (D,)),)), compared))
        case _:
            return compared


def test_what_is_said_of_a_variable_and_of_a_value_keeps_its_answers() -> None:
    """Drawn conditions, on what a variable has and again on a value that it may have."""
    values: list[Iri | Literal] = [*small.VALUES, *small.ENTITIES]
    kept = left_out = 0
    for seed in range(300):
        random = Random(seed)
        value = random.choice(values)
        first, second = random.choices(small.RELATIONS, k=2)
        state, again = random.getstate(), Random()
        again.setstate(state)
        told = [Condition(drawn(random, Y)), Condition(drawn(again, value))]
        binders = [Triple(Z, first, D), Triple(Z, second, Y), Triple(Z, second, value)]
        query = build.query(Form.SET, (Z,), Body((*binders, *told)), dict.fromkeys("dyz", ANY))
        found = optimized(query, Context(small.SCHEMA, small.VOCABULARY), PIPELINE)
        left = sum(isinstance(node, Condition) for node in walk(found))
        kept, left_out = kept + (left == 2), left_out + (left < 2)
        for _ in range(2):
            graph = small.graph(random)
            before, after = [evaluate(one, graph, small.SCHEMA, small.VOCABULARY).key() for one in (query, found)]
            assert before == after, print_query(query)
    assert min(kept, left_out) > 50
