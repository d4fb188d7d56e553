"""Extremes and top-k: found beforehand by a sub-select with one row, then tested where the body stands.

``Extreme(max, item, key, body)`` is ``body`` with the filter "its key is the greatest there is", and the greatest key
is the one row of ``SELECT (MAX(key) AS ?max) WHERE { body }`` over a copy of the body with names of its own. ``TopK``
compares with the last best key among k instead. A superlative within the body is found once: the sub-select around it
hands its finding on, so that nesting costs no more than its depth. Superlatives that say the same, be it of different
items, are found once after passes have run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.sparql import dates, values
from pylf.backends.sparql.frame import Frame, KeyTest, Scalar, SubQuery
from pylf.backends.sparql.query import Aggregate, Column, Filter, Group, Operation, Select
from pylf.ir import build, traverse
from pylf.ir.mentions import mentions
from pylf.ir.nodes import Body, Closure, Count, Direction, Extreme, Form, Kind, TopK, Triple, Union
from pylf.ir.terms import XSD_DOUBLE, XSD_INTEGER, Iri, Literal, Var
from pylf.ir.traverse import walk

if TYPE_CHECKING:
    from pylf.backends.sparql.content import Content
    from pylf.backends.sparql.dialect import Dialect
    from pylf.backends.sparql.lower import Lowering
    from pylf.backends.sparql.query import Expression, Pattern
    from pylf.ir.terms import Literal as Constant

#: So many times as much work as there are keys has the body to be that is not met a second time: as things mostly are,
#: and where the constants in it are rare. A key that is read and compared counts about four.
_CLEAR = 9.0
_HARMLESS = 0.7
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
    triple = _first(lowering, node)
    if triple is not None:
        rest = tuple([part for part in node.body.conjuncts if part is not triple])
        ends = (node.item, node.key)
        # in a sub-select, lest the engine asks for the rest before it looks at the key
        inner = Frame(None, [var.name for var in ends])
        lowering.expand(Body((triple,)), inner)
        inner.tests.append(_key_test(node, _found(lowering, node, inner)))
        select = Select(ends, lowering.group(inner), distinct=True)
        frame.bind(SubQuery(select, ends), [var.name for var in ends])
        frame.tests.append(Union((Body(rest),)))
        return
    home = frame.home
    source = _source(lowering, node)
    scalar = home.shared.get(source)
    if frame.existential and lowering.dialect.limits_scalars:
        scalar = None  # what is used under EXISTS may not come from a sub-select of which the group around uses more
    if scalar is None:
        scalar = _found(lowering, node, home)
        if lowering.optimize:
            home.shared[source] = scalar
    lowering.expand(node.body, frame)
    frame.tests.append(_key_test(node, scalar))


def _key_test(node: Extreme | TopK, scalar: Scalar) -> KeyTest:
    return KeyTest(node.key, scalar, None if isinstance(node, Extreme) else node.direction)


def _first(lowering: Lowering, node: Extreme | TopK) -> Triple | None:
    """What gives the key to the item, where that is best met first once the best key is found, and the rest of the
    body asked for by EXISTS at the few items with that key. None where the body is better met as a whole: for a
    superlative that is not the whole query or holds another one, an engine whose sub-selects or nested EXISTS are not
    cheap, a relation to the key that is more to read than the whole takes to find, or nothing that is known of them."""
    conjuncts = node.body.conjuncts
    if not (lowering.ordered and lowering.dialect.nest_negation and lowering.dialect.projects) or len(conjuncts) < 2:
        return None
    if lowering.root.body.conjuncts != (node,):
        return None
    if any(isinstance(part, (Closure, Extreme, TopK, Count, Union)) for part in walk(node.body)):
        return None
    match [part for part in conjuncts if node.key.name in mentions(part)]:
        case [Triple(Var() as item, Iri(), key) as triple] if (item, key) == (node.item, node.key):
            pass
        case _:
            return None
    if len(traverse.variables(node.body)) == 2:
        return None  # one hop: no more to look up for an item than to read its key
    from pylf.ir.passes.assumptions import Assumptions
    from pylf.ir.passes.context import Context

    assumed = Assumptions(Context(lowering.schema, lowering.vocabulary, lowering.dialect.target))
    rows = assumed.likely.rows(triple)
    for costs, least in ((assumed.likely, _CLEAR), (assumed.rare, _HARMLESS)):
        flow = costs.flow(conjuncts)
        if rows is None or flow is None or flow.work < least * rows:
            return None
    return triple


def _source(lowering: Lowering, node: Extreme | TopK) -> int:
    """What tells whether two superlatives find the same: the node that one was made from or, where the query has
    another one like it and passes have run, what it says."""
    original = lowering.apart.source.get(id(node), node)
    assert isinstance(original, (Extreme, TopK))
    if not lowering.ordered:
        return id(original)
    shape = _shape(original)
    for other in walk(lowering.root):
        if isinstance(other, (Extreme, TopK)) and other is not original and _shape(other) == shape:
            from pylf.ir.canonical import fingerprint

            return int(fingerprint(build.query(Form.SET, (original.item,), Body((original,)))), 16)
    return id(original)


def _shape(node: Extreme | TopK) -> tuple[object, ...]:
    """What superlatives that say the same have in common at a glance."""
    kinds = sorted([type(conjunct).__name__ for conjunct in node.body.conjuncts])
    return type(node), node.direction, node.kind, getattr(node, "k", 1), kinds


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
