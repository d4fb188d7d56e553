from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pylf.errors import EngineError
from pylf.ir.memory import MemoryGraph
from pylf.ir.schema.infer import infer_schema, signature_iri
from pylf.ir.schema.names import check_iri
from pylf.ir.schema.overlay import overlay
from pylf.ir.schema.profiles import profile_of
from pylf.ir.schema.rdfs import read_schema
from pylf.ir.schema.statistics import Statistics, Tally, tally
from pylf.ir.schema.vocabulary import Vocabulary
from pylf.ir.terms import RDF, RDF_LANG_STRING, RDFS, XSD_STRING, Blank, Iri, Literal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pylf.ir.graph import Graph, TripleRow
    from pylf.ir.schema.model import Class, Relation, Schema
    from pylf.ir.terms import Node

XSD = "http://www.w3.org/2001/XMLSchema#"
E = "http://e/"
M = "http://www.semwebtech.org/mondial/10/meta#"


def relation(schema: Schema, name: str) -> Relation:
    found = schema.relation(E + name)
    assert found is not None
    return found


def cls(schema: Schema, iri: str) -> Class:
    found = schema.class_(iri)
    assert found is not None
    return found


@pytest.fixture
def inferred(graph_of: Callable[[str], Graph], rdf: Vocabulary) -> Callable[..., Schema]:
    return lambda text, declared=None: infer_schema(graph_of(text), rdf, declared)


def test_the_most_specific_class_that_takes_in_all(inferred: Callable[..., Schema]) -> None:
    schema = inferred(
        ":n1 a :Novel, :Work ; :pages 1 . :n2 a :Novel, :Work ; :pages 2 ."
        ":p a :Play, :Work . :w a :Writer ; :wrote :n1, :p ."
    )
    pages, wrote = relation(schema, "pages"), relation(schema, "wrote")
    assert pages.domain == ((E + "Novel",),)
    assert (pages.subjects, pages.domain_support) == (2, 2)
    assert wrote.range == ((E + "Work",),)
    assert (wrote.objects, wrote.range_support) == (2, 2)
    assert cls(schema, E + "Work").instances == 3
    assert schema.source.meta("sound") == "true"
    assert "domain" in pages.inferred


@pytest.mark.parametrize("late", ["relation_counts", "subject_pairs", "object_pairs", "literals"])
def test_counts_of_changing_data_are_no_schema(graph_of: Callable[[str], Graph], rdf: Vocabulary, late: str) -> None:
    before = graph_of(":n1 a :Novel ; :pages 1 ; :by :w .")
    after = graph_of(":n1 a :Novel ; :pages 1, 2 ; :by :w, :v . :n2 :pages 3 ; :by :w . :m :new :n1, 1 .")
    first, second = (before, after) if late != "relation_counts" else (after, before)
    counted = tally(first)
    setattr(counted, late, getattr(tally(second), late))
    with pytest.raises(EngineError, match="changed while it was measured"):
        infer_schema(first, rdf, statistics=counted)


def test_superclasses_count_their_subclasses_instances(inferred: Callable[..., Schema]) -> None:
    schema = inferred(
        ":Novel rdfs:subClassOf :Work . :Play rdfs:subClassOf :Work ."
        ":n a :Novel ; :by :w . :p a :Play ; :by :w . :w a :Writer ."
    )
    assert cls(schema, E + "Work").instances == 2
    assert relation(schema, "by").domain == ((E + "Work",),)


def test_a_union_where_no_class_takes_in_all(inferred: Callable[..., Schema]) -> None:
    schema = inferred(":a a :River ; :into :s . :b a :Lake ; :into :s . :s a :Sea . :c a :Lake .")
    assert relation(schema, "into").domain == ((E + "Lake", E + "River"),)
    assert relation(schema, "into").range == ((E + "Sea",),)


