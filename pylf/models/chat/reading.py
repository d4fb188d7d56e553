"""Reading the JSON of a chat completion, whatever stands in it: what is not as it should be is told, never guessed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from pylf.models.chat.complaints import complaint_within
from pylf.models.chat.errors import Unanswered
from pylf.models.chat.protocol import Completion, Finish, Reply, TokenLogprob, Usage
from pylf.records import replace

if TYPE_CHECKING:
    from pylf.models.chat.settings import Prices

#: tokens that one request can be billed for; who states more is mistaken
_MOST_TOKENS = 10**12
_FINISHES = {
    "stop": Finish.STOP,
    "eos": Finish.STOP,
    "length": Finish.LENGTH,
    "max_tokens": Finish.LENGTH,
    "content_filter": Finish.FILTERED,
    "refusal": Finish.REFUSED,
}


def read_completion(data: bytes, sent: Usage, model: str, prices: Prices | None) -> Completion:
    """The completion in a response's body. ``sent`` is the usage of the sending, without tokens.

    Raises:
        Unanswered: it is no completion, or has no choices; ChatError: it holds an error instead.
    """
    import json

    uncounted = replace(sent, unstated=1)
    try:
        body = json.loads(data, strict=False, parse_int=_whole)
    except (ValueError, RecursionError):
        raise Unanswered("the model's server sends what is no JSON, or breaks off", uncounted) from None
    if not isinstance(body, dict):
        raise Unanswered("the model's server sends JSON that is no completion", uncounted)
    usage = _usage(body.get("usage"), sent, prices)
    problem = complaint_within(body, usage)
    if problem is not None:
        raise problem
    choices = body.get("choices")
    if not isinstance(choices, list) or not all(isinstance(one, dict) for one in choices):
        raise Unanswered("the model's server sends JSON that is no completion", usage)
    replies = tuple([_reply(one, usage) for one in sorted(choices, key=_place)])
    if not replies:
        raise Unanswered("the model's server sends no reply at all", usage)
    if len(replies) > 1 and "timings" in body:
        usage = replace(usage, unstated=1)  # llama.cpp's server states the tokens of one of several replies
    named = body.get("model")
    return Completion(replies, usage, False, named if isinstance(named, str) and named else model)


def _usage(stated: object, sent: Usage, prices: Prices | None) -> Usage:
    """With the tokens that the server states."""
    prompt, completion = (
        [_count(stated.get(name)) for name in ("prompt_tokens", "completion_tokens")]
        if isinstance(stated, dict)
        else (None, None)
    )
    if prompt is None or completion is None:
        return replace(sent, unstated=1)
    money = 0.0 if prices is None else (prompt * prices.prompt + completion * prices.completion) / 1e6
    return replace(sent, prompt=prompt, completion=completion, money=money)


def _whole(digits: str) -> int | float:
    """A whole number; one with more digits than Python reads is as large as any."""
    try:
        return int(digits)
    except ValueError:
        return -math.inf if digits.startswith("-") else math.inf


def _count(value: object) -> int | None:
    """A number of tokens; None for what is none, or more than anyone bills at once."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_TOKENS else None


def _place(choice: dict[str, Any]) -> int:
    index = choice.get("index")
    return index if isinstance(index, int) else 0


def _reply(choice: dict[str, Any], usage: Usage) -> Reply:
    message = choice.get("message")
    if not isinstance(message, dict):
        raise Unanswered("the model's server sends a choice without a message", usage)
    stated = choice.get("finish_reason")
    finish = _FINISHES.get(stated, Finish.OTHER) if isinstance(stated, str) else Finish.OTHER
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal:
        return Reply(_sound(refusal), Finish.REFUSED)
    text = _text(message.get("content"), usage)
    if text is None:
        return Reply("", Finish.EMPTY if finish in {Finish.STOP, Finish.OTHER} else finish)
    return Reply(_sound(text), finish, _logprobs(choice.get("logprobs")))


def _text(content: object, usage: Usage) -> str | None:
    """The text of a message: a string, or parts of which some have text; None for null."""
    if content is None or isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
        return "".join([part for part in parts if isinstance(part, str)]) if parts else None
    raise Unanswered("the model's server sends a message that is no text", usage)


def _logprobs(stated: object) -> tuple[TokenLogprob, ...] | None:
    tokens = stated.get("content") if isinstance(stated, dict) else None
    if not isinstance(tokens, list):
        return None
    read = [_token(one) for one in tokens]
    return None if None in read else tuple([one for one in read if one is not None])


def _token(stated: object) -> TokenLogprob | None:
    one = _pair(stated)
    if one is None or not isinstance(stated, dict):
        return None
    top = stated.get("top_logprobs")
    others = [_pair(other) for other in top] if isinstance(top, list) else []
    return TokenLogprob(*one, tuple([other for other in others if other is not None]))


def _pair(stated: object) -> tuple[str, float] | None:
    if not isinstance(stated, dict):
        return None
    token, value = stated.get("token"), stated.get("logprob")
    if not isinstance(token, str) or isinstance(value, bool) or not isinstance(value, int | float | None):
        return None
    # null, and what JSON writes of an infinity, is what servers send for what is impossible
    try:
        exact = -math.inf if value is None else float(value)
    except OverflowError:
        exact = -math.inf
    return _sound(token), exact if math.isfinite(exact) else -math.inf


def _sound(text: str) -> str:
    """Text without half pairs of surrogates, which no file and no further request can hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
