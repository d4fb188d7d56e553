"""A chat that asks a loopback server, and what tests look at of it."""

from __future__ import annotations

from typing import Any

import pytest

from pylf.backends.http.endpoint import Limits
from pylf.backends.http.retry import Gate
from pylf.models.chat.errors import ChatError
from pylf.models.chat.openai_chat import OpenAIChat
from pylf.models.chat.protocol import Request, Usage, asked
from pylf.models.chat.retrying import Retrying
from pylf.models.chat.sampled import Sampled
from pylf.models.chat.settings import ChatSettings

LIMITS = Limits(connect=2.0, read=5.0, total=20.0, tries=4)
ASK = Request(asked("Who launched it?"))


def gate(pauses: list[float]) -> Gate:
    """A gate that writes pauses down in place of waiting for them."""
    found = Gate("request")
    clock = [0.0]

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        clock[0] += seconds

    found.now, found.pause, found.jitter = (lambda: clock[0]), pause, (lambda: 0.0)
    return found


def chat(address: str, pauses: list[float] | None = None, limits: Limits = LIMITS, **more: Any) -> Sampled:
    settings = ChatSettings("m", address, limits=limits, **more)
    return Sampled(Retrying(OpenAIChat(settings), limits, gate([] if pauses is None else pauses)))


def counted(usage: Usage) -> dict[str, int]:
    names = ("prompt", "completion", "calls", "retries", "unstated")
    return {name: getattr(usage, name) for name in names if getattr(usage, name)}


def failing(address: str, pauses: list[float] | None = None, limits: Limits = LIMITS, **more: Any) -> ChatError:
    with pytest.raises(ChatError) as told:
        chat(address, pauses, limits, **more).complete(ASK)
    return told.value
