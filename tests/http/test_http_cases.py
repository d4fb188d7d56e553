"""Reports of users of other clients, as cases: each is named by its number."""

from __future__ import annotations

import re
import time

import pytest

from pylf.backends.engines.results import answers_of
from pylf.backends.http.client import Client, IncompleteRows
from pylf.backends.http.endpoint import Endpoint, Limits
from pylf.backends.outcome import Status, outcome_of
from pylf.errors import EngineError, EngineRefused, EngineTimeout
from pylf.ir.answers import Answers
from pylf.ir.nodes import Form, Op
from pylf.ir.terms import XSD, Iri, Literal
from pylf.ir.values import compare
from tests.http.faults import Clock, Got, Reply, answer, numbered, page, results, serving, term

QUERY = "SELECT ?x { ?x ?p ?o }"
#: one third of a Virtuoso 7.2's headers when its timer ends a query
CUT_SHORT = {
    "X-SQL-State": "S1TAT",
    "X-SQL-Message": "RC...: Returning incomplete results, query interrupted by result timeout.  Activity:  7.633K rnd",
}


def client(url: str, **limits: float) -> Client:
    return Client(Endpoint(url, limits=Limits(**limits)))  # type: ignore[arg-type]


def answers(asked: Client, query: str = QUERY, timeout: float | None = None) -> Answers:
    """What an engine does with a set that it asks for."""
    return answers_of(Form.SET, asked.select(query, timeout).rows)


def wound(asked: Client) -> Clock:
    """The client's clock, wound by pauses."""
    clock = Clock()
    asked._gate.now, asked._gate.pause = clock.now, clock.pause
    return clock


# --- case 25: partial results -------------------------------------------------------------------------------------


def test_case_25_rows_cut_by_the_servers_timer_are_partial() -> None:
    with (
        serving(numbered(3, headers=CUT_SHORT)) as server,
        client(server.url) as asked,
        pytest.raises(IncompleteRows) as caught,
    ):
        asked.select(QUERY)
    assert caught.value.status is Status.PARTIAL
    assert len(caught.value.table.rows) == 3
    assert "Returning incomplete results" in str(caught.value)


@pytest.mark.parametrize("rows", [0, 3])
def test_case_25_nothing_and_something_are_partial_alike(rows: int) -> None:
    with (
        serving(numbered(rows, headers=CUT_SHORT)) as server,
        client(server.url) as asked,
        asked.stream(QUERY) as incoming,
        pytest.raises(IncompleteRows) as caught,
    ):
        list(incoming)
    assert (caught.value.status, caught.value.table.rows) == (Status.PARTIAL, [])
    assert caught.value.table.variables == ("x",)


def test_case_25_a_later_virtuoso_says_so_by_the_status_206() -> None:
    with (
        serving(numbered(3)._replace(status=206)) as server,
        client(server.url) as asked,
        pytest.raises(IncompleteRows) as caught,
    ):
        asked.select(QUERY)
    assert caught.value.status is Status.PARTIAL


def test_case_25_a_partial_truth_value_is_none() -> None:
    body = b'{"head":{"link":[],"vars":["__ASK_RETVAL"]},"results":{"bindings":[]}}'
    with serving(answer(body, headers=CUT_SHORT)) as server, client(server.url) as asked, pytest.raises(IncompleteRows):
        asked.ask("ASK { ?s ?p ?o }")


def test_case_25_exactly_the_cap_may_be_cut() -> None:
    """By what the server says (Virtuoso), by the endpoint's description, by neither."""
    with (
        serving(numbered(3, headers={"X-SPARQL-MaxRows": "3"})) as server,
        client(server.url) as asked,
        pytest.raises(IncompleteRows) as caught,
    ):
        asked.select(QUERY)
    assert (caught.value.status, len(caught.value.table.rows)) == (Status.TRUNCATED, 3)
    with (
        serving(numbered(3)) as server,
        Client(Endpoint(server.url, row_cap=3)) as asked,
        pytest.raises(IncompleteRows) as caught,
    ):
        asked.select(QUERY)
    assert caught.value.status is Status.TRUNCATED
    for cap in (2, 4):
        with serving(numbered(3)) as server, Client(Endpoint(server.url, row_cap=cap)) as asked:
            assert len(asked.select(QUERY).rows) == 3


# --- case 26: a timeout is no empty answer ------------------------------------------------------------------------


def test_case_26_a_timeout_is_another_outcome_than_nothing() -> None:
    with serving(numbered(0, wait=5.0)) as server, client(server.url) as asked:
        slow = outcome_of(lambda: answers(asked, timeout=0.1))
    with serving(numbered(0)) as server, client(server.url) as asked:
        nothing = outcome_of(lambda: answers(asked))
    assert (slow.status, slow.answers, slow.complete) == (Status.TIMEOUT, None, False)
    assert (nothing.status, nothing.complete) == (Status.EMPTY, True)


