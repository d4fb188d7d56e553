"""From chains to PyLF: each form is one function of the language, and the query is the one of the nested calls."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

import pylf
from pylf.errors import CompileError
from pylf.frontends.chain.parser import parse
from pylf.frontends.chain.to_pylf import MAX_DEPTH, to_program
from pylf.ir.canonical import fingerprint
from pylf.ir.nodes import Triple
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Relation, Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import Iri
from pylf.language.context import Context, Negation
from pylf.language.lower import lower
from pylf.language.parser import parse as parse_program
from pylf.language.printer import print_program
from pylf.testing.drawn.schemas import VOCABULARY
from pylf.testing.drawn.worlds import drawn
from tests.frontends import small_freebase

if TYPE_CHECKING:
    from pylf.language import syntax

SCHEMA = small_freebase.schema()
FREEBASE = small_freebase.vocabulary()


def expression(text: str, schema: Schema = SCHEMA, vocabulary: Vocabulary = FREEBASE) -> str:
    """The PyLF expression that a chain becomes."""
    printed = print_program(to_program(parse(text), schema, vocabulary))
    return printed.removeprefix("expression = STOP(").removesuffix(")\n")


@pytest.mark.parametrize(
    ("chain", "expected"),
    [
        # the main chain: from what is known to what is asked for
        ("m.1 -> r", "JOIN('R_r', START('m.1'))"),
        ("m.1 -> ~r", "JOIN('r', START('m.1'))"),
        ("m.1 -> R_r", "JOIN('r', START('m.1'))"),
        ("m.1 -> ~R_r", "JOIN('R_r', START('m.1'))"),
        ("m.1 -> r -> ~s", "JOIN('s', JOIN('R_r', START('m.1')))"),
        ("m.1 -> not r", "JOIN('R_r', START('m.1'), neg=True)"),
        ("m.1 -> not (r -> ~s)", "JOIN(['s', 'R_r'], START('m.1'), neg=True)"),
        ("m.1 [-> not (r -> ~s) -> m.2]", "AND(START('m.1'), JOIN(['r', 'R_s'], START('m.2'), neg=True))"),
        ("m.1 -> r+ -> ~s*", "JOIN(CLOSURE('s', min=0), JOIN(CLOSURE('R_r'), START('m.1')))"),
        ("(m.1 | m.2) -> ~r", "JOIN('r', OR(START('m.1'), START('m.2')))"),
        ("m.1 | m.2 -> ~r", "OR(START('m.1'), JOIN('r', START('m.2')))"),
        # constraint chains: from their position outwards
        ("m.1 [-> r -> m.2]", "AND(START('m.1'), JOIN('r', START('m.2')))"),
        ("m.1 [-> ~r -> s -> 5]", "AND(START('m.1'), JOIN('R_r', JOIN('s', START(5))))"),
        ("m.1 [-> not r -> m.2]", "AND(START('m.1'), JOIN('r', START('m.2'), neg=True))"),
        ("m.1 [-> r -> not s -> m.2]", "AND(START('m.1'), JOIN('r', JOIN('s', START('m.2'), neg=True)))"),
        ("m.1 [-> r -> (m.2 -> s)]", "AND(START('m.1'), JOIN('r', JOIN('R_s', START('m.2'))))"),
        ("m.1 -> r [-> s -> m.2] -> t", "JOIN('R_t', AND(JOIN('R_r', START('m.1')), JOIN('s', START('m.2'))))"),
        ("m.1 [-> r < 5]", "AND(START('m.1'), CMP('<', 'r', 5))"),
        ("m.1 [-> r -> ~s != 'x']", "AND(START('m.1'), CMP('!=', ['r', 'R_s'], 'x'))"),
        ("m.1 [a.b] [class 'c']", "AND(START('m.1'), START('a.b'), START('c', kind='class'))"),
        ("m.1 [m.2 -> r]", "AND(START('m.1'), JOIN('R_r', START('m.2')))"),
        ("? [-> r < 5]", "CMP('<', 'r', 5)"),
        ("? [-> r < 5] [-> s -> m.1]", "AND(CMP('<', 'r', 5), JOIN('s', START('m.1')))"),
        # what is done with a whole set, in the order in which it stands
        ("m.1 [except m.2]", "MINUS(START('m.1'), START('m.2'))"),
        ("m.1 [except -> r < 5] [a.b]", "AND(MINUS(START('m.1'), CMP('<', 'r', 5)), START('a.b'))"),
        ("m.1 [a.b] [except -> r -> m.2]", "MINUS(AND(START('m.1'), START('a.b')), JOIN('r', START('m.2')))"),
        ("a.b [largest -> r]", "ARG('ARGMAX', START('a.b'), 'r')"),
        ("a.b [smallest 3 -> r -> s]", "ARG('ARGMIN', START('a.b'), ['r', 's'], k=3)"),
        ("a.b [largest count -> ~r]", "ARG('ARGMAX', START('a.b'), COUNT('R_r'))"),
        ("a.b [largest -> r] [m.1]", "AND(ARG('ARGMAX', START('a.b'), 'r'), START('m.1'))"),
        ("m.1 -> r [count]", "COUNT(JOIN('R_r', START('m.1')))"),
        ("m.1 [count] -> ~r", "JOIN('r', COUNT(START('m.1')))"),
        ("m.1 [any]", "ASK(START('m.1'))"),
        ("m.1 [-> r <= 1996 or none]", "TC(START('m.1'), 'r', 1996)"),
        ("m.1 [-> r -> s >= NOW or none]", "TC(START('m.1'), ['r', 's'], 'NOW', until=True)"),
        # names and values
        ("entity 'Boeing Company'", "START('Boeing Company', kind='entity')"),
        ("literal '5'", "START('5', kind='literal')"),
        ("1990-07 -> ~r", "JOIN('r', START('1990-07'))"),
    ],
)
def test_each_form_is_one_function(chain: str, expected: str) -> None:
    assert expression(chain) == expected


def test_a_relation_whose_reversed_name_is_a_relation_of_its_own() -> None:
    names = Vocabulary("names", prefixes={"": "http://e/"})
    schema = Schema(MemorySource([Relation(f"http://e/{name}") for name in ("odd", "R_odd", "even")], [], {}))
    for chain, expected, relation, from_a in (
        (":a -> even", "JOIN('R_even', START(':a'))", "even", True),
        (":a -> ~odd", "JOIN('odd', START(':a'))", "odd", False),
        (":a -> odd", "JOIN('R_<http://e/odd>', START(':a'))", "odd", True),
        (":a -> ~R_odd", "JOIN('R_odd', START(':a'))", "R_odd", False),
        (":a -> R_odd", "JOIN('R_R_odd', START(':a'))", "R_odd", True),
        (":a -> ~R_even", "JOIN('R_even', START(':a'))", "even", True),
    ):
        assert expression(chain, schema, names) == expected
        query = lower(to_program(parse(chain), schema, names), Context(schema, names)).query
        (triple,) = query.body.conjuncts
        assert isinstance(triple, Triple)
        assert triple.predicate == Iri(f"http://e/{relation}")
        assert (triple.subject if from_a else triple.object) == Iri("http://e/a")


# --- a chain without constraints is the nested JOINs --------------------------------------------------------------


def outcome(program: syntax.Program, context: Context) -> str:
    """The query's fingerprint, or the codes of what is wrong."""
    try:
        return fingerprint(lower(program, context).query)
    except CompileError as error:
        return " ".join(sorted(f"-{d.code}" for d in error.diagnostics))


