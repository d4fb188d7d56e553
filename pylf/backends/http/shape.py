"""Rows that are all written alike, read by one regular expression that is made from the first of them.

Most answers are such rows: the same variables, bound to the same kinds of term, with the same blanks between. To read
them so takes half the time of decoding them as JSON. Nothing is taken on trust: the first row is decoded; only the
texts of terms may differ from it, and hold no escapes; and the rows found make up the whole, to the last character.
"""

from __future__ import annotations

import json
import re
from itertools import chain
from typing import TYPE_CHECKING

from pylf.backends.http.bindings import blank_of, datatype_of, rows_in, tag_of
from pylf.ir.terms import RDF_LANG_STRING, Iri, Literal
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pylf.backends.http.bindings import Row
    from pylf.ir.terms import Node

    _Strings = tuple[str, ...]

_FIRST = json.JSONDecoder(strict=False)
_BETWEEN = re.compile(r"[ \t\r\n]*,[ \t\r\n]*(?=\{)")
_TEXTS = frozenset({"value", "datatype", "xml:lang"})
#: an IRI: with a scheme, and without control characters
_ABSOLUTE = r'"([A-Za-z][A-Za-z0-9+.-]*+:[^"\\\x00-\x1f\x7f-\x9f]*+)"'
#: characters that a row may have to be worth an expression
_LONGEST = 10_000


@record(eq=False)
class Shape:
    """How the rows of an answer are written. ``fixed`` are the characters that every row has, and ``between`` those
    before the next; ``cells`` gives each variable's kind of term, and the groups of the expression for its texts."""

    row: re.Pattern[str]
    fixed: int
    between: int
    cells: tuple[tuple[str, tuple[int, ...]], ...]

    def rows(self, text: str) -> list[Row] | None:
        """The rows that make up a text, commas between them; None if it is anything but rows of this shape, or may
        hold blank nodes that are written as IRIs.

        Raises:
            Malformed: a datatype, a language tag or a blank node's label is none.
        """
        if self.row.match(text) is None or "nodeID://" in text:
            return None
        found = self.row.findall(text)
        texts: list[_Strings] = list(zip(*found, strict=True))
        length = sum(map(len, chain.from_iterable(texts)))
        if length + len(found) * (self.fixed + self.between) != len(text) + self.between:
            return None
        return list(
            zip(*[_nodes(kind, [texts[place] for place in places]) for kind, places in self.cells], strict=True)
        )


def shape_of(text: str, names: Sequence[str]) -> Shape | None:
    """The shape of the first of some rows; None where there is but one, or it is out of the ordinary."""
    try:
        row, end = _FIRST.raw_decode(text)
    except (ValueError, RecursionError):
        return None
    between = _BETWEEN.match(text, end)
    first = text[:end]
    if between is None or end > _LONGEST or "\\" in first or rows_in(first, names) is None or len(row) != len(names):
        return None
    parts: list[str] = []
    places: dict[tuple[str, str], int] = {}
    fixed = end
    name = key = ""
    depth = 0
    pieces = first.split('"')
    for outside, string, after in zip(pieces[::2], pieces[1::2], pieces[2::2], strict=False):
        depth += outside.count("{") - outside.count("}")
        parts.append(re.escape(outside))
        if after.lstrip().startswith(":"):
            name, key = (string, "") if depth == 1 else (name, string)
        elif key in _TEXTS:
            places[name, key] = len(places)
            fixed -= len(string)
            is_iri = key == "value" and row[name].get("type") == "uri"
            parts.append(_ABSOLUTE if is_iri else r'"([^"\\]*)"')
            continue
        parts.append(f'"{re.escape(string)}"')
    parts.append(rf"{re.escape(pieces[-1])}(?:{re.escape(between.group())}|\Z)")
    # one group more, which is empty: otherwise a single group is found as a string, not as a tuple
    expression = re.compile("()" + "".join(parts))
    cells = []
    for name in names:
        texts = [text for text in ("value", "datatype", "xml:lang") if (name, text) in places]
        kind = "literal" if row[name]["type"] == "typed-literal" else row[name]["type"]
        if len(texts) + 1 != len(row[name]) or len(texts) > (2 if kind == "literal" else 1):
            return None
        cells.append((" ".join((kind, *texts[1:])), tuple(places[name, text] + 1 for text in texts)))
    return Shape(expression, fixed, len(between.group()), tuple(cells))


def _nodes(kind: str, texts: Sequence[_Strings]) -> Sequence[Node]:
    """A column of terms of one kind."""
    match kind:
        case "uri":
            return list(map(Iri, *texts))
        case "literal":
            return list(map(Literal, *texts))
        case "literal datatype":
            for datatype in set(texts[1]):
                datatype_of(datatype)
            return list(map(Literal, *texts))
        case "literal xml:lang":
            tags = {tag: tag_of(tag) for tag in set(texts[1]) if tag}
            # an empty tag is none
            return [
                Literal(value, RDF_LANG_STRING, tags[tag]) if tag else Literal(value)
                for value, tag in zip(*texts, strict=True)
            ]
    assert kind == "bnode"
    return list(map(blank_of, *texts))
