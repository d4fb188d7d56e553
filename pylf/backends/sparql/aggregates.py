"""Aggregates: the SELECT that groups and reduces, as the query's own head or as a sub-select.

What is reduced is a bag: every way of giving all variables of the body a value counts once. Triples, filters and left
joins of such give each way once. Where what is written for a body may give one twice (a union, an instance of several
classes, the path of a closure), it stands in a ``SELECT DISTINCT`` of all its variables.

Engines do not agree on what SUM and AVG make of what is no number, nor on how MIN and MAX order values of several
kinds. The former are guarded; the latter stand where the values are known to be of one kind. Conditions beside an
aggregate become its HAVING, extensions beside it columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pylf.backends.sparql import expressions, values
from pylf.backends.sparql.atoms import NOTHING
from pylf.backends.sparql.content import COUNTED, ENTITIES, NOTHING_AT_ALL
from pylf.backends.sparql.exchanged import TooLargeError, stands_for, substituted
from pylf.backends.sparql.expression_contents import Place, content_of
from pylf.backends.sparql.expression_functions import NONE, nothing
from pylf.backends.sparql.frame import Frame, SubQuery
from pylf.backends.sparql.left_joins import in_order, variables_of
from pylf.backends.sparql.once import gives_once
from pylf.backends.sparql.query import Aggregate as Reduced
from pylf.backends.sparql.query import Bind, Call, Column, Group, Operation, Select
from pylf.errors import UnsupportedOperation
from pylf.ir.dates import DATE_DATATYPES
from pylf.ir.expressions import Apply
from pylf.ir.nodes import Aggregate, Condition, Extend
from pylf.ir.terms import XSD_INTEGER, Literal, Var
from pylf.ir.types import LiteralType
from pylf.ir.values import NUMERIC_DATATYPES
from pylf.records import replace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pylf.backends.sparql.content import Content
    from pylf.backends.sparql.lower import Lowering
    from pylf.backends.sparql.query import Expression as Tree
    from pylf.backends.sparql.query import Pattern
    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Body, Conjunct, Reduction

_ZERO = Literal("0", XSD_INTEGER)
_ONE = Literal("1", XSD_INTEGER)
_ROWS = Reduced("COUNT", None)
#: What is the same whether a solution comes once or twice.
_INDIFFERENT = frozenset(("min", "max", "sample"))


class Head(NamedTuple):
    """A SELECT, a frame that tells of its columns, and what its reductions are: an order cannot look at columns that
    are none."""

    select: Select
    frame: Frame
    reduced: dict[Var, Tree]


def expand(lowering: Lowering, aggregate: Aggregate, frame: Frame) -> None:
    """Adds an aggregate that stands in a body to its frame, as a sub-select.

    Raises:
        UnsupportedOperation: the dialect has no right form for it there.
    """
    dialect = lowering.dialect
    found = select(lowering, aggregate)
    assert found is not None
    made, outer, _ = found
    if dialect.limits_scalars and not aggregate.group and made.where != NOTHING:
        made = replace(made, limit=2)
    if frame.existential and (dialect.parts_groups or dialect.apart_exists or lowering.hides(made)):
        raise UnsupportedOperation("an aggregate under EXISTS", f"SPARQL ({dialect.name})")
    exports = (*aggregate.group, *[reduction.result for reduction in aggregate.reductions])
    take_in(frame, SubQuery(made, exports), outer)


def take_in(frame: Frame, query: SubQuery, outer: Frame) -> None:
    """Adds a sub-select to a frame, with what is known of its columns."""
    # an aggregate without groups has a row of nothing
    empty = bool(query.select.group_by) or not any(isinstance(column, Column) for column in query.select.projection)
    frame.never |= empty and query.select.where == NOTHING
    frame.bind(query, [var.name for var in query.exports])
    for var in query.exports:
        if var.name in outer.opened:
            frame.opened.add(var.name)
        if var.name in outer.contents:
            frame.contents.setdefault(var.name, outer.contents[var.name])


def split(conjuncts: tuple[Conjunct, ...]) -> Aggregate | None:
    """The aggregate of a body that is nothing but one and conditions and extensions on what it gives."""
    found = [conjunct for conjunct in conjuncts if isinstance(conjunct, Aggregate)]
    rest = [conjunct for conjunct in conjuncts if not isinstance(conjunct, Aggregate)]
    if len(found) != 1 or not all(isinstance(conjunct, Condition | Extend) for conjunct in rest):
        return None
    return found[0]


def select(
    lowering: Lowering,
    aggregate: Aggregate,
    beside: tuple[Conjunct, ...] = (),
    outputs: tuple[Var, ...] | None = None,
) -> Head | None:
    """The SELECT of an aggregate with the conditions and extensions ``beside`` it; None where what is beside it has to
    stand around it."""
    dialect = lowering.dialect
    group = aggregate.group
    if outputs is None:
        outputs = (*group, *[reduction.result for reduction in aggregate.reductions])
    once = all(r.distinct or r.function in _INDIFFERENT for r in aggregate.reductions if r.of is not None)
    once = once and all(r.of is not None for r in aggregate.reductions)
    inner, where = bag(lowering, aggregate.body, any_number=once)
    at = Place(lowering, inner)
    reductions = aggregate.reductions
    apart = _distinct_of(aggregate)
    if apart is not None and where != NOTHING:
        # each term once by DISTINCT: what SUM(DISTINCT ...) takes for the same is not the same everywhere
        where = Group((Select((*[var for var in group if var != apart], apart), where, distinct=True),))
        reductions = tuple([replace(reduction, distinct=False) for reduction in reductions])
    outer = Frame(None, [output.name for output in outputs])
    made: dict[Var, Tree] = {}
    binds: list[Pattern] = []
    for var in group:
        outer.binders[var.name] = []
        outer.contents[var.name] = lowering.content(var, inner, typed=False)
        if not inner.is_certain(var.name):
            outer.opened.add(var.name)
    for reduction in reductions:
        made[reduction.result] = _reduced(reduction, at, bool(group), binds)
        name = reduction.result.name
        outer.binders[name] = []
        outer.contents[name] = _content_of(reduction, at)
        if not _is_certain(reduction, inner, bool(group)):
            outer.opened.add(name)
    if binds:
        where = Group((*where.patterns, *binds))
    elif dialect.shares_parts and not group and not all(isinstance(tree, Reduced) for tree in made.values()):
        # functions of reductions over triples fail where the store has none like them
        where = _within(where, aggregate.body)
    columns: list[Var | Column] = []
    having: list[Tree | None] = []
    if group and dialect.blank_group:
        having.append(Operation(">", (_ROWS, _ZERO)))
    around = Place(lowering, outer)
    if beside and dialect.joins_values:
        return None  # as a sub-select with filters around it
    try:
        extended = _extended(beside, made, around)
        for conjunct in beside:
            if isinstance(conjunct, Condition):
                test = expressions.truth(conjunct.expression, around)
                written = None if test is None else substituted(test, {**made, **extended})
                having.append(None if written is None else lowering.sizes.kept(written))
    except TooLargeError:
        return None  # around it, each is written once
    told = expressions.all_of(having)
    if told is None:
        return Head(Select(outputs, NOTHING, distinct=True), outer, {})
    for output in outputs:
        worth = made.get(output, extended.get(output))
        columns.append(output if worth is None else Column(worth, output))
    dropped = not set(group) <= set(outputs)
    told_apart = None if told is values.TRUE else told
    select_ = Select(tuple(columns), where, distinct=dropped, group_by=group, having=told_apart)
    return Head(select_, outer, {**made, **extended})


def _extended(beside: tuple[Conjunct, ...], made: Mapping[Var, Tree], around: Place) -> dict[Var, Tree]:
    """What the extensions beside an aggregate are worth, those that they look at written out in them."""
    extended: dict[Var, Tree] = {}
    for extend in in_order([one for one in beside if isinstance(one, Extend)]):
        around.frame.contents[extend.result.name] = content_of(extend.expression, around)
        worth = substituted(expressions.value(extend.expression, around), {**made, **extended})
        extended[extend.result] = around.lowering.sizes.kept(worth)
    return extended


def _within(where: Group, body: Body) -> Group:
    """A group as a sub-select, if it is none, that gives each solution of a body once."""
    names = variables_of(body)
    match where.patterns:
        case (Select(),):
            return where
        case _ if where == NOTHING or not names:
            return where
        case _:
            return Group((Select(tuple(map(Var, names)), where, distinct=True),))


def _distinct_of(aggregate: Aggregate) -> Var | None:
    """The variable of whose distinct values all reductions are, where one of them is more than a count."""
    of = {reduction.of for reduction in aggregate.reductions}
    if len(of) != 1 or not all(reduction.distinct for reduction in aggregate.reductions):
        return None
    if all(reduction.function in ("count", "min", "max", "sample") for reduction in aggregate.reductions):
        return None
    (var,) = of
    return var if isinstance(var, Var) else None


def bag(lowering: Lowering, body: Body, any_number: bool = False) -> tuple[Frame, Group]:
    """The frame of a closed body, and a group that gives each of its solutions once; where ``any_number``, at least
    once."""
    names = variables_of(body)
    frame = Frame(None, names)
    lowering.expand(body, frame)
    where = lowering.group(frame)
    if where == NOTHING or any_number or gives_once(lowering, body):
        return frame, where
    if not names:
        where_ = f"SPARQL ({lowering.dialect.name})"
        raise UnsupportedOperation("counting the ways in which something without variables holds", where_)
    return frame, Group((Select(tuple(map(Var, names)), where, distinct=True),))


# --- reductions ---------------------------------------------------------------------------------------------------


def _content_of(reduction: Reduction, at: Place) -> Content:
    match reduction.function:
        case "count" | "sum" | "avg":
            return COUNTED
        case "group_concat":
            return NOTHING_AT_ALL._replace(texts=True)
        case _:
            assert reduction.of is not None
            return content_of(reduction.of, at)


def _is_certain(reduction: Reduction, inner: Frame, grouped: bool) -> bool:
    match reduction.of:
        case _ if reduction.function == "count":
            return True
        case Var(name):
            return grouped and reduction.function in _INDIFFERENT and inner.is_certain(name)
        case _:
            return False


def _reduced(reduction: Reduction, at: Place, grouped: bool, binds: list[Pattern]) -> Tree:
    """What a reduction makes of the rows of a group; what has to be computed beforehand goes to ``binds``."""
    of, dialect = reduction.of, at.lowering.dialect
    if of is None:
        return _ROWS
    content = content_of(of, at)
    if reduction.function in ("min", "max"):
        content = _typed(of, content, at)
    worth = _beforehand(expressions.value(of, at), at, binds)
    certain = isinstance(of, Var) and at.frame.is_certain(of.name)
    function = reduction.function.upper()
    distinct = reduction.distinct
    where = f"SPARQL ({dialect.name})"
    none = _nothing(at)
    match reduction.function:
        case "count" if of == Apply("coalesce", ()):
            return Reduced("SUM", values.ZERO)  # engines do not agree on how often nothing has a value
        case "count":
            if not dialect.joins_values and not _has_value(of, at):  # some engines do not pass over errors
                worth = _bound(worth, at, binds)
            return Reduced(function, worth if distinct else _spelled(worth, certain, at), distinct)
        case "sum" | "avg":
            return _sum(reduction, worth, content, certain, at, grouped)
        case "sample":
            return _whole(Reduced(function, worth), worth, certain, none, at)
        case "group_concat":
            if content.only_texts:
                return _whole(Reduced(function, worth, distinct, reduction.separator), worth, certain, none, at)
            if distinct and content != ENTITIES:
                raise UnsupportedOperation("GROUP_CONCAT of distinct values that may be of several kinds", where)
            spelled: Tree = values.call("STR", worth)
            if content.entities:  # a blank node has no text
                spelled = values.call("IF", values.call("isBlank", worth), nothing(at), spelled)
                certain = False
            spelled = _beforehand(spelled, at, binds)
            return _whole(Reduced(function, spelled, distinct, reduction.separator), spelled, certain, none, at)
        case _ if content.counted or content.only_numbers:
            return _whole(Reduced(function, worth), worth, certain, none, at)
        case _ if content.only_texts:
            values.order_of_texts(dialect)
            return _whole(Reduced(function, values.call("STR", worth)), worth, certain, none, at)
        case _ if content.only_dates and _alike(content):
            lexical = Reduced(function, values.call("STR", worth))
            datatype = Reduced(function, values.call("STR", values.call("DATATYPE", worth)))
            return _whole(values.call("STRDT", lexical, values.call("IRI", datatype)), worth, certain, none, at)
        case _:
            raise UnsupportedOperation(f"{function} of values that may be of several kinds", where)


def _typed(of: Expression, content: Content, at: Place) -> Content:
    """What is known of a variable's values, by its type where nothing else tells of what kind they are."""
    known = content.only_numbers or content.only_dates or content.only_texts
    if known or not isinstance(of, Var):
        return content
    match at.lowering.type_of(of.name):
        case LiteralType(str(datatype)) if datatype in NUMERIC_DATATYPES:
            return NOTHING_AT_ALL._replace(numbers=True)
        case LiteralType(str(datatype)) if datatype in DATE_DATATYPES:
            return NOTHING_AT_ALL._replace(dates=True)
        case _:
            return content


