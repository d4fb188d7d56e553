"""From PyLF to s-expressions: what the two share comes back as the same query, what they do not is refused by name."""

from __future__ import annotations

from collections import Counter

import pytest

from pylf.api import empty_schema
from pylf.errors import CompileError, UnsupportedOperation
from pylf.frontends.no_form import NO_FORM
from pylf.frontends.sexpr.from_pylf import from_expression
from pylf.frontends.sexpr.parser import parse
from pylf.frontends.sexpr.printer import print_expression
from pylf.frontends.sexpr.to_pylf import MAX_DEPTH, to_program
from pylf.ir.canonical import fingerprint
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.schema.vocabularies import load
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.language import syntax
from pylf.language.context import Context
from pylf.language.lower import MAX_NESTING, lower
from pylf.language.parser import parse as parse_program
from pylf.language.raise_ import raise_expression
from pylf.testing import programs
from tests.frontends import small_freebase
from tests.frontends.small_freebase import NS

SCHEMA = small_freebase.schema()
FREEBASE = small_freebase.vocabulary()
XSD = "http://www.w3.org/2001/XMLSchema#"
HELD = "government.government_position_held"


def expression_of(pylf: str) -> syntax.Expression:
    (assignment,) = parse_program(f"expression = STOP({pylf})").assignments
    assert isinstance(assignment.value, syntax.Stop)
    return assignment.value.of


def sexpr(pylf: str, schema: Schema = SCHEMA, vocabulary: Vocabulary = FREEBASE) -> str:
    return print_expression(from_expression(expression_of(pylf), schema, vocabulary))


def same_query(pylf: str, text: str, schema: Schema = SCHEMA, vocabulary: Vocabulary = FREEBASE) -> bool:
    context = Context(schema, vocabulary, today="2015-08-10")
    one = lower(parse_program(f"expression = STOP({pylf})"), context).query
    other = lower(to_program(parse(text), schema, vocabulary), context).query
    return fingerprint(one) == fingerprint(other)


