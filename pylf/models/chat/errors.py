"""Why there are no replies, and what was spent all the same.

All are errors of an engine (:class:`~pylf.errors.EngineError`): the command line ends with status 4, and a question
that meets one has an outcome. The retry layer looks at ``again``; nobody else sends anything twice.

What ends a call otherwise (Ctrl-C above all) ends it after something was sent, and says what that cost in the same way:
:func:`cost_of` and :func:`charge` are for exceptions of every kind.
"""

from __future__ import annotations

from pylf.backends.patience import lasting, until
from pylf.errors import EngineError, EngineRefused, EngineTimeout
from pylf.models.chat.protocol import Usage


class ChatError(EngineError):
    """A model gave no reply, or none that can be read. ``usage`` is what that cost, ``again`` whether to ask again may
    help, ``after`` how many seconds the server asks to wait before."""

    again = False

    def __init__(self, message: str, usage: Usage | None = None, after: float | None = None) -> None:
        super().__init__(message)
        self.usage = Usage() if usage is None else usage
        self.after = after


class ChatTimeout(ChatError, EngineTimeout):
    """A time limit was reached: for connecting, for silence, or the whole one."""


class Silent(ChatTimeout):
    """The limit for connecting or for silence was reached; of the whole one something may be left."""

    again = True


class Unanswered(ChatError):
    """The server failed, died in the middle, or sent what is no completion."""

    again = True


class ChatRefused(ChatError, EngineRefused):
    """The server does not take the request: its key, its model, its length, what it asks for."""


class RateLimited(ChatRefused):
    """Too many requests at present: after a while the server takes them again."""

    again = True


class QuotaSpent(ChatRefused):
    """What was paid for is used up. Waiting does not help."""


class BudgetSpent(ChatError):
    """A budget of calls, tokens or money is used up; nothing was sent."""

    status = "refused"


def cost_of(problem: BaseException) -> Usage:
    """What was spent on the call that this ended; nothing where that is not said."""
    found = vars(problem).get("usage")
    return found if isinstance(found, Usage) else Usage()


def charge(problem: BaseException, usage: Usage) -> None:
    """Have an exception say that so much was spent, in all."""
    vars(problem)["usage"] = usage


def out_of_time(seconds: float | None = None, usage: Usage | None = None) -> ChatTimeout:
    """The error that says that the limit of so many seconds is used up; None: the one around, be it for a question or
    for a call."""
    return ChatTimeout(late(until(None).seconds if seconds is None else seconds), usage)


def late(seconds: float) -> str:
    """What is told of a limit of so many seconds that is used up."""
    return f"the model's server gave no whole reply within {lasting(seconds)}"
