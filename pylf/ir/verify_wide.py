"""What must hold of expressions, reductions and slices: the wide tier's part of :mod:`pylf.ir.verify`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, Protocol

from pylf.ir.expressions import CASTS, FUNCTIONS, MAX_DEPTH, REDUCERS, functions_in, is_deep, terms_in
from pylf.ir.scope import LATE, in_dependence
from pylf.ir.terms import Var
from pylf.ir.traverse import variables

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from pylf.ir.expressions import Apply, Expression
    from pylf.ir.nodes import Aggregate, Conjunct, Extend, Reduction, Slice
    from pylf.ir.terms import Term

#: A limit or an offset may be this large: what engines can read.
MAX_ROWS = 10**18 - 1


class Checker(Protocol):
    """The verifier, as far as it is needed here."""

    def term(self, term: Term, node: Conjunct) -> None:
        """Checks a term that stands in a node."""
        ...

    def fail(self, rule: str, sentence: str, node: Conjunct | None = None) -> NoReturn:
        """Refuses the query."""
        ...


class Openness:
    """What may be open in a body: all of it (``own``), what only this body sees (``late``), and which conjunct binds
    what."""

    __slots__ = ("binders", "early", "late", "own")

    def __init__(self, binders: list[tuple[Conjunct, set[str]]]) -> None:
        self.binders = binders
        self.late = {name for conjunct, names in binders if type(conjunct) in LATE for name in names}
        self.early = {name for conjunct, names in binders if type(conjunct) not in LATE for name in names}
        self.own = self.late | self.early

    def of(self, conjunct: Conjunct) -> AbstractSet[str]:
        """What a conjunct binds and may leave open."""
        return next((names for one, names in self.binders if one is conjunct), set())

    def seen(self, loose: AbstractSet[str], conjunct: Conjunct) -> AbstractSet[str]:
        """What may be open and is seen within a conjunct, given what is seen around the body."""
        return loose | self.early - self.of(conjunct)


def circle(extensions: Sequence[Extend]) -> Extend | None:
    """An extension that looks at its own result, by way of others or at once."""
    return in_dependence(extensions)[1]


def check_expression(expression: Expression, looks: AbstractSet[str], node: Conjunct, checker: Checker) -> None:
    """What an expression looks at is bound, if open; its functions are known and have their arguments."""
    if is_deep(expression):
        checker.fail("nesting", f"expressions stand within expressions more than {MAX_DEPTH} deep", node)
    for applied in functions_in(expression):
        wrong = _misapplied(applied)
        if wrong is not None:
            checker.fail("shape", wrong, node)
    for term in terms_in(expression):
        if isinstance(term, Var) and term.name not in looks:
            checker.fail("safety", f"nothing binds {term}", node)
        checker.term(term, node)


def _misapplied(applied: Apply) -> str | None:
    name, given = applied.function, len(applied.arguments)
    if ":" in name:
        if name not in CASTS:
            return f"nothing can be cast to {name!r}"
        least: int = 1
        most: int | None = 1
    elif name in FUNCTIONS:
        least, most = FUNCTIONS[name]
    else:
        return f"there is no function {name!r}"
    if given < least or (most is not None and given > most):
        wanted = f"{least}" if most == least else f"{least} or more" if most is None else f"{least} to {most}"
        return f"{name!r} takes {wanted} arguments, not {given}"
    if name == "bound" and not isinstance(applied.arguments[0], Var):
        return "only of a variable can be asked whether it is bound"
    return None


def check_aggregate(node: Aggregate, looks: AbstractSet[str], checker: Checker) -> None:
    """Results and groups stand apart, and results do not occur in the body; reductions are known and of something."""
    if not node.reductions and not node.group:
        checker.fail("shape", "an aggregate has a reduction or a group", node)
    results = [one.result.name for one in node.reductions]
    if len({*results, *[variable.name for variable in node.group]}) != len(results) + len(node.group):
        checker.fail("shape", "the results and the groups of an aggregate are apart", node)
    inside = set(variables(node.body)) if results else set()
    for one in node.reductions:
        if one.result.name in inside:
            checker.fail("scope", f"the result {one.result} occurs in the body that it is made of", node)
        wrong = _misreduced(one)
        if wrong is not None:
            checker.fail("shape", wrong, node)
        if one.of is not None:
            check_expression(one.of, looks, node, checker)


def _misreduced(reduction: Reduction) -> str | None:
    if reduction.function not in REDUCERS:
        return f"there is no reduction {reduction.function!r}"
    if reduction.of is None and reduction.function != "count":
        return f"{reduction.function!r} is of an expression"
    if reduction.of is None and reduction.distinct:
        return "what counts solutions counts all of them: distinct ones are those of distinct rows within"
    if reduction.separator != " " and reduction.function != "group_concat":
        return f"{reduction.function!r} takes no separator"
    return None


def check_slice(node: Slice, looks: AbstractSet[str], checker: Checker) -> None:
    """Outputs, each once; limit and offset that there can be; keys over what the body binds."""
    if not node.outputs or len(set(node.outputs)) != len(node.outputs):
        checker.fail("shape", "a slice has outputs, each once", node)
    if node.limit is not None and not 0 <= node.limit <= MAX_ROWS:
        checker.fail("shape", f"there cannot be {node.limit} rows", node)
    if not 0 <= node.offset <= MAX_ROWS:
        checker.fail("shape", f"the rows cannot begin after {node.offset}", node)
    for key in node.order:
        check_expression(key.expression, looks, node, checker)
