"""Which nodes may stand for a variable when a query is frozen, and which of them do what its conjuncts ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.equivalence.material import values_in
from pylf.equivalence.near import LADDERS, near
from pylf.ir.expressions import Apply
from pylf.ir.nodes import Compare, Condition, Kind, Member, Op
from pylf.ir.terms import Iri, Literal, Var
from pylf.ir.traverse import walk
from pylf.ir.values import compare

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pylf.equivalence.material import Material
    from pylf.ir.expressions import Expression
    from pylf.ir.nodes import Conjunct, Query
    from pylf.ir.terms import Constant

#: So many nodes for one variable.
_MOST = 24

#: What may be asked of a variable alone.
Test = Compare | Member


class Candidates:
    """The nodes that may stand for the variables of a query."""

    def __init__(self, query: Query, material: Material) -> None:
        self.valued = values_in(query)
        self.listed: dict[str, tuple[Constant, ...]] = {}
        self._ordered: dict[tuple[str, tuple[Test, ...]], tuple[Constant | None, ...]] = {}
        named: dict[str, dict[Constant, None]] = {name: {} for name in self.valued}
        for conjunct in walk(query):
            for variable, test in tests((conjunct,)):
                named.setdefault(variable, {}).update(dict.fromkeys(_constants(test)))
        for name, constants in named.items():
            found = dict(constants)
            if name in self.valued:
                found |= dict.fromkeys(v for c in constants if isinstance(c, Literal) for v in near(c))
                found |= dict.fromkeys(LADDERS[self.valued[name]])
                if constants:
                    found |= dict.fromkeys(material.values)
            self.listed[name] = tuple(found)[:_MOST]

    def ordered(self, name: str, asked: tuple[Test, ...]) -> tuple[Constant | None, ...]:
        """What may stand for a variable of which this is asked, the likeliest first; None is an entity of its own."""
        known = self._ordered.get((name, asked))
        if known is None:
            listed = self.listed.get(name, ())
            own = (None,) if not asked and name not in self.valued else ()
            fits = [node for node in listed if all(holds(test, node) for test in asked)]
            others = [node for node in listed if node not in fits]
            rest = () if own else (None,)
            known = self._ordered[name, asked] = (*own, *fits[:1], *rest, *fits[1:], *others)
        return known


def tests(conjuncts: Iterable[Conjunct]) -> list[tuple[str, Test]]:
    """Variables, each with a conjunct that asks something of it alone."""
    found: list[tuple[str, Test]] = []
    for conjunct in conjuncts:
        match conjunct:
            case (
                Member(Var(name)) | Compare(_, Var(name), Iri() | Literal()) | Compare(_, Iri() | Literal(), Var(name))
            ):
                found.append((name, conjunct))
            case Condition(expression):
                found += tests(_compared(expression))
    return found


def _compared(expression: Expression) -> list[Compare]:
    """The comparisons of terms that an expression asks for all together."""
    match expression:
        case Apply("&&", arguments):
            return [one for argument in arguments for one in _compared(argument)]
        case Apply("=" | "!=" | "<" | ">" | "<=" | ">=" as sign, (left, right)) if not (
            isinstance(left, Apply) or isinstance(right, Apply)
        ):
            return [Compare(Op(sign), left, right, Kind.ANY)]
        case _:
            return []


def holds(test: Test, node: Constant) -> bool:
    """Whether a node does what is asked of a variable."""
    match test:
        case Member(_, values):
            return node in values
        case Compare(op, left, right, kind):
            one, other = (node if isinstance(term, Var) else term for term in (left, right))
            return compare(op, one, other, kind)


def _constants(test: Test) -> tuple[Constant, ...]:
    if isinstance(test, Member):
        return test.values
    return tuple(term for term in (test.left, test.right) if not isinstance(term, Var))
