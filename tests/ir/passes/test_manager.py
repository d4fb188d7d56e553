"""The manager: passes run in their order, are watched, and what one breaks is noticed and put down to it."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from pylf.errors import InputError, InvalidIR, PassError
from pylf.ir import build
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Body, Compare, Form, Member, Not, Op, Query, Triple, Union
from pylf.ir.passes import PIPELINE, listed
from pylf.ir.passes.context import Context
from pylf.ir.passes.kept import lost
from pylf.ir.passes.manager import Basis, Pass, Repeated, named, optimized
from pylf.ir.passes.watch import Watch, difference
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Relation, Schema
from pylf.ir.scope import MAX_NESTING
from pylf.ir.terms import Iri, Var
from pylf.ir.text import parse_query
from pylf.ir.types import ANY, INTEGER
from pylf.ir.verify import verify
from pylf.records import replace
from tests.ir.passes.pairs import graphs
from tests.ir.passes.planned import VOCABULARY
from tests.ir.passes.test_cost import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Callable

X = Var("x")
CONTEXT = Context(SCHEMA, VOCABULARY)
INVERSES = ("inverse", "by")
QUERY = build.query(Form.SET, (X,), build.join(build.member(X, (Iri("http://a"), Iri("http://b")))))


def made(name: str, run: Callable[[Query], Query]) -> Pass:
    return Pass(name, Basis.DEFINITION, "for a test", lambda query, _: run(query))


def adding(name: str, most: int = 1_000_000) -> Pass:
    """A pass that states once more that x is <http://NAME> or <http://a>, until there are ``most`` conjuncts."""

    def run(query: Query) -> Query:
        conjuncts = query.body.conjuncts
        if len(conjuncts) >= most:
            return query
        return replace(query, body=Body((*conjuncts, Member(X, (Iri(f"http://{name}"), Iri("http://a"))))))

    return made(name, run)


def added(query: Query) -> list[str]:
    return [str(c.values[0].value)[7:] for c in query.body.conjuncts[1:]]


def answers(query: Query, graph: MemoryGraph, schema: Schema) -> object:
    """The answers, to be compared; None where a number query finds no number."""
    try:
        return evaluate(query, graph, schema, VOCABULARY).key()
    except InvalidIR:
        return None


def test_passes_run_in_their_order_from_their_level_on() -> None:
    pipeline = (adding("one"), adding("two"), adding("three"))
    assert added(optimized(QUERY, CONTEXT, pipeline)) == ["one", "two", "three"]
    assert optimized(QUERY, CONTEXT, pipeline, level=1) is QUERY


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


def test_a_pass_is_not_given_again_what_it_has_left() -> None:
    given: list[tuple[str, int]] = []

    def noting(name: str, most: int) -> Pass:
        step = adding(name, most)

        def run(query: Query) -> Query:
            given.append((name, len(query.body.conjuncts)))
            return step.run(query, CONTEXT)

        return made(name, run)

    watch = Watch()
    optimized(QUERY, CONTEXT, (Repeated((noting("one", 2), noting("two", 3))),), observer=watch)
    assert given == [("one", 1), ("two", 2), ("one", 3), ("two", 3)]
    assert [step.name for step, _, _ in watch.seen] == ["one", "two"] * 2
    given.clear()
    optimized(QUERY, CONTEXT, (Repeated((noting("one", 2), noting("two", 2))),), observer=watch)
    assert given == [("one", 1), ("two", 2), ("one", 2)]
    assert [step.name for step, _, _ in watch.seen[4:]] == ["one", "two"] * 2  # told of all the same


def test_passes_share_what_is_made_once_for_each_query() -> None:
    made_of: list[Context] = []
    given: list[object] = []

    def make(context: Context) -> object:
        made_of.append(context)
        return object()

    def run(query: Query, context: Context) -> Query:
        given.append(context.once("a thing", make))
        return query

    pipeline = tuple([Pass(name, Basis.ENGINE, "for a test", run) for name in ("one", "two")])
    for _ in range(2):
        optimized(QUERY, CONTEXT, pipeline)
    assert [thing is given[0] for thing in given] == [True, True, False, False]
    assert len(made_of) == 2
    assert given[2] is given[3]
    assert CONTEXT.known is None
    assert CONTEXT.once("a thing", make) is not CONTEXT.once("a thing", make)  # nothing is kept outside of a query


def test_passes_that_find_no_end_are_told_of_where_that_is_asked_for() -> None:
    pipeline = (Repeated((adding("one"), adding("two", 2)), bound=3), adding("three"))
    with pytest.raises(PassError, match=r"^one, two: still changing the query after 3 rounds$"):
        optimized(QUERY, CONTEXT, pipeline, strict=True)
    watch = Watch()
    found = optimized(QUERY, CONTEXT, pipeline, observer=watch)
    assert added(found) == ["one", "one", "one", "three"]
    assert [step.name for step, _, _ in watch.seen] == [*["one", "two"] * 3, "three"]
    assert watch.seen[4][1] is not watch.seen[4][2]  # changed by the last turn: no end was found
    swapping = made("swap", lambda query: replace(query, body=Body(tuple(query.body.conjuncts))))
    with pytest.raises(PassError, match="swap: still changing"):
        optimized(QUERY, CONTEXT, (Repeated((swapping,)),), strict=True)  # the same again, but not the very query
    assert optimized(QUERY, CONTEXT, (Repeated((swapping,)),)) == QUERY


