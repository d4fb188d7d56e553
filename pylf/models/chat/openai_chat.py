"""A model behind an address that speaks OpenAI's interface, asked with the ``openai`` package (extra ``llm``).

One call of :meth:`OpenAIChat.complete` sends one request, once: sending again is the retry layer's, and so the
package's own retries are off. Three limits hold: for connecting, for the longest silence, and for all of it, which also
ends what a server draws out byte by byte (case 47).
"""

from __future__ import annotations

import importlib
import os
import threading
import time
import urllib.parse
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pylf.backends.http.credentials import Credentials
from pylf.backends.http.turns import Turns, renewed_in_forks
from pylf.backends.patience import lasting, until
from pylf.errors import EngineTimeout, InputError
from pylf.models.chat.background import BACKGROUND, look
from pylf.models.chat.complaints import complaint
from pylf.models.chat.errors import ChatError, Silent, Unanswered, charge, out_of_time
from pylf.models.chat.protocol import Completion, Request, Usage, checked
from pylf.models.chat.reading import read_completion
from pylf.models.chat.settings import OPENAI, checked_settings
from pylf.models.chat.written import text_of
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping

    from pylf.backends.patience import Limit
    from pylf.models.chat.settings import ChatSettings

#: bytes of a response; beyond, it is no completion
_MOST_BYTES = 1 << 26
#: … that are read of one that says why there is none
_MOST_COMPLAINT = 1 << 16
#: no limit is longer, whatever is said
_LONGEST = 86_400.0
_OPENAI_KEY = "OPENAI_API_KEY"


