"""A process that runs blocks for another one: it is sent a plan, then numbers of blocks, and sends rows of the journal.

It has engines of its own and ends them, and itself, when nothing more is asked.
"""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any

from pylf.errors import PylfError
from pylf.testing.differential.engines import Engines
from pylf.testing.differential.plan import Plan, Runner


def main() -> None:
    """Serves the process that has started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other one is told of Ctrl-C, and asks nothing more
    first = json.loads(sys.stdin.readline())
    plan = Plan.from_json(first["plan"])
    if any(share.engine == "rdflib" and share.pairs for share in plan.shares):
        _look_for_no_comments()
    with Engines() as engines:
        runner = Runner(plan, engines, Path(first["folder"]))
        try:
            _say({"about": runner.about()})
            for line in sys.stdin:
                _say(runner.block(int(line)))
        except PylfError as error:
            _say({"problem": str(error)})


def _look_for_no_comments() -> None:
    """Has rdflib's parser not look for a comment before each token, which is two fifths of what it does. The texts that
    it is sent here have none. For this process alone."""
    from rdflib.plugins.sparql.parser import QueryUnit

    seen: set[int] = set()
    left: list[Any] = [QueryUnit]
    while left:
        element = left.pop()
        if element is None or id(element) in seen:
            continue
        seen.add(id(element))
        element.ignoreExprs = []
        left += [*getattr(element, "exprs", ()), getattr(element, "expr", None)]


def _say(row: object) -> None:
    sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