@pytest.mark.parametrize("seed", range(3))
def test_a_chain_without_constraints_and_the_nested_joins_are_one_query(seed: int) -> None:
    rng = Random(f"nested {seed}")
    compiled = 0
    for _ in range(30):
        negation: Negation = rng.choice(("cwa", "pca"))
        block = drawn(rng, negation=negation)
        schema = block.schema
        context = Context(schema, VOCABULARY, negation=negation)
        relations = [relation.iri for relation in block.setting.rows.relations]
        for _ in range(10):
            start = rng.choice(("':e0'", "':e1'", "5", "'1990-07^^xsd:gYearMonth'", "'label'"))
            chain, joins = start, f"START({start})"
            for _ in range(rng.randint(0, 5)):
                name, back, negated = rng.choice(relations), rng.random() < 0.5, rng.random() < 0.2
                chain += f" -> {'not ' * negated}{'~' * back}<{name}>"
                joins = f"JOIN('{'' if back else 'R_'}<{name}>', {joins}{', neg=True' * negated})"
            expected = outcome(parse_program(f"expression = STOP({joins})"), context)
            assert outcome(to_program(parse(chain), schema, VOCABULARY), context) == expected, chain
            compiled += " " not in expected and "-" not in expected
    assert compiled > 60


# --- what is wrong with a chain -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "code"),
    [
        ("«?» -> film.film.genre", "no-source"),
        ("«?» [count]", "no-source"),
        ("m.1 «[any]» -> film.film.genre", "type-mismatch"),
        ("film.film [film.film «[any]»]", "type-mismatch"),
        ("film.film [-> film.film.genre -> («?»)]", "no-source"),
        ("m.1 -> «film.film.jenre»", "unknown-relation"),
        ("film.film [-> film.film.genre -> «class Nothing»]", "unknown-class"),
        ("film.film [-> «film.film.genre» < 5]", "type-mismatch"),
        ("«film.film [-> film.film.shots < 5] [3]»", "type-mismatch"),
        ("m.1 «-> not film.film.shots»", "unsafe-negation"),
    ],
)
def test_a_finding_is_placed_in_the_chain(marked: str, code: str) -> None:
    text = marked.replace("«", "").replace("»", "")
    part = marked[marked.index("«") + 1 : marked.index("»")]
    with pytest.raises(CompileError) as caught:
        lower(to_program(parse(text, "question.chain"), SCHEMA, FREEBASE), Context(SCHEMA, FREEBASE))
    (found,) = caught.value.diagnostics
    assert found.code == code
    assert found.span is not None
    assert found.source is not None
    assert found.source.name == "question.chain"
    assert text[slice(*found.span)] == part


