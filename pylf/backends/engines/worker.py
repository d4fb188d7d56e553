"""Queries in processes that can be ended.

Oxigraph can neither limit nor cancel a query. A graph on disk may be open in several processes at once, so a query
with a time limit is asked in one of its own, a worker: when the time is up, or on Ctrl-C, the worker is killed, and
nothing goes on. A worker that is done serves the next query; what it costs a query is the way there and back, less
than the start of a thread. Starting one takes some 30 ms, most of them pyoxigraph's. One that had been waiting and dies
before it has begun on the query is replaced, once, and the query asked again.

A worker holds nothing of its parent but the two ends of its pipes, and ends by itself when the parent is gone, however
that ended. When it dies (its stack overran, memory was short), the query fails with an EngineError and the parent is as
it was. :mod:`pylf.backends.engines.worker_main` is what it runs.
"""

from __future__ import annotations

import contextlib
import os
import select
import sys
import threading
import time
import weakref
from pathlib import Path
from typing import TYPE_CHECKING

from pylf.backends.engines import worker_main
from pylf.backends.engines.solutions import TsvReader
from pylf.backends.engines.worker_main import HEAD
from pylf.backends.patience import lasting
from pylf.errors import EngineError, EngineTimeout

if TYPE_CHECKING:
    import subprocess

    from pylf.backends.engines.solutions import Solutions

#: how long a worker may take to be up, which is not the query's time; and how long a killed one is waited for
_START = 60.0
_FAREWELL = 5.0
_READ = 1 << 18
#: what ends a worker, and what is behind it most often
_SIGNALS = {
    "SIGKILL": "from outside; the system does that where memory runs out",
    "SIGABRT": "memory ran out, or the query is nested too deeply",
    "SIGSEGV": "the query is nested too deeply",
    "SIGBUS": "the query is nested too deeply, or the store's files changed",
}


def available() -> bool:
    """Whether workers can be had here: on POSIX, where ``sys.executable`` is Python and the package lies in files."""
    python = bool(sys.executable) and not getattr(sys, "frozen", False)
    return hasattr(select, "poll") and python and Path(worker_main.__file__).is_file()


