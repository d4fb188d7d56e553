"""An examination as a text to read."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from pylf.doctor.gold import NAMED, UNCOMPILED
from pylf.doctor.probe import Use, Verdict
from pylf.errors import first_line, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pylf.doctor.examine import Examination
    from pylf.doctor.gold import Gold
    from pylf.doctor.probe import Finding

#: Of the questions that are not answered for other reasons, so many are named.
_EXAMPLES = 5
_UNTOLD = (Verdict.TIMEOUT, Verdict.UNASKED, Verdict.UNANSWERED)


def render(examination: Examination) -> str:
    """The examination, group by group: ✓ right, ✗ wrong and pylf rests on it, – wrong and it does not, ? not told."""
    return "\n".join(_lines(examination))


def _lines(examination: Examination) -> Iterator[str]:
    yield f"{printable(examination.name)}  ({printable(examination.version)})"
    yield _dialect(examination)
    for group, findings in groupby(examination.findings, key=lambda finding: finding.group):
        yield ""
        yield group
        for finding in findings:
            yield from _finding(finding)
    if examination.gold is not None:
        yield ""
        yield from gold_lines(examination.gold)
    yield ""
    yield _summary(examination)


def _dialect(examination: Examination) -> str:
    taken, said = examination.dialect, examination.identified
    told = f"asked as {taken}"
    if said != taken:
        told += "; does not say what it is" if said is None else f"; says that it is {said}"
    like = examination.closest
    return told if like == taken else f"{told}; answers most like {like}"


def _finding(finding: Finding) -> Iterator[str]:
    yield f"  {_mark(finding)} {finding.shows}"
    match finding.verdict:
        case Verdict.RIGHT | Verdict.UNANSWERED:
            return
        case Verdict.WRONG:
            yield f"      got: {finding.got}"
        case Verdict.REFUSED:
            yield f"      refused: {finding.got}"
        case Verdict.TIMEOUT:
            yield f"      no answer in time: {finding.got}"
        case Verdict.UNASKED:
            yield f"      not asked: {finding.got}"
    if finding.remedy:
        yield f"      {finding.remedy}"


def _mark(finding: Finding) -> str:
    match finding.verdict:
        case Verdict.RIGHT:
            return "✓"
        case Verdict.TIMEOUT | Verdict.UNASKED | Verdict.UNANSWERED:
            return "?"
    return "✗" if finding.alarm else "–"


def gold_lines(gold: Gold) -> Iterator[str]:
    """A gold set, line by line."""
    counts = gold.counts
    yield f"gold: {printable(gold.name)}, {_count(len(gold.questions), 'question')}"
    yield "  " + ", ".join(f"{count:,} {status}" for status, count in counts.items())
    share = gold.empty_share
    if share is not None:
        yield f"  {share:.1%} of the complete answers are empty"
    missing = gold.missing
    if missing:
        yield "  missing from the graph, the first of each empty answer:"
        width = len(f"{missing[0][1]:,}")
        for named, count in missing[:NAMED]:
            yield f"    {count:>{width},}  {named.told}"
        if len(missing) > NAMED:
            yield f"    and {len(missing) - NAMED:,} others"
    agreeing, compared = gold.agreeing
    if compared:
        yield f"  {agreeing:,} of {compared:,} agree with the answers that are given"
    yield from _moved(gold)
    reread = sum(asked.reread for asked in gold.questions)
    if reread:
        yield f"  {reread:,} asked as pylf reads them: the engine refuses their SPARQL as it is written"
    others = [asked for asked in gold.questions if asked.reason]
    for asked in others[:_EXAMPLES]:
        yield f"  {printable(str(asked.id))}: {asked.status}: {printable(asked.reason)}"
    if len(others) > _EXAMPLES:
        yield f"  and {len(others) - _EXAMPLES:,} others that were not answered"
    if counts.get(UNCOMPILED) == len(gold.questions):
        yield "  none could be compiled: is this the schema and the vocabulary of the set?"


def _moved(gold: Gold) -> Iterator[str]:
    """Which answers have moved, and since when."""
    earlier = gold.earlier
    if earlier:
        more = ", …" if len(earlier) > _EXAMPLES else ""
        named = ", ".join([printable(each) for each in earlier[:_EXAMPLES]]) + more
        yield f"  answers are given for another snapshot ({named}); this is {printable(gold.snapshot)}"
    for asked in gold.moved[:_EXAMPLES]:
        found = (("gone", asked.gone), ("new", asked.new))
        told = [f"{len(items):,} {what}: {_some(items)}" for what, items in found if items]
        yield f"    {printable(str(asked.id))}: {'; '.join(told)}"
    if len(gold.moved) > _EXAMPLES:
        yield f"    and {len(gold.moved) - _EXAMPLES:,} others whose answers moved (all with --json)"


def _some(items: tuple[str, ...]) -> str:
    return ", ".join([first_line(item, 80) for item in items[:3]]) + (", …" if len(items) > 3 else "")


def _summary(examination: Examination) -> str:
    findings = examination.findings
    right = sum(finding.verdict is Verdict.RIGHT for finding in findings)
    untold = sum(finding.verdict in _UNTOLD for finding in findings)
    alarms = len(examination.alarms)
    notes = len(findings) - right - untold - alarms
    parts = [f"{right:,} of {len(findings):,} right"]
    if notes:
        parts.append(f"{_count(notes, 'deviation')} that pylf writes around or does not rest on")
    if untold:
        parts.append(f"{untold:,} not told")
    sofar = "" if examination.failure is None else " so far"
    rests = "that its queries rest on"
    parts.append(f"{alarms:,} {rests} wrong" if alarms else f"nothing wrong {rests}{sofar}")
    noted = [finding for finding in examination.alarms if finding.use is Use.ADAPTED and finding.field is not None]
    text = "; ".join(parts)
    if examination.failure is not None:
        return f"{text}\nnot all could be asked: {first_line(examination.failure)}"
    if noted and len(noted) == alarms:
        text += "\na saved profile (--save FILE.toml) makes pylf keep to what was found"
    return text


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
