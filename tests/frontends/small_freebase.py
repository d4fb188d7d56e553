"""Schemas of a few relations of Freebase's, for tests of the frontends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.schema.vocabularies import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pylf.ir.schema.vocabulary import Vocabulary

NS = "http://rdf.freebase.com/ns/"

#: domain, relation, range
_ROLES = (
    "film.film film.film.directed_by film.director",
    "film.director film.director.film film.film",
    "film.film film.film.genre film.film_genre",
    "film.film film.film.initial_release_date type.datetime",
    "film.film film.film.runtime film.film_cut",
    "film.film_cut film.film_cut.runtime type.float",
    "film.film film.film.tagline type.text",
    "film.film film.film.netflix_id type.enumeration",
    "film.film film.film.shots type.int",
    "film.film film.film.silent type.boolean",
    "people.person people.person.sibling people.person",
    "people.person people.person.date_of_birth type.datetime",
    "people.person people.person.places_lived people.place_lived",
    "people.place_lived people.place_lived.start_date type.datetime",
    "people.place_lived people.place_lived.end_date type.datetime",
    "people.place_lived people.place_lived.location location.location",
    "government.government_position_held government.government_position_held.office_holder people.person",
    "government.government_position_held government.government_position_held.from type.datetime",
    "government.government_position_held government.government_position_held.to type.datetime",
    "government.politician government.politician.government_positions_held government.government_position_held",
    "sports.sports_league sports.sports_league.start type.datetime",
    "common.topic common.topic.notable_types type.type",
    "type.type type.type.instance type.object",
)


def schema_of(
    roles: Iterable[str], labels: Mapping[str, str] | None = None, parents: Mapping[str, tuple[str, ...]] | None = None
) -> Schema:
    """A schema of lines ``domain relation range`` with the classes that they name, as Freebase's ``fb_roles`` has them;
    ``labels`` and ``parents`` are of relations and classes by id."""
    datatypes = load("freebase").datatypes
    labels, parents = labels or {}, parents or {}
    relations = []
    classes: dict[str, None] = {}
    for domain, name, range_ in map(str.split, roles):
        datatype = datatypes.get(range_)
        relations.append(
            Relation(
                NS + name,
                label=labels.get(name),
                domain=((NS + domain,),),
                range=() if datatype else ((NS + range_,),),
                datatypes=(datatype,) if datatype else (),
                literal=datatype is not None,
            )
        )
        classes |= dict.fromkeys((domain,) if datatype else (domain, range_))
    rows = [
        Class(NS + name, label=labels.get(name), parents=tuple(NS + above for above in parents.get(name, ())))
        for name in classes
    ]
    return Schema(MemorySource(relations, rows, {"source": "stated", "vocabulary": "freebase"}))


def schema() -> Schema:
    """Those relations, with their classes; a director is a person."""
    return schema_of(_ROLES, parents={"film.director": ("people.person",)})


def vocabulary() -> Vocabulary:
    """Freebase's."""
    return load("freebase")
