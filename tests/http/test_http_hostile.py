"""Servers that answer badly, on purpose or not: no answer is another query's, none is shorter than it was, and none
takes the process, or its time, with it."""

from __future__ import annotations

import base64
import gzip
import os
import re
import signal
import threading
import time
from typing import TYPE_CHECKING

import pytest

from pylf.backends.http import client as client_module
from pylf.backends.http.client import Client, IncompleteRows
from pylf.backends.http.complaints import page_words
from pylf.backends.http.endpoint import Endpoint, Limits
from pylf.backends.http.request import checked_url, harmless
from pylf.backends.http.results import MOST_OF_A_ROW, Malformed
from pylf.backends.http.retry import ban, retry_after
from pylf.backends.http.turns import Turns
from pylf.backends.outcome import Status
from pylf.errors import EngineError, EngineRefused, EngineTimeout, InputError
from pylf.ir.terms import Iri, Literal
from tests.http.faults import RESULTS, Clock, Got, Reply, answer, numbered, results, serving, term, truth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.http.faults import FaultServer

QUERY = "SELECT ?x { ?x ?p ?o }"
GRAPH = "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }"
TRIPLES = b'<u:a> <u:b> "1" .\n<u:a> <u:b> "2" .\n'


def client(server: FaultServer, **limits: float) -> Client:
    return Client(Endpoint(server.url, limits=Limits(**limits)))  # type: ignore[arg-type]


def asked_in_turn(server: FaultServer, count: int) -> list[str]:
    """What each of some queries, which hold their numbers, is answered."""
    found = []
    with client(server, tries=1) as asked:
        for number in range(count):
            try:
                ((one,),) = asked.select(f'SELECT ?x {{ ?x ?p "id{number}" }}').rows
            except EngineError as problem:
                found.append(str(problem))
            else:
                assert isinstance(one, Literal)
                found.append(one.lexical)
    return found


def echoed(got: Got) -> bytes:
    """The response that holds the number of the query."""
    number = re.search(r"id\d+", got.query)
    assert number is not None
    body = results(["x"], [{"x": term(number[0], "literal")}]).body
    return b"HTTP/1.1 200 OK\r\nContent-Type: %b\r\nContent-Length: %d\r\n\r\n%b" % (RESULTS.encode(), len(body), body)


# --- whose answer it is ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["100 Continue", "102 Processing", "103 Early Hints", "199 Other"])
def test_what_is_said_before_the_answer_is_not_the_answer(status: str) -> None:
    first = f"HTTP/1.1 {status}\r\nLink: </x>\r\n\r\n".encode()
    with serving(lambda got: Reply(raw=first + echoed(got), trickle=0.0005)) as server:
        assert asked_in_turn(server, 2) == ["id0", "id1"]


def test_nothing_is_said_before_the_answer_for_ever() -> None:
    with (
        serving(Reply(raw=b"HTTP/1.1 103 Early Hints\r\n\r\n" * 1_000)) as server,
        client(server, tries=1) as asked,
        pytest.raises(EngineError, match="no HTTP"),
    ):
        asked.select(QUERY)


@pytest.mark.parametrize("status", [204, 304])
def test_a_body_that_nobody_announced_is_not_the_next_answer(status: int) -> None:
    def late(got: Got) -> Reply:
        return Reply(raw=b"HTTP/1.1 %d Status\r\n\r\n" % status + echoed(got), trickle=0.0005, keeps=True)

    def good(got: Got) -> Reply:
        return Reply(raw=echoed(got), keeps=True)

    with serving(good, late, good) as server:
        found = asked_in_turn(server, 3)
        assert (found[0], found[2]) == ("id0", "id2")
        assert str(status) in found[1] or "nothing" in found[1]
        assert server.connections == 2


# --- whether it is whole --------------------------------------------------------------------------------------------

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/n-triples\r\n"


