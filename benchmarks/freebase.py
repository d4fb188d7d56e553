"""A schema as large as Freebase's: twenty thousand relations.

Read from ``shared/data/fb15k237/schema`` beside the checkout (or in the folder that ``PYLF_SHARED`` names) where that
is there; else made up, with as many relations and the few that the programs here name.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pylf.ir.schema.freebase import read_freebase
from pylf.ir.schema.vocabularies import load

if TYPE_CHECKING:
    from pylf.ir.schema.model import Schema

_ROOT = Path(__file__).resolve().parents[1]
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
    vocabulary = load("freebase")
    folder = shared()
    if folder is not None and (folder / "data/fb15k237/schema/fb_roles.gz").is_file():
        return read_freebase(folder / "data/fb15k237/schema", vocabulary)[0], "Freebase"
    filler = (f"made.up{n // 8} made.up{n // 8}.relation{n} made.up{n * 7 % 2400}" for n in range(_RELATIONS))
    with tempfile.TemporaryDirectory() as made_up:
        lines = [*_NAMED, *filler][:_RELATIONS]
        (Path(made_up) / "fb_roles").write_text("\n".join(lines), encoding="utf-8")
        return read_freebase(made_up, vocabulary)[0], "made up"
