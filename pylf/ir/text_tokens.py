"""From the tokens of the printed form (:mod:`pylf.ir.text`) to terms, and what a text that cannot be read raises."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.errors import Diagnostic, Span
from pylf.ir.nodes import Direction, Kind
from pylf.ir.terms import ILLEGAL_IN_IRI, RDF_LANG_STRING, XSD_STRING, Iri, Literal, Var

if TYPE_CHECKING:
    from lark import Token

    from pylf.ir.terms import Constant, Term


class Refused(Exception):
    """The text has the right shape and the wrong content."""

    def __init__(self, code: str, message: str, span: Span, *hints: str) -> None:
        self.diagnostic = Diagnostic(code, message, span, None, hints)
        super().__init__(message)


def span_of(first: Token, last: Token | None = None) -> Span:
    """The place of a token, or from one to another."""
    return Span(first.start_pos or 0, (first if last is None else last).end_pos or 0)


def var_of(token: Token) -> Var:
    """The variable ``?x``."""
    return Var(token[1:])


def iri_of(token: Token) -> Iri:
    """The IRI ``<…>``.

    Raises:
        Refused: by its escapes it holds a character that none may hold.
    """
    return Iri(iri_value(token[1:-1], token, 1))


def iri_value(written: str, token: Token, offset: int) -> str:
    """The IRI that ``written`` spells; it stands ``offset`` characters into the token."""
    if "\\" not in written:
        return written
    value = unescaped(written, token)
    illegal = next((c for c in value if c in ILLEGAL_IN_IRI), None)
    if illegal is not None:
        start = (token.start_pos or 0) + offset
        raise illegal_iri(illegal, Span(start, start + len(written)))
    return value


def term_of(token: Token) -> Term:
    """The variable, the IRI or the literal that a token is."""
    return var_of(token) if token.type == "VAR" else constant_of(token)


def constant_of(token: Token) -> Constant:
    """The IRI or the literal that a token is.

    Raises:
        Refused: what looks like an escape is none, or an IRI in it is none.
    """
    if token.type == "IRI":
        return iri_of(token)
    end = token.rindex('"', 1) if token[-1] != ">" else token.rindex('"^^<')
    lexical, suffix = token[1:end], token[end + 1 :]
    if "\\" in lexical:
        lexical = unescaped(lexical, token)
    if not suffix:
        return Literal(lexical, XSD_STRING)
    if suffix[0] == "@":
        return Literal(lexical, RDF_LANG_STRING, suffix[1:].lower())
    return Literal(lexical, iri_value(suffix[3:-1], token, end + 4))


def kind_of(token: Token | None) -> Kind:
    """The kind that a comparison is by."""
    return Kind.ANY if token is None else Kind(token)


def direction_of(token: Token) -> Direction:
    """Largest or smallest."""
    return Direction.MAX if token == "largest" else Direction.MIN  # noqa: S105 (a word of the grammar, not a password)


_LONG = {'"': '"', "\\": "\\", "n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "'": "'"}


def unescaped(written: str, token: Token) -> str:
    """What ``written``, a part of the token, says with its escapes put in.

    Raises:
        Refused: one of them is none.
    """

    def character(match: re.Match[str]) -> str:
        code = match[0][1:]
        if len(code) > 1 and int(code[1:], 16) <= 0x10FFFF:
            return chr(int(code[1:], 16))
        if code in _LONG:
            return _LONG[code]
        raise Refused(
            "bad-escape",
            f"{match[0]} is not an escape",
            span_of(token),
            r"the escapes are \" \\ \n \r \t \b \f, \u with four and \U with eight hexadecimal digits",
        )

    return re.sub(r"\\(?:u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", character, written, flags=re.DOTALL)


def illegal_iri(char: str, place: Span) -> Refused:
    """That an IRI holds a character that it cannot."""
    shown = "a blank" if char == " " else f"'{char}'" if char.isprintable() else f"U+{ord(char):04X}"
    hint = f"percent-encode it: %{ord(char):02X}"
    return Refused("illegal-iri", f"an IRI cannot hold {shown}", place, hint)
