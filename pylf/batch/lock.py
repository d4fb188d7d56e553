"""One run at a time writes a file. The system takes the lock away from a process that ends, however it ends."""

from __future__ import annotations

import errno
import os
import sys

#: The byte that is locked where locking keeps others from reading: far behind all that a file holds.
_FAR = 1 << 62
_HELD = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


def lock(descriptor: int) -> bool:
    """Lock an open file for as long as it is open; False where another holds it.

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
