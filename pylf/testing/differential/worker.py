"""A process that runs blocks for another one: it is sent a plan, then numbers of blocks, and sends rows of the journal.

It has engines of its own and ends them, and itself, when nothing more is asked. All of its work is done on one thread
with a deep stack, for that is what Oxigraph needs for long texts, and a thread for each of them costs more than asking.
"""

from __future__ import annotations

import gc
import json
import signal
import sys
import threading
from pathlib import Path

from pylf.errors import PylfError
from pylf.testing.differential.engines import MAKERS, Engines, oxigraph_here
from pylf.testing.differential.plan import Plan, Runner
from pylf.testing.differential.rdflib_parser import quicken

#: address space, not memory
_DEEP_STACK = 1 << 30


def main() -> None:
    """Serves the process that has started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other one is told of Ctrl-C, and asks nothing more
    threading.stack_size(_DEEP_STACK)
    thread = threading.Thread(target=_serve)
    thread.start()
    thread.join()


def _serve() -> None:
    first = json.loads(sys.stdin.readline())
    plan = Plan.from_json(first["plan"])
    if any(share.engine == "rdflib" and share.pairs for share in plan.shares):
        quicken()
    with Engines({**MAKERS, "oxigraph": oxigraph_here}) as engines:
        runner = Runner(plan, engines, Path(first["folder"]))
        try:
            _say({"about": runner.about()})
            gc.freeze()  # what is there by now stays, and need not be looked at again
            for line in sys.stdin:
                _say(runner.block(int(line)))
        except PylfError as error:
            _say({"problem": str(error)})


def _say(row: object) -> None:
    sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
