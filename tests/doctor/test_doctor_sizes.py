"""Limits: where a list is cut off, whether rows are lost in silence, and what comes of a time limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.backends.dialects import dialect_named
from pylf.doctor import sizes
from pylf.doctor.probe import Verdict
from pylf.doctor.subject import Counted
from pylf.errors import EngineError, EngineRefused, EngineTimeout
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.doctor.probe import Finding, Row

    Answer = Callable[[str], Counted]


class Limited:
    """An endpoint of which only counts are asked."""

    name, version, remote = "limited", "1", True

    def __init__(self, answer: Answer, **fields: int) -> None:
        self.answer = answer
        self.dialect = replace(dialect_named("sparql11"), **fields)
        self.limits: list[float | None] = []

    def select(self, sparql: str, timeout: float | None) -> list[Row]:
        raise AssertionError(sparql)

    def ask(self, sparql: str, timeout: float | None) -> bool:
        raise AssertionError(sparql)

    def counted(self, sparql: str, timeout: float | None) -> Counted:
        self.limits.append(timeout)
        return self.answer(sparql)


def only(findings: list[Finding]) -> Finding:
    (finding,) = findings
    return finding


def values_up_to(most: int) -> Answer:
    def answer(sparql: str) -> Counted:
        rows = len(sparql.partition("{")[2].partition("{")[2].partition("}")[0].split())
        if rows > most:
            raise EngineRefused("too many")
        return Counted(1, rows)

    return answer


@pytest.mark.parametrize("most", [1, 60, 100, 777, 4094, 19_999])
def test_the_limit_that_is_kept_to_was_seen_to_be_taken(most: int) -> None:
    finding = only(sizes.values_rows(Limited(values_up_to(most)), None))
    assert isinstance(finding.value, int)
    assert 0.9 * most <= finding.value <= most
    assert (finding.verdict, finding.field, finding.alarm) == (Verdict.REFUSED, "values_limit", True)


def test_no_limit_is_searched_for_beyond_what_the_dialect_keeps_to() -> None:
    subject = Limited(values_up_to(4094), values_limit=1000)
    finding = only(sizes.values_rows(subject, None))
    assert (finding.value, finding.alarm) == (None, False)
    assert "1,000 are taken; pylf writes 1,000 at most: too many" in finding.got
    assert len(subject.limits) == 4  # 50, 500, 1,000 and 5,000
    tighter = only(sizes.values_rows(Limited(values_up_to(800), values_limit=1000), None))
    assert (tighter.alarm, isinstance(tighter.value, int) and tighter.value <= 800) == (True, True)


def test_what_takes_too_long_is_no_limit() -> None:
    def late(_: str) -> Counted:
        raise EngineTimeout("too late")

    finding = only(sizes.union_arms(Limited(late), 5.0))
    assert (finding.verdict, finding.value, finding.alarm) == (Verdict.TIMEOUT, None, False)


def test_a_list_that_loses_values_is_a_limit_too() -> None:
    finding = only(sizes.values_rows(Limited(lambda _: Counted(1, 50)), None))
    assert (finding.verdict, finding.value) == (Verdict.WRONG, 50)


@pytest.mark.parametrize(
    ("came", "known", "alarm"),
    [
        (Counted(10_000), None, True),
        (Counted(10_000, None, "X-SPARQL-MaxRows: 10000"), None, False),
        (Counted(10_000), 10_000, False),
        (Counted(10_000), 20_000, True),
    ],
)
def test_rows_that_are_lost_in_silence_are_an_alarm(came: Counted, known: int | None, alarm: bool) -> None:
    subject = Limited(lambda _: came, **({} if known is None else {"row_cap": known}))
    finding = only(sizes.row_cap(subject, None))
    assert (finding.verdict, finding.field, finding.value, finding.alarm) == (
        Verdict.WRONG,
        "row_cap",
        10_000,
        alarm,
    )
    assert finding.got == "10,000 rows, " + (
        f"and the endpoint says so: {came.told}" if came.told else "and nothing says so"
    )


def test_an_answer_that_comes_whole_has_no_cap() -> None:
    finding = only(sizes.row_cap(Limited(lambda _: Counted(sizes.MANY_ROWS)), None))
    assert (finding.verdict, finding.value) == (Verdict.RIGHT, None)


def test_a_long_query_that_is_cut_is_an_alarm() -> None:
    finding = only(sizes.long_text(Limited(lambda sparql: Counted(1, len(sparql) // 2_000)), None))
    assert (finding.verdict, finding.alarm) == (Verdict.WRONG, True)
    whole = only(sizes.long_text(Limited(lambda sparql: Counted(1, sparql.count(":x"))), None))
    assert whole.verdict is Verdict.RIGHT


def raising(problem: EngineError) -> Answer:
    def answer(_: str) -> Counted:
        raise problem

    return answer


@pytest.mark.parametrize(
    ("answer", "verdict", "alarm"),
    [
        (raising(EngineTimeout("S1T00")), Verdict.RIGHT, False),
        (lambda _: Counted(1, 27_000_000), Verdict.RIGHT, False),
        (lambda _: Counted(1, 11, "X-SQL-State: S1TAT"), Verdict.WRONG, False),
        (lambda _: Counted(1, 11), Verdict.WRONG, True),
        (raising(EngineRefused("no")), Verdict.REFUSED, False),
    ],
)
def test_a_part_of_an_answer_has_to_be_marked(answer: Answer, verdict: Verdict, alarm: bool) -> None:
    subject = Limited(answer)
    finding = only(sizes.time_limit(subject, None))
    assert (finding.verdict, finding.alarm) == (verdict, alarm)
    (limit,) = subject.limits
    assert limit is not None


def test_a_query_in_this_process_is_not_made_to_take_too_long() -> None:
    subject = Limited(raising(EngineError("not to be asked")))
    subject.remote = False
    assert sizes.time_limit(subject, None) == []
