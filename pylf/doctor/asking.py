"""Asking the probes, one after the other."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from pylf.doctor import sizes
from pylf.doctor.probe import QUOTED, Finding, Use, Verdict
from pylf.doctor.probes import emitted, triples, without_data
from pylf.doctor.subject import truth
from pylf.errors import EngineError, EngineTimeout, first_line, printable
from pylf.ir.values import identity

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from pylf.doctor.probe import Probe, Row
    from pylf.doctor.subject import Subject

#: What every engine answers.
ALIVE = "ASK {}"
#: Rows that a finding quotes.
_QUOTED = 4


class Found(NamedTuple):
    """The findings, and the error that ended the asking: what was to be asked from then on is marked as not answered.
    None: all was asked."""

    findings: list[Finding]
    failure: EngineError | None


def findings_of(
    subject: Subject, timeout: float | None = None, progress: Callable[[int, int], None] | None = None
) -> Found:
    """The findings of all probes, in their order. ``timeout`` is in seconds, for each query.

    Raises:
        EngineError: not even the simplest query is answered: the endpoint cannot be reached, or is none.
    """
    subject.ask(ALIVE, timeout)
    findings: list[Finding] = []
    failure: EngineError | None = None
    anchor, lacking = None, ""
    try:
        anchor, lacking = _anchor(subject, timeout)
    except EngineError as problem:
        failure = problem
    probes = without_data(subject.dialect)
    if anchor is not None:
        probes += (*emitted.over_triple(anchor, subject.dialect), *triples.probes(anchor, subject.dialect))
    measures = sizes.MEASURES
    total = len(probes) + len(measures)
    for number, probe in enumerate(probes, 1):
        if failure is None:
            try:
                findings.append(asked(subject, probe, timeout))
            except EngineError as problem:
                failure = problem
        if failure is not None:
            findings.append(Finding(probe.name, probe.group, probe.shows, Verdict.UNANSWERED, probe.use))
        if progress is not None:
            progress(number, total)
    if anchor is None:
        shows = "negation and paths over the graph's own triples"
        verdict = Verdict.UNASKED if lacking else Verdict.UNANSWERED
        findings.append(Finding("not-exists", emitted.OVER_A_TRIPLE, shows, verdict, Use.EMITTED, lacking))
    for number, measure in enumerate(measures, len(probes) + 1):
        if failure is None:
            try:
                findings += _measured(subject, measure, timeout)
            except EngineError as problem:
                failure = problem
        if failure is not None:
            name, shows = sizes.NAMES[measure]
            findings.append(Finding(name, sizes.LIMITS, shows, Verdict.UNANSWERED, Use.ADAPTED))
        if progress is not None:
            progress(number, total)
    return Found(findings, failure)


def _measured(subject: Subject, measure: sizes.Measure, timeout: float | None) -> list[Finding]:
    """What comes of a measure. A limit, to be one, has to leave the engine answering: raises EngineError otherwise."""
    found = measure(subject, timeout)
    if any(finding.verdict is not Verdict.RIGHT for finding in found):
        subject.ask(ALIVE, timeout)
    return found


def asked(subject: Subject, probe: Probe, timeout: float | None = None) -> Finding:
    """What comes of one probe.

    Raises:
        EngineError: nothing is answered any more.
    """
    verdict, got = _outcome(subject, probe, timeout)
    value: bool | None = None
    alarm = False
    if probe.field is not None and verdict is not Verdict.TIMEOUT:
        known = getattr(subject.dialect, probe.field)
        if verdict is Verdict.WRONG or (verdict is Verdict.REFUSED and not probe.refusable):
            value = probe.wrong
            alarm = known is not probe.wrong
    elif probe.use is Use.EMITTED:
        alarm = verdict in (Verdict.WRONG, Verdict.REFUSED)
    remedy = probe.remedy or probe.use.remedy
    if verdict is Verdict.RIGHT:
        remedy = ""
    elif probe.field is not None and value is None:
        remedy = "a refusal does not tell whether it is so"
    elif value is not None and not alarm:
        remedy = f"so the dialect {subject.dialect.name} has it, and pylf writes around it"
    return Finding(
        probe.name,
        probe.group,
        probe.shows,
        verdict,
        probe.use,
        got,
        probe.field,
        value,
        alarm,
        remedy,
    )


def _outcome(subject: Subject, probe: Probe, timeout: float | None) -> tuple[Verdict, str]:
    try:
        if probe.query.lstrip().startswith("ASK"):
            found: list[Row] = [(truth(subject.ask(probe.query, timeout)),)]
        else:
            found = subject.select(probe.query, timeout)
    except EngineError as failed:
        subject.ask(ALIVE, timeout)  # raises where nothing is answered any more
        verdict = Verdict.TIMEOUT if isinstance(failed, EngineTimeout) else Verdict.REFUSED
        return verdict, first_line(failed, QUOTED)
    came, expected = _bag(found, probe.exact), _bag(probe.expected, probe.exact)
    if came == expected or (probe.distinct and came.keys() == expected.keys()):
        return Verdict.RIGHT, ""
    return Verdict.WRONG, _quoted(found)


def _bag(found: Iterable[Row], exact: bool) -> Counter[tuple[Hashable, ...]]:
    if exact:
        return Counter([tuple(row) for row in found])
    return Counter([tuple([None if node is None else identity(node) for node in row]) for row in found])


def _quoted(found: list[Row]) -> str:
    if not found:
        return "no rows"
    shown = [" ".join(["unbound" if node is None else printable(str(node)) for node in row]) for row in found[:_QUOTED]]
    more = f"; {len(found):,} rows" if len(found) > _QUOTED else ""
    return first_line("; ".join(shown), QUOTED) + more


def _anchor(subject: Subject, timeout: float | None) -> tuple[triples.Anchor | None, str]:
    """A triple to ask about, or why there is none. Raises EngineError where nothing is answered any more."""
    try:
        anchor = triples.anchor_among(
            subject.select(triples.sample(), timeout), lambda query: subject.select(query, timeout)
        )
    except EngineError as failed:
        subject.ask(ALIVE, timeout)
        return None, f"no triple could be had: {first_line(failed, QUOTED)}"
    return anchor, "" if anchor is not None else "the graph holds no triple between two IRIs"
