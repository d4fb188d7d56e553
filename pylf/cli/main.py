"""The ``pylf`` command: as little as can stand before an interruption is caught.

All else, which takes a while to import, is in :mod:`pylf.cli.dispatch`.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as typing has it, which takes longer to import than all of this
if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that ``arguments`` (``sys.argv`` by default) name, and give its exit status."""
    try:
        from pylf.cli.dispatch import carried_out

        return carried_out(list(sys.argv[1:] if arguments is None else arguments))
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write("pylf: interrupted\n")
        return INTERRUPTED
