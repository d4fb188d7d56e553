"""Tokens of SPARQL (section 19.8 of SPARQL 1.1, its terminals), one at a time, and what may be said of their places.

A token is asked for when the one before it is used up, so that what reads can say what it may be: in ``?a<?b&&?c>?d``
``<`` is an operator, though ``<?b&&?c>`` could be an IRI. Numbers have no signs here; words are all alike, whether they
turn out to be keywords, functions or neither.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from pylf.errors import CompileError, Diagnostic, Span
from pylf.language.hints import shown
from pylf.language.tokens import MAX_TOKENS

if TYPE_CHECKING:
    from pylf.errors import Source

#: Brackets may stand within brackets this deep, and operators within operators; half of PyLF's limit, since a level
#: takes some four calls here, and Python allows a thousand.
MAX_DEPTH = 100
#: Notes that a text gets; one more says that there are others.
MAX_NOTES = 100

#: What names are made of beside ASCII: PN_CHARS_BASE, and what PN_CHARS adds.
_BASE = (
    "\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f\u2c00-\u2fef"
    "\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_MORE = "\u00b7\u0300-\u036f\u203f-\u2040"


@cache
def _tokens(ascii_only: bool) -> re.Pattern[str]:
    """The tokens of a text; those of ASCII alone are compiled in a twentieth of the time, which is that of a start."""
    letter, more = ("A-Za-z", "0-9") if ascii_only else (f"A-Za-z{_BASE}", f"0-9{_MORE}")
    code = r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}"
    escaped = rf"%[0-9A-Fa-f]{{2}}|\\[_~.\-!$&'()*+,;=/?\#@%]|{code}"
    prefix = rf"(?:(?:[{letter}]|{code})(?:\.*+(?:[{letter}_\-{more}]|{code}))*+)?+"
    local = rf"(?:(?:[{letter}_:0-9]|{escaped})(?:\.*+(?:[{letter}_:\-{more}]|{escaped}))*+)?+"
    return re.compile(
        rf"""(?:[ \t\r\n]++|\#[^\r\n]*+)*+(?:
          (?P<VAR>[?$](?:[{letter}_0-9]|{code})(?:[{letter}_{more}]|{code})*+)
        | (?P<PNAME>{prefix}:{local})
        | (?P<WORD>[A-Za-z][A-Za-z0-9_]*+)
        | (?P<NUMBER>[0-9]++\.[0-9]*+[eE][+-]?[0-9]++|\.?[0-9]++[eE][+-]?[0-9]++|[0-9]*\.[0-9]++|[0-9]++)
        | (?P<SIGN>\^\^|&&|\|\||!=|==|>=|<=(?![^<>"{{}}|^`\\\x00-\x20]*+>)|[{{}}()\[\].;,*/|^?+\-!=>])
        | (?P<IRI><(?:[^<>"{{}}|^`\\\x00-\x20]|{code})*+>)
        | (?P<LESS><)
        | (?P<STRING>\"\"\"(?:[^"\\]++|\\[\s\S]|"(?!""))*+\"\"\"|'''(?:[^'\\]++|\\[\s\S]|'(?!''))*+'''
            |"(?!"")(?:[^"\\\r\n]++|\\[^\r\n])*+"|'(?!'')(?:[^'\\\r\n]++|\\[^\r\n])*+')
        | (?P<BLANK>_:[{letter}_0-9](?:\.*+[{letter}_\-{more}])*+)
        | (?P<LANG>@[A-Za-z]++(?:-[A-Za-z0-9]++)*+)
        | (?P<END>\Z)
        )""",
        re.VERBOSE,
    )


def is_token(kind: str, text: str) -> bool:
    """Whether a whole text is one token of a kind."""
    match = _tokens(ascii_only=False).fullmatch(text)
    return match is not None and match.lastgroup == kind and match.start(kind) == 0


_SKIP = re.compile(r"(?:[ \t\r\n]++|#[^\r\n]*+)*+")

#: A span from a pair, in a third of the time that ``Span(*pair)`` takes.
_new = tuple.__new__


class Scanner:
    """The token that is next, and those before it as far as anyone asks.

    ``kind`` is VAR, PNAME, WORD, IRI, STRING, NUMBER, BLANK, LANG, END, UNKNOWN, or the sign itself; ``word`` is a
    WORD in capitals, '' for all else. ``previous`` is the kind of the token before it, ``last`` where that ends.
    ``brackets`` are those open: the sign and where it stands.
    """

    def __init__(self, source: Source, start: int) -> None:
        self.source = source
        self.text = source.text
        self._match = _tokens(self.text.isascii()).match
        self.kind = self.previous = ""
        self.word = ""
        self.start = self.end = start
        self.last = start
        self.brackets: list[tuple[str, int]] = []
        self.notes: list[Diagnostic] = []
        self._count = 0
        self.advance()

    # --- tokens ---------------------------------------------------------------------------------------------------

    def advance(self) -> None:
        """Take the next token."""
        self.last = self.end
        self.previous = self.kind
        self._count += 1
        if self._count > MAX_TOKENS:
            message = f"the query is too long: {MAX_TOKENS:,} words and signs are read"
            raise self.fault("too-large", message)
        self._set(self.end)

    def peek(self) -> tuple[str, str]:
        """Kind and word of the token after the next."""
        kept = self.kind, self.word, self.start, self.end
        self._set(self.end)
        found = self.kind, self.word
        self.kind, self.word, self.start, self.end = kept
        return found

    def shorten(self, sign: str) -> None:
        """Take what begins the next token, an IRI by the standard, for a sign: the rest is another token."""
        message = (
            f"without a blank after it, this {sign!r} begins the IRI {shown(self.found)}; it is taken for an operator"
        )
        self.note(message, f"write a blank after {sign!r}", _new(Span, (self.start, self.start + len(sign))))
        self.kind = sign
        self.end = self.start + len(sign)

    def _set(self, position: int) -> None:
        match = self._match(self.text, position)
        if match is None:
            skipped = _SKIP.match(self.text, position)
            assert skipped is not None
            self.kind, self.word = "UNKNOWN", ""
            self.start = skipped.end()
            self.end = self.start + 1
            return
        kind = match.lastgroup
        assert kind is not None
        self.start, self.end = match.span(kind)
        self.word = ""
        if kind == "WORD":
            self.word = match[kind].upper()
        elif kind in {"SIGN", "LESS"}:
            kind = match[kind]
        self.kind = kind

    @property
    def begun(self) -> bool:
        """Whether a token stands before the next."""
        return self._count > 1

    @property
    def found(self) -> str:
        """The next token as written."""
        return self.text[self.start : self.end]

    @property
    def span(self) -> Span:
        """Where the next token stands."""
        return _new(Span, (self.start, self.end))

    def since(self, start: int) -> Span:
        """From a place to the end of the token before the next."""
        return _new(Span, (start, self.last))

    def accept(self, sign: str) -> bool:
        """Whether a sign is next; it is taken."""
        if self.kind != sign:
            return False
        self.advance()
        return True

    def accept_word(self, word: str) -> bool:
        """Whether a word is next, in any case; it is taken."""
        if self.word != word:
            return False
        self.advance()
        return True

    def open(self, sign: str, expected: str) -> None:
        """Take an opening bracket; where it is not next, ``expected`` is what the text should go on with."""
        if self.kind != sign:
            raise self.unexpected(expected)
        if len(self.brackets) >= MAX_DEPTH:
            raise self.too_deep()
        self.brackets.append((sign, self.start))
        self.advance()

    def close(self, sign: str, expected: str) -> None:
        """Take a closing bracket."""
        if self.kind != sign:
            raise self.unexpected(expected)
        self.brackets.pop()
        self.advance()

    # --- findings -------------------------------------------------------------------------------------------------

    def note(self, message: str, hint: str, span: Span) -> None:
        """Record a departure from the standard that is read all the same."""
        if len(self.notes) < MAX_NOTES:
            self.notes.append(Diagnostic("not-standard", message, span, self.source, (hint,), "warning"))
        elif len(self.notes) == MAX_NOTES:
            message = f"there are more than {MAX_NOTES} departures from the standard; the rest are not listed"
            self.notes.append(Diagnostic("not-standard", message, span, self.source, (), "warning"))

    def fault(
        self, code: str, message: str, *hints: str, span: Span | None = None, name: str | None = None
    ) -> CompileError:
        """An error at a place, which is the next token's unless it is given."""
        found = Diagnostic(code, message, span or self.span, self.source, hints, name=name)
        return CompileError([found])

    def unexpected(self, expected: str, *hints: str) -> CompileError:
        """The error that the next token is not what is ``expected``, in words."""
        from pylf.frontends.sparql.syntax_errors import explain

        return CompileError([explain(self, expected, hints)])

    def too_deep(self, span: Span | None = None) -> CompileError:
        """The error that something nests too deeply at the next token, or at another place."""
        return self.fault("too-deep", f"this nests too deeply: {MAX_DEPTH} levels are read", span=span)
