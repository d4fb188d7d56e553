"""Which kinds of constraints a gold program has, for breakdowns: by its syntax alone, without schema or graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.errors import PylfError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: by the class of a node of the syntax tree, of PyLF and of s-expressions
_KINDS = {
    "And": "conjunction",
    "Or": "union",
    "Minus": "difference",
    "CountOf": "count",
    "Count": "count",
    "Arg": "superlative",
    "Superlative": "superlative",
    "Cmp": "comparison",
    "Comparison": "comparison",
    "TimeConstraint": "time",
}
PLAIN = "plain"


def kinds_of(programs: Mapping[str, str]) -> tuple[str, ...]:
    """The kinds, by name; ``plain`` alone where there is a program without any, nothing where none can be read.

    ``negation`` is a negated JOIN. Programs are by form, as questions have them; PyLF and s-expressions are read.
    """
    tree = _tree(programs)
    if tree is None:
        return ()
    found = {kind for node in _walk(tree) if (kind := _kind(node)) is not None}
    return tuple(sorted(found)) or (PLAIN,)


def _kind(node: Any) -> str | None:
    return "negation" if getattr(node, "negated", False) is True else _KINDS.get(type(node).__name__)


def _tree(programs: Mapping[str, str]) -> object | None:
    try:
        if "pylf" in programs:
            from pylf.language import parser

            return parser.parse(programs["pylf"])
        if "sexpr" in programs:
            from pylf.frontends.sexpr import parser as sexpr

            return sexpr.parse(programs["sexpr"])
    except (PylfError, RecursionError):
        pass
    return None


def _walk(tree: object) -> Iterator[object]:
    """Every node, without recursion: programs may nest deeply."""
    left = [tree]
    while left:
        node = left.pop()
        if isinstance(node, tuple):
            left += node
        elif hasattr(node, "__match_args__"):
            yield node
            left += [getattr(node, name) for name in node.__match_args__]
