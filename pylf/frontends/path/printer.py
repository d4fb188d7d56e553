"""From the tree of a path to text; what is printed is read as the same tree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.errors import CompileError, Source, Span
from pylf.frontends.path.parser import MARK, parse_within
from pylf.frontends.path.tree import Named, Number, Variable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.frontends.path.tree import Node, PathTree

#: what a model's text may have before a path, a mark or a number of a list or a heading; and quotes, which may meet
#: those of another name
_LISTED = re.compile(r"[\"'#*•\-]|\(?[0-9]+[.)]\s")
_ESCAPED: Mapping[int, str] = {ord("\\"): "\\\\", ord('"'): '\\"'}
#: no name holds a mark, so that whoever looks for the paths of a text need not look for quotes
_HIDDEN: Mapping[int, str] = {ord("<"): "\\x3c", ord(">"): "\\x3e", ord("→"): "\\u2192", ord("←"): "\\u2190"}


def print_path(tree: PathTree, tags: bool = False, arrows: str = "ascii") -> str:
    """A path as text on one line.

    Args:
        tree: the path.
        tags: whether it stands between ``<PATH>`` and ``</PATH>``, as GCR writes it.
        arrows: ``ascii`` for ``->`` and ``<-``, ``unicode`` for ``→`` and ``←``.
    """
    along, against = ("→", "←") if arrows == "unicode" else ("->", "<-")
    parts = [_item(tree.nodes[0])]
    for hop, node in zip(tree.hops, tree.nodes[1:], strict=True):
        arrow = along if hop.forward else against
        parts += [arrow, _item(hop.relation), arrow, _item(node)]
    text = " ".join(parts)
    return f"<PATH> {text} </PATH>" if tags else text


def _item(item: Node) -> str:
    match item:
        case Variable(None):
            return "?"
        case Variable(name, asked):
            return f"?{name}" if asked else f"?_{name}"
        case Number(text):
            return text
        case Named(text):
            return text if _is_plain(text) else _quoted(text)
    raise TypeError(f"{type(item).__name__} is no node of a path")


def _is_plain(text: str) -> bool:
    """Whether a name is read as itself where it stands without quotes."""
    if not text.isprintable() or text.endswith("<") or _LISTED.match(text):
        return False
    written = f"{text} -> r -> n"
    try:
        tree = parse_within(Source(written), Span(0, len(written)))
    except CompileError:
        return False
    return len(tree.hops) == 1 and tree.nodes[0] == Named(text)


def _quoted(text: str) -> str:
    escaped = "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text.translate(_ESCAPED)
    )
    return f'"{escaped.translate(_HIDDEN) if MARK.search(escaped) else escaped}"'
