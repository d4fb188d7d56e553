"""Questions that a form could say in a way that is read as something else, and those at the limits of what is read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import pylf
from pylf.api import empty_schema
from pylf.errors import CompileError, NoForm
from pylf.frontends.graphquery import from_pylf as to_graph
from pylf.frontends.graphquery.json_spans import DEEPEST, JsonPath, json_spans
from pylf.frontends.graphquery.reader import read
from pylf.frontends.graphquery.writer import to_json
from pylf.frontends.sexpr import from_pylf as to_sexpr
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.nodes import InstanceOf
from pylf.ir.schema.vocabularies import load
from pylf.ir.terms import XSD, Iri, Literal
from pylf.ir.traverse import walk
from pylf.language import syntax
from pylf.language.findings import MAX_FINDINGS
from tests.frontends import small_freebase
from tests.frontends.small_freebase import NS, schema_of

if TYPE_CHECKING:
    from pylf.ir.schema.model import Schema

FREEBASE = load("freebase")
SCHEMA = small_freebase.schema()
FORMS = ("pylf", "sexpr", "graphquery", "ir", "json")


def compiled(text: str, source: str = "sexpr", schema: Schema | None = None) -> pylf.CompiledQuery:
    return pylf.compile(text, source=source, schema=schema or empty_schema(), vocabulary=FREEBASE, today="1990-07-01")


def assert_comes_back(query: pylf.CompiledQuery, *forms: str) -> None:
    for form in forms or FORMS:
        text = query.to(form)
        again = compiled(text, form, query.schema)
        assert again.fingerprint == query.fingerprint, f"{form}: {text}"


# --- sets that meet by value --------------------------------------------------------------------------------------

A, B, C = (f"(JOIN (R a.b.r{r}) m.0{r})" for r in "123")


def test_sets_that_may_be_values_are_one_query_however_they_nest() -> None:
    queries = [
        compiled(text)
        for text in (f"(AND {A} {B} {C})", f"(AND {A} (AND {B} {C}))", f"(AND (AND {A} {B}) {C})", f"(AND {A} {C} {B})")
    ]
    assert len({query.fingerprint for query in queries}) == 1
    for query in queries:
        assert_comes_back(query)


def leads_to(n: int, lexical: str, datatype: str) -> tuple[Iri, Iri, Literal]:
    return Iri(f"{NS}m.0{n}"), Iri(f"{NS}a.b.r{n}"), Literal(lexical, XSD + datatype)


def test_values_meet_by_value_however_deep_they_stand() -> None:
    same = MemoryGraph([leads_to(1, "10", "integer"), leads_to(2, "10.0", "decimal"), leads_to(3, "1e1", "double")])
    other = MemoryGraph([leads_to(1, "10", "integer"), leads_to(2, "10.0", "decimal"), leads_to(3, "11", "double")])
    for text in (f"(AND {A} (AND {B} {C}))", f"(AND {A} {B} {C})"):
        query = compiled(text).ir
        assert evaluate(query, same, empty_schema(), FREEBASE).values == (Literal("10", XSD + "integer"),)
        assert evaluate(query, other, empty_schema(), FREEBASE).values == ()


def test_an_and_of_constants_stays_one() -> None:
    # 1990 inside an AND of its own is that year, and beside a set whatever lies in it
    year = "1990^^xsd:gYear"
    facts = MemoryGraph([leads_to(1, "1990-07", "gYearMonth")])
    within, itself = compiled(f"(AND {A} {year})"), compiled(f"(AND {A} (AND {year} {year}))")
    assert len(evaluate(within.ir, facts, empty_schema(), FREEBASE).values) == 1
    assert evaluate(itself.ir, facts, empty_schema(), FREEBASE).values == ()
    assert_comes_back(within)
    with pytest.raises(NoForm, match="no-nesting"):
        itself.to("graphquery")


@pytest.mark.parametrize("count", [19, 20, 500])
def test_an_and_of_many_sets_is_written_as_it_is_read(count: int) -> None:
    sets = " ".join(f"(JOIN film.film.genre m.{i})" for i in range(count))
    query = compiled(f"(AND film.film {sets})", schema=SCHEMA)
    assert_comes_back(query, "sexpr", "ir")
    assert query.to("sexpr").count("(AND ") == (1 if count >= 20 else count)


# --- one thing twice ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["(JOIN a.b.r (AND m.1 m.1))", "(AND 5 5)", "(JOIN a.b.r (AND 5 5))"])
def test_one_thing_twice_is_kept_or_refused(text: str) -> None:
    query = compiled(text)
    assert_comes_back(query, "pylf", "sexpr", "ir", "json")
    with pytest.raises(NoForm, match="no-nesting"):
        query.to("graphquery")


@pytest.mark.parametrize("writer", [to_graph, to_sexpr])
def test_what_would_be_read_as_another_query_is_never_written(writer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def misread(*_: object) -> syntax.Program:
        start = syntax.Start(syntax.Text("m.2"), "entity")
        return syntax.Program((syntax.Assignment("expression", syntax.Stop(start)),))

    expression = syntax.Start(syntax.Text("m.1"), "entity")
    assert writer.from_expression(expression, SCHEMA, FREEBASE)
    monkeypatch.setattr(writer, "to_program", misread)
    with pytest.raises(CompileError, match="have no form for sets put together in this way"):
        writer.from_expression(expression, SCHEMA, FREEBASE)


# --- the two ends of a time ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("end", "named"),
    [
        *[(end, end) for end in ("finish", "stop", "until", "through", "till", "finished")],
        *[("to", "from"), ("end", "start"), ("ended", "started"), ("closed", "opened"), ("dissolved", "founded")],
    ],
)
def test_a_time_is_named_by_the_end_that_means_the_other(end: str, named: str) -> None:
    query = compiled(f"(TC a.b a.b.{end} 1990)")
    assert_comes_back(query, "pylf", "sexpr", "ir", "json")
    assert query.to("sexpr") == f"(TC a.b a.b.{named} 1990)"


def test_times_of_several_names_beside_each_other() -> None:
    text = "(TC (TC (TC a.b a.b.until 1990) a.b.to 1990) a.b.finish 1991)"
    query = compiled(text)
    assert_comes_back(query, "pylf", "sexpr")


# --- datatypes and values -----------------------------------------------------------------------------------------


def test_a_node_of_values_asks_for_no_class_though_the_schema_lists_its_datatype_as_one() -> None:
    schema = schema_of(("people.person people.person.height_meters type.float", "type.float type.float.unit type.type"))
    assert schema.class_(NS + "type.float") is not None
    values = compiled("(JOIN (R people.person.height_meters) m.06mn7)", schema=schema)
    assert [node["id"] for node in json.loads(values.to("graphquery"))["nodes"]] == ["type.float", "m.06mn7"]
    assert_comes_back(values)
    assert_comes_back(compiled("(AND type.float (JOIN type.float.unit type.type))", schema=schema))


@pytest.mark.parametrize("text", ["(AND type.int (JOIN (R a.b.r) m.1))", "(JOIN a.b.r type.int)"])
def test_a_class_of_a_datatypes_name_is_a_class(text: str) -> None:
    query = compiled(text)
    assert [c.classes for c in walk(query.ir) if isinstance(c, InstanceOf)] == [(Iri(NS + "type.int"),)]
    assert_comes_back(query)


@pytest.mark.parametrize("operator", ["JOIN", "lt"])
@pytest.mark.parametrize(
    "value",
    [
        *("5", "0912", "-0044", "5.5", "1e3", '"5"', '"0912"', '"1990-07"', "1990-07", '""', '"a b"', '"a@en"'),
        *('"2008-05-01T00:00:00Z"^^xsd:dateTimeStamp', '"x"^^<urn:x>', '"5"^^xsd:string', "1805^^xsd:dateTime"),
    ],
)
def test_values_of_a_relation_that_is_not_known_come_back(operator: str, value: str) -> None:
    assert_comes_back(compiled(f"({operator} a.b.r {value})"))


@pytest.mark.parametrize("constant", ["'1957-10'", "1958", "'1957-10-04^^xsd:date'"])
@pytest.mark.parametrize("form", ["sexpr", "graphquery"])
def test_what_may_be_of_several_kinds_takes_that_of_the_values_once_they_are_known(form: str, constant: str) -> None:
    query = pylf.compile(f"expression = STOP(CMP('<', 'spaceflight.rocket.first_flight', {constant}))")
    written = query.to(form)
    answers = query.run(pylf.bundled()).answers
    assert answers.values
    assert pylf.compile(written, source=form, kg=pylf.bundled()).run().answers == answers
    assert pylf.compile(written, source=form).run(pylf.bundled()).answers == answers


# --- limits -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("note", ["", "^^xsd:string", "@en"])
def test_a_text_is_as_long_as_it_is_without_its_datatype(note: str) -> None:
    lexical = "x" * 9_998 + "@a"
    for text in (lexical, "\\n" * 9_998):
        written = f'(JOIN a.b.r "{text}"{note})'
        query = compiled(written)
        assert_comes_back(query, "sexpr", "graphquery")
    for text in ("x" * 10_001, "\\n" * 10_001):
        with pytest.raises(CompileError, match="more than 10,000 characters"):
            compiled(f'(JOIN a.b.r "{text}"{note})')


def test_a_name_that_is_made_up_for_people_is_short() -> None:
    data = to_json(read(json.loads(compiled(f'(JOIN a.b.r "{"x" * 5_000}"@en)').to("graphquery"))))
    assert all(len(str(node["friendly_name"])) <= 200 for node in data["nodes"])


def test_findings_are_few_and_short() -> None:
    with pytest.raises(CompileError) as caught:
        compiled(f"(AND {'nonsense ' * 39_000})")
    assert len(caught.value.diagnostics) == MAX_FINDINGS
    long = "x" * 900_000
    for text in (f"(JOIN a.b.r {long})", f"(JOIN m.{long} a.b)", f"(AND {long} a.b)", f"(TC a.b a.b.c {long})", long):
        with pytest.raises(CompileError) as caught:
            compiled(text)
        assert len(str(caught.value)) < 2_000


def walked(value: object, path: JsonPath = ()) -> set[JsonPath]:
    """The paths of all values in a JSON value, those that are kept."""
    inner: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = {path} if len(path) <= DEEPEST else set()
    return found.union(*[walked(part, (*path, key)) for key, part in inner])


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        '{"a": [], "b": {}, "c": [[], {}, 1, "x", [2]]}',
        '[[[[[[[1, 2, {"a": [3]}], 4], 5], 6], 7], {"b": [[[[[8, [9]]]]]], "c": 10}], 11]',
        '{"a": {"a": {"a": {"a": {"a": {"a": {"a": 1, "b": [2]}, "b": 3}, "b": [4]}}}}, "b": "]}"}',
    ],
)
def test_the_places_of_a_json_text(text: str) -> None:
    spans = json_spans(text)
    assert spans.keys() == walked(json.loads(text))
    for path, span in spans.items():
        value = json.loads(text)
        for key in path:
            value = value[key]
        sign = text[slice(*span)]
        assert sign == {dict: "{", list: "["}.get(type(value), sign)
        assert sign in "[{" or json.loads(sign) == value


def test_a_json_text_that_is_wide_where_it_is_deep_has_few_places() -> None:
    spans = json_spans("[" * 900 + "1," * 100_000 + "1" + "]" * 900)
    assert len(spans) == DEEPEST + 1
