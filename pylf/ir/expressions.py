"""Expressions of the wide tier: what SPARQL computes from the values of variables.

An expression is a term or a function applied to expressions. What stands for an operator is a function too, by the sign
that SPARQL writes. A cast is the IRI of its datatype. An expression has a value or, where SPARQL's would be an error or
a variable is open, none. ``coalesce`` of nothing is the expression that never has one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.terms import XSD, XSD_BOOLEAN, Literal, Term, Var
from pylf.records import record

if TYPE_CHECKING:
    from collections.abc import Callable

#: How deep expressions may stand within expressions; ``||``, ``&&`` and ``concat`` take any number of arguments.
MAX_DEPTH = 100

#: By name, the least and the greatest number of arguments; None: any number.
FUNCTIONS: dict[str, tuple[int, int | None]] = {
    # operators
    **dict.fromkeys(("||", "&&"), (2, None)),
    "!": (1, 1),
    **dict.fromkeys(("=", "!=", "<", ">", "<=", ">="), (2, 2)),
    **dict.fromkeys(("+", "-", "*", "/"), (2, 2)),
    "negative": (1, 1),
    "in": (1, None),
    # forms
    "bound": (1, 1),
    "if": (3, 3),
    "coalesce": (0, None),
    "sameterm": (2, 2),
    # terms
    **dict.fromkeys(("isiri", "isblank", "isliteral", "isnumeric", "str", "lang", "datatype", "iri"), (1, 1)),
    "canonical": (1, 1),  # one term for all of one value, of a variable: not SPARQL's
    "strdt": (2, 2),
    "strlang": (2, 2),
    # strings
    **dict.fromkeys(("strlen", "ucase", "lcase", "encode_for_uri"), (1, 1)),
    **dict.fromkeys(("strstarts", "strends", "contains", "strbefore", "strafter", "langmatches"), (2, 2)),
    "substr": (2, 3),
    "concat": (0, None),
    "regex": (2, 3),
    "replace": (3, 4),
    # numbers
    **dict.fromkeys(("abs", "round", "ceil", "floor"), (1, 1)),
    # dates
    **dict.fromkeys(("year", "month", "day", "hours", "minutes", "seconds", "tz", "timezone"), (1, 1)),
}
#: The datatypes that a value can be cast to (SPARQL 1.1, 17.5, and xsd:date).
CASTS = frozenset(
    XSD + name for name in ("boolean", "integer", "decimal", "float", "double", "string", "dateTime", "date")
)
#: What a :class:`~pylf.ir.nodes.Reduction` may make of many values.
REDUCERS = frozenset(("count", "sum", "avg", "min", "max", "sample", "group_concat"))

TRUE = Literal("true", XSD_BOOLEAN)
FALSE = Literal("false", XSD_BOOLEAN)


@record
class Apply:
    """A function applied to arguments: one of :data:`FUNCTIONS`, or a cast by a datatype's IRI (one argument)."""

    function: str
    arguments: tuple[Expression, ...]


Expression = Term | Apply


def terms_in(expression: Expression) -> tuple[Term, ...]:
    """The terms of an expression, in written order."""
    if not isinstance(expression, Apply):
        return (expression,)
    found: list[Term] = []
    todo: list[Expression] = [expression]
    while todo:
        at = todo.pop()
        if isinstance(at, Apply):
            todo.extend(reversed(at.arguments))
        else:
            found.append(at)
    return tuple(found)


def functions_in(expression: Expression) -> tuple[Apply, ...]:
    """The applications in an expression, each before those within it."""
    found: list[Apply] = []
    todo = [expression]
    while todo:
        at = todo.pop()
        if isinstance(at, Apply):
            found.append(at)
            todo.extend(reversed(at.arguments))
    return tuple(found)


def names_in(*expressions: Expression) -> frozenset[str]:
    """The names of the variables that expressions look at."""
    return frozenset([t.name for one in expressions for t in terms_in(one) if isinstance(t, Var)])


def with_terms_in(expression: Expression, term: Callable[[Term], Term]) -> Expression:
    """The expression with what ``term`` gives for each of its terms; the same object where nothing changes. A constant
    is always bound: to ask whether it is becomes true."""
    if not isinstance(expression, Apply):
        return term(expression)
    new = tuple([with_terms_in(argument, term) for argument in expression.arguments])
    if all(a is b for a, b in zip(new, expression.arguments, strict=True)):
        return expression
    if expression.function == "bound" and not isinstance(new[0], Var | Apply):
        return TRUE
    return Apply(expression.function, new)


def is_deep(expression: Expression) -> bool:
    """Whether expressions stand within it deeper than :data:`MAX_DEPTH`."""
    level: list[Expression] = [expression]
    for _ in range(MAX_DEPTH + 1):
        level = [argument for at in level if isinstance(at, Apply) for argument in at.arguments]
        if not level:
            return False
    return True
