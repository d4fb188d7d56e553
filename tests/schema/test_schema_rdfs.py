from __future__ import annotations

import gzip
from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from pylf.errors import InputError
from pylf.ir.schema.rdfs import read_schema

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pylf.ir.schema.model import Schema
    from pylf.ir.schema.vocabulary import Vocabulary

XSD = "http://www.w3.org/2001/XMLSchema#"
M = "http://www.semwebtech.org/mondial/10/meta#"


def relation(schema: Schema, name: str):
    found = schema.relation("http://e/" + name)
    assert found is not None
    return found


def cls(schema: Schema, name: str):
    found = schema.class_("http://e/" + name)
    assert found is not None
    return found


def names(unions: tuple[tuple[str, ...], ...]) -> list[list[str]]:
    return [[iri.removeprefix("http://e/") for iri in union] for union in unions]


def test_domain_range_labels_and_hierarchy(schema_of: Callable[..., Schema]) -> None:
    schema = schema_of(
        ':Novel rdfs:subClassOf :Work ; rdfs:label "Roman"@de, "novel"@en . :Writer a rdfs:Class .'
        ':wrote rdfs:domain :Writer ; rdfs:range :Work ; rdfs:label "wrote" .'
    )
    wrote = relation(schema, "wrote")
    assert (names(wrote.domain), names(wrote.range), wrote.label) == ([["Writer"]], [["Work"]], "wrote")
    assert wrote.literal is False
    assert cls(schema, "Novel").label == "novel"
    assert cls(schema, "Novel").parents == ("http://e/Work",)
    assert schema.subclasses("http://e/Work") == ("http://e/Work", "http://e/Novel")
    assert schema.source.meta("source") == "stated"


def test_several_domains_intersect_and_a_union_unites(schema_of: Callable[..., Schema]) -> None:
    schema = schema_of(
        ":r rdfs:domain :A, :B . :s rdfs:domain [ owl:unionOf (:B :A) ] ."
        ":t rdfs:domain [ owl:intersectionOf (:A [ owl:unionOf (:B :C) ] [ owl:complementOf :D ]) ] ."
        ":u rdfs:domain [ owl:unionOf (:A [ owl:intersectionOf (:B :C) ]) ] ."
    )
    assert names(relation(schema, "r").domain) == [["A"], ["B"]]
    assert names(relation(schema, "s").domain) == [["A", "B"]]
    assert names(relation(schema, "t").domain) == [["A"], ["B", "C"]]
    assert names(relation(schema, "u").domain) == [["A", "B"], ["A", "C"]]


def test_a_union_with_a_part_that_says_nothing_says_nothing(schema_of: Callable[..., Schema]) -> None:
    schema = schema_of(
        ":r rdfs:domain [ owl:unionOf (:A [ owl:complementOf :B ]) ] . :s rdfs:domain owl:Thing ."
        ":t rdfs:range [ owl:unionOf (:A owl:Thing) ] ."
    )
    assert relation(schema, "r").domain == relation(schema, "s").domain == relation(schema, "t").range == ()


def test_a_wider_union_beside_a_narrower_one_goes(schema_of: Callable[..., Schema]) -> None:
    schema = schema_of(":r rdfs:domain :A, [ owl:unionOf (:A :B) ] .")
    assert names(relation(schema, "r").domain) == [["A"]]


def test_schema_org_includes_unite(schema_of: Callable[..., Schema]) -> None:
    schema = schema_of(
        "schema:author a rdf:Property ; schema:domainIncludes schema:Book, schema:Film ;"
        " schema:rangeIncludes schema:Person, schema:Text ."
        "schema:born schema:rangeIncludes schema:Date . schema:size schema:rangeIncludes schema:Number, schema:Text ."
    )
    author = schema.relation("https://schema.org/author")
    assert author is not None
    assert author.domain == (("https://schema.org/Book", "https://schema.org/Film"),)
    assert author.range == (("https://schema.org/Person",),)
    assert author.literal is None
    born, size = schema.relation("https://schema.org/born"), schema.relation("https://schema.org/size")
    assert born is not None
    assert size is not None
    assert (born.datatypes, born.literal) == ((XSD + "date",), True)
    assert (size.datatypes, size.literal) == ((), True)
    assert schema.class_("https://schema.org/Text") is None


def test_datatypes(schema_of: Callable[..., Schema]) -> None:
    schema = schema_of(
        ":a rdfs:range xsd:gYear . :b rdfs:range rdfs:Literal . :c a owl:DatatypeProperty . :d a owl:ObjectProperty ."
        ":e a owl:DatatypeProperty ; rdfs:range :mass . :f rdfs:range [ owl:unionOf (xsd:date xsd:gYear) ] ."
        ":g rdfs:range [ a rdfs:Datatype ; owl:onDatatype xsd:integer ] . :h rdfs:range :metre ."
        ":metre a rdfs:Datatype ."
        ":i rdfs:range [ owl:unionOf (:City xsd:string) ] . :j a rdf:Property ."
    )
    found = {n: relation(schema, n) for n in "abcdefghij"}
    assert {n: r.literal for n, r in found.items()} == {
        **dict.fromkeys("abcefgh", True),
        "d": False,
        "i": None,
        "j": None,
    }
    assert found["a"].datatypes == (XSD + "gYear",)
    assert found["b"].datatypes == found["c"].datatypes == ()
    assert found["e"].datatypes == ("http://e/mass",)
    assert found["f"].datatypes == (XSD + "date", XSD + "gYear")
    assert found["g"].datatypes == (XSD + "integer",)
    assert found["h"].datatypes == ("http://e/metre",)
    assert (names(found["i"].range), found["i"].datatypes) == ([["City"]], (XSD + "string",))
    assert [c.iri for c in schema.source.all_classes()] == ["http://e/City"]