@pytest.mark.parametrize("cut", range(1, len(HEAD) + 2, 7))
def test_an_end_within_the_headers_is_no_end_of_the_triples(cut: int) -> None:
    with (
        serving(Reply(raw=(HEAD + b"\r\n")[:cut])) as server,
        client(server, tries=1) as asked,
        pytest.raises(EngineError, match=r"headers|no HTTP"),
    ):
        asked.construct(GRAPH)


def test_triples_that_cannot_be_told_to_be_all_are_not_said_to_be() -> None:
    zipped = gzip.compress(TRIPLES)
    with serving(
        Reply(raw=HEAD + b"\r\n" + TRIPLES),
        Reply(raw=HEAD + b"Content-Encoding: gzip\r\n\r\n" + zipped),
        Reply(body=TRIPLES, headers={"Content-Type": "text/turtle"}),
        Reply(body=TRIPLES, headers={"Content-Type": "text/turtle"}, chunked=True),
    ) as server, client(server) as asked:  # fmt: skip
        with pytest.raises(IncompleteRows, match="states no length") as cut:
            asked.construct(GRAPH)
        assert cut.value.status == Status.PARTIAL
        for _ in range(3):
            assert len(asked.construct(GRAPH)) == 2


@pytest.mark.parametrize(
    ("body", "error", "words"),
    [
        ('"results":{"bindings":[]},"error":"no memory"', EngineError, "says under 'error' that it failed: no memory"),
        ('"results":{"bindings":[]},"errors":[{"a":1}]', EngineError, "under 'errors'"),
        ('"exception":"Query timed out","results":{"bindings":[]}', EngineTimeout, "time limit"),
        ('"message":"x\\u001by","results":{"bindings":[]}', EngineError, r"x\\x1by"),
        ('"results":{"bindings":[],"Error":"no"}', EngineError, "under 'Error'"),
        ('"boolean":false,"error":"broken"', EngineError, "broken"),
        ('"results":{"bindings":[],"truncated":true}', IncompleteRows, "'truncated'"),
        ('"results":{"bindings":[]},"timed-out":true', IncompleteRows, "'timed-out'"),
    ],
)
def test_a_body_that_says_that_something_went_wrong(body: str, error: type[EngineError], words: str) -> None:
    with serving(answer(f'{{"head":{{"vars":["x"]}},{body}}}'.encode())) as server, client(server) as asked:
        with pytest.raises(error, match=words):
            asked.ask("ASK {}") if "boolean" in body else asked.select(QUERY)
        if "boolean" not in body:
            with pytest.raises(error, match=words), asked.stream(QUERY) as rows:
                list(rows)


def test_further_keys_that_say_nothing_of_the_kind() -> None:
    body = (
        b'{"took":12.5e3,"error":null,"errors":[],"head":{"vars":["x"],"link":[]},"timeout":3000,"partial":false,'
        b'"results":{"distinct":false,"ordered":true,"n":0,"bindings":[]},"warnings":["x"],"message":"","meta":{"a":{}}}'
    )
    with serving(answer(body)) as server, client(server) as asked:
        assert asked.select(QUERY).rows == []


def test_a_number_and_the_beginning_may_come_in_pieces() -> None:
    body = b'\xef\xbb\xbf\n{"took":1234,"t":-1.25e3,"head":{"vars":["x"]},"results":{"bindings":[{}],"n":55},"z":-12}'
    trickled = (answer(body, trickle=0.0002), answer(body, trickle=0.0002, chunked=True))
    with serving(*trickled) as server, client(server) as asked:
        assert asked.select(QUERY).rows == [(None,)]
        with asked.stream(QUERY) as rows:
            assert list(rows) == [(None,)]


