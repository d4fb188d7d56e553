"""The same in other words, for dialects that lack a builtin or misread a condition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.sparql.query import Aggregate, Call, Operation
from pylf.ir.terms import RDF_LANG_STRING, XSD_BOOLEAN, Iri, Literal, Var

if TYPE_CHECKING:
    from pylf.backends.sparql.dialect import Dialect
    from pylf.backends.sparql.query import Expression

_FALSE = Literal("false", XSD_BOOLEAN)
_TRUE = Literal("true", XSD_BOOLEAN)


def spoken(call: Call, dialect: Dialect) -> Call:
    """The call, or one that says the same in this dialect."""
    match call:
        case Call("sameTerm", (left, right)) if dialect.lacks_same_term:
            return _same(left, right)
        case _:
            return call


def stated(condition: Expression, dialect: Dialect) -> Expression:
    """What a FILTER asks for, or the same in a form that this dialect does not take for something else."""
    if not dialect.substitutes_equals:
        return condition
    match condition:
        case Call("sameTerm", (Var(), Var())) | Operation("=", (Var() | Aggregate(), Var() | Aggregate())):
            return Call("IF", (condition, _TRUE, _FALSE))
        case Operation("&&", operands):
            return Operation("&&", tuple([stated(operand, dialect) for operand in operands]))
        case _:
            return condition


def _same(left: Expression, right: Expression) -> Call:
    """Whether two terms are the same, told by their parts; an error where one is unbound."""
    if not isinstance(left, Var):
        left, right = right, left
    spelled = Operation("=", (_call("STR", left), _call("STR", right)))
    match right:
        case Iri(value):
            return _if("isIRI", left, Operation("=", (_call("STR", left), Literal(value))), _FALSE)
        case Literal(lexical, datatype, language):
            spelled = Operation("=", (_call("STR", left), Literal(lexical)))
            if datatype == RDF_LANG_STRING:
                kind = Operation("=", (_call("LANG", left), Literal(language or "")))
            else:
                kind = Operation("=", (_call("DATATYPE", left), Iri(datatype)))
            return _if("isLiteral", left, Operation("&&", (spelled, kind)), _FALSE)
        case _:
            parts = [Operation("=", (_call(part, left), _call(part, right))) for part in ("DATATYPE", "LANG")]
            alike = _if("isLiteral", right, Operation("&&", (spelled, *parts)), _FALSE)
            # what is no literal is equal only to itself
            return _if("isLiteral", left, alike, _if("isLiteral", right, _FALSE, Operation("=", (left, right))))


def _call(function: str, *arguments: Expression) -> Call:
    return Call(function, arguments)


def _if(function: str, tested: Expression, then: Expression, other: Expression) -> Call:
    return Call("IF", (_call(function, tested), then, other))
