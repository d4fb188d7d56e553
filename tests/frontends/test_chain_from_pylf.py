"""From PyLF to chains: all comes back as the same query, and what nests too deeply is refused by name."""

from __future__ import annotations

from collections import Counter

import pytest

from pylf.api import empty_schema
from pylf.errors import CompileError, UnsupportedOperation
from pylf.frontends.chain.from_pylf import from_expression
from pylf.frontends.chain.parser import MAX_DEPTH, parse
from pylf.frontends.chain.printer import print_chain
from pylf.frontends.chain.to_pylf import to_program
from pylf.ir.canonical import fingerprint
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.language import syntax
from pylf.language.context import Context
from pylf.language.lower import lower
from pylf.language.parser import parse as parse_program
from pylf.language.raise_ import raise_expression
from pylf.testing import programs
from pylf.testing.drawn.schemas import VOCABULARY
from pylf.testing.drawn.worlds import block
from tests.frontends import small_freebase
from tests.frontends.small_freebase import NS

SCHEMA = small_freebase.schema()
FREEBASE = small_freebase.vocabulary()
HELD = "government.government_position_held"


def expression_of(pylf: str) -> syntax.Expression:
    (assignment,) = parse_program(f"expression = STOP({pylf})").assignments
    assert isinstance(assignment.value, syntax.Stop)
    return assignment.value.of


def chain(pylf: str, schema: Schema = SCHEMA, vocabulary: Vocabulary = FREEBASE) -> str:
    return print_chain(from_expression(expression_of(pylf), schema, vocabulary))


def same_query(pylf: str, text: str, schema: Schema = SCHEMA, vocabulary: Vocabulary = FREEBASE) -> bool:
    context = Context(schema, vocabulary, today="2015-08-10")
    one = lower(parse_program(f"expression = STOP({pylf})"), context).query
    other = lower(to_program(parse(text), schema, vocabulary), context).query
    return fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize(
    ("pylf", "expected"),
    [
        ("START('m.1')", "m.1"),
        ("JOIN('film.film.directed_by', START('m.1'))", "m.1 -> ~film.film.directed_by"),
        ("JOIN('R_film.director.film', 'm.1')", "m.1 -> film.director.film"),
        ("JOIN('film.film.genre', START('m.1'), neg=True)", "m.1 -> not ~film.film.genre"),
        (
            "JOIN(['people.person.places_lived', 'people.place_lived.location'], START('m.1'))",
            "m.1 -> ~people.place_lived.location -> ~people.person.places_lived",
        ),
        (
            "JOIN(['people.person.places_lived', 'people.place_lived.location'], START('m.1'), neg=True)",
            "m.1 -> not (~people.place_lived.location -> ~people.person.places_lived)",
        ),
        ("JOIN(CLOSURE('people.person.sibling'), START('m.1'))", "m.1 -> ~people.person.sibling+"),
        # of sets that meet, the one that walks from something named is the main chain
        (
            "AND(START('film.film'), CMP('<', 'film.film.shots', 9), JOIN('R_film.director.film', START('m.1')))",
            "m.1 -> film.director.film [film.film] [-> film.film.shots < 9]",
        ),
        (
            "AND(AND(JOIN('film.film.genre', 'm.1'), START('film.film')), JOIN('film.film.directed_by', 'm.2'))",
            "m.1 -> ~film.film.genre [film.film] [-> film.film.directed_by -> m.2]",
        ),
        (
            "JOIN('film.film.directed_by', AND(JOIN('R_film.film.directed_by', 'm.1'), START('film.director')))",
            "m.1 -> film.film.directed_by [film.director] -> ~film.film.directed_by",
        ),
        (
            "AND(START('film.film'), JOIN('film.film.directed_by', JOIN('film.director.film', 'm.1'), neg=True))",
            "film.film [-> not film.film.directed_by -> film.director.film -> m.1]",
        ),
        (
            "AND(JOIN('film.film.genre', 'm.1'), JOIN('film.film.directed_by', AND('m.2', START('film.director'))))",
            "m.1 -> ~film.film.genre [-> film.film.directed_by -> (m.2 [film.director])]",
        ),
        ("CMP('>=', ['film.film.runtime', 'film.film_cut.runtime'], 90.5)", (
            "? [-> film.film.runtime -> film.film_cut.runtime >= 90.5]"
        )),
        ("CMP('=', 'film.film.tagline', 'count')", "? [-> film.film.tagline = 'count']"),
        ("OR(START('m.1'), JOIN('people.person.sibling', 'm.2'))", "m.1 | m.2 -> ~people.person.sibling"),
        ("JOIN('film.film.genre', OR(START('m.1'), START('m.2')))", "(m.1 | m.2) -> ~film.film.genre"),
        ("OR(OR(START('m.1'), START('m.2')), START('m.3'))", "(m.1 | m.2) | m.3"),
        (
            "MINUS(START('film.film'), JOIN('film.film.genre', START('m.1')))",
            "film.film [except -> film.film.genre -> m.1]",
        ),
        ("COUNT(START('film.film'))", "film.film [count]"),
        ("JOIN('film.film.shots', COUNT(START('film.film')))", "film.film [count] -> ~film.film.shots"),
        ("ASK(START('film.film'))", "film.film [any]"),
        ("ARG('ARGMAX', START('film.film'), 'film.film.shots', k=2)", "film.film [largest 2 -> film.film.shots]"),
        (
            "ARG('ARGMIN', START('film.film'), COUNT('film.film.genre'))",
            "film.film [smallest count -> film.film.genre]",
        ),
        (
            f"TC(TC(START('m.1'), '{HELD}.from', '1992'), '{HELD}.to', 'NOW', until=True)",
            f"m.1 [-> {HELD}.from <= '1992' or none] [-> {HELD}.to >= NOW or none]",
        ),
        # names and values as they are
        ("JOIN('film.film.directed_by', START('Michael Curtiz'))", "'Michael Curtiz' -> ~film.film.directed_by"),
        ("START('Casablanca@en', kind='entity')", "entity 'Casablanca@en'"),
        ("START('film.film', kind='class')", "class film.film"),
        (
            f"JOIN('common.topic.notable_types', START('<{NS}film.film>', kind='entity'))",
            f"entity <{NS}film.film> -> ~common.topic.notable_types",
        ),
        ("JOIN('film.film_cut.runtime', 5.)", "5. -> ~film.film_cut.runtime"),
        ("JOIN('<http://e/p>', START('a b^^<urn:x>', kind='literal'))", "literal 'a b^^<urn:x>' -> ~<http://e/p>"),
    ],
)  # fmt: skip
def test_what_is_written_is_read_as_the_same_query(pylf: str, expected: str) -> None:
    assert chain(pylf) == expected
    assert same_query(pylf, expected)