# --- terms ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bent",
    [
        term("1", "literal", lang="en", datatype="http://www.w3.org/2001/XMLSchema#integer"),
        term("1", "literal", datatype="http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"),
        term("1", "literal", datatype=""),
        term("1", "literal", datatype="integer"),
        term("1", "literal", lang="en \n> <"),
        term("1", "literal", lang="-"),
        {**term("1", "literal"), "xml:lang": []},
        {**term("1", "literal"), "xml:lang": False},
        term("foo"),
        term(""),
        term("/a:b"),
        term("http://e/\x00"),
        term("http://e/\x1b[31m"),
        term("http://e/\x85"),
        term("", "bnode"),
        term("_:", "bnode"),
        term("a\nb", "bnode"),
        term("nodeID://"),
    ],
)
@pytest.mark.parametrize("before", [0, 1, 200])
def test_a_bent_term_is_an_error_wherever_it_stands(bent: dict[str, str], before: int) -> None:
    # read one by one, at once, and by the shape of the first
    good = {**term("http://e/", "uri"), **({"value": "e:e"} if bent["type"] == "uri" else {})}
    if bent["type"] == "literal":
        good = (
            {**term("1", "literal"), "xml:lang": "en"} if "xml:lang" in bent else term("1", "literal", datatype="e:t")
        )
    elif bent["type"] == "bnode":
        good = term("b", "bnode")
    with (
        serving(results(["x"], [{"x": good}] * before + [{"x": bent}])) as server,
        client(server) as asked,
        pytest.raises(Malformed),
    ):
        asked.select(QUERY)


def test_iris_as_graphs_have_them() -> None:
    iris = ["urn:a", "HTTP://e/ü b{c}|^`", "x-a+b.c:", "tag:e,2024:x"] * 20
    with serving(results(["x"], [{"x": term(iri)} for iri in iris])) as server, client(server) as asked:
        assert asked.select(QUERY).rows == [(Iri(iri),) for iri in iris]


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ('{"vars":["x"],"vars":["y"]}', "'vars' twice"),
        ('{"vars":["x\\u001b"]}', "no name"),
        ('{"vars":[""]}', "no name"),
        ('{"vars":["\\ud800"]}', "no name"),
        (f'{{"vars":[{",".join(chr(34) + str(n) + chr(34) for n in range(1_001))}]}}', "1,001 variables"),
    ],
)
def test_a_head_that_is_none(head: str, words: str) -> None:
    with (
        serving(answer(f'{{"head":{head},"results":{{"bindings":[]}}}}'.encode())) as server,
        client(server) as asked,
        pytest.raises(Malformed, match=words),
    ):
        asked.select(QUERY)


def test_one_blank_node_is_one_however_it_is_written() -> None:
    rows = [{"x": term("b1", "bnode")}, {"x": term("_:b1", "bnode")}, {"x": term("nodeID://b1")}]
    nodes = b"<nodeID://b1> <u:p> _:b1 .\n"
    triples = Reply(body=nodes, headers={"Content-Type": "text/plain"})
    with serving(results(["x"], rows), triples) as server, client(server) as asked:
        assert len(set(asked.select(QUERY).rows)) == 1
        ((subject, _, value),) = asked.construct(GRAPH)
        assert type(subject) is type(value)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("{ <u:a> <u:b> <u:c> } => { <u:a> <u:b> <u:d> } .", "text/n3"),
        ("?x <u:b> <u:d> .", "text/rdf+n3"),
        (
            '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">'
            + "".join(f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9))
            + ']><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="e:e">'
            '<rdf:Description rdf:about="e:x"><e:p>&j;</e:p></rdf:Description></rdf:RDF>',
            "application/rdf+xml",
        ),
    ],
)
def test_triples_are_triples_and_in_no_syntax_that_grows(body: str, kind: str) -> None:
    with (
        serving(Reply(body=body.encode(), headers={"Content-Type": kind})) as server,
        client(server) as asked,
    ):
        with pytest.raises(EngineError, match=r"cannot be read|N-Triples or Turtle were asked for"):
            asked.construct(GRAPH)
        assert "xml" not in server.requests[0].headers["accept"]


