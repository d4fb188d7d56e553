"""A run that was cut short goes on where it ended: what its output holds is not compiled again.

The output has one line for each record, in order, so that its last whole line says how far the run came. Beside it,
``OUTPUT.state.json`` says which run that was: the plan, the program's version, and the input's size and hash. It is
written before the first answer and never changed.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from pylf import __version__
from pylf.batch.outcome import Tally, read_compiled
from pylf.errors import InputError, reason

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.batch.outcome import Compiled
    from pylf.batch.plan import Plan

_BLOCK = 1 << 20


class Answered(NamedTuple):
    """What an output holds: how many bytes of whole lines, the last record's line and id, and a tally of all."""

    size: int
    line: int
    id: str | int | None
    tally: Tally


def state_path(output: str) -> str:
    """Where the state of the run that writes ``output`` is kept."""
    return f"{output}.state.json"


def state_of(plan: Plan, path: str | None) -> dict[str, Any]:
    """What tells one run from another: the plan, the version, and what the files that it names hold.

    Raises:
        InputError: a file cannot be read.
    """
    files = {name: plan.choices.get(name) for name in ("kg", "schema", "vocabulary")}
    return {
        "pylf": __version__,
        "plan": plan.to_json(),
        "files": {name: _contents(where) for name, where in files.items() if where is not None},
        "input": None if path is None else _hashed(path),
    }


def difference(state: Mapping[str, Any], before: Mapping[str, Any], path: str | None, dated: bool) -> str | None:
    """How a run differs from the one whose output is there; None where it goes on from it.

    An input that has grown since is the same input, and where no date is given (``dated``) that of the first part
    stands.
    """
    now, then = state["plan"], before["plan"]
    for name in ("field", "id", "source", "forms"):
        if now[name] != then[name]:
            return f"its {name} was {_shown(then[name])} and is now {_shown(now[name])}"
    for name in sorted({*now["choices"], *then["choices"]}):
        mine, other = now["choices"].get(name), then["choices"].get(name)
        if state["files"].get(name) and before["files"].get(name):
            continue  # it matters what they hold, not what they are called
        if mine != other and (name != "today" or dated):
            return f"its {name} was {_shown(other)} and is now {_shown(mine)}"
    for name in sorted({*state["files"], *before["files"]}):
        if state["files"].get(name) != before["files"].get(name):
            return f"the {name} has changed since"
    if state["pylf"] != before["pylf"]:
        return f"it was made by pylf {before['pylf']}, and this is {state['pylf']}"
    if (state["input"] is None) != (before["input"] is None):
        return "one of them reads standard input, the other a file"
    if path is not None and state["input"] != before["input"]:
        size = before["input"]["bytes"]
        if state["input"]["bytes"] < size or _hashed(path, size) != before["input"]:
            return "the input has changed since"
    return None


def read_state(output: str) -> dict[str, Any] | None:
    """The state of the run that made ``output``; None where nothing tells.

    Raises:
        InputError: the state cannot be read, or is none.
    """
    path = state_path(output)
    try:
        with Path(path).open("rb") as stream:
            data = json.loads(stream.read())
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise InputError(f"{path}: {reason(problem)}") from None
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or {"pylf", "plan", "files", "input"} - data.keys():
        raise InputError(f"{path} is not the state of a run; --fresh starts over")
    return data


def read_answered(output: str) -> Answered:
    """What an output holds. A last line that is torn does not count.

    Raises:
        InputError: it cannot be read, or a line of it is no answer.
    """
    tally, size, line, last = Tally(), 0, 0, None
    try:
        with Path(output).open("rb") as stream:
            for number, text in enumerate(stream, 1):
                if not text.endswith(b"\n"):
                    break
                found = _compiled(text)
                if found is None or found.line <= line:
                    raise InputError(f"{output}: line {number} is no answer of this run; --fresh starts over")
                tally.add(found)
                size, line, last = size + len(text), found.line, found.id
    except OSError as problem:
        raise InputError(f"{output}: {reason(problem)}") from None
    return Answered(size, line, last, tally)


def _compiled(text: bytes) -> Compiled | None:
    try:
        data = json.loads(text)
        return read_compiled(data) if type(data["line"]) is int else None
    except (ValueError, LookupError, TypeError, RecursionError):
        return None


def _shown(value: object) -> str:
    return ",".join(value) if isinstance(value, list) else "not given" if value is None else str(value)


def _hashed(path: str, most: int | None = None) -> dict[str, Any]:
    """Size and hash of a file, or of its first bytes."""
    try:
        with Path(path).open("rb") as stream:
            return _hash(stream, most)
    except OSError as problem:
        raise InputError(f"{path}: {reason(problem)}") from None


def _hash(stream: IO[bytes], most: int | None) -> dict[str, Any]:
    found, size = hashlib.sha256(), 0
    while block := stream.read(_BLOCK if most is None else min(_BLOCK, most - size)):
        found.update(block)
        size += len(block)
    return {"bytes": size, "sha256": found.hexdigest()}


def _contents(path: str) -> object:
    """What a file holds; of a folder, the names and sizes of what is in it; None for a built-in name."""
    where = Path(path)
    if where.is_file():
        return _hashed(path)
    if where.is_dir():
        return sorted([entry.name, entry.stat().st_size] for entry in where.iterdir() if entry.is_file())
    return None
