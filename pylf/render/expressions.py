"""Expressions in English, ``the year of x is less than 2000``, and in signs for a picture, ``year(?x) < 2000``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.expression_signs import PRINTED, REDUCED, in_signs
from pylf.ir.expressions import Apply

if TYPE_CHECKING:
    from collections.abc import Callable

    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Order, Reduction, Slice
    from pylf.ir.terms import Term

    Named = Callable[[Term], str]

#: What is said between two or more things.
_BETWEEN = {
    "||": "or",
    "&&": "and",
    "=": "equals",
    "!=": "differs from",
    "<": "is less than",
    ">": "is more than",
    "<=": "is at most",
    ">=": "is at least",
    "+": "plus",
    "-": "minus",
    "*": "times",
    "/": "divided by",
    "sameterm": "is the same term as",
    "strstarts": "begins with",
    "strends": "ends with",
    "contains": "contains",
    "langmatches": "is a language of the range",
}
#: What is said of one thing.
_OF = {
    "!": "it is not so that {}",
    "negative": "minus {}",
    "bound": "there is {}",
    "canonical": "the value of {}",
    "isiri": "{} is an entity with a name",
    "isblank": "{} is an entity without a name",
    "isliteral": "{} is a value",
    "isnumeric": "{} is a number",
    "str": "the text of {}",
    "lang": "the language of {}",
    "datatype": "the datatype of {}",
    "iri": "the entity named {}",
    "strlen": "the length of {}",
    "ucase": "{} in capitals",
    "lcase": "{} in small letters",
    "encode_for_uri": "{} encoded for a URI",
    "abs": "the absolute value of {}",
    "round": "{} rounded",
    "ceil": "{} rounded up",
    "floor": "{} rounded down",
    "year": "the year of {}",
    "month": "the month of {}",
    "day": "the day of {}",
    "hours": "the hours of {}",
    "minutes": "the minutes of {}",
    "seconds": "the seconds of {}",
    "tz": "the time zone of {}",
    "timezone": "the offset of {}",
}


def told(expression: Expression, term: Named) -> str:
    """An expression in words; what has an operator of its own and stands beside another one is in brackets."""

    def inner(part: Expression) -> str:
        said = told(part, term)
        return f"({said})" if isinstance(part, Apply) and part.function in _BETWEEN else said

    match expression:
        case Apply(function, (_, _, *_) as parts) if function in _BETWEEN:
            return f" {_BETWEEN[function]} ".join(map(inner, parts))
        case Apply(function, (part,)) if function in _OF:
            return _OF[function].replace("{}", inner(part))
        case Apply("in", (part, *others)):
            return f"{inner(part)} is one of ({', '.join(map(inner, others))})"
        case Apply("if", (test, then, otherwise)):
            return f"{inner(then)} if ({told(test, term)}), else {inner(otherwise)}"
        case Apply("coalesce", parts):
            return f"the first there is of ({', '.join(map(inner, parts))})"
        case Apply("concat", parts):
            return f"({', '.join(map(inner, parts))}) put together"
        case Apply("regex", (text, pattern, *flags)):
            read = "".join([f" read by {inner(flag)}" for flag in flags])
            return f"{inner(text)} matches the pattern {inner(pattern)}{read}"
        case Apply(function, parts):
            return f"{function.rpartition('#')[2]} of ({', '.join(map(inner, parts))})"
        case _:
            return term(expression)


def short(expression: Expression, term: Named) -> str:
    """An expression in signs, for one line of a picture."""
    return in_signs(expression, term, PRINTED)


def reduced(reduction: Reduction, term: Named) -> str:
    """``the sum of mass``, ``the number of distinct x``, ``the number of solutions``."""
    of = "solutions" if reduction.of is None else told(reduction.of, term)
    return f"{REDUCED[reduction.function]} {'distinct ' if reduction.distinct else ''}{of}"


def ordered(order: Order, term: Named) -> str:
    """``the year of x, the last first``."""
    return told(order.expression, term) + (", the last first" if order.descending else "")


def taken(node: Slice, term: Named) -> str:
    """Which rows of an order are in: ``the first 10 after the first 20, by x``."""
    which = "all" if node.limit is None else f"the first {node.limit:,}"
    after = f" after the first {node.offset:,}" if node.offset else ""
    by = f", by {', then '.join([ordered(key, term) for key in node.order])}" if node.order else ""
    return f"{which}{after}{by}"
