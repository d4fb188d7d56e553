"""What SPARQL demands of the variables of a query beyond its grammar (notes 12 and 13 of section 19.8; section 18.2.1).

A variable gets a value in one place alone where BIND or AS gives it; what is selected beside aggregates is grouped by.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import CompileError, Diagnostic
from pylf.frontends.sparql.subexpressions import is_aggregated, unaggregated
from pylf.frontends.sparql.syntax import (
    At,
    Bind,
    Call,
    Column,
    Data,
    Exists,
    Filter,
    Graph,
    Group,
    Minus,
    Optional,
    Reduce,
    Select,
    Service,
    Triple,
    Union,
)
from pylf.ir.terms import Var

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.errors import Source
    from pylf.frontends.sparql.syntax import Ask, Expression, Pattern


def check(query: Select | Ask, source: Source) -> None:
    """Raises CompileError (``bound-twice``, ``not-grouped``) for a query that breaks one of the rules."""
    checker = _Checker(source)
    if isinstance(query, Select):
        checker.select(query)
    else:
        checker.group(query.where)


class _Checker:
    """Walks through a query once; each method gives the variables that are in scope after its part."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def _fault(self, code: str, message: str, hint: str, at: At | Select) -> CompileError:
        return CompileError([Diagnostic(code, message, at.span, self.source, (hint,))])

    # --- patterns -------------------------------------------------------------------------------------------------

    def group(self, group: Group) -> set[Var]:
        scope: set[Var] = set()
        for part in group.parts:
            self._pattern(part, scope)
        return scope

    def _pattern(self, pattern: Pattern, scope: set[Var]) -> None:
        """Check a part of a group, and add to the group's ``scope``."""
        match pattern:
            case Triple(subject=subject, path=path, object=found):
                for at in (subject, path, found):
                    if isinstance(at, At) and isinstance(at.term, Var):
                        scope.add(at.term)
            case Filter(condition=condition):
                self._within([condition])
            case Bind(value=value, variable=variable):
                self._within([value])
                self._give(variable, scope, "BIND")
            case Data(variables=variables):
                scope |= _variables(variables)
            case Optional(group=group):
                scope |= self.group(group)
            case Minus(group=group):
                self.group(group)
            case Union(arms=arms):
                for arm in arms:
                    scope |= self.group(arm)
            case Graph(name=name, group=group) | Service(name=name, group=group):
                scope |= _variables([name])
                scope |= self.group(group)
            case Group():
                scope |= self.group(pattern)
            case Select():
                scope |= self.select(pattern)

    def _within(self, expressions: Iterable[Expression]) -> None:
        """Check what EXISTS asks in expressions."""
        left = list(expressions)
        while left:
            match left.pop():
                case Exists(group=group):
                    self.group(group)
                case Call(arguments=arguments):
                    left += arguments
                case Reduce(of=of) if of is not None:
                    left.append(of)

    def _give(self, variable: At, scope: set[Var], what: str) -> None:
        """A variable gets a value, and had none."""
        assert isinstance(variable.term, Var)
        if variable.term in scope:
            message = f"{variable.term} has a value already where {what} gives it one"
            raise self._fault("bound-twice", message, "choose another name, and compare the two with FILTER", variable)
        scope.add(variable.term)

    # --- SELECT ---------------------------------------------------------------------------------------------------

    def select(self, select: Select) -> set[Var]:
        scope = self.group(select.where)
        keys: set[Var] = set()
        for column in select.group_by:
            self._within([column.value])
            if column.name is not None:
                self._give(column.name, scope, "AS")
                keys |= _variables([column.name])
            elif isinstance(column.value, At):
                keys |= _variables([column.value])
        if select.values is not None:
            scope |= _variables(select.values.variables)
        values = [column.value for column in select.columns or ()]
        others = [*select.having, *(key.value for key in select.order_by)]
        self._within([*values, *others])
        grouped = is_aggregated(select)
        if select.columns is None:
            if grouped:
                hint = "name what is asked for: SELECT ?x …"
                raise self._fault("not-grouped", "SELECT * cannot ask for groups", hint, select)
            return scope
        asked: set[Var] = set()
        for column in select.columns:
            if grouped:
                self._grouped(column, keys, select)
            if column.name is not None:
                self._give(column.name, scope, "AS")
            found = _variables([column.value if column.name is None else column.name])
            asked |= found
            scope |= found
            keys |= found  # what has a name may be used by what is selected after it
        return asked

    def _grouped(self, column: Column, allowed: set[Var], select: Select) -> None:
        """Outside of aggregates stands only what is the same in a whole group."""
        for at in unaggregated(column.value):
            if at.term not in allowed:
                hint = f"add it to GROUP BY, or take one of its values: SAMPLE({at.term})"
                for key in select.group_by:
                    if key.name is None and at.term in _variables(unaggregated(key.value)):
                        name = "?key" if column.name is None else str(column.name.term)
                        written = self.source.text[slice(*key.value.span)]
                        hint = (
                            f"name what is grouped by, and select that: GROUP BY ({written} AS {name}), SELECT {name}"
                        )
                message = f"{at.term} is neither grouped by nor within an aggregate"
                raise self._fault("not-grouped", message, hint, at)


def _variables(ats: Iterable[Expression]) -> set[Var]:
    return {at.term for at in ats if isinstance(at, At) and isinstance(at.term, Var)}