# --- what is not shown ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "http://user:SECRET@h/",
        "http://user:SECRET pw@h/",
        f"http://user:{'SECRET' * 40}@h/",
        "http:/user:SECRET@h/",
        "user:SECRET@h/",
        "https//user:SECRET@h",
        "http:\\\\user:SECRET@h/",
        "http://user:SEC/SECRET@h/",
        "http://user:SEC#SECRET@h/",
        "http://user:SEC?SECRET@h/",
        "http://user:SECRET@h:99999/",
        "ftp://u:SECRET@h/",
        "http://user:SEC[SECRET@h/",
        "http://token=SECRET@",
        "http://h/?apikey=SECRET x",
        "http://user:SECRET\x7f@h/",
        "http://user:SECRET\u2100@h/",
        "http://h/p?u=http://user:SECRET@z/ x",
        "http://user:SECRET",
        "http://user:SECRET%40h/",
    ],
)
def test_no_spelling_of_a_password_is_repeated(url: str) -> None:
    with pytest.raises(InputError) as caught:
        checked_url(url)
    assert "SEC" not in str(caught.value)
    location = Reply(307, headers={"Location": url.encode("ascii", "replace").decode().replace("\x7f", "?")})
    with serving(location) as server, client(server, total=2) as asked, pytest.raises(EngineError) as caught_there:
        asked.select(QUERY)
    assert "SEC" not in str(caught_there.value)


def test_what_is_harmless_stays() -> None:
    for url in ("http://e.org/sparql", "https://e.org:8890/ab", "no address", "http://[::1]:80/"):
        assert harmless(url) == url


