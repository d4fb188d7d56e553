"""Runs a command for as long as the process that asked for it lives: ``python guard.py PARENT LOG FOLDER COMMAND…``.

A script of its own, which imports nothing of the package: it writes the command's process id to its standard output,
then waits. When it gets SIGTERM, when its standard input closes, or when PARENT is no longer its parent (killed hard,
while a fork of it still holds the pipe), it ends the command (SIGTERM, then SIGKILL) and removes FOLDER. When the
command ends by itself, so does the guard, and FOLDER stays for the parent to look at the log.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys

#: seconds that a server is given to end by itself
PATIENCE = 5.0
_GLANCE = 0.5


def main(arguments: list[str]) -> int:
    """Runs the command; its exit status, or 0 when it was ended from here."""
    parent, log, folder, *command = arguments
    signal.signal(signal.SIGTERM, _leave)
    with open(log, "wb") as output:  # noqa: PTH123  # pathlib takes longer to import than all the rest
        server = subprocess.Popen(  # noqa: S603  # the command comes from the package's own code
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        os.write(1, b"%d\n" % server.pid)
        while os.getppid() == int(parent):
            if server.poll() is not None:
                return server.returncode
            if select.select([0], [], [], _GLANCE)[0]:
                break
    except SystemExit:
        pass
    _end(server)
    shutil.rmtree(folder, ignore_errors=True)
    return 0


def _leave(*_: object) -> None:
    raise SystemExit


def _end(server: subprocess.Popen[bytes]) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    server.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        server.wait(PATIENCE)
        return
    server.kill()
    server.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
