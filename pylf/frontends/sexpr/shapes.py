"""What the grammar sees, before the meaning of operators is asked for: atoms, and forms in brackets.

``grammars/sexpr.lark`` makes these of a text; :mod:`pylf.frontends.sexpr.build_tree` turns them into the tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pylf.errors import Span

if TYPE_CHECKING:
    from pylf.language.tokens import Token


class Form(NamedTuple):
    """``(…)``: the items between the brackets, of which the first should be an operator."""

    items: list[Item]
    span: Span


if TYPE_CHECKING:
    # A token here is a WORD, a VALUE, a STRING or an IRI.
    Item = Token | Form


class Shapes:
    """The grammar's rules as functions of their parts."""

    @staticmethod
    def begin(parts: list[Any]) -> list[Any]:
        """An opening bracket."""
        return parts

    @staticmethod
    def add(parts: list[Any]) -> list[Any]:
        """One item more."""
        several: list[Any] = parts[0]
        several.append(parts[1])
        return several

    @staticmethod
    def form(parts: list[Any]) -> Form:
        """A closing bracket, and what is between it and the one that opens."""
        opening, *items = parts[0]
        return Form(items, Span(opening.start, parts[1].end))
