"""The real servers: what each gets wrong, what is saved of it, and that questions asked by the profile come out right.

What an engine gets wrong is asserted probe by probe: an engine or a dialect that changes is seen here.
"""

from __future__ import annotations

import json
import re
import threading
import urllib.error
import urllib.parse
import urllib.request
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from pylf.backends.http.endpoint import Endpoint
from pylf.backends.http.endpoint_file import read_endpoint, write_endpoint
from pylf.backends.missing import Named
from pylf.doctor import asking, examine_endpoint, profile_of, profiles, sizes
from pylf.doctor.gold import run_gold
from pylf.doctor.probe import Use, Verdict
from pylf.doctor.report import render
from pylf.doctor.sizes import LIMITS
from pylf.errors import EngineError
from pylf.graphs import empty_schema, load_vocabulary, open_kg
from pylf.ir.build import join, member, query, triple
from pylf.ir.nodes import Form
from pylf.ir.terms import XSD_INTEGER, Iri, Literal, Var
from pylf.testing import servers
from tests.presence import must_have

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pylf.doctor import Examination
    from pylf.ir.graph import TripleRow

GRAPH = "urn:doctor"
TRIPLES: list[TripleRow] = [
    (Iri("urn:s"), Iri("urn:p"), Iri("urn:o")),
    (Iri("urn:s"), Iri("urn:n"), Literal("5", XSD_INTEGER)),
    (Iri("urn:s"), Iri("urn:l"), Literal("x")),
]
#: What servers of the same engine do not share with it embedded: their limits.
LIMITED = {"virtuoso": {"values-rows", "in-values", "union-arms"}, "oxigraph": set(), "jena": set()}

_EXAMINED: dict[str, Examination] = {}


@pytest.fixture
def examined(server: servers.Server) -> tuple[str, Examination]:
    """Each server, examined once."""
    if server.name not in _EXAMINED:
        server.load(TRIPLES, GRAPH)
        _EXAMINED[server.name] = examine_endpoint(server.endpoint(GRAPH))
    return server.name, _EXAMINED[server.name]


def test_each_server_says_what_it_is_and_answers_like_it(examined: tuple[str, Examination]) -> None:
    name, found = examined
    assert (found.dialect, found.identified, found.closest) == (name, name, name)
    assert found.version


def test_each_server_gets_wrong_what_it_is_known_to_get_wrong(examined: tuple[str, Examination]) -> None:
    name, found = examined
    wrong = {
        f.name for f in found.findings if f.verdict in (Verdict.WRONG, Verdict.REFUSED) and f.use is not Use.EMITTED
    }
    assert wrong == profiles.KNOWN[name] | LIMITED[name]
    assert {f.verdict for f in found.findings} <= {Verdict.RIGHT, Verdict.WRONG, Verdict.REFUSED}


def test_nothing_that_pylf_writes_for_a_server_is_wrong_on_it(examined: tuple[str, Examination]) -> None:
    _, found = examined
    assert {finding.name: finding.got for finding in found.alarms} == {}
    assert found.differs == ()
    assert found.fine
    assert "✗" not in render(found)


def test_what_virtuoso_cannot_hold_is_within_what_its_dialect_keeps_to(virtuoso: servers.Server) -> None:
    virtuoso.load(TRIPLES, GRAPH)
    found = _EXAMINED.get("virtuoso") or examine_endpoint(virtuoso.endpoint(GRAPH))
    limits = {finding.name: finding for finding in found.findings if finding.group == LIMITS}
    assert "pylf writes" in limits["values-rows"].got
    assert "pylf writes" in limits["union-arms"].got
    assert limits["query-length"].verdict is Verdict.RIGHT


def test_a_server_that_is_not_there_is_an_engine_error() -> None:
    with pytest.raises(EngineError):
        examine_endpoint(Endpoint("http://127.0.0.1:9/sparql"))


# --- profiles -------------------------------------------------------------------------------------------------------

MANY = 150
PEOPLE: list[TripleRow] = [(Iri(f"urn:person{n}"), Iri("urn:knows"), Iri(f"urn:friend{n % 3}")) for n in range(MANY)]


class Restricted(BaseHTTPRequestHandler):
    """A proxy that says nothing of what stands behind it, and refuses VALUES of more than 100 rows."""

    behind = ""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        form = urllib.parse.parse_qs(body.decode())
        text = form["query"][0] if "query" in form else body.decode()
        kind, answer, status = "text/plain", b"too many values", 400
        if all(len(rows.split()) <= 100 for rows in re.findall(r"VALUES \S+ \{([^}]*)\}", text)):
            forwarded = urllib.request.Request(
                self.behind + (f"?{self.path.partition('?')[2]}" if "?" in self.path else ""),
                body,
                {name: self.headers[name] for name in ("Content-Type", "Accept") if self.headers[name]},
            )
            try:
                with urllib.request.urlopen(forwarded, timeout=60) as answered:
                    kind, answer, status = answered.headers["Content-Type"], answered.read(), 200
            except urllib.error.HTTPError as refused:
                answer, status = refused.read(), refused.code
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def restricted(server: servers.Server) -> Iterator[str]:
    handler = type("Here", (Restricted,), {"behind": server.url, "server_version": "proxy", "sys_version": ""})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{proxy.server_address[1]}/query"
        proxy.shutdown()


