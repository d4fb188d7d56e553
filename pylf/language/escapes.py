"""What stands between the quotes: Python's string escapes, read the way Python reads them."""

from __future__ import annotations

import re
from functools import cache

_SIMPLE = {
    "\\": "\\",
    "'": "'",
    '"': '"',
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\n": "",
    "\r": "",
    "\r\n": "",
}
_NEEDS = {
    "x": "two hexadecimal digits: \\xE9",
    "u": "four hexadecimal digits: \\u00E9",
    "U": "eight hexadecimal digits: \\U0001F680",
    "N": "a character's Unicode name: \\N{ROCKET}",
}


class BadEscape(ValueError):
    """An escape that stands for no character; ``start`` and ``end`` count from the opening quote."""

    def __init__(self, message: str, start: int, end: int, hint: str) -> None:
        super().__init__(message)
        self.start = start
        self.end = end
        self.hint = hint


def unquote(literal: str) -> str:
    r"""The contents of a string literal, quotes included, as Python would read them.

    As in Python, a backslash before a character that needs none stays (``'\d'`` has two characters), and one at the
    end of a line joins it with the next. Surrogates are refused: they are not characters, and no graph can hold them.

    Raises:
        BadEscape: an incomplete escape, an unknown character name, or a code that is not a character.
    """
    if "\\" not in literal:
        return literal[1:-1]
    return _escapes().sub(_unescape, literal[1:-1])


@cache
def _escapes() -> re.Pattern[str]:
    return re.compile(
        r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|N\{([^{}]+)\}|(\r\n|[\s\S]))"
    )


def _unescape(match: re.Match[str]) -> str:
    octal, *hexadecimal, name, other = match.groups()
    start, end = match.start() + 1, match.end() + 1
    if octal:
        return chr(int(octal, 8))
    if name:
        return _named(name, start, end)
    if other:
        if other in _NEEDS:
            raise BadEscape(f"the escape \\{other} is not complete", start, end, f"\\{other} takes {_NEEDS[other]}")
        return _SIMPLE.get(other, match[0])
    code = int(next(filter(None, hexadecimal)), 16)
    if code > 0x10FFFF or 0xD800 <= code < 0xE000:
        hint = "write the character itself, or its code after \\U: \\U0001F680"
        raise BadEscape(f"{match[0]} is not a character", start, end, hint)
    return chr(code)


def _named(name: str, start: int, end: int) -> str:
    import unicodedata

    try:
        return unicodedata.lookup(name)
    except KeyError:
        raise BadEscape(f"no character is named {name!r}", start, end, f"\\N takes {_NEEDS['N']}") from None
