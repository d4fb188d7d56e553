"""A set of records, read in chunks of whole lines, never all of it at once.

A set is JSON Lines, or one JSON array, which is told by its first character. An array's items are handed on one a line,
so that all that follows knows lines alone. Either may be compressed with gzip, which is told by its first bytes.
"""

from __future__ import annotations

import codecs
import hashlib
import io
import os
import select
import stat
import zlib
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

from pylf.batch import array
from pylf.errors import InputError, reason

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

#: A record of more bytes is refused.
MAX_RECORD = 10_000_000
#: A chunk has about so many bytes: some tens of records of the published sets, and a few milliseconds' work or more.
_MOST, _LEAST = 1 << 16, 1 << 12
#: There are so many chunks at least, where the size is known, so that several processes end at about the same time.
_PARTS = 32
#: So many bytes are hashed at a time.
_BLOCK = 1 << 20

_BOM = codecs.BOM_UTF8
_WHITE = b" \t\r\n"


class Stream(Protocol):
    """What is asked of a file."""

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
        if self.fault is not None:
            yield self
            return
        for number, text in enumerate(self.data.split(b"\n"), self.first):
            if text.strip():
                yield Chunk(number, text, self.read)


#: No chunk: the set comes from a pipe, and at the moment there is no more of it.
WAITING = Chunk(0, b"", 0)


