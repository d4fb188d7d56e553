"""A line of JSON for every call, whatever came of it; their usages add up to what the run cost (case 48).

A line holds ``time`` (UTC), ``model``, ``identity``, ``request``, and either ``replies`` with ``cached`` or ``error``
with ``status``; and ``usage``, without what is 0. It is written whole and at once. A line that an earlier run left half
written is ended, and stands for nothing.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

from pylf.errors import EngineError, InputError, reason
from pylf.models.chat.errors import cost_of
from pylf.models.chat.written import reply_data, request_data, text_of, usage_data, usage_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.models.chat.protocol import Chat, Completion, Request, Usage


class Logged:
    """A chat whose calls are written to a file, behind what is there. A call whose line cannot be written is still
    answered, since it is paid for; the next one is not sent."""

    def __init__(self, chat: Chat, path: str | os.PathLike[str]) -> None:
        self._chat = chat
        self._path = os.fspath(path)
        self._lock = threading.Lock()
        self._problem: OSError | None = None
        self._descriptor = _opened(self._path)
        self.model = chat.model
        self.identity = chat.identity

    def complete(self, request: Request) -> Completion:
        """As the chat within.

        Raises:
            InputError: an earlier line could not be written (the disk is full …), or the file is closed; nothing was
                sent.
        """
        if self._descriptor < 0:
            raise InputError(f"{self._path}: calls cannot be logged any more (the log is closed)")
        if self._problem is not None:
            raise InputError(f"{self._path}: calls cannot be logged any more ({reason(self._problem)})")
        try:
            done = self._chat.complete(request)
        except BaseException as problem:
            usage = cost_of(problem)
            if isinstance(problem, EngineError):
                self._write(request, {"error": str(problem), "status": problem.status}, usage)
            else:  # Ctrl-C, say, when something was under way
                told = f"{type(problem).__name__}: {problem}".removesuffix(": ")
                self._write(request, {"error": told, "status": "failed"}, usage)
            raise
        replies = [reply_data(one) for one in done.replies]
        self._write(request, {"replies": replies, "cached": done.cached, "answered_by": done.model}, done.usage)
        return done

    def close(self) -> None:
        """Close the file. Nothing can be logged, and so nothing be asked, afterwards."""
        with self._lock:
            if self._descriptor >= 0:
                os.close(self._descriptor)
                self._descriptor = -1

    def _write(self, request: Request, came: dict[str, Any], usage: Usage) -> None:
        from datetime import UTC, datetime

        line = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "model": self.model,
            "identity": self.identity,
            "request": request_data(request),
            **came,
            "usage": usage_data(usage),
        }
        # half of a pair of surrogates, which a request that is refused may hold, is written as JSON escapes it
        data = text_of(line).encode("utf-8", "backslashreplace") + b"\n"
        with self._lock:
            try:
                while data:
                    data = data[os.write(self._descriptor, data) :]
            except OSError as problem:
                self._problem = problem


def logged_usages(path: str | os.PathLike[str]) -> Iterator[Usage]:
    """The usage of each whole line of a log.

    Raises:
        InputError: the file cannot be read.
    """
    import json
    from pathlib import Path

    try:
        with Path(path).open("rb") as stream:
            for line in stream:
                try:
                    yield usage_of(json.loads(line)["usage"])
                except (ValueError, TypeError, KeyError, RecursionError):
                    continue  # half a line, which a run that was killed left
    except OSError as problem:
        raise InputError(f"{os.fspath(path)}: {reason(problem)}") from None


def _opened(path: str) -> int:
    """A descriptor that appends, at the beginning of a line."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        if os.lseek(descriptor, 0, os.SEEK_END):
            os.lseek(descriptor, -1, os.SEEK_END)
            if os.read(descriptor, 1) != b"\n":
                os.write(descriptor, b"\n")
    except OSError as problem:
        raise InputError(f"{path}: calls cannot be logged there ({reason(problem)})") from None
    return descriptor
