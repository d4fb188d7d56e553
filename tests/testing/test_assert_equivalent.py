"""``assert_equivalent``: what passes, what fails and with which graph, and that a wrong rewrite is found."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import pylf
from pylf.backends.engines.http import HttpEngine
from pylf.backends.http.endpoint import Endpoint
from pylf.errors import CompileError, InputError
from pylf.graphs import bundled_schema, empty_schema
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import Body, Not
from pylf.ir.terms import XSD, Iri, Literal
from pylf.ir.traverse import rewrite
from pylf.language import syntax
from pylf.language.parser import parse
from pylf.language.printer import print_program
from pylf.testing import assert_equivalent
from pylf.testing.any_schema import compiles, part_of, program_over, triples_over
from pylf.testing.near_misses import near_miss, words_of

SCHEMA, VOCABULARY = bundled_schema()
NS = "http://pylf.example/rockets/"
ROCKETS, BOEING = "START('rocket')", "JOIN('spaceflight.rocket.manufacturer', START(':boeing'))"
HEAVY = "e = STOP(CMP('>', 'spaceflight.rocket.mass', 500))"
MASS = Iri(NS + "spaceflight.rocket.mass")
LAKES = Path(__file__).parents[2] / "examples" / "lakes.ttl"


def stop(text: str) -> str:
    return f"e = STOP({text})"


def test_what_is_proved_passes() -> None:
    one, other = stop(f"AND({ROCKETS}, {BOEING})"), stop(f"AND({BOEING}, {ROCKETS})")
    assert assert_equivalent(one, other, proved=True).status == "equivalent"


def test_sides_may_be_text_compiled_or_ir() -> None:
    text = stop(f"AND({ROCKETS}, {BOEING})")
    compiled = pylf.compile(text)
    for one in (text, compiled, compiled.ir):
        for other in (text, compiled, compiled.ir):
            assert_equivalent(one, other, proved=True)
    graph = MemoryGraph([(Iri("urn:x"), MASS, Literal("500", XSD + "integer"))])
    with pytest.raises(AssertionError, match="not equivalent"):
        assert_equivalent(compiled.ir, pylf.compile(HEAVY).ir, graphs=[graph])


def test_what_differs_shows_the_graph_and_both_answers() -> None:
    with pytest.raises(AssertionError) as found:
        assert_equivalent(HEAVY, HEAVY.replace(">", ">="))
    assert str(found.value) == (
        "not equivalent: on this graph the answers differ\n"
        "\n"
        "@prefix : <http://pylf.example/rockets/> .\n"
        "@prefix ex: <http://example.org/> .\n"
        "ex:e1 :spaceflight.rocket.mass 500 .\n"
        "\n"
        "left : nothing\n"
        "right: ex:e1"
    )


def test_forms_that_differ_are_told_without_a_graph() -> None:
    with pytest.raises(AssertionError, match="one answers with a set, the other with a number") as found:
        assert_equivalent(HEAVY, stop("COUNT(CMP('>', 'spaceflight.rocket.mass', 500))"))
    assert "(the graph without any triple)" in str(found.value)


def test_a_graph_of_the_users_is_asked_first_and_made_small() -> None:
    """On the bundled graph, of some nine thousand triples."""
    graph = pylf.bundled().engine
    with pytest.raises(AssertionError) as found:
        assert_equivalent(stop(ROCKETS), stop(f"AND({ROCKETS}, {BOEING})"), graphs=[graph])
    turtle = str(found.value).partition("\n\n")[2].rpartition("\n\n")[0]
    least = MemoryGraph.parse(turtle)
    assert len(least) == 1
    told = [
        evaluate(pylf.compile(stop(text)).ir, least, SCHEMA, VOCABULARY).key()
        for text in (ROCKETS, f"AND({ROCKETS}, {BOEING})")
    ]
    assert told[0] != told[1]


def test_graphs_may_be_plain_triples() -> None:
    triples = [(Iri("urn:x"), MASS, Literal("500", XSD + "integer"))]
    with pytest.raises(AssertionError, match="rocket\\.mass 500"):
        assert_equivalent(HEAVY, HEAVY.replace(">", ">="), graphs=[triples])


def test_graphs_may_be_files_and_opened_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not all large lakes are salt lakes. The search, which would find a graph of its own, is taken away."""
    monkeypatch.setattr("pylf.testing.equivalent.equivalent", None)
    lakes = pylf.open_kg(LAKES)
    one, other = stop("CMP('>', 'area', 9000)"), stop("AND(START('Salt_lake'), CMP('>', 'area', 9000))")
    for graph in (LAKES, str(LAKES), lakes, lakes.engine, list(lakes.engine.triples()), lakes.engine.triples()):
        with pytest.raises(AssertionError, match="on this graph the answers differ"):
            assert_equivalent(one, other, schema=lakes.schema, vocabulary=lakes.vocabulary, graphs=[graph])
    with pytest.raises(AssertionError, match="on this graph the answers differ"):
        assert_equivalent(stop(ROCKETS), stop(f"AND({ROCKETS}, {BOEING})"), graphs=["bundled"])


