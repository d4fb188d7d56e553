"""What a model said, without what it thought aloud before."""

from __future__ import annotations

import re

#: By what thoughts begin with, what they end with: DeepSeek, Qwen and others; Magistral; Kimi.
_PAIRS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "[think]": "[/think]",
    "◁think▷": "◁/think▷",
}
_MARK = re.compile("|".join(re.escape(mark) for pair in _PAIRS.items() for mark in pair), re.IGNORECASE)
_ENDS = frozenset(_PAIRS.values())
#: gpt-oss's channels: what is said is in the last one that is final
_FINAL = re.compile(r"<\|channel\|>\s*final[^<]*<\|message\|>")
_CHANNEL = re.compile(r"<\|channel\|>")
#: blanks that may stand before thoughts on their line, and thoughts within thoughts that are told apart
_INDENT = 24
_DEPTH = 16
_OVER = re.compile(r"<\|(?:end|return|start|channel|call)\|>")


def without_thoughts(text: str) -> str:
    """The text without the thoughts in it.

    Thoughts begin at the start of a line: a tag within a sentence or a string is text. Those that are never closed go
    as far as the text, which was cut off; and where thoughts are closed that were never opened (the prompt may have
    opened them), the text begins behind.
    """
    if _CHANNEL.search(text) is not None:
        return _final(text)
    kept: list[str] = []
    at = 0
    open_marks: list[str] = []
    for mark in _MARK.finditer(text):
        word = mark[0].lower()
        if word not in _ENDS:
            if open_marks or _begins_line(text, mark.start()):
                if not open_marks:
                    kept.append(text[at : mark.start()])
                if len(open_marks) < _DEPTH:
                    open_marks.append(_PAIRS[word])
        elif word in open_marks:
            while open_marks.pop() != word:
                pass
            at = mark.end()
        elif not open_marks and _ends_line(text, mark.end()):
            kept.clear()
            at = mark.end()
    if not open_marks:
        kept.append(text[at:])
    return "".join(kept)


def _final(text: str) -> str:
    """What is said in the last final channel; nothing where there is none, since all of it is thoughts."""
    starts = list(_FINAL.finditer(text))
    if not starts:
        return ""
    said = text[starts[-1].end() :]
    over = _OVER.search(said)
    return said if over is None else said[: over.start()]


def _begins_line(text: str, place: int) -> bool:
    before = text[max(0, place - _INDENT) : place]
    return (place <= _INDENT or "\n" in before) and not before.rpartition("\n")[2].strip(" \t\r>#*")


def _ends_line(text: str, place: int) -> bool:
    """Whether what follows may be the beginning of an answer, and no rest of a string."""
    return text[place : place + 1] not in {"'", '"', "`"}
