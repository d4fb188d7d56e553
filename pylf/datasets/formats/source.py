"""What a file of questions holds, record by record, whatever it is written as.

A file is JSON Lines, a JSON array, a JSON object with a list of questions in it (WebQSP, FreebaseQA, QALD), or lines of
columns with tabs between them (MetaQA). It may be compressed with gzip and written in UTF-8, UTF-16 or UTF-32, told by
its first bytes, or in an encoding that is named. Lines, arrays and columns are read as they come; an object is read
whole, since where its list ends, and whether the rest is sound, shows only at its end.
"""

from __future__ import annotations

import codecs
import io
import json
import re
import sys
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn, Self

from pylf.datasets.formats.fields import Malformed
from pylf.datasets.formats.question import Origin
from pylf.errors import InputError, printable, reason
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

    from _typeshed import WriteableBuffer

#: so many bytes are looked at to tell what a file is
HEAD = 1 << 16
#: a line of columns has no more bytes
_LONGEST = 10_000_000
#: an object that is read whole has no more bytes
MAX_DOCUMENT = 1_000_000_000
#: the fields that hold the questions of an object
_LISTS = ("questions", "Questions")
_BOMS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_SPACE = re.compile(r"[ \t\r\n]*")
_JSON = re.compile(r"\s*(?:\{|\[\s*(?:[\]{]|$))")


@record
class Entry:
    """A record: its data (of a line of columns, its text), where it is, and its number in the file, from 1."""

    data: Any
    origin: Origin
    number: int


class QuestionSource:
    """A file of questions. ``path`` may be ``-`` for standard input; ``format`` is written into what is read of it.

    Raises:
        InputError: it cannot be read, or is in an encoding that cannot be told.
    """

    def __init__(self, path: str, encoding: str | None = None) -> None:
        self.name = "<stdin>" if path == "-" else path
        self.format = ""
        with self._guarded():
            if path == "-" and sys.stdin is None:
                raise InputError("standard input is closed")
            raw: Any = sys.stdin.buffer if path == "-" else io.FileIO(path)
            self._closing: Any = None if path == "-" else raw
            stream = _buffered(_After(b"", raw))
            if stream.peek(2)[:2] == b"\x1f\x8b":
                import gzip

                stream = _buffered(_After(b"", gzip.GzipFile(fileobj=stream)))
            start = stream.read(4)
            stream = _buffered(_After(start, stream))
            stated = encoding or next((name for bom, name in _BOMS.items() if start.startswith(bom)), "utf-8")
            if not _is_utf8(stated):
                stream = _buffered(_Recoded(stream, _codec(stated)))
            elif start.startswith(codecs.BOM_UTF8):
                stream.read(len(codecs.BOM_UTF8))
            head = stream.read(HEAD)
            self._stream = _buffered(_After(head, stream))
            self._head = head.decode("utf-8", "replace")
        #: whether the file begins as JSON does
        self.json = _JSON.match(self._head) is not None
        #: whether it is lines of columns
        self.columns = not self.json and "\t" in self._head.lstrip("\r\n").partition("\n")[0]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._closing is not None:
            self._closing.close()

    def entries(self, tell: Callable[[Malformed], None]) -> Iterator[Entry]:
        """The records, in order. What is none is told, and the next one follows.

        Raises:
            InputError: the file cannot be read on.
        """
        with self._guarded():
            if self.columns:
                yield from self._columns()
            elif _wraps(self._head):
                yield from self._document()
            else:
                yield from self._records(tell)

    def _columns(self) -> Iterator[Entry]:
        number = 0
        while line := self._stream.readline(_LONGEST + 1):
            number += 1
            origin = Origin(self.name, self.format, number)
            if len(line) > _LONGEST:
                raise Malformed(str(origin), f"the line is longer than {_LONGEST:,} bytes")
            if line.strip():
                yield Entry(_decoded(line, origin).rstrip("\r\n"), origin, number)

    def _records(self, tell: Callable[[Malformed], None]) -> Iterator[Entry]:
        from pylf.batch.reading import WAITING, RecordFile  # evaluation, which knows questions, has no need of it

        items = self._head.lstrip().startswith("[")

        def at(number: int) -> Origin:
            if items:
                return Origin(self.name, self.format, path=f"[{number - 1}]")
            return Origin(self.name, self.format, number)

        for chunk in RecordFile(self._stream, self.name).chunks():
            if chunk is WAITING:
                continue
            if chunk.fault is not None:
                tell(Malformed(str(at(chunk.first)), chunk.fault[1]))
                continue
            for line in chunk.lines():
                origin = at(line.first)
                try:
                    data = _parsed(_decoded(line.data, origin), origin)
                except Malformed as problem:
                    tell(problem)
                    continue
                yield Entry(data, origin, line.first)

    def _document(self) -> Iterator[Entry]:
        content = self._stream.read(MAX_DOCUMENT + 1)
        if len(content) > MAX_DOCUMENT:
            raise InputError(
                f"{self.name}: one JSON object of more than {MAX_DOCUMENT:,} bytes; write an array or lines"
            )
        whole = Origin(self.name, self.format)
        data = _parsed(_decoded(content, whole), whole)
        name = next(name for name in _LISTS if isinstance(data.get(name), list))
        about = {key: value for key, value in data.items() if key != name}
        for number, one in enumerate(data[name]):
            yield Entry(one, Origin(self.name, self.format, None, f"{name}[{number}]", about), number + 1)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except (OSError, EOFError, zlib.error) as problem:
            told = reason(problem) if isinstance(problem, OSError) else str(problem)
            raise InputError(f"{self.name}: {told}") from None
        except UnicodeDecodeError as problem:
            raise InputError(f"{self.name} is not {problem.encoding}: {problem.reason}") from None
        except ValueError as problem:  # a path with a zero in it
            raise InputError(f"{printable(self.name)}: {problem}") from None


