"""The reference evaluator: what a query means, in plain Python.

This module is the definition of the semantics. A query asks for its outputs among the *solutions* of its body: the
ways of giving every variable a node of the graph (or a counted number) such that all conjuncts hold. What it takes
for a conjunct to hold is said once, in a method of :class:`Evaluator`; values are compared by :mod:`pylf.ir.values`
alone. Everything is a set: no solution counts twice.

A body is solved conjunct by conjunct, the most bound one next, for all partial solutions at once; a column that nothing
needs any more is dropped. Parts of a body that share no variable are solved apart and then put together, by value
where an ``IS`` links them. So each body is solved once per query, and nothing recurses except into nested bodies.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from pylf.errors import InvalidIR
from pylf.ir.answers import Answers
from pylf.ir.extensions import Extension
from pylf.ir.mentions import mentioned_in, mentions
from pylf.ir.nodes import (
    Body,
    Closure,
    Compare,
    Confidence,
    Count,
    Direction,
    Extreme,
    Form,
    InstanceOf,
    Kind,
    Member,
    Not,
    Op,
    Path,
    Project,
    TopK,
    Triple,
    Union,
)
from pylf.ir.scope import never, union_exports
from pylf.ir.tables import UNIT, Table, fresh, getter, join, match_values, picker, project
from pylf.ir.terms import XSD_INTEGER, Iri, Literal, Var
from pylf.ir.values import compare, identity, kind_of, order_key

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Hashable, Iterable

    from pylf.ir.dates import Point
    from pylf.ir.graph import Graph
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.tables import Row
    from pylf.ir.terms import Node, Term


def evaluate(query: Query, graph: Graph, schema: Schema, vocabulary: Vocabulary) -> Answers:
    """The answers of a query on a graph, by definition.

    Any :class:`~pylf.ir.graph.Graph` serves; one that can also ``estimate`` how many triples agree with given places is
    asked in a better order. Meant for queries that :func:`pylf.ir.verify.verify` accepts.

    Raises:
        InvalidIR: a variable is used that nothing binds, or a NUMBER query does not find one integer.
    """
    names = tuple([output.name for output in query.outputs])
    found = Evaluator(graph, schema, vocabulary).solve(query.body, UNIT, frozenset(names))
    match query.form:
        case Form.BOOLEAN:
            return Answers.of_boolean(bool(found.rows))
        case Form.SET:
            return Answers.of_values([node for (node,) in found.rows])
        case Form.NUMBER:
            return Answers.of_number(_only_number([node for (node,) in found.rows]))
        case _:
            return Answers.of_rows(map(picker(found.columns, names), found.rows), query.form)


def _only_number(nodes: list[Node]) -> int:
    numbers = {identity(node) for node in nodes}
    number = numbers.pop() if len(numbers) == 1 else None
    if not isinstance(number, float) or not number.is_integer():
        raise InvalidIR(
            f"a number query answers with one integer, this one found {', '.join(map(str, nodes)) or 'none'}"
        )
    return int(number)


class _Step:
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


class Evaluator:
    """Solves bodies on one graph; :meth:`solve` is the way in, also for the closed bodies within (their seeds are
    :data:`~pylf.ir.tables.UNIT`)."""

    def __init__(self, graph: Graph, schema: Schema, vocabulary: Vocabulary) -> None:
        self.graph = graph
        self.schema = schema
        self.vocabulary = vocabulary
        self.count: Callable[..., int] = getattr(graph, "estimate", _guess)
        self.extensions: dict[tuple[Iri, ...], Extension] = {}

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

    def steps(self, body: Body, scope: Iterable[str]) -> tuple[list[_Step], frozenset[str]]:
        """The conjuncts of a body as steps, and the variables that have values in it or around it."""
        conjuncts = list(body.conjuncts)
        if any(isinstance(conjunct, Path | Confidence) for conjunct in conjuncts):
            conjuncts = [atom for number, c in enumerate(conjuncts) for atom in self.atoms(c, number)]
        binds = [_NO_NAMES if isinstance(c, Compare | Not | Union) else mentions(c) for c in conjuncts]
        visible = frozenset(scope).union(*binds)
        for index, conjunct in enumerate(conjuncts):
            if isinstance(conjunct, Union):
                binds[index] = frozenset(union_exports(conjunct, visible))
        visible = visible.union(*binds)
        steps = []
        for conjunct, bound in zip(conjuncts, binds, strict=True):
            match conjunct:
                case Compare():
                    needs = variables = mentions(conjunct)
                    if not variables <= visible:
                        raise InvalidIR(f"nothing binds {_listed(variables - visible)} of {conjunct}")
                case Not():
                    needs = variables = mentions(conjunct) & visible
                case Union():
                    variables = mentions(conjunct) & visible
                    needs = variables - union_exports(conjunct, _NO_NAMES)
                case _:
                    variables, needs = bound, _NO_NAMES
            steps.append(_Step(conjunct, bound, variables, needs))
        return steps, visible

    def atoms(self, conjunct: Conjunct, number: int) -> Iterable[Conjunct]:
        """The conjunct itself, or the triples that it stands for."""
        match conjunct:
            case Path(nodes, relations, forward):
                # each hop: (nodes[i], relations[i], nodes[i + 1]) ∈ G, or the other way round
                return [
                    Triple(near, relation, far) if along else Triple(far, relation, near)
                    for near, relation, far, along in zip(nodes, relations, nodes[1:], forward, strict=False)
                ]
            case Confidence(subject, predicate, object_, value):
                # some statement node names the three parts and the confidence
                says = self.vocabulary.statements
                node = Var(f"statement {number}")
                return (
                    Triple(node, Iri(says.subject), subject),
                    Triple(node, Iri(says.predicate), predicate),
                    Triple(node, Iri(says.object), object_),
                    Triple(node, Iri(says.confidence), value),
                )
            case _:
                return (conjunct,)

    def run(self, steps: list[_Step], table: Table, uses: dict[str, int]) -> Table:
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

    def combine(self, tables: list[Table], across: list[_Step], uses: dict[str, int]) -> Table:
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

    def rank(self, step: _Step, bound: set[str]) -> tuple[int, int]:
        """Smaller is sooner: checks; then whole sub-queries; negations; then what leads on from a variable that has
        values; then what starts anew; the fewest rows first."""
        conjunct = step.conjunct
        match conjunct:
            case Not():
                return 2, 0
            case Project() | Count() | Extreme() | TopK():
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
            case Project() | Count() | Extreme() | TopK():
                return 1
            case _:
                return _MANY

    # --- what it takes to hold ------------------------------------------------------------------------------------

    def apply(self, step: _Step, table: Table) -> Table:
        """The rows of ``table``, extended in every way in which the conjunct holds."""
        match step.conjunct:
            case Triple(subject, predicate, object_):
                return self.triple((subject, predicate, object_), table)
            case InstanceOf(term, classes):
                # an entity of one of the classes, or of a class that the schema puts below one
                extension = self.extension(classes)
                return _among(term, extension, extension.members, table)
            case Compare(op, left, right, kind):
                return self.compare(op, left, right, kind, table)
            case Member(term, values):
                # one of the values, as a term
                return _among(term, frozenset(values), lambda: values, table)
            case Not(body):
                return self.negation(body, step.variables, table)
            case Union(arms):
                return self.union(arms, step, table)
            case Project(outputs, body):
                # the distinct rows of the outputs
                return join(table, self.solve(body, UNIT, frozenset([output.name for output in outputs])))
            case Count() as count:
                return join(table, self.counted(count))
            case Extreme() as extreme:
                return join(table, self.extreme(extreme))
            case TopK() as top:
                return join(table, self.top(top))
            case Closure() as closure:
                return self.closure(closure, table)
            case other:
                raise InvalidIR(f"{type(other).__name__} is not a conjunct")

    def triple(self, terms: tuple[Term, Term, Term], table: Table) -> Table:
        """(subject, predicate, object) ∈ G, as terms."""
        subject_of, predicate_of, object_of = [getter(term, table.columns) for term in terms]
        new = fresh(terms, table.columns)
        names = [term.name if isinstance(term, Var) else None for term in terms]
        takes = [names.index(name) for name in new]
        twins = [(takes[new.index(n)], i) for i, n in enumerate(names) if n in new and i not in takes]
        triples = self.graph.triples
        rows: list[Row] = []
        for row in table.rows:
            subject, predicate = subject_of(row), predicate_of(row)
            if isinstance(subject, Literal) or isinstance(predicate, Literal):
                continue  # in no triple; an engine need not be able to look for it
            rows.extend(
                row + tuple([found[place] for place in takes])
                for found in triples(subject, predicate, object_of(row))
                if not twins or all(found[one] == found[other] for one, other in twins)
            )
        return Table(table.columns + new, rows)

    def extension(self, classes: tuple[Iri, ...]) -> Extension:
        """The instances of some classes, looked up once per query."""
        known = self.extensions.get(classes)
        if known is None:
            known = self.extensions[classes] = Extension(classes, self.graph, self.schema, self.vocabulary)
        return known

    def compare(self, op: Op, left: Term, right: Term, kind: Kind, table: Table) -> Table:
        """Both sides stand in the relation ``op``, by value."""
        left_of, right_of = getter(left, table.columns), getter(right, table.columns)
        rows = [row for row in table.rows if compare(op, _node(left_of(row)), _node(right_of(row)), kind)]
        return Table(table.columns, rows)

    def negation(self, body: Body, shared: frozenset[str], table: Table) -> Table:
        """The body has no solution that agrees with the row."""
        columns = tuple(sorted(shared))
        seeds = project(table, columns)
        found = set(project(self.solve(body, seeds, shared), columns).rows)
        key = picker(table.columns, columns)
        return Table(table.columns, [row for row in table.rows if key(row) not in found])

    def union(self, arms: tuple[Body, ...], step: _Step, table: Table) -> Table:
        """Some arm has a solution that agrees with the row."""
        shared = tuple(sorted(step.variables.intersection(table.columns)))
        seeds = project(table, shared)
        columns = (*shared, *sorted(step.binds.difference(shared)))
        rows: dict[Row, None] = {}
        for arm in arms:
            seen = mentioned_in(arm)
            part = project(seeds, tuple([name for name in shared if name in seen]))
            solved = self.solve(arm, part, seen.intersection(columns))
            if solved.rows:
                rows.update(dict.fromkeys(project(join(seeds, solved), columns).rows))
        return join(table, Table(columns, rows))

    def counted(self, count: Count) -> Table:
        """The number of distinct values of ``of`` for each row of terms of the group; without group there is one."""
        group = tuple(dict.fromkeys([var.name for var in count.group]))
        found = self.solve(count.body, UNIT, frozenset((*group, count.of.name)))
        key, place = picker(found.columns, group), found.columns.index(count.of.name)
        values: dict[Row, set[Hashable]] = {} if group else {(): set()}
        for row in found.rows:
            values.setdefault(key(row), set()).add(identity(row[place]))
        rows = [(*row, Literal(str(len(members)), XSD_INTEGER)) for row, members in values.items()]
        return Table((*group, count.result.name), rows)

    def extreme(self, extreme: Extreme) -> Table:
        """The items that have the extreme key, all of them."""
        ordered = self.ordered(extreme)
        best = _better(extreme.direction)([key for _, key in ordered], default=None)
        return Table((extreme.item.name,), dict.fromkeys([(item,) for item, key in ordered if key == best]))

    def top(self, top: TopK) -> Table:
        """The items whose best key fewer than k other items beat."""
        ordered = self.ordered(top)
        better = _better(top.direction)
        best: dict[Hashable, float | Point | str] = {}
        for item, key in ordered:
            value = identity(item)
            best[value] = better(best.get(value, key), key)
        # the items are in as far down as the key at place k
        ranking = sorted(best.values(), reverse=top.direction is Direction.MAX)[: max(top.k, 0)]
        kept = {value for value, key in best.items() if ranking and better(key, ranking[-1]) == key}
        return Table((top.item.name,), dict.fromkeys([(item,) for item, _ in ordered if identity(item) in kept]))

    def ordered(self, superlative: Extreme | TopK) -> list[tuple[Node, float | Point | str]]:
        """The items with those of their keys that have a place in the order; ANY is numbers if there are any."""
        item, key, kind = superlative.item.name, superlative.key.name, superlative.kind
        found = self.solve(superlative.body, UNIT, frozenset((item, key)))
        items, keys = found.columns.index(item), found.columns.index(key)
        if kind is Kind.ANY:
            kind = Kind.NUMBER if any(kind_of(row[keys]) is Kind.NUMBER for row in found.rows) else Kind.DATE
        placed = [(row[items], order_key(row[keys], kind)) for row in found.rows]
        return [(node, place) for node, place in placed if place is not None]

    def closure(self, closure: Closure, table: Table) -> Table:
        """(x₀, r, x₁) ∈ G, (x₁, r, x₂) ∈ G, … from x₀, the subject, to xₙ, the object, for some n ≥ minimum."""
        ends = (closure.subject, closure.object)
        subject_of, object_of = [getter(term, table.columns) for term in ends]
        new = fresh(ends, table.columns)
        reached: dict[tuple[Node, bool], dict[Node, None]] = {}

        def reach(node: Node, *, along: bool) -> dict[Node, None]:
            known = reached.get((node, along))
            if known is None:
                known = reached[node, along] = self.reach(node, closure.relation, along, closure.minimum)
            return known

        rows: list[Row] = []
        for row in table.rows:
            subject, object_ = subject_of(row), object_of(row)
            if subject is None and object_ is None:
                starts = dict.fromkeys([found[0] for found in self.graph.triples(None, closure.relation, None)])
                walks = [(start, node) for start in starts for node in reach(start, along=True)]
                loop = len(new) == 1
                rows.extend([row + (walk[:1] if loop else walk) for walk in walks if not loop or walk[0] == walk[1]])
            elif subject is None:
                rows.extend([(*row, node) for node in reach(_node(object_), along=False)])
            elif object_ is None:
                rows.extend([(*row, node) for node in reach(subject, along=True)])
            elif object_ in reach(subject, along=True):
                rows.append(row)
        return Table(table.columns + new, rows)

    def reach(self, start: Node, relation: Iri, along: bool, minimum: int) -> dict[Node, None]:
        """What can be reached from a node in ``minimum`` or more steps, along the edges or against them."""
        seen: dict[Node, None] = {start: None} if minimum == 0 else {}
        todo = [start]
        while todo:
            here = todo.pop()
            if along and isinstance(here, Literal):
                continue
            found = self.graph.triples(here, relation, None) if along else self.graph.triples(None, relation, here)
            for triple in found:
                there = triple[2] if along else triple[0]
                if there not in seen:
                    seen[there] = None
                    todo.append(there)
        return seen


_NO_NAMES: frozenset[str] = frozenset()
_MANY = 1 << 40


def _parts(steps: list[_Step], scope: tuple[str, ...]) -> tuple[list[list[_Step]], list[_Step]]:
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
    parts: dict[str, list[_Step]] = {first: []}
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


def _ready(step: _Step, bound: Collection[str]) -> bool:
    """Whether a step can be applied once some variables have values."""
    match step.conjunct:
        case Closure(subject, _, object_, 0):
            # anything at all reaches itself in no step: one end has to be known
            return any(not isinstance(end, Var) or end.name in bound for end in (subject, object_))
        case _:
            return step.needs.issubset(bound)


def _forget(table: Table, step: _Step, uses: dict[str, int]) -> Table:
    """The table without the columns that the step was the last to look at."""
    gone = False
    for name in step.variables:
        uses[name] -= 1
        gone = gone or not uses[name]
    return project(table, tuple([name for name in table.columns if uses[name]])) if gone else table


def _among(term: Term, nodes: Container[Node], members: Callable[[], Iterable[Node]], table: Table) -> Table:
    """The rows whose term is one of ``nodes``; where it has no value yet, the rows with each one as its value."""
    new = fresh((term,), table.columns)
    if new:
        listed = dict.fromkeys(members())
        return Table(table.columns + new, [(*row, node) for row in table.rows for node in listed])
    node_of = getter(term, table.columns)
    return Table(table.columns, [row for row in table.rows if node_of(row) in nodes])


def _guess(subject: Node | None, predicate: Node | None, object_: Node | None) -> int:
    """A count of triples for graphs that cannot count: the fewer places given, the more."""
    return int(10 ** (2 * (subject, predicate, object_).count(None)))


def _constant(term: Term) -> Iri | Literal | None:
    return None if isinstance(term, Var) else term


def _node(node: Node | None) -> Node:
    assert node is not None
    return node


def _better(direction: Direction) -> Callable[..., float | Point | str]:
    return max if direction is Direction.MAX else min


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"?{name}" for name in sorted(names))
