"""Whether a program means what the gold one does: EM of the logical form, up to equivalence of the IR.

Two programs are the same where their canonical forms are; else it is looked for a proof or a counterexample
(:mod:`pylf.equivalence`), for some seconds. What is not decided counts as different.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.api import compile
from pylf.datasets.formats.question import PROGRAMS
from pylf.errors import InputError, PylfError
from pylf.forms import SOURCES
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.api import CompiledQuery
    from pylf.datasets.formats.question import Question
    from pylf.evaluation.record import Record

#: seconds for a pair that is not alike
SECONDS = 2.0
#: the forms of gold programs that are read, the first one first
READ = tuple([form for form in PROGRAMS if form in SOURCES])


class NoProgram(InputError):
    """A question has no gold program in a form that is read."""


def with_form(one: Record, question: Question, *, seconds: float = SECONDS, **against: Any) -> Record:
    """The record, with its ``form``: 1 where its program means what a gold one does, 0 where it does not or there is
    none, None where no gold program can be compiled. ``against`` are arguments of :func:`pylf.compile`: a graph, a
    schema, a vocabulary …"""
    readings = (question.programs, *(other.programs for other in question.alternatives))
    gold = [query for programs in readings if (query := _gold(programs, against)) is not None]
    if not gold:
        return replace(one, form=None)
    mine = compiled_of(one, **against)
    right = mine is not None and any(_same(mine, query, seconds) for query in gold)
    return replace(one, form=float(right))


def compiled_of(one: Record, **against: Any) -> CompiledQuery | None:
    """A record's program, by the form that it is in; None where there is none, or it cannot be compiled."""
    if one.program is None:
        return None
    try:
        return compile(one.program, source=one.program_form or "pylf", name=one.id, **against)
    except PylfError:
        return None


def compiled_gold(programs: Mapping[str, str], **against: Any) -> tuple[str, CompiledQuery]:
    """The first form of a gold program that can be compiled, and what it is.

    Raises:
        NoProgram: there is none in a form that is read.
        PylfError: none can be compiled; that is what is wrong with the first.
    """
    first: PylfError | None = None
    for form in READ:
        if form in programs:
            try:
                return form, compile(programs[form], source=form, **against)
            except PylfError as problem:
                first = first or problem
    if first is None:
        raise NoProgram(f"the question has no program in any of {', '.join(READ)}")
    raise first


def _gold(programs: Mapping[str, str], against: dict[str, Any]) -> CompiledQuery | None:
    try:
        return compiled_gold(programs, **against)[1]
    except PylfError:
        return None


def _same(left: CompiledQuery, right: CompiledQuery, seconds: float) -> bool:
    if left.fingerprint == right.fingerprint:
        return True
    from pylf.equivalence import equivalent

    if left.ir.form is not right.ir.form or seconds == 0:
        return False
    try:
        verdict = equivalent(left.ir, right.ir, left.schema, left.vocabulary, seconds=seconds)
    except PylfError:
        return False
    return verdict.status == "equivalent"
