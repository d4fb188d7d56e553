"""Real servers: each starts, takes a graph, answers, and leaves nothing behind."""

from __future__ import annotations

import concurrent.futures
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest

from pylf.errors import EngineError, InputError
from pylf.ir.terms import XSD, Blank, Iri, Literal, tagged
from pylf.testing import servers
from pylf.testing.servers.process import Process, new_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pylf.ir.graph import TripleRow
    from pylf.testing.servers import Server

A, B, P = Iri("http://example.org/a"), Iri("http://example.org/b"), Iri("http://example.org/p")
JSON = "application/sparql-results+json"
SLOW = "SELECT (COUNT(*) AS ?n) { ?a ?p ?b . ?c ?q ?d . ?e ?r ?f FILTER (STRLEN(CONCAT(?b, ?d, ?f)) > 99) }"


def ask(url: str, query: str, *graphs: str, accept: str = JSON, **more: str) -> tuple[int, bytes, str]:
    """Status, body and content type."""
    form = [("query", query), *(("default-graph-uri", graph) for graph in graphs), *more.items()]
    request = urllib.request.Request(url, urllib.parse.urlencode(form).encode(), {"Accept": accept})
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:
            return reply.status, reply.read(), reply.headers["Content-Type"]
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read(), refusal.headers["Content-Type"]


def select(url: str, query: str, *graphs: str) -> list[dict[str, Any]]:
    status, body, _ = ask(url, query, *graphs)
    assert status == 200, body
    rows: list[dict[str, Any]] = json.loads(body)["results"]["bindings"]
    return rows


def objects(server: Server, *graphs: str) -> list[str]:
    return sorted(row["o"]["value"] for row in select(server.url, "SELECT ?o { ?s ?p ?o }", *graphs))


