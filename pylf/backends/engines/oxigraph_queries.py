"""How a query is performed on a store of Oxigraph's: here, on a thread, or in a process that can be ended.

================  ========================  ==============================================
                  graph on disk             graph in memory
================  ========================  ==============================================
no time limit     here                      here
endless limit     on a thread               on a thread
time limit        in a worker; is ended     on a thread; goes on when it has been given up
deep              in a worker               on a thread with a deep stack
================  ========================  ==============================================

A worker opens the store anew. Where a graph's folder is replaced or deleted under an open handle, queries here and on a
thread go on as before, on files that are still open, as do those in a worker that had been started; a new worker does
not find its store (each load makes one of another name), and the query says that the graph has to be opened again.

A graph in memory belongs to its process. To hand a copy to another would take seconds and as much memory again, for
queries that mostly end in time; who needs limits that hold loads the graph into a folder.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pylf.backends.engines.solutions import Solutions
from pylf.backends.engines.terms import oxigraph_terms
from pylf.backends.engines.waiting import checked_limit, waited_for
from pylf.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import TypeAlias

    import pyoxigraph

    from pylf.backends.engines.worker import WorkerPool

    #: solutions, yes or no, or None for triples
    Found: TypeAlias = Solutions | bool | None

#: a longer text, or one with more groups and brackets, is planned on a deep stack: Oxigraph's parser and planner
#: recurse over what they read, up to 4 KB a level, a level can be one character, and a stack that overruns ends the
#: process
_DEEP_TEXT = 2_000
_DEEP_NEST = 400
#: above these, planning would take hours, or the deep stack too might overrun
_LONGEST_TEXT = 20_000_000
_DEEPEST_NEST = 100_000
#: what is no operator, whatever it holds
_QUOTED = re.compile(r'<[^<>"{}|^`\\\s]*>|"[^"\\\n]*"')
_NESTING = "{(["
_CHAINING = "!+-*/^|&"


class Queries:
    """The queries on a graph. ``name`` is what messages call it. One on disk was loaded into the folder ``files``;
    ``memory`` is how many bytes a worker on it may use, None for no limit."""

    def __init__(self, name: str, files: Path | None = None, memory: int | None = None) -> None:
        self.name = name
        #: absolute, since the process may change its folder before it needs a worker
        self.files = None if files is None else files.absolute()
        self.memory = memory
        self._pool: WorkerPool | None = None
        self._node, _ = oxigraph_terms()

    def select(self, store: pyoxigraph.Store, sparql: str, union: bool, timeout: float | None) -> Solutions:
        """The solutions of a SELECT. ``union`` is for all graphs as one; ``timeout`` in seconds.

        Raises:
            EngineTimeout: the time is up.
            EngineError: the engine fails, or the text is no SELECT.
            InputError: the time limit is not above 0.
        """
        found = self._performed(store, sparql, union, timeout)
        if not isinstance(found, Solutions):
            raise EngineError("the query is no SELECT")
        return found

    def ask(self, store: pyoxigraph.Store, sparql: str, union: bool, timeout: float | None) -> bool:
        """The answer of an ASK. See :meth:`select`."""
        found = self._performed(store, sparql, union, timeout)
        if not isinstance(found, bool):
            raise EngineError("the query is no ASK")
        return found

    def workers(self) -> WorkerPool | None:
        """The processes for queries that may have to be ended; None where there are none to be had."""
        if self._pool is None and self.files is not None:
            from pylf.backends.engines import worker

            if worker.available():
                self._pool = worker.WorkerPool(self.files, self.name, self.memory)
        return self._pool

    def close(self) -> None:
        """Ends the processes that are idle."""
        if self._pool is not None:
            self._pool.close()

    def _performed(self, store: pyoxigraph.Store, sparql: str, union: bool, timeout: float | None) -> Found:
        deep = _is_deep(sparql)
        limit = checked_limit(timeout)
        workers = self.workers() if deep or limit is not None else None
        if workers is not None:
            return self._complaining(sparql, lambda: workers.ask(sparql, deep, union, limit))

        def work() -> Found:
            return self._complaining(sparql, lambda: self._here(store, sparql, union))

        return work() if timeout is None and not deep else waited_for(work, timeout, deep)

    def _here(self, store: pyoxigraph.Store, sparql: str, union: bool) -> Found:
        import pyoxigraph

        found = store.query(sparql, use_default_graph_as_union=union)
        if isinstance(found, pyoxigraph.QueryBoolean):
            return bool(found)
        if not isinstance(found, pyoxigraph.QuerySolutions):
            return None
        node = self._node
        names = tuple([variable.value for variable in found.variables])
        return Solutions(names, [tuple([None if t is None else node(t) for t in solution]) for solution in found])

    def _complaining(self, sparql: str, perform: Callable[[], Found]) -> Found:
        """What ``perform`` gives; whatever the engine complains of is an EngineError."""
        try:
            return perform()
        except SyntaxError as error:
            raise EngineError(f"Oxigraph refuses the query: {error}\n{sparql}") from error
        except (OSError, RuntimeError) as error:
            if self.files is not None:
                raise damaged(self.name, True, error) from error
            raise EngineError(f"Oxigraph fails on the query: {error}") from error
        except ValueError as error:
            raise EngineError(f"Oxigraph fails on the query: {error}") from error


def damaged(name: str, loaded: bool, error: OSError | RuntimeError) -> EngineError:
    """What is wrong with a store that cannot be read (RocksDB's "Corruption: …" comes as a RuntimeError)."""
    return EngineError(f"{name}: Oxigraph cannot read the graph ({error}){'; load the graph again' if loaded else ''}")


def _is_deep(sparql: str) -> bool:
    """Whether a query needs a deep stack. Raises EngineError where none is deep enough."""
    nest = sum(map(sparql.count, _NESTING))
    if len(sparql) > _DEEPEST_NEST:  # a shorter one cannot have so many levels
        nest += sum(map(_QUOTED.sub("", sparql).count, _CHAINING))
    if len(sparql) > _LONGEST_TEXT or nest > _DEEPEST_NEST:
        raise EngineError(
            f"the query is too large for Oxigraph: {len(sparql):,} characters, {nest:,} brackets and operators"
        )
    return len(sparql) > _DEEP_TEXT or nest > _DEEP_NEST
