"""Whole answers from endpoints that cut them: in pages that are counted, or as an error; never fewer rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.backends.engines.http import HttpEngine
from pylf.backends.outcome import IncompleteAnswer, Status, outcome_of
from pylf.backends.sparql.query import Group, OptionalPattern, Select, TriplePattern
from pylf.errors import InputError
from pylf.ir import build
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Body, Form, Triple
from pylf.ir.schema.infer import infer_schema
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabularies import load
from pylf.ir.terms import RDFS, Blank, Iri, Literal, Var, tagged
from pylf.ir.types import ENTITY
from pylf.testing import servers
from tests.backends.canned_endpoint import cutting
from tests.presence import must_have

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.backends.http.endpoint import Endpoint
    from pylf.ir.answers import Answers
    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Query
    from pylf.testing.servers import Server

E = "http://e.example/"
CAP = 100
KNOWS, LABEL, NAME = Iri(E + "knows"), Iri(RDFS + "label"), Iri(E + "name")
HUB = Iri(E + "hub")
S, T = Var("s"), Var("o")
NO_SCHEMA = Schema(MemorySource((), (), {}))


def person(number: int) -> Iri:
    return Iri(f"{E}person/{number:04}")


#: more than CAP rows of every kind: triples in all, of one relation, of one subject, and labels outside of ASCII
GRAPH: list[TripleRow] = [
    *[(person(n), KNOWS, person((n * 7) % 260)) for n in range(260)],
    *[(HUB, KNOWS, person(n)) for n in range(130)],
    *[(person(n), LABEL, tagged(f"{'aéЖ漢𝒳'[n % 5]} {n}", "en")) for n in range(150)],
    *[(person(n), LABEL, tagged("the same", tag)) for n in range(3) for tag in ("en", "de", "fr")],
    *[(person(n), NAME, Literal("")) for n in range(5)],
]


@pytest.fixture(scope="module")
def capped_virtuoso() -> Iterator[Server]:
    """A Virtuoso that gives no more than CAP rows (ResultSetMaxRows)."""
    with servers.start(must_have("virtuoso"), row_cap=CAP) as server:
        server.load(GRAPH, "urn:paging")
        yield server


@pytest.fixture(params=["virtuoso", "virtuoso, cap untold", "oxigraph", "jena"])
def capped(request: pytest.FixtureRequest) -> Iterator[Endpoint]:
    """Endpoints that cut: Virtuoso by its own setting, the others behind a proxy."""
    match request.param:
        case "virtuoso":
            yield request.getfixturevalue("capped_virtuoso").endpoint("urn:paging")
        case "virtuoso, cap untold":
            endpoint: Endpoint = request.getfixturevalue("capped_virtuoso").endpoint("urn:paging")
            yield type(endpoint)(endpoint.url, graphs=endpoint.graphs)
        case name:
            server: Server = request.getfixturevalue({"oxigraph": "oxigraph_server"}.get(name, name))
            server.load(GRAPH, "urn:paging")
            with cutting(server.endpoint("urn:paging"), CAP) as endpoint:
                yield endpoint


@pytest.fixture
def cut(oxigraph_server: Server) -> Server:
    """Oxigraph's server, with the graph."""
    oxigraph_server.load(GRAPH, "urn:paging")
    return oxigraph_server


def asking(form: Form, *outputs: Var, body: Body) -> Query:
    return build.query(form, outputs, body, dict.fromkeys(("s", "o"), ENTITY))


def answered(engine: HttpEngine, query: Query) -> Answers:
    return engine.run(query, NO_SCHEMA, load("rdf"))


# --- whole ----------------------------------------------------------------------------------------------------------


def test_look_ups_give_all_triples(capped: Endpoint) -> None:
    engine = HttpEngine(capped)
    memory = MemoryGraph(GRAPH)
    for place in ((None, None, None), (None, KNOWS, None), (HUB, None, None), (None, LABEL, None), (HUB, KNOWS, HUB)):
        found = list(engine.triples(*place))
        assert len(found) == len(set(found))
        assert set(found) == set(memory.triples(*place))


def test_a_query_gives_all_rows(capped: Endpoint) -> None:
    query = asking(Form.ROWS, S, T, body=Body((Triple(S, KNOWS, T),)))
    expected = {(s, o) for s, p, o in GRAPH if p == KNOWS}
    assert set(answered(HttpEngine(capped), query).rows) == expected
    members = asking(Form.SET, T, body=Body((Triple(HUB, KNOWS, T),)))
    assert answered(HttpEngine(capped), members).values == tuple(person(n) for n in range(130))


def test_counts_are_not_cut(capped: Endpoint) -> None:
    engine = HttpEngine(capped)
    assert engine.count() == len(GRAPH)
    assert engine.holds_at_most(len(GRAPH))
    assert not engine.holds_at_most(len(GRAPH) - 1)
    assert engine.estimate(None, KNOWS, None) == 256