def test_a_pass_that_breaks_a_rule_is_named() -> None:
    unbound = made("loose", lambda query: replace(query, body=Body((Compare(Op.LT, X, Iri("http://a")),))))
    with pytest.raises(PassError, match=r"^loose makes a query that breaks a rule: "):
        optimized(QUERY, CONTEXT, (adding("one"), unbound))


FIVE, SIX = (f'"{number}"^^<http://www.w3.org/2001/XMLSchema#integer>' for number in "56")
RELATION = """
set ?x
where
  ?x <http://p> ?p
  not
    ?x ?p ?y
    ?y < {FIVE} by number
    ?y > {SIX} by number
"""
SCOPE = """
boolean
where
  either
    ?v2 <http://s> ?v2
  or
    either
      ?v6 <http://r> <http://e>
      ?v2 <http://r> <http://e>
    or
      ?v1 <http://r> ?v2
    ?v4 <http://s> ?v1
"""
OTHER_COUNT = """
number ?n
where
  ?n counts ?x
    ?x <http://t> ?v
    ?v < {FIVE} by number
    ?v > {SIX} by number
  ?m counts ?y per ?k
    ?k <http://t> ?y
"""
NEVER_COUNTED = """
number ?n
where
  ?n counts ?x
    never
    ?x <http://inverse> ?y
"""


@pytest.mark.parametrize(
    ("text", "names"),
    [
        pytest.param(RELATION, ("merge-comparisons",), id="the predicate"),
        pytest.param(SCOPE, ("minimize",), id="what several arms share"),
        pytest.param(OTHER_COUNT, ("merge-comparisons",), id="the count beside another"),
        pytest.param(NEVER_COUNTED, ("orient-inverses",), id="the count of nothing"),
        pytest.param("number ?n\nwhere\n  ?n counts ?x\n    ?x <p> ?y\n  not\n    not\n      never", (), id="all"),
    ],
)
def test_what_a_query_stands_on_is_not_left_out(text: str, names: tuple[str, ...]) -> None:
    query = parse_query(text.replace("{FIVE}", FIVE).replace("{SIX}", SIX))
    ends = [Relation(f"http://{one}", inverse=f"http://{other}") for one, other in (INVERSES, INVERSES[::-1])]
    ground = Context(Schema(MemorySource(ends, (), {"inverses": "mirrored"})), VOCABULARY)
    for name in names:
        step = named(name, PIPELINE)
        made = step.run(query, ground)
        assert lost(query, made)
        with pytest.raises(InvalidIR):
            verify(made)
        watch = Watch()
        assert optimized(query, ground, (step,), observer=watch) is query
        assert watch.seen == [(step, query, query)]
    for one in listed():
        optimized(query, ground, (one,))
    found = optimized(query, ground, PIPELINE, strict=True)
    for graph in graphs((query, found), 1, 20):
        assert answers(found, graph, ground.schema) == answers(query, graph, ground.schema)


def test_what_is_no_loss_stays_a_fault() -> None:
    one, other = (Body((Triple(X, Iri("http://p"), Var(name)),)) for name in ("y", "z"))
    apart = build.query(Form.SET, (X,), Body((*QUERY.body.conjuncts, Not(one), Not(other))))
    met = replace(apart, body=Body((*QUERY.body.conjuncts, Not(one), Not(one))), types=apart.types[:2])
    assert not lost(apart, met)  # two variables by one name, and nothing was left out
    with pytest.raises(PassError, match=r"^met makes a query that breaks a rule: scope: \?y is local to one part"):
        optimized(apart, CONTEXT, (made("met", lambda _: met),))
    unbound = replace(QUERY, body=Body(()))
    assert not lost(QUERY, unbound)
    with pytest.raises(PassError, match=r"^none makes a query that breaks a rule: form: nothing positive binds"):
        optimized(QUERY, CONTEXT, (made("none", lambda _: unbound),))
    deep = QUERY.body
    for _ in range(MAX_NESTING + 1):
        deep = Body((*QUERY.body.conjuncts, Union((deep,))))
    assert not lost(QUERY, replace(QUERY, body=deep))


def test_rounds_that_are_spent_cost_no_answer() -> None:
    """Each choice settles the next one, so that there is always something left to do."""
    lines = ["set ?x", "where", "  ?x <http://t0> <http://o>"]
    for i in range(1, 71):
        lines += ["  either", f"    ?x <http://d{i}> <http://o>", "  or", f"    ?x <http://t{i}> <http://o>"]
        lines += ["  not", f"    ?x <http://d{i}> <http://o>", f"    ?x <http://t{i - 1}> <http://o>"]
    query = parse_query("\n".join(lines))
    with pytest.raises(PassError, match=r"still changing the query after 8 rounds$"):
        optimized(query, CONTEXT, PIPELINE, strict=True)
    found = optimized(query, CONTEXT, PIPELINE)
    choices = [sum(isinstance(conjunct, Union) for conjunct in one.body.conjuncts) for one in (query, found)]
    assert choices[0] == 70
    assert 0 < choices[1] < 40
    names = [name for i in range(71) for name in (f"d{i}", f"t{i}")]
    random = Random(5)
    for share in (0.9, 0.97, 0.98, 0.99):
        for _ in range(10):
            triples = []
            for name in ("http://e", "http://f", "http://g"):
                triples += [
                    (Iri(name), Iri(f"http://{one}"), Iri("http://o"))
                    for one in names
                    if random.random() < (share if one[0] == "t" else 1 - share)
                ]
            graph = MemoryGraph(triples)
            assert answers(found, graph, SCHEMA) == answers(query, graph, SCHEMA)


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
    found = optimized(QUERY, CONTEXT, (adding("one"), idle, adding("two")), without=frozenset({"two"}), observer=watch)
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
