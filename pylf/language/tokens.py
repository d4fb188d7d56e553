"""Tokens of a program's text, its limits, and the fault of a text that is no program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import Span

if TYPE_CHECKING:
    import re

#: Brackets may stand within brackets this deep.
MAX_DEPTH = 200
#: Words and signs that a program may have; about 20,000 calls, names and constants.
MAX_TOKENS = 80_000


#: A span from a pair, in a third of the time that ``Span(*pair)`` takes; every node of a program has one.
_new = tuple.__new__


class Token:
    """A terminal of the grammar where it stands in the text; ``kind`` is its name there."""

    __slots__ = ("_match", "kind")

    def __init__(self, kind: str, match: re.Match[str]) -> None:
        self.kind = kind
        self._match = match

    @property
    def text(self) -> str:
        """The token as written."""
        match = self._match
        return match[match.lastindex or 0]

    @property
    def span(self) -> Span:
        """Where it stands."""
        match = self._match
        return _new(Span, match.span(match.lastindex or 0))

    @property
    def start(self) -> int:
        """Where it begins."""
        match = self._match
        return match.start(match.lastindex or 0)

    @property
    def end(self) -> int:
        """Where it ends."""
        return self._match.end()


class Fault(Exception):
    """The text is not in the language, or beyond a limit: ``reason`` is 'syntax', 'too-deep' or 'too-large'.

    ``kind`` is the terminal found (UNKNOWN for a character that begins none, '$END' at the end of the text) and
    ``expected`` what could have stood there instead.
    """

    def __init__(self, reason: str, kind: str, span: Span, expected: frozenset[str] = frozenset()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.kind = kind
        self.span = span
        self.expected = expected
