"""When a query is sent again, when that has to wait, and when no more is sent.

There is one layer of retries, and one gate per client: whatever an endpoint says about waiting holds for all that the
client sends, on every thread.
"""

from __future__ import annotations

import random
import re
import threading
import time
from typing import TYPE_CHECKING

from pylf.backends.patience import lasting
from pylf.errors import EngineRefused, EngineTimeout

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.backends.http.transport import Deadline

#: too many requests; a gateway without an answer from the server behind it; overloaded; a gateway's patience ended
RETRIED = frozenset({429, 502, 503, 504})

#: a "Retry-After: 0" is no leave to ask at once
LEAST_WAIT = 0.5
#: the pause before the second try where the endpoint names none; doubled for each further one
_FIRST_WAIT = 0.5
_LONGEST_WAIT = 30.0
_DAY = 86_400.0
#: no endpoint is waited for longer
_YEAR = 366 * _DAY

#: words for a ban, and others that a page may have for one
_BAN = re.compile(r"\b(?:banned|ban|blacklisted|denylisted)\b", re.IGNORECASE)
_PERHAPS_BAN = re.compile(r"\bblocked\b|too many requests|rate.limit", re.IGNORECASE)
_UNTIL = re.compile(r"until\s+(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?)\s*(Z|[+-]\d\d:?\d\d)?", re.IGNORECASE)
_FOR = re.compile(r"\b(\d{1,6})[\s-]*(seconds?|secs?|s|minutes?|mins?|hours?|hrs?|h|days?)\b", re.IGNORECASE)
_UNITS = {"s": 1.0, "m": 60.0, "h": 3_600.0, "d": _DAY}


class Gate:
    """Holds back what is sent to an endpoint until the endpoint takes it again.

    ``what`` is sent, in messages. ``now`` (monotonic), ``pause`` and ``jitter`` (a number from 0 to 1) are the clock,
    which tests wind.
    """

    def __init__(self, what: str = "query") -> None:
        self._what = what
        self.now: Callable[[], float] = time.monotonic
        self.pause: Callable[[float], None] = time.sleep
        self.jitter: Callable[[], float] = random.random
        self._lock = threading.Lock()
        self._until = 0.0
        self._why = ""

    def pass_through(self, deadline: Deadline) -> None:
        """Return when the endpoint may be asked.

        Raises:
            EngineRefused: it may not before the deadline; nothing is sent.
        """
        while True:
            with self._lock:
                wait, why = self._until - self.now(), self._why
            if wait <= 0:
                return
            if wait >= deadline.left():
                raise EngineRefused(f"{why}: it takes no {self._what} for another {lasting(wait)}, and none was sent")
            self.pause(wait)

    def shut(self, seconds: float, why: str) -> None:
        """Nothing is sent for so long."""
        with self._lock:
            until = self.now() + seconds
            if until > self._until:
                self._until, self._why = until, why

    def wait_for_try(
        self, tried: int, asked: float | None, why: str, deadline: Deadline, refused: bool = False
    ) -> None:
        """The pause before the next try. ``tried`` are the tries so far, ``asked`` what the endpoint asks to wait,
        ``refused`` that it said not to take the query now.

        Raises:
            EngineRefused: what it asks for is longer than what is left; so is our own pause, and it refused.
            EngineTimeout: our own pause is, and it did not.
        """
        if asked is not None:
            wait = max(asked, LEAST_WAIT)
            self.shut(wait, why)
            if wait >= deadline.left():
                raise EngineRefused(
                    f"{why}: it asks to wait {lasting(wait)}, and {lasting(deadline.seconds)} are all there is"
                )
            # all threads wait for the same moment: they should not come back at the same one
            spread = self.jitter() * min(1.0, wait / 4)
            self.pause(wait + spread if wait + spread < deadline.left() else wait)
            return
        wait = min(_FIRST_WAIT * 2 ** (tried - 1), _LONGEST_WAIT) * (0.5 + self.jitter() / 2)
        if wait >= deadline.left():
            problem = EngineRefused if refused else EngineTimeout
            raise problem(f"{why}, and of {lasting(deadline.seconds)} too few are left to try again")
        self.pause(wait)


def retry_after(value: str | None) -> float | None:
    """The seconds that a header ``Retry-After`` stands for (a number, or an HTTP date); None for none, or nonsense."""
    if not value:
        return None
    value = value.strip()
    if value.replace(".", "", 1).isdecimal():
        return min(float(value), _YEAR)
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(value)
        return min(max(0.0, moment.timestamp() - time.time()), _YEAR)
    except (ValueError, OverflowError, TypeError):
        return None


def is_ban(text: str) -> bool:
    """Whether a page speaks of a ban, and of nothing less."""
    return _BAN.search(text) is not None


def ban(text: str, asked: float | None) -> float | None:
    """How long a page that comes with status 403 bans its caller, in seconds; None where it speaks of no ban.

    A ban of no stated length is taken for a day.
    """
    if asked is not None:
        return max(asked, LEAST_WAIT)
    if not is_ban(text) and not _PERHAPS_BAN.search(text):
        return None
    if until := _UNTIL.search(text):
        from datetime import UTC, datetime

        zone = (until[2] or "Z").upper().replace("Z", "+00:00")
        try:
            moment = datetime.fromisoformat(until[1].replace(" ", "T") + zone)
            return min(max(LEAST_WAIT, (moment - datetime.now(UTC)).total_seconds()), _YEAR)
        except (ValueError, OverflowError):
            return _DAY
    if lasts := _FOR.search(text):
        return min(max(LEAST_WAIT, int(lasts[1]) * _UNITS[lasts[2][0].lower()]), _YEAR)
    return _DAY
