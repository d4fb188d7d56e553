"""A progress bar on a terminal; nothing in a pipe."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

_WIDTH = 30
_EVERY = 0.1  # seconds between two drawings


class Progress:
    """Draws ``what  [#####     ]  47 %  12 s`` on stderr and wipes it at the end."""

    def __init__(self, what: str = "") -> None:
        self.shown = sys.stderr is not None and sys.stderr.isatty()
        self.started = time.monotonic()
        self.drawn = 0.0
        self.what = what

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def phase(self, what: str) -> None:
        """What is being done now."""
        self.what = what
        self._draw(None)

    def advance(self, done: int, total: int) -> None:
        """So many of so many (bytes, items) are done."""
        now = time.monotonic()
        if self.shown and now - self.drawn >= _EVERY:
            self.drawn = now
            self._draw(min(1.0, done / total) if total else 1.0)

    def _draw(self, part: float | None) -> None:
        if not self.shown:
            return
        seconds = f"{time.monotonic() - self.started:.0f} s"
        if part is None:
            text = f"{self.what}  {seconds}"
        else:
            filled = round(part * _WIDTH)
            text = f"{self.what}  [{'#' * filled}{' ' * (_WIDTH - filled)}] {part:4.0%}  {seconds}"
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()
