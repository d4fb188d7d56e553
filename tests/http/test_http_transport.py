"""What is sent and how: connections, compression, redirects, resets, sizes, many threads."""

from __future__ import annotations

import gzip
import shutil
import socket
import ssl
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from pylf.backends.http import pool
from pylf.backends.http.client import Client
from pylf.backends.http.endpoint import Endpoint, Limits
from pylf.errors import EngineError, EngineRefused, EngineTimeout, InputError
from pylf.ir.terms import Iri
from pylf.records import replace
from tests.http.faults import RESULTS, Clock, Got, Reply, answer, numbered, results, serving, term, truth

if TYPE_CHECKING:
    from pathlib import Path

QUERY = "SELECT ?x { ?x ?p ?o }"


def client(url: str, **limits: float) -> Client:
    return Client(Endpoint(url, limits=Limits(**limits)))  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def test_one_connection_serves_one_query_after_another() -> None:
    with serving(numbered(3), numbered(3, chunked=True), truth(True)) as server, client(server.url) as asked:
        for _ in range(2):
            assert len(asked.select(QUERY).rows) == 3
        assert asked.ask("ASK {}")
        assert server.connections == 1
    assert [got.headers["accept-encoding"] for got in server.requests] == ["gzip"] * 3


def test_a_connection_that_the_server_closed_is_not_used_again() -> None:
    with serving(numbered(3, cut=1_000_000), numbered(1)) as server, client(server.url, tries=1) as asked:
        for rows in (3, 1):
            assert len(asked.select(QUERY).rows) == rows
        assert server.connections == 2


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("cut", [0, 1, 40, 200])
def test_a_body_that_breaks_off_is_an_error_and_no_shorter_answer(cut: int, chunked: bool) -> None:
    with (
        serving(numbered(100, cut=cut, chunked=chunked)) as server,
        client(server.url) as asked,
        pytest.raises(EngineError, match=r"cut off|nothing") as caught,
    ):
        asked.select(QUERY)
    assert caught.value.status == "engine error"
    assert len(server.requests) == 1


def test_a_reset_before_any_byte_is_tried_again() -> None:
    with serving(Reply(reset=True), Reply(raw=b""), numbered(1)) as server, client(server.url) as asked:
        clock = Clock()
        asked._gate.now, asked._gate.pause = clock.now, clock.pause
        assert len(asked.select(QUERY).rows) == 1
    assert len(server.requests) == 3
    assert len(clock.pauses) == 2


def test_tries_end() -> None:
    for reply, error in ((Reply(reset=True), "4 times"), (Reply(502, b"bad"), "502"), (Reply(503, b"busy"), "503")):
        with serving(reply) as server, client(server.url) as asked:
            clock = Clock()
            asked._gate.now, asked._gate.pause = clock.now, clock.pause
            with pytest.raises(EngineError, match=error):
                asked.select(QUERY)
            assert len(server.requests) == 4
        assert all(0.2 < pause <= 4 for pause in clock.pauses)
        assert len(clock.pauses) == 3


def test_a_closed_port_and_an_unknown_host_are_errors_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with client(f"http://127.0.0.1:{port}/") as asked, pytest.raises(EngineError, match=f"127.0.0.1:{port}: .*refused"):
        asked.select(QUERY)
    with client("http://nowhere.invalid/", connect=5) as asked, pytest.raises(EngineError, match=r"nowhere.invalid"):
        asked.select(QUERY)


@pytest.mark.parametrize("raw", [b"SSH-2.0-OpenSSH_9.2\r\n", b"HTTP/1.1 two hundred\r\n\r\n", b"\x00" * 100_000])
def test_what_is_no_http_is_an_error(raw: bytes) -> None:
    with serving(Reply(raw=raw)) as server, client(server.url) as asked, pytest.raises(EngineError, match="no HTTP"):
        asked.select(QUERY)


