"""Files as the readers of this room take them: plain or compressed, and no more of them than they can use.

Paths are strings here: this is on the way of every compilation, and ``pathlib`` takes longer to import than all of the
rest.
"""

from __future__ import annotations

import os
from io import FileIO
from typing import IO, TYPE_CHECKING, cast

if TYPE_CHECKING:
    import hashlib
    from collections.abc import Iterable

#: so many bytes are asked for at once
_PART = 1 << 20


def is_file(path: str) -> bool:
    """Whether there is such a file; False too for a name that none can have."""
    return os.path.isfile(path)  # noqa: PTH113 (no pathlib here)


def size(path: str) -> int:
    """How many bytes a file has as it lies on the disk.

    Raises:
        OSError: there is no such file. ValueError: there can be none of this name.
    """
    return os.path.getsize(path)  # noqa: PTH202 (no pathlib here)


def open_plain_or_gzip(path: str) -> IO[bytes]:
    """A file's bytes, unpacked where its name ends in ``.gz``.

    Raises:
        OSError: the file cannot be opened. Reading raises OSError, EOFError or zlib.error where it is compressed and
            damaged.
    """
    if path.endswith(".gz"):
        import gzip

        return cast("IO[bytes]", gzip.open(path, "rb"))
    return cast("IO[bytes]", FileIO(path))


def read_bounded(stream: IO[bytes], most: int) -> bytes:
    """All bytes of a stream; where there are more than ``most``, one more than that."""
    parts = []
    left = most + 1
    while left and (part := stream.read(min(left, _PART))):  # a pipe gives less than it is asked for
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def add_file(key: hashlib._Hash, path: str) -> None:
    """Add what a file holds to a hash.

    Raises:
        OSError: it cannot be read. ValueError: there can be none of this name.
    """
    with FileIO(path) as file:
        while block := file.read(_PART):
            key.update(block)


def add_files(key: hashlib._Hash, folder: str, paths: Iterable[str]) -> None:
    """Add what files below a folder hold to a hash: what each is called and where the next one begins, too.

    Raises:
        OSError: one cannot be read.
    """
    for path in paths:
        key.update(f"{path[len(folder) :]} {size(path)}\0".encode())
        add_file(key, path)
