"""Answers go where nothing is kept to go on with: to standard output, a pipe or a device."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, Self

from pylf.batch.outcome import Tally
from pylf.errors import InputError, reason
from pylf.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

    from pylf.batch.outcome import Answer
    from pylf.batch.plan import Plan
    from pylf.batch.reading import Chunk


class Stream:
    """A pipe or a device that a run writes, or standard output where ``path`` is None; what :class:`Output` is for a
    file. Nothing is opened before :meth:`begin`."""

    def __init__(self, path: str | None, plan: Plan) -> None:
        self.path = path
        self.plan = plan
        self.tally = Tally()
        self.before = 0
        self._file: io.FileIO | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def begin(self) -> None:
        """Open it; a pipe waits for its reader.

        Raises:
            InputError: it cannot be written.
        """
        if self.path is None:
            if sys.stdout is None:
                raise InputError("standard output is closed")
            return
        try:
            self._file = io.FileIO(self.path, "a")
        except (OSError, ValueError) as problem:
            raise InputError(f"{self.path}: {reason(problem)}") from None

    def left(self, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
        """What is to be answered: all."""
        return iter(chunks)

    def write(self, answer: Answer) -> None:
        """Hand answers on, at once.

        Raises:
            InputError: the pipe or the device cannot be written.
            BrokenPipeError: whoever reads is gone.
            OSError: standard output cannot be written.
        """
        text, counted = answer
        if self._file is None or self.path is None:
            sys.stdout.write(text.decode())
            sys.stdout.flush()
        else:
            write_whole(self._file, self.path, text)
        self.tally.merge(counted)

    def close(self) -> None:
        """Leave it to others; standard output stays open."""
        if self._file is not None:
            self._file.close()
