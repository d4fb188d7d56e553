"""Building a graph's folder beside its place, and putting it there in one step.

What is being built lies in a hidden *partial* folder whose name holds the process id and whose lock file is held for
as long as its maker lives: the system lets go of the lock however the maker ends, so a partial folder whose lock is
free is rubbish, and the next load into the same place sweeps it up.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import sys
from pathlib import Path
from typing import IO

from pylf.errors import InputError

LOCK = ".lock"
#: folders with data inside a graph's folder
DATA_PREFIX = "graph-"

_PARTIAL = ".partial-"


class Lock:
    """A lock file held by this process until it ends or lets go."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    @classmethod
    def take(cls, folder: Path) -> Lock | None:
        """The lock of a folder, or None where another process (or another load of this one) holds it.

        Raises:
            OSError: the folder cannot be written.
        """
        stream = (folder / LOCK).open("ab")
        if _locked(stream):
            return cls(stream)
        stream.close()
        return None

    def free(self) -> None:
        """Lets go; the lock file stays."""
        self._stream.close()

    def remove(self) -> None:
        """Lets go of a lock that nobody else waits for, and removes its file."""
        self._stream.close()
        Path(self._stream.name).unlink(missing_ok=True)


def partial_beside(target: Path) -> tuple[Path, Lock]:
    """A new partial folder next to ``target``, locked.

    Raises:
        OSError: it cannot be made, or cannot be locked.
    """
    place = target.absolute()
    folder = place.with_name(f".{place.name}{_PARTIAL}{os.getpid()}-{secrets.token_hex(4)}")
    folder.mkdir()
    lock = Lock.take(folder)
    if lock is None:
        raise OSError(f"{folder}: cannot be locked")
    return folder, lock


def sweep(target: Path) -> list[Path]:
    """Removes the partial folders beside ``target`` whose makers are dead; returns their paths."""
    place = target.absolute()
    pattern = re.compile(re.escape(f".{place.name}{_PARTIAL}") + r"([0-9]+)-[0-9a-f]+")
    swept = []
    for folder in list(place.parent.iterdir()):
        match = pattern.fullmatch(folder.name)
        if match is not None and not _in_use(folder, int(match[1])):
            shutil.rmtree(folder, ignore_errors=True)
            swept.append(folder)
    return swept


def sweep_inside(target: Path, manifest: str, keep: str | None) -> None:
    """Removes the data folders of a graph's folder other than ``keep``, and manifests that were never put in place.

    The caller holds the folder's lock.
    """
    for entry in list(target.iterdir()):
        if entry.name.startswith(DATA_PREFIX) and entry.name != keep:
            shutil.rmtree(entry, ignore_errors=True)
        elif entry.name.startswith(f"{manifest}."):
            entry.unlink(missing_ok=True)


def check_target(target: Path, replace: bool, manifest: str) -> bool:
    """Whether ``target`` is a graph that is to be replaced; False where it is free.

    Raises:
        InputError: something is in the way.
        OSError: the place cannot be looked at.
    """
    if not os.path.lexists(target):
        parent = target.absolute().parent
        if not parent.is_dir():
            raise InputError(f"{target}: there is no folder {parent}")
        return False
    if not target.is_dir():
        raise InputError(f"{target}: is a file; name a folder for the graph")
    entries = [entry.name for entry in target.iterdir()]
    if not entries:
        return False
    ours = manifest in entries and all(entry.startswith((manifest, DATA_PREFIX)) or entry == LOCK for entry in entries)
    if not ours:
        raise InputError(f"{target}: is a folder with other things in it; name a new one for the graph")
    if not replace:
        raise InputError(f"{target}: there is a graph already; replace it (--replace) or name another folder")
    return True


def _in_use(folder: Path, pid: int) -> bool:
    try:
        stream = (folder / LOCK).open("r+b")
    except FileNotFoundError:
        return _alive(pid)  # its maker may be about to lock it, or to move it into place
    except OSError:
        return True  # not ours to judge
    with stream:
        return not _locked(stream)


def _locked(stream: IO[bytes]) -> bool:
    """Takes the lock of a file; False where it is held."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _alive(pid: int) -> bool:
    if os.name != "posix":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