def test_inverses_go_both_ways_and_lend_their_ends(schema_of: Callable[..., Schema]) -> None:
    schema = schema_of(
        ":wrote owl:inverseOf :written_by ; rdfs:domain :Writer ; rdfs:range :Work ; a owl:InverseFunctionalProperty ."
        ":knows owl:inverseOf :knows . :x owl:inverseOf [ a owl:ObjectProperty ] ."
        ":near a owl:SymmetricProperty . :born a owl:FunctionalProperty ."
    )
    wrote, written_by = relation(schema, "wrote"), relation(schema, "written_by")
    assert (wrote.inverse, written_by.inverse) == (written_by.iri, wrote.iri)
    assert (names(written_by.domain), names(written_by.range)) == ([["Work"]], [["Writer"]])
    assert (written_by.functional, wrote.functional) == (True, False)
    assert relation(schema, "knows").symmetric
    assert relation(schema, "near").symmetric
    assert relation(schema, "born").functional
    assert relation(schema, "x").inverse is None


def test_unions_disjoint_unions_and_equivalence(schema_of: Callable[..., Schema]) -> None:
    schema = schema_of(
        ":Thing owl:disjointUnionOf (:A :B :C) . :Any owl:unionOf (:A :D) . :E owl:equivalentClass :F ."
        ":G owl:equivalentClass [ owl:unionOf (:D :H) ] . :I owl:intersectionOf (:A :D) ."
        "[] a owl:AllDisjointClasses ; owl:members (:D :H) . :J owl:complementOf :K ."
        ":L rdfs:subClassOf [ owl:intersectionOf (:M :N) ], [ owl:onProperty :p ; owl:someValuesFrom :O ] ."
    )
    assert schema.subclasses("http://e/Thing")[1:] == ("http://e/A", "http://e/B", "http://e/C", "http://e/I")
    assert schema.disjoint("http://e/A", "http://e/B")
    assert not schema.disjoint("http://e/A", "http://e/D")
    assert {"http://e/A", "http://e/D"} <= set(schema.subclasses("http://e/Any"))
    assert "http://e/E" in schema.subclasses("http://e/F")
    assert "http://e/F" in schema.subclasses("http://e/E")
    assert set(schema.subclasses("http://e/G")) >= {"http://e/D", "http://e/H"}
    assert cls(schema, "I").parents == ("http://e/A", "http://e/D")
    assert schema.disjoint("http://e/D", "http://e/H")
    assert schema.disjoint("http://e/K", "http://e/J")
    assert cls(schema, "L").parents == ("http://e/M", "http://e/N")


def test_a_class_defined_by_what_it_leaves_out_takes_in_what_is_disjoint(schema_of: Callable[..., Schema]) -> None:
    schema = schema_of(
        ":Land owl:equivalentClass [ owl:intersectionOf (:Area [ owl:complementOf :Sea ]) ] ."
        ":Country rdfs:subClassOf :Area ; owl:disjointWith :Sea . :Bay rdfs:subClassOf :Sea ."
        ":Lake rdfs:subClassOf :Area ."
    )
    assert schema.subclasses("http://e/Land") == ("http://e/Land", "http://e/Country")


def test_the_order_of_files_and_lines_does_not_matter(schema_of: Callable[..., Schema]) -> None:
    parts = [
        ':Novel rdfs:subClassOf :Work ; rdfs:label "novel", "a novel" .',
        ":wrote rdfs:domain :Writer ; owl:inverseOf :written_by . :wrote2 owl:inverseOf :written_by .",
        ":wrote rdfs:range _:x . _:x owl:unionOf (:Work :Letter) .",
        ":s rdfs:domain _:x . _:x owl:unionOf (:Writer :Poet) .",
    ]
    seen = []
    for order in permutations(parts):
        schema = schema_of(*order)
        seen.append((list(schema.source.all_relations()), list(schema.source.all_classes())))
    assert all(found == seen[0] for found in seen)
    assert names(seen[0][0][0].domain) == [["Poet", "Writer"]]


def test_a_graph_may_hold_its_own_schema(shared: Path, rdf: Vocabulary) -> None:
    schema = read_schema(shared / "conformance" / "library.ttl", rdf)
    assert len(list(schema.source.all_relations())) == 8
    assert schema.classes_named("novel") == ("http://c.example/Novel",)
    pages = schema.relation("http://c.example/pages")
    assert pages is not None
    assert pages.datatypes == (XSD + "decimal",)