def test_a_few_strays_do_not_unsettle_a_domain_but_count_against_it(inferred: Callable[..., Schema]) -> None:
    lines = [f":n{i} a :Novel ; :r :x{i} ." for i in range(200)]
    lines += [f":s{i} a :Stray{i} ; :r :y ." for i in range(7)]
    found = relation(inferred("\n".join(lines)), "r")
    assert found.domain is not None
    assert E + "Novel" in found.domain[0]
    assert len(found.domain[0]) <= 4
    assert found.domain_support is not None
    assert found.subjects == 207 > found.domain_support >= 200


def test_many_kinds_of_subjects_make_a_signature_class(inferred: Callable[..., Schema]) -> None:
    schema = inferred("\n".join(f":s{i} a :C{i} ; :r :x ." for i in range(9)))
    (union,) = relation(schema, "r").domain
    assert cls(schema, union[0]).subjects_of == E + "r"


def test_a_graph_without_types_gets_signature_classes(inferred: Callable[..., Schema]) -> None:
    schema = inferred(':a :wrote :b, :c . :d :wrote :b . :b :pages 10 . :wrote rdfs:label "wrote" .')
    wrote = relation(schema, "wrote")
    subjects, objects = signature_iri(E + "wrote", "subjects"), signature_iri(E + "wrote", "objects")
    assert subjects == "urn:pylf:subjects-of:http%3A%2F%2Fe%2Fwrote"
    assert (wrote.domain, wrote.range) == (((subjects,),), ((objects,),))
    assert cls(schema, subjects).subjects_of == cls(schema, objects).objects_of == E + "wrote"
    assert (cls(schema, subjects).label, cls(schema, subjects).instances) == ("subjects of wrote", 2)
    assert schema.classes_named("objects of wrote") == (objects,)
    assert relation(schema, "pages").range == ()
    assert schema.source.meta("sound") == "true"
    assert check_iri(subjects) == subjects


def test_what_is_stated_wins_and_is_held_against_the_data(inferred: Callable[..., Schema]) -> None:
    schema = inferred(
        ":wrote rdfs:domain :Writer ; rdfs:range :Work ; owl:inverseOf :by . :pages rdfs:range xsd:decimal ."
        ":a a :Person ; :wrote :n . :b a :Writer ; :wrote :n . :n a :Novel ; :pages 10, 10.5 ."
    )
    wrote = relation(schema, "wrote")
    assert (wrote.domain, wrote.range, wrote.inverse) == (((E + "Writer",),), ((E + "Work",),), E + "by")
    assert (wrote.domain_support, wrote.range_support) == (1, 0)
    assert relation(schema, "pages").datatypes == (XSD + "decimal",)
    assert wrote.inferred == ("functional",)
    assert schema.source.meta("sound") == "false"


def test_a_declared_schema_wins_over_the_graphs_own(
    inferred: Callable[..., Schema], schema_of: Callable[..., Schema]
) -> None:
    declared = schema_of(
        ":r rdfs:domain :A . :gone rdfs:range xsd:date . :A rdfs:subClassOf :Top . :A owl:disjointWith :Z ."
    )
    schema = inferred(":r rdfs:domain :B ; rdfs:range :C . :x a :A, :B ; :r :y . :B rdfs:subClassOf :A .", declared)
    assert relation(schema, "r").domain == ((E + "A",),)
    assert relation(schema, "r").range == ((E + "C",),)
    assert (relation(schema, "gone").triples, relation(schema, "gone").datatypes) == (0, (XSD + "date",))
    assert schema.disjoint(E + "B", E + "Z")
    assert cls(schema, E + "Top").instances == 1


def test_inverse_pairs_need_exactly_reversed_triples(inferred: Callable[..., Schema]) -> None:
    schema = inferred(
        ":a :wrote :x, :y . :b :wrote :y . :x :by :a . :y :by :a, :b . :y :almost :a, :c . :x :almost :a ."
        ":p :once :q . :q :only :p . :a :near :b . :b :near :a ."
    )
    assert relation(schema, "wrote").inverse == E + "by"
    assert relation(schema, "by").inverse == E + "wrote"
    assert "inverse" in relation(schema, "by").inferred
    assert relation(schema, "almost").inverse is None
    assert relation(schema, "once").inverse is None
    assert relation(schema, "near").symmetric
    assert relation(schema, "near").inverse is None


