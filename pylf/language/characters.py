"""What no text of a language may hold, whichever language it is: too much, NUL, and halves of characters."""

from __future__ import annotations

from pylf.errors import CompileError, Diagnostic, Source, Span

#: Characters that a text may have.
MAX_CHARACTERS = 1_000_000

BYTE_ORDER_MARK = "\ufeff"


def check_length(source: Source, what: str = "program") -> None:
    """Raises CompileError (``too-large``) for a text of more than MAX_CHARACTERS. ``what`` it is stands in messages."""
    length = len(source.text)
    if length > MAX_CHARACTERS:
        message = f"the {what} has {length:,} characters; {MAX_CHARACTERS:,} are the most that is read"
        raise CompileError([Diagnostic("too-large", message, None, source)])


def first_character(source: Source, what: str = "program") -> int:
    """Where the text begins: after a byte order mark, if there is one. ``what`` it is stands in messages.

    Raises:
        CompileError: the text is too long, or has something in it that is no character.
    """
    check_length(source, what)
    text = source.text
    place = text.find("\0")
    if place < 0 and not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            place = error.start
    if place >= 0:
        message = f"U+{ord(text[place]):04X} is not a character of a text"
        hint = "was the file read in the encoding that it was written in?"
        raise CompileError([Diagnostic("syntax", message, Span(place, place + 1), source, (hint,))])
    return 1 if text.startswith(BYTE_ORDER_MARK) else 0
