"""What in a reply may be what was asked for, likeliest first.

First come fenced blocks whose tag is one of those asked for, then the other fenced blocks, then code within lines, then
what stands outside of blocks: all of it where there is no block, and the balanced expressions in it. Each comes as it
is, and then tidied (:mod:`pylf.models.replies.tidy`) where that differs, and last with quotes put straight that are
escaped. Within a kind the order is the text's.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from pylf.models.replies.expressions import calls
from pylf.models.replies.fences import fenced, inline, outside
from pylf.models.replies.thinking import without_thoughts
from pylf.models.replies.tidy import tidied, unescaped
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

#: characters of a reply that are looked at, and candidates that are taken from it
LONGEST = 1_000_000
MOST = 256


class Place(StrEnum):
    """Where in a reply a candidate stands."""

    TAGGED = "tagged block"
    FENCED = "fenced block"
    INLINE = "code within a line"
    WHOLE = "whole text"
    PROSE = "expression in the text"


@record
class Candidate:
    """A text that may be what was asked for, and where it stands. ``tidied``: quotes and list markers of it were
    changed."""

    text: str
    place: Place
    tidied: bool = False


def candidates(
    text: str, tags: Iterable[str] = (), find: Callable[[str], Iterable[str]] = calls
) -> Iterator[Candidate]:
    """The candidates of a reply's text, no text twice, and no more than :data:`MOST`. ``tags`` are those of the blocks
    that come first (``python``, ``json``), in any case; ``find`` finds expressions in prose."""
    seen: set[str] = set()
    for one in _all(without_thoughts(text[:LONGEST]), {tag.lower() for tag in tags}, find):
        if one.text and one.text not in seen:
            seen.add(one.text)
            yield one
            if len(seen) >= MOST:
                return


def _all(text: str, tags: set[str], find: Callable[[str], Iterable[str]]) -> Iterator[Candidate]:
    blocks = fenced(text)
    for block in blocks:
        if block.tag in tags:
            yield from _each_way(block.text, Place.TAGGED)
    for block in blocks:
        if block.tag not in tags:
            yield from _each_way(block.text, Place.FENCED)
    prose = outside(text, blocks)
    for code in inline(prose):
        first, _, rest = code.text.partition(" ")
        if first.lower() in tags and rest:
            yield from _each_way(rest, Place.INLINE)
        yield from _each_way(code.text, Place.INLINE)
    if not blocks:
        yield from _each_way(text, Place.WHOLE)
    yield from _found(prose, Place.PROSE, find)
    for block in blocks:  # prose, or several drafts in one block
        yield from _found(block.text, Place.TAGGED if block.tag in tags else Place.FENCED, find)


def _found(text: str, place: Place, find: Callable[[str], Iterable[str]]) -> Iterator[Candidate]:
    for written, changed in _ways(text):
        for expression in find(written):
            yield Candidate(expression.strip(), place, changed)


def _each_way(text: str, place: Place) -> Iterator[Candidate]:
    for written, changed in _ways(text.strip()):
        yield Candidate(written.strip(), place, changed)


def _ways(text: str) -> Iterator[tuple[str, bool]]:
    """A text as it is, tidied, and tidied without escapes; whether it was changed."""
    yield text, False
    yield tidied(text), True
    if (bare := unescaped(text)) != text:
        yield tidied(bare), True
