"""SPARQL 1.1 query results in JSON, read row by row as they come.

The whole is never held: each row is parsed out of a piece of text that grows only as far as the row does. What is not
the format is an error, never fewer rows. Raw control characters in strings are kept, as some servers write them; the
binding type ``typed-literal`` of the format's first draft is a literal.
"""

from __future__ import annotations

import codecs
import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from pylf.errors import EngineError, printable
from pylf.ir.terms import RDF_LANG_STRING, XSD_STRING, Blank, Iri, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pylf.ir.terms import Node

    #: the names and terms of one row, in the order in which they stand
    _Bindings = list[tuple[str, Node]]
    _Row = tuple[Node | None, ...]

_NODES = frozenset((Iri, Literal, Blank))
_SPACE = re.compile(r"[ \t\r\n]*")
_LONE = re.compile("[\ud800-\udfff]")
#: how near to the end of what has come a fault in a value may be the end's
_NEAR_END = 16


class Malformed(EngineError):
    """The body is not, or not wholly, results in JSON. ``rest`` is the text from there on, as far as it came."""

    def __init__(self, message: str, rest: str = "") -> None:
        super().__init__(message)
        self.rest = rest


class _Number(NamedTuple):
    """A number where the format has none; strings are told from it."""

    text: str


def _term(pairs: list[tuple[str, Any]]) -> Any:
    """The term in a JSON object, or the object's pairs where it is a row: a row's values are terms already."""
    if len(pairs) == 2:
        (first, kind), (second, value) = pairs
        # by far the most, and the quickest
        if kind == "uri" and first == "type" and second == "value" and type(value) is str:
            return Iri(value) if not value.startswith("nodeID://") else _blank(value)
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Malformed(f"a row or a term states {_twice(pairs)} twice")
    kind = found.get("type")
    if not isinstance(kind, str):
        return pairs
    value = found.get("value")
    if not isinstance(value, str):
        if kind == "triple":
            raise EngineError("the endpoint answers with a triple term (RDF 1.2), which pylf cannot hold")
        raise Malformed(f"a term of type {kind[:40]!r} has no text as its value")
    match kind:
        case "uri":
            # Virtuoso's older versions write blank nodes so
            return Iri(value) if not value.startswith("nodeID://") else _blank(value)
        case "literal" | "typed-literal":
            return Literal(value) if len(found) == 2 else _literal(value, found)
        case "bnode":
            return _blank(value)
    raise Malformed(f"the endpoint answers with a term of type {kind[:40]!r}; the types are uri, literal and bnode")


def _blank(label: str) -> Blank:
    return Blank(label.removeprefix("_:").removeprefix("nodeID://"))


def _literal(value: str, found: dict[str, Any]) -> Literal:
    language, datatype = found.get("xml:lang"), found.get("datatype")
    if "its:dir" in found:
        raise EngineError("the endpoint answers with a text that has a direction (RDF 1.2), which pylf cannot hold")
    if language:
        if isinstance(language, str):
            return Literal(value, RDF_LANG_STRING, language.lower())
    elif datatype is None:
        return Literal(value, XSD_STRING)
    elif isinstance(datatype, str):
        return Literal(value, datatype)
    raise Malformed("a literal's language or datatype is no text")


def _twice(pairs: Sequence[tuple[str, Any]]) -> str:
    names = [key for key, _ in pairs]
    return next((repr(printable(key[:40])) for key in names if names.count(key) > 1), "a key")


_ROWS: Any = json.JSONDecoder(
    strict=False, object_pairs_hook=_term, parse_int=_Number, parse_float=_Number, parse_constant=_Number
)
#: one value at a place; what raw_decode calls
_SCAN = _ROWS.scan_once
_PLAIN = json.JSONDecoder(strict=False, parse_int=_Number, parse_float=_Number, parse_constant=_Number)


