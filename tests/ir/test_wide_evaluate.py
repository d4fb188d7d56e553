"""The wide tier's meaning by hand: what SPARQL has no words for, or leaves to the engine."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

import pytest

from pylf.errors import InvalidIR
from pylf.ir.evaluate import Evaluator, evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Form
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.scope import bound, opened
from pylf.ir.tables import UNIT, project
from pylf.ir.terms import XSD, Iri, Literal, Node, tagged
from pylf.ir.text import parse_query
from tests.ir.wide_queries import query

if TYPE_CHECKING:
    from pylf.ir.answers import Answers

A, B, C, D = (Iri(f"e:{name}") for name in "abcd")
P, Q, R = (Iri(f"e:{name}") for name in "pqr")


def number(text: str) -> Literal:
    return Literal(text, XSD + ("decimal" if "." in text else "integer"))


#: a has two numbers, b one in another spelling, c none
ROWS: list[tuple[Node, Node, Node]] = [
    (A, P, B),
    (A, P, C),
    (B, P, C),
    (C, P, C),
    (A, Q, number("1")),
    (A, Q, number("2")),
    (B, Q, number("1.0")),
    (D, R, Literal("x")),
    (D, R, tagged("x", "en")),
]


def answers(*lines: str) -> Answers:
    query = parse_query("\n".join([lines[0], "where", *(f"  {line}" for line in lines[1:])]))
    return evaluate(query, MemoryGraph(ROWS), Schema(MemorySource((), ())), Vocabulary("rdf"))


def table(*lines: str) -> list[tuple[str | None, ...]]:
    return [tuple(None if node is None else _short(node) for node in row) for row in answers(*lines).rows]


def _short(node: Node) -> str:
    return node.value[2:] if isinstance(node, Iri) else node.lexical if isinstance(node, Literal) else str(node)


def test_a_row_without_match_stands_once() -> None:
    found = table("rows ?x ?v", "?x <e:p> ?y", "optionally", "  ?x <e:q> ?v")
    assert found == [("a", "1"), ("a", "2"), ("b", "1.0"), ("c", None)]


def test_left_joins_see_nothing_of_one_another() -> None:
    one = ["optionally", "  ?x <e:q> ?v", f'  if ?v > "1"^^<{XSD}integer>']
    other = ["optionally", "  ?x <e:p> ?w", "  if ?w = <e:c>"]
    found = table("rows ?x ?v ?w", "?x <e:p> ?y", *one, *other)
    assert found == [("a", "2", "c"), ("b", None, "c"), ("c", None, "c")]
    assert found == table("rows ?x ?v ?w", *other, *one, "?x <e:p> ?y")


def test_where_conjuncts_stand_has_no_meaning() -> None:
    lines = [
        ["?x <e:p> ?y"],
        ["optionally", "  ?y <e:q> ?v", "  optionally", "    ?y <e:p> ?w", "    if ?w != ?x"],
        ['?b := concat(?a, "!")'],
        ["?a := str(coalesce(?v, ?y))"],
        ["if !bound(?w) || (strlen(?b) > strlen(?a))"],
        ["not", "  ?x <e:p> ?z", "  if ?z = <e:b>"],
    ]
    source = random.Random(1)
    expected = table("rows ?x ?y ?a ?b ?w", *[line for part in lines for line in part])
    assert expected == [("b", "c", "e:c", "e:c!", None), ("c", "c", "e:c", "e:c!", None)]
    for _ in range(20):
        source.shuffle(lines)
        assert table("rows ?x ?y ?a ?b ?w", *[line for part in lines for line in part]) == expected


def test_what_is_the_same_value_is_two_terms_of_a_bag() -> None:
    # 1 and 1.0 are two terms, and one value
    found = table(
        "rows ?n ?m ?s", "aggregate ?n := count(?v), ?m := count(distinct ?v), ?s := sum(distinct ?v)", "  ?x <e:q> ?v"
    )
    assert found == [("3", "3", "4")]


def test_a_bag_counts_every_way_of_giving_all_variables_a_value() -> None:
    # a has four ways, b and c one each
    found = table("rows ?x ?n", "aggregate ?n := count(?x) per ?x", "  ?x <e:p> ?y", "  optionally", "    ?x <e:q> ?v")
    assert found == [("a", "4"), ("b", "1"), ("c", "1")]
    once = table("rows ?x ?n", "aggregate ?n := count(?x) per ?x", "  distinct ?x", "    ?x <e:p> ?y")
    assert once == [("a", "1"), ("b", "1"), ("c", "1")]


def test_the_arms_of_a_bag_are_kept_apart_by_what_all_of_them_bind() -> None:
    both = ["either", "  ?x <e:p> ?y", "or", "  ?x <e:p> ?y"]
    counted = ["aggregate ?n := count(*)", *[f"  {line}" for line in both]]
    assert table("rows ?n", *counted) == [("4",)]
    tagged_ = [
        line if "<" not in line else f'{line}\n      ?arm in ("{number}")' for number, line in enumerate(counted)
    ]
    assert table("rows ?n", *tagged_) == [("8",)]


def test_a_slice_counts_a_bag_unless_it_is_distinct() -> None:
    body = ["  ?x <e:p> ?y"]
    assert table("rows ?x", "slice ?x by ?x limit 2", *body) == [("a",)]
    assert table("rows ?x", "slice ?x by ?x limit 2 offset 1", *body) == [("a",), ("b",)]
    assert table("rows ?x", "slice distinct ?x by ?x limit 2", *body) == [("a",), ("b",)]
    assert table("rows ?x", "slice distinct ?x by descending ?y, descending ?x offset 2", *body) == [("a",)]
    assert table("rows ?x", "slice ?x limit 0", *body) == []


def test_a_row_has_its_best_place() -> None:
    # a has 1 and 2, b 1.0: by the greatest first, a; by the least, they tie, and the smaller node comes first
    body = ["  ?x <e:q> ?v"]
    assert table("rows ?x", "slice distinct ?x by descending ?v limit 1", *body) == [("a",)]
    assert table("rows ?x", "slice distinct ?x by ?v, descending ?x limit 1", *body) == [("b",)]
    assert table("rows ?x", "slice distinct ?x by ?v limit 1", *body) == [("a",)]


def test_what_is_open_comes_first_in_an_order() -> None:
    body = ["  ?x <e:p> ?y", "  optionally", "    ?x <e:q> ?v"]
    assert table("rows ?x ?v", "slice ?x ?v by ?v limit 1", *body) == [("c", None)]
    assert table("rows ?x ?v", "slice distinct ?x ?v by descending ?v limit 1", *body) == [("a", "2")]


def test_forms_and_what_is_open() -> None:
    body = ["?x <e:p> ?y", "optionally", "  ?x <e:q> ?v"]
    assert answers("set ?v", *body).values == (number("1.0"), number("2"))
    assert answers("boolean", *body, "if !bound(?v)").boolean is True
    assert answers("boolean", *body, "if bound(?v)", "if ?x = <e:c>").boolean is False
    assert answers("number ?n", "aggregate ?n := count(*), ?m := max(?x)", "  ?x <e:p> ?y").number == 4
    found = answers("subgraph ?x ?r ?y ?v", "?x ?r ?y", "if ?r = <e:p>", "optionally", "  ?x <e:q> ?v")
    assert found.form is Form.SUBGRAPH
    assert (C, P, C, None) in found.rows


def test_a_left_join_in_a_negation_and_in_an_arm() -> None:
    without = table(
        "rows ?x", "?x <e:p> ?z", "not", "  ?x <e:p> ?y", "  optionally", "    ?y <e:q> ?v", "  if bound(?v)"
    )
    assert without == [("b",), ("c",)]
    arms = ["either", "  ?x <e:p> ?y", "  optionally", "    ?x <e:q> ?v", "or", "  ?x <e:r> ?y", "  ?v := lang(?y)"]
    assert table("rows ?x ?v", *arms) == [("a", "1"), ("a", "2"), ("b", "1.0"), ("c", None), ("d", ""), ("d", "en")]


def test_union_arms_that_need_one_another() -> None:
    # neither union can be looked at first, and an arm of one has a left join
    found = table(
        "rows ?x ?y ?v",
        "either", "  ?x <e:p>* ?y", "  ?x <e:p> <e:b>", "or", "  ?x <e:p>* ?y", "  ?y <e:p> <e:b>",
        "optionally", "  ?y <e:q> ?v",
    )  # fmt: skip
    assert found == [("a", "a", "1"), ("a", "a", "2"), ("a", "b", "1.0"), ("a", "c", None)]


def test_an_aggregate_is_joined_by_its_group() -> None:
    found = table("rows ?x ?y ?n", "?x <e:p> ?y", "aggregate ?n := count(?v) per ?y", "  ?y <e:q> ?v")
    assert found == [("a", "b", "1")]


@pytest.mark.parametrize("line", ["if ?w", "?z := ?w", "?z := ?z"])
def test_what_verify_refuses_is_no_answer(line: str) -> None:
    query = parse_query(f"rows ?x ?y\nwhere\n  ?x <e:p> ?y\n  {line}\n", check=False)
    with pytest.raises(InvalidIR):
        evaluate(query, MemoryGraph(ROWS), Schema(MemorySource((), ())), Vocabulary("rdf"))


@pytest.mark.parametrize("seed", range(60))
def test_what_is_not_asked_for_makes_no_difference(seed: int) -> None:
    # a part of the variables has the rows that all of them have, without the rest
    source = random.Random(seed)
    body = query(source).body
    nodes = [A, B, C, number("1"), Literal("a"), tagged("a", "en")]
    rows = [row for row in itertools.product((A, B, C), (P,), nodes) if source.random() < 0.4]
    solver = Evaluator(MemoryGraph(rows), Schema(MemorySource((), ())), Vocabulary("rdf"))
    names = sorted(bound(body) | opened(body))
    whole = solver.solve(body, UNIT, frozenset(names))
    for _ in range(4):
        part = tuple(source.sample(names, source.randint(0, len(names))))
        found = solver.solve(body, UNIT, frozenset(part))
        assert len(set(found.rows)) == len(found.rows)
        assert set(project(found, part).rows) == set(project(whole, part).rows)