def test_functional_marks(inferred: Callable[..., Schema]) -> None:
    schema = inferred(":a :one 1 ; :two 1, 2 . :b :one 1 ; :two 1 . :c :single 1 .")
    assert [relation(schema, n).functional for n in ("one", "two", "single")] == [True, False, False]


def test_datatypes_and_mixed_objects(inferred: Callable[..., Schema]) -> None:
    schema = inferred(
        ':a :n 1, 2.5, "x"^^xsd:integer ; :d "2001"^^xsd:gYear, "2001-02-03"^^xsd:date ; :m :b, "text" ; :l "x"@de .'
    )
    assert relation(schema, "n").datatypes == (XSD + "decimal", XSD + "integer")
    assert relation(schema, "d").datatypes == (XSD + "date", XSD + "gYear")
    assert relation(schema, "l").datatypes == (RDF_LANG_STRING,)
    assert relation(schema, "d").literal is True
    mixed = relation(schema, "m")
    assert (mixed.literal, mixed.datatypes) == (None, (XSD_STRING,))
    assert cls(schema, mixed.range[0][0]).objects_of == E + "m"
    profile = relation(schema, "n").profile
    assert profile is not None
    assert (profile.numbers, profile.ill_formed, profile.literals) == (2, 1, 3)


def test_profiles_count_what_matters_for_comparison() -> None:
    profile = profile_of(
        [
            ("10", XSD + "integer", "", 3),
            ("NaN", XSD + "double", "", 1),
            ("ten", XSD + "decimal", "", 1),
            ("2001", XSD + "gYear", "", 2),
            ("-0044-03", XSD + "gYearMonth", "", 1),
            ("12001-01-01Z", XSD + "date", "", 1),
            ("2001-01-01T00:00:00-08:00", XSD + "dateTime", "", 1),
            ("2001-01-01T00:00:00", XSD + "dateTime", "", 1),
            ("2001-13", XSD + "date", "", 1),
            ("a", XSD_STRING, "", 4),
            ("a", RDF_LANG_STRING, "en", 1),
            ("b", RDF_LANG_STRING, "de", 1),
            ("true", XSD + "boolean", "", 1),
        ],
        entities=7,
    )
    assert profile.entities == 7
    assert (profile.numbers, profile.ill_formed, profile.other) == (3, 3, 1)
    assert (profile.years, profile.months, profile.days, profile.times) == (2, 1, 1, 2)
    assert (profile.zoned, profile.before_zero, profile.beyond_9999) == (2, 1, 1)
    assert (profile.strings, profile.tagged, profile.languages) == (4, 2, ("de", "en"))
    assert profile.literals == 19


def test_nodes_without_a_name_mark_a_class_as_compound(inferred: Callable[..., Schema]) -> None:
    blank = inferred(
        ":a :had [ a :Count ; :year 1 ; :value 2 ], [ a :Count ; :year 2 ; :value 3 ] ."
        ":a a :Town . :b a :Town ; :near :a ."
    )
    assert cls(blank, E + "Count").compound
    assert not cls(blank, E + "Town").compound
    named = inferred(
        ':a rdfs:label "a" ; a :Actor ; :role :r1, :r2 . :b rdfs:label "b" ; a :Film .'
        ":r1 a :Performance ; :film :b . :r2 a :Performance ; :film :b ."
    )
    assert cls(named, E + "Performance").compound
    assert not cls(named, E + "Actor").compound


