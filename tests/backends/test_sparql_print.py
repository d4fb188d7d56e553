"""The printer: layout, escapes, precedence, and what it refuses to pass on."""

from __future__ import annotations

import pyoxigraph
import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st

from pylf.backends.dialects import NAMES, dialect_named
from pylf.backends.sparql.print import is_strict, print_tree
from pylf.backends.sparql.query import (
    Aggregate,
    Ask,
    Bind,
    Call,
    Column,
    Exists,
    Filter,
    Group,
    Minus,
    Operation,
    OptionalPattern,
    PathExpression,
    Select,
    TriplePattern,
    UnionPattern,
    Values,
)
from pylf.errors import InputError, InvalidIR
from pylf.ir.terms import XSD, Iri, Literal, Var, tagged

X, Y, Z = Var("x"), Var("y"), Var("z")
P, Q = Iri("http://e/p"), Iri("http://e/q")
GENERIC = dialect_named("sparql11")


def integer(text: str) -> Literal:
    return Literal(text, XSD + "integer")


def shown(*patterns, dialect=GENERIC) -> str:
    return print_tree(Select((X,), Group(patterns)), dialect)


def expression(e) -> str:
    line = shown(Filter(e)).splitlines()[1].strip()
    return line.removeprefix("FILTER(").removesuffix(")")


def parses(text: str) -> None:
    pyoxigraph.Store().query(text)
    rdflib.Graph().query(text)


def test_every_pattern_prints_indented_and_both_engines_read_it():
    tree = Select(
        (X, Column(Aggregate("COUNT", Y, distinct=True), Z)),
        Group(
            (
                Select((X, Y), Group((TriplePattern(X, P, Y),)), distinct=True),
                Values((X,), ((Iri("http://e/a"),), (Literal("b"),))),
                Values((X, Y), ((P, integer("1")), (Q, tagged("c", "EN")))),
                TriplePattern(X, PathExpression("|", (P, PathExpression("/", (Q, PathExpression("^", (P,)))))), Y),
                TriplePattern(X, PathExpression("*", (PathExpression("|", (P, Q)),)), Y),
                UnionPattern((Group((TriplePattern(X, P, Y),)), Group((Bind(integer("1"), Y),)))),
                OptionalPattern(Group((TriplePattern(X, Q, Var("w")),))),
                Group((TriplePattern(X, P, Y),)),
                Minus(Group((TriplePattern(X, Q, Y),))),
                Filter(Exists(Group((TriplePattern(X, P, Y),)), negated=True)),
            )
        ),
        group_by=(X,),
        having=Operation(">", (Aggregate("COUNT", None), integer("0"))),
        order_by=((X, True), (Call("STR", (X,)), False)),
        limit=3,
    )
    text = print_tree(tree, GENERIC)
    assert (
        text
        == """\
SELECT ?x (COUNT(DISTINCT ?y) AS ?z) WHERE {
  {
    SELECT DISTINCT ?x ?y WHERE {
      ?x <http://e/p> ?y .
    }
  }
  VALUES ?x { <http://e/a> "b" }
  VALUES (?x ?y) { (<http://e/p> 1) (<http://e/q> "c"@en) }
  ?x <http://e/p>|<http://e/q>/^<http://e/p> ?y .
  ?x (<http://e/p>|<http://e/q>)* ?y .
  {
    ?x <http://e/p> ?y .
  }
  UNION {
    BIND(1 AS ?y)
  }
  OPTIONAL {
    ?x <http://e/q> ?w .
  }
  {
    ?x <http://e/p> ?y .
  }
  MINUS {
    ?x <http://e/q> ?y .
  }
  FILTER NOT EXISTS {
    ?x <http://e/p> ?y .
  }
}
GROUP BY ?x
HAVING (COUNT(*) > 0)
ORDER BY DESC(?x) ASC(STR(?x))
LIMIT 3
"""
    )
    parses(text)


