"""Files that are written for long: by one at a time, whole, and none that is read meanwhile."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pylf.errors import InputError, reason

if TYPE_CHECKING:
    import io
    from collections.abc import Mapping

#: The byte that is locked where locking keeps others from reading: far behind all that a file holds.
_FAR = 1 << 62
_HELD = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


def lock(descriptor: int) -> bool:
    """Lock an open file for as long as it is open; False where another holds it. The system takes the lock away from a
    process that ends, however it ends.

    A file system that knows no locks has none to hold.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, _FAR, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as problem:
        return problem.errno not in _HELD
    return True


def locked(file: io.FileIO, path: str) -> bool:
    """Lock a file that was opened by this path; False where another holds it, or has taken it away meanwhile, so that
    the path names another one."""
    descriptor = file.fileno()
    try:
        return lock(descriptor) and os.path.samestat(os.fstat(descriptor), Path(path).stat())
    except FileNotFoundError:
        return False


def write_whole(file: io.FileIO, path: str, text: bytes) -> None:
    """Write all of ``text``, however little the system takes at a time.

    Raises:
        InputError: it cannot be written.
        BrokenPipeError: it is a pipe, and whoever reads it is gone.
    """
    left = memoryview(text)
    try:
        while left:
            left = left[file.write(left) :]
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise InputError(f"{path}: {reason(problem)}") from None


def apart(read: Mapping[str, str | None], written: Mapping[str, str | None]) -> None:
    """Look that no file is written that is read, and none twice. Files are given by what a message calls them.

    Raises:
        InputError: one is.
    """
    paths = [(name, path) for given in (written, read) for name, path in given.items() if path is not None]
    for place, (name, path) in enumerate(paths[: sum(path is not None for path in written.values())]):
        for other, there in paths[place + 1 :]:
            if _same(path, there):
                raise InputError(f"{path} is {other}, and cannot be {name} too")


def _same(path: str, other: str) -> bool:
    if not (is_plain(path) and is_plain(other)):
        return False  # a terminal may be read and written
    try:
        return Path(path).samefile(other)
    except (OSError, ValueError):  # one of them is still to be made
        return Path(path).resolve() == Path(other).resolve()


def is_plain(path: str) -> bool:
    """Whether this is a file, or could be made one, and not a pipe or a device: those keep nothing to go on with."""
    where = Path(path)
    return not path.startswith("/dev/") and (where.is_file() or where.is_dir() or not where.exists())