# --- what there is a form for -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pylf", "expected"),
    [
        ("START('m.1')", "m.1"),
        ("START('film.film')", "film.film"),
        ("JOIN('film.film.directed_by', START('m.1'))", "(JOIN film.film.directed_by m.1)"),
        ("JOIN('R_film.director.film', 'm.1')", "(JOIN (R film.director.film) m.1)"),
        # two at a time, the class first
        (
            "AND(JOIN('film.film.directed_by', 'm.1'), JOIN('film.film.genre', 'm.2'), START('film.film'))",
            "(AND film.film (AND (JOIN film.film.directed_by m.1) (JOIN film.film.genre m.2)))",
        ),
        (
            "AND(AND(JOIN('film.film.directed_by', 'm.1'), START('film.film')), JOIN('film.film.genre', 'm.2'))",
            "(AND film.film (AND (JOIN film.film.directed_by m.1) (JOIN film.film.genre m.2)))",
        ),
        ("COUNT(START('film.film'))", "(COUNT film.film)"),
        ("ARG('ARGMAX', START('film.film'), 'film.film.shots')", "(ARGMAX film.film film.film.shots)"),
        (
            "ARG('ARGMIN', START('film.director'), ['R_film.film.directed_by', 'film.film.shots'])",
            "(ARGMIN film.director (JOIN (R film.film.directed_by) film.film.shots))",
        ),
        # a path is a JOIN in a JOIN where it leads to a set, and a path where it leads to a value
        (
            "JOIN(['people.person.places_lived', 'people.place_lived.location'], START('m.1'))",
            "(JOIN people.person.places_lived (JOIN people.place_lived.location m.1))",
        ),
        (
            "CMP('>=', ['film.film.runtime', 'film.film_cut.runtime'], 90.5)",
            f"(ge (JOIN film.film.runtime film.film_cut.runtime) 90.5^^{XSD}double)",
        ),
        # over values, which meet by value in either
        ("JOIN(['<http://e/p>', 'R_<http://e/p>'], 'm.1')", "(JOIN <http://e/p> (JOIN (R <http://e/p>) m.1))"),
        ("CMP('<', 'film.film.shots', 900)", f"(lt film.film.shots 900^^{XSD}integer)"),
        ("CMP('<=', 'film.film.initial_release_date', 1990)", f"(le film.film.initial_release_date 1990^^{XSD}gYear)"),
        ("CMP('>', '<http://e/p>', 5)", "(gt <http://e/p> 5)"),
        ("CMP('>', '<http://e/p>', '5^^xsd:integer')", f"(gt <http://e/p> 5^^{XSD}integer)"),
        ("CMP('>', '<http://e/p>', 'five')", '(gt <http://e/p> "five")'),
        (
            "JOIN('film.film.initial_release_date', '1990-07')",
            f"(JOIN film.film.initial_release_date 1990-07^^{XSD}gYearMonth)",
        ),
        ("JOIN('film.film_cut.runtime', 5)", f"(JOIN film.film_cut.runtime 5^^{XSD}double)"),
        ("JOIN('film.film.netflix_id', '5')", '(JOIN film.film.netflix_id "5")'),
        (
            "JOIN('film.film.tagline', START('Play it, Sam.@en', kind='literal'))",
            '(JOIN film.film.tagline "Play it, Sam."@en)',
        ),
        ("JOIN('film.film.tagline', START('be@me^^xsd:string', kind='literal'))", '(JOIN film.film.tagline "be@me")'),
        ("JOIN('film.film.silent', 'true')", f'(JOIN film.film.silent "true"^^{XSD}boolean)'),
        ("JOIN('<http://e/p>', START('a b^^<urn:x>', kind='literal'))", '(JOIN <http://e/p> "a b"^^urn:x)'),
        # classes themselves
        (
            f"JOIN('common.topic.notable_types', START('<{NS}film.film>', kind='entity'))",
            "(JOIN common.topic.notable_types film.film)",
        ),
        (
            f"JOIN('R_type.type.instance', START('<{NS}film.film>', kind='entity'))",
            "(JOIN (R type.type.instance) film.film)",
        ),
        # what the schema does not list
        ("JOIN('<http://rdf.freebase.com/ns/a.b.c>', 'm.1')", "(JOIN a.b.c m.1)"),
        (f"AND(START('<{NS}base.unheard_of>', kind='class'), 'm.1')", "(AND base.unheard_of m.1)"),
        (f"START('<{NS}Not_an_id>')", "fb:Not_an_id"),
        # two time constraints that are one, in whichever order they stand
        (
            f"TC(TC(START('m.1'), '{HELD}.from', '1992'), '{HELD}.to', '1992', until=True)",
            f"(TC m.1 {HELD}.from 1992)",
        ),
        (
            f"TC(TC(START('m.1'), '{HELD}.to', 'NOW', until=True), '{HELD}.from', 'NOW')",
            f"(TC m.1 {HELD}.from NOW)",
        ),
        (
            (
                f"TC(TC(TC(TC(START('m.1'), '{HELD}.from', '1992'), '{HELD}.from', '1995'), "
                f"'{HELD}.to', '1995', until=True), '{HELD}.to', '1992', until=True)"
            ),
            f"(TC (TC m.1 {HELD}.from 1992) {HELD}.from 1995)",
        ),
        (
            (
                f"TC(TC(START('m.1'), ['R_{HELD}.office_holder', '{HELD}.from'], '1992'), "
                f"['R_{HELD}.office_holder', '{HELD}.to'], '1992', until=True)"
            ),
            f"(TC m.1 (JOIN (R {HELD}.office_holder) {HELD}.from) 1992)",
        ),
        (
            "TC(START('m.1'), 'sports.sports_league.start', '2010-07-01')",
            "(TC m.1 sports.sports_league.start 2010-07-01)",
        ),
        ("TC(START('m.1'), '<http://e/until>', '2010', until=True)", "(TC m.1 <http://e/until> 2010)"),
    ],
)
def test_what_is_shared_is_written_and_read_as_the_same_query(pylf: str, expected: str) -> None:
    assert sexpr(pylf) == expected
    assert same_query(pylf, expected)


def test_values_meet_in_the_order_in_which_they_stand() -> None:
    # AND of values takes its members from the first, so that AND in AND is not the same query
    values = [
        f"JOIN('R_{name}', START('m.1'))" for name in ("film.film.shots", "film.film_cut.runtime", "film.film.silent")
    ]
    schema = empty_schema()
    pylf = f"AND({', '.join(values)})"
    text = sexpr(pylf, schema)
    assert text.startswith("(AND (JOIN (R film.film.shots) m.1) (JOIN (R film.film_cut.runtime) m.1) (JOIN")
    assert same_query(pylf, text, schema)
    pylf = f"AND({values[0]}, AND({values[1]}, {values[2]}))"
    assert same_query(pylf, sexpr(pylf, schema), schema)


