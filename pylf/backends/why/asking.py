"""The reference evaluator, asked for single solutions and within bounds.

The evaluator defines what a query means, so an explanation that rests on it cannot disagree with the answers. What
would take it too long (a superlative over a large class, say) the engine is asked instead; where neither can tell
within bounds, :class:`Exhausted` is raised and the explanation says so. So it is where the engine fails
(:attr:`Metered.failure`), which is then asked nothing more.
"""

from __future__ import annotations

from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING

from pylf.backends.outcome import Nameless
from pylf.backends.why.units import STAGES, reading_order, search_order, units_of
from pylf.errors import EngineError, UnsupportedOperation
from pylf.ir import build
from pylf.ir.evaluate import Evaluator
from pylf.ir.mentions import mentioned_in
from pylf.ir.nodes import Body, Count, Form
from pylf.ir.scope import bound
from pylf.ir.tables import UNIT, Table, certain, project
from pylf.ir.terms import Var
from pylf.ir.values import sort_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from pylf.backends.engines.protocol import Engine
    from pylf.ir.answers import Answers
    from pylf.ir.graph import TripleRow
    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node
    from pylf.ir.types import Type

Bindings = dict[str, "Node"]
#: Values of variables that all have one.
Row = tuple["Node", ...]

#: How many triples the evaluator may look at for one thing that is to be found: a second or two.
WORK = 400_000
#: How long the engine may take for one thing that is to be found, in seconds.
PATIENCE = 10.0
#: Counts of triples that only serve to choose an order stop here.
COUNTED = 1000
#: A solution of up to so many variables is settled variable by variable, for all answers at once.
ROUNDS = 24


class Exhausted(Exception):
    """It cannot be told: more of the graph would have to be looked at than an explanation may, or the engine failed."""


class Metered:
    """A graph of which only so many triples are handed out. Implements :class:`pylf.ir.graph.Graph`.

    Each look-up costs what the engine says, so that an endpoint is asked some hundred times, not some hundred thousand
    times. Where a look-up fails, nothing can be told: that is Exhausted too, and from then on at once.
    """

    def __init__(self, engine: Engine) -> None:
        self._graph = engine
        self._cost = engine.lookup_cost
        self._left = WORK
        self._counts: dict[tuple[Node | None, Node | None, Node | None], int] = {}
        #: what the engine failed with
        self.failure: EngineError | None = None
        #: why something could not be told, where that is not a matter of size; "" where it is
        self.untold = ""

    def exhausted(self, problem: EngineError) -> Exhausted:
        """What to raise where a look-up ends so, which is noted."""
        self.untold = self.untold or str(problem)
        if not isinstance(problem, Nameless):  # others can be looked up
            self.failure = problem
        return Exhausted()

    @contextmanager
    def refilled(self) -> Iterator[None]:
        """A time in which a full measure of triples may be handed out."""
        left, self._left = self._left, WORK
        try:
            yield
        finally:
            self._left = left

    def spend(self, work: int) -> None:
        """Counts work that takes no triple. Raises Exhausted."""
        self._left -= work
        if self._left < 0 or self.failure is not None:
            raise Exhausted

    def triples(
        self, subject: Node | None = None, predicate: Node | None = None, object: Node | None = None
    ) -> Iterator[TripleRow]:
        """The triples that agree with the given places. Raises Exhausted."""
        self.spend(self._cost)
        found = self._graph.triples(subject, predicate, object)
        while True:
            try:
                triple = next(found, None)
            except EngineError as problem:
                raise self.exhausted(problem) from problem
            if triple is None:
                return
            self._left -= 1
            if self._left < 0:
                raise Exhausted
            yield triple

    def count(self, subject: Node | None = None, predicate: Node | None = None, object: Node | None = None) -> int:
        """How many triples agree with the given places, or COUNTED where there are more, or the engine fails."""
        places = (subject, predicate, object)
        known = self._counts.get(places)
        if known is None:
            if self.failure is not None:
                return COUNTED
            self._left -= self._cost - 1
            try:
                known = sum(1 for _ in islice(self._graph.triples(*places), COUNTED))
            except EngineError as problem:
                self.exhausted(problem)
                return COUNTED
            self._counts[places] = known
        return known

    #: what the evaluator orders its work by
    estimate = count


