r"""Regular expressions as SPARQL has them (XPath and XQuery Functions and Operators, 5.6 and 7.6), by Python's.

A pattern is read here, and put as Python has it: ``^``, ``$`` and references to groups mean what XPath says. What
Python or engines read otherwise, or XPath not at all, is refused rather than guessed: categories (``\p{L}``), name
characters (``\i``, ``\c``), subtraction of classes, what begins with ``(?`` but for groups that capture nothing, a
quantifier of a quantifier (``a++``), brackets and braces that stand for themselves. Two things are Python's, as
engines differ in them too: ``\s`` is all of Unicode's white space, and ``\w`` its letters and digits, marks left out,
and the underscore (XPath's is all that is no punctuation, separator or control).

Python looks for a match by going back and forth, and cannot be stopped. So how many steps it may take at most is
reckoned (:class:`_Part`), and what would take more than :data:`STEPS` on a text is refused.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from pylf.errors import UnsupportedOperation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    #: A function of the length of the text.
    _Number = Callable[[int], float]

#: The flags; ``q`` takes the pattern literally.
_FLAGS = frozenset("imsxq")
#: What may stand after a backslash for itself, for one character that is hard to write, and for many.
_THEMSELVES = frozenset("\\|.?*+(){}-[]^$")
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t"}
_CLASSES = frozenset("dDsSwW")
_SPACE = frozenset(" \t\r\n")
_QUANTIFIERS = frozenset("?*+{")
_COUNTS = re.compile(r"\{([0-9]+)(?:(,)([0-9]*))?\}")

#: A search for a pattern in a text takes no more steps than this: a few seconds at the worst.
STEPS = 300_000_000
#: Characters of a pattern, groups within groups, and how often something may be said to stand there.
_LONGEST = 2_000
_DEEPEST = 40
_MOST = 100_000
#: So many characters are looked at in one step where nothing but one kind of character repeats.
_AT_ONCE = 20
_INFINITY = float("inf")


class Pattern:
    """A pattern to look for in texts."""

    __slots__ = ("_anchored", "_compiled", "_steps")

    def __init__(self, compiled: re.Pattern[str], steps: _Number, anchored: bool) -> None:
        self._compiled = compiled
        self._steps = steps
        self._anchored = anchored

    @property
    def groups(self) -> int:
        """How many groups capture what they match."""
        return self._compiled.groups

    def is_in(self, text: str) -> bool:
        """Whether it matches somewhere.

        Raises:
            UnsupportedOperation: that may take too many steps.
        """
        return next(self.matches(text), None) is not None

    def matches(self, text: str) -> Iterator[re.Match[str]]:
        """Where it matches, from left to right.

        Raises:
            UnsupportedOperation: that may take too many steps.
        """
        length = len(text)
        steps = self._steps(length)
        # what is beyond all bounds may also be no number
        if not (length + steps if self._anchored else (length + 1) * steps) <= STEPS:
            _refuse(f"the pattern {self._compiled.pattern[:60]!r}, on a text of {length:,} characters,")
        return self._compiled.finditer(text)


@lru_cache(maxsize=512)
def pattern_of(written: str, flags: str) -> Pattern | None:
    """A pattern, compiled; None where it is none, or the flags are none.

    Raises:
        UnsupportedOperation: it is one that is not read here.
    """
    if not set(flags) <= _FLAGS:
        return None
    if len(written) > _LONGEST:
        _refuse(f"a pattern of more than {_LONGEST:,} characters")
    told = re.IGNORECASE if "i" in flags else re.NOFLAG
    if "q" in flags:
        return Pattern(re.compile(re.escape(written), told), lambda length: len(written), anchored=False)
    if "s" in flags:
        told |= re.DOTALL
    try:
        part = _Reader(_without_space(written) if "x" in flags else written, flags).whole()
        return Pattern(re.compile(part.python, told), part.steps, part.anchored)
    except (_WrongError, re.error):
        return None


def _refuse(what: str) -> NoReturn:
    raise UnsupportedOperation(what, "the reference evaluator")


def _without_space(written: str) -> str:
    """The pattern without its white space, but for that within classes of characters."""
    out: list[str] = []
    escaped = within = False
    for char in written:
        if char in _SPACE and not within:
            continue
        out.append(char)
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif char == "[":
            within = True
        elif char == "]":
            within = False
    return "".join(out)


# --- reading ------------------------------------------------------------------------------------------------------


class _WrongError(Exception):
    """It is no pattern."""


class _Part(NamedTuple):
    """Of a pattern a part: how Python has it, and what it takes to look for it from one place of a text on.

    ``ways``: in how many ways it may match there, all of which are tried where what follows does not match. ``steps``:
    what it takes to try them all. Both are bounds. ``first``: the characters that it may begin with, as far as that is
    known. ``empty``: whether it may match nothing, ``anchored``: whether only the beginning of a text.
    """

    python: str
    ways: _Number
    steps: _Number
    first: frozenset[str] | None = None
    empty: bool = False
    anchored: bool = False


def _one(length: int) -> float:
    return 1.0


def _scan(length: int) -> float:
    return 1.0 + length / _AT_ONCE


class _Reader:
    """Reads a pattern from left to right."""

    def __init__(self, written: str, flags: str) -> None:
        self.written = written
        self.place = 0
        self.depth = 0
        #: the groups that were begun, and those that were ended
        self.begun = 0
        self.ended: set[int] = set()
        self.multiline = "m" in flags
        self.ignorecase = "i" in flags

    def whole(self) -> _Part:
        """The whole pattern. Raises _WrongError, UnsupportedOperation."""
        found = self.alternation()
        if self.place < len(self.written):
            raise _WrongError  # a closing bracket without an opening one
        return found

    def ahead(self) -> str:
        """The next character, "" at the end."""
        return self.written[self.place : self.place + 1]

    def next(self) -> str:
        """The next character, which is read over."""
        char = self.ahead()
        if not char:
            raise _WrongError
        self.place += 1
        return char

    def alternation(self) -> _Part:
        """One branch or another."""
        arms = [self.sequence()]
        while self.ahead() == "|":
            self.place += 1
            arms.append(self.sequence())
        return _either(arms) if len(arms) > 1 else arms[0]

    def sequence(self) -> _Part:
        """Pieces one after the other."""
        pieces: list[_Part] = []
        while (char := self.ahead()) and char not in "|)":
            pieces.append(self.quantified(self.atom()))
        return _after_each_other(pieces)

    def quantified(self, part: _Part) -> _Part:
        """An atom with what says how often it stands there."""
        char = self.ahead()
        if not char or char not in _QUANTIFIERS:
            return part
        start = self.place
        if char == "{":
            counts = _COUNTS.match(self.written, self.place)
            if counts is None:
                _refuse("a brace that stands for itself in a pattern")
            self.place = counts.end()
            digits = max(len(counts[1]), len(counts[3] or ""))
            least, most = (int(counts[1]), int(counts[3]) if counts[3] else None) if digits < 10 else (_MOST + 1, None)
            most = least if counts[2] is None else most
            if max(least, most or 0) > _MOST:
                _refuse(f"a pattern in which something stands more than {_MOST:,} times")
            if most is not None and most < least:
                raise _WrongError
        else:
            self.place += 1
            least, most = {"?": (0, 1), "*": (0, None), "+": (1, None)}[char]
        if self.ahead() == "?":
            self.place += 1
        if (char := self.ahead()) and char in _QUANTIFIERS:
            _refuse("a quantifier of a quantifier in a pattern")
        return _repeated(part, self.written[start : self.place], least, most)

    def atom(self) -> _Part:
        """A character, a class of them, a group, a reference to one, or a place."""
        char = self.next()
        match char:
            case "(":
                return self.group()
            case "[":
                return self.characters()
            case ".":
                return _Part(".", _one, _one)
            case "^":
                python = r"(?:\A|(?<=\n)(?!\Z))" if self.multiline else r"\A"
                return _Part(python, _one, _one, empty=True, anchored=not self.multiline)
            case "$":
                return _Part(r"(?=\n|\Z)" if self.multiline else r"\Z", _one, _one, empty=True)
            case "\\":
                return self.escaped()
            case "?" | "*" | "+":
                raise _WrongError
            case "{" | "}" | "]":
                _refuse(f"{char!r} that stands for itself in a pattern")
            case _:
                return self.character(char)

    def character(self, char: str) -> _Part:
        """One character."""
        first = frozenset((char.lower(),) if self.ignorecase else (char,))
        return _Part(re.escape(char), _one, _one, first if char.isascii() or not self.ignorecase else None)

    def group(self) -> _Part:
        """What stands in brackets."""
        self.depth += 1
        if self.depth > _DEEPEST:
            _refuse(f"a pattern with groups more than {_DEEPEST} deep")
        number = 0
        if self.ahead() == "?":
            if self.written[self.place : self.place + 2] != "?:":
                _refuse(f"a pattern with {self.written[self.place - 1 : self.place + 2]!r}")
            self.place += 2
        else:
            self.begun += 1
            number = self.begun
        within = self.alternation()
        if self.next() != ")":
            raise _WrongError
        if number:
            self.ended.add(number)
        self.depth -= 1
        python = f"({within.python})" if number else f"(?:{within.python})"
        return within._replace(python=python, steps=lambda length: within.steps(length) + 1)

    def escaped(self) -> _Part:
        """What a backslash stands before."""
        char = self.next()
        if char in _THEMSELVES or char in _CONTROLS:
            return self.character(_CONTROLS.get(char, char))
        if char in _CLASSES:
            return _Part(f"\\{char}", _one, _one)
        if not (char.isascii() and char.isdigit()) or char == "0":
            _refuse(f"the pattern '\\{char}'")
        number = int(char)
        while (digit := self.ahead()) and digit in "0123456789" and number * 10 + int(digit) <= self.begun:
            number = number * 10 + int(self.next())
        if number not in self.ended:
            raise _WrongError
        # a group that matched nothing is as good as one that matched the empty string
        return _Part(f"(?({number})\\{number}|)", _one, _scan, empty=True)

    # --- classes --------------------------------------------------------------------------------------------------

    def characters(self) -> _Part:
        """What stands in square brackets."""
        out = ["[", "^"] if self.ahead() == "^" else ["["]
        self.place += len(out) - 1
        listed: set[str] | None = set() if len(out) == 1 else None
        empty = True
        while (char := self.next()) != "]" or empty:
            if char == "]":
                raise _WrongError
            low = self.member(char, beginning=empty)
            empty = False
            if self.ahead() == "-" and self.written[self.place + 1 : self.place + 2] not in ("]", ""):
                self.place += 1
                high = self.member(self.next(), beginning=False)
                if len(low) > 1 or len(high) > 1:
                    _refuse("a class of characters from or to several")
                if low > high:
                    raise _WrongError
                out.append(f"{_member(low)}-{_member(high)}")
                several = range(ord(low), ord(high) + 1)
                listed = listed.union(map(chr, several)) if listed is not None and len(several) < _LONGEST else None
                if self.ahead() == "-" and self.written[self.place + 1 : self.place + 2] != "]":
                    _refuse("a class of characters with a hyphen after a range")
            else:
                out.append(_member(low))
                listed = listed | {low} if listed is not None and len(low) == 1 else None
        out.append("]")
        if listed is not None and self.ignorecase:
            listed = {char.lower() for char in listed} if all(map(str.isascii, listed)) else None
        return _Part("".join(out), _one, _one, None if listed is None else frozenset(listed))

    def member(self, char: str, beginning: bool) -> str:
        """A character of a class, or an escape for several."""
        if char == "[":
            _refuse("a class of characters without others" if self.written[self.place - 2] == "-" else "'[' in a class")
        if char == "-" and not beginning and self.ahead() != "]":
            if self.ahead() == "[":
                _refuse("a class of characters without others")
            _refuse("a hyphen that stands for itself within a class of characters")
        if char != "\\":
            return char
        char = self.next()
        if char in _THEMSELVES or char in _CONTROLS:
            return _CONTROLS.get(char, char)
        if char not in _CLASSES:
            _refuse(f"the pattern '\\{char}'")
        return f"\\{char}"


def _member(char: str) -> str:
    """A character as it stands in a class of Python's."""
    return char if len(char) > 1 or char.isalnum() else f"\\{char}" if char.isascii() else char


