"""A run from a set to where its answers go: the same from the command line and from Python."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from pylf.batch.answers import answers
from pylf.batch.resume import Output
from pylf.batch.state import state_path
from pylf.batch.stream import Stream
from pylf.files import is_plain

if TYPE_CHECKING:
    from collections.abc import Generator

    from pylf.batch.compiler import Compiler
    from pylf.batch.plan import Plan
    from pylf.batch.reading import Chunk, RecordFile


def files_written(path: str | None) -> dict[str, str | None]:
    """The files that a run leaves which writes there, by what a message calls them."""
    return {} if path is None or not is_plain(path) else {"the output": path, "the output's state": state_path(path)}


def opened(
    path: str | None, plan: Plan, records: RecordFile, *, fresh: bool = False, dated: bool = False
) -> Output | Stream:
    """Where the answers go: a file, which may be gone on with, or a pipe, a device or (None) standard output, which
    keep no state. ``fresh`` and ``dated`` are as :class:`Output` takes them.

    Raises:
        InputError: the file cannot be written, another run writes it, or what it holds is of another run.
    """
    if path is None or not is_plain(path):
        return Stream(path, plan)
    return Output(path, plan, records, fresh=fresh, dated=dated)


def carry_out(
    records: RecordFile, output: Output | Stream, compiler: Compiler, jobs: int
) -> Generator[Chunk, None, None]:
    """Begin the output; then give each chunk when its answers are written. Closing this ends the processes.

    Raises:
        InputError: the output cannot be written; the set cannot be read on, or was changed meanwhile (what came before
            is answered); no process starts.
        OSError: standard output cannot be written, or the reader of a pipe is gone.
    """
    output.begin()  # now, not when the first chunk is asked for
    return _written(records, output, compiler, jobs)


def _written(
    records: RecordFile, output: Output | Stream, compiler: Compiler, jobs: int
) -> Generator[Chunk, None, None]:
    with closing(answers(output.left(records.chunks()), compiler, jobs)) as found:
        for chunk, answer in found:
            output.write(answer)
            yield chunk
    records.check()
