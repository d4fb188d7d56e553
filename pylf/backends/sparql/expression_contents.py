"""What an expression of the wide tier may be worth: it decides which guards a comparison or a function needs.

Nothing is taken from the types of variables: these are promises of the query, and a graph need not keep them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pylf.backends.sparql.content import COUNTED, ENTITIES, NOTHING_AT_ALL, Content
from pylf.ir.expressions import Apply
from pylf.ir.terms import XSD_BOOLEAN, XSD_STRING, Iri, Literal, Var
from pylf.ir.values import NUMERIC_DATATYPES, Boolean, Text, value_of

if TYPE_CHECKING:
    from pylf.backends.sparql.frame import Frame
    from pylf.backends.sparql.lower import Lowering
    from pylf.ir.expressions import Expression

#: What is true or false, by functions of SPARQL's own.
TESTS = frozenset(
    ("isiri", "isblank", "isliteral", "isnumeric", "strstarts", "strends", "contains", "langmatches", "regex")
)
COMPARISONS = frozenset(("=", "!=", "<", "<=", ">", ">="))
#: What is true or false, and written out by when it is.
CONNECTIVES = COMPARISONS | {"||", "&&", "!", "in", "bound", "sameterm"}
ARITHMETIC = frozenset(("+", "-", "*", "/"))
#: What takes numbers, and gives them.
OF_NUMBERS = ARITHMETIC | {"negative", "abs", "round", "ceil", "floor"}
_OF_DATES = frozenset(("year", "month", "day", "hours", "minutes", "seconds"))
_NUMBERS = OF_NUMBERS | _OF_DATES | {"strlen"}
_PLAIN_TEXTS = frozenset(("str", "lang", "encode_for_uri", "tz", XSD_STRING))
_TEXTS = frozenset(("ucase", "lcase", "substr", "strbefore", "strafter", "concat", "replace"))
#: What takes strings, plain or tagged.
OF_TEXTS = _TEXTS | {"strlen", "encode_for_uri", "strstarts", "strends", "contains", "regex"}


class Place(NamedTuple):
    """Where an expression stands."""

    lowering: Lowering
    frame: Frame


def content_of(expression: Expression, at: Place) -> Content:
    """What the values of an expression may be."""
    match expression:
        case Var():
            return at.lowering.content(expression, at.frame, typed=False)
        case Iri():
            return ENTITIES
        case Literal():
            return _of_literal(expression)
    function, arguments = expression.function, expression.arguments
    if function in _NUMBERS or function in NUMERIC_DATATYPES:
        return COUNTED
    if function in _PLAIN_TEXTS:
        return NOTHING_AT_ALL._replace(texts=True)
    if function in _TEXTS:
        return NOTHING_AT_ALL._replace(texts=True, tagged=_may_be_tagged(expression, at))
    if function == "canonical":
        return content_of(arguments[0], at)
    if function in ("datatype", "iri"):
        return ENTITIES
    if is_boolean(expression) or function in (XSD_BOOLEAN, "timezone"):
        return NOTHING_AT_ALL._replace(others=True)
    if function == "strlang":
        return NOTHING_AT_ALL._replace(tagged=True)
    if function in ("if", "coalesce"):
        return either_content([content_of(one, at) for one in (arguments[1:] if function == "if" else arguments)])
    return Content(entities=False)


def either_content(contents: list[Content]) -> Content:
    """What may occur in any of several places."""
    if not contents:
        return NOTHING_AT_ALL
    if all(content.counted for content in contents):
        return COUNTED
    return Content(*[any(flags) for flags in zip(*contents, strict=True)])._replace(counted=False)


def is_boolean(expression: Expression) -> bool:
    """Whether an expression is true or false, if it has a value."""
    match expression:
        case Apply("if", (_, then, other)):
            return is_boolean(then) and is_boolean(other)
        case Apply("coalesce", arguments):
            return all(map(is_boolean, arguments))
        case Apply(function):
            return function in CONNECTIVES or function in TESTS
        case Literal():
            return isinstance(value_of(expression), Boolean)
        case _:
            return False


def _of_literal(literal: Literal) -> Content:
    match value_of(literal):
        case float():
            return NOTHING_AT_ALL._replace(numbers=True)
        case Text(_, language):
            return NOTHING_AT_ALL._replace(texts=language is None, tagged=language is not None)
        case _:
            return Content(entities=False, numbers=False, texts=False, tagged=False)


def _may_be_tagged(expression: Expression, at: Place) -> bool:
    """Whether what a function of strings gives may have a language tag: it has that of its first argument."""
    match expression:
        case Apply("concat", arguments):
            return any(content_of(argument, at).tagged for argument in arguments)
        case Apply(_, (first, *_)):
            return content_of(first, at).tagged
        case _:
            return True
