"""Words, names, variables and signs of a subgraph text, with their places."""

from __future__ import annotations

import re
from typing import NamedTuple

from pylf.errors import CompileError, Diagnostic, Source, Span
from pylf.language.characters import first_character
from pylf.language.escapes import BadEscape, unquote
from pylf.language.hints import shown
from pylf.language.places import TYPOGRAPHIC_QUOTES
from pylf.language.tokens import MAX_TOKENS

#: What a text is called in messages.
WHAT = "subgraph text"

#: Characters that stand in quotes alone.
_CONTROL = r"\x00-\x08\x0e-\x1f\x7f-\x9f"
_TOKEN = re.compile(
    r"""(?P<space>(?:\s+|\#[^\n]*)+)"""
    r"""|(?P<iri><[^\s<>"{}|^`\\]*>)"""
    r"""|(?P<string>'[^'\\\r\n]*(?:\\[^\r\n][^'\\\r\n]*)*'|"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*")"""
    r"""|(?P<variable>\?[A-Za-z][A-Za-z0-9_]*(?![^\s(),<>=!]))"""
    r"""|(?P<number>[0-9]+(?:\.[0-9]+)?(?![^\s(),<>=!]))"""
    r"""|(?P<op>>=|<=|!=|=|<|>)"""
    r"""|(?P<sign>[(),])"""
    rf"""|(?P<word>[^\s()"',<>?=!#{_CONTROL}{TYPOGRAPHIC_QUOTES}][^\s()"',<>?=!{_CONTROL}{TYPOGRAPHIC_QUOTES}]*)"""
)
#: What is escaped where a name is written, besides the backslash and the quote.
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


class Token(NamedTuple):
    """A token: its kind (``iri``, ``string``, ``variable``, ``number``, ``op``, ``sign``, ``word``, ``end``), what it
    says, and where."""

    kind: str
    text: str
    span: Span


def tokens(source: Source) -> list[Token]:
    """The tokens of a text, and one for its end.

    Raises:
        CompileError: the text is too long, or holds what begins no token, or an escape that is none.
    """
    text, at = source.text, first_character(source, WHAT)
    found: list[Token] = []
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise CompileError([_unread(source, at)])
        kind, at = str(match.lastgroup), match.end()
        if kind != "space":
            if len(found) >= MAX_TOKENS:
                message = f"the {WHAT} is too long: {MAX_TOKENS:,} words and signs are read"
                raise CompileError([Diagnostic("too-large", message, Span(*match.span()), source)])
            found.append(Token(kind, _said(source, kind, match), Span(*match.span())))
    found.append(Token("end", "", Span(len(text), len(text))))
    return found


def quoted(text: str) -> str:
    """A text in quotes, as it is read back."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    for letter, character in _ESCAPES.items():
        escaped = escaped.replace(character, f"\\{letter}")
    return f"'{escaped}'"


def is_word(text: str) -> bool:
    """Whether a name can stand without quotes."""
    match = _TOKEN.fullmatch(text)
    return match is not None and match.lastgroup in ("word", "iri")


def _said(source: Source, kind: str, match: re.Match[str]) -> str:
    match kind:
        case "string":
            try:
                return unquote(match[0])
            except BadEscape as error:
                span = Span(match.start() + error.start, match.start() + error.end)
                raise CompileError([Diagnostic("bad-escape", str(error), span, source, (error.hint,))]) from None
        case "variable":
            return match[0][1:]
        case _:
            return match[0]


def _unread(source: Source, at: int) -> Diagnostic:
    sign = source.text[at]
    rest = source.text[at : source.text.find("\n", at) if "\n" in source.text[at:] else None]
    if sign in "'\"":
        hint = f"end it with {sign} on its line; a {sign} inside it is written \\{sign}"
        return Diagnostic(
            "unclosed-string", "this string does not end on its line", Span(at, at + len(rest)), source, (hint,)
        )
    if sign == "?":
        hint = "a variable is ?name: letters, digits and _ after a letter"
        end = at + len(re.split(r"[\s(),]", rest, maxsplit=1)[0])
        return Diagnostic("syntax", f"{shown(source.text[at:end])} is no variable", Span(at, end), source, (hint,))
    hints = ("names are quoted with plain quotes: 'Twitter'",) if sign in TYPOGRAPHIC_QUOTES else ()
    return Diagnostic("syntax", f"the character {sign!r} begins nothing here", Span(at, at + 1), source, hints)
