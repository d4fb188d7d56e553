"""What SPARQL texts are read as, and how they are printed."""

from __future__ import annotations

import gzip
import json
import sys
from typing import TYPE_CHECKING

import pyoxigraph
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pylf.errors import CompileError, Span
from pylf.frontends.sparql import parser, syntax
from pylf.frontends.sparql.parser import parse
from pylf.frontends.sparql.printer import print_query, print_text
from pylf.frontends.sparql.relative import resolve
from pylf.frontends.sparql.scanner import MAX_DEPTH, MAX_NOTES
from pylf.ir.terms import RDF, XSD, Blank, Iri, Literal, Var
from tests.frontends.random_sparql import REAL, TOKENS, queries

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WDT, WD, FB = "http://www.wikidata.org/prop/direct/", "http://www.wikidata.org/entity/", "http://rdf.freebase.com/ns/"
HERE = Span(0, 0)
#: The prefixes of the texts below, so that using them is no departure from anything.
PREFIXES = {"wdt": WDT, "wd": WD, "p": "http://p/", "fb": FB, "xsd": XSD, "e": "http://e/"}


def at(term: Var | Iri | Literal | Blank | str) -> syntax.At:
    return syntax.At(Var(term) if isinstance(term, str) else term, HERE)


def read(text: str) -> syntax.Select | syntax.Ask:
    """A query in which nothing departs from the standard."""
    found = parse(text, prefixes=PREFIXES)
    assert found.notes == ()
    return found.query


def parts(pattern: str) -> tuple[syntax.Pattern, ...]:
    return read(f"ASK {{ {pattern} }}").where.parts


def triple(pattern: str) -> syntax.Triple:
    (found,) = parts(pattern)
    assert isinstance(found, syntax.Triple)
    return found


def value(expression: str) -> syntax.Expression:
    (found,) = parts(f"FILTER ({expression})")
    assert isinstance(found, syntax.Filter)
    return found.condition


def integer(lexical: str) -> syntax.At:
    return at(Literal(lexical, XSD + "integer"))


def call(function: str | Iri, *arguments: syntax.Expression) -> syntax.Call:
    return syntax.Call(function, arguments, HERE)


def wdt(name: str) -> syntax.At:
    return at(Iri(WDT + name))


# --- terms --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "term"),
    [
        ("?x", Var("x")),
        ("$x", Var("x")),
        ("?1é", Var("1é")),
        ("?\\u0061b", Var("ab")),
        ("<http://e/\\u00e9>", Iri("http://e/é")),
        ("<http://e/?x&y=1>", Iri("http://e/?x&y=1")),
        ("wd:Q5", Iri(WD + "Q5")),
        ("wd:", Iri(WD)),
        ("wd:a:b.c-d", Iri(WD + "a:b.c-d")),
        ("wd:%20\\-\\/", Iri(WD + "%20-/")),
        ("wd:1é", Iri(WD + "1é")),
        ("fb:location.country.capital", Iri(FB + "location.country.capital")),
        ('"x"', Literal("x")),
        ("'it\"s'", Literal('it"s')),
        ('"""a"b""c\n"""', Literal('a"b""c\n')),
        ("'''it's'''", Literal("it's")),
        ('""', Literal("")),
        (r'"\t\n\\\"\u00e9\U0001F600"', Literal('\t\n\\"é😀')),
        ('"x"@en', Literal("x", RDF + "langString", "en")),
        ('"x" @zh-Hans', Literal("x", RDF + "langString", "zh-hans")),
        ('"1984-01-01" ^^ xsd:date', Literal("1984-01-01", XSD + "date")),
        ('"x"^^<http://e/t>', Literal("x", "http://e/t")),
        ("5", Literal("5", XSD + "integer")),
        ("-5", Literal("-5", XSD + "integer")),
        ("+5", Literal("+5", XSD + "integer")),
        ("5.0", Literal("5.0", XSD + "decimal")),
        (".5", Literal(".5", XSD + "decimal")),
        ("-5.e3", Literal("-5.e3", XSD + "double")),
        ("1E-3", Literal("1E-3", XSD + "double")),
        ("true", Literal("true", XSD + "boolean")),
        ("FALSE", Literal("false", XSD + "boolean")),
        ("_:a.b", Blank("a.b")),
        ("()", Iri(RDF + "nil")),
    ],
)
def test_terms(written: str, term: Var | Iri | Literal | Blank) -> None:
    assert triple(f"?s ?p {written}").object == at(term)
    assert triple(f"?s ?p {written}.").object == at(term)


