"""Extremes and top-k: found beforehand by a sub-select with one row, then tested where the body stands.

``Extreme(max, item, key, body)`` is ``body`` with the filter "its key is the greatest there is", and the greatest key
is the one row of ``SELECT (MAX(key) AS ?max) WHERE { body }`` over a copy of the body with names of its own. ``TopK``
compares with the last best key among k instead. A superlative within the body is found once: the sub-select around it
hands its finding on, so that nesting costs no more than its depth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.sparql import dates, values
from pylf.backends.sparql.frame import Frame, KeyTest, Scalar
from pylf.backends.sparql.query import Aggregate, Column, Filter, Group, Operation, Select
from pylf.ir.nodes import Direction, Extreme, Kind
from pylf.ir.terms import XSD_DOUBLE, XSD_INTEGER, Literal, Var

if TYPE_CHECKING:
    from pylf.backends.sparql.content import Content
    from pylf.backends.sparql.dialect import Dialect
    from pylf.backends.sparql.lower import Lowering
    from pylf.backends.sparql.query import Expression, Pattern
    from pylf.ir.nodes import TopK
    from pylf.ir.terms import Literal as Constant

_ONE = Literal("1", XSD_INTEGER)
_ZERO = Literal("0", XSD_INTEGER)
_AGGREGATE = {Direction.MAX: "MAX", Direction.MIN: "MIN"}
_REVERSED = {Direction.MAX: "MIN", Direction.MIN: "MAX"}
#: What loses against every number, and against every date.
_WORST: dict[Direction, tuple[Constant, Constant]] = {
    Direction.MAX: (Literal("-INF", XSD_DOUBLE), Literal("")),
    Direction.MIN: (Literal("INF", XSD_DOUBLE), Literal("~")),
}

#: What loses against every earliest date whether digits come before ``~`` or after it.
_LATEST = Literal("9" * 16)


def expand(lowering: Lowering, node: Extreme | TopK, frame: Frame) -> None:
    """Adds a superlative to a frame: its body, its test, and what it found beforehand to the frame's home."""
    if not isinstance(node, Extreme) and node.k < 1:
        frame.never = True
        return
    home = frame.home
    source = id(lowering.apart.source.get(id(node), node))
    scalar = home.shared.get(source)
    if frame.existential and lowering.dialect.limits_scalars:
        scalar = None  # what is used under EXISTS may not come from a sub-select of which the group around uses more
    if scalar is None:
        scalar = _found(lowering, node, home)
        if lowering.optimize:
            home.shared[source] = scalar
    lowering.expand(node.body, frame)
    frame.tests.append(KeyTest(node.key, scalar, None if isinstance(node, Extreme) else node.direction))


def test(key_test: KeyTest, dialect: Dialect) -> Expression:
    """Whether a key is the extreme one, or as good as the last of k."""
    key, (variables, kind, content), direction = key_test
    symbol = "=" if direction is None else ">=" if direction is Direction.MAX else "<="
    if kind is not Kind.ANY:
        ordered = Operation(symbol, (values.order_key(kind, key, content, dialect), variables[0]))
        return values.guarded(values.order_guard(kind, key, content, dialect), ordered)
    *told, number, date = variables
    compared = Operation(symbol, (values.double_of(key, dialect), number))
    as_number = values.guarded(values.is_number(key, dialect), compared)
    as_date = values.guarded(
        dates.is_date(key, content, dialect), Operation(symbol, (dates.start_key(key, content, dialect), date))
    )
    numbers = Operation("=", (told[0], _ONE)) if told else values.call("BOUND", number)
    return values.call("IF", numbers, as_number, as_date)