@pytest.mark.parametrize(
    ("graphs", "told"),
    [
        (str(LAKES), "one alone is a list too"),
        (LAKES, "one alone is a list too"),
        (pylf.bundled(), "one alone is a list too"),
        (MemoryGraph(()), "one alone is a list too"),
        ([3], "not int"),
        ([[3]], "3 is no such triple"),
        ([[("a", "b", "c")]], "is no such triple"),
        ([(Iri("urn:x"), MASS, Iri("urn:x"))], "is no such triple"),
        (["nothing.ttl"], "nothing.ttl: no such file"),
        (["http://localhost:1/sparql"], "an endpoint is not read whole"),
        ([HttpEngine(Endpoint("http://localhost:1/sparql"))], "an endpoint is not read whole"),
    ],
    ids=lambda value: str(value)[:20] if isinstance(value, str) else type(value).__name__,
)
def test_what_is_no_list_of_graphs_is_told_what_is(graphs: object, told: str) -> None:
    with pytest.raises(InputError) as found:
        assert_equivalent(HEAVY, HEAVY, graphs=graphs)
    assert told in str(found.value)


def test_a_failing_test_shows_its_own_line_last() -> None:
    with pytest.raises(AssertionError) as found:
        assert_equivalent(HEAVY, HEAVY.replace(">", ">="))
    assert [entry.name for entry in found.traceback if not entry.ishidden(found)] == [
        "test_a_failing_test_shows_its_own_line_last"
    ]


def test_undecided_passes_unless_a_proof_is_asked_for() -> None:
    """What is so or is not so: no proof that is looked for goes by cases of a condition."""
    one, other = stop(BOEING), stop(f"OR(AND({BOEING}, {ROCKETS}), MINUS({BOEING}, {ROCKETS}))")
    assert assert_equivalent(one, other, seconds=0.2, bound=1).status == "undecided"
    with pytest.raises(AssertionError, match="not proved to be equivalent: no proof, and no difference on"):
        assert_equivalent(one, other, seconds=0.2, bound=1, proved=True)


def test_graphs_that_keep_to_the_schema_alone_count_where_sound() -> None:
    one, other = stop(f"AND({ROCKETS}, {BOEING})"), stop(BOEING)
    broken = [(Iri("urn:x"), Iri(NS + "spaceflight.rocket.manufacturer"), Iri(NS + "boeing"))]
    with pytest.raises(AssertionError):
        assert_equivalent(one, other, graphs=[broken])
    assert assert_equivalent(one, other, graphs=[broken], sound=True).status == "equivalent"


