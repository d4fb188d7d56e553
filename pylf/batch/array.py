"""The items of a JSON array, one after the other, out of bytes that come in parts."""

from __future__ import annotations

import codecs
import json
import re
from enum import Enum, auto

_WHITE = re.compile(r"[ \t\r\n]*")
_decode = json.JSONDecoder().raw_decode
#: What is wrong so far before the end of what has come is not mended by what still comes: an escape is no longer.
_NEAR_THE_END = 12
#: An item that is cut off and has more characters is looked at again when as many have come.
_WHOLE = 1 << 16


class _Expected(Enum):
    START = auto()
    FIRST = auto()  # an item, or the end
    ITEM = auto()
    COMMA = auto()  # or the end
    NOTHING = auto()
    ANYTHING = auto()  # after a fault, behind which nothing tells where an item begins


class Items:
    """Gives each item as a line of JSON; what is not an array is told once, in place of the item that it spoils.

    An item is checked as far as is needed to find its end. No more is held than an item of ``most`` bytes needs.
    """

    def __init__(self, most: int) -> None:
        self.ended = False
        self._most = most
        self._expected = _Expected.START
        self._number = 1  # of the next item
        self._text = ""
        self._at = 0
        self._parts: list[str] = []
        self._coming = 0  # characters in parts
        self._wanted = 0
        # bytes that are no UTF-8 come through as they are and are refused with their record
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")

    def feed(self, data: bytes) -> None:
        """More of the array; nothing at its end."""
        self.ended = not data
        if self._expected is not _Expected.ANYTHING:
            self._parts.append(self._decoder.decode(data, self.ended))
            self._coming += len(self._parts[-1])

    def next(self) -> bytes | tuple[str, str] | None:
        """The next item, or the code and the sentence that say what is wrong; None where what has come has no more."""
        if self._parts:
            if self._coming < self._wanted and not self.ended:
                return None
            self._text = self._text[self._at :] + "".join(self._parts)
            self._at, self._parts, self._coming = 0, [], 0
        while self._expected is not _Expected.ANYTHING:
            between = _WHITE.match(self._text, self._at)
            self._at = self._at if between is None else between.end()
            sign = self._text[self._at : self._at + 1]
            if not sign:
                self._text, self._at = "", 0
                if self.ended and self._expected is not _Expected.NOTHING:
                    self._expected = _Expected.ANYTHING
                    return "not-json", "the array is not closed"
                return None
            match self._expected, sign:
                case _Expected.START, "[":
                    self._expected = _Expected.FIRST
                case _Expected.FIRST | _Expected.COMMA, "]":
                    self._expected = _Expected.NOTHING
                case _Expected.COMMA, ",":
                    self._expected = _Expected.ITEM
                case _Expected.COMMA, _:
                    return self._fault("not-json", f"a comma is missing before the array's item {self._number:,}")
                case _Expected.NOTHING, _:
                    return self._fault("not-json", "more follows where the array ends")
                case ((_Expected.FIRST | _Expected.ITEM), ("," | "]")):
                    return self._fault("not-json", f"the array's item {self._number:,} is missing")
                case _:
                    return self._item()
            self._at += 1
        return None

    def _item(self) -> bytes | tuple[str, str] | None:
        """The item that begins here; None where its end is still to come."""
        left = len(self._text) - self._at
        try:
            end = _decode(self._text, self._at)[1]
        except RecursionError:
            return self._fault("too-deep", f"the array's item {self._number:,} nests too deeply")
        except json.JSONDecodeError as problem:
            cut = problem.pos > len(self._text) - _NEAR_THE_END or problem.msg.startswith("Unterminated string")
            if self.ended or not cut:
                said = f"{problem.msg}, {problem.pos - self._at:,} characters into it"
                return self._fault("not-json", f"the array's item {self._number:,} is not JSON: {said}")
        except ValueError as problem:  # a number of very many digits
            return self._fault("not-json", f"the array's item {self._number:,} is not JSON: {problem}")
        else:
            if end < len(self._text) or self.ended:  # else a number may go on
                found = self._text[self._at : end].replace("\n", " ").encode("utf-8", "surrogateescape")
                if len(found) > self._most:
                    return self._too_long()
                self._number, self._at, self._expected = self._number + 1, end, _Expected.COMMA
                return found
        if left > self._most:
            return self._too_long()
        self._wanted = left if left > _WHOLE else 0
        return None

    def _too_long(self) -> tuple[str, str]:
        return self._fault("too-long", f"the array's item {self._number:,} is longer than {self._most:,} bytes")

    def _fault(self, code: str, message: str) -> tuple[str, str]:
        self._expected, self._text, self._at = _Expected.ANYTHING, "", 0
        return code, f"{message}; nothing is read of what follows"
