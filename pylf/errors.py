"""What went wrong, where, and how to mend it: spans, diagnostics and the errors that carry them.

Everything a user can get wrong ends as a :class:`Diagnostic`. Diagnostics know their source text, so they
render themselves with the line, a caret, the nearest valid names and a remedy::

    error[unknown-relation]: the schema has no relation 'producing_country'
      --> film.py:2:18
       |
     2 | expression = JOIN('producing_country', expression)
       |                   ^^^^^^^^^^^^^^^^^^^
       = help: the nearest names are 'country_of_origin', 'production_company'
"""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

Severity = Literal["error", "warning", "note"]

_MAX_SHOWN_LINE = 160
_MAX_MESSAGE = 1_000


class Span(NamedTuple):
    """A half-open range of character offsets into a source text."""

    start: int
    end: int

    def cover(self, other: Span | None) -> Span:
        """The smallest span that holds both."""
        if other is None:
            return self
        return Span(min(self.start, other.start), max(self.end, other.end))


class Source:
    """A named text. Turns offsets into lines and columns, both counted from 1."""

    __slots__ = ("_starts", "name", "text")

    def __init__(self, text: str, name: str = "<program>") -> None:
        self.text = text
        self.name = name
        self._starts: list[int] | None = None

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column (from 1) of a character offset; an offset past the end is the end."""
        starts = self._line_starts()
        offset = max(0, min(offset, len(self.text)))
        line = bisect.bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (from 1), without its line break."""
        starts = self._line_starts()
        start = starts[number - 1]
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            self._starts = [0, *(i + 1 for i, c in enumerate(self.text) if c == "\n")]
        return self._starts


class Diagnostic(NamedTuple):
    """One finding: a stable code, a sentence, the place, and what would mend it. ``name`` is what the finding is about,
    as the question has it, where somebody but a reader wants to know."""

    code: str
    message: str
    span: Span | None = None
    source: Source | None = None
    hints: tuple[str, ...] = ()
    severity: Severity = "error"
    name: str | None = None

    def at(self, source: Source) -> Diagnostic:
        """The same finding, placed in ``source`` unless it already has a source."""
        return self if self.source is not None else self._replace(source=source)

    def render(self) -> str:
        """The finding as text, with caret and remedies; no trailing line break."""
        out = [f"{self.severity}[{self.code}]: {printable(_shortened(self.message))}"]
        gutter = " "
        if self.source is not None and self.span is not None:
            line, column = self.source.position(self.span.start)
            gutter = " " * (len(str(line)) + 1)
            out.append(f"{gutter}--> {self.source.name}:{line}:{column}")
            out.append(f"{gutter} |")
            text, caret = _excerpt(self.source.line(line), column, self.span.end - self.span.start)
            out.append(f" {line} | {text}")
            out.append(f"{gutter} | {caret}")
        elif self.source is not None:
            out.append(f"{gutter}--> {self.source.name}")
        out.extend(f"{gutter} = help: {printable(_shortened(hint))}" for hint in self.hints)
        return "\n".join(out)

    def to_json(self) -> dict[str, object]:
        """The finding as plain data: ``code, severity, message, hints`` and, where known, ``file, line, column``."""
        data: dict[str, object] = {
            "code": self.code,
            "severity": self.severity,
            "message": _shortened(self.message),
            "hints": [_shortened(hint) for hint in self.hints],
        }
        if self.source is not None:
            data["file"] = self.source.name
            if self.span is not None:
                data["line"], data["column"] = self.source.position(self.span.start)
                data["start"], data["end"] = self.span
        return data


class PylfError(Exception):
    """Base of every error that pylf raises on purpose."""


class CompileError(PylfError):
    """A program cannot be compiled. ``diagnostics`` holds at least one error."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n\n".join(d.render() for d in self.diagnostics))


class UnsupportedOperation(PylfError):
    """A dialect, a backend or a form cannot express an operator; names both. ``span`` is where the question asks for
    it, where that is known, and ``source`` the text that this is a place in."""

    def __init__(self, operator: str, where: str, span: Span | None = None) -> None:
        self.operator = operator
        self.where = where
        self.span = span
        self.source: Source | None = None
        super().__init__(f"{operator} cannot be expressed in {where}")

    @property
    def finding(self) -> Diagnostic:
        """The error as a finding."""
        return Diagnostic("unsupported", str(self), self.span, self.source)


class NoForm(UnsupportedOperation):
    """Another form of questions cannot say what this one asks. ``diagnostics`` names what, and where the
    question asks for it: by a code of :data:`pylf.frontends.no_form.NO_FORM`; by ``no-path`` or ``no-subgraph``, where
    all of the question is no path, or no subgraph text; or by one that says that what would be written could not be
    read again (``literal-subject``, ``unwritable``, ``too-deep``, ``too-large``)."""

    def __init__(self, form: str, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(self.diagnostics[0].message, form)
        self.args = ("\n\n".join(d.render() for d in self.diagnostics),)


class InvalidIR(PylfError):
    """A hand-made or rewritten IR breaks a rule of :mod:`pylf.ir.verify`; names the node.

    ``span`` is where that node came from, where it is known.
    """

    def __init__(self, message: str, span: Span | None = None) -> None:
        self.span = span
        super().__init__(message)


class PassError(PylfError):
    """A pass of the optimizer went wrong: a bug of pylf's, which names the pass. ``-O0`` does without passes."""


class InputError(PylfError):
    """A file, folder or setting cannot be used; says which and how to mend it."""


class EngineError(PylfError):
    """An engine failed, timed out or gave a partial result.

    ``status`` is how that is recorded: one of the values of :class:`pylf.backends.outcome.Status`.
    """

    status = "engine error"


class EngineTimeout(EngineError):
    """A time limit was reached, here or at the endpoint; nothing is known of the answer."""

    status = "timeout"


class EngineRefused(EngineError):
    """The endpoint does not take the query: its syntax, its length, its caller, too many requests, a ban; or pylf does
    not send it (an update, a SERVICE)."""

    status = "refused"


def reason(problem: OSError | ValueError) -> str:
    """Why the system refused, to stand in brackets or after a colon; what it says of its own accord (which may hold a
    path) stays as it is."""
    stated = problem.strerror if isinstance(problem, OSError) else None
    return stated.lower() if stated else str(problem) or type(problem).__name__


def printable(text: str) -> str:
    """Text on one line, its control characters escaped, so that hostile input cannot steer a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def first_line(problem: object, longest: int = _MAX_MESSAGE) -> str:
    """What is complained of, on one printable line of no more than so many characters."""
    line = printable(str(problem).partition("\n")[0])
    return line if len(line) <= longest else line[:longest] + "…"


def _shortened(text: str) -> str:
    """A message without the middle of what it quotes, where that is longer than anyone reads."""
    half = _MAX_MESSAGE // 2
    return text if len(text) <= _MAX_MESSAGE else f"{text[:half]}…{text[-half:]}"


def _excerpt(line: str, column: int, length: int) -> tuple[str, str]:
    """A line cut to a readable width around ``column``, and the caret line below it."""
    start = 0
    if len(line) > _MAX_SHOWN_LINE:
        start = max(0, min(column - 1 - _MAX_SHOWN_LINE // 2, len(line) - _MAX_SHOWN_LINE))
    window = line[start : start + _MAX_SHOWN_LINE].replace("\t", " ")
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in window)
    offset = column - 1 - start
    width = max(1, min(length, len(shown) - offset))
    return shown, " " * offset + "^" * width
