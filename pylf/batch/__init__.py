"""Whole sets of questions, compiled record by record: in this process, or in several.

    >>> from pylf.batch import compile_batch
    >>> records = [{"id": "a", "program": "x = STOP(START('rocket'))"}, {"id": "b", "program": "STOP("}]
    >>> [(c.id, sorted(c.forms), [e["code"] for e in c.errors]) for c in compile_batch(records, field="program")]
    [('a', ['sparql'], []), ('b', [], ['unclosed-bracket'])]

A record that cannot be compiled is an answer like any other, with the reason; nothing stops the others.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from pylf.batch.compiler import Compiler
from pylf.batch.outcome import Compiled, Tally
from pylf.batch.plan import Plan, plain, plan_for
from pylf.errors import InputError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping

    from pylf.api import KnowledgeGraph
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary

__all__ = ["Compiled", "Compiler", "Plan", "Tally", "compile_batch", "compile_file", "plan_for"]

#: The arguments of :func:`pylf.compile` that go for every record, beside those that name files.
_CHOICES = frozenset(
    (
        *("all_different", "dialect", "exclude_topic", "inner_classes", "lenient", "negation", "optimize", "strict"),
        *("ties", "today"),
    )
)


def compile_batch(
    records: Iterable[Mapping[str, Any]],
    *,
    field: str,
    id: str | None = None,  # noqa: A002 (the name that the option has on the command line)
    source: str | None = None,
    to: str | tuple[str, ...] = "sparql",
    jobs: int = 1,
    kg: KnowledgeGraph | str | os.PathLike[str] | None = None,
    schema: Schema | str | os.PathLike[str] | None = None,
    vocabulary: Vocabulary | str | os.PathLike[str] | None = None,
    **choices: Any,
) -> Iterator[Compiled]:
    """Compile a field of each record, and give one :class:`Compiled` for each, in the same order.

    ``field`` may be nested (``Parses.0.SExpr``), ``id`` names the field that tells records apart (by default the first
    of :data:`pylf.batch.plan.IDS` that a record has, else its number), ``source`` is the form of the question, one of
    :data:`pylf.forms.SOURCES` (by default what a field of that name holds: ``s_expression`` and the like s-expressions,
    ``graph_query`` a graph query, others PyLF), ``to`` is one or several of :data:`pylf.batch.plan.WRITTEN`, and
    ``choices`` are those of :func:`pylf.compile` (``negation``, ``dialect``, ``today``, …). With ``jobs`` above 1 so
    many processes work; schema, vocabulary and graph are then given as paths or built-in names, since each process
    opens its own. No more records are taken ahead of the answers than keep the processes busy. Where the records end
    with an exception, those that came before are answered first.

    Raises:
        InputError: there is no such form, or a schema, a vocabulary or a graph cannot be read.
        TypeError: there is no such argument.
    """
    surroundings = {"kg": kg, "schema": schema, "vocabulary": vocabulary}
    plan = _plan("compile_batch", field, id, source, to, jobs, surroundings, choices)
    if jobs > 1:
        plan.to_json()  # raises where it holds objects that cannot be sent: before they are opened
    compiler = Compiler(plan)
    if jobs > 1:
        from pylf.batch.workers import compiled_by_workers

        return compiled_by_workers(records, plan, jobs)
    return (compiler.compiled(number, given) for number, given in enumerate(map(plain, records), 1))


def compile_file(
    path: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    field: str,
    id: str | None = None,  # noqa: A002 (the name that the option has on the command line)
    source: str | None = None,
    to: str | tuple[str, ...] = "sparql",
    jobs: int = 1,
    fresh: bool = False,
    kg: str | os.PathLike[str] | None = None,
    schema: str | os.PathLike[str] | None = None,
    vocabulary: str | os.PathLike[str] | None = None,
    **choices: Any,
) -> Tally:
    """Compile a field of each record of a file into another file, a line of JSON for each, as
    ``pylf compile --batch FILE -o OUTPUT`` does: the same call goes on where one was cut short, unless ``fresh``. Gives
    how many records the output holds then, how many were refused, and why. An output that is a pipe or a device keeps
    nothing to go on with. Other arguments are those of :func:`compile_batch`.

    Raises:
        InputError: as :func:`compile_batch` does; the set cannot be read on (what came before is answered); the output
            cannot be written, is of another run, or another run is writing it.
        BrokenPipeError: the output is a pipe whose reader is gone.
        TypeError: there is no such argument.
    """
    import os

    from pylf.batch.reading import open_records
    from pylf.batch.resume import files_of
    from pylf.batch.run import carry_out, files_written, opened
    from pylf.files import apart

    surroundings = {"kg": kg, "schema": schema, "vocabulary": vocabulary}
    plan = _plan("compile_file", field, id, source, to, jobs, surroundings, choices)
    target = os.fspath(output)
    apart(files_of(plan, os.fspath(path)), files_written(target))
    with (
        open_records(os.fspath(path)) as records,
        opened(target, plan, records, fresh=fresh, dated=choices.get("today") is not None) as out,
        closing(carry_out(records, out, Compiler(out.plan), jobs)) as chunks,
    ):
        for _ in chunks:
            pass
    return out.tally


def _plan(
    function: str,
    field: str,
    id_field: str | None,
    source: str | None,
    to: str | tuple[str, ...],
    jobs: int,
    surroundings: Mapping[str, Any],
    choices: Mapping[str, Any],
) -> Plan:
    unknown = choices.keys() - _CHOICES
    if unknown:
        raise TypeError(f"{function}() got an unexpected keyword argument {min(unknown)!r}")
    if type(jobs) is not int or jobs < 1:
        raise InputError(f"jobs is a number of processes, 1 or more, not {jobs!r}")
    forms = (to,) if isinstance(to, str) else tuple(to)
    return plan_for(field, id_field, source, forms, {**choices, **surroundings})
