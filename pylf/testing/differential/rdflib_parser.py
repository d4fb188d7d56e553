"""rdflib's SPARQL parser, made quicker for a process that asks nothing but generated texts.

The parser tries each alternative of its grammar in turn (sixty built-in functions for each operand) and takes most of
the time that rdflib needs. Here what cannot begin with the next character is not tried, and no comment is looked for
before each token: the texts that are asked here have none. What is parsed, and how, stays the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

#: the characters that something may begin with, None for any; and whether it may be nothing at all
First = tuple[frozenset[str] | None, bool]

_BLANK = frozenset(" \t\r\n")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_DIGITS = frozenset("0123456789")
_NAMES = _LETTERS | _DIGITS | frozenset("_:%\\-.")
#: what a pattern begins with, by how it is written; beside these, any character beyond ASCII
_PATTERNS = (
    ("[0-9]", _DIGITS | {"."}),
    ("_:", frozenset("_")),
    ('"', frozenset('"')),
    ("'", frozenset("'")),
    ("[A-Za-z", _NAMES),
    ("[_A-Za-z", _NAMES),
    ("[a-zA-Z", _NAMES),
)


def quicken() -> None:
    """Makes the parser quicker, in this process."""
    import pyparsing
    from rdflib.plugins.sparql import parser

    parser.QueryUnit.streamline()  # choices within choices become one
    elements = list(_elements(parser.QueryUnit))
    for element in elements:
        element.ignoreExprs = []
    choices: list[Any] = [element for element in elements if type(element) is pyparsing.MatchFirst]
    for choice in choices:
        choice.parseImpl = _chosen(choice)


def _elements(root: Any) -> Iterator[Any]:
    """Every element of a grammar."""
    seen: set[int] = set()
    left: list[Any] = [root]
    while left:
        element = left.pop()
        if element is not None and id(element) not in seen:
            seen.add(id(element))
            yield element
            left += [*getattr(element, "exprs", ()), getattr(element, "expr", None)]


def _first(element: Any, above: tuple[int, ...] = ()) -> First:
    """What an element begins with; with any character, where that is not known."""
    import pyparsing

    if id(element) in above:
        return None, True
    above = (*above, id(element))
    match element:
        case pyparsing.Empty():
            return frozenset(), True
        case pyparsing.Literal() | pyparsing.Keyword():
            return frozenset((element.match[0].lower(), element.match[0].upper())), False
        case pyparsing.Regex(pattern=str() as pattern):
            written = pattern.lstrip("(")
            return next((first for start, first in _PATTERNS if written.startswith(start)), None), False
        case pyparsing.And(exprs=exprs):
            return _in_sequence(exprs, above)
        case pyparsing.MatchFirst(exprs=exprs):
            firsts = [_first(inner, above) for inner in exprs]
            return _union(first for first, _ in firsts), any(empty for _, empty in firsts)
        case pyparsing.Opt(expr=inner) | pyparsing.ZeroOrMore(expr=inner):
            return _first(inner, above)[0], True
        case pyparsing.OneOrMore(expr=inner) | pyparsing.Forward(expr=inner) | pyparsing.TokenConverter(expr=inner):
            return _first(inner, above)
        case _:
            return None, True


def _in_sequence(exprs: list[Any], above: tuple[int, ...]) -> First:
    firsts: list[frozenset[str] | None] = []
    for inner in exprs:
        first, empty = _first(inner, above)
        firsts.append(first)
        if not empty:
            return _union(firsts), False
    return None, True


def _union(firsts: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    found: frozenset[str] = frozenset()
    for first in firsts:
        if first is None:
            return None
        found |= first
    return found


def _chosen(element: Any) -> Callable[..., Any]:
    """How a choice is parsed: by the alternatives that may begin with the next character, in their order."""
    from pyparsing import MatchFirst, ParseException

    rules = [(rule, None if empty else first) for rule in element.exprs for first, empty in [_first(rule)]]
    known: dict[str, list[Any]] = {}
    whole = MatchFirst.parseImpl

    def parse(text: str, place: int, do_actions: bool = True) -> Any:
        character = text[place : place + 1]
        if not character or character in _BLANK or character > "~":
            return whole(element, text, place, do_actions)
        fitting = known.get(character)
        if fitting is None:
            fitting = [rule for rule, first in rules if first is None or character in first]
            known[character] = fitting
        for rule in fitting:
            try:
                return rule._parse(text, place, do_actions)
            except (ParseException, IndexError):
                continue
        raise ParseException(text, place, element.errmsg, element)

    return parse
