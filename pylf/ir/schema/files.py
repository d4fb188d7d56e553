"""Files as the readers of this room take them: plain or compressed, and no more of them than they can use.

Paths are strings here: this is on the way of every compilation, and ``pathlib`` takes longer to import than all of the
rest.
"""

from __future__ import annotations

import os
from io import FileIO
from typing import IO, cast

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