def test_questions_of_two_schemas_are_not_read_by_the_first_one() -> None:
    kinds = "e = STOP(JOIN('<urn:p>', START('<urn:o>')))"
    bare, rockets = pylf.compile(kinds, schema=empty_schema()), pylf.compile(kinds)
    for one, other in ((bare, rockets), (rockets, bare)):
        with pytest.raises(InputError, match=r"compiled by different schemas.* as schema="):
            assert_equivalent(one, other)
        assert assert_equivalent(one, other, schema=empty_schema(), vocabulary=rockets.vocabulary, proved=True)
    with pytest.raises(InputError, match=r"compiled by different vocabularies.* as vocabulary="):
        assert_equivalent(bare, pylf.compile(kinds, schema=empty_schema(), vocabulary="wikidata"))
    # what is said to be one schema twice is one, and so is the bundled graph's with what was counted on it
    assert assert_equivalent(rockets, pylf.compile(kinds, kg="bundled"), proved=True)
    lakes = [pylf.compile(kinds, kg=str(LAKES)) for _ in range(2)]
    assert lakes[0].schema is not lakes[1].schema
    assert assert_equivalent(*lakes, proved=True)


def test_what_is_no_question_is_an_error_of_its_own() -> None:
    with pytest.raises(CompileError):
        assert_equivalent("e = STOP(", HEAVY)


# --- rewrites ---------------------------------------------------------------------------------------------------------


def split(node: syntax.Expression, careful: bool) -> syntax.Expression:
    """``JOIN`` over ``OR`` as ``OR`` over ``JOIN``; right only where nothing is negated."""
    match node:
        case syntax.Join(relation, syntax.Or(sets), negated) if not (careful and negated):
            return syntax.Or(tuple(split(syntax.Join(relation, each, negated), careful) for each in sets))
        case syntax.And(sets):
            return syntax.And(tuple(split(each, careful) for each in sets))
        case _:
            return node


def in_parts(text: str, careful: bool) -> str:
    *before, last = parse(text).assignments
    assert isinstance(last.value, syntax.Stop)
    done = syntax.Assignment(last.name, syntax.Stop(split(last.value.of, careful)))
    return print_program(syntax.Program((*before, done)))


@pytest.mark.parametrize("careful", [True, False])
def test_near_misses_find_the_guard_that_a_rewrite_lacks(careful: bool) -> None:
    either = "OR(JOIN('spaceflight.rocket_stage.engines', START('F-1')), START(':s_ic'))"
    program = parse(stop(f"JOIN('spaceflight.rocket.stages', {either})"))
    random, wrong, compared = Random(4), 0, 0
    words = words_of(program, random)
    for _ in range(60):
        missed = near_miss(program, random, words)
        if missed is None or not compiles(missed, SCHEMA, VOCABULARY):
            continue
        text = print_program(missed)
        parts = in_parts(text, careful)
        if parts == text or not compiles(parse(parts), SCHEMA, VOCABULARY):
            continue
        compared += 1
        try:
            assert_equivalent(text, parts, schema=SCHEMA, vocabulary=VOCABULARY, seconds=0.15)
        except AssertionError:
            wrong += 1
            assert "neg=True" in text
    assert compared > 10
    assert (wrong > 0) == (not careful)


def test_drawn_programs_find_a_pass_of_the_ir_that_drops_negations() -> None:
    def dropped(node: Body | object) -> object:
        return Body(()) if isinstance(node, Not) else node

    found = 0
    for number in range(60):
        random = Random(number)
        triples = triples_over(part_of(SCHEMA, random), VOCABULARY, random)
        program = program_over(SCHEMA, triples, VOCABULARY, random)
        assert program is not None
        query = pylf.compile(print_program(program), today="1990-07-01").ir
        worse = rewrite(query, dropped)
        if worse is query:
            continue
        try:
            assert_equivalent(query, worse, schema=SCHEMA, vocabulary=VOCABULARY, graphs=[triples], seconds=0.1)
        except AssertionError:
            found += 1
    assert found > 5
