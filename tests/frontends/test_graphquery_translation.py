"""What graph queries mean: the programs that they become, the answers of those, and the way back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pylf.errors import CompileError, Diagnostic
from pylf.frontends.graphquery.from_pylf import from_expression
from pylf.frontends.graphquery.reader import read
from pylf.frontends.graphquery.writer import to_json
from pylf.ir.canonical import fingerprint
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.terms import XSD, Iri, Literal
from pylf.language import syntax
from pylf.language.context import Context
from pylf.language.lower import lower
from pylf.language.parser import parse
from pylf.language.raise_ import raise_expression
from tests.frontends.graphquery_films import (
    DIRECTED,
    FREEBASE,
    KUBRICK,
    MEANINGS,
    SCHEMA,
    graph,
    lowered,
    written,
)
from tests.frontends.small_freebase import NS

if TYPE_CHECKING:
    from pylf.ir.answers import Answers
    from pylf.ir.nodes import Query


@pytest.mark.parametrize("name", MEANINGS)
def test_what_a_graph_means(name: str) -> None:
    query, plain, with_classes = MEANINGS[name]
    assert written(query) == plain
    assert written(query, inner_classes=True) == (with_classes or plain)
    assert lowered(query).query.outputs
    assert not lowered(query).diagnostics


@pytest.mark.parametrize("inner_classes", [False, True])
@pytest.mark.parametrize("name", MEANINGS)
def test_there_and_back(name: str, inner_classes: bool) -> None:
    query = MEANINGS[name][0]
    meant = lowered(query, inner_classes).query
    expression = raise_expression(meant, SCHEMA, FREEBASE).expression
    if ", ARG(" in written(query, inner_classes):
        # the graph says in one node what takes an order inside the set that is asked for
        assert refused(expression, inner_classes).code == "no-nested-superlative"
        return
    back = from_expression(expression, SCHEMA, FREEBASE, inner_classes)
    data = to_json(back)
    assert read(data) == back == read(json.dumps(data))
    assert fingerprint(lowered(back, inner_classes).query) == fingerprint(meant)


def refused(expression: syntax.Expression, inner_classes: bool = False) -> Diagnostic:
    with pytest.raises(CompileError) as caught:
        from_expression(expression, SCHEMA, FREEBASE, inner_classes)
    return caught.value.diagnostics[0]


# --- answers ------------------------------------------------------------------------------------------------------

TRIPLES = [
    tuple(line.split())
    for line in """
