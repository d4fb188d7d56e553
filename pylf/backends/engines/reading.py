"""Reading RDF files: which suffix is which format, gzip, a checksum and a byte count taken on the way."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pylf.errors import InputError, reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Protocol, Self, TypeAlias

    import pyoxigraph

    AnyPath: TypeAlias = str | os.PathLike[str]

    class _Stream(Protocol):
        def read(self, size: int = -1, /) -> bytes: ...
        def close(self) -> None: ...


#: suffix (each may be followed by ``.gz``) to the name of pyoxigraph's format
FORMATS = {
    ".nt": "N_TRIPLES",
    ".ttl": "TURTLE",
    ".n3": "N3",
    ".rdf": "RDF_XML",
    ".trig": "TRIG",
    ".nq": "N_QUADS",
}
#: formats in which an IRI may be relative
_RELATIVE = frozenset({"TURTLE", "N3", "RDF_XML", "TRIG"})

_CHUNK = 1 << 18
_SHOWN = 100


class SourceFile(NamedTuple):
    """One file as it was read: its name without folders, its size and SHA-256 as it lies on the disk, the format's
    name, and the SHA-256 of the text after decompression (which a snapshot id is made of)."""

    name: str
    size: int
    sha256: str
    format: str
    content: str


def format_of(path: AnyPath) -> str:
    """The name of the format that a file's suffix stands for.

    Raises:
        InputError: for none; lists the known suffixes.
    """
    name = os.fspath(path)
    stem = name[:-3] if _is_zipped(name) else name
    found = FORMATS.get(Path(stem).suffix.lower())
    if found is None:
        known = " ".join(FORMATS)
        raise InputError(f"{name}: not an RDF file by its name; the known suffixes are {known}, each also with .gz")
    return found


def check_source(path: AnyPath) -> int:
    """The size in bytes of a file that can be read as RDF.

    Raises:
        InputError: it cannot be read; says what is wrong with it.
    """
    file = Path(path)
    try:
        if file.is_dir():
            raise InputError(f"{path}: is a folder; name the RDF files in it")
        if not file.exists():
            from pylf.backends.http.request import harmless

            # an address that is badly written may hold a password
            name = os.fspath(path)
            raise InputError(f"{harmless(name) if ':' in name.rpartition('@')[0] else name}: no such file")
        format_of(path)
        if not os.access(file, os.R_OK):
            raise InputError(f"{path}: cannot be read (permission denied)")
        return file.stat().st_size
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise InputError(f"{path!r}: cannot be read ({reason(error)})") from error


class Reading(io.RawIOBase):
    """A binary stream over one RDF file, decompressed; hashes and counts the bytes of the file as they go by.

    ``advanced`` is called with the number of further bytes taken from the disk. Every trouble with the file itself
    is an InputError, so that it cannot be mistaken for trouble with where the triples go.
    """

    def __init__(self, path: AnyPath, advanced: Callable[[int], None] | None = None) -> None:
        super().__init__()
        self.path = Path(path)
        self.format = format_of(path)
        #: bytes handed out so far
        self.bytes_out = 0
        self._content = hashlib.sha256()
        try:
            # unbuffered: the chunks asked for below are large
            raw = self.path.open("rb", buffering=0)
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({reason(error)})") from error
        self._tap = _Tap(raw, advanced)
        self._plain = io.BufferedReader(self._tap, _CHUNK)
        self._zipped = _is_zipped(os.fspath(path))
        self._stream: _Stream = gzip.GzipFile(fileobj=self._plain, mode="rb") if self._zipped else self._plain
        self._chunk = b""
        self._at = 0

    def readable(self) -> bool:
        """True."""
        return True

    def read(self, size: int | None = -1) -> bytes:
        """At most ``size`` bytes, as soon as there are any; all that is left where ``size`` is negative or None."""
        if size is None or size < 0:
            parts = [self._chunk[self._at :]]
            while self._refill():
                parts.append(self._chunk)
            self._at = len(self._chunk)
            return b"".join(parts)
        if self._at == len(self._chunk) and not self._refill():
            return b""
        start = self._at
        self._at = min(start + size, len(self._chunk))
        return self._chunk[start : self._at]

    def source(self) -> SourceFile:
        """What was read. The rest of the file, if any, is read first."""
        while self._refill():
            pass
        digest = self._tap.hash.hexdigest()
        content = self._content.hexdigest() if self._zipped else digest
        return SourceFile(self.path.name, self._tap.size, digest, self.format, content)

    def close(self) -> None:
        """Gives the file back."""
        if not self.closed:
            self._stream.close()
            self._plain.close()
        super().close()

    def __enter__(self) -> Self:
        return self

    def _refill(self) -> bool:
        try:
            chunk = self._stream.read(_CHUNK)
        except EOFError as error:
            raise InputError(f"{self.path}: the gzip data is cut off") from error
        except (gzip.BadGzipFile, zlib.error) as error:
            raise InputError(f"{self.path}: not a sound gzip file ({error})") from error
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read ({reason(error)})") from error
        if self._zipped:
            self._content.update(chunk)
        self.bytes_out += len(chunk)
        self._chunk = chunk
        self._at = 0
        return bool(chunk)


class _Tap(io.RawIOBase):
    """The bytes of a file on their way, hashed and counted."""

    def __init__(self, raw: io.FileIO, advanced: Callable[[int], None] | None) -> None:
        super().__init__()
        self.hash = hashlib.sha256()
        self.size = 0
        self._raw = raw
        self._advanced = advanced

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # the typed protocol of buffers is 3.12's
        count = self._raw.readinto(buffer) or 0
        self.hash.update(buffer[:count])
        self.size += count
        if self._advanced is not None and count:
            self._advanced(count)
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()


def base_of(path: AnyPath, base: str | None) -> str | None:
    """The base that relative IRIs of a file are resolved against: ``base``, or else where the file lies (RFC 3986
    §5.1.3); None for formats that have no relative IRIs."""
    if format_of(path) not in _RELATIVE:
        return None
    return Path(path).absolute().as_uri() if base is None else base


def bulk_load(store: pyoxigraph.Store, reading: Reading, base: str | None = None) -> None:
    """Loads a file into a store, the default graph of it where the format has no graph names.

    Blank nodes are renamed, so that those of two files do not meet.

    Raises:
        InputError: trouble with the file.
        OSError: trouble with the store's folder.
    """
    import pyoxigraph

    rdf_format = getattr(pyoxigraph.RdfFormat, reading.format)
    try:
        store.bulk_load(reading, rdf_format, base_iri=base_of(reading.path, base))  # type: ignore[arg-type]
    except SyntaxError as error:
        raise syntax_error(reading.path, error) from error
    except MemoryError as error:
        raise too_large(reading.path, error) from error
    except ValueError as error:
        raise InputError(f"{reading.path}: {error}") from error


def parse(path: AnyPath, base: str | None = None) -> Iterator[pyoxigraph.Quad]:
    """The quads of a file, lexical forms as written.

    Raises:
        InputError: it cannot be read, or does not parse (with file, line and column).
    """
    import pyoxigraph

    with Reading(path) as reading:
        rdf_format = getattr(pyoxigraph.RdfFormat, reading.format)
        try:
            yield from pyoxigraph.parse(
                reading,  # type: ignore[arg-type]
                rdf_format,
                base_iri=base_of(path, base),
                rename_blank_nodes=True,
            )
        except SyntaxError as error:
            raise syntax_error(path, error) from error
        except MemoryError as error:
            raise too_large(path, error) from error
        except ValueError as error:
            raise InputError(f"{path}: {error}") from error


def syntax_error(path: AnyPath, error: SyntaxError) -> InputError:
    """What pyoxigraph says of a file that does not parse, with file, line, column and the line itself."""
    name = os.fspath(path)
    message = error.msg
    if message.startswith("Parser error at "):
        message = message.partition(": ")[2] or message
    message = _printable(message)
    line, column = error.lineno, error.offset
    if line is None and format_of(path) == "RDF_XML":
        line, column = _xml_position(name)
    if line is None:
        return InputError(f"{name}: {message}")
    place = f"{name}:{line}" if column is None else f"{name}:{line}:{column}"
    shown = _line(name, line, column or 1)
    return InputError(f"{place}: {message}" + (f"\n  {shown}" if shown else ""))


def too_large(path: AnyPath, error: MemoryError) -> InputError:
    """What is wrong with a file that the parser's buffer is too small for."""
    return InputError(f"{os.fspath(path)}: one term of it is longer than the parser takes, 16 MiB ({error})")


