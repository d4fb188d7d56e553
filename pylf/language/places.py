"""Where a token stands that cannot stand there: what the rules on messages look at, whichever the language."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pylf.errors import Diagnostic, Span
from pylf.language.hints import PARSED_NEVER_RUN
from pylf.language.tokens import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.errors import Source
    from pylf.language.tokens import Token

#: Terminals that open and close brackets, and the bracket that opens.
OPENING = {"LPAR": "(", "LSQB": "[", "LBRACE": "{"}
CLOSING = {"RPAR": "(", "RSQB": "[", "RBRACE": "{"}
#: What word processors and web pages put in the place of quotes.
TYPOGRAPHIC_QUOTES = "‘’‚‛“”„‟«»‹›′″´`"


class Place(NamedTuple):
    """Where a fault is: the token found, those before it in its statement, and the brackets open there."""

    source: Source
    kind: str
    span: Span
    expected: frozenset[str]
    before: list[Token]
    brackets: list[Token]

    @property
    def found(self) -> str:
        """The token found, as written."""
        return self.source.text[self.span.start : self.span.end]

    @property
    def previous(self) -> str:
        """The kind of the token before, or ''."""
        return self.before[-1].kind if self.before else ""

    @property
    def touches(self) -> bool:
        """Whether nothing stands between the token before and this one."""
        return bool(self.before) and self.before[-1].span.end == self.span.start

    @property
    def rest_of_line(self) -> str:
        """The text from the fault to the end of its line."""
        text, start = self.source.text, self.span.start
        ends = [end for end in (text.find("\n", start), text.find("\r", start)) if end >= 0]
        return text[start : min(ends, default=len(text))]

    def say(self, code: str, message: str, *hints: str, span: Span | None = None) -> Diagnostic:
        """A diagnostic on the token found, or on another ``span``."""
        return Diagnostic(code, message, span or self.span, self.source, hints)

    def refuse(self, construct: str, *hints: str, span: Span | None = None) -> Diagnostic:
        """A diagnostic that a construct has no place in a program."""
        message = f"{construct} cannot stand in a program"
        return self.say("not-allowed", message, PARSED_NEVER_RUN, *hints, span=span)


def place_of(fault: Fault, source: Source, tokens: Iterable[Token]) -> Place:
    """The place of a fault of syntax; ``tokens`` are the text's from its beginning."""
    before: list[Token] = []
    brackets: list[Token] = []
    for token in _until(tokens, fault.span.start):
        if token.kind in OPENING:
            brackets.append(token)
        elif token.kind in CLOSING and brackets:
            brackets.pop()
        if not brackets and token.kind in {"NEWLINE", "SEMICOLON"}:
            before.clear()
        else:
            before.append(token)
    return Place(source, fault.kind, fault.span, fault.expected, before, brackets)


def unknown_character(place: Place) -> Diagnostic | None:
    """A character that begins no token: its name, and what it may have been meant to be."""
    if place.kind != "UNKNOWN":
        return None
    import unicodedata

    character = place.found
    plain = {"\N{MINUS SIGN}": "-", "\N{EN DASH}": "-", "\N{EM DASH}": "-"}.get(character)
    plain = plain or unicodedata.normalize("NFKC", character)
    hints = (f"write {plain!r}",) if plain != character and plain.isascii() and plain.isprintable() else ()
    if plain == " ":
        hints = ("write a plain space",)
    name = unicodedata.name(character, "")
    words = f"U+{ord(character):04X}" + (f" ({name})" if name else "")
    if character.isascii() and character.isprintable():
        words = repr(character)
    return place.say("syntax", f"the character {words} has no meaning outside of a string", *hints)


def _until(tokens: Iterable[Token], end: int) -> Iterable[Token]:
    try:
        for token in tokens:
            if token.span.start >= end:
                return
            yield token
    except Fault:  # a limit, further on
        return