def test_schema_statements_are_no_relations_and_label_languages_are_kept(inferred: Callable[..., Schema]) -> None:
    schema = inferred(
        ':C a owl:Class ; rdfs:label "c"@en ; rdfs:subClassOf :D . :r a owl:ObjectProperty ; rdfs:label "r" .'
        ':x a :C, owl:NamedIndividual ; rdfs:label "x"@DE ; :r :x .'
    )
    assert [r.iri for r in schema.source.all_relations()] == [
        E + "r",
        "http://www.w3.org/2000/01/rdf-schema#label",
    ]
    assert schema.languages == ("", "de", "en")
    assert [c.iri for c in schema.source.all_classes()] == [E + "C", E + "D"]
    label = schema.relation("http://www.w3.org/2000/01/rdf-schema#label")
    assert label is not None
    # Classes and relations have labels too, and are no members of its domain.
    assert (label.domain, label.domain_support) == (((E + "C",),), 1)
    assert relation(schema, "r").label == "r"
    assert cls(schema, E + "C").label == "c"


def test_an_empty_graph(inferred: Callable[..., Schema]) -> None:
    schema = inferred("")
    assert list(schema.source.all_relations()) == list(schema.source.all_classes()) == []
    assert not schema.has_relations


def test_inferring_again_from_what_was_inferred_changes_nothing(
    graph_of: Callable[[str], Graph], rdf: Vocabulary
) -> None:
    graph = graph_of(
        ":a :wrote :b, :c . :d :wrote :b . :b :by :a, :d . :c :by :a . :b :pages 10 . :b a :Novel . :c a :Novel ."
    )
    once = infer_schema(graph, rdf)
    again = infer_schema(graph, rdf, once)
    assert list(again.source.all_relations()) == list(once.source.all_relations())
    assert list(again.source.all_classes()) == list(once.source.all_classes())


def test_statistics_of_an_engines_own_give_the_same_schema(graph_of: Callable[[str], Graph], rdf: Vocabulary) -> None:
    graph = graph_of(
        ":a a :C ; :r :b, _:x ; :n 1, 1.0 . :b a :C ; :s :a . _:x :s :a ; :n 1 . :b :sym :a . :a :sym :b ."
    )
    shuffled = Shuffled(tally(graph))
    mine = infer_schema(graph, rdf)
    for theirs in (infer_schema(graph, rdf, statistics=shuffled), infer_schema(Counting(graph, shuffled), rdf)):
        assert list(mine.source.all_relations()) == list(theirs.source.all_relations())
        assert list(mine.source.all_classes()) == list(theirs.source.all_classes())


class Counting:
    """A graph that counts by itself, and hands out no more than is asked for by predicate."""

    def __init__(self, graph: Graph, counted: Statistics) -> None:
        self.graph = graph
        self.counted = counted

    def statistics(self) -> Statistics:
        return self.counted

    def triples(self, *places: Node | None):
        assert any(place is not None for place in places)
        return self.graph.triples(*places)


nodes = st.sampled_from([Iri(E + c) for c in "abcde"] + [Blank("x"), Blank("y")])
values = nodes | st.sampled_from([Literal("1", XSD + "integer"), Literal("1.0", XSD + "decimal"), Literal("one")])
kinds = st.sampled_from([Iri(E + c) for c in "ABCD"])
rows = st.one_of(
    st.tuples(nodes, st.sampled_from([Iri(E + r) for r in "rst"]), values),
    st.tuples(nodes, st.just(Iri(RDF + "type")), kinds),
    st.tuples(kinds, st.just(Iri(RDFS + "subClassOf")), kinds),
    st.tuples(st.sampled_from([Iri(E + "r"), Iri(E + "s")]), st.just(Iri(RDFS + "domain")), kinds),
)


