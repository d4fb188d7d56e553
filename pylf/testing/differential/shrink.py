"""From a failing case to a smallest one that fails in the same way.

Triples are dropped by delta debugging (Zeller and Hildebrandt, 2002); parts of the program are replaced by what is in
them; readings, statistics and statements of the schema are dropped. Each is tried again until none helps.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from pylf.ir.nodes import Query
from pylf.language import syntax
from pylf.records import replace
from pylf.testing.differential.forms import inside, with_inside
from pylf.testing.differential.smaller_queries import smaller_queries
from pylf.testing.differential.verdict import fails
from pylf.testing.drawn.grounds import is_measured, measured
from pylf.testing.drawn.schemas import counted, uncounted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pylf.ir.graph import TripleRow
    from pylf.ir.schema.model import Class, Relation
    from pylf.testing.differential.case import Case
    from pylf.testing.differential.engines import Engines
    from pylf.testing.differential.verdict import Failure
    from pylf.testing.drawn.schemas import Rows
    from pylf.testing.drawn.worlds import Setting

_Item = TypeVar("_Item")

#: so often is a case tried at most, and for so many seconds
MOST_TRIES = 1_500
_MOST_SECONDS = 20.0


def shrunk(failure: Failure, engines: Engines, most: int = MOST_TRIES) -> Failure:
    """The failure by the smallest case that was found to fail in the same way on the same engine; itself, where it does
    not fail again."""
    search = _Search(failure, engines, most)
    return search.run()


class _Search:
    def __init__(self, failure: Failure, engines: Engines, most: int) -> None:
        self.best = failure
        self.engines = engines
        self.left = most
        self.until = time.monotonic() + _MOST_SECONDS

    def run(self) -> Failure:
        if not self.accept(self.best.case):
            return self.best
        before: Case | None = None
        while self.best.case != before and self.left > 0:
            before = self.best.case
            self.triples()
            self.program()
            self.setting()
        return self.best

    def accept(self, case: Case) -> bool:
        """Whether the case fails in the same way; then it is the best so far."""
        if time.monotonic() > self.until:
            self.left = 0
        if self.left <= 0:
            return False
        self.left -= 1
        found = fails(case, self.best.engine, self.best.optimize, self.engines, self.best.alone)
        if found is None or (found.engine, found.kind) != (self.best.engine, self.best.kind):
            return False
        self.best = found
        return True

    def triples(self) -> None:
        smallest(self.best.case.setting.triples, lambda kept: self.accept(with_triples(self.best.case, kept)))

    def program(self) -> None:
        """Tries smaller programs until none of them fails."""
        while any(self.accept(replace(self.best.case, program=p)) for p in self.smaller_programs()):
            pass

    def smaller_programs(self) -> Iterator[syntax.Program | Query]:
        program = self.best.case.program
        return smaller_queries(program) if isinstance(program, Query) else smaller(program)

    def setting(self) -> None:
        """Drops readings, statistics, and what the schema says."""
        for simpler in _PLAINER:
            changed = simpler(self.best.case.setting)
            if changed != self.best.case.setting:
                self.accept(replace(self.best.case, setting=changed))
        smallest(self.best.case.setting.rows.relations, lambda kept: self.accept(self.with_rows(relations=kept)))
        smallest(self.best.case.setting.rows.classes, lambda kept: self.accept(self.with_rows(classes=kept)))
        for place in range(len(self.best.case.setting.rows.relations)):
            for plainer in _plainer_relations(self.best.case.setting.rows.relations[place]):
                self.accept(self.with_rows(relations=_put(self.best.case.setting.rows.relations, place, plainer)))
        for place in range(len(self.best.case.setting.rows.classes)):
            for plain in _plainer_classes(self.best.case.setting.rows.classes[place]):
                self.accept(self.with_rows(classes=_put(self.best.case.setting.rows.classes, place, plain)))

    def with_rows(
        self, relations: tuple[Relation, ...] | None = None, classes: tuple[Class, ...] | None = None
    ) -> Case:
        setting = self.best.case.setting
        rows: Rows = setting.rows
        if relations is not None:
            rows = rows._replace(relations=relations)
        if classes is not None:
            rows = rows._replace(classes=classes)
        return replace(self.best.case, setting=truthful(replace(setting, rows=rows)))


def with_triples(case: Case, triples: Sequence[TripleRow]) -> Case:
    """The case over another graph; statistics that its schema has are counted anew."""
    return replace(case, setting=truthful(replace(case.setting, triples=tuple(triples))))


def truthful(setting: Setting) -> Setting:
    """The setting with a schema that says of the graph again what it said: how far it keeps to it, and its counts."""
    rows, has_counts = setting.rows, any(relation.profile is not None for relation in setting.rows.relations)
    if is_measured(rows):
        found = measured(uncounted(rows), setting.triples, setting.times)
        rows = found if has_counts else rows._replace(meta=found.meta)
    elif has_counts:
        rows = counted(uncounted(rows), setting.triples)
    return replace(setting, rows=rows)


def smallest(items: tuple[_Item, ...], accept: Callable[[tuple[_Item, ...]], bool]) -> tuple[_Item, ...]:
    """Items of which none can be left out, found by leaving out ever smaller parts of them. ``accept`` says whether the
    rest will do."""
    size = len(items)
    while size >= 1 and items:
        start = 0
        while start < len(items):
            rest = items[:start] + items[start + size :]
            if accept(rest):
                items = rest
            else:
                start += size
        size //= 2
    return items


def smaller(program: syntax.Program) -> Iterator[syntax.Program]:
    """Programs with one thing less, the smallest first."""
    whole = written_out(program)
    if whole != program:
        yield whole
    stop = whole.assignments[-1]
    assert isinstance(stop.value, syntax.Stop)
    for expression in _smaller(stop.value.of):
        yield replace(whole, assignments=(replace(stop, value=syntax.Stop(expression)),))


def written_out(program: syntax.Program) -> syntax.Program:
    """The program as one statement, each variable replaced by what it stands for."""
    known: dict[str, syntax.Expression] = {}

    def inlined(expression: syntax.Expression) -> syntax.Expression:
        if isinstance(expression, syntax.Reference):
            return known[expression.name]
        return with_inside(expression, tuple(inlined(part) for part in inside(expression)))

    for assignment in program.assignments:
        if isinstance(assignment.value, syntax.Stop):
            stop = syntax.Assignment(assignment.name, syntax.Stop(inlined(assignment.value.of)))
            return syntax.Program((stop,))
        known[assignment.name] = inlined(assignment.value)
    return program


def _smaller(expression: syntax.Expression) -> Iterator[syntax.Expression]:
    inner = inside(expression)
    yield from inner
    match expression:
        case syntax.And(sets=sets) | syntax.Or(sets=sets) if len(sets) > 2:
            for place in range(len(sets)):
                yield with_inside(expression, sets[:place] + sets[place + 1 :])
        case syntax.Join(negated=True):
            yield replace(expression, negated=False)
        case syntax.Arg(k=int()):
            yield replace(expression, k=None)
        case syntax.Start(kind=str()):
            yield replace(expression, kind=None)
    if isinstance(expression, syntax.Join | syntax.Arg | syntax.Cmp):
        for relation in _shorter(expression.relation):
            yield replace(expression, relation=relation)
    for place, part in enumerate(inner):
        for less in _smaller(part):
            yield with_inside(expression, _put(inner, place, less))


def _shorter(relation: syntax.Relation) -> Iterator[syntax.Relation]:
    match relation:
        case syntax.RelationPath(steps=steps):
            for place in range(len(steps)):
                rest = steps[:place] + steps[place + 1 :]
                yield rest[0] if len(rest) == 1 else replace(relation, steps=rest)
        case syntax.Reach(name=name):
            yield name


#: ways to say less of how a case is read
_PLAINER: tuple[Callable[[Setting], Setting], ...] = (
    lambda s: replace(s, negation="cwa"),
    lambda s: replace(s, at_hand=False),
    lambda s: replace(s, rows=uncounted(s.rows)),
    lambda s: replace(s, rows=s.rows._replace(meta=())),
)


def _plainer_relations(relation: Relation) -> Iterator[Relation]:
    """The relation with less said of it; accumulates over the calls, as each is made from what was accepted."""
    yield replace(relation, label=None, inverse=None, functional=False, symmetric=False)
    yield replace(relation, domain=(), label=None)
    yield replace(relation, range=(), label=None)
    yield replace(relation, datatypes=(), literal=None)


def _plainer_classes(class_: Class) -> Iterator[Class]:
    for dropped in ({"label": None}, {"parents": ()}, {"disjoint": ()}):
        yield replace(class_, **dropped)


def _put(items: tuple[_Item, ...], place: int, item: _Item) -> tuple[_Item, ...]:
    return (*items[:place], item, *items[place + 1 :])
