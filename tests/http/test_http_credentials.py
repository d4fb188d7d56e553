"""Credentials are sent to the host that they are meant for, and shown nowhere."""

from __future__ import annotations

import base64
import pickle
import traceback
from typing import TYPE_CHECKING

import pytest

from pylf.backends.http.client import Client
from pylf.backends.http.credentials import credentials_for
from pylf.backends.http.endpoint import Endpoint
from pylf.errors import EngineRefused, InputError
from tests.http.faults import Reply, numbered, serving

if TYPE_CHECKING:
    from pathlib import Path

QUERY = "SELECT ?x { ?x ?p ?o }"
NAMES = ("HOST", "USER", "PASSWORD", "TOKEN")
BASIC = "Basic " + base64.b64encode(b"me:s3cret").decode()


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in NAMES:
        monkeypatch.delenv(f"PYLF_ENDPOINT_{name}", raising=False)
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))


def header(url: str, **environment: str) -> str | None:
    named = {f"PYLF_ENDPOINT_{key}" if key in NAMES else key: value for key, value in environment.items()}
    found = credentials_for(url, {"NETRC": "/nowhere", **named})
    return None if found is None else found.header()


@pytest.mark.parametrize(
    ("url", "host", "sent"),
    [
        ("https://e.org/sparql", "e.org", True),
        ("https://E.org/sparql", "e.ORG", True),
        ("https://e.org/sparql", "e.org:443", True),
        ("http://e.org:8890/sparql", "e.org:8890", True),
        ("http://e.org:8890/sparql", "e.org:80", False),
        ("https://e.org.evil.org/sparql", "e.org", False),
        ("https://evil.org/e.org", "e.org", False),
        ("http://[::1]:8890/sparql", "::1", True),
        ("http://[::1]:8890/sparql", "[::1]:8890", True),
    ],
)
def test_the_host_is_the_one_that_is_named(url: str, host: str, sent: bool) -> None:
    assert header(url, HOST=host, USER="me", PASSWORD="s3cret") == (BASIC if sent else None)
    assert header(url, HOST=host, TOKEN="t0ken") == ("Bearer t0ken" if sent else None)


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"USER": "me", "PASSWORD": "s3cret"}, "PYLF_ENDPOINT_HOST: name the host"),
        ({"TOKEN": "s3cret"}, "PYLF_ENDPOINT_TOKEN is set, but not PYLF_ENDPOINT_HOST"),
        ({"HOST": "e.org", "USER": "me"}, "only one is set"),
        ({"HOST": "e.org", "PASSWORD": "s3cret"}, "only one is set"),
        ({"HOST": "e.org", "USER": "m:e", "PASSWORD": "s3cret"}, "holds a colon"),
        ({"HOST": "e.org", "TOKEN": "s3cret\r\nX: y"}, "a character that no token has"),
    ],
)
def test_half_of_it_is_an_error(environment: dict[str, str], words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        header("https://e.org/", **environment)
    assert "s3cret" not in str(caught.value)


def test_netrc_by_host(tmp_path: Path) -> None:
    file = tmp_path / "netrc"
    file.write_text("machine e.org login me password s3cret\ndefault login any password thing\n", encoding="utf-8")
    file.chmod(0o644)
    with pytest.raises(InputError, match=f"others than you .* chmod 600 {file}") as open_to_all:
        header("https://e.org/", NETRC=str(file))
    assert "s3cret" not in str(open_to_all.value)
    assert header("https://other.org/", NETRC=str(file)) is None
    file.chmod(0o600)
    assert header("https://e.org/", NETRC=str(file)) == BASIC
    # the environment comes first where it means this host
    assert header("https://e.org/", NETRC=str(file), HOST="e.org", TOKEN="t") == "Bearer t"
    assert header("https://e.org/", NETRC=str(file), HOST="other.org", TOKEN="t") == BASIC
    file.write_text("machine e.org login me\npasswort s3cret\n", encoding="utf-8")
    with pytest.raises(InputError, match="netrc: line 2") as caught:
        header("https://e.org/", NETRC=str(file))
    assert "s3cret" not in str(caught.value)


def test_a_password_in_the_address_is_refused_with_a_remedy() -> None:
    for url in ("http://me:s3cret@e.org/sparql", "http://s3cret@e.org/", "http://me:s3cret@e.org:x/"):
        with pytest.raises(InputError) as caught:
            Client(Endpoint(url))
        assert "s3cret" not in str(caught.value)
        assert "e.org" in str(caught.value)
    with pytest.raises(InputError, match=r"PYLF_ENDPOINT_HOST, PYLF_ENDPOINT_USER .*\.netrc"):
        Client(Endpoint("http://me:s3cret@e.org/sparql"))


def test_nothing_shows_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYLF_ENDPOINT_HOST", "127.0.0.1")
    monkeypatch.setenv("PYLF_ENDPOINT_USER", "me")
    monkeypatch.setenv("PYLF_ENDPOINT_PASSWORD", "s3cret")
    replies = [Reply(status, b"no") for status in (400, 401, 403, 404, 500)]
    with serving(*replies, numbered(1)) as server, Client(Endpoint(server.url + "?key=k3y")) as asked:
        for _ in replies:
            with pytest.raises(Exception) as caught:  # noqa: PT011
                asked.select(QUERY)
            told = "".join(traceback.format_exception(caught.value))
            assert "s3cret" not in told
            assert BASIC not in told
            assert "k3y" not in str(caught.value)
        asked.select(QUERY)
        assert {got.headers["authorization"] for got in server.requests} == {BASIC}
        assert all("s3cret" not in got.target and "key=k3y" in got.target for got in server.requests)
        assert "s3cret" not in repr(asked)
        assert "k3y" not in repr(asked)
        assert "s3cret" not in repr(asked._credentials)
        with pytest.raises(TypeError):
            pickle.dumps(asked._credentials)


def test_an_endpoint_that_asks_for_credentials_is_refused_with_a_remedy() -> None:
    asking = Reply(401, b"who?", {"WWW-Authenticate": 'Digest realm="SPARQL"'})
    with (
        serving(asking) as server,
        Client(Endpoint(server.url)) as asked,
        pytest.raises(EngineRefused, match=r"asks for credentials \(Digest\): set PYLF_ENDPOINT_HOST"),
    ):
        asked.select(QUERY)


@pytest.mark.parametrize(
    "url",
    ["", "e.org/sparql", "ftp://e.org/", "file:///etc/passwd", "http:///sparql", "http://e.org:x/", "http://e.org:0/",
     "http://e.org/a b", "http://e.org/a\nX: y", "javascript:alert(1)"],
)  # fmt: skip
def test_what_is_no_address_of_an_endpoint(url: str) -> None:
    with pytest.raises(InputError, match="address"):
        Client(Endpoint(url))


@pytest.mark.parametrize("contact", ["a\r\nX: y", "é", "a (b)", "a;b"])
def test_a_contact_that_cannot_stand_in_a_header(contact: str) -> None:
    with pytest.raises(InputError, match="contact"):
        Client(Endpoint("http://e.org/", contact=contact))


def test_an_address_beyond_ascii_is_written_as_bytes() -> None:
    with serving(numbered(1)) as server, Client(Endpoint(server.url + "/é?name=é%20b#part")) as asked:
        asked.select(QUERY)
    assert server.requests[0].target == "/sparql/%C3%A9?name=%C3%A9%20b"
