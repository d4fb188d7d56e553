"""What a report says, before it is written in any format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pylf.evaluation.answer import shown
from pylf.evaluation.metrics import score
from pylf.evaluation.record import Ended
from pylf.evaluation.summary import NAMES
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pylf.evaluation.breakdowns import Part
    from pylf.evaluation.comparing import Comparison, Difference
    from pylf.evaluation.intervals import Average
    from pylf.evaluation.record import Record, Setup
    from pylf.evaluation.summary import Summary

#: so many questions that failed, or that were gained and lost, are named
_SHOWN = 20
_LONG = 120
#: what breakdowns tell
_PARTS = ("f1", "em", "hits1", "grounded")


@record
class Table:
    """Columns by name; rows of text. All columns but the first ``text`` ones hold numbers."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text: int = 1


@record
class Bars:
    """A plot: a bar for each name, from 0 to ``most``, with the ends of an interval where there is one. ``shares`` are
    told per cent, other values as they are."""

    title: str
    bars: tuple[tuple[str, float, float | None, float | None], ...]
    most: float = 1.0
    shares: bool = True


@record
class Section:
    """A heading, sentences, tables and plots below it."""

    title: str
    sentences: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    plots: tuple[Bars, ...] = ()


@record
class Page:
    """A report."""

    title: str
    sections: tuple[Section, ...]


def score_page(
    summary: Summary,
    records: Sequence[Record],
    parts: Mapping[str, Sequence[Part]],
    *,
    title: str = "Scores",
    allow_partial: bool = False,
) -> Page:
    """The report of one run; ``parts`` are its breakdowns by tag."""
    sections = [_scores(summary, allow_partial), _outcomes(summary), _states(summary), _costs(summary)]
    if summary.coverage:
        sections.append(_depths(summary))
    sections += [_breakdown(tag, found) for tag, found in parts.items()]
    sections += [_wrong(records, allow_partial), _setups(summary.setups)]
    return Page(title, tuple(sections))


def comparison_page(found: Comparison, names: tuple[str, str], texts: Mapping[str, str]) -> Page:
    """The report of a comparison; ``texts`` are the questions by id."""
    told = [f"{found.questions:,} questions that both runs answer and whose gold answers are known."]
    if any(found.apart):
        told.append(f"{found.apart[0]:,} only the first run has, {found.apart[1]:,} only the second.")
    told.append(
        "Intervals by bootstrap over questions; p by swapping the runs at random question by question, exact where all "
        f"differences are of one size. {found.draws:,} draws, seed {found.seed}."
    )
    tables = [_compared("metric, all questions", found.metrics, names)]
    if found.with_gold != found.metrics:
        tables.append(_compared("metric, with gold answers", found.with_gold, names))
    ends = list(dict.fromkeys([*found.ended[0], *found.ended[1]]))
    counts = tuple([(end, *(f"{each.get(end, 0):,}" for each in found.ended)) for end in ends])
    plots = [
        Bars(f"averages of {name}", tuple([(NAMES[n], getattr(d, side), None, None) for n, d in found.metrics.items()]))
        for name, side in zip(names, ("first", "second"), strict=True)
    ]
    changed = [
        Section(title, (f"{len(ids):,} questions.",), (_listed(ids, texts),) if ids else ())
        for title, ids in (("Gained (F1)", found.gained), ("Lost (F1)", found.lost))
    ]
    return Page(
        f"{names[0]} and {names[1]}",
        (
            Section("Metrics", tuple(told), tuple(tables), tuple(plots)),
            Section("Outcomes", ("All questions of each run.",), (Table(("", *names), counts),)),
            *changed,
            *[_setups(setups, f"How {name} was run") for name, setups in zip(names, found.setups, strict=True)],
        ),
    )


def _compared(title: str, metrics: Mapping[str, Difference], names: tuple[str, str]) -> Table:
    rows = [
        (
            NAMES[name],
            _percent(one.first),
            _percent(one.second),
            f"{one.difference * 100:+.1f}",
            _interval(one.low, one.high),
            "–" if one.p_value is None else f"{one.p_value:.3f}",
            f"{one.better}/{one.same}/{one.worse}",
        )
        for name, one in metrics.items()
    ]
    return Table((title, *names, "difference", "95 %", "p", "better/same/worse"), tuple(rows))


def _scores(summary: Summary, allow_partial: bool) -> Section:
    told = [
        f"{summary.questions:,} questions, {summary.scored:,} with known gold answers; failed ones count 0.",
        f"Gold is empty for {summary.empty_gold:,}: an empty answer is right there, and the second average is without.",
        "FF1 = F1 · KGR, of the averages. Intervals: 95 %, bootstrap over questions.",
    ]
    if allow_partial:
        told.append("Incomplete answers are scored with what came.")
    rows = []
    for name, one in summary.averages.items():
        other = summary.with_gold.get(name)
        rows.append((NAMES[name], _percent(one.value), _interval(one.low, one.high), *_other(other)))
    columns = ("metric", "all questions", "95 %", "with gold answers", "95 %")
    bars = tuple([(NAMES[name], one.value, one.low, one.high) for name, one in summary.averages.items()])
    return Section(
        "Scores", tuple(told), (Table(columns, tuple(rows)),), (Bars("all questions", bars),) if bars else ()
    )


def _other(one: Average | None) -> tuple[str, str]:
    return ("–", "") if one is None else (_percent(one.value), _interval(one.low, one.high))


def _outcomes(summary: Summary) -> Section:
    return _counts("Outcomes", summary.ended, summary.questions)


