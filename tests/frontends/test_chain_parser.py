"""What the parser of chains reads, and how the printer writes it."""

from __future__ import annotations

import pytest

from pylf.errors import CompileError
from pylf.frontends.chain import tree
from pylf.frontends.chain.parser import parse
from pylf.frontends.chain.printer import print_chain
from pylf.frontends.chain.tree import Along, Anything, Atom, Best, Chain, Compare, Count, Except, Exists, Hop, In, Union

A = Atom("m.01")
R, S = tree.Relation("a.r"), tree.Relation("a.s")

#: canonical text, and its tree
FORMS = [
    ("m.01", Chain(A)),
    ("m.01 -> a.r -> a.s", Chain(A, (Hop(R), Hop(S)))),
    ("m.01 -> ~a.r", Chain(A, (Hop(tree.Relation("a.r", True)),))),
    ("m.01 -> not a.r", Chain(A, (Hop(R, True),))),
    ("m.01 -> not ~a.r", Chain(A, (Hop(tree.Relation("a.r", True), True),))),
    ("m.01 -> not (a.r -> a.s)", Chain(A, (Hop(R, True, (S,)),))),
    ("m.01 [-> not (a.r -> a.s) -> a.r -> m.01]", Chain(A, (Along((Hop(R, True, (S,)), Hop(R)), Chain(A)),))),
    ("m.01 -> a.r+ -> a.s*", Chain(A, (Hop(tree.Relation("a.r", False, 1)), Hop(tree.Relation("a.s", False, 0))))),
    ("m.01 [-> a.r -> m.01]", Chain(A, (Along((Hop(R),), Chain(A)),))),
    ("m.01 [-> a.r -> not a.s -> m.01]", Chain(A, (Along((Hop(R), Hop(S, True)), Chain(A)),))),
    ("m.01 [-> a.r -> (m.01 -> a.s)]", Chain(A, (Along((Hop(R),), Chain(A, (Hop(S),))),))),
    ("m.01 [-> a.r -> (m.01 | m.01)]", Chain(A, (Along((Hop(R),), Chain(Union((Chain(A), Chain(A))))),))),
    ("m.01 [-> a.r -> a.s < 5]", Chain(A, (Compare((R, S), "<", Atom("5", True)),))),
    ("m.01 [-> a.r = 'x y']", Chain(A, (Compare((R,), "=", Atom("x y")),))),
    ("m.01 [-> a.r != 1990-07]", Chain(A, (Compare((R,), "!=", Atom("1990-07")),))),
    ("m.01 [-> a.r <= NOW or none]", Chain(A, (Compare((R,), "<=", Atom("NOW"), True),))),
    ("m.01 [a.class]", Chain(A, (In(Chain(Atom("a.class"))),))),
    ("m.01 [m.01 -> a.r | m.01]", Chain(A, (In(Chain(Union((Chain(A, (Hop(R),)), Chain(A))))),))),
    ("m.01 [except m.01]", Chain(A, (Except(In(Chain(A))),))),
    ("m.01 [except -> a.r -> m.01]", Chain(A, (Except(Along((Hop(R),), Chain(A))),))),
    ("m.01 [except -> a.r < 5]", Chain(A, (Except(Compare((R,), "<", Atom("5", True))),))),
    ("m.01 [largest -> a.r]", Chain(A, (Best(True, (R,)),))),
    ("m.01 [smallest 3 -> a.r -> a.s]", Chain(A, (Best(False, (R, S), 3),))),
    ("m.01 [largest count -> a.r]", Chain(A, (Best(True, (R,), None, True),))),
    ("m.01 [largest 2 count -> a.r]", Chain(A, (Best(True, (R,), 2, True),))),
    ("m.01 [count]", Chain(A, (Count(),))),
    ("m.01 [any]", Chain(A, (Exists(),))),
    ("? [-> a.r < 5]", Chain(Anything(), (Compare((R,), "<", Atom("5", True)),))),
    ("m.01 | m.01 -> a.r", Chain(Union((Chain(A), Chain(A, (Hop(R),)))))),
    ("(m.01 | m.01) -> a.r", Chain(Union((Chain(A), Chain(A))), (Hop(R),))),
    ("(m.01 | m.01) | m.01", Chain(Union((Chain(Union((Chain(A), Chain(A)))), Chain(A))))),
    ("class film.film", Chain(Atom("film.film", False, "class"))),
    ("entity 'Boeing Company'", Chain(Atom("Boeing Company", False, "entity"))),
    ("literal 5", Chain(Atom("5", True, "literal"))),
    ("'5'", Chain(Atom("5"))),
    ("2.32e+3 -> ~a.r", Chain(Atom("2.32e+3", True), (Hop(tree.Relation("a.r", True)),))),
    ("'count' -> 'not'", Chain(Atom("count"), (Hop(tree.Relation("not")),))),
    ("<http://e/a> -> ~<http://e/r>", Chain(Atom("<http://e/a>"), (Hop(tree.Relation("<http://e/r>", True)),))),
    ("'Delta@en'", Chain(Atom("Delta@en"))),
    ("'2008-05-01^^xsd:date'", Chain(Atom("2008-05-01^^xsd:date"))),
    ("m.01 -> R_a.r", Chain(A, (Hop(tree.Relation("R_a.r")),))),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FORMS)
