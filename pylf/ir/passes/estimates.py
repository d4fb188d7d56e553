"""What each conjunct of a query is estimated to find, for people: beside what it does find, where that can be counted.

:func:`estimates` has a line for each conjunct, with the rows of it alone and of all up to it. Estimates are those that
the passes go by (:meth:`pylf.ir.passes.cost.Costs.likely`); counts come from whoever has the graph, as a function of a
query. A conjunct is read after those that give its variables values, and, where there is a choice, after one that it
shares a variable with: in the order in which it is printed otherwise. That need not be the order of the engine.

Comparisons and negations have no rows of their own, nor have left joins, extensions and conditions. What stands in a
negation, in an arm of a union or in a left join sees what is around it: of such a body there are the conjuncts alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from pylf.errors import InvalidIR
from pylf.ir import build
from pylf.ir.mentions import mentions
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Closure,
    Compare,
    Condition,
    Confidence,
    Count,
    Extend,
    Extreme,
    Form,
    InstanceOf,
    LeftJoin,
    Not,
    Path,
    Project,
    Query,
    Slice,
    TopK,
    Triple,
    Union,
)
from pylf.ir.passes.cost import Costs
from pylf.ir.scope import bound, exports
from pylf.ir.terms import Iri, Var
from pylf.ir.text import print_conjunct
from pylf.ir.traverse import walk
from pylf.ir.verify import verify
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet
    from typing import Any

    from pylf.ir.nodes import Conjunct
    from pylf.ir.passes.context import Context
    from pylf.ir.schema.model import Schema
    from pylf.ir.terms import Term

#: How many rows a query has; where the counting was cut off, why (``> 100,000``); None where it cannot be counted.
Counter = Callable[[Query], "int | str | None"]

#: relations and classes that a remark names
_NAMED = 3
_ELSEWHERE = " { … }"


@record
class Rows:
    """How many rows there are: as estimated, None where nothing is known of them; and as counted (see
    :data:`Counter`)."""

    estimated: float | None
    counted: int | str | None = None

    def to_json(self) -> dict[str, Any]:
        """As JSON; estimates to four digits."""
        estimated = None if self.estimated is None else float(f"{self.estimated:.4g}")
        return {"estimated": estimated, "counted": self.counted}


@record
class Line:
    """A conjunct, which stands in ``depth`` others, with the rows of it ``alone`` and of all of its body ``so_far``;
    None where it has none."""

    depth: int
    text: str
    alone: Rows | None = None
    so_far: Rows | None = None

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        alone = None if self.alone is None else self.alone.to_json()
        so_far = None if self.so_far is None else self.so_far.to_json()
        return {"depth": self.depth, "conjunct": self.text, "alone": alone, "so_far": so_far}


def estimates(query: Query, context: Context, counter: Counter | None = None) -> list[Line]:
    """The lines of a query, from top to bottom; ``counter`` counts rows, or there are estimates alone."""
    return list(_Estimating(query, context, counter).closed(query.body, 0))


def uncounted(query: Query, schema: Schema) -> list[str]:
    """The relations and classes of a query that the schema has no counts of, each once: there, estimates and passes
    that rest on statistics have nothing to go by."""
    found: dict[str, None] = {}
    for conjunct in walk(query):
        relations: tuple[Term, ...]
        match conjunct:
            case Triple(_, predicate) | Confidence(_, predicate) | Closure(_, predicate):
                relations = (predicate,)
            case Path(_, predicates):
                relations = predicates
            case InstanceOf(_, classes):
                for class_ in classes:
                    known = schema.class_(class_.value)
                    if known is None or known.instances is None:
                        found[class_.value] = None
                continue
            case _:
                continue
        for relation in relations:
            if isinstance(relation, Iri):
                counted = schema.relation(relation.value)
                if counted is None or counted.triples is None:
                    found[relation.value] = None
    return list(found)


def named_first(names: list[str]) -> str:
    """The first few of some IRIs, for a remark."""
    shown = [f"<{name}>" for name in names[:_NAMED]]
    return ", ".join(shown if len(names) <= _NAMED else [*shown, f"and {len(names) - _NAMED} more"])


def table(lines: list[Line], counted: bool) -> str:
    """Lines as columns: rows alone and so far, each as estimated and, with ``counted``, as counted; ``?`` is what is
    not known."""
    heads = [["alone", "so far"]]
    if counted:
        heads = [["", "alone", "", "so far"], ["estimated", "counted", "estimated", "counted"]]
    cells = [[cell for rows in (line.alone, line.so_far) for cell in _cells(rows, counted)] for line in lines]
    texts = ["" for _ in heads] + ["  " * line.depth + line.text for line in lines]
    widths = [max(map(len, column)) for column in zip(*heads, *cells, strict=True)]
    half = len(widths) // 2
    out = []
    for row, text in zip([*heads, *cells], texts, strict=True):
        parts = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        out.append(f"{'  '.join(parts[:half])}    {'  '.join(parts[half:])}   {text}".rstrip())
    return "\n".join(out)


def _cells(rows: Rows | None, counted: bool) -> list[str]:
    if rows is None:
        return [""] * (1 + counted)
    cells = ["?" if rows.estimated is None else _rounded(rows.estimated)]
    if counted:
        count = rows.counted
        cells.append("?" if count is None else count if isinstance(count, str) else f"{count:,}")
    return cells


def _rounded(number: float) -> str:
    """A number that is not exact: two digits, or all before the point."""
    return f"{number:,.0f}" if number >= 10 or number == int(number) else f"{number:.2g}"


class _Estimating:
    def __init__(self, query: Query, context: Context, counter: Counter | None) -> None:
        self.types = query.types
        self.costs = Costs.likely(context)
        self.counter = counter

    def closed(self, body: Body, depth: int) -> Iterator[Line]:
        """The lines of a body that sees nothing from outside."""
        done: list[Conjunct] = []
        for conjunct in _in_order(body):
            done.append(conjunct)
            flow = self.costs.flow(done)
            alone = self._alone(conjunct)
            counted = self._counted(tuple(done)) if alone is None or len(done) > 1 else alone.counted
            so_far = Rows(None if flow is None else _finite(flow.rows), counted)
            yield from self._lines(conjunct, depth, alone, so_far)

    def _open(self, body: Body, depth: int) -> Iterator[Line]:
        for conjunct in body.conjuncts:
            yield from self._lines(conjunct, depth, self._alone(conjunct), None)

    def _lines(self, conjunct: Conjunct, depth: int, alone: Rows | None, so_far: Rows | None) -> Iterator[Line]:
        text = print_conjunct(conjunct, 0).removesuffix(_ELSEWHERE)
        match conjunct:
            case Union((first, *others)):
                yield Line(depth, "either", alone, so_far)
                yield from self._open(first, depth + 1)
                for arm in others:
                    yield Line(depth, "or")
                    yield from self._open(arm, depth + 1)
            case Not(body) | LeftJoin(body):
                yield Line(depth, text, alone, so_far)
                yield from self._open(body, depth + 1)
            case Project() | Count() | Extreme() | TopK() | Aggregate() | Slice():
                yield Line(depth, text, alone, so_far)
                yield from self.closed(conjunct.body, depth + 1)
            case _:
                yield Line(depth, text, alone, so_far)

    def _alone(self, conjunct: Conjunct) -> Rows | None:
        if isinstance(conjunct, (Compare, Not, LeftJoin, Condition, Extend)):
            return None
        return Rows(_finite(self.costs.rows(conjunct)), self._counted((conjunct,)))

    def _counted(self, conjuncts: tuple[Conjunct, ...]) -> int | str | None:
        """How many ways there are to give the variables of some conjuncts values; None where they do not stand on their
        own."""
        if self.counter is None:
            return None
        body = Body(conjuncts)
        outputs = tuple(map(Var, sorted(bound(body))))
        query = build.query(Form.ROWS if outputs else Form.BOOLEAN, outputs, body, self.types)
        try:
            verify(query)
        except InvalidIR:
            return None
        return self.counter(query)


def _finite(rows: float | None) -> float | None:
    return rows if rows is not None and math.isfinite(rows) else None


def _in_order(body: Body) -> Iterator[Conjunct]:
    """The conjuncts as they are printed, each behind what it needs and next to what it shares a variable with."""
    visible = bound(body)
    left = sorted(body.conjuncts, key=_rank)
    seen: set[str] = set()
    while left:
        near = [conjunct for conjunct in left if _rank(conjunct) == _rank(left[0])]
        ready = [conjunct for conjunct in near if _needs(conjunct, visible, seen) <= seen] or near[:1]
        chosen = next((conjunct for conjunct in ready if mentions(conjunct) & seen), ready[0])
        del left[next(place for place, conjunct in enumerate(left) if conjunct is chosen)]
        seen |= exports(chosen, seen)
        yield chosen


def _rank(conjunct: Conjunct) -> int:
    """What may be open is looked at last."""
    match conjunct:
        case LeftJoin():
            return 1
        case Extend():
            return 2
        case Condition():
            return 3
        case _:
            return 0


def _needs(conjunct: Conjunct, visible: AbstractSet[str], seen: AbstractSet[str]) -> AbstractSet[str]:
    """The variables that something else has to give values before a conjunct means what it means in its body."""
    return (mentions(conjunct) & visible) - exports(conjunct, seen)
