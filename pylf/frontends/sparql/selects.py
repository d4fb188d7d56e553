"""SELECT: what of a pattern's solutions is asked for, of the whole query and within one (SPARQL 1.1, 18.2.4 and 5).

A SELECT within that keeps all solutions is only its pattern, its other variables renamed apart: a set does not see
them, and a bag counts them as it should. Counts are core where what is counted cannot be there twice, superlatives
where the key is known to be a number or a date.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from pylf.frontends.sparql import syntax
from pylf.frontends.sparql.counting import aggregated
from pylf.frontends.sparql.expressions import NOTHING, View, ordered_key, value
from pylf.frontends.sparql.filters import holds
from pylf.frontends.sparql.groups import group
from pylf.frontends.sparql.mentions import given_by, in_scope, is_hidden, key_of, mentioned, within
from pylf.frontends.sparql.scope import Part, Scope
from pylf.frontends.sparql.simplify import renamed
from pylf.frontends.sparql.subexpressions import exists_in, is_aggregated
from pylf.ir import build
from pylf.ir.expressions import terms_in
from pylf.ir.nodes import (
    Aggregate,
    Body,
    Count,
    Direction,
    Extend,
    Extreme,
    Form,
    Kind,
    Member,
    Order,
    Project,
    Slice,
    TopK,
    Union,
)
from pylf.ir.scope import bound, opened
from pylf.ir.terms import Iri, Literal, Var
from pylf.language.hints import listed

if TYPE_CHECKING:
    from pylf.errors import Span
    from pylf.frontends.sparql.lower import Lowering

#: What is computed of no more terms than this stands in the place of its name; more would double from one to the next.
_WRITTEN_OUT = 64


def whole(low: Lowering, select: syntax.Select, scope: Scope) -> tuple[Part, tuple[Var, ...], Form]:
    """The whole query: what it comes to, its outputs and its form.

    Raises:
        CompileError: ``nothing-selected``: nothing binds any column; ``partial-variable``: some arms of a UNION do;
            and what its pattern and expressions raise.
    """
    low.asked = select
    keys = list(dict.fromkeys(given_by(select)))
    if len(keys) == 1 and not is_aggregated(select) and not _is_cut(select):
        # what is said once, by BIND, is joined with nothing
        low.only = keys[0] if mentioned(select.where.parts).count(keys[0]) == 1 else None
    for key in keys:
        scope.var(key)  # named first, so that answers have the names of the text
    part = _select(low, select, scope, frozenset(keys), False)
    outputs: list[Var] = []
    for key in keys:
        variable = part.visible(key)
        if key in part.partial:
            low.refuse("partial-variable", f"?{key} is bound by some arms of a UNION only", select.span)
        if variable is None:
            low.warn("unbound-column", f"nothing binds ?{key}, so the column is left out", select.span)
        elif variable not in outputs:
            outputs.append(variable)
    if not outputs:
        _nothing_selected(low, select)
    if len(outputs) > 1:
        return part, tuple(outputs), Form.ROWS
    # a number is there in any case; where a condition stands beside the count there may be none
    number = len(part.conjuncts) == 1 and _is_number(part.conjuncts[0], outputs[0])
    return part, tuple(outputs), Form.NUMBER if number else Form.SET


def _nothing_selected(low: Lowering, select: syntax.Select) -> NoReturn:
    found = [f"?{key}" for key in in_scope(select.where) if not is_hidden(key)][:10]
    hints = (f"the pattern binds {listed(found)}",) if found else ()
    low.refuse("nothing-selected", "nothing in the pattern binds what is selected", select.span, *hints)


def _is_number(conjunct: object, output: Var) -> bool:
    match conjunct:
        case Count(result, _, _, ()):
            return result == output
        case Aggregate(reductions, _, ()):
            return any(one.function == "count" and one.result == output for one in reductions)
        case _:
            return False


def within_group(low: Lowering, select: syntax.Select, scope: Scope) -> Part:
    """A SELECT within a group, of which the group sees the columns.

    Raises:
        CompileError: ``partial-variable``: a column is bound by some arms of a UNION only; ``nothing-selected``: of one
            with a LIMIT or distinct rows, nothing binds any column; ``unsupported-exists``: it is cut, and gives what
            an EXISTS around it does; and what its pattern and expressions raise.
    """
    keys = dict.fromkeys(given_by(select))
    closed = is_aggregated(select) or _is_cut(select) or (scope.bag and select.distinct)
    taken = scope.asked.intersection(keys)
    if taken and _is_cut(select):
        low.refuse(
            "unsupported-exists",
            f"a SELECT with LIMIT or OFFSET within EXISTS gives ?{min(taken)}, which has a value around it: engines "
            "think differently of it",
            select.span,
            "give the column another name, and compare the two with FILTER",
        )
    inside = scope.closed(keys, bag=scope.bag) if closed else scope.selected(keys)
    only, low.only = low.only, None
    part = _select(low, select, inside, frozenset(keys), scope.bag)
    low.only = only
    part.certain = {key: variable for key, variable in part.certain.items() if key in keys}
    part.open = {key: variable for key, variable in part.open.items() if key in keys}
    part.computed = {} if closed else {key: e for key, e in part.computed.items() if key in keys}
    for key in part.partial:
        if key in keys:
            low.refuse("partial-variable", f"?{key} is bound by some arms of a UNION only", select.span)
    part.partial = {}
    return part


def _is_cut(select: syntax.Select) -> bool:
    return select.limit is not None or select.offset > 0


def _select(low: Lowering, select: syntax.Select, scope: Scope, used: frozenset[str], bag: bool) -> Part:
    """A SELECT in its own scope; ``bag``: what is around counts its rows."""
    cut = _is_cut(select)
    if select.order_by and not cut:
        low.warn("order-dropped", "the order of the answers is not kept", select.order_by[0].span)
    grouped = is_aggregated(select)
    best = cut and not grouped and low.ties == "kept" and select.offset == 0 and len(select.order_by) == 1
    if best and (select.distinct or select.limit == 1):
        # looked at as a set first: a superlative is one
        found = _attempt(low, select, scope, used)
        if found is not None:
            return found
    # the first row is the same whether rows count once or more
    distinct = select.distinct or (select.limit == 1 and select.offset == 0)
    inner_bag = (bag or cut) and not distinct if not grouped else True
    part, view = _solutions(low, select, scope, used, inner_bag)
    return _finished(low, select, scope, part, view, bag)


def _attempt(low: Lowering, select: syntax.Select, scope: Scope, used: frozenset[str]) -> Part | None:
    """The superlative that a SELECT asks for; None where it is none."""
    known, taken, warnings = dict(scope.known), set(low.names.used), list(low.report.warnings)
    part, view = _solutions(low, select, scope, used, False)
    found = _superlative(low, select, part, view)
    if found is None:
        scope.known.clear()
        scope.known.update(known)
        low.names.used, low.report.warnings = taken, warnings
    return found


def _solutions(
    low: Lowering, select: syntax.Select, scope: Scope, used: frozenset[str], bag: bool
) -> tuple[Part, View]:
    """The solutions of the pattern, grouped where that is asked, with the columns that are computed."""
    looked_at = used.union(within(select))
    inner = scope.counting(bag)
    if is_aggregated(select):
        part, view = aggregated(low, select, inner, looked_at)
    else:
        part = group(low, select.where, inner, looked_at)
        view = View(low, part, inner)
        if select.having:
            low.refuse(
                "unsupported-having",
                "HAVING stands without GROUP BY or an aggregate",
                select.having[0].span,
                "a condition on single solutions is a FILTER in the pattern: { … FILTER(…) }",
            )
    for column in select.columns or ():
        if column.name is not None:
            key = key_of(column.name.term)
            assert key is not None
            if part.visible(key) is None:
                assign(low, part, key, column.value, view, looked_at, column.span)
    results = {key_of(c.name.term) for c in select.columns or () if c.name is not None}
    for condition in select.having:
        # what is computed for a column is there by now
        if results.intersection(mentioned([condition])):
            low.warn(
                "not-standard",
                "HAVING comes before what is selected has a name: it is read as what has that name",
                condition.span,
                "write the aggregate once more in HAVING",
            )
        part.conjuncts += holds(condition, view).conjuncts
    if select.values is not None:
        rest = syntax.Group((select.values,), select.values.span)
        _join_values(low, part, group(low, rest, inner, looked_at), select.values.span)
    return part, view


def _join_values(low: Lowering, part: Part, values: Part, span: Span) -> None:
    for key, variable in values.certain.items():
        if key in part.open:
            low.refuse("open-variable", f"VALUES gives ?{key} a value, which may have none", span)
        part.certain[key] = variable
    if values.open:
        low.refuse("open-variable", "UNDEF leaves a variable without value", span)
    part.conjuncts += values.conjuncts


def _finished(low: Lowering, select: syntax.Select, scope: Scope, part: Part, view: View, bag: bool) -> Part:
    """With its order, limit and DISTINCT."""
    span = select.span
    if not _is_cut(select):
        if bag and select.distinct:
            return _distinct(low, select, part, span)
        return part
    if is_aggregated(select):
        found = _superlative(low, select, part, view)
        if found is not None:
            return found
    if not select.order_by:
        low.warn("limit-without-order", "which of the answers are given is the engine's choice", span)
    order = []
    for key in select.order_by:
        expression = value(key.value, View(low, part, scope) if not view.reductions else view)
        if expression is None:
            low.warn("no-value", "what is looked at here has never a value", key.value.span)
        else:
            order.append(Order(expression, key.descending))
    outputs = _outputs(low, select, part)
    distinct = select.distinct or (select.limit == 1 and select.offset == 0)
    body = Body(tuple(part.conjuncts))
    if bag and not distinct:
        # what else tells solutions apart goes along, so that rows that are alike count as often as they are there
        others = (bound(body) | opened(body)).difference([output.name for output in outputs])
        outputs += tuple(map(Var, sorted(others)))
    sliced = Part()
    sliced.conjuncts = [Slice(outputs, body, tuple(order), select.limit, select.offset, distinct, span)]
    return _exporting(low, select, part, sliced)


def _outputs(low: Lowering, select: syntax.Select, part: Part) -> tuple[Var, ...]:
    for key in part.partial:
        if key in given_by(select):
            low.refuse("partial-variable", f"?{key} is bound by some arms of a UNION only", select.span)
    variables = [part.visible(key) for key in given_by(select)]
    found = tuple(dict.fromkeys([variable for variable in variables if variable is not None]))
    if not found:
        _nothing_selected(low, select)
    return found


def _exporting(low: Lowering, select: syntax.Select, part: Part, closed: Part) -> Part:
    keys = given_by(select)
    closed.certain = {key: variable for key, variable in part.certain.items() if key in keys}
    closed.open = {key: variable for key, variable in part.open.items() if key in keys}
    return closed


def _distinct(low: Lowering, select: syntax.Select, part: Part, span: Span) -> Part:
    outputs = _outputs(low, select, part)
    closed = Part()
    body = Body(tuple(part.conjuncts))
    if any(variable in part.open.values() for variable in outputs):
        closed.conjuncts = [Slice(outputs, body, distinct=True, span=span)]
    else:
        closed.conjuncts = [Project(outputs, body, span)]
    return _exporting(low, select, part, closed)


def _superlative(low: Lowering, select: syntax.Select, part: Part, view: View) -> Part | None:
    """The best by a number or a date; None where a SELECT asks for something else, or is not known to."""
    if low.ties != "kept" or select.offset or len(select.order_by) != 1 or not select.limit:
        return None
    keys = list(dict.fromkeys(given_by(select)))
    item = part.certain.get(keys[0]) if len(keys) == 1 else None
    if item is None or not (select.distinct or select.limit == 1 or _grouped_by(select) == keys):
        return None
    order = select.order_by[0]
    expression = value(order.value, view)
    for kind in (Kind.NUMBER, Kind.DATE):
        key = None if expression is None else ordered_key(expression, view, kind)
        if key is None or key not in part.certain.values():
            continue
        direction = Direction.MAX if order.descending else Direction.MIN
        body, span = Body(tuple(part.conjuncts)), select.span
        found = Part()
        if select.limit == 1:
            found.conjuncts = [Extreme(direction, item, key, body, kind, span)]
        else:
            found.conjuncts = [TopK(direction, select.limit, item, key, body, kind, span)]
        return _exporting(low, select, part, found)
    return None


def _grouped_by(select: syntax.Select) -> list[str | None]:
    return [key_of(c.value.term) if isinstance(c.value, syntax.At) else None for c in select.group_by]


# --- computed columns and BIND ------------------------------------------------------------------------------------


def assign(
    low: Lowering, part: Part, key: str, expression: syntax.Expression, view: View, used: frozenset[str], span: Span
) -> None:
    """A variable gets the value of an expression: a constant is the one member of a list, another variable is the same
    variable, anything else is computed."""
    scope = view.scope
    variable = scope.var(key)
    exists = exists_in(expression)
    if isinstance(expression, syntax.Call) and expression.function == "if" and (exists is not None or low.only == key):
        by_cases = _by_cases(low, part, key, expression, view, span)
        if by_cases:
            return
    found = value(expression, view)
    match found:
        case Iri() | Literal():
            part.conjuncts.append(Member(variable, (found,), span))
            part.certain[key] = variable
            return
        case Var() if found in part.certain.values():
            theirs = [other for other, one in part.certain.items() if one == found]
            if key not in used:
                part.certain[key] = variable
                renamed(part, scope, variable, found)
                return
            if theirs and not any(other in used for other in theirs):
                part.certain[key] = variable
                renamed(part, scope, found, variable)
                return
        case _:
            pass
    if found is None:
        low.warn("no-value", f"what ?{key} would be has never a value", span)
        found = NOTHING
    part.conjuncts.append(Extend(variable, found, span))
    part.open[key] = variable
    if len(terms_in(found)) <= _WRITTEN_OUT:
        part.computed[key] = found


def _by_cases(low: Lowering, part: Part, key: str, expression: syntax.Call, view: View, span: Span) -> bool:
    """``IF(condition, one, other)`` of constants as the union of the two cases. Where the condition is an error there
    is no value, which is the same to the one column of a set; else it must not be one."""
    condition, one, other = expression.arguments
    first, second = value(one, view), value(other, view)
    if not (isinstance(first, Iri | Literal) and isinstance(second, Iri | Literal)):
        return False
    if low.only != key and not _never_fails(condition):
        return False
    variable = view.scope.var(key)
    arms = []
    for result, truth in ((first, True), (second, False)):
        body = holds(condition, view, truth)
        arms.append(build.join(body, Member(variable, (result,), span)))
    part.conjuncts.append(Union(tuple(arms), span))
    part.certain[key] = variable
    return True


def _never_fails(condition: syntax.Expression) -> bool:
    match condition:
        case syntax.Exists():
            return True
        case syntax.Call("&&" | "||" | "!", arguments):
            return all(_never_fails(argument) for argument in arguments)
        case _:
            return False
