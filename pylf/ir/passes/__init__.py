"""The optimizer: rewrites of a query that keep its answers, in one visible order.

Each pass is a file of its own name with a function ``run(query, context)``; :mod:`~pylf.ir.passes.manager` runs them,
:mod:`~pylf.ir.passes.context` is what they may look at besides the query. What an engine wants of the shape of a query
is :mod:`pylf.ir.target`. ``docs/optimizer.md`` tells what they do and how to add one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.passes import (
    merge_comparisons,
    minimize,
    normalize,
    order_joins,
    orient_inverses,
    plan_extremes,
    project_early,
    push_negation,
    shape_negation,
    simplify_types,
)
from pylf.ir.passes.manager import Basis, Pass, Repeated

if TYPE_CHECKING:
    from collections.abc import Iterator

DEFINITION, SCHEMA, ENGINE = Basis.DEFINITION, Basis.SCHEMA, Basis.ENGINE

#: All passes, in their order.
PIPELINE: tuple[Pass | Repeated, ...] = (
    Repeated(
        (
            Pass("normalize", DEFINITION, "what comes after need not look for plain shapes", normalize.run),
            Pass("push-negation", DEFINITION, "a negation that is resolved shows its parts", push_negation.run),
            Pass("simplify-types", SCHEMA, "fewer conjuncts for the passes below to compare", simplify_types.run),
            Pass("orient-inverses", SCHEMA, "the same fact said two ways becomes a duplicate", orient_inverses.run),
            Pass(
                "merge-comparisons",
                DEFINITION,
                "bounds that meet may leave a body that never holds",
                merge_comparisons.run,
            ),
            Pass("minimize", DEFINITION, "what the passes above made alike is folded", minimize.run),
        )
    ),
    Pass("plan-extremes", ENGINE, "what is asked for is settled: from here on it is how", plan_extremes.run),
    Pass("project-early", ENGINE, "after extremes, whose bodies it projects too", project_early.run),
    Pass("shape-negation", ENGINE, "by the sizes of what is left around and inside", shape_negation.run),
    Pass("order-joins", ENGINE, "last, for what stands in each body no longer changes", order_joins.run),
)


def listed() -> Iterator[Pass]:
    """Each pass, in order, once."""
    for step in PIPELINE:
        yield from step.passes if isinstance(step, Repeated) else (step,)
