"""A run: each question of a set is asked, several at a time, and recorded; a run that was cut short goes on.

Records are written as they come, so that of a run that is killed whatever was recorded stands; the others are asked
when it goes on. It does so only with the same setup: other numbers would be put together otherwise.
"""

from __future__ import annotations

import queue
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING

from pylf.errors import InputError
from pylf.evaluation.answer import gold_of
from pylf.evaluation.breakdowns import tags_of
from pylf.evaluation.files import RecordLog
from pylf.evaluation.harness.memory import start_anew
from pylf.evaluation.harness.meter import Meter
from pylf.evaluation.harness.recorder import Recorder
from pylf.evaluation.harness.standing import HOPELESS, Standing, unreached
from pylf.evaluation.harness.workers import Given, Late, Worker
from pylf.evaluation.record import Ended, Record
from pylf.models.chat.protocol import Usage

if TYPE_CHECKING:
    import os
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from pylf.datasets.formats.question import Question
    from pylf.evaluation.record import Setup

#: from a question to its record; what the runner knows better (gold, time, setup …) it fills in
Method = Callable[["Question"], Record]

#: asked again by a run that goes on: they were not given a chance
AGAIN = frozenset((Ended.BUDGET,))
#: so many questions in a row that fail for no reason of their own end the run
GIVE_UP = 20
#: a method that hears of its time limit has so many seconds more to say so, before it is left to itself
_GRACE = 1.0
#: so many for each one that works may be left to themselves at a time
_MOST_LEFT = 8
#: how often it is looked whether somebody interrupts
_LOOK = 0.5