class OpenAIChat:
    """A model at an address. ``environment`` is where the key is looked for (the process's own)."""

    def __init__(self, settings: ChatSettings, environment: Mapping[str, str] | None = None) -> None:
        self._settings = checked_settings(settings)
        self._address = checked_address(settings.address)
        self._key = _key(settings, self._address, os.environ if environment is None else environment)
        self._credentials = None if self._key is None else Credentials(f"Bearer {self._key}", "the key")
        self._turns = Turns(settings.at_once)
        self.renew()
        renewed_in_forks(self)
        self.model = settings.model
        where = self._address if settings.known_as is None else settings.known_as
        loose = {} if settings.strict_schemas else {"strict_schemas": False}
        self.identity = text_of({"model": self.model, "at": where, **loose})

    def renew(self) -> None:
        """There are no connections: those that are belong to the process that this one is a fork of."""
        self._lock = threading.Lock()
        self._client: tuple[object, Any] | None = None

    def complete(self, request: Request) -> Completion:
        """The replies of one request: at most as many as are asked for.

        Raises:
            ChatError: as :mod:`pylf.models.chat.errors` tells them apart.
            InputError: the request cannot be put, or the package ``openai`` is not installed.
        """
        body = self._body(checked(request))
        openai = package()
        limit = until(self._settings.limits.total)

        def left() -> float:
            look()
            return limit.left()

        try:
            turn = self._turns.take(left)
            try:
                return self._sent(openai, body, limit, request)
            finally:
                turn.give_back()
        except ChatError:
            raise
        except EngineTimeout:  # before anything was sent
            raise out_of_time(limit.seconds) from None

    def close(self) -> None:
        """Close the connections; they open again when they are needed."""
        with self._lock:
            kept, self._client = self._client, None
        if kept is not None and kept[0] is BACKGROUND.loop():
            BACKGROUND.run(kept[1].close, 5.0)

    # --- sending --------------------------------------------------------------------------------------------------

    def _sent(self, openai: Any, body: dict[str, Any], limit: Limit, request: Request) -> Completion:
        started = time.monotonic()
        left = min(limit.left(), _LONGEST)
        client = self._opened(openai)
        limits = self._settings.limits
        timeout = openai.Timeout(limits.read, connect=limits.connect, pool=None)

        async def work() -> bytes:
            create: Any = client.chat.completions.with_streaming_response.create
            async with create(**body, timeout=timeout) as response:
                received, whole = await _read(response.iter_bytes(), _MOST_BYTES)
                if not whole:  # and would be the next time: it is not asked for again
                    raise ChatError(f"the model's server sends more than {_MOST_BYTES:,} bytes")
                return received

        with self._told(openai, limit, started):
            data = BACKGROUND.run(work, left)
            sent = Usage(calls=1, seconds=time.monotonic() - started)
            found = read_completion(data, sent, self.model, self._settings.prices)
        return replace(found, replies=found.replies[: request.n])

    @contextmanager
    def _told(self, openai: Any, limit: Limit, started: float) -> Iterator[None]:
        """What the package raises within, as an error of ours, without the key, whatever the server repeats."""
        silence = f"the model's server was silent for {lasting(self._settings.limits.read)} (the read limit)"
        try:
            yield
        except ChatError as problem:
            if not problem.usage.calls:
                problem.usage = Usage(calls=1, unstated=1, seconds=time.monotonic() - started)
            problem.args = tuple([self._hidden(str(one)) for one in problem.args])
            raise
        except TimeoutError:
            raise out_of_time(limit.seconds, _unknown(started)) from None
        except _Refused as problem:
            raise self._complaint(problem, started) from None
        except openai.APITimeoutError as problem:
            if type(problem.__cause__).__name__ == "ConnectTimeout":
                told = f"the model's server cannot be reached within {lasting(self._settings.limits.connect)}"
                raise Silent(f"{told} (the connect limit)", _unbilled(started)) from None
            raise Silent(silence, _unknown(started)) from None
        except openai.APIConnectionError as problem:
            if isinstance(problem.__cause__, _Refused):  # as earlier versions of the package have it
                raise self._complaint(problem.__cause__, started) from None
            if type(problem.__cause__).__name__ == "ConnectError":
                told = self._hidden(f"the model's server cannot be reached: {problem.__cause__}")
                raise Unanswered(told, _unbilled(started)) from None
            raise Unanswered("the model's server died in the middle", _unknown(started)) from None
        except openai.OpenAIError as problem:
            raise Unanswered(self._hidden(f"the model cannot be asked: {problem}"), _unknown(started)) from None
        except _transport_errors(openai) as problem:
            if type(problem).__name__.endswith("Timeout"):
                raise Silent(silence, _unknown(started)) from None
            raise Unanswered("the model's server died in the middle of its reply", _unknown(started)) from None
        except BaseException as problem:  # Ctrl-C, or what sends was given up: it may have been sent
            charge(problem, _unknown(started))
            raise

    def _complaint(self, refused: _Refused, started: float) -> ChatError:
        import json

        try:
            body: object = json.loads(refused.text, strict=False)
        except (ValueError, RecursionError):
            body = refused.text
        found = complaint(refused.status, refused.headers, body, _unbilled(started))
        found.args = tuple([self._hidden(str(one)) for one in found.args])
        return found

    def _opened(self, openai: Any) -> Any:
        """The client, on the loop that runs now; its connections belong to that loop."""
        loop = BACKGROUND.loop()
        with self._lock:
            if self._client is None or self._client[0] is not loop:
                # an organization of the environment is OpenAI's own, and told to nobody else
                names = () if self._address == OPENAI else ("OpenAI-Organization", "OpenAI-Project")
                own = {name: openai.Omit() for name in names}
                client = openai.AsyncOpenAI(
                    api_key=self._key or "none",
                    base_url=self._address,
                    max_retries=0,
                    default_headers=own,
                    http_client=openai.DefaultAsyncHttpxClient(event_hooks={"response": [_looked_at]}),
                )
                self._client = loop, client
            return self._client[1]

    def _body(self, request: Request) -> dict[str, Any]:
        """The request as OpenAI's interface has it; what is None is left out."""
        limited = self._settings.token_limit or ("max_completion_tokens" if self._address == OPENAI else "max_tokens")
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": one.role, "content": one.content} for one in request.messages],
            "n": request.n if request.n > 1 else None,
            "temperature": request.temperature,
            "seed": request.seed,
            "stop": list(request.stop) or None,
            limited: request.max_tokens,
        }
        if request.logprobs is not None:
            body |= {"logprobs": True, "top_logprobs": request.logprobs or None}
        if request.schema is not None:
            body["response_format"] = {"type": "json_schema", "json_schema": self._schema(request.schema)}
        if request.grammar is not None:
            if not self._settings.grammars:
                raise InputError("the request has a grammar, and the model's settings do not say that it takes any")
            body["extra_body"] = {"grammar": request.grammar}
        return {name: value for name, value in body.items() if value is not None}

    def _schema(self, text: str) -> dict[str, Any]:
        import json

        try:
            schema = json.loads(text)
        except (ValueError, RecursionError):
            raise InputError("the schema of the request is no JSON") from None
        return {"name": "reply", "strict": self._settings.strict_schemas, "schema": schema}

    def _hidden(self, text: str) -> str:
        return text if self._credentials is None else self._credentials.hidden(text)


