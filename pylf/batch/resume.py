"""A run that was cut short goes on where it ended: what its output holds is not compiled again.

The output has one line for each record, in order, so that its last whole line says how far the run came. Beside it
stands the state of that run (:mod:`pylf.batch.state`). It is written before the first answer; when the set has grown,
it is written anew before the first answer to what has come, and no more of the set is read than the state tells of.
"""

from __future__ import annotations

import io
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from pylf.batch.outcome import Tally, read_compiled
from pylf.batch.plan import SURROUNDINGS, id_of
from pylf.batch.reading import WAITING
from pylf.batch.state import FRESH, clear, difference, has_grown, read_state, staged, state_of, state_path
from pylf.errors import InputError, reason
from pylf.files import locked, write_whole
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

    from pylf.batch.outcome import Answer, Compiled
    from pylf.batch.plan import Plan
    from pylf.batch.reading import Chunk, RecordFile


class Answered(NamedTuple):
    """What an output holds: how many bytes of whole lines, the last record's line and id, and a tally of all."""

    size: int
    line: int
    id: str | int | None
    tally: Tally


class Output:
    """The file that a run writes and may go on with. No other run writes it at the same time.

    ``plan`` is the run's, with the date of the run that it goes on with; ``tally`` counts what the file holds. Nothing
    of a file that is there is changed before :meth:`begin`.

    ``fresh`` starts over, whatever the file holds; ``dated`` says that the plan's date was chosen, so that it must be
    that of the run before.

    Raises:
        InputError: the file cannot be written, another run writes it, or what it holds is of another run.
    """

    def __init__(self, path: str, plan: Plan, records: RecordFile, *, fresh: bool = False, dated: bool = False) -> None:
        self.path = path
        self.plan = plan
        self._made = not Path(path).exists()
        try:
            self._file = io.FileIO(path, "a")
        except (OSError, ValueError) as problem:
            raise InputError(f"{path}: {reason(problem)}") from None
        try:
            self._lock()
            self._records = records
            self._state, self._answered, self._tells = self._examined(fresh, dated)
        except BaseException:
            self.close()
            raise
        self.tally = self._answered.tally
        self.before = self.tally.total

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def begin(self) -> None:
        """Make the file ready: what is torn is cut off, and the state stands beside it.

        Raises:
            InputError: one of them cannot be written.
        """
        state = None if self._tells else staged(self.path, self._state)
        if state is None:
            clear(self.path)
        self._made = False
        try:
            self._file.truncate(self._answered.size)
            if state is not None:
                state.replace(state_path(self.path))
        except OSError as problem:
            raise InputError(f"{self.path}: {reason(problem)}") from None

    def left(self, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
        """What is still to be answered.

        Raises:
            InputError: what is answered is not there.
        """
        line, met = self._answered.line, self._answered.line == 0
        for chunk in chunks:
            if chunk is WAITING:
                yield chunk
                continue
            if not met and chunk.last >= line:
                met = True
                text = next((c.data for c in chunk.lines() if c.first == line), b"")
                if chunk.fault is None and _id(text, self.plan, line) != self._answered.id:
                    raise InputError(f"{self.path} is of another run: its last record is not there; {FRESH}")
            left = chunk.after(line)
            if left is not None:
                yield left
        if not met:
            raise InputError(f"{self.path} is of another run: the set has fewer records; {FRESH}")

    def write(self, answer: Answer) -> None:
        """Add answers: at once, so that what is written is whole lines, but for a torn last one.

        Raises:
            InputError: the file cannot be written.
        """
        text, counted = answer
        write_whole(self._file, self.path, text)
        self.tally.merge(counted)

    def close(self) -> None:
        """Leave the file to others."""
        if self._made:
            with suppress(OSError):
                Path(self.path).unlink()
        self._file.close()

    def _lock(self) -> None:
        # a run that came to nothing may have taken its file away meanwhile
        if not locked(self._file, self.path):
            self._made = False
            raise InputError(f"{self.path}: another run is writing it")

    def _examined(self, fresh: bool, dated: bool) -> tuple[dict[str, Any], Answered, bool]:
        """The run's state, what is answered of it, and whether the state beside the file tells so already."""
        state = state_of(self.plan, self._records)
        if fresh or os.fstat(self._file.fileno()).st_size == 0:
            return state, Answered(0, 0, None, Tally()), False
        before = read_state(self.path)
        if before is None:
            raise InputError(f"{self.path} exists, and nothing tells which run made it; {FRESH}")
        differs = difference(state, before, self._records, dated)
        if differs is not None:
            raise InputError(f"{self.path} is of another run: {differs}; {FRESH}")
        self.plan = replace(self.plan, choices={**self.plan.choices, "today": before["plan"]["choices"]["today"]})
        grown = has_grown(before, state)
        answered = read_answered(self.path, grown, state["input"] is None)
        return {**before, "input": state["input"]}, answered, not grown


def files_of(plan: Plan, path: str) -> dict[str, str]:
    """The files that a run reads, by what a message calls them."""
    named = ((name, plan.choices.get(name)) for name in SURROUNDINGS)
    return {"the set": path} | {f"the {name}": p for name, p in named if isinstance(p, str) and Path(p).exists()}


def read_answered(output: str, grown: bool = False, unknown: bool = False) -> Answered:
    """What an output holds. A last line that is torn does not count; nor does the last answer where its record may have
    been cut off: where the set has ``grown``, and where it is ``unknown`` whether it has and the record was refused.

    Raises:
        InputError: it cannot be read, or a line of it is no answer.
    """
    held = Answered(0, 0, None, Tally())
    last: Compiled | None = None
    size = 0
    try:
        with Path(output).open("rb") as stream:
            for number, text in enumerate(stream, 1):
                if not text.endswith(b"\n"):
                    break
                found = _compiled(text)
                if found is None or found.line <= (0 if last is None else last.line):
                    raise InputError(f"{output}: line {number} is no answer of this run; {FRESH}")
                if last is not None:
                    held.tally.add(last)
                    held = Answered(size, last.line, last.id, held.tally)
                last, size = found, size + len(text)
    except OSError as problem:
        raise InputError(f"{output}: {reason(problem)}") from None
    if last is None or grown or (unknown and last.errors and last.id == last.line):
        return held
    held.tally.add(last)
    return Answered(size, last.line, last.id, held.tally)


def _compiled(text: bytes) -> Compiled | None:
    try:
        data = json.loads(text)
        return read_compiled(data) if type(data["line"]) is int else None
    except (ValueError, LookupError, TypeError, RecursionError):
        return None


def _id(text: bytes, plan: Plan, line: int) -> str | int:
    try:
        found = id_of(json.loads(text.decode()), plan.id, line)
    except (ValueError, RecursionError):
        found = None
    return line if found is None else found
