"""The bindings of SPARQL 1.1 query results in JSON: from what stands there to terms and rows.

One row at a time by :data:`SCAN`, which notices whatever is wrong; or all that stand in a piece of text by
:func:`rows_in`, at a third of the price, which gives up where anything is out of the ordinary.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from pylf.errors import EngineError, printable
from pylf.ir.terms import RDF_LANG_STRING, XSD_STRING, Blank, Iri, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pylf.ir.terms import Node

    Row = tuple[Node | None, ...]

#: an IRI with its scheme; what else it may hold is left to whoever uses it, as graphs hold blanks and braces in theirs
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*+:[^\x00-\x1f\x7f-\x9f]*+")
_TAG = re.compile(r"[A-Za-z]+(?:-[A-Za-z0-9]+)*+")
#: terms that are read at once
_MOST_CELLS = 1 << 22
_LITERALS = frozenset({"literal", "typed-literal"})
#: from the first row to the end of the last that is whole, as far as can be told without reading
_WHOLE_ROWS = re.compile(r".*\}[ \t\r\n]*\}(?=[ \t\r\n]*[,\]])", re.DOTALL)


class Malformed(EngineError):
    """The body is not, or not wholly, results in JSON. ``rest`` is the text from there on, as far as it came."""

    def __init__(self, message: str, rest: str = "") -> None:
        super().__init__(message)
        self.rest = rest


class Number(NamedTuple):
    """A number where the format has none; strings are told from it."""

    text: str


# --- terms --------------------------------------------------------------------------------------------------------


def _term(pairs: list[tuple[str, Any]]) -> Any:
    """The term in a JSON object, or the object's pairs where it is a row: a row's values are terms already."""
    if len(pairs) == 2:
        (first, kind), (second, value) = pairs
        # by far the most, and the quickest
        if kind == "uri" and first == "type" and second == "value" and type(value) is str:
            return _resource(value)
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Malformed(f"a row or a term states {_twice(pairs)} twice")
    return _node(found) if isinstance(found.get("type"), str) else pairs


def _node(found: dict[str, Any]) -> Node:
    """The term in a JSON object whose type is a text."""
    kind, value = found["type"], found.get("value")
    if not isinstance(value, str):
        if kind == "triple":
            raise EngineError("the endpoint answers with a triple term (RDF 1.2), which pylf cannot hold")
        raise Malformed(f"a term of type {kind[:40]!r} has no text as its value")
    match kind:
        case "uri":
            return _resource(value)
        case "literal" | "typed-literal":
            return Literal(value) if len(found) == 2 else _literal(value, found)
        case "bnode":
            return blank_of(value)
    raise Malformed(f"the endpoint answers with a term of type {kind[:40]!r}; the types are uri, literal and bnode")


def _resource(value: str) -> Iri | Blank:
    """The IRI that stands there, or a blank node as Virtuoso's older versions write it."""
    if value.startswith("nodeID://"):
        return blank_of(value)
    if _IRI.fullmatch(value) is None:
        raise Malformed(
            f"{printable(value[:80])!r} stands as an IRI and is none: it has no scheme, or a control character"
        )
    return Iri(value)


def blank_of(label: str) -> Blank:
    """The blank node of a label, without what some servers put before it: ``_:b1`` and ``nodeID://b1`` are ``b1``
    wherever they stand."""
    bare = label.removeprefix("_:").removeprefix("nodeID://")
    if not bare or not bare.isprintable():
        raise Malformed(f"{printable(label[:40])!r} is no label of a blank node")
    return Blank(bare)


def tag_of(language: str) -> str:
    """A language tag as terms hold it: RDF 1.1 compares them without case."""
    if _TAG.fullmatch(language) is None:
        raise Malformed(f"{printable(language[:40])!r} is no language tag")
    return language.lower()


def datatype_of(stated: str) -> str:
    """A datatype that a literal without a language can have."""
    if stated == RDF_LANG_STRING:
        raise Malformed("a literal of the type rdf:langString has no language")
    if _IRI.fullmatch(stated) is None:
        raise Malformed(f"a literal's datatype is {printable(stated[:80])!r}, which is no IRI")
    return stated


