"""Values: what literals are worth, identity, comparison for every operator and kind, order, and answers by value."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylf.ir.answers import Answers
from pylf.ir.nodes import Form, Kind, Op
from pylf.ir.terms import (
    RDF_LANG_STRING,
    XSD,
    XSD_BOOLEAN,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    Blank,
    Iri,
    Literal,
    tagged,
)
from pylf.ir.values import (
    INTEGER_DATATYPES,
    Boolean,
    Text,
    compare,
    identity,
    kind_of,
    order_key,
    sort_key,
    value_of,
)

if TYPE_CHECKING:
    from pylf.ir.terms import Node

ORDERS = (Op.LT, Op.LE, Op.GT, Op.GE)
KINDS = tuple(Kind)


def integer(lexical: str) -> Literal:
    return Literal(lexical, XSD_INTEGER)


def typed(lexical: str, datatype: str) -> Literal:
    return Literal(lexical, XSD + datatype)


TEN, TEN_POINT, TEN_E, ELEVEN = integer("10"), Literal("10.0", XSD_DECIMAL), Literal("1e1", XSD_DOUBLE), integer("11")
YEAR, MONTH, DAY = typed("1990", "gYear"), typed("1990-07", "gYearMonth"), typed("1990-12-31", "date")
NAME, ZOE, DELTA, DELTA_FR = Literal("Ann"), Literal("Zoë"), tagged("Delta", "EN"), tagged("Delta", "fr")
TRUE, ONE_TRUE, FALSE = Literal("true", XSD_BOOLEAN), Literal("1", XSD_BOOLEAN), Literal("false", XSD_BOOLEAN)
NAN, ILL_TYPED, ILL_DATED = Literal("NaN", XSD_DOUBLE), integer("abc"), typed("1990-13", "gYearMonth")
SPAN, OTHER_SPAN, CUSTOM = typed("P1Y", "duration"), typed("P12M", "duration"), Literal("x", "http://e/type")
ENTITY, OTHER, BLANK = Iri("http://e/a"), Iri("http://e/b"), Blank("b0")
ALL: tuple[Node, ...] = (
    *(TEN, TEN_POINT, TEN_E, ELEVEN, YEAR, MONTH, DAY, NAME, ZOE, DELTA, DELTA_FR, TRUE, ONE_TRUE, FALSE),
    *(NAN, ILL_TYPED, ILL_DATED, SPAN, OTHER_SPAN, CUSTOM, ENTITY, OTHER, BLANK),
)


# --- values ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lexical", "datatype", "value"),
    [
        ("10", "integer", 10.0),
        ("+010", "integer", 10.0),
        ("-0", "integer", 0.0),
        ("300", "byte", 300.0),  # ranges of derived types are not looked at
        ("-5", "nonNegativeInteger", -5.0),
        ("9007199254740993", "integer", 9007199254740992.0),  # the value is a double
        ("1" * 5000, "integer", math.inf),
        ("10.50", "decimal", 10.5),
        ("10.", "decimal", 10.0),
        (".5", "decimal", 0.5),
        ("7", "decimal", 7.0),
        ("1e1", "double", 10.0),
        ("1E-1", "double", 0.1),
        ("0.1", "float", 0.1),
        ("1e400", "double", math.inf),
        ("INF", "double", math.inf),
        ("+INF", "float", math.inf),
        ("-INF", "double", -math.inf),
    ],
)
def test_numbers(lexical: str, datatype: str, value: float) -> None:
    assert value_of(typed(lexical, datatype)) == value
    assert kind_of(typed(lexical, datatype)) is Kind.NUMBER


@pytest.mark.parametrize(
    ("lexical", "datatype"),
    [
        *(
            ("abc", "integer"),
            ("", "integer"),
            ("1.0", "integer"),
            ("1e1", "integer"),
            (" 1", "integer"),
            ("1_0", "integer"),
        ),
        *(
            ("١", "integer"),
            ("0x1", "integer"),
            ("1\n", "integer"),
            ("1e1", "decimal"),
            (".", "decimal"),
            ("INF", "decimal"),
        ),
        *(
            ("NaN", "double"),
            ("inf", "double"),
            ("nan", "double"),
            ("Infinity", "double"),
            ("1e", "double"),
            ("e1", "double"),
        ),
        *(("true", "integer"), ("yes", "boolean"), ("TRUE", "boolean"), ("1990-13", "gYearMonth"), ("P1Y", "duration")),
    ],
)
def test_what_is_worth_only_itself(lexical: str, datatype: str) -> None:
    literal = typed(lexical, datatype)
    assert value_of(literal) is literal
    assert kind_of(literal) is None


def test_other_values() -> None:
    assert value_of(NAME) == Text("Ann", None)
    assert value_of(DELTA) == Text("Delta", "en")
    assert value_of(Literal("Delta", RDF_LANG_STRING, "EN-gb")) == Text("Delta", "en-gb")
    assert value_of(ONE_TRUE) == Boolean(true=True)
    assert value_of(ENTITY) is ENTITY
    assert value_of(BLANK) is BLANK
    assert kind_of(DAY) is Kind.DATE
    assert kind_of(DELTA) is Kind.TEXT
    assert kind_of(TRUE) is None
    assert all(kind_of(Literal("1", datatype)) is Kind.NUMBER for datatype in INTEGER_DATATYPES)


def test_identity_is_equality_of_values() -> None:
    same = [{TEN, TEN_POINT, TEN_E}, {TRUE, ONE_TRUE}]
    for left, right in itertools.product(ALL, repeat=2):
        expected = left == right or any(left in group and right in group for group in same)
        assert (identity(left) == identity(right)) is expected, (left, right)
        assert not expected or hash(identity(left)) == hash(identity(right))
        # a number, a boolean and a string never meet, whatever Python thinks of 1 and True
    assert identity(integer("1")) != identity(ONE_TRUE)
    assert identity(Literal("1990-07", XSD + "date")) != identity(MONTH)
    assert identity(typed("1990-07Z", "gYearMonth")) == identity(MONTH)
    assert identity(typed("1990-01-01T00:00:00.50", "dateTime")) == identity(
        typed("1990-01-01T00:00:00.5Z", "dateTime")
    )


# --- comparison ------------------------------------------------------------------------------------------------------


def family(node: Node) -> object:
    """What a node can be compared within."""
    if node in (TRUE, ONE_TRUE, FALSE):
        return "boolean"
    if isinstance(value_of(node), Text):
        return Kind.TEXT, node.language if isinstance(node, Literal) else None
    return kind_of(node)


@pytest.mark.parametrize("kind", KINDS)
def test_every_pair_under_every_operator(kind: Kind) -> None:
    for left, right in itertools.product(ALL, repeat=2):
        check_pair(left, right, kind)


def check_pair(left: Node, right: Node, kind: Kind) -> None:
    results = {op: compare(op, left, right, kind) for op in Op}
    same = identity(left) == identity(right)
    assert results[Op.IS] is (same and kind in (Kind.ANY, kind_of(left)))
    comparable = family(left) is not None and family(left) == family(right)
    comparable &= kind is Kind.ANY or kind_of(left) is kind
    if kind is Kind.ANY and left in (YEAR, MONTH, DAY) and right in (TEN, ELEVEN):
        comparable = True  # the integer is a year
        assert results[Op.GT]
    ordered = comparable and family(left) != "boolean" and not (isinstance(left, Literal) and left.language)
    assert not any(results[op] for op in ORDERS) or ordered
    if ordered:
        assert any(results[op] for op in (*ORDERS, Op.NE))
    opaque = kind is Kind.ANY and left == right and left in (SPAN, OTHER_SPAN, CUSTOM)
    assert (results[Op.EQ] or results[Op.NE]) is (comparable or opaque)
    assert not (results[Op.EQ] and results[Op.NE])
    if comparable and kind_of(left) is not Kind.DATE:
        assert results[Op.EQ] is same


@pytest.mark.parametrize("kind", [Kind.ANY, Kind.NUMBER])
def test_numbers_compare_as_numbers(kind: Kind) -> None:
    for op, expected in zip((*ORDERS, Op.EQ, Op.NE), (False, True, False, True, True, False), strict=True):
        assert compare(op, TEN_E, TEN, kind) is expected
    for op, expected in zip((*ORDERS, Op.EQ, Op.NE), (True, True, False, False, False, True), strict=True):
        assert compare(op, TEN_POINT, ELEVEN, kind) is expected


@pytest.mark.parametrize("kind", [Kind.ANY, Kind.TEXT])
def test_strings_compare_by_code_point(kind: Kind) -> None:
    assert compare(Op.LT, NAME, ZOE, kind)
    assert compare(Op.LT, Literal("10"), Literal("9"), kind)
    assert compare(Op.LT, Literal("Z"), Literal("a"), kind)
    assert compare(Op.GT, Literal("\U0001d4b3"), Literal("\uffff"), kind)
    assert compare(Op.EQ, DELTA, tagged("Delta", "en"), kind)
    assert compare(Op.NE, DELTA, tagged("Echo", "en"), kind)
    for op in Op:
        assert not compare(op, DELTA, Literal("Delta"), kind)
        assert not compare(op, DELTA, DELTA_FR, kind)
        assert op in (Op.EQ, Op.IS, Op.NE) or not compare(op, DELTA, tagged("Echo", "en"), kind)


def test_booleans_are_equal_or_not() -> None:
    assert compare(Op.EQ, ONE_TRUE, TRUE)
    assert compare(Op.NE, FALSE, TRUE)
    assert not compare(Op.GE, TRUE, TRUE)
    assert not compare(Op.EQ, integer("1"), ONE_TRUE)
    assert not compare(Op.EQ, ONE_TRUE, integer("1"))


def test_constants_that_are_spelled_like_dates_meet_dates() -> None:
    for constant in (integer("1990"), Literal("1990"), Literal("1990", XSD_DECIMAL), YEAR):
        assert compare(Op.EQ, DAY, constant)
        assert compare(Op.LE, DAY, constant)
        assert not compare(Op.LT, DAY, constant)
    assert compare(Op.EQ, typed("-0044-03-15", "date"), integer("-44"))
    assert compare(Op.GE, DAY, Literal("1990-07-01"))
    assert compare(Op.LT, MONTH, Literal("1990-12-31T00:00:00"))
    for constant in (
        Literal("1990.0", XSD_DECIMAL),
        Literal("1.99e3", XSD_DOUBLE),
        tagged("1990", "en"),
        Literal("July"),
    ):
        assert not any(compare(op, DAY, constant) for op in Op)
    # the constant's side only, and only where the kind is open
    assert not any(compare(op, integer("1990"), YEAR) for op in Op)
    assert not any(compare(op, Literal("1990"), YEAR) for op in Op)
    for kind in (Kind.DATE, Kind.NUMBER, Kind.TEXT):
        assert not any(compare(op, DAY, integer("1990"), kind) for op in Op)
    # a string that is spelled like a date is a string first
    assert compare(Op.EQ, Literal("1990"), Literal("1990"))
    assert compare(Op.LT, Literal("1989 or so"), Literal("1990"))


def test_what_has_no_value_satisfies_nothing() -> None:
    for node in (NAN, ILL_TYPED, ILL_DATED):
        for other, op, kind in itertools.product(ALL, Op, KINDS):
            held = compare(op, node, other, kind), compare(op, other, node, kind)
            assert held == ((True, True) if op is Op.IS and kind is Kind.ANY and other == node else (False, False))


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_doubles_compare_as_python_compares_them(left: float, right: float) -> None:
    one, other = (Literal(repr(x).replace("inf", "INF"), XSD_DOUBLE) for x in (left, right))
    assert compare(Op.LT, one, other) is (left < right)
    assert compare(Op.GE, one, other) is (left >= right)
    assert (identity(one) == identity(other)) is (left == right)


# --- order -----------------------------------------------------------------------------------------------------------


def test_order_keys() -> None:
    assert order_key(TEN_E, Kind.NUMBER) == order_key(TEN, Kind.NUMBER) == 10.0
    assert order_key(YEAR, Kind.DATE) == order_key(typed("1990-01-01", "date"), Kind.DATE)
    assert order_key(ZOE, Kind.TEXT) == "Zoë"
    for node, kind in itertools.product(ALL, (Kind.NUMBER, Kind.DATE, Kind.TEXT)):
        takes_part = kind_of(node) is kind and node not in (DELTA, DELTA_FR)
        assert (order_key(node, kind) is not None) is takes_part


def test_sort_order_is_total_and_keeps_values_together() -> None:
    ranked = sorted(ALL, key=sort_key)
    backwards = list(reversed(ALL))
    backwards.sort(key=sort_key)
    assert ranked == backwards
    assert len({sort_key(node) for node in ALL}) == len(ALL)
    assert ranked[:4] == [BLANK, ENTITY, OTHER, TEN_POINT]
    assert [node for node in ranked if node in (YEAR, MONTH, DAY)] == [YEAR, MONTH, DAY]


# --- answers ---------------------------------------------------------------------------------------------------------


def test_answers_hold_one_node_for_a_value() -> None:
    found = Answers.of_values([TEN_E, ELEVEN, TEN, ENTITY, TEN_POINT, TEN])
    assert found.values == (ENTITY, TEN_POINT, ELEVEN)
    assert found.values == Answers.of_values(reversed([TEN_E, ELEVEN, TEN, ENTITY, TEN_POINT])).values
    rows = Answers.of_rows([(ENTITY, TEN), (ENTITY, TEN_E), (ENTITY, None)])
    assert rows.rows == ((ENTITY, None), (ENTITY, TEN_E))


def test_answers_of_engines_are_compared_by_value() -> None:
    assert Answers.of_values([TEN]).key() == Answers.of_values([TEN_POINT]).key()
    assert Answers.of_values([TEN]) != Answers.of_values([TEN_POINT])
    assert Answers.of_values([TRUE]).key() == Answers.of_values([ONE_TRUE]).key()
    assert Answers.of_values([TEN]).key() != Answers.of_values([Literal("10")]).key()
    assert Answers.of_values([]).key() != Answers.of_rows([]).key()
    assert Answers.of_number(1).key() == Answers.of_number(1).key() != Answers.of_number(2).key()
    assert Answers.of_number(1).key() != Answers.of_boolean(True).key()
    assert Answers.of_rows([(TEN, ENTITY)]).key() == Answers.of_rows([(TEN_E, ENTITY)]).key()
    assert Answers.of_rows([(TEN, ENTITY)]).key() != Answers.of_rows([(ENTITY, TEN)]).key()


def test_blank_nodes_are_compared_by_their_number() -> None:
    one, other = Blank("x"), Blank("y")
    assert Answers.of_values([one, TEN]).key() == Answers.of_values([other, TEN]).key()
    assert Answers.of_values([one, other]).key() != Answers.of_values([one]).key()
    assert Answers.of_rows([(one, TEN), (other, TEN)]).key() == Answers.of_rows([(other, TEN_E), (BLANK, TEN)]).key()
    assert Answers.of_rows([(one, TEN), (other, TEN)]).key() != Answers.of_rows([(one, TEN)]).key()


def test_a_number_and_a_boolean_are_never_empty() -> None:
    assert Answers.of_values([]).empty
    assert Answers.of_rows([], Form.SUBGRAPH).empty
    assert not Answers.of_number(0).empty
    assert not Answers.of_boolean(False).empty
    assert not Answers.of_values([TEN]).empty