def test_names_are_words_or_iris_in_full() -> None:
    names = Vocabulary("names", prefixes={"": "http://e/", "x": "http://x/"})
    schema = Schema(
        MemorySource(
            [
                Relation(f"http://e/{name}")
                for name in ("maker", "R", "count", "NOW", "R_odd", "dad's", "p(2)", "9lives")
            ],
            [Class("http://e/Rocket"), Class("http://e/true"), Class("http://f/Site"), Class("http://g/Site")],
            {},
        )
    )
    for pylf, expected in (
        ("JOIN('maker', START('x:a'))", "(JOIN maker x:a)"),
        ("JOIN('R', START('x:a'))", "(JOIN :R x:a)"),
        ("JOIN('R_count', START('x:a'))", "(JOIN (R :count) x:a)"),
        ("JOIN('NOW', START('x:a'))", "(JOIN :NOW x:a)"),
        ("JOIN('R_odd', START('x:a'))", "(JOIN :R_odd x:a)"),
        ("JOIN('R_R_odd', START('x:a'))", "(JOIN (R :R_odd) x:a)"),
        ('JOIN("dad\'s", START(":a"))', "(JOIN <http://e/dad's> :a)"),
        ("JOIN('p(2)', START('x:a(b)'))", "(JOIN <http://e/p(2)> <http://x/a(b)>)"),
        ("JOIN('9lives', START('Rocket'))", "(JOIN <http://e/9lives> Rocket)"),
        ("JOIN('maker', START('true'))", "(JOIN maker true)"),
        ("JOIN('maker', START('<http://f/Site>'))", "(JOIN maker <http://f/Site>)"),
    ):
        assert sexpr(pylf, schema, names) == expected
        assert same_query(pylf, expected, schema, names)


# --- what there is none for ---------------------------------------------------------------------------------------

#: what s-expressions have a form for, and graph queries have not
OF_GRAPHS = {
    "no-inner-class",
    "no-nesting",
    "no-nested-count",
    "no-nested-superlative",
    "no-several-classes",
    "no-time",
}

#: by code; what is refused stands between « and », unless it is the whole
REFUSED = [
    ("no-negation", "AND(START('film.film'), «JOIN('film.film.genre', START('m.1'), neg=True)»)"),
    ("no-union", "OR(START('m.1'), JOIN('film.film.genre', 'm.2'))"),
    ("no-several", "JOIN('film.film.genre', «OR(START('m.1'), START('m.2'))»)"),
    ("no-difference", "MINUS(START('film.film'), START('m.1'))"),
    ("no-yes-no", "ASK(START('film.film'))"),
    ("no-comparison", "CMP('=', 'film.film.shots', 9)"),
    ("no-comparison", "CMP('!=', 'film.film.shots', 9)"),
    ("no-top-k", "ARG('ARGMAX', START('film.film'), 'film.film.shots', k=2)"),
    ("no-count-order", "ARG('ARGMAX', START('film.film'), COUNT('film.film.genre'))"),
    ("no-closure", "JOIN(CLOSURE(«'people.person.sibling'»), START('m.1'))"),
    (
        "no-closure",
        "ARG('ARGMIN', START('m.1'), [CLOSURE(«'people.person.sibling'»), 'people.person.date_of_birth'])",
    ),
    ("no-label", "JOIN('film.film.directed_by', «START('Michael Curtiz')»)"),
    ("no-label", "START('Casablanca@en', kind='entity')"),
    # one end of a time alone, the wrong way round, or two ends of different times
    ("no-half-time", f"TC(START('m.1'), '{HELD}.from', '1992')"),
    ("no-half-time", f"TC(START('m.1'), '{HELD}.to', '1992', until=True)"),
    ("no-half-time", f"TC(«TC(START('m.1'), '{HELD}.from', '1992', until=True)», '{HELD}.to', '1992')"),
    ("no-half-time", f"TC(«TC(START('m.1'), '{HELD}.from', '1992')», '{HELD}.to', '1993', until=True)"),
    ("no-half-time", "TC(START('m.1'), 'sports.sports_league.start', '1992', until=True)"),
    # a class itself, where its name would mean its instances; and its instances, where its name would mean itself
    ("no-class-itself", f"JOIN('film.film.genre', «START('<{NS}film.film>', kind='entity')»)"),
    ("no-class", "JOIN('common.topic.notable_types', «START('film.film')»)"),
]


@pytest.mark.parametrize(("code", "marked"), REFUSED)
def test_what_there_is_no_form_for_is_refused_at_its_place(code: str, marked: str) -> None:
    pylf = marked.replace("«", "").replace("»", "")
    start = marked.find("«")
    part = marked[start + 1 : marked.index("»")] if start >= 0 else pylf
    with pytest.raises(CompileError) as caught:
        sexpr(pylf)
    (found,) = caught.value.diagnostics
    assert found.code == code
    assert found.message == f"s-expressions have no form for {NO_FORM[code]}"
    assert found.span is not None
    assert f"expression = STOP({pylf})"[slice(*found.span)] == part


