"""What passes changed, for people: a diff of the printed IR for each."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING

from pylf.ir.text import print_query

if TYPE_CHECKING:
    from pylf.ir.nodes import Query
    from pylf.ir.passes.manager import Pass


class Watch:
    """An observer of :func:`pylf.ir.passes.manager.optimized` that keeps the query after each pass that ran."""

    def __init__(self) -> None:
        #: the passes that ran, in order, each with the query before and after it
        self.seen: list[tuple[Pass, Query, Query]] = []

    def __call__(self, step: Pass, before: Query, after: Query) -> None:
        """Keeps what a pass did."""
        self.seen.append((step, before, after))

    def changes(self) -> list[tuple[str, str]]:
        """The passes that changed something, in order, each with the diff of what it changed."""
        return [(step.name, difference(before, after)) for step, before, after in self.seen if after is not before]

    def changed(self, name: str) -> bool:
        """Whether a pass changed something, in any of its turns."""
        return any(after is not before for step, before, after in self.seen if step.name == name)

    def turns(self, name: str) -> list[tuple[Query, Query]]:
        """The query before and after each turn of a pass: those of a repeated group have one a round."""
        return [(before, after) for step, before, after in self.seen if step.name == name]

    def after(self, name: str) -> Query | None:
        """The query as it was after the last turn of a pass; None where that did not run."""
        return next((after for step, _, after in reversed(self.seen) if step.name == name), None)


def difference(before: Query, after: Query) -> str:
    """What differs between two queries: their printed lines, with what goes marked ``-`` and what comes ``+``; ``…``
    stands for lines between that are left out."""
    lines = unified_diff(print_query(before).splitlines(), print_query(after).splitlines(), lineterm="", n=2)
    told = [" …" if line.startswith("@@") else line for line in lines if not line.startswith(("---", "+++"))]
    return "\n".join(told[1:])
