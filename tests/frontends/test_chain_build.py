"""Chains that are built step by step are those that are read."""

from __future__ import annotations

import doctest
from decimal import Decimal

import pytest

from pylf.frontends.chain import build, printer, tree
from pylf.frontends.chain.build import (
    along,
    anything,
    atom,
    attach,
    backtrack,
    best,
    compare,
    excluding,
    forward,
    hop,
    leading,
    negated_walk,
    prefix,
    relation,
    source,
    union,
)
from pylf.frontends.chain.parser import parse
from pylf.frontends.chain.printer import print_chain

MAIN = forward(source("m.01"), hop("a.r"), hop("a.s", back=True))


def test_a_search_goes_forward_and_back() -> None:
    start = source("m.01")
    branches = [forward(start, hop(name)) for name in ("a.r", "a.q")]
    assert [print_chain(one) for one in branches] == ["m.01 -> a.r", "m.01 -> a.q"]
    further = forward(branches[0], hop("a.s", back=True))
    assert further == MAIN
    assert backtrack(further) == branches[0]
    assert backtrack(backtrack(further)) == start
    with pytest.raises(ValueError, match="positions 0 to 0"):
        backtrack(start)


def test_a_constraint_is_attached_at_any_position() -> None:
    constraint = leading(source("a.class"))
    assert [print_chain(attach(MAIN, constraint, at)) for at in (0, 1, 2)] == [
        "m.01 [a.class] -> a.r -> ~a.s",
        "m.01 -> a.r [a.class] -> ~a.s",
        "m.01 -> a.r -> ~a.s [a.class]",
    ]
    assert attach(MAIN, constraint) == attach(MAIN, constraint, 2)
    # after what is there already
    twice = attach(attach(MAIN, constraint, 1), compare([relation("a.t")], "<", 5), 1)
    assert print_chain(twice) == "m.01 -> a.r [a.class] [-> a.t < 5] -> ~a.s"
    assert print_chain(prefix(twice, 1)) == "m.01 -> a.r [a.class] [-> a.t < 5]"
    assert print_chain(prefix(twice, 0)) == "m.01"
    assert backtrack(twice) == prefix(twice, 1)
    for at in (-1, 3):
        with pytest.raises(ValueError, match="positions 0 to 2"):
            attach(MAIN, constraint, at)


@pytest.mark.parametrize(
    ("constraint", "text"),
    [
        (along([hop("a.t")], source("m.02")), "[-> a.t -> m.02]"),
        (along([hop("a.t", negated=True), hop("a.u")], source(5)), "[-> not a.t -> a.u -> 5]"),
        (
            along([negated_walk(relation("a.t"), relation("a.u"))], MAIN),
            "[-> not (a.t -> a.u) -> (m.01 -> a.r -> ~a.s)]",
        ),
        (along([hop("a.t", closure=1)], union(source("m.02"), MAIN)), "[-> a.t+ -> (m.02 | m.01 -> a.r -> ~a.s)]"),
        (leading(MAIN), "[m.01 -> a.r -> ~a.s]"),
        (compare([relation("a.t"), relation("a.u", back=True)], ">=", 2.5), "[-> a.t -> ~a.u >= 2.5]"),
        (compare([relation("a.t")], "!=", "New York"), "[-> a.t != 'New York']"),
        (compare([relation("a.t")], "<=", "NOW", or_none=True), "[-> a.t <= NOW or none]"),
        (excluding(along([hop("a.t")], source("m.02"))), "[except -> a.t -> m.02]"),
        (best([relation("a.t")], largest=True), "[largest -> a.t]"),
        (best([relation("a.t")], largest=False, k=3, counted=True), "[smallest 3 count -> a.t]"),
        (tree.Count(), "[count]"),
        (tree.Exists(), "[any]"),
    ],
)
def test_each_constraint_is_the_one_that_is_read(constraint: tree.Constraint, text: str) -> None:
    built = attach(MAIN, constraint)
    assert print_chain(built) == f"m.01 -> a.r -> ~a.s {text}"
    assert parse(print_chain(built)) == built


def test_sources() -> None:
    assert print_chain(forward(union(source("m.01"), source("m.02")), hop("a.r"))) == "(m.01 | m.02) -> a.r"
    assert union(MAIN) == MAIN
    assert print_chain(attach(anything(), compare([relation("a.r")], "<", 5))) == "? [-> a.r < 5]"
    assert print_chain(source("Boeing Company", "entity")) == "entity 'Boeing Company'"


def test_values() -> None:
    for value, text in (
        (5, "5"),
        (-2.5, "-2.5"),
        (1e22, "1e+22"),
        (Decimal("2.50"), "2.50"),
        ("5", "'5'"),
        (True, "'true^^xsd:boolean'"),
    ):
        assert print_chain(source(value)) == text
    for number in (float("inf"), float("nan"), Decimal("NaN")):
        with pytest.raises(ValueError, match="no number"):
            atom(number)


def test_a_constraint_has_a_relation() -> None:
    for make in (lambda: along([], MAIN), lambda: compare([], "<", 5), lambda: best([], largest=True)):
        with pytest.raises(ValueError, match="one relation at least"):
            make()


def test_the_example() -> None:
    found = doctest.DocTestFinder().find(build, extraglobs={"print_chain": printer.print_chain})
    results = [doctest.DocTestRunner().run(test) for test in found if test.examples]
    assert [result.failed for result in results] == [0]
