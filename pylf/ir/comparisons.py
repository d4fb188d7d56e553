"""What conjuncts say of the value of one variable, and the fewest conjuncts that say the same.

A *piece* is a comparison of a variable with a constant, or a negation or union of such comparisons of the same
variable. Of each value it holds or does not, whatever is around it. :class:`Pieces` finds, for pieces that all hold,
the smallest ones that hold of the same values: exactly, since sets of values are computed by the definition of a
comparison (:mod:`pylf.ir.intervals`), dates, NaN and values of other kinds included.

Plain Python drops what is implied and finds where one comparison says it all. Where unions and negations are tangled,
sympy gives the smallest sum and the smallest product of the comparisons at hand; which of their combinations no value
has is told to it. sympy is imported then and not before.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, NamedTuple

from pylf.ir import build
from pylf.ir.intervals import values_between
from pylf.ir.nodes import Body, Compare, Kind, Not, Op, Union
from pylf.ir.terms import Var
from pylf.ir.traverse import bodies, walk
from pylf.ir.values import compare, identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pylf.errors import Span
    from pylf.ir.nodes import Conjunct
    from pylf.ir.terms import Constant, Node

#: A clause of a form by sympy: numbers of comparisons, and whether each is as it is or negated.
Clause = tuple[tuple[int, bool], ...]
_Rows = frozenset[tuple[bool, ...]]

#: With more comparisons, sympy's tables of all their combinations take too long.
_MOST_TANGLED = 5
_TRIED = (Op.EQ, Op.LT, Op.LE, Op.GT, Op.GE, Op.NE)


class Asked(NamedTuple):
    """What a comparison asks of a variable's value."""

    name: str
    op: Op
    constant: Constant
    kind: Kind


def asked(comparison: Compare) -> Asked | None:
    """A comparison as one of a variable with a constant, None where it cannot be read so: numbers and identity do not
    care which side the constant is on, dates do."""
    op, left, right, kind = comparison.op, comparison.left, comparison.right, comparison.kind
    if isinstance(left, Var):
        return None if isinstance(right, Var) else Asked(left.name, op, right, kind)
    if isinstance(right, Var) and (kind is Kind.NUMBER or op is Op.IS):
        return Asked(right.name, op.mirrored, left, kind)
    return None


def about(conjunct: Conjunct) -> str | None:
    """The name of the variable that a piece is about; None for a conjunct that is no piece."""
    match conjunct:
        case Compare():
            read = asked(conjunct)
            return None if read is None else read.name
        case Not() | Union():
            name: str | None = None
            for body in bodies(conjunct):
                for inner in body.conjuncts:
                    found = about(inner)
                    if found is None or name not in (None, found):
                        return None
                    name = found
            return name
        case _:
            return None


def holds(piece: Conjunct, value: Node) -> bool:
    """Whether a piece holds of a value."""
    match piece:
        case Not(body):
            return not all(holds(one, value) for one in body.conjuncts)
        case Union(arms):
            return any(all(holds(one, value) for one in arm.conjuncts) for arm in arms)
        case _:
            _, op, constant, kind = _asked(piece)
            return compare(op, value, constant, kind)


def cost(pieces: Iterable[Conjunct]) -> int:
    """How much pieces are, written and to an engine: what replaces them has to cost less."""
    total = 0
    for piece in pieces:
        match piece:
            case Not(body):
                total += 1 + cost(body.conjuncts)
            case Union(arms):
                total += 2 + sum([cost(arm.conjuncts) for arm in arms])
            case _:
                total += 2
    return total


