"""A chat with everything around it, from settings."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Self

from pylf.backends.patience import within
from pylf.models.chat.budget import Budgeted, checked_budget
from pylf.models.chat.cached import Cached
from pylf.models.chat.counted import Counted
from pylf.models.chat.logged import Logged
from pylf.models.chat.openai_chat import OpenAIChat
from pylf.models.chat.protocol import checked
from pylf.models.chat.retrying import Retrying
from pylf.models.chat.sampled import Sampled
from pylf.models.chat.settings import LOCAL, ChatSettings, checked_settings

if TYPE_CHECKING:
    from types import TracebackType

    from pylf.models.chat.protocol import Chat, Completion, Request, Usage


class OpenChat:
    """A chat in which, from within: the model, its budget (each try counts), retries, the cache (what is kept costs no
    budget), all n replies (which the cache keeps as they come), the log, and the sum of it all. Close it, or use it as
    a context manager.

    ``spent``: what the run that goes on had spent before. ``base`` is asked in the place of what ``settings`` name.
    """

    def __init__(self, settings: ChatSettings, spent: Usage | None = None, base: Chat | None = None) -> None:
        checked_settings(settings)
        checked_budget(settings.budget, settings.prices is not None)
        with ExitStack() as opened:
            if base is None and settings.address == LOCAL:
                settings, base = _local(settings, opened)
            elif base is None:
                base = _asking(settings, opened)
            self.settings = settings
            self._budgeted = Budgeted(base, settings.budget, spent)
            self._cache: Cached | None = None
            chat: Chat = Retrying(self._budgeted, settings.limits)
            if settings.cache != "":
                chat = self._cache = Cached(chat, settings.cache)
                opened.callback(self._cache.close)
            chat = Sampled(chat, settings.samples_at_once)
            if settings.log is not None:
                chat = log = Logged(chat, settings.log)
                opened.callback(log.close)
            self._counted = Counted(chat)
            self._opened = opened.pop_all()
        self.model = base.model
        self.identity = base.identity

    @property
    def usage(self) -> Usage:
        """What this chat cost so far; its calls in the log add up to it."""
        return self._counted.usage

    @property
    def spent(self) -> Usage:
        """What has gone of the budget."""
        return self._budgeted.spent

    @property
    def remarks(self) -> tuple[str, ...]:
        """What went wrong with the cache, a sentence each."""
        return () if self._cache is None else tuple(self._cache.remarks)

    def complete(self, request: Request) -> Completion:
        """Exactly as many replies as are asked for.

        Raises:
            ChatError: as :mod:`pylf.models.chat.errors` tells them apart; says what was spent.
            InputError: the request cannot be put, a package is not installed, the log cannot be written.
        """
        checked(request)
        with within(self.settings.limits.total):  # also over the requests for samples that did not come at once
            return self._counted.complete(request)

    def close(self) -> None:
        """Close files and connections, and end the server that was started."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_chat(settings: ChatSettings, spent: Usage | None = None, base: Chat | None = None) -> OpenChat:
    """The model that settings name, with everything around it; as :class:`OpenChat`.

    Raises:
        InputError: an address, a key, a file, or a package that is needed and not there; a budget that cannot be kept.
    """
    return OpenChat(settings, spent, base)


def _asking(settings: ChatSettings, opened: ExitStack) -> OpenAIChat:
    chat = OpenAIChat(settings)
    opened.callback(chat.close)
    return chat


def _local(settings: ChatSettings, opened: ExitStack) -> tuple[ChatSettings, Chat]:
    """A server that is started for this chat, and what asks it. The model's name is a GGUF file, or the usual one's."""
    from pylf.models.chat.local import Serving, local_settings
    from pylf.models.chat.server_process import Upheld, served_by_process

    file = settings.model if settings.model.endswith(".gguf") else None
    how = Serving(file, threads=settings.threads, parallel=min(settings.at_once, 4))
    server = opened.enter_context(served_by_process(how))
    settings = local_settings(settings, server.served)
    return settings, Upheld(_asking(settings, opened), server)
