from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.ir.schema.model import Relation, Schema
from pylf.ir.schema.typing import compatible, domain_type, range_type
from pylf.ir.terms import RDF_LANG_STRING, XSD, XSD_STRING
from pylf.ir.types import ANY, ENTITY, RELATION, EntityType, LiteralType, entity_of

if TYPE_CHECKING:
    from collections.abc import Callable


def of(*unions: str) -> EntityType:
    return entity_of(*(tuple("http://e/" + name for name in union.split()) for union in unions))


@pytest.fixture
def schema(schema_of: Callable[..., Schema]) -> Schema:
    return schema_of(
        ":Novel rdfs:subClassOf :Work . :Play rdfs:subClassOf :Work ; owl:disjointWith :Novel ."
        ":Film rdfs:subClassOf :Work ."
        ":Person owl:disjointWith :Work, :City . :Writer rdfs:subClassOf :Person ."
        ":City a rdfs:Class . :Guild a rdfs:Class ."
    )


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        (of("Novel"), of("Novel"), "compatible"),
        (of("Novel"), of("Work"), "compatible"),
        (of("Work"), of("Novel"), "compatible"),
        (of("Novel"), of("Play"), "disjoint"),
        (of("Novel"), of("Film"), "unknown"),
        (of("Writer"), of("Novel"), "disjoint"),
        (of("Writer"), of("Guild"), "unknown"),
        (of("Writer Guild"), of("Novel"), "unknown"),
        (of("Writer Person"), of("Novel Play"), "disjoint"),
        (of("Novel Guild"), of("Work"), "compatible"),
        (of("Novel", "Guild"), of("Work"), "compatible"),
        (of("Work"), of("Novel", "Guild"), "compatible"),
        (of("Novel", "Guild"), of("Work", "City"), "unknown"),
        (of("Novel", "Guild"), of("Person"), "disjoint"),
        (ENTITY, of("Novel"), "unknown"),
        (ENTITY, ENTITY, "unknown"),
        (of("Unheard"), of("Novel"), "unknown"),
    ],
)
def test_entities(schema: Schema, left: EntityType, right: EntityType, verdict: str) -> None:
    assert compatible(left, right, schema) == verdict
    assert compatible(right, left, schema) == verdict
    assert compatible(left, right, schema) == verdict


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        ("integer", "integer", "compatible"),
        ("integer", "double", "compatible"),
        ("gYear", "dateTime", "compatible"),
        ("integer", "date", "disjoint"),
        ("decimal", "string", "disjoint"),
        ("date", "string", "disjoint"),
        ("boolean", "integer", "disjoint"),
        ("date", "time", "disjoint"),
        ("string", "anyURI", "unknown"),
        ("integer", "unheardOf", "unknown"),
    ],
)
def test_literals(schema: Schema, left: str, right: str, verdict: str) -> None:
    assert compatible(LiteralType(XSD + left), LiteralType(XSD + right), schema) == verdict
    assert compatible(LiteralType(XSD + right), LiteralType(XSD + left), schema) == verdict


def test_other_types(schema: Schema) -> None:
    assert compatible(of("Novel"), LiteralType(XSD_STRING), schema) == "disjoint"
    assert compatible(LiteralType(), ENTITY, schema) == "disjoint"
    assert compatible(LiteralType(), LiteralType(XSD_STRING), schema) == "unknown"
    assert compatible(LiteralType(XSD_STRING), LiteralType(RDF_LANG_STRING), schema) == "unknown"
    assert compatible(ANY, of("Novel"), schema) == "unknown"
    assert compatible(ANY, LiteralType(), schema) == "unknown"
    assert compatible(RELATION, of("Novel"), schema) == "unknown"


def test_ends_of_a_relation() -> None:
    a = (("http://e/A",),)
    assert domain_type(Relation("r", domain=a)) == EntityType(a)
    assert domain_type(Relation("r")) == ENTITY
    assert range_type(Relation("r", range=a)) == EntityType(a)
    assert range_type(Relation("r")) == ANY
    assert range_type(Relation("r", literal=False)) == ENTITY
    assert range_type(Relation("r", literal=True)) == LiteralType()
    assert range_type(Relation("r", range=a, datatypes=(XSD_STRING,))) == ANY
    assert range_type(Relation("r", datatypes=(XSD + "date",))) == LiteralType(XSD + "date")


@pytest.mark.parametrize(
    ("datatypes", "widest"),
    [
        ("integer long", "integer"),
        ("decimal integer", "decimal"),
        ("decimal double integer", "double"),
        ("date gYear", "date"),
        ("date integer", None),
        ("string boolean", None),
    ],
)
def test_the_widest_of_several_datatypes(datatypes: str, widest: str | None) -> None:
    found = range_type(Relation("r", datatypes=tuple(XSD + name for name in datatypes.split())))
    assert found == LiteralType(None if widest is None else XSD + widest)


def test_verdicts_are_kept(schema: Schema) -> None:
    compatible(of("Novel"), of("Play"), schema)
    schema.source = None  # type: ignore[assignment]
    assert compatible(of("Novel"), of("Play"), schema) == "disjoint"
