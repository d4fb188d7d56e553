"""Several processes that compile chunks of records side by side; their answers in the order of the chunks.

The processes are started by name rather than forked, and fed through pipes: that is the same on every system, no open
database crosses from one process into another, and nothing that is not text is ever sent.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, Self

from pylf.batch.outcome import Compiled, Tally, read_compiled, refused, written
from pylf.batch.plan import IDS, id_of, plain
from pylf.batch.reading import Chunk
from pylf.batch.worker import ANSWERED, ASKED
from pylf.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from concurrent.futures import Future
    from types import TracebackType

    from pylf.batch.plan import Plan

    Answer = tuple[bytes, Mapping[str, Any]]

#: What a worker runs. It finds this package where this process has found it, and nothing else there.
_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); import pylf; del sys.path[0]; "
    "from pylf.batch.worker import main; main()"
)
_HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120
#: So many records of a library's caller travel together.
_TOGETHER = 64


class WorkerDied(Exception):
    """A process ended before it had answered."""


class Worker:
    """A process that follows a plan.

    Raises:
        InputError: the plan cannot be followed; says why.
        WorkerDied: the process does not start.
    """

    def __init__(self, plan: Plan) -> None:
        # a group of its own: Ctrl-C at the terminal is for the process that writes the answers down
        apart: dict[str, Any] = {"process_group": 0}
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        self.process = subprocess.Popen(  # noqa: S603 (this interpreter, with this package)
            [sys.executable, "-P", "-c", _START, _HOME],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            **apart,
        )
        _, reason = self.ask(0, json.dumps(plan.to_json()).encode())
        if reason is not None:
            self.close()
            raise InputError(str(reason))

    def ask(self, first: int, data: bytes) -> Answer:
        """The answers to lines of JSON, and their tally.

        Raises:
            WorkerDied: the process ended.
        """
        source, sink = self.process.stdout, self.process.stdin
        assert source is not None
        assert sink is not None
        try:
            sink.write(ASKED.pack(first, len(data)))
            sink.write(data)
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
        self._closed = False
        self._threads = ThreadPoolExecutor(jobs, "pylf-batch")
        for _ in range(jobs):
            self._idle.put(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._all:
            worker.process.kill()
        self._threads.shutdown()
        for worker in self._all:
            worker.close()

    def answers(self, chunks: Iterable[Chunk]) -> Iterator[tuple[Chunk, Answer]]:
        """Each chunk with its answers, in order. Chunks are taken only as far ahead as keeps the workers busy.

        Raises:
            InputError: the plan cannot be followed.
        """
        pending: deque[tuple[Chunk, Future[Answer]]] = deque()
        for chunk in chunks:
            pending.append((chunk, self._threads.submit(self._answer, chunk)))
            while pending and (len(pending) > 2 * self.jobs or pending[0][1].done()):
                given, future = pending.popleft()
                yield given, future.result()
        while pending:
            given, future = pending.popleft()
            yield given, future.result()

    def _answer(self, chunk: Chunk) -> Answer:
        if chunk.fault is not None:
            return _alone(refused(chunk.first, chunk.first, *chunk.fault))
        worker = self._idle.get()
        try:
            if worker is None:
                worker = self._started()
            try:
                return worker.ask(chunk.first, chunk.data)
            except WorkerDied:
                worker = self._replaced(worker)
            # one of its records is too much: each by itself, so that the others are answered
            out, tally = [], Tally()
            for line in chunk.lines():
                try:
                    text, counted = worker.ask(line.first, line.data)
                except WorkerDied:
                    worker = self._replaced(worker)
                    text, counted = _alone(_died(self.plan, line))
                out.append(text)
                tally.merge(counted)
            return b"".join(out), tally.to_json()
        finally:
            self._idle.put(worker)

    def _started(self) -> Worker:
        try:
            worker = Worker(self.plan)
        except WorkerDied:
            raise InputError("the processes that compile do not start; --jobs 1 does without them") from None
        self._all.append(worker)
        if self._closed:
            worker.process.kill()
        return worker

    def _replaced(self, worker: Worker) -> Worker:
        if self._closed:
            raise InputError("interrupted")
        worker.close()
        self._all.remove(worker)
        return self._started()


def compiled_by_workers(records: Iterable[object], plan: Plan, jobs: int) -> Iterator[Compiled]:
    """The answers to records of this process; see :func:`pylf.batch.compile_batch`."""
    with Pool(plan, jobs) as pool:
        for _, (out, _) in pool.answers(_chunks(map(plain, records), plan)):
            for line in out.splitlines():
                yield read_compiled(json.loads(line))


def _chunks(records: Iterator[object], plan: Plan) -> Iterator[Chunk]:
    # of each record what the plan asks for is sent
    wanted = {plan.field, plan.field.partition(".")[0], *IDS}
    if plan.id is not None:
        wanted |= {plan.id, plan.id.partition(".")[0]}
    first = 1
    while batch := list(islice(records, _TOGETHER)):
        sent = ({k: v for k, v in r.items() if k in wanted} if isinstance(r, dict) else r for r in batch)
        yield Chunk(first, "\n".join(json.dumps(r, default=lambda _: None) for r in sent).encode(), 0)
        first += len(batch)


def _died(plan: Plan, line: Chunk) -> Compiled:
    try:
        given = json.loads(line.data.decode())
    except (ValueError, RecursionError):
        given = None
    known = id_of(given, plan.id, line.first)
    return refused(
        line.first if known is None else known,
        line.first,
        "worker-died",
        "the process that compiled this record ended before it had answered",
        "the system may have stopped it for want of memory: fewer --jobs need less",
    )


def _alone(answer: Compiled) -> Answer:
    tally = Tally()
    tally.add(answer)
    return written(answer), tally.to_json()


def _whole(source: IO[bytes], size: int) -> bytes:
    data = source.read(size)
    if len(data) < size:
        raise EOFError("the process ended")
    return data