@pytest.mark.parametrize(
    "reply",
    [
        # Oxigraph's server: in the middle of a body that began with success
        answer(b'{"head":{"vars":["x"]},"results":{"bindings":[The SPARQL operation has been cancelled', chunked=True),
        answer(
            b'{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"uri","value":"http://e/1"}},'
            b"The SPARQL operation has been cancelled\n",
            chunked=True,
        ),
        # Virtuoso's ini limit
        Reply(500, b"Virtuoso S1T00 Error SR171: Transaction timed out\n\nSPARQL query:\nSELECT"),
        # Fuseki
        Reply(503, b"Query timed out", {"Content-Type": "text/plain"}),
        # Blazegraph: a stack trace, with or without a beginning of rows
        Reply(500, b"SPARQL-QUERY: queryStr=SELECT\njava.util.concurrent.TimeoutException\n\tat java.util.concurrent"),
        answer(
            b'{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"uri","value":"http://e/1"}}'
            b"SPARQL-QUERY: queryStr=SELECT ?x\njava.util.concurrent.ExecutionException: "
            b"java.util.concurrent.TimeoutException: Query deadline is expired.\n\tat com.bigdata",
        ),
        # QLever, with the status of too many requests
        Reply(429, b'{"exception":"Operation timed out. Stage was: Join","query":"SELECT","status":"ERROR"}'),
        Reply(504, b"upstream request timeout"),
        Reply(408, b""),
    ],
)
def test_case_26_what_each_engine_says_of_its_time_limit(reply: Reply) -> None:
    with serving(reply) as server, client(server.url, tries=1) as asked, pytest.raises(EngineTimeout):
        asked.select(QUERY)
    assert len(server.requests) == 1


def test_case_26_virtuosos_planner_refuses_beforehand() -> None:
    body = b"Virtuoso 42000 Error The estimated execution time 918 (sec) exceeds the limit of 60 (sec)."
    with (
        serving(Reply(500, body)) as server,
        client(server.url) as asked,
        pytest.raises(EngineRefused, match="estimated execution time 918"),
    ):
        asked.select(QUERY)


# --- case 28: long queries, pages in the place of answers ---------------------------------------------------------


def test_case_28_two_thousand_iris_are_posted() -> None:
    query = f"SELECT ?x {{ VALUES ?x {{ {' '.join(f'<http://e/entity/{number}>' for number in range(2_000))} }} }}"
    with serving(numbered(1)) as server, client(server.url) as asked:
        asked.select(query)
    (got,) = server.requests
    assert (got.method, got.target, got.query) == ("POST", "/sparql", query)


def test_case_28_short_ones_too_and_the_graph_goes_along() -> None:
    with serving(numbered(1)) as server, Client(Endpoint(server.url, graphs=("urn:a", "urn:b"))) as asked:
        asked.select(QUERY)
    assert server.requests[0].method == "POST"
    assert server.requests[0].parameters["default-graph-uri"] == ["urn:a", "urn:b"]


def test_case_28_a_page_with_success_is_an_error_with_its_title() -> None:
    hostile = page(200, "Sign \x1b[2Jin &amp; go", "Welcome <b>back</b>" + " again" * 500)
    with (
        serving(hostile) as server,
        client(server.url) as asked,
        pytest.raises(EngineError, match=r"a page: 'Sign \\x1b\[2Jin & go': Welcome back again") as caught,
    ):
        asked.select(QUERY)
    assert len(str(caught.value)) < 600


def test_case_28_a_page_with_an_error_likewise() -> None:
    with (
        serving(page(414, "414 Request-URI Too Large", "nginx")) as server,
        client(server.url) as asked,
        pytest.raises(EngineRefused, match=r"too long .*414 Request-URI Too Large"),
    ):
        asked.select(QUERY)


# --- case 29: an endpoint that misreads what is posted ------------------------------------------------------------


def taking(kind: str) -> Reply:
    """Plays an endpoint that takes queries in one way alone, and echoes what it cannot read."""

    def play(got: Got) -> Reply:
        if kind == "GET":
            return numbered(2) if got.method == "GET" else Reply(405, b"POST is not allowed here")
        if got.headers.get("content-type") == kind:
            return numbered(2)
        return Reply(400, b"parse error: expected SELECT, got '" + got.body[:20] + b"'")

    return play  # type: ignore[return-value]


@pytest.mark.parametrize(("kind", "tries"), [("application/sparql-query", 2), ("GET", 3)])
def test_case_29_another_way_is_tried_once_and_remembered(kind: str, tries: int) -> None:
    with serving(taking(kind)) as server, client(server.url) as asked:
        assert len(asked.select(QUERY).rows) == 2
        assert len(server.requests) == tries
        asked.select(QUERY)
        assert len(server.requests) == tries + 1
    assert server.requests[-1].query == QUERY


