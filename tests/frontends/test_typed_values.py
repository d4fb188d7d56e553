"""Values with a datatype are read by one rule, whichever form of questions they stand in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.errors import CompileError
from pylf.frontends.graphquery import reader
from pylf.frontends.graphquery import to_pylf as of_graph
from pylf.frontends.sexpr import parser
from pylf.frontends.sexpr import to_pylf as of_sexpr
from pylf.ir.schema.names import resolve_literal
from pylf.ir.schema.vocabularies import load
from pylf.ir.terms import XSD, Literal
from pylf.language import syntax
from tests.frontends import small_freebase

if TYPE_CHECKING:
    from collections.abc import Callable

FREEBASE = load("freebase")
SCHEMA = small_freebase.schema()


def in_sexpr(lexical: str, datatype: str, compared: bool) -> syntax.Program:
    text = f'({"lt" if compared else "JOIN"} <http://e/p> "{lexical}"^^{datatype})'
    return of_sexpr.to_program(parser.parse(text), SCHEMA, FREEBASE)


def in_graph(lexical: str, datatype: str, compared: bool) -> syntax.Program:
    node = {"nid": 0, "node_type": "class", "id": "rdfs:Resource", "question_node": 1, "function": "none"}
    value = {
        "nid": 1,
        "node_type": "literal",
        "id": f"{lexical}^^{datatype}",
        "question_node": 0,
        "function": "<" if compared else "none",
    }
    edge = {"start": 0, "end": 1, "relation": "<http://e/p>"}
    return of_graph.to_program(reader.read({"nodes": [node, value], "edges": [edge]}), SCHEMA, FREEBASE)


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
@pytest.mark.parametrize("datatype", ["minutes", "xs:date", "urn:", "type.object"])
def test_what_names_no_datatype_is_refused(program: Callable[[str, str, bool], syntax.Program], datatype: str) -> None:
    with pytest.raises(CompileError) as caught:
        program("90", datatype, False)
    assert [(d.code, d.message) for d in caught.value.diagnostics] == [
        ("unknown-datatype", f"'{datatype}' names no datatype")
    ]
