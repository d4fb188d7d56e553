"""Functions and arithmetic of the wide tier by SPARQL's own names, or what says the same in a dialect.

Where an engine makes something of what a function does not take, it is given nothing else than what it takes; and what
stands in a query as a constant is brought into the form that all engines read alike.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pylf.backends.sparql import dates, values
from pylf.backends.sparql.exchanged import stands_for, substituted
from pylf.backends.sparql.expression_contents import ARITHMETIC, OF_NUMBERS, OF_TEXTS, content_of
from pylf.backends.sparql.query import Call, Operation
from pylf.errors import UnsupportedOperation
from pylf.ir.arithmetic import number_of
from pylf.ir.patterns import pattern_of
from pylf.ir.terms import RDF_LANG_STRING, XSD, XSD_DECIMAL, XSD_INTEGER, XSD_STRING, Iri, Literal, Var
from pylf.ir.values import NUMERIC_DATATYPES, value_of

if TYPE_CHECKING:
    from pylf.backends.sparql.content import Content
    from pylf.backends.sparql.expression_contents import Place
    from pylf.backends.sparql.query import Expression as Tree
    from pylf.ir.expressions import Apply, Expression

#: An expression without value; :func:`nothing` is what an engine takes for one.
NONE = Call(Iri(XSD_INTEGER), (Literal("none"),))
_NAMES = {"isiri": "isIRI", "isblank": "isBlank", "isliteral": "isLiteral", "isnumeric": "isNumeric"}
#: The flags of patterns that every engine reads.
_FLAGS = frozenset("ism")
_IT = stands_for(0)


def nothing(at: Place) -> Tree:
    """An expression without value: a cast that fails or, where that ends the query, a variable that nothing binds."""
    return at.lowering.apart.fresh("none") if at.lowering.dialect.joins_values else NONE


def called(expression: Apply, parts: list[Tree], at: Place) -> Tree:
    """A function of arguments, given what these are worth.

    Raises:
        UnsupportedOperation: the dialect has no right form for it.
    """
    function, arguments = expression.function, expression.arguments
    dialect = at.lowering.dialect
    if function == "substr" and isinstance(arguments[1], Literal):
        parts = _cut(arguments, parts, at)
    if dialect.misreads_arguments:
        _check_constants(function, arguments, parts, at)
        parts = [_taken(function, place, argument, parts[place], at) for place, argument in enumerate(arguments)]
    if function in ARITHMETIC:
        return _arithmetic(function, parts[0], parts[1], at)
    match function:
        case "canonical":
            (argument,) = arguments
            if not isinstance(argument, Var):
                raise UnsupportedOperation("the canonical form of what is computed", f"SPARQL ({dialect.name})")
            return values.identity_key(argument, content_of(argument, at), dialect)
        case "negative":
            return Operation("-", (values.ZERO, parts[0]))
        case "lang":
            return values.call("LCASE", values.call("LANG", parts[0]))
        case "datatype" if dialect.joins_values:
            tagged = Operation("!=", (values.call("LANG", parts[0]), values.EMPTY))
            return values.call("IF", tagged, Iri(RDF_LANG_STRING), values.call("DATATYPE", parts[0]))
        case "replace" if _agrees_with_nothing(arguments):
            return nothing(at)  # an error in XPath, and engines put something between all characters
        case "replace" if dialect.wraps_replace:
            return values.call("CONCAT", Call("REPLACE", tuple(parts)), values.EMPTY)
        case "tz" | "timezone" if dialect.joins_values:
            raise UnsupportedOperation(f"{function.upper()}()", f"SPARQL ({dialect.name})")
        case _ if function in _PARTS and dialect.misreads_arguments:
            return _part(function, parts[0], arguments[0], at)
        case _ if ":" in function:
            return _cast(function, parts[0], arguments[0], at)
        case _:
            return Call(_NAMES.get(function, function.upper()), tuple(parts))


# --- arguments ----------------------------------------------------------------------------------------------------


def _taken(function: str, place: int, argument: Expression, part: Tree, at: Place) -> Tree:
    """An argument, or nothing where it is not what the function takes there."""
    of_numbers = function in OF_NUMBERS or (function == "substr" and place > 0)
    if not of_numbers and function not in OF_TEXTS:
        return part
    content = content_of(argument, at)
    if not (content.numbers if of_numbers else content.texts or content.tagged):
        return nothing(at)
    if isinstance(argument, Literal):
        return part
    var = argument if isinstance(argument, Var) else _IT
    guard = _is_number(var, content, at) if of_numbers else _is_text(var, content)
    if guard is None:
        return part
    found = values.call("IF", guard, var, nothing(at))
    return found if var is argument else substituted(found, {_IT: part})


def _is_number(var: Var, content: Content, at: Place) -> Tree | None:
    return None if content.only_numbers else values.is_number(var, at.lowering.dialect)


def _is_text(var: Var, content: Content) -> Tree | None:
    if not (content.entities or content.numbers or content.dates or content.others):
        return None
    return values.total(values.is_text(var))


def _check_constants(function: str, arguments: tuple[Expression, ...], parts: list[Tree], at: Place) -> None:
    """Refuses flags and places that the engine reads in its own way."""
    where = f"SPARQL ({at.lowering.dialect.name})"
    flags = arguments[{"regex": 2, "replace": 3}.get(function, len(arguments)) :]
    if flags and not (isinstance(flags[0], Literal) and set(flags[0].lexical) <= _FLAGS):
        raise UnsupportedOperation("flags of a pattern other than i, s and m", where)
    if function == "substr" and not all(isinstance(part, Literal) for part in parts[1:]):
        raise UnsupportedOperation("SUBSTR from a place that is computed", where)


def _cut(arguments: tuple[Expression, ...], parts: list[Tree], at: Place) -> list[Tree]:
    """The arguments of SUBSTR from a constant place on, which is made 1 or more, and a whole number."""
    start = _place(arguments[1])
    if start is None:
        return [parts[0], nothing(at), *parts[2:]]
    first = max(start, 1)
    begun = [parts[0], Literal(str(first), XSD_INTEGER)]
    if len(parts) == 2:
        return begun
    if isinstance(arguments[2], Literal):
        length = _place(arguments[2])
        if length is None:
            return [*begun, nothing(at)]
        return [*begun, Literal(str(max(start + length - first, 0)), XSD_INTEGER)]
    if first == start:
        return [*begun, parts[2]]
    return [*begun, Operation("+", (parts[2], Literal(str(start - first), XSD_INTEGER)))]


def _place(constant: Expression) -> int | None:
    """A constant as a whole number; None where it is no number, or infinite."""
    number = number_of(constant) if isinstance(constant, Literal) else None
    if number is None or isinstance(number, int):
        return number
    return math.floor(2 * number + 1) // 2 if math.isfinite(number) else None


def _agrees_with_nothing(arguments: tuple[Expression, ...]) -> bool:
    """Whether the constant pattern of REPLACE is found in the empty string, or is none."""
    given = arguments[1], arguments[3] if len(arguments) > 3 else values.EMPTY
    pattern, flags = given
    if not (isinstance(pattern, Literal) and isinstance(flags, Literal)):
        return False
    try:
        found = pattern_of(pattern.lexical, flags.lexical)
        return found is None or found.is_in("")
    except UnsupportedOperation:
        return False  # it is not read here: the engine may


# --- dialect forms ------------------------------------------------------------------------------------------------

#: What of a date's spelling is a part of it; the part is the second group.
_PARTS = {
    "year": "^()(-?[0-9]+).*$",
    "month": "^(-?[0-9]+-)([0-9][0-9]).*$",
    "day": "^(-?[0-9]+-[0-9][0-9]-)([0-9][0-9]).*$",
    "hours": "^([^T]*T)([0-9][0-9]).*$",
    "minutes": "^([^T]*T[0-9][0-9]:)([0-9][0-9]).*$",
    "seconds": "^([^T]*T[0-9][0-9]:[0-9][0-9]:)([0-9][0-9]([.][0-9]+)?).*$",
}


def _part(function: str, part: Tree, argument: Expression, at: Place) -> Tree:
    """A part of a date, cut out of its spelling."""
    dialect = at.lowering.dialect
    var = argument if isinstance(argument, Var) else _IT
    pattern, content = Literal(_PARTS[function]), content_of(argument, at)
    text = dates.spelling(var, content, dialect)
    datatype = Iri(XSD_DECIMAL if function == "seconds" else XSD_INTEGER)
    cut = values.call("REPLACE", text, pattern, Literal("$2"))
    is_date = values.total(dates.is_date(var, content, dialect))
    guard = Operation("&&", (is_date, values.call("REGEX", text, pattern)))
    found = values.call("IF", guard, Call(datatype, (cut,)), nothing(at))
    return found if isinstance(argument, Var) else substituted(found, {var: part})


def _cast(datatype: str, part: Tree, argument: Expression, at: Place) -> Tree:
    """A value in another datatype."""
    dialect = at.lowering.dialect
    where = f"SPARQL ({dialect.name})"
    if dialect.joins_values and datatype not in (XSD_STRING, *NUMERIC_DATATYPES):
        raise UnsupportedOperation(f"a cast to {datatype.removeprefix(XSD)}", where)
    content = content_of(argument, at)
    if datatype == XSD_STRING:
        if content.numbers or content.others:
            raise UnsupportedOperation("a cast to string of what may be a number", where)
        return values.call("STR", part)
    if dialect.counts_errors and (content.numbers or content.others) and not content.only_numbers:
        raise UnsupportedOperation(f"a cast to {datatype.removeprefix(XSD)} of what may be no string", where)
    return Call(Iri(datatype), (part,))


def _arithmetic(function: str, left: Tree, right: Tree, at: Place) -> Tree:
    if function != "/":
        return Operation(function, (left, right))
    if at.lowering.dialect.joins_values:  # it divides integers as integers, and ends the query over a division by zero
        left = Operation("*", (Literal("1.0", XSD_DECIMAL), left))
    quotient = Operation("/", (left, right))
    worth = value_of(right) if isinstance(right, Literal) else None
    if isinstance(worth, float) and worth != 0:
        return quotient
    # of doubles, infinity would be the quotient by zero
    return values.call("IF", Operation("=", (right, values.ZERO)), nothing(at), quotient)
