"""The reference evaluator: what a query means, in plain Python.

This module is the definition of the semantics. A query asks for its outputs among the *solutions* of its body: the
ways of giving every variable a node of the graph (or a counted number) such that all conjuncts hold. What it takes
for a conjunct to hold is said once, in a method of :class:`Evaluator`; values are compared by :mod:`pylf.ir.values`
alone. The wide tier's part is :mod:`pylf.ir.evaluate_wide`. Everything is a set: no solution counts twice. In which
order conjuncts are looked at is :mod:`pylf.ir.solve`'s, and makes no difference to what is found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import InvalidIR
from pylf.ir.answers import Answers
from pylf.ir.confidence import statements
from pylf.ir.evaluate_wide import WideSolver
from pylf.ir.mentions import mentioned_in
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
from pylf.ir.tables import UNIT, Table, certain, fresh, getter, join, picker, project
from pylf.ir.terms import XSD_INTEGER, Iri, Literal, Var
from pylf.ir.values import compare, identity, kind_of, order_key

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Hashable, Iterable

    from pylf.ir.dates import Point
    from pylf.ir.graph import Graph
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.solve import Step
    from pylf.ir.tables import Row
    from pylf.ir.terms import Node, Term


def evaluate(query: Query, graph: Graph, schema: Schema, vocabulary: Vocabulary) -> Answers:
    """The answers of a query on a graph, by definition.

    Any :class:`~pylf.ir.graph.Graph` serves; one that can also ``estimate`` how many triples agree with given places is
    asked in a better order. Meant for queries that :func:`pylf.ir.verify.verify` accepts.

    Raises:
        InvalidIR: a variable is used that nothing binds, or a NUMBER query does not find one integer: none where
            something beside its count does not hold, or (in a query that verify refuses) several.
    """
    names = tuple([output.name for output in query.outputs])
    found = Evaluator(graph, schema, vocabulary).solve(query.body, UNIT, frozenset(names))
    match query.form:
        case Form.BOOLEAN:
            return Answers.of_boolean(bool(found.rows))
        case Form.SET:
            # a row that leaves what is asked for open is none
            return Answers.of_values([node for (node,) in found.rows if node is not None])
        case Form.NUMBER:
            return Answers.of_number(_only_number([node for (node,) in certain(found)]))
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


class Evaluator(WideSolver):
    """What it takes for each conjunct to hold, on one graph."""

    def apply(self, step: Step, table: Table) -> Table:
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
            case _:
                return self.wide(step, table)

    # --- atoms ----------------------------------------------------------------------------------------------------

    def atoms(self, conjunct: Conjunct, number: int) -> Iterable[Conjunct]:
        """The conjunct itself, or the triples that it stands for."""
        match conjunct:
            case Path(nodes, relations, forward):
                # each hop: (nodes[i], relations[i], nodes[i + 1]) ∈ G, or the other way round
                return [
                    Triple(near, relation, far) if along else Triple(far, relation, near)
                    for near, relation, far, along in zip(nodes, relations, nodes[1:], forward, strict=False)
                ]
            case Confidence() as confidence:
                return statements(confidence, self.vocabulary, lambda word: Var(f"{word} {number}"))
            case _:
                return (conjunct,)

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

    def compare(self, op: Op, left: Term, right: Term, kind: Kind, table: Table) -> Table:
        """Both sides stand in the relation ``op``, by value."""
        left_of, right_of = getter(left, table.columns), getter(right, table.columns)
        rows = [row for row in table.rows if compare(op, _node(left_of(row)), _node(right_of(row)), kind)]
        return Table(table.columns, rows)

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

    # --- bodies within --------------------------------------------------------------------------------------------

    def negation(self, body: Body, shared: frozenset[str], table: Table) -> Table:
        """The body has no solution that agrees with the row."""
        columns = tuple(sorted(shared))
        seeds = project(table, columns)
        found = set(project(self.solve(body, seeds, shared), columns).rows)
        key = picker(table.columns, columns)
        return Table(table.columns, [row for row in table.rows if key(row) not in found])

    def union(self, arms: tuple[Body, ...], step: Step, table: Table) -> Table:
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
        for row in certain(found):
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
        rows = certain(found)
        items, keys = found.columns.index(item), found.columns.index(key)
        if kind is Kind.ANY:
            kind = Kind.NUMBER if any(kind_of(row[keys]) is Kind.NUMBER for row in rows) else Kind.DATE
        placed = [(row[items], order_key(row[keys], kind)) for row in rows]
        return [(node, place) for node, place in placed if place is not None]


def _among(term: Term, nodes: Container[Node], members: Callable[[], Iterable[Node]], table: Table) -> Table:
    """The rows whose term is one of ``nodes``; where it has no value yet, the rows with each one as its value."""
    new = fresh((term,), table.columns)
    if new:
        listed = dict.fromkeys(members())
        return Table(table.columns + new, [(*row, node) for row in table.rows for node in listed])
    node_of = getter(term, table.columns)
    return Table(table.columns, [row for row in table.rows if node_of(row) in nodes])


def _node(node: Node | None) -> Node:
    assert node is not None
    return node


def _better(direction: Direction) -> Callable[..., float | Point | str]:
    return max if direction is Direction.MAX else min