def test_ask():
    assert print_tree(Ask(Group((TriplePattern(X, P, Y),))), GENERIC) == "ASK {\n  ?x <http://e/p> ?y .\n}\n"


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (Operation("&&", (Operation("||", (X, Y)), Z)), "(?x || ?y) && ?z"),
        (Operation("||", (Operation("&&", (X, Y)), Z)), "?x && ?y || ?z"),
        (Operation("!", (Operation("=", (X, Y)),)), "!(?x = ?y)"),
        (Operation("!", (Call("BOUND", (X,)),)), "!BOUND(?x)"),
        (Operation("!", (Operation("!", (X,)),)), "!(!?x)"),
        (Operation("<", (Operation("+", (X, Y)), Z)), "?x + ?y < ?z"),
        (Operation("+", (X, Operation("-", (Y, Z)))), "?x + (?y - ?z)"),
        (Operation("=", (Operation("=", (X, Y)), Z)), "(?x = ?y) = ?z"),
        (Operation("IN", (X, P, integer("2"))), "?x IN (<http://e/p>, 2)"),
        (Call(Iri(XSD + "double"), (X,)), f"<{XSD}double>(?x)"),
    ],
)
def test_operators_keep_their_extent(tree, text):
    assert expression(tree) == text
    parses(shown(TriplePattern(X, P, Y), TriplePattern(X, P, Z), Filter(tree)))


def test_exists_within_an_expression_stands_in_parentheses():
    text = shown(
        TriplePattern(X, P, Y),
        Filter(Operation("||", (Exists(Group((TriplePattern(X, Q, Z),))), Operation("=", (X, Y))))),
    )
    assert "(EXISTS {\n" in text
    parses(text)


def test_long_expressions_take_several_lines():
    long = Call("IF", (Call("REGEX", (X, Literal("a" * 90))), Operation("=", (X, Literal("b" * 60))), Literal("c")))
    text = shown(TriplePattern(X, P, Y), Filter(Operation("||", (long, long))))
    assert max(len(line) for line in text.splitlines()) < 120
    parses(text)


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        (Literal("a"), '"a"'),
        (Literal('say "no"\\\n\r\t\b\f'), r'"say \"no\"\\\n\r\t\b\f"'),
        (tagged("a", "EN-gb"), '"a"@en-gb'),
        (integer("-12"), "-12"),
        (integer("012"), f'"012"^^<{XSD}integer>'),
        (integer("+1"), f'"+1"^^<{XSD}integer>'),
        (Literal("1.50", XSD + "decimal"), "1.50"),
        (Literal("1.", XSD + "decimal"), f'"1."^^<{XSD}decimal>'),
        (Literal("1e0", XSD + "double"), "1e0"),
        (Literal("INF", XSD + "double"), f'"INF"^^<{XSD}double>'),
        (Literal("true", XSD + "boolean"), "true"),
        (Literal("1", XSD + "boolean"), f'"1"^^<{XSD}boolean>'),
        (Literal("1", XSD + "int"), f'"1"^^<{XSD}int>'),
    ],
)
def test_literals(literal, text):
    assert shown(TriplePattern(X, P, literal)).splitlines()[1] == f"  ?x <http://e/p> {text} ."


# case 10: what an IRI may not hold is refused, what it may is written in full
@pytest.mark.parametrize("character", ' <>"{}|\\^`\n\x00\x7f'.replace("\x7f", ""))
def test_case_10_illegal_iri_characters_are_refused(character):
    with pytest.raises(InvalidIR, match="may not hold"):
        shown(TriplePattern(Iri(f"http://e/a{character}b"), P, X))


@pytest.mark.parametrize("iri", ["", "a", "/a", "//e/a", "1http://e/", "http://e/\ud800"])
def test_what_is_no_absolute_iri_is_refused(iri):
    with pytest.raises(InvalidIR, match="scheme"):
        shown(TriplePattern(Iri(iri), P, X))