def test_many_labels_at_once(capped: Endpoint) -> None:
    found = HttpEngine(capped).labels([person(n) for n in range(260)], load("rdf"))
    assert len(found) == 150
    assert found[person(140)] == "a 140"


def test_the_schema_is_that_of_the_graph(capped: Endpoint) -> None:
    found = infer_schema(HttpEngine(capped), load("rdf"))
    expected = infer_schema(MemoryGraph(GRAPH), load("rdf"))
    assert list(found.source.all_relations()) == list(expected.source.all_relations())
    assert list(found.source.all_classes()) == list(expected.source.all_classes())


def test_exactly_the_cap_is_shown_to_be_whole(cut: Server) -> None:
    query = asking(Form.SET, T, body=Body((Triple(HUB, KNOWS, T),)))
    with cutting(cut.endpoint("urn:paging"), 130) as endpoint:
        assert len(answered(HttpEngine(endpoint), query).values) == 130


def test_more_rows_than_a_common_cap_are_no_cut_answer(cut: Server) -> None:
    endpoint = cut.endpoint("urn:paging")
    engine = HttpEngine(type(endpoint)(endpoint.url, "oxigraph", endpoint.graphs, row_cap=7))
    assert len(list(engine.triples(None, KNOWS, None))) == 390


def test_unbound_columns_and_strings_of_one_spelling(cut: Server) -> None:
    label = Group((TriplePattern(S, LABEL, T),))
    tree = Select((T, S), Group((TriplePattern(S, KNOWS, Var("x")), OptionalPattern(label))))
    with cutting(cut.endpoint("urn:paging"), 30) as endpoint:
        rows = HttpEngine(endpoint).rows(tree)
    labelled = {(o, s) for s, p, o in GRAPH if p == LABEL}
    assert set(rows) == labelled | {(None, person(n)) for n in range(150, 260)} | {(None, HUB)}
    assert len(rows) == len(set(rows))


# --- or an error ----------------------------------------------------------------------------------------------------


def test_pages_that_lose_rows_are_no_answer(cut: Server) -> None:
    query = asking(Form.ROWS, S, T, body=Body((Triple(S, KNOWS, T),)))
    with cutting(cut.endpoint("urn:paging"), CAP, loses=lambda text: "ORDER BY" in text and ">=" in text) as endpoint:
        outcome = outcome_of(lambda: answered(HttpEngine(endpoint), query))
    assert outcome.status is Status.TRUNCATED
    assert outcome.answers is not None
    assert 0 < len(outcome.answers.rows) < 390
    assert "390" in outcome.reason


def test_too_many_rows_of_one_spelling_are_no_answer(cut: Server) -> None:
    cut.load([(HUB, LABEL, tagged("the same", f"x-{n}")) for n in range(9)], "urn:spelling")
    query = asking(Form.SET, T, body=Body((Triple(HUB, LABEL, T),)))
    with cutting(cut.endpoint("urn:spelling"), 5) as endpoint, pytest.raises(IncompleteAnswer) as raised:
        answered(HttpEngine(endpoint), query)
    assert raised.value.status is Status.TRUNCATED
    assert len(raised.value.answers.values) == 5


def test_blank_nodes_have_no_pages_where_they_have_no_name(jena: Server) -> None:
    jena.load([(Blank(f"x{n}"), KNOWS, HUB) for n in range(20)], "urn:blank")
    with cutting(jena.endpoint("urn:blank"), 10) as endpoint, pytest.raises(IncompleteAnswer, match="blank"):
        list(HttpEngine(endpoint).triples(None, KNOWS, None))


def test_blank_nodes_with_a_name_have_pages(capped_virtuoso: Server) -> None:
    capped_virtuoso.load([(Blank(f"x{n}"), KNOWS, HUB) for n in range(150)], "urn:blank")
    assert len({s for s, _, _ in HttpEngine(capped_virtuoso.endpoint("urn:blank")).triples(None, KNOWS, None)}) == 150


def test_a_counted_answer_is_not_believed_at_the_cap_alone(cut: Server) -> None:
    with cutting(cut.endpoint("urn:paging"), 1) as endpoint:
        engine = HttpEngine(endpoint)
        assert (
            outcome_of(
                lambda: answered(engine, asking(Form.SET, T, body=Body((Triple(person(0), KNOWS, T),))))
            ).complete
            is False
        )


def test_the_time_limit_is_for_all_pages(cut: Server) -> None:
    with pytest.raises(InputError, match="above 0"):
        HttpEngine(cut.endpoint("urn:paging")).run(
            asking(Form.SET, S, body=Body((Triple(S, KNOWS, T),))), NO_SCHEMA, load("rdf"), timeout=0
        )