def gone(pid: int) -> bool:
    """Whether the process ends within a few seconds."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


@pytest.fixture
def installed() -> Callable[[str], str]:
    """Gives the name of a server that can be started; the test is skipped (in CI: fails) otherwise."""

    def check(name: str) -> str:
        absent = servers.missing(name)
        if absent is not None:
            (pytest.fail if os.environ.get("CI") else pytest.skip)(absent)
        return name

    return check


def test_a_file_is_loaded(server: Server, tmp_path: Path) -> None:
    file = tmp_path / "graph.ttl"
    file.write_text("@prefix : <http://example.org/> . :a :p :b, 'a word'@en, 7 .", encoding="utf-8")
    server.load(file, "urn:servers:file")
    assert objects(server, "urn:servers:file") == ["7", "a word", "http://example.org/b"]


def test_triples_are_loaded(server: Server) -> None:
    literals = [
        Literal(""),
        Literal('"quoted" \\ back\n\tline'),
        Literal("\\u0041 %20 é 漢 \N{GRINNING FACE}"),
        Literal("x" * 70_000),
        tagged("sur", "fr"),
        Literal("1.5", XSD + "decimal"),
        Literal("2001-02", XSD + "gYearMonth"),
        Literal("of its own", "urn:type"),
    ]
    server.load([(A, P, literal) for literal in literals], "urn:servers:triples")
    rows = select(server.url, "SELECT ?o { ?s ?p ?o }", "urn:servers:triples")
    got = {(row["o"]["value"], row["o"].get("xml:lang"), row["o"].get("datatype")) for row in rows}
    plain = XSD + "string"
    assert got == {
        (each.lexical, each.language, None if each.language or each.datatype == plain else each.datatype)
        for each in literals
    }


@pytest.mark.parametrize(
    "iri", ["http://example.org/a%20b", "http://example.org/é,(;)'!*$~#f", "urn:\N{GRINNING FACE}", "urn:" + "x" * 1800]
)
def test_iris_come_back_as_they_were(server: Server, iri: str) -> None:
    server.load([(Iri(iri), Iri(iri), Iri(iri))], "urn:servers:iris")
    rows = select(server.url, "SELECT ?s ?p ?o { ?s ?p ?o }", "urn:servers:iris")
    assert [{name: term["value"] for name, term in row.items()} for row in rows] == [{"s": iri, "p": iri, "o": iri}]


def test_blank_nodes_stay_apart_and_together(server: Server) -> None:
    server.load([(Blank("x"), P, Blank("y")), (Blank("y"), P, Blank("x"))], "urn:servers:blank")
    query = f"SELECT (COUNT(*) AS ?n) {{ ?s <{P.value}> ?o . ?o <{P.value}> ?s FILTER (?s != ?o) }}"
    assert select(server.url, query, "urn:servers:blank")[0]["n"]["value"] == "2"


@pytest.mark.parametrize("size", [3, 3_000])
def test_a_load_replaces_the_graph_and_no_other(server: Server, size: int) -> None:
    many = [(A, P, Iri(f"http://example.org/{number}/{'x' * 200}")) for number in range(size)]
    server.load([(A, P, B)], "urn:servers:other")
    for content in (many, many[:1], many, []):
        server.load(content, "urn:servers:replaced")
        assert len(objects(server, "urn:servers:replaced")) == len(content)
    assert objects(server, "urn:servers:other") == [B.value]


def test_the_default_graph_is_the_merge_of_the_graphs_asked_for(server: Server) -> None:
    server.load([(A, P, A), (A, P, B)], "urn:servers:first")
    server.load([(A, P, B)], "urn:servers:second")
    assert objects(server, "urn:servers:second") == [B.value]
    merged = objects(server, "urn:servers:first", "urn:servers:second")
    # Virtuoso and Oxigraph do not merge: a triple of both graphs is there twice
    assert merged == ([A.value, B.value] if server.name == "jena" else [A.value, B.value, B.value])
    assert objects(server, "urn:servers:never loaded".replace(" ", "-")) == []


def test_a_graph_may_have_any_iri(server: Server) -> None:
    name = "http://example.org/g?a=1&b='é%20;--+#x"
    server.load([(A, P, B)], name)
    assert objects(server, name) == [B.value]


def test_loads_from_several_threads(server: Server) -> None:
    def load(number: int) -> list[str]:
        for _ in range(5):
            server.load([(A, P, Literal(str(number)))], f"urn:servers:thread:{number}")
        return objects(server, f"urn:servers:thread:{number}")

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert list(pool.map(load, range(4))) == [[str(number)] for number in range(4)]


def test_what_cannot_be_loaded_is_an_error(server: Server, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        server.load(tmp_path / "nothing.ttl")
    broken = tmp_path / "broken.nt"
    broken.write_text("<urn:a> <urn:b> .\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"broken\.nt:1"):
        server.load(broken)
    with pytest.raises(ValueError, match="IRI"):
        server.load([(Iri("relative"), P, B)])


def test_virtuoso_does_not_cut_iris_in_silence(virtuoso: Server) -> None:
    longest: list[TripleRow] = [(A, P, Iri("urn:" + "é" * 938))]
    virtuoso.load(longest, "urn:servers:long")
    assert objects(virtuoso, "urn:servers:long") == ["urn:" + "é" * 938]
    with pytest.raises(EngineError, match="cuts IRIs after 1,880 bytes"):
        virtuoso.load([(A, P, Iri("urn:" + "é" * 939))], "urn:servers:long")


def test_the_endpoint_names_the_graph_and_the_dialect(server: Server) -> None:
    endpoint = server.endpoint("urn:g")
    assert (endpoint.url, endpoint.graphs, endpoint.dialect) == (server.url, ("urn:g",), server.name)
    assert server.url.startswith("http://127.0.0.1:")


def test_the_version_names_the_program(server: Server) -> None:
    assert {"virtuoso": "Virtuoso/07", "oxigraph": "Oxigraph/", "jena": "Apache Jena"}[server.name] in server.version


@pytest.mark.parametrize(
    ("name", "options"), [("virtuoso", {"row_cap": 5}), ("oxigraph", {}), ("jena", {"time_limit": 1.0})]
)
def test_a_server_leaves_nothing_behind(name: str, options: dict[str, Any], installed: Callable[[str], str]) -> None:
    with servers.start(installed(name), **options) as server:
        folder = server.folder
        assert folder.is_dir()
        server.load([(A, P, Literal(str(number))) for number in range(500)])
        status, body, _ = ask(server.url, "SELECT ?o { ?s ?p ?o }", "urn:g")
        assert status == 200
        assert len(json.loads(body)["results"]["bindings"]) == options.get("row_cap", 500)
        if "time_limit" in options:
            status, body, _ = ask(server.url, SLOW, "urn:g")
            assert (status, body) == (503, b"Query timed out\n")
    assert gone(server.pid)
    assert not folder.exists()
    assert not server.alive
    with pytest.raises(EngineError, match="does not take"):
        server.load([(A, P, B)])
    server.stop()


SCRIPT = """
import os, sys, threading
from pylf.testing import servers
made = []
thread = threading.Thread(target=lambda: made.append(servers.start("oxigraph")))
thread.start()
thread.join()
if os.fork() == 0:  # a fork that holds on to everything, and leaves in its own time
    sys.exit(0)
