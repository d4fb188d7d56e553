"""Paths as text: what is read, that what is printed is read again, and what a model's text holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylf.errors import CompileError
from pylf.frontends.path.parser import MAX_HOPS, parse
from pylf.frontends.path.printer import print_path
from pylf.frontends.path.reading import read_paths
from pylf.frontends.path.tree import Hop, Named, Number, PathTree, Variable

ALICE = PathTree(
    (Named("Alice"), Variable("x", asked=True), Variable("y", asked=True)),
    (Hop(Named("marry_to")), Hop(Named("father_of"), forward=False)),
)

# names that could be taken for something else, and others; no halves of characters, which no text can hold
_CHARACTERS = st.characters(codec="utf-8", exclude_characters="\0")
_NAMES = st.one_of(
    st.sampled_from(
        (
            *(
                "Alice",
                "Jean-Luc",
                "a b",
                "R_r",
                "wd:Q1",
                "<http://e/x->",
                "<http://e/a b>",
                "1. FC Köln",
                "- x",
                "# y",
            ),
            *(
                "# y",
                "?",
                "?x",
                "??",
                "'Til",
                '"Weird Al" Yankovic',
                '"',
                "a -> b",
                "→",
                "x-",
                "<",
                "<-",
                "</PATH>",
                "<sep>",
            ),
            *("", " ", " a", "a\nb", "a\\b", "\\", "300", "-5", "01", "\u00a0", "\u202e", "a <", "<PATH", "1984"),
        )
    ),
    st.text(_CHARACTERS, max_size=8),
    st.text("ab<->→←?\"'\\ /PATHSE\n#1.", max_size=8),
)
_VARIABLES = st.one_of(
    st.just(Variable()),
    st.builds(Variable, st.sampled_from(("a", "b", "n1")), st.booleans()),
)
_NODES = st.one_of(_NAMES.map(Named), _VARIABLES, st.sampled_from(("0", "300", "-5", "2.5", "1e3")).map(Number))
_RELATION_VARIABLES = st.one_of(st.just(Variable()), st.builds(Variable, st.sampled_from(("r", "s")), st.booleans()))
_HOPS = st.builds(Hop, st.one_of(_NAMES.map(Named), _RELATION_VARIABLES), st.booleans())


@st.composite
def trees(draw: st.DrawFn) -> PathTree:
    """Any path of up to four hops."""
    hops = draw(st.lists(_HOPS, min_size=1, max_size=4))
    nodes = draw(st.lists(_NODES, min_size=len(hops) + 1, max_size=len(hops) + 1))
    return PathTree(tuple(nodes), tuple(hops))


@pytest.mark.parametrize(
    "text",
    [
        "Alice -> marry_to -> ?x <- father_of <- ?y",
        "Alice → marry_to → ?x ← father_of ← ?y",
        "Alice->marry_to->?x<-father_of<-?y",
        "<PATH> Alice → marry_to -> ?x ← father_of <- ?y </PATH>",
        "<path>Alice -> marry_to -> ?x <- father_of <- ?y</path>\n",
        "# who is it?\nAlice -> marry_to ->\n  ?x <- 'father_of' <- ?y\n# that is all",
        '\ufeff"Al\\x69ce" -> "marry_to" -> ?x <- father_of <- ?y',
    ],
)
def test_one_path_has_many_spellings(text: str) -> None:
    assert parse(text) == ALICE
    assert print_path(parse(text)) == "Alice -> marry_to -> ?x <- father_of <- ?y"


def test_the_papers_own_spelling_is_printed_on_demand() -> None:
    tree = parse("Alice -> marry_to -> Bob -> father_of -> Charlie")
    assert (
        print_path(tree, tags=True, arrows="unicode") == "<PATH> Alice → marry_to → Bob → father_of → Charlie </PATH>"
    )


@pytest.mark.parametrize("text", ["<PATH>r<SEP>s</PATH>", "<path> r <sep> s </path>", "r <SEP> s"])
def test_relations_alone_lead_from_any_node(text: str) -> None:
    assert print_path(parse(text)) == "?n0 -> r -> ?n1 -> s -> ?n2"


def test_one_relation_between_tags_is_a_path_of_relations() -> None:
    assert print_path(parse("<PATH> r </PATH>")) == "?n0 -> r -> ?n1"
    assert print_path(parse("<PATH> ?n1 <SEP> r </PATH>")) == "?n0 -> ?n1 -> ?n2 -> r -> ?n3"


@given(trees())
def test_what_is_printed_is_read_again(tree: PathTree) -> None:
    for tags in (False, True):
        for arrows in ("ascii", "unicode"):
            text = print_path(tree, tags, arrows)
            assert "\n" not in text
            assert parse(text) == tree
            reading = read_paths(f"{text}\n{text}")
            assert (reading.paths, reading.findings) == ((tree, tree), ())


@given(st.text("ab<->→←?\"'\\ /PATHSE\n#1._", max_size=30))
def test_any_text_is_a_path_or_a_finding_with_its_place(text: str) -> None:
    try:
        tree = parse(text)
    except CompileError as error:
        (finding,) = error.diagnostics
        assert finding.span is not None
        assert 0 <= finding.span.start <= finding.span.end <= len(text)
    else:
        assert parse(print_path(tree)) == tree
    read_paths(text)


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("Alice", "a path has at least one hop", ""),
        ("", "the text is empty", ""),
        ("Alice -> r", "the relation is followed by an arrow and a node", ""),
        ("Alice -> r ->", "a node is missing here", ""),
        ("Alice -> -> Bob", "a relation is missing here", "->"),
        ("Alice -> r <- Bob", "the two arrows of a hop point the same way", "<-"),
        ("Alice -> 5 -> Bob", "a number is no relation: 5", "5"),
        ("?q? -> r -> Bob", "'?q?' is no variable", "?q?"),
        ("?x -> ?x -> Bob", "?x is a node of this path, and cannot be a relation too", "?x"),
        ("Alice -> r -> Bob\nCharlie", "the path is at its end here", "Charlie"),
        ("<PATH> Alice -> r -> Bob", "<PATH> is not closed", ""),
        ("Alice -> r -> Bob </PATH>", "the path is at its end here", "</PATH>"),
        ("'\\x' -> r -> Bob", "the escape \\x is not complete", "\\x"),
        ("#1 Crush", "a path has at least one hop", ""),
    ],
)
def test_a_fault_is_told_with_its_place(text: str, message: str, place: str) -> None:
    with pytest.raises(CompileError) as caught:
        parse(text)
    (finding,) = caught.value.diagnostics
    assert finding.message == message
    assert finding.span is not None
    assert text[finding.span.start : finding.span.end] == place


def test_paths_have_a_longest_length() -> None:
    assert len(parse("a" + " -> r -> a" * MAX_HOPS).hops) == MAX_HOPS
    for text in ("a" + " -> r -> a" * (MAX_HOPS + 1), " <SEP> ".join(["r"] * (MAX_HOPS + 1))):
        with pytest.raises(CompileError, match="too-large"):
            parse(text)


# --- what a model wrote -------------------------------------------------------------------------------------------


def test_paths_between_tags_are_read_and_all_else_is_told() -> None:
    text = """# Reasoning Path:
