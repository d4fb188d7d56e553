"""Several processes that share the blocks of a run; one that dies costs its block, and is replaced."""

from __future__ import annotations

import json
import subprocess
import threading
from queue import Empty, SimpleQueue
from typing import IO, TYPE_CHECKING, Any

from pylf.batch.workers import STARTS, worker_command
from pylf.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pylf.testing.differential.journal import Journal
    from pylf.testing.differential.plan import Plan


class Workers:
    """Runs blocks in ``jobs`` processes and keeps their rows in a journal."""

    def __init__(self, plan: Plan, folder: Path, jobs: int, journal: Journal) -> None:
        self._first = json.dumps({"plan": plan.to_json(), "folder": str(folder)}) + "\n"
        self._jobs = jobs
        self._journal = journal
        self._todo: SimpleQueue[int] = SimpleQueue()
        self._rows: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        self._stopped = threading.Event()

    def run(self, blocks: Iterable[int]) -> Iterable[int]:
        """Does the blocks; gives each one's number when it is done.

        Raises:
            EngineError: an engine cannot be started, or processes end before they begin.
        """
        for number in blocks:
            self._todo.put(number)
        threads = [threading.Thread(target=self._drive, daemon=True) for _ in range(self._jobs)]
        for thread in threads:
            thread.start()
        left = len(threads)
        try:
            while left:
                row = self._rows.get()
                if row is None:
                    left -= 1
                elif "problem" in row:
                    raise EngineError(row["problem"])
                elif "about" in row:
                    self._journal.add_about(row["about"])
                else:
                    self._journal.add_block(row)
                    yield row["block"]
        finally:
            self._stopped.set()
            for thread in threads:
                thread.join()

    def _drive(self) -> None:
        """Feeds one process after another until nothing is left."""
        starts = 0
        try:
            while not self._stopped.is_set() and not self._todo.empty():
                starts += 1
                if self._serve():
                    starts = 0
                if starts >= STARTS:
                    self._rows.put({"problem": "the processes of the run end before they begin"})
                    return
        finally:
            self._rows.put(None)

    def _serve(self) -> bool:
        """One process, until nothing is left or it ends; whether it has answered."""
        with subprocess.Popen(  # noqa: S603  # this very Python, with code of this package
            worker_command("pylf.testing.differential.worker"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            first = _asked(process.stdin, process.stdout, self._first)
            if first is None:
                return False
            self._rows.put(first)
            while "problem" not in first and not self._stopped.is_set():
                try:
                    number = self._todo.get_nowait()
                except Empty:
                    break
                row = _asked(process.stdin, process.stdout, f"{number}\n")
                self._rows.put(_died(number) if row is None else row)
                if row is None or "problem" in row:
                    break
        return True


def _asked(to: IO[str], from_: IO[str], line: str) -> dict[str, Any] | None:
    """The answer to a line; None where the process has ended."""
    try:
        to.write(line)
        to.flush()
        answer = from_.readline()
    except OSError:
        return None
    if not answer.endswith("\n"):
        return None
    row: dict[str, Any] = json.loads(answer)
    return row


def _died(number: int) -> dict[str, Any]:
    """The row of a block in which the process ended."""
    failure = {"engine": "process", "optimize": 0, "kind": "the process died"}
    return {
        "block": number,
        "programs": 0,
        "disturbed": 0,
        "nonempty": 0,
        "forms": {},
        "refused": {},
        "seconds": {},
        "engines": {"process": {"errors": 1}},
        "failures": [failure],
    }