@pytest.mark.parametrize("kind", ["text/plain", RESULTS, "text/html"])
@pytest.mark.parametrize("status", [200, 400, 401, 403, 429, 500])
def test_a_server_that_repeats_the_credentials(status: int, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    password = "hunter2-and-more"
    monkeypatch.setenv("PYLF_ENDPOINT_USER", "bob")
    monkeypatch.setenv("PYLF_ENDPOINT_PASSWORD", password)
    token = base64.b64encode(f"bob:{password}".encode()).decode()

    def echo(got: Got) -> Reply:
        shown = f"{'a' * 100} {got.headers['authorization']} {password}"
        return Reply(status, shown.encode(), {"Content-Type": kind, "X-SQL-State": "S1TAT", "X-SQL-Message": shown})

    with serving(echo) as server:
        monkeypatch.setenv("PYLF_ENDPOINT_HOST", f"127.0.0.1:{server.port}")
        with client(server, tries=1) as asked:
            for _ in range(2):
                with pytest.raises(EngineError) as caught:
                    asked.select(QUERY)
                assert token[:8] not in str(caught.value)
                assert password not in str(caught.value)
        assert server.requests[0].headers["authorization"] == f"Basic {token}"


# --- what it takes --------------------------------------------------------------------------------------------------


def test_an_interrupted_query_gives_its_turn_back() -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with serving(numbered(3, wait=0.02)) as server, client(server, total=5) as asked:
            asked.select(QUERY)
            for number in range(120):
                try:
                    signal.setitimer(signal.ITIMER_REAL, 0.0002 + number % 40 * 0.0006)
                    asked.select(QUERY)
                    signal.setitimer(signal.ITIMER_REAL, 0)
                except KeyboardInterrupt:
                    pass
            signal.setitimer(signal.ITIMER_REAL, 0)
            assert asked._pool.turns.free == 8
            assert len(asked.select(QUERY).rows) == 3
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_turns_are_as_many_as_there_are() -> None:
    turns = Turns(2)
    first, second = turns.take(lambda: 1.0), turns.take(lambda: 1.0)
    assert turns.free == 0

    def over() -> float:
        raise EngineTimeout("over")

    with pytest.raises(EngineTimeout):
        turns.take(over)
    threading.Timer(0.05, first.give_back).start()
    third = turns.take(lambda: 5.0)
    first.give_back()
    assert turns.free == 0
    del second, third
    assert turns.free == 2


def test_a_stream_that_is_read_after_its_client_was_closed_leaves_no_connection() -> None:
    with serving(numbered(3_000)) as server, client(server) as asked:
        with asked.stream(QUERY) as rows:
            incoming = iter(rows)
            next(incoming)
            asked.close()
            assert sum(1 for _ in incoming) == 2_999
        assert asked._pool._idle == []
        assert len(asked.select(QUERY).rows) == 3_000


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_has_turns_and_connections_of_its_own() -> None:
    with serving(numbered(3_000)) as server, Client(Endpoint(server.url), connections=1) as asked:
        with asked.stream(QUERY) as rows:
            incoming = iter(rows)
            next(incoming)
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    status = 0 if len(asked.select(QUERY, timeout=5).rows) == 3_000 else 2
                finally:
                    os._exit(status)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
            assert sum(1 for _ in incoming) == 2_999
        assert len(asked.select(QUERY).rows) == 3_000


def test_who_asks_what_it_is_at_the_same_time_waits_no_longer_than_the_limit() -> None:
    ends: list[float] = []

    def identify(asked: Client) -> None:
        with pytest.raises(EngineTimeout):
            asked.identify()
        ends.append(time.monotonic())

    with serving(truth(True, wait=30)) as server, client(server, total=0.5, read=30) as asked:
        began = time.monotonic()
        threads = [threading.Thread(target=identify, args=(asked,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(ends) == 4
    assert max(ends) - began < 1.5  # one after the other, they would take 2 s


def zipped(body: bytes) -> Reply:
    return answer(gzip.compress(body, 1), {"Content-Encoding": "gzip"})


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            b'{"head":{"vars":["x"]},"results":{"bindings":[{"x":' + b'"' + b"a" * (MOST_OF_A_ROW * 3),
            "longer than 16,777",
        ),
        (b'{"head":{"vars":["x"]},"r":[' + b"[]," * 500_000, "longer than 1,048,576"),
        (b'{"head":{"vars":["x"]},"r":1' + b"1" * 3_000_000 + b"}", "no query result"),
    ],
)
def test_a_value_without_an_end_is_not_gathered(body: bytes, words: str) -> None:
    with serving(zipped(body)) as server, client(server) as asked, pytest.raises(EngineError, match=words):
        asked.select(QUERY)


def test_what_follows_a_long_value_is_read_like_anything_else() -> None:
    long = {"x": term("é" * 1_000_000, "literal")}
    rows = [long, *({"x": term(f"http://e/{n}")} for n in range(40_000)), long, {}]
    with serving(results(["x"], rows)) as server, client(server) as asked:
        found = asked.select(QUERY).rows
    assert len(found) == len(rows)
    assert found[77] == (Iri("http://e/76"),)
    assert [len(row[0].lexical) for row in (found[0], found[-2]) if isinstance(row[0], Literal)] == [1_000_000] * 2
    assert found[-1] == (None,)


def test_a_table_has_no_more_places_than_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "_MOST_PLACES", 50_000)
    body = b'{"head":{"vars":["x","y"]},"results":{"bindings":[' + b",".join([b"{}"] * 10_000) + b"]}}"
    with serving(answer(body)) as server, client(server) as asked:
        with pytest.raises(EngineError, match="more than 5,000 rows of 2 variables"):
            asked.select(QUERY)
        with asked.stream(QUERY) as rows:
            assert sum(1 for _ in rows) == 10_000


def test_a_stream_has_no_bound_on_its_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "MOST_BYTES", 10_000)
    with serving(numbered(3_000)) as server, client(server) as asked:
        with pytest.raises(EngineError, match="larger than 10,000 bytes"):
            asked.select(QUERY)
        with asked.stream(QUERY) as rows:
            assert sum(1 for _ in rows) == 3_000
    with serving(numbered(3_000)) as server, Client(Endpoint(server.url), most_bytes=10_000) as asked:
        stream = asked.stream(QUERY)
        with pytest.raises(EngineError, match="larger than 10,000 bytes"), stream as incoming:
            list(incoming)


