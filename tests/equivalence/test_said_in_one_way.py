"""What is said of superlatives and closures in one way has the answers that it had."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from pylf.equivalence.ranks import ranked_once
from pylf.equivalence.walks import walked_once
from pylf.errors import PylfError
from pylf.ir.dates import XSD_GYEAR
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Closure
from pylf.ir.terms import RDF, XSD_DECIMAL, XSD_INTEGER, Iri, Literal
from pylf.ir.text import parse_query
from pylf.ir.traverse import walk
from pylf.ir.verify import verify
from pylf.testing import programs

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Query
    from tests.equivalence.conftest import Compiled, Keyed

ENTITIES = [Iri(f"{programs.NS}e{number}") for number in range(1, 7)]
NUMBERS = [Literal(text, XSD_INTEGER if text.isdigit() else XSD_DECIMAL) for text in ("0", "1", "1.0", "2", "2.0")]
DAYS = [Literal(year, XSD_GYEAR) for year in ("1990", "1991", "1992")]


def sparse(random: Random) -> MemoryGraph:
    """A few entities with ranks and few steps between them."""
    aa, ac, type_, num, day = (
        Iri(iri)
        for iri in (*(programs.NS + n for n in ("aa", "ac")), RDF + "type", *(programs.NS + n for n in ("num", "day")))
    )
    rows: list[TripleRow] = []
    for entity in ENTITIES:
        rows += [(entity, type_, Iri(programs.NS + name)) for name in "AC" if random.random() < 0.7]
        rows += [(entity, aa, other) for other in ENTITIES if random.random() < 0.15]
        rows += [(entity, ac, other) for other in ENTITIES if random.random() < 0.05]
        rows += [(entity, num, random.choice(NUMBERS)) for _ in range(random.randint(0, 2))]
        rows += [(entity, day, random.choice(DAYS)) for _ in range(random.randint(0, 2))]
    return MemoryGraph(dict.fromkeys(rows))


GRAPHS = [sparse(Random(seed)) for seed in range(25)]


def superlative(random: Random, depth: int) -> str:
    if depth == 0:
        return random.choice(
            ("START('A')", "START('C')", "JOIN('aa', START('A'))", "CMP('<', 'num', 3)", "JOIN('R_num', START('A'))")
        )
    inner = superlative(random, depth - 1)
    match random.randrange(6):
        case 0:
            return f"{random.choice(('AND', 'OR', 'MINUS'))}({inner}, {superlative(random, 0)})"
        case _:
            direction = random.choice(("ARGMAX", "ARGMAX", "ARGMAX", "ARGMIN"))
            best = random.choice(("", ", k=1", ", k=2", ", k=3", ", k=4"))
            return f"ARG('{direction}', {inner}, {random.choice(KEYS)}{best})"


KEYS = ("'num'", "'num'", "'num'", "'num'", "'num'", "'day'", "['aa', 'num']", "['R_num', 'day']", "COUNT('aa')")


def walked(random: Random, depth: int) -> str:
    if depth == 0:
        return random.choice(("START(':e1')", "START(':e2')", "START('A')"))
    inner = walked(random, depth - 1)
    step = random.choice(
        ("'aa'", "CLOSURE('aa')", "CLOSURE('aa', min=0)", "CLOSURE('R_aa')", "CLOSURE('R_aa', min=0)", "'ac'")
    )
    match random.randrange(6):
        case 0:
            return f"{random.choice(('AND', 'OR', 'MINUS'))}({inner}, {walked(random, random.randrange(depth))})"
        case 1:
            return f"JOIN({step}, {inner}, neg=True)"
        case _:
            return f"JOIN({step}, {inner})"


@pytest.mark.parametrize(
    ("made", "said_once"), [(superlative, ranked_once), (walked, walked_once)], ids=["superlatives", "closures"]
)
def test_the_answers_stay(
    made: Callable[[Random, int], str],
    said_once: Callable[[Query], Query],
    question: Compiled,
    answer: Keyed,
) -> None:
    random, changed, told = Random(3), 0, 0
    for _ in range(300):
        text = made(random, random.randint(2, 4))
        around = random.choice(("{}", "{}", "COUNT({})", "ASK({})", "MINUS(START('A'), {})"))
        try:
            query = question(around.format(text))
        except PylfError:
            continue
        once = said_once(query)
        if once is query:
            continue
        verify(once)
        changed += 1
        for graph in GRAPHS:
            found = answer(query, graph)
            assert answer(once, graph) == found, text
            told += bool(found)
    assert changed > 30
    assert told > changed


@pytest.mark.parametrize(
    "text",
    [
        "ARG('ARGMAX', START('A'), 'num')",
        "ARG('ARGMAX', ARG('ARGMIN', START('A'), 'num'), 'num')",
        "ARG('ARGMAX', ARG('ARGMAX', START('A'), 'num'), 'day')",
        "ARG('ARGMAX', AND(ARG('ARGMAX', START('A'), 'num', k=2), START('C')), 'num')",
    ],
)
def test_superlatives_that_are_two_are_left_alone(text: str, question: Compiled) -> None:
    query = question(text)
    assert ranked_once(query) is query


@pytest.mark.parametrize(
    "text",
    [
        "JOIN('aa', START('A'))",
        "JOIN(CLOSURE('aa'), START('A'))",
        "JOIN('aa', JOIN(CLOSURE('aa'), START('A')))",
        "JOIN(CLOSURE('aa'), AND(START('C'), JOIN(CLOSURE('aa', min=0), START('A'))))",
        "JOIN(CLOSURE('aa'), JOIN(CLOSURE('R_aa'), START('A')))",
        "JOIN(CLOSURE('aa', min=0), JOIN('ac', START(':e1')))",
    ],
)
def test_walks_that_are_two_are_left_alone(text: str, question: Compiled) -> None:
    query = question(text)
    assert walked_once(query) is query


def test_of_two_closures_the_longer_walk_stays(question: Compiled) -> None:
    for order in ("AND({0}, {1})", "AND({1}, {0})"):
        both = order.format("JOIN(CLOSURE('aa'), START(':e1'))", "JOIN(CLOSURE('aa', min=0), START(':e1'))")
        (kept,) = [conjunct for conjunct in walk(walked_once(question(both))) if isinstance(conjunct, Closure)]
        assert kept.minimum == 1


def test_the_best_value_is_not_the_best_one_where_terms_of_one_value_have_other_keys() -> None:
    best = "set ?v\nwhere\n  ?v with 1 largest ?d by date\n    ?x <{0}num> ?v\n    ?x <{0}day> ?d\n"
    query = parse_query(best.format(programs.NS))
    assert ranked_once(query) is query
