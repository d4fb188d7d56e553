"""What a server's refusal means: wait, give up, or mend the request. Quota is told from rate limit here.

Both come with status 429. What is used up says so by its code (``insufficient_quota``), or comes with status 402; or
says so in words, and not when to ask again. Everything else is a matter of waiting.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pylf.backends.http.retry import retry_after
from pylf.errors import first_line
from pylf.models.chat.errors import ChatError, ChatRefused, QuotaSpent, RateLimited, Unanswered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.models.chat.protocol import Usage

#: codes and types of errors that say that no waiting helps
_SPENT = frozenset(
    (
        *("insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance"),
        *("insufficient_credits", "credit_balance_too_low", "access_terminated"),
    )
)
#: … and words, where no code tells
_SPENT_WORDS = re.compile(
    r"insufficient[_ ](?:quota|balance|credits?|funds)|credit balance is too low|out of credits|billing hard limit"
    r"|check your plan and billing",
    re.IGNORECASE,
)
#: … which status 400 comes with, and none that a request might hold
_REFUSED_WORDS = re.compile(r"credit balance is too low", re.IGNORECASE)
#: when to ask again, where a text says it: "retry in 12.5s", "try again in 6m0s", "retry after 20 seconds"
_AGAIN = re.compile(
    r"\b(?:re)?try(?:ing)?(?:\s+again)?\s+(?:in|after)\s+(?:about\s+)?((?:\d{1,9}(?:\.\d{1,9})?\s*[a-z]{1,12}\s*)+)",
    re.IGNORECASE,
)
_LENGTH = re.compile(
    r"(\d{1,9}(?:\.\d{1,9})?)\s*(ms|milliseconds?|s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?)(?![a-z])"
)
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0}
#: request time-out, conflict, locked, too early: the same request may be taken later
_LATER = frozenset({408, 409, 423, 425})
_LONGEST_TOLD = 400


def complaint(status: int, headers: Mapping[str, str], body: object, usage: Usage | None = None) -> ChatError:
    """The error for a response that is none. ``body`` is its JSON, or its text; ``usage`` what was sent for it."""
    code, words = _said(body)
    told = f"the model's server answers with status {status}" + (
        f": {first_line(words.strip(), _LONGEST_TOLD)}" if words else ""
    )
    after = _asked_to_wait(headers, words)
    if status == 402 or code in _SPENT or (after is None and _is_spent(status, words)):
        return QuotaSpent(f"{told} (the quota is used up: waiting does not help)", usage)
    if status == 429:
        return RateLimited(told, usage, after)
    if status in _LATER or status >= 500:
        return Unanswered(told, usage, after)
    return ChatRefused(told, usage)


def complaint_within(body: dict[str, Any], usage: Usage) -> ChatError | None:
    """The error that a response with status 200 holds in the place of replies, as gateways send it; None for none."""
    error = body.get("error")
    if not error:
        return None
    code = error.get("code") if isinstance(error, dict) else None
    stated = str(code)
    status = int(stated) if re.fullmatch(r"[45][0-9]{2}", stated) else 502
    return complaint(status, {}, error, usage)


def _is_spent(status: int, words: str) -> bool:
    if status == 400:
        return _REFUSED_WORDS.search(words) is not None
    return status in {403, 429} and _SPENT_WORDS.search(words) is not None


def _said(body: object) -> tuple[str, str]:
    """The code (or type) of an error, and its message. Some servers send a list of errors, or the code alone."""
    if isinstance(body, list) and body:
        body = body[0]
    if isinstance(body, dict):
        inner = body.get("error", body)
        if isinstance(inner, dict):
            kinds = [str(inner.get(name) or "").lower() for name in ("code", "type")]
            code = next((kind for kind in kinds if kind in _SPENT), kinds[0])
            return code, str(inner.get("message") or "")
        body = str(inner)
    return (body.strip().lower(), body) if isinstance(body, str) else ("", "")


def _asked_to_wait(headers: Mapping[str, str], words: str) -> float | None:
    """Seconds, by ``Retry-After-Ms`` or ``Retry-After``; or by the text, where no header says any."""
    exact = headers.get("retry-after-ms", "")
    if exact.isdecimal() and len(exact) < 12:
        return int(exact) / 1_000
    stated = retry_after(headers.get("retry-after"))
    return _told_to_wait(words) if stated is None else stated


def _told_to_wait(words: str) -> float | None:
    """The seconds after which a text says to ask again."""
    found = _AGAIN.search(words)
    lengths = [] if found is None else _LENGTH.findall(found[1].lower())
    if not lengths:
        return None
    return retry_after(f"{sum([float(number) * _unit(unit) for number, unit in lengths]):.3f}")


def _unit(unit: str) -> float:
    return _SECONDS[unit if unit == "ms" else "ms" if unit.startswith("milli") else unit[0]]