def test_case_29_a_long_query_has_no_way_where_only_addresses_are_read() -> None:
    query = f"SELECT ?x {{ VALUES ?x {{ {' '.join(f'<http://e/entity/{number}>' for number in range(2_000))} }} }}"
    with serving(taking("GET")) as server, client(server.url) as asked:
        asked.select(QUERY)
        with pytest.raises(EngineRefused, match="in the address alone"):
            asked.select(query)


def test_case_29_a_syntax_error_is_no_misreading() -> None:
    body = b"Virtuoso 37000 Error SP030: SPARQL compiler, line 1: syntax error at '}'\n\nSPARQL query:\nno query= here"
    with (
        serving(Reply(400, body)) as server,
        client(server.url) as asked,
        pytest.raises(EngineRefused, match=r"line 1: syntax error at '}'$"),
    ):
        asked.select(QUERY)
    assert len(server.requests) == 1


def test_case_29_a_query_that_holds_the_word_is_not_taken_for_an_echo() -> None:
    with (
        serving(Reply(400, b"bad IRI <http://e/?query=a>")) as server,
        client(server.url) as asked,
        pytest.raises(EngineRefused),
    ):
        asked.select("SELECT ?x { ?x ?p <http://e/?query=a> }")
    assert len(server.requests) == 1


# --- case 30: raw control characters ------------------------------------------------------------------------------


def test_case_30_a_raw_control_character_is_kept() -> None:
    body = b'{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"literal","value":"a\x01b\tc\nd"}}]}}'
    with serving(answer(body)) as server, client(server.url) as asked:
        assert asked.select(QUERY).rows == [(Literal("a\x01b\tc\nd"),)]


# --- case 32: the rules of public endpoints -----------------------------------------------------------------------


