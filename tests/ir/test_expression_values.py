"""What expressions are worth: functions, arithmetic, comparisons and casts, by the tables of SPARQL and XPath."""

from __future__ import annotations

import itertools
import re

import pytest

from pylf.errors import UnsupportedOperation
from pylf.ir.arithmetic import double_form
from pylf.ir.expression_values import truth, value
from pylf.ir.expressions import FALSE, FUNCTIONS, TRUE, Apply
from pylf.ir.nodes import Condition, Reduction
from pylf.ir.reductions import rank, reduced
from pylf.ir.terms import XSD, Blank, Iri, Literal, Node, Var, tagged
from pylf.ir.text import parse_query
from pylf.ir.values import identity


def worth(text: str, **known: Node) -> Node | None:
    """What an expression is worth; ``^^integer`` stands for the datatype, ``integer::(…)`` for the cast."""
    text = re.sub(r"\^\^(\w+)", rf"^^<{XSD}\1>", text)
    text = re.sub(r"(\w+)::", rf"<{XSD}\1>", text)
    query = parse_query(f"boolean\nwhere\n  if {text}\n", check=False)
    (condition,) = query.body.conjuncts
    assert isinstance(condition, Condition)
    return value(condition.expression, known.get)


def integer(number: int) -> Literal:
    return Literal(str(number), XSD + "integer")


ONE, TWO, HALF = '"1"^^integer', '"2"^^integer', '"0.5"^^decimal'

