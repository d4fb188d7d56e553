"""The reference evaluator's wide tier: what left joins, conditions, extensions, reductions and slices mean.

A body with such conjuncts is solved in the order that its meaning has: what binds for certain first
(:mod:`pylf.ir.solve`), and with it the conditions that need no more; then the left joins, which see nothing of one
another; then the extensions, each after those that it looks at; then the other conditions. An open variable has None in
its column.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import InvalidIR
from pylf.ir.expression_values import truth, value
from pylf.ir.expressions import names_in
from pylf.ir.mentions import mentions
from pylf.ir.nodes import Aggregate, Body, Condition, Extend, LeftJoin, Slice
from pylf.ir.reductions import rank, reduced, settled
from pylf.ir.scope import STAGED, bound, in_dependence, never, opened
from pylf.ir.solve import Solver
from pylf.ir.tables import UNIT, Table, join, picker, project

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pylf.ir.expression_values import Lookup
    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Conjunct, Reduction
    from pylf.ir.reductions import Rank
    from pylf.ir.solve import Step
    from pylf.ir.tables import Row
    from pylf.ir.terms import Node


class WideSolver(Solver):
    """Solves bodies of both tiers; what it takes for a conjunct of the core to hold is not said here."""

    def solve(self, body: Body, seeds: Table, wanted: frozenset[str]) -> Table:
        """The solutions of ``body`` that agree with a row of ``seeds``, as far as the ``wanted`` variables go."""
        if STAGED.isdisjoint(map(type, body.conjuncts)):
            return super().solve(body, seeds, wanted)
        if never(body):
            return Table(tuple(wanted), ())
        return self.staged(body, seeds, wanted)

    def staged(self, body: Body, seeds: Table, wanted: frozenset[str]) -> Table:
        """The same, of a body with conjuncts that wait for others."""
        first = [conjunct for conjunct in body.conjuncts if type(conjunct) not in STAGED]
        _, visible = self.steps(Body(tuple(first)), seeds.columns)
        left_joins, extensions, conditions = [], [], []
        for conjunct in body.conjuncts:
            match conjunct:
                case LeftJoin():
                    left_joins.append(conjunct)
                case Extend():
                    extensions.append(conjunct)
                case Condition() if mentions(conjunct) <= visible:
                    first.append(conjunct)
                case Condition():
                    conditions.append(conjunct)
        late: tuple[Conjunct, ...] = (*extensions, *conditions)
        looks = wanted.union(*map(mentions, late))
        asked = looks.union(*map(mentions, left_joins)) & visible
        table = super().solve(Body(tuple(first)), seeds, asked)
        for left_join in left_joins:
            if not table.rows:
                break
            table = self.left_join(left_join.body, table, visible, looks)
        if not table.rows:
            return Table(tuple(wanted), ())
        for extension in _in_order(extensions, table.columns):
            table = _extended(table, extension)
        missing = wanted.union(*map(mentions, conditions)).difference(table.columns)
        if missing:
            raise InvalidIR(f"nothing binds {', '.join([f'?{name}' for name in sorted(missing)])}")
        for condition in conditions:
            table = satisfying(condition.expression, table)
        return project(table, tuple([name for name in table.columns if name in wanted]))

    def left_join(self, body: Body, table: Table, visible: frozenset[str], looks: frozenset[str]) -> Table:
        """Each row with every solution of the body that agrees with it, or, where there is none, once with nothing."""
        new = (bound(body, visible) | opened(body, visible)) - visible
        asked = tuple(sorted(new & looks))
        if not asked:
            return table
        seen = mentions(LeftJoin(body))
        shared = tuple([name for name in table.columns if name in seen])
        solved = self.solve(body, project(table, shared), frozenset((*shared, *asked)))
        found: dict[Row, list[Row]] = {}
        key, rest = picker(solved.columns, shared), picker(solved.columns, asked)
        for row in solved.rows:
            found.setdefault(key(row), []).append(rest(row))
        near = picker(table.columns, shared)
        nothing: list[Row] = [(None,) * len(asked)]
        rows = [row + more for row in table.rows for more in found.get(near(row), nothing)]
        return Table(table.columns + asked, rows)

    def wide(self, step: Step, table: Table) -> Table:
        """The rows of ``table``, extended in every way in which a conjunct of the wide tier holds.

        Raises:
            InvalidIR: it is no conjunct.
        """
        match step.conjunct:
            case Condition(expression):
                return satisfying(expression, table)
            case Aggregate() as aggregate:
                return join(table, self.aggregate(aggregate))
            case Slice() as slice_:
                return join(table, self.slice(slice_))
            case other:
                raise InvalidIR(f"{type(other).__name__} is not a conjunct")

    def whole(self, body: Body, asked: tuple[str, ...] = ()) -> Table:
        """All the solutions of a closed body over all of its variables: a bag, each of them once. Those ``asked`` for
        have a column even where nothing binds them, as may be in a body that never holds."""
        return self.solve(body, UNIT, frozenset((*bound(body), *opened(body), *asked)))

    def aggregate(self, aggregate: Aggregate) -> Table:
        """A row for each row of terms of the group, with what the reductions make of its solutions."""
        group = tuple([variable.name for variable in aggregate.group])
        found = self.whole(aggregate.body, group)
        key = picker(found.columns, group)
        groups: dict[Row, list[Row]] = {} if group else {(): []}
        for row in found.rows:
            groups.setdefault(key(row), []).append(row)
        rows = [
            (*row, *[_made(one, found.columns, members) for one in aggregate.reductions])
            for row, members in groups.items()
        ]
        return Table((*group, *[one.result.name for one in aggregate.reductions]), rows)

    def slice(self, slice_: Slice) -> Table:
        """The rows of the outputs from a place in the order on, so many; of rows that tie the smaller comes first."""
        outputs = tuple([variable.name for variable in slice_.outputs])
        if slice_.distinct:
            looks = names_in(*[key.expression for key in slice_.order])
            found = self.solve(slice_.body, UNIT, looks.union(outputs))
        else:
            found = self.whole(slice_.body, outputs)
        asked = picker(found.columns, outputs)
        rows = list(found.rows)
        if slice_.order or slice_.offset or slice_.limit is not None:
            rows.sort(key=lambda row: [settled(node) for node in asked(row)])
            for key in reversed(slice_.order):
                rows.sort(key=_ranked(key.expression, found.columns), reverse=key.descending)
        kept: Iterable[Row] = map(asked, rows)
        listed = list(dict.fromkeys(kept) if slice_.distinct else kept)
        end = None if slice_.limit is None else slice_.offset + slice_.limit
        return Table(outputs, dict.fromkeys(listed[slice_.offset : end]))


def satisfying(expression: Expression, table: Table) -> Table:
    """The rows for which an expression counts as true."""
    at = _lookups(table.columns)
    return Table(table.columns, [row for row in table.rows if truth(expression, at(row))])


def _extended(table: Table, extension: Extend) -> Table:
    of = _valued(extension.expression, table.columns)
    return Table((*table.columns, extension.result.name), [(*row, of(row)) for row in table.rows])


def _in_order(extensions: list[Extend], columns: tuple[str, ...]) -> list[Extend]:
    """The extensions, each after those that it looks at."""
    ordered, stuck = in_dependence(extensions)
    known = {*columns, *[extension.result.name for extension in extensions]}
    stuck = next((extension for extension in ordered if not names_in(extension.expression) <= known), stuck)
    if stuck is not None:
        raise InvalidIR(f"nothing binds what {stuck} looks at, but for itself")
    return ordered


def _made(reduction: Reduction, columns: tuple[str, ...], rows: list[Row]) -> Node | None:
    if reduction.of is None:
        return reduced(reduction, [None] * len(rows))
    return reduced(reduction, list(map(_valued(reduction.of, columns), rows)))


def _valued(expression: Expression, columns: tuple[str, ...]) -> Callable[[Row], Node | None]:
    """A function from a row to what an expression is worth there."""
    at = _lookups(columns)
    return lambda row: value(expression, at(row))


def _ranked(expression: Expression, columns: tuple[str, ...]) -> Callable[[Row], Rank]:
    """A function from a row to its place in the order by an expression."""
    of = _valued(expression, columns)
    return lambda row: rank(of(row))


def _lookups(columns: tuple[str, ...]) -> Callable[[Row], Lookup]:
    """A function from a row to what its variables have."""
    places = {name: place for place, name in enumerate(columns)}
    return lambda row: lambda name: row[places[name]]
