r"""Which texts of SPARQL may leave: one SELECT, ASK or CONSTRUCT, which asks no further endpoint and changes nothing.

A text that pylf did not print (a user's, a file's, a model's) is read by the tokens of SPARQL 1.1 (§19.8), so that
words in strings, IRIs, comments, names and variables are told from keywords. What is no token is refused: another
engine might read it otherwise. So is a text that means something else once its ``\uXXXX`` are expanded (§19.2).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from pylf.errors import EngineRefused, Source, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

_BASE = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f\u2c00-\u2fef"
    "\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_MORE = f"{_BASE}_0-9\u00b7\u0300-\u036f\u203f-\u2040"
_PLX = r"%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%]"
_POINT = r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}"
_ESCAPE = rf"\\[tbnrf\\\"']|{_POINT}"
_PREFIX = rf"(?:[{_BASE}](?:[{_MORE}.-]*[{_MORE}-])?)?"
_LOCAL = rf"(?:[{_MORE}:]|{_PLX})(?:(?:[{_MORE}:.-]|{_PLX})*(?:[{_MORE}:-]|{_PLX}))?"

_TOKEN = re.compile(
    rf"""
      (?P<blank>[ \t\r\n]++)
    | (?P<comment>\#[^\r\n]*+)
    | (?P<iri><(?:[^<>"{{}}|^`\\\x00-\x20]|{_POINT})*+>)
    | (?P<text>\"\"\"(?:\"{{0,2}}(?:[^"\\]|{_ESCAPE}))*+\"\"\"
        | '''(?:'{{0,2}}(?:[^'\\]|{_ESCAPE}))*+'''
        | "(?:[^"\\\n\r]|{_ESCAPE})*+" | '(?:[^'\\\n\r]|{_ESCAPE})*+')
    | (?P<variable>[?$][{_BASE}_0-9][{_BASE}_0-9\u00b7\u0300-\u036f\u203f-\u2040]*+)
    | (?P<label>_:[{_BASE}_0-9](?:[{_MORE}.-]*[{_MORE}-])?)
    | (?P<name>{_PREFIX}:(?:{_LOCAL})?)
    | (?P<word>[A-Za-z_][A-Za-z_0-9]*+)
    | (?P<number>(?:[0-9]+\.[0-9]*|\.?[0-9]+)[eE][+-]?[0-9]+|[0-9]*\.[0-9]+|[0-9]+)
    | (?P<language>@[A-Za-z]+(?:-[A-Za-z0-9]+)*+)
    | (?P<mark>\^\^|&&|\|\||[<>!]=|[(){{}}\[\].;,*/+\-|^?!=<>])
    """,
    re.VERBOSE,
)
_CODE_POINT = re.compile(_POINT)

_FORMS = frozenset({"SELECT", "ASK", "CONSTRUCT"})
_UPDATES = frozenset(
    ("INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH", "USING", "INTO", "DATA")
)
_WORDS = frozenset(
    (
        *("BASE", "PREFIX", "SELECT", "ASK", "CONSTRUCT", "DISTINCT", "REDUCED", "AS", "FROM", "NAMED", "WHERE"),
        *("GROUP", "BY", "HAVING", "ORDER", "ASC", "DESC", "LIMIT", "OFFSET", "VALUES", "UNDEF", "OPTIONAL", "GRAPH"),
        *("BIND", "MINUS", "UNION", "FILTER", "IN", "NOT", "EXISTS", "A", "TRUE", "FALSE", "COUNT", "SUM", "MIN"),
        *("MAX", "AVG", "SAMPLE", "GROUP_CONCAT", "SEPARATOR", "STR", "LANG", "LANGMATCHES", "DATATYPE", "BOUND"),
        *("IRI", "URI", "BNODE", "RAND", "ABS", "CEIL", "FLOOR", "ROUND", "CONCAT", "STRLEN", "UCASE", "LCASE"),
        *("ENCODE_FOR_URI", "CONTAINS", "STRSTARTS", "STRENDS", "STRBEFORE", "STRAFTER", "YEAR", "MONTH", "DAY"),
        *("HOURS", "MINUTES", "SECONDS", "TIMEZONE", "TZ", "NOW", "UUID", "STRUUID", "MD5", "SHA1", "SHA256"),
        *("SHA384", "SHA512", "COALESCE", "IF", "STRLANG", "STRDT", "SAMETERM", "ISIRI", "ISURI", "ISBLANK"),
        *("ISLITERAL", "ISNUMERIC", "REGEX", "SUBSTR", "REPLACE"),
    )
)
#: Virtuoso's own functions, the database's procedures among them, are called by IRIs of these schemes
_CALLS = ("bif:", "sql:")


def check(sparql: str, kind: str | None = None) -> str:
    """The kind of a query that may be sent: ``SELECT``, ``ASK`` or ``CONSTRUCT``, and ``kind`` where one is named.

    Raises:
        EngineRefused: it may not; says why, and where.
    """
    found = _Scan(sparql).kind()
    expanded = _CODE_POINT.sub(_character, sparql)
    if expanded != sparql and _Scan(expanded, " once its \\u are expanded").kind() != found:
        raise EngineRefused("pylf does not send the query: it means something else once its \\u are expanded")
    if kind is not None and found != kind:
        article = "an" if found == "ASK" else "a"
        raise EngineRefused(f"pylf does not send the query: it is {article} {found}, and a {kind} is asked for here")
    return found


def _character(escape: re.Match[str]) -> str:
    code = int(escape[0].lstrip("\\uU"), 16)
    # what is no character stays: as a token it is refused, in a string it is the engine's to refuse
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else escape[0]


class _Scan:
    """One walk over the tokens of a text."""

    def __init__(self, text: str, how: str = "") -> None:
        self._text = text
        self._how = how

    def _refuse(self, why: str, place: int) -> NoReturn:
        line, column = Source(self._text).position(place)
        raise EngineRefused(f"pylf does not send the query: {why} (line {line}, column {column}{self._how})")

    def _tokens(self) -> Iterator[tuple[str, str, int]]:
        """The kind, text and place of each token, blanks and comments left out."""
        at, text, match = 0, self._text, _TOKEN.match
        while at < len(text):
            token = match(text, at)
            if token is None:
                self._refuse(f"{text[at : at + 12]!r} is no SPARQL", at)
            kind = token.lastgroup
            assert kind is not None
            if kind not in {"blank", "comment"}:
                yield kind, token[0], at
            at = token.end()

    def kind(self) -> str:
        """The query's kind; refused unless it is one query that may be sent."""
        open_marks: list[tuple[str, int]] = []
        form: str | None = None
        namespaces: dict[str, str] = {}
        before = declared = ""
        for kind, token, place in self._tokens():
            match kind:
                case "word":
                    form = self._word(token, place, form, bool(open_marks))
                case "mark":
                    self._mark(token, place, open_marks, form)
                case "iri" | "name":
                    declaring = before.upper() == "PREFIX" and kind == "name"
                    if declared and kind == "iri":
                        namespaces[declared] = token[1:-1]
                    elif not declaring:
                        self._name(kind, token, place, namespaces)
                    if kind == "iri" and token[1:].lower().startswith(_CALLS):
                        self._refuse(f"{printable(token[:60])} calls a function of the server's own", place)
                    declared = token if declaring else ""
                case _ if form is None:
                    self._refuse(f"{token[:40]!r} stands where a query begins", place)
            before = token
        if form is None:
            self._refuse("there is no query in it", len(self._text))
        if open_marks:
            self._refuse(f"{open_marks[-1][0]!r} is never closed", open_marks[-1][1])
        return form

    def _word(self, token: str, place: int, form: str | None, inside: bool) -> str | None:
        word = token.upper()
        if word == "SERVICE":
            self._refuse("SERVICE would make the endpoint ask another one", place)
        if word in _UPDATES:
            self._refuse(f"{word} belongs to an update, and pylf changes no endpoint", place)
        if word == "DESCRIBE":
            self._refuse("a DESCRIBE has no defined answer", place)
        if word not in _WORDS:
            self._refuse(f"{token[:40]!r} is no word of SPARQL 1.1", place)
        if word in _FORMS:
            if form is None and not inside:
                return word
            if word != "SELECT" or not inside or form is None:
                self._refuse(f"a second query begins with {word}", place)
        elif form is None and word not in {"BASE", "PREFIX"}:
            self._refuse(f"{word} stands where a query begins", place)
        return form

    def _mark(self, mark: str, place: int, open_marks: list[tuple[str, int]], form: str | None) -> None:
        if form is None:
            self._refuse(f"{mark!r} stands where a query begins", place)
        if mark in "({[":
            open_marks.append((mark, place))
        elif mark in ")}]":
            if not open_marks or open_marks.pop()[0] != "({["[")}]".index(mark)]:
                self._refuse(f"{mark!r} closes nothing", place)
        elif mark == ";" and not open_marks:
            self._refuse("a second request begins after ';'", place)

    def _name(self, kind: str, token: str, place: int, namespaces: dict[str, str]) -> None:
        if kind == "iri":
            return
        prefix, _, local = token.partition(":")
        whole = namespaces.get(f"{prefix}:", f"{prefix}:") + local
        if whole.lower().startswith(_CALLS):
            self._refuse(f"{printable(token[:60])} calls a function of the server's own", place)
