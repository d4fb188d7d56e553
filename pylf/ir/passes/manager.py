"""Running passes: in their order, each verified, watched by whoever wants to see what it changed."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from pylf.errors import InputError, InvalidIR, PassError
from pylf.ir.verify import verify
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pylf.ir.nodes import Query
    from pylf.ir.passes.context import Context

    Observer = Callable[["Pass", Query, Query], None]


class Basis(Enum):
    """What a pass rests on: what queries mean, on every graph; besides, what the schema says and counts of the graph
    that is asked; or what is known of the engine, which is about how a query is solved and not what it means."""

    DEFINITION = "definition"
    SCHEMA = "schema"
    ENGINE = "engine"


@record(eq=False)
class Pass:
    """A rewrite of a query into one with the same answers on every graph that the context tells the truth about.

    ``name`` is that of its file; ``why`` says, in one line, why it stands where it stands. ``run`` gives back the very
    query where there is nothing to do. ``level`` is the least ``-O`` at which it runs.
    """

    name: str
    basis: Basis
    why: str
    run: Callable[[Query, Context], Query]
    level: int = 2


@record(eq=False)
class Repeated:
    """Passes that make work for each other: run in turn until none changes anything, ``bound`` times at most."""

    passes: tuple[Pass, ...]
    bound: int = 8


def optimized(
    query: Query,
    context: Context,
    pipeline: Iterable[Pass | Repeated],
    level: int = 2,
    without: frozenset[str] = frozenset(),
    observer: Observer | None = None,
) -> Query:
    """The query after the passes of a level, but those ``without``; ``observer`` is told of each that ran.

    Raises:
        InvalidIR: the query breaks a rule (:mod:`pylf.ir.verify`).
        PassError: a pass breaks one, changes what is asked for, or finds no end.
    """
    verify(query)
    for step in pipeline:
        if isinstance(step, Pass):
            query = _once(step, query, context, level, without, observer)
            continue
        for _ in range(step.bound):
            before = query
            for one in step.passes:
                query = _once(one, query, context, level, without, observer)
            if query is before:
                break
        else:
            names = ", ".join([one.name for one in step.passes])
            raise PassError(f"{names}: still changing the query after {step.bound} rounds")
    return query


def _once(
    step: Pass, query: Query, context: Context, level: int, without: frozenset[str], observer: Observer | None
) -> Query:
    if step.level > level or step.name in without:
        return query
    found = step.run(query, context)
    if found is not query:
        _check(step, query, found)
    if observer is not None:
        observer(step, query, found)
    return found


def _check(step: Pass, before: Query, after: Query) -> None:
    """What a pass may not touch: the form, the outputs and their types; and what it makes has to be sound IR."""
    if after.form is not before.form or after.outputs != before.outputs:
        raise PassError(f"{step.name} changes what is asked for")
    types, was = after.type_of, before.type_of
    for output in before.outputs:
        if types.get(output.name) != was.get(output.name):
            raise PassError(f"{step.name} changes the type of {output}")
    try:
        verify(after)
    except InvalidIR as problem:
        raise PassError(f"{step.name} makes a query that breaks a rule: {problem}") from problem


def named(name: str, pipeline: Iterable[Pass | Repeated]) -> Pass:
    """The pass of that name.

    Raises:
        InputError: there is none.
    """
    known = {one.name: one for step in pipeline for one in (step.passes if isinstance(step, Repeated) else (step,))}
    if name not in known:
        raise InputError(f"there is no pass {name!r}; the passes are {', '.join(known)}")
    return known[name]