os.wait()
assert made[0].alive
print(made[0].pid, made[0].folder, flush=True)
{end}
"""


@pytest.mark.parametrize("end", ["pass", "sys.exit(3)", "os.kill(os.getpid(), 9)", "os._exit(1)", "os.abort()"])
def test_a_server_ends_with_the_process_that_started_it(end: str, installed: Callable[[str], str]) -> None:
    installed("oxigraph")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(end=end)], capture_output=True, text=True, check=False, timeout=60
    )
    pid, folder = done.stdout.split()
    assert gone(int(pid)), done.stderr
    until = time.monotonic() + 20
    while os.path.exists(folder) and time.monotonic() < until:  # noqa: PTH110
        time.sleep(0.02)
    assert not os.path.exists(folder)  # noqa: PTH110


def test_a_server_that_does_not_start_is_quoted() -> None:
    script = "import sys; sys.exit('no such luck \\x1b[31m')"
    process = Process("any", new_folder("any"), [sys.executable, "-c", script])
    with pytest.raises(EngineError, match=r"(?s)any server ended while starting.*no such luck \\x1b\[31m"):
        process.wait(lambda: False, 20)
    assert not process.folder.exists()


def test_a_server_that_stays_silent_is_given_up() -> None:
    script = (
        "import signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN); print('hm', flush=True); time.sleep(60)"
    )
    process = Process("any", new_folder("any"), [sys.executable, "-c", script])
    with pytest.raises(EngineError, match="does not answer after"):
        process.wait(lambda: False, 0.2)
    assert gone(process.pid)


@pytest.mark.parametrize(
    ("name", "package"), [("virtuoso", "virtuoso-opensource-7-bin"), ("oxigraph", "pip install oxigraph")]
)
def test_what_is_missing_says_which_package_brings_it(
    name: str, package: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    said = servers.missing(name)
    assert said is not None
    assert package in said
    with pytest.raises(InputError) as refused:
        servers.start(name)
    assert str(refused.value) == said


def test_without_a_compiler_there_is_no_jena(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "default-jdk-headless" in str(servers.missing("jena"))


def test_a_server_that_nobody_knows() -> None:
    with pytest.raises(InputError, match="virtuoso, oxigraph, jena"):
        servers.missing("fuseki")


def test_only_virtuoso_caps_rows(installed: Callable[[str], str]) -> None:
    with pytest.raises(InputError, match="cannot cap"):
        servers.start(installed("oxigraph"), row_cap=5)


def test_jena_gives_up_in_time(jena: Server) -> None:
    jena.load([(A, P, Literal(str(number))) for number in range(500)], "urn:servers:slow")
    status, body, _ = ask(jena.url, SLOW, "urn:servers:slow", timeout="200")
    assert (status, body) == (503, b"Query timed out\n")


def test_jena_speaks_every_form_of_the_protocol(jena: Server) -> None:
    jena.load([(A, P, B)], "urn:servers:forms")
    query = "ASK { ?s ?p ?o }"
    parameters = urllib.parse.urlencode({"default-graph-uri": "urn:servers:forms"})
    by_get = f"{jena.url}?{parameters}&{urllib.parse.urlencode({'query': query})}"
    with urllib.request.urlopen(by_get, timeout=60) as reply:
        assert json.loads(reply.read())["boolean"] is True
        assert reply.headers["Server"] == jena.version
    direct = urllib.request.Request(
        f"{jena.url}?{parameters}", query.encode(), {"Content-Type": "application/sparql-query"}
    )
    with urllib.request.urlopen(direct, timeout=60) as reply:
        assert json.loads(reply.read())["boolean"] is True
    status, body, kind = ask(jena.url, "CONSTRUCT { ?o ?p ?s } { ?s ?p ?o }", "urn:servers:forms")
    assert (status, kind) == (200, "application/n-triples")
    assert body.decode().split() == [str(B), str(P), str(A), "."]


@pytest.mark.parametrize(
    "query", ["SELECT", "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }", "DESCRIBE <urn:a>"]
)
def test_jena_refuses_what_is_no_plain_query(jena: Server, query: str) -> None:
    status, body, kind = ask(jena.url, query)
    assert status == 400
    assert body
    assert kind.startswith("text/plain")


def test_jena_streams_long_answers(jena: Server) -> None:
    jena.load([(A, P, Literal(str(number))) for number in range(200)], "urn:servers:stream")
    query = "SELECT ?x ?y { ?a ?p ?x . ?b ?q ?y }"
    assert len(select(jena.url, query, "urn:servers:stream")) == 40_000


def test_jena_has_the_reference_engine_too(jena: Server) -> None:
    jena.load([(A, P, B), (B, P, A), (A, P, A)], "urn:servers:reference")
    assert jena.reference_url is not None
    query = f"SELECT ?s {{ ?s <{P.value}> ?o FILTER NOT EXISTS {{ ?s <{P.value}> ?s }} }}"
    assert select(jena.url, query, "urn:servers:reference") == select(
        jena.reference_url, query, "urn:servers:reference"
    )
    # a filter in an OPTIONAL sees the left side: the reference engine evaluates the algebra's LeftJoin as defined
    scoped = "SELECT ?x { VALUES ?x { 1 2 } OPTIONAL { VALUES ?y { 1 } FILTER (?x = ?y) } FILTER (BOUND(?y)) }"
    assert len(select(jena.reference_url, scoped)) == 1


def test_the_command_loads_a_file_and_waits(tmp_path: Path, installed: Callable[[str], str]) -> None:
    file = tmp_path / "graph.nt"
    file.write_text("<urn:a> <urn:p> <urn:b> .\n", encoding="utf-8")
    command = [sys.executable, "-m", "pylf.testing.servers", installed("oxigraph"), str(file), "--graph", "urn:films"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        said = dict(line.split(maxsplit=1) for line in iter(running.stdout.readline, "Ctrl-C ends it\n"))
        rows = select(said["url"].strip(), "SELECT ?s { ?s ?p ?o }", "urn:films")
        running.send_signal(signal.SIGINT)
        assert running.wait(30) == 0
    assert [row["s"]["value"] for row in rows] == ["urn:a"]
    assert said["graph"].startswith("urn:films")
    assert gone(int(said["pid"]))


def test_the_command_says_what_is_wrong_with_a_file(installed: Callable[[str], str]) -> None:
    command = [sys.executable, "-m", "pylf.testing.servers", installed("oxigraph"), "nowhere.ttl"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("nowhere.ttl: cannot be read")