class Pieces:
    """Pieces about one variable, which compare it with no constants but those in ``comparisons``. Sets of values are
    integers (:class:`pylf.ir.intervals.Values`); a list of pieces holds of a value if all of them do."""

    __slots__ = ("_held", "values")

    def __init__(self, comparisons: Iterable[Asked]) -> None:
        constants = frozenset([one.constant for one in comparisons])
        dated = any(one.kind in (Kind.ANY, Kind.DATE) for one in comparisons)
        self.values = values_between(constants, dated)
        #: comparisons that were looked at, by object, which is quicker than by what they say
        self._held: dict[int, tuple[Conjunct, int]] = {}

    def all_of(self, pieces: Iterable[Conjunct]) -> int:
        """The values of which all pieces hold."""
        found = self.values.everything
        for piece in pieces:
            found &= self.of(piece)
        return found

    def any_of(self, arms: Iterable[Body]) -> int:
        """The values of which some arm holds."""
        found = 0
        for arm in arms:
            found |= self.all_of(arm.conjuncts)
        return found

    def of(self, piece: Conjunct) -> int:
        """The values of which a piece holds."""
        match piece:
            case Not(body):
                return self.values.everything & ~self.all_of(body.conjuncts)
            case Union(arms):
                return self.any_of(arms)
            case _:
                held = self._held.get(id(piece))
                if held is None:
                    _, op, constant, kind = _asked(piece)
                    held = self._held[id(piece)] = (piece, self.values.holding(op, constant, kind))
                return held[1]

    def smallest(self, pieces: list[Conjunct], known: int) -> list[Conjunct] | None:
        """The least that holds of the same values among those ``known``; the very list where nothing costs less, None
        where there are no such values."""
        if not known & self.all_of(pieces):
            return None
        found = self._plain(pieces, known)
        if _tangled(found):
            found = min([found, *[self._plain(form, known) for form in self._forms(found, known)]], key=cost)
        return found if cost(found) < cost(pieces) else pieces

    # --- by plain Python ------------------------------------------------------------------------------------------

    def _plain(self, pieces: list[Conjunct], known: int) -> list[Conjunct]:
        """The pieces that others do not imply, each as small as it can be beside the others."""
        found = self._needed(pieces, known)
        composite = [piece for piece in found if not isinstance(piece, Compare)]
        for piece in composite:
            place = found.index(piece)
            others = found[:place] + found[place + 1 :]
            found[place : place + 1] = self._beside(piece, known & self.all_of(others))
        return self._paired(self._needed(found, known) if composite else found, known)

    def _needed(self, pieces: list[Conjunct], known: int) -> list[Conjunct]:
        """The pieces without those that the others imply: the dearest go first, of equals the last."""
        holding = [self.of(piece) for piece in pieces]
        left = list(range(len(pieces)))
        for place in sorted(left, key=lambda place: (-cost([pieces[place]]), -place)):
            others = known
            for other in left:
                if other != place:
                    others &= holding[other]
            if not others & ~holding[place]:
                left.remove(place)
        return [pieces[place] for place in left]

    def _beside(self, piece: Conjunct, known: int) -> list[Conjunct]:
        """A negation or union in the fewest conjuncts that hold of the same values among those known."""
        one = self._single(_compared(piece), known, self.of(piece), piece.span)
        if one is not None:
            return [one]
        match piece:
            case Not(Body((Not(same),))):
                return list(same.conjuncts)
            case Not(body):
                inner = self.smallest(list(body.conjuncts), known)
                if inner and tuple(inner) != body.conjuncts:
                    return [Not(Body(tuple(inner)), piece.apart, piece.span)]
            case Union(arms):
                kept = self._arms(arms, known)
                if len(kept) == 1:
                    return list(kept[0].conjuncts)
                if kept and tuple(kept) != arms:
                    return [Union(tuple(kept), piece.span)]
        return [piece]

    def _arms(self, arms: Sequence[Body], known: int) -> list[Body]:
        """The arms of a union that the others do not cover, each as small as it can be."""
        kept = []
        for arm in arms:
            found = self.smallest(list(arm.conjuncts), known)
            if found is not None:
                kept.append(Body(tuple(found)))
        left = list(range(len(kept)))
        for place in sorted(left, key=lambda place: (-cost(kept[place].conjuncts), -place)):
            others = self.any_of([kept[other] for other in left if other != place])
            if not known & self.all_of(kept[place].conjuncts) & ~others:
                left.remove(place)
        return [kept[place] for place in left]

    def _paired(self, pieces: list[Conjunct], known: int) -> list[Conjunct]:
        """The pieces with every two comparisons with one value made one, where one says the same."""
        for left, right in combinations(range(len(pieces)), 2):
            first, second = pieces[left], pieces[right]
            if not (isinstance(first, Compare) and isinstance(second, Compare)):
                continue
            compared = [_asked(first), _asked(second)]
            if identity(compared[0].constant) == identity(compared[1].constant):
                others = [*pieces[:left], *pieces[left + 1 : right], *pieces[right + 1 :]]
                around = known & self.all_of(others)
                one = self._single(compared, around, self.of(first) & self.of(second), first.span)
                if one is not None:
                    return self._paired([*pieces[:left], one, *others[left:]], known)
        return pieces

    def _single(self, compared: list[Asked], known: int, wanted: int, span: Span | None) -> Compare | None:
        """A comparison with a constant of those ``compared`` that holds of just the wanted among the known values."""
        ops = [(op, constant, kind) for _, _, constant, kind in compared for op in _TRIED]
        for op, constant, kind in [*[one[1:] for one in compared], *ops]:
            if known & self.values.holding(op, constant, kind) == known & wanted:
                return Compare(op, Var(compared[0].name), constant, kind, span)
        return None

    # --- by sympy -------------------------------------------------------------------------------------------------

    def _forms(self, pieces: list[Conjunct], known: int) -> list[list[Conjunct]]:
        """The pieces as the smallest union of conjunctions, and as the smallest conjunction of unions."""
        compared = list(dict.fromkeys([one for piece in pieces for one in _compared(piece)]))
        if len(compared) > _MOST_TANGLED:
            return []
        holding = [self.values.holding(op, constant, kind) for _, op, constant, kind in compared]
        wanted = known & self.all_of(pieces)
        rows: tuple[set[tuple[bool, ...]], set[tuple[bool, ...]]] = (set(), set())
        for place in self.values.places(known):
            rows[wanted >> place & 1].add(tuple([bool(each >> place & 1) for each in holding]))
        sums, products = _smallest_forms(frozenset(rows[True]), frozenset(rows[False]))
        span = pieces[0].span

        def literal(number: int, as_it_is: bool) -> Conjunct:
            name, op, constant, kind = compared[number]
            comparison = Compare(op, Var(name), constant, kind, span)
            return comparison if as_it_is else Not(Body((comparison,)), span=span)

        union = build.union([Body(tuple([literal(*one) for one in clause])) for clause in sums], span)
        join = build.join(*[build.union([Body((literal(*one),)) for one in clause], span) for clause in products])
        return [list(union.conjuncts), list(join.conjuncts)]


