"""The same question in SPARQL and in PyLF is the same query, and small texts are the IR that is written here."""

from __future__ import annotations

import pytest

import pylf
from pylf.frontends.sparql.lower import lower
from pylf.frontends.sparql.parser import parse
from pylf.ir.canonical import fingerprint
from pylf.ir.schema.vocabularies import load
from pylf.ir.text import parse_query
from tests.frontends.small_freebase import schema

FREEBASE = load("freebase")
SCHEMA = schema()
PREFIXES = {"f": "http://rdf.freebase.com/ns/", "xsd": "http://www.w3.org/2001/XMLSchema#"}

#: the idiom of WebQSP: a date of a relation, if there is one, is not after a day
TIME = (
    "SELECT ?y {{ {0} FILTER(NOT EXISTS {{ ?y {1} ?a }} || EXISTS {{ ?y {1} ?b "
    "FILTER(xsd:datetime(?b) <= '{2}'^^xsd:dateTime) }}) }}"
)

PAIRS = [
    (
        "JOIN('R_film.director.film', START('m.01'))",
        "SELECT DISTINCT ?x { f:m.01 f:film.director.film ?x }",
    ),
    (
        "JOIN('film.film.directed_by', JOIN('people.person.sibling', START('m.01')))",
        "SELECT ?x { ?x f:film.film.directed_by/f:people.person.sibling f:m.01 }",
    ),
    (
        "AND(JOIN('film.film.genre', START('m.01')), JOIN('R_film.director.film', START('m.02')))",
        "SELECT ?film { ?film f:film.film.genre ?g . f:m.02 f:film.director.film ?film FILTER(?g = f:m.01) }",
    ),
    (
        "AND(JOIN('film.film.genre', START('m.01')), JOIN('R_film.director.film', START('m.02')))",
        "SELECT ?x { VALUES ?g { f:m.01 } ?x f:film.film.genre ?g ; ^f:film.director.film ?d FILTER(?d IN (f:m.02)) }",
    ),
    (
        "OR(JOIN('film.film.genre', START('m.01')), JOIN('film.film.directed_by', START('m.02')))",
        "SELECT ?x { { ?x f:film.film.genre f:m.01 } UNION { ?x f:film.film.directed_by f:m.02 } }",
    ),
    (
        "MINUS(JOIN('film.film.genre', START('m.01')), JOIN('film.film.directed_by', START('m.02')))",
        "SELECT ?x { ?x f:film.film.genre f:m.01 MINUS { ?x f:film.film.directed_by f:m.02 } }",
    ),
    (
        "MINUS(JOIN('film.film.genre', START('m.01')), JOIN('film.film.directed_by', START('m.02')))",
        "SELECT ?x { ?x f:film.film.genre f:m.01 FILTER(!EXISTS { ?x f:film.film.directed_by ?d FILTER(?d=f:m.02) }) }",
    ),
    (
        "COUNT(JOIN('film.film.genre', START('m.01')))",
        "SELECT (COUNT(DISTINCT ?x) AS ?n) { ?x f:film.film.genre f:m.01 }",
    ),
    (
        "COUNT(JOIN('film.film.genre', START('m.01')))",
        "SELECT (COUNT(*) AS ?n) { ?x f:film.film.genre f:m.01 }",
    ),
    (
        "ARG('ARGMAX', JOIN('film.film.genre', START('m.01')), 'film.film.initial_release_date')",
        "SELECT ?x { ?x f:film.film.genre f:m.01 ; f:film.film.initial_release_date ?d } ORDER BY DESC(?d) LIMIT 1",
    ),
    (
        "CMP('<', 'film.film.shots', 12)",
        "SELECT ?x { ?x f:film.film.shots ?n FILTER(012 > xsd:integer(?n)) }",
    ),
    (
        "CMP('>=', 'film.film.initial_release_date', 1990)",
        "SELECT ?x { ?x f:film.film.initial_release_date ?d FILTER(!(YEAR(?d) < 1990)) }",
    ),
    (
        "ASK(JOIN('film.film.genre', START('m.01')))",
        "ASK { ?x f:film.film.genre f:m.01 }",
    ),
    (
        "TC(JOIN('R_people.person.places_lived', START('m.01')), 'people.place_lived.start_date', '2011')",
        TIME.format("f:m.01 f:people.person.places_lived ?y", "f:people.place_lived.start_date", "2011-12-31"),
    ),
]


@pytest.mark.parametrize(("program", "text"), PAIRS)
def test_a_text_is_the_program(program: str, text: str) -> None:
    compiled = pylf.compile(f"expression = STOP({program})", schema=SCHEMA, vocabulary=FREEBASE)
    found = lower(parse(text, "text", PREFIXES), SCHEMA, FREEBASE).query
    assert fingerprint(found) == compiled.fingerprint


def test_the_topic_is_excluded_as_the_sets_do() -> None:
    compiled = pylf.compile(
        "expression = STOP(JOIN('R_film.director.film', START('m.01')))",
        schema=SCHEMA,
        vocabulary=FREEBASE,
        exclude_topic=True,
    )
    text = (
        "SELECT DISTINCT ?x { FILTER(?x != f:m.01) "
        "FILTER(!isLiteral(?x) OR lang(?x) = '' OR langMatches(lang(?x), 'en')) f:m.01 f:film.director.film ?x }"
    )
    assert fingerprint(lower(parse(text, "text", PREFIXES), SCHEMA, FREEBASE).query) == compiled.fingerprint


IR = [
    (
        "SELECT ?x ?z { ?x f:p ?y OPTIONAL { ?y f:q ?z } }",
        """rows ?x ?z
where
  ?x <http://rdf.freebase.com/ns/p> ?y
  optionally
    ?y <http://rdf.freebase.com/ns/q> ?z
""",
    ),
    (
        "SELECT ?x { ?x f:p* f:a }",
        """set ?x
where
  ?x <http://rdf.freebase.com/ns/p>* <http://rdf.freebase.com/ns/a>
""",
    ),
]


@pytest.mark.parametrize(("text", "printed"), IR)
def test_a_text_is_the_query(text: str, printed: str) -> None:
    found = lower(parse(text, "text", PREFIXES), SCHEMA, FREEBASE).query
    assert fingerprint(found) == fingerprint(parse_query(printed, "ir"))


def test_a_written_out_instance_of_is_one() -> None:
    wikidata = load("wikidata")
    path = "SELECT DISTINCT ?x { ?x wdt:P31/wdt:P279* wd:Q5 }"
    two = "SELECT DISTINCT ?x { ?t wdt:P279* wd:Q5 . ?x wdt:P31 ?t }"
    program = pylf.compile("expression = STOP(START('Q5', kind='class'))", vocabulary=wikidata)
    for text in (path, two):
        query = lower(parse(text, "text", wikidata.prefixes), SCHEMA, wikidata).query
        assert fingerprint(query) == program.fingerprint
