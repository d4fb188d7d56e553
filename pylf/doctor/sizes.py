"""Limits, measured: how much one query may hold, how many rows an answer has, what a time limit does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.dialects.sparql11 import DIALECT as PLAIN
from pylf.backends.sparql.print import print_tree
from pylf.backends.sparql.query import (
    Aggregate,
    Column,
    Filter,
    Group,
    Operation,
    Select,
    TriplePattern,
    UnionPattern,
    Values,
)
from pylf.doctor.probe import QUOTED, Finding, Use, Verdict, example, integer
from pylf.errors import EngineError, EngineTimeout, first_line
from pylf.ir.terms import Literal, Var

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.backends.sparql.query import Pattern
    from pylf.doctor.subject import Subject

    Measure = Callable[[Subject, float | None], list[Finding]]

LIMITS = "limits"
_ADAPTED = "'pylf doctor --save' notes it, and pylf keeps to it"
#: Rows of VALUES that are tried, and arms of a UNION; between the last that is taken and the first that is not, the
#: limit is searched for.
VALUES_TRIED = (50, 500, 5_000, 20_000)
ARMS_TRIED = (32, 100, 500)
#: A limit is searched for up to this part of itself: what is kept to is what was seen to be taken.
_FINENESS = 20
LONG_TEXT = 100_000
#: A product of so many rows and columns of inline data has :data:`MANY_ROWS` rows.
_SIDES = (150, 134)
MANY_ROWS = _SIDES[0] * _SIDES[1]
#: Counting a product of three columns of so many rows takes every engine a second or more, and none minutes.
_SLOW_SIDE = 300
#: The time limit, in seconds, under which that is asked for.
_HURRY = 1.5

_X, _Y, _Z, _N = Var("x"), Var("y"), Var("z"), Var("n")


def values_rows(subject: Subject, timeout: float | None) -> list[Finding]:
    """How many rows a VALUES block may have."""
    return [
        _limit(
            "values-rows",
            "a VALUES block of {:,} rows is taken",
            "values_limit",
            VALUES_TRIED,
            _values_of,
            subject,
            timeout,
        )
    ]


def listed_values(subject: Subject, timeout: float | None) -> list[Finding]:
    """How many values an IN may have."""
    return [
        _limit(
            "in-values", "an IN of {:,} values is taken", "values_limit", VALUES_TRIED[:-1], _in_of, subject, timeout
        )
    ]


def union_arms(subject: Subject, timeout: float | None) -> list[Finding]:
    """How many arms a UNION may have."""
    return [
        _limit("union-arms", "a UNION of {:,} arms is taken", "arms_limit", ARMS_TRIED, _union_of, subject, timeout)
    ]


def long_text(subject: Subject, timeout: float | None) -> list[Finding]:
    """Whether a long query arrives whole."""
    count = 100
    rows = tuple([(Literal(f"{at}:" + "x" * (LONG_TEXT // count)),) for at in range(count)])
    query = _counting(Values((_X,), rows))
    verdict, got = _tried(subject, query, count, timeout)
    remedy = (
        "" if verdict is Verdict.RIGHT else "long questions (many candidates, classes with many subclasses) fail here"
    )
    return [
        Finding(
            "query-length",
            LIMITS,
            f"a query of {LONG_TEXT // 1000} kB arrives whole",
            verdict,
            Use.EMITTED,
            got,
            alarm=verdict not in (Verdict.RIGHT, Verdict.TIMEOUT),
            remedy=remedy,
        )
    ]


def row_cap(subject: Subject, timeout: float | None) -> list[Finding]:
    """Whether an answer of many rows comes whole, and where it is cut."""
    sides = [
        Values((var,), tuple([(integer(at),) for at in range(size)]))
        for var, size in zip((_X, _Y), _SIDES, strict=True)
    ]
    query = print_tree(Select((_X, _Y), Group(tuple(sides))), PLAIN)
    shows = f"an answer of {MANY_ROWS:,} rows comes whole"
    try:
        came = subject.counted(query, timeout)
    except EngineTimeout as late:
        return [Finding("row-cap", LIMITS, shows, Verdict.TIMEOUT, Use.ADAPTED, first_line(late, QUOTED))]
    except EngineError as refused:
        return [Finding("row-cap", LIMITS, shows, Verdict.REFUSED, Use.ADAPTED, first_line(refused, QUOTED))]
    if came.rows == MANY_ROWS:
        return [Finding("row-cap", LIMITS, shows, Verdict.RIGHT, Use.ADAPTED)]
    known = subject.dialect.row_cap
    got = f"{came.rows:,} rows, " + (f"and the endpoint says so: {came.told}" if came.told else "and nothing says so")
    return [
        Finding(
            "row-cap",
            LIMITS,
            shows,
            Verdict.WRONG,
            Use.ADAPTED,
            got,
            "row_cap",
            came.rows,
            not came.told and (known is None or known > came.rows),
            "'pylf doctor --save' notes it, and pylf asks for more rows page by page",
        )
    ]


def time_limit(subject: Subject, timeout: float | None) -> list[Finding]:
    """What comes where a time limit is reached."""
    shows = "a query that takes too long ends as a time-out, not with a part of its answer"
    if not subject.remote:
        return []
    rows = tuple([(integer(at),) for at in range(_SLOW_SIDE)])
    query = _counting(*[Values((var,), rows) for var in (_X, _Y, _Z)])
    whole = _SLOW_SIDE**3
    limit = _HURRY if timeout is None else min(timeout, _HURRY)
    try:
        came = subject.counted(query, limit)
    except EngineTimeout:
        return [Finding("time-limit", LIMITS, shows, Verdict.RIGHT, Use.EMITTED)]
    except EngineError as refused:
        return [Finding("time-limit", LIMITS, shows, Verdict.REFUSED, Use.FOREIGN, first_line(refused, QUOTED))]
    if came.number == whole:
        return [Finding("time-limit", LIMITS, shows, Verdict.RIGHT, Use.EMITTED)]
    part = f"{came.number if came.number is not None else came.rows:,} instead of {whole:,}"
    got = f"{part}, and the endpoint says so: {came.told}" if came.told else f"{part}, and nothing says so"
    remedy = "answers that are marked as partial are never scored or kept" if came.told else "give no --timeout here"
    return [Finding("time-limit", LIMITS, shows, Verdict.WRONG, Use.EMITTED, got, alarm=not came.told, remedy=remedy)]


#: The measures, by the names and in the words that they are told in where they are not made.
NAMES: dict[Measure, tuple[str, str]] = {
    values_rows: ("values-rows", "how many rows a VALUES block may have"),
    listed_values: ("in-values", "how many values an IN may have"),
    union_arms: ("union-arms", "how many arms a UNION may have"),
    long_text: ("query-length", "whether a long query arrives whole"),
    row_cap: ("row-cap", "whether an answer of many rows comes whole"),
    time_limit: ("time-limit", "what comes where a time limit is reached"),
}
MEASURES: tuple[Measure, ...] = tuple(NAMES)


# --- searching for a limit ------------------------------------------------------------------------------------------


def _limit(
    name: str,
    shows: str,
    field: str,
    tried: tuple[int, ...],
    query_of: Callable[[int], tuple[str, int]],
    subject: Subject,
    timeout: float | None,
) -> Finding:
    taken, got, verdict = 0, "", Verdict.RIGHT
    beyond = 0
    known: int | None = getattr(subject.dialect, field)
    for size in sorted({*tried, *([] if known is None else [known])}):
        verdict, got = _tried(subject, *query_of(size), timeout)
        if verdict is not Verdict.RIGHT:
            beyond = size
            break
        taken = size
    if not beyond:
        return Finding(name, LIMITS, shows.format(tried[-1]), Verdict.RIGHT, Use.ADAPTED)
    if verdict is Verdict.TIMEOUT:
        return Finding(name, LIMITS, shows.format(beyond), verdict, Use.ADAPTED, got)
    if known is not None and known <= taken:
        told = f"{taken:,} are taken; pylf writes {known:,} at most: {got}"
        return Finding(name, LIMITS, shows.format(beyond), verdict, Use.ADAPTED, told, field)
    failing = beyond
    while failing - taken > max(1, taken // _FINENESS):
        middle = (taken + failing) // 2
        if _tried(subject, *query_of(middle), timeout)[0] is Verdict.RIGHT:
            taken = middle
        else:
            failing = middle
    told = f"{taken:,} are taken, {failing:,} are not: {got}"
    return Finding(name, LIMITS, shows.format(beyond), verdict, Use.ADAPTED, told, field, taken, True, _ADAPTED)


def _tried(subject: Subject, query: str, expected: int, timeout: float | None) -> tuple[Verdict, str]:
    """Whether a count comes out as expected."""
    try:
        came = subject.counted(query, timeout)
    except EngineTimeout as late:
        return Verdict.TIMEOUT, first_line(late, QUOTED)
    except EngineError as refused:
        return Verdict.REFUSED, first_line(refused, QUOTED)
    if came.number == expected:
        return Verdict.RIGHT, ""
    return Verdict.WRONG, f"{came.number if came.number is not None else 'no number'} instead of {expected:,}"


def _counting(*patterns: Pattern) -> str:
    return print_tree(Select((Column(Aggregate("COUNT", None), _N),), Group(patterns)), PLAIN)


def _values_of(size: int) -> tuple[str, int]:
    return _counting(Values((_X,), tuple([(integer(at),) for at in range(size)]))), size


def _in_of(size: int) -> tuple[str, int]:
    few = Values((_X,), ((integer(0),), (integer(size - 1),), (integer(size),)))
    listed = Filter(Operation("IN", (_X, *[integer(at) for at in range(size)])))
    return _counting(few, listed), 1 if size == 1 else 2


def _union_of(size: int) -> tuple[str, int]:
    nothing = example("nothing")
    arms = tuple([Group((TriplePattern(example(f"arm{at}"), nothing, _X),)) for at in range(size)])
    return _counting(UnionPattern(arms) if size > 1 else arms[0]), 0
