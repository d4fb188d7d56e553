"""Names, IRIs and values as messages quote them: in full, unless they are longer than any that is meant."""

from __future__ import annotations

_LONGEST = 200


def cut(text: str) -> str:
    """The text, cut where it is long."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def quoted(text: str) -> str:
    """The text in quotes, cut where it is long."""
    return repr(cut(text))
