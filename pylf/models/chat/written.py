"""Requests, usages and completions as plain data: for cache keys, kept completions and the log."""

from __future__ import annotations

import math
from typing import Any

from pylf.models.chat.protocol import Completion, Finish, Message, Reply, Request, TokenLogprob, Usage
from pylf.records import record

#: in the order in which they are written; what has its usual value is left out
_SETTINGS = ("n", "temperature", "seed", "stop", "max_tokens", "schema", "grammar", "logprobs", "draw", "behind")
_USAGE = (
    *("prompt", "completion", "calls", "retries", "unstated", "cached_prompt", "cached_completion", "cached_calls"),
    *("seconds", "money"),
)
_NOTHING = Request(())


def text_of(data: object) -> str:
    """Data as one line of JSON."""
    import json

    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def request_data(request: Request) -> dict[str, Any]:
    """All of a request; equal requests give equal data."""
    data: dict[str, Any] = {"messages": [[one.role, one.content] for one in request.messages]}
    for name in _SETTINGS:
        value = getattr(request, name)
        if value != getattr(_NOTHING, name):
            data[name] = float(value) if name == "temperature" else value
    return data


def request_of(data: dict[str, Any]) -> Request:
    """The request that :func:`request_data` wrote."""
    settings = {name: data[name] for name in _SETTINGS if name in data}
    if "stop" in settings:
        settings["stop"] = tuple(settings["stop"])
    return Request(tuple([Message(role, content) for role, content in data["messages"]]), **settings)


def usage_data(usage: Usage) -> dict[str, int | float]:
    """All of a usage that is not 0."""
    return {name: value for name in _USAGE if (value := getattr(usage, name))}


def usage_of(data: dict[str, Any]) -> Usage:
    """The usage that :func:`usage_data` wrote."""
    return Usage(**data)


def reply_data(reply: Reply) -> dict[str, Any]:
    """All of a reply."""
    data: dict[str, Any] = {"text": reply.text, "finish": str(reply.finish)}
    if reply.logprobs is not None:
        data["logprobs"] = [
            [one.token, _number(one.logprob), [[t, _number(p)] for t, p in one.top]] for one in reply.logprobs
        ]
    return data


def reply_of(data: dict[str, Any]) -> Reply:
    """The reply that :func:`reply_data` wrote.

    Raises:
        KeyError, TypeError, ValueError: it did not.
    """
    logprobs = data.get("logprobs")
    text = data["text"]
    if not isinstance(text, str):
        raise TypeError("the text of a reply is no text")
    return Reply(
        text,
        Finish(data["finish"]),
        None
        if logprobs is None
        else tuple([TokenLogprob(t, _read(p), tuple([(o, _read(q)) for o, q in top])) for t, p, top in logprobs]),
    )


@record
class Kept:
    """What a cache keeps of a completion: the replies, who gave them, and the tokens that they cost then."""

    replies: tuple[Reply, ...]
    model: str
    prompt: int
    completion: int


def kept_text(completion: Completion) -> str:
    """A completion as a cache keeps it."""
    usage = completion.usage
    return text_of(
        {
            "replies": [reply_data(one) for one in completion.replies],
            "model": completion.model,
            "tokens": [usage.prompt, usage.completion],
        }
    )


def kept_of(text: str) -> Kept:
    """What :func:`kept_text` wrote.

    Raises:
        KeyError, TypeError, ValueError, RecursionError: it did not.
    """
    import json

    data = json.loads(text)
    prompt, completion = data["tokens"]
    return Kept(tuple([reply_of(one) for one in data["replies"]]), str(data["model"]), int(prompt), int(completion))


def _number(value: float) -> float | None:
    """A log-probability; JSON has no infinity, so that of what is impossible is null."""
    return value if math.isfinite(value) else None


def _read(value: float | None) -> float:
    return -math.inf if value is None else float(value)
