"""The paths in a text that a model wrote: those between tags, or one on each line; all else is told, none is lost.

GCR has its model write ``<PATH> … </PATH>``; others write a path on each line, perhaps as a list. A line that is no
path is a finding, not an error: the other paths are there all the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.errors import CompileError, Diagnostic, Source, Span
from pylf.frontends.path.parser import parse_within
from pylf.frontends.path.tree import PathTree
from pylf.language.characters import first_character
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.frontends.path.tree import Node

_TAG = re.compile(r"<(/?)PATH>", re.IGNORECASE)
_ARROW = re.compile(r"->|→|<-|←|<SEP>", re.IGNORECASE)
_BULLET = re.compile(r"[ \t]*[-*•][ \t]+")
_NUMBERED = re.compile(r"[ \t]*\(?([0-9]{1,4})[.)][ \t]+")
_LINE = re.compile(r"[^\n]+")


@record
class Reading:
    """What a text holds: its ``paths``, and ``findings`` about all that is none: an error where a path was begun, a
    note where nothing looks like one. Both are in the order of the text."""

    paths: tuple[PathTree, ...]
    findings: tuple[Diagnostic, ...]


def read_paths(text: str, name: str = "<text>", start: Node | None = None) -> Reading:
    """Read all paths of a text.

    Args:
        text: what a model wrote.
        name: what findings call it.
        start: where paths of relations alone (``<PATH> r <SEP> s </PATH>``) begin; without it, anywhere.

    Raises:
        CompileError: the text is too long, or holds what is no character.
    """
    source = Source(text, name)
    begins = first_character(source, "text")
    paths: list[PathTree] = []
    findings: list[Diagnostic] = []
    for span, expected in _stretches(source, begins):
        if not expected:
            message = "this is no path"
            findings.append(Diagnostic("not-a-path", message, span, source, severity="note"))
            continue
        try:
            tree = parse_within(source, span)
        except CompileError as error:
            findings += error.diagnostics
            continue
        paths.append(_from(start, tree) if start is not None and tree.nodes[0].span is None else tree)
    return Reading(tuple(paths), tuple(findings))


def _from(start: Node, tree: PathTree) -> PathTree:
    return PathTree((start, *tree.nodes[1:]), tree.hops, tree.source, tree.span)


def _stretches(source: Source, begins: int) -> Iterator[tuple[Span, bool]]:
    """The parts of a text, each with whether it should be a path."""
    text = source.text
    tags = list(_TAG.finditer(text, begins))
    if not tags:
        yield from _lines(text, Span(begins, len(text)))
        return
    at = begins
    opened: int | None = None
    for tag in tags:
        if opened is None and not tag[1]:
            yield from _beside(text, Span(at, tag.start()))
            opened = tag.start()
        elif tag[1]:  # one that closes nothing is told, with what stands before it
            yield Span(at if opened is None else opened, tag.end()), True
            opened = None
        else:  # the one before was not closed
            assert opened is not None
            yield Span(opened, tag.start()), True
            opened = tag.start()
        at = tag.end()
    if opened is not None:
        yield Span(opened, len(text)), True
    else:
        yield from _beside(text, Span(at, len(text)))


def _beside(text: str, span: Span) -> Iterator[tuple[Span, bool]]:
    """What stands beside the paths that have tags is taken for none."""
    for line in _LINE.finditer(text, span.start, span.end):
        stretch = _stripped(text, Span(*line.span()))
        if stretch.start < stretch.end:
            yield stretch, False


def _lines(text: str, span: Span) -> Iterator[tuple[Span, bool]]:
    """The lines of a text without tags; those with an arrow should be paths. A list's marks are no part of them, and
    its numbers neither, where they count the paths: one number alone may belong to a name ("1. FC Köln")."""
    lines = [_stripped(text, Span(*line.span())) for line in _LINE.finditer(text, span.start, span.end)]
    lines = [line for line in lines if line.start < line.end]
    expected = [_ARROW.search(text, line.start, line.end) is not None for line in lines]
    marked = [_NUMBERED.match(text, line.start, line.end) for line, path in zip(lines, expected, strict=True) if path]
    numbers = [int(found[1]) for found in marked if found is not None]
    counted = len(numbers) == len(marked) > 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    for line, path in zip(lines, expected, strict=True):
        found = None
        if path:
            found = (_NUMBERED if counted else _BULLET).match(text, line.start, line.end)
        yield (line if found is None else Span(found.end(), line.end)), path


def _stripped(text: str, span: Span) -> Span:
    """A stretch without the white space around it."""
    piece = text[span.start : span.end]
    start = span.start + len(piece) - len(piece.lstrip())
    return Span(start, start + len(piece.strip()))
