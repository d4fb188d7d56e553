"""The one layer that sends a request again: after a pause, for as long as there is time, never for a spent quota.

The pauses are those of :mod:`pylf.backends.http.retry`: what a server asks to wait holds for all threads of the chat,
and a wait that is longer than what is left is not begun.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from pylf.backends.http.retry import Gate
from pylf.backends.http.transport import Deadline
from pylf.backends.patience import Limit, within
from pylf.errors import EngineRefused, EngineTimeout
from pylf.models.chat.background import pause
from pylf.models.chat.errors import ChatError, ChatTimeout, RateLimited, Unanswered, charge, cost_of, late
from pylf.models.chat.protocol import Usage
from pylf.records import replace

if TYPE_CHECKING:
    from pylf.backends.http.endpoint import Limits
    from pylf.models.chat.protocol import Chat, Completion, Request


class Retrying:
    """A chat whose requests are sent again where that may help: ``limits.tries`` times in all, and no longer than
    ``limits.total`` with the pauses, nor than any :func:`~pylf.backends.patience.within` around the call."""

    def __init__(self, chat: Chat, limits: Limits, gate: Gate | None = None) -> None:
        self._chat = chat
        self._limits = limits
        if gate is None:
            gate = Gate("request")
            gate.pause = pause
        self._gate = gate
        #: what the server was last met with when it asked to wait
        self._kind: type[ChatError] = RateLimited
        self.model = chat.model
        self.identity = chat.identity

    def complete(self, request: Request) -> Completion:
        """The replies, whose usage holds every try.

        Raises:
            ChatError: the last try's, with the usage of all; ChatTimeout where no time is left for more,
                or again the last one's kind where the server asks to wait for longer.
        """
        spent = Usage()
        tried = 0
        kind = self._kind
        started = self._gate.now()
        try:
            with within(self._limits.total) as limit:
                deadline = Deadline(_Limit(limit.at, limit.seconds), self._limits.read, self._gate.now)
                while True:
                    self._gate.pass_through(deadline)
                    try:
                        done = self._chat.complete(request)
                        return replace(done, usage=self._lasting(spent + _counted(done.usage, tried), started))
                    except ChatError as problem:
                        spent += _counted(problem.usage, tried)
                        tried += 1
                        if not problem.again or tried >= self._limits.tries:
                            problem.usage = self._lasting(spent, started)
                            self._finally(problem, tried)
                        kind = type(problem)
                        if problem.after is not None:
                            self._kind = kind
                        refused = isinstance(problem, RateLimited)
                        self._gate.wait_for_try(tried, problem.after, str(problem), deadline, refused)
        except ChatError:
            raise
        except EngineRefused as problem:
            raise kind(str(problem), self._lasting(spent, started)) from None
        except EngineTimeout as problem:
            raise ChatTimeout(str(problem), self._lasting(spent, started)) from None
        except BaseException as problem:
            charge(problem, self._lasting(spent + _counted(cost_of(problem), tried), started))
            raise

    def _lasting(self, spent: Usage, started: float) -> Usage:
        """The usage, with the seconds that all of it took."""
        return replace(spent, seconds=self._gate.now() - started)

    @staticmethod
    def _finally(problem: ChatError, tried: int) -> NoReturn:
        if tried > 1 and isinstance(problem, Unanswered | RateLimited | ChatTimeout):
            problem.args = (f"{problem} (after {tried} tries)",)
        raise problem


class _Limit(Limit):
    """The limit around, which speaks of a model."""

    def passed(self) -> EngineTimeout:
        return EngineTimeout(late(self.seconds))


def _counted(usage: Usage, tried: int) -> Usage:
    """The usage of one try: the first is a call, the others are retries of it."""
    return usage if tried == 0 else replace(usage, calls=0, retries=usage.calls + usage.retries)
