"""Running passes: in their order, each verified, watched by whoever wants to see what it changed.

A pass is right or it is a bug of ours, and a bug is loud: what it makes is verified, and what breaks a rule is a
:class:`~pylf.errors.PassError`. Two things are no bugs, and cost nobody an answer. A pass may leave out what a query
stands on (:mod:`pylf.ir.passes.kept`): then the query stays as it was. And passes may make work for each other for
longer than anybody wants to wait: then the query is what they have made of it so far, which has the same answers.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from pylf.errors import InputError, InvalidIR, PassError
from pylf.ir.passes.kept import lost, recounted
from pylf.ir.verify import verify
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pylf.ir.nodes import Query
    from pylf.ir.passes.context import Context

    Observer = Callable[["Pass", Query, Query], None]


#: The ``-O`` from which on passes run.
LEVEL = 2


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
    query where there is nothing to do.
    """

    name: str
    basis: Basis
    why: str
    run: Callable[[Query, Context], Query]


@record(eq=False)
class Repeated:
    """Passes that make work for each other: run in turn until none changes anything, ``bound`` rounds at most."""

    passes: tuple[Pass, ...]
    bound: int = 8


def optimized(
    query: Query,
    context: Context,
    pipeline: Iterable[Pass | Repeated],
    level: int = LEVEL,
    without: frozenset[str] = frozenset(),
    observer: Observer | None = None,
    strict: bool = False,
) -> Query:
    """The query after the passes, but those ``without``; below ``LEVEL`` the very query. ``observer`` is told of each
    pass that had its turn.

    A pass is given a query once: one that it has left as it is it would leave again. Where the rounds of a repeated
    group are spent before it finds an end, some pass of it has changed the query in its last turn: the observer sees
    that, and ``strict``, which is for tests, makes it an error.

    Raises:
        InvalidIR: the query breaks a rule (:mod:`pylf.ir.verify`).
        PassError: a pass breaks one, or changes what is asked for; where ``strict``, a group finds no end.
    """
    verify(query)
    if level < LEVEL:
        return query
    context = context.for_one_query()
    for step in pipeline:
        passes = step.passes if isinstance(step, Repeated) else (step,)
        passes = tuple([one for one in passes if one.name not in without])
        if isinstance(step, Repeated):
            query, ended = _repeated(passes, step.bound, query, context, observer)
            if strict and not ended:
                names = ", ".join([one.name for one in passes])
                raise PassError(f"{names}: still changing the query after {step.bound} rounds")
        elif passes:
            query = _turn(step, query, context, observer)
    return query


def _repeated(
    passes: tuple[Pass, ...], bound: int, query: Query, context: Context, observer: Observer | None
) -> tuple[Query, bool]:
    """The query after all rounds, and whether the last one left it as it was."""
    #: by the pass: what it was the last to leave as it is
    left: dict[str, Query] = {}
    for _ in range(bound):
        before = query
        for one in passes:
            if left.get(one.name) is not query:
                found = _turn(one, query, context, observer)
                if found is query:
                    left[one.name] = query
                query = found
            elif observer is not None:
                observer(one, query, query)
        if query is before:
            return query, True
    return query, False


def _turn(step: Pass, query: Query, context: Context, observer: Observer | None) -> Query:
    found = step.run(query, context)
    if found is not query and not _sound(step, query, found):
        found = query
    if observer is not None:
        observer(step, query, found)
    return found


def _sound(step: Pass, before: Query, after: Query) -> bool:
    """Whether what a pass made is sound IR; False where the pass has left out what the query stands on.

    Raises:
        PassError: it is not, for another reason; or it touches what none may: the form, the outputs and their types.
    """
    if after.form is not before.form or after.outputs != before.outputs:
        raise PassError(f"{step.name} changes what is asked for")
    types, was = after.type_of, before.type_of
    for output in before.outputs:
        if types.get(output.name) != was.get(output.name):
            raise PassError(f"{step.name} changes the type of {output}")
    try:
        verify(after)
    except InvalidIR as problem:
        if lost(before, after):
            return False
        raise PassError(f"{step.name} makes a query that breaks a rule: {problem}") from problem
    return not recounted(before, after)


def named(name: str, pipeline: Iterable[Pass | Repeated]) -> Pass:
    """The pass of that name.

    Raises:
        InputError: there is none.
    """
    known = {one.name: one for step in pipeline for one in (step.passes if isinstance(step, Repeated) else (step,))}
    if name not in known:
        raise InputError(f"there is no pass {name!r}; the passes are {', '.join(known)}")
    return known[name]