def test_a_name_ends_before_the_dot_that_ends_its_triple() -> None:
    assert [one.object for one in parts("?s ?p fb:a.b. ?s ?p 5. ?s ?p ?x.")] == [
        at(Iri(FB + "a.b")),
        integer("5"),
        at("x"),
    ]


def test_names_are_relative_to_the_base() -> None:
    text = "BASE <http://e/f/g> PREFIX : <h#> BASE <../i/> ASK { :x <j> <#k> . <//l/m/./n> <?o> </p/q/..> }"
    found = parse(text)
    first, second = found.query.where.parts
    assert first == syntax.Triple(at(Iri("http://e/f/h#x")), at(Iri("http://e/i/j")), at(Iri("http://e/i/#k")), HERE)
    assert second == syntax.Triple(at(Iri("http://l/m/n")), at(Iri("http://e/i/?o")), at(Iri("http://e/p/")), HERE)
    assert found.prefixes == {"": "http://e/f/h#"}


@pytest.mark.parametrize(
    ("reference", "whole"),
    [
        *(("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/")),
        *(("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y")),
        *(("#s", "http://a/b/c/d;p?q#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("..", "http://a/b/")),
        *(("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../../g", "http://a/g"), ("/../g", "http://a/g")),
        *(
            ("g.", "http://a/b/c/g."),
            ("..g", "http://a/b/c/..g"),
            ("./g/.", "http://a/b/c/g/"),
            (";x", "http://a/b/c/;x"),
        ),
        *(("g/../h", "http://a/b/c/h"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("g;x=1/../y", "http://a/b/c/y")),
    ],
)
def test_relative_names_as_the_rfc_lists_them(reference: str, whole: str) -> None:
    assert resolve(reference, "http://a/b/c/d;p?q") == whole


def test_iris_that_are_made_are_relative_to_the_base_too() -> None:
    based = parse("BASE <http://e/f> ASK { BIND(IRI('g') AS ?x) BIND(URI(<h>) AS ?y) }").query
    assert based == read("ASK { BIND(IRI('http://e/g') AS ?x) BIND(IRI(<http://e/h>) AS ?y) }")
    read("ASK { BIND(IRI(?y) AS ?x) }")
    with pytest.raises(CompileError, match="relative-iri"):
        parse("BASE <http://e/f> ASK { BIND(IRI(?y) AS ?x) }")


# --- triples and paths --------------------------------------------------------------------------------------------


def test_what_spares_writing_is_gone() -> None:
    a, b = at(Blank("b1")), at(Blank("b2"))
    assert parts("?s a ?c ; ?p ?x , ?y ;; .") == parts(f"?s <{RDF}type> ?c . ?s ?p ?x . ?s ?p ?y")
    assert parts("?s ?p [ ?q [] ; ?r 1 ] . [ ?q ?x ] . [] ?q ?y") == (
        syntax.Triple(at("s"), at("p"), a, HERE),
        syntax.Triple(a, at("q"), b, HERE),
        syntax.Triple(a, at("r"), integer("1"), HERE),
        syntax.Triple(at(Blank("b3")), at("q"), at("x"), HERE),
        syntax.Triple(at(Blank("b4")), at("q"), at("y"), HERE),
    )
    first, rest, nil = (at(Iri(RDF + name)) for name in ("first", "rest", "nil"))
    assert parts("(1 ?x) ?q ?y") == (
        syntax.Triple(a, first, integer("1"), HERE),
        syntax.Triple(a, rest, b, HERE),
        syntax.Triple(b, first, at("x"), HERE),
        syntax.Triple(b, rest, nil, HERE),
        syntax.Triple(a, at("q"), at("y"), HERE),
    )


def test_blank_nodes_without_a_name_have_none_of_the_texts() -> None:
    one, other = parts("_:b1 ?p [] . [] ?p _:b2")
    assert {one.object.term, other.subject.term}.isdisjoint({Blank("b1"), Blank("b2")})
    assert one.object != other.subject


def test_a_filter_does_not_end_the_pattern_of_a_blank_node() -> None:
    read("ASK { _:a ?p ?x FILTER NOT EXISTS { ?x ?q ?y } _:a ?q ?z }")
    with pytest.raises(CompileError, match="_:a stands in two patterns"):
        read("ASK { _:a ?p ?x OPTIONAL { ?x ?q ?y } _:a ?q ?z }")


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("?p", at("p")),
        ("a", at(Iri(RDF + "type"))),
        ("wdt:P1 / wdt:P2 *", syntax.Sequence((wdt("P1"), syntax.Repeated(wdt("P2"), 0, None, HERE)), HERE)),
        ("wdt:P1/(wdt:P2/wdt:P3)", syntax.Sequence((wdt("P1"), wdt("P2"), wdt("P3")), HERE)),
        ("wdt:P1|(wdt:P2|a)", syntax.Alternative((wdt("P1"), wdt("P2"), at(Iri(RDF + "type"))), HERE)),
        (
            "wdt:P1|wdt:P2/^wdt:P3",
            syntax.Alternative((wdt("P1"), syntax.Sequence((wdt("P2"), syntax.Inverse(wdt("P3"), HERE)), HERE)), HERE),
        ),
        ("^wdt:P1+", syntax.Inverse(syntax.Repeated(wdt("P1"), 1, None, HERE), HERE)),
        ("(^wdt:P1)?", syntax.Repeated(syntax.Inverse(wdt("P1"), HERE), 0, 1, HERE)),
        ("wdt:P1?", syntax.Repeated(wdt("P1"), 0, 1, HERE)),
        ("!wdt:P1", syntax.Except((Iri(WDT + "P1"),), (), HERE)),
        ("!^wdt:P1", syntax.Except((), (Iri(WDT + "P1"),), HERE)),
        (
            "!(wdt:P1 | ^a)*",
            syntax.Repeated(syntax.Except((Iri(WDT + "P1"),), (Iri(RDF + "type"),), HERE), 0, None, HERE),
        ),
        ("!()", syntax.Except((), (), HERE)),
    ],
)
def test_paths(written: str, path: syntax.Path) -> None:
    assert triple(f"?s {written} ?o").path == path


# --- expressions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("?a || ?b && ?c || ?d", call("||", at("a"), call("&&", at("b"), at("c")), at("d"))),
        ("!?a = ?b", call("=", call("!", at("a")), at("b"))),
        ("?a - ?b - 1", call("-", call("-", at("a"), at("b")), integer("1"))),
        ("?a -1", call("-", at("a"), integer("1"))),
        ("?a*-2+3", call("+", call("*", at("a"), integer("-2")), integer("3"))),
        ("-?a < - 5", call("<", call("negative", at("a")), call("negative", integer("5")))),
        ("+?a", call("+", integer("0"), at("a"))),
        ("?a IN (1, ?b)", call("in", at("a"), integer("1"), at("b"))),
        ("?a NOT IN ()", call("!", call("in", at("a")))),
        ("?a >= (?b != ?c)", call(">=", at("a"), call("!=", at("b"), at("c")))),
        ("isURI(?a)", call("isiri", at("a"))),
        ("URI(?a)", call("iri", at("a"))),
        ("regex(?a, 'b', \"i\")", call("regex", at("a"), at(Literal("b")), at(Literal("i")))),
        ("xsd:integer(?a)", call(Iri(XSD + "integer"), at("a"))),
        ("<http://e/f>()", call(Iri("http://e/f"))),
        ("wd:Q1 = ?a", call("=", at(Iri(WD + "Q1")), at("a"))),
        (
            "COALESCE(?a, IF(BOUND(?b), RAND(), NOW()))",
            call("coalesce", at("a"), call("if", call("bound", at("b")), call("rand"), call("now"))),
        ),
    ],
)
def test_expressions(written: str, expected: syntax.Expression) -> None:
    assert value(written) == expected