class _After(io.RawIOBase):
    """Bytes that were read already, then what follows them."""

    def __init__(self, head: bytes, stream: Any) -> None:
        self._head = memoryview(head)
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        room = memoryview(buffer)
        data = self._head[: len(room)]
        if data:
            self._head = self._head[len(data) :]
        else:
            some = getattr(self._stream, "read1", self._stream.read)
            data = memoryview(some(len(room)) or b"")
        room[: len(data)] = data
        return len(data)


class _Recoded(io.RawIOBase):
    """Text of another encoding, as UTF-8."""

    def __init__(self, stream: io.BufferedReader, codec: codecs.CodecInfo) -> None:
        self._stream = stream
        assert codec.incrementaldecoder is not None
        self._decoder = codec.incrementaldecoder("strict")
        self._left = memoryview(b"")
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        while not self._left and not self._ended:
            data = self._stream.read1(HEAD)
            self._ended = not data
            self._left = memoryview(self._decoder.decode(data, self._ended).encode())
        room = memoryview(buffer)
        data, self._left = bytes(self._left[: len(room)]), self._left[len(room) :]
        room[: len(data)] = data
        return len(data)


def _buffered(raw: Any) -> io.BufferedReader:
    return io.BufferedReader(raw)


def _is_utf8(encoding: str) -> bool:
    return _codec(encoding).name in ("utf-8", "utf-8-sig")


def _codec(encoding: str) -> codecs.CodecInfo:
    """Raises InputError: there is no such encoding of text."""
    try:
        found = codecs.lookup(encoding)
        "".encode(encoding)  # rot13, base64 and the like are no encodings of text
    except (LookupError, ValueError):
        raise InputError(f"there is no encoding {printable(encoding)!r}; utf-8, utf-16 and latin-1 are some") from None
    return found


def _wraps(head: str) -> bool:
    """Whether a text begins an object that has, among its own fields, a list of questions."""
    decode = json.JSONDecoder().raw_decode
    at = _skipped(head, 0)
    if head[at : at + 1] != "{":
        return False
    try:
        while head[at] in "{,":
            key, at = decode(head, _skipped(head, at + 1))
            at = _skipped(head, at)
            if head[at] != ":":
                return False
            at = _skipped(head, at + 1)
            if key in _LISTS:
                return head[at] == "["
            at = _skipped(head, decode(head, at)[1])
    except (ValueError, IndexError, RecursionError, TypeError):
        return False
    return False


def _skipped(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()


def _decoded(data: bytes, origin: Origin) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as problem:
        where = problem.start - (data.rfind(b"\n", 0, problem.start) + 1) + 1
        line = data.count(b"\n", 0, problem.start)
        place = f"byte {where:,}" + (f" of line {line + 1:,}" if origin.line is None else "")
        told = f"{place}, 0x{data[problem.start]:02x}, is not UTF-8; name the file's encoding, such as latin-1"
        raise Malformed(str(origin), told) from None


def _parsed(text: str, origin: Origin) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)
    except json.JSONDecodeError as problem:
        place = f"{origin.file}:{problem.lineno}" if not (origin.line or origin.path) else str(origin)
        raise Malformed(
            f"{place}:{problem.colno}" if origin.path == "" else place, f"not JSON: {problem.msg}"
        ) from None
    except RecursionError:
        raise Malformed(str(origin), "it nests too deeply") from None
    except ValueError as problem:
        raise Malformed(str(origin), str(problem)) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"an object has the field {printable(repr(twice))} twice")
    return found


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")