def _literal(value: str, found: dict[str, Any]) -> Literal:
    language, datatype = found.get("xml:lang"), found.get("datatype")
    if "its:dir" in found:
        raise EngineError("the endpoint answers with a text that has a direction (RDF 1.2), which pylf cannot hold")
    if not isinstance(language, str | None) or not isinstance(datatype, str | None):
        raise Malformed("a literal's language or datatype is no text")
    if language:
        if datatype not in {None, RDF_LANG_STRING}:
            raise Malformed("a literal has both a language and a datatype of its own")
        return Literal(value, RDF_LANG_STRING, tag_of(language))
    return Literal(value, XSD_STRING if datatype is None else datatype_of(datatype))


def _twice(pairs: Sequence[tuple[str, Any]]) -> str:
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            return repr(printable(key[:40]))
        seen.add(key)
    return "a key"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Malformed(f"the answer states {_twice(pairs)} twice in one object")
    return found


#: decodes one row: its names and terms, in the order in which they stand
ROWS: Any = json.JSONDecoder(
    strict=False, object_pairs_hook=_term, parse_int=Number, parse_float=Number, parse_constant=Number
)
#: decodes what is no row
PLAIN = json.JSONDecoder(
    strict=False, object_pairs_hook=_object, parse_int=Number, parse_float=Number, parse_constant=Number
)
_QUICK = json.JSONDecoder(strict=False)


# --- many rows ----------------------------------------------------------------------------------------------------


def end_of_rows(text: str, start: int) -> int:
    """Where the last row ends that seems to be whole; ``start`` where there is none."""
    found = _WHOLE_ROWS.match(text, start)
    return start if found is None else found.end()


def rows_in(text: str, names: Sequence[str]) -> list[Row] | None:
    """The rows that a text holds, commas between them; None where they are better read one by one: not because
    something is wrong with them for certain, but because here it would not be told from what is not.

    A decoded object no longer shows that a key stood in it twice. It is noticed by counting: every string of the text
    has to be a key or a value of the rows, and a key that was dropped takes its string with it.
    """
    if not names:
        return None
    try:
        found = _QUICK.decode(f"[{text}]")
        if set(map(type, found)) != {dict} or len(found) * len(names) > _MOST_CELLS:
            return None
        columns = []
        strings = bound = sum(map(len, found))
        escapes = "\\" in text
        if escapes and ("\\ud" in text or "\\uD" in text):
            return None  # may be half of a character
        labels = "nodeID://" in text or (escapes and ("\\u" in text or "\\/" in text))
        for name in names:
            nodes, missing, within = _column([row.get(name) for row in found], labels)
            columns.append(nodes)
            bound -= len(nodes) - missing
            strings += within
    except (ValueError, RecursionError, KeyError, TypeError, EngineError):
        return None
    if bound or strings != _strings(text, escapes):
        return None
    return list(zip(*columns, strict=True))


def _column(cells: list[Any], labels: bool) -> tuple[list[Node | None], int, int]:
    """The terms, how many are missing, and the number of strings that they are written by. ``labels``: there may be
    blank nodes written as IRIs.

    Raises:
        KeyError, TypeError, EngineError: a term is not as terms are in most answers.
    """
    nodes: list[Node | None] = []
    add = nodes.append
    strings = missing = 0
    absolute, typed = _IRI.fullmatch, {XSD_STRING}
    for cell in cells:
        if cell is None:
            missing += 1
            add(None)
            continue
        kind, value, size = cell["type"], cell["value"], len(cell)
        if type(value) is not str:
            raise TypeError
        strings += size
        if size == 2:
            if kind == "uri" and not labels:
                if absolute(value) is None:
                    raise TypeError
                add(Iri(value))
            elif kind in _LITERALS:
                add(Literal(value))
            else:
                add(_node(cell))
        elif size == 3 and kind in _LITERALS and type(datatype := cell.get("datatype")) is str:
            if datatype not in typed:
                typed.add(datatype_of(datatype))
            add(Literal(value, datatype))
        elif size == 2 + (type(cell.get("datatype")) is str) + (type(cell.get("xml:lang")) is str):
            add(_node(cell))
        else:
            raise TypeError
    return nodes, missing, 2 * strings


def _strings(text: str, escapes: bool) -> int:
    """The number of strings in a text that is JSON."""
    quotes = text.count('"')
    if escapes:
        quotes -= text.replace("\\\\", "").count('\\"')
    return quotes // 2
