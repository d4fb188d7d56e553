"""Whether a rewrite pays, by estimates that know little: it has to in general, and must not do harm at the worst."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.passes.cost import Costs

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.ir.passes.context import Context

#: A rewrite has to make things so many times faster where they are as they mostly are, and on the (geometric) average.
_LEAST = 1.1
#: It may not make them so many times slower where constants are hubs, and where they are rare: there what is asked is
#: small as well, so that what is lost is little against what is gained elsewhere.
_HARMLESS = 0.75
_BOUNDED = 0.2


class Assumptions:
    """Estimates under three assumptions: as things mostly are (``likely``: questions name what is popular, ranges are
    selective); where constants are like any other and ranges let all values pass (``rare``), where there is the least
    to gain; and where constants are hubs, and ranges all but empty (``hub``)."""

    __slots__ = ("hub", "likely", "rare")

    def __init__(self, context: Context) -> None:
        # what one pass has estimated need not be estimated by the next
        self.likely = context.once("costs, likely", Costs.likely)
        self.rare = context.once("costs, rare", _rare)
        self.hub = context.once("costs, hub", _hub)

    def better(self, work: Callable[[Costs], tuple[float, float]]) -> bool:
        """Whether a rewrite pays, given the ``work`` (before, after) under one assumption: it has to as things mostly
        are and on the average of all assumptions, and must not do much harm under any of them."""
        before, after = work(self.likely)
        if before < after * _LEAST:
            return False
        gain = before / after
        before, after = work(self.hub)
        if before < after * _HARMLESS:
            return False
        gain *= before / after
        before, after = work(self.rare)
        return before >= after * _BOUNDED and gain * before >= after * _LEAST


def _rare(context: Context) -> Costs:
    return Costs(context, 0.0, 1.0)


def _hub(context: Context) -> Costs:
    return Costs(context, 0.75, 0.01)