def _found(lowering: Lowering, node: Extreme | TopK, home: Frame) -> Scalar:
    """Adds the sub-select that finds out what the test needs, and tells its variables."""
    body, (item, key) = lowering.apart.copy(node.body, (node.item, node.key))
    inner = Frame(None, (item.name, key.name))
    lowering.expand(body, inner)
    content = lowering.content(key, inner, typed=False)
    kind = _settled(node.kind, content)
    if isinstance(node, Extreme):
        return _extreme(lowering, node.direction, key, kind, content, inner, home)
    if kind is not Kind.ANY:
        last = _last(lowering, node, (item, key), kind, content, inner, home)
        return Scalar((last,), kind, content)
    body, (other_item, other_key) = lowering.apart.copy(node.body, (node.item, node.key))
    other = Frame(None, (other_item.name, other_key.name))
    lowering.expand(body, other)
    number = _last(lowering, node, (item, key), Kind.NUMBER, content, inner, home)
    date = _last(lowering, node, (other_item, other_key), Kind.DATE, content, other, home)
    return Scalar((number, date), kind, content)


def _extreme(
    lowering: Lowering, direction: Direction, key: Var, kind: Kind, content: Content, inner: Frame, home: Frame
) -> Scalar:
    fresh, dialect, function = lowering.apart.fresh, lowering.dialect, _AGGREGATE[direction]
    name = direction.value
    if kind is not Kind.ANY:
        guard = values.order_guard(kind, key, content, dialect)
        columns = [Column(Aggregate(function, values.order_key(kind, key, content, dialect)), fresh(name))]
    else:
        guard = values.call("isLiteral", key)
        numbers, dates_ = values.is_number(key, dialect), dates.is_date(key, content, dialect)
        no_number, no_date = _WORST[direction]
        if dialect.collates and no_date.lexical:
            no_date = _LATEST
        number = values.call("IF", numbers, values.double_of(key, dialect), no_number)
        date = values.call("IF", dates_, dates.start_key(key, content, dialect), no_date)
        columns = [
            Column(Aggregate("MAX", values.call("IF", numbers, _ONE, _ZERO)), fresh("numbers")),
            Column(Aggregate(function, number), fresh(name)),
            Column(Aggregate(function, date), fresh(f"{name}_date")),
        ]
    variables = tuple([column.variable for column in columns])
    where = lowering.group(inner, _filters(guard))
    # the superlatives within are found: hand their findings on
    for source, scalar in inner.shared.items():
        handed_on = [Column(Aggregate("MAX", var), fresh(var.name)) for var in scalar.variables]
        columns += handed_on
        home.shared[source] = scalar._replace(variables=tuple([column.variable for column in handed_on]))
    home.scalars.append(Select(tuple(columns), where))
    return Scalar(variables, kind, content)


def _last(
    lowering: Lowering,
    node: TopK,
    of: tuple[Var, Var],
    kind: Kind,
    content: Content,
    inner: Frame,
    home: Frame,
) -> Var:
    """Adds the sub-select that finds the worst of the k best keys, one for each item."""
    item, key = of
    fresh, dialect = lowering.apart.fresh, lowering.dialect
    best, last = fresh("best"), fresh("last")
    of_item = lowering.content(item, inner)
    group: Var | Column = item
    if of_item.literals:
        group = Column(values.identity_key(item, of_item, dialect), fresh("one"))
    ranked = Select(
        (Column(Aggregate(_AGGREGATE[node.direction], values.order_key(kind, key, content, dialect)), best),),
        lowering.group(inner, _filters(values.order_guard(kind, key, content, dialect))),
        group_by=(group,),
        order_by=((best, node.direction is Direction.MAX),),
        limit=node.k,
    )
    home.scalars.append(Select((Column(Aggregate(_REVERSED[node.direction], best), last),), Group((ranked,))))
    return last


def _settled(kind: Kind, content: Content) -> Kind:
    """The kind, ANY only where both numbers and dates may occur."""
    if kind is not Kind.ANY or (content.numbers and content.dates):
        return kind
    return Kind.DATE if content.dates else Kind.NUMBER


def _filters(guard: Expression | None) -> list[Pattern]:
    return [] if guard is None else [Filter(guard)]
