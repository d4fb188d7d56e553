"""The vocabularies of Wikidata and DBpedia: the SPARQL that their users would write, and the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pylf.backends.engines.oxigraph import OxigraphEngine
from pylf.backends.engines.rdflib import RdflibEngine
from pylf.backends.sparql import emit
from pylf.ir.evaluate import evaluate
from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.schema.names import shorten
from pylf.ir.schema.vocabularies import load
from pylf.language.context import Context
from pylf.language.lower import lower
from pylf.language.parser import parse
from pylf.testing.denotation import denote

if TYPE_CHECKING:
    from pathlib import Path

    from pylf.ir.schema.vocabulary import Vocabulary
    from pylf.testing.servers import Server

WD, WDT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
DBO = "http://dbpedia.org/ontology/"
WIKIDATA, DBPEDIA = load("wikidata"), load("dbpedia")
NOTHING = Schema(MemorySource([], [], {}))
#: one that has heard of the classes, and of nothing between them
KINDS = Schema(MemorySource([], [Class(WD + name) for name in ("Q5", "Q215627", "Q11424", "Q17537576")], {}))

#: What Wikidata says of two novelists, a novel, a film and their kinds.
FACTS = """
@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix p: <http://www.wikidata.org/prop/> .
@prefix ps: <http://www.wikidata.org/prop/statement/> .
@prefix pq: <http://www.wikidata.org/prop/qualifier/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

wd:Q42 wdt:P31 wd:Q5 ; rdfs:label "Douglas Adams"@en , "Douglas Adams"@de ;
    wdt:P569 "1952-03-11T00:00:00Z"^^xsd:dateTime ; wdt:P106 wd:Q36180 , wd:Q28389 .
wd:Q35610 wdt:P31 wd:Q5 ; rdfs:label "Arthur Conan Doyle"@mul ;
    wdt:P569 "1859-05-22T00:00:00Z"^^xsd:dateTime ; wdt:P106 wd:Q36180 , wd:Q39631 .