def test_reading_counts_towards_the_time() -> None:
    """A few bytes that grow into many are worked on no longer than the query may take."""
    body = b'{"head":{"vars":["x"]},"results":{"bindings":[' + b"{}," * 3_000_000 + b"{}]}}"
    with serving(zipped(body)) as server, client(server) as asked:
        with pytest.raises(EngineTimeout):
            asked.select(QUERY, timeout=0.2)
        lists = b"<u:a> <u:b> " + b"(" * 100_000 + b")" * 100_000 + b" ."
        server.script = [Reply(body=lists, headers={"Content-Type": "text/turtle"})]
        with pytest.raises(EngineTimeout):
            asked.construct(GRAPH, timeout=0.05)


@pytest.mark.parametrize("mark", ["<script ", "<!--", "<title>", "<title ", "<", "<head>", "<style></script>"])
def test_pages_are_read_in_their_length(mark: str) -> None:
    began = time.process_time()
    assert page_words("<html>" + mark * (65_000 // len(mark)))
    assert time.process_time() - began < 2  # quadratic, it takes a minute


def test_what_a_page_shows() -> None:
    page = (
        "<html><head><title>A  title</title><style>x {</style></head><body><!-- no --><SCRIPT a='b'>no</script >"
        "<b>Words</b> &amp; more<!-- never ended"
    )
    assert page_words(page) == "'A title': Words & more<!-- never ended"


@pytest.mark.parametrize("opening", ["[", '{"a":'])
@pytest.mark.parametrize("where", ['"r":{}', '"results":{{"bindings":[{{"x":{}}}]}}', '"head":{}'])
def test_what_is_nested_too_deeply(opening: str, where: str) -> None:
    head = '"head":{"vars":["x"]},' if "head" not in where else ""
    body = "{" + head + where.replace("{{", "{").replace("}}", "}").replace("{}", opening * 100_000) + "}"
    with (
        serving(answer(body.encode())) as server,
        client(server) as asked,
        pytest.raises(Malformed, match="too deeply"),
    ):
        asked.select(QUERY)


def test_headers_of_numbers_without_end() -> None:
    for value in ("9" * 5_000, "\xb2", "-1"):
        with serving(numbered(3, headers={"X-SPARQL-MaxRows": value})) as server, client(server) as asked:
            assert len(asked.select(QUERY).rows) == 3


def test_no_endpoint_is_waited_for_longer_than_a_year() -> None:
    year = 366 * 86_400.0
    for value in ("9" * 5_000, "Fri, 31 Dec 9999 23:59:59 GMT", "Fri, 31 Dec 9999 23:59:59 -2300"):
        assert retry_after(value) == year
    assert ban("You are banned until 9999-12-31T23:59:59", None) == year
    assert ban("banned for 999999 days", None) == year


@pytest.mark.parametrize("status", [429, 503])
def test_an_endpoint_that_takes_nothing_until_the_time_is_up_refused(status: int) -> None:
    with serving(Reply(status, b"")) as server, client(server, total=3, tries=100) as asked:
        clock = Clock()
        asked._gate.now, asked._gate.pause = clock.now, clock.pause
        with pytest.raises(EngineRefused, match="too few are left") as caught:
            asked.select(QUERY)
    assert ": ," not in str(caught.value)


@pytest.mark.parametrize("status", [200, 204, 304, 400, 403, 404, 418, 429, 500, 503])
@pytest.mark.parametrize("kind", ["text/html", "text/plain", ""])
def test_a_message_about_nothing_ends_in_something(status: int, kind: str) -> None:
    nothing = Reply(status, b"", {"Content-Type": kind})
    with serving(nothing) as server, client(server, tries=1) as asked, pytest.raises(EngineError) as caught:
        asked.select(QUERY)
    assert str(caught.value)[-1] not in ": "


def test_no_memory_is_an_error_of_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: object) -> Iterator[bytes]:
        raise MemoryError

    monkeypatch.setattr("pylf.backends.http.transport.Response.chunks", full)
    with serving(numbered(1)) as server, client(server) as asked, pytest.raises(EngineError, match="memory"):
        asked.select(QUERY)
