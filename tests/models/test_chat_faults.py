"""Servers that fail: what is told of it, what is sent again, and what that cost."""

from __future__ import annotations

import math
import socket

import pytest

from pylf.backends.http.endpoint import Limits
from pylf.backends.patience import within
from pylf.errors import EngineTimeout
from pylf.models.chat.counted import Counted
from pylf.models.chat.errors import ChatRefused, ChatTimeout, QuotaSpent, RateLimited, Silent, Unanswered
from pylf.models.chat.settings import Prices
from pylf.records import replace
from tests.models.chat_asking import ASK, LIMITS, chat, counted, failing
from tests.models.chat_server import Sent, completion, faulty, refusal

pytest.importorskip("openai", reason="asking a model needs the package openai (extra llm)")


# --- rate limit and quota -----------------------------------------------------------------------------------------


def test_a_rate_limit_is_waited_for_as_long_as_the_server_asks() -> None:
    pauses: list[float] = []
    limited = refusal(429, "Rate limit reached for requests", "rate_limit_exceeded", ("Retry-After", "7"))
    with faulty([limited, completion("the answer")]) as server:
        done = chat(server.address, pauses).complete(ASK)
    assert done.text == "the answer"
    assert pauses == [7.0]
    assert counted(done.usage) == {"prompt": 10, "completion": 5, "calls": 1, "retries": 1}


def test_milliseconds_to_wait_are_read_too() -> None:
    pauses: list[float] = []
    limited = refusal(429, "slow down", "rate_limit_exceeded", ("Retry-After-Ms", "1500"), ("Retry-After", "9"))
    with faulty([limited, completion("x")]) as server:
        chat(server.address, pauses).complete(ASK)
    assert pauses == [1.5]


def test_a_rate_limit_that_outlasts_the_time_is_not_waited_for() -> None:
    pauses: list[float] = []
    with faulty([refusal(429, "slow down", "rate_limit_exceeded", ("Retry-After", "3600"))]) as server:
        problem = failing(server.address, pauses)
    assert isinstance(problem, RateLimited)
    assert "60 min" in str(problem)
    assert pauses == []
    assert counted(problem.usage) == {"calls": 1}


@pytest.mark.parametrize(
    "spent",
    [
        refusal(429, "You exceeded your current quota, please check your plan and billing.", "insufficient_quota"),
        refusal(429, "You exceeded your current quota", "insufficient_quota", ("Retry-After", "1")),
        refusal(402, "Insufficient Balance", "unknown_error"),
        refusal(429, "Your credit balance is too low", "rate_limit_error"),
        refusal(403, "The account is out of credits"),
        refusal(400, "Your credit balance is too low to access the API", "invalid_request_error"),
        Sent(b'[{"error": {"code": 429, "message": "Out of credits"}}]', 429),
        Sent(b'{"error": "insufficient_quota"}', 429),
        Sent(b'{"error": "insufficient_quota"}'),
        Sent(b'{"error": {"message": "none left", "code": "429", "type": "insufficient_quota"}}'),
    ],
)
def test_a_spent_quota_is_no_rate_limit_and_is_not_asked_again(spent: Sent) -> None:
    pauses: list[float] = []
    with faulty([spent, completion("never")]) as server:
        problem = failing(server.address, pauses)
        assert len(server.asked) == 1
    assert isinstance(problem, QuotaSpent)
    assert not isinstance(problem, RateLimited)
    assert "quota" in str(problem)
    assert pauses == []


def test_a_rate_limit_that_mentions_a_quota_is_waited_for() -> None:
    limited = refusal(429, "Quota exceeded for requests per minute", "rate_limit_exceeded", ("Retry-After", "2"))
    with faulty([limited, completion("x")]) as server:
        assert chat(server.address).complete(ASK).text == "x"


BOTH = "You exceeded your current quota, please check your plan and billing details. Limit: requests per minute."


@pytest.mark.parametrize(
    ("limited", "pause"),
    [
        (refusal(429, BOTH, None, ("Retry-After", "12")), 12.0),
        (refusal(429, f"{BOTH} Please retry in 12.5s."), 12.5),
        (refusal(429, "Rate limit reached. Please try again in 6m0s"), 360.0),
        (refusal(429, "slow down: retry after 20 seconds"), 20.0),
        (refusal(429, "try again in 1500 milliseconds"), 1.5),
        (refusal(429, "Please try again in 5 requests"), 0.25),
        (Sent(b'[{"error": {"message": "Please retry in 3 s"}}]', 429), 3.0),
    ],
)
def test_who_says_when_to_ask_again_limits_the_rate(limited: Sent, pause: float) -> None:
    pauses: list[float] = []
    with faulty([limited, completion("x")]) as server:
        assert chat(server.address, pauses, replace(LIMITS, total=1_000.0)).complete(ASK).text == "x"
    assert pauses == [pause]


