"""From the tree of a subgraph question to its text: what :func:`~pylf.frontends.subgraph.parser.parse` reads back as an
equal tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.frontends.subgraph.scanner import is_word, quoted
from pylf.frontends.subgraph.tree import (
    Around,
    Bound,
    Compared,
    Hop,
    Name,
    Neighbours,
    OneOf,
    Paths,
    Patterns,
    Triple,
    Variable,
    Way,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.frontends.subgraph.tree import Part, Place, Question

_INDENT = "  "


def print_question(question: Question) -> str:
    """The question as text, a clause or a pattern a line, with a line break at its end."""
    return f"\n{_INDENT}".join(_lines(question)) + "\n"


def _lines(question: Question) -> list[str]:
    match question:
        case Around(centers, hops, hop):
            length = [f"within {_hops(hops)}"] if hops != 1 else []
            return [f"subgraph around {_names(centers)}", *length, *_clauses(hop)]
        case Neighbours(centers, hop):
            return [f"neighbours of {_names(centers)}", *_clauses(hop)]
        case Paths(starts, hops, ends, hop, product, simple):
            to = f" to {_names(ends)}" if ends else ""
            first = f"{'simple ' if simple else ''}paths from {_names(starts)}{to} of {_hops(hops)}"
            last = [f"with product {_test(product)}"] if product is not None else []
            return [first, *_clauses(hop), *last]
        case Patterns(outputs, parts, rows):
            columns = " ".join(map(_place, outputs))
            return [f"{'rows' if rows else 'subgraph'} {columns} where", *map(_part, parts)]


def _clauses(hop: Hop) -> list[str]:
    found = [hop.way.value] if hop.way is not Way.EITHER else []
    if hop.relations:
        found.append(f"by {_names(hop.relations)}")
    if not hop.weighed:
        found.append("without confidence")
    if hop.floor is not None:
        found.append(f"with confidence {_test(hop.floor)}")
    if hop.default is not None:
        found.append(f"default {hop.default}")
    return found


def _part(part: Part) -> str:
    match part:
        case Triple(subject, predicate, object_, confidence):
            sure = f" with confidence {_place(confidence)}" if confidence is not None else ""
            return f"{_place(subject)} {_place(predicate)} {_place(object_)}{sure}"
        case OneOf(variable, names):
            return f"{_place(variable)} in ({_names(names)})"
        case Compared(variable, test):
            return f"{_place(variable)} {_test(test)}"


def _names(names: Iterable[Name]) -> str:
    return ", ".join(map(_place, names))


def _place(place: Place) -> str:
    if isinstance(place, Variable):
        return f"?{place.name}"
    return quoted(place.text) if place.quoted or not is_word(place.text) else place.text


def _test(test: Bound) -> str:
    return f"{test.op} {test.number}"


def _hops(hops: int) -> str:
    return "1 hop" if hops == 1 else f"{hops} hops"
