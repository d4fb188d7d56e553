"""SPARQL 1.1 query results in JSON, read as they come.

The whole is never held: the rows that stand in a piece of text are read at once where they are as most rows are, or
else one by one; the text grows only as far as a row does. What is not the format is an error, never fewer rows. Raw
control characters in strings are kept, as some servers write them; the binding type ``typed-literal`` of the format's
first draft is a literal.
"""

from __future__ import annotations

import codecs
import json
import re
from itertools import chain
from typing import TYPE_CHECKING, Any

from pylf.backends.http import complaints
from pylf.backends.http.bindings import PLAIN, ROWS, Malformed, Number, end_of_rows, rows_in
from pylf.backends.http.shape import shape_of
from pylf.errors import EngineError, printable
from pylf.ir.terms import Blank, Iri, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pylf.backends.http.bindings import Row
    from pylf.backends.http.shape import Shape
    from pylf.ir.terms import Node

    #: the names and terms of one row, in the order in which they stand
    _Bindings = list[tuple[str, Node]]

__all__ = ["Malformed", "Reader", "gathered"]

_NODES = frozenset((Iri, Literal, Blank))
#: variables of one answer; characters of one row, of one value beside the rows, and of what is kept at hand beyond them
MOST_VARIABLES = 1_000
MOST_OF_A_ROW = 1 << 24
_MOST_BESIDE = 1 << 20
_AT_HAND = 1 << 20
#: keys by which servers say, after all, that something went wrong, and that there is more than they answer with
_FAULTS = frozenset({"error", "errors", "exception", "exceptions", "message"})
_CUTS = frozenset({"truncated", "partial", "incomplete", "timeout", "timedout"})
#: a number is that is not longer, and begins so
_NUMBER = 1_000
_NUMERIC = re.compile(r"[-+.0-9eE]*\Z")
_SPACE = re.compile(r"[ \t\r\n]*")
_LONE = re.compile("[\ud800-\udfff]")
#: how near to the end of what has come a fault in a value may be the end's
_NEAR_END = 16
#: characters from which on it pays to read all the rows in them at once
_MANY = 600
#: … and from which on, to look whether they are all of one shape; not again once they were not, this often
_ALIKE = 3_000
_MISSES = 2
#: one value at a place; what raw_decode calls
_SCAN = ROWS.scan_once


def gathered(chunks: Iterator[bytes], size: int = 1 << 20) -> Iterator[bytes]:
    """The same bytes in pieces of about ``size``, for whoever has no use for the first before the last has come. What
    came before an error comes before it here, too."""
    held: list[bytes] = []
    length = 0
    try:
        for chunk in chunks:
            held.append(chunk)
            length += len(chunk)
            if length >= size:
                yield b"".join(held)
                held, length = [], 0
    except EngineError:
        yield b"".join(held)
        raise
    yield b"".join(held)


