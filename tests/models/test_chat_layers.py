"""What stands around a model: the cache, the log, scripts and settings; and all of it put together."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylf.errors import InputError
from pylf.models.chat import ChatSettings, Finish, Message, Reply, Request, Scripted, Usage, asked, open_chat
from pylf.models.chat.cached import Cached, key_of
from pylf.models.chat.counted import Counted
from pylf.models.chat.errors import QuotaSpent, Unanswered
from pylf.models.chat.logged import Logged, logged_usages
from pylf.models.chat.protocol import Completion, TokenLogprob
from pylf.models.chat.sampled import Sampled
from pylf.models.chat.scripted import in_order
from pylf.models.chat.settings import Budget, Prices, settings_of
from pylf.models.chat.written import kept_of, kept_text, request_data, request_of
from pylf.records import replace
from tests.models.chat_server import completion, faulty

ASK = Request(asked("one two three"))


def said(*texts: str) -> Scripted:
    return Scripted(in_order(*texts))


def noting(sent: list[Request]) -> Scripted:
    """A model that says x, and writes down what it is asked."""

    def rule(request: Request) -> str:
        sent.append(request)
        return "x"

    return Scripted(rule)


def log_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# --- the cache ----------------------------------------------------------------------------------------------------

requests = st.builds(
    Request,
    st.lists(st.builds(Message, st.sampled_from(["system", "user", "assistant"]), st.text(max_size=5)), max_size=3).map(
        tuple
    ),
    st.integers(1, 3),
    st.none() | st.floats(0, 2),
    st.none() | st.integers(),
    st.lists(st.text(max_size=3), max_size=2).map(tuple),
    st.none() | st.integers(1, 9),
    st.none() | st.text(max_size=3),
    st.none() | st.text(max_size=3),
    st.none() | st.integers(0, 3),
    st.integers(0, 2),
    st.integers(0, 2),
)


@given(requests, requests)
def test_keys_are_equal_where_requests_are(a: Request, b: Request) -> None:
    assert (key_of("m", a) == key_of("m", b)) == (a == b)
    assert key_of("m", a) != key_of("n", a)
    assert request_of(json.loads(json.dumps(request_data(a)))) == a


replies = st.builds(
    Reply,
    st.text(),
    st.sampled_from(Finish),
    st.none()
    | st.lists(
        st.builds(
            TokenLogprob,
            st.text(max_size=3),
            st.floats(max_value=0, allow_nan=False),
            st.lists(st.tuples(st.text(max_size=3), st.floats(max_value=0, allow_nan=False)), max_size=2).map(tuple),
        ),
        max_size=3,
    ).map(tuple),
)


@given(st.lists(replies, min_size=1, max_size=3).map(tuple), st.integers(0), st.integers(0))
def test_what_is_kept_of_a_completion_comes_back_equal(said_: tuple[Reply, ...], prompt: int, spent: int) -> None:
    kept = kept_of(kept_text(Completion(said_, Usage(prompt, spent, calls=1), False, "m")))
    assert (kept.replies, kept.model, kept.prompt, kept.completion) == (said_, "m", prompt, spent)


def test_errors_are_not_kept(tmp_path: Path) -> None:
    chat = Cached(Scripted(in_order(QuotaSpent("none left"), "b", "c")), tmp_path / "c")
    with pytest.raises(QuotaSpent):
        chat.complete(ASK)
    assert [chat.complete(ASK).text for _ in range(2)] == ["b", "b"]


def test_what_is_kept_outlives_the_process_and_belongs_to_one_model(tmp_path: Path) -> None:
    first = Cached(said("a"), tmp_path / "c")
    first.complete(replace(ASK, n=2))
    first.close()
    assert Cached(said("b"), tmp_path / "c").complete(replace(ASK, n=2)).cached
    other = Cached(Scripted(lambda _: "z", "another"), tmp_path / "c").complete(replace(ASK, n=2))
    assert (other.text, other.cached) == ("z", False)


def test_equal_requests_at_the_same_time_are_sent_once(tmp_path: Path) -> None:
    count: list[int] = []

    def rule(_: Request) -> str:
        count.append(1)
        threading.Event().wait(0.05)
        return "x"

    chat = Counted(Cached(Scripted(rule), tmp_path / "c"))
    with ThreadPoolExecutor(8) as pool:
        assert {one.text for one in pool.map(chat.complete, [ASK] * 16)} == {"x"}
    assert (len(count), chat.usage.calls, chat.usage.cached_calls) == (1, 1, 15)


def test_a_damaged_cache_costs_money_and_no_reply(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    path.write_text("no database at all, but rather long " * 50)
    with open_chat(ChatSettings("m", cache=str(path)), base=said("a", "b")) as chat:
        assert [chat.complete(ASK).text for _ in range(2)] == ["a", "a"]
        assert ["damaged" in remark for remark in chat.remarks] == [True]


def test_a_kept_text_that_is_none_is_asked_for_anew(tmp_path: Path) -> None:
    chat = Cached(said("a", "b"), tmp_path / "c")
    chat.complete(ASK)
    chat._texts.write(key_of(chat.identity, ASK), '{"replies": [{"text": null, "finish": "stop"}]}')
    assert chat.complete(ASK).text == "b"


# --- the log ------------------------------------------------------------------------------------------------------


def test_half_a_line_is_ended_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "log"
    first = Logged(said("é 𝒳"), path)
    first.complete(ASK)
    first.close()
    whole = path.read_bytes()
    path.write_bytes(whole + whole[: whole.index("é".encode()) + 1])  # cut within a character
    again = Logged(said("b"), path)
    again.complete(ASK)
    again.close()
    lines = path.read_bytes().split(b"\n")
    assert lines[0] + b"\n" == whole
    assert json.loads(lines[2])["replies"] == [{"text": "b", "finish": "stop"}]
    assert len(list(logged_usages(path))) == 2


def test_threads_write_whole_lines(tmp_path: Path) -> None:
    chat = Logged(Scripted(lambda _: "x" * 20_000), tmp_path / "log")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(chat.complete, [ASK] * 40))
    chat.close()
    assert [len(line["replies"][0]["text"]) for line in log_of(tmp_path / "log")] == [20_000] * 40


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no device that is always full")
def test_a_full_disk_loses_no_reply_and_stops_the_next_call(tmp_path: Path) -> None:
    sent: list[Request] = []

    def rule(request: Request) -> str:
        sent.append(request)
        return "paid for"

    (tmp_path / "log").symlink_to("/dev/full")
    chat = Logged(Scripted(rule), tmp_path / "log")
    assert chat.complete(ASK).text == "paid for"
    with pytest.raises(InputError, match="no space left"):
        chat.complete(ASK)
    assert len(sent) == 1


def test_a_closed_log_lets_nothing_be_sent(tmp_path: Path) -> None:
    sent: list[Request] = []
    chat = Logged(noting(sent), tmp_path / "log")
    chat.close()
    with pytest.raises(InputError, match="the log is closed"):
        chat.complete(ASK)
    assert sent == []


def test_a_log_that_cannot_be_written_is_told_of_before_anything_is_sent(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be logged"):
        open_chat(ChatSettings("m", cache="", log=str(tmp_path / "no" / "log")), base=said())


# --- scripts, samples, settings -----------------------------------------------------------------------------------


def test_a_script_replies_by_rule() -> None:
    chat = Scripted(lambda request: [f"{number}" for number in range(request.n)])
    done = chat.complete(replace(ASK, n=3))
    assert [reply.text for reply in done.replies] == ["0", "1", "2"]
    assert done.usage == Usage(3, 3, calls=1)
    ended = said("only")
    assert ended.complete(ASK).text == "only"
    with pytest.raises(Unanswered, match="at its end"):
        ended.complete(ASK)


def test_a_sample_that_fails_among_several_ends_the_call_with_the_cost_of_all() -> None:
    problem = QuotaSpent("none left", Usage(calls=1))
    chat = Sampled(Scripted(lambda request: problem if request.seed == 2 else "x"), most=1)
    with pytest.raises(QuotaSpent) as told:
        chat.complete(replace(ASK, n=3, seed=1))
    assert (told.value.usage.calls, told.value.usage.tokens) == (3, 8)


def test_settings_from_a_table() -> None:
    table = {
        "model": "m",
        "address": "http://127.0.0.1:1/v1",
        "limits": {"total": 60},
        "budget": {"calls": 10, "money": 1.5},
        "prices": {"prompt": 0.1, "completion": 0.4},
    }
    found = settings_of(table)
    assert (found.limits.total, found.limits.read) == (60, 120.0)
    assert (found.budget, found.prices) == (Budget(calls=10, money=1.5), Prices(0.1, 0.4))


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ({}, "no model"),
        ({"model": "m", "adress": "x"}, "no setting 'adress'"),
        ({"model": 7}, "quotation marks"),
        ({"model": "m", "at_once": True}, "whole number"),
        ({"model": "m", "at_once": -1}, "from 0 on"),
        ({"model": "m", "at_once": 0}, "models.toml: at_once is 0; it has to be a whole number from 1 on"),
        ({"model": "m", "samples_at_once": 0}, "samples_at_once is 0"),
        ({"model": "m", "threads": 0}, "threads is 0"),
        ({"model": "m", "limits": {"tries": 0}}, "tries is 0"),
        ({"model": "m", "grammars": 1}, "true or false"),
        ({"model": "m", "limits": 5}, "table"),
        ({"model": "m", "limits": {"totl": 5}}, "no setting 'totl'"),
        ({"model": "m", "budget": {"money": float("nan")}}, "from 0 on"),
        ({"model": "m", "prices": {"prompt": 1}}, "both"),
    ],
)
def test_settings_that_are_none(table: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        settings_of(table, "models.toml")


def test_settings_from_python_are_looked_at_too() -> None:
    with pytest.raises(InputError, match="at_once is 0"):
        open_chat(ChatSettings("m", cache="", at_once=0), base=said())


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        (Request(asked("a\ud800")), "surrogates"),
        (replace(ASK, stop=("\ud800",)), "surrogates"),
        (replace(ASK, schema='"\udfff"'), "surrogates"),
        (replace(ASK, grammar="\ud800"), "surrogates"),
        (replace(ASK, temperature=float("nan")), "temperature nan"),
        (replace(ASK, temperature=float("inf")), "temperature inf"),
        (replace(ASK, n=0), "0 replies"),
        (Request(()), "no messages"),
    ],
)
def test_requests_that_are_none_reach_no_layer(tmp_path: Path, request_: Request, told: str) -> None:
    sent: list[Request] = []
    settings = ChatSettings("m", cache=str(tmp_path / "c"), log=str(tmp_path / "log"))
    with open_chat(settings, base=noting(sent)) as chat:
        with pytest.raises(InputError, match=told):
            chat.complete(request_)
        assert chat.usage == Usage()
    assert (sent, log_of(tmp_path / "log")) == ([], [])


def test_a_log_of_its_own_takes_requests_that_are_none(tmp_path: Path) -> None:
    chat = Logged(said("x"), tmp_path / "log")
    with pytest.raises(InputError, match="surrogates"):
        chat.complete(replace(ASK, stop=("\ud800",)))
    assert [(line["request"]["stop"], line["status"]) for line in log_of(tmp_path / "log")] == [(["\ud800"], "failed")]


def test_without_the_package_the_command_that_brings_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with (
        open_chat(ChatSettings("m", "http://127.0.0.1:9/v1", cache="")) as chat,
        pytest.raises(InputError, match=r"pip install 'pylf-kgqa\[llm\]'"),
    ):
        chat.complete(ASK)


def test_a_forked_process_asks_on_connections_of_its_own() -> None:
    pytest.importorskip("openai", reason="asking a model needs the package openai (extra llm)")
    script = (
        "import os, sys\n"
        "from pylf.models.chat import ChatSettings, Request, asked, open_chat\n"
        "chat = open_chat(ChatSettings('m', sys.argv[1], cache=''))\n"
        "print(chat.complete(Request(asked('parent'))).text, flush=True)\n"
        "child = os.fork()\n"
        "print(chat.complete(Request(asked('child' if child == 0 else 'again'))).text, flush=True)\n"
        "if child: os.waitpid(child, 0)\n"
        "else: os._exit(0)\n"
    )
    with faulty(lambda request: completion(request["messages"][0]["content"])) as server:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", script, server.address],
            capture_output=True,
            text=True,
            check=False,
            timeout=50,
        )
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.split()) == ["again", "child", "parent"]


def test_opening_a_chat_imports_nothing_costly() -> None:
    script = (
        "import sys; from pylf.models.chat import ChatSettings, open_chat\n"
        "open_chat(ChatSettings('m', 'http://127.0.0.1:9/v1', cache=''))\n"
        "print(*{'openai', 'numpy', 'asyncio', 'sqlite3', 'xllamacpp'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=50)
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr
