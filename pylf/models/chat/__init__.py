"""Chat models: one protocol, and what stands around whatever speaks it.

``protocol`` says what a request, a reply and their cost are, ``errors`` what can come instead. ``openai_chat`` asks an
address that speaks OpenAI's interface, ``local`` starts one on this machine, ``scripted`` replies by a rule. Around
them, each a chat itself: ``budget`` (calls, tokens, money), ``retrying`` (the one layer that sends again), ``sampled``
(all n replies, however many a server gives at once), ``cached``, ``logged`` and ``counted``. ``opening.open_chat`` puts
them together, from ``settings``. Requests are tasks of ``background``, which Ctrl-C ends; ``together`` makes several
calls at the same time.
"""

from __future__ import annotations

from pylf.models.chat.errors import BudgetSpent, ChatError, ChatRefused, ChatTimeout, QuotaSpent, RateLimited
from pylf.models.chat.opening import open_chat
from pylf.models.chat.protocol import Chat, Completion, Finish, Message, Reply, Request, Usage, asked, schema_text
from pylf.models.chat.scripted import Scripted
from pylf.models.chat.settings import ChatSettings

__all__ = [
    "open_chat", "ChatSettings", "Chat", "Request", "Message", "asked", "schema_text", "Completion", "Reply", "Finish",
    "Usage", "Scripted", "ChatError", "ChatTimeout", "ChatRefused", "RateLimited", "QuotaSpent", "BudgetSpent",
]  # fmt: skip
