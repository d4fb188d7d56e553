"""The process at the other end of :mod:`pylf.backends.engines.worker`: it opens a store and answers queries until its
input ends. Run as a script by a Python without site-packages, so that it is up in the time that pyoxigraph takes.

::

    python -I -S worker_main.py PACKAGES STORE MEMORY

``PACKAGES`` is the folder to import pyoxigraph from, ``MEMORY`` a limit in bytes or 0.

A request is a head, flags (1 byte) and the length of the text (4, little-endian), then the text in UTF-8. A reply is
parts, each with a head of the same make, a kind and a length: one of the kinds below. The first, ``BEGUN``, says that
the query is under way. Rows are TSV, the engine's own, in as many parts as there are, the last of them of the kind
``END``.
"""

from __future__ import annotations

import _thread
import os
import select
import struct
import sys

TYPE_CHECKING = False  # typing takes as long to import as the engine
if TYPE_CHECKING:
    import pyoxigraph

HEAD = struct.Struct("<cI")
#: flags of a request: it recurses deeply; it asks the union of all graphs
DEEP, UNION = 1, 2
#: kinds of a part: the store is open; a query has come; rows; the last rows; yes or no; triples; and errors, by the
#: exception's type
READY, BEGUN, ROWS, END, TRUTH, GRAPH = b"r", b"w", b"p", b"e", b"b", b"g"
ERRORS: dict[bytes, type[Exception]] = {b"S": SyntaxError, b"O": OSError, b"R": RuntimeError, b"V": ValueError}
#: address space of the stack that deep queries get
STACK = 1 << 30
_PART = 1 << 16


def main() -> None:
    """Serves one store."""
    _thread.start_new_thread(_end_with_parent, ())
    _be_ended_first()
    packages, files, memory = sys.argv[1:]
    limit = int(memory)
    sys.path.append(packages)
    import pyoxigraph

    try:
        store = pyoxigraph.Store.read_only(files)
    except tuple(ERRORS.values()) as error:
        _complain(error)
        return
    _bound(limit)
    _send(READY, b"")
    while head := _read(HEAD.size):
        flags, length = HEAD.unpack(head)
        deep, union = flags[0] & DEEP, bool(flags[0] & UNION)
        text = _read(length).decode()
        _send(BEGUN, b"")
        if not deep:
            _answer(store, text, union)
            continue
        _bound(limit and limit + STACK)
        _on_deep_stack(store, text, union)
        _bound(limit)


def _answer(store: pyoxigraph.Store, text: str, union: bool) -> None:
    """Sends what the query gives, or what the engine complains of."""
    import pyoxigraph

    try:
        found = store.query(text, use_default_graph_as_union=union)
        if isinstance(found, pyoxigraph.QuerySolutions):
            rows = _Rows()
            found.serialize(rows, pyoxigraph.QueryResultsFormat.TSV)  # type: ignore[arg-type]  # it only writes
            rows.end()
        elif isinstance(found, pyoxigraph.QueryBoolean):
            _send(TRUTH, b"1" if found else b"")
        else:
            _send(GRAPH, b"")
    except tuple(ERRORS.values()) as error:
        _complain(error)


class _Rows:
    """A file for the engine to write rows to: they are sent in parts of a good size while it goes on."""

    def __init__(self) -> None:
        self._held = bytearray()

    def write(self, text: bytes) -> int:
        self._held += text
        if len(self._held) >= _PART:
            _send(ROWS, self._held)
            self._held.clear()
        return len(text)

    def flush(self) -> None:
        """What is held goes with the last part."""

    def end(self) -> None:
        _send(END, self._held)


def _on_deep_stack(store: pyoxigraph.Store, text: str, union: bool) -> None:
    done = _thread.allocate_lock()
    done.acquire()

    def body() -> None:
        whole = False
        try:
            _answer(store, text, union)
            whole = True
        finally:
            if not whole:
                os._exit(70)  # a panic of the engine: it has no type to catch it by
            done.release()

    before = _thread.stack_size(STACK)
    try:
        _thread.start_new_thread(body, ())
    except RuntimeError:
        _complain(ValueError("the query is too large for this machine: no thread with a deep stack"))
        return
    finally:
        _thread.stack_size(before)
    done.acquire()


def _complain(error: Exception) -> None:
    kind = next(kind for kind, known in ERRORS.items() if isinstance(error, known))
    _send(kind, str(error).encode(errors="replace"))


def _send(kind: bytes, text: bytes | bytearray) -> None:
    rest = memoryview(HEAD.pack(kind, len(text)) + text)
    while rest:
        rest = rest[os.write(1, rest) :]


def _read(size: int) -> bytes:
    """So many bytes of the input; fewer only where it ends."""
    parts = []
    while size and (part := os.read(0, size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _end_with_parent() -> None:
    """Ends the process, whatever it is at, when nobody holds the other end of its input: events of no kind are asked
    for, so that the call returns for a hang-up alone."""
    poll = select.poll()
    poll.register(0, 0)
    while not poll.poll():
        pass
    os._exit(0)


def _be_ended_first() -> None:
    """Where memory runs out, Linux is to end this process and not the one that asks."""
    try:
        file = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(file, b"1000")
        os.close(file)
    except OSError:
        return  # there is no such file elsewhere


def _bound(limit: int) -> None:
    """Limits the memory that the process writes to; 0 is no limit. The address space must not be limited: the engine
    maps whole files."""
    if limit:
        import resource

        _, hardest = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hardest))


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # the parent is gone
        os._exit(0)
