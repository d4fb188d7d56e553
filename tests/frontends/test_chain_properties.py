"""Whatever the text, the parser of chains gives a tree or diagnostics; what is printed of a tree is read as it."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pylf.errors import CompileError, Diagnostic
from pylf.frontends.chain import tree
from pylf.frontends.chain.parser import MAX_DEPTH, parse
from pylf.frontends.chain.printer import print_chain
from pylf.frontends.chain.to_pylf import to_program
from pylf.frontends.chain.words import tokens
from pylf.language.context import Context
from pylf.language.lower import lower
from pylf.language.tokens import MAX_TOKENS
from tests.frontends import small_freebase
from tests.frontends.random_chain import CHAINS, REAL, TOKENS

SCHEMA = small_freebase.schema()
FREEBASE = small_freebase.vocabulary()


def assert_total(text: str) -> None:
    """The property: a tree whose printed form means the same, or diagnostics that can be shown."""
    chain: tree.Chain | None = None
    findings: tuple[Diagnostic, ...] = ()
    try:
        chain = parse(text)
    except CompileError as error:
        findings = error.diagnostics
    assert chain or findings
    for finding in findings:
        assert finding.span is None or 0 <= finding.span.start <= finding.span.end <= len(text) + 1
        assert finding.code in finding.render()
        assert finding.to_json()["severity"] == "error"
    if chain is not None:
        printed = print_chain(chain)
        assert parse(printed) == chain
        assert "\n" not in printed


@given(st.text(max_size=100))
@example("")
@example("\ufeff")
@example("\x00")
@example("a -> \ud800")
@example("\\")
@example("'a'^")
@example("a@")
@example("[")
@example("? [")
@example("a [-> ")
def test_random_text(text: str) -> None:
    assert_total(text)


@settings(max_examples=400)
@given(st.lists(st.sampled_from(TOKENS), max_size=14), st.sampled_from(["", " "]))
def test_random_words(parts: list[str], between: str) -> None:
    assert_total(between.join(parts))


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A chain in which some words are left out, doubled, exchanged or put in."""
    text = draw(st.sampled_from(REAL) | CHAINS.map(print_chain))
    parts = [token.text for token in tokens(text, 0)]
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(parts)))
        match draw(st.sampled_from(["drop", "put", "double", "swap"])):
            case "drop":
                del parts[at : at + 1]
            case "put":
                parts.insert(at, draw(st.sampled_from(TOKENS)))
            case "double":
                parts[at:at] = parts[at : at + 2]
            case _:
                parts[at : at + 2] = reversed(parts[at : at + 2])
    return " ".join(parts)


@settings(max_examples=300)
@given(mutated())
def test_mutated_chains(text: str) -> None:
    assert_total(text)


@settings(max_examples=300)
@given(CHAINS)
def test_printing_and_parsing_agree(chain: tree.Chain) -> None:
    printed = print_chain(chain)
    again = parse(printed)
    assert again == chain
    assert hash(again) == hash(chain)
    assert print_chain(again) == printed


@settings(max_examples=300)
@given(
    st.builds(
        tree.Atom,
        st.text(max_size=6) | st.sampled_from(TOKENS),
        st.booleans(),
        st.sampled_from([None, "class", "entity", "literal", "number", ""]),
    ),
    st.builds(
        tree.Relation,
        st.text(max_size=6) | st.sampled_from(TOKENS),
        st.booleans(),
        st.sampled_from([None, 0, 1]),
    ),
    st.sampled_from(TOKENS),
    st.booleans(),
)
def test_what_is_printed_is_read_as_what_it_is(
    atom: tree.Atom, relation: tree.Relation, op: str, or_none: bool
) -> None:
    steps: list[tree.Step] = [
        tree.Hop(relation),
        tree.Compare((relation,), op, atom, or_none),
        tree.Along((tree.Hop(relation, True),), tree.Chain(atom)),
        tree.In(tree.Chain(atom)),
    ]
    for chain in (tree.Chain(atom), *[tree.Chain(tree.Anything(), (step,)) for step in steps]):
        printed = None
        with contextlib.suppress(CompileError):
            printed = print_chain(chain)
        assert printed is None or parse(printed) == chain


@given(CHAINS, st.data())
def test_white_space_and_remarks_mean_nothing(chain: tree.Chain, data: st.DataObject) -> None:
    space = st.sampled_from([" ", "\n", "\r\n", "\t", "  \n  ", "\u2003", " # a remark [ ' \n"])
    out = []
    for token in tokens(print_chain(chain), 0):
        out += [token.text, data.draw(space)]
    assert parse("".join(out)) == chain


@settings(max_examples=200)
@given(CHAINS)
def test_what_is_well_formed_is_a_query_or_findings_with_places_in_the_text(chain: tree.Chain) -> None:
    text = print_chain(chain)
    try:
        lower(to_program(parse(text), SCHEMA, FREEBASE), Context(SCHEMA, FREEBASE, today="2000-01-01"))
    except CompileError as error:
        for finding in error.diagnostics:
            assert finding.span is not None
            assert text[slice(*finding.span)].strip()


def test_large_texts_are_refused_or_read() -> None:
    hops = " -> r" * 10_000
    assert len(parse(f"m.01{hops}").hops) == 10_000
    for text, code in (
        (f"m.01{' -> r' * (MAX_TOKENS // 2)}", "too-large"),
        ("(" * (MAX_DEPTH + 1), "too-deep"),
        ("a [" * 5_000, "too-deep"),
        ("a [-> r -> (" * 5_000, "too-deep"),
        ("a" * 1_000_001, "too-large"),
        (f"'{'a' * 10_001}'", "too-large"),
        ("9" * 1_001, "too-large"),
        ("-" * 500_000, "syntax"),
        ("<" * 500_000, "syntax"),
        ("'" * 499_999, "syntax"),
        ("a -> b <" + "c" * 500_000, "syntax"),
        ("a@" + "." * 500_000, "syntax"),
        ("#" * 900_000, "empty"),
        ("a -> not " * 1_000, "syntax"),
        ("__import__('os').system('id')", "syntax"),
        ("9**9**9", "syntax"),
    ):
        with pytest.raises(CompileError) as caught:
            parse(text)
        assert [d.code for d in caught.value.diagnostics] == [code], text[:40]
        assert len(caught.value.diagnostics[0].message) < 200


def test_as_deep_as_is_read_is_written() -> None:
    chain = tree.Chain(tree.Atom("m.01"))
    for _ in range(MAX_DEPTH):
        chain = tree.Chain(tree.Atom("m.01"), (tree.In(chain),))
    assert parse(print_chain(chain)) == chain
    with pytest.raises(CompileError, match="too-deep"):
        print_chain(tree.Chain(tree.Atom("m.01"), (tree.In(chain),)))
