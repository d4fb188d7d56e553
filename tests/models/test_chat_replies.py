"""What is asked of a server that speaks OpenAI's interface, and what is read of its replies."""

from __future__ import annotations

import json

import pytest

from pylf.errors import InputError
from pylf.models.chat.openai_chat import OpenAIChat
from pylf.models.chat.protocol import Finish, Request, asked, schema_text
from pylf.models.chat.settings import ChatSettings, Prices
from tests.models.chat_asking import ASK, chat, failing
from tests.models.chat_server import completion, faulty, refusal

pytest.importorskip("openai", reason="asking a model needs the package openai (extra llm)")


# --- what stands in a reply ---------------------------------------------------------------------------------------


def test_null_is_kept_as_null_and_not_asked_for_again() -> None:
    with faulty([completion(None)]) as server:
        done = chat(server.address).complete(ASK)
        assert len(server.asked) == 1
    assert [(one.text, one.finish) for one in done.replies] == [("", Finish.EMPTY)]


def test_a_reply_cut_before_it_began_says_so() -> None:
    choice = {"index": 0, "finish_reason": "length", "message": {"content": None, "reasoning_content": "hm"}}
    with faulty([completion(choices=[choice])]) as server:
        assert chat(server.address).complete(ASK).replies[0].finish is Finish.LENGTH


def test_a_refusal_is_kept_as_one() -> None:
    choice = {"index": 0, "finish_reason": "stop", "message": {"content": None, "refusal": "I cannot help."}}
    with faulty([completion(choices=[choice])]) as server:
        reply = chat(server.address).complete(ASK).replies[0]
    assert (reply.text, reply.finish) == ("I cannot help.", Finish.REFUSED)


def test_filtered_parted_and_disordered_replies() -> None:
    choices = [
        {"index": 1, "finish_reason": "content_filter", "message": {"content": "half"}},
        {"index": 0, "message": {"content": [{"type": "text", "text": "in "}, {"type": "text", "text": "parts"}]}},
    ]
    with faulty([completion(choices=choices)]) as server:
        done = chat(server.address).complete(Request(ASK.messages, n=2))
    assert [(one.text, one.finish) for one in done.replies] == [("in parts", Finish.OTHER), ("half", Finish.FILTERED)]


def test_half_a_pair_of_surrogates_becomes_a_character() -> None:
    with faulty([completion("a\ud800b \U0001d4b3")]) as server:
        text = chat(server.address).complete(ASK).text
    assert text == "a\N{REPLACEMENT CHARACTER}b \U0001d4b3"


def test_logprobs_are_asked_for_and_read() -> None:
    token = {"token": "yes", "logprob": -0.5, "top_logprobs": [{"token": "no", "logprob": None}]}
    choice = {"index": 0, "finish_reason": "stop", "message": {"content": "yes"}, "logprobs": {"content": [token]}}
    with faulty([completion(choices=[choice]), completion("yes")]) as server:
        asking = chat(server.address)
        logprobs = asking.complete(Request(ASK.messages, logprobs=1)).replies[0].logprobs
        unserved = asking.complete(Request(ASK.messages, logprobs=0)).replies[0].logprobs
        assert [(one["logprobs"], one.get("top_logprobs")) for one in server.asked] == [(True, 1), (True, None)]
    assert logprobs is not None
    assert (logprobs[0].token, logprobs[0].logprob, logprobs[0].top) == ("yes", -0.5, (("no", float("-inf")),))
    assert unserved is None


def test_everything_that_a_request_says_is_sent() -> None:
    schema = {"type": "object", "properties": {"b": {}, "a": {}}, "required": ["b", "a"]}
    request = Request(asked("q", system="s"), 2, 0.0, 3, ("\n\n",), 64, schema_text(schema))
    with faulty([completion("x", "y")]) as server:
        chat(server.address).complete(request)
        sent = server.asked[0]
    assert sent == {
        "model": "m",
        "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "q"}],
        "n": 2,
        "temperature": 0.0,
        "seed": 3,
        "stop": ["\n\n"],
        "max_tokens": 64,
        "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": schema}},
    }
    assert list(sent["response_format"]["json_schema"]["schema"]["properties"]) == ["b", "a"]


def test_a_grammar_is_sent_only_where_one_is_taken() -> None:
    request = Request(ASK.messages, grammar='root ::= "yes"')
    with faulty([completion("yes")]) as server:
        with pytest.raises(InputError, match="grammar"):
            chat(server.address).complete(request)
        chat(server.address, grammars=True).complete(request)
        assert [one["grammar"] for one in server.asked] == ['root ::= "yes"']


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        (Request(()), "no messages"),
        (Request(ASK.messages, n=0), "0 replies"),
        (Request(ASK.messages, temperature=-1.0), "temperature"),
        (Request(ASK.messages, temperature=float("nan")), "temperature"),
        (Request(ASK.messages, max_tokens=0), "0 tokens"),
        (Request(ASK.messages, stop=("",)), "empty text"),
        (Request(asked("a\ud800")), "surrogates"),
        (Request(ASK.messages, schema="{}", grammar="root"), "one at a time"),
        (Request(ASK.messages, schema="{"), "no JSON"),
    ],
)
def test_what_cannot_be_asked_is_not_sent(request_: Request, told: str) -> None:
    with faulty([]) as server:
        with pytest.raises(InputError, match=told):
            OpenAIChat(ChatSettings("m", server.address)).complete(request_)
        assert server.asked == []


# --- money, keys --------------------------------------------------------------------------------------------------


def test_tokens_cost_money_and_unstated_ones_are_told_of() -> None:
    with faulty([completion("x"), completion("x", usage=None), completion("x", usage={"prompt_tokens": 3})]) as server:
        asking = chat(server.address, prices=Prices(2e6, 3e6))
        paid, unstated, half = [asking.complete(ASK).usage for _ in range(3)]
    assert (paid.money, paid.unstated) == (35.0, 0)
    assert (unstated.money, unstated.tokens, unstated.unstated) == (0.0, 0, 1)
    assert half.unstated == 1


def test_tokens_of_one_of_several_replies_are_too_few() -> None:
    with faulty([completion("x", "y", timings={"cache_n": 0})]) as server:
        assert chat(server.address).complete(Request(ASK.messages, n=2)).usage.unstated == 1


def test_a_key_is_sent_where_it_was_named_for_and_told_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai-alone")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-openai-alone")
    monkeypatch.setenv("TEAM_KEY", "sk-team-123456")
    echo = refusal(401, "Incorrect API key provided: sk-team-123456", "invalid_api_key")
    with faulty([completion("x"), echo]) as server:
        chat(server.address).complete(ASK)
        problem = failing(server.address, key="TEAM_KEY")
        assert server.keys == ["Bearer none", "Bearer sk-team-123456"]
        assert server.organizations == [[], []]
        with pytest.raises(InputError, match="OTHER_KEY"):
            chat(server.address, key="OTHER_KEY")
    assert "sk-team" not in str(problem)
    named = OpenAIChat(ChatSettings("m", server.address, key="TEAM_KEY"))
    assert "sk-team" not in named.identity
    assert json.loads(named.identity) == {"model": "m", "at": server.address}


@pytest.mark.parametrize(
    "address", ["", "host", "ftp://h/", "http://", "http://u:p@h/v1", "http://h/v1?key=1", "http://["]
)
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(InputError, match="address"):
        OpenAIChat(ChatSettings("m", address))
