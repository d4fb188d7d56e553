"""Minimize: what it leaves out, that no answer changes by it, and that it leaves cores."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random

import pytest

from pylf.ir import build
from pylf.ir.containment import contained
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Body, Form, Triple
from pylf.ir.passes.context import Context
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import Iri, Var
from pylf.ir.text import parse_query
from pylf.ir.traverse import walk
from pylf.ir.verify import verify
from pylf.testing.differential.case import Case, Understood, understand
from pylf.testing.drawn.schemas import VOCABULARY as DRAWN
from pylf.testing.drawn.worlds import block
from pylf.testing.ir_strategies import random_query
from tests.ir import small_queries as small
from tests.ir.passes.pairs import EMPTY, VOCABULARY, Pair, assert_same, context, graphs, pairs
from tests.ir.passes.turns import turn_of

PAIRS = pairs(Path(__file__).parent / "minimize")
run = turn_of("minimize")


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_pairs(pair: Pair) -> None:
    found = run(pair.before, context())
    assert (found.outputs, found.body, found.types) == (pair.after.outputs, pair.after.body, pair.after.types)
    if pair.before == pair.after:
        assert found is pair.before
    verify(found)
    assert run(found, context()) is found, "not all at once"
    assert_same(pair.before, found)


@pytest.mark.parametrize("paths", [False, True])
def test_classes_below_are_the_schemas_unless_the_graph_says_them(paths: bool) -> None:
    schema = Schema(MemorySource((), (Class("urn:a"), Class("urn:b", parents=("urn:a",))), {}))
    query = parse_query("set ?x\n  ?x: entity\nwhere\n  ?x a <urn:a>\n  ?x a <urn:b>\n")
    found = run(query, Context(schema, Vocabulary("paths", subclass_paths=paths)))
    assert len(found.body.conjuncts) == (2 if paths else 1)


def test_two_negations_are_not_both_left_out() -> None:
    query = parse_query(
        "set ?x\n  ?u: any\n  ?x: any\n  ?y: any\n  ?z: any\nwhere\n  ?x <urn:r> ?u\n"
        "  not\n    ?x <urn:s> ?y\n  not\n    ?x <urn:s> ?z\n"
    )
    found = run(query, context())
    assert found.body.conjuncts == query.body.conjuncts[:2]


def test_a_knot_is_given_up_quietly() -> None:
    """Whether a graph maps onto a smaller part of it is hard: at the bound the query stays as it is."""
    random = Random(5)
    variables = [Var(f"v{number}") for number in range(24)]
    edges = tuple({Triple(a, Iri("urn:r"), b): None for a in variables for b in random.sample(variables, 3) if a != b})
    query = build.query(Form.BOOLEAN, (), Body(edges))
    found = run(query, context())
    assert found is query or len(found.body.conjuncts) < len(edges)


def test_conjunctive_queries_become_cores() -> None:
    """Of each query of up to three triples over two variables and an output: the same answers on every graph of two
    nodes, and no triple of what is left can be left out."""
    names = [Var("x"), Var("y"), Var("z")]
    atoms = [Triple(a, Iri("urn:r"), b) for a in names for b in names]
    nodes = (Iri("urn:0"), Iri("urn:1"))
    rows = [(a, Iri("urn:r"), b) for a in nodes for b in nodes]
    every = [MemoryGraph([row for place, row in enumerate(rows) if number >> place & 1]) for number in range(16)]
    changed = 0
    for bits in range(1, 1 << len(atoms)):
        chosen = tuple([atom for place, atom in enumerate(atoms) if bits >> place & 1])
        if len(chosen) > 3 or not any(names[0] in (atom.subject, atom.object) for atom in chosen):
            continue
        query = build.query(Form.SET, (names[0],), Body(chosen))
        found = run(query, context())
        changed += found is not query
        if found is not query:
            for graph in every:
                before, after = (evaluate(one, graph, EMPTY, VOCABULARY).values for one in (query, found))
                assert before == after, query
        for place in range(len(found.body.conjuncts)):
            fewer = Body(found.body.conjuncts[:place] + found.body.conjuncts[place + 1 :])
            if any(names[0] in (a.subject, a.object) for a in fewer.conjuncts if isinstance(a, Triple)):
                smaller = build.query(Form.SET, (names[0],), fewer)
                assert contained(smaller, found) is False, found
    assert changed > 30


def test_answers_are_kept_where_much_implies_much() -> None:
    random = Random(1)
    told = Context(small.SCHEMA, small.VOCABULARY)
    fired = 0
    for _ in range(250):
        query = small.query(random)
        verify(query)
        found = run(query, told)
        if found is query:
            continue
        fired += 1
        verify(found)
        assert sum(1 for _ in walk(found)) < sum(1 for _ in walk(query))
        for _ in range(12):
            graph = small.graph(random)
            answers = [evaluate(one, graph, small.SCHEMA, small.VOCABULARY).key() for one in (query, found)]
            assert answers[0] == answers[1], (query, found)
    assert fired > 40


def test_answers_are_kept_on_queries_of_every_node() -> None:
    for seed in range(250):
        query = random_query(Random(seed), 2)
        found = run(query, context())
        verify(found)
        if found is not query and query.form is not Form.NUMBER:
            for graph in graphs((query, found), seed, 4):
                answers = [evaluate(one, graph, EMPTY, VOCABULARY).key() for one in (query, found)]
                assert answers[0] == answers[1], seed


def test_answers_are_kept_on_drawn_programs() -> None:
    fired = 0
    for number in range(20):
        drawn = block("minimize", number)
        graph = MemoryGraph(drawn.setting.triples)
        for program in islice(drawn.programs, 10):
            case = understand(Case(drawn.setting, program), drawn.schema, graph)
            if isinstance(case, Understood):
                found = run(case.query, Context(drawn.schema, DRAWN))
                if found is not case.query:
                    fired += 1
                    verify(found)
                    assert evaluate(found, graph, drawn.schema, DRAWN).key() == case.expected.key(), case.query
    assert fired