def test_headers_are_bounded() -> None:
    for raw in (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000, b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n"):
        with (
            serving(Reply(raw=raw)) as server,
            client(server.url) as asked,
            pytest.raises(EngineError, match="no HTTP"),
        ):
            asked.select(QUERY)


@pytest.mark.parametrize(
    ("dialect", "headers", "stated"),
    [
        ("virtuoso", {}, range(8_000, 9_501)),
        ("jena", {}, range(8_000, 9_501)),
        ("jena", {"Fuseki-Request-Id": "7"}, range(8, 10)),
        ("oxigraph", {}, None),
        (None, {}, None),
    ],
)
def test_the_server_is_told_how_long_it_may_take(dialect: str | None, headers: dict[str, str], stated: range) -> None:
    endpoint = Endpoint("", dialect, limits=Limits(total=10))
    with serving(numbered(1, headers=headers)) as server, Client(replace(endpoint, url=server.url)) as asked:
        for _ in range(2):
            asked.select(QUERY)
    found = server.requests[-1].parameters.get("timeout")
    assert found is None if stated is None else found is not None and int(found[0]) in stated


@pytest.mark.parametrize("timeout", [0, -1, float("nan")])
def test_a_time_limit_is_above_zero(timeout: float) -> None:
    with client("http://endpoint.invalid/") as asked, pytest.raises(InputError, match="above 0"):
        asked.select(QUERY, timeout)


def test_no_time_limit_is_one_that_no_clock_reaches() -> None:
    with serving(numbered(1)) as server, client(server.url, connect=1e30, read=1e30, total=float("inf")) as asked:
        assert len(asked.select(QUERY).rows) == 1


# --- sizes and compression ----------------------------------------------------------------------------------------


def zipped(body: bytes, **how: object) -> Reply:
    return answer(body, headers={"Content-Encoding": "gzip"}, **how)


@pytest.mark.parametrize("chunked", [False, True])
def test_a_compressed_body(chunked: bool) -> None:
    body = numbered(5_000).body
    for packed in (gzip.compress(body), gzip.compress(body[:1_000]) + gzip.compress(body[1_000:])):
        with serving(zipped(packed, chunked=chunked)) as server, client(server.url) as asked:
            assert len(asked.select(QUERY).rows) == 5_000


def test_a_compressed_body_that_is_damaged_or_cut_off() -> None:
    packed = gzip.compress(numbered(5_000).body)
    for broken in (packed[:-9], packed[:200], packed[:50] + b"\0\0\0\0" + packed[54:]):
        with (
            serving(zipped(broken)) as server,
            client(server.url) as asked,
            pytest.raises(EngineError, match=r"compression|cut off"),
        ):
            asked.select(QUERY)


def test_what_is_read_is_bounded_after_decompression() -> None:
    bomb = gzip.compress(b'{"head":{"vars":["x"]},"results":{"bindings":[' + b" " * 10_000_000)
    with (
        serving(zipped(bomb)) as server,
        Client(Endpoint(server.url), most_bytes=1_000_000) as asked,
        pytest.raises(EngineError, match="larger than 1,000,000 bytes"),
    ):
        asked.select(QUERY)


def test_an_unknown_compression_is_named() -> None:
    with (
        serving(answer(b"x", headers={"Content-Encoding": "br"})) as server,
        client(server.url) as asked,
        pytest.raises(EngineError, match="compresses by br"),
    ):
        asked.select(QUERY)


def test_wrong_types_are_named() -> None:
    for kind, body in (("application/sparql-results+xml", b"<?xml version='1.0'?><sparql/>"), ("text/csv", b"x\n1\n")):
        with (
            serving(Reply(200, body, {"Content-Type": kind})) as server,
            client(server.url) as asked,
            pytest.raises(EngineError, match=f"answers with {kind.replace('+', '.')} where results in JSON"),
        ):
            asked.select(QUERY)
    with serving(Reply(200, numbered(2).body, {"Content-Type": "text/plain"})) as server, client(server.url) as asked:
        assert len(asked.select(QUERY).rows) == 2
    with (
        serving(truth(True)) as server,
        client(server.url) as asked,
        pytest.raises(EngineError, match="a truth value where rows"),
    ):
        asked.select(QUERY)
    with serving(numbered(2)) as server, client(server.url) as asked, pytest.raises(EngineError, match="rows where a"):
        asked.ask("ASK {}")


def test_what_the_endpoint_complains_of_is_short_and_printable() -> None:
    body = b"line 3, column 7: \x1b[2Junexpected token\n" + b"x" * 100_000
    with (
        serving(Reply(400, body)) as server,
        client(server.url) as asked,
        pytest.raises(EngineRefused, match=r"line 3, column 7: \\x1b\[2Junexpected") as caught,
    ):
        asked.select(QUERY)
    assert len(str(caught.value)) < 500


# --- triples ------------------------------------------------------------------------------------------------------


def test_triples_in_either_syntax() -> None:
    turtle = b"@prefix : <http://e/> . :a :p :b, 'x'@EN . :a :p :b ."
    triples = b'<http://e/a> <http://e/p> <http://e/b> .\n<http://e/a> <http://e/p> "x"@EN .\n'
    found = []
    for kind, body in (("text/turtle;charset=utf-8", turtle), ("application/n-triples", triples)):
        with serving(Reply(200, body, {"Content-Type": kind})) as server, client(server.url) as asked:
            found.append(asked.construct("CONSTRUCT WHERE { ?s ?p ?o }"))
    assert found[0] == found[1]
    assert found[0][0] == (Iri("http://e/a"), Iri("http://e/p"), Iri("http://e/b"))
    assert len(found[0]) == 2


def test_triples_that_are_none() -> None:
    for reply, error, words in (
        (
            Reply(200, b"<http://e/a> <http://e/p> <http", {"Content-Type": "text/turtle"}),
            EngineError,
            "cannot be read",
        ),
        (Reply(200, b"[]", {"Content-Type": "application/ld+json"}), EngineError, "or Turtle were asked for"),
        (
            Reply(
                200, b"<a:a> <a:p> <a:b> .\nThe SPARQL operation has been cancelled", {"Content-Type": "text/turtle"}
            ),
            EngineTimeout,
            "time limit",
        ),
    ):
        with serving(reply) as server, client(server.url) as asked, pytest.raises(error, match=words):
            asked.construct("CONSTRUCT WHERE { ?s ?p ?o }")


# --- redirects ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_followed_with_the_query(status: int) -> None:
    with (
        serving(Reply(status, b"", {"Location": "/elsewhere?key=a"}), numbered(1)) as server,
        client(server.url) as asked,
    ):
        assert len(asked.select(QUERY).rows) == 1
    second = server.requests[1]
    assert (second.method, second.target, second.query) == ("POST", "/elsewhere?key=a", QUERY)


def test_redirects_end_and_lead_to_endpoints_alone() -> None:
    for location, words in (("/sparql", "more than 5 times"), ("file:///etc/passwd", "no address"), ("ftp://e/", "no")):
        with (
            serving(Reply(302, b"", {"Location": location})) as server,
            client(server.url) as asked,
            pytest.raises(EngineError, match=words),
        ):
            asked.select(QUERY)
        assert len(server.requests) <= 6


def test_credentials_are_not_taken_to_another_host(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(numbered(1)) as other:
        target = f"http://localhost:{other.port}/sparql"
        with serving(Reply(307, b"", {"Location": target})) as server:
            monkeypatch.setenv("PYLF_ENDPOINT_HOST", f"127.0.0.1:{server.port}")
            monkeypatch.setenv("PYLF_ENDPOINT_TOKEN", "s3cret")
            with client(server.url) as asked:
                assert len(asked.select(QUERY).rows) == 1
    assert server.requests[0].headers["authorization"] == "Bearer s3cret"
    assert "authorization" not in other.requests[0].headers
    assert other.requests[0].query == QUERY


# --- many at once -------------------------------------------------------------------------------------------------


def test_a_hundred_threads_share_a_few_connections() -> None:
    def play(got: Got) -> Reply:
        number = got.query.rpartition("/")[2].partition(">")[0]
        return results(["x"], [{"x": term(f"http://e/{number}")}], wait=0.005)

    with serving(play) as server, Client(Endpoint(server.url), connections=4) as asked, ThreadPoolExecutor(100) as many:

        def one(number: int) -> bool:
            return asked.select(f"SELECT ?x {{ ?x ?p <http://e/{number}> }}").rows == [(Iri(f"http://e/{number}"),)]

        assert all(many.map(one, range(200)))
        assert server.most_open <= 4
        assert len(asked._pool._idle) <= 4


def test_waiting_for_a_connection_keeps_to_the_limit() -> None:
    with serving(numbered(1, wait=10.0)) as server, Client(Endpoint(server.url), connections=1) as asked:
        begun = threading.Event()

        def hold() -> None:
            begun.set()
            with pytest.raises(EngineTimeout):
                asked.select(QUERY, 0.6)

        holder = threading.Thread(target=hold)
        holder.start()
        begun.wait()
        while not server.requests:
            time.sleep(0.001)
        with pytest.raises(EngineTimeout, match=r"within 0\.1 s"):
            asked.select(QUERY, 0.1)
        holder.join()
        assert len(server.requests) == 1


def test_rows_left_unread_free_the_connection() -> None:
    with serving(numbered(50_000)) as server, Client(Endpoint(server.url), connections=1) as asked:
        for _ in range(3):
            with asked.stream(QUERY, 5) as incoming:
                assert next(iter(incoming)) == (Iri("http://e/0"),)
        with asked.stream(QUERY, 5) as incoming:
            assert sum(1 for _ in incoming) == 50_000


# --- proxies and https --------------------------------------------------------------------------------------------


def test_a_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(numbered(1)) as proxy:
        monkeypatch.setenv("http_proxy", f"http://me:pw@127.0.0.1:{proxy.port}")
        with client("http://endpoint.invalid/sparql") as asked:
            assert len(asked.select(QUERY).rows) == 1
        assert proxy.requests[0].target == "http://endpoint.invalid/sparql"
        assert proxy.requests[0].headers["host"] == "endpoint.invalid"
        assert proxy.requests[0].headers["proxy-authorization"].startswith("Basic ")
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        with serving(numbered(1)) as server, client(server.url) as asked:
            asked.select(QUERY)
        assert server.requests[0].target == "/sparql"
        assert len(proxy.requests) == 1


def test_https_goes_through_a_tunnel(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Reply(403, b"")) as proxy:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{proxy.port}")
        with client("https://endpoint.invalid/sparql", tries=1) as asked, pytest.raises(EngineError, match="403"):
            asked.select(QUERY)
    assert (proxy.requests[0].method, proxy.requests[0].target) == ("CONNECT", "endpoint.invalid:443")


def test_a_proxy_of_another_kind_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "socks5://me:pw@127.0.0.1:1080")
    with client("http://endpoint.invalid/") as asked, pytest.raises(InputError, match="http_proxy") as caught:
        asked.select(QUERY)
    assert "pw" not in str(caught.value)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for localhost that nobody vouches for, its key in the same file."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a certificate with")
    file = tmp_path_factory.mktemp("https") / "both.pem"
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", "-", "-out", "-"],
        capture_output=True, check=True, timeout=60,
    )  # fmt: skip
    file.write_bytes(made.stdout)
    return file


