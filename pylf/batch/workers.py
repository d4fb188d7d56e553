"""Several processes that compile chunks of records side by side; their answers in the order of the chunks.

The processes are started by name rather than forked, and fed through pipes: that is the same on every system, no open
database crosses from one process into another, and nothing that is not text is ever sent. ``ProcessPoolExecutor`` would
not do: one process that dies breaks the whole pool, and what it starts runs the caller's own ``__main__`` again.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import IO, TYPE_CHECKING, Any, Self

from pylf.batch.outcome import Compiled, Tally, alone, faulty, read_compiled, refused
from pylf.batch.plan import id_of, plain
from pylf.batch.question import question_of
from pylf.batch.reading import WAITING, Chunk
from pylf.batch.worker import ANSWERED, ASKED
from pylf.errors import InputError, reason
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Future
    from types import TracebackType

    from pylf.batch.outcome import Answer
    from pylf.batch.plan import Plan

_HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120
#: So many records of a library's caller travel together.
_TOGETHER = 64
#: So often in a row a process may end before it has begun.
STARTS = 3


def worker_command(module: str) -> list[str]:
    """What starts another Python that runs the ``main`` of a module of this package. It finds the package where this
    process has found it, and nothing else there."""
    start = (
        f"import sys; sys.path.insert(0, sys.argv[1]); import pylf; del sys.path[0]; from {module} import main; main()"
    )
    return [sys.executable, "-P", "-c", start, _HOME]


class WorkerDied(Exception):
    """A process ended before it had answered."""


class Worker:
    """A process that follows a plan.

    Raises:
        InputError: the plan cannot be followed; says why.
        WorkerDied: the process does not start, or ends while it does.
    """

    def __init__(self, plan: Plan) -> None:
        # a group of its own: Ctrl-C at the terminal is for the process that writes the answers down
        apart: dict[str, Any] = {"process_group": 0}
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        try:
            self.process = subprocess.Popen(  # noqa: S603 (this interpreter, with this package)
                worker_command("pylf.batch.worker"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL if sys.stderr is None else None,
                **apart,
            )
        except OSError as problem:
            raise WorkerDied(reason(problem)) from None
        try:
            _, refusal = self.ask(Chunk(0, json.dumps(plan.to_json()).encode(), 0))
        except WorkerDied:
            self.close()
            raise
        if refusal is not None:
            self.close()
            raise InputError(str(refusal))

    def ask(self, chunk: Chunk) -> Answer:
        """The answers to lines of JSON, and their tally.

        Raises:
            WorkerDied: the process ended.
        """
        source, sink = self.process.stdout, self.process.stdin
        assert source is not None
        assert sink is not None
        try:
            sink.write(ASKED.pack(chunk.first, len(chunk.data)))
            sink.write(chunk.data)
            sink.flush()
            out, tally = ANSWERED.unpack(_whole(source, ANSWERED.size))
            return _whole(source, out), json.loads(_whole(source, tally))
        except (OSError, EOFError, ValueError) as problem:
            raise WorkerDied(str(problem)) from None

    def close(self) -> None:
        """End the process. It has nothing to lose."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdout, self.process.stdin):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # what was still to be written has no reader
                    continue