def _nothing(at: Place) -> Tree:
    """What has no value among columns of a grouping."""
    if not at.lowering.dialect.joins_values:
        return NONE
    return Reduced("MIN", nothing(at))


def _alike(content: Content) -> bool:
    """Whether dates are ordered as their spellings are."""
    return not (content.precisions or content.zoned or content.before_zero or content.beyond_9999)


def _beforehand(worth: Tree, at: Place, binds: list[Pattern]) -> Tree:
    """An expression, or the variable that it is bound to beforehand where an engine would count errors."""
    return _bound(worth, at, binds) if at.lowering.dialect.counts_errors else worth


def _bound(worth: Tree, at: Place, binds: list[Pattern]) -> Tree:
    if isinstance(worth, Var):
        return worth
    var = at.lowering.apart.fresh("value")
    binds.append(Bind(worth, var))
    return var


def _has_value(of: Expression, at: Place) -> bool:
    """Whether an expression is plainly never without value."""
    match of:
        case Var(name) | Apply("canonical", (Var(name),)):
            return at.frame.is_certain(name)
        case _:
            return not isinstance(of, Apply)


def _whole(found: Tree, worth: Tree, certain: bool, none: Tree, at: Place) -> Tree:
    """What a reduction finds, if everything has a value."""
    if certain:
        return found
    some = Reduced("COUNT", _spelled(worth, certain, at))
    return Call("IF", (Operation("=", (some, _ROWS)), found, none))


