"""Equal up to names and order: the same canonical form and fingerprint; otherwise different ones."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
from pathlib import Path as FilePath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pylf.ir.canonical import canonical, fingerprint
from pylf.ir.nodes import Body, Form, InstanceOf, Query, Triple
from pylf.ir.terms import Iri, Var
from pylf.ir.text import parse_query, print_query
from pylf.ir.traverse import bodies, rename, variables, walk, with_bodies
from pylf.ir.types import ANY, ENTITY
from pylf.ir.verify import verify
from pylf.testing.ir_strategies import disguised, queries

P = Iri("http://x/p")
Edges = list[tuple[int, int]]


def graph(edges: Edges, output: int | None = None, *, both: bool = False) -> Query:
    """A query whose triples, all of one relation, form a graph; ``both``: each edge in both directions."""
    ends = [*edges, *((b, a) for a, b in edges)] if both else edges
    body = Body(tuple(Triple(Var(f"n{a}"), P, Var(f"n{b}")) for a, b in ends))
    outputs = () if output is None else (Var(f"n{output}"),)
    names = sorted({f"n{v}" for edge in edges for v in edge})
    return Query(Form.BOOLEAN if output is None else Form.SET, outputs, body, tuple((name, ENTITY) for name in names))


def set_of(*body: str) -> Query:
    return parse_query("\n".join(("set ?x", "where", *(f"  {line}" for line in body))))


@settings(max_examples=50)
@given(queries(), st.randoms(use_true_random=False))
def test_names_and_order_make_no_difference(query: Query, chance: random.Random) -> None:
    other = disguised(query, chance)
    verify(other)
    assert fingerprint(other) == fingerprint(query)
    assert canonical(other) == canonical(query)


@settings(max_examples=40)
@given(queries())
def test_the_canonical_form_is_an_equal_sound_query_and_its_own_canonical_form(query: Query) -> None:
    form = canonical(query)
    verify(form)
    assert fingerprint(form) == fingerprint(query)
    assert canonical(form) == form
    assert [output.name for output in form.outputs] == [f"v{i}" for i in range(len(query.outputs))]
    assert set(variables(form)) == {f"v{i}" for i in range(len(variables(query)))}
    assert sorted(map(repr, form.type_of.values())) == sorted(map(repr, query.type_of.values()))


@settings(max_examples=50)
@given(queries(2), st.data())
def test_a_new_constant_makes_a_difference(query: Query, data: st.DataObject) -> None:
    inner = sum(len(bodies(node)) for node in walk(query))
    place = data.draw(st.integers(0, inner))
    prints = {fingerprint(query)}
    for value in ("http://new/1", "http://new/2"):
        body = marked(query.body, [place], Iri(value))
        prints.add(fingerprint(Query(query.form, query.outputs, body, query.types)))
    assert len(prints) == 3


def marked(body: Body, left: list[int], value: Iri) -> Body:
    """The body with a conjunct about ``value`` put into it, or into the body in it that ``left[0]`` counts down to."""
    left[0] -= 1
    conjuncts = [InstanceOf(value, (P,))] if left[0] == -1 else []
    inner = [with_bodies(node, tuple(marked(b, left, value) for b in bodies(node))) for node in body.conjuncts]
    return Body((*conjuncts, *inner))


def test_each_part_of_a_query_makes_a_difference() -> None:
    texts = [
        "set ?x\nwhere\n  ?x <p> ?y\n  ?y <p> ?z",
        "set ?y\nwhere\n  ?x <p> ?y\n  ?y <p> ?z",
        "set ?z\nwhere\n  ?x <p> ?y\n  ?y <p> ?z",
        "rows ?x\nwhere\n  ?x <p> ?y\n  ?y <p> ?z",
        "rows ?x ?y\nwhere\n  ?x <p> ?y\n  ?y <p> ?z",
        "rows ?y ?x\nwhere\n  ?x <p> ?y\n  ?y <p> ?z",
        "boolean\nwhere\n  ?x <p> ?y\n  ?y <p> ?z",
        "set ?x\nwhere\n  ?x <p> ?y\n  ?z <p> ?y",
        "set ?x\nwhere\n  ?x <p> ?y\n  ?y <q> ?z",
        "set ?x\nwhere\n  ?x <p> ?y\n  ?y ?p ?z",
        "set ?x\nwhere\n  ?x <p> ?y\n  ?y <p>+ ?z",
        "set ?x\nwhere\n  ?x <p> ?y\n  ?y <p>* ?z",
        "set ?x\nwhere\n  ?x <p> ?y\n  ?y <p> ?x",
        "set ?x\nwhere\n  ?x <p> ?y\n  ?y <p> ?y",
        'set ?x\nwhere\n  ?x <p> ?y\n  ?y <p> "z"',
        'set ?x\nwhere\n  ?x <p> ?y\n  ?y <p> "z"@en',
        "set ?x\nwhere\n  ?x <p> ?y\n  ?y <p> <z>",
        "set ?x\nwhere\n  path ?x -<p>-> ?y -<p>-> ?z",
        "set ?x\nwhere\n  path ?x -<p>-> ?y <-<p>- ?z",
        "set ?x\nwhere\n  ?x <p> ?y\n  ?y <p> ?z\n  ?x is ?z",
        "set ?x\nwhere\n  ?x <p> ?y\n  ?y <p> ?z\n  ?x = ?z",
        "set ?x\nwhere\n  ?x <p> ?y\n  ?y <p> ?z\n  ?z = ?x",
        "set ?x\nwhere\n  ?x <p> ?y\n  ?y <p> ?z\n  ?z = ?x by date",
        "set ?x\nwhere\n  ?x <p> ?y\n  not\n    ?y <p> ?z",
        "set ?x\nwhere\n  ?x <p> ?y\n  not\n    ?z <p> ?y",
        "set ?x\nwhere\n  ?x <p> ?y\n  not\n    not\n      ?y <p> ?z",
        "set ?x\nwhere\n  ?x <p> ?y\n  not\n    ?y <p> ?z\n    not\n      ?z <p> ?w",
        "set ?x\nwhere\n  ?x <p> ?y\n  not\n    ?y <p> ?z\n  not\n    ?y <p> ?w\n    ?w <p> ?u",
        "set ?x\nwhere\n  ?x <p> ?y\n  either\n    ?y <p> ?z\n  or\n    ?z <p> ?y",
        "set ?x\nwhere\n  ?x <p> ?y\n  either\n    ?y <p> ?z\n    ?z <p> ?y",
        "set ?x\nwhere\n  ?x <p> ?y\n  either\n    ?y <p> ?z\n  either\n    ?z <p> ?y",
        "set ?x\nwhere\n  ?x with largest ?y\n    ?x <p> ?y",
        "set ?x\nwhere\n  ?x with smallest ?y\n    ?x <p> ?y",
        "set ?x\nwhere\n  ?x with largest ?y by date\n    ?x <p> ?y",
        "set ?x\nwhere\n  ?x with 2 largest ?y\n    ?x <p> ?y",
        "set ?x\nwhere\n  ?x with 3 largest ?y\n    ?x <p> ?y",
        "set ?y\nwhere\n  ?y with 2 largest ?y\n    ?x <p> ?y",
        "set ?x\nwhere\n  ?n counts ?y per ?x\n    ?x <p> ?y",
        "set ?x\nwhere\n  ?n counts ?x per ?x\n    ?x <p> ?y",
        "number ?n\nwhere\n  ?n counts ?y\n    ?x <p> ?y",
        "set ?x\nwhere\n  distinct ?x\n    ?x <p> ?y",
        "set ?x\nwhere\n  distinct ?x ?y\n    ?x <p> ?y",
        "set ?x\nwhere\n  distinct ?y ?x\n    ?x <p> ?y",
        "set ?x\nwhere\n  ?x a <p>",
        "set ?x\nwhere\n  ?x in (<p>)",
        'set ?x\nwhere\n  ?x in ("p")',
        "set ?x\nwhere\n  ?x in (<p>, <q>)",
        "set ?x\nwhere\n  ?x in ()",
        "set ?x\nwhere\n  never",
        "set ?x\nwhere\n  ?x <p> ?y with confidence ?z",
        "set ?x\nwhere\n  ?x <p> ?z with confidence ?z",
    ]
    prints = {fingerprint(parse_query(text)): text for text in texts}
    assert len(prints) == len(texts)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["?x <p> ?y", "?x is ?y"], ["?x <p> ?z", "?z is ?x"]),
        (["?x <p> <a>", "?x is <a>"], ["<a> is ?x", "?x <p> <a>"]),
        (["?x <p> <a>", "<b> is <a>"], ["<a> is <b>", "?x <p> <a>"]),
        (["?x <p> <a>", "?x <p> <a>"], ["?x <p> <a>"]),
        (["?x a <A> | <B>"], ["?x a <B> | <A> | <B>"]),
        (['?x in (<a>, "1")'], ['?x in ("1", <a>, "1")']),
        (["either", "  ?x <p> <a>", "or", "  ?x <q> <a>"], ["either", "  ?x <q> <a>", "or", "  ?x <p> <a>"]),
        (
            ["?x <p> ?y", "not", "  ?x <q> <a>", "  ?y <q> <b>", "not", "  ?y <q> <b>", "  ?x <q> <a>"],
            ["?x <p> ?y", "not", "  ?y <q> <b>", "  ?x <q> <a>", "  ?x <q> <a>"],
        ),
        (
            ["either", "  ?x <p> <a>", "  ?x <q> <a>", "or", "  ?x <q> <a>", "  ?x <p> <a>"],
            ["either", "  ?x <q> <a>", "  ?x <p> <a>"],
        ),
    ],
)
def test_what_says_the_same_is_the_same(one: list[str], other: list[str]) -> None:
    assert fingerprint(set_of(*one)) == fingerprint(set_of(*other))
    assert canonical(set_of(*one)) == canonical(set_of(*other))


def test_types_and_spans_make_no_difference_to_the_fingerprint() -> None:
    one = set_of("?x <p> ?y")
    assert fingerprint(one) == fingerprint(Query(one.form, one.outputs, one.body, (("x", ANY), ("y", ENTITY))))
    # ?y and ?z are interchangeable but for their types: those decide, whatever the two are called
    body = Body((Triple(Var("x"), P, Var("y")), Triple(Var("x"), P, Var("z"))))
    one = Query(Form.SET, (Var("x"),), body, (("x", ENTITY), ("y", ANY), ("z", ENTITY)))
    other = rename(one, {"y": "z", "z": "y"})
    assert one != other
    assert canonical(one) == canonical(other)


def isomorphic(one: Edges, other: Edges, size: int) -> bool:
    wanted = set(other)
    return any({(order[a], order[b]) for a, b in one} == wanted for order in itertools.permutations(range(size)))


@pytest.mark.parametrize("seed", range(4))
def test_on_small_graphs_it_agrees_with_trying_every_renaming(seed: int) -> None:
    chance = random.Random(seed)
    graphs: list[Edges] = []
    for _ in range(24):
        pairs = [(a, b) for a in range(5) for b in range(5)]
        edges = chance.sample(pairs, chance.randint(3, 6))
        graphs.append(sorted(edges))
        order = chance.sample(range(5), 5)
        graphs.append(sorted((order[a], order[b]) for a, b in edges))
    prints = [fingerprint(graph(edges)) for edges in graphs]
    for (i, one), (j, other) in itertools.combinations(enumerate(graphs), 2):
        assert (prints[i] == prints[j]) == isomorphic(one, other, 5)


def grid(side: int) -> Edges:
    across = [(side * i + j, side * i + j + 1) for i in range(side) for j in range(side - 1)]
    return across + [(side * i + j, side * i + j + side) for i in range(side - 1) for j in range(side)]


LARGE = {
    "a chain of 2,000 hops": graph([(i, i + 1) for i in range(2000)], 0),
    "a chain without an output": graph([(i, i + 1) for i in range(2000)]),
    "a chain from its middle": graph([(i, i + 1) for i in range(1000)], 500, both=True),
    "a star of 2,000": graph([(0, i + 1) for i in range(2000)], 0),
    "a star without an output": graph([(0, i + 1) for i in range(2000)]),
    "500 equal chains": graph([(0, i) for i in range(1, 501)] + [(i, i + 500) for i in range(1, 501)], 0),
    "a ring of 300": graph([(i, (i + 1) % 300) for i in range(300)], both=True),
    "a clique of 12": graph(list(itertools.combinations(range(12), 2)), both=True),
    "a clique of 12 with an output": graph(list(itertools.combinations(range(12), 2)), 3, both=True),
    "an ordered clique of 12": graph(list(itertools.combinations(range(12), 2))),
    "a grid": graph(grid(8), both=True),
    "50 triangles": graph([(3 * i + a, 3 * i + b) for i in range(50) for a, b in ((0, 1), (1, 2), (0, 2))], both=True),
    "a cube of five dimensions": graph([(i, i ^ 1 << b) for i in range(32) for b in range(5)]),
}


@pytest.mark.parametrize("query", LARGE.values(), ids=LARGE)
def test_large_and_symmetric_queries(query: Query) -> None:
    chance = random.Random(7)
    other = disguised(query, chance)
    assert fingerprint(other) == fingerprint(query)
    assert canonical(other).body == canonical(query).body


def test_regular_graphs_that_refinement_cannot_tell_apart_are_told_apart() -> None:
    cells = [(a, b) for a in range(4) for b in range(4)]
    steps = {(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)}
    pairs = [((a, b), (c, d)) for (a, b), (c, d) in itertools.combinations(cells, 2)]
    rook = [(4 * a + b, 4 * c + d) for (a, b), (c, d) in pairs if a == c or b == d]
    shrikhande = [(4 * a + b, 4 * c + d) for (a, b), (c, d) in pairs if ((a - c) % 4, (b - d) % 4) in steps]
    assert len(rook) == len(shrikhande)
    assert fingerprint(graph(rook, both=True)) != fingerprint(graph(shrikhande, both=True))
    two_triangles = graph([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)])
    assert fingerprint(two_triangles) != fingerprint(graph([(i, (i + 1) % 6) for i in range(6)]))


def test_a_search_that_ends_at_its_bound_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    import pylf.ir.symmetry

    monkeypatch.setattr(pylf.ir.symmetry, "_BOUND", 500)
    query = graph(list(itertools.combinations(range(25), 2)), both=True)
    assert fingerprint(query) == fingerprint(query)
    monkeypatch.setattr(pylf.ir.symmetry, "_DEEPEST", 3)
    assert len(fingerprint(query)) == 32


def test_the_same_in_every_process() -> None:
    queries = [
        LARGE["a grid"],
        LARGE["a clique of 12"],
        set_of("?x <p> ?y", "?x <p> ?z", "?x in (<a>, <b>)", "?z is ?y"),
    ]
    queries.append(set_of("?x <Δ> ?y", '?x in ("\U0001f680", "\u0378")', "either", "  ?x <p> ?z", "or", "  ?x <q> ?z"))
    text = "".join(f"queries.append(parse_query({print_query(query)!r}))\n" for query in queries)
    program = "from pylf.ir.text import parse_query\nfrom pylf.ir.canonical import *\nqueries = []\n" + text
    program += "print([fingerprint(q) for q in queries], hash('a'))\nprint(*map(canonical, queries))"
    outcomes = []
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(FilePath(__file__).parents[2])}
        environment["PYTHONIOENCODING"] = "utf-8"
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        outcomes.append(done.stdout)
    assert outcomes[0].split("hash")[0].split("]")[0] == outcomes[1].split("]")[0]
    assert outcomes[0].split("\n")[1] == outcomes[1].split("\n")[1]
    assert str([fingerprint(query) for query in queries]) in outcomes[0]


def test_a_fingerprint_stays_what_it_is() -> None:
    """It is written into files and compared across versions: change it knowingly, with a word in the changelog."""
    query = set_of("?x a <C>", "?x <p> ?v", '?v < "5"', "not", "  ?x <q> <a>")
    assert fingerprint(query) == "7d442637d63a4ac2c585702e91c62f89"
