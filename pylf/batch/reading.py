"""A set of records, read in chunks of whole lines, never all of it at once.

A set is JSON Lines, or one JSON array, which is told by its first bytes: a bracket, and then an object or the closing
bracket. An array's items are handed on one a line, so that all that follows knows lines alone. Either may be compressed
with gzip, which is told by its first bytes too.
"""

from __future__ import annotations

import codecs
import json
import re
import zlib
from typing import TYPE_CHECKING, NamedTuple, Protocol

from pylf.errors import InputError, reason

if TYPE_CHECKING:
    import io
    from collections.abc import Iterator

#: A record of more bytes is refused.
MAX_RECORD = 10_000_000
#: A chunk has about so many bytes: some tens of records of the published sets, and a few milliseconds' work or more.
_MOST, _LEAST = 1 << 16, 1 << 12
#: There are so many chunks at least, where the size is known, so that several processes end at about the same time.
_PARTS = 32

_ARRAY = re.compile(rb"\s*\[\s*[{\]]")
#: what does not yet tell
_OPEN = re.compile(rb"\xef?\xbb?\xbf?\s*(\[\s*)?")
_BETWEEN = re.compile(r"[ \t\r\n]*,?[ \t\r\n]*")
_BOM = codecs.BOM_UTF8


class Stream(Protocol):
    """What is asked of a file."""

    def read(self, size: int, /) -> bytes:
        """So many bytes; fewer only at the end."""
        ...

    def read1(self, size: int, /) -> bytes:
        """At most so many bytes, as soon as there are some; none at the end."""
        ...


class Chunk(NamedTuple):
    """Lines of JSON, the number of the first, and how many bytes of the file are read with them.

    ``fault``, a code and a sentence, stands in place of a line that is not handed on.
    """

    first: int
    data: bytes
    read: int
    fault: tuple[str, str] | None = None

    @property
    def last(self) -> int:
        """The number of the last line."""
        return self.first + self.data.count(b"\n", 0, -1)

    def after(self, line: int) -> Chunk | None:
        """What follows that line; None where nothing does."""
        if self.last <= line:
            return None
        lines = self.data.split(b"\n", max(0, line + 1 - self.first))
        return self._replace(first=max(self.first, line + 1), data=lines[-1])

    def lines(self) -> Iterator[Chunk]:
        """Each line by itself."""
        for number, text in enumerate(self.data.split(b"\n"), self.first):
            if text.strip():
                yield Chunk(number, text, self.read)


class RecordFile:
    """A set of records in a binary stream; ``size`` in bytes where that is known."""

    def __init__(self, stream: io.BufferedReader, name: str, size: int | None = None) -> None:
        self.name = name
        self.size = size
        self._raw = stream
        self._most = _MOST if size is None else max(_LEAST, min(_MOST, size // _PARTS))

    def chunks(self) -> Iterator[Chunk]:
        """The set, in order.

        Raises:
            InputError: it cannot be read on.
        """
        try:
            stream = self._plain()
            head = stream.read1(self._most)
            while len(head) < _LEAST and (more := _OPEN.fullmatch(head) and stream.read1(_LEAST)):
                head += more
            head = head.removeprefix(_BOM)
            yield from self._items(stream, head) if _ARRAY.match(head) else self._lines(stream, head)
        except (OSError, EOFError, zlib.error) as problem:
            stated = reason(problem) if isinstance(problem, OSError) else str(problem)
            raise InputError(f"{self.name}: cannot be read on: {stated}") from None

    def _plain(self) -> Stream:
        if self._raw.peek(2)[:2] != b"\x1f\x8b":
            return self._raw
        import gzip

        return gzip.GzipFile(fileobj=self._raw)

    def _read(self) -> int:
        return 0 if self.size is None else self._raw.tell()

    def _lines(self, stream: Stream, head: bytes) -> Iterator[Chunk]:
        number = 1
        parts: list[bytes] = []
        held = 0  # bytes in parts, or of a line that is being passed over
        passing = False
        block = head or stream.read1(self._most)
        while block:
            first = block.find(b"\n")
            if first < 0:
                held += len(block)
                parts.append(block)
                if held > MAX_RECORD:
                    parts.clear()
                    passing = True
            else:
                if passing or held + first > MAX_RECORD:
                    yield self._too_long(number)
                    number, block = number + 1, block[first + 1 :]
                    parts.clear()
                cut = block.rfind(b"\n") + 1
                if cut:
                    data = b"".join((*parts, block[:cut]))
                    yield Chunk(number, data, self._read())
                    number += data.count(b"\n")
                    parts.clear()
                rest = block[cut:]
                parts, held, passing = [rest] if rest else [], len(rest), False
            block = stream.read1(self._most)
        if passing:
            yield self._too_long(number)
        elif parts:
            yield Chunk(number, b"".join(parts), self._read())

    def _too_long(self, number: int) -> Chunk:
        return Chunk(number, b"", self._read(), ("too-long", f"the record is longer than {MAX_RECORD:,} bytes"))

    def _items(self, stream: Stream, head: bytes) -> Iterator[Chunk]:
        # bytes that are no UTF-8 come through as they are and are refused with their record
        decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        decode = json.JSONDecoder().raw_decode
        buffer = decoder.decode(head)
        at = buffer.index("[") + 1
        number, items, held = 1, list[bytes](), 0
        block = self._most
        ended = False
        while True:
            between = _BETWEEN.match(buffer, at)
            at = at if between is None else between.end()
            if buffer.startswith("]", at):
                break
            fault = None
            try:
                end = decode(buffer, at)[1]
                whole = end < len(buffer) or ended
            except ValueError as problem:
                whole, end = False, at
                item = number + len(items)
                fault = ("not-json", f"the array's item {item} is not JSON, or longer than {MAX_RECORD:,}: {problem}")
            except RecursionError:
                fault = ("too-deep", f"the array's item {number + len(items)} nests too deeply")
                whole, end, ended = False, at, True
            if whole:
                text = buffer[at:end].replace("\n", " ").encode("utf-8", "surrogateescape")
                items.append(text)
                held += len(text)
                at = end
            ended = ended or (not whole and len(buffer) - at > MAX_RECORD)
            if held >= self._most or (items and not whole and ended):
                yield Chunk(number, b"\n".join(items), self._read())
                number += len(items)
                items, held = [], 0
            if whole:
                block = self._most
                continue
            if ended:
                yield Chunk(number + len(items), b"", self._read(), fault or ("not-json", "the array is not closed"))
                return
            data = stream.read(block)
            block *= 2  # an item that is as long as several blocks is looked at but a few times
            ended = not data
            buffer, at = buffer[at:] + decoder.decode(data, ended), 0
        if items:
            yield Chunk(number, b"\n".join(items), self._read())
