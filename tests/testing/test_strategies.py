"""The public strategies: what is drawn is over the schema that was given, compiles on it, and shrinks."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

import pylf
from pylf.errors import CompileError
from pylf.graphs import bundled_schema, empty_schema, load_vocabulary
from pylf.ir.dates import DATE_DATATYPES
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import RDF, RDFS, XSD, Blank, Iri, Literal
from pylf.ir.values import NUMERIC_DATATYPES
from pylf.language.parser import parse
from pylf.language.printer import print_program
from pylf.testing.any_schema import compiles, part_of, program_over, triples_over
from pylf.testing.leaves import leaves, mapped
from pylf.testing.near_misses import near_miss, words_of
from pylf.testing.strategies import World, graphs, near_misses, programs, schemas, worlds

SCHEMA, VOCABULARY = bundled_schema()
RDF_TERMS = load_vocabulary("rdf")
FEW = settings(
    max_examples=40, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
EXAMPLE = (
    "e = STOP(JOIN('spaceflight.rocket.manufacturer', OR(START(':boeing'), START(':convair'))))",
    "e = STOP(AND(START('rocket'), CMP('<', 'spaceflight.rocket.mass', 1000)))",
    "a = JOIN('rocket.stages', START('F-1'), neg=True)\ne = STOP(COUNT(ARG('ARGMAX', a, 'rocket.mass')))".replace(
        "rocket.", "spaceflight.rocket."
    ),
)


def test_the_room_can_be_imported_without_hypothesis() -> None:
    program = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "import pylf.testing, pylf.testing.any_schema, pylf.testing.near_misses\n"
        "from pylf.testing import assert_equivalent\n"
        "try:\n    import pylf.testing.strategies\nexcept ImportError:\n    print('only then')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "only then\n"


@FEW
@given(graphs(SCHEMA, VOCABULARY))
def test_graphs_use_the_words_of_the_schema_alone(graph: MemoryGraph) -> None:
    known = {relation.iri for relation in SCHEMA.source.all_relations()}
    for subject, predicate, target in graph:
        assert isinstance(subject, Blank) or str(subject).startswith("<http://example.org/e")
        assert isinstance(predicate, Iri)
        if predicate.value == RDF + "type":
            assert isinstance(target, Iri)
            assert SCHEMA.class_(target.value) is not None
        elif predicate.value != RDFS + "label":
            assert predicate.value in known


def test_graphs_mostly_keep_to_what_the_schema_says_of_values() -> None:
    became: Counter[str] = Counter()
    for number in range(60):
        random = Random(number)
        for _, predicate, target in triples_over(part_of(SCHEMA, random), VOCABULARY, random):
            relation = SCHEMA.relation(predicate.value) if isinstance(predicate, Iri) else None
            if relation is None or not relation.datatypes:
                continue
            if not isinstance(target, Literal):
                became["entity"] += 1
                continue
            wider = next(
                (w for w in (NUMERIC_DATATYPES, DATE_DATATYPES) if relation.datatypes[0] in w), relation.datatypes
            )
            became["fits" if target.datatype in wider else "odd"] += 1
    assert became["fits"] > 4 * became["odd"] > 0
    assert became["fits"] > 20 * became["entity"]


def test_types_and_labels_are_said_as_the_vocabulary_says_them() -> None:
    says = Vocabulary("own", ("urn:is",), "urn:below", subclass_paths=True, label_predicates=("urn:called",))
    classes = (Class("urn:A"), Class("urn:B", parents=("urn:A",)))
    relations = (Relation("urn:r", domain=(("urn:A",),)), Relation("urn:wkt", datatypes=("urn:geo",)))
    schema = Schema(MemorySource(relations, classes))
    predicates: Counter[str] = Counter()
    datatypes: Counter[str] = Counter()
    for number in range(30):
        triples = triples_over(part_of(schema, Random(number)), says, Random(number))
        predicates.update(str(predicate) for _, predicate, _ in triples)
        datatypes.update(o.datatype for _, p, o in triples if p == Iri("urn:wkt") and isinstance(o, Literal))
    assert set(predicates) == {"<urn:is>", "<urn:below>", "<urn:called>", "<urn:r>", "<urn:wkt>"}
    assert datatypes.most_common(1)[0][0] == "urn:geo"
    assert len(datatypes) > 1


@FEW
@given(st.data())
def test_programs_compile_with_the_graph_at_hand_and_without(data: st.DataObject) -> None:
    graph = data.draw(graphs(SCHEMA, VOCABULARY))
    text = data.draw(programs(SCHEMA, graph, VOCABULARY))
    read = [
        pylf.compile(program, schema=SCHEMA, vocabulary=VOCABULARY, today="1990-07-01").ir
        for program in (text, print_program(parse(text)))
    ]
    assert read[0] == read[1]


@pytest.mark.parametrize("known", [(SCHEMA, VOCABULARY), (empty_schema(), RDF_TERMS)], ids=["rockets", "empty"])
def test_most_programs_have_an_answer(known: tuple[Schema, Vocabulary]) -> None:
    schema, vocabulary = known
    answered = 0
    forms: Counter[str] = Counter()
    for number in range(100):
        random = Random(number)
        triples = triples_over(part_of(SCHEMA, random), VOCABULARY, random)
        program = program_over(schema, triples, vocabulary, random)
        assert program is not None
        text = print_program(program)
        forms.update(word for word in ("JOIN", "AND", "OR", "MINUS", "neg=True", "ARG", "CMP", "COUNT") if word in text)
        query = pylf.compile(text, schema=schema, vocabulary=vocabulary, today="1990-07-01").ir
        found = evaluate(query, MemoryGraph(triples), schema, vocabulary)
        answered += not (found.empty or found.number == 0 or found.boolean is False)
    assert answered > 60
    assert min(forms[word] for word in ("JOIN", "AND", "neg=True")) > 12
    assert len(forms) == 8


def test_programs_are_drawn_over_a_graph_with_names_of_its_own() -> None:
    graph = pylf.bundled().engine
    triples = list(graph.triples())
    named = 0
    for number in range(12):
        program = program_over(SCHEMA, triples, VOCABULARY, Random(number))
        assert program is not None
        named += "(':" in print_program(program)
    assert named > 3


def test_an_empty_graph_has_programs_too() -> None:
    assert program_over(SCHEMA, (), VOCABULARY, Random(1)) is not None


@FEW
@given(worlds())
def test_worlds_hang_together(world: World) -> None:
    query = pylf.compile(world.program, schema=world.schema, vocabulary=world.vocabulary, today="1990-07-01").ir
    evaluate(query, world.graph, world.schema, world.vocabulary)
    shown = repr(world.graph).removeprefix("MemoryGraph.parse('''").removesuffix("''')")
    assert len(MemoryGraph.parse(shown)) == len(world.graph)


def test_what_is_drawn_shrinks() -> None:
    quick = settings(max_examples=200, deadline=None, derandomize=True, database=None)
    schema = find(schemas(), lambda schema: any(c.parents for c in schema.source.all_classes()), settings=quick)
    assert len(list(schema.source.all_classes())) <= 3


# --- near misses ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", EXAMPLE)
def test_near_misses_differ_in_one_thing(text: str) -> None:
    program = parse(text)
    random = Random(1)
    words = words_of(program, random)
    missed = [near_miss(program, random, words) for _ in range(200)]
    assert all(one is not None and one.assignments != program.assignments for one in missed)
    texts = {print_program(one) for one in missed if one is not None}
    assert len(texts) > 20
    own = {leaf.text.removeprefix("R_") for leaf in leaves(program) if hasattr(leaf, "text")}
    for one in missed:
        names = {leaf.text.removeprefix("R_") for leaf in leaves(one) if type(leaf).__name__ == "Name"}
        assert names <= own
    # most of them compile, so that most of them can be compared
    assert sum(compiles(parse(one), SCHEMA, VOCABULARY) for one in texts) > len(texts) / 3


@FEW
@given(near_misses(EXAMPLE[0], SCHEMA, VOCABULARY))
def test_near_misses_under_a_schema_compile(text: str) -> None:
    assert pylf.compile(text, schema=SCHEMA, vocabulary=VOCABULARY).ir
    assert print_program(parse(text)) != print_program(parse(EXAMPLE[0]))


def test_what_hypothesis_draws_of_near_misses_is_mostly_new() -> None:
    drawn: list[str] = []

    @settings(max_examples=100, deadline=None, derandomize=True, database=None, phases=[Phase.generate])
    @given(near_misses(EXAMPLE[0], SCHEMA, VOCABULARY))
    def draw(text: str) -> None:
        drawn.append(text)

    draw()
    assert len(set(drawn)) > 45
    assert any("neg=True" in text for text in drawn)


def test_near_misses_turn_change_and_negate() -> None:
    program = parse(EXAMPLE[0])
    random = Random(2)
    words = words_of(program, random, SCHEMA, VOCABULARY)
    texts = {print_program(one) for _ in range(400) if (one := near_miss(program, random, words)) is not None}
    for wanted in (
        "neg=True",
        "'R_spaceflight.rocket.manufacturer'",
        "AND(START(':boeing'), START(':convair'))",
        "MINUS(",
    ):
        assert any(wanted in text for text in texts), wanted
    assert any("spaceflight.rocket.manufacturer'" not in text for text in texts), "another relation"


def test_a_program_that_cannot_be_read_has_no_near_misses() -> None:
    with pytest.raises(CompileError):
        near_misses("e = STOP(")


def test_words_are_exchanged_and_all_else_stays() -> None:
    program = parse(EXAMPLE[2])
    assert mapped(program, lambda leaf: leaf) is program
    assert [type(leaf).__name__ for leaf in leaves(program)] == ["Name", "Start", "Name"]


def test_a_large_schema_is_shown_in_parts() -> None:
    part = part_of(SCHEMA, Random(3))
    assert 5 <= len(part.relations) <= 20
    assert {iri for row in part.relations for union in row.domain for iri in union} <= {c.iri for c in part.classes}
    assert XSD not in {c.iri for c in part.classes}
