"""The manager: passes run in their order, are watched, and what one breaks is noticed and put down to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.errors import InputError, InvalidIR, PassError
from pylf.ir import build
from pylf.ir.nodes import Body, Compare, Form, Member, Op, Query
from pylf.ir.passes import PIPELINE, listed
from pylf.ir.passes.context import Context
from pylf.ir.passes.manager import Basis, Pass, Repeated, named, optimized
from pylf.ir.passes.watch import Watch, difference
from pylf.ir.terms import Iri, Var
from pylf.ir.text import parse_query
from pylf.ir.types import ANY, INTEGER
from pylf.records import replace
from tests.ir.passes.planned import VOCABULARY
from tests.ir.passes.test_cost import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Callable

X = Var("x")
CONTEXT = Context(SCHEMA, VOCABULARY)
QUERY = build.query(Form.SET, (X,), build.join(build.member(X, (Iri("http://a"), Iri("http://b")))))


def made(name: str, run: Callable[[Query], Query], level: int = 2) -> Pass:
    return Pass(name, Basis.DEFINITION, "for a test", lambda query, _: run(query), level)


def adding(name: str, most: int = 1_000_000, level: int = 2) -> Pass:
    """A pass that states once more that x is <http://NAME> or <http://a>, until there are ``most`` conjuncts."""

    def run(query: Query) -> Query:
        conjuncts = query.body.conjuncts
        if len(conjuncts) >= most:
            return query
        return replace(query, body=Body((*conjuncts, Member(X, (Iri(f"http://{name}"), Iri("http://a"))))))

    return made(name, run, level)


def added(query: Query) -> list[str]:
    return [str(c.values[0].value)[7:] for c in query.body.conjuncts[1:]]


def test_passes_run_in_their_order_and_those_of_the_level_alone() -> None:
    pipeline = (adding("one"), adding("two", level=1), adding("three"))
    assert added(optimized(QUERY, CONTEXT, pipeline)) == ["one", "two", "three"]
    assert added(optimized(QUERY, CONTEXT, pipeline, level=1)) == ["two"]
    assert optimized(QUERY, CONTEXT, pipeline, level=0) is QUERY


def test_passes_can_be_left_out() -> None:
    pipeline = (Repeated((adding("one", 3), adding("two", 3))), adding("three"))
    found = optimized(QUERY, CONTEXT, pipeline, without=frozenset({"one", "three"}))
    assert added(found) == ["two", "two"]


def test_repeated_passes_run_until_none_changes_anything() -> None:
    watch = Watch()
    pipeline = (Repeated((adding("one", 5), adding("two", 4))),)
    found = optimized(QUERY, CONTEXT, pipeline, observer=watch)
    assert added(found) == ["one", "two", "one", "one"]
    # the third round had one change still, the fourth none
    assert [step.name for step, _, _ in watch.seen] == ["one", "two"] * 4
    assert optimized(found, CONTEXT, pipeline) is found


def test_passes_that_find_no_end_are_told_of() -> None:
    with pytest.raises(PassError, match=r"^one, two: still changing the query after 3 rounds$"):
        optimized(QUERY, CONTEXT, (Repeated((adding("one"), adding("two", 2)), bound=3),))
    swapping = made("swap", lambda query: replace(query, body=Body(tuple(query.body.conjuncts))))
    with pytest.raises(PassError, match="swap: still changing"):
        optimized(QUERY, CONTEXT, (Repeated((swapping,)),))  # the same again, but not the very query


def test_a_pass_that_breaks_a_rule_is_named() -> None:
    unbound = made("loose", lambda query: replace(query, body=Body((Compare(Op.LT, X, Iri("http://a")),))))
    with pytest.raises(PassError, match=r"^loose makes a query that breaks a rule: "):
        optimized(QUERY, CONTEXT, (adding("one"), unbound))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"form": Form.BOOLEAN}, "wrong changes what is asked for"),
        ({"outputs": (Var("y"),)}, "wrong changes what is asked for"),
        ({"types": (("x", INTEGER),)}, r"wrong changes the type of \?x"),
    ],
    ids=["form", "outputs", "types"],
)
def test_a_pass_may_not_change_what_is_asked_for(change: dict[str, object], complaint: str) -> None:
    assert QUERY.type_of == {"x": ANY}
    with pytest.raises(PassError, match=f"^{complaint}$"):
        optimized(QUERY, CONTEXT, (made("wrong", lambda query: replace(query, **change)),))


def test_a_query_that_breaks_a_rule_is_refused_before_any_pass() -> None:
    watch = Watch()
    loose = replace(QUERY, body=Body((Compare(Op.LT, X, Iri("http://a")),)))
    with pytest.raises(InvalidIR):
        optimized(loose, CONTEXT, (adding("one"),), observer=watch)
    assert not watch.seen


def test_passes_have_names() -> None:
    assert [named(one.name, PIPELINE) for one in listed()] == list(listed())
    names = ", ".join([one.name for one in listed()])
    with pytest.raises(InputError, match=f"^there is no pass 'minimise'; the passes are {names}$"):
        named("minimise", PIPELINE)


def test_a_watch_keeps_each_turn() -> None:
    watch = Watch()
    idle = made("idle", lambda query: query)
    found = optimized(QUERY, CONTEXT, (adding("one"), idle, adding("two", level=3)), observer=watch)
    assert watch.after("one") is watch.after("idle") is found
    assert watch.after("two") is None
    assert (watch.changed("one"), watch.changed("idle"), watch.changed("two")) == (True, False, False)
    assert watch.changes() == [
        ("one", " where\n   ?x in (<http://a>, <http://b>)\n+  ?x in (<http://one>, <http://a>)")
    ]


def test_a_difference_marks_what_it_leaves_out() -> None:
    lines = [f"  ?x <http://p{i}> ?y" for i in range(12)]
    before = parse_query("\n".join(["set ?x", "where", *lines]))
    after = parse_query("\n".join(["set ?x", "where", *lines[1:-1], "  ?x <http://new> ?y"]))
    found = difference(before, after).splitlines()
    assert [line for line in found if line[0] != " "] == ["-" + lines[0], "-" + lines[-1], "+  ?x <http://new> ?y"]
    assert found.count(" …") == 1
    assert found.index("-" + lines[0]) < found.index(" …") < found.index("-" + lines[-1])
    assert difference(before, before) == ""