wd:Q25169 wdt:P31 wd:Q7725634 ; rdfs:label "The Hitchhiker's Guide to the Galaxy"@en ; wdt:P50 wd:Q42 .
wd:Q836821 wdt:P31 wd:Q11424 ; rdfs:label "The Hitchhiker's Guide to the Galaxy"@en ; wdt:P58 wd:Q42 .
wd:Q36180 rdfs:label "writer"@en . wd:Q28389 rdfs:label "screenwriter"@en . wd:Q39631 rdfs:label "physician"@en .
# a literary work and a film are works, by more than one step
wd:Q7725634 wdt:P279 wd:Q11460 . wd:Q11460 wdt:P279 wd:Q17537576 . wd:Q11424 wdt:P279 wd:Q17537576 .
wd:Q5 wdt:P279 wd:Q215627 .
wd:Q42 p:P69 wd:S1 . wd:S1 ps:P69 wd:Q691283 ; pq:P582 "1974-01-01T00:00:00Z"^^xsd:dateTime .
"""

ANSWERS = {
    # by ids
    "JOIN('P50', START('Q42'))": {"Q25169"},
    "JOIN('R_wdt:P106', START('wd:Q42'))": {"Q36180", "Q28389"},
    # by labels, in English or for all languages
    "JOIN('P50', 'Douglas Adams')": {"Q25169"},
    "JOIN('R_P106', START('Arthur Conan Doyle'))": {"Q36180", "Q39631"},
    # classes, and what the graph says is below them
    "START('Q17537576', kind='class')": {"Q25169", "Q836821"},
    "START('Q215627', kind='class')": {"Q42", "Q35610"},
    "START('Q11424', kind='class')": {"Q836821"},
    "AND(START('Q5', kind='class'), JOIN('P106', START('physician'), neg=True))": {"Q42"},
    "AND(START('Q17537576', kind='class'), JOIN('P50', START('Q215627', kind='class'), neg=True))": {"Q836821"},
    "ARG('ARGMIN', START('Q215627', kind='class'), 'P569')": {"Q35610"},
    "CMP('<', 'P569', '1900^^xsd:gYear')": {"Q35610"},
    # P31 itself leads to what is stated
    "JOIN('P31', START('Q17537576'))": set(),
    "JOIN('R_P31', START('Q25169'))": {"Q7725634"},
    # at the statement
    "JOIN('p:P69', AND(JOIN('ps:P69', START('Q691283')), CMP('<', 'pq:P582', '1975^^xsd:gYear')))": {"Q42"},
}


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("wikidata") / "facts.ttl"
    path.write_text(FACTS, encoding="utf-8")
    return path


def sparql(program: str, vocabulary: Vocabulary = WIKIDATA, schema: Schema = NOTHING) -> str:
    return emit(lower(parse(program), Context(schema, vocabulary)).query, schema, vocabulary)


def test_a_query_is_what_a_user_of_wikidata_writes() -> None:
    text = sparql("e = STOP(AND(START('Q571', kind='class'), JOIN('P50', START('Q42'))))")
    assert text == (
        f"SELECT DISTINCT ?q WHERE {{\n  ?q <{WDT}P31>/<{WDT}P279>* <{WD}Q571> .\n  ?q <{WDT}P50> <{WD}Q42> .\n}}\n"
    )


def test_what_is_below_a_class_that_the_schema_knows_is_still_asked_of_the_graph() -> None:
    schema = Schema(MemorySource([], [Class(WD + "Q571"), Class(WD + "Q1", parents=(WD + "Q571",))], {}))
    assert sparql("e = STOP(START('Q571'))", schema=schema) == sparql("e = STOP(START('Q571', kind='class'))")


def test_a_class_of_a_signature_is_asked_for_by_its_relation() -> None:
    schema = Schema(MemorySource([], [Class("urn:c", subjects_of=WDT + "P50")], {}))
    assert sparql("e = STOP(START('<urn:c>', kind='class'))", schema=schema).count(f"<{WDT}P50> ?any") == 1


@pytest.mark.parametrize(("name", "iri"), [("P31", WDT + "P31"), ("Q42", WD + "Q42"), ("L1", WD + "L1")])
def test_short_names(name: str, iri: str) -> None:
    assert shorten(iri, WIKIDATA) == name


@pytest.mark.parametrize(("expression", "expected"), ANSWERS.items())
def test_answers(facts: Path, expression: str, expected: set[str]) -> None:
    program = parse(f"e = STOP({expression})")
    memory = MemoryGraph.read(facts)
    oxigraph, rdflib = OxigraphEngine.open(facts), RdflibEngine.from_file(facts)
    for graph in (None, memory):
        query = lower(program, Context(NOTHING, WIKIDATA, graph)).query
        found = [evaluate(query, memory, NOTHING, WIKIDATA)]
        found += [engine.run(query, NOTHING, WIKIDATA, level) for engine in (oxigraph, rdflib) for level in (0, 1)]
        found.append(denote(program, memory, KINDS if "kind=" in expression else NOTHING, WIKIDATA, "cwa"))
        for answers in found:
            assert {str(value).strip("<>").removeprefix(WD) for value in answers.values} == expected


def test_answers_of_servers(facts: Path, server: Server) -> None:
    from pylf.backends.engines.http import HttpEngine

    server.load(facts, "urn:wikidata")
    engine = HttpEngine(server.endpoint("urn:wikidata"))
    for expression, expected in ANSWERS.items():
        query = lower(parse(f"e = STOP({expression})"), Context(NOTHING, WIKIDATA)).query
        for level in (0, 1):
            found = engine.run(query, NOTHING, WIKIDATA, level).values
            assert {str(value).strip("<>").removeprefix(WD) for value in found} == expected, expression


def test_a_query_is_what_a_user_of_dbpedia_writes() -> None:
    relations = [Relation(DBO + "author", domain=((DBO + "Work",),)), Relation(DBO + "numberOfPages")]
    schema = Schema(MemorySource(relations, [Class(DBO + "Work"), Class(DBO + "Book", parents=(DBO + "Work",))], {}))
    text = sparql("e = STOP(AND(START('Work'), JOIN('author', START('dbr:Douglas_Adams'))))", DBPEDIA, schema)
    assert f"?work <{DBO}author> <http://dbpedia.org/resource/Douglas_Adams> ." in text
    assert f"?work <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{DBO}Book> ." in text
    labelled = sparql("e = STOP(JOIN('author', 'Douglas Adams'))", DBPEDIA, schema)
    for tag in ("en", "eN", "En", "EN"):  # the generic dialect leaves open whether an engine tells them apart
        assert f'"Douglas Adams"@{tag} .' in labelled


def test_without_a_schema_a_bare_name_is_one_of_dbpedias_ontology() -> None:
    text = sparql("e = STOP(JOIN('author', JOIN('dbp:name', JOIN('foaf:knows', START('dbr:A')))))", DBPEDIA)
    for iri in (DBO + "author", "http://dbpedia.org/property/name", "http://xmlns.com/foaf/0.1/knows"):
        assert f"<{iri}>" in text
    assert shorten(DBO + "author", DBPEDIA) == "author"
