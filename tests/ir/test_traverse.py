"""Walking, rewriting, renaming, and the identities that the constructors own."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from pylf.errors import Span
from pylf.ir import build
from pylf.ir.build import ALWAYS, NEVER
from pylf.ir.nodes import (
    Body,
    Compare,
    Conjunct,
    Count,
    Direction,
    Extreme,
    Form,
    InstanceOf,
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
from pylf.ir.scope import bound, exports, never
from pylf.ir.terms import XSD_INTEGER, Iri, Literal, Var
from pylf.ir.text import parse_query
from pylf.ir.traverse import bodies, children, rename, rewrite, terms, variables, walk, with_bodies, with_span
from pylf.ir.types import ANY, ENTITY, INTEGER, RELATION
from pylf.ir.verify import verify
from pylf.testing.ir_strategies import queries

X, Y, Z, N = Var("x"), Var("y"), Var("z"), Var("n")
P, Q, A, B = Iri("p"), Iri("q"), Iri("a"), Iri("b")
XPY, YQZ = Triple(X, P, Y), Triple(Y, Q, Z)
ONE = Body((XPY,))

NESTED = parse_query(
    """\
set ?x
  ?k: any
  ?x: entity
  ?y: any
  ?z: any
where
  ?x <p> ?y
  not
    ?x <q> ?z
    not
      ?z <q> ?y
  ?x with largest ?k
    ?x <r> ?k