def test_case_10_odd_but_legal_names_find_their_node():
    iri = "http://e/Dad's_(film),_100%"
    text = shown(TriplePattern(X, P, Iri(iri)))
    assert f"<{iri}>" in text
    graph = rdflib.Graph()
    graph.add((rdflib.URIRef("http://e/s"), rdflib.URIRef("http://e/p"), rdflib.URIRef(iri)))
    assert len(graph.query(text)) == 1


@pytest.mark.parametrize(
    ("iri", "strict"),
    [
        ("http://e/Dad's_(film),_100%", False),
        ("http://e/Dad's_(film),_100%25", True),
        (
            "http://rdf.freebase.com/ns/film.film.release_date_s..film.film_regional_release_date.film_release_region",
            True,
        ),
        ("http://e/a#b", True),
        ("http://e/a#b#c", False),
        ("http://e/a?b=c&d=e/?", True),
        ("http://e:80/\u0395\u03bb\u03bb\u03ac\u03b4\u03b1", True),
        ("http://e:port/", False),
        ("http://e/[a]", False),
        ("urn:isbn:0-486-27557-4", True),
        ("http://e/\ue000", False),
        ("mailto:a@b.c", True),
    ],
)
def test_what_oxigraph_calls_an_iri(iri, strict):
    assert is_strict(iri) is strict
    query = shown(TriplePattern(X, P, Iri(iri)))
    if strict:
        pyoxigraph.Store().query(query)
    else:
        with pytest.raises(SyntaxError):
            pyoxigraph.Store().query(query)


@settings(max_examples=200)
@given(
    st.lists(st.sampled_from([*"ab:/?#%@[]'()é\ue000\ufffe", "//", "%20", "::", "http://"]), max_size=8).map("".join)
)
def test_oxigraph_takes_every_iri_that_is_called_strict(rest):
    iri = "http:" + rest
    if is_strict(iri):
        assert pyoxigraph.NamedNode(iri).value == iri


@pytest.mark.parametrize("name", ["", "1x", "_x", "x y", "x}", "é", "x-y", "?x"])
def test_what_is_no_variable_name_is_refused(name):
    with pytest.raises(InvalidIR, match="variable"):
        shown(TriplePattern(Var(name), P, X))


def test_half_a_surrogate_pair_and_a_bad_tag_are_refused():
    with pytest.raises(InvalidIR, match="surrogate"):
        shown(TriplePattern(X, P, Literal("\udcff")))
    with pytest.raises(InvalidIR, match="language tag"):
        shown(TriplePattern(X, P, tagged("a", "en us")))
    with pytest.raises(InvalidIR, match="may not hold"):
        shown(TriplePattern(X, P, Literal("a", "http://e/> ")))


HOSTILE = [
    '"',
    "\\",
    "\n",
    "\r",
    "u0041",
    "U0001F680",
    "'",
    "}",
    "#",
    "<http://e/>",
    "?x",
    "\x00",
    "\x85",
    "é",
    "\U0001f680",
]


@settings(max_examples=60)
@given(st.lists(st.sampled_from(HOSTILE), max_size=8).map("".join))
def test_any_string_comes_back_as_it_was(text):
    literal = Literal(text)
    store = pyoxigraph.Store()
    store.add(
        pyoxigraph.Quad(
            pyoxigraph.NamedNode("http://e/s"), pyoxigraph.NamedNode("http://e/p"), pyoxigraph.Literal(text)
        )
    )
    query = shown(TriplePattern(X, P, literal), dialect=dialect_named("oxigraph"))
    assert len(list(store.query(query))) == 1
    graph = rdflib.Graph()
    graph.add((rdflib.URIRef("http://e/s"), rdflib.URIRef("http://e/p"), rdflib.Literal(text)))
    query = shown(TriplePattern(X, P, literal), dialect=dialect_named("rdflib"))
    assert len(graph.query(query)) == 1


def test_dialects_go_by_name():
    assert [dialect_named(name).name for name in NAMES] == list(NAMES)
    with pytest.raises(InputError, match="sparql11, oxigraph, rdflib"):
        dialect_named("mysql")
