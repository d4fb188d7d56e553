"""Values with a datatype are read by one rule, whichever form of questions they stand in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.errors import CompileError
from pylf.frontends.graphquery import reader
from pylf.frontends.graphquery import to_pylf as of_graph
from pylf.frontends.sexpr import parser
from pylf.frontends.sexpr import to_pylf as of_sexpr
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.names import resolve_literal
from pylf.ir.schema.vocabularies import load
from pylf.ir.terms import XSD, Iri, Literal
from pylf.language import syntax
from pylf.language.context import Context
from pylf.language.lower import lower
from tests.frontends import small_freebase

if TYPE_CHECKING:
    from collections.abc import Callable

FREEBASE = load("freebase")
SCHEMA = small_freebase.schema()


def in_sexpr(lexical: str, datatype: str, compared: bool) -> syntax.Program:
    value = f'"{lexical}"^^{datatype}' if datatype else lexical
    text = f"({'lt' if compared else 'JOIN'} <http://e/p> {value})"
    return of_sexpr.to_program(parser.parse(text), SCHEMA, FREEBASE)


def in_graph(lexical: str, datatype: str, compared: bool) -> syntax.Program:
    node = {"nid": 0, "node_type": "class", "id": "rdfs:Resource", "question_node": 1, "function": "none"}
    value = {
        "nid": 1,
        "node_type": "literal",
        "id": f"{lexical}^^{datatype}" if datatype else lexical,
        "question_node": 0,
        "function": "<" if compared else "none",
    }
    edge = {"start": 0, "end": 1, "relation": "<http://e/p>"}
    return of_graph.to_program(reader.read({"nodes": [node, value], "edges": [edge]}), SCHEMA, FREEBASE)


def number_of(program: syntax.Program) -> str | None:
    """The one number of a program."""
    stop = program.assignments[-1].value
    assert isinstance(stop, syntax.Stop)
    match stop.of:
        case syntax.Join(of=syntax.Start(value=syntax.Number(text=text))) | syntax.Cmp(value=syntax.Number(text=text)):
            return text
    return None


FORMS = pytest.mark.parametrize("program", [in_sexpr, in_graph])


def literal_of(program: syntax.Program) -> Literal | None:
    """The one value of a program."""
    stop = program.assignments[-1].value
    assert isinstance(stop, syntax.Stop)
    match stop.of:
        case syntax.Join(of=syntax.Start(value=syntax.Text(text=text), kind="literal")):
            return resolve_literal(text, FREEBASE)
        case syntax.Cmp(value=syntax.Text(text=text)):
            return resolve_literal(text, FREEBASE)
    return None


@FORMS
@pytest.mark.parametrize("compared", [False, True])
@pytest.mark.parametrize(
    ("lexical", "datatype", "read"),
    [
        # a date is what it is spelled as
        ("1805", "xsd:dateTime", "gYear"),
        ("1805-10", "type.datetime", "gYearMonth"),
        ("2008-05-01", "xsd:gYear", "date"),
        ("2008-05-01T00:00:00", "xsd:date", "dateTime"),
        ("2008-05-01", "xsd:dateTimeStamp", "date"),
        ("2008-05-01T00:00:00Z", "xsd:dateTimeStamp", "dateTimeStamp"),
        ("2008-05-01T00:00:00Z", f"{XSD}dateTime", "dateTime"),
        ("tomorrow", "xsd:date", "date"),
        ("5", "type.int", "integer"),
        ("5", f"{XSD}float", "float"),
        ("a", "rdf:langString", "string"),
        ("a^^b", "xsd:string", "string"),
        ("5", "urn:x:y", "urn:x:y"),
        ("5", "file:/x", "file:/x"),
        ("5", "<urn:x:y>", "urn:x:y"),
    ],
)
def test_a_value_with_a_datatype(
    program: Callable[[str, str, bool], syntax.Program], lexical: str, datatype: str, read: str, compared: bool
) -> None:
    expected = Literal(lexical, read if ":" in read else XSD + read)
    assert literal_of(program(lexical, datatype, compared)) == expected


@FORMS
@pytest.mark.parametrize("compared", [False, True])
@pytest.mark.parametrize(
    ("lexical", "datatype", "read"),
    [
        # a year is written with four digits
        ("-912", "xsd:dateTime", Literal("-0912", XSD + "gYear")),
        ("912", "xsd:gYear", Literal("0912", XSD + "gYear")),
        ("1999-12-31T10:00:00", "xsd:date", Literal("1999-12-31T10:00:00", XSD + "dateTime")),
        ("0912", "xsd:integer", Literal("0912", XSD + "integer")),
    ],
)
def test_a_date_is_spelled_as_dates_are(
    program: Callable[[str, str, bool], syntax.Program], lexical: str, datatype: str, read: Literal, compared: bool
) -> None:
    assert literal_of(program(lexical, datatype, compared)) == read


@FORMS
@pytest.mark.parametrize("compared", [False, True])
@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("912", "912"),
        ("0912", "912"),
        ("-0044", "-44"),
        ("000", "0"),
        ("+05", "+5"),
        (".5", "0.5"),
        ("5.", "5.0"),
        ("007.50", "7.50"),
        ("05e3", "5e3"),
    ],
)
def test_a_bare_number_is_one_however_it_is_spelled(
    program: Callable[[str, str, bool], syntax.Program], written: str, read: str, compared: bool
) -> None:
    assert number_of(program(written, "", compared)) == read


@pytest.mark.parametrize(
    "text", ["1990-13", "1990-00", "1990-02-32", "1990-01-01T25:00:00", "25:00", "--13-01", "01990-07"]
)
def test_what_is_spelled_like_a_date_and_is_none_is_told_at_its_place(text: str) -> None:
    whole = f"(JOIN <http://e/p> {text})"
    with pytest.raises(CompileError) as caught:
        parser.parse(whole)
    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == ("bad-value", f"'{text}' is neither a number nor a date")
    assert found.span is not None
    assert whole[slice(*found.span)] == text


@FORMS
@pytest.mark.parametrize("number", ["912", "0912"])
def test_a_bare_year_meets_the_dates_of_a_relation_that_is_not_known(
    program: Callable[[str, str, bool], syntax.Program], number: str
) -> None:
    someone = Iri("http://e/someone")
    facts = MemoryGraph([(someone, Iri("http://e/p"), Literal("0912-05", XSD + "gYearMonth"))])
    query = lower(program(number, "", False), Context(SCHEMA, FREEBASE)).query
    assert evaluate(query, facts, SCHEMA, FREEBASE).values == (someone,)


@FORMS
@pytest.mark.parametrize("datatype", ["minutes", "xs:date", "urn:", "type.object"])
def test_what_names_no_datatype_is_refused(program: Callable[[str, str, bool], syntax.Program], datatype: str) -> None:
    with pytest.raises(CompileError) as caught:
        program("90", datatype, False)
    assert [(d.code, d.message) for d in caught.value.diagnostics] == [
        ("unknown-datatype", f"'{datatype}' names no datatype")
    ]