def test_a_form_and_its_tree(text: str, expected: Chain) -> None:
    assert parse(text) == expected
    assert print_chain(expected) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("m.01→a.r→a.s", "m.01 -> a.r -> a.s"),
        ("m.01-->a.r->a.s", "m.01 -> a.r -> a.s"),
        ("m.01 <- a.r ← a.s", "m.01 -> ~a.r -> ~a.s"),
        ("m.01 -> ^a.r", "m.01 -> ~a.r"),
        ("m.01 not -> a.r ! -> a.s ¬→ a.s", "m.01 -> not a.r -> not a.s -> not a.s"),
        ("m.01 -> NOT a.r", "m.01 -> not a.r"),
        ("m.01 [not -> a.r -> m.01]", "m.01 [-> not a.r -> m.01]"),
        ("m.01 -> not (-> a.r <- a.s) not -> (a.r)", "m.01 -> not (a.r -> ~a.s) -> not a.r"),
        ("m.01 [<- a.r -> m.01]", "m.01 [-> ~a.r -> m.01]"),
        ("m.01 [->a.r<5][->a.s>=-5]", "m.01 [-> a.r < 5] [-> a.s >= -5]"),
        ("m.01 [-> a.r == 5] [-> a.r ≠ 5] [-> a.r ≤ 5]", "m.01 [-> a.r = 5] [-> a.r != 5] [-> a.r <= 5]"),
        ("m.01 [ARGMAX -> a.r] [top 3 -> a.r]", "m.01 [largest -> a.r] [largest 3 -> a.r]"),
        ("m.01 [min -> a.r] [COUNT]", "m.01 [smallest -> a.r] [count]"),
        ("((m.01)) -> a.r", "m.01 -> a.r"),
        ("(m.01 -> a.r) -> a.s", "m.01 -> a.r -> a.s"),
        ("m.01 [-> a.r -> (m.01)]", "m.01 [-> a.r -> m.01]"),
        ("\"Boeing\" -> 'a.r'", "Boeing -> a.r"),
        ("'Delta'@en", "'Delta@en'"),
        ("2008-05-01^^xsd:date", "'2008-05-01^^xsd:date'"),
        ("'x'^^<http://e/t>", "'x^^<http://e/t>'"),
        ("0912 | -044", "912 | -44"),
        ("# the answer is below\nm.01 # a source\n  -> a.r\n", "m.01 -> a.r"),
        ("m.01 -> R_<http://e/r>", "m.01 -> R_<http://e/r>"),
    ],
)
def test_what_is_read_besides(text: str, canonical: str) -> None:
    assert print_chain(parse(text)) == canonical


def test_places_point_into_the_text() -> None:
    text = "m.01 -> not ~a.r [-> a.s < 5] [except m.02 -> a.t] | m.03"
    chain = parse(text)
    assert isinstance(chain.start, Union)
    first = chain.start.chains[0]
    hop, compare, exception = first.steps
    assert isinstance(hop, Hop)
    assert isinstance(compare, Compare)
    assert isinstance(exception, Except)
    for node, part in (
        (chain, text),
        (first, text.removesuffix(" | m.03")),
        (first.start, "m.01"),
        (hop, "-> not ~a.r"),
        (hop.relation, "~a.r"),
        (compare, "[-> a.s < 5]"),
        (compare.value, "5"),
        (exception, "[except m.02 -> a.t]"),
    ):
        assert node.span is not None
        assert text[slice(*node.span)] == part


@pytest.mark.parametrize(
    "chain",
    [
        Chain(Atom("five", True)),
        Chain(Atom("5", True, "class")),
        Chain(A, (Along((), Chain(A)),)),
        Chain(A, (Hop(R, False, (S,)),)),
        Chain(A, (Compare((), "<", A),)),
        Chain(A, (Compare((R,), "~", A),)),
        Chain(A, (Compare((R,), "<", A, True),)),
        Chain(A, (Compare((R,), "<", Atom("x", False, "literal")),)),
        Chain(A, (Best(True, ()),)),
        Chain(A, (Best(True, (R,), 0),)),
        Chain(Union((Chain(A),))),
        Chain(Atom("\ud800")),
        Chain(Atom("a", False, "thing")),
    ],
)
def test_what_no_text_can_hold_is_not_written(chain: Chain) -> None:
    with pytest.raises(CompileError, match="unwritable"):
        print_chain(chain)


def test_the_relations_of_the_main_chain() -> None:
    chain = parse("m.01 -> a.r [-> a.x -> m.02] -> ~a.s [count]")
    assert [hop.relation.name for hop in chain.hops] == ["a.r", "a.s"]
