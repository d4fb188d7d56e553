"""What types a text's variables have, and what casts and NOW() come to by them."""

from __future__ import annotations

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.sparql import emit
from pylf.errors import InputError
from pylf.frontends.sparql.lower import lower
from pylf.frontends.sparql.parser import parse
from pylf.ir.nodes import Compare, Condition, Extreme, Member, Slice
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Relation, Schema
from pylf.ir.schema.vocabularies import load
from pylf.ir.terms import XSD, Literal
from pylf.ir.traverse import terms, walk
from pylf.ir.types import ANY, ENTITY, RELATION, LiteralType
from tests.frontends.sparql_answers import answer
from tests.frontends.sparql_texts import PREFIXES
from tests.frontends.test_sparql_in_small_graphs import NOTHING_KNOWN, answers, graph_of, lowered, shown


def known(**datatypes: str) -> Schema:
    """A schema of relations to values of one datatype, or of some with a space between."""
    relations = [
        Relation(f"urn:n:{name}", datatypes=tuple([XSD + one for one in said.split()]), literal=True)
        for name, said in datatypes.items()
    ]
    return Schema(MemorySource([*relations, Relation("urn:n:e", literal=False)], []))


SCHEMA = known(d="date", v="integer")

#: A text, and the type of ?y in it.
TYPES = [
    ("SELECT ?y { ?x :p ?y FILTER NOT EXISTS { ?y :q ?z } }", ANY),
    ("SELECT (COUNT(?y) AS ?n) { ?x :p ?y FILTER EXISTS { ?y :q ?z } }", ANY),
    ("SELECT ?y { ?x :p ?y FILTER EXISTS { ?y :q ?z } }", ENTITY),
    ("SELECT ?y ?z { ?x :p ?y OPTIONAL { ?y :q ?z } }", ANY),
    ("SELECT ?y { ?x :p ?y { ?y :q ?z } UNION { ?x :r ?w } }", ANY),
    ("SELECT ?y { ?x :p ?y MINUS { ?y :q ?z } }", ANY),
    ("SELECT ?y ?n { { SELECT ?y (COUNT(?x) AS ?n) { ?x :p ?y FILTER NOT EXISTS { ?y :q ?z } } GROUP BY ?y } }", ANY),
    ("SELECT ?y { { ?y :q ?z } UNION { ?x :r ?y } }", ANY),
    ("SELECT ?y { { ?y :q ?z } UNION { ?x :p :a . ?x :r+ ?y } }", ANY),
    ("SELECT ?y { { ?y :q ?z } UNION { VALUES ?y { 1 :a } } }", ANY),
    ("SELECT ?y { { ?x :q ?u OPTIONAL { ?y :p ?u } } UNION { ?u :r ?y } }", ANY),
    ("SELECT ?y { { ?x :q ?u OPTIONAL { ?y :p ?u } } UNION { ?u :d ?y } }", ANY),
    ("SELECT ?y { { ?y :q ?z } UNION { ?y :r :o } }", ENTITY),
    ("SELECT ?x ?y { ?x :p ?z OPTIONAL { ?y :q ?z } }", ENTITY),
    ("SELECT ?y { ?y :q ?z . ?x :p ?y }", ENTITY),
    ("SELECT ?y { ?x :p ?y . ?y :q ?z FILTER NOT EXISTS { ?w :r ?y } }", ENTITY),
    ("SELECT ?y { ?x :d ?y FILTER EXISTS { ?z :p ?y } }", LiteralType(XSD + "date")),
    # a relation is one wherever it is one anywhere
    ("SELECT ?y { { ?x ?y ?z } UNION { ?x :d ?y } }", RELATION),
    ("SELECT ?y { { ?x :d ?y } UNION { ?x ?y ?z } }", RELATION),
    ("SELECT ?y { { ?x :p ?y } UNION { ?x ?y ?z } }", RELATION),
    ("SELECT ?y { VALUES ?y { 1 } ?x ?y ?z }", RELATION),
    ("SELECT ?y { ?x :d ?y FILTER NOT EXISTS { ?x ?y ?z } }", RELATION),
]