def test_freebase_names_of_datatypes(tmp_path: Path, freebase: Vocabulary) -> None:
    path = tmp_path / "f.nt"
    ns = "http://rdf.freebase.com/ns/"
    path.write_text(f"<{ns}a.b.c> <http://www.w3.org/2000/01/rdf-schema#range> <{ns}type.float> .\n", encoding="utf-8")
    found = read_schema(path, freebase).relation(ns + "a.b.c")
    assert found is not None
    assert (found.datatypes, found.literal) == ((XSD + "double",), True)


def test_relative_iris_are_resolved_against_the_file(tmp_path: Path, rdf: Vocabulary) -> None:
    path = tmp_path / "a b.ttl"
    path.write_text("<#r> <http://www.w3.org/2000/01/rdf-schema#domain> <C> .", encoding="utf-8")
    schema = read_schema(path, rdf)
    found = schema.relation(path.as_uri() + "#r")
    assert found is not None
    assert found.domain == (((tmp_path / "C").as_uri(),),)
    assert schema.source.meta("relative") == "true"


def test_compressed_files(tmp_path: Path, rdf: Vocabulary) -> None:
    path = tmp_path / "s.nt.gz"
    path.write_bytes(
        gzip.compress(b"<http://e/r> <http://www.w3.org/2000/01/rdf-schema#domain> <http://e/C> .\n"),
    )
    assert read_schema(path, rdf).relation("http://e/r") is not None


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.ttl", b"<http://e/a> <http://e/b>\n\n 'x .", "a.ttl:3: "),
        ("b.nt", b"<http://e/a> <http://e/b c> <http://e/d> .\n", "b.nt:1: "),
        ("c.ttl", b"\xff\xfe", "c.ttl:1: "),
        ("d.rdf", b"<rdf:RDF", "d.rdf: "),
        ("e.txt", b"", "endings are .ttl, .nt, .n3"),
        ("f.ttl.gz", b"hello", "cannot read the schema"),
        ("g.nt.gz", gzip.compress(bytes(range(256)) * 100)[:60], "is cut off"),
        ("h.nt.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\x03" + b"\x07" * 20, "is damaged"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_files_that_cannot_be_read(tmp_path: Path, rdf: Vocabulary, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_schema(path, rdf)
    assert message in str(caught.value)
    assert name in str(caught.value)


def test_a_missing_file_and_a_folder(tmp_path: Path, rdf: Vocabulary) -> None:
    with pytest.raises(InputError, match="No such file"):
        read_schema(tmp_path / "none.ttl", rdf)
    (tmp_path / "folder.ttl").mkdir()
    with pytest.raises(InputError, match="cannot read"):
        read_schema(tmp_path / "folder.ttl", rdf)


@pytest.mark.parametrize(
    "expression",
    [
        "[ owl:unionOf (" * 2000 + ":A" + ") ]" * 2000,
        "_:x . _:x owl:unionOf (_:x)",
        "_:x . _:x owl:unionOf _:l . _:l rdf:first _:x ; rdf:rest _:l",
    ],
)
def test_endless_and_deep_expressions_are_refused(schema_of: Callable[..., Schema], expression: str) -> None:
    with pytest.raises(InputError, match="nested more than"):
        schema_of(f":r rdfs:domain {expression} .").relation("http://e/r")


def test_a_union_that_would_explode_says_nothing(schema_of: Callable[..., Schema]) -> None:
    parts = " ".join(f"[ owl:intersectionOf (:A{i} :B{i}) ]" for i in range(40))
    assert relation(schema_of(f":r rdfs:domain [ owl:unionOf ({parts}) ] ."), "r").domain == ()


def test_a_list_in_a_circle_ends(schema_of: Callable[..., Schema]) -> None:
    schema = schema_of(":W owl:unionOf _:l . _:l rdf:first :A ; rdf:rest _:l .")
    assert schema.subclasses("http://e/W") == ("http://e/W", "http://e/A")


def test_mondial(shared: Path, rdf: Vocabulary) -> None:
    schema = read_schema(shared / "data" / "mondial" / "mondial-meta.n3", rdf)
    assert len(list(schema.source.all_relations())) == 87
    population = schema.relation(M + "population")
    capital = schema.relation(M + "capital")
    flows_into = schema.relation(M + "flowsInto")
    assert population is not None
    assert capital is not None
    assert flows_into is not None
    assert (population.domain, population.datatypes) == (((M + "Area",),), (XSD + "nonNegativeInteger",))
    assert (capital.inverse, capital.functional) == (M + "isCapitalOf", True)
    assert flows_into.domain == ((M + "Lake", M + "River"),)
    assert schema.disjoint(M + "Country", M + "City")
    assert schema.disjoint(M + "Volcano", M + "Country")
    assert not schema.disjoint(M + "City", M + "GeographicalThing")
    # PoliticalThing and GeographicalThing share City.
    assert not schema.disjoint(M + "PoliticalThing", M + "GeographicalThing")
    # Encompassed areas are large areas but continents and seas; countries and provinces are disjoint from both.
    assert schema.subclasses(M + "EncompassedArea") == (M + "EncompassedArea", M + "Country", M + "Province")
