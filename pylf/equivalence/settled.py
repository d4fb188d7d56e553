"""Whether a graph settles what a query leaves to the engine: which of several rows that tie are cut off, which value a
``sample`` takes, in which order values are joined to one text, and which of those that tie is the least or greatest.

Where two queries answer differently on a graph that leaves something open for one of them, that shows nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.evaluate import Evaluator
from pylf.ir.expression_values import value
from pylf.ir.expressions import names_in
from pylf.ir.nodes import Aggregate, Slice
from pylf.ir.reductions import rank
from pylf.ir.tables import UNIT, picker
from pylf.ir.traverse import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pylf.ir.expressions import Expression
    from pylf.ir.graph import Graph
    from pylf.ir.nodes import Query, Reduction
    from pylf.ir.reductions import Rank
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.tables import Row
    from pylf.ir.terms import Node

_EXTREMES = frozenset(("min", "max"))
_CHOOSING = _EXTREMES | {"sample", "group_concat"}


def leaves_open(query: Query) -> list[Slice | Aggregate]:
    """The parts of a query that may leave something to the engine."""
    return [conjunct for conjunct in walk(query) if isinstance(conjunct, Slice | Aggregate) and _chooses(conjunct)]


def settled(query: Query, graph: Graph, schema: Schema, vocabulary: Vocabulary) -> bool:
    """Whether all engines have to give one answer to a query on a graph. Each part is looked at by itself, as it is
    closed; where it is not, the query may have one answer nevertheless."""
    solver = Evaluator(graph, schema, vocabulary)
    return not any(
        _cuts_a_tie(part, solver) if isinstance(part, Slice) else _has_a_choice(part, solver)
        for part in leaves_open(query)
    )


def _chooses(part: Slice | Aggregate) -> bool:
    if isinstance(part, Slice):
        return part.limit is not None or part.offset > 0
    return any(reduction.function in _CHOOSING for reduction in part.reductions)


def _cuts_a_tie(part: Slice, solver: Evaluator) -> bool:
    """Whether a slice begins or ends between rows that tie, and that differ."""
    names = tuple([output.name for output in part.outputs])
    if part.distinct:
        looks = names_in(*[key.expression for key in part.order])
        found = solver.solve(part.body, UNIT, looks.union(names))
    else:
        found = solver.whole(part.body)
    asked = picker(found.columns, names)
    keys = [_worth(key.expression, found.columns) for key in part.order]
    rows: list[tuple[Row, list[Rank]]] = [(asked(row), [rank(of(row)) for of in keys]) for row in found.rows]
    for place in range(len(keys) - 1, -1, -1):
        rows = _sorted(rows, place, part.order[place].descending)
    if part.distinct:
        best: dict[Row, list[Rank]] = {}
        for row, ranks in rows:
            best.setdefault(row, ranks)
        rows = list(best.items())
    if part.limit == 0:
        return False
    for cut in (part.offset, len(rows) if part.limit is None else part.offset + part.limit):
        if 0 < cut < len(rows) and rows[cut - 1][1] == rows[cut][1]:
            tied = {row for row, ranks in rows if ranks == rows[cut][1]}
            if len(tied) > 1:
                return True
    return False


def _sorted(rows: list[tuple[Row, list[Rank]]], place: int, descending: bool) -> list[tuple[Row, list[Rank]]]:
    return sorted(rows, key=lambda row: row[1][place], reverse=descending)


def _has_a_choice(part: Aggregate, solver: Evaluator) -> bool:
    """Whether a reduction has several values to choose from."""
    found = solver.whole(part.body)
    key = picker(found.columns, tuple([variable.name for variable in part.group]))
    groups: dict[Row, list[Row]] = {}
    for row in found.rows:
        groups.setdefault(key(row), []).append(row)
    for reduction in part.reductions:
        if reduction.function in _CHOOSING and reduction.of is not None:
            of = _worth(reduction.of, found.columns)
            if any(_are_several(reduction, list(map(of, members))) for members in groups.values()):
                return True
    return False


def _are_several(reduction: Reduction, values: Sequence[Node | None]) -> bool:
    nodes = {node for node in values if node is not None}
    if len(nodes) > 1 and reduction.function in _EXTREMES:
        best = (min if reduction.function == "min" else max)(map(rank, nodes))
        nodes = {node for node in nodes if rank(node) == best}
    return len(nodes) > 1


def _worth(expression: Expression, columns: tuple[str, ...]) -> Callable[[Row], Node | None]:
    """A function from a row to what an expression is worth there."""
    places = {name: place for place, name in enumerate(columns)}
    return lambda row: value(expression, lambda name: row[places[name]])
