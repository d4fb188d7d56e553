"""Kept answers: what is found again, what is never kept, and files that go wrong."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylf.backends.engines.http import HttpEngine
from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.execute import asked, key_of
from pylf.backends.http.endpoint import Endpoint, Limits
from pylf.backends.outcome import Status
from pylf.backends.results_cache import ResultsCache
from pylf.backends.text_cache import TextCache
from pylf.ir import build
from pylf.ir.answers import Answers
from pylf.ir.nodes import Body, Form, Triple
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Schema
from pylf.ir.schema.vocabularies import load
from pylf.ir.terms import XSD_INTEGER, Blank, Iri, Literal, Var, tagged
from pylf.ir.types import ENTITY
from tests.backends.canned_endpoint import Reply, answering, rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.backends.outcome import Outcome

E = "http://e.example/"
X = Var("x")
QUERY = build.query(Form.SET, (X,), Body((Triple(Iri(E + "a"), Iri(E + "p"), X),)), {"x": ENTITY})
NO_SCHEMA = Schema(MemorySource((), (), {}))
ANSWERS = Answers.of_values([Iri(E + "b")])


@pytest.fixture
def cache(tmp_path: Path) -> ResultsCache:
    return ResultsCache(tmp_path / "answers.sqlite")


texts = st.text(max_size=6)
nodes = st.one_of(
    st.builds(Iri, texts),
    st.builds(Literal, texts, st.sampled_from([XSD_INTEGER, "urn:datatype"])),
    st.builds(tagged, texts, st.sampled_from(["en", "de-at"])),
)
answers = st.one_of(
    st.builds(Answers.of_values, st.lists(nodes, max_size=4)),
    st.builds(Answers.of_number, st.integers()),
    st.builds(Answers.of_boolean, st.booleans()),
    st.builds(
        Answers.of_rows,
        st.lists(st.tuples(st.none() | nodes, st.none() | nodes), max_size=4),
        st.sampled_from([Form.ROWS, Form.SUBGRAPH]),
    ),
)


@given(answers)
def test_what_is_kept_comes_back_equal(found: Answers) -> None:
    memory = ResultsCache(":memory:")
    memory.put("k", found)
    assert memory.get("k") == found
    assert memory.get("l") is None
    memory.close()


def test_the_key_changes_with_each_of_its_parts() -> None:
    number = build.query(Form.NUMBER, (X,), QUERY.body, {"x": ENTITY})
    keys = {
        key_of("SELECT 1", "http://e/\ns1", QUERY),
        key_of("SELECT 2", "http://e/\ns1", QUERY),
        key_of("SELECT 1", "http://e/\ns2", QUERY),
        key_of("SELECT 1", "http://f/\ns1", QUERY),
        key_of("SELECT 1", "http://e/\ns1", number),
        key_of("SELECT 1http", "://e/\ns1", QUERY),
    }
    assert len(keys) == 6


def test_blank_nodes_are_not_kept(cache: ResultsCache) -> None:
    cache.put("k", Answers.of_values([Iri(E + "a"), Blank("b")]))
    assert cache.get("k") is None


def test_the_longest_unused_go_first(tmp_path: Path) -> None:
    cache = ResultsCache(tmp_path / "answers.sqlite", limit=10_000)
    for number in range(10):
        cache.put(str(number), Answers.of_values([Literal("x" * 900)]))
    assert cache.get("0") is not None  # used again
    for number in range(10, 15):
        cache.put(str(number), Answers.of_values([Literal("x" * 900)]))
    kept = [number for number in range(15) if cache.get(str(number)) is not None]
    assert 0 in kept
    assert kept[1:] == list(range(kept[1], 15))
    assert 5 <= len(kept) < 12
    cache.put("large", Answers.of_values([Literal("x" * 10_001)]))
    assert cache.get("large") is None
    assert cache.get("14") is not None


# --- files that go wrong --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", ["text", "tables", "middle"])
def test_a_damaged_file_is_set_aside(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "answers.sqlite"
    first = ResultsCache(path)
    for number in range(200):
        first.put(str(number), Answers.of_values([Literal("x" * 500)]))
    first.close()
    match damage:
        case "text":
            path.write_text("no database at all, but rather long " * 50)
        case "tables":
            path.unlink()
            with sqlite3.connect(path) as other:
                other.execute("CREATE TABLE came (x)")
        case "middle":
            content = bytearray(path.read_bytes())
            content[4_096:] = b"\xff" * (len(content) - 4_096)
            path.write_bytes(content)
    cache = ResultsCache(path)
    assert cache.get("k") is None
    cache.put("k", ANSWERS)
    assert cache.get("k") == ANSWERS
    assert len(cache.remarks) == 1
    assert "damaged" in cache.remarks[0]
    assert (tmp_path / "answers.sqlite.damaged").exists()


@pytest.mark.parametrize("kind", ["text", "database"])
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, kind: str) -> None:
    path = tmp_path / ("pylf.toml" if kind == "text" else "mine.sqlite")
    if kind == "text":
        path.write_text('[llm]\nmodel = "m"\n')
    else:
        with sqlite3.connect(path) as other:
            other.execute("CREATE TABLE mine (x)")
    before = path.read_bytes()
    cache = ResultsCache(path)
    cache.put("k", ANSWERS)
    assert cache.get("k") is None
    assert cache.remarks == [f"{path}: answers are not kept (the file holds something else)"]
    assert (path.read_bytes(), sorted(one.name for one in tmp_path.iterdir())) == (before, [path.name])


@pytest.mark.parametrize("statement", ["SELECT ?", "INSERT INTO answer VALUES ('x', NULL, 1, '')"])
def test_an_error_that_is_no_damage_leaves_the_file_where_it_is(
    cache: ResultsCache, tmp_path: Path, statement: str
) -> None:
    cache.put("k", ANSWERS)
    assert cache._guarded(lambda connection: connection.execute(statement)) is None
    assert cache.get("k") == ANSWERS
    assert not list(tmp_path.glob("*.damaged"))
    assert len(cache.remarks) == 1


def test_a_full_disk_is_no_damage(cache: ResultsCache, tmp_path: Path) -> None:
    cache.put("k", ANSWERS)
    assert cache._guarded(lambda connection: connection.execute("PRAGMA max_page_count = 1").fetchall())
    cache.put("much", Answers.of_values([Literal("x" * 1_000_000)]))
    assert ["full" in remark for remark in cache.remarks] == [True]
    assert not list(tmp_path.glob("*.damaged"))
    assert cache.get("k") == ANSWERS


def test_half_a_pair_of_surrogates_is_not_kept_and_stops_nothing(tmp_path: Path) -> None:
    cache = TextCache(tmp_path / "texts.sqlite", 1_000, "texts")
    cache.write("k", "x \ud83d")
    cache.write("\ud83d", "x")
    assert (cache.read("k", str), cache.read("\ud83d", str), cache.remarks) == (None, None, [])
    cache.write("k", "whole")
    assert cache.read("k", str) == "whole"


def test_the_limit_is_one_of_bytes(tmp_path: Path) -> None:
    cache = TextCache(tmp_path / "texts.sqlite", 100, "texts")
    cache.write("k", "é" * 51)
    assert cache.read("k", str) is None
    cache.write("a", "é" * 50)
    cache.write("b", "x")
    assert (cache.read("a", str), cache.read("b", str)) == (None, "x")


def test_a_row_that_is_no_answer_is_none(cache: ResultsCache) -> None:
    cache.put("k", ANSWERS)
    assert cache.path is not None
    for data in ("", "[", "[1]", '["set",null,null,[[["a","b"]]]]', '["number",null,null,[]]', '["x",1,1,[]]', "null"):
        with sqlite3.connect(cache.path) as other:
            other.execute("INSERT OR REPLACE INTO answer VALUES ('k', 1, 1, ?)", (data,))
        assert cache.get("k") is None
    assert cache.remarks == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_costs_no_answer(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    cache = ResultsCache(tmp_path / "deep" / "answers.sqlite")
    cache.put("k", ANSWERS)
    assert cache.get("k") is None
    assert len(cache.remarks) == 1
    tmp_path.chmod(0o700)


def test_a_path_that_is_a_folder_costs_no_answer(tmp_path: Path) -> None:
    cache = ResultsCache(tmp_path)
    cache.put("k", ANSWERS)
    assert cache.get("k") is None
    assert cache.remarks


def test_there_may_be_no_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PYLF_CACHE", "")
    cache = ResultsCache()
    cache.put("k", ANSWERS)
    assert cache.get("k") is None
    monkeypatch.setenv("PYLF_CACHE", str(tmp_path))
    ResultsCache().put("k", ANSWERS)
    assert ResultsCache().get("k") == ANSWERS


def test_threads_and_processes_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    cache = ResultsCache(path)
    script = (
        "import sys; from pylf.backends.results_cache import ResultsCache; from pylf.ir.answers import Answers\n"
        "cache = ResultsCache(sys.argv[1])\n"
        "for n in range(60): cache.put(f'{sys.argv[2]}/{n}', Answers.of_number(n))\n"
        "assert not cache.remarks, cache.remarks"
    )
    others = [subprocess.Popen([sys.executable, "-c", script, str(path), str(n)]) for n in range(2)]

    def write(thread: int) -> None:
        for number in range(60):
            cache.put(f"thread{thread}/{number}", Answers.of_number(number))

    threads = [threading.Thread(target=write, args=(n,)) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [other.wait(60) for other in others] == [0, 0]
    writers = ["0", "1", "thread0", "thread1", "thread2"]
    assert [cache.get(f"{w}/{n}") for w in writers for n in range(60)] == [
        Answers.of_number(n) for _ in writers for n in range(60)
    ]
    assert cache.remarks == []


# --- asking through a cache -----------------------------------------------------------------------------------------


def outcome(engine: HttpEngine | OxigraphEngine, cache: ResultsCache, timeout: float | None = None) -> Outcome:
    return asked(engine, QUERY, NO_SCHEMA, load("rdf"), 1, timeout, cache)


class Counted:
    """Answers with rows, and counts how often."""

    def __init__(self, found: Callable[[int], Reply]) -> None:
        self.times = 0
        self._found = found

    def __call__(self, text: str) -> Reply:
        self.times += 1
        return self._found(self.times)


def test_a_complete_answer_is_asked_for_once(cache: ResultsCache) -> None:
    endpoint = Counted(lambda _: Reply(rows(["x"], [[E + "b"]])))
    with answering(endpoint) as url:
        engine = HttpEngine(Endpoint(url, "sparql11", snapshot="s1"))
        first, second = outcome(engine, cache), outcome(engine, cache)
        assert (first.status, first.cached, second.status, second.cached) == ("answered", False, "answered", True)
        assert first.answers == second.answers == ANSWERS
        assert endpoint.times == 1
        assert not outcome(HttpEngine(Endpoint(url, "sparql11", snapshot="s2")), cache).cached
        assert not outcome(HttpEngine(Endpoint(url, "sparql11", graphs=("urn:g",), snapshot="s1")), cache).cached
        unstated = HttpEngine(Endpoint(url, "sparql11"))
        assert [outcome(unstated, cache).cached for _ in range(2)] == [False, False]
        assert endpoint.times == 5


def test_whom_the_endpoint_takes_the_caller_for_is_part_of_the_scope(monkeypatch: pytest.MonkeyPatch) -> None:
    def scope(**given: str) -> str:
        for name in ("USER", "PASSWORD", "TOKEN", "HOST"):
            monkeypatch.delenv(f"PYLF_ENDPOINT_{name}", raising=False)
        for name, value in given.items():
            monkeypatch.setenv(f"PYLF_ENDPOINT_{name}", value)
        found = HttpEngine(Endpoint("http://127.0.0.1:9/", "sparql11", snapshot="s1")).cache_scope
        assert found is not None
        assert not any(value in found for name, value in given.items() if name != "HOST")
        return found

    monkeypatch.setenv("NETRC", "/nonexistent")
    host = "127.0.0.1"
    anybody = scope()
    anne = scope(USER="anne-x", PASSWORD="secret-1", HOST=host)
    assert scope(USER="anne-x", PASSWORD="secret-2", HOST=host) == anne
    others = [scope(USER="bob-xy", PASSWORD="secret-1", HOST=host)]
    others += [scope(TOKEN=token, HOST=host) for token in ("token-1", "token-2")]
    assert len({anybody, anne, *others}) == 5


def test_graphs_do_not_run_into_the_snapshot() -> None:
    one = Endpoint("http://127.0.0.1:9/", "sparql11", graphs=("urn:1", "urn:2"), snapshot="s1")
    two = Endpoint("http://127.0.0.1:9/", "sparql11", graphs=("urn:1",), snapshot="urn:2\ns1")
    assert HttpEngine(one).cache_scope != HttpEngine(two).cache_scope


def test_an_empty_answer_is_kept_as_one(cache: ResultsCache) -> None:
    with answering(lambda _: Reply(rows(["x"], []))) as url:
        engine = HttpEngine(Endpoint(url, "sparql11", snapshot="s1"))
        assert outcome(engine, cache).status is Status.EMPTY
        again = outcome(engine, cache)
        assert (again.status, again.cached) == (Status.EMPTY, True)


def test_an_embedded_engine_is_not_kept(cache: ResultsCache) -> None:
    engine = OxigraphEngine.memory([(Iri(E + "a"), Iri(E + "p"), Iri(E + "b"))])
    assert [outcome(engine, cache).cached for _ in range(2)] == [False, False]
    assert cache.path is not None
    assert not Path(cache.path).exists()


def test_case_26_a_time_out_is_no_empty_answer_and_is_never_kept(cache: ResultsCache) -> None:
    stuck = threading.Event()

    def late(times: int) -> Reply:
        if times == 1:
            stuck.wait(10)
        return Reply(rows(["x"], [[E + "b"]]))

    with answering(Counted(late)) as url:
        engine = HttpEngine(Endpoint(url, "sparql11", snapshot="s1"))
        first = outcome(engine, cache, timeout=0.2)
        stuck.set()
        assert (first.status, first.answers, first.complete) == (Status.TIMEOUT, None, False)
        second = outcome(engine, cache)
        assert (second.status, second.cached, second.answers) == (Status.ANSWERED, False, ANSWERS)


def test_case_25_a_partial_answer_is_marked_and_never_kept(cache: ResultsCache) -> None:
    whole = [[f"{E}{n}"] for n in range(10)]
    state = (
        ("X-SQL-State", "S1TAT"),
        ("X-SQL-Message", "RC…: Returning incomplete results".encode().decode("latin-1")),
    )

    def early(times: int) -> Reply:
        return Reply(rows(["x"], whole[:3]), 200, state) if times == 1 else Reply(rows(["x"], whole))

    with answering(Counted(early)) as url:
        engine = HttpEngine(Endpoint(url, "virtuoso", snapshot="s1"))
        first = outcome(engine, cache)
        assert (first.status, first.complete) == (Status.PARTIAL, False)
        assert first.answers is not None
        assert len(first.answers.values) == 3
        second = outcome(engine, cache)
        assert (second.status, second.cached) == (Status.ANSWERED, False)
        assert second.answers is not None
        assert len(second.answers.values) == 10


def test_case_47_three_limits_and_a_question_over_budget(cache: ResultsCache) -> None:
    limits = Limits()
    assert (limits.connect, limits.read, limits.total) == (10.0, 60.0, 180.0)
    stuck = threading.Event()

    def silent(_: str) -> Reply:
        stuck.wait(10)
        return Reply(rows(["x"], []))

    with answering(silent) as url:
        for over in (Limits(read=0.2), Limits(total=0.2)):
            found = outcome(HttpEngine(Endpoint(url, "sparql11", snapshot="s", limits=over)), cache)
            assert (found.status, found.answers) == (Status.TIMEOUT, None)
            assert found.seconds >= 0.2
        stuck.set()