def test_there_is_an_example_of_each_refusal() -> None:
    assert {code for code, _ in REFUSED} == NO_FORM.keys() - OF_GRAPHS - {"no-value"}


@pytest.mark.parametrize("relation", ["film.film.netflix_id", "<http://e/p>"])
def test_a_value_that_is_too_long_to_be_read_is_refused(relation: str) -> None:
    def with_value(length: int) -> tuple[syntax.Expression, ...]:
        text = syntax.Text("x" * length)
        name = syntax.Name(relation)
        return syntax.Join(name, syntax.Start(text, "literal")), syntax.Cmp("<", name, text)

    for expression in with_value(10_000):
        assert parse(print_expression(from_expression(expression, SCHEMA, FREEBASE))).root
    for expression in with_value(10_001):
        with pytest.raises(CompileError, match="no-value") as caught:
            from_expression(expression, SCHEMA, FREEBASE)
        assert len(str(caught.value)) < 1_000


def test_a_label_is_told_how_to_become_an_id() -> None:
    with pytest.raises(CompileError, match="give a graph") as caught:
        sexpr("START('Casablanca', kind='entity')")
    assert "write the id" in str(caught.value)


def test_a_class_that_no_word_means_is_refused() -> None:
    with pytest.raises(CompileError, match="no-class"):
        sexpr("START('<http://e/Film>', kind='class')", empty_schema(), load("rdf"))


@pytest.mark.parametrize(
    ("pylf", "code"),
    [
        ("JOIN('film.film.jenre', START('m.1'))", "unknown-relation"),
        ("JOIN('film.film.shots', START('m.1'))", "type-mismatch"),
    ],
)
def test_the_errors_of_a_program_are_its_own(pylf: str, code: str) -> None:
    with pytest.raises(CompileError) as caught:
        sexpr(pylf)
    assert [d.code for d in caught.value.diagnostics] == [code]


@pytest.mark.parametrize("depth", [MAX_DEPTH, 5_000])
def test_what_nests_too_deeply_to_be_read_again_is_refused(depth: int) -> None:
    expression: syntax.Expression = syntax.Start(syntax.Text("m.1"))
    for _ in range(depth):
        expression = syntax.Join(syntax.Name("people.person.sibling"), expression)
    with pytest.raises(CompileError, match="too-deep"):
        from_expression(expression, SCHEMA, FREEBASE)


@pytest.mark.parametrize(
    ("function", "depth"),
    [
        ("JOIN('people.person.sibling', {})", MAX_DEPTH - 2),
        ("COUNT({})", MAX_NESTING),
        ("ARG('ARGMAX', {}, 'people.person.date_of_birth')", MAX_NESTING),
    ],
)
def test_as_deep_as_pylf_reads(function: str, depth: int) -> None:
    pylf = "START('m.1')"
    for _ in range(depth):
        pylf = function.format(pylf)
    assert same_query(pylf, sexpr(pylf))


# --- random programs ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [31, 32])
def test_random_programs_come_back_as_the_same_query_or_are_refused_by_name(seed: int) -> None:
    schema, vocabulary = programs.schema(), programs.VOCABULARY
    context = Context(schema, vocabulary)
    outcomes: Counter[str] = Counter()
    for world in programs.pairs(seed, 800):
        try:
            query = lower(world.program, context).query
        except CompileError:
            continue
        stop = world.program.assignments[-1].value
        assert isinstance(stop, syntax.Stop)
        expressions = [stop.of]
        try:
            expressions.append(raise_expression(query, schema, vocabulary).expression)
        except UnsupportedOperation:
            outcomes["not raised"] += 1
        for expression in expressions:
            text = None
            try:
                text = print_expression(from_expression(expression, schema, vocabulary))
            except CompileError as error:
                outcomes.update(found.code for found in error.diagnostics)
            if text is not None:
                again = lower(to_program(parse(text), schema, vocabulary), context).query
                assert fingerprint(again) == fingerprint(query), text
                outcomes["the same"] += 1
    assert outcomes["the same"] > 400
    refused = outcomes.keys() - {"the same"}
    assert refused <= NO_FORM.keys()
    assert refused >= {
        *("no-negation", "no-union", "no-difference", "no-yes-no", "no-comparison", "no-top-k"),
        *("no-count-order", "no-closure", "no-label", "no-half-time"),
    }
