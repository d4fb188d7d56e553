"""Numbers that are written in words, by the grammar of English: what it does not join are numbers of their own.

A number is groups below a thousand (``two hundred and five``), each with a scale, and the scales descend: ``three
million two hundred thousand and one``. ``between two hundred and three hundred`` has two of them. Years are said in two
halves: ``nineteen eighty-four``.
"""

from __future__ import annotations

import re

from pylf.records import record

_BELOW_TWENTY = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
#: what the words for numbers below a hundred stand for
NUMBERS = {word: number for number, word in enumerate(_BELOW_TWENTY)} | {
    word: 10 * number for number, word in enumerate(_TENS, 2)
}
#: what multiplies what stands before it
SCALES = {"hundred": 10**2, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12, "dozen": 12}
_LARGE = {word: scale for word, scale in SCALES.items() if scale >= 1000}
_WORD = re.compile(r"[a-z]+")


@record
class Spelled:
    """A number, where its words end in the text, and whether they say it as years are said."""

    number: int
    end: int
    is_year: bool = False


def number_spelled(text: str) -> Spelled:
    """The number at the beginning of a text that begins with one of :data:`NUMBERS` or :data:`SCALES`."""
    found = list(_WORD.finditer(text.lower()))
    words = [one[0] for one in found]
    year = _year(words)
    number, used = year or _number(words)
    return Spelled(number, found[used - 1].end(), year is not None)


def _number(words: list[str]) -> tuple[int, int]:
    """A number, and how many of the words are its."""
    total = at = 0
    last = None  # the scale of the group before
    while True:
        start = at + (last is not None and words[at : at + 1] == ["and"])
        group, used = _group(words[start:])
        after = start + used
        scale = 1
        while words[after : after + 1] and words[after] in _LARGE:  # a thousand million
            scale *= _LARGE[words[after]]
            after += 1
        bare = not used and scale > 1 and last is None  # "million" alone
        # a scale that is no smaller is that of a number of its own
        if not (used or bare) or (last is not None and scale >= last):
            return total, at
        total += (1 if bare else group) * scale
        at = after
        if scale == 1:
            return total, at
        last = scale


def _group(words: list[str]) -> tuple[int, int]:
    """A number below a thousand, or so many dozens or hundreds; and how many of the words are its."""
    number, used = _below_hundred(words)
    after = words[used : used + 1]
    if after == ["dozen"]:
        return (number if used else 1) * 12, used + 1
    if after != ["hundred"]:
        return number, used
    number, used = (number if used else 1) * 100, used + 1
    joined = used + (words[used : used + 1] == ["and"])
    rest, more = _below_hundred(words[joined:])
    if not rest or words[joined + more : joined + more + 1] in (["hundred"], ["dozen"]):
        return number, used  # what follows is a number of its own
    return number + rest, joined + more


def _below_hundred(words: list[str]) -> tuple[int, int]:
    if not words or words[0] not in NUMBERS:
        return 0, 0
    number = NUMBERS[words[0]]
    return (number + NUMBERS[words[1]], 2) if number >= 20 and words[1:] and _is_unit(words[1]) else (number, 1)


def _is_unit(word: str) -> bool:
    return 1 <= NUMBERS.get(word, 0) <= 9


def _year(words: list[str]) -> tuple[int, int] | None:
    """The year that words say in two halves, from 1000 to 2099, and how many of the words are its."""
    early = NUMBERS.get(words[0], 0)
    late, used = _below_hundred(words[1:])
    if not 10 <= early <= 20 or late < 10 or (words[1 + used : 2 + used] and words[1 + used] in SCALES):
        return None
    return 100 * early + late, 1 + used
