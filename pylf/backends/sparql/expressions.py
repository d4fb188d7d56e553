"""Expressions of the wide tier as SPARQL expressions that engines agree on.

An expression is true, is false, or has no value, and engines do not agree on what an error does in ``&&``, ``IF`` or
below ``!``. So nothing rests on it: :func:`truth` writes when an expression is true, :func:`falsity` when it is false,
and each of the two may be false or an error otherwise. They are put together by ``&&`` and ``||``, where that is all
one, and are made free of errors where something else hangs on them; what is not true and not false has no value.
:func:`value` writes what an expression is worth, by SPARQL's own functions and arithmetic.

Comparisons are those of :mod:`pylf.backends.sparql.comparing`: by value, and dates as intervals. Where both sides are
numbers that the query computed they are bare: engines compare integers and decimals exactly where the reference
evaluator compares the doubles nearest to them, which differ in decimals of more than 15 digits. Quotients, whose digits
are each engine's own, are made doubles before.

Where written out they would be too large, all of these raise TooLargeError, an UnsupportedOperation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.backends.sparql import comparing, values
from pylf.backends.sparql.content import ENTITIES, Content
from pylf.backends.sparql.exchanged import has_value, stands_for, substituted
from pylf.backends.sparql.expression_contents import COMPARISONS, CONNECTIVES, TESTS, content_of, is_boolean
from pylf.backends.sparql.expression_functions import NONE, called, nothing
from pylf.backends.sparql.query import Call, Operation
from pylf.errors import UnsupportedOperation
from pylf.ir.expression_values import counts
from pylf.ir.expressions import Apply, functions_in, names_in
from pylf.ir.nodes import Op
from pylf.ir.terms import XSD_DOUBLE, Iri, Literal, Var
from pylf.ir.values import Boolean, as_held, value_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.backends.sparql.expression_contents import Place
    from pylf.backends.sparql.query import Expression as Tree
    from pylf.ir.expressions import Expression
    from pylf.ir.terms import Term

_ONE = Literal("1e0", XSD_DOUBLE)


# --- true, and false ----------------------------------------------------------------------------------------------


def truth(expression: Expression, at: Place) -> Tree | None:
    """When the effective boolean value of an expression is true: None where it never is, TRUE where always."""
    found = _truth(expression, at)
    return None if found is None else at.lowering.sizes.kept(found)


def falsity(expression: Expression, at: Place) -> Tree | None:
    """When the effective boolean value of an expression is false: None where it never is, TRUE where always."""
    found = _falsity(expression, at)
    return None if found is None else at.lowering.sizes.kept(found)


def _truth(expression: Expression, at: Place) -> Tree | None:
    match expression:
        case Apply("!", (argument,)):
            return falsity(argument, at)
        case Apply("&&", arguments):
            return all_of([truth(argument, at) for argument in arguments])
        case Apply("||", arguments):
            return any_of([truth(argument, at) for argument in arguments])
        case Apply("if", (test, then, other)):
            chosen_ = all_of([truth(test, at), truth(then, at)])
            return any_of([chosen_, all_of([falsity(test, at), truth(other, at)])])
        case Apply("in", (argument, *others)):
            return _among(argument, others, at)
        case Apply("bound", (Var() as var,)):
            return _has_value(var, at)
        case Apply(function, (left, right)) if function in COMPARISONS:
            return _compared(Op(function), left, right, at, comparing.holds)
        case Apply("sameterm", (left, right)):
            return _same(left, right, at)
        case Apply(function) if function in TESTS:
            return _tested(expression, at)
        case _:
            return _effective(expression, at, True)


def _falsity(expression: Expression, at: Place) -> Tree | None:
    match expression:
        case Apply("!", (argument,)):
            return truth(argument, at)
        case Apply("&&", arguments):
            return any_of([falsity(argument, at) for argument in arguments])
        case Apply("||", arguments):
            return all_of([falsity(argument, at) for argument in arguments])
        case Apply("if", (test, then, other)):
            chosen_ = all_of([truth(test, at), falsity(then, at)])
            return any_of([chosen_, all_of([falsity(test, at), falsity(other, at)])])
        case Apply("in", (argument, *others)):
            return _among_none(argument, others, at)
        case Apply("bound", (Var() as var,)):
            return Operation("!", (Call("BOUND", (var,)),)) if _is_open(var, at) else None
        case Apply(function, (left, right)) if function in COMPARISONS:
            return _compared(Op(function), left, right, at, comparing.fails)
        case Apply("sameterm", (left, right)):
            return _another(left, right, at)
        case Apply(function) if function in TESTS:
            return _denied(_tested(expression, at), expression, at)
        case _:
            return _effective(expression, at, False)


def all_of(parts: list[Tree | None]) -> Tree | None:
    """The conjunction of several readings."""
    if None in parts:
        return None
    found = list(dict.fromkeys([part for part in parts if part is not None and part is not values.TRUE]))
    if not found:
        return values.TRUE
    flat = [inner for part in found for inner in (_operands(part, "&&"))]
    return found[0] if len(found) == 1 else Operation("&&", tuple(flat))


def any_of(parts: list[Tree | None]) -> Tree | None:
    """The disjunction of several readings."""
    if any(part is values.TRUE for part in parts):
        return values.TRUE
    found = list(dict.fromkeys([part for part in parts if part is not None]))
    if not found:
        return None
    flat = [inner for part in found for inner in (_operands(part, "||"))]
    return found[0] if len(found) == 1 else Operation("||", tuple(flat))


def _operands(part: Tree, operator: str) -> tuple[Tree, ...]:
    return part.operands if isinstance(part, Operation) and part.operator == operator else (part,)


def _is_open(var: Var, at: Place) -> bool:
    return not at.frame.is_certain(var.name)


def _has_value(expression: Expression, at: Place) -> Tree:
    """Whether an expression has a value: TRUE where it always has."""
    match expression:
        case Var():
            return Call("BOUND", (expression,)) if _is_open(expression, at) else values.TRUE
        case Iri() | Literal():
            return values.TRUE
        case _:
            return has_value(value(expression, at))


def _denied(test: Tree, expression: Expression, at: Place) -> Tree | None:
    """That a test fails which is an error where what it looks at has no value, and false on some engines."""
    denied = Operation("!", (test,))
    if not at.lowering.dialect.joins_values:
        return denied
    return all_of([*_all_bound(expression, at), denied])


def _all_bound(expression: Expression, at: Place) -> list[Tree]:
    """That the open variables of an expression have a value."""
    return [Call("BOUND", (Var(name),)) for name in sorted(names_in(expression)) if _is_open(Var(name), at)]


def _tested(expression: Apply, at: Place) -> Tree:
    match expression:
        case Apply("isnumeric", (Var() as var,)):
            if content_of(var, at).only_numbers:
                return Operation("=", (var, var))
            return values.guarded(values.call("isLiteral", var), values.is_number(var, at.lowering.dialect))
        case Apply("langmatches", (Apply("lang", (of,)), tag)):
            return values.call("LANGMATCHES", values.call("LANG", value(of, at)), value(tag, at))
        case Apply("isiri" | "isblank" | "isliteral" | "isnumeric", (Apply() as of,)):
            return _of_values(_called(expression, at), [value(of, at)], at)
        case _:
            return _called(expression, at)


def _of_values(tree: Tree, worths: Iterable[Tree], at: Place) -> Tree:
    """A test of what is computed, without value where that has none, on engines that make something of errors."""
    if at.lowering.dialect.counts_errors:
        for worth in worths:
            tree = Call("IF", (has_value(worth), tree, NONE))
    return tree


# --- the same term ------------------------------------------------------------------------------------------------


def _same(left: Expression, right: Expression, at: Place) -> Tree | None:
    """Whether two expressions are the same term."""
    if not isinstance(left, Var):
        left, right = right, left
    match left, right:
        case Var(), Var():
            return values.same(left, right, at.lowering.dialect)
        case Var(), Iri() | Literal():
            other = as_held(right) if isinstance(right, Literal) else right
            return values.among(left, (other,), at.lowering.dialect)
        case ((Iri() | Literal()), (Iri() | Literal())):
            return values.TRUE if left == right else None
        case _ if at.lowering.dialect.joins_values or at.lowering.dialect.lacks_same_term:
            where = f"SPARQL ({at.lowering.dialect.name})"
            raise UnsupportedOperation("sameTerm of what is computed", where)
        case _:
            worths = value(left, at), value(right, at)
            return _of_values(values.call("sameTerm", *worths), worths, at)


def _another(left: Expression, right: Expression, at: Place) -> Tree | None:
    """Whether two expressions have values, and not the same."""
    same = _same(left, right, at)
    if same is None or same is values.TRUE:
        return values.TRUE if same is None else None
    if isinstance(left, Apply) or isinstance(right, Apply):
        return Operation("!", (same,))  # an error where there is no value, and there alone
    # told by a tag or a list, it is an error of what has none, or is of another datatype
    bound = [part for side in (left, right) for part in _all_bound(side, at)]
    return all_of([*bound, Operation("!", (same if _is_call_of_same(same) else values.total(same),))])


def _is_call_of_same(tree: Tree) -> bool:
    return isinstance(tree, Call) and tree.function == "sameTerm"


# --- comparisons --------------------------------------------------------------------------------------------------


def _among(argument: Expression, others: list[Expression], at: Place) -> Tree | None:
    """Whether an expression is equal to one of some others."""
    iris = tuple([one for one in others if isinstance(one, Iri)])
    if iris and len(iris) < len(others) and at.lowering.dialect.joins_values:
        where = f"SPARQL ({at.lowering.dialect.name}): it reads the ones as the others"
        raise UnsupportedOperation("entities and literals in one list", where)
    if not isinstance(argument, Var) or len(iris) < 2:
        return any_of([_compared(Op.EQ, argument, one, at, comparing.holds) for one in others])
    mixed = at.lowering.dialect.joins_values and content_of(argument, at).literals
    listed = values.listed(argument, iris, mixed, at.frame.existential, at.lowering.dialect)
    rest = [one for one in others if not isinstance(one, Iri)]
    return any_of([listed, *[_compared(Op.EQ, argument, one, at, comparing.holds) for one in rest]])


def _among_none(argument: Expression, others: list[Expression], at: Place) -> Tree | None:
    """Whether an expression is unequal to each of some others."""
    if not others:
        return _has_value(argument, at)
    iris = [one for one in others if isinstance(one, Iri)]
    if isinstance(argument, Var) and len(iris) > 1 and len(iris) == len(others):
        among = _among(argument, others, at)
        assert among is not None
        return all_of([values.call("BOUND", argument), Operation("!", (among,))])
    return all_of([_compared(Op.EQ, argument, one, at, comparing.fails) for one in others])


def _compared(op: Op, left: Expression, right: Expression, at: Place, how: comparing.Reading) -> Tree | None:
    """A comparison that ``how`` tells to hold or to fail. What is computed is compared as a variable would be."""
    contents = content_of(left, at), content_of(right, at)
    dialect = at.lowering.dialect
    sides = (left, right)
    if _bare(sides, contents):
        if contents[0].only_texts and op not in (Op.EQ, Op.NE) and dialect.collates:
            raise UnsupportedOperation("the order of texts", f"SPARQL ({dialect.name})")
        told = op if how is comparing.holds else comparing.NEGATED[op]
        parts = [value(side, at) for side in sides]
        if contents[0].numbers and any(map(_divides, sides)):
            parts = [_as_double(part) for part in parts]
        return Operation(told.value, tuple(parts))
    made: dict[Var, Tree] = {}
    terms: list[Term] = []
    for side, content in zip(sides, contents, strict=True):
        if isinstance(side, Apply):
            var = stands_for(len(made))
            worth = value(side, at)
            made[var] = _as_double(worth) if content.counted and _divides(side) else worth
            terms.append(var)
        else:
            terms.append(as_held(side) if isinstance(side, Literal) else side)
    found = how(op, terms[0], terms[1], contents, dialect)
    return _of_values(substituted(found, made), made.values(), at) if made and found is not None else found


def _bare(sides: tuple[Expression, ...], contents: tuple[Content, Content]) -> bool:
    """Whether SPARQL's own comparison says the same on every engine: between numbers that the query computes, plain
    strings that it computes, and IRIs."""
    if not any(isinstance(side, Apply) or content.counted for side, content in zip(sides, contents, strict=True)):
        return False
    for kind in ("numbers", "texts", "entities"):
        if all(_only(kind, side, content) for side, content in zip(sides, contents, strict=True)):
            return True
    return False


def _only(kind: str, side: Expression, content: Content) -> bool:
    match kind:
        case "numbers":
            return content.counted or (content.only_numbers and isinstance(side, Literal))
        case "texts":
            return content.only_texts and isinstance(side, Apply | Literal)
        case _:
            return content == ENTITIES and isinstance(side, Apply | Iri)


def _divides(expression: Expression) -> bool:
    return any(one.function == "/" for one in functions_in(expression))


def _as_double(part: Tree) -> Tree:
    worth = value_of(part) if isinstance(part, Literal) else None
    return values.double_literal(worth) if isinstance(worth, float) else Operation("*", (part, _ONE))


def _effective(expression: Expression, at: Place, wanted: bool) -> Tree | None:
    """When what is no condition counts as true, or as false."""
    if isinstance(expression, Iri | Literal):
        return values.TRUE if counts(expression) is wanted else None
    if is_boolean(expression):
        worth = value(expression, at)
        return worth if wanted else Operation("!", (worth,))
    var = expression if isinstance(expression, Var) else stands_for(0)
    found = any_of(comparing.counting(var, wanted, content_of(expression, at), at.lowering.dialect))
    if found is None or isinstance(expression, Var):
        return found
    return substituted(found, {var: value(expression, at)})


# --- worth --------------------------------------------------------------------------------------------------------


def value(expression: Expression, at: Place) -> Tree:
    """What an expression is worth; an error where it has no value."""
    if isinstance(expression, Literal):
        expression = as_held(expression)
        if isinstance(value_of(expression), Boolean):
            _no_booleans(at)
        return expression
    return at.lowering.sizes.kept(_worth(expression, at)) if isinstance(expression, Apply) else expression


def _worth(expression: Apply, at: Place) -> Tree:
    function, arguments = expression.function, expression.arguments
    if function == "if":
        test, then, other = arguments
        return chosen(truth(test, at), value(then, at), chosen(falsity(test, at), value(other, at), nothing(at)))
    if function == "coalesce":
        parts = tuple([value(argument, at) for argument in arguments])
        return Call("COALESCE", parts) if parts else nothing(at)
    if function in CONNECTIVES:
        _no_booleans(at)
        fails = falsity(expression, at)
        return chosen(truth(expression, at), values.TRUE, chosen(fails, values.FALSE, nothing(at)))
    if function in TESTS:
        _no_booleans(at)
        return _tested(expression, at)
    return _called(expression, at)


def _called(expression: Apply, at: Place) -> Tree:
    return called(expression, [value(argument, at) for argument in expression.arguments], at)


def chosen(test: Tree | None, then: Tree, other: Tree) -> Tree:
    """``IF``, where the test is settled one of both. An error of the test is not true; it may come through where
    nothing else would."""
    if test is None:
        return other
    if test is values.TRUE:
        return then
    return Call("IF", (test if other is NONE or _is_total(test) else values.total(test), then, other))


def _is_total(test: Tree) -> bool:
    """Whether a test is never an error."""
    match test:
        case Call("BOUND"):
            return True
        case Operation("!" | "&&" | "||", parts):
            return all(map(_is_total, parts))
        case _:
            return False


def _no_booleans(at: Place) -> None:
    """Raises UnsupportedOperation where what is true or false comes back as a number."""
    if at.lowering.dialect.joins_values:
        where = f"SPARQL ({at.lowering.dialect.name}): it gives numbers back"
        raise UnsupportedOperation("a truth value that is computed", where)
