"""Texts in which a model refuses, where the server does not say so. Looked at only once nothing can be read."""

from __future__ import annotations

import re

#: how a refusal begins, in the words of common models
_REFUSAL = re.compile(
    r"\W*(?:(?:i(?:'m| am)|we(?:'re| are)) (?:very |so |really )?sorry|sorry[,.]|i apologi[sz]e"
    r"|unfortunately[,.]? i|as an ai\b"
    r"|i (?:can(?:no|')t|can not|won't|will not|do not|don't|am unable to|am not able to|must decline)\b"
    r"|i'm (?:unable|not able) to\b)",
    re.IGNORECASE,
)
#: what is refused is said soon
_WITHIN = 200
_CANNOT = re.compile(
    r"\b(?:can(?:no|')t|can not|won't|will not|unable|not able|decline|do(?:es)? not (?:know|have)"
    r"|don't (?:know|have))\b",
    re.IGNORECASE,
)


def is_refusal(text: str) -> bool:
    """Whether a text begins as refusals do, and says within its first sentences that something cannot be done."""
    beginning = text.lstrip()[:_WITHIN].replace("’", "'")
    return _REFUSAL.match(beginning) is not None and _CANNOT.search(beginning) is not None
