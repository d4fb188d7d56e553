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

_LITERALS = frozenset({"literal", "typed-literal"})
#: from the first row to the end of the last that is whole, as far as can be told without reading
_WHOLE_ROWS = re.compile(r".*\}[ \t\r\n]*\}(?=[ \t\r\n]*[,\]])", re.DOTALL)


class Malformed(EngineError):
    """The body is not, or not wholly, results in JSON. ``rest`` is the text from there on, as far as it came."""

    def __init__(self, message: str, rest: str = "") -> None:
        super().__init__(message)
        self.rest = rest


class _Number(NamedTuple):
    """A number where the format has none; strings are told from it."""

    text: str


# --- terms --------------------------------------------------------------------------------------------------------


def _term(pairs: list[tuple[str, Any]]) -> Any:
    """The term in a JSON object, or the object's pairs where it is a row: a row's values are terms already."""
    if len(pairs) == 2:
        (first, kind), (second, value) = pairs
        # by far the most, and the quickest
        if kind == "uri" and first == "type" and second == "value" and type(value) is str:
            return Iri(value) if not value.startswith("nodeID://") else blank_of(value)
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
            # Virtuoso's older versions write blank nodes so
            return Iri(value) if not value.startswith("nodeID://") else blank_of(value)
        case "literal" | "typed-literal":
            return Literal(value) if len(found) == 2 else _literal(value, found)
        case "bnode":
            return blank_of(value)
    raise Malformed(f"the endpoint answers with a term of type {kind[:40]!r}; the types are uri, literal and bnode")


def blank_of(label: str) -> Blank:
    """The blank node of a label, without what some servers put before it."""
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


#: decodes one row: its names and terms, in the order in which they stand
ROWS: Any = json.JSONDecoder(
    strict=False, object_pairs_hook=_term, parse_int=_Number, parse_float=_Number, parse_constant=_Number
)
#: decodes what is no row
PLAIN = json.JSONDecoder(strict=False, parse_int=_Number, parse_float=_Number, parse_constant=_Number)
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
        if set(map(type, found)) != {dict}:
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
                add(Iri(value))
            elif kind in _LITERALS:
                add(Literal(value))
            else:
                add(_node(cell))
        elif size == 3 and kind in _LITERALS and type(datatype := cell.get("datatype")) is str:
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
