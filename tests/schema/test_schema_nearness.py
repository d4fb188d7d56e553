from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylf.ir.schema import nearness
from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.schema.names import nearest
from pylf.ir.schema.nearness import relations_at

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = (
    *("country_of_origin", "production_company", "director", "publishedIn", "hasPart", "runtime"),
    *("release_date", "place_of_birth"),
)


@pytest.fixture(scope="module")
def films() -> Schema:
    return Schema(
        MemorySource(
            [Relation("http://e/" + name) for name in NAMES] + [Relation("http://e/p42", label="launch site")],
            [Class("http://e/Film"), Class("http://e/C7", label="film crew")],
        )
    )


def test_case_45_an_invented_relation(films: Schema) -> None:
    assert set(nearest("producing_country", films)) == {"country_of_origin", "production_company"}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("directer", "director"),
        ("published_in", "publishedIn"),
        ("PublishedIn", "publishedIn"),
        ("has_part", "hasPart"),
        ("date_of_release", "release_date"),
        ("birth_place", "place_of_birth"),
        ("R_runtimes", "runtime"),
        ("launching site", "p42"),
    ],
)
def test_likely_slips(films: Schema, written: str, meant: str) -> None:
    assert nearest(written, films)[0] == meant


def test_nothing_alike(films: Schema) -> None:
    assert nearest("xyzzy", films) == ()
    assert nearest("", films) == ()
    assert nearest("xyzzy", films, "class") == ()


def test_classes(films: Schema) -> None:
    assert nearest("Fillm", films, "class")[0] == "Film"
    assert "C7" in nearest("filmcrew", films, "class")


def test_the_class_at_hand_decides_between_like_names_and_fills_up(schema_of: Callable[..., Schema]) -> None:
    schema = schema_of(
        ":name rdfs:domain :City . :naming rdfs:domain :Rocket . :mass rdfs:domain :Craft ."
        ":built_by rdfs:range :Rocket ."
        ":Rocket rdfs:subClassOf :Craft . :height rdfs:domain :Building ."
    )
    assert nearest("weight", schema, "relation") == ("height",)
    near = nearest("weight", schema, "relation", "http://e/Rocket", limit=4)
    assert near[0] == "height"
    assert set(near) == {"height", "mass", "built_by", "naming"}
    assert nearest("namin", schema, "relation", "http://e/Rocket")[0] == "naming"
    assert relations_at("http://e/Rocket", schema) == (
        ("http://e/built_by", True),
        ("http://e/mass", False),
        ("http://e/naming", False),
    )


def test_a_name_that_two_relations_share_is_written_in_full() -> None:
    schema = Schema(MemorySource([Relation("http://a/wrote"), Relation("http://b/wrote")], []))
    assert nearest("wrot", schema) == ("<http://a/wrote>", "<http://b/wrote>")


def test_dotted_names() -> None:
    names = ("film.film.directed_by", "film.film.edited_by", "tv.tv_program.country", "people.person.date_of_birth")
    schema = Schema(MemorySource([Relation("http://rdf.freebase.com/ns/" + n) for n in names], []))
    assert nearest("film.film.director", schema)[0] == "film.film.directed_by"
    assert nearest("people.person.birth_date", schema)[0] == "people.person.date_of_birth"


def test_what_was_asked_before_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearness, "_REMEMBERED", 3)
    domain = (("http://e/Rocket",),)
    rows = [Relation(f"http://e/made_of_{i}") for i in range(300)]
    rows += [Relation("http://e/nade", domain=domain), Relation("http://e/mad", label="made up", domain=domain)]
    asked = [("made_of_17x", None, 3), ("made", "http://e/Rocket", 3), ("R_made", None, 2), ("made_of_29", None, 1)]
    found = [nearest(name, Schema(MemorySource(rows, [])), "relation", class_, n) for name, class_, n in asked]
    assert [len(names) for names in found] == [3, 3, 2, 1]
    assert found[1][0] == "mad"
    schema = Schema(MemorySource(rows, []))
    for _ in range(3):
        assert [nearest(name, schema, "relation", class_, n) for name, class_, n in asked] == found


@given(st.text(max_size=40))
def test_any_name_has_neighbours_or_none(name: str) -> None:
    schema = Schema(MemorySource([Relation("http://e/" + n) for n in NAMES], []))
    assert set(nearest(name, schema)) <= set(NAMES)


def test_long_names_and_large_schemas() -> None:
    rows = [Relation(f"http://e/domain{i % 50}.type{i % 700}.property_number_{i}") for i in range(20_000)]
    schema = Schema(MemorySource(rows, []))
    assert "property_number_17" in nearest("domain17.type17.property_nomber_17", schema)[0]
    assert nearest("x" * 1_000_000, schema) == ()
