"""A progress bar on a terminal; nothing in a pipe."""

from __future__ import annotations

import sys
import time
from typing import Self

_WIDTH = 30
_EVERY = 0.2  # seconds between two drawings


class Progress:
    """Draws ``what  [#####     ]  47 %  12 s`` on stderr and wipes it at the end."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.shown = sys.stderr.isatty()
        self.started = time.monotonic()
        self.drawn = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def advance(self, done: int, total: int) -> None:
        """So many of so many are done."""
        now = time.monotonic()
        if not self.shown or now - self.drawn < _EVERY:
            return
        self.drawn = now
        part = min(1.0, done / total) if total else 1.0
        filled = round(part * _WIDTH)
        bar = "#" * filled + " " * (_WIDTH - filled)
        sys.stderr.write(f"\r\x1b[K{self.what}  [{bar}] {part:4.0%}  {now - self.started:.0f} s")
        sys.stderr.flush()
