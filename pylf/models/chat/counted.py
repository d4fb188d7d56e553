"""What calls cost, added up: of a run, or of one question of it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from pylf.models.chat.errors import cost_of
from pylf.models.chat.protocol import Usage

if TYPE_CHECKING:
    from pylf.models.chat.protocol import Chat, Completion, Request


class Counted:
    """A chat that adds up the usage of all its calls, failed ones too. One around another counts a part of a run: what
    it cost is known even where it was given up."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._lock = threading.Lock()
        self._usage = Usage()
        self.model = chat.model
        self.identity = chat.identity

    @property
    def usage(self) -> Usage:
        """The sum so far."""
        with self._lock:
            return self._usage

    def complete(self, request: Request) -> Completion:
        """As the chat within."""
        used = Usage()
        try:
            done = self._chat.complete(request)
            used = done.usage
        except BaseException as problem:
            used = cost_of(problem)
            raise
        finally:
            with self._lock:
                self._usage += used
        return done
