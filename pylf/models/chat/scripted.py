"""A model that replies by a rule, for tests and examples. Its tokens are words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.models.chat.errors import ChatError, Unanswered
from pylf.models.chat.protocol import Completion, Reply, Request, Usage, checked
from pylf.models.chat.written import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    #: what a rule gives: one reply for each of the n, or a list of them; or what came instead
    Said = str | Reply | ChatError | Iterable[str | Reply]


class Scripted:
    """A model that says what ``rule`` makes of a request.

    >>> from pylf.models.chat.protocol import asked
    >>> Scripted(lambda request: request.messages[-1].content.upper()).complete(Request(asked("no"))).text
    'NO'
    """

    def __init__(self, rule: Callable[[Request], Said], model: str = "scripted") -> None:
        self._rule = rule
        self.model = model
        self.identity = text_of({"model": model, "at": "scripted"})

    def complete(self, request: Request) -> Completion:
        """What the rule says, n times, or the first n of what it lists.

        Raises:
            ChatError: the rule gives one.
            Unanswered: it lists nothing.
        """
        said = self._rule(checked(request))
        if isinstance(said, ChatError):
            raise said
        listed = [said] * request.n if isinstance(said, str | Reply) else list(said)[: request.n]
        replies = tuple([Reply(one) if isinstance(one, str) else one for one in listed])
        prompt = sum([len(message.content.split()) for message in request.messages])
        if not replies:
            raise Unanswered("the script has nothing to say", Usage(prompt=prompt, calls=1))
        completion = sum([len(reply.text.split()) for reply in replies])
        return Completion(replies, Usage(prompt, completion, calls=1), False, self.model)


def in_order(*replies: Said) -> Callable[[Request], Said]:
    """The rule that gives these one after the other, whatever is asked; an error once all are given."""
    left = iter(replies)
    return lambda request: next(left, Unanswered("the script is at its end"))