def test_certificates_are_checked(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    body = numbered(2).body
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    raw, _ = listener.accept()
                    with context.wrap_socket(raw, server_side=True) as one:
                        got = b""
                        while b"query=" not in got:
                            got += one.recv(1 << 16)
                        head = f"HTTP/1.1 200 OK\r\nContent-Type: {RESULTS}\r\nContent-Length: {len(body)}\r\n\r\n"
                        one.sendall(head.encode() + body)
                except ssl.SSLError:
                    continue
                except OSError:
                    return

        threading.Thread(target=serve, daemon=True).start()
        url = f"https://localhost:{listener.getsockname()[1]}/sparql"
        with (
            client(url, tries=1) as asked,
            pytest.raises(EngineError, match="certificate of localhost is not accepted"),
        ):
            asked.select(QUERY)
        monkeypatch.setattr(pool, "_contexts", [ssl.create_default_context(cafile=certificate)])
        with client(url, tries=1) as asked:
            assert len(asked.select(QUERY).rows) == 2


def test_https_to_a_server_without_it() -> None:
    plain = b"SSH-2.0-OpenSSH_9.2\r\n"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"https://127.0.0.1:{listener.getsockname()[1]}/"

        def serve() -> None:
            with listener.accept()[0] as one:
                one.sendall(plain)
                one.recv(1 << 16)  # and takes no further connection: the next one stays in the queue, unanswered

        threading.Thread(target=serve, daemon=True).start()
        with client(url, tries=1) as asked, pytest.raises(EngineError, match=r"no secure connection to 127.0.0.1: "):
            asked.select(QUERY)
        silent = r"no secure connection to 127.0.0.1 within 0.2 s \(the connect limit\)"
        with client(url, connect=0.2) as asked, pytest.raises(EngineTimeout, match=silent):
            asked.select(QUERY)


def test_from_https_nothing_is_redirected_to_http(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        client("https://endpoint.invalid/") as asked,
        serving(Reply(301, b"", {"Location": "http://endpoint.invalid/"})) as server,
        client(server.url) as plain,
    ):
        send = plain._pool.send
        monkeypatch.setattr(asked._pool, "send", lambda m, u, *rest: send(m, server.url, *rest))
        with pytest.raises(EngineRefused, match="from https to http"):
            asked.select(QUERY)
