"""Waiting for an engine that cannot be asked to stop.

Neither pyoxigraph nor rdflib can cancel a query, and pyoxigraph does not hear Ctrl-C while it works. Work that may be
long runs on a thread of its own; the caller waits where a time limit and a KeyboardInterrupt are both heard. A thread
given up goes on until its query ends or the process does. A graph that Oxigraph has on disk is asked otherwise:
:mod:`pylf.backends.engines.worker`.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, TypeVar

from pylf.backends.patience import lasting
from pylf.errors import EngineError, EngineTimeout, InputError, PylfError

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

#: address space, not memory: enough for query trees of some hundred thousand levels
_DEEP_STACK = 1 << 30
_stack_lock = threading.Lock()


def waited_for(work: Callable[[], T], seconds: float | None, deep: bool = False) -> T:
    """The result of ``work``, run on a thread of its own; the PylfError that it raises is raised here.

    ``seconds`` is the time limit; None, infinity and what no clock can count to are none. ``deep`` gives the thread a
    stack of 1 GiB of address space, for queries whose planning recurses.

    Raises:
        EngineTimeout: the time is up.
        InputError: the time limit is not above 0.
    """
    limit = checked_limit(seconds)
    results: list[T] = []
    failures: list[PylfError] = []
    done = threading.Event()

    def body() -> None:
        try:
            results.append(work())
        except PylfError as error:
            failures.append(error)
        finally:
            done.set()

    _start(body, deep)
    if not done.wait(limit):
        assert seconds is not None
        raise EngineTimeout(f"the query took longer than {lasting(seconds)} and was given up")
    if failures:
        raise failures[0]
    if not results:
        raise EngineError("the query's thread ended without a result")
    return results[0]


def checked_limit(seconds: float | None) -> float | None:
    """A time limit that a clock can count to; None where there is no end.

    Raises:
        InputError: it is not above 0.
    """
    if seconds is None:
        return None
    if not seconds > 0:  # NaN as well
        raise InputError(f"the time limit is {seconds:g} s; it has to be above 0")
    return None if seconds > threading.TIMEOUT_MAX else seconds


def _start(body: Callable[[], None], deep: bool) -> None:
    thread = threading.Thread(target=body, name="pylf-query", daemon=True)
    if not deep:
        thread.start()
        return
    # the stack size is a setting of the whole process, read when a thread starts
    with _stack_lock:
        before = threading.stack_size(_DEEP_STACK)
        try:
            thread.start()
        except RuntimeError as error:
            raise EngineError("the query is too large for this machine: no thread with a deep stack") from error
        finally:
            threading.stack_size(before)
