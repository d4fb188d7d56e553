"""What tells one run from another, and how it is kept beside an output.

``OUTPUT.state.json`` holds the plan, the program's version, and what the files held that the run reads.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pylf import __version__
from pylf.batch.plan import SURROUNDINGS
from pylf.errors import InputError, reason
from pylf.ir.dates import date_literal
from pylf.ir.schema.freebase import add_contents

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.batch.plan import Plan
    from pylf.batch.reading import RecordFile

#: How a run is told to take no notice of what is there, on the command line and from Python.
FRESH = "--fresh (fresh=True) starts over"

_PLAN: dict[str, Any] = {"field": str, "id": str | None, "source": str, "forms": list, "choices": dict}


def state_path(output: str) -> str:
    """Where the state of the run that writes ``output`` is kept."""
    return f"{output}.state.json"


def state_of(plan: Plan, records: RecordFile) -> dict[str, Any]:
    """What tells one run from another: the plan, the version, and what the files that it names hold. Of a graph on disk
    it is the names and sizes of its files, which may be large, and which loading a graph anew never leaves alike.

    Raises:
        InputError: a file cannot be read, or the plan names objects of this process.
    """
    files = {name: plan.choices.get(name) for name in SURROUNDINGS}
    return {
        "pylf": __version__,
        "plan": plan.to_json(),
        "files": {name: _contents(where) for name, where in files.items() if where is not None},
        "input": records.hashed(),
    }


def difference(state: Mapping[str, Any], before: Mapping[str, Any], records: RecordFile, dated: bool) -> str | None:
    """How a run differs from the one whose output is there; None where it goes on from it.

    An input that has grown since is the same input, and where no date is given (``dated``) that of the first part
    stands.

    Raises:
        InputError: the input cannot be read.
    """
    now, then = state["plan"], before["plan"]
    for name in ("field", "id", "source"):
        if now[name] != then[name]:
            return _changed(name, now[name], then[name])
    if now["forms"] != then["forms"]:
        return f"it was compiled to {', '.join(then['forms'])}, and is now to {', '.join(now['forms'])}"
    for name in sorted({*now["choices"], *then["choices"]}):
        mine, other = now["choices"].get(name), then["choices"].get(name)
        if state["files"].get(name) and before["files"].get(name):
            continue  # it matters what they hold, not what they are called
        if mine != other and (name != "today" or dated):
            return _changed(name, mine, other)
    for name in sorted({*state["files"], *before["files"]}):
        if state["files"].get(name) != before["files"].get(name):
            return f"the {name} has changed since"
    if state["pylf"] != before["pylf"]:
        return f"it was made by pylf {before['pylf']}, and this is {state['pylf']}"
    if (state["input"] is None) != (before["input"] is None):
        return "one of them reads a file, the other what can be read but once"
    if has_grown(before, state):
        seen = before["input"]
        if state["input"]["bytes"] < seen["bytes"] or not records.begins_with(seen["bytes"], seen["sha256"]):
            name = state["input"]["name"]
            return "the set has changed since" if name == seen["name"] else f"its set was {seen['name']}, not {name}"
    return None


def has_grown(before: Mapping[str, Any], state: Mapping[str, Any]) -> bool:
    """Whether the input is a file that does not hold the very same; :func:`difference` tells whether it has grown."""
    now, then = state["input"], before["input"]
    return now is not None and (now["bytes"], now["sha256"]) != (then["bytes"], then["sha256"])


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
    if not _is_state(data):
        raise InputError(f"{path} is not the state of a run; {FRESH}")
    found: dict[str, Any] = data
    return found


def staged(output: str, state: Mapping[str, Any]) -> Path:
    """A file that holds a state and is to take the place of the one beside an output, in one step.

    Raises:
        InputError: it cannot be written.
    """
    beside = _beside(output)
    try:
        beside.write_text(json.dumps(state, indent=1) + "\n", encoding="utf-8")
    except OSError as problem:
        clear(output)
        raise InputError(f"{state_path(output)}: {reason(problem)}") from None
    return beside


def clear(output: str) -> None:
    """Take away what a run that was killed while it wrote its state has left."""
    with suppress(OSError):
        _beside(output).unlink()


def _beside(output: str) -> Path:
    return Path(f"{state_path(output)}.new")  # one name for all runs: the output is locked


def _is_state(data: object) -> bool:
    match data:
        case {"pylf": str(), "plan": dict(plan), "files": dict(), "input": None | dict() as given}:
            pass
        case _:
            return False
    if given is not None:
        match given:
            case {"name": str(), "bytes": int(), "sha256": str()}:
                pass
            case _:
                return False
    if not all(name in plan and isinstance(plan[name], kind) for name, kind in _PLAN.items()):
        return False
    today = plan["choices"].get("today")
    return all(isinstance(form, str) for form in plan["forms"]) and (
        isinstance(today, str) and date_literal(today) is not None
    )


def _changed(name: str, now: object, then: object) -> str:
    mine, other = ("not given" if value is None else str(value) for value in (now, then))
    return f"its {name} was {other} and is now {mine}"


def _contents(path: str) -> object:
    """What tells whether a file, or those of a folder, are still the same; None for a built-in name."""
    key, where = hashlib.sha256(), Path(path)
    try:
        if add_contents(key, path):
            return key.hexdigest()
        if not where.is_dir():
            return None
        files = (file for file in where.rglob("*") if file.is_file())
        return sorted([file.relative_to(where).as_posix(), file.stat().st_size] for file in files)
    except (OSError, ValueError) as problem:
        raise InputError(f"{path}: {reason(problem)}") from None
