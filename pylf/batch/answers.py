"""A set's chunks and their answers, in order, whether one process finds them or several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.batch.reading import WAITING

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from pylf.batch.compiler import Compiler
    from pylf.batch.outcome import Answer
    from pylf.batch.reading import Chunk


def answers(chunks: Iterable[Chunk], compiler: Compiler, jobs: int) -> Generator[tuple[Chunk, Answer], None, None]:
    """Each chunk with its answers. Closing this ends the processes.

    ``compiler`` has opened what the plan names: what cannot be opened is told before the first process starts, and what
    is cached is ready for all.

    Raises:
        InputError: the chunks cannot be read on (what came before is answered), or no process starts.
    """
    if jobs > 1:
        from pylf.batch.workers import Pool

        with Pool(compiler.plan, jobs) as pool:
            yield from pool.answers(chunks)
        return
    for chunk in chunks:
        if chunk is not WAITING:
            for line in chunk.lines():  # one by one: an interrupted run keeps all that it has done
                yield line, compiler.chunk(line)
