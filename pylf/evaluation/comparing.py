"""Which of two runs is better, question by question: they answer the same ones, so the differences are what counts.

The interval is that of the average difference, by bootstrap over questions. The p-value is the probability of a
difference at least as large, to either side, if the runs were no different, by swapping the two at random question by
question; where it can be counted out (metrics of 0 and 1: the exact sign test, McNemar's) it is.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from pylf.errors import InputError
from pylf.evaluation.intervals import DRAWS, SEED, averages, drawing, selected
from pylf.evaluation.metrics import METRICS, score
from pylf.evaluation.summary import columns_of, ended_of, setups_of
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pylf.evaluation.record import Record, Setup


@record
class Difference:
    """Of a metric: both averages, the difference (second less first) with its interval, the p-value (None where it has
    to be drawn and nothing is), and how often the second run is better, the same, worse."""

    first: float
    second: float
    difference: float
    low: float | None
    high: float | None
    p_value: float | None
    better: int
    same: int
    worse: int


@record
class Comparison:
    """``questions`` that both runs have; ``apart``: how many only the first and only the second have; ``with_gold``:
    the same ``metrics`` over those that have gold answers; ``gained`` and ``lost``: the questions with a better and a
    worse F1; ``ended``: how all questions of each run ended; ``setups`` of each run; ``draws`` from ``seed``."""

    questions: int
    apart: tuple[int, int]
    metrics: dict[str, Difference]
    with_gold: dict[str, Difference]
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    ended: tuple[dict[str, int], dict[str, int]]
    setups: tuple[tuple[Setup, ...], tuple[Setup, ...]]
    draws: int
    seed: int

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        told = {"metrics": self.metrics, "metrics_with_gold": self.with_gold}
        return {
            "questions": self.questions,
            "only_first": self.apart[0],
            "only_second": self.apart[1],
            **{
                name: {key: {part: getattr(one, part) for part in _PARTS} for key, one in given.items()}
                for name, given in told.items()
            },
            "gained": list(self.gained),
            "lost": list(self.lost),
            "outcomes": list(self.ended),
            "runs": [[one.to_json() for one in given] for given in self.setups],
            "draws": self.draws,
            "seed": self.seed,
        }


_PARTS = Difference.__match_args__


def compare(
    first: Sequence[Record], second: Sequence[Record], *, draws: int = DRAWS, allow_partial: bool = False
) -> Comparison:
    """Compare two runs on the questions that both have.

    Raises:
        InputError: there are none whose gold is known, or gold differs.
    """
    left = {one.id: one for one in first}
    right = {one.id: one for one in second}
    shared = [name for name in left if name in right]
    for name in shared:
        _check(left[name], right[name])
    pairs = [(score(left[name], allow_partial), score(right[name], allow_partial)) for name in shared]
    before, after = [a for a, b in pairs if a and b], [b for a, b in pairs if a and b]
    if not before:
        raise InputError("the two runs have no question in common whose gold answers are known")
    one, other = columns_of(before), columns_of(after)
    answered = [not each.empty_gold for each in before]
    ids = [each.id for each in before]
    change = [b - a for a, b in zip(one["f1"], other["f1"], strict=True)]
    return Comparison(
        len(before),
        (len(left) - len(shared), len(right) - len(shared)),
        _differences(one, other, draws),
        _differences(selected(one, answered), selected(other, answered), draws) if any(answered) else {},
        tuple([name for name, by in zip(ids, change, strict=True) if by > 0]),
        tuple([name for name, by in zip(ids, change, strict=True) if by < 0]),
        (ended_of(first), ended_of(second)),
        (setups_of(first), setups_of(second)),
        draws,
        SEED,
    )


def _check(one: Record, other: Record) -> None:
    """That two records are scored against the same.

    Raises:
        InputError: they are not.
    """
    told = f"the two runs have other gold answers for {one.id!r}"
    if one.gold != other.gold:
        raise InputError(told)
    if one.others != other.others:
        kept = f"the first keeps {len(one.others)} further readings, the second {len(other.others)}"
        raise InputError(f"{told}: the same in the first reading, but {kept}, and not the same ones")


def _differences(
    one: Mapping[str, Sequence[float]], other: Mapping[str, Sequence[float]], draws: int
) -> dict[str, Difference]:
    return {name: _difference(one[name], other[name], draws) for name in one if name in other and name in METRICS}


def _difference(one: Sequence[float], other: Sequence[float], draws: int) -> Difference:
    change = [b - a for a, b in zip(one, other, strict=True)]
    found: Mapping[str, Any] = averages({"change": change}, {}, draws)
    mean = found["change"]
    return Difference(
        sum(one) / len(one),
        sum(other) / len(other),
        mean.value,
        mean.low,
        mean.high,
        p_value(change, draws),
        sum(by > 0 for by in change),
        sum(by == 0 for by in change),
        sum(by < 0 for by in change),
    )


def p_value(change: Sequence[float], draws: int = DRAWS, seed: int = SEED) -> float | None:
    """How likely a sum of differences as far from 0, to either side, is where each sign is a coin's; None where that
    cannot be counted out, and there are no draws. Of draws, what is seen itself is one (so that it is never 0)."""
    moved = [abs(by) for by in change if by]
    if not moved:
        return 1.0
    if min(moved) == max(moved):
        return _sign_test(sum(by > 0 for by in change), len(moved))
    if not draws:
        return None
    total = abs(sum(change)) - 1e-9
    source = drawing(seed)
    extreme = 0
    for _ in range(draws):
        signs = source.getrandbits(len(moved))
        extreme += abs(sum([by if signs >> place & 1 else -by for place, by in enumerate(moved)])) >= total
    return (extreme + 1) / (draws + 1)


def _sign_test(better: int, count: int) -> float:
    """Two-sided, exact."""
    tail = min(better, count - better)
    ways = sum(math.comb(count, k) for k in range(tail + 1))
    share: float = 2 * ways / (1 << count)  # of whole numbers however large
    return min(1.0, share)