def test_less_than_needs_no_blanks_where_it_begins_no_name() -> None:
    assert value("?a<?b&&?c<=5") == value("?a < ?b && ?c <= 5")


def test_exists_stands_among_expressions() -> None:
    group = syntax.Group(parts("?x a ?y"), HERE)
    assert value("EXISTS { ?x a ?y } || ! NOT EXISTS { ?x a ?y }") == call(
        "||", syntax.Exists(group, False, HERE), call("!", syntax.Exists(group, True, HERE))
    )
    assert parts("FILTER NOT EXISTS { ?x a ?y } .") == (syntax.Filter(syntax.Exists(group, True, HERE), HERE),)


# --- patterns and queries -----------------------------------------------------------------------------------------


def test_patterns_stand_in_the_order_of_the_text() -> None:
    found = parts(
        "{ ?a a ?b } FILTER regex(?a, 'x') { } UNION { } UNION { { } } OPTIONAL { ?a a ?c } MINUS { } "
        "BIND(1 AS ?one) VALUES ?v { UNDEF 1 } VALUES (?s ?t) { (wd:Q1 UNDEF) } GRAPH ?g { } SERVICE SILENT e:s { }"
    )
    assert [type(part).__name__ for part in found] == (
        ["Group", "Filter", "Union", "Optional", "Minus", "Bind", "Data", "Data", "Graph", "Service"]
    )
    one = at("v"), at("s"), at("t")
    assert found[6:8] == (
        syntax.Data(one[:1], ((None,), (integer("1"),)), HERE),
        syntax.Data(one[1:], ((at(Iri(WD + "Q1")), None),), HERE),
    )
    assert found[9] == syntax.Service(at(Iri("http://e/s")), syntax.Group((), HERE), HERE, silent=True)