def test_case_32_the_user_agent_names_a_contact(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(got: Got) -> Reply:
        agent = got.headers.get("user-agent", "")
        return numbered(1) if re.fullmatch(r"pylf/\S+ \(\+\S+; .+\)", agent) else Reply(403, b"name yourself")

    endpoint = Endpoint("", contact="https://e.org/bot")
    with serving(play) as server:
        with Client(Endpoint(server.url, contact=endpoint.contact)) as asked:
            assert len(asked.select(QUERY).rows) == 1
        monkeypatch.setenv("PYLF_CONTACT", "mailto:me@e.org")
        with client(server.url) as asked:
            assert len(asked.select(QUERY).rows) == 1
    assert [got.headers["user-agent"].split("+")[1].split(";")[0] for got in server.requests] == [
        "https://e.org/bot",
        "mailto:me@e.org",
    ]


def test_case_32_retry_after_is_obeyed_and_zero_is_a_least_wait() -> None:
    script = [Reply(429, b"slow down", {"Retry-After": "9"}), Reply(429, b"", {"Retry-After": "0"}), numbered(1)]
    with serving(*script) as server, client(server.url) as asked:
        clock = wound(asked)
        assert len(asked.select(QUERY).rows) == 1
    assert len(server.requests) == 3
    assert 9 <= clock.pauses[0] <= 11
    assert 0.5 <= clock.pauses[1] <= 1.5


def test_case_32_a_wait_beyond_the_budget_is_refused_at_once_and_kept() -> None:
    with serving(Reply(429, b"slow down", {"Retry-After": "3600"}), numbered(1)) as server, client(server.url) as asked:
        clock = wound(asked)
        with pytest.raises(EngineRefused, match="60 min"):
            asked.select(QUERY)
        with pytest.raises(EngineRefused, match=r"another 60 min, and none was sent"):
            asked.select(QUERY)
        assert (len(server.requests), clock.pauses) == (1, [])
        clock.pause(3_601)
        assert len(asked.select(QUERY).rows) == 1


@pytest.mark.parametrize(
    ("reply", "named"),
    [
        (page(403, "Banned", "You have been banned for 24 hours. Respect the throttling headers."), "24 h"),
        (Reply(403, b"Your address is banned", {"Retry-After": "86400"}), "24 h"),
        (Reply(403, b"", {"Retry-After": "86400"}), "24 h"),
        (Reply(403, b"You are blocked for 3 days"), "72 h"),
        (Reply(403, b"Too Many Requests: rate limited"), "24 h"),
        (Reply(429, b"You have been banned until tomorrow", {"Retry-After": "86000"}), "24 h"),
    ],
)
def test_case_32_after_a_ban_nothing_more_is_sent(reply: Reply, named: str) -> None:
    with serving(reply) as server, client(server.url) as asked:
        for _ in range(3):
            with pytest.raises(EngineRefused, match=named):
                asked.select(QUERY)
        with pytest.raises(EngineRefused, match=r"ban|too many requests"):
            asked.ask("ASK {}")
    assert len(server.requests) == 1


def test_case_32_a_plain_403_is_refused_without_a_ban() -> None:
    with serving(Reply(403, b"no anonymous access"), numbered(1)) as server, client(server.url) as asked:
        with pytest.raises(EngineRefused, match="no anonymous access"):
            asked.select(QUERY)
        assert len(asked.select(QUERY).rows) == 1


# --- case 35: old formats -----------------------------------------------------------------------------------------


def test_case_35_the_first_drafts_typed_literal_is_a_literal() -> None:
    row = {"x": term("7", "typed-literal", datatype=f"{XSD}integer")}
    with serving(results(["x"], [row])) as server, client(server.url) as asked:
        assert asked.select(QUERY).rows == [(Literal("7", f"{XSD}integer"),)]


def test_case_35_an_unknown_type_is_named() -> None:
    with (
        serving(results(["x"], [{"x": term("7", "quantity")}])) as server,
        client(server.url) as asked,
        pytest.raises(EngineError, match="type 'quantity'; the types are uri, literal and bnode"),
    ):
        asked.select(QUERY)


# --- case 37: a year with a zone ----------------------------------------------------------------------------------


def test_case_37_a_year_with_a_zone_is_that_year_for_comparison_alone() -> None:
    shifted, plain = Literal("2006+01:00", f"{XSD}gYear"), Literal("2006", f"{XSD}gYear")
    row = {"x": term(shifted.lexical, "literal", datatype=shifted.datatype)}
    with serving(results(["x"], [row])) as server, client(server.url) as asked:
        table = asked.select(QUERY)
    assert table.rows == [(shifted,)]  # as it came
    assert answers_of(Form.SET, table.rows).key() == Answers.of_values([plain]).key()
    assert compare(Op.EQ, shifted, plain)
    assert not compare(Op.LT, shifted, plain)


# --- case 38: the order of rows -----------------------------------------------------------------------------------


def test_case_38_the_same_rows_in_another_order_are_the_same_answers() -> None:
    rows = [{"x": term(f"http://e/{number}")} for number in range(20)]
    with serving(results(["x"], rows), results(["x"], rows[::-1])) as server, client(server.url) as asked:
        first, second = answers(asked), answers(asked)
    assert first == second
    assert first.values[0] == Iri("http://e/0")


# --- case 47: three limits, and what a time-out cost --------------------------------------------------------------


def test_case_47_the_read_limit_ends_a_silence() -> None:
    with (
        serving(numbered(1, wait=10.0)) as server,
        client(server.url, read=0.1, total=30) as asked,
        pytest.raises(EngineTimeout, match=r"silent for 0\.1 s \(the read limit\)"),
    ):
        asked.select(QUERY)


def test_case_47_the_total_limit_ends_an_answer_that_trickles() -> None:
    with serving(numbered(100, trickle=0.02)) as server, client(server.url, read=5, total=0.3) as asked:
        began = time.monotonic()
        with pytest.raises(EngineTimeout, match=r"no whole answer within 0\.3 s"):
            asked.select(QUERY)
        assert time.monotonic() - began < 5


def test_case_47_the_total_limit_ends_headers_that_trickle() -> None:
    slow = Reply(raw=b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 1_000, trickle=0.02)
    with (
        serving(slow) as server,
        client(server.url, read=5, total=0.3) as asked,
        pytest.raises(EngineTimeout, match=r"no whole answer within 0\.3 s"),
    ):
        asked.select(QUERY)


def test_case_47_the_connect_limit_is_its_own() -> None:
    # a listener whose backlog is full takes no further connection and refuses none
    import socket

    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        address = full.getsockname()
        held = []
        for _ in range(4):
            one = socket.socket()
            one.setblocking(False)
            one.connect_ex(address)
            held.append(one)
        try:
            with (
                client(f"http://127.0.0.1:{address[1]}/", connect=0.2, total=30) as asked,
                pytest.raises(EngineTimeout, match=r"within 0\.2 s \(the connect limit\)"),
            ):
                asked.select(QUERY)
        finally:
            for one in held:
                one.close()


def test_case_47_pauses_and_tries_count_towards_the_total() -> None:
    with serving(Reply(503, b"busy")) as server, client(server.url, total=3, tries=50) as asked:
        clock = wound(asked)
        with pytest.raises(EngineRefused, match="of 3 s too few are left"):
            asked.select(QUERY)
    assert sum(clock.pauses) < 3
    assert len(server.requests) == len(clock.pauses) + 1


def test_case_47_a_timeout_is_recorded_with_what_it_cost() -> None:
    with serving(numbered(1, wait=10.0)) as server, client(server.url) as asked:
        outcome = outcome_of(lambda: answers(asked, timeout=0.2))
    assert outcome.status is Status.TIMEOUT
    assert 0.15 < outcome.seconds < 5
