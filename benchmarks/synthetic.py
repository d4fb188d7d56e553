"""A made-up graph of films and people: as large as is asked for, from a seed, with a few hubs and a long tail.

What a draw favours is a power law: of n things the k-th is drawn about (k/n)^(1/s - 1) times as often as the last, so
one genre stands on a fifth of the films and one actor plays in thousands. Domains and ranges are stated and true, every
entity has its class, numbers and dates are typed, and some release dates are years alone.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

NAMESPACE = "http://made.up/"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_XSD = "http://www.w3.org/2001/XMLSchema#"
#: class: members for each million triples
_CLASSES = {"person": 60_000, "film": 80_000, "town": 8_000, "prize": 1_000, "trade": 400, "genre": 300, "country": 200}
#: relation: domain, range, triples for each million, how steeply subjects and objects are drawn (1: all alike)
_RELATIONS = {
    "nationality": ("person", "country", 60_000, 1, 3),
    "trade": ("person", "trade", 80_000, 1, 3),
    "birthplace": ("person", "town", 50_000, 1, 2),
    "prize": ("person", "prize", 60_000, 2, 2),
    "worked_with": ("person", "person", 60_000, 2, 2),
    "genre": ("film", "genre", 140_000, 1, 3),
    "origin": ("film", "country", 80_000, 1, 3),
    "within": ("town", "country", 8_000, 1, 2),
    "played_in": ("person", "film", 0, 2, 2),  # as many as are left
}
#: relation: domain, datatypes, triples for each million
_VALUES = {
    "height": ("person", "double", 40_000),
    "born": ("person", "date", 50_000),
    "takings": ("film", "integer", 40_000),
    "released": ("film", "date", 70_000),
}


def write(path: Path, triples: int = 1_000_000, seed: int = 5) -> None:
    """Writes exactly so many triples, all different, as N-Triples. At least some 30,000."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(_lines(triples, random.Random(seed)))


def _lines(triples: int, draw: random.Random) -> Iterator[str]:
    scale = triples / 1_000_000
    sizes = {name: max(10, int(size * scale)) for name, size in _CLASSES.items()}
    written = 0
    for line in _fixed(scale, sizes, draw):
        written += 1
        yield line
    yield from _drawn("played_in", triples - written, sizes, draw)


def _fixed(scale: float, sizes: dict[str, int], draw: random.Random) -> Iterator[str]:
    for name, (domain, range_, *_) in _RELATIONS.items():
        yield f"<{NAMESPACE}{name}> <{_RDFS}domain> <{NAMESPACE}{domain}> .\n"
        yield f"<{NAMESPACE}{name}> <{_RDFS}range> <{NAMESPACE}{range_}> .\n"
    for name, (domain, datatype, _) in _VALUES.items():
        yield f"<{NAMESPACE}{name}> <{_RDFS}domain> <{NAMESPACE}{domain}> .\n"
        if name != "released":  # it has years, too
            yield f"<{NAMESPACE}{name}> <{_RDFS}range> <{_XSD}{datatype}> .\n"
    for name, size in sizes.items():
        for number in range(size):
            yield f"<{NAMESPACE}{name}/{number}> <{_RDF}type> <{NAMESPACE}{name}> .\n"
    for name, (*_, count, _, _) in _RELATIONS.items():
        yield from _drawn(name, int(count * scale), sizes, draw)
    for name, (domain, _, count) in _VALUES.items():
        value = _MADE[name]
        for number in draw.sample(range(sizes[domain]), int(count * scale)):
            yield f"<{NAMESPACE}{domain}/{number}> <{NAMESPACE}{name}> {value(draw)} .\n"


def _drawn(name: str, count: int, sizes: dict[str, int], draw: random.Random) -> Iterator[str]:
    """So many different triples of a relation."""
    domain, range_, _, left, right = _RELATIONS[name]
    subjects, objects, chance = sizes[domain], sizes[range_], draw.random
    seen: set[tuple[int, int]] = set()
    while len(seen) < count:
        pair = int(subjects * chance() ** left), int(objects * chance() ** right)
        if pair not in seen:
            seen.add(pair)
            yield f"<{NAMESPACE}{domain}/{pair[0]}> <{NAMESPACE}{name}> <{NAMESPACE}{range_}/{pair[1]}> .\n"


def _typed(lexical: str, datatype: str) -> str:
    return f'"{lexical}"^^<{_XSD}{datatype}>'


def _day(draw: random.Random, first: int, last: int) -> str:
    return f"{draw.randint(first, last)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"


def _released(draw: random.Random) -> str:
    if draw.random() < 0.1:
        return _typed(str(draw.randint(1920, 2025)), "gYear")
    return _typed(_day(draw, 1920, 2025), "date")


_MADE: dict[str, Callable[[random.Random], str]] = {
    "height": lambda draw: _typed(f"{draw.gauss(1.72, 0.1):.2f}", "double"),
    "born": lambda draw: _typed(_day(draw, 1880, 2005), "date"),
    "takings": lambda draw: _typed(str(int(draw.paretovariate(1.1) * 10_000)), "integer"),
    "released": _released,
}