def _spelled(worth: Tree, certain: bool, at: Place) -> Tree:
    """What is counted for a value; its spelling where an engine would count rows that have none."""
    apart = at.lowering.dialect.counts_unbound and isinstance(worth, Var) and not certain
    return values.call("STR", worth) if apart else worth


def _sum(reduction: Reduction, worth: Tree, content: Content, certain: bool, at: Place, grouped: bool) -> Tree:
    """SUM or AVG, where all are numbers; 0 of nothing, which only what is not grouped can be of."""
    dialect = at.lowering.dialect
    function, distinct = reduction.function.upper(), reduction.distinct
    known = content.counted or content.only_numbers
    blank = dialect.joins_values and not grouped
    if known and certain:
        found: Tree = Reduced(function, worth, distinct)
        return values.call("COALESCE", found, _ZERO) if blank else found
    if known:
        number: Tree = Operation("=", (worth, worth))
    else:
        var = worth if isinstance(worth, Var) else stands_for(0)
        number = values.is_number(var, dialect)
        if content.entities:
            number = values.call("IF", values.call("isLiteral", var), number, values.FALSE)
        if not isinstance(worth, Var):
            number = substituted(number, {var: worth})
    if not known and dialect.joins_values:
        raise UnsupportedOperation(f"{function} of what may be no number", f"SPARQL ({dialect.name})")
    number = values.total(number)
    others: Tree = Reduced("SUM", values.call("IF", number, _ZERO, _ONE))
    found = Reduced(function, values.call("IF", number, worth, _ZERO), distinct)
    if blank:
        others, found = values.call("COALESCE", others, _ZERO), values.call("COALESCE", found, _ZERO)
    return Call("IF", (Operation("=", (others, _ZERO)), found, _nothing(at)))