"""
)


def test_walking_meets_every_node_once_in_printed_order() -> None:
    assert [type(node).__name__ for node in walk(NESTED)] == [
        "Triple", "Not", "Triple", "Not", "Triple", "Extreme", "Triple",
    ]  # fmt: skip
    assert variables(NESTED) == ("x", "y", "z", "k")
    assert variables(NESTED.body.conjuncts[1]) == ("x", "z", "y")
    assert children(NESTED) == (NESTED.body,)
    assert children(NESTED.body) == NESTED.body.conjuncts
    assert children(XPY) == ()
    assert terms(NESTED.body.conjuncts[2]) == (X, Var("k"))


@settings(max_examples=25)
@given(queries())
def test_a_rewrite_that_changes_nothing_gives_the_same_object(query: Query) -> None:
    assert rewrite(query, lambda node: node) is query
    assert rewrite(query.body, lambda node: node) is query.body
    assert rename(query, {}) is query
    assert rename(query, {"nowhere": "x"}) is query
    for node in walk(query):
        assert with_bodies(node, bodies(node)) == node
        assert with_bodies(node, bodies(node)).span is node.span


@settings(max_examples=25)
@given(queries())
def test_renaming_back_gives_the_query_back(query: Query) -> None:
    there = {name: f"w{i}" for i, name in enumerate(variables(query))}
    renamed = rename(query, there)
    verify(renamed)
    assert variables(renamed) == tuple(there.values())
    assert rename(renamed, {new: old for old, new in there.items()}) == query


def test_renaming_is_done_all_at_once_and_leaves_the_rest_alone() -> None:
    swapped = rename(NESTED, {"y": "z", "z": "y"})
    assert swapped.body.conjuncts[0] == Triple(X, P, Z)
    assert swapped.body.conjuncts[2] is NESTED.body.conjuncts[2]
    assert swapped.body.conjuncts[0].span == NESTED.body.conjuncts[0].span


def test_a_rewrite_changes_the_nodes_it_is_told_to_and_keeps_the_others() -> None:
    def q_to_r(node: Body | Conjunct) -> Body | Conjunct:
        match node:
            case Triple(subject, Iri("q"), object_):
                return Triple(subject, Iri("r"), object_)
            case _:
                return node

    new = rewrite(NESTED, q_to_r)
    assert [node.predicate for node in walk(new) if isinstance(node, Triple)] == [P, Iri("r"), Iri("r"), Iri("r")]
    assert new.body.conjuncts[0] is NESTED.body.conjuncts[0]
    assert new.body.conjuncts[2] is NESTED.body.conjuncts[2]
    assert [node.span for node in walk(new)] == [node.span for node in walk(NESTED)]
    assert new.types == NESTED.types


def test_a_rewrite_drops_splices_and_folds() -> None:
    def without_q(node: Body | Conjunct) -> Body | Conjunct:
        return ALWAYS if isinstance(node, Triple) and node.predicate == Q else node

    # not { not { always } } is not { never }, which always holds
    new = rewrite(NESTED, without_q)
    assert [type(node).__name__ for node in walk(new)] == ["Triple", "Extreme", "Triple"]
    assert [name for name, _ in new.types] == ["k", "x", "y"]

    def doubled(node: Body | Conjunct) -> Body | Conjunct:
        return Body((node, InstanceOf(X, (A,)))) if isinstance(node, Triple) and node.predicate == P else node

    new = rewrite(NESTED, doubled)
    assert new.body.conjuncts[1] == InstanceOf(X, (A,))
    assert new.body.conjuncts[1].span == NESTED.body.conjuncts[0].span, "what is new came from what it replaces"
    with pytest.raises(TypeError, match="into a body, not into Triple"):
        rewrite(NESTED, lambda node: XPY if isinstance(node, Body) else node)


def test_a_rewrite_goes_bottom_up() -> None:
    met: list[str] = []

    def note(node: Body | Conjunct) -> Body | Conjunct:
        met.append(type(node).__name__)
        return node

    rewrite(Body((Not(ONE),)), note)
    assert met == ["Triple", "Body", "Not", "Body"]
    assert rewrite(Not(ONE), lambda node: node) == Not(ONE)


def test_rewriting_long_bodies_does_not_end_the_stack() -> None:
    body = Body(tuple(Triple(Var(f"v{i}"), P, Var(f"v{i + 1}")) for i in range(5000)))
    swapped = rewrite(body, lambda n: Triple(n.object, P, n.subject) if isinstance(n, Triple) else n)
    assert len(swapped.conjuncts) == 5000


def test_spans_are_filled_in_where_there_are_none() -> None:
    node = with_span(Not(Body((Triple(X, P, Y, Span(1, 2)), YQZ))), Span(5, 9))
    assert [n.span for n in walk(node)] == [Span(5, 9), Span(1, 2), Span(5, 9)]
    assert with_span(node, Span(0, 1)) is node


# -- identities ------------------------------------------------------------------------------------------------------


def test_joins_are_flat_and_empty_where_a_part_is() -> None:
    assert build.join(XPY, Body((YQZ,)), ALWAYS) == Body((XPY, YQZ))
    assert build.join() == ALWAYS
    assert build.join(ONE) is ONE
    assert build.join(XPY, NEVER) == NEVER
    assert build.join(XPY, Member(Z, ())) == NEVER


def test_negation() -> None:
    assert build.negate(ONE) == Body((Not(ONE),))
    assert build.negate(ALWAYS) == NEVER
    assert build.negate(NEVER) == ALWAYS


def test_unions() -> None:
    two = Body((YQZ,))
    assert build.union((ONE, two)) == Body((Union((ONE, two)),))
    assert build.union((ONE,)) is ONE
    assert build.union((ONE, NEVER)) is ONE
    assert build.union(()) == NEVER
    assert build.union((NEVER, NEVER)) == NEVER
    assert build.union((ONE, ALWAYS)) == ALWAYS
    assert build.union((build.union((ONE, two)), ONE)) == Body((Union((ONE, two, ONE)),))


def test_operators_over_nothing() -> None:
    assert build.project((X,), NEVER) == NEVER
    assert build.project((X,), build.project((X,), ONE)) == Body((Project((X,), ONE),))
    assert build.count(N, X, NEVER, (Y,)) == NEVER
    assert build.count(N, X, NEVER) == Body((Member(N, (Literal("0", XSD_INTEGER),)),))
    assert build.count(N, X, ONE) == Body((Count(N, X, ONE),))
    assert build.extreme(Direction.MAX, X, Y, NEVER) == NEVER
    assert build.extreme(Direction.MAX, X, Y, ONE) == Body((Extreme(Direction.MAX, X, Y, ONE),))
    assert build.top_k(Direction.MAX, 3, X, Y, NEVER) == NEVER
    assert build.top_k(Direction.MAX, 3, X, Y, ONE) == Body((TopK(Direction.MAX, 3, X, Y, ONE),))
    # an item in two spellings is one to a top-k, with the better of their keys
    assert build.top_k(Direction.MAX, 1, X, Y, ONE) == Body((TopK(Direction.MAX, 1, X, Y, ONE),))


def test_atoms_that_never_or_always_hold() -> None:
    five = Literal("5")
    assert build.triple(X, P, Y) == ONE
    assert build.triple(five, P, Y) == NEVER
    assert build.triple(X, five, Y) == NEVER
    assert build.instance_of(X, ()) == NEVER
    assert build.instance_of(five, (A,)) == NEVER
    assert build.instance_of(X, (A, B, A)) == Body((InstanceOf(X, (A, B)),))
    assert build.member(X, (A, B, A)) == Body((Member(X, (A, B)),))
    assert build.member(A, (A, B)) == ALWAYS
    assert build.member(A, (B,)) == NEVER
    assert build.member(X, ()) == Body((Member(X, ()),)), "it still binds the variable"
    assert build.compare(Op.IS, X, X) == ALWAYS
    by_number = Compare(Op.IS, X, X, Kind.NUMBER)  # what is no number is not itself as a number
    assert build.compare(Op.IS, X, X, Kind.NUMBER) == Body((by_number,))
    assert build.compare(Op.EQ, X, X) == Body((Compare(Op.EQ, X, X),)), "not of a value that is comparable with nothing"
    assert build.path((X, five), (P,), (False,)) == NEVER
    assert build.path((X, five), (P,), (True,)) != NEVER
    assert build.closure(X, P, X, 0) == ALWAYS
    assert build.closure(X, P, X, 1) != ALWAYS
    assert build.closure(five, P, X, 1) == NEVER


def test_what_never_holds_keeps_a_query_sound() -> None:
    query = build.query(Form.SET, (X,), build.join(XPY, NEVER), {"x": ENTITY, "y": ANY})
    verify(query)
    assert query.types == (("x", ENTITY),)


def test_a_query_is_given_the_types_that_are_missing() -> None:
    body = Body((Triple(X, Z, Y), Count(N, Var("v"), Body((Triple(Var("w"), P, Var("v")),)))))
    query = build.query(Form.SET, (X,), body, {"y": INTEGER, "gone": ANY})
    verify(query)
    assert query.types == (("n", INTEGER), ("v", ANY), ("w", ENTITY), ("x", ENTITY), ("y", INTEGER), ("z", RELATION))


# -- scope -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (["?x <p> ?y", '?y < "5"', "not", "  ?y <q> ?z"], {"x", "y"}),
        (["?x ?p ?y with confidence ?c"], {"x", "p", "y", "c"}),
        (["path ?x -?p-> ?y <-<q>- ?z"], {"x", "p", "y", "z"}),
        (["either", "  ?x <p> ?y", "or", "  ?x <p> ?z"], {"x"}),
        (["either", "  ?x <p> ?y", "or", "  never"], {"x", "y"}),
        (["never"], set()),
        (["distinct ?x", "  ?x <p> ?y"], {"x"}),
        (["?n counts ?y per ?x", "  ?x <p> ?y"], {"n", "x"}),
        (["?x with largest ?y", "  ?x <p> ?y"], {"x"}),
        (["?x with 3 largest ?y", "  ?x <p> ?y"], {"x"}),
        (["?x <p>+ ?y"], {"x", "y"}),
        (["?x <p>* ?y"], set()),
        (["<a> <p>* ?y", "?z <p>* ?y", "?w <p>* ?v"], {"y", "z"}),
    ],
)
def test_what_a_body_binds(body: list[str], names: set[str]) -> None:
    query = parse_query("\n".join(("boolean", "where", *(f"  {line}" for line in body))), check=False)
    assert bound(query.body) == names
    if len(query.body.conjuncts) == 1:
        assert exports(query.body.conjuncts[0]) == names


def test_what_is_bound_around_a_body_is_passed_on() -> None:
    body = parse_query("boolean\nwhere\n  ?x <p>* ?y\n", check=False).body
    assert bound(body, {"x"}) == {"x", "y"}


def test_what_plainly_never_holds() -> None:
    assert never(NEVER)
    assert never(Body((XPY, Union((NEVER, NEVER)))))
    assert not never(Body((Union((NEVER, ONE)),)))
    assert not never(Body((Not(ALWAYS),)))
