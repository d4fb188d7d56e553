"""A proxy that keeps what passes through it for a while: a network between a client and a server on one machine.

It carries bytes and looks at none. Each way, what arrives is passed on after half of the delay, so that a message there
and back takes the whole of it longer; what is on its way does not hold up what comes after it. It runs in a process of
its own, as a network does, and waits in threads, since an event loop rounds such waits up to milliseconds::

    with delayed(port, 0.005) as nearer:
        ...  # ask 127.0.0.1:nearer
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROOT = Path(__file__).resolve().parents[1]
_HOST = "127.0.0.1"
_PIECE = 1 << 16


@contextmanager
def delayed(port: int, seconds: float) -> Iterator[int]:
    """A port that leads to ``port`` on this machine, ``seconds`` away and back; closed at the end."""
    command = [sys.executable, "-m", "benchmarks.delay", str(port), str(seconds)]
    with subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True) as proxy:
        assert proxy.stdout is not None
        try:
            yield int(proxy.stdout.readline())
        finally:
            proxy.terminate()


def _serve(port: int, seconds: float) -> None:
    with socket.create_server((_HOST, 0)) as server:
        print(server.getsockname()[1], flush=True)
        while True:
            near, _ = server.accept()
            far = socket.create_connection((_HOST, port))
            for one, other in ((near, far), (far, near)):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                Thread(target=_carry, args=(one, other, seconds / 2), daemon=True).start()


def _carry(source: socket.socket, target: socket.socket, seconds: float) -> None:
    """What one side says, to the other, so much later; its end too."""
    travelling: SimpleQueue[tuple[float, bytes]] = SimpleQueue()
    Thread(target=_arrive, args=(travelling, target), daemon=True).start()
    piece = b"..."
    while piece:
        try:
            piece = source.recv(_PIECE)
        except OSError:
            piece = b""
        travelling.put((time.monotonic() + seconds, piece))


def _arrive(travelling: SimpleQueue[tuple[float, bytes]], target: socket.socket) -> None:
    with suppress(OSError):
        while True:
            due, piece = travelling.get()
            time.sleep(max(0.0, due - time.monotonic()))
            if not piece:
                target.shutdown(socket.SHUT_WR)
                return
            target.sendall(piece)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        _serve(int(sys.argv[1]), float(sys.argv[2]))
