"""Expressions with others in the place of their variables, and how large they grow by it.

What is computed is written as if it were a variable, and then put in the place of that one. Each level of an expression
may so double what it is made of: :class:`Sizes` says where it is too much, before anything walks over it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.sparql import values
from pylf.backends.sparql.query import Aggregate, Call, Exists, Operation
from pylf.errors import UnsupportedOperation
from pylf.ir.terms import Var

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.backends.sparql.query import Expression

#: Calls, operations and terms of one expression at most.
LARGEST = 100_000
#: Expressions, and parts of them, of one query at most.
_MOST = 20_000


def stands_for(number: int) -> Var:
    """A variable that stands for what is computed, one for each number; no query has one of that name."""
    return Var(f"computed {number}")


def has_value(worth: Expression) -> Expression:
    """Whether an expression has a value; never an error."""
    if isinstance(worth, Var):
        return values.call("BOUND", worth)
    # to rdflib an error is no literal; a blank node has no text
    spelled = Operation(">=", (values.call("STRLEN", values.call("STR", worth)), values.ZERO))
    return values.total(values.call("IF", values.call("isBlank", worth), values.TRUE, spelled))


def substituted(tree: Expression, others: Mapping[Var, Expression]) -> Expression:
    """An expression with others in the place of variables."""
    match tree:
        case Var():
            return others.get(tree, tree)
        case Call("BOUND", (Var() as var,)):
            return has_value(others[var]) if var in others else tree
        case Call(function, parts):
            new = tuple([substituted(part, others) for part in parts])
            if function == "STR" and isinstance(new[0], Call) and new[0].function == "STR":
                return new[0]
            return Call(function, new)
        case Operation(operator, parts):
            return Operation(operator, tuple([substituted(part, others) for part in parts]))
        case Aggregate(function, part, distinct, separator) if part is not None:
            return Aggregate(function, substituted(part, others), distinct, separator)
        case Exists():
            raise AssertionError(tree)  # no expression of the wide tier holds one
        case _:
            return tree


class TooLargeError(UnsupportedOperation):
    """An expression that would be too large, written out."""


class Sizes:
    """The sizes of the expressions of one query. Parts that several have in common are looked at once."""

    def __init__(self, dialect: str) -> None:
        self._where = f"SPARQL ({dialect})"
        #: by ``id``, beside the tree itself, so that it stays
        self._known: dict[int, tuple[Expression, int]] = {}
        self._made = 0

    def kept(self, tree: Expression) -> Expression:
        """The same tree.

        Raises:
            TooLargeError: it has more than LARGEST parts, or there are too many trees.
        """
        self._made += 1
        if self._made > _MOST or self._size(tree) > LARGEST:
            raise TooLargeError(f"an expression of more than {LARGEST:,} parts, written out,", self._where)
        return tree

    def _size(self, tree: Expression) -> int:
        known = self._known.get(id(tree))
        if known is not None:
            return known[1]
        match tree:
            case Call(_, parts) | Operation(_, parts):
                size = 1 + sum(map(self._size, parts))
            case Aggregate(_, part) if part is not None:
                size = 1 + self._size(part)
            case _:
                return 1
        self._known[id(tree)] = tree, size
        return size
