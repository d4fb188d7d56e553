"""Credentials for an endpoint's host: from the environment, or from netrc. They are sent, and shown nowhere.

``PYLF_ENDPOINT_HOST`` names the host (with its port where that matters) that ``PYLF_ENDPOINT_USER`` and
``PYLF_ENDPOINT_PASSWORD``, or ``PYLF_ENDPOINT_TOKEN``, are meant for: no other host is sent them. Without these, the
host's entry in ``$NETRC`` or ``~/.netrc`` is taken, from a file that others can neither read nor write; netrc's
``default`` entry is not.
"""

from __future__ import annotations

import os
import urllib.parse
from typing import TYPE_CHECKING

from pylf.errors import InputError, reason

if TYPE_CHECKING:
    from collections.abc import Mapping

#: characters of a secret's beginning that may be anything; … of a whole one, that it is looked for
_LEAST_SHOWN = 5
_LEAST_SOUGHT = 4
_HOST, _USER, _PASSWORD, _TOKEN = (f"PYLF_ENDPOINT_{name}" for name in ("HOST", "USER", "PASSWORD", "TOKEN"))


class Credentials:
    """A value of the header ``Authorization``, which does not show itself. ``who`` says whose it is, in messages."""

    __slots__ = ("_secrets", "_value", "who")

    def __init__(self, value: str, who: str, password: str = "") -> None:
        self._value = value
        secrets = (value.partition(" ")[2], password)
        self._secrets = tuple(secret for secret in secrets if len(secret) >= _LEAST_SOUGHT)
        self.who = who

    def header(self) -> str:
        """What is sent."""
        return self._value

    def mark(self, salt: str) -> str:
        """What tells these credentials from others: a hash of whose they are, and of a token, which names nobody, of
        itself; no password is in it."""
        import hashlib

        token = self._value if self._value.startswith("Bearer ") else ""
        return hashlib.sha256(f"pylf caller\0{salt}\0{self.who}\0{token}".encode()).hexdigest()

    def hidden(self, text: str) -> str:
        """A text without the credentials, where a server repeats them: whole, or as far as it, too, was cut."""
        for secret in self._secrets:
            text = text.replace(secret, "…")
            for length in range(min(len(secret) - 1, len(text)), _LEAST_SHOWN, -1):
                if text.removesuffix("…").endswith(secret[:length]):
                    text = f"{text.removesuffix('…')[:-length]}…"
                    break
        return text

    def __repr__(self) -> str:
        return "Credentials(…)"

    def __reduce__(self) -> str:
        raise TypeError("credentials are not written down")


def credentials_for(url: str, environment: Mapping[str, str] | None = None) -> Credentials | None:
    """The credentials meant for the host of this address; None where there are none.

    Raises:
        InputError: the environment names some without saying for which host, or half of a pair; netrc cannot be read.
    """
    environment = os.environ if environment is None else environment
    parts = urllib.parse.urlsplit(url)
    stated = _stated(environment)
    if stated is not None and _means(environment.get(_HOST, ""), parts):
        return stated
    return _from_netrc(parts.hostname or "", environment)


def basic(user: str, password: str) -> str:
    """A header's value for a user name and a password (RFC 7617)."""
    import base64

    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode("ascii")


def _stated(environment: Mapping[str, str]) -> Credentials | None:
    user, password, token = (environment.get(name) or None for name in (_USER, _PASSWORD, _TOKEN))
    if user is None and password is None and token is None:
        return None
    if not environment.get(_HOST):
        raise InputError(f"{_TOKEN if token else _USER} is set, but not {_HOST}: name the host that it is meant for")
    if token is not None:
        if not (token.isascii() and token.isprintable()) or " " in token:
            raise InputError(f"{_TOKEN} holds a character that no token has")
        return Credentials(f"Bearer {token}", "the token")
    if user is None or password is None:
        raise InputError(f"of {_USER} and {_PASSWORD} only one is set")
    if ":" in user:
        raise InputError(f"{_USER} holds a colon, which HTTP cannot send in a user name")
    return Credentials(basic(user, password), f"user {user!r}", password)


def _means(stated: str, parts: urllib.parse.SplitResult) -> bool:
    """Whether ``host`` or ``host:port`` is that of an address."""
    host = (parts.hostname or "").lower()
    port = parts.port or (443 if parts.scheme == "https" else 80)
    bare = f"[{host}]" if ":" in host else host
    return stated.strip().lower() in {host, bare, f"{bare}:{port}"}


def _from_netrc(host: str, environment: Mapping[str, str]) -> Credentials | None:
    named = environment.get("NETRC")
    path = named or os.path.join(os.path.expanduser("~"), ".netrc")  # noqa: PTH111, PTH118
    if not os.path.isfile(path):  # noqa: PTH113
        return None
    import netrc

    try:
        found = netrc.netrc(path).hosts.get(host)
    except netrc.NetrcParseError as error:
        # the message may quote the file; its line is enough
        raise InputError(f"{path}: line {error.lineno} is not as netrc has it") from None
    except OSError as error:
        raise InputError(f"{path}: {reason(error)}") from None
    except ValueError:
        raise InputError(f"{path}: not in UTF-8") from None
    if found is None or not found[2]:
        return None
    _checked_private(path)
    user = found[0] or found[1] or ""
    return Credentials(basic(user, found[2]), f"user {user!r}", found[2])


def _checked_private(path: str) -> None:
    """Raises:
    InputError: others than its owner can read or write the file.
    """
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116
    except OSError as error:
        raise InputError(f"{path}: {reason(error)}") from None
    if os.name == "posix" and mode & 0o066:
        raise InputError(
            f"{path}: others than you can read or write it, so no password is taken from it: chmod 600 {path}"
        )
