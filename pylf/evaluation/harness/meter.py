"""What the question that is being answered has cost so far: known also where its time runs out (case 47).

The meter belongs to the thread that answers a question. A method that starts threads of its own hands them
``carried(function)`` in place of ``function``.
"""

from __future__ import annotations

import contextvars
import math
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from pylf.backends.patience import left
from pylf.errors import InputError
from pylf.models.chat.errors import ChatError, cost_of
from pylf.models.chat.protocol import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pylf.models.chat.protocol import Chat, Completion, Request

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Meter:
    """Adds up usage. What comes after :meth:`close` goes to ``late``: the question was given up, its calls were not.
    ``ahead`` is told, before calls are sent, what the question will have cost with them."""

    def __init__(self, late: Callable[[Usage], None], ahead: Callable[[Usage], None] | None = None) -> None:
        self._late = late
        self._ahead = ahead
        self._lock = threading.Lock()
        self._usage = Usage()
        self._under_way = 0
        self._closed = False
        #: the last call did not reach the model, or came to nothing that the question is to blame for
        self.unreached = False

    @property
    def usage(self) -> Usage:
        """The sum so far."""
        with self._lock:
            return self._usage

    @property
    def under_way(self) -> Usage:
        """The calls that are being made: nothing is known of them but their number."""
        with self._lock:
            return Usage(calls=self._under_way, unstated=self._under_way)

    def add(self, usage: Usage) -> None:
        """More was spent."""
        self.end(0, usage)

    def begin(self, calls: int) -> None:
        """So many calls are about to be sent.

        Raises:
            InputError: that cannot be kept; none may be.
        """
        with self._lock:
            self._under_way += calls
            told = None if self._closed else self._usage + Usage(calls=self._under_way, unstated=self._under_way)
        if self._ahead is not None and told is not None:
            self._ahead(told)

    def end(self, calls: int, usage: Usage) -> None:
        """So many calls are done, and this is what was spent on them."""
        with self._lock:
            self._under_way -= calls
            if not self._closed:
                self._usage += usage
                return
        if usage != Usage():
            self._late(usage)

    def close(self) -> Usage:
        """The sum; nothing is added to it any more."""
        with self._lock:
            self._closed = True
            return self._usage


_meter: contextvars.ContextVar[Meter | None] = contextvars.ContextVar("pylf_meter", default=None)


@contextmanager
def reading(meter: Meter) -> Iterator[None]:
    """What is spent in this block is the meter's."""
    token = _meter.set(meter)
    try:
        yield
    finally:
        _meter.reset(token)


def spend(usage: Usage) -> None:
    """Say what was spent on the question that is being answered; nothing where none is."""
    meter = _meter.get()
    if meter is not None:
        meter.add(usage)


def carried(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """The function, to be called in another thread for the same question: with its meter and its time limit."""
    context = contextvars.copy_context()

    def called(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        return context.copy().run(function, *args, **kwargs)

    return called


class _Metered:
    """As :func:`metered` says."""

    def __init__(self, chat: Chat, at_once: int | None = None) -> None:
        self._chat = chat
        self._at_once = at_once
        self.model = chat.model
        self.identity = chat.identity

    def complete(self, request: Request) -> Completion:
        """As the chat within.

        Raises:
            EngineTimeout: the time for the question is used up; nothing was sent.
        """
        left()
        meter = _meter.get()
        if meter is None:
            return self._chat.complete(request)
        calls = 1 if self._at_once is None else math.ceil(request.n / max(1, self._at_once))
        try:
            meter.begin(calls)
            done = self._chat.complete(request)
        except BaseException as problem:
            spent = cost_of(problem)
            meter.end(calls, spent)
            meter.unreached = _unreached(problem, spent)
            raise
        meter.end(calls, done.usage)
        meter.unreached = False
        return done


def _unreached(problem: BaseException, spent: Usage) -> bool:
    """Whether an error says nothing of what was asked: the server was away, or nothing was sent."""
    match problem:
        case ChatError(again=True):
            return True
        case ChatError() | InputError():
            return spent.calls + spent.retries == 0
    return False


def metered(chat: Chat, at_once: int | None = None) -> Chat:
    """A chat whose calls are counted for the question that they are made for, also those that end in an error. Nothing
    is sent once the question's time is used up. ``at_once``: replies that one call of the model gives at most, where
    there is such a limit."""
    return _Metered(chat, at_once)