def test_a_select_in_full() -> None:
    found = read(
        "select distinct ?c (count(distinct *) as ?n) (GROUP_CONCAT(?y ; separator = ', ') AS ?all) where { ?c ?p ?y } "
        "group by ?c (str(?p) as ?k) lcase(?p) having (sum(?y) > 1) (max(?y) < 9) "
        "order by desc(?n) ?c str(?c) asc(?k) limit 5 offset 6 values ?c { wd:Q1 }"
    )
    assert isinstance(found, syntax.Select)
    assert found.distinct
    assert found.columns == (
        syntax.Column(at("c"), None, HERE),
        syntax.Column(syntax.Reduce("count", None, True, HERE), at("n"), HERE),
        syntax.Column(syntax.Reduce("group_concat", at("y"), False, HERE, ", "), at("all"), HERE),
    )
    assert found.group_by == (
        syntax.Column(at("c"), None, HERE),
        syntax.Column(call("str", at("p")), at("k"), HERE),
        syntax.Column(call("lcase", at("p")), None, HERE),
    )
    assert [one.function for one in found.having if isinstance(one, syntax.Call)] == [">", "<"]
    assert found.order_by == (
        syntax.Key(at("n"), True, HERE),
        syntax.Key(at("c"), False, HERE),
        syntax.Key(call("str", at("c")), False, HERE),
        syntax.Key(at("k"), False, HERE),
    )
    assert (found.limit, found.offset) == (5, 6)
    assert found.values == syntax.Data((at("c"),), ((at(Iri(WD + "Q1")),),), HERE)


def test_short_queries() -> None:
    everything = read("SELECT*{}")
    assert everything == syntax.Select(None, syntax.Group((), HERE), HERE)
    assert read("SELECT * WHERE { SELECT ?x { } OFFSET 1 LIMIT 2 }") == syntax.Select(
        None,
        syntax.Group(
            (syntax.Select((syntax.Column(at("x"), None, HERE),), everything.where, HERE, limit=2, offset=1),), HERE
        ),
        HERE,
    )
    assert read("ASk WHERE{}") == syntax.Ask(everything.where, HERE)
    assert read("SELECT REDUCED ?x {}") == read("SELECT ?x {}")


