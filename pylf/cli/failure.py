"""How a command that failed tells so: an exit status, a message for a person and, with ``--json``, one for a program.

With ``--json`` standard output then holds one object: ``diagnostics``, a list of findings as
:meth:`pylf.errors.Diagnostic.to_json` writes them, of which one at least is an error; where an engine failed also
``status`` and ``reason``; and what the command knew by then. A command whose JSON is a list of findings gives a list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.cli.dispatch import Misuse
from pylf.errors import (
    CompileError,
    Diagnostic,
    EngineError,
    InputError,
    InvalidIR,
    NoForm,
    PylfError,
    Span,
    UnsupportedOperation,
)
from pylf.records import record

if TYPE_CHECKING:
    import argparse

BAD_INPUT, ENGINE_FAILED = 2, 4

_NESTED = "the input nests too deeply"


@record
class Failure:
    """``told`` is for standard error."""

    status: int
    told: str
    findings: tuple[Diagnostic, ...]
    #: of an engine that failed: how that is recorded, and what it complained of
    engine: tuple[str, str] | None = None

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        data: dict[str, Any] = {} if self.engine is None else dict(zip(("status", "reason"), self.engine, strict=True))
        return data | {"diagnostics": [finding.to_json() for finding in self.findings]}


def failure_of(problem: Exception) -> Failure | None:
    """What is told of an exception; None of one that is a mistake in pylf."""
    match problem:
        case CompileError(diagnostics=found) | NoForm(diagnostics=found):
            return Failure(BAD_INPUT, "\n\n".join([finding.render() for finding in found]), found)
        case Misuse(command=command):
            told = f"{command}: {problem}\ntry '{command} --help'"
            return Failure(BAD_INPUT, told, (finding_of(problem),))
        case UnsupportedOperation(span=Span()):
            return Failure(BAD_INPUT, problem.finding.render(), (problem.finding,))
        case EngineError(status=status):
            return Failure(ENGINE_FAILED, f"pylf: {problem}", (finding_of(problem),), (status, str(problem)))
        case PylfError():
            return Failure(BAD_INPUT, f"pylf: {problem}", (finding_of(problem),))
        case ModuleNotFoundError(name=str(name)) if name.partition(".")[0] != "pylf":
            told = f"the Python package {name!r} is needed for this and is not installed"
            return Failure(BAD_INPUT, f"pylf: {told}", (Diagnostic("no-package", told),))
        case RecursionError():
            return Failure(BAD_INPUT, f"pylf: {_NESTED}", (Diagnostic("too-deep", _NESTED),))
    return None


def finding_of(problem: PylfError) -> Diagnostic:
    """An error that carries no findings, as one."""
    match problem:
        case Misuse():
            code = "bad-call"
        case InputError():
            code = "bad-input"
        case EngineError():
            code = "engine-failed"
        case InvalidIR():
            code = "invalid-ir"
        case UnsupportedOperation():
            return problem.finding
        case _:
            code = "failed"
    return Diagnostic(code, str(problem))


def print_failure(failure: Failure, given: list[str], options: argparse.Namespace) -> None:
    """Prints a failure as JSON, if that is what was asked for: by the options or, where they could not be parsed, by
    what was given."""
    if not _wants_json(given, options):
        return
    from pylf.cli.options import print_json

    data = failure.to_json()
    print_json(data["diagnostics"] if getattr(options, "json_lists", False) else getattr(options, "so_far", {}) | data)


def _wants_json(given: list[str], options: argparse.Namespace) -> bool:
    if hasattr(options, "run"):
        if getattr(options, "batch", False):  # a line for each record, and nothing else
            return False
        return bool(getattr(options, "json", False)) or getattr(options, "format", None) == "json"
    return "--json" in given and "--batch" not in given
