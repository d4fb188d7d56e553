"""A schema as large as Freebase's: 19,280 relations.

Read from ``shared/data/fb15k237/schema`` beside the checkout (or in the folder that ``PYLF_SHARED`` names) where that
is there; else made up, with as many relations and the few that the programs here name.
"""

from __future__ import annotations

import gzip
import os
from pathlib import Path

from pylf.ir.schema.memory import MemorySource
from pylf.ir.schema.model import Class, Relation, Schema
from pylf.ir.schema.vocabularies import load

_ROOT = Path(__file__).resolve().parents[1]
_NS = "http://rdf.freebase.com/ns/"
_RELATIONS = 19_280

#: What the programs name: domain, relation, range.
_NAMED = """
spaceflight.rocket spaceflight.rocket.manufacturer spaceflight.rocket_manufacturer
spaceflight.rocket_manufacturer spaceflight.rocket_manufacturer.rockets_manufactured spaceflight.rocket
spaceflight.rocket spaceflight.rocket.mass type.float
spaceflight.rocket spaceflight.rocket.launch_sites spaceflight.rocket_launch_site
spaceflight.rocket spaceflight.rocket.country_of_origin location.country
spaceflight.rocket spaceflight.rocket.maiden_flight type.datetime
spaceflight.rocket spaceflight.rocket.stages spaceflight.rocket_stage
spaceflight.rocket_stage spaceflight.rocket_stage.fuel spaceflight.rocket_fuel
aviation.aircraft_model aviation.aircraft_model.variants aviation.aircraft_model
aviation.aircraft_model aviation.aircraft_model.introduced type.datetime
aviation.aircraft_model aviation.aircraft_model.cruise_speed type.float
people.person people.person.parents people.person
people.person people.person.place_of_birth location.location
people.person people.person.date_of_birth type.datetime
people.person people.person.nationality location.country
film.film film.film.written_by film.writer
film.film film.film.genre film.film_genre
film.film film.film.initial_release_date type.datetime
organization.organization organization.organization.founders organization.organization_founder
""".strip().splitlines()


def shared() -> Path | None:
    """The folder of shared material, or None where there is none."""
    folder = Path(os.environ.get("PYLF_SHARED") or _ROOT.parent / "shared")
    return folder if folder.is_dir() else None


def schema() -> tuple[Schema, str]:
    """The schema, in memory, and where it comes from."""
    folder = shared()
    if folder is None or not (folder / "data/fb15k237/schema/fb_roles.gz").is_file():
        filler = (f"made.up{n // 8} made.up{n // 8}.relation{n} made.up{n * 7 % 2400}" for n in range(_RELATIONS))
        return _schema([*_NAMED, *filler][:_RELATIONS], (), ()), "made up"
    folder /= "data/fb15k237/schema"
    lines = (_lines(folder / f"{name}.gz") for name in ("fb_roles", "fb_types", "reverse_properties"))
    return _schema(*lines), "Freebase"


def _schema(roles: list[str], types: list[str] | tuple[()], pairs: list[str] | tuple[()]) -> Schema:
    datatypes = load("freebase").datatypes
    inverse = dict(line.split() for line in pairs)
    relations = {}
    for domain, name, range_ in (line.split() for line in roles if len(line.split()) == 3):
        other = inverse.get(name)
        relations[name] = Relation(
            _NS + name,
            domain=((_NS + domain,),),
            range=() if range_ in datatypes else ((_NS + range_,),),
            datatypes=(datatypes[range_],) if range_ in datatypes else (),
            inverse=None if other is None else _NS + other,
            literal=range_ in datatypes,
        )
    parents: dict[str, set[str]] = {}
    for relation in relations.values():
        for union in (*relation.domain, *relation.range):
            parents.setdefault(union[0], set())
    for child, _, parent, *_ in (line.split() for line in types):
        parents.setdefault(_NS + child, set()).add(_NS + parent)
        parents.setdefault(_NS + parent, set())
    classes = [Class(iri, parents=tuple(sorted(above))) for iri, above in parents.items()]
    return Schema(MemorySource(relations.values(), classes, {"source": "stated", "vocabulary": "freebase"}))


def _lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return stream.read().splitlines()