class Run:
    """A run of a method over questions into a file of records, or a log that is open already.

    ``jobs`` questions are asked at a time. ``seconds``: for each question, after which it is a *timeout* with what it
    has cost so far; whatever asks models and engines within it keeps to what is left of them. Questions that ended as
    ``again`` says are asked once more, and those whose model was away. ``give_up``: so many questions in a row that
    fail at the engine or in the method end the run; None: it goes on. ``fresh``: what the file holds is dropped (a log
    was opened so). ``watch`` is told after each record, and once the run is interrupted.
    """

    def __init__(
        self,
        questions: Sequence[Question],
        method: Method,
        output: str | os.PathLike[str] | RecordLog,
        setup: Setup,
        *,
        jobs: int = 1,
        seconds: float | None = None,
        again: Collection[Ended] = AGAIN,
        give_up: int | None = GIVE_UP,
        fresh: bool = False,
        watch: Callable[[Standing], None] | None = None,
    ) -> None:
        if jobs < 1:
            raise InputError(f"jobs is a number of questions at a time, 1 or more, not {jobs}")
        if seconds is not None and not seconds > 0:
            raise InputError(f"the time for a question is {seconds:g} s; it has to be above 0")
        if len({one.id for one in questions}) < len(questions):
            twice = next(name for name, count in Counter(one.id for one in questions).items() if count > 1)
            raise InputError(f"two questions have the id {twice!r}")
        self._questions = questions
        self._method = method
        self._output = output
        self._setup = setup
        self._jobs = jobs
        self._seconds = None if seconds == float("inf") else seconds
        self._again = frozenset(again)
        self._give_up = give_up
        self._fresh = fresh
        self._watch = watch
        self._recorder = Recorder(setup, self._seconds)
        self._row: list[Record] = []  # the last ones that failed, one after the other
        self._left_alone: set[Worker] = set()
        self._results: queue.SimpleQueue[Given | Late] = queue.SimpleQueue()
        self._pressed = 0  # how often Ctrl-C was
        self.standing = Standing(len(questions))

    def go(self) -> Standing:
        """Ask what is to be asked. The first Ctrl-C lets what is being answered come to its end, the second does not.
        A file that cannot be written any more ends the run too: the standing says so.

        Raises:
            InputError: the file cannot be written at all, is of another run, or another run writes it.
            KeyboardInterrupt: the second Ctrl-C.
        """
        output = self._output
        with nullcontext(output) if isinstance(output, RecordLog) else RecordLog(output, fresh=self._fresh) as log:
            left = self._left(log)
            log.begin()
            with self._interruptible():
                self._carry_out(log, left)
        return self.standing

    def _left(self, log: RecordLog) -> list[Question]:
        mine = self._setup.hash
        for one in log.held.records.values():
            if one.setup is None or one.setup.hash != mine:
                raise InputError(
                    f"{log.path} is of another run: {differs(one.setup, self._setup)}; --fresh starts over"
                )
        self.standing.add_usage(log.held.spent)
        left = []
        for question in self._questions:
            known = log.held.records.get(question.id)
            if known is None or known.ended in self._again or unreached(known):
                left.append(question)
            else:
                self.standing.before += 1
                self.standing.count(known)
        return left

    def _carry_out(self, log: RecordLog, left: list[Question]) -> None:
        left.reverse()  # taken from its end
        idle = [self._worker() for _ in range(min(self._jobs, len(left)))]
        busy: set[Worker] = set()
        try:
            while busy or (left and self.standing.stopped is None):
                self._hear()
                self._hand_out(log, left, idle, busy)
                self._take(log, self._next(busy), idle, busy)
                for worker in self._overdue(busy):
                    busy.remove(worker)
                    self._left_alone.add(worker)
                    idle.append(self._worker())
                    self._write(log, self._over(worker))
        finally:
            for worker in (*idle, *busy, *self._left_alone):
                worker.end()
            self._keep_costs(log, busy)

    def _take(self, log: RecordLog, came: Given | Late | None, idle: list[Worker], busy: set[Worker]) -> None:
        match came:
            case Late(name, usage):
                self._noted(log, usage, name)
            case Given(worker=worker) if worker in busy:
                busy.remove(worker)
                idle.append(worker)
                self._write(log, self._recorder.recorded(came))
            case Given(worker=worker):  # it was given up, and its place is taken
                self._left_alone.remove(worker)
                worker.end()

    def _keep_costs(self, log: RecordLog, busy: Iterable[Worker]) -> None:
        """Write what was spent on questions that have no record, or were given up, and the calls under way."""
        for worker in busy:
            assert worker.meter is not None
            self._noted(log, worker.meter.close() + worker.meter.under_way, _name(worker))
        with suppress(queue.Empty):
            while True:
                came = self._results.get_nowait()
                if isinstance(came, Late):
                    self._noted(log, came.usage, came.name)
        for worker in self._left_alone:
            assert worker.meter is not None
            self._noted(log, worker.meter.under_way, _name(worker))
        if self.standing.unkept is None:
            log.settle()

    def _noted(self, log: RecordLog, usage: Usage, name: str) -> None:
        if usage == Usage():
            return
        try:
            log.spend(usage, name)
        except InputError as problem:
            self._cannot_write(problem)

    def _cannot_write(self, problem: InputError) -> None:
        self.standing.unkept = self.standing.stopped = str(problem)

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Ctrl-C is noted, and heard by :meth:`_hear`; where signals are not for this thread, none is heard here."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def pressed(*_: object) -> None:
            self._pressed += 1
            if self._pressed > 2:  # whatever is waited for
                raise KeyboardInterrupt

        before = signal.signal(signal.SIGINT, pressed)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _hear(self) -> None:
        if self._pressed > 1:
            raise KeyboardInterrupt
        if self._pressed and not self.standing.interrupted:
            self.standing.interrupted = True
            self.standing.stopped = "interrupted"
            if self._watch is not None:
                self._watch(self.standing)

    def _hand_out(self, log: RecordLog, left: list[Question], idle: list[Worker], busy: set[Worker]) -> None:
        while left and idle and self.standing.stopped is None:
            if self._jobs == 1:
                start_anew()
            worker, question = idle.pop(), left.pop()
            late, ahead = partial(self._late, question.id), partial(log.ahead, name=question.id)
            worker.ask(question, Meter(late, ahead))
            busy.add(worker)

    def _late(self, name: str, usage: Usage) -> None:
        self.standing.add_late(usage)
        self._results.put(Late(name, usage))

    def _next(self, busy: set[Worker]) -> Given | Late | None:
        """What comes next; None where the first one's time is over before, or to look around."""
        wait = _LOOK
        if self._seconds is not None and busy:
            first = min(worker.began for worker in busy)
            wait = min(wait, max(0.001, first + self._seconds + _GRACE - time.monotonic()))
        try:
            return self._results.get(timeout=wait)
        except queue.Empty:
            return None

    def _overdue(self, busy: set[Worker]) -> list[Worker]:
        if self._seconds is None:
            return []
        limit = time.monotonic() - self._seconds - _GRACE
        return [worker for worker in busy if worker.began < limit]

    def _worker(self) -> Worker:
        return Worker(self._method, self._results, self._seconds)

    def _over(self, worker: Worker) -> Record:
        assert worker.question is not None
        assert worker.meter is not None
        return self._recorder.over(worker.question, worker.meter.close(), time.monotonic() - worker.began)

    def _write(self, log: RecordLog, one: Record) -> None:
        self.standing.add_usage(one.usage)
        try:
            log.add(one)
        except InputError as problem:
            self._cannot_write(problem)
            return
        self.standing.count(one)
        self._look(one)
        if self._watch is not None:
            self._watch(self.standing)

    def _look(self, one: Record) -> None:
        """Whether to go on after this record."""
        if one.ended in HOPELESS:
            self._row.append(one)
        else:
            self._row.clear()
        if self.standing.stopped is not None:
            return
        if one.ended is Ended.BUDGET:
            self.standing.stopped = one.reason or str(one.ended)
        elif self._give_up is not None and len(self._row) >= self._give_up:
            self.standing.stopped = f"{len(self._row)} questions in a row failed, the last with: {one.reason}"
        elif len(self._left_alone) >= _MOST_LEFT * self._jobs:
            self.standing.stopped = f"{len(self._left_alone)} questions do not end, long after their time"


def _name(worker: Worker) -> str:
    assert worker.question is not None
    return worker.question.id


def unasked(question: Question) -> Record:
    """The record of a question that has none."""
    gold, others = gold_of(question)
    return Record(question.id, question.text, Ended.UNASKED, gold=gold, others=others, tags=tags_of(question))


def differs(then: Setup | None, now: Setup) -> str:
    """What of two setups is not the same."""
    if then is None:
        return "nothing tells what made it"
    before, after = then.to_json(), now.to_json()
    for name in {**before, **after}:
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            inner = next(key for key in {**old, **new} if old.get(key) != new.get(key))
            return f"its {name}.{inner} was {old.get(inner)} and is now {new.get(inner)}"
        return f"its {name} was {old} and is now {new}"
    return "its setup is spelled otherwise"
