"""A few relations and classes of Freebase, by hand, for tests of the frontends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.schema.vocabularies import load

if TYPE_CHECKING:
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


def schema() -> Schema:
    """Those relations, with their classes; a director is a person."""
    datatypes = load("freebase").datatypes
    relations = []
    classes: dict[str, tuple[str, ...]] = {}
    for domain, name, range_ in map(str.split, _ROLES):
        literal = range_ in datatypes
        relations.append(
            Relation(
                NS + name,
                domain=((NS + domain,),),
                range=() if literal else ((NS + range_,),),
                datatypes=(datatypes[range_],) if literal else (),
                literal=literal,
            )
        )
        classes |= {NS + one: () for one in (domain, range_) if one not in datatypes}
    classes[NS + "film.director"] = (NS + "people.person",)
    return Schema(MemorySource(relations, [Class(iri, parents=parents) for iri, parents in classes.items()], {}))


def vocabulary() -> Vocabulary:
    """Freebase's."""
    return load("freebase")