def test_values_meet_in_the_order_in_which_they_stand() -> None:
    # AND of values takes its members from the first, so that AND in AND is not the same query
    first, second, third = (
        f"JOIN('R_{name}', START('m.1'))" for name in ("film.film.shots", "film.film_cut.runtime", "film.film.silent")
    )
    schema = empty_schema()
    for pylf in (
        f"AND({first}, {second}, {third})",
        f"AND({first}, AND({second}, {third}))",
        f"AND(START(5), {first})",
        f"AND({first}, START(5))",
    ):
        assert same_query(pylf, chain(pylf, schema), schema)
    # the second set would suit better as the main chain, and comes second all the same
    pylf = f"AND(OR({first}, {second}), {first})"
    text = chain(pylf, schema)
    assert text.endswith(") [-> ~film.film.shots -> m.1]")
    assert same_query(pylf, text, schema)
    with_entities = chain(f"AND(OR({first}, {second}), JOIN('film.film.genre', START('m.2')))", schema)
    assert with_entities.startswith("m.2 -> ~film.film.genre [")


def test_names_are_words_or_in_quotes() -> None:
    names = Vocabulary("names", prefixes={"": "http://e/", "x": "http://x/"})
    relations = ("maker", "count", "R_odd", "dad's", "p(2)", "9lives", "a b", "r+")
    schema = Schema(
        MemorySource([Relation(f"http://e/{name}") for name in relations], [Class("http://e/any")], {}),
    )
    for pylf, expected in (
        ("JOIN('maker', START('x:a'))", "x:a -> ~maker"),
        ("JOIN('R_count', START('x:a'))", "x:a -> 'count'"),
        ("JOIN('R_odd', START('x:a'))", "x:a -> ~R_odd"),
        ("JOIN('R_R_odd', START('x:a'))", "x:a -> R_odd"),
        ("""JOIN("dad's", START(':a'))""", ':a -> ~"dad\'s"'),
        ("JOIN('p(2)', START('x:a(b)'))", "'x:a(b)' -> ~'p(2)'"),
        ("JOIN('9lives', START('any'))", "'any' -> ~'9lives'"),
        ("JOIN('R_a b', START('<http://e/x>'))", "<http://e/x> -> 'a b'"),
        ("JOIN('R_<http://e/r+>', START(':a'))", ":a -> <http://e/r+>"),
    ):
        assert chain(pylf, schema, names) == expected
        assert same_query(pylf, expected, schema, names)


