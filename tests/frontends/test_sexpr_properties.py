"""Whatever the text, the parser of s-expressions gives a tree or diagnostics; whatever the tree, printing and parsing
agree."""

from __future__ import annotations

import contextlib

from hypothesis import example, given, settings
from hypothesis import strategies as st

from pylf.errors import CompileError, Diagnostic
from pylf.frontends.sexpr.parser import _parser, parse
from pylf.frontends.sexpr.printer import print_expression
from pylf.frontends.sexpr.tree import (
    And,
    Comparison,
    Count,
    Expression,
    Inverse,
    Join,
    Path,
    SExpression,
    Superlative,
    TimeConstraint,
    Value,
    Word,
)

REAL = (
    "(AND film.film (JOIN (R film.genre.films) m.0hj3n21))",
    "(COUNT (AND (JOIN film.film.genre m.0hj3n21) (lt film.film.runtime 90^^http://www.w3.org/2001/XMLSchema#integer)))",
    '(ARGMAX (TC (JOIN r.a.b "Kingdom of Prussia"@en) a.b.from NOW) (JOIN a.b.c (JOIN (R d.e.f) g.h.i)))',
)
TOKENS = [
    *("(", ")", "JOIN", "AND", "R", "COUNT", "ARGMAX", "ARGMIN", "lt", "ge", "TC", "join", "r", "OR", "NOW", "<", "!="),
    *("film.film", "m.0hj3n21", "wd:Q42", "<http://e/a>", "5000", "-0.61", "2.3e+06", "1996", "2008-05-01", "5x"),
    *("2008-05-01^^xsd:date", '"x y"', '"x"@en', '"x"^^xsd:string', "'x'", "a@en", "^^", "@", "^", '"', "'", "<", ">"),
    *(",", ";", "[", "{", "=", "?x", "/m/0", "#", "“", "\\", "\n", "\t", " ", "\ufeff", "\u2003", "é"),
]

DATATYPES = st.sampled_from(["xsd:date", "http://www.w3.org/2001/XMLSchema#gYear", "type.float", "http://e/a(b)"])
LANGUAGES = st.sampled_from(["en", "zh-Hans"])
TEXTS = st.sampled_from(["Kingdom of Prussia", "Dad's (film)", '"', "\\", "a\nb", "", "^^", "@en"]) | st.text(
    max_size=8
)
NUMBERS = st.sampled_from(["5000", "-0.61", "2.3e+06", "1996", "-912", "2008-05-01", "1872-11", "12:30"]) | st.one_of(
    st.integers().map(str), st.floats(allow_nan=False, allow_infinity=False).map(repr)
)
VALUES = st.one_of(
    st.builds(Value, NUMBERS, st.none() | DATATYPES),
    st.builds(Value, TEXTS, st.none() | DATATYPES, st.none(), st.just(True)),
    st.builds(Value, TEXTS, st.none(), LANGUAGES, st.just(True)),
)
WORDS = st.builds(
    Word,
    st.sampled_from(["film.film", "m.0hj3n21", "g.125czp5k_", "wd:Q42", "<http://e/Dad's_(film),@%>"])
    | st.from_regex(r"[a-z][a-z0-9_]{0,8}\.[a-z0-9_]{1,8}(\.[a-z0-9_]{1,8})?", fullmatch=True),
)
STEPS = WORDS | st.builds(Inverse, WORDS)
RELATIONS = STEPS | st.builds(Path, st.lists(STEPS, min_size=2, max_size=4).map(tuple))


def larger(sets: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.one_of(
        st.builds(Join, STEPS, sets),
        st.builds(And, st.lists(sets, min_size=2, max_size=3).map(tuple)),
        st.builds(Count, sets),
        st.builds(Superlative, st.sampled_from(["ARGMAX", "ARGMIN"]), sets, RELATIONS),
        st.builds(TimeConstraint, sets, RELATIONS, VALUES | st.just(Word("NOW"))),
    )


SETS: st.SearchStrategy[Expression] = st.recursive(
    WORDS | VALUES | st.builds(Comparison, st.sampled_from(["lt", "le", "gt", "ge"]), RELATIONS, VALUES),
    larger,
    max_leaves=8,
)
EXPRESSIONS = st.builds(SExpression, SETS)


def assert_total(text: str) -> None:
    """The property: a tree whose printed form means the same, or diagnostics that can be shown."""
    expression: SExpression | None = None
    findings: tuple[Diagnostic, ...] = ()
    try:
        expression = parse(text)
    except CompileError as error:
        findings = error.diagnostics
    assert expression or findings
    for finding in findings:
        assert finding.span is None or 0 <= finding.span.start <= finding.span.end <= len(text) + 1
        assert finding.code in finding.render()
        assert finding.to_json()["severity"] == "error"
    if expression is not None:
        printed = print_expression(expression)
        assert parse(printed) == expression
        assert "\n" not in printed


@given(st.text(max_size=100))
@example("")
@example("\ufeff")
@example("\x00")
@example("(COUNT \ud800)")
@example("\\")
@example('"a"^')
@example("a@")
def test_random_text(text: str) -> None:
    assert_total(text)


@given(st.binary(max_size=100))
def test_random_bytes(data: bytes) -> None:
    assert_total(data.decode("latin-1"))


@settings(max_examples=300)
@given(st.lists(st.sampled_from(TOKENS), max_size=30).map(" ".join) | st.lists(st.sampled_from(TOKENS)).map("".join))
def test_random_tokens(text: str) -> None:
    assert_total(text)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A real s-expression after a few insertions, deletions and duplications."""
    text = draw(st.sampled_from(REAL))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 20)))
        match draw(st.sampled_from(["insert", "delete", "double"])):
            case "insert":
                text = text[:start] + draw(st.sampled_from(TOKENS) | st.text(max_size=3)) + text[start:]
            case "delete":
                text = text[:start] + text[end:]
            case "double":
                text = text[:end] + text[start:end] + text[end:]
    return text


@settings(max_examples=300)
@given(mutated())
def test_mutated_forms(text: str) -> None:
    assert_total(text)


@settings(max_examples=200)
@given(EXPRESSIONS)
def test_printing_and_parsing_agree(expression: SExpression) -> None:
    printed = print_expression(expression)
    again = parse(printed)
    assert again == expression
    assert hash(again) == hash(expression)
    assert print_expression(again) == printed


@settings(max_examples=300)
@given(
    st.builds(Word, st.text(max_size=6) | st.sampled_from(TOKENS))
    | st.builds(
        Value,
        st.text(max_size=6) | st.sampled_from(TOKENS),
        st.none() | DATATYPES | st.text(max_size=3) | st.sampled_from(TOKENS),
        st.none() | LANGUAGES | st.text(max_size=3),
        st.booleans(),
    )
)
def test_what_is_printed_is_read_as_what_it_is(atom: Word | Value) -> None:
    printed = None
    with contextlib.suppress(CompileError):
        printed = print_expression(SExpression(Count(atom)))
    assert printed is None or parse(printed).root == Count(atom)


@given(EXPRESSIONS, st.data())
def test_white_space_and_case_mean_nothing(expression: SExpression, data: st.DataObject) -> None:
    space = st.sampled_from([" ", "\n", "\r\n", "\t", "  \n  ", "\u2003"])
    out = []
    previous = ""
    for token in _parser().tokens(print_expression(expression)):
        text = token.text
        if previous == "LPAR":
            text = data.draw(st.sampled_from([text, text.lower(), text.upper()]))
        out += [text, data.draw(space)]
        previous = token.kind
    assert parse("".join(out)) == expression