#: Expression and what it is worth: true, false, a plain string, a node, or nothing.
TABLE: list[tuple[str, Node | str | bool | None]] = [
    # arithmetic
    (f"{ONE} + {TWO}", integer(3)),
    (f"{ONE} + {HALF}", Literal("1.5", XSD + "decimal")),
    (f'{ONE} - "1e0"^^double', Literal("0.0E0", XSD + "double")),
    (f'"3"^^float * {TWO}', Literal("6.0E0", XSD + "double")),
    (f"{ONE} / {TWO}", Literal("0.5", XSD + "decimal")),
    ('"4"^^integer / "2"^^integer', Literal("2", XSD + "decimal")),
    (f'{ONE} / "0"^^integer', None),
    ('"1e0"^^double / "0e0"^^double', None),
    ('"INF"^^double - "INF"^^double', None),
    (f'{ONE} + "1"', None),
    ('"12345678901234567890123"^^integer + "1"^^integer', integer(12345678901234567890124)),
    ('"0.1"^^decimal + "0.2"^^decimal', Literal("0.3", XSD + "decimal")),
    ('negative("-0.50"^^decimal)', Literal("0.5", XSD + "decimal")),
    ('abs("-2"^^integer)', integer(2)),
    ('round("2.5"^^decimal)', Literal("3", XSD + "decimal")),
    ('round("-2.5"^^decimal)', Literal("-2", XSD + "decimal")),
    ('round("-2.5e0"^^double)', Literal("-2.0E0", XSD + "double")),
    ('ceil("-1.5"^^decimal)', Literal("-1", XSD + "decimal")),
    ('floor("-1.5"^^decimal)', Literal("-2", XSD + "decimal")),
    ('floor("a")', None),
    # comparison
    (f'{ONE} = "1.0"^^decimal', True),
    (f"{ONE} > {TWO}", False),
    (f"{ONE} <= {ONE}", True),
    (f"{ONE} >= {TWO}", False),
    ('"a" < "b"', True),
    ('"a"@en = "a"@en', True),
    ('"a"@en != "b"@en', True),
    ('"a"@en < "b"@en', None),
    ('"a"@en = "a"', None),
    (f'{ONE} = "1"', None),
    (f'{ONE} != "1"', None),
    ("<e:a> = <e:a>", True),
    ("<e:a> != <e:b>", True),
    ("<e:a> < <e:b>", None),
    ('<e:a> != "a"', True),
    ('<e:a> = "a"', False),
    ('"2020-01-02"^^date < "2020-01-03"^^date', True),
    ('"2020-01-02"^^date = "2020"^^gYear', True),
    ('"2020-01-02"^^date < "2020"^^gYear', False),
    ('"true"^^boolean = "1"^^boolean', True),
    ('"true"^^boolean != "true"^^boolean', False),
    ('"P1D"^^duration = "P1D"^^duration', True),
    ('"P1D"^^duration = "P2D"^^duration', None),
    (f'in({ONE}, "x", "1.0"^^decimal)', True),
    (f'in({ONE}, "x", {TWO})', None),
    (f"in({ONE}, {TWO})", False),
    (f"in({ONE})", False),
    (f"in(?open, {ONE})", None),
    # truth
    ('"a" || ?open', True),
    ('"" || ?open', None),
    ('"" && ?open', False),
    ('"a" && ?open', None),
    ('"a" && "b" && "c"', True),
    ("!?open", None),
    ('!""', True),
    ('!"0.0"^^decimal', True),
    ("!<e:a>", None),
    ('!"a"@en', False),
    ('!""@en', True),
    ('!"abc"^^integer', True),
    ('!"maybe"^^boolean', True),
    ('!"NaN"^^double', True),
    ('!"2000-01-01"^^date', None),
    ('"2000"^^gYear < "2000-05"', False),
    ('"2000"^^gYear >= "2000-05"', False),
    ('"2000"^^gYear < "May"', None),
    ("bound(?open)", False),
    ("bound(?x)", True),
    (f'if("", {ONE}, {TWO})', integer(2)),
    (f"if(?open, {ONE}, {TWO})", None),
    (f'if("a", {ONE}, ?open)', integer(1)),
    (f"coalesce(?open, {ONE} / ?open, {TWO})", integer(2)),
    ("coalesce(?open)", None),
    ("coalesce()", None),
    # terms
    ("isiri(<e:a>)", True),
    ("isiri(?x)", False),
    ("isblank(?blank)", True),
    ('isliteral("a"@en)', True),
    ("isliteral(?open)", None),
    ('isnumeric("1.5"^^decimal)', True),
    ('isnumeric("x"^^integer)', False),
    ("isnumeric(<e:a>)", False),
    ('sameterm("1"^^integer, "01"^^integer)', False),
    ("str(<e:a>)", "e:a"),
    ('str("a"@en)', "a"),
    ("str(?blank)", None),
    ('lang("a"@EN)', "en"),
    ('lang("a")', ""),
    ("lang(<e:a>)", None),
    ('datatype("1"^^integer)', Iri(XSD + "integer")),
    ('datatype("a")', Iri(XSD + "string")),
    ("datatype(<e:a>)", None),
    ('iri("e:b")', Iri("e:b")),
    ('iri("b")', None),
    ('iri("e:a b")', None),
    ("iri(<e:b>)", Iri("e:b")),
    ('strdt("1", <e:t>)', Literal("1", "e:t")),
    ('strdt("1"@en, <e:t>)', None),
    ('strlang("a", "EN")', tagged("a", "en")),
    ('strlang("a", "")', None),
    # strings
    ('strlen("äb"@de)', integer(2)),
    ("strlen(<e:a>)", None),
    ('canonical("ab"@EN)', tagged("ab", "en")),
    ('ucase("ab"@en)', tagged("AB", "en")),
    ('lcase("AB")', "ab"),
    ('encode_for_uri("a b/é~")', "a%20b%2F%C3%A9~"),
    ('strstarts("abc"@en, "ab")', True),
    ('strstarts("abc", "ab"@en)', None),
    ('strends("abc"@en, "bc"@en)', True),
    ('contains("abc"@en, "b"@fr)', None),
    ('strbefore("abc"@en, "b")', tagged("a", "en")),
    ('strbefore("abc"@en, "z")', ""),
    ('strbefore("abc"@en, "")', tagged("", "en")),
    ('strafter("abc", "b")', "c"),
    ('strafter("abc"@en, "")', tagged("abc", "en")),
    ('strafter("abc", "z")', ""),
    ('langmatches("en-gb", "en")', True),
    ('langmatches("eng", "en")', False),
    ('langmatches("", "*")', False),
    ('substr("motor car", "6"^^integer)', " car"),
    ('substr("metadata", "4"^^integer, "3"^^integer)', "ada"),
    ('substr("12345", "1.5"^^decimal, "2.6"^^decimal)', "234"),
    ('substr("12345", "0"^^integer, "3"^^integer)', "12"),
    ('substr("12345"@en, "-3"^^integer, "5"^^integer)', tagged("1", "en")),
    ("concat()", ""),
    ('concat("a"@en, "b"@en)', tagged("ab", "en")),
    ('concat("a"@en, "b")', "ab"),
    (f'concat("a", {ONE})', None),
    # patterns
    ('regex("abc", "^AB", "i")', True),
    ('regex("a\\nb", "a.b")', False),
    ('regex("a\\nb", "a.b", "s")', True),
    ('regex("ab\\n", "b$")', False),
    ('regex("a\\nb", "^b$", "m")', True),
    ('regex("a.c", "a.c", "q")', True),
    ('regex("abc", "a.c", "q")', False),
    ('regex("abc", "(")', None),
    ('regex("abc", "a", "k")', None),
    ('regex("a]", "[\\\\]]")', True),
    ('replace("abcb", "b", "[$0]")', "a[b]c[b]"),
    ('replace("abab"@en, "(a)(b)", "$2$1")', tagged("baba", "en")),
    ('replace("ab", "(a)", "$12")', "a2b"),
    ('replace("ab", "a", "\\\\$")', "$b"),
    ('replace("ab", "a", "$")', None),
    ('replace("abc", "x*", "-")', None),
    # dates
    ('year("2020-03-04"^^date)', integer(2020)),
    ('year("2020"^^gYear)', integer(2020)),
    ('month("2020-03"^^gYearMonth)', integer(3)),
    ('day("2020-03"^^gYearMonth)', None),
    ('hours("2020-03-04T05:06:07.50Z"^^dateTime)', integer(5)),
    ('minutes("2020-03-04T05:06:07.50Z"^^dateTime)', integer(6)),
    ('seconds("2020-03-04T05:06:07.50Z"^^dateTime)', Literal("7.5", XSD + "decimal")),
    ('hours("2020-03-04"^^date)', None),
    ('tz("2020-03-04T05:06:07-08:30"^^dateTime)', "-08:30"),
    ('tz("2020-03-04T05:06:07"^^dateTime)', ""),
    ('timezone("2020-03-04T05:06:07-08:30"^^dateTime)', Literal("-PT8H30M", XSD + "dayTimeDuration")),
    ('timezone("2020-03-04T05:06:07Z"^^dateTime)', Literal("PT0S", XSD + "dayTimeDuration")),
    ('timezone("2020-03-04T05:06:07"^^dateTime)', None),
    ('year("2020-13-04"^^date)', None),
    # casts
    ('integer::("7")', integer(7)),
    ('integer::("7.5")', None),
    ('integer::("-1.9"^^decimal)', integer(-1)),
    ('integer::("true"^^boolean)', integer(1)),
    ('integer::("INF"^^double)', None),
    ("integer::(<e:a>)", None),
    ('decimal::("1.50")', Literal("1.50", XSD + "decimal")),
    ('decimal::("1e1")', None),
    ('double::("1"^^integer)', Literal("1.0E0", XSD + "double")),
    ('float::("1.5")', Literal("1.5", XSD + "float")),
    ('boolean::("1")', True),
    ('boolean::("yes")', None),
    ('boolean::("0.0"^^double)', False),
    ("string::(<e:a>)", "e:a"),
    ('string::("1.50"^^decimal)', "1.5"),
    ('string::("1e1"^^double)', "10"),
    ('string::("1e7"^^double)', "1.0E7"),
    ('string::("1"^^boolean)', "true"),
    ('date::("2020-03-04T05:06:07Z"^^dateTime)', Literal("2020-03-04Z", XSD + "date")),
    ('dateTime::("2020-03-04"^^date)', Literal("2020-03-04T00:00:00", XSD + "dateTime")),
    ('date::("2020-03-04")', Literal("2020-03-04", XSD + "date")),
    ('date::("2020-3-4")', None),
    ('date::("5"^^integer)', None),
]


