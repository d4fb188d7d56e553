"""What reductions make of many values, and the order that slices and extremes of values follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import InvalidIR
from pylf.ir.arithmetic import literal_of, number_of, quotient, total
from pylf.ir.dates import Interval
from pylf.ir.functions import bounded
from pylf.ir.terms import XSD_INTEGER, Blank, Iri, Literal
from pylf.ir.values import Boolean, Text, sort_key, value_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pylf.ir.arithmetic import Number
    from pylf.ir.nodes import Reduction
    from pylf.ir.terms import Node

    #: Places in an order; those that are equal tie.
    Rank = tuple[object, ...]


def reduced(reduction: Reduction, values: Sequence[Node | None]) -> Node | None:
    """What a reduction makes of the values that its expression has, one for each solution (of none: anything).

    Raises:
        UnsupportedOperation: a string would be too long.
    """
    if reduction.of is None:
        return Literal(str(len(values)), XSD_INTEGER)
    if reduction.distinct:
        values = list(dict.fromkeys(values))
    nodes = [node for node in values if node is not None]
    if reduction.function == "count":
        return Literal(str(len(nodes)), XSD_INTEGER)
    if len(nodes) < len(values):
        return None
    match reduction.function:
        case "sum":
            numbers = _numbers(nodes)
            return None if numbers is None else literal_of(total(numbers))
        case "avg":
            numbers = _numbers(nodes)
            if not numbers:
                return Literal("0", XSD_INTEGER) if numbers is not None else None
            return quotient(total(numbers), len(numbers))
        case "min" | "sample":
            return min(nodes, key=_total, default=None)
        case "max":
            best = max(map(rank, nodes), default=None)
            return min([node for node in nodes if rank(node) == best], key=settled, default=None)
        case "group_concat":
            texts = [_text(node) for node in nodes]
            said = sorted([text for text in texts if text is not None])
            if len(said) < len(texts):
                return None
            bounded(sum(map(len, said)) + len(said) * len(reduction.separator))
            return Literal(reduction.separator.join(said))
        case other:
            raise InvalidIR(f"there is no reduction {other!r}")


def rank(node: Node | None) -> Rank:
    """Where a node stands in an order: unbound, blank nodes, IRIs, literals; of these numbers, dates by where they
    begin, strings by code point, booleans, then all others by how they are spelled."""
    match node:
        case None:
            return (0,)
        case Blank(label):
            return 1, label
        case Iri(iri):
            return 2, iri
        case Literal(lexical, datatype):
            match value_of(node):
                case float() as number:
                    return 3, 0, number
                case Interval() as covers:
                    return 3, 1, covers.start
                case Text(text, language):
                    return 3, 2, text, language or ""
                case Boolean(true):
                    return 3, 3, true
                case _:
                    return 3, 4, datatype, lexical


def settled(node: Node | None) -> Rank:
    """A place in a total order of nodes, and of what is open: nothing ties."""
    return (-1,) if node is None else sort_key(node)


def _total(node: Node) -> tuple[Rank, Rank]:
    return rank(node), settled(node)


def _numbers(nodes: Sequence[Node]) -> list[Number] | None:
    """The numbers that the nodes are; None where one is none."""
    found: list[Number] = []
    for node in nodes:
        number = number_of(node)
        if number is None:
            return None
        found.append(number)
    return found


def _text(node: Node) -> str | None:
    match node:
        case Iri(text) | Literal(text):
            return text
        case _:
            return None