class WorkerPool:
    """The workers of one store: as many as there are queries at a time, and no more than ``size``, or cores.

    Threads may share one. ``files`` is the store's folder, absolute; ``name`` what messages call the graph; ``memory``
    the bytes that a worker may use (Linux). The workers end with the pool; a process made by ``os.fork`` makes its own.
    """

    def __init__(self, files: Path, name: str, memory: int | None = None, size: int = 0) -> None:
        self._files = str(files)
        self._name = name
        self._memory = memory or 0
        self._size = size or _cores()
        self._free = threading.Condition()
        self._count = 0
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        weakref.finalize(self, _end_all, self._all)
        _pools.add(self)

    def start(self) -> None:
        """Begins to start a worker where there is none; does not wait for it.

        Raises:
            EngineError: no process can be started.
        """
        with self._free:
            if self._count:
                return
            self._count += 1
        worker = None
        try:
            worker = self._new()
        finally:
            self._put_back(worker)

    def ask(self, text: str, deep: bool, union: bool, seconds: float | None) -> Solutions | bool | None:
        """What a query gives: solutions, yes or no, or None for triples.

        ``deep`` asks for a large stack; ``union`` for all graphs as one. ``seconds`` is the time limit, waiting for a
        free worker included, the start of a worker not; None is none.

        Raises:
            EngineTimeout: the time is up; the query has ended.
            EngineError: no worker can be started, or it died.
            SyntaxError, OSError, RuntimeError, ValueError: what pyoxigraph raises.
        """
        flags = (worker_main.DEEP if deep else 0) | (worker_main.UNION if union else 0)
        content = text.encode()
        request = HEAD.pack(bytes((flags,)), len(content)) + content
        deadline = None if seconds is None else time.monotonic() + seconds
        worker = self._taken(deadline)
        waited = worker is not None
        try:
            while True:
                if worker is None:
                    worker = self._new()
                try:
                    if not worker.up:
                        began = time.monotonic()
                        worker.wait_until_up()
                        deadline = None if deadline is None else deadline + time.monotonic() - began
                    return worker.ask(request, deadline)
                except _Died:
                    # one that had been waiting may have been dead when it was asked, for no fault of the query
                    if not waited or worker.began:
                        raise
                    waited = False
                    worker.end()
                    self._all.discard(worker)
                    worker = None  # its place is taken by the next
        except _TimeIsUp:
            assert seconds is not None
            raise EngineTimeout(f"the query took longer than {lasting(seconds)} and was ended") from None
        finally:
            self._put_back(worker)

    def close(self) -> None:
        """Ends the workers that no query is using. The next query starts one."""
        with self._free:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.clean = False
            self._put_back(worker)

    def processes(self) -> list[int]:
        """The ids of the workers' processes."""
        return sorted(worker.process.pid for worker in tuple(self._all))

    def _taken(self, deadline: float | None) -> _Worker | None:
        """A worker that is idle; None: there is a place for a new one, which is counted already."""
        with self._free:
            while True:
                while self._idle:
                    worker = self._idle.pop()
                    if worker.process.poll() is None:
                        return worker
                    worker.end()  # it has ended already; its pipes have not
                    self._gone(worker)
                if self._count < self._size:
                    self._count += 1
                    return None
                if not self._free.wait(None if deadline is None else max(0.0, deadline - time.monotonic())):
                    raise EngineTimeout("the query waited for its turn until the time was up, and was not asked")

    def _new(self) -> _Worker:
        worker = _Worker(self._files, self._name, self._memory)
        self._all.add(worker)
        return worker

    def _put_back(self, worker: _Worker | None) -> None:
        """A worker to its place, or, where it is in the middle of something, to its end. None did not come to be."""
        if worker is not None and not worker.clean:
            worker.end()
        with self._free:
            if worker is None:
                self._count -= 1
            elif worker.clean:
                self._idle.append(worker)
            else:
                self._gone(worker)
            self._free.notify()

    def _gone(self, worker: _Worker) -> None:
        self._all.discard(worker)
        self._count -= 1

    def forget(self) -> None:
        """Lets go of the workers without ending them: in a process made by a fork they are the parent's."""
        for worker in self._all:
            worker.let_go()
        self._all.clear()
        self._free, self._count, self._idle = threading.Condition(), 0, []


class _TimeIsUp(Exception):
    """A deadline has passed."""


class _Died(EngineError):
    """A worker has ended by itself."""