# --- what a search takes ------------------------------------------------------------------------------------------


def _either(arms: list[_Part]) -> _Part:
    firsts = [arm.first for arm in arms if not arm.empty]
    known = [first for first in firsts if first is not None]
    told = len(known) == len(arms)
    together = frozenset[str]().union(*known)
    # where arms begin with different characters, one of them matches at most
    apart = told and len(together) == sum(map(len, known))
    ways: Callable[[list[float]], float] = max if apart else sum
    return _Part(
        "|".join([arm.python for arm in arms]),
        lambda length: ways([arm.ways(length) for arm in arms]),
        lambda length: sum([arm.steps(length) + 1 for arm in arms]),
        together if told else None,
        any(arm.empty for arm in arms),
        all(arm.anchored for arm in arms),
    )


def _after_each_other(parts: list[_Part]) -> _Part:
    if len(parts) == 1:
        return parts[0]

    def ways(length: int) -> float:
        product = 1.0
        for part in parts:
            product *= part.ways(length)
        return product

    def steps(length: int) -> float:
        total, tried = 1.0, 1.0
        for part in parts:
            total += tried * part.steps(length)
            tried *= part.ways(length)
        return total

    begins = parts[0] if parts else None
    return _Part(
        "".join([part.python for part in parts]),
        ways,
        steps,
        begins.first if begins is not None and not begins.empty else None,
        all(part.empty for part in parts),
        begins is not None and begins.anchored,
    )


