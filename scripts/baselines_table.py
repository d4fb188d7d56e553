"""The table of docs/runs/baselines.md, from the records of runs on questions with choices.

python scripts/baselines_table.py io.jsonl cot.jsonl …
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from pylf.evaluation.files import read_records
from pylf.evaluation.record import Ended
from pylf.evaluation.summary import summarize

if TYPE_CHECKING:
    from pylf.evaluation.intervals import Average

_HEAD = """\
| run | asked | accuracy, % | 95 % | answered | invalid | calls | tokens | seconds | samples unread | says |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|"""


def row(file: Path) -> str:
    """The row of one run: what it scored, how it ended, what it cost, and how often each choice is the answer."""
    records = list(read_records(file).records.values())
    accuracy = summarize(records).averages["accuracy"]
    ended = Counter(one.ended for one in records)
    says = Counter(one.answers[0].value for one in records if one.answers)
    votes = [one.details["votes"] for one in records if "votes" in one.details]
    unread = sum(asked - read for _, read, asked in votes) if votes else ended[Ended.INVALID]
    cells = (
        file.stem, len(records), *_percent(accuracy), ended[Ended.ANSWERED], ended[Ended.INVALID],
        sum(one.usage.calls for one in records), f"{sum(one.usage.tokens for one in records):,}",
        f"{sum(one.seconds for one in records):.0f}", unread,
        " ".join(f"{choice} {count}" for choice, count in sorted(says.items())),
    )  # fmt: skip
    return "| " + " | ".join(map(str, cells)) + " |"


def _percent(average: Average) -> tuple[str, str]:
    low, high = average.low or 0.0, average.high or 0.0
    return f"{100 * average.value:.1f}", f"{100 * low:.1f} to {100 * high:.1f}"


if __name__ == "__main__":
    print(_HEAD)
    for name in sys.argv[1:]:
        print(row(Path(name)))