<PATH> Alice -> marry_to -> Bob </PATH>
<PATH> Alice -> marry_to </PATH> perhaps </PATH> <PATH> r <SEP> s </PATH>
# Answer:
Bob
<PATH> Alice -> r -> """
    reading = read_paths(text)
    assert [print_path(path) for path in reading.paths] == ["Alice -> marry_to -> Bob", "?n0 -> r -> ?n1 -> s -> ?n2"]
    told = [(one.severity, text[one.span.start : one.span.end]) for one in reading.findings if one.span is not None]
    assert told == [
        ("note", "# Reasoning Path:"),
        ("error", "</PATH>"),
        ("error", "</PATH>"),
        ("note", "# Answer:"),
        ("note", "Bob"),
        ("error", ""),
    ]


def test_without_tags_each_line_is_a_path() -> None:
    reading = read_paths("The paths are:\n\n1. A -> r -> B\n2. A -> r\n3. C <- s <- D\nThat is all.")
    assert [print_path(path) for path in reading.paths] == ["A -> r -> B", "C <- s <- D"]
    assert [finding.code for finding in reading.findings] == ["not-a-path", "syntax", "not-a-path"]


def test_a_number_that_counts_nothing_belongs_to_the_name() -> None:
    (path,) = read_paths("1. FC Köln -> located_in -> Köln").paths
    assert path.nodes[0] == Named("1. FC Köln")
    assert [path.nodes[0] for path in read_paths("* A -> r -> B\n- 2. C -> r -> B").paths] == [
        Named("A"),
        Named("2. C"),
    ]


def test_paths_of_relations_begin_where_they_are_said_to() -> None:
    reading = read_paths("<PATH> r <SEP> s </PATH> <PATH> A -> r -> B </PATH>", start=Named("Alice"))
    assert [print_path(path) for path in reading.paths] == ["Alice -> r -> ?n1 -> s -> ?n2", "A -> r -> B"]


def test_places_point_into_the_whole_text() -> None:
    text = "what?\n- Alice -> marry_to -> Bob"
    (path,) = read_paths(text).paths
    spans = [place.span for place in path.places]
    assert [text[span.start : span.end] for span in spans if span is not None] == ["Alice", "marry_to", "Bob"]
