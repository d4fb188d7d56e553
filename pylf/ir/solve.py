"""Solving a body: the order in which its conjuncts are looked at, and what need not be looked at twice.

A body is solved conjunct by conjunct, the most bound one next, for all partial solutions at once; a column that nothing
needs any more is dropped. Parts of a body that share no variable are solved apart and then put together, by value
where an ``IS`` links them. So each body is solved once per query, and nothing recurses except into nested bodies.

What it takes for a conjunct to hold is not said here: that is :meth:`Solver.apply`, which :mod:`pylf.ir.evaluate`
defines.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from pylf.errors import InvalidIR
from pylf.ir.extensions import Extension
from pylf.ir.graph import Estimating
from pylf.ir.mentions import mentions
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Closure,
    Compare,
    Condition,
    Confidence,
    Count,
    Extreme,
    InstanceOf,
    Member,
    Not,
    Op,
    Path,
    Project,
    Slice,
    TopK,
    Triple,
    Union,
)
from pylf.ir.scope import never, opened_by_arms, union_exports
from pylf.ir.tables import UNIT, Table, match_values, project
from pylf.ir.terms import Iri, Literal, Var

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from pylf.ir.graph import Graph
    from pylf.ir.nodes import Conjunct
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.tables import Row
    from pylf.ir.terms import Node, Term


class Step:
    """A conjunct of a body that is being solved.

    ``binds``: the variables that it gives values to. ``variables``: those that it looks at and that have values in
    the body or around it. ``needs``: those that must have values first.
    """

    __slots__ = ("binds", "conjunct", "done", "needs", "variables")

    def __init__(
        self, conjunct: Conjunct, binds: frozenset[str], variables: frozenset[str], needs: frozenset[str]
    ) -> None:
        self.conjunct = conjunct
        self.binds = binds
        self.variables = variables
        self.needs = needs
        self.done = False


class _Stuck(Exception):
    """No order of conjuncts gives this union the variables that it looks at, since they come from it in turn."""

    def __init__(self, union: Union) -> None:
        self.union = union


class Solver(ABC):
    """Solves bodies on one graph; :meth:`solve` is the way in, also for the closed bodies within (their seeds are
    :data:`~pylf.ir.tables.UNIT`)."""

    def __init__(self, graph: Graph, schema: Schema, vocabulary: Vocabulary) -> None:
        self.graph = graph
        self.schema = schema
        self.vocabulary = vocabulary
        self.count: Callable[..., int] = graph.estimate if isinstance(graph, Estimating) else _guess
        self.extensions: dict[tuple[Iri, ...], Extension] = {}

    @abstractmethod
    def apply(self, step: Step, table: Table) -> Table:
        """The rows of ``table``, extended in every way in which the step's conjunct holds."""

    @abstractmethod
    def atoms(self, conjunct: Conjunct, number: int) -> Iterable[Conjunct]:
        """The conjunct itself, or the triples that it stands for; ``number`` is its place in the body."""

    def extension(self, classes: tuple[Iri, ...]) -> Extension:
        """The instances of some classes, looked up once per query."""
        known = self.extensions.get(classes)
        if known is None:
            known = self.extensions[classes] = Extension(classes, self.graph, self.schema, self.vocabulary)
        return known

    # --- bodies ---------------------------------------------------------------------------------------------------

    def solve(self, body: Body, seeds: Table, wanted: frozenset[str]) -> Table:
        """The solutions of ``body`` that agree with a row of ``seeds``, as far as the ``wanted`` variables go."""
        nothing = Table(tuple(wanted), ())
        if never(body):
            return nothing
        steps, visible = self.steps(body, seeds.columns)
        if not wanted <= visible:
            raise InvalidIR(f"nothing binds {_listed(wanted - visible)}")
        # how many steps still look at a variable
        uses = dict.fromkeys(visible, 0)
        for names in (wanted, *[step.variables for step in steps]):
            for name in names:
                uses[name] += 1
        parts, across = _parts(steps, seeds.columns)
        solved = []
        try:
            for number, part in enumerate(parts):
                table = self.run(part, UNIT if number else seeds, uses)
                if not table.rows:
                    return nothing
                solved.append(table)
        except _Stuck as stuck:
            return self.by_cases(body, stuck.union, seeds, wanted)
        whole = solved[0] if len(solved) == 1 else self.combine(solved, across, uses)
        return project(whole, tuple([name for name in whole.columns if name in wanted]))

    def by_cases(self, body: Body, union: Union, seeds: Table, wanted: frozenset[str]) -> Table:
        """The solutions with the one arm of a union in its place, and with the other."""
        others = tuple([conjunct for conjunct in body.conjuncts if conjunct is not union])
        columns = tuple(sorted(wanted))
        rows: dict[Row, None] = {}
        for arm in union.arms:
            solved = self.solve(Body(others + arm.conjuncts), seeds, wanted)
            rows.update(dict.fromkeys(project(solved, columns).rows))
        return Table(columns, rows)

    def steps(self, body: Body, scope: Iterable[str]) -> tuple[list[Step], frozenset[str]]:
        """The conjuncts of a body as steps, and the variables that have values in it or around it."""
        conjuncts = list(body.conjuncts)
        if not _SHORT.isdisjoint(map(type, conjuncts)):
            conjuncts = [atom for number, c in enumerate(conjuncts) for atom in self.atoms(c, number)]
        binds = [_NO_NAMES if type(c) in _USING else mentions(c) for c in conjuncts]
        visible = frozenset(scope).union(*binds)
        unions = [(index, conjunct) for index, conjunct in enumerate(conjuncts) if isinstance(conjunct, Union)]
        if unions:
            for index, union in unions:
                binds[index] = frozenset(union_exports(union, visible))
            visible = visible.union(*binds)
            for index, union in unions:
                loose = opened_by_arms(union, visible)
                if loose:
                    binds[index] |= loose
                    visible |= loose
        steps = []
        for conjunct, bound in zip(conjuncts, binds, strict=True):
            match conjunct:
                case Compare() | Condition():
                    needs = variables = mentions(conjunct)
                    if not variables <= visible:
                        raise InvalidIR(f"nothing binds {_listed(variables - visible)} of {conjunct}")
                case Not():
                    needs = variables = mentions(conjunct) & visible
                case Union():
                    variables = mentions(conjunct) & visible
                    # what its arms bind by themselves it needs from nobody, open or not
                    needs = variables - union_exports(conjunct, _NO_NAMES) - opened_by_arms(conjunct, _NO_NAMES)
                case _:
                    variables, needs = bound, _NO_NAMES
            steps.append(Step(conjunct, bound, variables, needs))
        return steps, visible

    def run(self, steps: list[Step], table: Table, uses: dict[str, int]) -> Table:
        """Apply every step, the most bound one next. ``uses`` counts down with the steps."""
        if len(steps) == 1 and _ready(steps[0], table.columns):
            return _forget(self.apply(steps[0], table), steps[0], uses)
        bound = set(table.columns)
        looking: dict[str, list[int]] = {}
        for index, step in enumerate(steps):
            for name in step.variables:
                looking.setdefault(name, []).append(index)
        heap = [(*self.rank(step, bound), index) for index, step in enumerate(steps) if _ready(step, bound)]
        heapify(heap)
        left = len(steps)
        while heap:
            step = steps[heappop(heap)[-1]]
            if step.done:
                continue
            step.done = True
            left -= 1
            table = _forget(self.apply(step, table), step, uses)
            if not table.rows:
                return table
            for name in step.binds - bound:
                bound.add(name)
                for index in looking[name]:
                    if not steps[index].done and _ready(steps[index], bound):
                        heappush(heap, (*self.rank(steps[index], bound), index))
        if left:
            stuck = [step.conjunct for step in steps if not step.done]
            for conjunct in stuck:
                if isinstance(conjunct, Union):
                    raise _Stuck(conjunct)
            raise InvalidIR(f"nothing binds either end of {stuck[0]}")
        return table

    def combine(self, tables: list[Table], across: list[Step], uses: dict[str, int]) -> Table:
        """Parts that share no variable, put together: by value where an IS links them, else every row with every
        row; then the checks that look at several parts at once."""
        home = {name: number for number, table in enumerate(tables) for name in table.columns}
        links: dict[int, list[tuple[str, str]]] = {}
        for step in across:
            match step.conjunct:
                case Compare(Op.IS, Var(left), Var(right)):
                    links.setdefault(home[left], []).append((left, right))
                    links.setdefault(home[right], []).append((right, left))
        # the smallest part next, unless a link leads on from one that is in
        others = sorted(range(1, len(tables)), key=lambda number: -len(tables[number].rows))
        merged, trail = {0}, [0]
        table, waiting = tables[0], across
        while len(merged) < len(tables):
            number = next((home[far] for _, far in links.get(trail[-1], ()) if home[far] not in merged), None)
            if number is None and len(trail) > 1:
                trail.pop()
                continue
            while number is None or number in merged:
                number = others.pop()
            pairs = [(near, far) for far, near in links.get(number, ()) if home[near] in merged]
            table = match_values(table, tables[number], pairs)
            merged.add(number)
            trail.append(number)
            ready = [step for step in waiting if step.variables.issubset(table.columns)]
            if ready:
                waiting = [step for step in waiting if step not in ready]
            for step in ready:
                table = _forget(self.apply(step, table), step, uses)
        return table

    # --- the order of conjuncts -----------------------------------------------------------------------------------

    def rank(self, step: Step, bound: set[str]) -> tuple[int, int]:
        """Smaller is sooner: checks; then whole sub-queries; negations; then what leads on from a variable that has
        values; then what starts anew; the fewest rows first."""
        conjunct = step.conjunct
        if type(conjunct) is Not:
            return 2, 0
        if type(conjunct) in _CLOSED:
            return 1, 0
        if step.variables <= bound:
            return (1 if isinstance(conjunct, Union) else 0), 0
        return (3 if step.variables & bound else 4), self.estimate(conjunct)

    def estimate(self, conjunct: Conjunct) -> int:
        """About how many rows a conjunct has on its own, by its constants."""
        match conjunct:
            case Triple(subject, predicate, object_):
                return self.count(_constant(subject), _constant(predicate), _constant(object_))
            case InstanceOf(_, classes):
                return sum([self.count(None, predicate, node) for predicate, node in self.extension(classes).lookups()])
            case Member(_, values):
                return len(values)
            case Union(arms):
                return sum([min(map(self.estimate, arm.conjuncts), default=1) for arm in arms])
            case Project() | Count() | Extreme() | TopK() | Aggregate() | Slice():
                return 1
            case _:
                return _MANY


