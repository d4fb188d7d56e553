"""Whole sets of questions, compiled record by record: in this process, or in several.

    >>> from pylf.batch import compile_batch
    >>> records = [{"id": "a", "program": "x = STOP(START('rocket'))"}, {"id": "b", "program": "STOP("}]
    >>> [(c.id, sorted(c.forms), [e["code"] for e in c.errors]) for c in compile_batch(records, field="program")]
    [('a', ['sparql'], []), ('b', [], ['unclosed-bracket'])]

A record that cannot be compiled is an answer like any other, with the reason; nothing stops the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.batch.compiler import Compiler
from pylf.batch.outcome import Compiled
from pylf.batch.plan import Plan, plain, plan_for

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping

    from pylf.api import KnowledgeGraph
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary

__all__ = ["Compiled", "Compiler", "Plan", "compile_batch", "plan_for"]


def compile_batch(
    records: Iterable[Mapping[str, Any]],
    *,
    field: str,
    id: str | None = None,  # noqa: A002 (the name that the option has on the command line)
    source: str = "pylf",
    to: str | tuple[str, ...] = "sparql",
    jobs: int = 1,
    kg: KnowledgeGraph | str | os.PathLike[str] | None = None,
    schema: Schema | str | os.PathLike[str] | None = None,
    vocabulary: Vocabulary | str | os.PathLike[str] | None = None,
    **choices: Any,
) -> Iterator[Compiled]:
    """Compile a field of each record, and give one :class:`Compiled` for each, in the same order.

    ``field`` may be nested (``Parses.0.SExpr``), ``id`` names the field that tells records apart (by default the first
    of :data:`pylf.batch.plan.IDS` that a record has, else its number), ``to`` is one or several of
    :data:`pylf.forms.FORMS` and ``fingerprint``, and ``choices`` are those of :func:`pylf.compile` (``negation``,
    ``dialect``, ``today``, …). With ``jobs`` above 1 so many processes work; schema, vocabulary and graph are then
    given as paths or built-in names, since each process opens its own. No more records are taken ahead of the answers
    than keep the processes busy.

    Raises:
        InputError: there is no such form, or a schema, a vocabulary or a graph cannot be read.
    """
    forms = (to,) if isinstance(to, str) else tuple(to)
    plan = plan_for(field, id, source, forms, choices | {"kg": kg, "schema": schema, "vocabulary": vocabulary})
    if jobs > 1:
        from pylf.batch.workers import compiled_by_workers

        return compiled_by_workers(records, plan, jobs)
    compiler = Compiler(plan)
    return (compiler.compiled(number, given) for number, given in enumerate(map(plain, records), 1))