def _repeated(part: _Part, written: str, least: int, most: int | None) -> _Part:
    simple = part.ways is _one and part.steps is _one

    def times(length: int) -> int:
        return max(least, length + 1) if most is None else min(most, max(least, length + 1))

    def ways(length: int) -> float:
        each, upto = part.ways(length), times(length)
        if each <= 1:
            return upto - least + 1.0
        try:
            return float(each ** (upto + 1)) / (each - 1)
        except OverflowError:
            return _INFINITY

    def steps(length: int) -> float:
        if simple:
            return _scan(times(length))
        upto = times(length)
        tried = part.ways(length)
        try:
            return 1 + upto * part.steps(length) * float(max(tried, 1.0) ** upto)
        except OverflowError:
            return _INFINITY

    first = part.first if least else None
    return _Part(part.python + written, ways, steps, first, part.empty or not least, part.anchored and least > 0)


# --- replacing ----------------------------------------------------------------------------------------------------


def replacement_of(written: str, groups: int, literally: bool) -> tuple[str | int, ...] | None:
    r"""What is put in place of a match: texts, and the numbers of groups whose texts are. ``$1`` is a group, ``\$`` a
    dollar and ``\\`` a backslash. None where it is wrong."""
    if literally:
        return (written,)
    out: list[str | int] = []
    place = 0
    while place < len(written):
        char, rest = written[place], written[place + 1 : place + 12]
        if char == "\\":
            if not rest or rest[0] not in "\\$":
                return None
            out.append(rest[0])
            place += 2
        elif char == "$":
            digits = re.match(r"[0-9]+", rest)
            if digits is None:
                return None
            number = digits[0]
            # as many digits as there is such a group for
            while len(number) > 1 and int(number) > groups:
                number = number[:-1]
            if int(number) <= groups:
                out.append(int(number))
            place += 1 + len(number)
        else:
            out.append(char)
            place += 1
    return tuple(out)