def _states(summary: Summary) -> Section:
    section = _counts("What answers rest on", summary.states, summary.scored)
    told = ["Structured counts 1, synthesis ½, parametric and none 0."]
    if summary.lowered:
        told.append(
            f"{summary.lowered:,} claim a better state than their evidence supports, and count as the lower one."
        )
    return Section(section.title, tuple(told), section.tables, section.plots)


def _counts(title: str, counts: Mapping[str, int], total: int) -> Section:
    rows = tuple([(name, f"{count:,}", _percent(count / total)) for name, count in counts.items()]) if total else ()
    bars = tuple([(name, float(count), None, None) for name, count in counts.items()])
    most = max(counts.values(), default=1)
    plots = (Bars("questions", bars, most, shares=False),) if bars else ()
    return Section(title, (), (Table(("", "questions", "%"), rows),), plots)


def _costs(summary: Summary) -> Section:
    usage, again = summary.cost.total, summary.cost.again
    told = [
        f"{usage.calls:,} calls, {usage.retries:,} retries; tokens: {usage.prompt:,} + {usage.completion:,}.",
        f"From the cache: {usage.cached_calls:,} calls; {usage.cached_prompt:,} + {usage.cached_completion:,} tokens.",
    ]
    if usage.money:
        told.append(f"Money: {usage.money:,.4f}.")
    if usage.unstated:
        told.append(f"Of {usage.unstated:,} requests the server did not say what they cost: tokens are too few.")
    if again.calls or again.seconds:
        spent = f"{again.calls:,} calls, {again.tokens:,} tokens"
        told.append(f"Of these, {spent} are of no question below: attempts that were made again, or answered too late.")
    rows = [
        (name, *("–" if value is None else f"{value:,.6g}" for value in (one.total, one.mean, one.median, one.most)))
        for name, one in summary.cost.each.items()
    ]
    return Section("Cost of a question", tuple(told), (Table(("", "sum", "mean", "median", "most"), tuple(rows)),))


def _depths(summary: Summary) -> Section:
    rows = [
        (str(hops), _percent(share), _percent(f1), _percent(hits1))
        for hops, (share, f1, hits1) in summary.coverage.items()
    ]
    told = ("Questions whose answer is no farther than so many hops: their share, and averages over them.",)
    bars = tuple([(f"{hops} hops", share, None, None) for hops, (share, _, _) in summary.coverage.items()])
    table = Table(("hops, at most", "coverage", "F1", "Hits@1"), tuple(rows))
    return Section("Depth coverage", told, (table,), (Bars("coverage", bars),))


def _breakdown(tag: str, parts: Sequence[Part]) -> Section:
    rows, bars = [], []
    for one in parts:
        values = [one.averages.get(name) for name in _PARTS]
        cells = [*_other(values[0]), _other(one.with_gold.get(_PARTS[0]))[0]]
        cells += ["–" if value is None else _percent(value.value) for value in values[1:]]
        rows.append((one.value, f"{one.count:,}", *cells))
        if values[0] is not None:
            bars.append((one.value, values[0].value, values[0].low, values[0].high))
    columns = (tag, "questions", "F1", "95 %", "F1 with gold answers", *(NAMES[name] for name in _PARTS[1:]))
    return Section(f"By {tag}", (), (Table(columns, tuple(rows)),), (Bars("F1", tuple(bars)),) if bars else ())


def _wrong(records: Sequence[Record], allow_partial: bool) -> Section:
    rows: list[tuple[str, ...]] = []
    count = 0
    for one in records:
        worth = score(one, allow_partial)
        if one.ended in (Ended.ANSWERED, Ended.EMPTY) and (worth is None or worth.f1 == 1):
            continue
        count += 1
        if len(rows) < _SHOWN:
            gold = "" if one.gold is None else ", ".join(map(shown, one.gold))
            answered = one.reason or ", ".join(map(shown, one.answers))
            rows.append(tuple(map(_short, (one.id, one.question, str(one.ended), answered, gold))))
    told = (f"{count:,} questions" + (f"; the first {_SHOWN} are shown." if count > _SHOWN else "."),)
    table = Table(("id", "question", "outcome", "answers, or why none", "gold"), tuple(rows), 5)
    return Section("Not (wholly) right", told, (table,) if rows else ())


def _setups(setups: Sequence[Setup], title: str = "How it was run") -> Section:
    told = (f"The records are of {len(setups)} runs, which differ.",) if len(setups) > 1 else ()
    if not setups:
        told = ("The records do not say.",)
    tables = []
    for one in setups:
        rows = [("run", one.hash), *_flat("", one.to_json())]
        tables.append(Table(("setting", "value"), tuple(rows), 2))  # whole: others need it to get the same (case 68)
    return Section(title, told, tuple(tables))


def _flat(before: str, data: Mapping[str, Any]) -> list[tuple[str, str]]:
    rows = []
    for name, value in data.items():
        rows += _flat(f"{before}{name}.", value) if isinstance(value, dict) else [(before + name, str(value))]
    return rows


def _listed(ids: Sequence[str], texts: Mapping[str, str]) -> Table:
    return Table(("id", "question"), tuple([(_short(i), _short(texts.get(i, ""))) for i in ids[:_SHOWN]]), 2)


def _percent(value: float) -> str:
    return f"{value * 100:.1f}"


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{low * 100:.1f} to {high * 100:.1f}"


def _short(text: str) -> str:
    return text if len(text) <= _LONG else text[:_LONG] + "…"
