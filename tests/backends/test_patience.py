"""One limit over all that is asked, whatever hangs: what an endpoint is, its schema, look-ups, the query."""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

import pylf
from pylf.backends.engines.http import HttpEngine
from pylf.backends.http.client import Client
from pylf.backends.http.endpoint import Endpoint, Limits
from pylf.backends.outcome import Status
from pylf.backends.patience import held, lasting, left, until, within
from pylf.datasets import bundled
from pylf.errors import EngineError, EngineRefused, EngineTimeout, InputError
from pylf.graphs import bundled_schema, open_kg
from pylf.testing import servers
from tests.http.faults import Reply, page, serving, truth
from tests.presence import must_have

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: longer than any of these tests takes; only one that fails waits so long
LONG = 30.0
PROGRAM = "e = STOP(JOIN('spaceflight.rocket.manufacturer', START('Boeing Company')))"
SHORT = 0.3


@pytest.fixture(scope="module")
def stopped() -> Iterator[servers.Server]:
    """A server that takes connections and says nothing: its process is stopped."""
    with servers.start(must_have("oxigraph")) as server:
        server.load(bundled.path("rockets.ttl"), "urn:rockets")
        os.kill(server.pid, signal.SIGSTOP)
        try:
            yield server
        finally:
            os.kill(server.pid, signal.SIGCONT)


def test_the_earlier_limit_wins() -> None:
    assert left() == math.inf
    with within(50), within(100):
        assert 40 < left() <= 50
        assert until(100).seconds == 50
        assert until(20).seconds == 20
        with within(None), within(math.inf):
            assert left() <= 50
        with within(5):
            assert left() <= 5
        assert left() > 40
    assert until(None).seconds == math.inf
    for wrong in (0, -1, math.nan):
        with pytest.raises(InputError, match="above 0"):
            until(wrong)


def test_a_limit_that_is_past_is_told_as_it_was_set() -> None:
    with within(0.01):
        time.sleep(0.02)
        with pytest.raises(EngineTimeout, match=r"within 0\.01 s$"):
            left()
        with pytest.raises(EngineTimeout, match=r"within 0\.01 s$"), within(9):
            left()


def test_a_lock_is_waited_for_no_longer() -> None:
    lock = threading.Lock()
    with held(lock), within(0.01), pytest.raises(EngineTimeout), held(lock):
        pass
    with within(LONG), held(lock):
        assert lock.locked()
    assert not lock.locked()


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.00099, "0.001 s"),
        (0.2, "0.2 s"),
        (3.9997, "4 s"),
        (2.5, "2.5 s"),
        (59.999, "60 s"),
        (180, "180 s"),
        (3600, "60 min"),
        (86_400, "24 h"),
    ],
)
def test_times_are_told_round(seconds: float, told: str) -> None:
    assert lasting(seconds) == told


def suppressed(ask: Callable[[], object]) -> None:
    """Asks, on a thread of its own; the limit is what ends it."""
    with suppress(EngineTimeout):
        ask()


# --- what hangs -----------------------------------------------------------------------------------------------------


def test_whatever_a_client_does_ends_in_time() -> None:
    asks: list[Callable[[Client], object]] = [
        lambda client: client.identify(),
        lambda client: client.select("SELECT * { ?s ?p ?o }", LONG),
        lambda client: client.ask("ASK { }"),
        lambda client: client.construct("CONSTRUCT WHERE { ?s ?p ?o }", 60),
    ]
    with serving(Reply(wait=LONG)) as server, Client(Endpoint(server.url)) as client:
        for ask in asks:
            with within(0.1), pytest.raises(EngineTimeout, match=r"no whole answer within 0\.1 s$"):
                ask(client)


