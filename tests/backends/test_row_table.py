"""Candidates that differ only in where they lead, as one: what is written so, and that each has its answers."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from pylf.backends.dialects import dialect_named
from pylf.backends.engines.http import HttpEngine
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.many import Asking, ask_all
from pylf.backends.sparql import emitted
from pylf.backends.sparql.print import print_tree
from pylf.backends.sparql.query import Select
from pylf.backends.sparql.row_table import may_be_alike, tabled
from pylf.ir import build
from pylf.ir.batch import tags
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Direction, Form
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import XSD_DECIMAL, XSD_INTEGER, Iri, Literal, Var

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.ir.nodes import Body, Query
    from pylf.ir.terms import Node
    from pylf.testing.servers import Server

E = "http://e/"
SCHEMA = Schema(MemorySource((), (), {}))
PLAIN = Vocabulary("plain")
A, B, C = (Iri(E + name) for name in "abc")
RELATIONS = tuple(Iri(E + name) for name in "pqrst")
P, Q, R, S, T = RELATIONS
X, Y, Z, N = Var("x"), Var("y"), Var("z"), Var("n")
#: relations of a candidate and an end
Way = tuple[Iri, Iri, Iri]


def _set(body: Body, output: Var = X) -> Query:
    return build.query(Form.SET, (output,), body)


def _counted(body: Body) -> Query:
    return build.query(Form.NUMBER, (N,), build.count(N, X, body))


def _two(way: Way) -> Body:
    return build.join(build.triple(A, way[0], Y), build.triple(Y, way[1], X))


def _without(way: Way) -> Body:
    return build.join(_two(way), build.negate(build.triple(A, way[1], X)))


def _ending(way: Way) -> Body:
    return build.join(build.triple(A, way[0], X), build.triple(X, way[1], way[2]))


def _without_two(way: Way) -> Body:
    return build.join(_without(way), build.negate(build.triple(X, way[0], way[2])))


def _branching(way: Way) -> Body:
    return build.join(_two(way), build.triple(Y, way[0], way[2]))


def _apart(way: Way) -> Body:
    inner = build.join(build.triple(X, way[0], Z), build.triple(Z, way[1], way[2]))
    return build.join(build.triple(A, P, X), build.negate(inner))


KINDS: dict[str, Callable[[Way], Query]] = {
    "one hop": lambda way: _set(build.triple(A, way[0], X)),
    "two hops": lambda way: _set(_two(way)),
    "an end": lambda way: _set(_ending(way)),
    "not one": lambda way: _set(_without(way)),
    "not two": lambda way: _set(_without_two(way)),
    "branching": lambda way: _set(_branching(way)),
    "counted without": lambda way: _counted(_without(way)),
    "not a walk": lambda way: _set(_apart(way)),
    "counted": lambda way: _counted(_two(way)),
    "rows": lambda way: build.query(Form.ROWS, (Y, X), _two(way)),
}


def _graph(random: Random) -> list[tuple[Iri, Iri, Node]]:
    """Few things, many relations, a number that is two terms."""
    things: list[Node] = [A, B, C, *(Iri(f"{E}{n}") for n in range(4))]
    values: list[Node] = [*things, Literal("1", XSD_INTEGER), Literal("1.0", XSD_DECIMAL), Literal("one")]
    found = {(random.choice(things), random.choice(RELATIONS), random.choice(values)) for _ in range(45)}
    return [(subject, relation, target) for subject, relation, target in found if isinstance(subject, Iri)]


def _ways(random: Random) -> list[Way]:
    return sorted(
        {(random.choice(RELATIONS), random.choice(RELATIONS), random.choice((A, B, C))) for _ in range(14)}, key=str
    )


def _written(queries: list[Query], dialect: str = "oxigraph", optimize: int = 1) -> str | None:
    spoken = dialect_named(dialect)
    if not all(may_be_alike(query, spoken) for query in queries):
        return None
    trees = [emitted(query, SCHEMA, PLAIN, spoken, optimize)[0] for query in queries]
    tree = tabled(trees, tags(len(queries)), spoken)
    return None if tree is None else print_tree(tree, spoken)


class Far:
    """A store as if it stood elsewhere, and what it is asked."""

    lookup_cost = 400
    cache_scope = None
    spoken = dialect_named("oxigraph")

    def __init__(self, store: OxigraphEngine) -> None:
        self.store = store
        self.texts: list[str] = []

    def select(self, sparql: str, timeout: float | None = None) -> list[dict[str, Node]]:
        self.texts.append(sparql)
        return self.store.select(sparql, timeout)


# --- meaning ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_random_candidates_have_the_answers_that_they_have_alone(kind: str) -> None:
    found = 0
    for seed in range(12):
        random = Random(seed)
        triples = _graph(random)
        queries = list(dict.fromkeys(map(KINDS[kind], _ways(random))))
        if len(queries) < 2:
            continue
        far: Any = Far(OxigraphEngine.memory(triples))
        outcomes = ask_all(Asking(far, SCHEMA, PLAIN, seed % 3), queries)
        assert len(far.texts) == 1
        # a negation that is written as one within another is left
        assert ("VALUES (?of " in far.texts[0]) is (kind != "not a walk" or seed % 3 == 0)
        graph = MemoryGraph(triples)
        for query, outcome in zip(queries, outcomes, strict=True):
            expected = evaluate(query, graph, SCHEMA, PLAIN)
            assert outcome.answers is not None
            assert outcome.answers.key() == expected.key()
            found += not expected.empty
    assert found > 10


def test_candidates_on_servers(server: Server) -> None:
    random = Random(5)
    triples = _graph(random)
    address = "urn:alike"
    server.load(triples, address)
    engine = HttpEngine(server.endpoint(address))
    graph = MemoryGraph(triples)
    ways = _ways(random)
    for made in KINDS.values():
        queries = list(dict.fromkeys(map(made, ways)))
        for query, outcome in zip(queries, ask_all(Asking(engine, SCHEMA, PLAIN), queries), strict=True):
            assert outcome.answers is not None
            assert outcome.answers.key() == engine.run(query, SCHEMA, PLAIN).key()
            if server.name != "virtuoso":  # it stores values, not spellings
                assert outcome.answers.key() == evaluate(query, graph, SCHEMA, PLAIN).key()
    engine.close()


# --- what is written ----------------------------------------------------------------------------------------------


def test_what_is_the_same_stays_and_what_differs_alike_is_one_column() -> None:
    text = _written(
        [
            _set(build.join(build.triple(A, P, Y), build.triple(Y, way, X), build.negate(build.triple(A, way, X))))
            for way in (Q, R)
        ]
    )
    assert text is not None
    assert "VALUES (?of ?iri_0) {" in text
    assert "<http://e/a> <http://e/p> ?y ." in text
    assert "?y ?iri_0 ?x ." in text
    assert "<http://e/a> ?iri_0 ?x ." in text


def test_names_that_a_query_has_are_left_to_it() -> None:
    of, iri = Var("of"), Var("iri_0")
    text = _written([_set(build.join(build.triple(A, way, of), build.triple(of, P, iri)), iri) for way in (Q, R)])
    assert text is not None
    assert "VALUES (?of_ ?iri_0_) {" in text


def test_what_is_written_otherwise_has_a_table_of_its_own() -> None:
    hops = [_set(build.triple(A, way, X)) for way in RELATIONS]
    text = _written([*hops, *(_set(_two((way, way, A))) for way in RELATIONS)])
    assert text is not None
    assert (text.count("VALUES"), text.count("UNION")) == (2, 1)
    assert _written([_set(build.triple(A, P, X)), _set(_two((P, Q, A)))]) is None  # nothing is shared


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(lambda way: _set(build.triple(X, way, A)), id="against the edges"),
        pytest.param(lambda way: _set(build.triple(X, way, Y)), id="from anywhere"),
        pytest.param(lambda way: _set(build.triple(Iri(way.value + "0"), way, X)), id="other beginnings"),
        pytest.param(lambda way: _set(build.join(build.triple(A, P, X), build.triple(Y, way, X))), id="and back"),
        pytest.param(
            lambda way: _set(
                build.extreme(Direction.MAX, X, N, build.join(build.triple(A, way, X), build.triple(X, P, N)))
            ),
            id="superlative",
        ),
        pytest.param(lambda way: build.query(Form.BOOLEAN, (), build.triple(A, way, X)), id="yes or no"),
    ],
)
def test_what_is_no_walk_ahead_is_left(made: Callable[[Iri], Query]) -> None:
    assert _written([made(way) for way in RELATIONS]) is None


def test_an_engine_on_which_it_was_not_measured_gets_no_table() -> None:
    hops = [_set(build.triple(A, way, X)) for way in RELATIONS]
    assert _written(hops, "oxigraph") is not None
    assert _written(hops, "sparql11") is None


def test_a_table_stands_in_what_a_count_is_over() -> None:
    text = _written([_counted(_two((way, P, A))) for way in RELATIONS], "virtuoso")
    assert text is not None
    assert text.index("COUNT(DISTINCT ") < text.index("SELECT DISTINCT ?of ?x") < text.index("VALUES (?of ")
    assert text.rstrip().endswith("GROUP BY ?of")


def test_virtuoso_gets_what_is_the_same_in_the_table_too() -> None:
    text = _written([_set(_two((P, way, A))) for way in RELATIONS], "virtuoso")
    assert text is not None
    assert "VALUES (?of ?iri_0 ?iri_1) {" in text
    assert "(<urn:pylf:0> <http://e/p> <http://e/p>)" in text


def test_jena_takes_the_steps_of_a_walk_in_their_order() -> None:
    three = [
        _set(build.join(build.triple(A, way, Y), build.triple(Y, Q, Z), build.triple(Z, way, X))) for way in RELATIONS
    ]
    text = _written(three, "jena")
    assert text is not None
    steps = ["VALUES (?of ?iri_0) {", "<http://e/a> ?iri_0 ?y .", "BIND(?y AS ?y_on)", "?y_on <http://e/q> ?z ."]
    places = [text.index(step) for step in [*steps, "BIND(?z AS ?z_on)", "?z_on ?iri_0 ?x ."]]
    assert places == sorted(places)


def test_where_relations_may_not_share_a_variable_each_has_its_own() -> None:
    loops = [_set(build.join(build.triple(A, way, Y), build.triple(Y, way, X))) for way in (Q, R)]
    shared, apart = _written(loops), _written(loops, "virtuoso")
    assert shared is not None
    assert apart is not None
    assert "VALUES (?of ?iri_0) {" in shared
    assert "VALUES (?of ?iri_0 ?iri_1) {" in apart


def test_a_tree_is_rows_of_tag_and_outputs() -> None:
    spoken = dialect_named("jena")
    queries = [build.query(Form.ROWS, (Y, X), _two((one, other, A))) for one, other in combinations(RELATIONS, 2)]
    trees = [emitted(query, SCHEMA, PLAIN, spoken)[0] for query in queries]
    tree = tabled(trees, tags(len(trees)), spoken)
    assert isinstance(tree, Select)
    assert tree.projection == (Var("of"), Y, X)
