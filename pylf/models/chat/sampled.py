"""All n replies, however many a server gives at once: it is asked again for the rest."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pylf.models.chat.errors import ChatError, charge, cost_of
from pylf.models.chat.protocol import Completion, Usage
from pylf.models.chat.together import Together
from pylf.records import replace

if TYPE_CHECKING:
    from pylf.models.chat.protocol import Chat, Request

#: requests of one call that are under way together
_TOGETHER = 8


class Sampled:
    """A chat that gives ``n`` replies where the one within gives fewer. ``most``: replies that one request may ask for;
    what is more is asked for in several requests at the same time.

    Where a request has a seed, each further request has it raised by the number of replies that it stands behind:
    with the same seed the same replies would come again. Which replies a request is for stands in its ``behind``, so
    that a cache within keeps each part for itself: what came is not paid for twice where the rest did not.
    """

    def __init__(self, chat: Chat, most: int | None = None) -> None:
        self._chat = chat
        self._most = most
        self.model = chat.model
        self.identity = chat.identity

    def complete(self, request: Request) -> Completion:
        """Exactly ``n`` replies, with the usage of all requests.

        Raises:
            ChatError: as the chat within; its usage holds that of the requests that went well.
        """
        done: list[Completion] = []
        spent, came = Usage(), 0
        try:
            while came < request.n:
                done += self._together(self._parts(request, came))
                spent = sum([one.usage for one in done], Usage())
                came = sum([len(one.replies) for one in done])
        except BaseException as problem:
            charge(problem, spent + cost_of(problem))
            raise
        replies = [reply for one in done for reply in one.replies]
        cached = all(one.cached for one in done)
        return Completion(tuple(replies[: request.n]), spent, cached, done[0].model)

    def _parts(self, request: Request, came: int) -> list[Request]:
        """Requests for what has not come yet."""
        most = request.n if self._most is None else self._most
        starts = range(came, request.n, most)
        return [
            replace(
                request,
                n=min(most, request.n - start),
                seed=None if request.seed is None else request.seed + start,
                behind=request.behind + start,
            )
            for start in starts
        ]

    def _together(self, parts: list[Request]) -> list[Completion]:
        """What came of several requests, in their order.

        Raises:
            ChatError: the first one, with the usage of all requests; others go before it.
        """
        if len(parts) == 1:
            return [self._chat.complete(parts[0])]
        calls = Together([partial(self._chat.complete, part) for part in parts], _TOGETHER)
        try:
            calls.run()
        except BaseException as problem:
            charge(problem, _cost(calls))
            raise
        problems = [one for one in calls.problems if one is not None]
        if problems:
            first = next((one for one in problems if not isinstance(one, ChatError)), problems[0])
            charge(first, _cost(calls))
            raise first
        return [one for one in calls.values if one is not None]


def _cost(calls: Together[Completion]) -> Usage:
    """Of all that have ended, well or not."""
    well = [one.usage for one in calls.values if one is not None]
    return sum([*well, *[cost_of(one) for one in calls.problems if one is not None]], Usage())
