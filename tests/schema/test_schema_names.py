from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pylf.errors import CompileError
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.schema.names import (
    check_iri,
    class_name,
    expand,
    relation_name,
    resolve_datatype,
    resolve_entity,
    resolve_literal,
    resolve_relation_iri,
    shorten,
)
from pylf.ir.schema.vocabularies import load
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import ILLEGAL_IN_IRI, XSD, Iri, Literal, tagged

NS = "http://rdf.freebase.com/ns/"
own = Vocabulary("own", prefixes={"": "http://e/", "wd": "http://www.wikidata.org/entity/"})


def test_curies_and_full_iris() -> None:
    assert expand("<http://e/x>", own) == "http://e/x"
    assert expand(":f", own) == "http://e/f"
    assert expand("wd:Q66", own) == "http://www.wikidata.org/entity/Q66"
    assert expand(":a:b", own) == "http://e/a:b"
    for label in ("Boeing", "no:Q66", "wd:", ":", "", "<", "wd: the id", "http://e/x", '"', ":a b", ":a>b"):
        assert expand(label, own) is None


def test_freebase_ids(freebase: Vocabulary) -> None:
    assert resolve_entity("m.0178g", freebase) == Iri(NS + "m.0178g")
    assert resolve_entity("g.125czp5k_", freebase) == Iri(NS + "g.125czp5k_")
    assert resolve_entity("ns:m.0178g", freebase) == Iri(NS + "m.0178g")
    for label in ("m.0178G", "people.person", "m.", "xm.0178g", "m.0178g\n", "Mr. 5"):
        assert resolve_entity(label, freebase) is None
    assert resolve_relation_iri("spaceflight.rocket.mass", freebase) == NS + "spaceflight.rocket.mass"
    assert resolve_relation_iri("a.b.c..d.e.f", freebase) == NS + "a.b.c..d.e.f"
    assert resolve_relation_iri("base.services.e-commerce_service.types", freebase) is not None
    for name in ("mass", "a...b", "a.b..", ".a.b", "a.b.c..d", "a b.c", "a.b.c..d.e..f.g"):
        assert resolve_relation_iri(name, freebase) is None


def test_freebase_ids_written_as_paths(freebase: Vocabulary) -> None:
    assert resolve_entity("/m/0178g", freebase) == resolve_entity("m.0178g", freebase)
    assert resolve_entity("/en/boeing", freebase) == resolve_entity("en.boeing", freebase) == Iri(NS + "en.boeing")
    assert resolve_relation_iri("/people/person/nationality", freebase) == NS + "people.person.nationality"
    through = "/film/actor/film./film/performance/film"
    assert resolve_relation_iri(through, freebase) == NS + "film.actor.film..film.performance.film"
    assert resolve_datatype("/type/float", freebase) == XSD + "double"
    for label in (
        "/",
        "//",
        "/m/",
        "/m/0178G",
        "m/0178g",
        "//m/0178g",
        "/<http://e/x>",
        "/ns:m.0178g",
        "/people/person",
    ):
        assert resolve_entity(label, freebase) is None
    assert resolve_relation_iri("/people", freebase) is None
    assert resolve_relation_iri("/people/person", replace(freebase, slashes=False)) is None
    assert shorten(NS + "people.person", freebase) == "people.person"


def test_case_10_special_characters_in_names(rdf: Vocabulary) -> None:
    name = "http://e/Dad's_(film),_100%"
    assert resolve_entity(f"<{name}>", rdf) == Iri(name)
    for illegal in (*' <>"{}|\\^`', "\n", "\0"):
        with pytest.raises(CompileError) as caught:
            resolve_entity(f"<http://e/a{illegal}b>", rdf)
        assert caught.value.diagnostics[0].code == "illegal-iri"
    for iri in ("http://e/a#b#c", "http://e/[x]", "http://[::1/a", "urn:x[1]"):
        with pytest.raises(CompileError, match="is not an IRI"):
            resolve_entity(f"<{iri}>", rdf)
    assert resolve_entity("<http://[2001:db8::7]/a#b>", rdf) == Iri("http://[2001:db8::7]/a#b")
    with pytest.raises(CompileError, match="may not hold a space"):
        resolve_relation_iri("<http://e/x> . ?s ?p ?o . <http://e/y>", rdf)
    with pytest.raises(CompileError, match="lacks a scheme"):
        resolve_entity("<mass>", rdf)


@given(st.text(max_size=30), st.sampled_from(["", "http://e/", "urn:"]))
def test_what_passes_as_an_iri_is_safe_between_angle_brackets(text: str, prefix: str) -> None:
    try:
        found = resolve_entity(f"<{prefix}{text}>", own)
    except CompileError:
        return
    assert found == Iri(prefix + text)
    assert ILLEGAL_IN_IRI.isdisjoint(prefix + text)


@given(st.text(max_size=20))
def test_names_without_brackets_never_fail(text: str) -> None:
    name = text.lstrip("<")
    for vocabulary in (own, load("freebase")):
        for found in (resolve_entity(name, vocabulary), resolve_relation_iri(name, vocabulary)):
            value = found.value if isinstance(found, Iri) else found
            assert value is None or ILLEGAL_IN_IRI.isdisjoint(value)


