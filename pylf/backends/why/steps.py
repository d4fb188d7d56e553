"""A body taken step by step: how much is left after each unit, and which is the first that leaves nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pylf.backends.why.asking import Exhausted
from pylf.backends.why.units import STAGES, Unit, units_of, working_order
from pylf.ir.nodes import Body, Compare, Not
from pylf.ir.scope import bound, opened
from pylf.ir.tables import UNIT, Table, certain, project
from pylf.ir.terms import Var
from pylf.ir.traverse import terms
from pylf.ir.values import identity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pylf.backends.why.asking import Asking

_NO_NAMES: frozenset[str] = frozenset()


class Walk(NamedTuple):
    """The units in the order of work; for each that was looked at the variable at hand and how many values of it are
    left (None: too many to tell); the first that leaves nothing; and what its variables were before it, in a table
    for each part of the body that it looks at."""

    units: list[Unit]
    left: list[tuple[str | None, int | None]]
    culprit: int | None
    before: tuple[Table, ...]


def walk_through(body: Body, seeds: Table, shown: Sequence[str], asking: Asking) -> Walk:
    """Take a body's units one after another, up to the first that leaves no solution which agrees with ``seeds``.

    ``shown`` are the variables that are asked for: where a unit looks at one of them, its values are counted.
    """
    return _Walker(body, seeds, tuple(shown), asking).walk()


class _Walker:
    def __init__(self, body: Body, seeds: Table, shown: tuple[str, ...], asking: Asking) -> None:
        self.body = body
        self.seeds = seeds
        self.shown = shown
        self.asking = asking
        scope = frozenset(seeds.columns)
        self.visible = bound(body, scope) | scope
        self.open = opened(body)
        units, rest = working_order(units_of(body, asking.vocabulary, shown), body, scope, self.estimate)
        if rest:
            # they need one another, and can only be looked at together
            together = tuple([conjunct for unit in rest for conjunct in unit.conjuncts])
            mentions = frozenset([name for unit in rest for name in unit.mentions])
            units.append(Unit(together, rest[0].number, mentions))
        self.units = units
        self.later = self._later()
        self.part_of = self._parts()
        self.tables: dict[str | None, Table] = {}
        #: parts that were put together are from then on looked at as a whole
        self.whole = False
        self.lost = False

    def walk(self) -> Walk:
        left: list[tuple[str | None, int | None]] = []
        for index, unit in enumerate(self.units):
            name = self.at_hand(unit)
            number = self.step(index, unit, name)
            left.append((name, number))
            if number == 0:
                return Walk(self.units, left, index, self.before(index, unit))
        return Walk(self.units, left, None, ())

    def step(self, index: int, unit: Unit, name: str | None) -> int | None:
        """How many values of a variable are left once a unit holds too."""
        parts = {self.part_of[n] for n in unit.mentions & self.visible}
        # what may be open is in no table, so what looks at it is looked at with all before it
        alone = not isinstance(unit.first, STAGES) and self.open.isdisjoint(unit.mentions)
        if not self.lost and not self.whole and len(parts) <= 1 and alone:
            part = next(iter(parts), None)
            table = self.tables.get(part, self.seeds if part is _SEEDED or part is None else UNIT)
            columns = (set(table.columns) | unit.mentions & self.visible) & (self.later[index] | {name or ""})
            try:
                with self.asking.meter.refilled():
                    found = self.asking.solve(Body(unit.conjuncts), table, frozenset(columns))
            except Exhausted:
                self.lost = True
            else:
                if found.rows and part is not None:
                    self.tables[part] = found
                return _values(found, name)
        elif not self.lost:
            self.whole = True
            try:
                with self.asking.meter.refilled():
                    return _values(self.asking.solve(self.prefix(index), self.seeds, _names(name)), name)
            except Exhausted:
                self.lost = True
        try:
            if self.seeds is not UNIT:
                return None
            if name is None:
                return len(self.asking.rows_by_engine(self.prefix(index), _NO_NAMES).rows)
            return self.asking.count_by_engine(self.prefix(index), name)
        except Exhausted:
            return None

    def before(self, index: int, unit: Unit) -> tuple[Table, ...]:
        """What the variables of a unit were before it."""
        names = unit.mentions & self.visible
        if self.lost:
            known = bound(self.prefix(index - 1)) & names if index else set()
            try:
                return (self.asking.rows_by_engine(self.prefix(index - 1), frozenset(known)),) if known else (UNIT,)
            except Exhausted:
                return ()
        tables = []
        for part in dict.fromkeys([self.part_of[name] for name in sorted(names)]):
            table = self.tables.get(part, self.seeds if part is _SEEDED else UNIT)
            tables.append(project(table, tuple([name for name in table.columns if name in names])))
        return tuple(tables) or (UNIT,)

    def prefix(self, index: int) -> Body:
        return Body(tuple([conjunct for unit in self.units[: index + 1] for conjunct in unit.conjuncts]))

    def at_hand(self, unit: Unit) -> str | None:
        """The variable whose values are counted at a unit: one asked for, else one that it binds first, else any."""
        names = [name for name in _in_order(unit) if name in self.visible]
        asked = [name for name in self.shown if name in names]
        known = {name for table in (*self.tables.values(), self.seeds) for name in table.columns}
        new = [name for name in names if name not in known]
        return next(iter((*asked, *new, *names)), None)

    def estimate(self, unit: Unit) -> int:
        """About how many rows a unit has on its own."""
        if unit.label is None:
            return self.asking.estimate(unit.first)
        return sum(
            self.asking.meter.count(None, predicate, value)
            for predicate in unit.label.predicates
            for value in unit.label.values
        )

    def _later(self) -> list[set[str]]:
        """For each unit, the variables that those after it look at, and those that are asked for."""
        names = set(self.shown)
        later = []
        for unit in reversed(self.units):
            later.append(set(names))
            names |= unit.mentions & self.visible
        return later[::-1]

    def _parts(self) -> dict[str, str]:
        """For each variable the part of the body that it belongs to: parts share no variable but in checks."""
        parent: dict[str, str] = {}

        def root(name: str) -> str:
            while (above := parent.setdefault(name, name)) != name:
                parent[name] = parent[above]
                name = above
            return name

        for name in self.seeds.columns:
            parent[root(name)] = root(_SEEDED)
        for unit in self.units:
            names = sorted(unit.mentions & self.visible)
            if not isinstance(unit.first, (Compare, Not, *STAGES)):
                for name in names[1:]:
                    # what comes with the seeds keeps their name
                    one, two = root(name), root(names[0])
                    parent[one if two == _SEEDED else two] = two if two == _SEEDED else one
        return {name: root(name) for name in self.visible}


#: The part that the seeds belong to: no variable has an empty name.
_SEEDED = ""


def _in_order(unit: Unit) -> list[str]:
    """The variables that a unit looks at, as it is written; those of bodies within it after its own."""
    own: list[str] = [
        term.name
        for conjunct in unit.conjuncts
        for term in terms(conjunct)
        if isinstance(term, Var) and term.name in unit.mentions
    ]
    return list(dict.fromkeys((*own, *sorted(unit.mentions))))


def _names(name: str | None) -> frozenset[str]:
    return _NO_NAMES if name is None else frozenset((name,))


def _values(table: Table, name: str | None) -> int:
    """How many values a column has; without one, whether there is a row."""
    if name is None or not table.rows:
        return min(len(table.rows), 1)
    place = table.columns.index(name)
    return len({identity(row[place]) for row in certain(table)})
