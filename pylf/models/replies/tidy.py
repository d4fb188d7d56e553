"""Text as people and models print it, as a parser wants it: straight quotes, no list markers.

What stands in a string is what is meant, and stays as it is, printed quotes included.
"""

from __future__ import annotations

import re
from functools import cache
from html import unescape

#: By a printed quote that opens, those that close it, and the straight one in its place.
_PRINTED = {
    "“": ("”“", '"'),
    "”": ("”", '"'),
    "„": ("“”", '"'),
    "‟": ("”", '"'),
    "«": ("»", '"'),
    "＂": ("＂", '"'),
    "‘": ("’‘", "'"),
    "’": ("’", "'"),
    "‚": ("‘’", "'"),
    "‛": ("’", "'"),
    "‹": ("›", "'"),
    "＇": ("＇", "'"),
    "`": ("`´", "'"),
    "´": ("´", "'"),
    "″": ("″", '"'),
    "′": ("′", "'"),
}
#: By a straight quote, the printed ones that may close what it opens.
_STRAIGHT = {'"': "”“", "'": "’‘"}
#: characters of a string that are looked at
_LONGEST = 2_000
#: What else is printed for a sign of the language: blanks, wide brackets and commas, minus.
_SIGNS = str.maketrans(
    "\u00a0\u2007\u202f\u3000（），＝［］｛｝：；\u2212", "    (),=[]{}:;-", "\u200b\u2060\ufeff\u200e\u200f"
)
_MARKER = re.compile(r"[ \t]*(?:>[ \t]?)*(?:(?:[-*+•‣◦–]|\(?[0-9]{1,3}[.):]|\(?[a-zA-Z][.)])[ \t]+)?(?:\*\*(?=\S))?")
_EMPHASIS = re.compile(r"(?:\*\*|__)[ \t]*$")
_LINE = re.compile(r"[^\r\n]*")
#: a comment, or a quote that may open a string: none within a word
_PIECES = re.compile(
    rf"(?P<comment>(?:^|(?<=\s))#[^\r\n]*)|(?<![\w\\])(?P<quote>[{''.join(_PRINTED)}'\"])", re.MULTILINE
)
#: what stands behind a string
_BEHIND = r"(?=[ \t\u00a0]*(?:[,)\]}:;=|^@.>，）］｝：；*]|\Z|[\r\n]))"

_MAY_END = re.compile(_BEHIND)

#: By a straight quote, how it is written where a page (HTML) or another string (a backslash) was around the text.
_ESCAPED = {"'": r"\\'|&(?:\#39|\#x27|apos);", '"': r'\\"|&(?:\#34|\#x22|quot);'}
#: a string of straight quotes, which stays, or one of escaped ones; how long these are at most
_STRINGS = re.compile(
    r"""(?<![\w\\])(?:'(?:[^'\\\r\n]|\\.)*+'|"(?:[^"\\\r\n]|\\.)*+")"""
    + "".join(
        rf"|(?<![^\s(\[{{,=:])(?P<{name}>{_ESCAPED[sign]})(?P<in_{name}>[^\r\n]{{0,200}}?)(?P={name}){_BEHIND}"
        for name, sign in (("single", "'"), ("double", '"'))
    ),
)
_IS_ESCAPED = re.compile("|".join(_ESCAPED.values()))


def straightened(text: str) -> str:
    """The text with straight quotes around its strings, and plain signs outside of them.

    Models mix quotes, and close a string by another one than the one that opened it. A string ends at the first quote
    of its kind behind which a string may end (a comma, a bracket, the end of the line), else at the first that no
    letter follows: the one in ``‘Dad’s Army’`` belongs to it. A quote that is never closed on its line stays.
    """
    parts: list[str] = []
    at = line_end = 0
    closing = _Closing(text)
    while (piece := _PIECES.search(text, at)) is not None:
        parts.append(text[at : piece.start()].translate(_SIGNS))
        at, sign = piece.end(), piece["quote"]
        if line_end < at:
            line = _LINE.match(text, at)
            line_end = at if line is None else line.end()
        string = None if sign is None else _string(text, at, sign, closing, min(line_end, at + _LONGEST))
        if string is None:
            parts.append(piece[0])
        else:
            written, at = string
            parts.append(written)
    parts.append(text[at:].translate(_SIGNS))
    return "".join(parts)


def _string(text: str, start: int, sign: str, closing: _Closing, end: int) -> tuple[str, int] | None:
    """The string behind a quote, in straight quotes, and where it ends; None where it is not closed before ``end``."""
    if sign in _STRAIGHT:
        place = closing.first(sign, "", start, end)
        if place is not None and (text[place + 1 : place + 2].isspace() or _MAY_END.match(text, place + 1)):
            return text[start - 1 : place + 1], place + 1
        printed, straight = _STRAIGHT[sign], sign
    else:
        printed, straight = _PRINTED[sign]
    place = closing.first(printed + straight, _BEHIND, start, end)
    if place is None:
        place = closing.first(straight if sign == straight else printed, r"(?!\w)", start, end)
    if place is None:
        return None
    return _quoted(text[start:place], straight), place + 1


def _quoted(inside: str, sign: str) -> str:
    """A string in straight quotes; those within it are escaped."""
    escaped = re.sub(rf"(\\.)|{sign}", lambda one: one[1] or f"\\{sign}", inside)
    return f"{sign}{escaped}{sign}"


def unescaped(text: str) -> str:
    """The text with straight quotes where they are escaped, as in HTML (``&quot;``) or by a backslash, outside of
    strings; what HTML escapes within strings so quoted is what it stands for."""
    if _IS_ESCAPED.search(text) is None:
        return text

    def straight(string: re.Match[str]) -> str:
        name = string.lastgroup
        if name is None:
            return string[0]
        sign = "'" if name == "in_single" else '"'
        inside = string[name] if "\\" in string[name.removeprefix("in_")] else unescape(string[name])
        return _quoted(inside, sign)

    return _STRINGS.sub(straight, text)


class _Closing:
    """Where quotes stand that close a string. What was looked at is not looked at again, whatever opens strings."""

    def __init__(self, text: str) -> None:
        self._text = text
        #: by what was looked for: where it was found, if it was, and up to where was looked
        self._known: dict[tuple[str, str], tuple[int | None, int]] = {}

    def first(self, signs: str, behind: str, start: int, end: int) -> int | None:
        """The first place of one of the signs behind which ``behind`` holds."""
        place, looked = self._known.get((signs, behind), (None, 0))
        if place is None or place < start:
            place = None
            if looked < end:
                found = _pattern(signs, behind).match(self._text, max(start, looked), end)
                place, looked = (None, end) if found is None else (found.start("close"), found.end())
                self._known[signs, behind] = place, looked
        return place if place is not None and place < end else None


@cache
def _pattern(signs: str, behind: str) -> re.Pattern[str]:
    """Up to a sign behind which ``behind`` (an assertion, or nothing) holds; what stands behind a backslash is none."""
    return re.compile(rf"(?:[^\\{signs}]|\\.|[{signs}](?!{behind}))*+(?P<close>[{signs}])")


def unlisted(text: str) -> str:
    """The text without list markers, signs of quotation and bold marks around whole lines."""
    lines = []
    for line in text.splitlines():
        marker = _MARKER.match(line)
        assert marker is not None, "it matches nothing, too"
        rest = line[marker.end() :]
        lines.append(_EMPHASIS.sub("", rest) if marker[0].endswith("**") else rest)
    return "\n".join(lines)


def tidied(text: str) -> str:
    """Both, list markers first: they stand before any string."""
    return straightened(unlisted(text))
