"""What is said of an endpoint that gives no answers: what is wrong, and what to try."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.backends.http.client import Client
from pylf.backends.http.endpoint import Endpoint, Limits, graph_iri
from pylf.errors import EngineError, EngineRefused, InputError
from tests.http.faults import Reply, page, serving

if TYPE_CHECKING:
    from pylf.testing.servers import Server

USUALLY = "the address of an endpoint usually ends in /sparql or /query"


def complaint_of(url: str, connect: float = 5.0) -> str:
    with Client(Endpoint(url, limits=Limits(connect=connect, tries=1))) as client, pytest.raises(EngineError) as caught:
        client.ask("ASK { }")
    return str(caught.value)


def test_a_wrong_path_is_told_by_real_servers(server: Server) -> None:
    base = server.url.rpartition("/")[0]
    assert f"there is no endpoint at this address (404); {USUALLY}" in complaint_of(f"{base}/nothing")


def test_a_graph_store_is_no_endpoint(oxigraph_server: Server) -> None:
    told = complaint_of(f"{oxigraph_server.url.rpartition('/')[0]}/store")
    assert USUALLY in told
    assert "where results in JSON were asked for" in told


def test_a_server_without_encryption_is_asked_otherwise(server: Server) -> None:
    told = complaint_of(server.url.replace("http:", "https:"), connect=0.3)
    assert told.endswith("; a server without encryption is asked by http://")


@pytest.mark.parametrize(
    "reply",
    [
        page(404, "Not found", "Nothing here"),
        page(200, "Welcome", "A site about rockets"),
        Reply(405, b"no POST"),
        Reply(200, b"<http://e/s> <http://e/p> <http://e/o> .", {"Content-Type": "text/turtle"}),
    ],
)
def test_what_is_no_endpoint_is_told_with_the_usual_paths(reply: Reply) -> None:
    with serving(reply) as server:
        assert USUALLY in complaint_of(server.url)


def test_a_body_is_quoted_in_part() -> None:
    with serving(Reply(500, b"rockets " * 1_000)) as server:
        told = complaint_of(server.url)
    assert 100 < len(told) < 220
    assert told.endswith("…")


@pytest.mark.parametrize(
    ("environment", "who"),
    [
        ({"PYLF_ENDPOINT_USER": "me", "PYLF_ENDPOINT_PASSWORD": "s3cret"}, "user 'me'"),
        ({"PYLF_ENDPOINT_TOKEN": "s3cret"}, "the token"),
    ],
)
def test_credentials_that_are_refused_are_told_so(
    environment: dict[str, str], who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYLF_ENDPOINT_HOST", "127.0.0.1")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with (
        serving(Reply(401, b"", {"WWW-Authenticate": "Basic"}), Reply(403, b"")) as server,
        Client(Endpoint(server.url)) as client,
    ):
        for words in (f"does not accept {who} (401)", f"forbids the query of {who} (403)"):
            with pytest.raises(EngineRefused) as caught:
                client.ask("ASK { }")
            assert words in str(caught.value)
            assert "PYLF_ENDPOINT" not in str(caught.value)
            assert "s3cret" not in str(caught.value)


def test_a_graph_goes_by_its_iri() -> None:
    assert graph_iri("<urn:team>") == graph_iri("urn:team") == "urn:team"
    assert graph_iri("http://e.org/é?a=b#c") == "http://e.org/é?a=b#c"
    for wrong in ("", "<>", "team", "urn:", "urn:a b", "urn:<a>", "<urn:a", ":a", "1a:b", "é:b"):
        with pytest.raises(InputError, match="is no name of a graph"):
            graph_iri(wrong)
