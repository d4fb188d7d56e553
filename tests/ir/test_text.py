"""The printed form: it reads well, comes back the same, and says where it is wrong."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pylf.ir.text
from pylf.errors import CompileError
from pylf.ir.nodes import Body, Compare, Form, InstanceOf, Member, Not, Op, Query, Triple, Union
from pylf.ir.terms import ILLEGAL_IN_IRI, RDF_LANG_STRING, Iri, Literal, Var
from pylf.ir.text import parse_query, print_conjunct, print_query, print_type
from pylf.ir.traverse import bodies, walk
from pylf.ir.types import ANY, ENTITY, INTEGER, RELATION, LiteralType, RowType, SubgraphType, entity_of
from pylf.testing.ir_strategies import queries

# every node, every shape of type and every suffix once
EVERYTHING = """\
rows ?a ?b
  ?a: entity <http://x/A>
  ?b: entity (<http://x/A> | <http://x/B>) & <http://x/C>
  ?c: literal <http://www.w3.org/2001/XMLSchema#integer>
  ?d: literal
  ?e: any
  ?f: any
  ?g: any
  ?h: any
  ?k: any
  ?l: entity <http://x/A> | <http://x/B>
  ?m: entity
  ?p: relation
where
  ?a <http://x/p> ?b
  ?a ?p "say \\"no\\"\\n"@en
  ?a a <http://x/A> | <http://x/B>
  ?b in (<http://x/b>, "1"^^<http://www.w3.org/2001/XMLSchema#integer>, "Delta")
  ?b in ()
  ?b <http://x/q> ?e with confidence ?d
  ?d >= "0.5" by number
  ?a is ?b
  path ?a -<http://x/p>-> ?l <-<http://x/q>- ?b
  ?a <http://x/part>+ ?m
  ?m <http://x/part>* <http://x/root>
  not
    ?a <http://x/p> ?f
    not
      always
  either
    ?a <http://x/r> ?g
    ?g < "3"
  or
    ?a <http://x/s> ?g
  distinct ?a ?b
    ?a <http://x/p> ?b
  ?c counts ?h per ?a
    ?a <http://x/p> ?h
  ?a with largest ?k by date
    ?a <http://x/date> ?k
  never
"""


def test_every_node_is_printed_as_it_is_read() -> None:
    query = parse_query(EVERYTHING)
    assert print_query(query) == EVERYTHING
    assert len({type(node) for node in walk(query)}) == 12


def test_the_best_three_are_printed_as_they_are_read() -> None:
    text = "set ?x\n  ?m: any\n  ?x: entity\nwhere\n  ?x with 3 smallest ?m by text\n    ?x <http://x/mass> ?m\n"
    assert print_query(parse_query(text)) == text


def test_the_example_in_the_documentation_is_in_its_printed_form() -> None:
    documentation = pylf.ir.text.__doc__ or ""
    example = documentation[documentation.index("    set ?rocket") : documentation.index("\n\n=====")]
    example = textwrap.dedent(example) + "\n"
    assert print_query(parse_query(example)) == example


@settings(max_examples=40)
@given(queries())
def test_what_is_printed_reads_back_the_same(query: Query) -> None:
    text = print_query(query)
    again = parse_query(text)
    assert again == query
    assert again.types == query.types
    assert text.count("\n") == len(text.splitlines()), "whatever breaks a line is escaped"


@settings(max_examples=100)
@given(st.text(st.characters(exclude_categories=())), st.sampled_from((None, "en", "zh-hant-tw")))
def test_every_string_reads_back_the_same(lexical: str, language: str | None) -> None:
    literal = Literal(lexical) if language is None else Literal(lexical, RDF_LANG_STRING, language)
    query = Query(Form.SET, (Var("x"),), Body((Member(Var("x"), (literal, Iri("a"))),)), (("x", ANY),))
    text = print_query(query)
    assert parse_query(text) == query
    assert all(c.isprintable() for c in text.replace("\n", ""))


@settings(max_examples=100)
@given(st.text(st.characters(exclude_categories=("Cs",), exclude_characters=ILLEGAL_IN_IRI), min_size=1))
def test_every_iri_reads_back_the_same(value: str) -> None:
    iri = Iri(value)
    typed = (("x", entity_of((value,))), ("y", LiteralType(value)))
    body = Body((Triple(Var("x"), iri, Literal("v", value)), InstanceOf(Var("x"), (iri,)), Triple(iri, iri, Var("y"))))
    query = Query(Form.SET, (Var("x"),), body, typed)
    assert parse_query(print_query(query)) == query


@pytest.mark.parametrize("char", sorted(ILLEGAL_IN_IRI))
def test_an_illegal_character_in_an_iri_is_escaped_and_then_refused(char: str) -> None:
    x = Var("x")
    query = Query(Form.SET, (x,), Body((Triple(x, Iri(f"http://x/{char}y"), x),)), (("x", ENTITY),))
    with pytest.raises(CompileError) as refused:
        parse_query(print_query(query))
    assert refused.value.diagnostics[0].code == "illegal-iri"


@pytest.mark.parametrize("char", sorted(set(' "{}|^`\\')))
def test_an_illegal_character_in_an_iri_is_pointed_at(char: str) -> None:
    with pytest.raises(CompileError) as refused:
        parse_query(f"set ?x\nwhere\n  ?x <http://x/a{char}b> ?y\n")
    (finding,) = refused.value.diagnostics
    assert (finding.code, finding.span and finding.span.start) == ("illegal-iri", 29)


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        (ENTITY, "entity"),
        (entity_of(("a",)), "entity <a>"),
        (entity_of(("b", "a")), "entity <a> | <b>"),
        (entity_of(("a", "b"), ("c",)), "entity (<a> | <b>) & <c>"),
        (LiteralType(), "literal"),
        (INTEGER, "literal <http://www.w3.org/2001/XMLSchema#integer>"),
        (RELATION, "relation"),
        (ANY, "any"),
        (RowType((ENTITY, RowType(()))), "row (entity, row ())"),
        (SubgraphType(), "subgraph"),
    ],
)
def test_types_read_back_the_same(type_: object, text: str) -> None:
    query = parse_query(f"set ?x\n  ?x: {text}\nwhere\n  ?x a <http://x/A>\n", check=False)
    assert query.type_of["x"] == type_
    assert print_type(query.type_of["x"]) == text


def test_spans_point_at_the_lines_that_nodes_came_from() -> None:
    for node in walk(parse_query(EVERYTHING)):
        assert node.span is not None
        written = EVERYTHING[node.span.start : node.span.end]
        if bodies(node):
            assert "\n" not in written
        else:
            assert written == print_conjunct(node)


def test_variables_without_a_type_get_what_their_places_tell() -> None:
    query = parse_query("number ?n\nwhere\n  ?n counts ?x\n    ?x ?p ?y\n")
    assert query.types == (("n", INTEGER), ("p", RELATION), ("x", ENTITY), ("y", ANY))


def test_comments_blank_lines_and_tabs_are_allowed() -> None:
    text = "# a question\n\nset ?x  # the answer\n\nwhere\n\t# first\n\t?x <http://x/a#b> ?y # why\n\n"
    text += "\tnot\n\t\t?x <p> ?z\n   # end"
    assert len(parse_query(text).body.conjuncts) == 2
    assert parse_query(text.replace("\n", "\r\n")) == parse_query(text)


def test_a_conjunct_fits_on_one_line() -> None:
    inner = Not(Body((Compare(Op.LT, Var("y"), Literal("5")),)))
    union = Union((Body((Triple(Var("x"), Iri("p"), Var("y")), inner)), Body()))
    assert print_conjunct(union) == '{ ?x <p> ?y; not { ?y < "5" } } or { always }'
    for _ in range(2000):  # far deeper than any sound query
        union = Union((Body((union,)),))
    assert print_conjunct(union) == "{ { { { { … } } } } }"


WRONG = [
    ("", "ir-syntax", "ends too early"),
    ("set ?x", "ir-syntax", "ends too early"),
    ("set ?x\nwhere\n", "ir-syntax", "ends too early"),
    ("sets ?x\nwhere\n  always", "ir-syntax", "'s' is not expected"),
    ("set ?x\nwhere\n  ?x <p> 5\n", "ir-syntax", "'5' is not expected"),
    ("set ?x\nwhere\n  ?x <p> ?1\n", "ir-syntax", "'?1' is not expected"),
    ("set ?x\nwhere\n  ?x <p>\n  ?x <q> ?y\n", "ir-syntax", "the line ends too early"),
    ("set ?x\nwhere\n  ?x <p> ?y ?z\n", "ir-syntax", "'?z' is not expected"),
    ("set ?x\nwhere\n  ?x <p> <http://x\n", "ir-syntax", "no closing '>'"),
    ('set ?x\nwhere\n  ?x <p> "half\n', "ir-syntax", "no end on its line"),
    ('set ?x\nwhere\n  ?x <p> "a"^^<x y>\n', "illegal-iri", "a blank"),
    ("set ?x\nwhere\n  ?x <p\\u007D> ?y\n", "illegal-iri", "'}'"),
    ('set ?x\nwhere\n  ?x <p> "\\q"\n', "bad-escape", "\\q"),
    ('set ?x\nwhere\n  ?x <p> "\\U00110000"\n', "bad-escape", "\\U00110000"),
    ("set ?x\nwhere\n  ?x <p> ?y\n    ?x <q> ?z\n", "ir-syntax", "takes no body"),
    ("set ?x\nwhere\n  not\n  ?x <q> ?z\n", "ir-syntax", "body that should stand here is missing"),
    ("set ?x\nwhere\n    ?x <p> ?y\n  ?x <q> ?z\n", "ir-layout", "indented by 2"),
    ("set ?x\nwhere\n  ?x with 12345678901234567890 largest ?y\n    ?x <p> ?y\n", "ir-syntax", "not expected"),
    ("set ?x\n  ?x: any\n  ?x: any\nwhere\n  ?x <p> ?y\n", "ir-types", "?x has a type already"),
    ("set ?x\n  ?z: any\nwhere\n  ?x <p> ?y\n", "ir-types", "?z has a type and does not occur"),
    ("set ?x\nwhere\n  ?y <p> ?z\n", "invalid-ir", "form: nothing positive binds the output ?x"),
    ('set ?x\nwhere\n  "a" <p> ?x\n', "invalid-ir", 'term: a literal cannot be a subject, in: "a" <p> ?x'),
    ("set ?x\nwhere\n  ?x <p> ?y\n  ?z < ?y\n", "invalid-ir", "safety: nothing positive binds ?z, in: ?z < ?y"),
]


@pytest.mark.parametrize(("text", "code", "message"), WRONG)
def test_what_is_wrong_is_said_with_its_place(text: str, code: str, message: str) -> None:
    with pytest.raises(CompileError) as refused:
        parse_query(text, "hand.ir")
    (finding,) = refused.value.diagnostics
    assert finding.code == code
    assert message in finding.message
    assert "hand.ir:" in finding.render()
    assert "^" in finding.render()


def test_unsound_ir_is_read_when_nothing_is_checked() -> None:
    assert parse_query("set ?x\nwhere\n  ?y <p> ?z\n", check=False).outputs == (Var("x"),)


def test_nesting_beyond_the_limit_is_a_diagnostic() -> None:
    def nested(depth: int) -> str:
        lines = ["  " * (i + 1) + "not" for i in range(depth)]
        return "\n".join(["boolean", "where", *lines, "  " * (depth + 1) + "?x <p> ?y"])

    assert parse_query(nested(100)).form is Form.BOOLEAN
    for depth in (101, 800):
        with pytest.raises(CompileError) as refused:
            parse_query(nested(depth))
        assert refused.value.diagnostics[0].code == "too-deep"


WORDS = '?x <p> "a" not either or where set ( ) | - -> <- < with largest 3 counts in a is by date always " \\ #'
PIECES = [*WORDS.split(), "\n", "\n  ", "\n    ", "<a b>"]


def diagnosed(text: str) -> str | None:
    """The rendered diagnostic, or None where the text is a query."""
    try:
        query = parse_query(text)
    except CompileError as error:
        return error.diagnostics[0].render()
    assert parse_query(print_query(query)) == query
    return None


@settings(max_examples=100)
@given(
    st.one_of(
        st.text(),
        st.lists(st.sampled_from(PIECES)).map(" ".join),
        st.lists(st.sampled_from(PIECES)).map(lambda words: "set ?x\nwhere\n  " + " ".join(words)),
    )
)
def test_any_text_is_a_query_or_a_diagnostic(text: str) -> None:
    assert diagnosed(text) != ""


@settings(max_examples=60)
@given(queries(2), st.data())
def test_a_damaged_query_is_a_query_or_a_diagnostic(query: Query, data: st.DataObject) -> None:
    text = print_query(query)
    at = data.draw(st.integers(0, len(text)))
    damaged = text[:at] + data.draw(st.sampled_from(("", *PIECES))) + text[at + data.draw(st.integers(0, 3)) :]
    assert diagnosed(damaged) != ""
