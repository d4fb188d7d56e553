"""A server's process: a free port, a folder of its own, started, waited for and ended by its id.

Between this process and the server stands :mod:`pylf.testing.servers.guard`, which ends the server whatever becomes of
this process, a SIGKILL included.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pylf.errors import EngineError, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_GUARD = Path(__file__).with_name("guard.py")
_LOG = "server.log"
#: seconds that the guard needs beyond what it gives the server
_PATIENCE = 10.0
_PAUSE = 0.02
_QUOTED_LINES = 20
_LONGEST_LINE = 300


class Process:
    """A running server. ``pid`` is the server's own, ``folder`` the temporary folder it runs in."""

    def __init__(self, name: str, folder: Path, command: Sequence[str]) -> None:
        self.name = name
        self.folder = folder
        self._owner = os.getpid()
        self._stopped = False
        self._guard = subprocess.Popen(  # noqa: S603  # the command comes from the package's own code
            [sys.executable, "-I", "-S", str(_GUARD), str(self._owner), str(folder / _LOG), str(folder), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # a Ctrl-C at the terminal is this process's to handle
        )
        self.pid = self._guard.pid
        atexit.register(self.stop)
        assert self._guard.stdout is not None
        told = self._guard.stdout.readline()
        if not told:
            self.stop()
            raise EngineError(f"{name}: {command[0]} cannot be started")
        self.pid = int(told)

    @property
    def alive(self) -> bool:
        """Whether the server runs."""
        return self._guard.poll() is None

    def log(self) -> str:
        """The last lines that the server wrote, control characters escaped."""
        try:
            text = (self.folder / _LOG).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return "  (it wrote nothing)"
        lines = [line.rstrip() for line in text.splitlines() if line.strip()]
        shown = [f"  {printable(line[:_LONGEST_LINE])}" for line in lines[-_QUOTED_LINES:]]
        return "\n".join(shown) or "  (it wrote nothing)"

    def wait(self, answers: Callable[[], bool], seconds: float) -> None:
        """Waits until ``answers()`` is true.

        Raises:
            EngineError: the server ended, or is silent for ``seconds``; quotes its log. It is stopped then.
        """
        until = time.monotonic() + seconds
        while not answers():
            if self.alive and time.monotonic() < until:
                time.sleep(_PAUSE)
                continue
            how = f"does not answer after {seconds:g} s" if self.alive else "ended while starting"
            log = self.log()
            self.stop()
            raise EngineError(f"the {self.name} server {how}; its log says\n{log}")

    def stop(self) -> None:
        """Ends the server and removes its folder; nothing where it has ended, or in a fork of the process that
        started it."""
        if os.getpid() != self._owner or self._stopped:
            return
        self._stopped = True
        atexit.unregister(self.stop)
        self._guard.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._guard.wait(_PATIENCE)
        if self._guard.returncode is None or self._guard.returncode < 0:  # it hangs, or was killed: the server lives
            for pid in (self.pid, self._guard.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self._guard.wait()
        for pipe in (self._guard.stdin, self._guard.stdout):
            if pipe is not None:
                pipe.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def new_folder(name: str) -> Path:
    """A new temporary folder that only this user can look into."""
    return Path(tempfile.mkdtemp(prefix=f"pylf-{name}-"))


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listened on a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