class Reader:
    """Reads one body. ``variables`` are there once :meth:`batches` has given first rows or ended.

    ``boolean`` is the answer of an ASK, None for rows. ``cut`` is, at the end, the key of its own by which the engine
    says that the answer is not all of it; None where none does.
    """

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._text = ""
        self._at = 0
        self._ended = False
        self._problem: EngineError | None = None
        self._lone = False
        self._tried = False
        self._shape: Shape | None = None
        self._misses = 0
        self.variables: tuple[str, ...] | None = None
        self.boolean: bool | None = None
        self.cut: str | None = None
        self._fate: EngineError | None = None
        self._places: dict[str, int] = {}
        self._later = ""
        self._later_at = 0

    # --- text -----------------------------------------------------------------------------------------------------

    def _more(self, least: int = 1) -> bool:
        """Another piece of text, at least ``least`` characters unless it ends; False at the end."""
        if self._ended and not self._later:
            return False
        if self._problem is not None and not self._later:
            raise self._problem
        parts = [self._text[self._at :]]
        got = 0
        try:
            while got < least:
                if self._later:
                    parts.append(self._later[self._later_at : self._later_at + _AT_HAND])
                    self._later_at += _AT_HAND
                    if self._later_at >= len(self._later):
                        self._later = ""
                    got += len(parts[-1])
                    continue
                if self._ended or self._problem is not None:
                    break
                piece = next(self._chunks, None)
                if piece is None:
                    self._ended = True
                    parts.append(self._decoder.decode(b"", True))
                    break
                parts.append(self._decoder.decode(piece))
                got += len(parts[-1])
        except UnicodeDecodeError:
            raise Malformed("the answer is not in UTF-8") from None
        except EngineError as problem:
            if not got:
                raise
            self._problem = problem  # what came before it is read first
        self._text, self._at = "".join(parts), 0
        self._lone = "\\" in self._text and ("\\ud" in self._text or "\\uD" in self._text)
        self._tried = False
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
        if self._ended and not rest and not self._later:
            return Malformed("the answer is cut off: it ends before its JSON does")
        while len(rest) < 1 << 16 and self._more():
            rest = self._text[self._at :]
        return Malformed(f"the answer is no query result in JSON: {what}", rest)

    def _value(self, decoder: json.JSONDecoder, most: int = _MOST_BESIDE) -> Any:
        """The next JSON value, of no more than so many characters."""
        self._next()
        while True:
            have = len(self._text) - self._at
            try:
                value, end = decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                unfinished = error.msg.startswith("Unterminated") or error.pos >= len(self._text) - _NEAR_END
                if not unfinished:
                    raise self._fault(f"{error.msg.lower()}") from None
                if have > most:
                    raise Malformed(f"a row or a value of the answer is longer than {most:,} characters") from None
                # twice as much each time: a long value is not read again and again
                if not self._more(max(1, min(have, most))):
                    raise self._fault("it breaks off within a value") from None
            except RecursionError:
                raise Malformed("the answer is nested too deeply to be a query result") from None
            else:
                # a number may go on
                if type(value) is Number and _NUMERIC.match(self._text, end) and have < _NUMBER and self._more():
                    continue
                self._taken(end)
                return value

    def _taken(self, end: int) -> None:
        """What follows a value is at hand, but no more of it than is read at once."""
        self._at = end
        if len(self._text) - end > 2 * _AT_HAND:
            later = self._later[self._later_at :]
            self._later, self._later_at = self._text[end + _AT_HAND :] + later, 0
            self._text, self._at = self._text[end : end + _AT_HAND], 0

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
            key = self._value(PLAIN)
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

    def rows(self) -> Iterator[Row]:
        """The rows one by one; otherwise as :meth:`batches`."""
        return chain.from_iterable(self.batches())

    def batches(self) -> Iterator[Sequence[Row]]:
        """The rows in the order in which they come, as many at a time as have come; an ASK has none. The body is read
        to its end.

        Raises:
            Malformed: it is none, or is cut off.
            EngineError: a term is none that pylf can hold; whatever the body's pieces raise.
        """
        held: list[_Bindings] = []
        found = False
        for key in self._keys("around the whole"):
            match key:
                case "head":
                    self._head(self._value(PLAIN))
                case "results":
                    for inner in self._keys("in the results"):
                        if inner != "bindings":
                            self._beside(inner, self._value(PLAIN))
                            continue
                        found = True
                        if self.variables is not None:
                            yield from self._bindings(self.variables)
                        else:
                            held = [row for (row,) in self._bindings(None)]
                case "boolean":
                    answer = self._value(PLAIN)
                    if not isinstance(answer, bool):
                        raise Malformed("the answer to a yes-or-no question is neither true nor false")
                    self.boolean = answer
                case _:
                    self._beside(key, self._value(PLAIN))
        if self._next():
            raise self._fault("something follows after its end")
        if self._fate is not None:
            raise self._fate
        if self.boolean is not None:
            if found:
                raise Malformed("the answer holds both rows and a truth value")
            return
        if not found or self.variables is None:
            raise Malformed("the answer holds no rows" if not found else "the answer does not name its variables")
        for row in held:
            yield (self._placed(row),)

    def _beside(self, key: str, value: Any) -> None:
        """What an engine says beside the rows, under a key that the format does not have."""
        word = key.lower()
        if value in (None, False, "", [], {}, Number("0")):
            return
        if word in _FAULTS:
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            told = f": {complaints.said(text, '')}" if text.strip() else ""
            self._fate = complaints.named(text, "") or EngineError(
                f"the endpoint answers, and says under {printable(key)!r} that it failed{told}"
            )
        elif value is True and word.replace("-", "").replace("_", "") in _CUTS:
            self.cut = key

    def _head(self, head: Any) -> None:
        names = head.get("vars") if isinstance(head, dict) else None
        if names is None and isinstance(head, dict):
            return  # an ASK's
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise Malformed("the answer's list of variables is none")
        if len(names) > MOST_VARIABLES:
            raise Malformed(f"the answer has {len(names):,} variables, and {MOST_VARIABLES:,} are as many as are read")
        if not all(name.isprintable() and name.strip() == name != "" for name in names):
            raise Malformed("the answer names a variable by what is no name")
        self._places = {name: place for place, name in enumerate(names)}
        if len(self._places) != len(names):
            raise Malformed("the answer names a variable twice")
        self.variables = tuple(names)

    def _bindings(self, names: tuple[str, ...] | None) -> Iterator[Sequence[Any]]:
        """The rows of the list that begins here, some at a time. Where their variables are not yet known, each comes
        alone and as it stands (``_Bindings``)."""
        self._expect("[", "before the rows")
        if self._next() == "]":
            self._at += 1
            return
        while True:
            if self._next() != "{":
                raise self._fault("a row is missing")
            many = self._many(names) if names is not None and not self._tried else None
            if many is not None:
                yield many
            else:
                row = self._one()
                yield (row if names is None else self._placed(row),)
            match self._next():
                case ",":
                    self._at += 1
                case "]":
                    self._at += 1
                    return
                case _:
                    raise self._fault("the rows break off")

    def _many(self, names: tuple[str, ...]) -> list[Row] | None:
        """The rows that have come whole; None where they are to be read one by one. Tried once for what has come."""
        self._tried = True
        if len(self._text) - self._at < _MANY:
            return None
        end = end_of_rows(self._text, self._at)
        if end == self._at:
            return None
        text = self._text[self._at : end]
        rows = None
        if self._misses < _MISSES:
            if self._shape is None and len(text) >= _ALIKE:
                self._shape = shape_of(text, names)
            rows = None if self._shape is None else self._shape.rows(text)
            if rows is None and len(text) >= _ALIKE:
                self._shape = None
                self._misses += 1
        if rows is None:
            rows = rows_in(text, names)
        if rows is not None:
            self._at = end
        return rows

    def _one(self) -> _Bindings:
        """The next row."""
        try:
            row, self._at = _SCAN(self._text, self._at)
        except (StopIteration, ValueError):
            row = self._value(ROWS, MOST_OF_A_ROW)  # as a rule, the text has to go on first
        except RecursionError:
            raise Malformed("the answer is nested too deeply to be a query result") from None
        if type(row) is not list:
            raise Malformed("a term stands where a row is expected")
        if self._lone and any(_LONE.search(str(term)) for _, term in row):
            raise Malformed("a term holds half of a character (a lone surrogate)")
        found: _Bindings = row
        return found

    def _placed(self, bindings: _Bindings) -> Row:
        """A row with its terms in the order of the variables."""
        places = self._places
        assert self.variables is not None
        if len(bindings) == len(places) and bindings:
            found, terms = zip(*bindings, strict=True)
            if found == self.variables and _NODES.issuperset(map(type, terms)):
                return terms
        row: list[Node | None] = [None] * len(places)
        for name, term in bindings:
            place = places.get(name)
            if place is None:
                raise Malformed(f"a row binds {printable(name[:40])!r}, which is none of the answer's variables")
            if type(term) not in _NODES:
                raise Malformed(f"what a row binds to {printable(name[:40])!r} is no term")
            row[place] = term
        return tuple(row)