@pytest.mark.parametrize(("text", "type_"), TYPES)
def test_a_variable_is_what_is_told_where_it_is_bound(text: str, type_: object) -> None:
    assert dict(lowered(text, SCHEMA).query.types)["y"] == type_


NUMBERS = [
    "SELECT (COUNT(DISTINCT ?y) AS ?n) { ?x :p ?y FILTER NOT EXISTS { ?y :q ?z } }",
    "SELECT (COUNT(DISTINCT ?y) AS ?n) { ?x :p ?y OPTIONAL { ?y :q ?z } }",
    "SELECT (COUNT(DISTINCT ?y) AS ?n) { ?x :p ?y { ?y :q ?z } UNION { ?x :p ?w } }",
]


@pytest.mark.parametrize("text", NUMBERS)
def test_values_are_counted_as_values(text: str) -> None:
    turtle = ":a :p 10, 10.0, 10e0 ."
    query = lowered(text).query
    engine = OxigraphEngine.memory(list(graph_of(turtle).triples(None, None, None)))
    assert shown(engine.answers(query, emit(query, NOTHING_KNOWN, load("rdf"), "oxigraph"))) == "1"
    assert shown(answers(text, turtle)) == "1"


RELATIONS = [
    ("SELECT ?r { { ?x :d ?r } UNION { ?x ?r ?y } }", "2001-01-01 d e"),
    ("SELECT ?r { { ?x ?r ?y } UNION { ?x :d ?r } }", "2001-01-01 d e"),
    ("SELECT ?x { { ?x :d ?r } UNION { ?x ?r ?y } FILTER(isLiteral(?r)) }", "a"),
    ("SELECT ?r { ?x :e ?r { ?x :e ?r } UNION { ?x ?r ?y } }", "b d"),
    ("SELECT (COUNT(*) AS ?n) { { ?x :d ?r } UNION { ?x ?r ?y } }", "4"),
    ("SELECT (COUNT(*) AS ?n) { { ?x :d ?y } UNION { ?x !(:d) ?y } }", "3"),
    ("SELECT (COUNT(?r) AS ?n) { ?x ?p ?o { ?x :d ?r } UNION { ?x ?r ?y . ?y ?s ?z } }", "3"),
]


@pytest.mark.parametrize("schema", [SCHEMA, NOTHING_KNOWN], ids=["known", "unknown"])
@pytest.mark.parametrize(("text", "expected"), RELATIONS)
def test_a_relation_may_be_something_else_in_another_arm(text: str, expected: str, schema: Schema) -> None:
    turtle = ":a :d '2001-01-01'^^xsd:date ; :e :b . :d :e :d ."
    found = answers(text, turtle, schema)
    assert shown(found) == expected
    assert shown(answer(parse(text, "text", PREFIXES), graph_of(turtle), found.form)) == expected
    query = lowered(text, schema).query
    engine = OxigraphEngine.memory(list(graph_of(turtle).triples(None, None, None)))
    assert shown(engine.answers(query, emit(query, schema, load("rdf"), "oxigraph"))) == expected


# --- casts --------------------------------------------------------------------------------------------------------

#: The datatypes of :v, a condition of ?y, and whether the cast in it changes nothing that is seen.
CASTS = [
    ("integer", "xsd:float(?y) > 3", True),
    ("integer", "xsd:float(?y) = 16777216", False),
    ("integer", "xsd:float(?y) < 3.5", True),
    ("integer", "xsd:float(?y) < 3.1", False),
    ("integer", "xsd:float(?y) < 1e40", False),
    ("decimal", "xsd:float(?y) > 3", False),
    ("double", "xsd:float(?y) > 3", False),
    ("float", "xsd:float(?y) > 3.1", True),
    ("short", "xsd:float(?y) > 3.1", True),
    ("integer decimal", "xsd:float(?y) > 3", False),
    ("integer", "xsd:double(?y) > 3", True),
    ("double", "xsd:double(?y) > 3.1", True),
    ("integer", "xsd:decimal(?y) > 3", True),
    ("double", "xsd:decimal(?y) > 3", False),
    ("integer", "xsd:integer(?y) > 3", True),
    ("decimal", "xsd:integer(?y) > 3", False),
]