@pytest.mark.parametrize(("text", "expected"), TABLE)
def test_worth(text: str, expected: Node | str | bool | None) -> None:
    found = worth(text, x=integer(1), blank=Blank("b"))
    match expected:
        case bool():
            assert found == (TRUE if expected else FALSE)
        case str():
            assert found == Literal(expected)
        case _:
            assert found == expected


def test_what_is_canonical_is_the_same_for_one_value_alone() -> None:
    spelled = {
        "integer": ["1", "01", "+1", "-0", "0", "x"],
        "decimal": ["1", "1.0", "0.5", "0"],
        "double": ["1", "1e0", "NaN", "INF", "-0.0", "5e-1"],
        "float": ["0.5", "16777217"],
        "boolean": ["true", "1", "false", "0", "no"],
        "string": ["1", "x", ""],
        "gYear": ["1990", "1990Z", "-0044"],
        "gYearMonth": ["1990-01", "1990-01+02:00"],
        "date": ["1990-01-01", "1990-01-01Z", "1990-02-30"],
        "dateTime": ["1990-01-01T00:00:00", "1989-12-31T24:00:00Z", "1990-01-01T00:00:00.50", "1990-01-01T00:00:00.5"],
        "dateTimeStamp": ["1990-01-01T00:00:00Z"],
        "duration": ["P1D", "PT24H"],
    }
    nodes: list[Node] = [Literal(one, f"{XSD}{name}") for name, several in spelled.items() for one in several]
    nodes += [tagged("x", "en"), tagged("x", "EN"), tagged("x", "de"), Iri("http://e/1"), Blank("b")]
    made = [value(Apply("canonical", (node,)), lambda name: None) for node in nodes if not isinstance(node, Blank)]
    named = [node for node in nodes if not isinstance(node, Blank)]
    for (node, one), (other, two) in itertools.combinations(zip(named, made, strict=True), 2):
        assert (one == two) is (identity(node) == identity(other)), (node, other)


