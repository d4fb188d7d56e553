"""What a run has done so far, block by block, in a file: a run that is killed goes on where it was."""

from __future__ import annotations

import json
import os
from typing import IO, TYPE_CHECKING, Any, Self

from pylf.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from pylf.testing.differential.plan import Plan

NAME = "blocks.jsonl"


class Journal:
    """A folder's journal: its first row is the plan, then come rows of blocks and of engines.

    Raises:
        InputError: the folder holds another run, or one that is not to be resumed, or no run to resume.
    """

    def __init__(self, folder: Path, plan: Plan, resume: bool) -> None:
        self.path = folder / NAME
        #: rows of blocks, by number
        self.blocks: dict[int, dict[str, Any]] = {}
        #: by engine, what it says of itself
        self.about: dict[str, dict[str, Any]] = {}
        self._file: IO[str] | None = None
        exists = self.path.is_file() and self.path.stat().st_size > 0
        if exists and not resume:
            raise InputError(f"{folder} holds a run: --resume goes on with it, --failures names another folder")
        folder.mkdir(parents=True, exist_ok=True)
        if exists:
            self._read(plan)
        self._file = self.path.open("a", encoding="utf-8")
        if not exists:
            self._append({"plan": plan.to_json()})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def add_block(self, row: dict[str, Any]) -> None:
        """Keeps what came of a block."""
        self.blocks[row["block"]] = row
        self._append(row)

    def add_about(self, about: dict[str, dict[str, Any]]) -> None:
        """Keeps what the engines say of themselves."""
        if about != self.about:
            self.about.update(about)
            self._append({"about": about})

    def _append(self, row: dict[str, Any]) -> None:
        assert self._file is not None
        self._file.write(json.dumps(row, ensure_ascii=False) + "\n")
        self._file.flush()

    def _read(self, plan: Plan) -> None:
        """Takes in the rows that are there; one that was cut off while it was written is cut off the file too."""
        data = self.path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        rows = []
        try:
            for line in whole.decode().splitlines():
                rows.append(json.loads(line))  # noqa: PERF401  # what was read before a damaged line counts for nothing
        except ValueError as error:
            raise InputError(f"{self.path} is damaged: {error}") from error
        if not rows or rows[0].get("plan") != plan.to_json():
            raise InputError(f"{self.path} is of a run with other settings; --failures names another folder")
        for row in rows[1:]:
            if "block" in row:
                self.blocks[row["block"]] = row
            else:
                self.about.update(row.get("about", {}))
        if len(whole) < len(data):
            os.truncate(self.path, len(whole))
