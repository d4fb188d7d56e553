"""The graph that comes with pylf: rockets, in Turtle, with its schema and its vocabulary (see README.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pylf.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

#: the facts
DATA = "rockets.ttl"
#: classes and relations, with domains, ranges, inverses and disjoint classes
SCHEMA = "rockets-schema.ttl"
#: how names in a program become IRIs
VOCABULARY = "rockets.toml"
FILES = (DATA, SCHEMA, VOCABULARY)

#: what every IRI of the graph begins with
NAMESPACE = "http://pylf.example/rockets/"


def path(name: str) -> Path:
    """Where one of :data:`FILES` lies.

    A plain path beside this module: ``importlib.resources`` alone would take longer to import than a program takes to
    compile.

    Raises:
        InputError: no bundled file has this name.
    """
    from pathlib import Path

    if name not in FILES:
        raise InputError(f"no bundled file is named '{name}'; there are {', '.join(FILES)}")
    return Path(__file__).with_name(name)