def test_a_profile_keeps_questions_within_what_an_endpoint_takes(
    oxigraph_server: servers.Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sizes, "MEASURES", (sizes.values_rows, sizes.listed_values))
    oxigraph_server.load(PEOPLE, "urn:doctor:people")
    who, friend = Var("x"), Var("y")
    listed = member(who, [Iri(f"urn:person{n}") for n in range(MANY)])
    asked = query(Form.SET, (friend,), join(listed, triple(who, Iri("urn:knows"), friend)))
    right = [Iri("urn:friend0"), Iri("urn:friend1"), Iri("urn:friend2")]
    with restricted(oxigraph_server) as url:
        plain = Endpoint(url, graphs=("urn:doctor:people",))
        bare = open_kg(plain, vocabulary=load_vocabulary(), cache=False)
        with pytest.raises(EngineError, match="too many values"):
            bare.engine.run(asked, empty_schema(), bare.vocabulary)
        found = examine_endpoint(plain)
        assert (found.identified, found.dialect, found.closest) == (None, "oxigraph", "oxigraph")
        assert {finding.name for finding in found.alarms} >= {"values-rows"}
        assert 90 <= dict(found.differs)["values_limit"] <= 100  # type: ignore[operator]
        assert not found.fine
        path = str(tmp_path / "endpoint.toml")
        write_endpoint(profile_of(plain, found, "november"), path)
        saved = read_endpoint(path)
        assert (saved.dialect, saved.snapshot, saved.graphs) == ("oxigraph", "november", ("urn:doctor:people",))
        graph = open_kg(path, vocabulary=load_vocabulary(), cache=False)
        assert list(graph.engine.run(asked, empty_schema(), graph.vocabulary).values) == right
        again = examine_endpoint(saved)
        assert "values-rows" not in {finding.name for finding in again.alarms}
        assert again.differs == ()


def test_a_profile_asks_page_by_page_where_rows_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "MEASURES", (sizes.row_cap,))
    monkeypatch.setattr(asking, "without_data", lambda _: ())  # the engine is as in the tests above
    with servers.start(must_have("virtuoso"), row_cap=120) as server:
        server.load(PEOPLE, "urn:doctor:people")
        described = server.endpoint("urn:doctor:people")
        found = examine_endpoint(described)
        (cap,) = [finding for finding in found.findings if finding.name == "row-cap"]
        assert (cap.verdict, cap.field, cap.value) == (Verdict.WRONG, "row_cap", 120)
        profile = profile_of(described, found)
        assert (profile.row_cap, dict(profile.differs).get("row_cap")) == (120, None)
        path = str(tmp_path / "endpoint.toml")
        write_endpoint(profile, path)
        who = Var("x")
        asked = query(Form.SET, (who,), triple(who, Iri("urn:knows"), Var("y")))
        graph = open_kg(path, vocabulary=load_vocabulary(), cache=False)
        assert len(graph.engine.run(asked, empty_schema(), graph.vocabulary).values) == MANY


# --- gold sets ------------------------------------------------------------------------------------------------------


def test_a_relation_that_the_endpoint_does_not_hold_is_named(server: servers.Server, tmp_path: Path) -> None:
    server.load(PEOPLE, "urn:doctor:people")
    records: list[dict[str, Any]] = [
        {"id": "held", "program": "x = STOP(JOIN('<urn:knows>', START('<urn:friend1>')))",
         "answers": [f"urn:person{n}" for n in range(1, MANY, 3)]},
        {"id": "split", "program": "x = STOP(JOIN('<urn:wrote>', START('<urn:friend1>')))"},
        {"id": "gone", "program": "x = STOP(JOIN('<urn:knows>', START('<urn:friend9>')))"},
        {"id": "written", "sparql": "SELECT ?x { ?x <urn:wrote> ?y }"},
        {"id": "yes", "sparql": "ASK { ?x <urn:knows> <urn:friend0> }", "answer": True},
        {"id": "no", "sparql": "SELECT ?x { SERVICE <http://127.0.0.1:9/> { ?x ?p ?o } }"},
    ]  # fmt: skip
    path = tmp_path / "gold.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    graph = open_kg(server.endpoint("urn:doctor:people"), vocabulary=load_vocabulary(), cache=False)
    found = run_gold(str(path), graph)
    assert found.counts == {"answered": 2, "empty": 3, "refused": 1}
    assert found.missing == [(Named("relation", "urn:wrote"), 2), (Named("entity", "urn:friend9"), 1)]
    assert found.agreeing == (2, 2)
    assert [asked.id for asked in found.questions] == [record["id"] for record in records]