class Reader:
    """Reads one body. ``variables`` are there once :meth:`rows` has given a first row or ended.

    ``boolean`` is the answer of an ASK, None for rows. ``rest`` are further keys of the body (an engine's own).
    """

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._text = ""
        self._at = 0
        self._ended = False
        self._lone = False
        self.variables: tuple[str, ...] | None = None
        self.boolean: bool | None = None
        self.rest: dict[str, Any] = {}

    # --- text -----------------------------------------------------------------------------------------------------

    def _more(self, least: int = 1) -> bool:
        """Another piece of text, at least ``least`` characters unless it ends; False at the end."""
        if self._ended:
            return False
        parts = [self._text[self._at :]]
        got = 0
        try:
            while got < least:
                piece = next(self._chunks, None)
                if piece is None:
                    self._ended = True
                    parts.append(self._decoder.decode(b"", True))
                    break
                parts.append(self._decoder.decode(piece))
                got += len(parts[-1])
        except UnicodeDecodeError:
            raise Malformed("the answer is not in UTF-8") from None
        self._text, self._at = "".join(parts), 0
        self._lone = "\\ud" in self._text or "\\uD" in self._text
        return got > 0

    def _next(self) -> str:
        """The next character that is no blank, not taken; empty at the end."""
        while True:
            if self._at < len(self._text):
                character = self._text[self._at]
                if character not in " \t\r\n":
                    return character
                match = _SPACE.match(self._text, self._at)
                assert match is not None
                self._at = match.end()
            elif not self._more():
                return ""

    def _expect(self, character: str, where: str) -> None:
        if self._next() != character:
            raise self._fault(f"{character!r} is missing {where}")
        self._at += 1

    def _fault(self, what: str) -> Malformed:
        rest = self._text[self._at :]
        if self._ended and not rest:
            return Malformed("the answer is cut off: it ends before its JSON does")
        while len(rest) < 1 << 16 and self._more():
            rest = self._text[self._at :]
        return Malformed(f"the answer is no query result in JSON: {what}", rest)

    def _value(self, decoder: json.JSONDecoder) -> Any:
        """The next JSON value, however long."""
        self._next()
        least = 1
        while True:
            try:
                value, self._at = decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                unfinished = error.msg.startswith("Unterminated") or error.pos >= len(self._text) - _NEAR_END
                if not unfinished:
                    raise self._fault(f"{error.msg.lower()}") from None
                # twice as much each time: a long value is not read again and again
                least = max(1, len(self._text) - self._at)
                if not self._more(least):
                    raise self._fault("it breaks off within a value") from None
            except RecursionError:
                raise Malformed("the answer is nested too deeply to be a query result") from None
            else:
                return value

    # --- structure ------------------------------------------------------------------------------------------------

    def _keys(self, where: str) -> Iterator[str]:
        """The keys of an object that begins here; each one's value is to be read before the next is asked for."""
        self._expect("{", where)
        seen: set[str] = set()
        if self._next() == "}":
            self._at += 1
            return
        while True:
            if self._next() != '"':
                raise self._fault(f"a key is missing {where}")
            key = self._value(_PLAIN)
            if key in seen:
                raise Malformed(f"the answer states {key[:40]!r} twice {where}")
            seen.add(key)
            self._expect(":", where)
            yield key
            match self._next():
                case ",":
                    self._at += 1
                case "}":
                    self._at += 1
                    return
                case _:
                    raise self._fault(f"an object goes wrong {where}")

    def rows(self) -> Iterator[_Row]:
        """The rows in the order in which they come; an ASK has none. The body is read to its end.

        Raises:
            Malformed: it is none, or is cut off.
            EngineError: a term is none that pylf can hold; whatever the body's pieces raise.
        """
        held: list[_Bindings] = []
        found = False
        for key in self._keys("around the whole"):
            match key:
                case "head":
                    self._head(self._value(_PLAIN))
                case "results":
                    for inner in self._keys("in the results"):
                        if inner != "bindings":
                            self._value(_PLAIN)
                            continue
                        found = True
                        if self.variables is not None:
                            yield from self._placed(self._bindings())
                        else:
                            held.extend(self._bindings())
                case "boolean":
                    answer = self._value(_PLAIN)
                    if not isinstance(answer, bool):
                        raise Malformed("the answer to a yes-or-no question is neither true nor false")
                    self.boolean = answer
                case _:
                    self.rest[key] = self._value(_PLAIN)
        if self._next():
            raise self._fault("something follows after its end")
        if self.boolean is not None:
            if found:
                raise Malformed("the answer holds both rows and a truth value")
            return
        if not found or self.variables is None:
            raise Malformed("the answer holds no rows" if not found else "the answer does not name its variables")
        yield from self._placed(iter(held))

    def _head(self, head: Any) -> None:
        names = head.get("vars") if isinstance(head, dict) else None
        if names is None and isinstance(head, dict):
            return  # an ASK's
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise Malformed("the answer's list of variables is none")
        if len(set(names)) != len(names):
            raise Malformed("the answer names a variable twice")
        self.variables = tuple(names)

    def _bindings(self) -> Iterator[_Bindings]:
        self._expect("[", "before the rows")
        if self._next() == "]":
            self._at += 1
            return
        while True:
            if self._next() != "{":
                raise self._fault("a row is missing")
            try:
                row, self._at = _SCAN(self._text, self._at)
            except (StopIteration, ValueError):
                row = self._value(_ROWS)  # as a rule, the text has to go on first
            if type(row) is not list:
                raise Malformed("a term stands where a row is expected")
            if self._lone:
                self._check_text(row)
            yield row
            match self._next():
                case ",":
                    self._at += 1
                case "]":
                    self._at += 1
                    return
                case _:
                    raise self._fault("the rows break off")

    def _placed(self, rows: Iterator[_Bindings]) -> Iterator[_Row]:
        names = self.variables
        assert names is not None
        places = {name: place for place, name in enumerate(names)}
        nothing: list[Node | None] = [None] * len(names)
        for bindings in rows:
            if len(bindings) == len(names) and bindings:
                found, terms = zip(*bindings, strict=True)
                if found == names and _NODES.issuperset(map(type, terms)):
                    yield terms
                    continue
            row = nothing.copy()
            for name, term in bindings:
                place = places.get(name)
                if place is None:
                    raise Malformed(f"a row binds {name[:40]!r}, which is none of the answer's variables")
                if type(term) not in _NODES:
                    raise Malformed(f"what a row binds to {name[:40]!r} is no term")
                row[place] = term
            yield tuple(row)

    def _check_text(self, row: _Bindings) -> None:
        if any(_LONE.search(str(term)) for _, term in row):
            raise Malformed("a term holds half of a character (a lone surrogate)")