def _is_zipped(name: str) -> bool:
    return name.lower().endswith(".gz")


def _opened(name: str) -> gzip.GzipFile | io.BufferedReader:
    return gzip.open(name, "rb") if _is_zipped(name) else Path(name).open("rb")


def _printable(text: str) -> str:
    """Text without what could steer a terminal, cut to a readable length."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[: 3 * _SHOWN])


def _line(name: str, number: int, column: int) -> str | None:
    """A line of a file, from 1, cut to a readable width around a column, or None where it cannot be had again."""
    try:
        with _opened(name) as stream:
            for count, line in enumerate(stream, 1):
                if count == number:
                    text = line.decode("utf-8", "replace").rstrip()
                    start = max(0, column - 1 - _SHOWN // 2)
                    return _printable(text[start : start + _SHOWN])
    except (OSError, EOFError, zlib.error):
        return None
    return None


def _xml_position(name: str) -> tuple[int | None, int | None]:
    """Where a file is not well-formed XML; pyoxigraph does not say. ``(None, None)`` where it is well-formed."""
    from xml.parsers import expat

    parser = expat.ParserCreate()
    try:
        with _opened(name) as stream:
            parser.ParseFile(stream)
    except expat.ExpatError as error:
        return error.lineno, error.offset + 1
    except (OSError, EOFError, zlib.error):
        pass
    return None, None