class _Refused(Exception):
    """A response with a status that is none of success, as much of its text as is read, and its headers."""

    def __init__(self, status: int, headers: Mapping[str, str], text: str) -> None:
        super().__init__(status)
        self.status = status
        self.headers = headers
        self.text = text


async def _looked_at(response: Any) -> None:
    """Raises:
    _Refused: the response is no success. The package would read all of it, however long, and follow a redirect to
        whatever address, with all messages.
    """
    if response.is_success:
        return
    data, _ = await _read(response.aiter_bytes(), _MOST_COMPLAINT)
    text = data.decode("utf-8", "replace")
    if response.has_redirect_location:
        text = f"what is asked for is at another address, {response.headers['location']}"
    raise _Refused(response.status_code, response.headers, text)


async def _read(pieces: AsyncIterator[bytes], most: int) -> tuple[bytes, bool]:
    """What comes, up to so many bytes, and whether that is all."""
    received = bytearray()
    async for piece in pieces:
        received += piece
        if len(received) > most:
            return bytes(received[:most]), False
    return bytes(received), True


def package() -> Any:
    """The package ``openai``.

    Raises:
        InputError: it is not installed.
    """
    try:
        return importlib.import_module("openai")
    except ModuleNotFoundError:
        raise InputError("asking a model needs the package openai: pip install 'pylf-kgqa[llm]'") from None


def checked_address(address: str) -> str:
    """The base of a server's addresses, without a slash at its end.

    Raises:
        InputError: it is none, or holds a user name, a query or a fragment.
    """
    try:
        parts = urllib.parse.urlsplit(address)
        fine = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise InputError(f"{address!r} is no address of a model's server") from None
    if not fine:
        raise InputError(f"{address!r} is no address of a model's server; one is like http://127.0.0.1:8642/v1")
    if parts.username is not None or parts.query or parts.fragment:
        raise InputError("the address of a model's server holds more than a host and a path: keys stand elsewhere")
    return address.rstrip("/")


def _key(settings: ChatSettings, address: str, environment: Mapping[str, str]) -> str | None:
    """The key that was named for this address; None for none."""
    name = settings.key or (_OPENAI_KEY if address == OPENAI else None)
    if name is None:
        return None
    value = environment.get(name, "")
    if not value:
        raise InputError(f"{address}: its key is looked for in the environment as {name}, and there is none")
    if not (value.isascii() and value.isprintable()) or " " in value:
        raise InputError(f"{name} holds a character that no key has")
    return value


def _transport_errors(openai: Any) -> type[Exception]:
    """The base of the errors of the HTTP library that the package uses: httpx, or its successor."""
    names = [base.__module__.partition(".")[0] for base in openai.DefaultAsyncHttpxClient.__mro__]
    library = importlib.import_module(next(name for name in names if name.startswith("httpx")))
    found: type[Exception] = library.HTTPError
    return found


def _unknown(started: float) -> Usage:
    """The usage of a request that was sent, and may have been billed."""
    return Usage(calls=1, unstated=1, seconds=time.monotonic() - started)


def _unbilled(started: float) -> Usage:
    """… of one that was refused, or never arrived."""
    return Usage(calls=1, seconds=time.monotonic() - started)
