r"""Which texts of SPARQL may leave: one SELECT, ASK or CONSTRUCT, which asks no further endpoint and changes nothing.

A text that pylf did not print (a user's, a file's, a model's) is read by the tokens of SPARQL 1.1 (§19.8), so that
words in strings, IRIs, comments, names and variables are told from keywords. What is no token is refused: another
engine might read it otherwise. So is a text that means something else once its ``\uXXXX`` are expanded (§19.2), and a
carriage return alone, which ends a comment by the grammar and does not in Virtuoso.
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
_LOCAL = rf"(?:[{_MORE}:]|{_PLX})(?:[{_MORE}:-]|{_PLX}|\.++(?=[{_MORE}:-]|{_PLX}))*+"

_TOKENS = rf"""
      (?P<blank>(?:[ \t\n]|\r(?=\n))++)
    | (?P<comment>\#[^\r\n\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*+)
    | (?P<iri><(?:[^<>"{{}}|^`\\\x00-\x20]|{_POINT})*+>)
    | (?P<text>\"\"\"(?:\"{{0,2}}(?:[^"\\]|{_ESCAPE}))*+\"\"\"
        | '''(?:'{{0,2}}(?:[^'\\]|{_ESCAPE}))*+'''
        | "(?:[^"\\\n\r]|{_ESCAPE})*+" | '(?:[^'\\\n\r]|{_ESCAPE})*+')
    | (?P<variable>[?$][{_BASE}_0-9][{_BASE}_0-9\u00b7\u0300-\u036f\u203f-\u2040]*+)
    | (?P<label>_:[{_BASE}_0-9](?:[{_MORE}-]|\.++(?=[{_MORE}-]))*+)
    | (?P<name>:(?:{_LOCAL})?)
    | (?P<word>[A-Za-z_][A-Za-z_0-9]*+)
    | (?P<number>(?:[0-9]+\.[0-9]*|\.?[0-9]+)[eE][+-]?[0-9]+|[0-9]*\.[0-9]+|[0-9]+)
    | (?P<language>@[A-Za-z]+(?:-[A-Za-z0-9]+)*+)
    | (?P<mark>\^\^|&&|\|\||[<>!]=|[(){{}}\[\].;,*/+\-|^?!=<>])
    """
#: the tokens, a prefixed name's prefix left out
_BARE = re.compile(_TOKENS, re.VERBOSE)
#: … and with it: what may be a prefix and goes as far as one may; whether it is one is told by what follows
_TOKEN = re.compile(rf"(?P<run>[{_BASE}][{_MORE}.-]*+) | {_TOKENS}", re.VERBOSE)
_CODE_POINT = re.compile(_POINT)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")

_COMMON = frozenset({"a"})
_STRUCTURE = frozenset("({[)}];")
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
        # Virtuoso's option for closures, which pylf itself writes
        *("OPTION", "TRANSITIVE", "T_DISTINCT", "T_IN", "T_OUT", "T_MIN", "T_DIRECTION"),
    )
)
#: what is longer is no question
_LONGEST = 10_000_000
#: Virtuoso's own functions, the database's procedures among them, and Jena's classes of Java are called by IRIs of
#: these schemes
_CALLS = ("bif:", "sql:", "java:")
#: graphs of these schemes are read by an engine that takes the graph of a FROM from where its name says
_READ = ("file:", "jar:", "ftp:")


def check(sparql: str, kind: str | None = None) -> str:
    """The kind of a query that may be sent: ``SELECT``, ``ASK`` or ``CONSTRUCT``, and ``kind`` where one is named.

    Raises:
        EngineRefused: it may not; says why, and where.
    """
    if len(sparql) > _LONGEST:
        raise EngineRefused(f"pylf does not send the query: it is longer than {_LONGEST:,} characters")
    sparql = sparql.removeprefix("\ufeff")
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
        text, length = self._text, len(self._text)
        at = nameless = 0  # no prefix ends before ``nameless``: a long run of dots is not gone through for each of them
        while at < length:
            token = (_TOKEN if at >= nameless else _BARE).match(text, at)
            if token is None:
                if text[at] == "\r":
                    self._refuse("a carriage return without a line feed is no end of line to every engine", at)
                self._refuse(f"{text[at : at + 12]!r} is no SPARQL", at)
            kind, end = token.lastgroup, token.end()
            if kind == "run":
                if text[end : end + 1] != ":" or text[end - 1] == ".":
                    nameless = end
                    continue
                local = _BARE.match(text, end)
                assert local is not None
                kind, end = "name", local.end()
            assert kind is not None
            if kind not in {"blank", "comment"}:
                yield kind, text[at:end], at
            at = end

    def kind(self) -> str:
        """The query's kind; refused unless it is one query that may be sent."""
        open_marks: list[tuple[str, int]] = []
        form: str | None = None
        namespaces: dict[str, str] = {}
        before = declared = base = ""
        for kind, token, place in self._tokens():
            match kind:
                case "word":
                    if form is None or token not in _COMMON:
                        form = self._word(token, place, form, bool(open_marks))
                case "mark":
                    if form is None or token in _STRUCTURE:
                        self._mark(token, place, open_marks, form)
                case "iri" | "name":
                    word = before.upper()
                    whole = token[1:-1] if kind == "iri" else _expanded(token, namespaces)
                    if word == "PREFIX" and kind == "name":
                        declared = token
                    else:
                        if declared and kind == "iri":
                            namespaces[declared] = whole
                        declared = ""
                        self._iri(whole, token, place)
                    if word == "BASE":
                        base = whole if _SCHEME.match(whole) else base
                    elif word in {"FROM", "NAMED"}:
                        self._source(whole if _SCHEME.match(whole) else base, token, place)
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

    def _iri(self, iri: str, token: str, place: int) -> None:
        if iri.lower().startswith(_CALLS):
            self._refuse(f"{printable(token[:60])} calls a function of the server's own", place)

    def _source(self, iri: str, token: str, place: int) -> None:
        """The graph of a FROM."""
        if not iri:
            self._refuse(f"{printable(token[:60])} names a graph by less than a whole IRI", place)
        if iri.lower().startswith(_READ):
            self._refuse(f"{printable(token[:60])} would make the endpoint read a file as a graph", place)


def _expanded(name: str, namespaces: dict[str, str]) -> str:
    """The IRI of a prefixed name; the name itself where its prefix is not declared."""
    prefix, _, local = name.partition(":")
    return namespaces.get(f"{prefix}:", f"{prefix}:") + local
