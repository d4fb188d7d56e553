"""FILTER as conjuncts: boolean structure in the core wherever it can be, the rest as conditions.

An expression holds, fails, or is an error. :func:`holds` gives conjuncts that hold exactly where an expression is true,
or where it is false; by De Morgan's laws, which three-valued logic keeps, negation goes down to the comparisons.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.frontends.sparql import syntax
from pylf.frontends.sparql.comparisons import compared
from pylf.frontends.sparql.expressions import applied, plain_key, value, view_relations
from pylf.frontends.sparql.idioms import as_difference, as_year, time_constraint
from pylf.frontends.sparql.subexpressions import exists_in
from pylf.frontends.sparql.unions import once
from pylf.ir import build
from pylf.ir.dates import DATE_DATATYPES, interval
from pylf.ir.expressions import TRUE, Apply, names_in
from pylf.ir.nodes import Body, Compare, Kind, Member, Not, Op, Union
from pylf.ir.scope import never
from pylf.ir.terms import XSD_STRING, Iri, Literal, Var
from pylf.ir.types import LiteralType
from pylf.ir.values import NUMERIC_DATATYPES, kind_of
from pylf.language.constants import number_literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.errors import Span
    from pylf.frontends.sparql.expressions import View
    from pylf.ir.expressions import Expression

#: What holds where another comparison fails, but of dates: < and >= are no negations there (:mod:`pylf.ir.dates`).
_NEGATED = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def holds(expression: syntax.Expression, view: View, truth: bool = True) -> Body:
    """What holds exactly where the expression is true; with ``truth`` False, where it is false.

    Raises:
        CompileError: ``open-variable``: what may have no value stands beside EXISTS in a disjunction, or within one.
    """
    span = expression.span
    match expression:
        case syntax.Exists(group, negated):
            body = view.low.exists(group, view)
            if truth == negated:
                return build.negate(body, span)
            return once(body, view.scope, span)
        case syntax.Call("!", (inner,)):
            return holds(inner, view, not truth)
        case syntax.Call("&&" | "||" as function, arguments):
            if _looks_at_open(expression, view):
                return _whole(expression, view, truth)
            parts = [holds(argument, view, truth) for argument in arguments]
            return build.join(*parts) if (function == "&&") == truth else either(parts, span)
        case syntax.Call("in", (item, *listed)):
            if _looks_at_open(expression, view) or not listed:
                return _whole(expression, view, truth)
            parts = [holds(syntax.Call("=", (item, one), span), view, truth) for one in listed]
            return either(parts, span) if truth else build.join(*parts)
        case syntax.Call("=" | "!=" | "<" | ">" | "<=" | ">=" as function, (left, right)):
            one, other = value(left, view), value(right, view)
            if one is None or other is None:
                return _never(span)
            return comparison(function, one, other, view, span, truth)
        case syntax.Call("sameterm", (left, right)):
            one, other = value(left, view), value(right, view)
            found = None if one is None or other is None else _same_term(one, other, view, truth, span)
            return _whole(expression, view, truth) if found is None else found
        case _:
            return _whole(expression, view, truth)


def _never(span: Span) -> Body:
    return Body((Union((), span),))


def _whole(expression: syntax.Expression, view: View, truth: bool) -> Body:
    found = value(expression, view)
    if found is not None and not truth:
        found = applied("!", (found,), view)
    return _never(expression.span) if found is None else build.condition(found, expression.span)


def _looks_at_open(expression: syntax.Expression, view: View) -> bool:
    """Whether some part looks at a variable that may be open; then the whole has to stay one condition.

    Raises:
        CompileError: ``open-variable``: an EXISTS stands in it.
    """
    opened = {variable.name for variable in view.open().values()}
    if not opened:
        return False
    exists = exists_in(expression)
    if exists is None:
        found = value(expression, view)
        return found is not None and not opened.isdisjoint(names_in(found))
    if _any_open(expression, view, opened):
        view.low.refuse(
            "open-variable", "EXISTS cannot be asked in one expression with what may have no value", exists.span
        )
    return False


def _any_open(expression: syntax.Expression, view: View, opened: set[str]) -> bool:
    match expression:
        case syntax.At():
            found = value(expression, view)
            return found is not None and not opened.isdisjoint(names_in(found))
        case syntax.Call(_, arguments):
            return any(_any_open(argument, view, opened) for argument in arguments)
        case _:
            return False


def either(parts: Iterable[Body], span: Span) -> Body:
    """At least one of some bodies holds, none of which binds anything for what stands around them.

    Where one of them is a negation the whole is one, of all that would have to be otherwise: a time constraint, ``NOT
    EXISTS { ?y :from ?a } || EXISTS { ?y :from ?b FILTER(?b < …) }``, is a negation within a negation.
    """
    arms: list[Body] = []
    listed: dict[Var, int] = {}
    for part in parts:
        if not part.conjuncts:
            return build.ALWAYS
        if never(part) or part in arms:
            continue
        match part.conjuncts:
            case (Member(Var() as term, values, own),) if term in listed:
                before = arms[listed[term]].conjuncts[0]
                assert isinstance(before, Member)
                arms[listed[term]] = Body((Member(term, tuple(dict.fromkeys((*before.values, *values))), own),))
                continue
            case (Member(Var() as term),):
                listed[term] = len(arms)
            case _:
                pass
        arms.append(part)
    if not arms:
        return _never(span)
    if len(arms) == 1:
        return arms[0]
    absent, present = [], []
    for arm in arms:
        match arm.conjuncts:
            case (Not(inside),):
                absent.append(inside)
            case _:
                present.append(arm)
    if not absent:
        return Body((Union(tuple(arms), span),))
    present = [time_constraint(absent, arm) for arm in present]
    inner = build.join(*absent, *[build.negate(arm, span) for arm in present])
    return build.negate(inner, span)


def comparison(function: str, left: Expression, right: Expression, view: View, span: Span, truth: bool = True) -> Body:
    """``left function right``; with ``truth`` False, where that is false."""
    if isinstance(left, Iri | Literal) and not isinstance(right, Iri | Literal):
        left, right, function = right, left, Op(function).mirrored.value
    left, right = as_difference(left, right) or (left, right)
    if applied(function, (left, right), view) == TRUE:
        return build.ALWAYS if truth else _never(span)
    if not truth and function in ("=", "!="):
        function, truth = _NEGATED[function], True
    opened = {variable.name for variable in view.open().values()}
    if opened.isdisjoint(names_in(left, right)):
        exact = _core(function, left, right, view, span)
        if exact is not None and not truth:
            exact = _negation(exact, function, left, right, view, span)
        if exact is not None:
            return exact
    whole = compared(function, left, right)
    return build.condition(whole if truth else Apply("!", (whole,)), span)


def _negation(exact: Body, function: str, left: Expression, right: Expression, view: View, span: Span) -> Body | None:
    """Where an order that the core tier holds is false; None where that is for a condition to say. Of numbers and
    strings the contrary holds, of two that are known to be dates the order does not."""
    match exact:
        case Body((Compare(kind=Kind.DATE),)) if as_year(left, right) is None:
            return build.negate(exact, span) if _is_date(left, view) and _is_date(right, view) else None
        case _:
            return _core(_NEGATED[function], left, right, view, span)


def _is_date(expression: Expression, view: View) -> bool:
    if isinstance(expression, Literal):
        return interval(expression.lexical, expression.datatype) is not None
    return plain_key(expression, view, Kind.DATE) is not None


def _core(function: str, left: Expression, right: Expression, view: View, span: Span) -> Body | None:
    """A comparison in the core tier; None where it says something else there, or might."""
    year = as_year(left, right)
    if year is not None:
        return Body((Compare(Op(function), *year, Kind.DATE, span),))
    match left, right:
        case Var(), Iri():
            return _identity(function, left, right, span)
        case _, Literal():
            return _constant(function, left, right, view, span)
        case Var(), Var() if function in ("=", "!=") and (view.is_entity(left) or view.is_entity(right)):
            return _identity(function, left, right, span)
        case _:
            return _two_keys(function, left, right, view, span)


def _identity(function: str, left: Var, right: Var | Iri, span: Span) -> Body | None:
    """Of two things one of which is no literal: the same or not, never an error."""
    match function:
        case "=" if isinstance(right, Iri):
            return Body((Member(left, (right,), span),))
        case "=":
            return Body((Compare(Op.IS, left, right, span=span),))
        case "!=":
            return Body((Not(Body((Compare(Op.IS, left, right, span=span),)), span=span),))
        case _:
            return None


def _constant(function: str, left: Expression, right: Literal, view: View, span: Span) -> Body | None:
    op = Op(function)
    if right.datatype in NUMERIC_DATATYPES and kind_of(right) is Kind.NUMBER:
        known = plain_key(left, view, Kind.NUMBER, right)
        if known is not None:
            return Body((Compare(op, known, _as_held(known, right, view), Kind.NUMBER, span),))
        if isinstance(left, Var) and (function != "!=" or _is_number(left, view)):
            return Body((Compare(op, left, right, Kind.NUMBER, span),))
        return None
    if right.datatype in DATE_DATATYPES and interval(right.lexical, right.datatype) is not None:
        known = plain_key(left, view, Kind.DATE)
        if known is not None:
            return Body((Compare(op, known, right, Kind.DATE, span),))
        if isinstance(left, Var) and function != "!=":
            return Body((Compare(op, left, right, Kind.DATE, span),))
        return None
    if isinstance(left, Var) and (right.datatype == XSD_STRING or right.language is not None):
        if function == "=":
            return Body((Member(left, (right,), span),))
        if right.language is None and function != "!=":
            return Body((Compare(op, left, right, Kind.TEXT, span),))
    return None


def _is_number(variable: Var, view: View) -> bool:
    type_ = view.type_of(variable)
    return isinstance(type_, LiteralType) and type_.datatype in NUMERIC_DATATYPES


def _as_held(variable: Var, number: Literal, view: View) -> Literal:
    """A number under the datatype that the values it meets have, as PyLF has it."""
    datatypes = {datatype for relation in view_relations(variable, view) for datatype in relation.datatypes}
    held = number_literal(number.lexical, tuple(datatypes))
    return number if held is None else held


def _two_keys(function: str, left: Expression, right: Expression, view: View, span: Span) -> Body | None:
    op = Op(function)
    for kind in (Kind.NUMBER, Kind.DATE):
        one, other = plain_key(left, view, kind), plain_key(right, view, kind)
        if function != "!=":
            # what is of no known kind meets it where it is of this one, and is else an error or not equal
            if one is not None and isinstance(right, Var):
                other = right
            elif other is not None and isinstance(left, Var):
                one = left
        if one is not None and other is not None:
            return Body((Compare(op, one, other, kind, span),))
    return None


def _same_term(left: Expression, right: Expression, view: View, truth: bool, span: Span) -> Body | None:
    if not isinstance(left, Var):
        left, right = right, left
    opened = {variable.name for variable in view.open().values()}
    if not isinstance(left, Var) or not opened.isdisjoint(names_in(left, right)):
        return None
    body: Body | None = None
    if isinstance(right, Iri | Literal):
        body = Body((Member(left, (right,), span),))
    elif isinstance(right, Var) and (view.is_entity(left) or view.is_entity(right)):
        body = Body((Compare(Op.IS, left, right, span=span),))
    if body is None or truth:
        return body
    if isinstance(right, Iri):
        body = Body((Compare(Op.IS, left, right, span=span),))
    return build.negate(body, span)
