"""Replies kept in a file, by everything that they depend on: the whole request, and who was asked.

A kept reply costs nothing; the tokens that it cost once are counted apart. Two equal requests at the same time are sent
once.
"""

from __future__ import annotations

import hashlib
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from pylf.backends.http.turns import Turns, renewed_in_forks
from pylf.backends.patience import left
from pylf.backends.text_cache import TextCache, in_cache_folder
from pylf.errors import EngineTimeout
from pylf.models.chat.background import look
from pylf.models.chat.errors import out_of_time
from pylf.models.chat.protocol import Completion, Usage
from pylf.models.chat.written import kept_of, kept_text, request_data, text_of

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from pylf.models.chat.protocol import Chat, Request

#: the file's name in the cache folder; the number changes with what is written
FILE = "replies-1.sqlite"
#: bytes that are kept
LIMIT = 1_000_000_000


class Cached:
    """A chat that asks the one within only what is not kept. ``path`` None: the file :data:`FILE` in the user's cache
    folder (``$PYLF_CACHE``), nothing is kept where there is none. What went wrong with the file is in ``remarks``."""

    def __init__(self, chat: Chat, path: str | os.PathLike[str] | None = None, limit: int = LIMIT) -> None:
        self._chat = chat
        self._texts = TextCache(in_cache_folder(FILE) if path is None else path, limit, "replies")
        self.renew()
        renewed_in_forks(self)
        self.model = chat.model
        self.identity = chat.identity

    def renew(self) -> None:
        """Nobody asks: those who do belong to the process that this one is a fork of."""
        self._lock = threading.Lock()
        #: by key: the turns of those who ask for it now
        self._asking: WeakValueDictionary[str, Turns] = WeakValueDictionary()

    @property
    def remarks(self) -> list[str]:
        """What went wrong with the file so far, a sentence each."""
        return self._texts.remarks

    def complete(self, request: Request) -> Completion:
        """The kept replies, or those of the chat within, which are kept then: as many as that gives.

        Raises:
            ChatError: as the chat within; errors are not kept.
        """
        started = time.monotonic()
        key = key_of(self.identity, request)
        with self._alone(key):
            kept = self._texts.read(key, kept_of)
            if kept is None or not kept.replies:
                done = self._chat.complete(request)
                self._texts.write(key, kept_text(done))
                return done
        usage = Usage(
            cached_calls=1,
            cached_prompt=kept.prompt,
            cached_completion=kept.completion,
            seconds=time.monotonic() - started,
        )
        return Completion(kept.replies, usage, True, kept.model)

    def close(self) -> None:
        """Close the file; it opens again when it is used."""
        self._texts.close()

    @contextmanager
    def _alone(self, key: str) -> Iterator[None]:
        """Nobody else asks for this now."""
        with self._lock:
            turns = self._asking.get(key)
            if turns is None:
                turns = self._asking[key] = Turns(1)
        try:
            turn = turns.take(_left)
        except EngineTimeout:
            raise out_of_time() from None
        try:
            yield
        finally:
            turn.give_back()


def _left() -> float:
    """How long this thread may wait for another one's reply."""
    look()
    return left()


def key_of(identity: str, request: Request) -> str:
    """A hash of all that the replies depend on."""
    return hashlib.sha256(f"{identity}\n{text_of(request_data(request))}".encode()).hexdigest()