def test_what_stands_after_the_pattern_of_an_ask() -> None:
    assert read("ASK { ?x ?p ?o } ORDER BY ?x LIMIT 1") == read("ASK { ?x ?p ?o }")
    assert read("ASK { ?x ?p ?o } OFFSET 2") == read("ASK { SELECT * { ?x ?p ?o } OFFSET 2 }")
    assert read("ASK { ?x ?p ?some } GROUP BY ?x HAVING (COUNT(?p) > 2)") == read(
        "ASK { SELECT (1 AS ?some_2) { ?x ?p ?some } GROUP BY ?x HAVING (COUNT(?p) > 2) }"
    )


def test_the_graphs_asked_are_kept() -> None:
    found = parse("SELECT * FROM <http://g> FROM NAMED <http://h> { ?x ?p ?o }")
    assert (found.graphs, found.named_graphs) == ((at(Iri("http://g")),), (at(Iri("http://h")),))
    again = parse(print_text(found))
    assert (again.query, again.graphs, again.named_graphs) == (found.query, found.graphs, found.named_graphs)


def test_comments_end_with_their_line_and_stand_in_no_name() -> None:
    text = "#MANUAL SPARQL\nASK { ?x ?p <http://e/#a> . # } ?\r ?x ?p '#b' }#"
    assert [str(one.object.term) for one in read(text).where.parts] == ["<http://e/#a>", '"#b"']


# --- places -------------------------------------------------------------------------------------------------------


def _terms(node: object) -> Iterator[syntax.At]:
    if isinstance(node, syntax.At):
        yield node
    elif isinstance(node, tuple) and not isinstance(node, Span):
        for one in node:
            yield from _terms(one)
    elif type(node).__module__ == syntax.__name__:
        for name in node.__match_args__:
            yield from _terms(getattr(node, name))


@pytest.mark.parametrize("text", REAL)
def test_places(text: str) -> None:
    found = parse(text)
    seen = 0
    for one in _terms(found.query):
        written = text[slice(*one.span)]
        match one.term:
            case Var(name):
                assert written == f"?{name}"
            case Iri(full):
                prefix, _, local = written.partition(":")
                assert full.startswith(RDF) or full in {written[1:-1], found.prefixes.get(prefix, "") + local}
            case Literal(lexical):
                assert lexical in written
        seen += 1
    assert seen > 8
    start, end = found.query.span
    assert text[start:end] == text[text.index("SELECT" if "SELECT" in text[:60] else "ASK") :]


def test_places_of_patterns() -> None:
    text = "SELECT ?x { ?x ?p ?o . FILTER (?x = 1 + 2) OPTIONAL { } BIND(1 AS ?y) } ORDER BY DESC(?x)"
    found = parse(text).query
    assert isinstance(found, syntax.Select)
    written = [text[slice(*part.span)] for part in found.where.parts]
    assert written == ["?x ?p ?o", "FILTER (?x = 1 + 2)", "OPTIONAL { }", "BIND(1 AS ?y)"]
    condition = found.where.parts[1]
    assert isinstance(condition, syntax.Filter)
    assert text[slice(*condition.condition.span)] == "?x = 1 + 2"
    assert text[slice(*found.order_by[0].span)] == "DESC(?x)"
    assert text[slice(*found.where.span)].startswith("{ ?x")


