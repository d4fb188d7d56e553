"""What calls cost: tokens counted, logged, and kept within a budget."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylf.backends.http.endpoint import Limits
from pylf.errors import InputError
from pylf.models.chat import ChatSettings, Reply, Request, Scripted, Usage, asked, open_chat
from pylf.models.chat.budget import Budgeted
from pylf.models.chat.counted import Counted
from pylf.models.chat.errors import BudgetSpent, ChatError, ChatTimeout, Unanswered
from pylf.models.chat.logged import logged_usages
from pylf.models.chat.protocol import Completion
from pylf.models.chat.retrying import Retrying
from pylf.models.chat.scripted import in_order
from pylf.models.chat.settings import Budget, Prices
from pylf.models.chat.written import usage_data, usage_of
from pylf.records import replace
from tests.models.chat_server import completion, faulty, refusal

if TYPE_CHECKING:
    from pathlib import Path

LIMITS = Limits(connect=2.0, read=5.0, total=20.0, tries=3)
ASK = Request(asked("one two three"))
AT_ONCE = refusal(503, "busy", None, ("Retry-After", "0"))


def said(*texts: str) -> Scripted:
    return Scripted(in_order(*texts))


def log_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def timeless(usage: Usage) -> Usage:
    return replace(usage, seconds=0.0)


# --- token accounting (case 48) -----------------------------------------------------------------------------------


def test_case_48_three_calls_one_cached_one_retried(tmp_path: Path) -> None:
    pytest.importorskip("openai", reason="asking a model needs the package openai (extra llm)")
    cut = completion("lost", usage={"prompt_tokens": 20, "completion_tokens": 9}, choices=[])
    steps = [
        completion("first", usage={"prompt_tokens": 100, "completion_tokens": 10}),
        cut,  # billed, and of no use
        completion("second", usage={"prompt_tokens": 20, "completion_tokens": 30}),
    ]
    log = tmp_path / "calls.jsonl"
    with faulty(steps) as server:
        settings = ChatSettings(
            "m",
            server.address,
            limits=LIMITS,
            prices=Prices(1e6, 2e6),
            cache=str(tmp_path / "replies.sqlite"),
            log=str(log),
        )
        with open_chat(settings) as chat:
            texts = [chat.complete(Request(asked(text))).text for text in ("one", "one", "two")]
            usage = chat.usage
        assert len(server.asked) == 3
    assert texts == ["first", "first", "second"]
    assert timeless(usage) == Usage(
        prompt=140,
        completion=49,
        calls=2,
        retries=1,
        cached_prompt=100,
        cached_completion=10,
        cached_calls=1,
        money=238.0,
    )
    assert sum(logged_usages(log), Usage()) == usage
    assert [line["cached"] for line in log_of(log)] == [False, True, False]
    assert [line["request"]["messages"][0][1] for line in log_of(log)] == ["one", "one", "two"]


def test_totals_match_the_log_where_calls_fail(tmp_path: Path) -> None:
    pytest.importorskip("openai", reason="asking a model needs the package openai (extra llm)")
    broken = completion("x")._replace(first=20)
    steps = [AT_ONCE, completion("a"), AT_ONCE, AT_ONCE, AT_ONCE, broken, refusal(400, "too long")]
    log = tmp_path / "calls.jsonl"
    with faulty(steps) as server:
        with open_chat(ChatSettings("m", server.address, limits=LIMITS, cache="", log=str(log))) as chat:
            chat.complete(ASK)
            with pytest.raises(Unanswered):
                chat.complete(ASK)
            with pytest.raises(ChatError, match="too long"):
                chat.complete(ASK)
            usage = chat.usage
        assert len(server.asked) == usage.calls + usage.retries == 7
    assert (usage.tokens, usage.calls, usage.retries, usage.unstated) == (15, 3, 4, 1)
    assert sum(logged_usages(log), Usage()) == usage
    assert [line.get("status") for line in log_of(log)] == [None, "engine error", "refused"]


usages = st.builds(Usage, *[st.integers(0, 10**9)] * 8, *[st.integers(0, 10**6).map(float)] * 2)


@given(usages, usages, usages)
def test_usages_add_up(a: Usage, b: Usage, c: Usage) -> None:
    assert a + Usage() == a
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)
    assert usage_of(json.loads(json.dumps(usage_data(a)))) == a


def test_the_whole_limit_is_over_all_that_one_call_sends() -> None:
    pytest.importorskip("openai", reason="asking a model needs the package openai (extra llm)")
    steps = [completion("x"), completion("y"), completion("never")._replace(wait=30.0)]
    with faulty(steps) as server:
        settings = ChatSettings("m", server.address, limits=replace(LIMITS, total=2.0), cache="")
        with open_chat(settings) as chat, pytest.raises(ChatTimeout) as told:
            chat.complete(replace(ASK, n=3))
    usage = told.value.usage
    assert (usage.calls, usage.prompt, usage.unstated) == (3, 20, 1)


# --- budgets ------------------------------------------------------------------------------------------------------


def test_a_budget_of_calls_is_never_passed() -> None:
    sent: list[Request] = []
    lock = threading.Lock()

    def rule(request: Request) -> str:
        with lock:
            sent.append(request)
        return "x"

    chat = Budgeted(Scripted(rule), Budget(calls=7))

    def ask(_: int) -> bool:
        try:
            chat.complete(ASK)
        except BudgetSpent:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        went = list(pool.map(ask, range(40)))
    assert (sum(went), len(sent), chat.spent.calls) == (7, 7, 7)


def test_tries_count_as_calls_of_the_budget() -> None:
    failing = Scripted(lambda _: Unanswered("no", Usage(calls=1), after=0.0))
    chat = Counted(Retrying(Budgeted(failing, Budget(calls=2)), Limits(tries=5)))
    with pytest.raises(BudgetSpent, match="2 calls"):
        chat.complete(ASK)
    assert (chat.usage.calls, chat.usage.retries) == (1, 1)


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        (Budget(tokens=8), "8 tokens is used up: 8 were billed"),
        (Budget(money=0.5), "0.5 is used up: the calls cost 0.6"),
    ],
)
def test_tokens_and_money_stop_the_next_call(budget: Budget, told: str) -> None:
    priced = Scripted(lambda _: "four")  # three words asked, one said

    class Priced:
        model, identity = priced.model, priced.identity

        def complete(self, request: Request) -> Completion:
            done = priced.complete(request)
            return replace(done, usage=replace(done.usage, money=0.3))

    chat = Budgeted(Priced(), budget)
    chat.complete(ASK)
    chat.complete(ASK)
    with pytest.raises(BudgetSpent, match=told) as stopped:
        chat.complete(ASK)
    assert stopped.value.usage == Usage()
    assert stopped.value.status == "refused"


def test_a_run_that_goes_on_goes_on_spending_the_same_budget() -> None:
    chat = open_chat(ChatSettings("m", cache="", budget=Budget(calls=5)), Usage(calls=3, retries=1), said("a", "b"))
    assert chat.complete(ASK).text == "a"
    with pytest.raises(BudgetSpent):
        chat.complete(ASK)
    assert (chat.usage.calls, chat.spent.calls) == (1, 4)


def test_tokens_that_are_not_stated_cannot_be_budgeted() -> None:
    done = Completion((Reply("x"),), Usage(calls=1, unstated=1), False, "m")

    class Unstating:
        model, identity = "m", "m"

        def complete(self, _: Request) -> Completion:
            return done

    chat = Budgeted(Unstating(), Budget(tokens=100))
    chat.complete(ASK)
    with pytest.raises(BudgetSpent, match="does not say"):
        chat.complete(ASK)
    calls_alone = Budgeted(Unstating(), Budget(calls=2))
    assert [calls_alone.complete(ASK).text for _ in range(2)] == ["x", "x"]


def test_money_needs_prices() -> None:
    with pytest.raises(InputError, match="prices"):
        open_chat(ChatSettings("m", cache="", budget=Budget(money=1.0)), base=said())


def test_what_is_kept_costs_no_budget(tmp_path: Path) -> None:
    settings = ChatSettings("m", cache=str(tmp_path / "c"), budget=Budget(calls=1))
    with open_chat(settings, base=said("a", "b")) as chat:
        assert [chat.complete(ASK).text for _ in range(3)] == ["a", "a", "a"]
        with pytest.raises(BudgetSpent):
            chat.complete(replace(ASK, draw=1))
        assert (chat.usage.calls, chat.usage.cached_calls) == (1, 2)


def test_samples_that_a_budget_let_through_are_not_paid_for_again(tmp_path: Path) -> None:
    settings = ChatSettings("m", cache=str(tmp_path / "c"), samples_at_once=1)
    numbers = iter(range(9))
    counting = Scripted(lambda _: f"sample {next(numbers)}")
    with open_chat(replace(settings, budget=Budget(calls=2)), base=counting) as chat:
        with pytest.raises(BudgetSpent) as stopped:
            chat.complete(replace(ASK, n=3))
        assert (stopped.value.usage.calls, chat.usage.calls, chat.spent.calls) == (2, 2, 2)
    with open_chat(settings, base=counting) as chat:
        done = chat.complete(replace(ASK, n=3))
        assert (chat.usage.calls, chat.usage.cached_calls) == (1, 2)
        assert not done.cached
        assert chat.complete(replace(ASK, n=3)).cached
    assert {reply.text for reply in done.replies} == {"sample 0", "sample 1", "sample 2"}


def test_a_server_that_gives_fewer_samples_than_it_is_asked_for_is_not_asked_twice(tmp_path: Path) -> None:
    chat = open_chat(
        ChatSettings("m", cache=str(tmp_path / "c")), base=Scripted(in_order(["a", "b"], ["c"], ["d", "e"]))
    )
    texts = [[reply.text for reply in chat.complete(replace(ASK, n=5)).replies] for _ in range(2)]
    assert texts == [["a", "b", "c", "d", "e"]] * 2
    assert (chat.usage.calls, chat.usage.cached_calls) == (3, 3)