def _asked(piece: Conjunct) -> Asked:
    found = asked(piece) if isinstance(piece, Compare) else None
    if found is None:
        raise TypeError(f"no comparison of a variable with a constant: {piece}")
    return found


def _compared(piece: Conjunct) -> list[Asked]:
    """The comparisons in a piece."""
    return [_asked(one) for one in walk(piece) if isinstance(one, Compare)]


def _tangled(pieces: list[Conjunct]) -> bool:
    """Whether unions and negations stand within or beside each other, so that none can be judged alone."""
    composite = [piece for piece in pieces if not _is_literal(piece)]
    return len(composite) > 1 or not all(_is_flat(piece) for piece in composite)


def _is_flat(piece: Conjunct) -> bool:
    """Whether a piece is a union of comparisons, or a negation of several together."""
    parts = bodies(piece)
    single = isinstance(piece, Not) or all(len(arm.conjuncts) == 1 for arm in parts)
    return single and all(_is_literal(one) for part in parts for one in part.conjuncts)


def _is_literal(piece: Conjunct) -> bool:
    match piece:
        case Compare() | Not(Body((Compare(),))):
            return True
        case _:
            return False


@lru_cache(maxsize=512)
def _smallest_forms(holding: _Rows, failing: _Rows) -> tuple[tuple[Clause, ...], tuple[Clause, ...]]:
    """The smallest sum of products and product of sums that is true in some rows and false in others, of which there
    are some each; what it is in all further rows does not matter."""
    from sympy import Symbol
    from sympy.logic.boolalg import And, Or, POSform, SOPform

    width = len(next(iter(holding)))
    symbols = [Symbol(f"c{number}") for number in range(width)]
    true = [list(row) for row in sorted(holding)]
    free = [list(row) for row in product((False, True), repeat=width) if row not in holding and row not in failing]

    def clauses(form: Any, outer: Any, inner: Any) -> tuple[Clause, ...]:
        return tuple(
            sorted(
                tuple(sorted([_literal(one, symbols) for one in _operands(clause, inner)]))
                for clause in _operands(form, outer)
            )
        )

    return clauses(SOPform(symbols, true, free), Or, And), clauses(POSform(symbols, true, free), And, Or)


def _operands(form: Any, operator: Any) -> tuple[Any, ...]:
    """What an operator of sympy stands on; anything else is its only operand."""
    return form.args if isinstance(form, operator) else (form,)


def _literal(literal: Any, symbols: list[Any]) -> tuple[int, bool]:
    return (symbols.index(literal.args[0]), False) if literal.is_Not else (symbols.index(literal), True)
