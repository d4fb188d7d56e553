"""What an expression is worth (SPARQL 1.1, section 17): the definition that engines are held to.

An expression is worth a node or nothing: what SPARQL calls an error, and what an open variable has, are both "no
value". Comparisons are those of :mod:`pylf.ir.values` (:func:`compared` adds when they fail, and when two nodes cannot
be compared at all), arithmetic is :mod:`pylf.ir.arithmetic`'s, functions are :mod:`pylf.ir.functions`'.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir import functions
from pylf.ir.arithmetic import add, divide, multiply, negative, number_of, subtract
from pylf.ir.casts import cast
from pylf.ir.dates import Interval
from pylf.ir.expressions import FALSE, TRUE, Apply
from pylf.ir.nodes import Op
from pylf.ir.terms import XSD_BOOLEAN, Blank, Iri, Literal, Var
from pylf.ir.values import NUMERIC_DATATYPES, Boolean, Text, compare, value_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pylf.ir.expressions import Expression
    from pylf.ir.terms import Node

    #: What a variable has, by its name; None where it is open.
    Lookup = Callable[[str], Node | None]

_OPS = {op.value: op for op in Op if op is not Op.IS}


def value(expression: Expression, lookup: Lookup) -> Node | None:
    """The node that an expression is worth, or None."""
    match expression:
        case Var(name):
            return lookup(name)
        case Apply(function, arguments):
            special = _FORMS.get(function)
            if special is not None:
                return special(arguments, lookup)
            given: list[Node] = []
            for argument in arguments:
                node = value(argument, lookup)
                if node is None:
                    return None
                given.append(node)
            return cast(function, given[0]) if ":" in function else _CALLS[function](*given)
        case _:
            return expression


def truth(expression: Expression, lookup: Lookup) -> bool | None:
    """The effective boolean value of an expression, or None."""
    node = value(expression, lookup)
    return None if node is None else counts(node)


def counts(node: Node) -> bool | None:
    """Whether a node counts as true; None where it counts as neither (17.2.2). What is no number or boolean, though its
    datatype says so, NaN among it, is false."""
    match value_of(node):
        case Boolean(true):
            return true
        case float() as number:
            return number != 0
        case Text(text):
            return text != ""
        case Literal(_, datatype) if datatype in NUMERIC_DATATYPES or datatype == XSD_BOOLEAN:
            return False
        case _:
            return None


def compared(op: Op, left: Node, right: Node) -> bool | None:
    """What comes of comparing two nodes by value, ``right`` in the part of a constant; None: they cannot be compared.

    Numbers meet numbers, dates meet dates and what is spelled like one, strings those of their language, booleans
    booleans; strings with a language, booleans, and IRIs and blank nodes, which meet everything, by ``=`` and ``!=``
    alone. A literal that is none of these is equal to itself, and cannot be compared otherwise.
    """
    if compare(op, left, right):
        return True
    worth, other = value_of(left), value_of(right)
    equality = op in (Op.EQ, Op.NE)
    match worth, other:
        case ((Iri() | Blank()), _) | (_, (Iri() | Blank())):  # which no literal is
            return (left == right) is (op is Op.EQ) if equality else None
        case (float(), float()) | (Interval(), Interval()):
            return False
        case Text(_, language), Text(_, tag):
            return False if language == tag and (equality or tag is None) else None
        case Boolean(), Boolean():
            return False if equality else None
        case Interval(), _:  # of what says a date, one of both holds
            return False if compare(Op.EQ, left, right) or compare(Op.NE, left, right) else None
        case _:
            return False if op is Op.NE and compare(Op.EQ, left, right) else None


def boolean(true: bool | None) -> Literal | None:
    """True or false as a literal; None of None."""
    return None if true is None else TRUE if true else FALSE


# --- what need not have all of its arguments ----------------------------------------------------------------------


def _or(arguments: Sequence[Expression], lookup: Lookup) -> Node | None:
    found = [truth(argument, lookup) for argument in arguments]
    return TRUE if True in found else None if None in found else FALSE


def _and(arguments: Sequence[Expression], lookup: Lookup) -> Node | None:
    found = [truth(argument, lookup) for argument in arguments]
    return FALSE if False in found else None if None in found else TRUE


def _not(arguments: Sequence[Expression], lookup: Lookup) -> Node | None:
    true = truth(arguments[0], lookup)
    return None if true is None else boolean(not true)


def _in(arguments: Sequence[Expression], lookup: Lookup) -> Node | None:
    first, *others = arguments
    node = value(first, lookup)
    if node is None:
        return None
    found: list[bool | None] = []
    for argument in others:
        other = value(argument, lookup)
        found.append(None if other is None else _meets(Op.EQ, node, argument, other))
    return TRUE if True in found else None if None in found else FALSE


def _meets(op: Op, left: Node, argument: Expression, right: Node) -> bool | None:
    """What comes of a comparison. Only where the right side is written as a constant does it say a date by a number or
    a string: what two variables have is what it is."""
    if not isinstance(argument, Literal) and isinstance(value_of(left), Interval):
        worth = value_of(right)
        if not isinstance(worth, Interval | Iri | Blank):
            return None
    return compared(op, left, right)


def _comparison(op: Op) -> Callable[[Sequence[Expression], Lookup], Node | None]:
    def form(arguments: Sequence[Expression], lookup: Lookup) -> Node | None:
        left, right = [value(argument, lookup) for argument in arguments]
        return None if left is None or right is None else boolean(_meets(op, left, arguments[1], right))

    return form


def _bound(arguments: Sequence[Expression], lookup: Lookup) -> Node | None:
    return boolean(value(arguments[0], lookup) is not None)


def _if(arguments: Sequence[Expression], lookup: Lookup) -> Node | None:
    test, then, other = arguments
    true = truth(test, lookup)
    return None if true is None else value(then if true else other, lookup)


def _coalesce(arguments: Sequence[Expression], lookup: Lookup) -> Node | None:
    for argument in arguments:
        node = value(argument, lookup)
        if node is not None:
            return node
    return None


_FORMS: dict[str, Callable[[Sequence[Expression], Lookup], Node | None]] = {
    "||": _or,
    "&&": _and,
    "!": _not,
    "in": _in,
    "bound": _bound,
    "if": _if,
    "coalesce": _coalesce,
    **{sign: _comparison(op) for sign, op in _OPS.items()},
}


# --- what takes values --------------------------------------------------------------------------------------------


def _test(test: Callable[[Node], bool]) -> Callable[[Node], Node | None]:
    return lambda node: boolean(test(node))


_CALLS: dict[str, Callable[..., Node | None]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
    "negative": negative,
    "sameterm": lambda left, right: boolean(left == right),
    "isiri": _test(lambda node: isinstance(node, Iri)),
    "isblank": _test(lambda node: isinstance(node, Blank)),
    "isliteral": _test(lambda node: isinstance(node, Literal)),
    "isnumeric": _test(lambda node: number_of(node) is not None),
    **functions.CALLS,
}
