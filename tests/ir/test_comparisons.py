"""The fewest conjuncts about a variable: they hold of the same values as those that they stand for, and cost less."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from random import Random
from typing import TYPE_CHECKING

import pytest

from pylf.errors import Span
from pylf.ir.comparisons import Pieces, about, asked, cost, holds
from pylf.ir.nodes import Body, Compare, Kind, Not, Op, Triple, Union
from pylf.ir.terms import XSD, XSD_DOUBLE, XSD_INTEGER, Blank, Iri, Literal, Var, tagged
from pylf.ir.traverse import bodies, walk
from pylf.ir.values import compare

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pylf.ir.comparisons import Asked
    from pylf.ir.nodes import Conjunct
    from pylf.ir.terms import Constant

V = Var("v")
FIVE, FIVE_E, TEN = Literal("5", XSD_INTEGER), Literal("5e0", XSD_DOUBLE), Literal("10", XSD_INTEGER)


def date(text: str) -> Literal:
    return Literal(text, XSD + {4: "gYear", 7: "gYearMonth", 10: "date"}.get(len(text), "dateTime"))


YEAR, MONTH, DAY, OTHER_DAY = date("2001"), date("2001-06"), date("2001-12-31"), date("2001-06-15")
VALUES = (
    *(Literal(text, XSD_INTEGER) for text in ("4", "5", "6", "7", "9", "10", "11", "2000", "2001", "2002", "abc")),
    *(Literal(text, XSD_DOUBLE) for text in ("NaN", "INF", "-INF", "5.000000000000001", "9.5", "5e0", "1e1")),
    *map(date, ("0005", "0010", "2000", "2001", "2002", "2001-05", "2001-06", "2001-12", "2001-06-01", "2001-06-14")),
    *map(date, ("2001-06-15", "2001-06-16", "2001-06-31", "2001-12-30", "2001-12-31", "2002-01-01")),
    *map(date, ("2001-06-15T00:00:00", "2001-12-31T23:59:59", "2001-12-31T24:00:00", "2001-06-15T12:00:00.5")),
    *(Literal(text) for text in ("", "a", "ab", "5", "2001", "z")),
    *(tagged(text, tag) for text, tag in (("a", "en"), ("a", "fr"), ("b", "en"))),
    Iri("http://e/a"),
    Iri("http://e/b"),
    Blank("b"),
)


@cache
def of(op: Op, constant: Constant, kind: Kind) -> int:
    return sum(1 << place for place, value in enumerate(VALUES) if compare(op, value, constant, kind))


def truth(pieces: Iterable[Conjunct]) -> int:
    """The values of which all pieces hold, one bit for each, by the definition."""
    found = (1 << len(VALUES)) - 1
    for piece in pieces:
        match piece:
            case Compare(op, _, right, kind):
                assert isinstance(right, Iri | Literal)
                found &= of(op, right, kind)
            case Not(body):
                found &= ~truth(body.conjuncts)
            case Union(arms):
                either = 0
                for arm in arms:
                    either |= truth(arm.conjuncts)
                found &= either
    return found


def compared(op: Op, constant: Constant, kind: Kind) -> Compare:
    return Compare(op, V, constant, kind)


def negated(*pieces: Conjunct) -> Not:
    return Not(Body(pieces))


def either(*arms: Conjunct | tuple[Conjunct, ...]) -> Union:
    return Union(tuple([Body(arm if isinstance(arm, tuple) else (arm,)) for arm in arms]))


def merged(*pieces: Conjunct, known: Iterable[Conjunct] = ()) -> list[Conjunct] | None:
    """The smallest pieces, held against the definition."""
    known = list(known)
    comparisons = [read for piece in [*pieces, *known] for one in walk(piece) if (read := _read(one)) is not None]
    about_v = Pieces(comparisons)
    given = list(pieces)
    found = about_v.smallest(given, about_v.all_of(known))
    expected = truth([*known, *pieces])
    if found is None:
        assert not expected, pieces
        return None
    assert truth([*known, *found]) == expected, (pieces, found)
    assert found is given or cost(found) < cost(given), (pieces, found)
    return found


def is_smaller(found: Sequence[Conjunct] | None, pieces: Sequence[Conjunct]) -> bool:
    """Whether something was merged; None is what never holds."""
    return found is None or cost(found) < cost(pieces)


def _read(conjunct: Conjunct) -> Asked | None:
    return asked(conjunct) if isinstance(conjunct, Compare) else None


def every(constants: Iterable[Constant], kinds: Iterable[Kind], ops: Iterable[Op] = tuple(Op)) -> list[Compare]:
    return [compared(op, constant, kind) for op, constant, kind in product(ops, constants, kinds)]


ALL = every((FIVE, TEN, YEAR, MONTH, Literal("2001"), tagged("a", "en"), Iri("http://e/a")), tuple(Kind))
ORDERED = tuple(op for op in Op if op is not Op.IS)
FAMILIES = {
    "numbers": every((FIVE, TEN, Literal("7", XSD_INTEGER)), (Kind.NUMBER,), ORDERED),
    "dates": every((YEAR, MONTH, OTHER_DAY), (Kind.DATE,), ORDERED),
    "texts": every((Literal("a"), Literal("ab")), (Kind.TEXT, Kind.ANY), ORDERED),
    "mixed": every((FIVE, Literal("2001", XSD_INTEGER), YEAR), (Kind.ANY,), (Op.LT, Op.GE, Op.NE, Op.IS)),
}


def test_every_two_comparisons_together() -> None:
    smaller = 0
    for left, right in combinations(ALL, 2):
        found = merged(left, right)
        smaller += found is None or len(found) < 2
    assert smaller > len(ALL) * 10


@pytest.mark.parametrize("family", FAMILIES)
def test_every_two_comparisons_negated_or_either(family: str) -> None:
    smaller = 0
    for left, right in combinations(FAMILIES[family], 2):
        for pieces in (
            (left, negated(right)),
            (negated(left), right),
            (negated(left), negated(right)),
            (negated(left, right),),
            (either(left, right),),
            (either(left, negated(right)),),
        ):
            smaller += is_smaller(merged(*pieces), pieces)
    assert smaller > 0


@pytest.mark.parametrize("family", FAMILIES)
def test_every_three_comparisons(family: str) -> None:
    smaller = 0
    for first, second, third in combinations(FAMILIES[family], 3):
        for pieces in ((first, second, third), (first, either(second, third))):
            smaller += is_smaller(merged(*pieces), pieces)
        smaller += is_smaller(merged(third, known=(negated(first), second)), (third,))
    assert smaller > 0


@pytest.mark.parametrize("family", FAMILIES)
def test_tangled_pieces(family: str) -> None:
    random = Random(family)

    def piece(depth: int) -> Conjunct:
        choice = random.random()
        if depth == 0 or choice < 0.4:
            return random.choice(FAMILIES[family])
        parts = tuple([piece(depth - 1) for _ in range(random.choice((1, 2, 2, 3)))])
        if choice < 0.6:
            return negated(*parts)
        return either(*parts, (piece(depth - 1), piece(depth - 1)))

    smaller = 0
    for _ in range(150):
        pieces = [piece(2) for _ in range(random.randint(1, 3))]
        found = merged(*pieces)
        smaller += is_smaller(found, pieces)
        if found is not None:
            known = (random.choice(FAMILIES[family]),)
            smaller += is_smaller(merged(*found, known=known), found)
    assert smaller > 0


LESS, MORE = compared(Op.LT, FIVE, Kind.NUMBER), compared(Op.GT, FIVE, Kind.NUMBER)
AT_MOST, AT_LEAST = compared(Op.LE, FIVE, Kind.NUMBER), compared(Op.GE, FIVE, Kind.NUMBER)
EQUAL, UNEQUAL = compared(Op.EQ, FIVE, Kind.NUMBER), compared(Op.NE, FIVE, Kind.NUMBER)
UNDER_TEN, OVER_TEN = compared(Op.LT, TEN, Kind.NUMBER), compared(Op.GT, TEN, Kind.NUMBER)
BEFORE_YEAR, FROM_YEAR = compared(Op.LT, YEAR, Kind.DATE), compared(Op.GE, YEAR, Kind.DATE)
BEFORE_2010 = compared(Op.LT, date("2010"), Kind.DATE)
BEFORE_MONTH, FROM_MONTH = compared(Op.LT, MONTH, Kind.DATE), compared(Op.GE, MONTH, Kind.DATE)


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([LESS, UNDER_TEN], [LESS]),
        ([LESS, LESS], [LESS]),
        ([LESS, MORE], None),
        ([EQUAL, UNEQUAL], None),
        ([AT_MOST, AT_LEAST], [EQUAL]),
        ([AT_MOST, UNEQUAL], [LESS]),
        ([UNEQUAL, MORE], [MORE]),
        ([compared(Op.LE, FIVE_E, Kind.NUMBER), AT_LEAST], [compared(Op.EQ, FIVE_E, Kind.NUMBER)]),
        ([MORE, UNDER_TEN], [MORE, UNDER_TEN]),
        ([UNDER_TEN, negated(LESS)], [UNDER_TEN, AT_LEAST]),
        ([negated(LESS)], [negated(LESS)]),
        ([negated(negated(LESS))], [LESS]),
        ([negated(negated(MORE, UNDER_TEN))], [MORE, UNDER_TEN]),
        ([negated(LESS, UNDER_TEN)], [negated(LESS)]),
        ([either(LESS, EQUAL)], [AT_MOST]),
        ([either(LESS, MORE)], [UNEQUAL]),
        ([either(LESS, UNDER_TEN)], [UNDER_TEN]),
        ([either(LESS, negated(LESS))], []),
        ([either(LESS, OVER_TEN)], [either(LESS, OVER_TEN)]),
        ([either((LESS, UNDER_TEN), OVER_TEN)], [either(LESS, OVER_TEN)]),
        ([either((LESS, MORE), OVER_TEN)], [OVER_TEN]),
        ([UNDER_TEN, either(LESS, OVER_TEN)], [LESS]),
        ([LESS, negated(OVER_TEN)], [LESS]),
        # a year or a month may go on across the beginning of a day, and is then on neither side
        ([BEFORE_MONTH, FROM_MONTH], None),
        ([negated(BEFORE_MONTH), FROM_YEAR], [negated(BEFORE_MONTH), FROM_YEAR]),
        # nothing goes on across the beginning of a year
        ([negated(BEFORE_YEAR), BEFORE_2010], [FROM_YEAR, BEFORE_2010]),
        ([negated(BEFORE_MONTH), BEFORE_2010], [negated(BEFORE_MONTH), BEFORE_2010]),
        ([either(BEFORE_YEAR, FROM_YEAR)], [either(BEFORE_YEAR, FROM_YEAR)]),
        ([compared(Op.LE, DAY, Kind.DATE), FROM_YEAR], [compared(Op.LE, DAY, Kind.DATE), FROM_YEAR]),
        ([compared(Op.LE, YEAR, Kind.DATE), FROM_YEAR], [compared(Op.EQ, YEAR, Kind.DATE)]),
    ],
)
def test_smallest(pieces: list[Conjunct], expected: list[Conjunct] | None) -> None:
    assert merged(*pieces) == expected


def test_sums_and_products() -> None:
    three, seven = Literal("3", XSD_INTEGER), Literal("7", XSD_INTEGER)
    over_three, under_seven = compared(Op.GT, three, Kind.NUMBER), compared(Op.LT, seven, Kind.NUMBER)
    assert merged(either((over_three, under_seven), (MORE, UNDER_TEN))) == [over_three, UNDER_TEN]
    under_three, over_seven = compared(Op.LT, three, Kind.NUMBER), compared(Op.GT, seven, Kind.NUMBER)
    assert merged(either(under_three, MORE), either(LESS, over_seven)) == [either(under_three, over_seven)]


def test_what_is_known_is_not_said_again() -> None:
    assert merged(UNDER_TEN, known=[LESS]) == []
    assert merged(OVER_TEN, known=[LESS]) is None
    assert merged(negated(LESS), known=[UNDER_TEN]) == [AT_LEAST]
    assert merged(MORE, known=[UNDER_TEN]) == [MORE]


def test_what_is_kept_is_the_same_object_and_what_is_new_has_a_span() -> None:
    span = Span(3, 9)
    least = Compare(Op.GE, V, FIVE, Kind.NUMBER, span)
    pieces: list[Conjunct] = [least, UNDER_TEN]
    numbers = Pieces([read for piece in (least, UNDER_TEN) if (read := asked(piece)) is not None])
    everything = numbers.values.everything
    assert numbers.smallest(pieces, everything) is pieces
    kept = numbers.smallest([*pieces, MORE], everything)
    assert kept is not None
    assert kept[0] is UNDER_TEN
    new = numbers.smallest([least, AT_MOST], everything)
    assert new == [EQUAL]
    assert new is not None
    assert new[0].span == span


def test_many_comparisons_take_no_sums_and_products() -> None:
    numbers = [Literal(str(10 * number), XSD_INTEGER) for number in range(8)]
    arms = [
        (compared(Op.GT, low, Kind.NUMBER), compared(Op.LT, high, Kind.NUMBER))
        for low, high in zip(numbers[::2], numbers[1::2], strict=True)
    ]
    assert merged(either(*arms)) == [either(*arms)]
    assert merged(
        either(*arms, compared(Op.EQ, numbers[1], Kind.NUMBER), (compared(Op.GT, numbers[0], Kind.NUMBER),))
    ) == [compared(Op.GT, numbers[0], Kind.NUMBER)]


def test_a_piece_is_about_one_variable_and_constants() -> None:
    other = Compare(Op.LT, Var("w"), FIVE, Kind.NUMBER)
    assert about(either(LESS, negated(MORE))) == "v"
    assert about(either(LESS, other)) is None
    assert about(Compare(Op.LT, V, Var("w"), Kind.NUMBER)) is None
    assert about(Compare(Op.LT, FIVE, TEN, Kind.NUMBER)) is None
    assert about(negated(Triple(V, Iri("http://e/p"), V))) is None
    assert about(Union(())) is None
    assert all(bodies(piece) == () for piece in (LESS, MORE))


def test_a_constant_on_the_left() -> None:
    assert asked(Compare(Op.LT, FIVE, V, Kind.NUMBER)) == ("v", Op.GT, FIVE, Kind.NUMBER)
    assert asked(Compare(Op.IS, MONTH, V, Kind.DATE)) == ("v", Op.IS, MONTH, Kind.DATE)
    # the right side plays the constant's part: 30 June of "?v" would be read otherwise
    assert asked(Compare(Op.GE, MONTH, V, Kind.DATE)) is None
    assert asked(Compare(Op.GE, FIVE, V, Kind.ANY)) is None


def test_holds_says_what_the_definition_says() -> None:
    pieces = [LESS, negated(LESS), either((MORE, UNDER_TEN), BEFORE_MONTH), negated(either(BEFORE_YEAR, FROM_MONTH))]
    for piece in pieces:
        assert sum(1 << place for place, value in enumerate(VALUES) if holds(piece, value)) == truth([piece])


def test_what_is_no_piece_is_refused() -> None:
    with pytest.raises(TypeError, match="no comparison"):
        Pieces([]).smallest([Triple(V, Iri("http://e/p"), V)], 1)
    with pytest.raises(TypeError, match="no comparison"):
        holds(Compare(Op.LT, V, Var("w")), FIVE)