def test_the_table_has_every_function() -> None:
    # each is tried above, by its name or its sign
    said = " ".join(text for text, _ in TABLE)
    assert [name for name in FUNCTIONS if name not in said] == []


@pytest.mark.parametrize("function", [name for name in FUNCTIONS if name not in ("bound", "coalesce", "concat")])
def test_what_is_open_has_no_value(function: str) -> None:
    least, _ = FUNCTIONS[function]
    assert value(Apply(function, (Var("open"),) * least), lambda _: None) is None


@pytest.mark.parametrize("pattern", [r"\p{L}", r"\i", "[a-z-[aeiou]]", "(?i)a", "(?=a)"])
def test_a_pattern_that_python_would_read_otherwise_is_refused(pattern: str) -> None:
    with pytest.raises(UnsupportedOperation):
        value(Apply("regex", (Literal("a"), Literal(pattern))), lambda _: None)


def test_numbers_beyond_what_is_read_are_doubles() -> None:
    long = Literal("9" * 5_000, XSD + "integer")
    assert value(Apply("+", (long, integer(1))), lambda _: None) == Literal("INF", XSD + "double")
    assert value(Apply("*", (Literal("9" * 3_000, XSD + "integer"),) * 2), lambda _: None) is None
    assert truth(long, lambda _: None) is True


@pytest.mark.parametrize(
    ("number", "form"),
    [(0.0, "0.0E0"), (-0.0, "-0.0E0"), (1500.0, "1.5E3"), (0.00123, "1.23E-3"), (1e300, "1.0E300"), (100.0, "1.0E2")],
)
def test_the_form_of_a_double(number: float, form: str) -> None:
    assert double_form(number) == form
    assert float(form) == number


def test_the_order_of_nodes() -> None:
    ordered = [
        None,
        Blank("b"),
        Iri("e:a"),
        Iri("e:b"),
        integer(1),
        Literal("1.5", XSD + "decimal"),
        integer(2),
        Literal("2020", XSD + "gYear"),
        Literal("2020-02-01", XSD + "date"),
        Literal("a"),
        tagged("a", "en"),
        Literal("b"),
        FALSE,
        TRUE,
        Literal("x", "e:t"),
    ]
    mixed = [*ordered[1::2], *ordered[::2]]
    assert sorted(mixed, key=rank) == ordered
    assert rank(integer(1)) == rank(Literal("1.0", XSD + "decimal"))


A, B = integer(1), Literal("2.5", XSD + "decimal")
VALUES: list[tuple[str, bool, list[Node | None], Node | None]] = [
    ("count", False, [A, A, None], integer(2)),
    ("count", True, [A, A, None], integer(1)),
    ("sum", False, [A, A, B], Literal("4.5", XSD + "decimal")),
    ("sum", True, [A, A, B], Literal("3.5", XSD + "decimal")),
    ("sum", False, [A, Literal("1e0", XSD + "double")], Literal("2.0E0", XSD + "double")),
    ("sum", False, [A, Literal("a")], None),
    ("sum", False, [A, None], None),
    ("sum", False, [], integer(0)),
    ("avg", False, [A, A, B], Literal("1.5", XSD + "decimal")),
    ("avg", False, [], integer(0)),
    ("min", False, [B, A, Iri("e:a")], Iri("e:a")),
    ("max", False, [B, A, Iri("e:a")], B),
    ("max", False, [], None),
    ("min", False, [A, None], None),
    ("sample", False, [B, A], A),
    ("group_concat", False, [Literal("b"), tagged("a", "en"), Iri("e:c"), Literal("b")], Literal("a+b+b+e:c")),
    ("group_concat", True, [Literal("b"), Literal("b")], Literal("b")),
    ("group_concat", False, [], Literal("")),
    ("group_concat", False, [Blank("b")], None),
]


@pytest.mark.parametrize(("function", "distinct", "values", "expected"), VALUES)
def test_reductions(function: str, distinct: bool, values: list[Node | None], expected: Node | None) -> None:
    assert reduced(Reduction(function, Var("r"), Var("v"), distinct, "+"), values) == expected
