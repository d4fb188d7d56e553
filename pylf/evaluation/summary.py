"""What a whole run is worth: averages over all of its questions, how they ended, what they rest on, what they cost.

Every question counts: one that failed or was never asked is a 0. Averages are told twice: over all questions, where an
empty answer to a question without answers is right, and over those alone that have gold answers (case 64).

- *KGR* is the average of 1, 0.5 and 0 for structured, synthesis and parametric; a question without an answer adds 0.
- *FF1* = F1 · KGR, of the averages. The paper says that it combines both and no more; the average of the products is
  told beside it, as ``ff1_each``.
- *cost* is told in all, and by question: of time, money and tokens the sum, average, median and most, of memory, which
  questions share, no sum.
- *depth coverage* at d = share of the questions, of those whose hops are known, that have no more than d.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from pylf.evaluation.intervals import DRAWS, Average, averages, selected
from pylf.evaluation.metrics import METRICS, score
from pylf.evaluation.record import Ended, Record
from pylf.models.chat.protocol import Usage
from pylf.models.chat.written import usage_data
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pylf.evaluation.files import Held
    from pylf.evaluation.metrics import Score
    from pylf.evaluation.record import Setup

_STATED = (Ended.ANSWERED, Ended.EMPTY, Ended.INVALID, Ended.TIMEOUT)
MEMORY = "memory (MiB)"
#: What reports call what is averaged.
NAMES = METRICS | {"ff1": "FF1", "ff1_each": "FF1 (by question)"}


@record
class Spread:
    """What questions cost of one thing: the sum (None of what does not add up), average, median and most of one."""

    total: float | None
    mean: float
    median: float
    most: float


@record
class Cost:
    """What questions cost: the usage of the records that count (``usage``), what was spent besides, on attempts that
    were made again or given up (``again``), and by name what a question that was asked cost, as the records that count
    tell it."""

    usage: Usage
    again: Usage
    each: dict[str, Spread]

    @property
    def total(self) -> Usage:
        """All that was spent."""
        return self.usage + self.again


@record
class Summary:
    """What a run is worth.

    ``averages`` are over all questions whose gold is known, ``with_gold`` over those that have gold answers. ``ended``
    and ``states`` count questions; ``lowered``: how many claim a better state than their evidence supports.
    ``coverage``: share of questions of at most so many hops, with F1 and Hits@1 over them.
    """

    questions: int
    scored: int
    empty_gold: int
    ended: dict[str, int]
    states: dict[str, int]
    lowered: int
    averages: dict[str, Average]
    with_gold: dict[str, Average]
    cost: Cost
    coverage: dict[int, tuple[float, float, float]]
    setups: tuple[Setup, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "questions": self.questions,
            "scored": self.scored,
            "empty_gold": self.empty_gold,
            "outcomes": self.ended,
            "states": self.states,
            "lowered_states": self.lowered,
            "averages": averages_data(self.averages),
            "averages_with_gold": averages_data(self.with_gold),
            "cost": {
                "total": usage_data(self.cost.total),
                "counted": usage_data(self.cost.usage),
                "asked_again": usage_data(self.cost.again),
                "each": {
                    name: {"sum": one.total, "mean": one.mean, "median": one.median, "most": one.most}
                    for name, one in self.cost.each.items()
                },
            },
            "depth": {
                str(hops): {"coverage": share, "f1": f1, "hits1": hits1}
                for hops, (share, f1, hits1) in self.coverage.items()
            },
            "runs": [one.to_json() for one in self.setups],
        }


def summarize(
    records: Sequence[Record], *, again: Usage | None = None, draws: int = DRAWS, allow_partial: bool = False
) -> Summary:
    """What a run is worth. ``again`` is what was spent besides what the records say."""
    pairs = [(one, score(one, allow_partial)) for one in records]
    scores = [each for _, each in pairs if each is not None]
    columns = columns_of(scores)
    derived = {"ff1": _ff1} if columns else {}
    states = Counter("none" if each.state is None else str(each.state) for each in scores)
    return Summary(
        len(records),
        len(scores),
        sum(each.empty_gold for each in scores),
        ended_of(records),
        dict(states.most_common()),
        sum(each.lowered for each in scores),
        averages(columns, derived, draws),
        averages(selected(columns, [not each.empty_gold for each in scores]), derived, draws),
        Cost(_total(records), Usage() if again is None else again, _each(records)),
        _coverage(pairs),
        setups_of(records),
    )


def columns_of(scores: Sequence[Score]) -> dict[str, list[float]]:
    """The metrics of questions as columns. A form is averaged where both programs are known for one question at least;
    the others then count 0."""
    columns = {name: [getattr(one, name) for one in scores] for name in METRICS if name != "form"}
    if any(one.form is not None for one in scores):
        columns["form"] = [one.form or 0.0 for one in scores]
    columns["ff1_each"] = [one.f1 * one.grounded for one in scores]
    return columns


def in_order(held: Held, questions: Iterable[Record]) -> list[Record]:
    """The records of a file in the order of the set, with one that was *not asked* for each question that has none.
    ``questions`` are such placeholders; gold is taken from them, and the tags of which the record says nothing.
    """
    from pylf.records import replace

    found = []
    for blank in questions:
        one = held.records.get(blank.id)
        if one is None:
            found.append(blank)
        else:
            found.append(replace(one, gold=blank.gold, others=blank.others, tags={**blank.tags, **one.tags}))
    return found


def averages_data(given: Mapping[str, Average]) -> dict[str, Any]:
    """Averages as plain data."""
    return {
        name: {"value": one.value, "count": one.count, "low": one.low, "high": one.high} for name, one in given.items()
    }


def ended_of(records: Iterable[Record]) -> dict[str, int]:
    """How many questions ended how; those that have to be stated (case 68) also where there are none."""
    counts = Counter(one.ended for one in records)
    return {str(one): counts[one] for one in Ended if counts[one] or one in _STATED}


def setups_of(records: Iterable[Record]) -> tuple[Setup, ...]:
    """Of which runs records are."""
    setups: dict[str, Setup] = {}
    for one in records:
        if one.setup is not None:
            setups.setdefault(one.setup.hash, one.setup)
    return tuple(setups.values())


def _ff1(means: Mapping[str, float]) -> float:
    return means["f1"] * means["grounded"]


def _total(records: Iterable[Record]) -> Usage:
    total = Usage()
    for one in records:
        total += one.usage
    return total


def _each(records: Sequence[Record]) -> dict[str, Spread]:
    """What the questions that were asked cost."""
    asked = [one for one in records if one.ended is not Ended.UNASKED]
    columns: dict[str, list[float]] = {
        "calls": [one.usage.calls for one in asked],
        "retries": [one.usage.retries for one in asked],
        "prompt tokens": [one.usage.prompt for one in asked],
        "completion tokens": [one.usage.completion for one in asked],
        "seconds": [one.seconds for one in asked],
        "money": [one.usage.money for one in asked],
        MEMORY: [one.memory / (1 << 20) for one in asked if one.memory is not None],
    }
    return {
        name: Spread(None if name == MEMORY else sum(v), sum(v) / len(v), _median(v), max(v))
        for name, v in columns.items()
        if any(v)
    }


def _median(values: Sequence[float]) -> float:
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _coverage(pairs: Iterable[tuple[Record, Score | None]]) -> dict[int, tuple[float, float, float]]:
    known = [(hops, each) for one, each in pairs if each is not None and type(hops := one.tags.get("hops")) is int]
    found = {}
    for depth in sorted({hops for hops, _ in known}):
        within = [each for hops, each in known if hops <= depth]
        f1, hits1 = (sum(getattr(each, name) for each in within) / len(within) for name in ("f1", "hits1"))
        found[depth] = (len(within) / len(known), f1, hits1)
    return found
