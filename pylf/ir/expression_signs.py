"""Expressions in signs, ``year(?x) < 2000``, for a line of an explanation or of a picture; and reductions in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.expressions import Apply

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pylf.ir.expressions import Expression
    from pylf.ir.terms import Term

#: The operators that stand between what they are applied to.
PLAIN = {sign: sign for sign in ("=", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/")} | {"||": "or", "&&": "and"}
#: The same as in print.
PRINTED = PLAIN | {"<=": "≤", ">=": "≥", "!=": "≠", "*": "·"}

#: What a reduction gives.
REDUCED = {
    "count": "the number of",
    "sum": "the sum of",
    "avg": "the average of",
    "min": "the least of",
    "max": "the greatest of",
    "sample": "one of",
    "group_concat": "the text made of",
}


def in_signs(expression: Expression, term: Callable[[Term], str], signs: Mapping[str, str] = PLAIN) -> str:
    """An expression in signs, its terms as ``term`` says them; what has an operator of its own and stands beside
    another one is in brackets."""

    def operand(part: Expression) -> str:
        said = in_signs(part, term, signs)
        return f"({said})" if isinstance(part, Apply) and part.function in signs else said

    match expression:
        case Apply(sign, (_, _, *_) as parts) if sign in signs:
            return f" {signs[sign]} ".join(map(operand, parts))
        case Apply("!", (part,)):
            return f"not {operand(part)}"
        case Apply("negative", (part,)):
            return f"-{operand(part)}"
        case Apply("bound", (part,)):
            return f"{operand(part)} has a value"
        case Apply(function, parts):
            return f"{function.rpartition('#')[2]}({', '.join([in_signs(part, term, signs) for part in parts])})"
        case _:
            return term(expression)