def test_literals(freebase: Vocabulary) -> None:
    assert resolve_literal("2008-05-01^^xsd:date", freebase) == Literal("2008-05-01", XSD + "date")
    assert resolve_literal("5^^type.float", freebase) == Literal("5", XSD + "double")
    assert resolve_literal("a^^b^^<http://e/d>", freebase) == Literal("a^^b", "http://e/d")
    assert resolve_literal("5^^http://www.w3.org/2001/XMLSchema#float", freebase) == Literal("5", XSD + "float")
    assert resolve_literal("5^^http://www.w3.org/2001/XMLSchema#float", Vocabulary("bare")) == Literal(
        "5", XSD + "float"
    )
    assert resolve_literal("5^^urn:x:y", freebase) == Literal("5", "urn:x:y")
    assert resolve_literal("^^xsd:string", freebase) == Literal("")
    assert resolve_literal("Delta@en", freebase) == tagged("Delta", "en")
    assert resolve_literal("Zug@de-CH", freebase) == tagged("Zug", "de-ch")
    for label in (
        "me@home",
        "@en",
        "Delta",
        "x^^nothing",
        "x^^rdf:langString",
        "x^^http://www.w3.org/1999/02/22-rdf-syntax-ns#langString",
        "x^^http://e/a b",
        "x^^http://e/a>",
        "x^^urn:",
        "x^^unknown:x",
        "5^^",
        "a@b@",
        "a@e1",
        "a@en-",
        "a@日本",
    ):
        assert resolve_literal(label, freebase) is None
    for name in ("int", "float", "boolean", "datetime", "text", "rawstring", "enumeration", "uri", "key", "id"):
        assert resolve_datatype(f"type.{name}", freebase) is not None
    assert resolve_datatype("type.object", freebase) is None
    assert resolve_datatype("xsd:gYear", Vocabulary("bare")) == XSD + "gYear"
    assert resolve_datatype("xsd:", Vocabulary("bare")) is None


names = st.text(
    st.characters(codec="ascii", categories=["L", "N"], include_characters="._-:#/"), min_size=1, max_size=12
)


@given(st.sampled_from([NS, "http://e/", "http://www.wikidata.org/entity/", "http://none/"]), names)
def test_a_short_name_leads_back_to_the_iri(namespace: str, name: str) -> None:
    iri = namespace + name
    assume(iri.count("#") < 2)
    for vocabulary in (own, load("freebase"), load("rdf")):
        short = shorten(iri, vocabulary)
        entity = resolve_entity(short, vocabulary)
        assert iri in (entity.value if entity is not None else None, resolve_relation_iri(short, vocabulary))
        assert len(short) <= len(iri) + 2


def test_short_names(freebase: Vocabulary) -> None:
    assert shorten(NS + "m.0178g", freebase) == "m.0178g"
    assert shorten(NS + "people.person.gender", freebase) == "people.person.gender"
    assert shorten(NS + "odd name", freebase).startswith(("ns:", "fb:"))
    assert shorten("http://e/x", freebase) == "<http://e/x>"
    assert shorten("http://e/x", own) == ":x"


def test_names_of_relations_and_classes_mean_one_thing(rdf: Vocabulary) -> None:
    schema = Schema(
        MemorySource(
            [
                Relation("http://a/wrote"),
                Relation("http://b/wrote"),
                Relation("http://a/R_x"),
                Relation("http://a/pages"),
            ],
            [Class("http://a/C1", label="novel"), Class("http://a/C2", label="dup"), Class("http://b/C2", label="dup")],
        )
    )
    assert relation_name("http://a/pages", schema, rdf) == "pages"
    assert relation_name("http://a/wrote", schema, rdf) == "<http://a/wrote>"
    assert relation_name("http://a/R_x", schema, rdf) == "<http://a/R_x>"
    assert class_name("http://a/C1", schema, rdf) == "C1"
    assert class_name("http://a/C2", schema, rdf) == "<http://a/C2>"
    # A prefix could read the local name otherwise.
    tricky = Schema(MemorySource([Relation("http://a/:x")], []))
    assert relation_name("http://a/:x", tricky, own) == "<http://a/:x>"
    assert relation_name("http://a/:x", tricky, rdf) == ":x"


def test_check_iri_agrees_with_the_engine_on_these() -> None:
    import pyoxigraph

    for iri in ("http://e/é", "urn:x:%3A", "mailto:a@b", "http://e/?q=1#f"):
        assert pyoxigraph.NamedNode(check_iri(iri)).value == iri
    for text in ("", "a", ":a", "1http://x", "ä:x", "a b:c"):
        with pytest.raises(CompileError):
            check_iri(text)
        with pytest.raises(ValueError, match="IRI"):
            pyoxigraph.NamedNode(text)


def test_patterns_are_tried_on_whole_names_only() -> None:
    vocabulary = replace(own, entity_pattern="Q[0-9]+", entity_namespace="http://www.wikidata.org/entity/")
    assert resolve_entity("Q66", vocabulary) == Iri("http://www.wikidata.org/entity/Q66")
    assert resolve_entity("Q66 and more", vocabulary) is None


def test_no_name_keeps_a_pattern_busy_for_long(freebase: Vocabulary) -> None:
    for name in ("a." * 20_000, "a.b.c.." * 10_000, "<" + "x" * 100_000, "m." + "0" * 100_000 + "!"):
        resolve_relation_iri(name, freebase)
        resolve_entity(name, freebase)
        assert resolve_literal(name, freebase) is None