odyssey type.object.type film.film
odyssey film.film.directed_by m.06mn7
odyssey film.film.written_by m.06mn7
odyssey film.film.initial_release_date 1968-04-02
odyssey film.film.runtime odyssey_cut
odyssey film.film.runtime odyssey_premiere
odyssey_cut film.film_cut.runtime 142.0
odyssey_cut film.film_cut.release_region m.09c7w0
odyssey_premiere film.film_cut.runtime 161.0
odyssey_premiere film.film_cut.release_region m.07ssc
shining type.object.type film.film
shining film.film.directed_by m.06mn7
shining film.film.initial_release_date 1980-05-23
shining film.film.runtime shining_cut
shining_cut film.film_cut.runtime 144.0
shining_cut film.film_cut.release_region m.09c7w0
""".strip().splitlines()
]


def node(text: str) -> Iri | Literal:
    if text[0].isdigit():
        return Literal(text, XSD + ("date" if "-" in text else "double"))
    return Iri(NS + text)


GRAPH = MemoryGraph((Iri(NS + s), Iri(NS + p), node(o)) for s, p, o in TRIPLES)


def answers(query: Query) -> set[str]:
    found: Answers = evaluate(query, GRAPH, SCHEMA, FREEBASE)
    return {str(value).removeprefix("<" + NS).removesuffix(">") for value in found.values}


def test_a_value_is_compared_with_the_constant_in_this_order() -> None:
    def released(sign: str, date: str) -> set[str]:
        edge = (0, "film.film.initial_release_date", 1)
        return answers(lowered(graph(edge, n0="film.film", n1=f"{date}^^{XSD}date {sign}")).query)

    assert released(">", "1970-01-01") == {"shining"}
    assert released("<", "1970-01-01") == {"odyssey"}
    assert released("<=", "1968-04-02") == {"odyssey"}
    assert released(">=", "1980-05-23") == {"shining"}
    assert released("<", "1968-04-02") == set()


def test_one_entity_at_two_edges_is_the_same_at_both() -> None:
    both = graph(DIRECTED, (0, "film.film.written_by", 1), n0="film.film", n1=KUBRICK)
    assert answers(lowered(both).query) == {"odyssey"}


def test_limit_and_order_of_a_superlative_are_one_way_only_where_inner_classes_are_kept() -> None:
    query, *_ = MEANINGS["a superlative by the end of a path that is limited on its way"]
    assert answers(lowered(query).query) == {"odyssey"}  # it has a cut for the country, and the longest cut of all
    untyped = read({**to_json(query), "nodes": [anything(n) for n in to_json(query)["nodes"]]})
    assert answers(lowered(untyped, inner_classes=True).query) == {"shining"}  # the longest cut for the country


def anything(row: dict[str, object]) -> dict[str, object]:
    return {**row, "id": "rdfs:Resource"} if row["id"] == "film.film_cut" else row


# --- names that are not listed ------------------------------------------------------------------------------------


def test_what_the_schema_does_not_list_is_taken_with_a_warning() -> None:
    query = graph((0, "kg.object_profile.prominent_type", 1), n0="common.topic", n1=KUBRICK)
    found = lowered(query)
    assert {d.code for d in found.diagnostics} == {"unlisted-relation", "unlisted-class"}
    assert all(d.severity == "warning" and d.span is not None and d.source is query.source for d in found.diagnostics)
    assert written(query) == (
        f"AND(START('<{NS}common.topic>'), JOIN('<{NS}kg.object_profile.prominent_type>', START('m.06mn7')))"
    )
    expression = raise_expression(found.query, SCHEMA, FREEBASE).expression
    back = from_expression(expression, SCHEMA, FREEBASE)
    assert back.question.id == "common.topic"
    assert back.edges[0].relation == "kg.object_profile.prominent_type"
    assert fingerprint(lowered(back).query) == fingerprint(found.query)


def test_the_class_of_everything_is_a_class_when_it_is_written_in_full() -> None:
    full = "<http://www.w3.org/2000/01/rdf-schema#Resource>"
    query = graph(DIRECTED, n0=full, n1=KUBRICK)
    assert written(query).startswith(f"AND(START('{full}'), ")
    expression = raise_expression(lowered(query).query, SCHEMA, FREEBASE).expression
    assert from_expression(expression, SCHEMA, FREEBASE).question.id == full


def test_a_class_is_an_entity_where_a_type_predicate_leads_to_it() -> None:
    data = to_json(graph((0, "type.object.type", 1), n0="rdfs:Resource", n1="film.director"))
    data["nodes"][1]["node_type"] = "entity"
    query = read(data)
    assert written(query) == f"JOIN('type.object.type', START('<{NS}film.director>'))"
    expression = raise_expression(lowered(query).query, SCHEMA, FREEBASE).expression
    back = from_expression(expression, SCHEMA, FREEBASE)
    assert [(n.node_type, n.id) for n in back.nodes] == [("class", "rdfs:Resource"), ("entity", "film.director")]
    assert fingerprint(lowered(back).query) == fingerprint(lowered(query).query)


# --- from programs ------------------------------------------------------------------------------------------------


def expression_of(text: str) -> syntax.Expression:
    program = parse(f"expression = STOP({text})")
    stop = program.assignments[-1].value
    assert isinstance(stop, syntax.Stop)
    return stop.of


def test_a_program_as_graph_query() -> None:
    text = "AND(START('film.film'), JOIN('film.film.directed_by', JOIN('people.person.place_of_birth', 'm.02_286')))"
    assert to_json(from_expression(expression_of(text), SCHEMA, FREEBASE)) == {
        "nodes": [
            {
                "nid": 0,
                "node_type": "class",
                "id": "film.film",
                "class": "film.film",
                "friendly_name": "Film",
                "question_node": 1,
                "function": "none",
            },
            {
                "nid": 1,
                "node_type": "class",
                "id": "film.director",
                "class": "film.director",
                "friendly_name": "Director",
                "question_node": 0,
                "function": "none",
            },
            {
                "nid": 2,
                "node_type": "entity",
                "id": "m.02_286",
                "class": "location.location",
                "friendly_name": "m.02_286",
                "question_node": 0,
                "function": "none",
            },
        ],
        "edges": [
            {"start": 0, "end": 1, "relation": "film.film.directed_by", "friendly_name": "Directed by"},
            {"start": 1, "end": 2, "relation": "people.person.place_of_birth", "friendly_name": "Place of birth"},
        ],
    }


@pytest.mark.parametrize(
    "text",
    [
        "START('film.film')",
        "START('m.06mn7')",
        "JOIN('film.film.directed_by', 'm.06mn7')",
        "JOIN('R_people.person.height_meters', 'm.06mn7')",
        "JOIN(['film.film.directed_by', 'people.person.place_of_birth'], 'm.02_286')",
        "CMP('>', ['film.film.directed_by', 'people.person.height_meters'], 2)",
        "JOIN('people.person.height_meters', 1.5)",
        "JOIN('people.person.date_of_birth', '1928')",
        "CMP('<=', 'people.person.date_of_birth', 1928)",
        f"JOIN('<{NS}made.up.relation>', 'Kubrick@en')",
        f"JOIN('<{NS}made.up.relation>', START('Kubrick', kind='literal'))",
        f"JOIN('<{NS}made.up.relation>', 5)",
        f"CMP('<', '<{NS}made.up.relation>', 5)",
        f"CMP('<', '<{NS}made.up.relation>', '5')",
        f"CMP('<', '<{NS}made.up.relation>', '5^^xsd:integer')",
        "JOIN('<http://e/a>', START('<http://e/b>'))",
        "COUNT(ARG('ARGMIN', START('film.film'), ['film.film.runtime', 'film.film_cut.runtime']))",
        "ARG('ARGMAX', JOIN('film.film.directed_by', 'm.06mn7'), 'film.film.initial_release_date')",
        "AND(START('m.06mn7'), JOIN('R_film.film.directed_by', START('film.film')))",
        "AND('film.film', 'film.film')",
        # over values, which meet by value
        "JOIN(['people.person.height_meters', 'R_people.person.height_meters'], 'm.06mn7')",
        "CMP('<', ['people.person.height_meters', 'R_film.film_cut.runtime', 'film.film_cut.runtime'], 2)",
        "ARG('ARGMAX', START('film.film'), ['<http://e/p>', 'R_<http://e/p>', 'film.film_cut.runtime'])",
    ],
)
def test_programs_there_and_back(text: str) -> None:
    expression = expression_of(text)
    program = syntax.Program((syntax.Assignment("expression", syntax.Stop(expression)),))
    meant = fingerprint(lower(program, Context(SCHEMA, FREEBASE)).query)
    for inner_classes in (False, True):
        back = from_expression(expression, SCHEMA, FREEBASE, inner_classes)
        again = read(json.dumps(to_json(back)))
        assert again == back
        assert fingerprint(lowered(again, inner_classes).query) == meant


REFUSED = {
    "JOIN('film.film.directed_by', 'm.06mn7', neg=True)": "no-negation",
    "OR('m.06mn7', 'm.02_286')": "no-several",
    "OR(START('film.film'), START('film.director'))": "no-union",
    "MINUS(START('film.film'), JOIN('film.film.directed_by', 'm.06mn7'))": "no-difference",
    "ASK(START('film.film'))": "no-yes-no",
    "JOIN(CLOSURE('location.location.containedby'), 'm.09c7w0')": "no-closure",
    "TC(START('film.film'), 'film.film.initial_release_date', '1990')": "no-time",
    "CMP('=', 'people.person.height_meters', 2)": "no-comparison",
    "CMP('!=', 'people.person.height_meters', 2)": "no-comparison",
    "ARG('ARGMAX', START('film.director'), 'people.person.height_meters', k=3)": "no-top-k",
    "ARG('ARGMAX', START('film.director'), COUNT('film.director.film'))": "no-count-order",
    "JOIN('film.film.directed_by', ARG('ARGMAX', START('film.director'), 'people.person.height_meters'))": (
        "no-nested-superlative"
    ),
    "AND(START('film.director'), ARG('ARGMAX', START('film.director'), 'people.person.height_meters'))": (
        "no-nested-superlative"
    ),
    "JOIN('measurement_unit.dated_integer.number', COUNT(START('film.film')))": "no-nested-count",
    # one thing twice is read as once
    "JOIN('film.film.genre', AND('m.1', 'm.1'))": "no-nesting",
    "AND(START(5), START(5))": "no-nesting",
    "JOIN('film.film.directed_by', 'Stanley Kubrick')": "no-label",
    "START('Stanley Kubrick')": "no-label",
    "JOIN('film.film.directed_by', AND(START('film.director'), JOIN('people.person.place_of_birth', 'm.02_286')))": (
        "no-inner-class"
    ),
    "AND(START('film.film'), START('people.person'))": "no-several-classes",
    "AND(START('film.film'), START('m.06mn7'))": "no-several-classes",
    "JOIN('film.film.directed_bi', 'm.06mn7')": "unknown-relation",
    "CMP('<', 'people.person.height_meters', 'tall')": "type-mismatch",
    "ARG('ARGMAX', COUNT(START('film.film')), 'people.person.height_meters')": "type-mismatch",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_graph_queries_have_no_form_for_is_named(text: str) -> None:
    found = refused(expression_of(text))
    assert found.code == REFUSED[text]
    assert found.span is not None
    assert found.message


def test_a_variable_and_what_is_too_deep_or_too_large_are_refused() -> None:
    deep = expression_of("START('m.09c7w0')")
    for _ in range(60):
        deep = syntax.Join(syntax.Name("location.location.containedby"), deep)
    nested = doubled = expression_of("START('film.film')")
    for _ in range(5_000):
        nested = syntax.And((nested, nested))
    for _ in range(100):
        doubled = syntax.And((doubled, doubled))
    link = syntax.Join(syntax.Name("location.location.containedby"), expression_of("START('m.09c7w0')"))
    for expression, code in (
        (syntax.Reference("x"), "reference"),
        (deep, "too-deep"),
        (nested, "too-deep"),
        (doubled, "too-large"),
        (syntax.And((link,) * 400), "too-large"),
    ):
        assert refused(expression).code == code


def test_inner_classes_are_kept_where_that_is_asked_for() -> None:
    text = "JOIN('film.film.directed_by', AND(START('film.writer'), JOIN('people.person.place_of_birth', 'm.02_286')))"
    back = from_expression(expression_of(text), SCHEMA, FREEBASE, inner_classes=True)
    assert [n.id for n in back.nodes] == ["rdfs:Resource", "film.writer", "m.02_286"]
    program = syntax.Program((syntax.Assignment("expression", syntax.Stop(expression_of(text))),))
    assert fingerprint(lowered(back, inner_classes=True).query) == fingerprint(
        lower(program, Context(SCHEMA, FREEBASE)).query
    )


# --- plain data ---------------------------------------------------------------------------------------------------


def test_what_was_read_is_written_as_it_was() -> None:
    data: dict[str, Any] = {
        "nodes": [
            {
                "nid": 3,
                "node_type": "class",
                "id": "film.film",
                "class": "film.film",
                "friendly_name": "a moving picture",
                "question_node": 1,
                "function": "count",
            },
            {
                "nid": 1,
                "node_type": "literal",
                "id": f"1968-04-02^^{XSD}date",
                "class": "type.datetime",
                "friendly_name": "",
                "question_node": 0,
                "function": "none",
            },
        ],
        "edges": [{"start": 3, "end": 1, "relation": "film.film.initial_release_date", "friendly_name": "came out on"}],
    }
    assert to_json(read(data)) == data
    assert json.dumps(to_json(read(json.dumps(data)))) == json.dumps(data)  # in the same order too
    assert read({"question": "…", "graph_query": data, "level": "i.i.d."}) == read(data)


def test_friendly_names_that_are_missing_are_made_from_the_ids() -> None:
    rows = to_json(graph(DIRECTED, n0="film.film_art_director", n1=KUBRICK))
    for row in (*rows["nodes"], *rows["edges"]):
        del row["friendly_name"]
    assert [row["friendly_name"] for row in to_json(read(rows))["nodes"]] == ["Film art director", KUBRICK]
    assert to_json(read(rows))["edges"][0]["friendly_name"] == "Directed by"


def test_places_in_the_text() -> None:
    text = '{"edges": [], "nodes": [{"x": [1, {"id": "no"}], "id":\n "film.film", "nid": 0, "node_type": "class",'
    text += ' "question_node": 1, "function": "none"}]}'
    found = read(text).nodes[0]
    assert found.span is not None
    assert text[found.span.start : found.span.end] == '"film.film"'
