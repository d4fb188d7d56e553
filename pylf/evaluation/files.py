"""Files of records: a line of JSON for each, written whole and at once, and gone on with after whatever end (case 60).

A half-written last line is cut off before anything is added, wherever it broke off. A line in the middle that is no
record (two that ran into one another) is left alone and counts as nothing: its question is asked again. Where a
question has several records, the last one counts; what the others cost is kept apart. Between the records may stand
lines of what was spent besides, ``{"spent": {…}, "of": "q7"}``: on a question after it was given up, or on one whose
answer never came.

While a run goes on there may be a second file beside it, ``FILE.spent``, a line for each call before it is sent: what
its question has cost, this call counted. A run that is killed leaves it, so that the next one knows of those calls;
the end of a run takes it away.
"""

from __future__ import annotations

import io
import json
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from pylf.errors import InputError, reason
from pylf.evaluation.record import line_of, record_of
from pylf.files import locked, write_whole
from pylf.models.chat.protocol import Usage
from pylf.models.chat.written import usage_data
from pylf.records import record, replace

if TYPE_CHECKING:
    from types import TracebackType

    from pylf.evaluation.record import Record


#: lines begin so, but a torn one that is shorter
_BEGINS = (b'{"id":"', b'{"spent":{')
_AHEAD = ".spent"


@record
class Held:
    """What a file of records holds: of each question the last record, by id, in the order of the file; what was spent
    besides these (``before``: records that others took the place of, calls that no record knows of); the lines that
    are neither, by number; and how many bytes of whole lines there are."""

    records: dict[str, Record]
    before: Usage = Usage()
    broken: tuple[int, ...] = ()
    size: int = 0

    @property
    def spent(self) -> Usage:
        """What all of it cost: what a budget for the whole run begins with when the run goes on."""
        total = self.before
        for one in self.records.values():
            total += one.usage
        return total


def read_records(path: str | os.PathLike[str]) -> Held:
    """What a file of records holds. A torn last line does not count.

    Raises:
        InputError: it cannot be read, or holds no record, and something else.
    """
    held, open_calls = _read(os.fspath(path))
    return replace(held, before=held.before + open_calls)


def _read(path: str) -> tuple[Held, Usage]:
    """What a file holds, and what calls cost that the file beside it alone tells of."""
    found: dict[str, Record] = {}
    places: dict[str, int] = {}
    before = Usage()
    broken: list[int] = []
    size = at = told = 0
    first = last = b""
    try:
        with Path(path).open("rb") as stream:
            for number, line in enumerate(stream, 1):
                first, last = first or line, line
                one = _line(line)
                match one:
                    case Usage():
                        told += 1
                        before += one
                    case None:
                        if line.strip():
                            broken.append(number)
                    case _:
                        if one.id in found:
                            before += found.pop(one.id).usage
                        found[one.id] = one
                        places[one.id] = at
                at += len(line)
                size = at
        calls = _ahead(path, places)
    except OSError as problem:
        raise InputError(f"{path}: {reason(problem)}") from None
    if broken and not found and not told and (len(broken) > 1 or not _may_be_torn(first)):
        raise InputError(f"{path} holds no records of questions")
    if not last.endswith(b"\n") or _may_be_torn(last):
        size -= len(last)
    return Held(found, before, tuple(broken), size), calls


def _line(line: bytes) -> Record | Usage | None:
    """The record of a line, or what was spent as it says; None where it is neither."""
    if not line.endswith(b"\n"):
        return None
    try:
        data = json.loads(line)
        if isinstance(data, dict) and "spent" in data and "outcome" not in data:
            return _usage(data["spent"])
        return record_of(data)
    except (InputError, ValueError, RecursionError):
        return None


def _usage(data: Any) -> Usage:
    """A usage, read as that of a record is.

    Raises:
        InputError: it is none.
    """
    return record_of({"id": "", "question": "", "outcome": "not asked", "answers": [], "usage": data}).usage


def _may_be_torn(line: bytes) -> bool:
    """Whether a line may be the beginning of one that a run writes, or all of it but its line break."""
    text = line.rstrip(b"\n")
    if not any(text.startswith(begins[: len(text)]) for begins in _BEGINS):
        return False
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return True
    return not line.endswith(b"\n") and _line(json.dumps(data).encode() + b"\n") is not None


