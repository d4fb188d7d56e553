"""Pairwise difference on request: what it adds and where, and which answers it takes away."""

from __future__ import annotations

import pytest

from pylf.errors import CompileError
from pylf.ir.all_different import MAX_NODES, all_different
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Body, Compare, Not, Op, Query
from pylf.ir.terms import Iri, Var
from pylf.ir.traverse import walk
from pylf.ir.verify import verify
from pylf.language.context import Context
from pylf.language.lower import lower
from pylf.language.parser import parse
from pylf.testing.programs import NS, VOCABULARY, schema


def lowered(expression: str) -> Query:
    return lower(parse(f"x = STOP({expression})"), Context(schema(), VOCABULARY)).query


def apart(expression: str) -> tuple[int, set[str]]:
    """How many pairs of variables are told apart, and which named entities from variables."""
    query = all_different(lowered(expression))
    verify(query)
    pairs, named = 0, set()
    for conjunct in walk(query):
        match conjunct:
            case Not(body=Body((Compare(Op.IS, Var(), Var()),))):
                pairs += 1
            case Not(body=Body((Compare(Op.IS, Var(), Iri(value=iri)),))):
                named.add(iri.removeprefix(NS))
    return pairs, named


@pytest.mark.parametrize(
    ("expression", "pairs", "named"),
    [
        ("JOIN('aa', START(':e1'))", 0, {"e1"}),
        ("JOIN('aa', JOIN('aa', START(':e1')))", 1, {"e1"}),
        ("AND(JOIN('aa', START(':e1')), JOIN('aa', START(':e2')))", 0, {"e1", "e2"}),
        # a value is no entity
        ("CMP('<', 'num', 3)", 0, set()),
        # what is negated is left as it is
        ("JOIN('aa', JOIN('aa', START(':e1')), neg=True)", 0, set()),
        # a sub-query has nodes of its own, and all that is named
        ("JOIN('aa', ARG('ARGMAX', JOIN('aa', JOIN('aa', START(':e1'))), 'num'))", 2, {"e1"}),
        ("COUNT(JOIN('aa', JOIN('aa', START(':e1'))))", 1, {"e1"}),
        # what a relation without a range leads to may be a value, and values may be equal
        ("AND(JOIN('bx', JOIN('R_bx', START(':e1'))), CMP('>', 'bx', 1), CMP('<', 'bx', 5))", 4, {"e1"}),
        # an entity that is both one end of an edge and the members of a set is one node
        ("AND(JOIN('aa', AND(START(':e1'), CMP('<', 'num', 3))), JOIN('aa', START(':e1')))", 1, {"e1"}),
        ("OR(JOIN('aa', JOIN('aa', START(':e1'))), JOIN('aa', START(':e2')))", 1, {"e1", "e2"}),
    ],
)
def test_all_that_is_asserted_is_told_apart(expression: str, pairs: int, named: set[str]) -> None:
    assert apart(expression) == (pairs, named)


def test_who_began_the_chain_is_no_longer_an_answer() -> None:
    aa = Iri(NS + "aa")
    a, b, c = (Iri(f"{NS}e{i}") for i in (1, 2, 3))
    siblings = MemoryGraph([(x, aa, y) for x in (a, b, c) for y in (a, b, c) if x != y] + [(b, aa, b)])
    query = lowered("JOIN('aa', JOIN('aa', START(':e1')))")
    assert set(evaluate(query, siblings, schema(), VOCABULARY).values) == {a, b, c}
    assert set(evaluate(all_different(query), siblings, schema(), VOCABULARY).values) == {b, c}


def test_too_many_nodes_are_refused() -> None:
    chain = "START(':e1')"
    for _ in range(MAX_NODES):
        chain = f"JOIN('aa', {chain})"
    with pytest.raises(CompileError, match=f"more than {MAX_NODES} nodes"):
        all_different(lowered(chain))
