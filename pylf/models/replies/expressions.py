"""Balanced expressions in prose: calls, bracketed lists, objects; and programs of several lines made of them.

A quote opens a string within brackets alone: outside of them it may be an apostrophe. Time is linear in the text but
for brackets that are never closed, of which so many are looked at.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

#: brackets within brackets, brackets that are never closed, characters of an expression
_DEPTH = 400
_UNCLOSED = 64
_LONGEST = 200_000

_OPEN = re.compile(r"[(\[{]")
_INSIDE = re.compile(r"""[()\[\]{}]|(?<!\\)(?:'(?:[^'\\\r\n]|\\.)*+'|"(?:[^"\\\r\n]|\\.)*+")""")
_PAIRS = {"(": ")", "[": "]", "{": "}"}
#: what may stand before a bracket: ``name =`` and the name of a function
_HEAD = re.compile(r"(?:[^\W\d]\w*[ \t]*=[ \t]*)?(?:[^\W\d][\w.]*)?\Z")
_HEAD_LENGTH = 200
#: what may stand between two statements of one program
_BETWEEN = re.compile(r"(?:[\s;]|(?:^|(?<=\s))#[^\r\n]*)*\Z")


def calls(text: str) -> Iterator[str]:
    """Programs of several statements first, each whole; then each expression, with ``name =`` and function before it.

    ``text`` has no list markers any more (:func:`pylf.models.replies.tidy.tidied`).
    """
    spans = list(_spans(text))
    run: list[tuple[int, int]] = []
    runs: list[list[tuple[int, int]]] = []
    for span in spans:
        if run and "=" in text[span[0] : span[1]] and _BETWEEN.match(text[run[-1][1] : span[0]]):
            run.append(span)
        else:
            run = [span]
            runs.append(run)
    for run in runs:
        if len(run) > 1:
            yield "\n".join([text[start:end] for start, end in run])
    for start, end in spans:
        yield text[start:end]


def objects(text: str) -> Iterator[str]:
    """Objects and lists as JSON has them: what stands in braces or square brackets, the outermost ones."""
    for start, end in _spans(text, "{["):
        bracket = next(place for place in range(start, end) if text[place] in "{[")
        yield text[bracket:end]


def _spans(text: str, opening: str = "([{") -> Iterator[tuple[int, int]]:
    """Where the outermost expressions begin and end, what stands before their brackets included."""
    at = last = unclosed = 0
    while unclosed <= _UNCLOSED and (bracket := _OPEN.search(text, at)) is not None:
        at = bracket.end()
        if bracket[0] not in opening:
            continue
        end = _end(text, bracket.start())
        if end is None:
            unclosed += 1
            continue
        head = _HEAD.search(text, max(last, bracket.start() - _HEAD_LENGTH), bracket.start())
        yield bracket.start() if head is None else head.start(), end
        at = last = end


def _end(text: str, start: int) -> int | None:
    """Where an expression ends whose bracket stands at ``start``; None where the brackets do not match."""
    expected: list[str] = []
    for sign in _INSIDE.finditer(text, start, min(len(text), start + _LONGEST)):
        if sign[0] in _PAIRS:
            expected.append(_PAIRS[sign[0]])
            if len(expected) > _DEPTH:
                return None
        elif sign[0] in ")]}":
            if sign[0] != expected.pop():
                return None
            if not expected:
                return sign.end()
    return None
