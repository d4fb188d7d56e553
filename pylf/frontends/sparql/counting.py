"""GROUP BY and aggregates: core counts where they say the same, else aggregates over a bag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.frontends.sparql import syntax
from pylf.frontends.sparql.expressions import NOTHING, View, value
from pylf.frontends.sparql.groups import group
from pylf.frontends.sparql.mentions import in_scope, is_hidden, key_of
from pylf.frontends.sparql.scope import Part, Scope
from pylf.frontends.sparql.simplify import renamed
from pylf.frontends.sparql.subexpressions import reductions_of, unaggregated
from pylf.ir.expressions import Apply
from pylf.ir.nodes import Aggregate, Body, Count, Extend, Reduction
from pylf.ir.scope import bound, opened
from pylf.ir.terms import XSD_STRING, Var
from pylf.ir.types import LiteralType

if TYPE_CHECKING:
    from pylf.frontends.sparql.lower import Lowering
    from pylf.ir.expressions import Expression


def aggregated(low: Lowering, select: syntax.Select, scope: Scope, used: frozenset[str]) -> tuple[Part, View]:
    """The groups of a pattern's solutions with what its aggregates make of them, and what is seen then.

    Raises:
        CompileError: ``not-grouped``: a column is neither grouped by nor an aggregate;
            ``unsupported-aggregate``: distinct solutions are counted beside an aggregate of all of them;
            ``partial-variable``: what is grouped by is bound by some arms of a UNION only; and what the pattern and its
            expressions raise.
    """
    where, reductions = _counted_once(low, select)
    names = _names(select)
    bag = any(not one.distinct and one.function in _COUNTING for one in reductions.values())
    inner = Scope(scope.names, dict(scope.known), bag=bag, asked=scope.asked)
    # results are seen from outside alone, and so are named after what is inside
    results = {key for key in names.values() if key is not None}
    looked_at = frozenset(used - results)
    part = group(low, where, inner, looked_at)
    group_keys = _groups(low, select, part, inner, looked_at)
    after = Part()
    found = _by_value(low, select, part, inner, group_keys, after)
    seen = View(low, part, inner)
    given: dict[syntax.Reduce, Expression] = {}
    for said, one in reductions.items():
        key = names[said]
        result = scope.hidden(one.function) if key is None else scope.var(key)
        of = None if one.of is None else value(one.of, seen)
        if one.of is not None and of is None:
            low.warn("no-value", "what would be computed never has a value", one.span)
            of = NOTHING
        elif one.distinct and one.function in _NUMBERED and isinstance(of, Var) and not seen.is_entity(of):
            of = Apply("canonical", (of,))  # what is one value is there once
        found.append(Reduction(one.function, result, of, one.distinct, one.separator))
        given[said] = result
        open_result = one.function != "count"
        (after.open if open_result else after.certain)[key or f" {result.name}"] = result
    for key, variable in group_keys.items():
        (after.open if variable in part.open.values() else after.certain)[key] = variable
    _check_columns(low, select, after)
    found += _samples(low, select, seen, after)
    group_vars = tuple(dict.fromkeys(group_keys.values()))
    body = Body(tuple(part.conjuncts))
    core = _core_count(found, body, group_vars, part, seen)
    span = select.span
    if core is not None:
        after.conjuncts = [Count(found[0].result, core, body, group_vars, span)]
    else:
        after.conjuncts = [Aggregate(tuple(found), body, group_vars, span)]
    view = View(low, after, scope)
    view.reductions = given
    for key, variable in after.certain.items():
        scope.known.setdefault(key, variable)
    return after, view


#: The aggregates that come to a number.
_NUMBERED = frozenset(("count", "sum", "avg"))
#: The aggregates to which it matters how often a value is there.
_COUNTING = frozenset(("count", "sum", "avg", "group_concat"))


def _counted_once(low: Lowering, select: syntax.Select) -> tuple[syntax.Group, dict[syntax.Reduce, syntax.Reduce]]:
    """The pattern and the aggregates of its solutions; where ``COUNT(DISTINCT *)`` is asked for, the pattern's distinct
    solutions, and a count of them."""
    reductions = {one: one for one in reductions_of(select)}
    whole = next((one for one in reductions if one.of is None and one.distinct), None)
    if whole is None:
        return select.where, reductions
    for one in reductions:
        if one.function in _COUNTING and not one.distinct:
            low.refuse(
                "unsupported-aggregate",
                "COUNT(DISTINCT *) cannot be asked for beside an aggregate of all solutions",
                whole.span,
                "ask for each in a SELECT of its own",
            )
    if not any(not is_hidden(key) for key in in_scope(select.where)):
        low.refuse("unsupported-aggregate", "COUNT(DISTINCT *) counts solutions that have no variables", whole.span)
    reductions[whole] = syntax.Reduce("count", None, False, whole.span)
    once = syntax.Select(None, select.where, select.where.span, distinct=True)
    return syntax.Group((once,), select.where.span), reductions


def _samples(low: Lowering, select: syntax.Select, seen: View, after: Part) -> list[Reduction]:
    """What HAVING and ORDER BY look at beside aggregates, if it is neither grouped by nor a column's name: one of its
    values in each group (SPARQL 1.1, 18.2.4.1)."""
    found: list[Reduction] = []
    named = {key_of(column.name.term) for column in select.columns or () if column.name is not None}
    for expression in (*select.having, *[key.value for key in select.order_by]):
        for at in unaggregated(expression):
            key = key_of(at.term)
            if key is None or key in named or after.visible(key) is not None:
                continue
            of = value(at, seen)
            if of is None:
                low.warn("no-value", "what is looked at here has never a value", at.span)
                continue
            low.warn(
                "any-value",
                f"?{key} is neither grouped by nor within an aggregate: the engine chooses one of its values",
                at.span,
                f"say which: MIN(?{key}), MAX(?{key})",
            )
            result = seen.scope.hidden(key)
            found.append(Reduction("sample", result, of))
            after.open[key] = result
    return found


def _names(select: syntax.Select) -> dict[syntax.Reduce, str | None]:
    """The key under which each aggregate is selected; None for one that stands within something else."""
    names: dict[syntax.Reduce, str | None] = dict.fromkeys(reductions_of(select))
    for column in select.columns or ():
        if isinstance(column.value, syntax.Reduce) and column.name is not None and names[column.value] is None:
            names[column.value] = key_of(column.name.term)
    return names


def _groups(low: Lowering, select: syntax.Select, part: Part, scope: Scope, used: frozenset[str]) -> dict[str, Var]:
    found: dict[str, Var] = {}
    for column in select.group_by:
        key = key_of(column.value.term) if isinstance(column.value, syntax.At) else None
        if key is not None and column.name is None:
            variable = part.visible(key)
            if variable is not None:
                found[key] = variable
                continue
        name = key if column.name is None else key_of(column.name.term)
        computed = value(column.value, View(low, part, scope))
        if computed is None:
            # solutions that have no value are one group, and no solutions are none
            if key is not None and column.name is None:
                low.warn("unbound-column", f"nothing binds ?{key}, by which is grouped", column.span)
            else:
                low.warn("no-value", "what is grouped by has never a value", column.span)
            computed = NOTHING
        variable = scope.hidden("key") if name is None else scope.var(name)
        part.conjuncts.append(Extend(variable, computed, column.span))
        part.open[name or f" {variable.name}"] = variable
        found[name or f" {variable.name}"] = variable
    return found


def _by_value(
    low: Lowering, select: syntax.Select, part: Part, scope: Scope, group_keys: dict[str, Var], after: Part
) -> list[Reduction]:
    """Has the query's own groups be of values, where the schema says that what is grouped by are literals: 12 and 12.0
    are one answer, and so are one group. Each is shown as one of its terms. A SELECT within groups by terms, as SPARQL
    does, since what stands beside it is joined by terms."""
    if select is not low.asked:
        return []
    seen = View(low, part, scope)
    types = {key: seen.type_of(variable) for key, variable in group_keys.items() if part.certain.get(key) == variable}
    shown: list[Reduction] = []
    for key, type_ in types.items():
        if not isinstance(type_, LiteralType) or type_.datatype == XSD_STRING:
            continue
        variable = group_keys.pop(key)
        own, worth = scope.hidden(variable.name), scope.hidden("value")
        renamed(part, scope, variable, own)
        part.conjuncts.append(Extend(worth, Apply("canonical", (own,))))
        group_keys[f" {worth.name}"] = part.open[f" {worth.name}"] = worth
        shown.append(Reduction("sample", variable, own))
        after.open[key] = variable
    return shown


def _core_count(found: list[Reduction], body: Body, group_vars: tuple[Var, ...], part: Part, seen: View) -> Var | None:
    """What a core count would count: distinct values, of what is never open, or entities, which cannot be there twice
    for a group where the solutions have nothing else."""
    certain = list(part.certain.values())
    if len(found) != 1 or found[0].function != "count" or any(variable not in certain for variable in group_vars):
        return None
    names = bound(body) - {variable.name for variable in group_vars}
    of = found[0].of
    if of is None:
        if len(names) != 1 or opened(body):
            return None
        (name,) = names
        return Var(name) if seen.is_entity(Var(name)) else None
    if isinstance(of, Apply) and of.function == "canonical":
        (of,) = of.arguments  # a core count is one of values
    if not isinstance(of, Var) or of not in certain or of in group_vars:
        return None
    if found[0].distinct or (names == {of.name} and not opened(body) and seen.is_entity(of)):
        return of
    return None


def _check_columns(low: Lowering, select: syntax.Select, after: Part) -> None:
    for column in select.columns or ():
        at = column.value
        key = key_of(at.term) if isinstance(at, syntax.At) else None
        if key is not None and column.name is None and after.visible(key) is None:
            low.refuse(
                "not-grouped",
                f"?{key} is selected beside aggregates, and is not what is grouped by",
                column.span,
            )
    if select.columns is None:
        low.refuse("not-grouped", "everything is selected beside aggregates or GROUP BY", select.span)
