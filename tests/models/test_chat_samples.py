"""All n replies, from servers that give fewer at once."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from pylf.models.chat.errors import ChatRefused
from pylf.models.chat.openai_chat import OpenAIChat
from pylf.models.chat.protocol import Request
from pylf.models.chat.sampled import Sampled
from pylf.models.chat.settings import ChatSettings
from tests.models.chat_asking import ASK, LIMITS, chat, counted
from tests.models.chat_server import Sent, completion, faulty, refusal

if TYPE_CHECKING:
    from pylf.models.chat.protocol import Completion

pytest.importorskip("openai", reason="asking a model needs the package openai (extra llm)")


def test_a_server_that_gives_fewer_samples_is_asked_for_the_rest() -> None:
    with faulty([completion("a", "b"), completion("c"), completion("d", "e", "f")]) as server:
        done = chat(server.address).complete(Request(ASK.messages, n=5, seed=40))
        assert [(one.get("n", 1), one["seed"]) for one in server.asked] == [(5, 40), (3, 42), (2, 43)]
    assert [reply.text for reply in done.replies] == ["a", "b", "c", "d", "e"]
    assert counted(done.usage) == {"prompt": 30, "completion": 30, "calls": 3}


def test_samples_that_came_are_paid_for_even_where_the_rest_does_not() -> None:
    with faulty([completion("a", "b"), refusal(400, "no more")]) as server, pytest.raises(ChatRefused) as told:
        chat(server.address).complete(Request(ASK.messages, n=3))
    assert counted(told.value.usage) == {"prompt": 10, "completion": 10, "calls": 2}


def test_samples_asked_for_one_by_one_come_in_order_with_seeds_of_their_own() -> None:
    def answer(request: dict[str, Any]) -> Sent:
        assert "n" not in request
        return completion(f"seed {request['seed']}")

    with faulty(answer) as server:
        settings = ChatSettings("m", server.address, limits=LIMITS)
        done = Sampled(OpenAIChat(settings), most=1).complete(Request(ASK.messages, n=4, seed=7))
    assert [reply.text for reply in done.replies] == ["seed 7", "seed 8", "seed 9", "seed 10"]
    assert counted(done.usage) == {"prompt": 40, "completion": 20, "calls": 4}


def test_no_more_requests_are_under_way_than_allowed() -> None:
    under_way, most, lock = [0], [0], threading.Lock()
    real = completion("x")._replace(wait=0.05)

    class Watched:
        model, identity = "m", "watched"

        def __init__(self, within: OpenAIChat) -> None:
            self._within = within

        def complete(self, request: Request) -> Completion:
            return self._within.complete(request)

    def answer(_: dict[str, Any]) -> Sent:
        with lock:
            under_way[0] += 1
            most[0] = max(most[0], under_way[0])
        threading.Timer(0.04, lambda: under_way.__setitem__(0, under_way[0] - 1)).start()
        return real

    with faulty(answer) as server:
        limited = Watched(OpenAIChat(ChatSettings("m", server.address, limits=LIMITS, at_once=2)))
        done = Sampled(limited, most=1).complete(Request(ASK.messages, n=6))
    assert len(done.replies) == 6
    assert most[0] <= 2
