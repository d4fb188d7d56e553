"""Passes as users have them: each alone, by its name, run and looked after by the manager."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.passes import PIPELINE
from pylf.ir.passes.manager import named, optimized

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.ir.nodes import Query
    from pylf.ir.passes.context import Context


def turn_of(name: str) -> Callable[[Query, Context], Query]:
    """What the pass of that name makes of a query."""
    step = named(name, PIPELINE)

    def run(query: Query, context: Context) -> Query:
        return optimized(query, context, (step,))

    return run