@settings(max_examples=150)
@given(st.sets(rows, max_size=25))
def test_counts_and_marks_are_what_they_say(triples: set[TripleRow]) -> None:
    schema = infer_schema(MemoryGraph(triples), Vocabulary("plain"))
    types = {(s, o.value) for s, p, o in triples if p == Iri(RDF + "type") and isinstance(o, Iri)}

    def is_instance(entity: Node, unions: tuple[tuple[str, ...], ...]) -> bool:
        return all(any(member(entity, iri) for iri in union) for union in unions)

    def member(entity: Node, iri: str) -> bool:
        found = cls(schema, iri)
        if found.subjects_of is not None:
            return any(s == entity and p == Iri(found.subjects_of) for s, p, _ in triples)
        if found.objects_of is not None:
            return any(o == entity and p == Iri(found.objects_of) for _, p, o in triples)
        return any((entity, below) in types for below in schema.subclasses(iri))

    for found in schema.source.all_classes():
        entities = {t for row in triples for t in (row[0], row[2]) if not isinstance(t, Literal)}
        assert found.instances == sum(1 for e in entities if member(e, found.iri))
    sound = True
    for found in schema.source.all_relations():
        mine = {(s, o) for s, p, o in triples if p == Iri(found.iri)}
        subjects, objects = {s for s, _ in mine}, {o for _, o in mine}
        assert (found.triples, found.subjects, found.objects) == (len(mine), len(subjects), len(objects))
        if not mine:
            continue
        assert found.domain
        assert found.domain_support == sum(1 for s in subjects if is_instance(s, found.domain))
        entities = {o for o in objects if not isinstance(o, Literal)}
        if entities:
            assert found.range
            assert found.range_support == sum(1 for o in entities if is_instance(o, found.range))
        assert found.literal is (None if entities and entities != objects else not entities)
        assert found.functional == (len(mine) == len(subjects) >= 2)
        if found.inverse is not None:
            assert mine == {(o, s) for s, p, o in triples if p == Iri(found.inverse)}
        assert found.symmetric == (mine == {(o, s) for s, o in mine} and len(mine) >= 2)
        sound = sound and found.domain_support == found.subjects and found.range_support in {None, found.objects}
    assert (schema.source.meta("sound") == "true") == sound


class Shuffled:
    """The same rows in another order, with pairs that are not exactly reversed thrown in."""

    def __init__(self, counted: Statistics) -> None:
        self.counted = counted
        self.random = random.Random(7)

    def mixed(self, rows):
        rows = list(rows)
        self.random.shuffle(rows)
        return rows

    def relation_counts(self):
        return self.mixed(self.counted.relation_counts())

    def type_pairs(self, predicates: tuple[str, ...]):
        return self.mixed(self.counted.type_pairs(predicates))

    def subject_pairs(self):
        return self.mixed(self.counted.subject_pairs())

    def object_pairs(self):
        return self.mixed(self.counted.object_pairs())

    def literals(self):
        return self.mixed(self.counted.literals())

    def reversed_pairs(self):
        return self.mixed([*self.counted.reversed_pairs(), (E + "r", E + "sym", 1)])


def test_a_tally_answers_what_the_protocol_asks() -> None:
    counted: Statistics = Tally()
    assert isinstance(counted, Tally)
    counted.add("http://e/a", "http://e/r", "_:b")
    counted.add("_:b", "http://e/s", "http://e/a")
    counted.add("http://e/a", "http://e/type", "http://e/C")
    counted.add_literal("http://e/a", "http://e/r", "1", XSD + "integer", None)
    counted.add_literal("http://e/b", "http://e/r", "1", XSD + "integer", None)
    assert sorted(counted.relation_counts()) == [
        ("http://e/r", 3, 2, 2),
        ("http://e/s", 1, 1, 1),
        ("http://e/type", 1, 1, 1),
    ]
    assert list(counted.type_pairs(("http://e/type", "http://e/none"))) == [("http://e/a", "http://e/C")]
    assert ("http://e/r", "http://e/b") in set(counted.subject_pairs())
    assert ("http://e/r", "_:b") in set(counted.object_pairs())
    assert list(counted.literals()) == [("http://e/r", "1", XSD + "integer", "", 2)]
    assert list(counted.reversed_pairs()) == [("http://e/r", "http://e/s", 1)]