def test_a_server_that_is_away_for_long_has_failed_and_set_no_limit() -> None:
    with faulty([refusal(503, "overloaded", None, ("Retry-After", "3600"))]) as server:
        asking = chat(server.address)
        with pytest.raises(Unanswered, match="overloaded: it asks to wait 60 min") as first:
            asking.complete(ASK)
        with pytest.raises(Unanswered, match="overloaded: it takes no request for another 60 min") as second:
            asking.complete(ASK)
        assert len(server.asked) == 1
    assert (counted(first.value.usage), counted(second.value.usage)) == ({"calls": 1}, {})


# --- refusals, failures, death ------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_what_a_server_does_not_take_is_sent_once(status: int) -> None:
    with faulty([refusal(status, "the model does not exist", "model_not_found")]) as server:
        problem = failing(server.address)
        assert len(server.asked) == 1
    assert isinstance(problem, ChatRefused)
    assert "the model does not exist" in str(problem)
    assert counted(problem.usage) == {"calls": 1}


@pytest.mark.parametrize("status", [408, 500, 502, 503, 504, 529])
def test_a_failing_server_is_asked_again(status: int) -> None:
    pauses: list[float] = []
    with faulty([Sent(b"<html>oops</html>", status)] * 2 + [completion("x")]) as server:
        done = chat(server.address, pauses).complete(ASK)
    assert done.text == "x"
    assert pauses == [0.25, 0.5]
    assert counted(done.usage) == {"prompt": 10, "completion": 5, "calls": 1, "retries": 2}


def test_the_tries_are_counted_and_end() -> None:
    with faulty([]) as server:
        problem = failing(server.address)
        assert len(server.asked) == 4
    assert isinstance(problem, Unanswered)
    assert "status 500: no more steps" in str(problem)
    assert "after 4 tries" in str(problem)
    assert counted(problem.usage) == {"calls": 1, "retries": 3}


@pytest.mark.parametrize("first", [0, 1, 40, 150])
def test_a_server_that_dies_in_the_middle_is_asked_again(first: int) -> None:
    whole = completion("the answer")
    with faulty([whole._replace(first=first), whole]) as server:
        done = chat(server.address).complete(ASK)
    assert done.text == "the answer"
    assert counted(done.usage) == {"prompt": 10, "completion": 5, "calls": 1, "retries": 1, "unstated": 1}


def test_a_server_that_dies_for_good_is_told_of() -> None:
    with faulty(lambda _: completion("x")._replace(first=30)) as server:
        problem = failing(server.address)
    assert isinstance(problem, Unanswered)
    assert "died in the middle" in str(problem)
    assert counted(problem.usage) == {"calls": 1, "retries": 3, "unstated": 4}


def test_nobody_listens() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    problem = failing(f"http://127.0.0.1:{port}/v1")
    assert isinstance(problem, Unanswered)
    assert "cannot be reached" in str(problem)
    assert counted(problem.usage) == {"calls": 1, "retries": 3}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>busy</html>",
        b'{"choices": [{"message": {"content": "cut',
        b"[" * 100_000,
        b"[]",
        b'"text"',
        b"{}",
        b'{"choices": null}',
        b'{"choices": []}',
        b'{"choices": ["text"]}',
        b'{"choices": [{"text": "an old interface"}]}',
        b'{"choices": [{"message": {"content": 7}}]}',
        b'{"error": {"message": "upstream failed", "code": 502}}',
    ],
)
def test_what_is_no_completion_is_asked_for_again(body: bytes) -> None:
    with faulty([Sent(body), completion("x")]) as server:
        done = chat(server.address).complete(ASK)
    assert done.text == "x"
    assert counted(done.usage) == {"prompt": 10, "completion": 5, "calls": 1, "retries": 1, "unstated": 1}


def test_an_error_with_status_200_is_read_as_what_it_is() -> None:
    with faulty([Sent(b'{"error": {"message": "no credits", "code": 402}}')]) as server:
        assert isinstance(failing(server.address), QuotaSpent)


def test_a_long_complaint_is_not_read_to_its_end() -> None:
    with faulty([Sent(b"too much " * 10_000_000, 400)]) as server:
        problem = failing(server.address)
        assert server.hung_up.wait(20.0)
        assert len(server.asked) == 1
    assert isinstance(problem, ChatRefused)
    assert "status 400: too much too much" in str(problem)


