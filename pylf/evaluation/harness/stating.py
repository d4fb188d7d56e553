"""What a run states of itself: the questions' file by what it holds, limits, versions (case 68)."""

from __future__ import annotations

import hashlib
import math
import platform
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pylf import __version__
from pylf.errors import InputError, reason
from pylf.evaluation.record import Setup

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

_BLOCK = 1 << 20


def data_of(path: str | os.PathLike[str]) -> dict[str, Any]:
    """A file's name and the SHA-256 of what it holds.

    Raises:
        InputError: it cannot be read.
    """
    where = Path(path)
    key = hashlib.sha256()
    try:
        with where.open("rb") as stream:
            while block := stream.read(_BLOCK):
                key.update(block)
    except OSError as problem:
        raise InputError(f"{path}: {reason(problem)}") from None
    return {"name": where.name, "sha256": key.hexdigest()}


def versions(**more: str) -> dict[str, str]:
    """Those of pylf and Python, and more."""
    return {"pylf": __version__, "python": platform.python_version(), **more}


def setup_for(
    method: str,
    data: str | os.PathLike[str],
    *,
    seconds: float | None = None,
    limits: Mapping[str, Any] | None = None,
    **more: Any,
) -> Setup:
    """A setup with all that the runner itself knows; ``more`` are other fields of it. ``seconds`` are for a question.

    Raises:
        InputError: the file of questions cannot be read.
    """
    stated = {**({} if seconds in (None, math.inf) else {"question": seconds}), **(limits or {})}
    return Setup(method, limits=stated, data=data_of(data), versions=versions(), **more)
