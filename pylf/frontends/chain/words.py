"""The words and signs of chains: how a text falls apart, what is reserved, and what is read besides."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from pylf.errors import Span
from pylf.frontends.bare_numbers import number_of
from pylf.language.findings import MAX_NUMBER
from pylf.language.tokens import MAX_TOKENS

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What a comparison is written as, canonical spellings first.
COMPARISONS = ("<", "<=", "=", "!=", ">=", ">")
#: Signs from elsewhere, and what they are read as.
READ_AS = {"==": "=", "=<": "<=", "=>": ">=", "<>": "!=", "≤": "<=", "≥": ">=", "≠": "!="}
KINDS = ("class", "entity", "literal")
LARGEST = ("largest", "max", "argmax", "top")
SMALLEST = ("smallest", "min", "argmin", "bottom")
_WORDS = ("not", "except", "or", "none", "count", "any", *KINDS, *LARGEST, *SMALLEST)
#: Words that are no names, as they stand or in capitals; a thing so called is written in quotes.
RESERVED = frozenset((*_WORDS, *map(str.upper, _WORDS)))

# what follows a value: its datatype, or its language
_NOTE = r"\^\^(?:<[^\x00-\x20<>\"{}|^`\\]+>|[\w:./#-]*\w)"
_STRING = r"'[^'\\\r\n]*(?:\\[^\r\n][^'\\\r\n]*)*'|\"[^\"\\\r\n]*(?:\\[^\r\n][^\"\\\r\n]*)*\""
_TERMINALS = {
    # dashes of an arrow are no part of a name
    "WORD": rf":?[^\W\d](?:(?:[\w.:/#%@]|-(?!-{{0,2}}>))*[\w/#%])?(?:{_NOTE})?",
    "BACKWARD": r"<-{1,3}(?![-.\d])|[←⟵]",
    "FORWARD": r"-{1,3}>|[→⟶]",
    "VALUE": rf"[+-]?\.?[0-9](?:[\w.:]|[+-](?=[\w.]))*(?:{_NOTE})?",
    "STRING": rf"(?:{_STRING})(?:{_NOTE}|@[A-Za-z]+(?:-[A-Za-z0-9]+)*)?",
    "IRI": r"(?:R_)?<(?![-=\d])[^\x00-\x20<>\"{}|^`\\()\[\]]+>",
    "COMPARISON": r"<=|>=|!=|<>|==|=<|=>|[<>=≤≥≠]",
    "NOT": r"[!¬]",
    "BACK": r"[~^]",
    "PLUS": r"\+",
    "STAR": r"\*",
    "BAR": r"\|",
    "ANYTHING": r"\?(?!\w)",
    "LPAR": r"\(",
    "RPAR": r"\)",
    "LSQB": r"\[",
    "RSQB": r"\]",
}

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")
_DATE = re.compile(
    r"-?[0-9]{4,12}(?:-[0-9]{2}){1,2}(?:T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[+-][0-9:]{5})?\Z"
)


class Token(NamedTuple):
    """A word or a sign where it stands; ``kind`` is UNKNOWN for a character that begins none, END after the last."""

    kind: str
    text: str
    span: Span

    def is_word(self, *words: str) -> bool:
        """Whether it is one of some reserved words."""
        return self.kind == "WORD" and self.text in RESERVED and self.text.lower() in words


def tokens(text: str, start: int) -> Iterator[Token]:
    """The words and signs from ``start`` on, an END after them; nothing follows an UNKNOWN character, or MAX_TOKENS of
    them (the last is TOO_MANY then)."""
    for count, match in enumerate(_pattern().finditer(text, start)):
        kind = match.lastgroup or "END"
        span = Span(*match.span(kind)) if kind != "END" else Span(len(text), len(text))
        if count >= MAX_TOKENS:
            yield Token("TOO_MANY", "", span)
            return
        yield Token(kind, text[span.start : span.end], span)
        if kind in ("UNKNOWN", "END"):
            return


def is_bare(text: str, kinds: tuple[str, ...] = ("WORD", "IRI")) -> bool:
    """Whether a name is read as itself without quotes."""
    if text in RESERVED or "^" in text or "@" in text:
        return False
    return any(_terminal(kind).fullmatch(text) for kind in kinds)


def number(text: str) -> str | None:
    """A number as PyLF spells it, where the text is spelled like one and is no longer than MAX_NUMBER: as it is
    written, but for zeros before it; None for any other text."""
    if len(text) > MAX_NUMBER or _NUMBER.match(text) is None:
        return None
    digits = text.lstrip("+-")
    return number_of(text) if digits[0] == "0" and len(digits) > 1 and digits.isdecimal() else text


def is_date(text: str) -> bool:
    """Whether a VALUE is spelled like a date of which more is known than the year."""
    return _DATE.match(text) is not None and _terminal("VALUE").fullmatch(text) is not None


@cache
def _terminal(kind: str) -> re.Pattern[str]:
    return re.compile(_TERMINALS[kind])


@cache
def _pattern() -> re.Pattern[str]:
    # an IRI's sign and an arrow's come before the comparisons that they begin like
    order = ("STRING", "IRI", "BACKWARD", "FORWARD", "WORD", "VALUE", *_TERMINALS)
    groups = "|".join(f"(?P<{kind}>{_TERMINALS[kind]})" for kind in dict.fromkeys(order))
    return re.compile(rf"(?:\s|#[^\r\n]*)*(?:{groups}|(?P<END>\Z)|(?P<UNKNOWN>[\s\S]))")
