"""From a query and its answers to an explanation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.why.asking import Asking, Exhausted
from pylf.backends.why.emptiness import emptiness
from pylf.backends.why.evidence import Block
from pylf.backends.why.explanation import Explanation, nodes_in
from pylf.backends.why.standing import members_of
from pylf.backends.why.support import support
from pylf.errors import EngineError
from pylf.ir.expressions import Apply
from pylf.ir.nodes import Body, Condition, Count, Form, Kind
from pylf.ir.scope import bound
from pylf.ir.tables import UNIT, Table, certain, project
from pylf.ir.terms import Blank, Var
from pylf.ir.values import identity, kind_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet
    from typing import Any

    from pylf.backends.engines.protocol import Engine
    from pylf.backends.why.asking import Bindings, Row
    from pylf.backends.why.evidence import Evidence
    from pylf.ir.answers import Answers
    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Query
    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.ir.terms import Node


def explain(
    query: Query, answers: Answers, engine: Engine, schema: Schema, vocabulary: Vocabulary, limit: int = 20
) -> Explanation:
    """What supports the first ``limit`` answers (for a number, members that were counted; for a "yes", one solution),
    or what emptied the answer.

    ``answers`` are those that the engine gives to the query. The work is bounded: what cannot be told within a few
    seconds is marked as such, and what cannot since the engine fails (``Explanation.failure``).
    """
    asking = Asking(engine, schema, vocabulary, dict(query.types))
    explainer = _Explainer(query, asking, max(limit, 0))
    match answers.form:
        case Form.BOOLEAN:
            explainer.truth(bool(answers.boolean))
        case Form.NUMBER:
            explainer.number(answers.number or 0)
        case Form.SET:
            explainer.rows([(value,) for value in answers.values])
        case _:
            explainer.rows(list(answers.rows))
    return explainer.explanation(answers)


class _Explainer:
    def __init__(self, query: Query, asking: Asking, limit: int) -> None:
        self.query = query
        self.body = query.body
        self.outputs = tuple([output.name for output in query.outputs])
        self.asking = asking
        self.limit = limit
        self.blocks: list[Block] = []
        self.total = 0
        self.counted: Count | None = None
        self.about: tuple[Evidence, ...] = ()
        self.empty: list[tuple[Body, tuple[str, ...]]] = []

    def rows(self, rows: list[tuple[Node | None, ...]]) -> None:
        """The rows of an answer, each by one solution."""
        self.total = len(rows)
        if not rows:
            self.empty.append((self.body, self.outputs))
        shown = rows[: self.limit]
        always = bound(self.body)
        surely = [place for place, name in enumerate(self.outputs) if name in always]
        names = tuple([self.outputs[place] for place in surely])
        told = True
        found: dict[tuple[Node | None, ...], Bindings] = {}
        # a solution is told by what is bound in each of them; those that differ in what may be open, by a condition
        for body, rows_of_it in (*self._with_open(shown, always), (self.body, shown)):
            left = {row: tuple([row[place] for place in surely]) for row in rows_of_it if row not in found}
            whole = [tuple([node for node in part if node is not None]) for part in left.values() if None not in part]
            if not left:
                continue
            some, all_told = self._solutions(body, names, whole)
            told = told and all_told
            found |= {row: some[part] for row, part in left.items() if part in some}
        for row in shown:
            bindings = found.get(row)
            if bindings is None:
                self.blocks.append(Block(row, (), False if told else None))
                continue
            values = {name: node for name, node in zip(self.outputs, row, strict=True) if node is not None}
            start = set(values) | set(names)
            self.blocks.append(Block(row, support(self.body, values | dict(bindings), start, self.asking)))

    def _with_open(
        self, rows: list[tuple[Node | None, ...]], always: AbstractSet[str]
    ) -> Iterator[tuple[Body, list[tuple[Node | None, ...]]]]:
        """Rows that have the same in those outputs that may be open, and the body in which it is this that they have:
        where several solutions have what is bound, one that has the rest too is to explain a row. What no constant can
        say (a blank node) is not asked for."""
        loose = [place for place, name in enumerate(self.outputs) if name not in always]
        alike: dict[tuple[Node | None, ...], list[tuple[Node | None, ...]]] = {}
        for row in rows if loose else ():
            alike.setdefault(tuple([row[place] for place in loose]), []).append(row)
        for part, some in alike.items():
            has = [_has(Var(self.outputs[place]), node) for place, node in zip(loose, part, strict=True)]
            yield Body((*self.body.conjuncts, *map(Condition, has))), some

    def truth(self, holds: bool) -> None:
        """A yes by one solution, a no by what empties the body."""
        if not holds:
            self.empty.append((self.body, ()))
            return
        self.total = 1
        self._one(self.body)

    def number(self, number: int) -> None:
        """A count by the members that were counted, and by what else is asked of it."""
        self.total = number
        named = set(self.outputs)
        count = next((c for c in self.body.conjuncts if isinstance(c, Count) and c.result.name in named), None)
        if count is None:
            self._one(self.body)
            return
        self.counted = count
        if number == 0:
            self.empty.append((count.body, (count.of.name, *[var.name for var in count.group])))
            return
        try:
            with self.asking.meter.refilled():
                others = Body(tuple([conjunct for conjunct in self.body.conjuncts if conjunct is not count]))
                bindings = self.asking.witness(self.body, {}) if others.conjuncts or count.group else {}
                if bindings is None:
                    self.blocks.append(Block((), (), False))
                    return
                members, group = members_of(count, bindings, self.asking)
                if len(members) != number:
                    self.blocks.append(Block((), (), False))
                    return
                self.about = support(others, bindings, named | group.keys(), self.asking)
        except Exhausted:
            self.blocks.append(Block((), (), None))
            return
        known = tuple(group)
        seeds = Table((*known, count.of.name), [(*group.values(), member) for member in members[: self.limit]])
        inner = _Explainer(self.query, self.asking, self.limit)
        inner.body, inner.outputs = count.body, seeds.columns
        inner.rows([tuple(row) for row in seeds.rows])
        self.blocks.extend(Block(block.answer[-1:], block.evidence, block.found) for block in inner.blocks)

    def _one(self, body: Body) -> None:
        if not self.limit:
            return
        try:
            with self.asking.meter.refilled():
                bindings = self.asking.witness(body, {})
        except Exhausted:
            self.blocks.append(Block((), (), None))
            return
        if bindings is None:
            self.blocks.append(Block((), (), False))
        else:
            self.blocks.append(Block((), support(body, bindings, set(self.outputs), self.asking)))

    def _solutions(self, body: Body, names: tuple[str, ...], rows: list[Row]) -> tuple[Mapping[Any, Bindings], bool]:
        """A solution of a body for each row of some outputs that has one; and whether that could be told of all of them
        within bounds."""
        found: dict[Row, Bindings] = {}
        try:
            with self.asking.meter.refilled():
                seeds = Table(names, dict.fromkeys(rows)) if names else UNIT
                found = self.asking.witnesses(body, seeds) if rows else {}
        except Exhausted:
            # together they are too much; as many as can be, one by one
            try:
                with self.asking.meter.refilled():
                    for row in rows:
                        found |= self.asking.witnesses(body, Table(names, (row,)) if names else UNIT)
            except Exhausted:
                return found, False
        missing = [row for row in rows if row not in found]
        try:
            return (found | self._respelled(body, names, missing) if missing and names else found), True
        except Exhausted:
            return found, False

    def _respelled(self, body: Body, names: tuple[str, ...], rows: Iterable[Row]) -> dict[Row, Bindings]:
        """Solutions for rows that the engine gave in another spelling of the same values."""
        table = project(self.asking.solve(body, UNIT, frozenset(names)), names)
        spelled: dict[tuple[Hashable, ...], Row] = {tuple(map(identity, row)): row for row in certain(table)}
        twins = {row: spelled[key] for row in rows if (key := tuple(map(identity, row))) in spelled}
        with self.asking.meter.refilled():
            found = self.asking.witnesses(body, Table(names, dict.fromkeys(twins.values())))
        return {row: found[twin] for row, twin in twins.items() if twin in found}

    def explanation(self, answers: Answers) -> Explanation:
        """What was found, with the labels of all that occurs in it."""
        empty = tuple([emptiness(body, shown, self.asking) for body, shown in self.empty])
        nodes = nodes_in((*self.blocks, *self.about, *empty, self.counted))
        asking = self.asking
        labels = _labels(nodes, asking)
        return Explanation(
            answers.form,
            asking.engine.snapshot,
            self.total,
            tuple(self.blocks),
            self.about,
            empty[0] if empty else None,
            self.counted,
            asking.schema,
            asking.vocabulary,
            labels,
            asking.meter.untold,
            asking.meter.failure,
        )


def _has(var: Var, node: Node | None) -> Expression:
    """Whether a variable that may be open has a node as its value, however that is spelled; or, of None, is open."""
    match node:
        case None:
            return Apply("!", (Apply("bound", (var,)),))
        case Blank():
            return Apply("isblank", (var,))
    if kind_of(node) is Kind.DATE:  # what lies within a date is = to it
        return Apply("sameterm", (var, node))
    return Apply("||", (Apply("sameterm", (var, node)), Apply("=", (var, node))))


def _labels(nodes: set[Node], asking: Asking) -> dict[Node, str]:
    """Labels to show beside what was found; none where the engine fails."""
    meter = asking.meter
    if meter.failure is not None:
        return {}
    try:
        return asking.engine.labels(nodes, asking.vocabulary)
    except EngineError as problem:
        meter.untold = meter.untold or f"labels: {problem}"
        return {}