# --- not standard -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("loose", "standard", "notes"),
    [
        ("ASK { FILTER (?x = 1 OR ?y = 2 or ?z) }", "ASK { FILTER (?x = 1 || ?y = 2 || ?z) }", ["'OR' is", "'or' is"]),
        ("ASK { FILTER (?x AND ?y) }", "ASK { FILTER (?x && ?y) }", ["'AND' is"]),
        ("ASK { FILTER (NOT (?x) && NOT bound(?y)) }", "ASK { FILTER (!?x && !bound(?y)) }", ["NOT is", "NOT is"]),
        ("ASK { FILTER (!!?x) }", "ASK { FILTER (!(!?x)) }", ["a sign stands after another"]),
        ("ASK { FILTER (?x == ?y && ?x <> ?z) }", "ASK { FILTER (?x = ?y && ?x != ?z) }", ["'==' is", "'<>' is"]),
        ("ASK { FILTER (?x<?y&&?z>?w) }", "ASK { FILTER (?x < ?y && ?z > ?w) }", ["without a blank"]),
        ("SELECT COUNT(?x) { }", "SELECT (COUNT(?x) AS ?count) { }", ["has no name"]),
        (
            "SELECT (COUNT(?x)) (COUNT(?count) ) { }",
            "SELECT (COUNT(?x) AS ?count_2) (COUNT(?count) AS ?count_3) { }",
            ["has no name", "has no name"],
        ),
        ("SELECT DISTINCT COUNT(?x) as ?c { }", "SELECT DISTINCT (COUNT(?x) AS ?c) { }", ["a name is given outside"]),
        ("SELECT ?x AS ?y { }", "SELECT (?x AS ?y) { }", ["a name is given outside"]),
        ("SELECT (COUNT DISTINCT ?x AS ?c) { }", "SELECT (COUNT(DISTINCT ?x) AS ?c) { }", ["what COUNT counts"]),
        (
            "SELECT count distinct ?x where { }",
            "SELECT (COUNT(DISTINCT ?x) AS ?count) { }",
            ["what count counts", "has no name"],
        ),
        ("SELECT COUNT * { }", "SELECT (COUNT(*) AS ?count) { }", ["what COUNT counts", "has no name"]),
        ("SELECT (?x), ?y { }", "SELECT ?x ?y { }", ["in brackets", "a comma"]),
        (
            "SELECT (GROUP_CONCAT(?x, '|') AS ?g) { }",
            "SELECT (GROUP_CONCAT(?x; SEPARATOR='|') AS ?g) { }",
            ["the separator"],
        ),
        ("ASK { FILTER ?x = 1 || ?y }", "ASK { FILTER (?x = 1 || ?y) }", ["without brackets"]),
        (
            "ASK { FILTER (?x = 1) && bound(?y) }",
            "ASK { FILTER ((?x = 1) && bound(?y)) }",
            ["goes on after its brackets"],
        ),
        (
            "ASK { NOT EXISTS { } EXISTS { } }",
            "ASK { FILTER NOT EXISTS { } FILTER EXISTS { } }",
            ["without FILTER"] * 2,
        ),
        ("ASK { ?x ?p ?y ?z ?q 1 . . }", "ASK { ?x ?p ?y . ?z ?q 1 . }", ["a dot is missing", "ends no triple"]),
        ("ASK { . ?x ?p 'a' [] ?q ?z }", "ASK { ?x ?p 'a' . [] ?q ?z }", ["ends no triple", "a dot is missing"]),
        ("ASK { ?x ?p - 5 }", "ASK { ?x ?p -5 }", ["a blank stands"]),
        ("ASK { ?x ?p '1'^^xsd:datetime }", "ASK { ?x ?p '1'^^xsd:dateTime }", ["no datatype 'datetime'"]),
        (
            "ASK { FILTER (XSD:DATE(?x) = xsd:Gyear(?y)) }",
            "ASK { FILTER (xsd:date(?x) = xsd:gYear(?y)) }",
            ["'DATE'", "'Gyear'"],
        ),
        (
            "ASK { VALUES (?x) { 1 (2) } VALUES ?y { (3) 4 } }",
            "ASK { VALUES ?x { 1 2 } VALUES ?y { 3 4 } }",
            ["a row stands"] * 2,
        ),
        (
            "ASK { FILTER (datatype(?x) = xsd:datetime) }",
            "ASK { FILTER (datatype(?x) = xsd:dateTime) }",
            ["'datetime'"],
        ),
        ("ASK { ?x fb:location/country/capital ?y }", "ASK { ?x fb:location.country.capital ?y }", ["with slashes"]),
        ("ASK { fb:/m/0abc ?p ?y }", "ASK { fb:m.0abc ?p ?y }", ["with slashes"]),
        (
            "SELECT ?x { } LIMIT 1 ORDER BY ?x, ?y",
            "SELECT ?x { } ORDER BY ?x ?y LIMIT 1",
            ["ORDER stands after", "a comma"],
        ),
        ("SELECT ?x { } ORDER BY DESC ?x", "SELECT ?x { } ORDER BY DESC(?x)", ["without brackets"]),
        ("SELECT ?x { } ORDER BY ?x DESC LIMIT 1", "SELECT ?x { } ORDER BY DESC(?x) LIMIT 1", ["DESC stands after"]),
        ("SELECT ?x { } ORDER BY ?x + 1", "SELECT ?x { } ORDER BY (?x + 1)", ["without brackets"]),
        (
            "SELECT ?x { } GROUP BY ?x HAVING COUNT(?y) > 1",
            "SELECT ?x { } GROUP BY ?x HAVING (COUNT(?y) > 1)",
            ["goes on"],
        ),
        (
            "@prefix q: <http://q/> . ASK { ?x q:p ?y } ;",
            "PREFIX q: <http://q/> ASK { ?x q:p ?y }",
            ["in Turtle", "not ended"],
        ),
    ],
)
def test_what_is_not_standard_is_read_and_noted(loose: str, standard: str, notes: list[str]) -> None:
    prefixes = {**PREFIXES, "XSD": XSD}
    found = parse(loose, prefixes=prefixes)
    assert found.query == parse(standard, prefixes=prefixes).query
    assert parse(standard, prefixes=prefixes).notes == ()
    assert len(found.notes) == len(notes)
    for note, words in zip(found.notes, notes, strict=True):
        assert words in note.message
        assert (note.code, note.severity, len(note.hints)) == ("not-standard", "warning", 1)
        assert note.span is not None
        assert note.source is found.source
        assert found.source.text[slice(*note.span)].strip()