def test_pauses_and_full_pools_end_in_time() -> None:
    with (
        serving(Reply(503, b"", {"Retry-After": "600"})) as server,
        Client(Endpoint(server.url)) as client,
        within(2),
        pytest.raises(EngineRefused, match="asks to wait 10 min, and 2 s are all there is"),
    ):
        client.ask("ASK { }")
    with serving(Reply(wait=LONG)) as server, Client(Endpoint(server.url), connections=1) as client:
        first = threading.Thread(target=suppressed, args=(lambda: client.ask("ASK { }", 1.0),))
        first.start()
        while not server.requests:
            time.sleep(0.005)
        with within(0.1), pytest.raises(EngineTimeout, match=r"within 0\.1 s"):
            client.ask("ASK { }")
        first.join()


def test_who_waits_for_anothers_question_ends_in_time() -> None:
    with serving(Reply(wait=LONG)) as server:
        engine = HttpEngine(Endpoint(server.url, limits=Limits(total=1.0)))
        first = threading.Thread(target=suppressed, args=(lambda: engine.spoken,))
        first.start()
        while not server.requests:
            time.sleep(0.005)
        with within(0.1), pytest.raises(EngineTimeout, match=r"within 0\.1 s"):
            _ = engine.spoken
        first.join()


def test_a_trickle_ends_in_time() -> None:
    with (
        serving(truth(True, trickle=0.05)) as server,
        Client(Endpoint(server.url)) as client,
        within(0.2),
        pytest.raises(EngineTimeout, match=r"within 0\.2 s"),
    ):
        client.identify()


def test_a_stopped_server_is_an_outcome(stopped: servers.Server) -> None:
    schema, vocabulary = bundled_schema()
    bare = Endpoint(stopped.url, graphs=("urn:rockets",))
    described = Endpoint(stopped.url, "oxigraph", ("urn:rockets",))
    query = pylf.compile(PROGRAM, schema=schema, vocabulary=vocabulary, lenient=True)
    # opening, which asks what it is; looking a label up; the query itself
    for graph in (bare, open_kg(described, schema=schema, vocabulary=vocabulary)):
        result = query.attempt(graph, SHORT)
        assert (result.outcome.status, result.outcome.answers) == (Status.TIMEOUT, None)
        assert "gave no whole answer within 0.3 s" in result.outcome.reason
        assert result.outcome.seconds < LONG
        assert result.graph.name == stopped.url
        assert (result.not_held, result.no_triples) == ((), None)
        with pytest.raises(EngineTimeout):
            query.run(graph, SHORT)
    ir = pylf.compile(query.to("ir"), source="ir", schema=schema, vocabulary=vocabulary)
    result = ir.attempt(open_kg(described, schema=schema, vocabulary=vocabulary), SHORT)
    assert result.outcome.status is Status.TIMEOUT
    with within(SHORT), pytest.raises(EngineTimeout):
        open_kg(bare)
    with within(SHORT), pytest.raises(EngineTimeout):
        pylf.compile(PROGRAM, kg=open_kg(described, schema=schema, vocabulary=vocabulary))


@pytest.mark.parametrize(
    ("reply", "status", "words"),
    [
        (Reply(401, b"who?", {"WWW-Authenticate": "Basic"}), Status.REFUSED, "asks for credentials"),
        (page(200, "Welcome", "A site about rockets"), Status.ERROR, "/sparql or /query"),
        (Reply(500, b"out of order"), Status.ERROR, "failed with 500"),
        (Reply(reset=True), Status.ERROR, "4 times"),
    ],
)
def test_an_endpoint_that_cannot_be_opened_is_an_outcome(reply: Reply, status: Status, words: str) -> None:
    query = pylf.compile("e = STOP(START('rocket'))")
    with serving(reply) as server:
        result = query.attempt(server.url, 20)
        assert (result.outcome.status, result.outcome.answers) == (status, None)
        assert words in result.outcome.reason
        assert result.query is query
        assert repr(result) == f"<Result: {status}: <program> on {server.url}>"
        with pytest.raises(EngineError, match=words):
            _ = result.answers
    with pytest.raises(EngineError, match="no connection"):
        query.run(server.url)
    assert query.attempt(server.url).outcome.status is Status.ERROR