def scanned(path: Path, rdf_format: str) -> Tally:
    """The counts over a compressed file."""
    import gzip

    import pyoxigraph

    store = pyoxigraph.Store()
    with gzip.open(path) as file:
        store.bulk_load(file, getattr(pyoxigraph.RdfFormat, rdf_format), base_iri="urn:base/")
    counted = Tally()
    for quad in store:
        subject = quad.subject.value if isinstance(quad.subject, pyoxigraph.NamedNode) else f"_:{quad.subject.value}"
        value = quad.object
        if isinstance(value, pyoxigraph.Literal):
            counted.add_literal(subject, quad.predicate.value, value.value, value.datatype.value, value.language)
        else:
            prefix = "" if isinstance(value, pyoxigraph.NamedNode) else "_:"
            counted.add(subject, quad.predicate.value, prefix + value.value)
    return counted


def test_mondial_with_its_declared_schema(shared: Path, rdf: Vocabulary) -> None:
    folder = shared / "data" / "mondial"
    counted = scanned(folder / "mondial-europe.n3.gz", "N3")
    declared = read_schema(folder / "mondial-meta.n3", rdf)
    schema = infer_schema(MemoryGraph([]), rdf, declared, counted)
    independence = schema.relation(M + "independenceDate")
    assert independence is not None
    assert (independence.triples, independence.datatypes) == (45, (XSD + "date",))
    assert independence.profile is not None
    assert independence.profile.dates == 45
    assert cls(schema, M + "PopulationCount").compound
    assert not cls(schema, M + "Country").compound
    assert cls(schema, M + "EncompassedArea").instances == (
        (cls(schema, M + "Country").instances or 0) + (cls(schema, M + "Province").instances or 0)
    )
    alone = infer_schema(MemoryGraph([]), rdf, None, counted)
    for name in ("capital", "independenceDate", "flowsInto", "inOrganization"):
        found = alone.relation(M + name)
        assert found is not None
        assert found.domain_support == found.subjects


def test_freebase_domains_are_found_again_from_the_data(shared: Path, freebase: Vocabulary) -> None:
    path = shared / "data" / "fb15k237" / "fb15k237_plain.nt.gz"
    counted = scanned(path, "N_TRIPLES")
    schema = infer_schema(MemoryGraph([]), freebase, None, counted)
    declared = read_schema(path, freebase)
    stated = [r for r in declared.source.all_relations() if r.domain]
    same = [r for r in stated if (found := schema.relation(r.iri)) is not None and found.domain == r.domain]
    assert len(same) >= 0.95 * len(stated) > 300
    assert schema.languages == ("en",)
    born = schema.relation("http://rdf.freebase.com/ns/people.person.date_of_birth")
    assert born is not None
    assert born.datatypes == (XSD + "gYearMonth",)


@pytest.mark.parametrize(
    ("range_", "values", "datatypes"),
    [
        ("xsd:string", "4.0e0, 8.0e0", (XSD + "double",)),
        ("xsd:string", "'2014'^^xsd:gYear", (XSD + "gYear",)),
        ("xsd:string", "4, '8'", (XSD + "string",)),
        ("xsd:string", "4, '2014'^^xsd:gYear", (XSD + "string",)),
        ("xsd:integer", "4.0e0", (XSD + "integer",)),
        ("xsd:integer", "'4'", (XSD + "integer",)),
        ("rdfs:Literal", "4", (XSD + "integer",)),
    ],
)
def test_a_stated_datatype_gives_way_to_values_that_are_all_of_another_sort(
    inferred: Callable[..., Schema], range_: str, values: str, datatypes: tuple[str, ...]
) -> None:
    schema = inferred(f":code rdfs:range {range_} . :a :code {values} .")
    assert relation(schema, "code").datatypes == datatypes


def test_a_declared_datatype_gives_way_to_values_that_are_all_of_another_sort(
    inferred: Callable[..., Schema], schema_of: Callable[[str], Schema]
) -> None:
    declared = schema_of(":code a rdf:Property ; rdfs:range xsd:string .")
    found = relation(overlay(declared, inferred(":a :code 4 . :b :code 8 .")), "code")
    assert "datatypes" in found.inferred  # the one that is stated is not there any more
    assert found.datatypes == (XSD + "integer",)
    assert relation(overlay(declared, inferred(":a :code '4' .")), "code").datatypes == (XSD + "string",)
