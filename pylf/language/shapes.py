"""What the grammar sees, before PyLF's meaning is asked for: calls, lists, dicts and keywords, with their tokens.

The classes here are what ``grammars/pylf.lark`` makes of a text; :mod:`pylf.language.build_tree` turns them into the
syntax tree. They know nothing of JOIN or STOP, so that one fault in a call does not hide the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pylf.errors import Span

if TYPE_CHECKING:
    from pylf.language.tokens import Token


class Call(NamedTuple):
    """``NAME(argument, …)``."""

    function: Token
    arguments: list[Value | Keyword]
    span: Span


class Keyword(NamedTuple):
    """``name=value`` among a call's arguments."""

    name: Token
    value: Value
    span: Span


class ListOf(NamedTuple):
    """``[value, …]``."""

    values: list[Value]
    span: Span


class DictOf(NamedTuple):
    """``{key: value, …}``."""

    pairs: list[tuple[Value, Value]]
    span: Span


class Group(NamedTuple):
    """``(value)``, which means the value."""

    value: Value
    span: Span


class Statement(NamedTuple):
    """``name = value``, or a value alone (then ``target`` is None)."""

    target: Token | None
    value: Value
    span: Span


if TYPE_CHECKING:
    # A token here is a NAME, a STRING or a NUMBER.
    Value = Token | Call | ListOf | DictOf | Group


class Shapes:
    """The grammar's rules as functions of their parts; brackets, commas and line ends are among the parts."""

    @staticmethod
    def nothing(_: list[Any]) -> list[Statement]:
        """No statement yet."""
        return []

    @staticmethod
    def extend(parts: list[Any]) -> list[Statement]:
        """One statement more."""
        statements: list[Statement] = parts[0]
        statements.append(parts[1])
        return statements

    @staticmethod
    def assignment(parts: list[Any]) -> Statement:
        """A name and its value."""
        return Statement(parts[0], parts[2], Span(parts[0].start, parts[2].span.end))

    @staticmethod
    def bare(parts: list[Any]) -> Statement:
        """A value that is given no name."""
        return Statement(None, parts[0], parts[0].span)

    @staticmethod
    def group(parts: list[Any]) -> Group:
        """A value in brackets."""
        return Group(parts[1], Span(parts[0].start, parts[2].end))

    @staticmethod
    def first(parts: list[Any]) -> list[Any]:
        """The first of several."""
        return parts

    @staticmethod
    def append(parts: list[Any]) -> list[Any]:
        """One more, after a comma."""
        several: list[Any] = parts[0]
        several.append(parts[2])
        return several

    @staticmethod
    def call(parts: list[Any]) -> Call:
        """A function with its arguments, if any."""
        return Call(parts[0], parts[2] if len(parts) > 3 else [], Span(parts[0].start, parts[-1].end))

    @staticmethod
    def keyword(parts: list[Any]) -> Keyword:
        """An argument with a name."""
        return Keyword(parts[0], parts[2], Span(parts[0].start, parts[2].span.end))

    @staticmethod
    def sequence(parts: list[Any]) -> ListOf:
        """A list with its values, if any."""
        return ListOf(parts[1] if len(parts) > 2 else [], Span(parts[0].start, parts[-1].end))

    @staticmethod
    def mapping(parts: list[Any]) -> DictOf:
        """A dict with its pairs, if any."""
        return DictOf(parts[1] if len(parts) > 2 else [], Span(parts[0].start, parts[-1].end))

    @staticmethod
    def pair(parts: list[Any]) -> tuple[Value, Value]:
        """A key and its value."""
        return parts[0], parts[2]