@pytest.mark.parametrize(("datatypes", "condition", "gone"), CASTS)
def test_a_cast_of_numbers_goes_where_it_changes_none(datatypes: str, condition: str, gone: bool) -> None:
    query = lowered(f"SELECT ?x {{ ?x :v ?y FILTER({condition}) }}", known(v=datatypes)).query
    assert any(isinstance(node, Condition) for node in walk(query)) is not gone


def test_what_a_cast_changes_is_seen() -> None:
    turtle = ":a :v 16777217 . :b :v 16777216 . :c :v 3 ."
    for condition, expected in [("= 16777216", "a b"), ("> 16777216", ""), ("> 3", "a b"), ("<= 3.0", "c")]:
        text = f"SELECT ?x {{ ?x :v ?y FILTER(xsd:float(?y) {condition}) }}"
        found = answers(text, turtle, SCHEMA)
        assert shown(found) == expected
        assert shown(answer(parse(text, "text", PREFIXES), graph_of(turtle), found.form)) == expected


def test_a_cast_goes_by_the_datatypes_of_all_arms() -> None:
    schema = known(v="integer", u="decimal")
    text = "SELECT ?x { { ?x :v ?y } UNION { ?x :u ?y } FILTER(xsd:integer(?y) = 3) }"
    assert shown(answers(text, ":a :v 3 . :b :u 3.7 .", schema)) == "a b"


def test_numbers_are_ordered_as_they_are() -> None:
    """Of numbers that a cast makes one, which comes first is the engine's choice: the greatest may."""
    text = "SELECT ?x { ?x :v ?y } ORDER BY DESC(xsd:float(?y)) LIMIT 1"
    (extreme,) = lowered(text, SCHEMA).query.body.conjuncts
    assert isinstance(extreme, Extreme)
    (extreme,) = lowered(text, known(v="decimal")).query.body.conjuncts
    assert isinstance(extreme, Extreme)
    (sliced,) = lowered(text.replace("float", "integer"), known(v="decimal")).query.body.conjuncts
    assert isinstance(sliced, Slice)
    turtle = ":a :v 16777216 . :b :v 16777217 ."
    assert shown(answers(text, turtle, SCHEMA)) == "b"


# --- NOW() --------------------------------------------------------------------------------------------------------

#: A day, and the moment at which it begins.
DAYS = [
    ("2026-11-30", "2026-11-30T00:00:00Z"),
    ("2026-11", "2026-11-01T00:00:00Z"),
    ("2026", "2026-01-01T00:00:00Z"),
    ("44", "0044-01-01T00:00:00Z"),
    ("-44", "-0044-01-01T00:00:00Z"),
    ("2026-11-30+02:00", "2026-11-30T00:00:00+02:00"),
    ("2026-11-30Z", "2026-11-30T00:00:00Z"),
    ("2026-11-30T12:30:00", "2026-11-30T12:30:00Z"),
    ("2026-11-30T12:30:00.5-05:00", "2026-11-30T12:30:00.5-05:00"),
    ("2026-11-30T24:00:00Z", "2026-12-01T00:00:00Z"),
    ("2026-02-31", "2026-02-28T00:00:00Z"),
]


@pytest.mark.parametrize(("today", "moment"), DAYS)
def test_now_is_the_first_moment_of_what_is_today(today: str, moment: str) -> None:
    text = "SELECT ?x ?now { ?x :d ?d BIND(NOW() AS ?now) FILTER(?d < NOW()) }"
    query = lower(parse(text, "text", PREFIXES), NOTHING_KNOWN, load("rdf"), today=today).query
    said = Literal(moment, XSD + "dateTime")
    assert any(said in terms(node) for node in walk(query) if isinstance(node, Compare | Member | Condition))


def test_what_is_no_date_is_not_today() -> None:
    with pytest.raises(InputError, match="today is a date"):
        lower(
            parse("SELECT ?x { ?x :d ?d FILTER(?d < NOW()) }", "text", PREFIXES), NOTHING_KNOWN, load("rdf"), today="x"
        )
