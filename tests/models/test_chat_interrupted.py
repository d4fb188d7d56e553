"""Ctrl-C and forks while requests are under way: what is stopped, what it cost, and who waits for whom."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from pylf.models.chat.background import Stop, Stopped, pause, stopped_by
from pylf.models.chat.errors import QuotaSpent, Unanswered, charge, cost_of
from pylf.models.chat.protocol import Usage
from pylf.models.chat.together import Together
from tests.models.chat_server import Sent, completion, faulty

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("openai", reason="asking a model needs the package openai (extra llm)")

_INTERRUPTED = """
import json, sys, threading
from pylf.models.chat import ChatSettings, Request, Usage, asked, open_chat
from pylf.models.chat.logged import logged_usages
address, log, cache, n = sys.argv[1:5]
chat = open_chat(ChatSettings("m", address, cache=cache, known_as="m", log=log, samples_at_once=1))
try:
    chat.complete(Request(asked("Who?"), n=int(n)))
except KeyboardInterrupt:
    usage, logged = chat.usage, sum(logged_usages(log), Usage())
    left = sum(thread.name == "pylf sample" for thread in threading.enumerate())
    print(json.dumps([usage.calls, usage.unstated, usage.prompt, chat.spent.calls, logged == usage, left]))
"""


@pytest.mark.parametrize(("n", "sent"), [(1, 1), (2, 2), (20, 8)])
def test_an_interruption_stops_all_samples_and_what_was_sent_is_counted(tmp_path: Path, n: int, sent: int) -> None:
    """[calls, calls whose tokens nobody stated, tokens, calls of the budget, the log adds up, threads that are left]"""
    child: list[subprocess.Popen[str]] = []
    arrived: list[int] = []

    def answer(_: dict[str, Any]) -> Sent:
        arrived.append(1)
        if len(arrived) == sent:
            child[0].send_signal(signal.SIGINT)
        return completion("late")._replace(wait=60.0)

    with faulty(answer) as server:
        command = [sys.executable, "-c", _INTERRUPTED, server.address, str(tmp_path / "log"), "", str(n)]
        child.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        told, complaints = child[0].communicate(timeout=50)
        assert len(server.asked) == sent
    assert told, complaints
    assert json.loads(told) == [sent, sent, 0, sent, True, 0]


def test_samples_that_came_before_an_interruption_are_kept_and_counted(tmp_path: Path) -> None:
    child: list[subprocess.Popen[str]] = []
    arrived: list[int] = []

    def answer(_: dict[str, Any]) -> Sent:
        arrived.append(1)
        if len(arrived) <= 8:
            return completion("in time")
        if len(arrived) == 16:
            child[0].send_signal(signal.SIGINT)
        return completion("late")._replace(wait=60.0)

    def run(address: str) -> str:
        command = [sys.executable, "-c", _INTERRUPTED, address, str(tmp_path / "log"), str(tmp_path / "kept"), "16"]
        child[:] = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)]
        told, complaints = child[0].communicate(timeout=50)
        assert child[0].returncode == 0, complaints
        return told

    with faulty(answer) as first:
        assert json.loads(run(first.address)) == [16, 8, 80, 16, True, 0]
    with faulty(lambda _: completion("the rest")) as second:
        assert run(second.address) == ""
        assert len(second.asked) == 8


def test_whatever_a_thread_waits_for_is_stopped() -> None:
    stop = Stop()
    stop.now()
    with stopped_by(stop), pytest.raises(Stopped):
        pause(1_000.0)


def test_all_calls_are_made_and_each_exception_is_kept_in_its_place() -> None:
    problem = Unanswered("no", Usage(calls=1))

    def fails() -> str:
        raise problem

    calls = Together([lambda: "a", fails, lambda: "c"], 2)
    calls.run()
    assert (calls.values, calls.problems) == (["a", None, "c"], [None, problem, None])


def test_every_exception_can_say_what_it_cost() -> None:
    interrupted = KeyboardInterrupt()
    assert cost_of(interrupted) == Usage()
    charge(interrupted, Usage(calls=2, unstated=1))
    assert cost_of(interrupted) == Usage(calls=2, unstated=1)
    assert cost_of(QuotaSpent("none left", Usage(calls=1))) == Usage(calls=1)


_FORKED = """
import os, sys, threading
from pylf.backends.http.endpoint import Limits
from pylf.models.chat import ChatSettings, Request, asked, open_chat
from tests.models.chat_server import completion, faulty
arrived = threading.Event()
def answer(request):
    if arrived.is_set():
        return completion("at once")
    arrived.set()
    return completion("late")._replace(wait=60.0)
def ask():
    try:
        return chat.complete(Request(asked("Who?"))).text
    except Exception as problem:
        return str(problem)
with faulty(answer) as server:
    chat = open_chat(ChatSettings("m", server.address, cache=sys.argv[1], at_once=1, limits=Limits(total=5.0, tries=1)))
    threading.Thread(target=ask, daemon=True).start()
    arrived.wait()
    child = os.fork()
    if child == 0:
        print(ask(), flush=True)
        os._exit(0)
    os.waitpid(child, 0)
    os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system forks no processes")
@pytest.mark.parametrize("cache", ["", "kept"])
def test_a_forked_process_waits_for_no_request_of_its_parent(tmp_path: Path, root: Path, cache: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _FORKED, str(tmp_path / cache) if cache else ""],
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
        cwd=root,
    )
    assert done.stdout.strip() == "at once", done.stderr