_NO_NAMES: frozenset[str] = frozenset()
#: The conjuncts that stand for triples.
_SHORT = frozenset((Path, Confidence))
#: The conjuncts that bind nothing, or (a union) not all that they look at.
_USING = frozenset((Compare, Not, Union, Condition))
#: The closed bodies, which are solved on their own.
_CLOSED = frozenset((Project, Count, Extreme, TopK, Aggregate, Slice))
_MANY = 1 << 40


def _parts(steps: list[Step], scope: tuple[str, ...]) -> tuple[list[list[Step]], list[Step]]:
    """The steps in groups that share no variable, the one around ``scope`` first; and checks across groups."""
    if len(steps) == 1:
        return ([steps] if not scope or steps[0].variables.intersection(scope) else [[], steps]), []
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while (above := parent.setdefault(name, name)) != name:
            parent[name] = parent[above]
            name = above
        return name

    for together in (scope, *[tuple(step.variables) for step in steps if step.binds]):
        for name in together[1:]:
            parent[root(name)] = root(together[0])
    # what looks at no variable belongs to the first part, which is nobody's where there is no scope
    first = root(scope[0]) if scope else ""
    parts: dict[str, list[Step]] = {first: []}
    across = []
    for step in steps:
        roots = {root(name) for name in step.variables} or {first}
        if len(roots) == 1:
            parts.setdefault(roots.pop(), []).append(step)
        else:
            across.append(step)
    if not scope and not parts[first] and len(parts) > 1:
        del parts[first]
    return list(parts.values()), across


def _ready(step: Step, bound: Collection[str]) -> bool:
    """Whether a step can be applied once some variables have values."""
    match step.conjunct:
        case Closure(subject, _, object_, 0):
            # anything at all reaches itself in no step: one end has to be known
            return any(not isinstance(end, Var) or end.name in bound for end in (subject, object_))
        case _:
            return step.needs.issubset(bound)


def _forget(table: Table, step: Step, uses: dict[str, int]) -> Table:
    """The table without the columns that the step was the last to look at."""
    gone = False
    for name in step.variables:
        uses[name] -= 1
        gone = gone or not uses[name]
    return project(table, tuple([name for name in table.columns if uses[name]])) if gone else table


def _guess(subject: Node | None, predicate: Node | None, object_: Node | None) -> int:
    """A count of triples for graphs that cannot count: the fewer places given, the more."""
    return int(10 ** (2 * (subject, predicate, object_).count(None)))


def _constant(term: Term) -> Iri | Literal | None:
    return None if isinstance(term, Var) else term


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"?{name}" for name in sorted(names))