def _ahead(path: str, places: dict[str, int]) -> Usage:
    """What calls cost of whose question no record was written after them.

    Raises:
        OSError: the file beside cannot be read.
    """
    spent: dict[str, tuple[int, Usage]] = {}
    with suppress(FileNotFoundError), Path(path + _AHEAD).open("rb") as stream:
        for line in stream:
            try:
                data = json.loads(line)
                spent[str(data["of"])] = int(data["at"]), _usage(data["spent"])
            except (InputError, ValueError, LookupError, TypeError, RecursionError):
                continue  # torn
    total = Usage()
    for name, (at, usage) in spent.items():
        if places.get(name, -1) < at:
            total += usage
    return total


class RecordLog:
    """A file of records that is open to be added to; nobody else adds to it meanwhile. ``held`` is what it holds, what
    is added included. ``fresh``: what it held is dropped when it begins.

    Nothing is changed before :meth:`begin`; a file that was not there is taken away again without it. Threads may share
    a log.

    Raises:
        InputError: it cannot be written, another run writes it, or it holds something else.
    """

    def __init__(self, path: str | os.PathLike[str], *, fresh: bool = False) -> None:
        self.path = os.fspath(path)
        self._lock = threading.Lock()
        self._calls: io.FileIO | None = None
        self._end = 0
        self._made = not Path(self.path).exists()
        try:
            self._file = io.FileIO(self.path, "a")
        except (OSError, ValueError) as problem:
            raise InputError(f"{self.path}: {reason(problem)}") from None
        try:
            self.held, self._unknown = self._found(fresh)
        except BaseException:
            self.close()
            raise

    def _found(self, fresh: bool) -> tuple[Held, Usage]:
        if not Path(self.path).is_file():
            raise InputError(f"{self.path} is no file: nothing could be gone on with")
        if not locked(self._file, self.path):
            self._made = False
            raise InputError(f"{self.path}: another run is writing it")
        held, calls = _read(self.path)  # also what is to be dropped has to be records
        return (Held({}), Usage()) if fresh else (replace(held, before=held.before + calls), calls)

    def begin(self) -> None:
        """Cut off what is torn, and keep what a run that was killed tells of its last calls.

        Raises:
            InputError: that cannot be done.
        """
        self._made = False
        try:
            self._file.truncate(self.held.size)
            if self._unknown != Usage():
                write_whole(self._file, self.path, _spent_line(self._unknown))
            self._settled()
            self._end = os.fstat(self._file.fileno()).st_size
        except OSError as problem:
            raise InputError(f"{self.path}: {reason(problem)}") from None

    def add(self, one: Record) -> None:
        """Write a record.

        Raises:
            InputError: it cannot be written: a full disk …
            TypeError, ValueError: the record holds what is no plain data.
        """
        line = line_of(one)
        with self._lock:
            self._write(line)
            before = self.held.before
            if one.id in self.held.records:
                before += self.held.records.pop(one.id).usage
            self.held.records[one.id] = one
            self.held = replace(self.held, before=before, size=self._end)

    def spend(self, usage: Usage, name: str) -> None:
        """Write what was spent on a question besides what its record says.

        Raises:
            InputError: it cannot be written.
        """
        with self._lock:
            self._write(_spent_line(usage, name))
            self.held = replace(self.held, before=self.held.before + usage, size=self._end)

    def ahead(self, usage: Usage, name: str) -> None:
        """Write what a question will have cost with the calls that are about to be sent for it; its record, or
        :meth:`settle`, takes the place of that.

        Raises:
            InputError: it cannot be written.
        """
        with self._lock:
            data = {"of": name, "at": self._end, "spent": usage_data(usage)}
            try:
                self._calls = self._calls or io.FileIO(self.path + _AHEAD, "a")
            except OSError as problem:
                raise InputError(f"{self.path}{_AHEAD}: {reason(problem)}") from None
            write_whole(self._calls, self.path + _AHEAD, json.dumps(data).encode() + b"\n")

    def settle(self) -> None:
        """Take away what was written ahead: all of it is known by now."""
        with self._lock, suppress(OSError):
            self._settled()

    def _settled(self) -> None:
        if self._calls is not None:
            self._calls.close()
            self._calls = None
        Path(self.path + _AHEAD).unlink(missing_ok=True)

    def _write(self, line: bytes) -> None:
        try:
            write_whole(self._file, self.path, line)
        except InputError:
            with suppress(OSError):
                self._file.truncate(self._end)
            raise
        self._end += len(line)

    def close(self) -> None:
        """Leave the file to others."""
        if self._made:
            with suppress(OSError):
                Path(self.path).unlink()
        if self._calls is not None:
            self._calls.close()
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _spent_line(usage: Usage, name: str | None = None) -> bytes:
    data: dict[str, Any] = {"spent": usage_data(usage)}
    return json.dumps(data if name is None else data | {"of": name}, separators=(",", ":")).encode() + b"\n"
