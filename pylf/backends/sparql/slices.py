"""Slices: the first rows of an order, as the query's own head or as a sub-select.

An order that nothing is cut from does not matter, as answers are sets. Else keys that are known to be numbers, plain
strings or dates are ordered as such; those of which nothing is known kind by kind, by several keys, as no two engines
order values of different kinds alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.sparql import aggregates, dates, expressions, values
from pylf.backends.sparql.closed_off import is_cut
from pylf.backends.sparql.content import ENTITIES
from pylf.backends.sparql.exchanged import has_value, stands_for, substituted
from pylf.backends.sparql.expression_contents import Place, content_of
from pylf.backends.sparql.frame import Frame, SubQuery
from pylf.backends.sparql.query import Aggregate as Reduced
from pylf.backends.sparql.query import Operation, Select
from pylf.errors import UnsupportedOperation
from pylf.ir.expressions import names_in
from pylf.ir.terms import XSD_INTEGER, XSD_STRING, Iri, Literal, Var
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.backends.sparql.content import Content
    from pylf.backends.sparql.lower import Lowering
    from pylf.backends.sparql.query import Expression as Tree
    from pylf.ir.nodes import Order, Slice

_NO_TREES: Mapping[Var, Tree] = {}


def expand(lowering: Lowering, node: Slice, frame: Frame) -> None:
    """Adds a slice that stands in a body to its frame, as a sub-select.

    Raises:
        UnsupportedOperation: the dialect has no right form for it there.
    """
    dialect = lowering.dialect
    select, outer = selected(lowering, node)
    quirky = dialect.flat_exists or dialect.parts_groups or dialect.apart_exists
    if frame.optional and is_cut(node) and quirky:
        raise UnsupportedOperation("a limit under EXISTS or OPTIONAL", f"SPARQL ({dialect.name})")
    aggregates.take_in(frame, SubQuery(select, node.outputs), outer)


def selected(lowering: Lowering, node: Slice) -> tuple[Select, Frame]:
    """The SELECT of a slice, and a frame that tells of its columns."""
    cut = is_cut(node)
    aggregate = aggregates.split(node.body.conjuncts)
    if aggregate is not None:
        beside = tuple([conjunct for conjunct in node.body.conjuncts if conjunct is not aggregate])
        found = aggregates.select(lowering, aggregate, beside, node.outputs)
        if found is not None:
            select, outer, reduced = found
            keep_distinct = node.distinct or not cut
            select = replace(select, distinct=select.distinct and keep_distinct)
            if not cut:
                return select, outer
            if select.distinct:
                _check_order(lowering, node)
            lacking = {var: worth for var, worth in reduced.items() if var not in node.outputs}
            return _ordered(lowering, node, select, outer, lacking), outer
    inner, where = aggregates.bag(lowering, node.body, any_number=node.distinct or not cut)
    outer = Frame(None, [output.name for output in node.outputs])
    for output in node.outputs:
        outer.binders[output.name] = []
        outer.contents[output.name] = lowering.content(output, inner, typed=False)
        if not inner.is_certain(output.name):
            outer.opened.add(output.name)
    select = Select(node.outputs, where, distinct=node.distinct or not cut)
    if not cut:
        return select, outer
    if node.distinct and lowering.dialect.reorders_distinct and not _looks_at_outputs(node):
        return _by_best(lowering, node, select, inner), outer
    return _ordered(lowering, node, select, inner), outer


def _looks_at_outputs(node: Slice) -> bool:
    outputs = {output.name for output in node.outputs}
    return all(names_in(key.expression) <= outputs for key in node.order)


def _check_order(lowering: Lowering, node: Slice) -> None:
    if lowering.dialect.reorders_distinct and not _looks_at_outputs(node):
        raise UnsupportedOperation("distinct rows in the order of what they lack", f"SPARQL ({lowering.dialect.name})")


def _ordered(
    lowering: Lowering, node: Slice, select: Select, frame: Frame, lacking: Mapping[Var, Tree] = _NO_TREES
) -> Select:
    """The SELECT with the keys of an order; what is ``lacking`` among its columns is written out in them."""
    keys: list[tuple[Tree, bool]] = []
    for key in node.order:
        worths = [substituted(one, lacking) for one in _keys(key, Place(lowering, frame))]
        keys += [(lowering.sizes.kept(worth), key.descending) for worth in worths]
    return replace(select, order_by=tuple(dict.fromkeys(keys)), limit=node.limit, offset=node.offset)


def _by_best(lowering: Lowering, node: Slice, select: Select, frame: Frame) -> Select:
    """Distinct rows by the best place of each, where DISTINCT does not keep it: grouped, in the order of the extreme
    key."""
    keys = [worth for key in node.order for worth in _keys(key, Place(lowering, frame))]
    if len(keys) > 1 or lowering.dialect.blank_group:
        _check_order(lowering, node)
    descending = node.order[0].descending
    best = Reduced("MAX" if descending else "MIN", keys[0])
    return replace(
        select,
        distinct=False,
        group_by=node.outputs,
        order_by=((best, descending),),
        limit=node.limit,
        offset=node.offset,
    )


# --- keys ---------------------------------------------------------------------------------------------------------

_ZERO = Literal("0", XSD_INTEGER)
_ONE = Literal("1", XSD_INTEGER)
_RANKS = tuple([Literal(str(number), XSD_INTEGER) for number in range(8)])


def _keys(order: Order, at: Place) -> list[Tree]:
    """What an order goes by, free of errors where the engine does not order these."""
    keys = _places(order, at)
    if not at.lowering.dialect.counts_errors:
        return keys
    return [key if isinstance(key, Var) else values.call("COALESCE", key, values.EMPTY) for key in keys]


def _places(order: Order, at: Place) -> list[Tree]:
    """What an order goes by: one key where all is of one kind."""
    expression, dialect = order.expression, at.lowering.dialect
    content = content_of(expression, at)
    worth = expressions.value(expression, at)
    var = expression if isinstance(expression, Var) else stands_for(0)
    made = {} if isinstance(expression, Var) else {var: worth}
    certain = isinstance(expression, Var) and at.frame.is_certain(expression.name)
    # an error where there is no value, and that comes first
    if not certain and not isinstance(expression, Var) and dialect.joins_values:
        raise UnsupportedOperation("an order by what is computed and may have no value", f"SPARQL ({dialect.name})")
    keys: list[Tree] = [] if certain else [values.call("IF", has_value(worth), _ONE, _ZERO)]
    if content.counted or content.only_numbers:
        return [*keys, worth]
    if content.only_texts:
        values.order_of_texts(dialect)
        return [*keys, values.call("STR", worth)]
    if content.only_dates:
        return [*keys, substituted(dates.start_key(var, content, dialect), made)]
    values.order_of_texts(dialect)
    if content == ENTITIES:
        blank = values.call("IF", values.call("isBlank", worth), *_RANKS[:2])
        return [*keys, blank, values.call("STR", worth)]
    found = _of_any_kind(var, content, at)
    return [*keys, *[substituted(key, made) for key in found]]


def _of_any_kind(var: Var, content: Content, at: Place) -> list[Tree]:
    """The kind of a value, its number, what else its place depends on, and its language."""
    call, dialect = values.call, at.lowering.dialect
    number, date = values.is_number(var, dialect), dates.is_date(var, content, dialect)
    datatype = call("DATATYPE", var)
    text = call("IF", Operation("=", (datatype, Iri(XSD_STRING))), _RANKS[5], _other_rank(var, at))
    literal = call("IF", number, _RANKS[3], call("IF", date, _RANKS[4], text))
    entity = call("IF", call("isBlank", var), _RANKS[1], _RANKS[2])
    rank = call("COALESCE", call("IF", call("isLiteral", var), literal, entity), _RANKS[0])
    worth = call("COALESCE", call("IF", number, values.double_of(var, dialect), _RANKS[0]), _RANKS[0])
    start = call("IF", date, dates.start_key(var, content, dialect), _spelled(var, at))
    key = call("COALESCE", call("IF", call("isLiteral", var), start, call("STR", var)), Literal(""))
    language = call("COALESCE", call("LCASE", call("LANG", var)), Literal(""))
    return [rank, worth, key, language]


def _other_rank(var: Var, at: Place) -> Tree:
    """Strings with a language stand among the others; then come booleans, and what is left."""
    tagged = Operation("!=", (values.call("LANG", var), Literal("")))
    return values.call("IF", tagged, _RANKS[5], values.call("IF", _is_boolean(var, at), _RANKS[6], _RANKS[7]))


def _is_boolean(var: Var, at: Place) -> Tree:
    return Operation("||", tuple([values.boolean(var, true, at.lowering.dialect) for true in (False, True)]))


def _spelled(var: Var, at: Place) -> Tree:
    """What literals that are no numbers and no dates are ordered by: their text, or their datatype and that."""
    call, dialect = values.call, at.lowering.dialect
    plain = Operation("=", (call("DATATYPE", var), Iri(XSD_STRING)))
    text = Operation("||", (plain, Operation("!=", (call("LANG", var), Literal("")))))
    other = call("CONCAT", call("STR", call("DATATYPE", var)), Literal(" "), call("STR", var))
    as_boolean = call("IF", values.boolean(var, True, dialect), Literal("1"), Literal("0"))
    return call("IF", text, call("STR", var), call("IF", _is_boolean(var, at), as_boolean, other))
