"""From s-expressions to PyLF: what each atom and each operator becomes, and what is said of what cannot be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pylf.api import empty_schema
from pylf.errors import CompileError
from pylf.frontends.sexpr import tree
from pylf.frontends.sexpr.parser import parse
from pylf.frontends.sexpr.to_pylf import MAX_DEPTH, to_program
from pylf.ir.canonical import fingerprint
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.schema.vocabularies import load
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import XSD, Iri, Literal
from pylf.ir.text import print_query
from pylf.language.context import Context
from pylf.language.lower import Lowered, lower
from pylf.language.parser import parse as parse_program
from pylf.language.printer import print_program
from tests.frontends import small_freebase
from tests.frontends.small_freebase import NS

if TYPE_CHECKING:
    from pylf.ir.graph import TripleRow

SCHEMA = small_freebase.schema()
FREEBASE = small_freebase.vocabulary()
CONTEXT = Context(SCHEMA, FREEBASE, today="2015-08-10")


def pylf(text: str, schema: Schema = SCHEMA, vocabulary: Vocabulary = FREEBASE) -> str:
    """The PyLF expression that an s-expression becomes, without assignment and STOP, and with ``entity(x)`` for
    ``START('x', kind='entity')``."""
    program = print_program(to_program(parse(text), schema, vocabulary)).strip()
    program = re.sub(r"START\(('[^']*'|\"[^\"]*\"), kind='(\w+)'\)", r"\2(\1)", program)
    return program.removeprefix("expression = STOP(").removesuffix(")").replace(NS, "NS/")


def lowered(text: str, context: Context = CONTEXT) -> Lowered:
    return lower(to_program(parse(text), context.schema, context.vocabulary), context)


# --- what stands where --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("m.06pj8", "entity('m.06pj8')"),
        ("<http://rdf.freebase.com/ns/m.06pj8>", "entity('<NS/m.06pj8>')"),
        ("ns:m.06pj8", "entity('ns:m.06pj8')"),
        ("film.film", "class('film.film')"),
        ("(JOIN film.film.directed_by m.1)", "JOIN('film.film.directed_by', entity('m.1'))"),
        (
            "(AND film.film (JOIN (R film.director.film) m.1))",
            "AND(class('film.film'), JOIN('R_film.director.film', entity('m.1')))",
        ),
        ("(COUNT film.film)", "COUNT(class('film.film'))"),
        ("(AND film.film (AND m.1 m.2))", "AND(class('film.film'), AND(entity('m.1'), entity('m.2')))"),
        ("(ARGMAX film.film film.film.shots)", "ARG('ARGMAX', class('film.film'), 'film.film.shots')"),
        (
            "(ARGMIN film.director (JOIN (R film.film.directed_by) film.film.shots))",
            "ARG('ARGMIN', class('film.director'), ['R_film.film.directed_by', 'film.film.shots'])",
        ),
        ("(lt film.film.shots 900)", "CMP('<', 'film.film.shots', 900)"),
        (
            "(ge (JOIN film.film.runtime film.film_cut.runtime) 90.5)",
            "CMP('>=', ['film.film.runtime', 'film.film_cut.runtime'], 90.5)",
        ),
    ],
)
def test_each_operator_is_one_function_and_each_atom_says_what_it_is(text: str, expected: str) -> None:
    assert pylf(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # the class itself, where the values of the relation are classes
        ("(JOIN type.object.type film.film)", "JOIN('type.object.type', entity('<NS/film.film>'))"),
        ("(JOIN common.topic.notable_types film.film)", "JOIN('common.topic.notable_types', entity('<NS/film.film>'))"),
        (
            "(JOIN kg.object_profile.prominent_type film.film)",
            "JOIN('<NS/kg.object_profile.prominent_type>', entity('<NS/film.film>'))",
        ),
        ("(JOIN rdf:type film.film)", "JOIN('rdf:type', entity('<NS/film.film>'))"),
        ("(JOIN (R type.type.instance) film.film)", "JOIN('R_type.type.instance', entity('<NS/film.film>'))"),
        # … but its instances on the other side of that relation, and within another set
        (
            "(JOIN (R common.topic.notable_types) film.film)",
            "JOIN('R_common.topic.notable_types', class('film.film'))",
        ),
        (
            "(JOIN common.topic.notable_types (AND film.film m.01))",
            "JOIN('common.topic.notable_types', AND(class('film.film'), entity('m.01')))",
        ),
        ("(JOIN common.topic.notable_types m.01mp)", "JOIN('common.topic.notable_types', entity('m.01mp'))"),
        # not in the schema: written in full, of which PyLF warns
        ("(JOIN film.film.unheard_of m.1)", "JOIN('<NS/film.film.unheard_of>', entity('m.1'))"),
        ("(JOIN (R film.film.unheard_of) m.1)", "JOIN('R_<NS/film.film.unheard_of>', entity('m.1'))"),
        ("(AND base.unheard_of m.1)", "AND(class('<NS/base.unheard_of>'), entity('m.1'))"),
    ],
)
def test_what_a_dotted_name_means_depends_on_where_it_stands(text: str, expected: str) -> None:
    assert pylf(text) == expected


@pytest.mark.parametrize(
    ("relation", "value", "expected"),
    [
        # a date is what it is spelled as, whatever datatype it carries
        ("initial_release_date", "1805^^xsd:dateTime", "literal('1805^^xsd:gYear')"),
        ("initial_release_date", f"1927-05^^{XSD}dateTime", "literal('1927-05^^xsd:gYearMonth')"),
        ("initial_release_date", "1927-05-18^^xsd:dateTime", "literal('1927-05-18^^xsd:date')"),
        ("initial_release_date", "-912^^xsd:dateTime", "literal('-0912^^xsd:gYear')"),
        ("initial_release_date", "1999-12-31^^type.datetime", "literal('1999-12-31^^xsd:date')"),
        ("initial_release_date", "1999-12-31T10:00:00^^xsd:date", "literal('1999-12-31T10:00:00^^xsd:dateTime')"),
        # without a datatype, values take the relation's
        ("initial_release_date", "1996", "literal('1996^^xsd:gYear')"),
        ("initial_release_date", "1996-02", "literal('1996-02^^xsd:gYearMonth')"),
        ("initial_release_date", '"1996-02-03"', "literal('1996-02-03^^xsd:date')"),
        ("shots", '"900"', "START(900)"),
        ("shots", "0900", "START(900)"),
        ("netflix_id", "60000001", "literal('60000001')"),
        ("netflix_id", '"60000001"', "literal('60000001')"),
        ("netflix_id", "1996-02", "literal('1996-02')"),
        ("silent", "true", "literal('true^^xsd:boolean')"),
        ("silent", '"true"', "literal('true^^xsd:boolean')"),
        ("silent", "1", "literal('1^^xsd:boolean')"),
        # or those of their spelling, where the relation is not known
        ("unheard_of", "5000", "START(5000)"),
        ("unheard_of", "1996-02-03", "literal('1996-02-03^^xsd:date')"),
        ("unheard_of", '"1996-02-03"', "literal('1996-02-03')"),
        ("unheard_of", '"film.film"', "literal('film.film')"),
        # strings are never labels, ids or typed values
        ("tagline", '"m.06pj8"', "literal('m.06pj8')"),
        ("tagline", '"be@me"', "literal('be@me^^xsd:string')"),
        ("netflix_id", '"5^^xsd:integer"', "literal('5^^xsd:integer^^xsd:string')"),
        ("tagline", '"Play it, Sam."@en', "literal('Play it, Sam.@en')"),
        # what has a datatype keeps it
        ("shots", f"2.3e+06^^{XSD}float", "literal('2.3e+06^^xsd:float')"),
        ("shots", "5^^type.int", "literal('5^^xsd:integer')"),
        ("unheard_of", '"x"^^<http://e/length>', "literal('x^^<http://e/length>')"),
        ("tagline", '"x"^^type.text', "literal('x^^xsd:string')"),
    ],
)
def test_values_are_literals_of_the_datatype_that_is_meant(relation: str, value: str, expected: str) -> None:
    written = pylf(f"(JOIN film.film.{relation} {value})")
    assert written.partition(", ")[2] == f"{expected})"


@pytest.mark.parametrize(
    ("relation", "value", "expected"),
    [
        ("shots", "900^^xsd:int", "'900^^xsd:int'"),
        ("shots", "0900", "900"),
        ("initial_release_date", "1990^^xsd:dateTime", "'1990^^xsd:gYear'"),
        ("initial_release_date", "1990-07", "'1990-07^^xsd:gYearMonth'"),
        ("initial_release_date", '"1990"', "'1990'"),
        ("initial_release_date", "1990", "1990"),
        ("unheard_of", "523000", "523000"),
        ("netflix_id", '"5@en"', "'5@en^^xsd:string'"),
    ],
)
def test_constants_of_comparisons(relation: str, value: str, expected: str) -> None:
    assert pylf(f"(lt film.film.{relation} {value})").partition("', ")[2].partition("', ")[2] == f"{expected})"


def test_a_quoted_number_and_a_bare_one_are_the_same_value_of_a_relation_of_numbers() -> None:
    queries = [lowered(f"(JOIN film.film_cut.runtime {n})").query for n in ("90.5", '"90.5"', "90.5^^type.float")]
    assert len({fingerprint(query) for query in queries}) == 1


# --- TC -----------------------------------------------------------------------------------------------------------


HELD = "government.government_position_held"


@pytest.mark.parametrize(
    ("relation", "time", "expected"),
    [
        (
            "people.place_lived.start_date",
            "2010",
            "TC(TC({}, 'people.place_lived.start_date', '2010'), 'people.place_lived.end_date', '2010', until=True)",
        ),
        (
            "people.place_lived.end_date",
            "NOW",
            "TC(TC({}, 'people.place_lived.start_date', 'NOW'), 'people.place_lived.end_date', 'NOW', until=True)",
        ),
        (
            f"(JOIN (R {HELD}.office_holder) {HELD}.to)",
            "1999-07",
            (
                f"TC(TC({{}}, ['R_{HELD}.office_holder', '{HELD}.from'], '1999-07'), "
                f"['R_{HELD}.office_holder', '{HELD}.to'], '1999-07', until=True)"
            ),
        ),
        # the schema lists no end of it
        ("sports.sports_league.start", "2010", "TC({}, 'sports.sports_league.start', '2010')"),
        # no name of either end: a beginning
        ("people.person.date_of_birth", "2010", "TC({}, 'people.person.date_of_birth', '2010')"),
        ("base.x.y.until", "2010^^xsd:gYear", "TC({}, '<NS/base.x.y.until>', '2010', until=True)"),
        ("(R base.x.y.from)", "2010", "TC({}, 'R_<NS/base.x.y.from>', '2010')"),
    ],
)
def test_time_constraints_are_of_both_ends_where_both_are_listed(relation: str, time: str, expected: str) -> None:
    assert pylf(f"(TC m.1 {relation} {time})") == expected.format("entity('m.1')")


def test_now_is_the_day_of_the_context() -> None:
    text = "(TC people.place_lived people.place_lived.start_date {})"
    assert fingerprint(lowered(text.format("NOW")).query) == fingerprint(lowered(text.format("2015-08-10")).query)
    assert fingerprint(lowered(text.format("NOW")).query) != fingerprint(lowered(text.format("2015-08-11")).query)


@pytest.mark.parametrize("end", ["from", "to"])
def test_who_held_a_post_at_a_time(end: str) -> None:
    posts = {
        "m.1": [("from", "1990"), ("to", "1995")],
        "m.2": [("from", "1995")],
        "m.3": [("to", "1989")],
        "m.4": [],
        "m.5": [("from", "1980"), ("to", "1991")],
        "m.6": [("from", "1992-05"), ("to", "1992-06")],
    }
    place, year, month = Iri(f"{NS}{HELD}.jurisdiction"), XSD + "gYear", XSD + "gYearMonth"
    triples: list[TripleRow] = [(Iri(NS + post), place, Iri(NS + "m.0")) for post in posts]
    for post, times in posts.items():
        for which, date in times:
            value = Literal(date, month if "-" in date else year)
            triples.append((Iri(NS + post), Iri(f"{NS}{HELD}.{which}"), value))
    query = lowered(f"(TC (JOIN {HELD}.jurisdiction m.0) {HELD}.{end} 1992)").query
    found = evaluate(query, MemoryGraph(triples), SCHEMA, FREEBASE)
    assert found.values == (Iri(NS + "m.1"), Iri(NS + "m.4"), Iri(NS + "m.6"))


# --- places and diagnostics ---------------------------------------------------------------------------------------


def test_places_point_into_the_s_expression() -> None:
    text = "(AND film.film (JOIN film.film.genre (JOIN (R film.film.shots) m.1)))"
    program = to_program(parse(text, "record 7"), SCHEMA, FREEBASE)
    assert program.source is not None
    assert (program.source.text, program.source.name) == (text, "record 7")
    with pytest.raises(CompileError) as caught:
        lower(program, CONTEXT)
    (found,) = caught.value.diagnostics
    assert found.code == "type-mismatch"
    assert found.span is not None
    assert text[slice(*found.span)] == "(JOIN film.film.genre (JOIN (R film.film.shots) m.1))"
    assert "record 7:1:16" in found.render()


@pytest.mark.parametrize(
    ("text", "code", "marked", "words"),
    [
        ("(AND film.film film.film.genre)", "not-a-set", "film.film.genre", "(JOIN film.film.genre …)"),
        ("(JOIN m.1 film.film)", "not-a-relation", "m.1", "an entity"),
        ("(JOIN film.film m.1)", "not-a-relation", "film.film", "a class"),
        ("(ARGMAX film.film film.film_genre)", "not-a-relation", "film.film_genre", "a class"),
        ("(JOIN (R m.1) film.film)", "not-a-relation", "m.1", "an entity"),
        ("(JOIN film.film.genre drama)", "unknown-name", "drama", "neither an id nor a class"),
        ("(AND film.film Casablanca)", "unknown-name", "Casablanca", "not by its label"),
        ("(AND film.film NOW)", "not-a-set", "NOW", "NOW is a time"),
        ("(JOIN film.film.shots 5^^nonsense)", "unknown-datatype", "5^^nonsense", "'nonsense'"),
        ('(JOIN film.film.tagline "a^^b"@en)', "no-spelling", '"a^^b"@en', "cannot be written"),
        ("(COUNT (AND (JOIN film.film.genre (JOIN m.1 m.2)) film.film))", "not-a-relation", "m.1", "an entity"),
    ],
)
def test_what_cannot_stand_where_it_does_is_told_at_its_place(text: str, code: str, marked: str, words: str) -> None:
    with pytest.raises(CompileError) as caught:
        to_program(parse(text), SCHEMA, FREEBASE)
    (found,) = caught.value.diagnostics
    assert found.code == code
    assert found.span is not None
    assert text[slice(*found.span)] == marked
    assert words in found.render()


def test_a_time_is_a_date_or_now() -> None:
    node = tree.TimeConstraint(tree.Word("film.film"), tree.Word("film.film.shots"), tree.Word("soon"))
    with pytest.raises(CompileError, match="'soon' cannot be read as a date"):
        to_program(tree.SExpression(node), SCHEMA, FREEBASE)


def test_every_finding_is_told() -> None:
    text = "(AND (JOIN m.1 Drama) (AND film.film.genre (ARGMAX Comedy film.film)))"
    with pytest.raises(CompileError) as caught:
        to_program(parse(text), SCHEMA, FREEBASE)
    assert [d.code for d in caught.value.diagnostics] == [
        "not-a-relation", "unknown-name", "not-a-set", "unknown-name", "not-a-relation",
    ]  # fmt: skip


def test_a_class_that_is_spelled_like_the_unknown_word_is_offered() -> None:
    schema = Schema(MemorySource([Relation("http://e/by")], [Class("http://e/Rocket")], {}))
    with pytest.raises(CompileError, match="'Rocket'"):
        to_program(parse("(AND Roket <http://e/a>)"), schema, load("rdf"))


def test_the_names_of_relations_that_say_nothing_are_reported_by_pylf() -> None:
    schema = Schema(MemorySource([Relation("http://e/maker")], [], {}))
    text = "(JOIN maiker <http://e/a>)"
    with pytest.raises(CompileError) as caught:
        lower(to_program(parse(text), schema, load("rdf")), Context(schema, load("rdf")))
    (found,) = caught.value.diagnostics
    assert found.code == "unknown-relation"
    assert "'maker'" in found.render()
    assert found.span is not None
    assert text[slice(*found.span)] == "maiker"


def test_unlisted_relations_and_classes_are_taken_with_a_warning() -> None:
    found = lowered("(AND base.unheard_of (JOIN film.film.unheard_of m.1))").diagnostics
    assert [(d.code, d.severity) for d in found] == [("unlisted-class", "warning"), ("unlisted-relation", "warning")]


# --- other schemas and vocabularies -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "(AND film.film (JOIN film.film.directed_by m.06pj8))",
        "(COUNT (AND film.film (JOIN (R film.director.film) m.06pj8)))",
        "(ARGMAX film.film film.film.initial_release_date)",
        "(AND film.film (lt film.film.initial_release_date 1990^^xsd:gYear))",
        "(TC (JOIN people.person.places_lived m.1) people.place_lived.start_date NOW)",
        '(JOIN type.object.name "Casablanca"@en)',
        "(JOIN common.topic.notable_types film.film)",
        "(JOIN R_like.that.one m.1)",
    ],
)
def test_without_a_schema_everything_compiles_without_a_word(text: str) -> None:
    assert lowered(text, Context(empty_schema(), FREEBASE)).diagnostics == ()


def test_without_a_schema_both_ends_of_a_time_are_meant() -> None:
    assert "people.place_lived.end_date" in pylf("(TC m.1 people.place_lived.start_date NOW)", empty_schema())


def test_curies_iris_and_local_names() -> None:
    names = Vocabulary("wiki", prefixes={"wd": "http://wd/", "wdt": "http://wdt/"})
    schema = Schema(
        MemorySource(
            [Relation("http://wdt/P31"), Relation("http://e/R_odd"), Relation("http://e/maker")],
            [Class("http://wd/Q5"), Class("http://e/Rocket"), Class("http://f/Site"), Class("http://g/Site")],
            {},
        )
    )
    for text, expected in (
        ("(JOIN wdt:P31 wd:Q42)", "JOIN('wdt:P31', entity('wd:Q42'))"),
        ("(JOIN wdt:P31 wd:Q5)", "JOIN('wdt:P31', class('wd:Q5'))"),
        ("(JOIN wdt:P9 wd:Q42)", "JOIN('<http://wdt/P9>', entity('wd:Q42'))"),
        ("(JOIN <http://x/p> <http://x/Dad's_(film)>)", "JOIN('<http://x/p>', entity(\"<http://x/Dad's_(film)>\"))"),
        ("(AND Rocket (JOIN (R maker) wd:Q1))", "AND(class('Rocket'), JOIN('R_maker', entity('wd:Q1')))"),
        ("(JOIN R_odd wd:Q1)", "JOIN('<http://e/R_odd>', entity('wd:Q1'))"),
        ("(JOIN (R R_odd) wd:Q1)", "JOIN('R_<http://e/R_odd>', entity('wd:Q1'))"),
    ):
        assert pylf(text, schema, names) == expected
        assert not [d for d in lowered(text, Context(schema, names)).diagnostics if d.severity == "error"]
    with pytest.raises(CompileError, match="names 2 classes"):
        lowered("(AND Site wd:Q1)", Context(schema, names))
    with pytest.raises(CompileError, match="a set is expected"):
        lowered("(AND Rocket maker)", Context(schema, names))


def test_one_schema_serves_several_vocabularies() -> None:
    schema = Schema(MemorySource([Relation("http://a/p"), Relation("http://b/p")], [], {}))
    for namespace in ("http://a/", "http://b/"):
        names = Vocabulary(f"of {namespace}", prefixes={"x": namespace})
        query = lowered("(JOIN x:p x:e)", Context(schema, names)).query
        assert f"<{namespace}p>" in print_query(query)


# --- depth --------------------------------------------------------------------------------------------------------


def test_as_deep_as_the_parser_reads() -> None:
    text = "(AND film.film " * (MAX_DEPTH - 1) + "m.1" + ")" * (MAX_DEPTH - 1)
    assert lowered(text).diagnostics == ()


@pytest.mark.parametrize("depth", [MAX_DEPTH, 5_000])
def test_deeper_is_told_once(depth: int) -> None:
    node: tree.Expression = tree.Word("m.1")
    for _ in range(depth):
        node = tree.Join(tree.Word("people.person.sibling"), node)
    with pytest.raises(CompileError) as caught:
        to_program(tree.SExpression(node), SCHEMA, FREEBASE)
    assert [d.code for d in caught.value.diagnostics] == ["too-deep"]


def test_time_constraints_count_twice_as_they_become_two() -> None:
    def nested(depth: int) -> str:
        return "(TC " * depth + "people.place_lived" + " people.place_lived.start_date NOW)" * depth

    assert lowered(nested(MAX_DEPTH // 2 - 1)).diagnostics == ()
    with pytest.raises(CompileError, match="too-deep"):
        lowered(nested(MAX_DEPTH // 2 + 1))


# --- cases --------------------------------------------------------------------------------------------------------


def test_case_12_there_and_back_is_stable() -> None:
    from pylf.backends.sparql import emit
    from pylf.frontends.sexpr.from_pylf import from_expression
    from pylf.frontends.sexpr.printer import print_expression
    from pylf.language.raise_ import raise_expression, raise_text

    text = "(AND film.film (JOIN (R film.director.film) m.06pj8))"
    query = lowered(text).query
    program = raise_text(query, SCHEMA, FREEBASE)
    again = lower(parse_program(program), CONTEXT).query
    assert fingerprint(again) == fingerprint(query)
    assert raise_text(again, SCHEMA, FREEBASE) == program
    assert emit(again, SCHEMA, FREEBASE, "sparql11", 1) == emit(query, SCHEMA, FREEBASE, "sparql11", 1)
    expression = raise_expression(query, SCHEMA, FREEBASE).expression
    assert print_expression(from_expression(expression, SCHEMA, FREEBASE)) == text


def test_case_7_the_topic_is_an_answer_unless_it_is_to_be_left_out() -> None:
    a, b, sibling = Iri(NS + "m.a"), Iri(NS + "m.b"), Iri(NS + "people.person.sibling")
    graph = MemoryGraph([(a, sibling, b), (b, sibling, a)])
    text = "(JOIN people.person.sibling (JOIN people.person.sibling m.a))"
    kept = lowered(text).query
    assert evaluate(kept, graph, SCHEMA, FREEBASE).values == (a,)
    left_out = lowered(text, Context(SCHEMA, FREEBASE, exclude_topic=True)).query
    assert evaluate(left_out, graph, SCHEMA, FREEBASE).values == ()
