"""The values of s-expressions as they are written: bare, in quotes, with a datatype or a language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.frontends.sexpr.tree import Value
from pylf.language.escapes import unquote

if TYPE_CHECKING:
    from pylf.errors import Span

_DAY = "-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
_ZONE = "(?:Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9])?"
#: What is a value without quotes and datatype: numbers, dates (whole, from the year on, or of each year), times of day.
_BARE = re.compile(
    r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
    r"|-?(?:[1-9][0-9]{3,11}|0[0-9]{3})"
    rf"(?:-(?:0[1-9]|1[0-2])|{_DAY}(?:T(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?|24:00:00(?:\.0+)?))?)?"
    rf"{_ZONE}"
    rf"|-{_DAY}{_ZONE}"
    rf"|(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]+)?)?{_ZONE}"
)


def value_of(text: str, span: Span | None = None) -> Value | None:
    """The value that an atom is; None where it is a name, or begins like a number and is none.

    In quotes, escapes mean what they mean in PyLF (and in Turtle, which has fewer).

    Raises:
        BadEscape: an escape in quotes that stands for no character.
    """
    quote = text[0]
    if quote in {'"', "'"}:
        end = text.rindex(quote) + 1
        lexical, note = unquote(text[:end]), text[end:]
        if not note:
            return Value(lexical, None, None, True, span)
        if note[0] == "@":
            return Value(lexical, None, note[1:], True, span)
        return Value(lexical, _datatype(note[2:]), None, True, span)
    lexical, mark, note = text.partition("^^")
    if mark:
        return Value(lexical, _datatype(note), None, False, span)
    lexical, mark, note = text.partition("@")
    if mark:
        # only a text has a language, so that the quotes are what was left out
        return Value(lexical, None, note, True, span)
    return Value(text, None, None, False, span) if _BARE.fullmatch(text) else None


def _datatype(written: str) -> str:
    return written[1:-1] if written[0] == "<" else written
