"""The client and the real servers: Virtuoso, Oxigraph, Jena."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from pylf.backends.http.client import Client, IncompleteRows, Rows
from pylf.backends.http.endpoint import Limits
from pylf.backends.outcome import Status
from pylf.errors import EngineError, EngineRefused, EngineTimeout
from pylf.ir.terms import RDF_LANG_STRING, XSD, Blank, Iri, Literal
from pylf.records import replace
from pylf.testing import servers
from tests.presence import must_have

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.testing.servers import Server

GRAPH = "urn:test:http:client"
A, P, Q = (Iri(f"http://e/{name}") for name in "apq")
VALUES = (
    Iri("http://e/b"),
    Literal("x", RDF_LANG_STRING, "en"),
    Literal('plain "quoted"\n\\ \u00e9 \u4e2d \U0001f600'),
    Literal("7", f"{XSD}integer"),
    Literal("2001-02-03", f"{XSD}date"),
)
NUMBERED = [(Iri(f"http://e/n/{number}"), Q, Literal(str(number), f"{XSD}integer")) for number in range(300)]
#: eight billion solutions, and none that is wanted
SLOW = (
    "SELECT (COUNT(*) AS ?n) { ?a <http://e/q> ?b . ?c <http://e/q> ?d . ?e <http://e/q> ?f . ?g <http://e/q> ?h "
    "FILTER(?b + ?d + ?f + ?h = -1) }"
)

#: rows without end
CROSS = "SELECT * { ?a <http://e/q> ?b . ?c <http://e/q> ?d . ?e <http://e/q> ?f }"


@pytest.fixture
def asked(server: Server) -> Iterator[Client]:
    """A client of each server, its graph loaded."""
    server.load([*((A, P, value) for value in VALUES), *NUMBERED], GRAPH)
    with Client(server.endpoint(GRAPH)) as client:
        yield client


def test_terms_come_as_they_are(asked: Client) -> None:
    table = asked.select("SELECT ?o ?none { <http://e/a> <http://e/p> ?o OPTIONAL { ?o <http://e/q> ?none } }")
    assert table.variables == ("o", "none")
    assert {row[0] for row in table.rows} == set(VALUES)
    assert {row[1] for row in table.rows} == {None}


def test_truth_values_and_triples(asked: Client) -> None:
    assert asked.ask("ASK { <http://e/a> ?p ?o }") is True
    assert asked.ask("ASK { <http://e/nobody> ?p ?o }") is False
    assert asked.ask("ASK { }") is True
    found = asked.construct("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(?s = <http://e/a>) }")
    assert set(found) == {(A, P, value) for value in VALUES}
    assert asked.construct("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(?s = <http://e/nobody>) }") == []


def test_the_server_says_what_it_is(server: Server, asked: Client) -> None:
    identity = asked.identify()
    assert identity.dialect == server.name
    assert asked.identify() is identity


def test_long_queries_arrive(asked: Client) -> None:
    """Beyond what any of them takes in the address, and with the graph: the answers are not those of all graphs."""
    iris = " ".join(f"<http://e/n/{number}>" for number in range(3_500))
    query = f"SELECT DISTINCT ?x {{ VALUES ?x {{ {iris} }} ?x <http://e/q> ?y }}"
    assert len(query) > 60_000
    assert len(asked.select(query).rows) == 300


def test_no_answers_are_no_answers(asked: Client) -> None:
    assert asked.select("SELECT ?s { ?s <http://e/nothing> ?o }").rows == []


def test_a_syntax_error_is_refused_with_its_place(server: Server, asked: Client) -> None:
    with pytest.raises(EngineRefused, match=r"400\).*\b(?:line |at )?1\b"):
        asked.select("SELECT ?s { ?s ?p . }")
    with pytest.raises(EngineRefused):
        asked.select("SELECT ?s {", trusted=True)


def test_a_query_that_takes_too_long_is_no_empty_answer(server: Server) -> None:
    """Whoever notices first, the server or the client: it is a time-out, or says that it is partial."""
    server.load(NUMBERED, GRAPH)
    with Client(server.endpoint(GRAPH, limits=Limits(total=1.0))) as client:
        began = time.monotonic()
        with pytest.raises(EngineError) as caught:
            client.select(SLOW)
        assert time.monotonic() - began < 3
    assert caught.value.status in {"timeout", "partial"}
    if caught.value.status == "timeout":
        assert isinstance(caught.value, EngineTimeout)


def test_twenty_threads_are_answered_each(asked: Client) -> None:
    def one(number: int) -> bool:
        rows = asked.select(f"SELECT ?x {{ ?x <http://e/q> {number} }}").rows
        return rows == [(Iri(f"http://e/n/{number}"),)]

    with ThreadPoolExecutor(20) as many:
        assert all(many.map(one, range(40)))


def test_blank_nodes_have_labels(server: Server) -> None:
    server.load([(Blank("n"), P, Literal("of a blank node"))], GRAPH)
    with Client(server.endpoint(GRAPH)) as client:
        ((node,),) = client.select("SELECT ?s { ?s <http://e/p> ?o }").rows
    assert isinstance(node, Blank)
    assert ":" not in node.label


@pytest.fixture(scope="module")
def strict_virtuoso() -> Iterator[Server]:
    """A Virtuoso that gives 50 rows at most, and takes a second at most for a query."""
    with servers.start(must_have("virtuoso"), row_cap=50, time_limit=1) as started:
        started.load(NUMBERED, GRAPH)
        yield started


def test_virtuosos_cap_is_flagged(strict_virtuoso: Server) -> None:
    """By a header, which comes only where the cap was reached: a LIMIT of the query's own is none."""
    with Client(strict_virtuoso.endpoint(GRAPH)) as client:
        with pytest.raises(IncompleteRows) as caught:
            client.select("SELECT ?s { ?s <http://e/q> ?o }")
        assert (caught.value.status, len(caught.value.table.rows)) == (Status.TRUNCATED, 50)
        assert len(client.select("SELECT ?s { ?s <http://e/q> ?o } LIMIT 49").rows) == 49


def test_virtuosos_own_time_limit_is_a_timeout_or_a_refusal(strict_virtuoso: Server) -> None:
    endpoint = replace(strict_virtuoso.endpoint(GRAPH), dialect=None)  # so that it is not told ours
    with Client(endpoint) as client, pytest.raises((EngineTimeout, EngineRefused)) as caught:
        client.select(SLOW)
    assert re.search("S1T00|time limit|estimated execution time", str(caught.value))


def test_oxigraphs_own_time_limit_is_a_timeout() -> None:
    with servers.start(must_have("oxigraph"), time_limit=1) as started, Client(started.endpoint(GRAPH)) as client:
        started.load(NUMBERED, GRAPH)
        with pytest.raises(EngineTimeout, match=r"time limit ended the query: .*cancelled"):
            client.select(CROSS)


def ended_by(server: Server, rows: Rows) -> None:
    """Reads rows while their server is ended."""
    for _ in rows:
        server.stop()


def test_a_server_that_ends_in_the_middle_is_an_error() -> None:
    with servers.start(must_have("oxigraph")) as started, Client(started.endpoint(GRAPH)) as client:
        started.load(NUMBERED, GRAPH)
        with client.stream(CROSS) as rows, pytest.raises(EngineError, match=r"cut off|broke"):  # noqa: PT012
            for _ in rows:
                started.stop()
        with pytest.raises(EngineError, match="no connection"):
            client.select("SELECT * { }")
