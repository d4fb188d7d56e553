"""How far an average may be off: percentile intervals by bootstrap over questions.

Questions are drawn with replacement, as many as there are, always from the same seed; all metrics are averaged over
the same draws, so that what is made of two averages (FF1) has an interval too.
"""

from __future__ import annotations

import random
from itertools import compress
from typing import TYPE_CHECKING

from pylf.errors import InputError
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

DRAWS = 1_000
SEED = 20_260
LEVEL = 0.95
#: a column has so many bits of the number that holds a question's values, of which the values have 30
_LANE = 64
_MASK = (1 << _LANE) - 1
_UNIT = 1 << 30


@record
class Average:
    """An average over ``count`` questions, and the interval that holds 95 % of the draws; None without draws."""

    value: float
    count: int
    low: float | None = None
    high: float | None = None


def averages(
    columns: Mapping[str, Sequence[float]],
    derived: Mapping[str, Callable[[Mapping[str, float]], float]],
    draws: int = DRAWS,
    seed: int = SEED,
) -> dict[str, Average]:
    """The average of each column, and what is derived of the averages, with intervals. Columns are of one length, a
    value for each question; without questions there are no averages.

    Raises:
        InputError: ``draws`` is negative.
    """
    if draws < 0:
        raise InputError(f"an interval takes 0 draws or more, not {draws}")
    count = len(next(iter(columns.values()), ()))
    if not count:
        return {}
    plain = _derived({name: sum(values) / count for name, values in columns.items()}, derived)
    if not draws:
        return {name: Average(value, count) for name, value in plain.items()}
    drawn: dict[str, list[float]] = {name: [] for name in plain}
    for means in _means(columns, count, draws, seed):
        for name, value in _derived(means, derived).items():
            drawn[name].append(value)
    return {name: Average(value, count, *between(drawn[name])) for name, value in plain.items()}


def _means(columns: Mapping[str, Sequence[float]], count: int, draws: int, seed: int) -> Iterator[dict[str, float]]:
    """The averages of each draw. A question's values stand side by side in one whole number, so that one sum adds up
    all columns. Values are rounded to 1e-9 of their column's range."""
    lowest = {name: min(values) for name, values in columns.items()}
    span = {name: max(values) - lowest[name] or 1.0 for name, values in columns.items()}
    packed = [0] * count
    for place, (name, values) in enumerate(columns.items()):
        low, unit, shift = lowest[name], _UNIT / span[name], place * _LANE
        packed = [whole | round((value - low) * unit) << shift for whole, value in zip(packed, values, strict=True)]
    source = drawing(seed)
    for _ in range(draws):
        total = sum(source.choices(packed, k=count))
        means = {}
        for name in columns:
            means[name] = lowest[name] + (total & _MASK) * span[name] / (_UNIT * count)
            total >>= _LANE
        yield means


def drawing(seed: int) -> random.Random:
    """What draws by a seed: the same everywhere, and no secret."""
    return random.Random(seed)


def between(values: Sequence[float], level: float = LEVEL) -> tuple[float, float]:
    """The interval that holds the middle ``level`` of some values."""
    ordered = sorted(values)
    cut = (1 - level) / 2 * (len(ordered) - 1)
    return _at(ordered, cut), _at(ordered, len(ordered) - 1 - cut)


def _at(ordered: Sequence[float], place: float) -> float:
    """The value at a place between two, by straight line."""
    below = int(place)
    if below + 1 >= len(ordered):
        return ordered[-1]
    return ordered[below] + (ordered[below + 1] - ordered[below]) * (place - below)


def _derived(
    means: Mapping[str, float], derived: Mapping[str, Callable[[Mapping[str, float]], float]]
) -> dict[str, float]:
    return {**means, **{name: make(means) for name, make in derived.items()}}


def selected(columns: Mapping[str, Sequence[float]], chosen: Sequence[bool]) -> dict[str, list[float]]:
    """The columns of some of the questions."""
    return {name: list(compress(values, chosen)) for name, values in columns.items()}
