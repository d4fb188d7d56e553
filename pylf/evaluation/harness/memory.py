"""The most memory that this process has held, in bytes."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

_STATUS = Path("/proc/self/status")
_RESET = Path("/proc/self/clear_refs")


def start_anew() -> None:
    """Forget the most that was held until now, where the system can (Linux)."""
    if sys.platform == "linux":
        with suppress(OSError):
            _RESET.write_text("5", encoding="ascii")


def most_held() -> int | None:
    """The most that was held since then, or since the process began; None where the system does not tell."""
    if sys.platform == "linux":
        with suppress(OSError, ValueError):
            text = _STATUS.read_text(encoding="ascii", errors="replace")
            return int(text.partition("VmHWM:")[2].split(maxsplit=1)[0]) * 1_024
    if os.name == "posix":
        import resource

        held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return held if sys.platform == "darwin" else held * 1_024
    return None