def test_hints_are_written_as_chains() -> None:
    rockets = pylf.compile("expression = STOP(START('N1'))")
    schema, vocabulary = rockets.schema, rockets.vocabulary
    chain = "company -> ~spaceflight.rocket_manufacturer.rockets_manufactured"
    with pytest.raises(CompileError, match="but expects 'rocket'") as caught:
        lower(to_program(parse(chain), schema, vocabulary), Context(schema, vocabulary))
    assert "(… -> spaceflight.rocket_manufacturer.rockets_manufactured) fits" in str(caught.value)
    with pytest.raises(CompileError, match="unsafe negation") as caught:
        lower(to_program(parse("m.1 -> not film.film.shots"), SCHEMA, FREEBASE), Context(SCHEMA, FREEBASE))
    assert "X [-> not ~film.film.shots -> …]" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        (f"m.1{' -> people.person.sibling' * (MAX_DEPTH - 2)}", True),
        (f"m.1{' -> people.person.sibling' * (MAX_DEPTH + 1)}", False),
        (f"m.1{' -> people.person.sibling' * 39_000}", False),
        (f"m.1{' [m.2]' * 2_000}", True),
        (f"m.1 [{'-> people.person.sibling ' * (MAX_DEPTH - 3)}-> m.2]", True),
        (f"m.1 [{'-> people.person.sibling ' * (MAX_DEPTH + 1)}-> m.2]", False),
        (f"{'(' * 99}m.1{' -> people.person.sibling)' * 99}", True),
        (f"{'m.1 [m.2] [except ' * 99}m.1{']' * 99}", True),
    ],
)
def test_sets_nest_as_deep_as_in_pylf(text: str, fits: bool) -> None:
    if fits:
        assert fingerprint(lower(to_program(parse(text), SCHEMA, FREEBASE), Context(SCHEMA, FREEBASE)).query)
        return
    with pytest.raises(CompileError) as caught:
        to_program(parse(text), SCHEMA, FREEBASE)
    assert [d.code for d in caught.value.diagnostics] == ["too-deep"]