# --- what is refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pylf", "code"),
    [
        ("JOIN('film.film.jenre', START('m.1'))", "unknown-relation"),
        ("JOIN('film.film.shots', START('m.1'))", "type-mismatch"),
        ("JOIN('R_film.film.shots', START('m.1'), neg=True)", "unsafe-negation"),
    ],
)
def test_the_errors_of_a_program_are_its_own(pylf: str, code: str) -> None:
    with pytest.raises(CompileError) as caught:
        chain(pylf)
    assert [d.code for d in caught.value.diagnostics] == [code]


def test_a_variable_is_refused() -> None:
    with pytest.raises(CompileError, match="reference"):
        from_expression(syntax.CountOf(syntax.Reference("x")), SCHEMA, FREEBASE)


def nested(function: str, depth: int) -> str:
    pylf = "START('m.1')"
    for _ in range(depth):
        pylf = function.format(pylf)
    return pylf


@pytest.mark.parametrize(
    ("function", "depth"),
    [
        ("JOIN('people.person.sibling', {})", 197),
        ("MINUS({}, 'm.2')", 99),
        ("MINUS('m.2', {})", 99),
        ("JOIN('people.person.sibling', AND('m.2', {}))", 98),
        ("OR('m.2', {})", 99),
        ("ARG('ARGMAX', {}, 'people.person.date_of_birth')", 99),
    ],
)
def test_as_deep_as_chains_are_read(function: str, depth: int) -> None:
    pylf = nested(function, depth)
    assert same_query(pylf, chain(pylf))


@pytest.mark.parametrize("depth", [MAX_DEPTH + 2, 5_000])
def test_what_nests_too_deeply_to_be_read_again_is_refused(depth: int) -> None:
    expression: syntax.Expression = syntax.Start(syntax.Text("m.1"))
    for _ in range(depth):
        expression = syntax.Or((syntax.Start(syntax.Text("m.2")), expression))
    with pytest.raises(CompileError, match="too-deep"):
        from_expression(expression, SCHEMA, FREEBASE)


@pytest.mark.parametrize("text", ["\ud800", "x" * 10_001])
def test_what_no_text_holds_is_refused(text: str) -> None:
    with pytest.raises(CompileError, match=r"unwritable|too-large"):
        from_expression(syntax.Start(syntax.Text(text), "literal"), SCHEMA, FREEBASE)


# --- random programs ----------------------------------------------------------------------------------------------


def compare(program: syntax.Program, context: Context, outcomes: Counter[str]) -> None:
    """A program and its query, raised, come back from their chains."""
    schema, vocabulary = context.schema, context.vocabulary
    try:
        query = lower(program, context).query
    except CompileError:
        outcomes["wrong"] += 1
        return
    stop = program.assignments[-1].value
    assert isinstance(stop, syntax.Stop)
    expressions = [(stop.of, context)] if len(program.assignments) == 1 else []
    try:
        raised = raise_expression(query, schema, vocabulary)
    except UnsupportedOperation:
        outcomes["not raised"] += 1
    else:
        expressions.append((raised.expression, Context(schema, vocabulary, negation=raised.negation)))
    for expression, reading in expressions:
        written = from_expression(expression, schema, vocabulary)
        text = print_chain(written)
        assert parse(text) == written
        again = lower(to_program(parse(text), schema, vocabulary), reading).query
        assert fingerprint(again) == fingerprint(query), text
        outcomes["the same"] += 1


@pytest.mark.parametrize("seed", [41, 42])
def test_random_programs_come_back_as_the_same_query(seed: int) -> None:
    context = Context(programs.schema(), programs.VOCABULARY)
    outcomes: Counter[str] = Counter()
    for world in programs.pairs(seed, 400):
        compare(world.program, context, outcomes)
    assert outcomes["the same"] > 350


def test_random_programs_on_random_schemas_come_back_as_the_same_query() -> None:
    outcomes: Counter[str] = Counter()
    for number in range(40):
        found = block(17, number)
        context = Context(found.schema, VOCABULARY, negation=found.setting.negation)
        for _ in range(10):
            compare(next(found.programs), context, outcomes)
    assert outcomes["the same"] > 200