def test_a_reply_that_is_too_long_is_not_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pylf.models.chat.openai_chat._MOST_BYTES", 1_000)
    with faulty([completion("x" * 1_000)] * 4) as server:
        problem = failing(server.address)
        assert len(server.asked) == 1
    assert "sends more than 1,000 bytes" in str(problem)
    assert counted(problem.usage) == {"calls": 1, "unstated": 1}


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_messages_go_to_no_other_address(status: int) -> None:
    with faulty([completion("x")]) as other:
        with faulty([Sent(b"moved", status, (("Location", f"{other.address}/chat/completions"),))]) as server:
            problem = failing(server.address)
        assert other.asked == []
    assert isinstance(problem, ChatRefused)
    assert f"at another address, {other.address}" in str(problem)


@pytest.mark.parametrize("digits", [30, 400, 5_000])
def test_a_number_of_tokens_beyond_belief_is_no_number(digits: int) -> None:
    body = completion("x", usage={"prompt_tokens": 7, "completion_tokens": 1}).body.replace(b"7", b"7" * digits)
    with faulty([Sent(body)]) as server:
        done = chat(server.address, prices=Prices(1.0, 1.0)).complete(ASK)
    assert (done.text, counted(done.usage)) == ("x", {"calls": 1, "unstated": 1})


@pytest.mark.parametrize("digits", [400, 5_000])
def test_a_log_probability_beyond_belief_is_that_of_what_is_impossible(digits: int) -> None:
    token = {"token": "x", "logprob": -7}
    choice = {"message": {"content": "x"}, "logprobs": {"content": [token]}}
    body = completion(choices=[choice]).body.replace(b"-7", b"-" + b"7" * digits)
    with faulty([Sent(body)]) as server:
        logprobs = chat(server.address).complete(ASK).replies[0].logprobs
    assert logprobs is not None
    assert [one.logprob for one in logprobs] == [-math.inf]


# --- the three limits (case 47) -----------------------------------------------------------------------------------


def test_case_47_the_connect_limit() -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting = [socket.socket() for _ in range(3)]
        for one in waiting:  # nobody takes these up: the queue is full, and the system lets nobody else connect
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        limits = Limits(connect=0.2, read=5.0, total=20.0, tries=1)
        problem = failing(f"http://127.0.0.1:{full.getsockname()[1]}/v1", limits=limits)
        for one in waiting:
            one.close()
    assert isinstance(problem, Silent)
    assert "connect limit" in str(problem)
    assert problem.status == "timeout"
    assert counted(problem.usage) == {"calls": 1}


@pytest.mark.parametrize("late", [completion("x")._replace(wait=5.0), completion("x")._replace(drip=5.0)])
def test_case_47_the_read_limit(late: Sent) -> None:
    limits = Limits(connect=5.0, read=0.2, total=20.0, tries=1)
    with faulty([late]) as server:
        problem = failing(server.address, limits=limits)
    assert isinstance(problem, Silent)
    assert "read limit" in str(problem)
    assert counted(problem.usage) == {"calls": 1, "unstated": 1}


def test_case_47_the_read_limit_is_met_once_and_the_request_sent_again() -> None:
    limits = Limits(connect=5.0, read=0.2, total=20.0, tries=2)
    with faulty([completion("late")._replace(wait=5.0), completion("x")]) as server:
        assert chat(server.address, limits=limits).complete(ASK).text == "x"


def test_case_47_the_whole_limit_ends_what_comes_drop_by_drop() -> None:
    limits = Limits(connect=5.0, read=5.0, total=0.5, tries=4)
    with faulty(lambda _: completion("x")._replace(drip=0.05)) as server:
        problem = failing(server.address, limits=limits)
    assert isinstance(problem, ChatTimeout)
    assert not isinstance(problem, Silent)
    assert counted(problem.usage) == {"calls": 1, "unstated": 1}


def test_case_47_a_question_over_its_budget_is_a_timeout_with_what_it_cost() -> None:
    steps = [completion("one"), completion("two"), completion("never")._replace(drip=0.05)]
    with faulty(steps) as server:
        question = Counted(chat(server.address))
        with within(1.5):
            assert [question.complete(ASK).text for _ in steps[1:]] == ["one", "two"]
            with pytest.raises(EngineTimeout) as told:
                question.complete(ASK)
    assert told.value.status == "timeout"
    assert counted(question.usage) == {"prompt": 20, "completion": 10, "calls": 3, "unstated": 1}


def test_a_request_that_is_given_up_leaves_no_connection_behind() -> None:
    limits = Limits(connect=5.0, read=5.0, total=0.3, tries=1)
    with faulty(lambda _: completion("x")._replace(drip=0.02)) as server:
        failing(server.address, limits=limits)
        assert server.hung_up.wait(5.0)
