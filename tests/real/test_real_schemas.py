"""What is inferred from two real graphs, and from what they state of themselves, is what a reader of them would say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import pylf
    from pylf.ir.schema.model import Relation

FREEBASE = "http://rdf.freebase.com/ns/"
MONDIAL = "http://www.semwebtech.org/mondial/10/meta#"
XSD = "http://www.w3.org/2001/XMLSchema#"


def relation(graph: pylf.KnowledgeGraph, iri: str) -> Relation:
    found = graph.schema.relation(iri)
    assert found is not None
    return found


def short(unions: tuple[tuple[str, ...], ...], namespace: str) -> list[list[str]]:
    return [[iri.removeprefix(namespace) for iri in union] for union in unions]


# --- Freebase's facts, with domains and ranges in the data ----------------------------------------------------------


def test_the_whole_of_fb15k_is_loaded_and_its_vocabulary_guessed(fb15k: pylf.KnowledgeGraph) -> None:
    assert fb15k.engine.count() == 443_896
    assert fb15k.vocabulary.name == "freebase"
    overview = fb15k.schema.source
    assert overview.meta("sound") == "true"
    assert overview.meta("languages") == "en"
    assert sum(1 for _ in overview.all_relations()) == 353  # 352 with a domain, and the label


@pytest.mark.parametrize(
    ("name", "domain", "range_"),
    [
        ("film.film.genre", "film.film", "film.film_genre"),
        ("film.director.film", "film.director", "film.film"),
        ("people.person.place_of_birth", "people.person", "location.location"),
        ("award.award_category.winners..award.award_honor.award_winner", "award.award_category", "award.award_winner"),
        ("location.location.contains", "location.location", "location.location"),
    ],
)
def test_stated_domains_and_ranges_stand(fb15k: pylf.KnowledgeGraph, name: str, domain: str, range_: str) -> None:
    found = relation(fb15k, FREEBASE + name)
    assert short(found.domain, FREEBASE) == [[domain]]
    assert short(found.range, FREEBASE) == [[range_]]
    assert not {"domain", "range"} & set(found.inferred)
    assert found.domain_support == found.subjects
    assert found.range_support == found.objects


@pytest.mark.parametrize(
    ("name", "range_"),
    [
        ("sports.sports_team.roster..baseball.baseball_roster_position.position", "sports.sports_position"),
        ("user.jg.default_domain.olympic_games.sports", "olympics.olympic_sport"),
        ("user.ktrueman.default_domain.international_organization.member_states", "organization.organization_member"),
    ],
)
def test_a_range_that_is_not_stated_is_what_the_objects_are(fb15k: pylf.KnowledgeGraph, name: str, range_: str) -> None:
    found = relation(fb15k, FREEBASE + name)
    assert short(found.range, FREEBASE) == [[range_]]
    assert "range" in found.inferred


def test_objects_without_a_type_form_a_class_of_their_own(fb15k: pylf.KnowledgeGraph) -> None:
    iri = FREEBASE + "common.topic.webpage..common.webpage.category"
    ((union,),) = (relation(fb15k, iri).range,)
    (name,) = union
    signature = fb15k.schema.class_(name)
    assert signature is not None
    assert signature.objects_of == iri
    assert signature.instances == 1


@pytest.mark.parametrize(
    ("name", "datatype", "triples"),
    [
        ("people.person.height_meters", "double", 2870),
        ("topic_server.population_number", "double", 1929),
        ("people.person.date_of_birth", "gYearMonth", 4420),
        ("film.film.initial_release_date", "gYearMonth", 1867),
    ],
)
def test_datatypes_are_read_from_the_values(fb15k: pylf.KnowledgeGraph, name: str, datatype: str, triples: int) -> None:
    found = relation(fb15k, FREEBASE + name)
    assert found.datatypes == (XSD + datatype,)
    assert found.literal
    assert found.functional
    assert found.profile is not None
    assert found.triples == triples == (found.profile.numbers if datatype == "double" else found.profile.months)


def test_the_one_date_beyond_the_year_9999_is_noticed(fb15k: pylf.KnowledgeGraph) -> None:
    profiles = {r.iri: r.profile for r in fb15k.schema.source.all_relations() if r.profile is not None}
    beyond = [iri.removeprefix(FREEBASE) for iri, profile in profiles.items() if profile.beyond_9999]
    assert beyond == ["tv.tv_program.air_date_of_final_episode"]
    assert not any(profile.before_zero or profile.zoned or profile.ill_formed for profile in profiles.values())


def test_classes_count_their_instances(fb15k: pylf.KnowledgeGraph) -> None:
    for name, instances in (("people.person", 4538), ("film.film", 1927), ("film.film_genre", 128)):
        found = fb15k.schema.class_(FREEBASE + name)
        assert found is not None
        assert found.instances == instances


# --- Mondial's geography, under its own ontology --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "domain", "range_"),
    [
        ("capital", ["AdministrativeArea"], ["City"]),
        ("hadPopulation", ["City", "Country", "Province"], ["PopulationCount"]),  # owl:unionOf
        ("flowsInto", ["Lake", "River"], ["Water"]),
        ("isMember", ["Country"], ["Organization"]),
        ("neighbor", ["Country"], ["Country"]),
        ("hasSource", ["River"], ["Source"]),
    ],
)
def test_the_ontology_says_what_relations_join(
    mondial: pylf.KnowledgeGraph, name: str, domain: list[str], range_: list[str]
) -> None:
    found = relation(mondial, MONDIAL + name)
    assert [sorted(union) for union in short(found.domain, MONDIAL)] == [domain]
    assert short(found.range, MONDIAL) == [range_]
    assert found.triples  # counted in the data


@pytest.mark.parametrize(
    ("name", "datatype", "kind", "triples"),
    [
        ("independenceDate", "date", "days", 45),
        ("established", "date", "days", 119),
        ("year", "gYear", "years", 5817),
        ("area", "decimal", "numbers", 998),
        ("carCode", "string", "strings", 54),
    ],
)
def test_the_ontology_says_what_values_are_and_the_data_agrees(
    mondial: pylf.KnowledgeGraph, name: str, datatype: str, kind: str, triples: int
) -> None:
    found = relation(mondial, MONDIAL + name)
    assert found.datatypes == (XSD + datatype,)
    assert getattr(found.profile, kind) == found.triples == triples


def test_the_lattice_of_classes_and_its_disjointness_are_read(mondial: pylf.KnowledgeGraph) -> None:
    schema = mondial.schema
    assert {"LargeArea", "Area", "PoliticalBody"} <= {
        c.removeprefix(MONDIAL) for c in schema.superclasses(MONDIAL + "Country")
    }
    assert MONDIAL + "Volcano" in schema.subclasses(MONDIAL + "Mountain")
    assert schema.disjoint(MONDIAL + "Country", MONDIAL + "Province")
    assert schema.disjoint(MONDIAL + "River", MONDIAL + "Lake")
    assert not schema.disjoint(MONDIAL + "City", MONDIAL + "Area")
    assert relation(mondial, MONDIAL + "isMember").inverse == MONDIAL + "hasMember"
    assert relation(mondial, MONDIAL + "neighbor").symmetric