def test_paths_of_freebase_are_no_names_with_slashes() -> None:
    found = triple("?x fb:a.b/fb:c.d ?y").path
    assert found == syntax.Sequence((at(Iri(FB + "a.b")), at(Iri(FB + "c.d"))), HERE)


def test_well_known_prefixes_need_no_declaration() -> None:
    found = parse(
        "SELECT ?x { ?x wdt:P31 wd:Q5 ; rdfs:label ?l ; ns:a.b ?d . ?x wdt:P1 ?y }", prefixes={"ns": "http://own/"}
    )
    assert [note.message.split()[2] for note in found.notes] == ["wdt:", "wd:", "rdfs:"]
    assert found.notes[0].hints == (f"begin the query with PREFIX wdt: <{WDT}>",)
    assert found.prefixes["ns"] == "http://own/"
    assert set(found.prefixes) == {"wdt", "wd", "rdfs", "ns"}
    own = parse("PREFIX wd: <http://mine/> ASK { wd:a ?p ?o }")
    assert own.notes == ()
    assert own.query.where.parts[0] == syntax.Triple(at(Iri("http://mine/a")), at("p"), at("o"), HERE)


def test_notes_are_bounded() -> None:
    found = parse("ASK {" + " ?x ?p ?o" * 5_000 + "}")
    assert len(found.query.where.parts) == 5_000
    assert len(found.notes) == MAX_NOTES + 1
    assert "more than" in found.notes[-1].message


# --- printing, and all of the grammar -----------------------------------------------------------------------------


@given(queries)
def test_what_is_printed_is_read_as_what_it_was(query: syntax.Select | syntax.Ask) -> None:
    text = print_query(query)
    try:
        found = parse(text)
    except CompileError as error:
        assume(error.diagnostics[0].code not in {"bound-twice", "not-grouped"})
        raise
    assert found.query == query
    assert found.notes == ()


@given(st.data())
def test_broken_texts_are_read_or_refused_with_a_place(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(REAL))
    words = text.split(" ")
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(words) - 1))
        words[place : place + data.draw(st.integers(0, 2))] = data.draw(st.lists(st.sampled_from(TOKENS), max_size=2))
        assume(words)
    broken = data.draw(st.sampled_from([" ", "", "  "])).join(words) if len(words) < 8 else " ".join(words)
    try:
        found = parse(broken)
    except CompileError as error:
        (diagnostic,) = error.diagnostics
        assert diagnostic.span is not None
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(broken) + 1
        assert diagnostic.render()
        return
    again = parse(print_text(found))
    assert again.query == found.query
    assert again.notes == ()