class RecordFile:
    """A set of records in a binary stream; ``size`` in bytes where that is known."""

    def __init__(self, stream: io.BufferedReader, name: str, size: int | None = None) -> None:
        self.name = name
        self.size = size
        self._raw = stream
        self._most = _MOST if size is None else max(_LEAST, min(_MOST, size // _PARTS))
        self._hashed: _Hashed | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._raw.close()

    def hashed(self) -> dict[str, Any] | None:
        """The set's name, size and hash; None where it is no plain file, and can be read but once. Of a file that grows
        no more than this is read from now on.

        Raises:
            InputError: it cannot be read.
        """
        raw = self._raw.raw
        if self.size is None or not isinstance(raw, _Bounded):
            return None
        if self._hashed is None:
            self._hashed = _Hashed(self.name, raw)
            raw.end = self._hashed.bytes
        return {"name": self.name, "bytes": self._hashed.bytes, "sha256": self._hashed.sha256}

    def begins_with(self, size: int, sha256: str) -> bool:
        """Whether the first bytes of the file have this hash; False where it is no plain file.

        Raises:
            InputError: it cannot be read.
        """
        raw = self._raw.raw
        return isinstance(raw, _Bounded) and _hash(self.name, raw.file, size) == (size, sha256)

    def check(self) -> None:
        """Look whether the file still holds what :meth:`hashed` has seen.

        Raises:
            InputError: it does not, or cannot be read.
        """
        raw, before = self._raw.raw, self._hashed
        if before is None or not isinstance(raw, _Bounded) or before.changed_at == _changed_at(raw.file):
            return
        if not self.begins_with(before.bytes, before.sha256):
            from pylf.batch.state import FRESH  # no process that compiles needs it

            raise InputError(f"{self.name} was changed while it was read; {FRESH}")

    def chunks(self) -> Iterator[Chunk]:
        """The set, in order; :data:`WAITING` may stand between its chunks.

        Raises:
            InputError: it cannot be read on.
        """
        try:
            stream = self._plain()
            head = stream.read1(self._most)
            while head and len(head) < len(_BOM) and _BOM.startswith(head) and (more := stream.read1(self._most)):
                head += more
            head, number = head.removeprefix(_BOM), 1
            while head and not (begun := head.lstrip(_WHITE)):
                number += head.count(b"\n")
                head = stream.read1(self._most)
            if head:
                number += head.count(b"\n", 0, len(head) - len(begun))
                yield from self._items(stream, begun) if begun[:1] == b"[" else self._lines(stream, begun, number)
        except (OSError, EOFError, zlib.error) as problem:
            stated = reason(problem) if isinstance(problem, OSError) else str(problem)
            raise InputError(f"{self.name}: cannot be read on: {stated}") from None

    def _plain(self) -> Stream:
        if self._raw.peek(2)[:2] != b"\x1f\x8b":
            return self._raw
        import gzip

        return gzip.GzipFile(fileobj=self._raw)

    def _read(self) -> int:
        raw = self._raw.raw
        return raw.done if isinstance(raw, _Bounded) else 0

    def _waits(self) -> bool:
        """Whether the next bytes are still to be written; False where that cannot be told."""
        if self.size is not None:
            return False
        try:
            return not select.select([self._raw], [], [], 0)[0]
        except (OSError, ValueError):
            return False

    def _lines(self, stream: Stream, head: bytes, number: int) -> Iterator[Chunk]:
        parts: list[bytes] = []
        held = 0  # bytes in parts, or of a line that is being passed over
        passing = False
        block = head
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
            if self._waits():
                yield WAITING
            block = stream.read1(self._most)
        if passing:
            yield self._too_long(number)
        elif parts:
            yield Chunk(number, b"".join(parts), self._read())

    def _too_long(self, number: int) -> Chunk:
        return Chunk(number, b"", self._read(), ("too-long", f"the record is longer than {MAX_RECORD:,} bytes"))

    def _items(self, stream: Stream, head: bytes) -> Iterator[Chunk]:
        source = array.Items(MAX_RECORD)
        source.feed(head)
        first, items, held = 1, list[bytes](), 0
        while True:
            found = source.next()
            if isinstance(found, bytes):
                items.append(found)
                held += len(found)
                if held < self._most:
                    continue
            if items:
                yield Chunk(first, b"\n".join(items), self._read())
                first, items, held = first + len(items), [], 0
            if isinstance(found, tuple):
                yield Chunk(first, b"", self._read(), found)
            elif found is None:
                if source.ended:
                    return
                if self._waits():
                    yield WAITING
                source.feed(stream.read1(self._most))  # to the end, where an archive's checksum stands


def open_records(path: str) -> RecordFile:
    """The set in a file.

    Raises:
        InputError: it cannot be opened.
    """
    try:
        with ExitStack() as stack:
            file = stack.enter_context(io.FileIO(path))
            about = os.fstat(file.fileno())
            plain = stat.S_ISREG(about.st_mode)
            found = RecordFile(
                io.BufferedReader(_Bounded(file) if plain else file), path, about.st_size if plain else None
            )
            stack.pop_all()
            return found
    except (OSError, ValueError) as problem:
        raise InputError(f"{path}: {reason(problem)}") from None


class _Bounded(io.RawIOBase):
    """A plain file up to a place in it, and how far it is read."""

    def __init__(self, file: io.FileIO) -> None:
        self.file = file
        self.end: int | None = None
        self.done = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int | None:
        left = len(buffer) if self.end is None else min(len(buffer), self.end - self.done)
        count = self.file.readinto(memoryview(buffer)[:left]) if left else 0
        self.done += count or 0
        return count

    def close(self) -> None:
        self.file.close()
        super().close()


class _Hashed:
    """What a file held at a time."""

    def __init__(self, name: str, raw: _Bounded) -> None:
        self.changed_at = _changed_at(raw.file)
        self.bytes, self.sha256 = _hash(name, raw.file, None)


def _changed_at(file: io.FileIO) -> int:
    return os.fstat(file.fileno()).st_mtime_ns


def _hash(name: str, file: io.FileIO, most: int | None) -> tuple[int, str]:
    """Size and hash of a file, or of its first bytes; leaves its place as it was."""
    found, size = hashlib.sha256(), 0
    try:
        before = file.tell()
        file.seek(0)
        while block := file.read(_BLOCK if most is None else min(_BLOCK, most - size)):
            found.update(block)
            size += len(block)
        file.seek(before)
    except OSError as problem:
        raise InputError(f"{name}: {reason(problem)}") from None
    return size, found.hexdigest()
