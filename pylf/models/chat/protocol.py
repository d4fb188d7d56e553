"""What a chat model is: messages in, replies out, and what that cost.

Everything that talks to a model goes through :class:`Chat`. A retry layer, a budget, a cache and a log are chats too,
each around another one: :func:`pylf.models.chat.opening.open_chat` puts them together.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Literal, Protocol

from pylf.errors import InputError
from pylf.records import field, record

if TYPE_CHECKING:
    from collections.abc import Mapping

Role = Literal["system", "user", "assistant"]


@record
class Message:
    """One message of a conversation."""

    role: Role
    content: str


@record
class Request:
    """What is asked of a model: ``n`` replies to a conversation.

    None leaves a setting to the server. ``stop``: texts that end a reply, and are not part of it. ``schema``: a JSON
    schema that each reply keeps to, as :func:`schema_text` writes it; ``grammar``: a grammar in the server's own
    notation. ``logprobs``: the log-probability of each token is asked for, with those of so many others in its place
    (0: of none). ``draw`` is not sent: a cache takes requests with different numbers for different ones, so that a
    method that wants a new sample of the same gets one; so it takes those with different ``behind``, the number of
    replies to the same that were asked for in other requests and come before these.
    """

    messages: tuple[Message, ...]
    n: int = 1
    temperature: float | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    max_tokens: int | None = None
    schema: str | None = None
    grammar: str | None = None
    logprobs: int | None = None
    draw: int = 0
    behind: int = 0


class Finish(StrEnum):
    """Why a reply ended."""

    STOP = "stop"
    #: the limit on tokens, or the model's window, was reached: the reply is cut
    LENGTH = "length"
    #: the model refused; the text is what it said instead
    REFUSED = "refused"
    #: the provider's filter took the reply away, or the rest of it
    FILTERED = "filtered"
    #: the server says that the reply is done and gives none (null)
    EMPTY = "empty"
    #: something else, or nothing was said of it
    OTHER = "other"


@record
class TokenLogprob:
    """A token of a reply, its natural log-probability, and the likeliest ones in its place (it may be among them)."""

    token: str
    logprob: float
    top: tuple[tuple[str, float], ...] = ()


@record
class Reply:
    """One reply: its text as the model gave it (thinking, fences and all), and why it ended. ``logprobs`` is None where
    they were not asked for or are not served."""

    text: str
    finish: Finish = Finish.STOP
    logprobs: tuple[TokenLogprob, ...] | None = field(default=None, shown=False)


@record
class Usage:
    """What calls cost; sums of usages are usages.

    ``prompt`` and ``completion``: tokens of everything that was billed, retries included. ``calls``: requests that went
    to the model, ``retries``: how often one was sent again, so that ``calls + retries`` were sent. ``unstated``: of
    what was sent, how often the server may have billed tokens and did not say how many (a reply without usage, one
    that broke off): where it is not 0, the tokens are too few. The cached ones are of calls that a cache answered,
    which sent and cost nothing. ``seconds``: spent on calls, waiting included; ``money``: in the currency of the
    prices.
    """

    prompt: int = 0
    completion: int = 0
    calls: int = 0
    retries: int = 0
    unstated: int = 0
    cached_prompt: int = 0
    cached_completion: int = 0
    cached_calls: int = 0
    seconds: float = 0.0
    money: float = 0.0

    @property
    def tokens(self) -> int:
        """All tokens that were billed."""
        return self.prompt + self.completion

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt + other.prompt,
            self.completion + other.completion,
            self.calls + other.calls,
            self.retries + other.retries,
            self.unstated + other.unstated,
            self.cached_prompt + other.cached_prompt,
            self.cached_completion + other.cached_completion,
            self.cached_calls + other.cached_calls,
            self.seconds + other.seconds,
            self.money + other.money,
        )


@record
class Completion:
    """``n`` replies, in the order in which the server gave them. ``model`` is what the server says that it is."""

    replies: tuple[Reply, ...]
    usage: Usage
    cached: bool
    model: str

    @property
    def text(self) -> str:
        """The text of the first reply."""
        return self.replies[0].text


class Chat(Protocol):
    """Something that replies. Threads may share it."""

    @property
    def model(self) -> str:
        """The model's name, as requests say it."""
        ...

    @property
    def identity(self) -> str:
        """Everything that replies depend on besides the request, on one line: what goes into the keys of caches and
        the records of runs. No secret is in it."""
        ...

    def complete(self, request: Request) -> Completion:
        """As many replies as the request asks for.

        Raises:
            ChatError: there are not so many; the error says what was spent all the same.
            InputError: the request asks for what this chat does not have.
        """
        ...


def asked(text: str, *, system: str | None = None) -> tuple[Message, ...]:
    """The messages of a plain question, with what the model is told beforehand."""
    before = () if system is None else (Message("system", system),)
    return (*before, Message("user", text))


def schema_text(schema: Mapping[str, object]) -> str:
    """A JSON schema as a request holds it. Its keys keep their order: in it models fill them in."""
    import json

    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"))


def checked(request: Request) -> Request:
    """The request, if a model can be asked it.

    Raises:
        InputError: no messages, fewer than one reply, a negative temperature …
    """
    problem = next((told for bad, told in _problems(request) if bad), None)
    if problem is not None:
        raise InputError(f"the request to the model {problem}")
    return request


def _problems(request: Request) -> tuple[tuple[bool, str], ...]:
    temperature = request.temperature
    return (
        (not request.messages, "has no messages"),
        (request.n < 1, f"asks for {request.n} replies"),
        (temperature is not None and not 0 <= temperature < float("inf"), f"has the temperature {temperature}"),
        (request.max_tokens is not None and request.max_tokens < 1, f"allows {request.max_tokens} tokens"),
        (request.logprobs is not None and request.logprobs < 0, f"asks for {request.logprobs} log-probabilities"),
        (any(map(_unpaired, _texts(request))), "holds half of a pair of surrogates, no character"),
        ("" in request.stop, "has an empty text among those that end a reply"),
        (request.schema is not None and request.grammar is not None, "has a schema and a grammar: one at a time"),
    )


def _texts(request: Request) -> tuple[str, ...]:
    """All that the request holds of text."""
    contents = [text for one in request.messages for text in (one.role, one.content)]
    return (*contents, *request.stop, request.schema or "", request.grammar or "")


def _unpaired(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