class Pool:
    """So many workers. Leaving it ends them.

    Raises:
        InputError: the plan cannot be sent to other processes.
    """

    def __init__(self, plan: Plan, jobs: int) -> None:
        plan.to_json()
        self.plan = plan
        self.jobs = jobs
        self._idle: queue.SimpleQueue[Worker | None] = queue.SimpleQueue()
        self._all: list[Worker] = []
        self._closed = Event()
        self._threads = ThreadPoolExecutor(jobs, "pylf-batch")
        for _ in range(jobs):
            self._idle.put(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed.set()
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in list(self._all):
            worker.process.kill()
        self._threads.shutdown()
        for worker in self._all:
            worker.close()

    def answers(self, chunks: Iterable[Chunk]) -> Iterator[tuple[Chunk, Answer]]:
        """Each chunk with its answers, in order. Chunks are taken only as far ahead as keeps the workers busy; where
        they fail, those that came before are answered first.

        Raises:
            InputError: the plan cannot be followed, or no process starts.
        """
        pending: deque[tuple[Chunk, Future[Answer]]] = deque()
        source = iter(chunks)
        failed: Exception | None = None
        while True:
            try:
                chunk = next(source)
            except StopIteration:
                break
            except Exception as problem:  # noqa: BLE001 (whatever it is, it waits for its turn)
                failed = problem
                break
            if chunk is not WAITING:
                pending.append((chunk, self._threads.submit(self._answer, chunk)))
            while pending and (chunk is WAITING or len(pending) > 2 * self.jobs or pending[0][1].done()):
                yield _done(*pending.popleft())
        while pending:
            yield _done(*pending.popleft())
        if failed is not None:
            raise failed

    def _answer(self, chunk: Chunk) -> Answer:
        if chunk.fault is not None:
            return faulty(chunk.first, chunk.fault)
        worker = self._idle.get()
        try:
            if worker is None:
                worker = self._started()
            try:
                return worker.ask(chunk)
            except WorkerDied:
                worker = self._replaced(worker)
            # one of its records is too much: each by itself, so that the others are answered
            out, tally = [], Tally()
            for line in chunk.lines():
                try:
                    text, counted = worker.ask(line)
                except WorkerDied:
                    worker = self._replaced(worker)
                    text, counted = alone(_died(self.plan, line))
                out.append(text)
                tally.merge(counted)
            return b"".join(out), tally.to_json()
        finally:
            self._idle.put(worker)

    def _started(self) -> Worker:
        for left in reversed(range(STARTS)):
            if self._closed.is_set():
                break
            try:
                worker = Worker(self.plan)
            except WorkerDied as problem:
                if left:
                    continue
                stated = f"the processes that compile do not start ({problem}); --jobs 1 (jobs=1) does without them"
                raise InputError(stated) from None
            self._all.append(worker)
            if self._closed.is_set():
                worker.process.kill()
            return worker
        raise InputError("interrupted")

    def _replaced(self, worker: Worker) -> Worker:
        worker.close()
        self._all.remove(worker)
        return self._started()


def compiled_by_workers(records: Iterable[object], plan: Plan, jobs: int) -> Iterator[Compiled]:
    """The answers to records of this process; see :func:`pylf.batch.compile_batch`."""
    refusals: dict[int, Compiled] = {}
    sent = replace(plan, id=f"{plan.field} id")
    with Pool(sent, jobs) as pool:
        for chunk, (out, _) in pool.answers(_chunks(records, plan, str(sent.id), refusals)):
            found = {answer.line: answer for answer in map(read_compiled, map(json.loads, out.splitlines()))}
            for line in range(chunk.first, chunk.last + 1):
                yield refusals.pop(line) if line in refusals else found[line]


def _chunks(records: Iterable[object], plan: Plan, id_field: str, refusals: dict[int, Compiled]) -> Iterator[Chunk]:
    """The questions and the ids of the records; a record that has none is refused here, and its line left blank."""
    lines: list[str] = []
    number = 0
    try:
        for number, given in enumerate(records, 1):
            found = question_of(plain(given), plan, number)
            if isinstance(found, Compiled):
                refusals[number] = found
                lines.append("\n")
            else:
                lines.append(json.dumps({id_field: found[0], plan.field: found[1]}) + "\n")
            if len(lines) == _TOGETHER:
                yield Chunk(number + 1 - len(lines), "".join(lines).encode(), 0)
                lines = []
    except Exception:
        if lines:
            yield Chunk(number + 1 - len(lines), "".join(lines).encode(), 0)
        raise
    if lines:
        yield Chunk(number + 1 - len(lines), "".join(lines).encode(), 0)


def _done(chunk: Chunk, future: Future[Answer]) -> tuple[Chunk, Answer]:
    return chunk, future.result()


def _died(plan: Plan, line: Chunk) -> Compiled:
    try:
        given = json.loads(line.data.decode())
    except (ValueError, RecursionError):
        given = None
    record_id = id_of(given, plan.id, line.first)
    return refused(
        line.first if record_id is None else record_id,
        line.first,
        "worker-died",
        "the process that compiled this record ended before it had answered",
        "the system may have stopped it for want of memory: fewer --jobs need less",
    )


def _whole(source: IO[bytes], size: int) -> bytes:
    data = source.read(size)
    if len(data) < size:
        raise EOFError("the process ended")
    return data