def test_nothing_heavy_is_imported() -> None:
    import subprocess

    code = f"import sys, {parser.__name__} as p; p.parse('ASK {{ ?x ?p 1 }}'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"lark", "rdflib", "difflib", "json", "dataclasses"}.isdisjoint(loaded)


@pytest.mark.parametrize(
    "text",
    [
        "ASK " + "{" * MAX_DEPTH + "}" * MAX_DEPTH,
        "ASK { FILTER " + "(" * (MAX_DEPTH - 1) + "?x" + ")" * (MAX_DEPTH - 1) + "}",
        "ASK { FILTER " + "COALESCE(1, " * (MAX_DEPTH - 2) + "?x" + ")" * (MAX_DEPTH - 2) + "}",
        "ASK { ?x ?p " + "[ ?p " * (MAX_DEPTH - 1) + "1" + "]" * (MAX_DEPTH - 1) + "}",
        "ASK { ?x ?p " + "(" * (MAX_DEPTH - 1) + "1" + ")" * (MAX_DEPTH - 1) + "}",
        "ASK { ?x " + "(" * (MAX_DEPTH - 1) + "wdt:P1" + ")+" * (MAX_DEPTH - 1) + " ?y }",
        "ASK " + "{ SELECT * " * (MAX_DEPTH // 2 - 1) + "{}" + "}" * (MAX_DEPTH // 2 - 1),
        "ASK { FILTER (?x" + " + 1" * (MAX_DEPTH - 3) + ") }",
    ],
)
def test_what_is_as_deep_as_can_be_is_read_within_half_of_pythons_stack(text: str) -> None:
    limit, frame, depth = sys.getrecursionlimit(), sys._getframe(), 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1
    try:
        sys.setrecursionlimit(depth + 500)
        printed = print_text(parse(text))
        assert print_text(parse(printed)) == printed
    finally:
        sys.setrecursionlimit(limit)


# --- real sets ----------------------------------------------------------------------------------------------------


def _real(shared: Path) -> Iterator[tuple[str, str]]:
    folder = shared / "data"
    listed = json.loads((folder / "sparql" / "qald10_394.json").read_text(encoding="utf-8"))["questions"]
    for question in listed:
        yield "qald10_394", question["query"]["sparql"]
    for name, field in (
        ("sparql/qald10_train", "sparql"),
        ("sparql/webqsp_test", "sparql"),
        ("sparql/wwq_val", "sparql"),
        ("logical_forms/grailqa_1000", "sparql_query"),
    ):
        with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                yield name, json.loads(line)[field]
    for name in ("webqsp_executable", "cwq_executable"):
        for line in (folder / "fb15k237" / "questions" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            yield name, record["sparql"]
            yield f"{name} fixed", record["sparql_fixed"]


def test_every_query_of_the_real_sets_is_read_and_printed_as_standard_sparql(shared: Path) -> None:
    store = pyoxigraph.Store()
    counts: dict[str, int] = {}
    noted: dict[str, int] = {}
    for name, text in _real(shared):
        found = parse(text, name)
        printed = print_text(found)
        again = parse(printed)
        assert again.query == found.query
        assert again.notes == ()
        store.query(printed)
        counts[name] = counts.get(name, 0) + 1
        noted[name] = noted.get(name, 0) + bool(found.notes)
    assert counts == {
        "qald10_394": 394,
        "sparql/qald10_train": 412,
        "sparql/webqsp_test": 1_639,
        "sparql/wwq_val": 454,
        "logical_forms/grailqa_1000": 1_000,
        "webqsp_executable": 87,
        "webqsp_executable fixed": 87,
        "cwq_executable": 39,
        "cwq_executable fixed": 39,
    }
    assert noted["webqsp_executable"] == 85
    assert noted["qald10_394"] == noted["sparql/wwq_val"] == noted["webqsp_executable fixed"] == 0
