"""Blocks of code between fences (CommonMark 0.31, §4.5), and code within a line (§6.1)."""

from __future__ import annotations

import re

from pylf.errors import Span
from pylf.records import record

#: a fence at the start of a line, which may be quoted or belong to a list; and what stands behind it
_FENCE = re.compile(r"^[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)$", re.MULTILINE)
#: code within a line; three marks may stand there too
_INLINE = re.compile(r"(?<!`)(?P<marks>`{1,3})(?!`)(?P<code>[^`\n]+(?:\n[^`\n]+){0,3}?)(?P=marks)(?!`)")
_TAG = re.compile(r"[\w+#.-]+")


@record
class Block:
    """A block of code. ``tag`` is what its fence says that it is, in lower case ("" for nothing); ``span`` is of the
    block in the text, fences included."""

    tag: str
    text: str
    span: Span


def fenced(text: str) -> tuple[Block, ...]:
    """The blocks between fences, in order. A block that is never closed goes as far as the text, which was cut off; a
    line that opens another block with a tag ends one that was not closed."""
    found: list[Block] = []
    start: re.Match[str] | None = None
    for line in _FENCE.finditer(text):
        fence, info = line["fence"], line["info"].strip()
        if fence[0] == "`" and "`" in info:
            continue  # code within a line
        if start is None:
            start = line
        elif fence[0] == start["fence"][0] and len(fence) >= len(start["fence"]):
            found.append(_block(text, start, line.start(), line.start() if info else line.end()))
            start = line if info else None
    if start is not None:
        found.append(_block(text, start, len(text), len(text)))
    return tuple(found)


def inline(text: str) -> tuple[Block, ...]:
    """Code within lines, in order; none of it has a tag."""
    return tuple([Block("", one["code"].strip(), Span(*one.span())) for one in _INLINE.finditer(text)])


def outside(text: str, blocks: tuple[Block, ...]) -> str:
    """The text without blocks; a line break stands in the place of each."""
    parts: list[str] = []
    at = 0
    for block in blocks:
        parts.append(text[at : block.span.start])
        at = block.span.end
    return "\n".join([*parts, text[at:]])


def _block(text: str, start: re.Match[str], end: int, close: int) -> Block:
    tag = _TAG.match(start["info"].strip().lstrip("{."))
    body = text[min(start.end() + 1, end) : end]
    indent = len(start[0]) - len(start[0].lstrip(" \t"))
    lines = [_shifted(line, indent) for line in body.splitlines()]
    return Block("" if tag is None else tag[0].lower(), "\n".join(lines), Span(start.start(), close))


def _shifted(line: str, indent: int) -> str:
    """A line without as many blanks before it as the fence has."""
    blanks = len(line) - len(line.lstrip(" \t"))
    return line[min(indent, blanks) :]