class _Worker:
    """A process, and the conversation with it. One thread at a time may use it."""

    def __init__(self, files: str, name: str, memory: int) -> None:
        import subprocess

        import pyoxigraph

        self._name = name
        packages = str(Path(pyoxigraph.__file__).absolute().parents[1])
        command = [sys.executable, "-I", "-S", worker_main.__file__, packages, files, str(memory)]
        try:
            # a session of its own: Ctrl-C at a terminal is for the parent, which then ends its workers
            self.process: subprocess.Popen[bytes] = subprocess.Popen(  # noqa: S603  # the command is ours
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                close_fds=True,
                start_new_session=True,
            )
        except OSError as error:
            raise EngineError(f"{name}: no process can be started for a query with a time limit ({error})") from error
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._in, self._out = self.process.stdin.fileno(), self.process.stdout.fileno()
        os.set_blocking(self._in, False)
        self._writable, self._readable = select.poll(), select.poll()
        self._writable.register(self._in, select.POLLOUT)
        self._readable.register(self._out, select.POLLIN)
        self._held = bytearray()
        #: whether it has opened the store; whether it waits for a request; whether it has begun to reply to one
        self.up = False
        self.clean = True
        self.began = False

    def wait_until_up(self) -> None:
        """Waits until the store is open.

        Raises:
            EngineError: it cannot be opened.
        """
        self.clean = False
        try:
            kind, text = self._part(time.monotonic() + _START)
        except _TimeIsUp:
            raise EngineError(f"{self._name}: the process for queries does not start") from None
        if kind != worker_main.READY:
            again = "; open the graph again, or load it again"
            raise EngineError(f"{self._name}: the store cannot be opened a second time ({text.decode()}){again}")
        self.up = self.clean = True

    def ask(self, request: bytes, deadline: float | None) -> Solutions | bool | None:
        """Sends a request and reads the reply. See :meth:`WorkerPool.ask`."""
        self.clean = self.began = False
        self._send(request, deadline)
        reader: TsvReader | None = None
        while True:
            kind, content = self._part(deadline)
            match kind:
                case worker_main.BEGUN:
                    continue
                case worker_main.ROWS | worker_main.END:
                    reader = reader or TsvReader()
                    reader.feed(content)
                    if kind == worker_main.ROWS:
                        continue
                    self.clean = True
                    return reader.solutions()
                case worker_main.TRUTH:
                    self.clean = True
                    return bool(content)
                case worker_main.GRAPH:
                    self.clean = True
                    return None
            if kind not in worker_main.ERRORS:
                raise EngineError(f"{self._name}: the process for queries does not speak as it should ({kind!r})")
            self.clean = True
            raise worker_main.ERRORS[kind](content.decode())

    def _send(self, request: bytes, deadline: float | None) -> None:
        rest = memoryview(request)
        while rest:
            try:
                rest = rest[os.write(self._in, rest) :]
            except BlockingIOError:
                _wait(self._writable, deadline)
            except BrokenPipeError:
                raise self._died() from None

    def _part(self, deadline: float | None) -> tuple[bytes, bytes]:
        """The next part of a reply: its kind and its content."""
        kind, length = HEAD.unpack(self._bytes(HEAD.size, deadline))
        return kind, self._bytes(length, deadline)

    def _bytes(self, size: int, deadline: float | None) -> bytes:
        held = self._held
        while len(held) < size:
            _wait(self._readable, deadline)
            more = os.read(self._out, _READ)
            if not more:
                raise self._died()
            self.began = True
            held += more
        found = bytes(held[:size])
        del held[:size]
        return found

    def _died(self) -> _Died:
        """What is to be said of a process that ended by itself."""
        import signal
        import subprocess

        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_FAREWELL)
        status = self.process.returncode
        why = f"exit status {status}"
        if status is not None and status < 0:
            with contextlib.suppress(ValueError):  # it may have no name
                why = signal.Signals(-status).name
            why = f"{why}: {_SIGNALS[why]}" if why in _SIGNALS else why
        return _Died(f"{self._name}: the process that worked on the query ended before its time ({why})")

    def end(self) -> None:
        """Kills the process, whatever it is at."""
        import subprocess

        self.process.kill()
        self._close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_FAREWELL)

    def let_go(self) -> None:
        """Closes the pipes of a process that is another's child."""
        self._close()
        self.process.poll()  # is told that there is no such child

    def _close(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def _wait(events: select.poll, deadline: float | None) -> None:
    """Waits for one of the events, or a hang-up. Raises _TimeIsUp."""
    if deadline is None:
        events.poll()
        return
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            raise _TimeIsUp
        if events.poll(min(left * 1000, _LONGEST_POLL)):
            return


#: milliseconds, as poll takes them
_LONGEST_POLL = (1 << 31) - 1
_pools: weakref.WeakSet[WorkerPool] = weakref.WeakSet()


def _end_all(workers: set[_Worker]) -> None:
    """Ends the workers of a pool that is gone."""
    while workers:
        workers.pop().end()


def _forget() -> None:
    for pool in tuple(_pools):
        pool.forget()


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