class Asking(Evaluator):
    """An evaluator that remembers what closed bodies hold, and asks the engine for those that are too large for it."""

    def __init__(
        self, engine: Engine, schema: Schema, vocabulary: Vocabulary, types: Mapping[str, Type] | None = None
    ) -> None:
        self.meter = Metered(engine)
        super().__init__(self.meter, schema, vocabulary)
        self.engine = engine
        self.types = types or {}
        # the body is kept so that its id stays its own
        self._closed: dict[tuple[int, frozenset[str]], tuple[Body, Table | None]] = {}

    def solve(self, body: Body, seeds: Table, wanted: frozenset[str]) -> Table:
        """See :meth:`Evaluator.solve`. Raises Exhausted; then the same body is not tried again."""
        if seeds is not UNIT:
            try:
                return super().solve(body, seeds, wanted)
            except UnsupportedOperation as refused:  # a pattern that the evaluator does not read, say
                raise Exhausted from refused
        key = (id(body), wanted)
        if key not in self._closed:
            self._closed[key] = (body, None)
            self._closed[key] = (body, self._solved(body, wanted))
        table = self._closed[key][1]
        if table is None:
            raise Exhausted
        return table

    def _solved(self, body: Body, wanted: frozenset[str]) -> Table:
        try:
            with self.meter.refilled():
                return super().solve(body, UNIT, wanted)
        except (Exhausted, UnsupportedOperation):
            return self.rows_by_engine(body, wanted)

    def witnesses(self, body: Body, seeds: Table) -> dict[Row, Bindings]:
        """One solution of the body for each row of ``seeds`` that has any, over all variables that have a value.

        Of several solutions it is one whose variables come first in the order of display. Raises Exhausted.
        """
        fixed = seeds.columns
        names = self._open(body, fixed)
        if len(names) > ROUNDS:
            alone = {row: self._search(body, dict(zip(fixed, row, strict=True))) for row in certain(seeds)}
            return {row: bindings for row, bindings in alone.items() if bindings is not None}
        table = seeds
        for name in names or (None,):
            # one more variable is settled, for all rows at once: no table grows beyond what one variable can be
            columns = table.columns if name is None else (*table.columns, name)
            found = project(self.solve(body, table, frozenset(columns)), columns)
            table = Table(columns, _first_of_each(certain(found), len(fixed)))
        return {row[: len(fixed)]: dict(zip(table.columns, row, strict=True)) for row in certain(table)}

    def witness(self, body: Body, bindings: Mapping[str, Node]) -> Bindings | None:
        """One solution of the body that agrees with ``bindings``, with them in it; None where there is none."""
        row = tuple(bindings.values())
        return self.witnesses(body, Table(tuple(bindings), (row,)) if row else UNIT).get(row)

    def _open(self, body: Body, fixed: tuple[str, ...]) -> tuple[str, ...]:
        """The variables that are to be settled, what hangs together next to each other."""
        left = bound(body, frozenset(fixed)).difference(fixed)
        units, _ = reading_order(units_of(body, self.vocabulary), body, frozenset(fixed))
        listed = dict.fromkeys([name for unit in units for name in sorted(unit.mentions) if name in left])
        return tuple(listed | dict.fromkeys(sorted(left)))

    def _search(self, body: Body, known: Bindings) -> Bindings | None:
        """A solution of a body of many variables, by settling one conjunct after another, and going back where none
        follows. Raises Exhausted, also where going back takes too long."""
        units, rest = search_order(
            units_of(body, self.vocabulary, mentioned_in(body)), body, known.keys(), self.estimate
        )
        # what may be open has no value to go on with, so that all that looks at it is one step, the last
        late = [unit for unit in units if isinstance(unit.first, STAGES)]
        steps = [(Body(unit.conjuncts), unit.mentions) for unit in units if unit not in late]
        if rest or late:
            together = Body(tuple([conjunct for unit in (*rest, *late) for conjunct in unit.conjuncts]))
            steps.append((together, mentioned_in(together)))
        visible = bound(body, known.keys()) | known.keys()
        bindings = dict(known)
        trail: list[tuple[Iterator[Bindings], list[str]]] = []
        while len(trail) < len(steps):
            step, mentions = steps[len(trail)]
            names = mentions & visible
            trail.append((iter(self._extensions(step, names, bindings)), [n for n in names if n not in bindings]))
            while (found := next(trail[-1][0], None)) is None:
                trail.pop()
                if not trail:
                    return None
                for name in trail[-1][1]:
                    bindings.pop(name, None)
            bindings.update(found)
        return bindings

    def _extensions(self, step: Body, names: AbstractSet[str], bindings: Bindings) -> list[Bindings]:
        """The ways in which a step holds, given what is known."""
        self.meter.spend(1)
        known = {name: bindings[name] for name in names if name in bindings}
        seeds = Table(tuple(known), (tuple(known.values()),)) if known else UNIT
        table = self.solve(step, seeds, frozenset(names))
        rows = sorted(certain(table), key=lambda row: [sort_key(node) for node in row])
        return [dict(zip(table.columns, row, strict=True)) for row in rows]

    def rows_by_engine(self, body: Body, wanted: frozenset[str]) -> Table:
        """The solutions of a body as the engine finds them. Raises Exhausted where it cannot, or not soon."""
        outputs = tuple(map(Var, sorted(wanted)))
        form = Form.ROWS if outputs else Form.BOOLEAN
        answers = self._asked(build.query(form, outputs, body, self.types))
        if not outputs:
            return UNIT if answers.boolean else Table((), ())
        rows = [tuple([node for node in row if node is not None]) for row in answers.rows]
        return Table(tuple(sorted(wanted)), [row for row in rows if len(row) == len(outputs)])

    def count_by_engine(self, body: Body, name: str) -> int:
        """How many values a variable has over a body, as the engine finds them. Raises Exhausted."""
        number = Var("n")
        while number.name in self.types or number.name == name:
            number = Var(number.name + "n")
        counted = Body((Count(number, Var(name), body),))
        return self._asked(build.query(Form.NUMBER, (number,), counted, self.types)).number or 0

    def _asked(self, query: Query) -> Answers:
        if self.meter.failure is not None:
            raise Exhausted
        try:
            return self.engine.run(query, self.schema, self.vocabulary, timeout=PATIENCE)
        except (EngineError, UnsupportedOperation) as problem:
            try:
                self.engine.ask("ASK {}", PATIENCE)
            except EngineError:
                if isinstance(problem, EngineError):
                    raise self.meter.exhausted(problem) from problem
            raise Exhausted from problem  # it is too much for the engine too


def _first_of_each(rows: Iterable[Row], width: int) -> list[Row]:
    """Of the rows that begin alike, up to ``width``, the first in the order of display."""
    first: dict[Row, tuple[list[object], Row]] = {}
    for row in rows:
        place: list[object] = [sort_key(node) for node in row[width:]]
        known = first.get(row[:width])
        if known is None or place < known[0]:
            first[row[:width]] = (place, row)
    return [row for _, row in first.values()]
