"""Endpoints that hang, refuse, or hold nothing, asked from the command line."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from pylf.datasets import bundled
from tests.http.faults import Reply, page, serving, truth

if TYPE_CHECKING:
    from pathlib import Path

    from pylf.testing.servers import Server
    from tests.cli.conftest import Command

#: longer than any of these commands takes; only a test that fails waits so long
LONG = 30.0
PROGRAM = "e = STOP(COUNT(START('rocket')))"
HANGS = Reply(wait=LONG)


@pytest.fixture
def described(root: Path) -> tuple[str, ...]:
    """What tells how to read the graph of rockets."""
    folder = root / "pylf" / "datasets" / "bundled"
    return ("--schema", str(folder / "rockets-schema.ttl"), "--vocab", str(folder / "rockets.toml"))


# --- time limits ----------------------------------------------------------------------------------------------------


def test_a_limit_is_for_all_of_a_run(pylf: Command, here: Path, described: tuple[str, ...]) -> None:
    with serving(HANGS) as server:
        (here / "e.toml").write_text(f'url = "{server.url}"\ndialect = "virtuoso"\n')
        for given in ((server.url,), (server.url, *described), ("e.toml", *described)):
            began = time.monotonic()
            status, out, err = pylf("run", "-", "--kg", *given, "--timeout", "0.4", stdin=PROGRAM)
            assert (status, out) == (4, "")
            assert err.endswith("the endpoint gave no whole answer within 0.4 s\n")
            status, out, _ = pylf("run", "-", "--kg", *given, "--timeout", "0.4", "--json", stdin=PROGRAM)
            assert status == 4
            assert json.loads(out)["status"] == "timeout"
            assert time.monotonic() - began < LONG


def test_a_limit_is_for_looking_labels_up(pylf: Command, described: tuple[str, ...]) -> None:
    program = "e = STOP(JOIN('spaceflight.rocket.manufacturer', START('Boeing Company')))"
    with serving(HANGS) as server:
        for command in ("run", "check", "compile"):
            status, out, err = pylf(command, "-", "--kg", server.url, *described, "--timeout", "0.3", stdin=program)
            assert (status, out) == (4, "")
            assert "within 0.3 s" in err


def test_other_commands_take_a_limit(pylf: Command, example: Path) -> None:
    with serving(HANGS) as server:
        for given in (
            ("check", example, "--kg", server.url),
            ("compile", example, "--kg", server.url),
            ("schema", "infer", server.url, "-o", "s.sqlite"),
            ("schema", "show", "--kg", server.url),
            ("doctor", server.url),
        ):
            status, _, err = pylf(*given, "--timeout", "0.3")
            assert status == 4
            assert "within 0.3 s" in err
    assert pylf("compile", example, "--batch", "--field", "program", "--timeout", "3").status == 2


def test_a_pause_that_is_asked_for_is_held_against_the_limit(pylf: Command) -> None:
    with serving(Reply(429, b"", {"Retry-After": "300"})) as server:
        status, _, err = pylf("run", "-", "--kg", server.url, "--timeout", "5", stdin=PROGRAM)
    assert status == 4
    assert "asks to wait 300 s, and 5 s are all there is" in err


# --- failures -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "status", "words"),
    [
        (Reply(401, b"", {"WWW-Authenticate": "Basic"}), "refused", "asks for credentials (Basic)"),
        (Reply(500, b"out of order"), "engine error", "failed with 500"),
        (page(200, "Welcome", "A site about rockets"), "engine error", "'Welcome': A site about rockets"),
        (page(404, "Gone", "Not here"), "engine error", "usually ends in /sparql or /query"),
        (None, "engine error", "no connection to 127.0.0.1"),
    ],
)
def test_a_failure_on_the_way_is_a_record_too(
    pylf: Command, here: Path, described: tuple[str, ...], reply: Reply | None, status: str, words: str
) -> None:
    with serving(reply or Reply()) as server:
        url = server.url
        (here / "e.toml").write_text(f'url = "{url}"\ndialect = "oxigraph"\n')
        if reply is None:
            server.close()
            time.sleep(0.01)
        for given in ((url,), ("e.toml", *described)):
            code, out, err = pylf("run", "-", "--kg", *given, "--json", stdin=PROGRAM)
            assert code == 4
            data = json.loads(out)
            assert data["status"] == status
            assert words in data["reason"]
            assert data["graph"]["name"] in (url, "e.toml")
            assert words in err
        code, out, err = pylf("run", "-", "--kg", url, stdin=PROGRAM)
        assert (code, out) == (4, "")
        assert words in err


def test_answers_whose_labels_do_not_come_are_answers(pylf: Command, here: Path, described: tuple[str, ...]) -> None:
    found = {"type": "uri", "value": "http://e/1"}
    rows = json.dumps({"head": {"vars": ["rocket"]}, "results": {"bindings": [{"rocket": found}]}}).encode()

    def reply(got: object) -> Reply:
        query = got.query  # type: ignore[attr-defined]
        if "label" in query:
            return Reply(500, b"out of order")
        return Reply(body=rows, headers={"Content-Type": "application/sparql-results+json"})

    with serving(reply) as server:
        (here / "e.toml").write_text(f'url = "{server.url}"\ndialect = "jena"\n')
        given = ("run", "-", "--kg", "e.toml", *described)
        status, out, err = pylf(*given, stdin="e = STOP(START('rocket'))")
        assert (status, out) == (0, "<http://e/1>\n")
        assert "labels are left out: the endpoint failed with 500" in err
        status, out, _ = pylf(*given, "--json", "--why", stdin="e = STOP(START('rocket'))")
    data = json.loads(out)
    assert data["answers"] == [{"kind": "iri", "value": "http://e/1", "label": None}]


def test_kept_answers_are_told(
    pylf: Command, here: Path, described: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYLF_CACHE", str(here / "cache"))
    ask = ("run", "-", *described, "--kg", "e.toml")
    with serving(truth(True)) as server:
        (here / "e.toml").write_text(f'url = "{server.url}"\ndialect = "jena"\nsnapshot = "2026-11"\n')
        program = "e = STOP(ASK(START('rocket')))"
        told = "kept from an earlier run (snapshot 2026-11); --no-cache asks again"
        assert told not in pylf(*ask, stdin=program).err
        status, out, err = pylf(*ask, stdin=program)
        assert (status, out) == (0, "yes\n")
        assert told in err
        assert json.loads(pylf(*ask, "--json", stdin=program).out)["cached"] is True
        again = pylf(*ask, "--json", "--no-cache", stdin=program)
        assert "cached" not in json.loads(again.out)


# --- graphs that hold nothing ---------------------------------------------------------------------------------------


@pytest.fixture
def rockets(server: Server) -> Server:
    """Each server, with the graph of rockets."""
    server.load(bundled.path("rockets.ttl"), "urn:rockets-team")
    return server


def test_a_graph_that_is_mistyped_is_called_that(pylf: Command, rockets: Server, described: tuple[str, ...]) -> None:
    wrong = ("--kg", rockets.url, "--graph", "urn:rockets-tem")
    told = f"the graph urn:rockets-tem at {rockets.url} holds no triples; graphs there: "
    # without a schema, the graph cannot be opened
    for command in (("run", "-"), ("check", "-"), ("compile", "-")):
        status, out, err = pylf(*command, *wrong, stdin=PROGRAM)
        assert (status, out) == (2, "")
        assert told in err
        assert "urn:rockets-team" in err
        assert "openlink" not in err
    status, _, err = pylf("schema", "infer", *wrong[1:], "-o", "s.sqlite")
    assert status == 2
    assert told in err
    # with one, the answer is nothing
    for program, answer in (
        ("e = STOP(COUNT(START('rocket')))", "0\n"),
        ("e = STOP(ASK(START('rocket')))", "no\n"),
        ("e = STOP(START('rocket'))", ""),
    ):
        status, out, err = pylf("run", "-", *wrong, *described, stdin=program)
        assert (status, out) == (0, answer)
        assert told in err
        assert "holds no triple of" not in err
    # or a name is not found
    program = "e = STOP(JOIN('spaceflight.rocket.manufacturer', START('Boeing Company')))"
    data = json.loads(pylf("run", "-", *wrong, *described, "--json", stdin=program).out)
    assert data["no_triples"].startswith(told)
    for name in ("check", "compile"):
        status, out, err = pylf(name, "-", *wrong, *described, stdin=program)
        assert status == 0
        assert err.count(told) == 1
    program = "e = STOP(JOIN('is_made_by', START('rocket')))"
    status, out, err = pylf("run", "-", *wrong, *described, "--json", stdin=program)
    assert status == 2
    assert told in err
    assert json.loads(out)["no_triples"].startswith(told)


def test_a_graph_that_is_forgotten_is_called_that(
    pylf: Command, oxigraph_server: Server, jena: Server, described: tuple[str, ...]
) -> None:
    for server in (oxigraph_server, jena):
        server.load(bundled.path("rockets.ttl"), "urn:rockets-team")
        told = f"the default graph at {server.url} holds no triples; graphs there: "
        status, _, err = pylf("run", "-", "--kg", server.url, stdin=PROGRAM)
        assert status == 2
        assert told in err
        status, out, err = pylf("run", "-", "--kg", server.url, *described, stdin=PROGRAM)
        assert (status, out) == (0, "0\n")
        assert told in err


def test_relations_without_triples_are_told(pylf: Command, rockets: Server, described: tuple[str, ...]) -> None:
    ask = ("run", "-", "--kg", rockets.url, "--graph", "<urn:rockets-team>", *described, "--lenient", "--json")
    gone = "<http://split.example/gone>"
    for program, expected in (
        (f"e = STOP(COUNT(JOIN('{gone}', START('rocket'))))", {"number": 0}),
        (f"e = STOP(ASK(JOIN('{gone}', START('rocket'))))", {"boolean": False}),
        (f"e = STOP(ASK(AND(START('rocket'), JOIN('{gone}', START('rocket'), neg=True))))", {"boolean": True}),
    ):
        data = json.loads(pylf(*ask, stdin=program).out)
        assert data.items() >= expected.items()
        assert data["not_held"] == ["http://split.example/gone"]
        assert "no_triples" not in data


@pytest.mark.parametrize("name", ["", "team", "<>", "urn:a b", "urn:", "<urn:team", "7:x"])
def test_a_graph_has_an_iri(pylf: Command, name: str) -> None:
    for command in (("run", "-", "--kg"), ("doctor",), ("schema", "infer")):
        more = ("-o", "s.sqlite") if command[0] == "schema" else ()
        status, out, err = pylf(*command, "http://127.0.0.1:9/sparql", "--graph", name, *more, stdin=PROGRAM)
        assert (status, out) == (2, "")
        assert f"{name!r} is no name of a graph" in err
