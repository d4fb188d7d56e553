"""How much room a text takes in a picture, without a font at hand: estimates on the wide side for Helvetica or Arial
at 13 px, and lines cut to a readable width."""

from __future__ import annotations

_NARROW = frozenset("iIjl.,:;'|!‘’()[]{} tfr/\\`")
_WIDE = frozenset("mwMW@%…→")
LINE = 17.0
#: longest line of a box, in pixels, and how many lines one saying may take
_LONGEST = 330.0
_MOST_LINES = 4


def width(text: str) -> float:
    """The width of a line in pixels."""
    return sum(map(_character, text))


def _character(character: str) -> float:
    if character in _NARROW:
        return 5.0
    if character in _WIDE:
        return 12.5
    if character.isascii():
        return 9.8 if character.isupper() else 8.0
    import unicodedata

    if unicodedata.combining(character):
        return 0.0
    return 14.0 if unicodedata.east_asian_width(character) in "WF" else 9.5


def wrapped(text: str) -> list[str]:
    """A text in lines of readable width, broken at spaces where that can be; what is too long ends in ``…``."""
    lines: list[str] = []
    line, used = "", 0.0
    for word in _pieces(text):
        size = width(word)
        if line and used + size > _LONGEST:
            lines.append(line.rstrip())
            if len(lines) == _MOST_LINES:
                lines[-1] += " …"
                return lines
            line, used = "", 0.0
        line += word
        used += size
    return [*lines, line.rstrip()]


def cut(text: str) -> str:
    """A text in one line of readable width."""
    lines = wrapped(text)
    return lines[0] if len(lines) == 1 else f"{lines[0]} …"


def _pieces(text: str) -> list[str]:
    """Words with the space after them; a word without end in pieces."""
    found: list[str] = []
    for word in text.replace(" ", " \0").split("\0"):
        found.extend(word[i : i + 30] for i in range(0, max(1, len(word)), 30))
        if len(found) > 200:
            break
    return found
