"""Freebase's schema files: what is made of their lines, what is left out and said, and the whole of them."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pylf
from pylf.api import load_schema, vocabulary_for
from pylf.errors import InputError
from pylf.ir.schema import cache
from pylf.ir.schema.freebase import files, is_folder, read_freebase
from pylf.ir.schema.typing import compatible, domain_type, range_type
from pylf.ir.schema.vocabularies import load
from pylf.ir.terms import XSD
from pylf.ir.types import ANY, ENTITY, EntityType, LiteralType

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pylf.ir.schema.model import Class, Relation, Schema
    from pylf.ir.schema.vocabulary import Vocabulary

    Folder = Callable[..., Path]

NS = "http://rdf.freebase.com/ns/"
ROLES = """\
people.person people.person.spouse_s people.marriage
people.marriage people.marriage.spouse people.person
people.marriage people.marriage.from type.datetime
people.person people.person.height_meters type.float
people.person people.person.religion religion.religion
common.topic common.topic.official_website type.uri
type.object type.object.type type.type
type.object type.object.name type.text
type.type type.type.domain type.domain
"""
TYPES = """\
people.person meta.subclassOf common.topic .
people.person meta.subclassOf common.topic
people.person meta.subclassOf people.person
people.deceased_person meta.subclassOf people.person
religion.religion meta.subclassOf common.topic
"""


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Writes the named files into a folder; a name that ends in ``.gz`` is compressed."""

    def write(**contents: str) -> Path:
        for name, text in contents.items():
            if name.endswith("_gz"):
                (tmp_path / f"{name[:-3]}.gz").write_bytes(gzip.compress(text.encode()))
            else:
                (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path

    return write


@pytest.fixture
def small(folder: Folder) -> Schema:
    pairs = "people.person.spouse_s\tpeople.marriage.spouse\nreligion.religion.founders\tpeople.person.founded\n"
    numbers = "people.person.height_meters\ttype.float\npeople.person.weight_kg\ttype.float\n"
    schema, findings = read_freebase(
        folder(fb_roles=ROLES, fb_types_gz=TYPES, reverse_properties=pairs, numeric_properties=numbers)
    )
    assert findings == ()
    assert schema.source.meta("remarks") is None
    return schema


def relation(schema: Schema, name: str) -> Relation:
    found = schema.relation(NS + name)
    assert found is not None, name
    return found


def class_(schema: Schema, name: str) -> Class:
    found = schema.class_(NS + name)
    assert found is not None, name
    return found


# -- relations


def test_domains_ranges_and_datatypes_are_as_listed(small: Schema) -> None:
    spouse = relation(small, "people.person.spouse_s")
    assert (spouse.domain, spouse.range) == (((NS + "people.person",),), ((NS + "people.marriage",),))
    assert (spouse.literal, spouse.datatypes, spouse.inferred) == (False, (), ())
    height = relation(small, "people.person.height_meters")
    assert (height.range, height.datatypes, height.literal) == ((), (XSD + "double",), True)
    assert range_type(relation(small, "people.marriage.from")) == LiteralType(XSD + "dateTime")
    assert small.class_(NS + "type.float") is None


def test_what_says_nothing_of_an_object(small: Schema) -> None:
    of_type = relation(small, "type.object.type")
    assert domain_type(of_type) == ENTITY
    assert of_type.range == ((NS + "type.type",),)
    assert relation(small, "type.type.domain").range == ((NS + "type.domain",),)
    assert range_type(relation(small, "common.topic.official_website")) == ANY


def test_pairs_hold_in_both_directions_though_one_is_listed(small: Schema) -> None:
    assert relation(small, "people.person.spouse_s").inverse == NS + "people.marriage.spouse"
    assert relation(small, "people.marriage.spouse").inverse == NS + "people.person.spouse_s"


def test_a_relation_known_by_its_pair_or_its_numbers_has_the_class_of_its_name_as_domain(small: Schema) -> None:
    founders = relation(small, "religion.religion.founders")
    assert (founders.domain, founders.range) == (((NS + "religion.religion",),), ((NS + "people.person",),))
    assert founders.inferred == ("domain", "range")
    assert relation(small, "people.person.founded").inverse == founders.iri
    weight = relation(small, "people.person.weight_kg")
    assert (weight.domain, weight.datatypes) == (((NS + "people.person",),), (XSD + "double",))
    assert weight.inferred == ("domain",)


def test_the_range_of_one_known_by_its_pair_is_the_domain_of_the_other(folder: Folder) -> None:
    roles = "people.person people.person.parents people.person\npeople.human people.man.children people.human\n"
    pairs = "people.person.children\tpeople.person.parents\npeople.human.father\tpeople.man.children\n"
    schema, _ = read_freebase(folder(fb_roles=roles, reverse_properties=pairs))
    assert relation(schema, "people.person.children").range == ((NS + "people.person",),)
    assert relation(schema, "people.human.father").range == ((NS + "people.human",),)
    assert relation(schema, "people.human.father").domain == ((NS + "people.human",),)


def test_where_the_class_of_a_name_is_not_known_the_ends_are_open(folder: Folder) -> None:
    pairs = "old.one.other\told.other.one\n"
    schema, _ = read_freebase(folder(fb_roles=ROLES, reverse_properties=pairs, numeric_properties="old.one.n type.int"))
    one, number = relation(schema, "old.one.other"), relation(schema, "old.one.n")
    assert (one.domain, one.range, one.literal, one.inverse, one.inferred) == ((), (), False, NS + "old.other.one", ())
    assert (number.domain, number.datatypes, number.inferred) == ((), (XSD + "integer",), ())
    assert schema.class_(NS + "old.one") is None


def test_a_pair_of_one_relation_is_symmetric(folder: Folder) -> None:
    roles = "people.person people.person.sibling people.person\n"
    schema, _ = read_freebase(folder(fb_roles=roles, reverse_properties="people.person.sibling people.person.sibling"))
    sibling = relation(schema, "people.person.sibling")
    assert (sibling.symmetric, sibling.inverse) == (True, None)


@pytest.mark.parametrize("range_", ["type.key", "type.namespace"])
def test_values_have_no_inverse(folder: Folder, range_: str) -> None:
    roles = f"type.object type.object.key type.key\ntype.namespace type.namespace.keys {range_}\n"
    schema, _ = read_freebase(folder(fb_roles=roles, reverse_properties="type.object.key type.namespace.keys"))
    assert relation(schema, "type.namespace.keys").inverse is None
    key = relation(schema, "type.object.key")
    assert (key.inverse, key.datatypes) == (None, (XSD + "string",))


def test_relations_that_data_uses_and_no_file_lists(small: Schema) -> None:
    assert relation(small, "kg.object_profile.prominent_type").range == ((NS + "type.type",),)
    assert relation(small, "topic_server.population_number").datatypes == (XSD + "integer",)


def test_relations_to_classes_are_known_from_the_vocabulary_where_a_file_lacks_them(small: Schema) -> None:
    for iri in load("freebase").class_relations:
        found = small.relation(iri)
        assert found is not None
        assert found.range == ((NS + "type.type",),)
    notable = relation(small, "common.topic.notable_types")
    assert (notable.domain, notable.inferred) == (((NS + "common.topic",),), ("domain",))


# -- classes


def test_subclasses(small: Schema) -> None:
    assert class_(small, "people.person").parents == (NS + "common.topic",)
    assert small.superclasses(NS + "people.deceased_person") == {
        NS + name for name in ("people.deceased_person", "people.person", "common.topic")
    }
    assert small.subclasses(NS + "people.person") == (NS + "people.person", NS + "people.deceased_person")


def test_classes_that_share_no_superclass_may_still_share_instances(small: Schema) -> None:
    def one(name: str) -> EntityType:
        return EntityType(((NS + name,),))

    assert compatible(one("people.marriage"), one("people.person"), small) == "unknown"
    assert compatible(one("people.deceased_person"), one("people.person"), small) == "compatible"
    assert compatible(one("people.person"), LiteralType(XSD + "double"), small) == "disjoint"


def test_mediators_are_marked(small: Schema) -> None:
    marked = {c.iri.removeprefix(NS) for c in small.source.all_classes() if c.compound}
    assert marked == {"people.marriage"}


def test_a_class_of_which_nothing_leads_on_or_to_which_nothing_leads_is_no_mediator(folder: Folder) -> None:
    roles = "a.x a.x.to_y a.y\na.y a.y.to_z a.z\ncommon.image common.image.of a.x\na.x a.x.image common.image\n"
    schema, _ = read_freebase(folder(fb_roles=roles, fb_types="a.sub meta.subclassOf a.y\n"))
    marked = {c.iri.removeprefix(NS) for c in schema.source.all_classes() if c.compound}
    assert marked == {"a.x", "a.y"}


# -- what is left out


def test_lines_that_are_malformed_are_told_and_reading_goes_on(folder: Folder) -> None:
    roles = (
        "film.film film.film.genre film.film_genre\r\n"
        "film.film film.film.runtime type.intfilm.actor film.actor.film film.performance\n"
        "\n"
        "film.film null film.film\n"
        "film.film film.film.stafilm.actor.filmrring film.performance\n"
        "film.film film.film.<x> film.film\n"
        "film.film film.film.country location.country"
    )
    types = "film.film meta.subclassOf common.topicfilm.actor meta.subclassOf common.topic\nfilm.film subclassOf x.y\n"
    where = folder(fb_roles=roles, fb_types=types, numeric_properties="m.0106fvn0 type.int\nfilm.film.n type.odd\n")
    schema, findings = read_freebase(where)
    assert {r.iri.removeprefix(NS) for r in schema.source.all_relations()} == {
        "film.film.genre",
        "film.film.country",
        "common.topic.notable_types",
        "kg.object_profile.prominent_type",
        "topic_server.population_number",
    }
    nameless = "the relation is given by its machine id, by which no data calls it: left out"
    told = []
    for finding in findings:
        assert finding.source is not None
        assert finding.span is not None
        assert finding.severity == "warning"
        name = finding.source.name.removeprefix(f"{where}/")
        told.append((finding.code, name, finding.source.position(finding.span.start)[0], finding.message))
    assert told == [
        ("malformed-line", "fb_roles", 2, "two records on one line: left out"),
        ("malformed-line", "fb_roles", 4, "not a line of fb_roles: left out"),
        ("malformed-line", "fb_roles", 5, "another name is spliced into the relation's: left out"),
        ("malformed-line", "fb_roles", 6, "not a line of fb_roles: left out"),
        ("malformed-line", "fb_types", 1, "two records on one line: left out"),
        ("malformed-line", "fb_types", 2, "not a line of fb_types: left out"),
        ("unnamed-relation", "numeric_properties", 1, nameless),
        ("malformed-line", "numeric_properties", 2, "type.odd is no datatype: left out"),
    ]
    assert schema.source.meta("remarks") == (
        "fb_roles: 4 malformed lines (2, 4, 5, 6); fb_types: 2 malformed lines (1, 2); "
        "numeric_properties: 1 malformed line (2); numeric_properties: 1 line without a relation's name"
    )


def test_a_finding_shows_its_line(folder: Folder) -> None:
    where = folder(fb_roles="a.b a.b.c a.d\na.b a.b.c\n")
    assert read_freebase(where)[1][0].render() == (
        "warning[malformed-line]: not a line of fb_roles: left out\n"
        f"  --> {where}/fb_roles:2:1\n   |\n 2 | a.b a.b.c\n   | ^^^^^^^^^"
    )


def test_what_contradicts_an_earlier_line_is_left_out(folder: Folder) -> None:
    roles = "a.b a.b.c a.d\na.b a.b.c a.d\na.b a.b.c a.e\na.d a.d.c a.b\na.d a.d.e a.b\n"
    pairs = "a.b.c a.d.c\na.d.c a.b.c\na.b.c a.d.e\n"
    schema, findings = read_freebase(
        folder(fb_roles=roles, reverse_properties=pairs, numeric_properties="a.b.n type.int\na.b.n type.float")
    )
    assert [finding.message for finding in findings] == [
        "the relation has another domain or range already: left out",
        "one of the two has another inverse already: left out",
        "the relation has another datatype already: left out",
    ]
    assert relation(schema, "a.b.c").range == ((NS + "a.d",),)
    assert relation(schema, "a.b.c").inverse == NS + "a.d.c"
    assert relation(schema, "a.d.e").inverse is None


def test_what_is_no_folder_of_freebase(folder: Folder, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no fb_roles"):
        read_freebase(tmp_path)
    assert not is_folder(str(tmp_path))
    assert not is_folder(str(tmp_path / "none"))
    with pytest.raises(InputError, match="no line gives a domain"):
        read_freebase(folder(fb_roles="<html>\n<body>404</body>\n"))
    (tmp_path / "fb_roles").write_bytes(b"a.b a.b.c a.d\xff\n")
    with pytest.raises(InputError, match="not UTF-8 text"):
        read_freebase(tmp_path)
    (tmp_path / "fb_roles").unlink()
    (tmp_path / "fb_roles.gz").write_bytes(gzip.compress(ROLES.encode())[:40])
    with pytest.raises(InputError, match="damaged"):
        read_freebase(tmp_path)
    (tmp_path / "fb_roles.gz").write_bytes(b"not compressed")
    with pytest.raises(InputError, match="cannot read"):
        read_freebase(tmp_path)


def test_a_file_that_has_no_end_is_not_read_to_it(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pylf.ir.schema.freebase._LARGEST", 1000)
    with pytest.raises(InputError, match="larger than 1,000 bytes"):
        read_freebase(folder(fb_roles_gz=ROLES * 100))


def test_the_plain_file_goes_before_the_compressed_one(folder: Folder) -> None:
    where = folder(fb_roles="a.b a.b.c a.d\n", fb_roles_gz=ROLES)
    assert files(str(where)) == (f"{where}/fb_roles",)
    assert read_freebase(where)[0].relation(NS + "a.b.c") is not None


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.lists(st.sampled_from(["a.b", "a.b.c", "a.d", "m.0", "meta.subclassOf", ".", "type.int", "null", "\0", "é"]))
        .map(" ".join)
        .flatmap(lambda line: st.sampled_from([line, line.replace(" ", "\t"), line.replace(" ", "", 1)])),
        max_size=8,
    )
)
def test_any_lines_are_read_or_told(tmp_path: Path, lines: list[str]) -> None:
    text = "\n".join(lines)
    for name in ("fb_types", "reverse_properties", "numeric_properties"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "fb_roles").write_text(f"{text}\nx.y x.y.z x.w", encoding="utf-8")
    schema, findings = read_freebase(tmp_path)
    assert schema.relation(NS + "x.y.z") is not None
    for found in schema.source.all_relations():
        assert found.inverse is None or relation(schema, found.inverse.removeprefix(NS)).inverse == found.iri
    assert all(finding.span is not None for finding in findings)


# -- as a schema like others


@pytest.fixture
def example(root: Path) -> Path:
    return root / "examples" / "freebase"


def test_a_folder_is_a_schema_and_implies_its_vocabulary(example: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.sqlite"
    cache.write_schema(load_schema(str(example)), kept)
    for schema in (str(example), str(kept), example, load_schema(str(example))):
        query = pylf.compile("x = STOP(JOIN('film.film.directed_by', 'm.06pj8'))", schema=schema)
        assert f"<{NS}film.film.directed_by> <{NS}m.06pj8>" in query.sparql
        assert query.vocabulary is load("freebase")
        assert query.schema.source.meta("remarks") == "fb_roles: 1 malformed line (12)"
    assert cache.vocabulary_of(str(example)) == cache.vocabulary_of(str(kept)) == "freebase"
    assert vocabulary_for(str(example), "rdf") is load("rdf")
    assert vocabulary_for(str(example), None) is load("freebase")


def test_a_vocabulary_of_ones_own_goes_before(folder: Folder) -> None:
    from pylf.ir.schema.vocabulary import Vocabulary

    own = Vocabulary("own", relation_namespace="http://e/", datatypes={"type.float": XSD + "decimal"})
    schema, _ = read_freebase(folder(fb_roles=ROLES), own)
    height = schema.relation("http://e/people.person.height_meters")
    assert height is not None
    assert height.datatypes == (XSD + "decimal",)
    begun = schema.relation("http://e/people.marriage.from")
    assert begun is not None
    assert begun.datatypes == (XSD + "dateTime",)


def test_a_reading_is_kept_until_one_of_the_files_changes(
    folder: Folder, freebase: Vocabulary, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("PYLF_CACHE", str(there))
    many = "".join(f"made.up made.up.r{number} made.other\n" for number in range(3000))
    where = folder(fb_roles=many, fb_types="made.up meta.subclassOf\n")

    def kept() -> int:
        return len(list(there.glob("schemas/*.sqlite")))

    first = cache.load_schema(where, freebase)
    assert kept() == 1
    again = cache.load_schema(where, freebase)
    assert isinstance(again.source, cache.FileSource)
    assert again.relation(NS + "made.up.r7") == first.relation(NS + "made.up.r7")
    assert again.source.meta("remarks") == "fb_types: 1 malformed line (1)"
    folder(fb_types="made.up meta.subclassOf common.topic\n")
    changed = cache.load_schema(where, freebase)
    assert kept() == 2
    assert changed.source.meta("remarks") is None
    (where / "fb_types").rename(where / "reverse_properties")
    cache.load_schema(where, freebase)
    assert kept() == 3


def test_small_folders_are_not_kept(
    example: Path, freebase: Vocabulary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYLF_CACHE", str(tmp_path / "cache"))
    assert not isinstance(cache.load_schema(example, freebase).source, cache.FileSource)
    assert not (tmp_path / "cache").exists()


# -- the whole of Freebase

#: from what is commonly known of Freebase: what its schema explorer called mediators, and what it did not
MEDIATORS = """
people.marriage education.education film.performance people.place_lived people.sibling_relationship
award.award_honor award.award_nomination business.employment_tenure government.government_position_held
organization.leadership organization.organization_membership music.group_membership music.track_contribution
sports.sports_team_roster tv.regular_tv_appearance tv.tv_guest_role location.geocode
measurement_unit.dated_integer measurement_unit.dated_money_value measurement_unit.dated_percentage
film.film_cut film.film_crew_gig film.film_regional_release_date film.personal_film_appearance
olympics.olympic_medal_honor military.military_service celebrities.romantic_relationship business.acquisition
location.adjoining_relationship finance.exchange_rate film.dubbing_performance royalty.noble_title_tenure
common.notable_for common.webpage
"""
NO_MEDIATORS = """
people.person film.film film.actor film.director film.film_character film.film_genre location.location
location.country location.citytown organization.organization business.business_operation education.university
education.educational_degree music.artist music.album music.genre book.book book.author tv.tv_program
sports.sports_team sports.sport award.award_category government.us_president spaceflight.rocket
spaceflight.astronaut medicine.disease medicine.drug astronomy.planet biology.organism_classification
chemistry.chemical_element computer.software aviation.airport religion.religion language.human_language
common.topic common.image type.type type.property type.object freebase.type_profile base.type_ontology.agent
"""


@pytest.fixture(scope="module")
def whole(shared: Path) -> Path:
    return shared / "data" / "fb15k237" / "schema"


@pytest.fixture(scope="module")
def all_of_it(whole: Path) -> Schema:
    return read_freebase(whole)[0]


def test_all_of_freebase_but_the_lines_that_are_told(whole: Path) -> None:
    schema, findings = read_freebase(whole)
    relations, classes = list(schema.source.all_relations()), list(schema.source.all_classes())
    assert (len(relations), len(classes)) == (22_429, 10_656)
    assert sum(r.inverse is not None for r in relations) == 9_906
    assert sum(c.compound for c in classes) == 800
    assert schema.source.meta("remarks") == (
        "fb_roles: 4 malformed lines (5608, 15322, 16612, 19057); fb_types: 2 malformed lines (12779, 14394); "
        "numeric_properties: 438 lines without a relation's name"
    )
    assert len(findings) == 444


def test_the_folder_and_a_schema_file_of_it_are_the_same_schema(all_of_it: Schema, tmp_path: Path) -> None:
    path = tmp_path / "freebase.sqlite"
    cache.write_schema(all_of_it, path)
    read, kept = all_of_it.source, cache.open_schema(path).source
    relations, classes = list(read.all_relations()), list(read.all_classes())
    assert [r.iri for r, other in zip(relations, kept.all_relations(), strict=True) if r != other] == []
    assert [c.iri for c, other in zip(classes, kept.all_classes(), strict=True) if c != other] == []
    # … and found in the same ways
    assert [r.iri for r in relations if kept.relation(r.iri) != r] == []
    assert [c.iri for c in classes if kept.class_(c.iri) != c] == []
    for iri in (c.iri for c in classes):
        name = iri.removeprefix(NS)
        assert kept.children(iri) == read.children(iri)
        assert kept.relations_of(iri) == read.relations_of(iri)
        assert kept.classes_named(name) == read.classes_named(name) == (iri,)
    for key in ("source", "vocabulary", "remarks", "sound", "languages"):
        assert kept.meta(key) == read.meta(key)


def test_mediators_of_freebase(all_of_it: Schema) -> None:
    mediators, others = MEDIATORS.split(), NO_MEDIATORS.split()
    assert len(mediators) >= 30 <= len(others)
    assert [name for name in mediators if not class_(all_of_it, name).compound] == []
    assert [name for name in others if class_(all_of_it, name).compound] == []


def test_what_is_inferred_of_relations_holds_for_those_that_are_listed(whole: Path) -> None:
    def rows(name: str, width: int) -> list[list[str]]:
        with gzip.open(whole / f"{name}.gz", "rt", encoding="utf-8") as stream:
            return [row for line in stream if len(row := line.split()) == width and "null" not in row]

    roles = {name: (domain, range_) for domain, name, range_ in rows("fb_roles", 3)}
    classes = {row[place] for row in rows("fb_types", 3) for place in (0, 2)}
    classes.update(end for ends in roles.values() for end in ends)
    named = [(role[0], before) for name, role in roles.items() if (before := name.rpartition(".")[0]) in classes]
    right = sum(domain == before for domain, before in named)
    assert (right, len(named)) == (19_103, 19_104)
    pairs = [(one, other) for one, other in rows("reverse_properties", 2) if one in roles and other in roles]
    turned = sum(roles[one][1] == roles[other][0] for one, other in pairs)
    assert (turned, len(pairs)) == (8_542, 8_546)


def test_every_short_datatype_that_is_a_range_has_its_reading(all_of_it: Schema) -> None:
    """What begins with ``type.`` is a datatype, or a class whose objects are Freebase's own."""
    ranges = {iri for r in all_of_it.source.all_relations() for union in r.range for iri in union}
    assert {iri.removeprefix(NS) for iri in ranges if iri.startswith(NS + "type.")} == {
        *("type.attribution", "type.content", "type.content_import", "type.domain", "type.lang"),
        *("type.media_type", "type.namespace", "type.permission", "type.property", "type.text_encoding", "type.type"),
        *("type.unit", "type.user", "type.usergroup"),
    }


def test_a_line_without_end_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "fb_roles").write_text(
        "film.film film.film.genre film.film_genre\n" + "a." * 1_000_000 + "\n", encoding="utf-8"
    )
    schema, findings = read_freebase(tmp_path)
    assert [f.message for f in findings] == ["a line of 2,000,000 characters: left out"]
    assert schema.relation("http://rdf.freebase.com/ns/film.film.genre") is not None
